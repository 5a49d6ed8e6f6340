import type { Json } from '../../core/values/json.ts';
import { type Clause, explicitReferences, operand, placeholder, type Reading, unquote } from '../clause.ts';

/** Maximum characters of an instruction; a longer text is no instruction or has its data not set apart. */
export const MAX_INSTRUCTION = 2_000;

/** Words that only refer to the data: "of the following object", "in it". */
const POINTING =
  /^(?:(?:of|from|in|on|for|to|at|out|the|this|these|that|those|it|its|them|my|our|your|here|all|each|every|any|both|two|following|given|above|below|next|pasted|attached|previous|last|and|sure|up|again|back|too|instead|list|table|array|set|bunch|piece|block|body|text|title|string|sentence|phrase|paragraph|word|line|row|item|element|entry|entries|value|name|number|letter|character|thing|message|input|output|result|outcome|answer|data|content|snippet|passage|document|file|code|json|csv)s?(?:\s+|,\s*|$))+$/i;
const QUOTED = /^(?:"[^"\n]*"|“[^”\n]*”|‘[^’\n]*’|«[^»\n]*»|`[^`\n]*`|'(?:[^'\n]|\b'\b)*')$/;

/** Whether a text only refers to something else. */
export const points = (text: string): boolean => text === '' || (text.length <= 120 && POINTING.test(text));

export const isQuoted = (text: string): boolean => QUOTED.test(text.trim());

/** What an instruction works on: its data, else `rest`, else the result before. */
function target(rest: string, clause: Clause): string | undefined {
  const plain = rest.trim();
  if (clause.data !== undefined) return clause.data;
  const explicit = explicitReferences(plain);
  const only = /^(?:(?:of|from|in|on|for|the|text|words?|lines?|list) )*(\{\{[\w.]+\}\})$/.exec(explicit);
  if (only !== null) return only[1];
  if (points(plain)) return clause.it === undefined ? undefined : placeholder(clause.it);
  return isQuoted(plain) ? unquote(plain) : operand(plain, clause);
}

/** The reading of an instruction about `rest`; asks for the data when there is none. */
export function on(
  sure: number,
  rest: string,
  clause: Clause,
  input: { readonly [name: string]: Json },
  ask: string,
): Reading {
  const json = target(rest, clause);
  if (json === undefined) return { sure, ask, answered: (answer) => `${clause.text}: ${answer}` };
  return { sure, input: { ...input, json } };
}

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
