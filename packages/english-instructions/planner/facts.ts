import { withoutTrailing } from '@mailroom/behavior/values/trailing';
import { quotationsIn } from '../language/quotations.ts';
import { LIMITS } from '../tasks/words/limits.ts';
import { plain } from './courtesy.ts';
import { type Best, isClear, NOTHING_PASTED, type Read } from './paraphrases.ts';
import { isCovered } from './readings.ts';
import { BEFORE_NAMES, masked } from './split.ts';

/** What a message says of a thing before it asks about it. */
interface Fact {
  readonly name: string;
  readonly value: string;
}

const MAX_BODY = 500;
const MAX_SENTENCES = 5;
const END = new RegExp(`(?:(?<!\\b(?:${BEFORE_NAMES}))[.!?]|;)\\s|\\n`, 'g');
/** A question behind what it is about, in one sentence. */
const ASKED =
  /, (?:so |and |then )?(?:(?:can|could|would|will) you (?:please )?(?:say|tell me|tell us) )?(?=(?:what|whats|how|which|when|who|give me|tell me|find|calculate|is|are|does)\b)/gi;
const IS = /^(.{1,60}?)(?: (?:is|are|was|were|equals?) | ?= ?|: ?)(\S.*)$/i;
/** What figures and words are called before a colon, where an instruction may stand too. */
const BEFORE_COLON =
  /^(?:my |our |the |these )?(?:[a-z]+ )?(?:numbers?|values?|lists?|scores?|prices?|words?|texts?|strings?|names?|ages?|amounts?|items?|figures?|data|sentences?|grades?|marks?|costs?|[a-z])$/i;
const OWNER = '(?:my|our|the|his|her|their|this|that|these|those|all|all the|a|an)';
const NAME = new RegExp(
  `^(?:${OWNER} )?(?!(?:it|this|that|there|here|he|she|they|we|you|i|what|who|how|which|when|where|why|if)\\b)(\\p{L}[\\p{L}'’-]*(?: [\\p{L}'’-]+){0,3})$`,
  'iu',
);
const FIGURES = String.raw`[-+$€£]?\d[\d.,:%/]*[a-z°%€$£]{0,3}`;
/** Figures behind their name: "here are my scores 12, 15, 9". */
const LISTED = new RegExp(
  `^(?:(?:here (?:are|is)|these are|this is|i (?:have|got)|we (?:have|got)|take|given|for) )?(?:${OWNER} )?(?:([a-z]+(?: [a-z]+)?):? )?(${FIGURES}(?:(?:,? and |[,;] ?| )${FIGURES})+)$`,
  'i',
);
const PRONOUN = /\b(?:it|that|this|them|these|those|they)\b/i;
/** Whether each of several is something is no question about them as one. */
const OF_EACH = /^are (?:they|these|those|all)\b/i;
/** What has a length in letters. */
const OF_TEXT = /\b(?:words?|texts?|strings?|sentences?|names?|passwords?|phrases?|titles?|lines?)$/i;
/** "12% tip on a bill of 80", of which the total is another. */
const SHARE_FIRST = /^(?:an? )?[\d.,]+ ?% /;
/** Questions for the value itself, where it is a calculation. */
const VALUE =
  /^(?:what do (?:i|we) pay|how much(?: (?:is|do i pay|in total))?(?: (?:it|that))?|(?:the )?total|in total|what(?: is|['’]s) (?:it|that))$/i;
const VERB = /\b(?:i|we|he|she|they|you|it|is|are|was|were|costs?|has|have|had)\b/i;
const SUPPOSED = /^(?:if|suppose|assuming|assume|given|say|let)(?: that)? /i;
const ITS = /\b(?:its|their) ((?:[a-z]+ ){0,2}[a-z]+)/i;
const LINK = /\b(?:from|to|at|in|on|by|with|until|for|of)\b/i;
const PLACE = /^(?:i|we) (?:live|am|are|work|stay)(?: now| currently)? in (\p{Lu}[\p{L} ,'-]{1,40})$/iu;
const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*';
/** What takes place on a day: "he lands on 19 December", "we moved it to 8 January 2027". */
const DATED = new RegExp(
  `^(?:he|she|it|we|they|i|my|our|the)\\b[^\\d]{3,80} (?:on|to|for) (?:the )?((?:\\d{1,2}(?:st|nd|rd|th)?(?: of)? ${MONTH}|${MONTH} \\d{1,2}(?:st|nd|rd|th)?)(?:,? \\d{4})?)$`,
  'i',
);
const COUNT = '(?:an?|\\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|twelve)';
/** A day that is named by its place in a month, or by how far it is away. */
const NAMED_DAY = new RegExp(
  `^(?:i|he|she|it|we|they|my|our|the|his|her|their)\\b[^\\d,]{3,80}? (?:(?:on|in|for|to) )?((?:the )?(?:first|second|third|fourth|last) (?:mon|tues|wednes|thurs|fri|satur|sun)day (?:of|in) ${MONTH}(?: \\d{4})?|${COUNT} (?:days?|weeks?|months?|years?) (?:from|after) (?:today|now|tomorrow|next [a-z]+day))$`,
  'i',
);
const THAT_DAY = /\bthat(?: day| date)?\b|\bthen\b/i;
/** Whether a value is written as it is: figures, a quotation, a date. */
const isPlain = (value: string): boolean => /\d/.test(value) || /^["“]/.test(value);

function sentencesOf(text: string): readonly string[] {
  const mask = masked(text);
  const sentences: string[] = [];
  let from = 0;
  for (const { index, 0: sign } of mask.matchAll(END)) {
    sentences.push(text.slice(from, index));
    from = index + sign.length;
  }
  sentences.push(text.slice(from));
  const all = sentences.map((one) => one.trim()).filter((one) => one !== '');
  if (all.length > 1) return all;
  const [split] = masked(text).matchAll(ASKED);
  return split === undefined ? all : [text.slice(0, split.index), text.slice(split.index + split[0].length)];
}

const isLimited = (text: string): boolean =>
  text
    .toLowerCase()
    .split(/[^\p{L}'’]+/u)
    .some((word) => LIMITS.has(word));

/** What a sentence says of one thing or of several; undefined where it says anything else. */
function factsIn(sentence: string): readonly Fact[] | undefined {
  const statement = withoutTrailing(sentence, '.!').replace(SUPPOSED, '');
  const day = NAMED_DAY.exec(statement)?.[1];
  if (day !== undefined && !isLimited(statement.slice(0, -day.length))) return [{ name: 'that day', value: day }];
  // "My rent is never 800" says no number, and "12, but only 15" not which.
  if (isLimited(statement)) return undefined;
  const [, named = 'numbers', figures] = LISTED.exec(statement) ?? [];
  if (figures !== undefined && !LINK.test(named)) return [{ name: named, value: figures }];
  const parts = statement.split(/,? and (?=\S)|, (?=\S)/);
  const each = parts.map(factOf);
  if (each.every((one) => one !== undefined)) return each;
  const whole = factOf(statement);
  return whole && [whole];
}
function factOf(text: string): Fact | undefined {
  const date = DATED.exec(text.trim())?.[1];
  if (date !== undefined) return { name: 'that day', value: date };
  const [, it] = /^(?:it|this|that) (?:is|was) (.+)$/i.exec(text.trim()) ?? [];
  if (it !== undefined && /\d/.test(it)) return { name: 'it', value: it };
  const [, place] = PLACE.exec(text.trim()) ?? [];
  if (place !== undefined) return { name: 'there', value: `in ${place}` };
  const [, about = '', value = ''] = IS.exec(text.trim()) ?? [];
  const name = NAME.exec(about)?.[1];
  if (text.trim()[about.length] === ':' && !BEFORE_COLON.test(about)) return undefined;
  return name === undefined || value.length > 200 ? undefined : { name, value };
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
const mention = (name: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}'’])(?:${OWNER} )?${escaped(name).replace(/s$/, 's?')}(?![\\p{L}\\p{N}'’])`, 'giu');

/** The question with what it names replaced by what was said of it, in each way to write that. */
function* askedOf(question: string, facts: readonly Fact[], alone: boolean): Generator<string> {
  const quoted = (value: string): string => (isPlain(value) ? value : `"${value}"`);
  // A meeting is not as long as its date is in letters.
  if (/^how long\b/i.test(question) && facts.some(({ name }) => !OF_TEXT.test(name))) return;
  const [day] = facts;
  if (day?.name === 'that day' && THAT_DAY.test(question)) {
    const [year = '', named] = / in (\d{4})$/.exec(question) ?? [];
    yield question.replace(year, '').replace(THAT_DAY, named === undefined ? day.value : `${day.value} ${named}`);
    if (named === undefined && /\bdate\b/.test(question)) yield `what is the date ${day.value}`;
  }
  const named = facts.every(({ name }) => mention(name).test(question));
  const [only] = facts;
  // A question with a text of its own is about that.
  if (/: \S|["“]/.test(question) && !facts.every(({ value }) => isPlain(value))) return;
  for (const write of [quoted, (value: string): string => value, (value: string): string => `"${value}"`]) {
    if (named) yield facts.reduce((text, { name, value }) => text.replace(mention(name), () => write(value)), question);
    if (named || only === undefined || facts.length > 1 || quotationsIn(question).length > 0) continue;
    const value = write(only.value);
    if (ITS.test(question)) yield question.replace(ITS, (_, of: string) => `${of} of ${value}`);
    if (ITS.test(question)) yield question.replace(ITS, (_, of: string) => `${of} of the ${only.name} ${value}`);
    if (OF_EACH.test(question)) return;
    if (PRONOUN.test(question)) yield question.replace(PRONOUN, () => value);
    if (alone || PRONOUN.test(question) || ITS.test(question)) continue;
    if (VALUE.test(question) && !SHARE_FIRST.test(value)) yield `what is ${value}`;
    yield `${question} of a ${only.name} ${value}`;
    yield `${question} of ${value}`;
    yield `${question} is ${value}`;
    yield `${question} in ${value}`;
    if (isPlain(only.value)) yield `${value} ${question}`;
    yield `${question} ${only.name} in: ${value}`;
    yield `${question}: ${value}`;
  }
}

/** The sides of something are no product where a length is asked for. */
const SIDES =
  /\d ?(?:x|×|by) ?\d+(?:[.,]\d+)? ?(?:"|[a-z]+) (?:in|to) (?:mm|cm|m|km|in|inch(?:es)?|f(?:ee|oo)?t|yards?|miles?|(?:centi|milli|kilo)?met(?:er|re)s?)$/i;
const alone = (text: string) => ({ text: plain(text), ...NOTHING_PASTED });
const answers = (best: Best | undefined): boolean =>
  isClear(best) && (isCovered(best) || best.task.sums === true) && best.task.effects === 'none';
/** Things and figures that are not said to be a table are none. */
const tells = (best: Best | undefined): boolean => answers(best) && best?.task.name !== 'table';

/**
 * The instruction that a message gives in several sentences, the last of which asks about what those before it say; undefined
 * where one of those is an instruction itself.
 */
export function aboutFacts(body: string, read: Read): string | undefined {
  if (body.length > MAX_BODY || /```|:\s*\n/.test(body)) return undefined;
  const told = plain(body);
  const [, asked, behind] =
    /^(?!(?:the|my|our|these|here|following)\b)([^:\n]{2,80} [^:\n]{2,80}): (.+)$/is.exec(told) ?? [];
  // What stands behind the colon of an instruction is its text, of however many sentences.
  if (asked !== undefined && isClear(read({ ...alone(asked), data: behind }))) return undefined;
  const sentences = sentencesOf(told);
  const question = sentences.at(-1);
  const statements = sentences.slice(0, -1);
  if (question === undefined || statements.length === 0 || sentences.length > MAX_SENTENCES) return undefined;
  // What stands behind a request is its text.
  if (
    /^(?:please|pls|can|could|would|will)\b/i.test(body.trim()) &&
    !/^(?:what|how|when|who|which|where)\b|\?$/i.test(question)
  )
    return undefined;
  if (!statements.some((one) => /\d|[=:]|\b(?:is|are|was|were|in|from|after)\b/i.test(one))) return undefined;
  if (statements.some((one) => isClear(read(alone(one))) && factsIn(one) === undefined)) return undefined;
  // What the whole says needs no other words.
  if (tells(read(alone(body)))) return undefined;
  const request = plain(question).replace(/^(?:and|so|then),? /i, '');
  // A birthday comes again, and a day with a year of long ago does not.
  if (/\buntil\b/i.test(request) && statements.some((one) => /\b19\d\d\b/.test(one))) return undefined;
  const isAlone = answers(read(alone(request)));
  // One sentence that says and asks is read as it is, where it can be.
  if (statements.length === 1 && !/[.!?;\n]/.test(statements[0] as string) && tells(read(alone(body))))
    return undefined;
  const facts = statements.map(factsIn);
  if (facts.every((one) => one !== undefined))
    for (const text of askedOf(request, facts.flat(), isAlone))
      if (!SIDES.test(plain(text)) && answers(read(alone(text)))) return plain(text);
  const joined = plain([...statements.map((one) => withoutTrailing(one, '.!')), request].join(', '));
  const isTold = statements.every((one) => read(alone(one)) === undefined);
  const ways = isAlone || !isTold ? [] : [joined, `the ${joined}`];
  const way = ways.find((one) => tells(read(alone(one))));
  // Things and their amounts alone are a table: "rent 900, food 300. sum?".
  const isList = way === undefined && ways.length > 0 && statements.every((one) => !VERB.test(one));
  const summed = `${request} of ${statements.join(', ')}`;
  return way ?? (isList && answers(read(alone(summed))) ? plain(summed) : undefined);
}
