import type { Json } from '../../core/values/json.ts';
import { isJson } from '../../core/values/json.ts';
import { type Clause, explicitReferences, operand, placeholder, type Reading, unquote } from '../clause.ts';

/** Maximum characters of an instruction; a longer text is no instruction or has its data not set apart. */
export const MAX_INSTRUCTION = 2_000;

/** Words that only refer to the text: "of the following text", "these lines", "in it". */
const POINTING =
  /^(?:(?:of|from|in|on|for|to|at|out|the|this|these|that|those|it|its|them|my|our|your|here|all|each|every|any|both|two|following|given|above|below|next|pasted|attached|previous|last|and|sure|up|again|back|too|instead|list|table|array|set|bunch|piece|block|body|text|title|string|sentence|phrase|paragraph|word|line|row|item|element|entry|entries|value|name|number|letter|character|thing|message|input|output|result|outcome|answer|data|content|snippet|passage|document|file|code|json|csv)s?(?:\s+|,\s*|$))+$/i;
const BEFORE_IT =
  /^(?:(?:the|this|these|that|those|following|my|a|an) ){1,3}(?:text|strings?|words?|sentences?|phrases?|lists?|lines?|items?|letters?|numbers?|names?|values?|title) (?=\S)|^(?:string|text|word) (?=["'“‘«`])|^string (?=\S)/i;
/** A named thing with its text in quotation marks: "my blog post "How I moved"". */
const THING_QUOTED =
  /^(?:the|this|that|these|my|our|your|an?) (?:[a-z-]{1,30} ){1,5}(?:(?:called|titled|named|saying) )?(?="[^"\n]*"$|“[^”\n]*”$|«[^»\n]*»$)/i;
const QUOTED = /^(?:"[^"\n]*"|“[^”\n]*”|‘[^’\n]*’|«[^»\n]*»|`[^`\n]*`|'(?:[^'\n]|\b'\b)*')$/;

/** Whether a text only refers to something else. */
export const points = (text: string): boolean => text === '' || (text.length <= 120 && POINTING.test(text));

export const isQuoted = (text: string): boolean => QUOTED.test(text.trim());

/** An operand as written; text in quotation marks is literal. */
const literal = (text: string, clause: Clause): string => (isQuoted(text) ? unquote(text) : operand(text, clause));

const NOTHING = /^(?:an?|the) empty (?:string|text)$/i;

/** What an instruction works on: its data, else `rest`, else the result before; without quotation marks around it. */
function target(rest: string, clause: Clause): string | undefined {
  const plain = rest.trim();
  if (clause.data !== undefined) {
    return clause.language === undefined && clause.data.length <= 10_000 && isQuoted(clause.data)
      ? unquote(clause.data)
      : clause.data;
  }
  if (NOTHING.test(plain)) return '';
  const explicit = explicitReferences(plain);
  if (explicit !== plain) {
    const only = /^(?:(?:of|from|in|on|for|the|text|words?|lines?|list) )*(\{\{[\w.]+\}\})$/.exec(explicit);
    if (only !== null) return only[1];
  }
  if (points(plain)) return clause.it === undefined ? undefined : placeholder(clause.it);
  return literal(plain.replace(THING_QUOTED, '').replace(BEFORE_IT, ''), clause);
}

/** Quotations with commas or words between them. */
const SEVERAL = /^"[^"]{0,200}"[^"]{1,20}"[^"]{0,200}"(?:[^"]{1,20}"[^"]{0,200}"){0,20}$/;
/** Quotations with more than a comma or a conjunction between them. */
const APART = /^"[^"]{0,200}"(?! ?(?:,|;|and|or|&|vs\.?|with|to|, and) ?")[^"]{1,20}"/i;
/** Operations on several things. */
const LISTS: ReadonlySet<string> = new Set([
  'sort',
  'unique',
  'reverse',
  'join',
  'first',
  'last',
  'diff',
  'number',
  'count',
]);

/** Whether a text is a JSON object, whose commas separate no items. */
const isObjectText = (text: string): boolean => {
  const plain = text.length < 20_000 ? text.trim() : '';
  return plain.startsWith('{') && plain.endsWith('}') && isJson(plain);
};

/** A pronoun with words behind it that say how, where it is no text: "them by size". */
const REFERS = /^(?:it|them|these|those|this|that) (?:by|with|in|into|to|from|on|using|for|at|as|of)\b/i;
/** A quotation with unquoted words after it. */
const QUOTED_MORE = /^(?:"[^"]*"|“[^”]*”),? ((?:and|but|then|or) [^"“”]+)$/;

/** The reading of an instruction about `rest`; asks for the text when there is none. */
export function on(
  sure: number,
  rest: string,
  clause: Clause,
  input: { readonly [name: string]: Json },
  question = 'Which text do you mean?',
  name = 'text',
): Reading {
  if (
    clause.data === undefined &&
    SEVERAL.test(rest.trim()) &&
    (!LISTS.has(typeof input.op === 'string' ? input.op : '') || APART.test(rest.trim()))
  )
    return {
      sure,
      ask: 'I work on one text at a time, and these are several. Which one first?',
      answered: (answer) => `${clause.text.replace(rest.trim(), '').trim()}: ${answer}`,
    };
  const more = clause.data === undefined && name === 'text' ? QUOTED_MORE.exec(rest.trim())?.[1] : undefined;
  if (
    more !== undefined &&
    !LISTS.has(typeof input.op === 'string' && input.op !== 'count' && input.op !== 'reverse' ? input.op : '')
  )
    return asked(sure, `I cannot tell what “${more}” behind the quotation is to do. Which text is meant?`, clause);
  const text = clause.data === undefined && REFERS.test(rest.trim()) ? undefined : target(rest, clause);
  if (text === undefined) return asked(sure, question, clause);
  const lists =
    typeof input.op === 'string' &&
    LISTS.has(input.op) &&
    (input.op !== 'count' || input.what === 'items') &&
    input.by !== 'characters';
  if (name === 'text' && lists && isObjectText(text)) return { sure: 0, input: { ...input, text } };
  return { sure, input: { ...input, [name]: text } };
}

/** A question about an instruction without text to work on. */
const asked = (sure: number, ask: string, clause: Clause): Reading => ({
  sure,
  ask,
  answered: (answer) => `${clause.text}: ${answer}`,
});

/** The surest reading; undefined when none is at least a suggestion. */
export function surest(readings: Iterable<Reading | undefined>): Reading | undefined {
  let best: Reading | undefined;
  for (const reading of readings) {
    if (reading !== undefined && reading.sure >= 0.5 && (best === undefined || reading.sure > best.sure))
      best = reading;
  }
  return best;
}

const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
/** A count in digits or, up to twelve, in words. */
export const numberNamed = (text: string): number => {
  const index = NUMBERS.indexOf(text.toLowerCase());
  return index >= 0 ? index : Number(text);
};
