import { isAddedLine } from '@mailroom/behavior/values/added-line';
import { FOREIGN_GREETINGS, isClosing, isGreeting, isPolite } from './courtesy.ts';

const MAX_LINES = 60;
/** The most lines below a closing: a name, a company, a department. */
const MAX_SIGNED = 4;
const GREETED = new RegExp(
  String.raw`^(?:hi+|hiya|heya|hello|hey+|hallo|dear|good (?:morning|afternoon|evening|day)|morning|afternoon|evening|${FOREIGN_GREETINGS})(?!\p{L})(?: (?:there|all|again|team|do|everyone|\p{L}{2,20})){0,2} ?[!,.]+\s+(?=\S)`,
  'iu',
);

/** A closing and a name behind the last sentence of a line. */
const SIGNED =
  /([.?!]) (?:(?:many|best|kind|kindest|warm|with best) )?(?:regards|wishes|greetings|thanks),? (?:\p{Lu}\p{L}*\.? ){0,2}\p{Lu}\p{L}{1,20}\.?$/iu;
/** A mail without its greeting, its closing and what programs add; a part of it, with all of its signs. */
export function bareOf(body: string): string {
  const whole = body.trim();
  const lines = whole.split('\n');
  if (lines.length > MAX_LINES) return whole;
  let [first, end] = [0, lines.length];
  const said = (at: number): string => (lines[at] ?? '').trim();
  while (first < end - 1 && (said(first) === '' || isGreeting(said(first)))) first++;
  while (end > first + 1 && (said(end - 1) === '' || isAddedLine(said(end - 1)))) end--;
  for (let at = end - 1; at > first && at >= end - 1 - MAX_SIGNED; at--)
    if (isClosing(said(at)) || (isPolite(said(at)) && !isGreeting(said(at)))) end = at;
  const bare = lines.slice(first, end).join('\n').trim();
  return bare.replace(GREETED, '').replace(SIGNED, '$1');
}

/** Whether what stands behind a text is a closing with a blank line before it: no part of what one line says. */
export const isSigned = (whole: string, bare: string): boolean =>
  whole.startsWith(bare) && /^[ \t]*\n[ \t]*\n/.test(whole.slice(bare.length));
