import { randomFillSync } from 'node:crypto';
import type { Millis } from './clock.ts';

/** The prefix of each kind of id on the wire. */
export type IdPrefix =
  | 'msg'
  | 'thr'
  | 'ns'
  | 'mbx'
  | 'key'
  | 'evt'
  | 'req'
  | 'sch'
  | 'acc'
  | 'cli'
  | 'mail'
  | 'drf'
  | 'att'
  | 'blob'
  | 'upl'
  | 'clm'
  | 'whk'
  | 'dom'
  | 'dlv'
  | 'rev'
  | 'nte'
  | 'aud'
  | 'inv';

/** Crockford's base 32 in lower case: sorts numerically and has no ambiguous characters. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_LENGTH = 9;
const RANDOM_LENGTH = 11;
/** The last character distinguishes a message (`0`) from its reply (`1`), so that each id follows from the other. */
const MESSAGE_MARK = '0';
const REPLY_MARK = '1';

const DIGITS = Buffer.from(ALPHABET);

const pool = new Uint32Array(1024);
let unusedCount = 0;
function random(): number {
  if (unusedCount === 0) {
    randomFillSync(pool);
    unusedCount = pool.length;
  }
  return pool[--unusedCount] as number;
}

const fixed = (value: number, length: number): string => {
  let text = '';
  let rest = value;
  for (let i = 0; i < length; i++) {
    text = ALPHABET[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  return text;
};

/** The number that `fixed` wrote. */
function numberOf(text: string): number {
  let value = 0;
  for (const digit of text) value = value * 32 + ALPHABET.indexOf(digit);
  return value;
}

/**
 * The bytes of the id that is made, because a text that is read from bytes is whole. One that was joined of parts is put
 * together later, and a document with one becomes JSON in twice the time.
 */
const bytes = Buffer.alloc(64);
const whole = (length: number): string => bytes.toString('latin1', 0, length);

/** Puts these characters, which are ASCII, at `at`, and returns where they end. */
function put(text: string, at: number, from = 0): number {
  for (let i = from; i < text.length; i++) bytes[at + i - from] = text.charCodeAt(i);
  return at + text.length - from;
}

function put25(value: number, at: number): number {
  for (let i = 0; i < 5; i++) bytes[at + i] = DIGITS[(value >>> (20 - 5 * i)) & 31] as number;
  return at + 5;
}

let lastMs = -1;
let timeText = '';
let high = 0;
let low = 0;

/**
 * A new id: prefix, 9 characters of milliseconds, 11 random ones (50 bits and the message mark). Ids sort by time; those
 * of one process in one millisecond sort in the order of creation.
 */
export function newId(prefix: IdPrefix, now: Millis): string {
  if (now !== lastMs) {
    lastMs = now;
    timeText = fixed(now, TIME_LENGTH);
    // The top bit stays free, so that incrementing within the millisecond does not overflow.
    high = random() & 0xffffff;
    low = random() & 0x1ffffff;
  } else {
    low += 1 + (random() & 0xff);
    if (low > 0x1ffffff) {
      low &= 0x1ffffff;
      high = (high + 1) & 0x1ffffff;
    }
  }
  const begun = put(timeText, put('_', put(prefix, 0)));
  return whole(put(MESSAGE_MARK, put25(low, put25(high, begun))));
}

/** The id that this time and these bytes (10 or more, such as a hash) give, always the same. */
export function idFrom(prefix: IdPrefix, at: Millis, hash: Uint8Array): string {
  let text = '';
  for (let i = 0; i < RANDOM_LENGTH - 1; i++) text += ALPHABET[(hash[i] ?? 0) & 31];
  return `${prefix}_${fixed(at, TIME_LENGTH)}${text}${MESSAGE_MARK}`;
}

const SHAPES: Record<IdPrefix, RegExp> = {
  msg: /^msg_[0-9a-hjkmnp-tv-z]{19}[01]$/,
  thr: /^thr_[0-9a-hjkmnp-tv-z]{19}0$/,
  ns: /^ns_[0-9a-hjkmnp-tv-z]{20}$/,
  mbx: /^mbx_[0-9a-hjkmnp-tv-z]{20}$/,
  key: /^key_[0-9a-hjkmnp-tv-z]{20}$/,
  evt: /^evt_[0-9a-hjkmnp-tv-z]{20}$/,
  req: /^req_[0-9a-hjkmnp-tv-z]{20}$/,
  sch: /^sch_[0-9a-hjkmnp-tv-z]{20}$/,
  acc: /^acc_[0-9a-hjkmnp-tv-z]{20}$/,
  cli: /^cli_[0-9a-hjkmnp-tv-z]{20}$/,
  mail: /^mail_[0-9a-hjkmnp-tv-z]{20}$/,
  drf: /^drf_[0-9a-hjkmnp-tv-z]{20}$/,
  att: /^att_[0-9a-hjkmnp-tv-z]{20}$/,
  blob: /^blob_[0-9a-hjkmnp-tv-z]{20}$/,
  upl: /^upl_[0-9a-hjkmnp-tv-z]{20}$/,
  clm: /^clm_[0-9a-hjkmnp-tv-z]{20}$/,
  whk: /^whk_[0-9a-hjkmnp-tv-z]{20}$/,
  dom: /^dom_[0-9a-hjkmnp-tv-z]{20}$/,
  dlv: /^dlv_[0-9a-hjkmnp-tv-z]{20}$/,
  inv: /^inv_[0-9a-hjkmnp-tv-z]{20}$/,
  rev: /^rev_[0-9a-hjkmnp-tv-z]{20}$/,
  nte: /^nte_[0-9a-hjkmnp-tv-z]{20}$/,
  aud: /^aud_[0-9a-hjkmnp-tv-z]{20}$/,
};

/** Whether `text` has the form of such an id, so that invalid ids never reach the store. */
export const isId = (prefix: IdPrefix, text: string): boolean => SHAPES[prefix].test(text);

/** The thread id that a first message gives its thread. */
export const threadOf = (messageId: string): string => whole(put(messageId, put('thr_', 0), 4));
export const firstOf = (threadId: string): string => `msg_${threadId.slice(4)}`;

export function replyIdOf(messageId: string): string {
  put(REPLY_MARK, put(messageId, 0) - 1);
  return whole(messageId.length);
}
export const isReplyId = (id: string): boolean => id.endsWith(REPLY_MARK);
/** The id of the message of which `id` is the message or the reply. */
export const messageIdOf = (id: string): string => id.slice(0, -1) + MESSAGE_MARK;

/** Sorts directly before `id`, which turns "after" into "from". */
export const justBefore = (id: string): string => id.slice(0, -1);

/** The smallest id that can have been created at `at`, which turns "since" into a range of ids. */
export const firstIdAt = (prefix: IdPrefix, at: Millis): string =>
  `${prefix}_${fixed(Math.max(0, at), TIME_LENGTH)}${'0'.repeat(RANDOM_LENGTH)}`;

/** When an id was made. */
export const madeAt = (id: string): Millis => numberOf(id.slice(id.indexOf('_') + 1).slice(0, TIME_LENGTH));

const EVENT_PART = 10;

/** An event's id is its position in the log: the transaction that wrote it, then its number. */
export const eventIdOf = (tx: number, seq: number): string => `evt_${fixed(tx, EVENT_PART)}${fixed(seq, EVENT_PART)}`;

/** The position that an event's id stands for. */
export function eventPlaceOf(id: string): { readonly tx: number; readonly seq: number } {
  const part = (from: number): number => numberOf(id.slice(from, from + EVENT_PART));
  return { tx: part(4), seq: part(4 + EVENT_PART) };
}

/** Sorts before every event. */
export const FIRST_EVENT = eventIdOf(0, 0);
