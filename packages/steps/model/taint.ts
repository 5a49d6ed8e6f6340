import type { Incoming } from '@mailroom/behavior';
import type { Sender, ThreadMessage } from '@mailroom/behavior/message';
import { threadOf } from '@mailroom/behavior/values/ids';
import type { Json, JsonObject } from '@mailroom/behavior/values/json';
import type { Task } from '@mailroom/english-instructions/tasks/task';
import type { StepReceipt } from '../running/receipt.ts';
import { isRelay, normal, ownWords, urlsOf, wordsOf } from './own-words.ts';

/** Tasks whose answers consist of numbers and fixed words. */
const COMPUTED: ReadonlySet<string> = new Set(['calculate', 'convert', 'time', 'random']);

/** The fields of a reply's data, where this service made it. */
interface ReadText {
  readonly kind?: string;
  readonly steps?: readonly Pick<StepReceipt, 'task' | 'effects' | 'output' | 'error'>[];
  readonly model?: { readonly tainted?: boolean };
  /** A question or a plan alone consists of the sender's own words. */
  readonly question?: object;
  readonly dry_run?: boolean;
}

/** Fields of `data` that only control how the message is handled. */
const SWITCHES: ReadonlySet<string> = new Set(['dry_run']);

/** The sender's `data` without such fields; null when nothing is left. */
export function pastedData(data: Json): Json {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return data;
  const rest = Object.entries(data).filter(([name]) => !SWITCHES.has(name));
  return rest.length === 0 ? null : Object.fromEntries(rest);
}

/**
 * Tracks which text of a run is the sender's own, and whether the model has seen other text, after which steps with effects
 * need the owner's approval. Words and URLs are the sender's own when they occur in the sender's text.
 */
export class Taint {
  tainted: boolean;
  readonly #text: string;
  readonly #words: ReadonlySet<string>;
  readonly #urls: ReadonlySet<string>;

  constructor(message: Incoming, sender: Pick<Sender, 'kind'>, thread: readonly ThreadMessage[]) {
    const relay = isRelay(sender);
    const bodies = [...thread, message].map(({ subject, body }) => ownWords(`${subject ?? ''}\n${body}`));
    const ownerText = relay ? '' : bodies.map(({ own }) => own).join('\n');
    this.#text = inWords(ownerText);
    this.#words = new Set(wordsOf(ownerText));
    this.#urls = new Set(urlsOf(ownerText));
    this.tainted =
      relay || bodies.some(({ received }) => received) || pastedData(message.data) !== null || isCut(message, thread);
    for (const { data, reply, attachments = [] } of thread) {
      this.tainted ||= attachments.length > 0 || pastedData(parsed(data)) !== null;
      this.#answered(parsed(reply?.data ?? null) as ReadText | null);
    }
  }

  /** Records that the model sees an earlier reply of the thread. */
  #answered(read: ReadText | null): void {
    if (read === null || read.question !== undefined || read.dry_run === true) return;
    // The reply is by another behavior that the mailbox had then.
    if (read.kind !== 'receipt' || read.model?.tainted === true) this.tainted = true;
    for (const { task, effects, output, error } of read.steps ?? [])
      this.shown({ name: task, effects }, { output, error });
  }

  /** Whether the sender wrote this URL. */
  owns(url: unknown): boolean {
    const written = typeof url === 'string' ? normal(url) : undefined;
    return written !== undefined && this.#urls.has(written);
  }

  /** Whether the arguments of a call are pieces of the sender's text, under properties of its schema. */
  ownsArguments(input: JsonObject, { properties = {} }: { readonly properties?: object }): boolean {
    return Object.entries(input).every(([name, value]) => Object.hasOwn(properties, name) && this.#ownsValue(value));
  }

  #ownsValue(value: Json): boolean {
    if (typeof value === 'boolean' || value === null) return true;
    if (Array.isArray(value)) return value.every((one) => this.#ownsValue(one));
    if (typeof value === 'object') return false;
    const piece = inWords(String(value));
    return piece === '' ? String(value).trim() === '' : ` ${this.#text} `.includes(` ${piece} `);
  }

  /** Records that the model sees the result of a step. */
  shown(
    { effects, name }: Pick<Task, 'effects' | 'name'>,
    { output, error }: Pick<StepReceipt, 'output' | 'error'>,
  ): void {
    if (effects !== 'none') this.tainted = true;
    // Such a task may reveal hidden text, by decoding, by taking it out of JSON, or in a script.
    else if (!COMPUTED.has(name)) this.tainted ||= !this.#knows(output) || !this.#knows(error);
  }

  /** `inside`: below the first level, where names of properties count too; the first level's names are the task's own. */
  #knows(value: Json, inside = false): boolean {
    if (typeof value === 'string') return wordsOf(value).every((word) => this.#words.has(word));
    if (typeof value !== 'object' || value === null) return true;
    const names = inside && !Array.isArray(value) ? Object.keys(value) : [];
    return [...names, ...(Object.values(value) as Json[])].every((one) => this.#knows(one, true));
  }
}

/** The words and numbers of a text in lower case, with single spaces. */
const inWords = (text: string): string => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');

const parsed = (text: string | null): Json => (text === null ? null : (JSON.parse(text) as Json));

/** Whether the thread has earlier messages that are not shown. */
const isCut = ({ id, thread_id }: Incoming, [first]: readonly ThreadMessage[]): boolean =>
  threadOf(first?.id ?? id) !== thread_id;
