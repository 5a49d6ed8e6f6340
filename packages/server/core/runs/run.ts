import type { Behavior, Done, Outcome, ReplyFile } from '@mailroom/behavior';
import type { Effect } from '@mailroom/behavior/effect';
import type { Reply } from '@mailroom/behavior/message';
import { BudgetError } from '@mailroom/behavior/model';
import { limitedDetail, limitedReply, MAX_REPLY } from '@mailroom/behavior/reply-limit';
import { type Clock, DAY, type Millis, SECOND } from '@mailroom/behavior/values/clock';
import { JsonText, textOf } from '@mailroom/behavior/values/json';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import type { Settlement } from '../ports/messages.ts';
import { inTrace, type Tracing } from '../ports/tracing.ts';
import { type ModelBudgets, rejection } from './model-budget.ts';
import { noteData } from './one-time-secrets.ts';
import { incoming, RunContext } from './run-context.ts';
import type { Run } from './running.ts';

/** How often a message is handled before it fails permanently. */
export const MAX_ATTEMPTS = 5;

/** Logs the error of a behavior; the sender gets a sentence without details. */
export type OnError = (message: Message, error: unknown) => void;

/** Not settled: to be retried. */
export type Retry = Extract<Outcome, { kind: 'retry' }>;
/** Not settled: suspended until an event. */
export type Wait = Extract<Outcome, { kind: 'wait' }>;

/** The secret part of an outcome, for the sender only; most outcomes have none. */
export const sealedOf = (outcome: Outcome): Extract<Outcome, { kind: 'reply' }>['sealed'] =>
  outcome.kind === 'reply' ? outcome.sealed : undefined;

/** The effects to write with an outcome; most outcomes have none. */
export const effectsOf = (outcome: Outcome): readonly Effect[] | undefined =>
  'effects' in outcome && outcome.effects !== undefined && outcome.effects.length > 0 ? outcome.effects : undefined;

/** The files to store with an outcome; most outcomes have none. */
export const filesOf = (outcome: Outcome): readonly ReplyFile[] | undefined =>
  outcome.kind === 'reply' && outcome.attachments !== undefined && outcome.attachments.length > 0
    ? outcome.attachments
    : undefined;

const UNANSWERED: Outcome = {
  kind: 'fail',
  code: 'answer_timeout',
  detail: 'There was no answer by hand within 24 hours. Send the message again later.',
};
const BROKEN: Retry = { kind: 'retry', after_ms: SECOND, detail: 'The mailbox failed while it handled this message.' };
const ENDED: Retry = { kind: 'retry', after_ms: SECOND, detail: 'The handling of this message was stopped.' };

/** Calls behaviors and turns their outcomes into settlements. */
export class Runner {
  readonly #behaviors: ReadonlyMap<string, Behavior>;
  readonly #clock: Clock;
  readonly #onError: OnError;
  readonly #max_reply: number;
  readonly #tracing: Tracing | undefined;
  readonly #budgets: ModelBudgets | undefined;

  constructor(
    behaviors: readonly Behavior[],
    clock: Clock,
    onError: OnError,
    /** Maximum bytes of a reply as sent; longer replies are cut for every behavior. */
    max_reply: number = MAX_REPLY,
    /** Counts what runs ask of the language model; without it nothing is counted. */
    budgets?: ModelBudgets,
    tracing?: Tracing,
  ) {
    this.#behaviors = new Map(behaviors.map((behavior) => [behavior.name, behavior]));
    this.#clock = clock;
    this.#onError = onError;
    this.#max_reply = max_reply;
    this.#budgets = budgets;
    this.#tracing = tracing;
  }

  /** How long a message of a thread that is taken over waits in this mailbox for its answer by hand. */
  answerWithin(mailbox: Mailbox): Millis {
    return this.answerBy(mailbox, 0) ?? DAY;
  }

  /** When a message that arrives now in a mailbox that is answered from outside has waited too long; undefined for others. */
  answerBy(mailbox: Mailbox, now: Millis): Millis | undefined {
    return this.#behaviors.get(mailbox.behavior)?.answered?.by(mailbox.settings as never, now);
  }

  /** How many messages the mailbox takes on one UTC day; undefined for no limit of its own. */
  maxPerDay(mailbox: Mailbox): number | undefined {
    return this.#behaviors.get(mailbox.behavior)?.answered?.maxPerDay?.(mailbox.settings as never);
  }

  /** Whether a message needs no slot, and is handled before it is looked up whether it was sent before. */
  isImmediate(mailbox: Mailbox): boolean {
    return this.#behaviors.get(mailbox.behavior)?.immediate === true;
  }

  has(behavior: string): boolean {
    return this.#behaviors.has(behavior);
  }

  /**
   * Handles a message. Never throws: what a behavior throws becomes a `retry`. Returns a plain outcome when the behavior
   * did not wait.
   */
  handle(message: Message, mailbox: Mailbox, run: Run): Outcome | Promise<Outcome> {
    if (this.#tracing === undefined) return this.#handle(message, mailbox, run);
    const attributes = { 'mailroom.behavior': mailbox.behavior, 'mailroom.message.id': message.id };
    const span = this.#tracing.begin('run', { kind: 'consumer', parent: message.trace, attributes });
    const end = (outcome: Outcome): Outcome => {
      span.end({ 'mailroom.outcome': outcome.kind }, outcome.kind === 'fail');
      return outcome;
    };
    const outcome = inTrace(span.traceparent, () => this.#handle(message, mailbox, run));
    return outcome instanceof Promise ? outcome.then(end) : end(outcome);
  }

  #handle(message: Message, mailbox: Mailbox, run: Run): Outcome | Promise<Outcome> {
    const behavior = this.#behaviors.get(mailbox.behavior);
    if (behavior === undefined) {
      return { kind: 'reject', detail: `This build does not have the behavior "${mailbox.behavior}".` };
    }
    // Its thread was taken over: the behavior is not asked, as a person did not answer in time.
    if (message.waiting_for === 'answer' && behavior.answered === undefined) return UNANSWERED;
    const context = new RunContext(message, mailbox, run, this.#clock);
    // A run that ends because it was aborted is not an error of the behavior.
    const failed = (error: unknown): Outcome => {
      context.end();
      if (context.endedBySignal) return ENDED;
      return error instanceof BudgetError ? rejection(error) : this.#failed(message, error);
    };
    const complete = (outcome: Outcome): Outcome => {
      context.end();
      if (outcome.kind === 'reply' && outcome.sealed === undefined) return outcome;
      try {
        return this.#limited(outcome);
      } catch (error) {
        return failed(error);
      }
    };
    try {
      const meter = this.#budgets?.meter(message, mailbox);
      const handle = () => behavior.handle(incoming(message), context);
      const outcome = meter === undefined ? handle() : meter.run(handle);
      if (!(outcome instanceof Promise)) return complete(outcome);
      const completed = outcome.then(complete, failed);
      return meter === undefined ? completed : completed.then((ended) => (meter.asked ? meter.end(ended) : ended));
    } catch (error) {
      return failed(error);
    }
  }

  /**
   * The settlement of an outcome, or the retry or suspension it asks for; an outcome that cannot be stored counts as an
   * error of the behavior.
   */
  settlement(outcome: Outcome, message: Message, mailbox: Mailbox): Settlement | Retry | Wait {
    const settled_at = this.#clock();
    const nothing = { error_code: null, error_message: null, reply: null, settled_at };
    switch (outcome.kind) {
      case 'reply':
      case 'input_required':
        try {
          const status = outcome.kind === 'reply' ? 'completed' : 'input_required';
          return { ...nothing, status, reply: this.#replyOf(outcome.body, dataOf(outcome)) };
        } catch (error) {
          return this.#failed(message, error);
        }
      case 'reject': {
        const error_code = outcome.code ?? (this.has(mailbox.behavior) ? 'rejected' : 'behavior_unavailable');
        return { ...nothing, status: 'rejected', error_code, error_message: limitedDetail(outcome.detail) };
      }
      case 'fail': {
        const failed = {
          ...nothing,
          status: 'failed',
          error_code: ('code' in outcome && outcome.code) || 'behavior_failed',
          error_message: limitedDetail(outcome.detail),
        } as const;
        if (!('body' in outcome)) return failed;
        return { ...failed, reply: this.#replyOf(outcome.body, textOf(outcome.data)) };
      }
      case 'retry':
      case 'wait':
        return outcome;
    }
  }

  #replyOf(body: string, data: string | null): Reply {
    const { body: text, data: part } = limitedReply(body, data, this.#max_reply);
    return { body: text, data: part };
  }

  /** Applies the limit also to texts outside the settlement: a sealed reply, the plan, and what had been done. */
  #limited(outcome: Outcome): Outcome {
    const max = this.#max_reply;
    switch (outcome.kind) {
      case 'reply': {
        const { sealed } = outcome;
        if (sealed === undefined) return outcome;
        const { body, data } = limitedReply(sealed.body, sealed.data === undefined ? null : textOf(sealed.data), max);
        return { ...outcome, sealed: { until: sealed.until, body, ...(data !== null && { data: JSON.parse(data) }) } };
      }
      case 'wait': {
        if (outcome.for === 'answer') return outcome;
        const done = outcome.done && this.#limitedDone(outcome.done);
        const bytes = Buffer.byteLength(JSON.stringify(outcome.plan));
        if (bytes <= max) return done === undefined ? outcome : { ...outcome, done };
        const detail = `The plan to approve has ${bytes} bytes; ${max} are allowed. Send the message in parts.`;
        return { kind: 'fail', detail, ...done };
      }
      case 'retry':
        return outcome.done === undefined ? outcome : { ...outcome, done: this.#limitedDone(outcome.done) };
      default:
        return outcome;
    }
  }

  #limitedDone({ body, data, effects }: Done): Done {
    const limited = limitedReply(body, textOf(data), this.#max_reply);
    return { body: limited.body, data: new JsonText(limited.data ?? 'null'), ...(effects && { effects }) };
  }

  #failed(message: Message, error: unknown): Retry {
    this.#onError(message, error);
    return BROKEN;
  }
}

/** JSON text of a reply's data; for a sealed reply, the note with its mark. */
function dataOf(outcome: Extract<Outcome, { kind: 'reply' | 'input_required' }>): string | null {
  if ('sealed' in outcome && outcome.sealed !== undefined) return JSON.stringify(noteData(outcome.data));
  return outcome.data === undefined ? null : textOf(outcome.data);
}

/** When to retry: the wanted time, doubled twice with each attempt, plus up to a quarter of jitter. */
export function backoff(after_ms: Millis, attempt: number, random: () => number = Math.random): Millis {
  // NaN would leave a job without a time, which would never become due.
  const wanted = after_ms > 0 ? after_ms : 0;
  return Math.round(Math.min(wanted * 4 ** (attempt - 1), 15 * 60 * SECOND) * (1 + random() / 4));
}
