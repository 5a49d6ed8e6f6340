import { withoutTrailing } from '@mailroom/behavior/values/trailing';
import { quotationsIn } from '../language/quotations.ts';
import { unmarked } from '../tasks/text/input.ts';
import { isClosing, isPolite, plain, singleSpaced } from './courtesy.ts';
import { MAX_TEXT } from './cut.ts';
import { isListed, isName } from './lines.ts';
import { ANNOUNCE } from './pieces.ts';
import { MASK, masked } from './split.ts';

/** An instruction, and the text beside it that it is about. `sure`: marks show where that begins and ends. */
export interface Placed {
  readonly said: string;
  readonly data: string;
  readonly sure: boolean;
}

const MAX_LINES = 200;
const MAX_LINE = 600;
/** Signs between an instruction and its text, in either order. */
const BETWEEN = / (?:[-–—]{1,2}|[-=]{1,2}>|→|⇒) /gu;
const ARROW = / (?:[-=]{1,2}>|→|⇒) /u;
/** Behind the first question in the same line as what it is about. */
const QUESTION_FIRST = /(?<=^[^?]{1,200}\?) (?=\S)/;
/** One word that is named as what it is. */
const NAMED_WORD =
  /\b(?:the|this) (?:word|string|name|term|code|variable|file name|filename|path|number|iban|phrase) (?!(?:in|of|is|with|and|or|to|that|by|below|above|as|from|has|should|must)\b)([^\s"“,]+)/i;
/** The only figure of what is told, and a question about it by what it is. */
const OF_FIGURE =
  /^(?:i|we|my|our|the|this|it|here|they|he|she)\b[^\d,.;:?"“]{0,60} ([\da-z]{1,64})[,.;] (?:and |so )?((?:what|how|which|can|could|please|convert|turn|write|show)\b[^\d"“]{1,100}$)/i;
const OF_WHAT = /\b(?:this|that) (?:[a-z]+ )?(?:number|value|figure|code|timestamp|mask)\b/i;
/** Before the name of a part, which is no text to work on. */
const OF_PART =
  /\b(?:contain\w*|includ\w+|with|has|have|having|mention\w*|say\w*|replace|change|swap|remove|delete|times|often|by|before|after|behind|is|are)(?: all| every| each)? $/i;
/** A question about what is told, which is no text to work on. */
const ABOUT_FACTS = /^(?:which|what|how|when|who)\b.* (?:that|it|this|they|he|she|i|we)[?.!]*$/i;
const SUBJECT = /^(\S+) (?=(?:has|have|must|should|needs?|ought) )/;

/** A request, which is no text to work on. */
const ASKS = /^(?:please|pls|(?:can|could|would|will) you)\b[^\n]*:/im;
const isEnd = (line: string): boolean => isPolite(line) || isClosing(line);
/** Whether it is the name under a closing. */
const isSignedBelow = (lines: readonly string[], at: number): boolean =>
  isEnd(lines[at - 1] ?? '') && isName({ text: lines[at] ?? '', mark: undefined, indent: 0 });

const dataOf = (about: readonly string[]): string => {
  const filled = unmarked(about.filter((line) => line !== ''));
  // The empty lines of a text stay, those between the items of a list do not.
  return (filled.some((line) => !about.includes(line)) ? filled : about).join('\n').trim();
};

/** A question for one value that is worked out, and not for those in a text: "which date is that". */
const OF_ONE = /^(?:which|what) \p{L}+ (?:is|was|would|will) (?:it|that|this)(?: be)?(?:,? please)?[?.]?$/iu;

/** Where the instruction of a message and the text it is about may stand, the plainest first. */
export function placedIn(body: string): readonly Placed[] {
  const lines = body
    .replace(ANNOUNCE, '')
    .split('\n')
    .map((line) => line.trim());
  const last = lines.findLastIndex((line, at) => line !== '' && !isEnd(line) && !isSignedBelow(lines, at));
  const first = lines.findIndex((line, at) => line !== '' && (at === last || !isPolite(line)));
  if (last < 0 || last - first > MAX_LINES) return [];
  const found =
    first < last
      ? [
          ...(isListed(body) ? [] : [{ said: lines[first] as string, data: dataOf(lines.slice(first + 1, last + 1)) }]),
          { said: lines[last] as string, data: dataOf(lines.slice(first, last)) },
        ]
          .filter(({ data }) => !ASKS.test(data))
          .map((one) => ({ ...one, sure: false }))
      : inLine(lines[first] as string);
  return found
    .map(({ said, ...more }) => ({ ...more, said: plain(withoutTrailing(singleSpaced(said), ': ')) }))
    .filter(({ said, data }) => said !== '' && !OF_ONE.test(said) && said.length <= MAX_TEXT && data !== '');
}

function inLine(line: string): Placed[] {
  if (line.length > MAX_LINE) return [];
  const bare = masked(line);
  const found: Placed[] = [];
  const add = (said: string, data: string, sure = false): void => {
    found.push({ said: said.trim(), data: unquoted(data.trim()), sure });
  };
  const [colon = -1] = Array.from(bare.matchAll(/:(?= )/g), ({ index }) => index);
  if (colon > 0) add(line.slice(0, colon), line.slice(colon + 1), true);
  const question = QUESTION_FIRST.exec(line)?.index;
  if (question !== undefined) add(line.slice(0, question), line.slice(question));
  const signs = colon > 0 ? [] : [...bare.matchAll(BETWEEN)];
  for (const { 0: sign, index } of signs.length === 1 ? signs : signs.filter(([one]) => ARROW.test(one))) {
    const [before, behind] = [line.slice(0, index), line.slice(index + sign.length)];
    if (!ABOUT_FACTS.test(behind)) add(behind, before);
    add(before, behind);
  }
  const [quotation, more] = quotationsIn(line);
  if (quotation !== undefined && more === undefined) {
    const [from, to] = quotation;
    const around = `${line.slice(0, from)}this${line.slice(to)}`;
    add(from === 0 ? line.slice(to).replace(/^[\s,.:;–—-]+/, '') : around, line.slice(from, to), true);
    add(around, line.slice(from, to), true);
  }
  const subject = SUBJECT.exec(line)?.[1];
  if (subject !== undefined && /[\d_./@-]/.test(subject)) add(`this${line.slice(subject.length)}`, subject, true);
  const [, figure, asked] = OF_FIGURE.exec(line) ?? [];
  if (figure !== undefined && /\d/.test(figure) && asked !== undefined && OF_WHAT.test(asked)) add(asked, figure, true);
  const named = NAMED_WORD.exec(bare);
  if (named !== null && !named[1]?.includes(MASK) && !OF_PART.test(bare.slice(0, named.index))) {
    const end = named.index + named[0].length;
    const word = withoutTrailing(named[1] as string, '?.!');
    add(`${line.slice(0, named.index)}this${line.slice(end - (named[1] as string).length + word.length)}`, word, true);
  }
  return found;
}

/** Words that only say that the text follows, with the full stop that ends their sentence. */
const INTRODUCED =
  /^(?:(?:they|these|those) (?:are|were)|the (?:\p{L}+ ){1,3}are(?=[^\n]*[,\d])|the (?:\p{L}+ )?(?:text|word|line|sentence|list|number|phrase|title|string|name)s? (?:is|are)|it is|it's|this is|here (?:they are|it is|are they)):? (?=\S)(.*?)\.?$/isu;
const unquoted = (text: string): string => plainly(text.replace(INTRODUCED, '$1'));
const plainly = (text: string): string =>
  /^(?:"([^"]*)"|“([^”]*)”)[?.!]?$/
    .exec(text)
    ?.slice(1)
    .find((one) => one !== undefined) ?? text;
