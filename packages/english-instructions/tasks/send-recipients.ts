import type { Clause, Reading } from './clause.ts';
import { ADDRESS, QUOTED } from './send-doubts.ts';

/** Between two addresses of one list. */
const JOINED = /^>? ?(?:, ?(?:and\b|&)?|and\b|&) ?(?:(?:also )?to )?<?$/i;
const ALTERNATIVE = /^>? ?(?:, ?)?or (?:to )?<?$/i;
const CC = "(?:and |with )?(?:an? )?(?:cc(?:['’]?ing)?|(?:carbon )?copy (?:to|for)|copying)(?: (?:to|for))?";
/** Between the recipients and those that get a copy. */
const CC_LEAD = new RegExp(String.raw`^>?[\s,;]*\(?${CC}\s+<?$`, 'i');
/** The same behind a message in quotation marks. */
const CC_LAST = new RegExp(String.raw`["”»][\s,;]*\(?${CC}\s+<?$`, 'i');
/** A colon behind "cc" ends the clause, and the copies stand in its data. */
const CC_COLON = new RegExp(String.raw`[\s,;(]${CC}$`, 'i');
/** What closes a list: the bracket of an address, and that of "(cc …)". */
const CLOSED = /^>?\)?/;
/** Words by which the addresses before them may be a sentence of the message: "tell a@b.c, d@e.f is late". */
const FINITE =
  /^(?:is|are|was|were|has|have|had|will|would|can|could|may|might|must|should|do|does|did|left|came|went|sent|won|met|got|said|took|wrote|told|made|paid|lost|found|(?!(?:this|his|its|yes|as|us|need)\b)\p{Ll}{2,20}(?:ed|s))\b/u;
/** Words that make it unclear who of a list gets a copy. */
const COPIED = /^(?:in|on|as|for) (?:b?cc|copy)\b/i;
const MAX_GAP = 60;

/** Whom an instruction names, and the instruction with the first of them alone. */
export interface Recipients {
  readonly clause: Clause;
  readonly to: readonly string[];
  readonly cc: readonly string[];
}

interface List {
  readonly addresses: readonly string[];
  /** Where it ends in its text, and the index of the next address. */
  readonly end: number;
  readonly next: number;
}

const lastWords = (to: readonly string[]): string =>
  to.length < 2 ? (to[0] ?? '') : `${to.slice(0, -1).join(', ')} and ${to.at(-1)}`;

/** The recipients as an instruction names them: "a@b.c and d@e.f, cc g@h.i". */
export const recipientsText = (to: readonly string[], cc: readonly string[] = []): string =>
  cc.length === 0 ? lastWords(to) : `${lastWords(to)}, cc ${lastWords(cc)}`;

/** The list that begins with the address at `from`. */
function listAt(text: string, found: readonly RegExpExecArray[], from: number): List {
  const addresses: string[] = [];
  let next = from;
  let end = 0;
  for (; next < found.length; next++) {
    const { 0: address, index } = found[next] as RegExpExecArray;
    if (addresses.length > 0 && (index - end > MAX_GAP || !JOINED.test(spaced(text.slice(end, index))))) break;
    if (!addresses.includes(address)) addresses.push(address);
    end = index + address.length;
  }
  return { addresses, end, next };
}

const spaced = (text: string): string => text.replace(/\s+/g, ' ');

const gapBefore = (text: string, found: readonly RegExpExecArray[], { end, next }: List): string | undefined => {
  const index = found[next]?.index;
  return index === undefined || index - end > MAX_GAP ? undefined : spaced(text.slice(end, index));
};

const masked = (text: string): string =>
  text.replace(new RegExp(QUOTED.source, 'gu'), (quoted) => ' '.repeat(quoted.length));

/**
 * Reads several recipients and copies; undefined where there is one address and no copy. A question where the list may be
 * a part of the message.
 */
export function recipientsIn(clause: Clause): Recipients | Reading | undefined {
  const text = clause.text.replace(/\bboth (?=[^\s@]{1,130}@)/i, '');
  const found = [...masked(text).matchAll(ADDRESS)];
  const [first] = found;
  if (first === undefined) return undefined;
  const to = listAt(text, found, 0);
  const gap = gapBefore(text, found, to);
  if (to.addresses.length === 1 && gap !== undefined && ALTERNATIVE.test(gap)) return whichOf(clause, text, found);
  const cc = gap !== undefined && CC_LEAD.test(gap) ? listAt(text, found, to.next) : undefined;
  const behind = (cc ?? to).end;
  const start = first.index + first[0].length;
  const closing = CLOSED.exec(text.slice(behind))?.[0].length ?? 0;
  // The bracket of the first address stays with it.
  const bracket = text[first.index - 1] === '<' ? '>' : '';
  const rest = text.slice(behind + closing);
  const reduced = { ...clause, text: (text.slice(0, start) + bracket + rest).trim() };
  const more = cc === undefined ? copiesLast(reduced, found[0]?.[0]) : undefined;
  const whole: Recipients = { clause: more?.clause ?? reduced, to: to.addresses, cc: cc?.addresses ?? more?.cc ?? [] };
  if (whole.to.length === 1 && whole.cc.length === 0) return isUnread(clause) ? unclear(whole, 'cc') : undefined;
  const tail = rest.trim();
  if (COPIED.test(tail)) return unclear(whole, tail.slice(0, tail.indexOf('c') + 2));
  const list = cc ?? to;
  if (list.addresses.length > 1 && more === undefined && FINITE.test(tail)) return unclear(whole, tail);
  return whole;
}

/** Copies behind a quotation, which is the whole message, or behind "cc:". */
function copiesLast(clause: Clause, first: string | undefined): Pick<Recipients, 'clause' | 'cc'> | undefined {
  const { text, data } = clause;
  const colon = data === undefined ? null : CC_COLON.exec(text);
  if (colon !== null && data !== undefined) return copiesInData(clause, data, text.slice(0, colon.index));
  const found = [...masked(text).matchAll(ADDRESS)];
  const at = found.findIndex(({ index }) => CC_LAST.test(text.slice(Math.max(0, index - MAX_GAP), index)));
  if (data !== undefined || at < 1 || found[0]?.[0] !== first) return undefined;
  const { addresses, end, next } = listAt(text, found, at);
  const { index } = found[at] as RegExpExecArray;
  if (next < found.length || !/^>?\)?[.!]?$/.test(text.slice(end))) return undefined;
  const lead = CC_LAST.exec(text.slice(0, index)) as RegExpExecArray;
  return { clause: { ...clause, text: text.slice(0, lead.index + 1) }, cc: addresses };
}

function copiesInData(clause: Clause, data: string, text: string): Pick<Recipients, 'clause' | 'cc'> | undefined {
  const head = data.slice(0, 4_000);
  const found = [...head.matchAll(ADDRESS)];
  if (found[0] === undefined || !/^<?$/.test(head.slice(0, found[0].index))) return undefined;
  const { addresses, end } = listAt(head, found, 0);
  const closed = /^>?\)?(?:$|:\s+|\s*\n)/.exec(data.slice(end));
  if (closed === null) return undefined;
  const rest = data.slice(end + closed[0].length).trim();
  return { clause: { ...clause, text, data: rest === '' ? undefined : rest }, cc: addresses };
}

/** Whether it ends with "cc:" that was not read. */
const isUnread = ({ text, data }: Clause): boolean => data !== undefined && CC_COLON.test(text);

function unclear({ to, cc }: Recipients, words: string): Reading {
  const all = recipientsText(to, cc);
  return {
    sure: 0.9,
    ask: `I cannot tell whether “${words.slice(0, 60)}” is a part of the message or says whom it is for. What should I write to ${all}?`,
    answered: (answer) => `send ${all}: ${answer}`,
  };
}

function whichOf({ data }: Clause, text: string, found: readonly RegExpExecArray[]): Reading {
  const [first, other] = found as readonly [RegExpExecArray, RegExpExecArray];
  return {
    sure: 0.9,
    ask: `Shall I write to ${first[0]} or to ${other[0]}?`,
    answered: (answer) =>
      text.slice(0, first.index) +
      answer.trim() +
      text.slice(other.index + other[0].length) +
      (data === undefined ? '' : `: ${data}`),
  };
}

/** The reading of an instruction with the first recipient alone, for all of them. */
export function toAll(reading: Reading, { to, cc }: Recipients): Reading {
  const [first = ''] = to;
  if ('ask' in reading) {
    const all = recipientsText(to, cc);
    const named = (text: string): string => text.replace(first, () => all);
    return { ...reading, ask: named(reading.ask), answered: (answer) => named(reading.answered(answer)) };
  }
  const input = { ...reading.input, to: to.length === 1 ? first : to, ...(cc.length > 0 && { cc }) };
  return { ...reading, input };
}

export const isReading = (found: Recipients | Reading): found is Reading => 'sure' in found;
