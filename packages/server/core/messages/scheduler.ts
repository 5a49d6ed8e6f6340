import { addressOf } from '@mailroom/behavior/mailbox';
import type { Sender } from '@mailroom/behavior/message';
import type { Schedule } from '@mailroom/behavior/schedule';
import { parseShortAddress } from '@mailroom/behavior/values/address';
import { type Clock, DAY, MINUTE, type Millis } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { sha256 } from '@mailroom/behavior/values/hash';
import { isLive } from '../entities/key.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import type { EffectLimits } from '../limits/effect-limits.ts';
import type { Claim } from '../ports/claim.ts';
import type { Store } from '../ports/store.ts';
import type { Dispatch } from '../runs/dispatch.ts';
import type { Submission } from '../runs/submission.ts';
import type { Limiter } from '../values/limits.ts';
import type { Submitter } from './submit.ts';

/** Longer than any node may be away with a claim. */
const IDEMPOTENCY_MS = 7 * DAY;
/** Errors that pass: the same due time is tried again. */
const TRANSIENT: ReadonlySet<string> = new Set([
  'mailbox_full',
  'storage_full',
  'unavailable',
  'rate_limited',
  'internal',
]);
const RETRY_MS = 60_000;

/** When a rule is due next after a time, in a zone; undefined when never again. */
type NextTime = (rule: string, time_zone: string, after: Millis) => Millis | undefined;

interface SchedulerParts {
  readonly store: Store;
  readonly post: Submitter;
  readonly dispatch: Dispatch;
  readonly clock: Clock;
  readonly nextTime: NextTime;
  /** The limit on all that a namespace sends; a refusal is retried. */
  readonly sends?: Limiter | undefined;
  readonly limits: Pick<EffectLimits, 'interval' | 'gone'>;
}

/**
 * Sends the messages of schedules: at its time a schedule's instructions become a message to its mailbox, from its
 * author. The due time is the message's idempotency key, so a crash or two nodes create one message. All times missed
 * while the service was down lead to one message.
 */
export class Scheduler {
  readonly #parts: SchedulerParts;

  constructor(parts: SchedulerParts) {
    this.#parts = parts;
    parts.dispatch.register('schedule', (claim) => this.#run(claim));
  }

  async #run(claim: Claim): Promise<void> {
    const { store, clock, dispatch } = this.#parts;
    const schedule = await store.schedules.byId(claim.id);
    const mailbox = schedule && (await store.mailboxes.byId(schedule.mailbox_id));
    if (
      schedule === undefined ||
      mailbox === undefined ||
      mailbox.deleted_at !== null ||
      !(await this.#maySend(schedule))
    ) {
      await store.schedules.ran(claim, null, clock());
      return;
    }
    const done = await this.#send(schedule, mailbox);
    if (done === 'later') {
      await store.jobs.later(claim, clock() + RETRY_MS);
      return;
    }
    const next = done === 'never' ? null : await this.#next(schedule);
    const ran = await store.schedules.ran(claim, next, clock());
    if (ran && next === null) this.#parts.limits.gone(schedule);
    dispatch.checkDue();
  }

  /** Whether the author may still send: a revoked or expired key ends its schedules. */
  async #maySend(schedule: Schedule): Promise<boolean> {
    const { kind, id } = JSON.parse(schedule.sender) as Sender;
    if (kind !== 'key' || id === null) return true;
    const key = await this.#parts.store.keys.byId(id);
    return key !== undefined && isLive(key, this.#parts.clock());
  }

  /** The next time of the rule; for a schedule older than the shortest interval, the first time that interval allows. */
  async #next({ rule, time_zone, next_at, sender }: Schedule): Promise<Millis | null> {
    if (rule === null) return null;
    const { namespace_id } = JSON.parse(sender) as Sender;
    const interval = await this.#parts.limits.interval(namespace_id);
    return this.#parts.nextTime(rule, time_zone, Math.max(next_at + interval - MINUTE, this.#parts.clock())) ?? null;
  }

  async #send(schedule: Schedule, mailbox: Mailbox): Promise<'sent' | 'later' | 'never'> {
    const submission = this.#submission(schedule, mailbox);
    const { namespace_id } = submission.sender;
    const allowance = namespace_id === null ? undefined : await this.#parts.sends?.take(namespace_id);
    if (allowance?.allowed === false) return 'later';
    try {
      await this.#parts.post.send(submission).catch((error: unknown) => {
        // The thread in which it was planned is gone, so it begins a new one.
        if (error instanceof AppError && error.code === 'validation_error') {
          return this.#parts.post.send({ ...submission, thread_id: null });
        }
        throw error;
      });
      return 'sent';
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return TRANSIENT.has(error.code) ? 'later' : 'never';
    }
  }

  #submission(schedule: Schedule, mailbox: Mailbox): Submission {
    const { id, next_at, name, body, data, from_mailbox_id, thread_id, hops } = schedule;
    return {
      to: parseShortAddress(addressOf(mailbox)),
      body,
      subject: name,
      data,
      sender: JSON.parse(schedule.sender) as Sender,
      from_mailbox_id,
      channel: 'api',
      thread_id,
      in_reply_to: null,
      retry_of: null,
      hops,
      try_out: false,
      payer: null,
      idempotency: {
        scope: `schedule:${id}`,
        key: String(next_at),
        hash: sha256(body),
        expires_at: this.#parts.clock() + IDEMPOTENCY_MS,
      },
    };
  }
}
