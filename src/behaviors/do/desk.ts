import type { Outcome } from '../../core/behavior.ts';
import { SECOND } from '../../core/clock.ts';
import { JsonText } from '../../core/json.ts';
import type { Signer } from '../../keyring/jws.ts';
import { Lane } from '../../workers/lane.ts';
import { outcomeOf } from './ended.ts';
import type { ExecutionLimits } from './execution.ts';
import type { Plan } from './plan.ts';
import type { Settings } from './settings.ts';
import type { Asked, Came, Job, ThreadData } from './wire.ts';

export interface DeskOptions {
  readonly limits: ExecutionLimits;
  /** What signs receipts now. */
  readonly signer: () => Signer;
}

/** Longer settings are not handed on with each message. */
const SETTINGS_MOST = 16 * 1024;
/** Beyond the time of a step: nothing that it does takes so long. */
const SLACK_MS = 20 * SECOND;

/**
 * A thread that reads messages, and does what follows from them alone: whoever waits for something else is not held up by
 * long instructions, and the thread that answers HTTP does none of it.
 */
export class Desk {
  readonly #signer: () => Signer;
  readonly #lane: Lane<Asked, Came>;
  readonly #texts = new WeakMap<Settings, string>();
  /** The one that the thread has. */
  #signs: Signer | undefined;

  constructor({ limits, signer }: DeskOptions) {
    this.#signer = signer;
    this.#lane = new Lane({
      name: 'do',
      script: new URL('./worker.ts', import.meta.url),
      data: (): ThreadData => {
        this.#signs = signer();
        return { limits, signer: this.#signs };
      },
      run_ms: limits.ms + SLACK_MS,
    });
  }

  /** Its outcome, or the plan of what has to run here; undefined when it has to be read here. */
  begin(job: Omit<Job, 'settings'>, settings: Settings): Promise<Outcome | Plan> | undefined {
    const text = this.#textOf(settings);
    if (text.length > SETTINGS_MOST) return undefined;
    const signer = this.#signer();
    if (this.#signs !== undefined && this.#signs !== signer) {
      this.#signs = signer;
      // What it could not take is signed by the key before, which is published as well.
      this.#lane.run(signer).catch(() => undefined);
    }
    return this.#lane.run({ ...job, settings: text }).then(cameTo);
  }

  prepare(): void {
    this.#lane.run('prepare').catch(() => undefined);
  }

  close(): Promise<void> {
    return this.#lane.close();
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

function cameTo(came: Came): Outcome | Plan {
  switch (came?.kind) {
    case 'ended':
      return outcomeOf(came, new JsonText(came.data), []);
    case 'outcome':
      return came.outcome;
    case 'plan':
      return came.plan;
    default:
      throw new Error('The thread answered nothing.');
  }
}
