import type { Millis } from '@mailroom/behavior/values/clock';
import type { Message } from '../entities/message.ts';

interface LabelChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
  /** Whether the mailbox has read it from now on, if it received it; undefined leaves that as it is. */
  readonly read?: boolean | undefined;
}

/** Labels of messages, per mailbox; they come with each message that is read, and are removed with it or the mailbox. */
export interface Labels {
  /**
   * Changes labels all together and returns those of the message in all mailboxes; `full`, with nothing changed, when
   * this mailbox would have more than `max`. Exact also for concurrent calls.
   */
  change(
    mailbox_id: string,
    message_id: string,
    change: LabelChange,
    max: number,
  ): Promise<Required<Pick<Message, 'labels' | 'read'>> | 'full'>;
  /**
   * Puts a message into the trash of a view, a mailbox or the namespace of a key, with a job due at `until`. False when it
   * is there, or gone from it, or does not exist.
   */
  trash(view: string, message_id: string, until: Millis): Promise<boolean>;
  /** Takes it out again. False when it is not there. */
  restore(view: string, message_id: string): Promise<boolean>;
  /** Its time in that trash is over. */
  gone(view: string, message_id: string): Promise<void>;
  /** The names of labels in these mailboxes (up to 100), sorted: the first 50 of each, and up to 50 in all. */
  names(mailbox_ids: readonly string[]): Promise<readonly string[]>;
}
