import type { Schedule } from './schedule.ts';

/** What is written in the transaction of a message's outcome, exactly once. */
export type Effect =
  /** `text` null removes the note. */
  | { readonly kind: 'note'; readonly name: string; readonly text: string | null }
  | { readonly kind: 'schedule'; readonly schedule: Schedule }
  /** Only a schedule of the same owner in this mailbox. */
  | { readonly kind: 'unschedule'; readonly id: string };
