import { calculationOf } from '../grammar/index.ts';
import { unitOf } from '../words/units.ts';
import { isConstant, isFunction } from './functions.ts';

const OF = /(%|\)|\d) of (?:the )?(?=[\d({.])/gi;
/** Only digits and signs: no words to convert, and no `**`. */
const PLAIN = /^(?!.*\*\*)[\d\s.+\-*/^()]+$/;
/** The same with percentages and shares, and without spaces between digits. */
const SHARES = /^(?!.*\*\*)(?:[\d.+\-*/^()%] ?)+$/;

/** Numbers, signs and shares as an expression; undefined when there is a word, a currency or anything else. */
export function plainSum(text: string): string | undefined {
  if (PLAIN.test(text)) return /\d\s+\d/.test(text) ? undefined : text.trim();
  const shares = text.replace(OF, '$1 * ');
  return SHARES.test(shares) ? shares.trim() : undefined;
}

/** Superscripts are converted before digits are, because "5²" is not 52. */
const RAISED = /⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+/g;
const SIGNS: Readonly<Record<string, string>> = {
  '×': '*',
  '✕': '*',
  '∙': '*',
  '·': '*',
  '⋅': '*',
  '÷': '/',
  '∕': '/',
};

const normalized = (text: string): string =>
  text
    .replace(/[½¼¾]/g, (part) => ({ '½': '(1/2)', '¼': '(1/4)' })[part as '½'] ?? '(3/4)')
    .replace(RAISED, (power) => `^${power.normalize('NFKC')}`)
    .normalize('NFKC')
    .replace(/[×✕∙·⋅÷∕]/g, (sign) => SIGNS[sign] as string)
    .replace(/[−–—]/g, '-')
    .replace(/\*\*/g, '^')
    .trim();

const TOKEN = /\s+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+|[-+*/^%!(),]|([A-Za-z][A-Za-z0-9]*)/y;

/** Whether the engine reads it as it is: every name is a function, a constant or a unit under the engine's own name. */
function isReady(expression: string): boolean {
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < expression.length) {
    const [, name] = TOKEN.exec(expression) ?? [];
    if (TOKEN.lastIndex === 0) return false;
    if (name === undefined || name === 'to' || name === 'mod' || isConstant(name)) continue;
    if (!isFunction(name.toLowerCase()) && unitOf(name)?.math !== name) return false;
  }
  return true;
}

/** What the engine calculates for a text in words, signs and numbers; what cannot be read stays as it is. */
export function expressionOf(text: string): string {
  const own = normalized(text);
  return plainSum(own) ?? (isReady(own) ? own : (calculationOf(own) ?? own));
}
