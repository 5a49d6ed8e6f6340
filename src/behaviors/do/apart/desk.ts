import type { Context, Incoming, Outcome } from '../../../core/behavior.ts';
import type { Millis } from '../../../core/clock.ts';
import { SECOND } from '../../../core/clock.ts';
import { JsonText } from '../../../core/json.ts';
import type { Signer } from '../../../keyring/jws.ts';
import type { Listener } from '../../../workers/batch-thread.ts';
import { BatchThread } from '../../../workers/batch-thread.ts';
import { PoolError } from '../../../workers/pool.ts';
import type { Party } from '../owner/rights.ts';
import type { Settings } from '../owner/settings.ts';
import type { Plan } from '../plan/index.ts';
import type { Before, Earlier } from '../reading/thread.ts';
import { NOTHING_BEFORE } from '../reading/thread.ts';
import { outcomeOf } from '../running/ended.ts';
import type { ExecutionLimits } from '../running/execution.ts';
import type { Asked, Came, Job, Saying, ThreadData } from './wire.ts';

export interface DeskOptions {
  readonly limits: ExecutionLimits;
  /** What signs receipts now. */
  readonly signer: () => Signer;
  /** How long the thread may say nothing beyond the time of a step: it may have to start first, on a busy machine. */
  readonly slack_ms?: Millis;
}

/** What else counts for what a message comes to. */
export interface Given {
  /** Its mailbox's full address. */
  readonly mailbox: string;
  readonly party: Party;
  readonly before: Before;
  /** Runs what does not stand alone. */
  readonly execute: (plan: Plan) => Outcome | Promise<Outcome>;
}

/** Longer settings, in characters, are not handed on with each message. */
const SETTINGS_MOST = 16 * 1024;
const SLACK_MS = 20 * SECOND;

/** A message while it is with the thread. */
class Watching implements Listener<Saying> {
  readonly #context: Context<Settings>;

  constructor(context: Context<Settings>) {
    this.#context = context;
  }

  get signal(): AbortSignal {
    return this.#context.signal;
  }

  heard(told: Saying): void {
    if ('report' in told) this.#context.report(told.report);
    // What is not kept is done again, should this process end: the thread does not wait for it.
    else this.#context.outside.save(told.checkpoint).catch(() => undefined);
  }
}

/**
 * A thread that reads messages, and does what follows from them alone: whoever waits for something else is not held up by
 * long instructions, and the thread that answers HTTP does none of it.
 */
export class Desk {
  readonly #options: DeskOptions;
  readonly #thread: BatchThread<Asked, Came, Saying>;
  readonly #texts = new WeakMap<Settings, string>();
  /** The one that the thread has. */
  #signs: Signer | undefined;
  /** What is tried again, one after the other: of those that were with a thread that died one may be why. */
  #again: Promise<unknown> = Promise.resolve();

  constructor(options: DeskOptions) {
    this.#options = options;
    const { limits, signer, slack_ms = SLACK_MS } = options;
    this.#thread = new BatchThread({
      name: 'do',
      script: new URL('./worker.ts', import.meta.url),
      data: (): ThreadData => {
        this.#signs = signer();
        return { limits, signer: this.#signs };
      },
      run_ms: limits.ms + slack_ms,
    });
  }

  /** Undefined when it has to be read here. */
  begin(
    message: Pick<Incoming, 'id' | 'body' | 'data'>,
    context: Context<Settings>,
    { mailbox, party, before, execute }: Given,
  ): Promise<Outcome> | undefined {
    const { settings } = context;
    const text = this.#textOf(settings);
    if (text.length > SETTINGS_MOST || this.#thread.broken) return undefined;
    const at = performance.timeOrigin + performance.now();
    const earlier = before === NOTHING_BEFORE ? null : toldOf(before);
    const job: Job = [message.id, message.body, message.data, context.clock(), at, mailbox, text, party, earlier];
    const watching = new Watching(context);
    return this.#run(job, watching).then(
      (came) => cameTo(came, execute),
      (error: unknown) => this.#lost(job, watching, execute, error),
    );
  }

  /** Loads what takes long, for who is about to write. */
  prepare(): void {
    this.#thread.run('prepare').catch(() => undefined);
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  #run(job: Job, watching: Watching): Promise<Came> {
    const signer = this.#options.signer();
    if (this.#signs !== undefined && this.#signs !== signer) {
      this.#signs = signer;
      // When this is lost the thread is gone, and the next one begins with it.
      this.#thread.run(signer).catch(() => undefined);
    }
    return this.#thread.run(job, watching);
  }

  /** The thread died with it, or was stuck: once more, and what ends a thread twice is not tried where it would end more. */
  async #lost(job: Job, watching: Watching, execute: Given['execute'], error: unknown): Promise<Outcome> {
    if (!(error instanceof PoolError) || error.reason === 'closed') throw error;
    const again = this.#again.then(() => this.#run(job, watching));
    this.#again = again.catch(() => undefined);
    try {
      return await cameTo(await again, execute);
    } catch (second) {
      if (!(second instanceof PoolError) || second.reason === 'closed') throw second;
      return second.reason === 'timeout' ? TOO_LONG : TWICE;
    }
  }

  #textOf(settings: Settings): string {
    let text = this.#texts.get(settings);
    if (text === undefined) {
      text = JSON.stringify(settings);
      this.#texts.set(settings, text);
    }
    return text;
  }
}

/** What the thread needs of it. */
const toldOf = ({ output, body, about, answers }: Before): Earlier => ({
  output,
  ...(body !== undefined && { body }),
  ...(about !== undefined && { about }),
  ...(answers !== undefined && { answers }),
});

const TOO_LONG: Outcome = { kind: 'fail', detail: 'It took too long, and was ended. Nothing was done.' };
const TWICE: Outcome = { kind: 'fail', detail: 'What worked on it ended, twice. Nothing was done. Send it in parts.' };

function cameTo(came: Came, execute: Given['execute']): Outcome | Promise<Outcome> {
  if (came === null) throw new Error('The thread answered nothing.');
  if ('kind' in came) return came.kind === 'outcome' ? came.outcome : execute(came.plan);
  const [body, detail, receipt] = came;
  return outcomeOf({ body, detail }, new JsonText(receipt), []);
}
