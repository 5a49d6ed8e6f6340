import type { Effect } from '@mailroom/behavior/effect';
import type { Message } from './message.ts';

/** Bytes counted for a message in addition to its texts: its row, its events, its idempotency key. */
export const MESSAGE_OVERHEAD = 1024;
/** Bytes counted for any other stored thing: a mailbox, a key, a note, a schedule, a service, an attachment. */
export const KEPT_OVERHEAD = 1024;

/** The subject of what strangers sent to a namespace, before its id; deletions give it back in SQL. */
export const STRANGERS = 'strangers ';

const bytes = (text: string | null): number => (text === null ? 0 : Buffer.byteLength(text));

/** The bytes of a message without its reply; its sender pays once for all copies of it. */
export const sizeOfMessage = (message: Pick<Message, 'body' | 'data' | 'subject' | 'copy_of' | 'mail'>): number =>
  message.copy_of === undefined
    ? MESSAGE_OVERHEAD + bytes(message.body) + bytes(message.data) + bytes(message.subject) + bytes(mailText(message))
    : 0;

const mailText = ({ mail }: Pick<Message, 'mail'>): string | null => (mail === undefined ? null : JSON.stringify(mail));

/** The bytes that the reply adds; its row counts with the message. */
export const sizeOfReply = ({ reply }: Pick<Message, 'reply'>): number =>
  reply === null ? 0 : bytes(reply.body) + bytes(reply.data);

/** The most that effects can add: a note that replaces another counts in full. */
export const sizeOfEffects = (effects: readonly Effect[]): number =>
  effects.reduce((sum, effect) => sum + sizeOfEffect(effect), 0);

function sizeOfEffect(effect: Effect): number {
  if (effect.kind === 'note') return bytes(effect.text);
  return effect.kind === 'schedule' ? bytes(effect.schedule.body) + bytes(effect.schedule.data) : 0;
}

/** A size for people: “100 MiB”. */
export function bytesInWords(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB'];
  let [value, unit] = [bytes, 0];
  while (value >= 1024 && unit < units.length - 1) [value, unit] = [value / 1024, unit + 1];
  return `${Math.floor(value * 10) / 10} ${bytes === 1 ? 'byte' : units[unit]}`;
}
