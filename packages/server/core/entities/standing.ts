import type { Millis } from '@mailroom/behavior/values/clock';
import type { Actor } from './actor.ts';

/** `waiting`: for the other side; `later`: open again at its time. */
export const CONVERSATION_STATES = ['open', 'waiting', 'done', 'later'] as const;
export type ConversationState = (typeof CONVERSATION_STATES)[number];

/** Whether it leaves the inbox of the console. */
export const isOutOfInbox = (state: ConversationState): boolean => state === 'done' || state === 'later';

/** Where a thread stands in one mailbox. */
export interface Standing {
  readonly state: ConversationState;
  /** When one for `later` opens again; null otherwise. */
  readonly until: Millis | null;
  /** The account of the member who takes care of it. */
  readonly assignee: string | null;
}

/** A thread of which nothing is noted. */
export const UNTOUCHED: Standing = { state: 'open', until: null, assignee: null };

/** The standing of a thread in one mailbox. */
export interface ThreadStanding extends Standing {
  readonly namespace_id: string;
  readonly mailbox_id: string;
  readonly thread_id: string;
}

/** What one member wrote beside a thread, for those who read its mailbox. */
export interface ThreadNote {
  /** `nte_…` */
  readonly id: string;
  readonly namespace_id: string;
  readonly mailbox_id: string;
  readonly thread_id: string;
  /** As it was named when it was written. */
  readonly author: Actor;
  readonly body: string;
  /** The accounts of the members whom it names. */
  readonly mentions: readonly string[];
  readonly created_at: Millis;
}

/** Maximum characters of a note. */
export const MAX_NOTE = 10_000;
/** Bytes of the overhead of a note. */
export const NOTE_OVERHEAD = 200;
export const sizeOfNote = ({ body }: Pick<ThreadNote, 'body'>): number => NOTE_OVERHEAD + Buffer.byteLength(body);

/** A change of where a thread stands; what is undefined stays. With `state` its `until` is set too. */
export interface StandingChange {
  readonly state?: ConversationState | undefined;
  readonly until?: Millis | undefined;
  readonly assignee?: string | null | undefined;
}

/** Which threads are listed by where they stand. */
export interface StandingFilter {
  readonly state?: ConversationState | undefined;
  /** Without those that are done. */
  readonly undone?: true | undefined;
  /** The account of a member, or null for those that are assigned to none of `members`. */
  readonly assignee?: string | null | undefined;
  /** The accounts of the members, who alone count as assignees. */
  readonly members: readonly string[];
}
