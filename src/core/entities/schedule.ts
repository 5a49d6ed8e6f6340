import type { Millis } from '../values/clock.ts';

/** What the instructions of a reminder begin with; its text follows. */
const SAYS = 'say: ';
const REMINDER = 'Reminder: ';

/** The instructions that say a reminder. */
export const reminderBody = (text: string): string => `${SAYS}${REMINDER}${text}`;

/** "Reminder: …", of instructions that say one; undefined for others. */
export const reminderOf = (body: string): string | undefined =>
  body.startsWith(SAYS + REMINDER) ? body.slice(SAYS.length) : undefined;

/** Instructions that a mailbox is to get at a time, or by a rule, from whoever planned it. */
export interface Schedule {
  /** `sch_…`; the id of its job too. */
  readonly id: string;
  readonly mailbox_id: string;
  /** As of `Owner`. */
  readonly owner: string;
  /** The `Sender`, as JSON text: who the message is from. */
  readonly sender: string;
  /** The mailbox it writes as, if it does. */
  readonly from_mailbox_id: string | null;
  /** Where it was planned, and where its messages come. */
  readonly thread_id: string;
  /** Of its messages. */
  readonly hops: number;
  readonly name: string;
  readonly body: string;
  /** JSON text. */
  readonly data: string | null;
  /** A cron expression of five fields; null: once. */
  readonly rule: string | null;
  /** IANA name. */
  readonly time_zone: string;
  readonly next_at: Millis;
  readonly last_at: Millis | null;
  readonly created_at: Millis;
}
