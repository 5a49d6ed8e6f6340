import { withoutTrailing } from '../../../core/values/trailing.ts';
import type { Clause, Reading } from '../../../tasks/clause.ts';
import type { Task } from '../../../tasks/task.ts';
import { isBackground, plain } from './courtesy.ts';
import { atAnd, atBack, MASK, masked } from './split.ts';
import { asVerb } from './verbs.ts';

/** A piece of text with what belongs to it, before it is read. */
export type Part = Pick<Clause, 'text' | 'data' | 'language'>;
export const NOTHING_PASTED = { data: undefined, language: undefined } as const;

export interface Best {
  readonly task: Task;
  readonly reading: Reading;
}
/** The surest reading, as if there were `more` steps before it, of which the last is by the task `after`. */
export type Read = (part: Part, more?: number, after?: string) => Best | undefined;

/** From here on two instructions in one are taken apart. */
export const CLEAR = 0.7;
/** How sure an instruction must be to be taken out of one that took it for its own text. */
const SURE_BACK = 0.85;
/** Sure enough that nobody looks for another way to say it. */
const SURE = 0.9;
/** Longer instructions are read only as they stand. */
const MAX_OTHERWISE = 2_000;

/** It is understood and nothing lacks. */
export const isClear = (best: Best | undefined): best is Best =>
  best !== undefined && !('ask' in best.reading) && best.reading.sure >= CLEAR;
/** It points to what there was before it. */
export const refersBack = (text: string): boolean =>
  /\b(?:it|its|them|that|those|these|the (?:result|output|answer|list|text|total|sum)|step \d)\b/i.test(text);

const alone = (text: string): Part => ({ text, ...NOTHING_PASTED });
const usesResult = ({ reading }: Best): boolean => 'input' in reading && JSON.stringify(reading.input).includes('{{');

/** Their words are free: whatever stands in them may be part of them. */
const WORDY: ReadonlySet<string> = new Set(['send', 'remind', 'schedule']);
/** They take any words for a name. */
const NAMING: ReadonlySet<string> = new Set(['remember', 'recall', 'forget']);

const WANT = '(?:show|tell|give|print|return|report|display)(?: me| us)?(?: back)?';
const OUTCOME =
  '(?:(?:the |its |all )?(?:results?|outputs?|answers?|outcome|values?)|what (?:it|that|the (?:page|site|script|code|result|answer)|comes out|you (?:get|find))(?: (?:is|says|contains|returns|prints|gives|comes to|shows))?)';
/** Of these only what it came to can be meant, where nothing else is said. */
const FIGURE = '(?:the (?:(?:final|new|resulting|discounted) )(?:price|amount|value|number|figure)|the price)';
const SHOWN = new RegExp(`^(?:and |then |finally )*${WANT} (?:${OUTCOME}|${FIGURE})$`, 'i');
const TAIL = new RegExp(`,? (?:and |then )+${WANT} (?:${OUTCOME}|${FIGURE})$`, 'i');

/** Asks for what is given anyway: "and show me the result". */
export const isShown = ({ text, data }: Part): boolean => data === undefined && SHOWN.test(text);

/** The same said plainly, where one way to say it was not seen or was taken for a text; undefined when there is none. */
export function paraphrases(part: Part, best: Best | undefined, read: Read): readonly Part[] | undefined {
  const { text } = part;
  if (text.length > MAX_OTHERWISE) return undefined;
  const unsure = best === undefined || best.reading.sure < SURE;
  if (unsure) {
    const wanted = wantedOf(part, read);
    if (wanted !== undefined) return [wanted];
  }
  if (part.data !== undefined) return best === undefined ? listFirst(part, read) : undefined;
  const several = unsure || best?.task.name === 'convert' ? series(text, read) : undefined;
  if (several !== undefined) return several;
  const reminders = best?.task.name === 'remind' ? remindersOf(text, read) : undefined;
  if (reminders !== undefined) return reminders;
  const about = unsure ? quantityOf(text, read) : undefined;
  if (about !== undefined) return [about];
  const note = unsure ? noteOf(text, read) : undefined;
  if (note !== undefined) return [note];
  const later = best?.task.name === 'schedule' || best?.task.name === 'remind';
  const free = best !== undefined && WORDY.has(best.task.name);
  const found =
    (best?.task.sums === true || later ? undefined : sumWithin(text, read)) ??
    (free ? undefined : withoutTail(text, read)) ??
    (unsure && !free ? framed(text, read) : undefined) ??
    (best === undefined || best.task.name === 'text' ? online(text, read) : undefined);
  return found ?? (best === undefined ? undefined : embedded(text, best, read));
}

/** "Remind me tomorrow at 9 to call Ann and on Friday at 10 to call Bob": each has a time of its own, which stands first. */
function remindersOf(text: string, read: Read): readonly Part[] | undefined {
  if (!/^remind (?:me|us) /i.test(text)) return undefined;
  for (const [left, right] of atAnd(text)) {
    const [first, second] = [alone(plain(left)), alone(`${/^remind \S+ /i.exec(text)?.[0]}${right}`)];
    const [one, other] = [read(first), read(second)];
    if (one?.task.name !== 'remind' || other?.task.name !== 'remind' || !isClear(one) || !isClear(other)) continue;
    const says = 'input' in other.reading ? other.reading.input.text : undefined;
    if (typeof says === 'string' && !right.startsWith(says)) return [first, second];
  }
  return undefined;
}

const SERIES = /^((?:convert|change|turn) )(?=\S)/i;
const MAX_SERIES = 20;

/** "Convert 5 miles to km, 10 lbs to kg and 3 gallons to litres": the verb stands for all of them. */
function series(text: string, read: Read): readonly Part[] | undefined {
  const verb = SERIES.exec(text)?.[1];
  if (verb === undefined || text.length > 600) return undefined;
  const items = text
    .slice(verb.length)
    .split(/, (?:and )?| and | & /)
    .map((one) => alone(plain(`${verb}${one}`)));
  if (items.length < 2 || items.length > MAX_SERIES) return undefined;
  const all = items.every((one) => {
    const seen = read(one);
    return isClear(seen) && seen.task.name === 'convert' && seen.reading.sure >= SURE;
  });
  return all ? items : undefined;
}

const OF_THAT =
  /^(?:(?:so|and),? )?(?:(?:what(?:['’]?s| is| would)|how (?:much|far|long|heavy|tall|hot|cold|warm|big|fast) (?:is|are|would)|convert|how do (?:i|you) say)(?: be)? (?:it|that|this|they|those)(?: be)? (?:in|to|into|as) (.{1,40})|how many (.{1,40}?) (?:is|are|would|makes?) (?:it|that|this|they|those)(?: be| make)?)[?.!]*$/i;

/**
 * "A marathon is 26.2 miles. How much is that in km?": of the one quantity that is stated. `convert` alone may tell what of it
 * that is; the longest it knows.
 */
export function quantityOf(text: string, read: Read, asked?: string): Part | undefined {
  const comma = /[,;] (?=(?:so |and )?(?:what|how|convert)\b)/i.exec(text);
  const [statement, question] =
    asked !== undefined
      ? [text, asked]
      : comma === null
        ? []
        : [text.slice(0, comma.index), text.slice(comma.index + 2)];
  if (statement === undefined || question === undefined || statement.length > 200 || question.length > 100) return undefined;
  // What is asked first has an answer of its own.
  if (/^(?:so |and )?(?:what|which|when|how|who|where|is|are|do|does|calculate|convert|tell me)\b/i.test(statement))
    return undefined;
  const [, named, many] = OF_THAT.exec(question) ?? [];
  const to = named ?? many;
  // Of two quantities either could be meant; "5 ft 11" is one.
  const from = /(?<![\w.,-])\d/.exec(statement)?.index;
  if (to === undefined || from === undefined) return undefined;
  const words = statement.slice(from).split(' ').slice(0, 6);
  for (let length = words.length; length > 0; length--) {
    if (/\d/.test(words.slice(length).join(' ')) || /\d.*\d/.test(statement.slice(from).split(' ').slice(6).join(' ')))
      return undefined;
    const part = alone(`convert ${withoutTrailing(words.slice(0, length).join(' '), '.,;!?')} to ${to}`);
    const seen = read(part);
    if (isClear(seen) && seen.task.name === 'convert' && seen.reading.sure >= SURE) return part;
  }
  return undefined;
}

const HERE_IS =
  /^(?:take|given|use|with|for|here is|here['’]s|here are|i have)(?: (?:this|the|my|these|a))?(?: following)?(?: (?:list|numbers?|names?|values?|items?))$/i;

/** "Take this list: 5, 3, 11 and sort it": what follows the list is no part of it, where it says so and changes nothing. */
function listFirst({ text, data }: Part, read: Read): readonly Part[] | undefined {
  if (data === undefined || data.length > 500 || data.includes('\n') || !HERE_IS.test(text)) return undefined;
  const items = LISTED.exec(data)?.[0];
  if (items === undefined) return undefined;
  const part = {
    text: plain(data.slice(items.length).replace(/^,? (?:and |then )*/i, '')),
    data: items,
    language: undefined,
  };
  const seen = read(part);
  return isClear(seen) && seen.task.effects === 'none' ? [part] : undefined;
}

const CORRECTED =
  /(?:[,;.!?]| [-–—]) ?(?:(?:oh|no|oops|uh|er|ah)[,.]? )*(?:wait\b|sorry[,:] ?(?=\S)|sorry (?:i meant?|make (?:it|that)|no)\b|i mean(?:t)? |scratch that|correction\b|or rather |(?:actually|no),? (?:make (?:it|that) )?(?=(?:at )?\d|not ))/i;

/** They took something back in the middle: which of the words still count is theirs to say. */
export const isCorrected = ({ text, data }: Part): boolean =>
  data === undefined && text.length < MAX_OTHERWISE && CORRECTED.test(masked(text));

const HAVE =
  /^(?:i|we)(?:['’]ve| have)?(?: got| have)? (?:this|these|the following|an?|some|my)(?: \w{1,20}){0,3}?,?(?: (?:here|below))?,? (?:and|which|that|but)(?: (?:i|we))? (?:want|need|would like|like)(?: you)? to (?:know |see |find out |have )?(?=\S)/i;

/** "Give me a list of all the keys". */
const LIST_OF =
  /^((?:give|show|get|make|print|return|create)(?: me)?) (?:a|the) (?:(?:full|complete) )?list of (?=\S)/i;
/** "My friend sent me this function, what does it return". */
const STATEMENT_FIRST = /^([^,:"]{3,120}), (?=\S)/;

const WISH = /^(?:i|we)(?:['’]d| would)? (?:like|love|want|need) (?=(?:the|an?|some|\d) ?\S)/i;
/** "Use the result to calculate 2 * that". */
const USE =
  /^(?:use|take|with|using) (?:the (?:result|answer|output|number|value)|it|that|this)(?: (?:of|from) (?:it|that|this))?,? (?:to|and|then) (?=\S)/i;

/** What is wanted, without what is told before it and without what is said around the verb. */
function wantedOf(part: Part, read: Read): Part | undefined {
  const { text } = part;
  const statement = STATEMENT_FIRST.exec(text);
  const ways = [
    HAVE.test(text) ? text.replace(HAVE, '') : undefined,
    asVerb(text),
    LIST_OF.test(text) ? text.replace(LIST_OF, '$1 ') : undefined,
    statement !== null && isBackground(statement[1] as string) ? text.slice(statement[0].length) : undefined,
    WISH.test(text) ? text.replace(WISH, '') : undefined,
    USE.test(text) ? text.replace(USE, '') : undefined,
  ];
  const wanted = ways.map((one) => ({ ...part, text: one === undefined ? '' : plain(one) }));
  return wanted.find((one) => one.text !== '' && isClear(read(one)));
}

const REMEMBER_THAT =
  /^(.{3,500}?)(?:[,;.!]| [-–])+ (?:(?:please|pls|so|and|kindly|can you|could you) )*(?:remember|memori[sz]e|note|keep in mind|don['’]t forget|write down|jot down|save)(?: (?:that|this|it))(?: down)?(?: for me| please)*[.!]?$/i;

/** "My car's plate is AB-123, please remember that": a note, where what is told is no instruction itself. */
export function noteOf(text: string, read: Read): Part | undefined {
  const statement = REMEMBER_THAT.exec(text)?.[1];
  if (statement === undefined || !/\b(?:is|are|was|has|have|lives?|likes?|=)\b/i.test(statement)) return undefined;
  const note = alone(`remember that ${statement}`);
  return isClear(read(alone(plain(statement)))) || !isClear(read(note)) ? undefined : note;
}

/** It is a text in quotation marks and nothing else. */
export const isQuotation = (text: string): boolean => /^(?:"[^"]+"|“[^”]+”)$/.test(text);

const A_NUMBER = '[-(]*\\d+(?:[.,]\\d+)*%?\\)*';
const SUM_OF = new RegExp(
  `\\bthe (?:result|answer|outcome|value) of (${A_NUMBER}(?:(?: ?[-+*/^×÷x] ?| (?:plus|minus|times|divided by|of) )${A_NUMBER})+)(?= [a-z]|$|[,.;])`,
  'i',
);

/** "Convert the result of 7*8 to binary". What is to be said is said as it is. */
function sumWithin(text: string, read: Read): readonly Part[] | undefined {
  const sum = SUM_OF.exec(masked(text));
  if (sum === null || sum.index === 0 || /^(?:say|tell|ask)\b/i.test(text)) return undefined;
  const rest = alone(`${text.slice(0, sum.index)}it${text.slice(sum.index + sum[0].length)}`);
  return isClear(read(rest, 1, 'calculate')) ? [alone(`calculate ${sum[1]}`), rest] : undefined;
}

function withoutTail(text: string, read: Read): readonly Part[] | undefined {
  const tail = TAIL.exec(masked(text));
  if (tail === null || tail.index === 0) return undefined;
  const rest = alone(text.slice(0, tail.index));
  return isClear(read(rest)) ? [rest] : goingOn(rest, read(rest), read);
}

const FRAME =
  /^(?:take|given|using|use|with|for|from|in|here is|here['’]s|start with)(?: (?:this|the|my|these|a))?(?: following)?(?: (?:text|words?|sentence|string|phrase|line|list|numbers?|names?|values?|json|array|object))?:? (?=\S)/i;
/** Numbers or single words with commas. */
const LISTED = /^[^\s,]{1,40}(?:, ?[^\s,]{1,40}){1,200}?(?=,? (?:and |then )?[a-z]+ (?:it|them|all|these)\b)/i;

/** "Take "hello", make it uppercase": a text and what is to be done with it. */
function framed(text: string, read: Read): readonly Part[] | undefined {
  const lead = FRAME.exec(text);
  if (lead === null) return undefined;
  const rest = text.slice(lead[0].length);
  const mask = masked(rest);
  let length = 0;
  while (mask[length] === MASK) length++;
  if (length === 0) length = LISTED.exec(rest)?.[0].length ?? 0;
  const go = length === 0 ? null : /^(?:,? (?:and )?(?:then )?|[,;] ?)(?=\p{L})/u.exec(rest.slice(length));
  if (go === null) return undefined;
  const said = rest.slice(0, length);
  const data = /^["“‘'`]/.test(said) ? said.slice(1, -1) : said;
  const whole = plain(rest.slice(length + go[0].length));
  const on = (one: string): Part => ({ text: plain(one), data, language: undefined });
  if (isClear(read(on(whole)))) return [on(whole)];
  for (const [left, right] of [...atAnd(whole), ...atBack(whole)]) {
    const first = read(on(left));
    if (isClear(first) && isClear(read(alone(plain(right)), 1, first.task.name)))
      return [on(left), alone(plain(right))];
  }
  return undefined;
}

const ONLINE =
  /^((?:count|how many|extract|find|list|get|give me|what|which|number of)\b[^:]{0,80}?\b(?:words?|lines?|sentences?|paragraphs?|e-?mails?(?: addresses)?|numbers|dates|hash ?tags|mentions|(links?|urls?))\b)((?: (?:are|is|there|does|do|mentioned))*) (?:(?:on|at|in|of|from) )?(?:the (?:web ?)?(?:page|site)(?: at)? )?(https?:\/\/\S+?)(?: (?:has|have|contains?))?$/i;

/** "How many words are on https://…": of the page, and not of its address. */
function online(text: string, read: Read): readonly Part[] | undefined {
  const [, asked = '', links, , url] = ONLINE.exec(text) ?? [];
  if (url === undefined) return undefined;
  const many = /^(?:count|how many|number of)\b/i.test(asked);
  if (links !== undefined) return many ? [alone(`get the links of ${url}`), alone('count the items of it')] : undefined;
  const rest = alone(`${asked} in it`);
  return isClear(read(rest, 1, 'fetch')) ? [alone(`fetch ${url}`), rest] : undefined;
}

/** What names something that can be found out. */
const FOUND_OUT = /^(?:the|an?|my|our|today['’]s) \S/i;
const SENT_THING = /^\S+ (?:\S+@[^\s@]+ )?((?:the|an?|my|our|today['’]s) .+?)(?: to \S+@[^\s@]+)?$/i;
/** Behind these stand the words themselves. */
const VERBATIM = /\b(?:ask|tell|saying|says?|that|text|with|know)\b/i;

function saidBy(text: string, { task, reading }: Best): unknown {
  if (task.name !== 'send' && task.name !== 'remember') return undefined;
  if ('ask' in reading) return task.name === 'send' ? SENT_THING.exec(text)?.[1] : undefined;
  return task.name === 'send' ? reading.input.body : reading.input.text;
}

/** "Send a@b.c the time in Tokyo": what is sent or remembered is to be found out first, and is not these words. */
function embedded(text: string, best: Best, read: Read): readonly Part[] | undefined {
  const said = saidBy(text, best);
  if (typeof said !== 'string' || !FOUND_OUT.test(said) || VERBATIM.test(text.replace(said, ''))) return undefined;
  const at = text.indexOf(said);
  if (at < 0 || text.indexOf(said, at + 1) >= 0 || masked(text)[at - 1] === MASK) return undefined;
  const inner = alone(/^(?:my|our) /i.test(said) ? `what is ${said}` : said);
  const found = read(inner);
  if (!isClear(found) || found.reading.sure < SURE_BACK || found.task.effects === 'writes') return undefined;
  const rest = alone(`${text.slice(0, at)}it${text.slice(at + said.length)}`);
  const goes = read(rest, 1, found.task.name);
  return isClear(goes) && goes.task === best.task ? [inner, rest] : undefined;
}

/**
 * An instruction that goes on with the result of one which took it for its own text, as in "shuffle a, b and join them with
 * dashes". What is to be said to somebody, or later, keeps all of its words.
 */
export function goingOn(part: Part, best: Best | undefined, read: Read): readonly [Part, Part] | undefined {
  const { text, data } = part;
  if (data !== undefined || (best !== undefined && WORDY.has(best.task.name))) return undefined;
  const naming = best !== undefined && NAMING.has(best.task.name);
  if (naming && /^\S+ (?:that|to|about)\b/i.test(text)) return undefined;
  let deep = false;
  const enough = best === undefined ? CLEAR : SURE_BACK;
  const ways = naming ? atAnd(text) : atBack(text, best === undefined);
  for (const [left, right] of ways) {
    const second = alone(plain(right));
    const first = alone(plain(left));
    const before = read(first);
    const seen = read(second, 1, before?.task.name);
    if (!isClear(seen) || seen.reading.sure < enough || !(naming || usesResult(seen))) continue;
    if (isClear(before)) return [first, second];
    // There may be three; looked for once, so that many commas take no longer.
    if (!deep && goingOn(first, before, read) !== undefined) return [first, second];
    deep = true;
  }
  return undefined;
}
