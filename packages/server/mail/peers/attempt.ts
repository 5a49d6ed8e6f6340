import { type Millis, SECOND } from '@mailroom/behavior/values/clock';
import type { Message } from '../../core/entities/message.ts';
import type { DeliveryResult } from '../../core/ports/delivery.ts';
import type { ReceivedEmail, WrittenMail } from '../../core/ports/email-transport.ts';
import type { Sent } from '../../core/runs/submission.ts';
import { failure } from '../writing/failure.ts';
import type { OfferedMail } from '../writing/transport.ts';
import type { PeerDoors } from './webfinger.ts';

/** How an attempt ended; undefined where the peer has nothing of it for certain. */
export type Attempted = Ended | undefined;

interface Ended {
  readonly result: DeliveryResult;
  readonly answer?: Message | undefined;
  /** The task of an agent that works on it, which the next attempt asks for; null: it is asked for no more. */
  readonly task?: string | null | undefined;
}

/** The doors of an address, the task of the agent that has a message already, and whether it was asked before. */
export type AskedDoors = PeerDoors & { readonly task?: string | undefined; readonly again?: boolean };

/** Hands what is offered to a server of another, by one of its doors. */
export type Hand = (offered: OfferedMail, to: string, doors: AskedDoors, signal: AbortSignal) => Promise<Attempted>;

/** Files an answer that its author's own server gave; undefined where its recipient cannot take it. AppError `unavailable`. */
export type FileAnswer = (answer: ReceivedEmail, to: string, answered?: WrittenMail) => Promise<Sent | undefined>;

/** How long a request to a peer may take. */
export const ATTEMPT_MS: Millis = 60 * SECOND;

/** Statuses after which the same request may be answered otherwise. */
export const AGAIN: ReadonlySet<number> = new Set([408, 425, 429]);

/** How an attempt ended by its status, with the seconds after which it may be made again. */
export function outcomeOf(status: number, retry_after: number): Attempted {
  if (status === 200 || status === 202) return { result: { kind: 'sent' } };
  if (status < 500 && !AGAIN.has(status)) return undefined;
  return unknown(`HTTP ${status}`, retry_after > 0 ? { retry_after_ms: retry_after * SECOND } : {});
}

/** It arrived, and its author's server answered: what was filed of that. */
export const answeredBy = (filed: Sent | undefined): Ended => ({
  result: { kind: 'sent', ended: filed?.ended },
  answer: filed?.message,
});

/** A result whose outcome is unknown, so that the same door is asked again. */
export const unknown = (reason: string, more: object = {}): Attempted => ({
  result: { ...failure(false, reason), ...more },
});
