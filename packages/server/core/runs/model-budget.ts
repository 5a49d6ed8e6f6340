import { AsyncLocalStorage } from 'node:async_hooks';
import type { Outcome } from '@mailroom/behavior';
import { addressOf } from '@mailroom/behavior/mailbox';
import {
  BudgetError,
  estimateTokens,
  type LanguageModel,
  type ModelStep,
  type StepRequest,
} from '@mailroom/behavior/model';
import { type Clock, DAY } from '@mailroom/behavior/values/clock';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import type { StorageMeter } from '../limits/storage-meter.ts';
import type { EventBus } from '../notify/event-bus.ts';
import type { ModelRun } from '../ports/model-usage.ts';
import type { Store } from '../ports/store.ts';
import { callerOf } from './caller-of.ts';

interface Parts {
  readonly store: Pick<Store, 'modelUsage'>;
  readonly storage: Pick<StorageMeter, 'mark'>;
  readonly bus: Pick<EventBus, 'publishEvents'>;
  readonly clock: Clock;
  /** Called when what a run used could not be counted; what it had reserved then stays counted for the day. */
  readonly onError: (error: unknown) => void;
}

/** The run that is asking, found by the asynchronous context, so that no behavior can leave it out. */
const asking = new AsyncLocalStorage<RunMeter>();

/** The model as behaviors use it: what a run asks counts for the budget of its mailbox. What no run asks is not counted. */
export const metered = (model: LanguageModel): LanguageModel => ({
  name: model.name,
  step(request) {
    const meter = asking.getStore();
    return meter === undefined ? model.step(request) : meter.step(model, request);
  },
});

/** The tokens of a language model that the messages of mailboxes take, within the budgets that their owners set. */
export class ModelBudgets {
  readonly #parts: Parts;
  readonly #reserved: number;

  /** `reserved`: tokens that a run may use, which it reserves before it asks. */
  constructor(parts: Parts, reserved: number) {
    this.#parts = parts;
    this.#reserved = reserved;
  }

  meter(message: Message, mailbox: Mailbox): RunMeter {
    return new RunMeter(this.#parts, message, mailbox, this.#reserved);
  }
}

/** What one run asks of the model. */
export class RunMeter {
  readonly #parts: Parts;
  readonly #message: Message;
  readonly #mailbox: Mailbox;
  readonly #reserved: number;
  #reservation: Promise<ModelRun> | undefined;
  #input = 0;
  #output = 0;
  #refused: BudgetError | undefined;

  constructor(parts: Parts, message: Message, mailbox: Mailbox, reserved: number) {
    this.#parts = parts;
    this.#message = message;
    this.#mailbox = mailbox;
    this.#reserved = reserved;
  }

  /** Runs `work`, whose questions to the model count here. */
  run<T>(work: () => T): T {
    return asking.run(this, work);
  }

  /** Asks the model, after the run reserved what it may use. BudgetError, or what the model rejects with. */
  async step(model: LanguageModel, request: StepRequest): Promise<ModelStep> {
    this.#reservation ??= this.#reserve();
    await this.#reservation;
    let written = 0;
    const onText = (delta: string): void => {
      written += delta.length;
      request.onText?.(delta);
    };
    try {
      const step = await model.step({ ...request, onText });
      this.#input += step.tokens.input;
      this.#output += step.tokens.output;
      return step;
    } catch (error) {
      // A model that was stopped, or whose answer broke off, has worked and sends no count.
      if (written > 0 || request.signal.aborted) {
        this.#input += estimateTokens(request.system, request.messages, request.tools);
        this.#output += estimateTokens(written);
      }
      throw error;
    }
  }

  /** Gives back what the run did not use. The outcome is a rejection where the budget kept the run from asking. */
  async end(outcome: Outcome): Promise<Outcome> {
    const run = await this.#reservation?.catch(() => undefined);
    if (run !== undefined) await this.#settle(run).catch(this.#parts.onError);
    const refused = this.#refused;
    return refused !== undefined && outcome.kind === 'retry' && outcome.done === undefined
      ? rejection(refused)
      : outcome;
  }

  /** Whether the run has asked. */
  get asked(): boolean {
    return this.#reservation !== undefined;
  }

  async #reserve(): Promise<ModelRun> {
    const { store, storage, clock } = this.#parts;
    const { id, budget } = this.#mailbox;
    const per_sender = budget?.tokens_per_sender_per_day ?? null;
    const run: ModelRun = {
      mailbox_id: id,
      day: Math.floor(clock() / DAY),
      sender: per_sender === null ? '' : storage.mark(senderOf(this.#message)),
      reserved: this.#reserved,
    };
    const per_day = budget?.tokens_per_day ?? null;
    const result = await store.modelUsage.reserve(run, { per_day, per_sender });
    if (result === 'reserved') return run;
    if (result === 'day' && (await store.modelUsage.spent(id, run.day, clock()))) this.#publish();
    this.#refused = new BudgetError(textOf(this.#mailbox, result));
    throw this.#refused;
  }

  async #settle(run: ModelRun): Promise<void> {
    const { store, clock } = this.#parts;
    const used = { input: this.#input, output: this.#output };
    if (await store.modelUsage.settle(run, used, clock())) this.#publish();
  }

  #publish(): void {
    this.#parts.bus.publishEvents(this.#mailbox.namespace_id);
  }
}

/** Whose tokens they are: of a namespace, an address outside, or the network of a guest. */
const senderOf = (message: Message): string =>
  message.sender_namespace_id ?? (message.sender_kind === 'email' ? `${message.sender_id}` : callerOf(message));

/** A rejection with the words of a budget that is used up. */
export const rejection = ({ message }: BudgetError): Outcome => ({
  kind: 'reject',
  code: 'budget_exceeded',
  detail: message,
});

function textOf(mailbox: Mailbox, limit: 'day' | 'sender'): string {
  const { tokens_per_day, tokens_per_sender_per_day } = mailbox.budget ?? {};
  const what =
    limit === 'day'
      ? `Today's budget of ${addressOf(mailbox)} is used up: its answers may take ${counted(tokens_per_day)} tokens of a language model a day.`
      : `Your budget for today at ${addressOf(mailbox)} is used up: the answers to one sender may take ${counted(tokens_per_sender_per_day)} tokens of a language model a day.`;
  return `${what} It begins again at 00:00 UTC. Send the message again then.`;
}

const counted = (tokens: number | null | undefined): string => (tokens ?? 0).toLocaleString('en-US');
