import type { Incoming } from '../../core/behavior.ts';
import { threadOf } from '../../core/ids.ts';
import type { Json } from '../../core/json.ts';
import type { Message, Sender } from '../../core/message.ts';
import type { Task } from '../../tasks/task.ts';
import type { StepReceipt } from '../do/receipt.ts';
import { isRelay, normal, ownWords, urlsOf, wordsOf } from './own-words.ts';

/** Their answers are made of numbers and of our own words. */
const COMPUTED: ReadonlySet<string> = new Set(['calculate', 'convert', 'time', 'random']);

/** A receipt as far as it tells where an answer came from. */
interface Told {
  readonly kind?: string;
  readonly steps?: readonly { readonly effects?: string }[];
  readonly model?: { readonly tainted?: boolean };
}

/** Fields of `data` that only say what is to be done with the message. */
const SWITCHES: ReadonlySet<string> = new Set(['dry_run']);

/** What the sender's `data` holds beside switches; null when there is nothing. */
export function pastedData(data: Json): Json {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return data;
  const rest = Object.entries(data).filter(([name]) => !SWITCHES.has(name));
  return rest.length === 0 ? null : Object.fromEntries(rest);
}

/**
 * What of a run is the sender's own, and whether the model has been shown anything that is not: from then on what has
 * effects needs the owner's approval. Words and addresses of pages are the sender's when they stand in their own text.
 */
export class Taint {
  tainted: boolean;
  readonly #words: ReadonlySet<string>;
  readonly #urls: ReadonlySet<string>;

  constructor(message: Incoming, sender: Pick<Sender, 'kind'>, thread: readonly Message[]) {
    const relay = isRelay(sender);
    const bodies = [...thread, message].map(({ subject, body }) => ownWords(`${subject ?? ''}\n${body}`));
    const own = relay ? '' : bodies.map(({ own }) => own).join('\n');
    this.#words = new Set(wordsOf(own));
    this.#urls = new Set(urlsOf(own));
    this.tainted =
      relay || bodies.some(({ received }) => received) || pastedData(message.data) !== null || isOld(message, thread);
  }

  /** Whether the sender wrote this address of a page. */
  owns(url: unknown): boolean {
    const written = typeof url === 'string' ? normal(url) : undefined;
    return written !== undefined && this.#urls.has(written);
  }

  /** The model is shown what a step came to. */
  shown({ effects, name }: Task, { output, error }: StepReceipt): void {
    if (effects !== 'none') this.tainted = true;
    // What was packed is read now: decoded, taken out of JSON, put together by a script.
    else if (!COMPUTED.has(name)) this.tainted ||= !this.#knows(output) || !this.#knows(error);
  }

  /** The names of the first level are the task's own. */
  #knows(value: Json, inside = false): boolean {
    if (typeof value === 'string') return wordsOf(value).every((word) => this.#words.has(word));
    if (typeof value !== 'object' || value === null) return true;
    const names = inside && !Array.isArray(value) ? Object.keys(value) : [];
    return [...names, ...(Object.values(value) as Json[])].every((one) => this.#knows(one, true));
  }
}

/** Whether the thread before holds what was received, or began earlier than can be seen. */
function isOld(message: Incoming, thread: readonly Message[]): boolean {
  const [first] = thread;
  if (first === undefined) return threadOf(message.id) !== message.thread_id;
  if (threadOf(first.id) !== message.thread_id) return true;
  return thread.some(({ data, reply_data }) => {
    if (pastedData(data === null ? null : (JSON.parse(data) as Json)) !== null) return true;
    const { kind, steps = [], model } = (reply_data === null ? {} : (JSON.parse(reply_data) ?? {})) as Told;
    return kind === 'receipt' && (model?.tainted ?? steps.some(({ effects }) => effects !== 'none'));
  });
}
