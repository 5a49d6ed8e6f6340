import type { Message, Sender } from '../../core/entities/message.ts';
import type { Incoming } from '../../core/ports/behavior.ts';
import { threadOf } from '../../core/values/ids.ts';
import type { Json } from '../../core/values/json.ts';
import type { Task } from '../../tasks/task.ts';
import type { StepReceipt } from '../do/running/receipt.ts';
import { isRelay, normal, ownWords, urlsOf, wordsOf } from './own-words.ts';

/** Their answers are made of numbers and of our own words. */
const COMPUTED: ReadonlySet<string> = new Set(['calculate', 'convert', 'time', 'random']);

/** What a reply says of itself in its data, where it is one of ours. */
interface ReadText {
  readonly kind?: string;
  readonly steps?: readonly Pick<StepReceipt, 'task' | 'effects' | 'output' | 'error'>[];
  readonly model?: { readonly tainted?: boolean };
  /** A question, or a plan alone: made of the sender's own words. */
  readonly question?: object;
  readonly dry_run?: boolean;
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
      relay || bodies.some(({ received }) => received) || pastedData(message.data) !== null || isCut(message, thread);
    for (const { data, reply_data } of thread) {
      this.tainted ||= pastedData(parsed(data)) !== null;
      this.#answered(parsed(reply_data) as ReadText | null);
    }
  }

  /** The model is shown an earlier reply of the thread. */
  #answered(read: ReadText | null): void {
    if (read === null || read.question !== undefined || read.dry_run === true) return;
    // Of another behavior, which the mailbox had then.
    if (read.kind !== 'receipt' || read.model?.tainted === true) this.tainted = true;
    for (const { task, effects, output, error } of read.steps ?? [])
      this.shown({ name: task, effects }, { output, error });
  }

  /** Whether the sender wrote this address of a page. */
  owns(url: unknown): boolean {
    const written = typeof url === 'string' ? normal(url) : undefined;
    return written !== undefined && this.#urls.has(written);
  }

  /** The model is shown what a step came to. */
  shown(
    { effects, name }: Pick<Task, 'effects' | 'name'>,
    { output, error }: Pick<StepReceipt, 'output' | 'error'>,
  ): void {
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

const parsed = (text: string | null): Json => (text === null ? null : (JSON.parse(text) as Json));

/** Whether the thread began earlier than can be seen. */
const isCut = ({ id, thread_id }: Incoming, [first]: readonly Message[]): boolean =>
  threadOf(first?.id ?? id) !== thread_id;
