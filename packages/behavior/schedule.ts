import type { Owner } from './note.ts';
import type { Millis } from './values/clock.ts';

/** The prefix of a reminder's instructions; its text follows. */
const SAYS = 'say: ';
const REMINDER = 'Reminder: ';

/** The instructions that send a reminder. */
export const reminderBody = (text: string): string => `${SAYS}${REMINDER}${text}`;

/** "Reminder: …" for the instructions of a reminder; undefined for others. */
export const reminderOf = (body: string): string | undefined =>
  body.startsWith(SAYS + REMINDER) ? body.slice(SAYS.length) : undefined;

/** Instructions that a mailbox receives at a time, or by a rule, from their author. */
export interface Schedule {
  /** `sch_…`; also the id of its job. */
  readonly id: string;
  readonly mailbox_id: string;
  /** As of `Owner`. */
  readonly owner: string;
  /** The `Sender` of its messages, as JSON text. */
  readonly sender: string;
  /** The mailbox that its messages are sent as, if any. */
  readonly from_mailbox_id: string | null;
  /** The thread in which it was planned, which its messages continue. */
  readonly thread_id: string;
  /** The `hops` of its messages. */
  readonly hops: number;
  readonly name: string;
  readonly body: string;
  /** JSON text. */
  readonly data: string | null;
  /** A cron expression of five fields, and behind it `every 2 weeks from DATE` or `until DATE`; null for a single time. */
  readonly rule: string | null;
  /** IANA name. */
  readonly time_zone: string;
  readonly next_at: Millis;
  readonly last_at: Millis | null;
  readonly created_at: Millis;
}

/** The schedules of senders, created and removed by effects. */
export interface ScheduleReader {
  byId(id: string): Promise<Schedule | undefined>;
  /** Those of an owner, the next due first. */
  of(of: Owner, most: number): Promise<readonly Schedule[]>;
  count(of: Owner): Promise<number>;
}

/** What a sender may schedule. */
export interface Planning {
  /** The maximum number of schedules of the namespace. */
  readonly max: number;
  readonly left: number;
  readonly interval_ms: Millis;
  /** Whether claiming the namespace would allow more. */
  readonly claimed: boolean;
  /** Where a person claims the namespace. */
  readonly claim_url: string;
}

/** Why there is no room for another schedule. */
export const tooManySchedules = (max: number): string =>
  `This namespace has ${max} schedules, the maximum. Cancel one first.`;
