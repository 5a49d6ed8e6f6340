import type { Json } from '@mailroom/behavior/values/json';
import type { Domain } from '../../language/grammar.ts';
import { type Clause, type Previous, placeholder } from '../clause.ts';
import type { Calculation, Condition } from '../table/schema.ts';
import type { Table } from '../table/table.ts';
import { unitOf } from '../words/units.ts';
import type { Num } from './number.ts';
import { rulesOf } from './rules.ts';
import { asks, type Request } from './setting.ts';
import { tableIn } from './table-words.ts';

/** Words that only continue the conversation. */
const CONTINUES = /^(?:(?:and|now|then|ok|okay|what about|how about|and what about|and how about|so),? )+(?=\S)/i;

/** The table that an instruction without one continues with: the earlier result, or what the earlier step worked on. */
export function earlierTable({
  text,
  previous,
}: Pick<Clause, 'text' | 'previous'>): { table: Table; written: string; about: string } | undefined {
  if (previous === undefined || /[[{]/.test(text)) return undefined;
  const about = text.replace(CONTINUES, '');
  const result = tableIn(textOf(previous.result));
  if (result !== undefined) return { table: result, written: placeholder(0), about };
  const given = previous.task === 'table' ? textOf(previous.input.table) : '';
  const table = given.includes('{{') ? undefined : tableIn(given);
  return table && { table, written: given, about };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

const FUNCTIONS: Readonly<Record<Calculation, string>> = {
  sum: 'sum',
  average: 'mean',
  median: 'median',
  highest: 'max',
  lowest: 'min',
};
const isCalculation = (op: unknown): boolean => typeof op === 'string' && (op === 'count' || op in FUNCTIONS);
const CALCULATED = /^(?:sum|mean|median|max|min|prod|std|variance)\(([^()]+)\)$/;
const MAX_NUMBERS = 200;

/** The same numbers as before, or those that were the result, as arguments of a function. */
function numbersOf({ task, input, result }: Previous): string | undefined {
  const before = task === 'calculate' ? CALCULATED.exec(textOf(input.expression))?.[1] : undefined;
  if (before !== undefined) return before;
  const items = Array.isArray(result) ? result.map(String) : typeof result === 'string' ? result.split(/[,\n]/) : [];
  const numbers = items.map((item) => item.trim());
  const all =
    numbers.length > 1 && numbers.length <= MAX_NUMBERS && numbers.every((one) => /^-?\d+(?:\.\d+)?$/.test(one));
  return all ? numbers.join(', ') : undefined;
}

/** The same calculation of a table by groups, or with some of its rows. */
const calculatedTable = (previous: Previous | undefined, more: Readonly<Record<string, Json>>): Request | undefined =>
  previous?.task === 'table' && isCalculation(previous.input.op)
    ? asks('table', { ...previous.input, ...more })
    : undefined;

/** Another calculation with what the earlier step worked on. */
function insteadOf(previous: Previous, op: Calculation): Request | undefined {
  const { task, input } = previous;
  if (task === 'table' && input.op !== 'count' && isCalculation(input.op)) return asks('table', { ...input, op });
  const numbers = numbersOf(previous);
  return numbers === undefined ? undefined : asks('calculate', { expression: `${FUNCTIONS[op]}(${numbers})` });
}

/** The same calculation with another percentage, where it has one. */
function withShare({ task, input }: Previous, { expr }: Num): Request | undefined {
  const expression = task === 'calculate' ? textOf(input.expression) : '';
  const end = expression.indexOf('%');
  if (end < 0 || expression.includes('%', end + 1)) return undefined;
  let start = end;
  while (start > 0 && /[\d.]/.test(expression[start - 1] as string)) start--;
  return start === end
    ? undefined
    : asks('calculate', { ...input, expression: `${expression.slice(0, start)}${expr}${expression.slice(end + 1)}` });
}
/** The same calculation with another amount, where it is of one: "15% * 240", "sqrt(16)". */
function withOperand({ task, input }: Previous, { expr }: Num): Request | undefined {
  const expression = task === 'calculate' ? textOf(input.expression) : '';
  const [, lead, tail = ''] = /^([\d.]+% \* )[\d.]+$/.exec(expression) ?? /^(\w+\()[\d.]+(\))$/.exec(expression) ?? [];
  return lead === undefined ? undefined : asks('calculate', { ...input, expression: lead + expr + tail });
}

/** The sum or the product of the last two results of the thread. */
function ofBoth({ earlier, result }: Previous, sign: '+' | '*'): Request | undefined {
  const numbers = [earlier, result].map((one) => Number(typeof one === 'string' ? one.replaceAll(',', '') : one));
  if (earlier === undefined || typeof earlier === 'object' || !numbers.every(Number.isFinite)) return undefined;
  return asks('calculate', { expression: numbers.map((one) => (one < 0 ? `(${one})` : one)).join(` ${sign} `) });
}
function withAmount({ task, input }: Previous, { said, unit }: Num): Request | undefined {
  const before = task === 'convert' ? unitOf(textOf(input.from).replace(/^[-+\d.,/ ]+/, '')) : undefined;
  return said !== undefined && before?.kind === unit?.kind ? asks('convert', { ...input, from: said }) : undefined;
}

const rule = rulesOf<{ calculation: Calculation; value: Condition }>();

/** Instructions that leave out what the earlier message said: "and the average?". */
export const FOLLOW_UPS: Domain = {
  lexicon: {
    CONTINUED:
      "and|and what about|what about|how about|and how about|now|ok|what is|what's|whats|what was|and what is|and what was|give me|show me",
    BOTH: 'both|them both|both of them|both results|the two|the two results|the last two|the last two results|both numbers|the two together|both together|them together',
    AGAIN:
      'again|once more|another|another one|one more|one more time|do it again|do that again|repeat|repeat that|roll again|flip again|try again|a new one|a different one|new one|pick again|another please',
    OFTHEM: 'of it|of them|of those|of these|value|one|number|of the same|instead|of that',
  },
  rules: [
    rule('request = CONTINUED? <calculation> OFTHEM?', ([op], { previous }) =>
      previous === undefined ? undefined : insteadOf(previous, op),
    ),
    rule('request -0.05 = CONTINUED? the? <aggregate> (one|number|value)? OFTHEM?', ([name], { previous }) => {
      const numbers = previous === undefined || previous.task === 'table' ? undefined : numbersOf(previous);
      return numbers === undefined ? undefined : asks('calculate', { expression: `${name}(${numbers})` });
    }),
    // The same once more, where chance makes it another.
    rule('request = CONTINUED? AGAIN', (_, { it, previous }) =>
      it === 0 && previous?.task === 'random' && !JSON.stringify(previous.input).includes('{{')
        ? asks('random', previous.input)
        : undefined,
    ),
    // The other direction of an encoding.
    rule('request = (now|and)? (decode|unescape|decrypt|decipher) IT again?', (_, { it, previous }) =>
      it === 0 && previous?.task === 'encode' && previous.input.op === 'encode'
        ? asks('encode', { ...previous.input, op: 'decode', text: placeholder(0) })
        : undefined,
    ),
    // The same with another share or amount.
    rule('request = CONTINUED? <number:share>', ([share], { it, previous }) =>
      it === 0 && previous !== undefined ? withShare(previous, share) : undefined,
    ),
    rule('request = CONTINUED? <number:unit>', ([n], { it, previous }) =>
      it === 0 && previous !== undefined ? withAmount(previous, n) : undefined,
    ),
    rule('request = CONTINUED? (of|for) <number:plain>', ([n], { it, previous }) =>
      it === 0 && previous !== undefined ? withOperand(previous, n) : undefined,
    ),
    rule('request = CONTINUED? (multiply|the product of) BOTH', (_, { it, previous }) =>
      it === 0 && previous !== undefined ? ofBoth(previous, '*') : undefined,
    ),
    rule('request = CONTINUED? PERGROUP <column> <from>', ([by], { previous }) => calculatedTable(previous, { by })),
    rule('request = CONTINUED? only? (for|in|from) the? <value> only? <from>', ([one], { previous }) =>
      calculatedTable(previous, { where: [one as unknown as Json] }),
    ),
  ],
};
