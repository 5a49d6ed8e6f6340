import type { Clause, Reading } from '../tasks/clause.ts';
import type { Task } from '../tasks/task.ts';
import { isContext } from './context.ts';
import { plain } from './courtesy.ts';
import { rewordings } from './rewordings.ts';
import { atAnd, atBack, MASK, masked } from './split.ts';
import { asVerb } from './verbs.ts';

/** A piece of text with its data, before it is read. */
export type Part = Pick<Clause, 'text' | 'data' | 'language'>;
export const NOTHING_PASTED = { data: undefined, language: undefined } as const;

export interface Best {
  readonly task: Task;
  readonly reading: Reading;
}
/** The best reading after `more` earlier steps, the last of them of the task `after`. */
export type Read = (part: Part, more?: number, after?: string) => Best | undefined;

/** From this certainty on two instructions in one text are separated. */
export const CLEAR = 0.7;
/** Certainty needed to take an instruction out of one that had taken it as its own text. */
const SURE_BACK = 0.85;
const SURE = 0.9;
const MAX_OTHERWISE = 2_000;

/** Whether the reading is certain and nothing is missing. */
export const isClear = (best: Best | undefined): best is Best =>
  best !== undefined && !('ask' in best.reading) && best.reading.sure >= CLEAR;
const alone = (text: string): Part => ({ text, ...NOTHING_PASTED });
export const usesResult = ({ reading }: Best): boolean =>
  'input' in reading && JSON.stringify(reading.input).includes('{{');

const WORDY: ReadonlySet<string> = new Set(['send', 'remind', 'schedule']);
const NAMING: ReadonlySet<string> = new Set(['remember', 'recall', 'forget']);

const WANT = '(?:show|tell|give|print|return|report|display)(?: me| us)?(?: back)?';
const OUTCOME =
  '(?:(?:the |its |all )?(?:results?|outputs?|answers?|outcome|values?)|what (?:it|that|the (?:page|site|script|code|result|answer)|comes out|you (?:get|find))(?: (?:is|says|contains|returns|prints|gives|comes to|shows))?)';
/** Names for a figure that can only mean the earlier result where nothing else is named. */
const FIGURE = '(?:the (?:(?:final|new|resulting|discounted) )(?:price|amount|value|number|figure)|the price)';
const SHOWN = new RegExp(`^(?:and |then |finally )*${WANT} (?:${OUTCOME}|${FIGURE})$`, 'i');
const TAIL = new RegExp(`,? (?:and |then )+${WANT} (?:${OUTCOME}|${FIGURE})$`, 'i');

/** Whether a text asks for output that is given anyway, as in "and show me the result". */
export const isShown = ({ text, data }: Part): boolean => data === undefined && SHOWN.test(text);

const TOTAL =
  /^(?:so )?(?:(?:what(?: is|['’]s)? )?(?:the |my )?(?:grand )?(?:total|sum|result|answer)(?: price| cost| amount)?|how much(?: (?:is|does) (?:that|it)(?: make| come to)?)?(?: in total| altogether)?|in total|altogether|what(?: is|['’]s) left)$/i;
/** Whether a text asks for the result of the calculation before it. */
export const isTotal = ({ text, data }: Part): boolean => data === undefined && TOTAL.test(text);

/** Plain wordings of an instruction that was not recognized or was taken for text; undefined when there are none. */
export function paraphrases(part: Part, best: Best | undefined, read: Read): readonly Part[] | undefined {
  const { text } = part;
  if (text.length > MAX_OTHERWISE) return undefined;
  const unsure = best === undefined || best.reading.sure < SURE;
  if (unsure) {
    const wanted = wantedOf(part, read);
    if (wanted !== undefined) return [wanted];
  }
  // "Take this list: 5, 3, 11 and sort it" was cut at its colon.
  if (part.data !== undefined)
    return (
      withoutTail(part, read) ??
      (best === undefined && text.length + part.data.length < MAX_OTHERWISE && !part.data.includes('\n')
        ? framed(`${text}: ${part.data}`, read)
        : undefined)
    );
  const reminders = best?.task.name === 'remind' ? remindersOf(text, read) : undefined;
  if (reminders !== undefined) return reminders;
  const later = best?.task.name === 'schedule' || best?.task.name === 'remind';
  const free = best !== undefined && WORDY.has(best.task.name);
  const found =
    (best?.task.sums === true || later ? undefined : sumWithin(text, read)) ??
    (free ? undefined : withoutTail(part, read)) ??
    (unsure && !free ? framed(text, read) : undefined) ??
    (best === undefined || best.task.name === 'text' ? online(text, read) : undefined);
  return found ?? (best === undefined ? undefined : embedded(text, best, read));
}

const TIME_FIRST =
  /^(?:(?:on|at|in|by|before|after|next|every|each|this|also|again|then|once) |(?:tomorrow|tonight|today|noon|midnight|(?:mon|tues?|wednes|thurs?|fri|satur|sun)days?)\b|\d)/i;

/**
 * Splits "remind me tomorrow at 9 to call Ann and on Friday at 10 to call Bob", where each reminder begins with its own
 * time.
 */
function remindersOf(text: string, read: Read): readonly Part[] | undefined {
  if (!/^remind (?:me|us) /i.test(text)) return undefined;
  for (const [left, right] of atAnd(text)) {
    if (!TIME_FIRST.test(right)) continue;
    const [first, second] = [alone(plain(left)), alone(`${/^remind \S+ /i.exec(text)?.[0]}${right}`)];
    const [one, other] = [read(first), read(second)];
    if (one?.task.name !== 'remind' || other?.task.name !== 'remind' || !isClear(one) || !isClear(other)) continue;
    const says = 'input' in other.reading ? other.reading.input.text : undefined;
    if (typeof says === 'string' && !right.startsWith(says)) return [first, second];
  }
  return undefined;
}

const CORRECTED =
  /(?:[,;.!?]| [-–—]) ?(?:(?:oh|no|oops|uh|er|ah)[,.]? )*(?:wait\b|sorry[,:] ?(?=\S)|sorry (?:i meant?|make (?:it|that)|no)\b|i mean(?:t)? (?!(?:does|do|is|are|can|will)\b)|scratch that|correction\b|or rather |(?:actually|no),? make (?:it|that) (?:the|an?|my|our|his|her)\b|(?:actually|no),? (?:make (?:it|that) )?(?=(?:at )?\d|not |(?:on |next )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|today)(?:[,.!]| at\b|$)))/i;

/** Whether the sender corrects themselves in the middle, so that they have to say which words count. */
export const isCorrected = ({ text, data }: Part): boolean =>
  data === undefined && text.length < MAX_OTHERWISE && CORRECTED.test(masked(text));

const HAVE =
  /^(?:i|we)(?:['’]ve| have)?(?: got| have)? (?:this|these|the following|an?|some|my)(?: \w{1,20}){0,3}?,?(?: (?:here|below))?,? (?:and|which|that|but)(?: (?:i|we))? (?:want|need|would like|like)(?: you)? to (?:know |see |find out |have )?(?=\S)/i;

const LIST_OF =
  /^((?:give|show|get|make|print|return|create)(?: me)?) (?:a|the) (?:(?:full|complete) )?list of (?=\S)/i;
/** The statement in "My friend sent me this function, what does it return". */
const STATEMENT_FIRST = /^([^,:"]{3,120}), (?=\S)/;

const WISH =
  /^(?:(?:i|we)(?:['’]d| would)? (?:like|love|want|need)|(?:my|our|the) \p{L}+ (?:wants?|needs?|asked (?:me )?for|would like)) (?=(?:the|an?|some|these|those|this|\d) ?\S)/iu;
const USE =
  /^(?:use|take|with|using) (?:the (?:result|answer|output|number|value)|it|that|this)(?: (?:of|from) (?:it|that|this))?,? (?:to|and|then) (?=\S)/i;

/** Why something is asked, behind it. */
const REASON =
  /(?:, ?| - | because | cos | coz | cuz )(?:(?:because|cos|coz|cuz|since) )?(?:it['’]?s|its|this is|that['’]s|thats|i need|i want|for my|i['’]m|im|my)\b[^"“:\d@,]{3,80}$/i;
/** How a result is to be written, which is no reason. */
const SAYS_HOW =
  /\b(?:in|as|into|on|with|by|without|only|from)\b.*\b(?:lines?|order|reversed?|capitals?|case|sorted|bullets?|table|json|csv|columns?|decimals?|commas?|ascending|descending|letters|backwards|z)\b/i;
/** Without the reason behind it. */
function withoutReason(text: string): string | undefined {
  const [reason] = REASON.exec(text) ?? [];
  return reason === undefined || SAYS_HOW.test(reason) ? undefined : text.slice(0, -reason.length);
}
const ONLY_LAST = /^((?:the )?(?:first|last) \p{L}+(?: of [^:]{1,40})?) only$/iu;

/** The request without the statement before it and the extra words around its verb. */
function wantedOf(part: Part, read: Read): Part | undefined {
  const { text } = part;
  const statement = STATEMENT_FIRST.exec(text);
  const ways = [
    HAVE.test(text) ? text.replace(HAVE, '') : undefined,
    asVerb(text),
    LIST_OF.test(text) ? text.replace(LIST_OF, '$1 ') : undefined,
    statement !== null && isContext(statement[1] as string, `${text.slice(statement[0].length)}\n${part.data ?? ''}`)
      ? text.slice(statement[0].length)
      : undefined,
    WISH.test(text) ? text.replace(WISH, '') : undefined,
    USE.test(text) ? text.replace(USE, '') : undefined,
    withoutReason(text),
    text.replace(ONLY_LAST, '$1') === text ? undefined : text.replace(ONLY_LAST, '$1'),
    part.data !== undefined && BELOW.test(text) ? text.replace(BELOW, '') : undefined,
  ];
  const wanted = ways
    .map((one) => (one === undefined ? '' : plain(one)))
    .flatMap((one) => (one === '' ? [] : [one, ...rewordings(one, part.data)]))
    .map((one) => ({ ...part, text: one }));
  return wanted.find((one) => {
    const best = read(one);
    return isClear(best) && (best.task.effects !== 'writes' || !REASON.test(text));
  });
}

/** Whether a text is only a quotation. */
export const isQuotation = (text: string): boolean => /^(?:"[^"]+"|“[^”]+”)$/.test(text);

const A_NUMBER = '[-(]*\\d+(?:[.,]\\d+)*%?\\)*';
const SUM_OF = new RegExp(
  `\\bthe (?:result|answer|outcome|value) of (${A_NUMBER}(?:(?: ?[-+*/^×÷x] ?| (?:plus|minus|times|divided by|of) )${A_NUMBER})+)(?= [a-z]|$|[,.;])`,
  'i',
);

/** Splits "convert the result of 7*8 to binary" in two, except where the words are to be sent or stored. */
function sumWithin(text: string, read: Read): readonly Part[] | undefined {
  const sum = SUM_OF.exec(masked(text));
  if (sum === null || sum.index === 0 || /^(?:say|tell|ask)\b/i.test(text)) return undefined;
  const rest = alone(`${text.slice(0, sum.index)}it${text.slice(sum.index + sum[0].length)}`);
  return isClear(read(rest, 1, 'calculate')) ? [alone(`calculate ${sum[1]}`), rest] : undefined;
}

function withoutTail({ text, ...given }: Part, read: Read): readonly Part[] | undefined {
  const tail = TAIL.exec(masked(text));
  if (tail === null || tail.index === 0) return undefined;
  const rest = { ...given, text: text.slice(0, tail.index) };
  return isClear(read(rest)) ? [rest] : goingOn(rest, read(rest), read);
}

const FRAME =
  /^(?:take|given|using|use|with|for|from|in|here is|here['’]s|start with)(?: (?:this|the|my|these|a))?(?: following)?(?: (?:text|words?|sentence|string|phrase|line|list|numbers?|names?|values?|json|array|object))?:? (?=\S)/i;
/** What only says that a text is pasted. */
const BELOW =
  /^(?:take|use|given|with|from) (?:this|the|these|my)(?: following)?(?: (?:text|words?|sentence|lines?|list|numbers?|names?|values?))?(?: (?:below|above))?,? (?:and |then )+(?=\S)/i;
const LISTED = /^[^\s,]{1,40}(?:, ?[^\s,]{1,40}){1,200}?(?=,? (?:and |then )?[a-z]+ (?:it|them|all|these)\b)/i;
/** Some words are a text only where a comma or "and" ends them and what is done changes nothing. */
const ONE =
  /^(?!(?:below|above|here|there|attached|pasted)\b)[^\s,:]{1,40}(?: [^\s,:]{1,40}){0,9}?(?=(?:,|,? (?:and|then|and then)) [a-z]+ (?:it|them)\b)/i;

/** Reads "take "hello", make it uppercase" as a text with an instruction. */
function framed(text: string, read: Read): readonly Part[] | undefined {
  const lead = FRAME.exec(text);
  if (lead === null) return undefined;
  const rest = text.slice(lead[0].length);
  const mask = masked(rest);
  let length = 0;
  while (mask[length] === MASK) length++;
  if (length === 0) length = LISTED.exec(rest)?.[0].length ?? 0;
  const isSingle = length === 0;
  if (isSingle && /^take /i.test(text)) length = ONE.exec(rest)?.[0].length ?? 0;
  const go = length === 0 ? null : /^(?:,? (?:and )?(?:then )?|[,;] ?)(?=\p{L})/u.exec(rest.slice(length));
  if (go === null) return undefined;
  const said = rest.slice(0, length);
  const data = /^["“‘'`]/.test(said) ? said.slice(1, -1) : said;
  const whole = plain(rest.slice(length + go[0].length));
  const on = (one: string): Part => ({ text: plain(one), data, language: undefined });
  const takes = (best: Best | undefined): best is Best => isClear(best) && (!isSingle || best.task.effects === 'none');
  if (takes(read(on(whole)))) return [on(whole)];
  for (const [left, right] of [...atAnd(whole), ...atBack(whole)]) {
    const first = read(on(left));
    if (takes(first) && isClear(read(alone(plain(right)), 1, first.task.name))) return [on(left), alone(plain(right))];
  }
  return undefined;
}

const ONLINE =
  /^((?:count|how many|extract|find|list|get|give me|what|which|number of)\b[^:]{0,80}?\b(?:words?|lines?|sentences?|paragraphs?|e-?mails?(?: addresses)?|numbers|dates|hash ?tags|mentions|(links?|urls?))\b)((?: (?:are|is|there|does|do|mentioned))*) (?:(?:on|at|in|of|from) )?(?:the (?:web ?)?(?:page|site)(?: at)? )?(https?:\/\/\S+?)(?: (?:has|have|contains?))?$/i;

/** Reads "how many words are on https://…" as a question about the page rather than its address. */
function online(text: string, read: Read): readonly Part[] | undefined {
  const [, request = '', links, , url] = ONLINE.exec(text) ?? [];
  if (url === undefined) return undefined;
  const many = /^(?:count|how many|number of)\b/i.test(request);
  if (links !== undefined) return many ? [alone(`get the links of ${url}`), alone('count the items of it')] : undefined;
  const rest = alone(`${request} in it`);
  return isClear(read(rest, 1, 'fetch')) ? [alone(`fetch ${url}`), rest] : undefined;
}

const FOUND_OUT = /^(?:the|an?|my|our|today['’]s) \S/i;
const SENT_THING = /^\S+ (?:\S+@[^\s@]+ )?((?:the|an?|my|our|today['’]s) .+?)(?: to \S+@[^\s@]+)?$/i;
/** "My dog is sick" and "the sum of 2 and 3 is 6" are sentences to send, and name nothing to find out. */
const SENTENCE = /\b(?:is|are|was|were|has|have|had|will|would|can|could|must|should|may|might|do|does|did)\b/i;
const COMPUTED = /^the (?:sum|product|average|mean|square root|result|difference|square|cube) of \d/i;
/** Words that introduce literal text. */
const VERBATIM = /\b(?:ask|tell|saying|says?|that|text|with|know)\b/i;

function saidBy(text: string, { task, reading }: Best): unknown {
  if (task.name === 'encode' && 'input' in reading && typeof reading.input.text === 'string')
    return COMPUTED.test(reading.input.text) ? reading.input.text : undefined;
  if (task.name !== 'send' && task.name !== 'remember') return undefined;
  if ('ask' in reading) return task.name === 'send' ? SENT_THING.exec(text)?.[1] : undefined;
  return task.name === 'send' ? reading.input.body : reading.input.text;
}

/** Splits "send a@b.c the time in Tokyo", where the content has to be computed first. */
function embedded(text: string, best: Best, read: Read): readonly Part[] | undefined {
  const words = saidBy(text, best);
  if (best.task.name === 'send' && typeof words === 'string' && SENTENCE.test(words)) return undefined;
  if (typeof words !== 'string' || !FOUND_OUT.test(words) || VERBATIM.test(text.replace(words, ''))) return undefined;
  const index = text.indexOf(words);
  if (index < 0 || text.indexOf(words, index + 1) >= 0 || masked(text)[index - 1] === MASK) return undefined;
  const inner = alone(/^(?:my|our) /i.test(words) ? `what is ${words}` : words);
  const found = read(inner);
  if (!isClear(found) || found.reading.sure < SURE_BACK || found.task.effects === 'writes') return undefined;
  // “Write a note to my list” does not look up a note.
  if (best.task.name === 'remember' && NAMING.has(found.task.name)) return undefined;
  const rest = alone(`${text.slice(0, index)}it${text.slice(index + words.length)}`);
  const goes = read(rest, 1, found.task.name);
  return isClear(goes) && goes.task === best.task ? [inner, rest] : undefined;
}

/**
 * Splits an instruction that uses the result of one that had taken it as text, as in "shuffle a, b and join them with
 * dashes". Messages and reminders keep all of their words.
 */
export function goingOn(part: Part, best: Best | undefined, read: Read): readonly [Part, Part] | undefined {
  const { text, data } = part;
  if (data !== undefined || (best !== undefined && WORDY.has(best.task.name))) return undefined;
  const naming = best !== undefined && NAMING.has(best.task.name);
  if (naming && /^\S+ (?:that|to|about)\b/i.test(text)) return undefined;
  let missed = 0;
  const enough = best === undefined ? CLEAR : SURE_BACK;
  const ways = naming ? atAnd(text) : atBack(text, best === undefined);
  for (const [left, right] of ways) {
    const second = alone(plain(right));
    const first = alone(plain(left));
    const firstReading = read(first);
    const seen = read(second, 1, firstReading?.task.name);
    if (!isClear(seen) || seen.reading.sure < enough || !(naming || usesResult(seen))) continue;
    if (isClear(firstReading)) return [first, second];
    // The third instruction is looked for once, and few ways are tried, so that many commas cost no extra time.
    if (missed === 0 && goingOn(first, firstReading, read) !== undefined) return [first, second];
    if (++missed > 1) return undefined;
  }
  return undefined;
}
