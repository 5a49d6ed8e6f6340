import type { Schedule } from './schedule.ts';

/** What is written with the outcome of a message, in its transaction: all of it or nothing, and once. */
export type Effect =
  /** `text` null: removed. */
  | { readonly kind: 'note'; readonly name: string; readonly text: string | null }
  | { readonly kind: 'schedule'; readonly schedule: Schedule }
  /** Only the owner's own, in this mailbox. */
  | { readonly kind: 'unschedule'; readonly id: string };
