import type { BehaviorMailbox } from '@mailroom/behavior/mailbox';

/** Tasks that carry what they are given to others, beside tools of others and what a mailbox sends. */
export const LEAVING_TASKS: readonly string[] = ['fetch'];

/** Whether an owner sees what leaves the mailbox: then what is handed to others waits for approval too. */
export const isReviewed = ({ outgoing }: Pick<BehaviorMailbox, 'outgoing'>): boolean =>
  (outgoing?.review ?? 'never') !== 'never';
