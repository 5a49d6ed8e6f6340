import type { Outcome } from '@mailroom/behavior';
import type { Clock } from '@mailroom/behavior/values/clock';
import { lateText } from '@mailroom/behavior/values/time-limit';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import type { ReplyFiles } from '../files/reply-files.ts';
import type { Claim } from '../ports/claim.ts';
import type { Settlement } from '../ports/messages.ts';
import type { Store } from '../ports/store.ts';
import { Gate } from '../review/gate.ts';
import { boundTo } from './one-time-secrets.ts';
import { backoff, effectsOf, filesOf, MAX_ATTEMPTS, type Runner, sealedOf } from './run.ts';
import type { Run } from './running.ts';
import type { Settler } from './settle.ts';
import type { Slot } from './slots.ts';

/** A run past its time limit has this long to report what it had done. */
const END_MS = 2_000;

interface MessageHandlerParts {
  readonly store: Store;
  readonly runner: Runner;
  readonly settler: Settler;
  readonly files: ReplyFiles;
  readonly clock: Clock;
}

/** Handles messages that are claimed: from the outcome of the run to the settlement, or to the next attempt. */
export class MessageHandler {
  readonly #parts: MessageHandlerParts;

  constructor(parts: MessageHandlerParts) {
    this.#parts = parts;
  }

  /** Ends with the message settled, suspended or given back, unless the run is aborted. `started` runs already. */
  async handle(
    claim: Claim,
    message: Message,
    mailbox: Mailbox,
    run: Run & { readonly slot: Slot },
    started?: Outcome | Promise<Outcome>,
  ): Promise<void> {
    const { runner, settler, files, store, clock } = this.#parts;
    const outcome = await this.#outcome(claim, message, mailbox, run, started);
    if (outcome === undefined) return;
    const afterSettled = runner.settlement(outcome, message, mailbox);
    if (!('kind' in afterSettled)) {
      const effects = effectsOf(outcome);
      const sealed = sealedOf(outcome);
      await run.slot.releaseAndWrite(async () => {
        const settlement = await this.#sealed(message, mailbox, afterSettled, sealed);
        const answered = await files.stored(claim, message, mailbox, settlement, filesOf(outcome));
        const kept = answered.settlement === settlement ? effects : undefined;
        await settler.settle(claim, answered.message, mailbox, answered.settlement, kept);
      });
    } else if (afterSettled.kind === 'wait') {
      await settler.suspend(claim, message, mailbox, afterSettled);
    } else if (claim.attempt >= MAX_ATTEMPTS) {
      const failure = { kind: 'fail', detail: afterSettled.detail, ...afterSettled.done } as const;
      const settlement = runner.settlement(failure, message, mailbox) as Settlement;
      const answered = await files.stored(claim, message, mailbox, settlement, undefined);
      await settler.settle(claim, message, mailbox, answered.settlement, effectsOf(failure));
    } else {
      await store.handlings.later(claim, clock() + backoff(afterSettled.after_ms, claim.attempt));
    }
  }

  /** The settlement, once the secret of its reply is stored; where it may be held, its note is bound to that secret. */
  async #sealed(
    message: Message,
    mailbox: Mailbox,
    settlement: Settlement,
    secret: ReturnType<typeof sealedOf>,
  ): Promise<Settlement> {
    const { settler } = this.#parts;
    const { reply } = settlement;
    if (secret === undefined) return settlement;
    if (reply === null || !Gate.mayHold(mailbox, message)) {
      await settler.seal(message.id, secret, secret.until);
      return settlement;
    }
    const { data, salt } = boundTo(reply.data, secret);
    await settler.seal(message.id, { ...secret, salt }, secret.until);
    return { ...settlement, reply: { ...reply, data } };
  }

  async #outcome(
    claim: Claim,
    message: Message,
    mailbox: Mailbox,
    run: Run,
    started: Outcome | Promise<Outcome> | undefined,
  ): Promise<Outcome | undefined> {
    // The first time made it a suspect.
    if (claim.crashes !== undefined && claim.crashes + 1 >= MAX_ATTEMPTS)
      return { kind: 'fail', detail: 'The service stopped each time it handled this message.' };
    const outcome = started ?? this.#parts.runner.handle(message, mailbox, run);
    const ended = outcome instanceof Promise ? await unlessAborted(outcome, run.signal) : outcome;
    const late = lateText(run.signal);
    // Another attempt would take as long.
    if (late !== undefined && (ended === undefined || ended.kind === 'retry')) return { kind: 'fail', detail: late };
    return ended;
  }
}

/**
 * The outcome of a run, or undefined when it was aborted first, so that a behavior that ignores its signal holds its slot
 * hardly longer than one that ends on it.
 */
const unlessAborted = (run: Promise<Outcome>, signal: AbortSignal): Promise<Outcome | undefined> =>
  new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const end = (): void => {
      if (lateText(signal) === undefined) resolve(undefined);
      else timer = setTimeout(resolve, END_MS, undefined);
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
    run.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
    });
  });
