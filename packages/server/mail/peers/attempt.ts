import type { Message } from '../../core/entities/message.ts';
import type { DeliveryResult } from '../../core/ports/delivery.ts';
import type { ReceivedEmail, WrittenMail } from '../../core/ports/email-transport.ts';
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
export type FileAnswer = (answer: ReceivedEmail, to: string, answered?: WrittenMail) => Promise<Message | undefined>;

/** A result whose outcome is unknown, so that the same door is asked again. */
export const unknown = (reason: string, more: object = {}): Attempted => ({
  result: { ...failure(false, reason), ...more },
});
