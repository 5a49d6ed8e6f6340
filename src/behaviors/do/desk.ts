import type { Incoming, Outcome } from '../../core/behavior.ts';
import type { Millis } from '../../core/clock.ts';
import { SECOND } from '../../core/clock.ts';
import { JsonText } from '../../core/json.ts';
import type { Signer } from '../../keyring/jws.ts';
import { BatchThread } from '../../workers/batch-thread.ts';
import { PoolError } from '../../workers/pool.ts';
import { outcomeOf } from './ended.ts';
import type { ExecutionLimits } from './execution.ts';
import type { Plan } from './plan.ts';
import type { Party } from './rights.ts';
import type { Settings } from './settings.ts';
import type { Asked, Came, Job, ThreadData } from './wire.ts';

export interface DeskOptions {
  readonly limits: ExecutionLimits;
  /** What signs receipts now. */
  readonly signer: () => Signer;
}

/** What else counts for what a message comes to. */
export interface Given {
  readonly now: Millis;
  /** Its full address. */
  readonly mailbox: string;
  readonly settings: Settings;
  readonly party: Party;
  /** Runs what does not stand alone. */
  readonly execute: (plan: Plan) => Outcome | Promise<Outcome>;
}

/** Longer settings, in characters, are not handed on with each message. */
const SETTINGS_MOST = 16 * 1024;
/** Beyond the time of a step: several of them are done before the thread answers. */
const SLACK_MS = 20 * SECOND;

/**
 * A thread that reads messages, and does what follows from them alone: whoever waits for something else is not held up by
 * long instructions, and the thread that answers HTTP does none of it.
 */
export class Desk {
  readonly #options: DeskOptions;
  readonly #thread: BatchThread<Asked, Came>;
  readonly #texts = new WeakMap<Settings, string>();
  /** The one that the thread has. */
  #signs: Signer | undefined;
  /** What is tried again, one after the other: of those that were with a thread that died one may be why. */
  #again: Promise<unknown> = Promise.resolve();

  constructor(options: DeskOptions) {
    this.#options = options;
    const { limits, signer } = options;
    this.#thread = new BatchThread({
      name: 'do',
      script: new URL('./worker.ts', import.meta.url),
      data: (): ThreadData => {
        this.#signs = signer();
        return { limits, signer: this.#signs };
      },
      run_ms: limits.ms + SLACK_MS,
    });
  }

  /** Undefined when it has to be read here. */
  begin(message: Pick<Incoming, 'id' | 'body' | 'data'>, given: Given): Promise<Outcome> | undefined {
    const { now, mailbox, settings, party, execute } = given;
    const text = this.#textOf(settings);
    if (text.length > SETTINGS_MOST || this.#thread.broken) return undefined;
    const at = performance.timeOrigin + performance.now();
    const job: Job = [message.id, message.body, message.data, now, at, mailbox, text, party];
    return this.#run(job).then(
      (came) => cameTo(came, execute),
      (error: unknown) => this.#lost(job, execute, error),
    );
  }

  /** Loads what takes long, for who is about to write. */
  prepare(): void {
    this.#thread.run('prepare').catch(() => undefined);
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  #run(job: Job): Promise<Came> {
    const signer = this.#options.signer();
    if (this.#signs !== undefined && this.#signs !== signer) {
      this.#signs = signer;
      // When this is lost the thread is gone, and the next one begins with it.
      this.#thread.run(signer).catch(() => undefined);
    }
    return this.#thread.run(job);
  }

  /** The thread died with it, or was stuck: once more, and what ends a thread twice is not tried where it would end more. */
  async #lost(job: Job, execute: Given['execute'], error: unknown): Promise<Outcome> {
    if (!(error instanceof PoolError) || error.reason === 'closed') throw error;
    const again = this.#again.then(() => this.#run(job));
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

const TOO_LONG: Outcome = { kind: 'fail', detail: 'It took too long, and was ended. Nothing was done.' };
const TWICE: Outcome = { kind: 'fail', detail: 'What worked on it ended, twice. Nothing was done. Send it in parts.' };

function cameTo(came: Came, execute: Given['execute']): Outcome | Promise<Outcome> {
  if (came === null) throw new Error('The thread answered nothing.');
  if ('kind' in came) return came.kind === 'outcome' ? came.outcome : execute(came.plan);
  const [body, detail, receipt] = came;
  return outcomeOf({ body, detail }, new JsonText(receipt), []);
}
