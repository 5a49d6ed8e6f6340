import type { Ask, AttachedFiles, Context, Incoming, Services } from '@mailroom/behavior';
import type { Sender } from '@mailroom/behavior/message';
import { type NoteReader, type Owner, ownerOf } from '@mailroom/behavior/note';
import type { Planning, ScheduleReader } from '@mailroom/behavior/schedule';
import { splitTag } from '@mailroom/behavior/values/address';
import type { Clock } from '@mailroom/behavior/values/clock';
import { threadOf } from '@mailroom/behavior/values/ids';
import { type Json, parseJson } from '@mailroom/behavior/values/json';
import { seenIn } from '../access/thread.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import { UNRESTRICTED } from '../entities/outgoing.ts';
import { attachedFiles } from '../files/attached-files.ts';
import type { Kept } from '../ports/handlings.ts';
import { Gate } from '../review/gate.ts';
import { callerOf } from './caller-of.ts';
import type { Run } from './running.ts';
import { IDEMPOTENCY_MS, type ServiceAccess } from './service-access.ts';

/** How many messages of a thread a behavior gets. */
const MAX_THREAD = 20;

const json = (text: string | null | undefined): Json | undefined => (text == null ? undefined : parseJson(text));

/** Nothing was remembered or scheduled for the sender of a preview. */
const NO_NOTES: NoteReader = { get: async () => undefined, find: async () => [], count: async () => 0 };
const NO_SCHEDULES: ScheduleReader = { byId: async () => undefined, of: async () => [], count: async () => 0 };

/** A message as a behavior receives it. */
export function incoming(message: Message): Incoming {
  return {
    id: message.id,
    thread_id: message.thread_id,
    in_reply_to: message.in_reply_to,
    retry_of: message.retry_of,
    subject: message.subject,
    body: message.body,
    data: message.data === null ? null : parseJson(message.data),
    tag: message.to === null ? null : splitTag(message.to).tag,
    created_at: message.created_at,
    channel: message.channel,
    hops: message.hops,
    ...(message.waiting_for === 'answer' && { timed_out: true }),
  };
}

/** What the message leads to waits as its answer does, where a rule of the mailbox wants it seen. */
function asReviewed(mailbox: Mailbox, { rules }: Message): Mailbox {
  const { outgoing = UNRESTRICTED } = mailbox;
  return rules?.review === true && outgoing.review === 'never'
    ? { ...mailbox, outgoing: { ...outgoing, review: 'always' } }
    : mailbox;
}

/** What a behavior receives; rarely used parts are created on first use. */
export class RunContext implements Context<unknown>, Services {
  readonly mailbox: Mailbox;
  readonly settings: unknown;
  readonly clock: Clock;
  readonly #message: Message;
  readonly #run: Run;
  #reported = false;
  #over = false;
  #lost = false;
  #kept: Promise<Kept | undefined> | undefined;

  constructor(message: Message, mailbox: Mailbox, run: Run, clock: Clock) {
    this.mailbox = asReviewed(mailbox, message);
    this.settings = mailbox.settings;
    this.clock = clock;
    this.#message = message;
    this.#run = run;
  }

  get again(): boolean {
    return this.#run.again;
  }

  get sender(): Sender {
    const { sender_kind: kind, sender_id: id, sender_namespace_id: namespace_id, key_id, from } = this.#message;
    return { kind, id, namespace_id, key_id, from };
  }

  get caller(): string {
    return callerOf(this.#message);
  }

  get attachments(): AttachedFiles {
    return attachedFiles(this.#message, this.#run.context?.store);
  }

  get signal(): AbortSignal {
    return this.#run.signal;
  }

  report(text: string): void {
    if (this.#over) return;
    this.#reported = true;
    this.#run.progress?.add(text, Gate.mayHold(this.mailbox, this.#message));
  }

  stream(text: string): void {
    if (this.#over) return;
    this.#reported = true;
    this.#run.progress?.stream(text, Gate.mayHold(this.mailbox, this.#message));
  }

  get services(): Services {
    return this;
  }

  get owner(): Owner | undefined {
    return ownerOf(this.sender, this.mailbox.id);
  }

  get notes(): NoteReader {
    return this.#run.context?.store.notes ?? NO_NOTES;
  }

  get schedules(): ScheduleReader {
    return this.#run.context?.store.schedules ?? NO_SCHEDULES;
  }

  async planning(): Promise<Planning> {
    return this.#service.limits.planning(this.sender, this.mailbox);
  }

  async checkpoint(): Promise<Json | undefined> {
    return json((await this.#before())?.state);
  }

  async approved(): Promise<Json | undefined> {
    const kept = await this.#before();
    return kept?.approved === true ? json(kept.plan) : undefined;
  }

  async save(state: Json): Promise<void> {
    // A preview stores nothing that a later run could continue from.
    if (this.#run.context === undefined) return;
    const claim = await this.#run.claim();
    if (await this.#service.store.handlings.save(claim, JSON.stringify(state))) return;
    this.#lost = true;
    throw new Error('The claim was lost.');
  }

  async first(what: string): Promise<boolean> {
    if (this.#run.context === undefined) return true;
    const [{ states }, now, value] = [this.#service.store, this.clock(), this.#message.id];
    const [kind, id] = ['first', `${this.mailbox.id} ${what}`];
    await this.#run.claim();
    if (await states.put({ kind, id, subject: this.mailbox.id, value, expires_at: now + IDEMPOTENCY_MS }, now))
      return true;
    return (await states.get(kind, id, now))?.value === value;
  }

  async thread(): Promise<readonly Message[]> {
    const { id, thread_id } = this.#message;
    if (threadOf(id) === thread_id || this.#run.context === undefined) return [];
    const { items: all } = await this.#service.store.messages.threadEnd(thread_id, id, MAX_THREAD);
    const items = seenIn(this.mailbox.id, all);
    // A mail without the rights of an owner who writes by mail may be forged, or handed on by someone else.
    const isTrusted = ({ sender_kind, key_id }: Message): boolean => sender_kind !== 'email' || key_id !== null;
    return this.#message.key_id === null ? items : items.filter(isTrusted);
  }

  ask(step: string, ask: Ask): Promise<Message> {
    return this.#service.ask(this.#message, this.mailbox, this.#run, step, ask);
  }

  checkRecipient(address: string): Promise<void> {
    return this.#service.checkRecipient(this.#message, this.mailbox, address);
  }

  /** Marks that the run has its outcome. */
  end(): void {
    this.#over = true;
    if (this.#reported) this.#run.progress?.end();
  }

  /** Whether the run was asked to end and could know it, by its signal or by a `save` that failed. */
  get endedBySignal(): boolean {
    return this.#lost || this.#run.aborted;
  }

  get #service(): ServiceAccess {
    const { context } = this.#run;
    if (context === undefined) throw new Error('A preview may use nothing of the service.');
    return context;
  }

  /** What earlier runs saved; nothing while the message is not written. */
  #before(): Promise<Kept | undefined> {
    this.#kept ??=
      (this.again ? this.#run.context?.store.handlings.kept(this.#message.id) : undefined) ??
      Promise.resolve(undefined);
    return this.#kept;
  }
}
