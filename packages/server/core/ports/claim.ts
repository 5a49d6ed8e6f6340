import type { Message } from '../entities/message.ts';

/** The right to handle a message or to do a job until a lease ends. */
export interface Claim {
  /** Of `handle`: the message's id. */
  readonly id: string;
  readonly kind: 'handle' | JobKind;
  /** Grows with each claim, so that the holder of an older claim can no longer write. */
  readonly fence: number;
  /** How many times it was claimed, including this time. */
  readonly attempt: number;
  /** Of a job: what it is about. Of `purge`: `mailbox:<id>`, `from:<mailbox id>` or `sender:<namespace id>`. */
  readonly subject: string;
  /** Of a suspect, a message during whose handling a process died: how often one died since, while it was handled as such. */
  readonly crashes?: number;
  /** Of `handle`, when it was read with the claim; otherwise it is looked up. */
  readonly message?: Message;
}

/**
 * `schedule`: a schedule is due; the job's id is the schedule's. `draft`: a draft is to be sent, or what is left of a sent
 * one removed; the job's id is the draft's. `copies`: recipients of a message are to get their copies; the job's id is the
 * message's. `answer`: others than its author are to get an answer; the job's id is that of what is
 * answered. `trash`: the time of a message in a trash is over; the job's id is that view and the message. `held`: what a
 * person sent can no longer be taken back; the job's id is the message and their key. `waiting`: owners may have to be
 * called; the job's id is the namespace. `review`: a review was decided, or its time is over; the job's id is the review's.
 * `forward`: rules forward a message, which is the subject; the job's id is `forwardJobOf`. `later`: a conversation opens
 * again; the job's id is `laterJobOf`, its subject the mailbox and the thread.
 */
export type JobKind =
  | 'purge'
  | 'schedule'
  | 'draft'
  | 'copies'
  | 'answer'
  | 'trash'
  | 'held'
  | 'waiting'
  | 'review'
  | 'forward'
  | 'later';

/** The id of the job that forwards a message as rules say. */
export const forwardJobOf = (messageId: string): string => `forward ${messageId}`;

/** The id of the job that opens a conversation again. */
export const laterJobOf = (mailboxId: string, threadId: string): string => `later ${mailboxId} ${threadId}`;
