import type { Mailbox } from '../entities/mailbox.ts';
import type { Message, Sender } from '../entities/message.ts';
import type { Owner } from '../entities/note.ts';
import { ownerOf } from '../entities/note.ts';
import type { Ask, Context, Incoming, Services } from '../ports/behavior.ts';
import type { Kept, Notes, Schedules } from '../ports/store.ts';
import { splitTag } from '../values/address.ts';
import type { Clock } from '../values/clock.ts';
import { threadOf } from '../values/ids.ts';
import type { Json } from '../values/json.ts';
import { callerOf } from './caller-of.ts';
import type { Planning } from './effect-limits.ts';
import type { Progress } from './progress.ts';
import type { ServiceAccess } from './service-access.ts';
import { IDEMPOTENCY_MS } from './service-access.ts';

/** How many messages of a thread a behavior gets. */
const MAX_THREAD = 20;

const json = (text: string | null | undefined): Json | undefined => (text == null ? undefined : JSON.parse(text));

/** A message as a behavior receives it. */
export function incoming(message: Message): Incoming {
  return {
    id: message.id,
    thread_id: message.thread_id,
    in_reply_to: message.in_reply_to,
    retry_of: message.retry_of,
    subject: message.subject,
    body: message.body,
    data: message.data === null ? null : JSON.parse(message.data),
    tag: splitTag(message.to).tag,
    created_at: message.created_at,
    channel: message.channel,
    hops: message.hops,
  };
}

interface RunContextParts {
  readonly clock: Clock;
  readonly progress: Progress | undefined;
  readonly service: ServiceAccess | undefined;
  readonly again: boolean;
}

/** What a behavior receives; rarely used parts are created on first use. */
export class RunContext implements Context<unknown>, Services {
  readonly mailbox: Mailbox;
  readonly settings: unknown;
  readonly clock: Clock;
  readonly again: boolean;
  readonly #message: Message;
  readonly #makeSignal: () => AbortSignal;
  readonly #parts: RunContextParts;
  #reported = false;
  #over = false;
  #lost = false;
  #signal: AbortSignal | undefined;
  #kept: Promise<Kept | undefined> | undefined;

  constructor(message: Message, mailbox: Mailbox, makeSignal: () => AbortSignal, parts: RunContextParts) {
    this.mailbox = mailbox;
    this.settings = mailbox.settings;
    this.clock = parts.clock;
    this.again = parts.again;
    this.#message = message;
    this.#makeSignal = makeSignal;
    this.#parts = parts;
  }

  get sender(): Sender {
    const { sender_kind: kind, sender_id: id, sender_namespace_id: namespace_id, key_id, from } = this.#message;
    return { kind, id, namespace_id, key_id, from };
  }

  get caller(): string {
    return callerOf(this.#message);
  }

  get signal(): AbortSignal {
    this.#signal ??= this.#makeSignal();
    return this.#signal;
  }

  report(text: string): void {
    if (this.#over) return;
    this.#reported = true;
    this.#parts.progress?.add(this.#message, text);
  }

  stream(text: string): void {
    if (this.#over || this.#parts.progress === undefined) return;
    this.#reported = true;
    this.#parts.progress.stream(this.#message, text);
  }

  get services(): Services {
    return this;
  }

  get owner(): Owner | undefined {
    return ownerOf(this.sender, this.mailbox.id);
  }

  get notes(): Notes {
    return this.#service.store.notes;
  }

  get schedules(): Schedules {
    return this.#service.store.schedules;
  }

  async planning(): Promise<Planning> {
    const { limits } = this.#service;
    if (limits === undefined) throw new Error('Nothing can be planned here.');
    return limits.planning(this.sender, this.mailbox);
  }

  async checkpoint(): Promise<Json | undefined> {
    return json((await this.#before())?.checkpoint);
  }

  async approved(): Promise<Json | undefined> {
    const kept = await this.#before();
    return kept?.approved === true ? json(kept.plan) : undefined;
  }

  async save(state: Json): Promise<void> {
    // A preview stores nothing that a later run could continue from.
    if (this.#parts.service === undefined) return;
    const claim = await this.#service.claimOf(this.#message.id, this.signal);
    if (await this.#service.store.jobs.save(claim, JSON.stringify(state))) return;
    this.#lost = true;
    throw new Error('The claim was lost.');
  }

  async first(what: string): Promise<boolean> {
    if (this.#parts.service === undefined) return true;
    const [{ states }, now, value] = [this.#service.store, this.clock(), this.#message.id];
    const [kind, id] = ['first', `${this.mailbox.id} ${what}`];
    await this.#service.claimOf(value, this.signal);
    if (await states.put({ kind, id, subject: this.mailbox.id, value, expires_at: now + IDEMPOTENCY_MS }, now))
      return true;
    return (await states.get(kind, id, now))?.value === value;
  }

  async thread(): Promise<readonly Message[]> {
    const { id, thread_id } = this.#message;
    if (threadOf(id) === thread_id || this.#parts.service === undefined) return [];
    return (await this.#service.store.messages.threadEnd(thread_id, id, MAX_THREAD)).items;
  }

  ask(step: string, ask: Ask): Promise<Message> {
    return this.#service.ask(this.#message, this.mailbox, step, ask, this.signal);
  }

  /** Marks that the run has its outcome. */
  end(): void {
    this.#over = true;
    if (this.#reported) this.#parts.progress?.end(this.#message.id);
  }

  /** Whether the run was asked to end and could know it, by its signal or by a `save` that failed. */
  get endedBySignal(): boolean {
    return this.#lost || this.#signal?.aborted === true;
  }

  get #service(): ServiceAccess {
    const { service } = this.#parts;
    if (service === undefined) throw new Error('Nothing is in reach of a preview.');
    return service;
  }

  /** What earlier runs of the job saved; nothing while the message is not written. */
  #before(): Promise<Kept | undefined> {
    this.#kept ??=
      (this.again ? this.#parts.service?.store.jobs.kept(this.#message.id) : undefined) ?? Promise.resolve(undefined);
    return this.#kept;
  }
}
