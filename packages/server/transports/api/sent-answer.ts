import { isOutgoing } from '@mailroom/behavior/message';
import { type Millis, SECOND } from '@mailroom/behavior/values/clock';
import type { Json } from '@mailroom/behavior/values/json';
import { isSettled, type Message } from '../../core/entities/message.ts';
import { envelopeText } from '../../core/entities/message-view.ts';
import { minimalText } from '../../core/entities/minimal-message.ts';
import type { Sent } from '../../core/runs/submission.ts';
import type { Answer } from '../../http/route.ts';
import { IDEMPOTENCY_REPLAYED } from './parts.ts';

/** What a caller prefers of a send (RFC 7240). */
export interface Preferences {
  /** How long to wait for the reply. */
  readonly wait_ms?: Millis;
  /** Whether the answer leaves out what the caller sent. */
  readonly minimal?: true;
  /** What is granted, as `Preference-Applied`; undefined for nothing. */
  readonly applied?: string;
}

const NONE: Preferences = {};
const MAX_WAIT_S = 120;
const WAIT = /^\s*wait\s*=\s*"?(\d+)"?\s*(?:;.*)?$/i;
const MINIMAL = /^\s*return\s*=\s*"?minimal"?\s*(?:;.*)?$/i;

/**
 * Reads `Prefer: wait=N` (section 4.3), of 1 to 120 seconds, and `return=minimal` (4.2). Of a preference that is given twice
 * the first counts (section 2); what is unreadable or not wanted is ignored.
 */
export function preferencesOf(
  header: string | string[] | undefined,
  { wait = true, minimal = true }: { readonly wait?: boolean; readonly minimal?: boolean } = {},
): Preferences {
  if (header === undefined) return NONE;
  const parts = String(header).split(',');
  const first = (name: string): string =>
    parts.find((part) => part.split(/[=;]/, 1)[0]?.trim().toLowerCase() === name) ?? '';
  const [, seconds] = (wait && WAIT.exec(first('wait'))) || [];
  const isMinimal = minimal && MINIMAL.test(first('return'));
  const granted = seconds === undefined ? undefined : Math.min(MAX_WAIT_S, Math.max(1, Number(seconds)));
  if (granted === undefined && !isMinimal) return NONE;
  const applied = [granted === undefined ? [] : `wait=${granted}`, isMinimal ? 'return=minimal' : []].flat();
  return {
    ...(granted !== undefined && { wait_ms: granted * SECOND }),
    ...(isMinimal && { minimal: true }),
    applied: applied.join(', '),
  };
}

export const messagePath = ({ id }: Message): string => `/api/v1/mail/messages/${id}`;

/** The answer of a send: 200 when the caller waited and the message is settled, else 202. */
export function sentAnswer(
  { message, replayed }: Sent,
  sync: boolean,
  mailDomain: string,
  { minimal, applied }: Preferences = NONE,
  more?: { readonly [name: string]: Json },
): Answer {
  // A mail to one address outside is settled and yet on its way, unless it was answered.
  const isQueued = isOutgoing(message) && message.copies === undefined && message.reply === null;
  const status = sync && isSettled(message.status) && !isQueued ? 200 : 202;
  const body = minimal === true ? minimalText(message) : envelopeText(message, mailDomain, more);
  if (status === 200 && applied === undefined && !replayed) return { status, body };
  return {
    status,
    body,
    headers: {
      ...(applied !== undefined && { 'preference-applied': applied }),
      ...(status === 202 && { location: messagePath(message) }),
      ...(replayed ? IDEMPOTENCY_REPLAYED : {}),
    },
  };
}
