import type { Effect } from '../entities/effect.ts';
import type { Message } from '../entities/message.ts';

/** Bytes counted for a message in addition to its texts: its row, its events, its idempotency key. */
export const MESSAGE_OVERHEAD = 1024;
/** Bytes counted for any other stored thing: a mailbox, a key, a note, a schedule, a service. */
export const KEPT_OVERHEAD = 1024;

const bytes = (text: string | null): number => (text === null ? 0 : Buffer.byteLength(text));

/** The bytes of a message without its reply. */
export const sizeOfMessage = (message: Pick<Message, 'body' | 'data' | 'subject'>): number =>
  MESSAGE_OVERHEAD + bytes(message.body) + bytes(message.data) + bytes(message.subject);

/** The bytes that the reply adds; twice where it is filed with the mailbox that asked. */
export function sizeOfReply({
  reply_body,
  reply_data,
  from,
}: Pick<Message, 'reply_body' | 'reply_data' | 'from'>): number {
  if (reply_body === null) return 0;
  const size = bytes(reply_body) + bytes(reply_data);
  return from === null ? size : 2 * size + MESSAGE_OVERHEAD;
}

/** The most that effects can add: a note that replaces another counts in full. */
export const sizeOfEffects = (effects: readonly Effect[]): number =>
  effects.reduce((sum, effect) => sum + sizeOfEffect(effect), 0);

function sizeOfEffect(effect: Effect): number {
  if (effect.kind === 'note') return bytes(effect.text);
  return effect.kind === 'schedule' ? bytes(effect.schedule.body) + bytes(effect.schedule.data) : 0;
}
