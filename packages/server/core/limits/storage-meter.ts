import { createHmac } from 'node:crypto';
import type { Effect } from '@mailroom/behavior/effect';
import { type Clock, DAY, type Millis, SECOND } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import type { Message } from '../entities/message.ts';
import { STRANGERS, sizeOfEffects, sizeOfReply } from '../entities/storage-size.ts';
import type { StorageTotal } from '../ports/storage.ts';
import type { Store } from '../ports/store.ts';
import { Recent } from '../values/limits.ts';
import { ownersUrl } from '../values/owners-url.ts';
import { sizeReplaced } from './replaced-size.ts';
import { type Entry, maxOf, networkText, type Payer, refusalOf, type StorageLimits } from './storage-refusal.ts';

/** What a namespace stores and may store, in bytes. */
export interface StorageUse {
  readonly bytes: number;
  readonly max_bytes: number;
  /** From 80 % on. */
  readonly nearly_full: boolean;
}

/** A namespace and what it stores, and may store, in bytes. */
export interface NearlyFull {
  readonly id: string;
  readonly name: string;
  readonly bytes: number;
  readonly max_bytes: number;
}

/** From this share of what it may store on a namespace is nearly full. */
const NEARLY_FULL = 0.8;
const FLUSH_MS = SECOND;
/** Distinguishes networks of guests, and sources of mail, from networks that created namespaces. */
const [GUESTS, MAILS] = ['guests ', 'mails '];
/** Networks whose marks are remembered. */
const MAX_MARKS = 1_000;

/**
 * Counts the bytes that callers store and refuses what exceeds a limit: in memory, exact for this node, without a query.
 * Each second it adds its changes to the table that all nodes share and reads the totals, so several nodes together
 * exceed a limit by at most a second of writes. A crash forgets at most a second.
 */
export class StorageMeter implements AsyncDisposable {
  readonly #store: Pick<Store, 'storage' | 'namespaces' | 'notes' | 'schedules'>;
  readonly #clock: Clock;
  readonly #limits: StorageLimits;
  readonly #marks = new Map<string, string>();
  readonly #secret: string;
  readonly #owners: () => string;
  readonly #onNearlyFull: ((namespace: NearlyFull) => void) | undefined;
  readonly #entries = new Recent<Entry>();
  readonly #loading = new Map<string, Promise<Entry>>();
  /** Entries with changes to flush, or whose totals are to be read. */
  #changed = new Set<Entry>();
  /** By message id: who pays for the reply, where no column says it. */
  readonly #payers = new Recent<Payer>();
  readonly #timer: NodeJS.Timeout;
  #flushing: Promise<void> = Promise.resolve();

  /** `secret` keeps addresses of networks from being derived from the database. */
  constructor(
    parts: {
      readonly store: Pick<Store, 'storage' | 'namespaces' | 'notes' | 'schedules'>;
      readonly clock: Clock;
      readonly secret: string;
      /** Called when the owner of a namespace was told, by an event, that it is nearly full. */
      readonly onNearlyFull?: ((namespace: NearlyFull) => void) | undefined;
      /** The service's URL, below which the console is. */
      readonly baseUrl: () => string;
      readonly onError: (error: unknown) => void;
    },
    limits: StorageLimits,
  ) {
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#onNearlyFull = parts.onNearlyFull;
    this.#owners = () => ownersUrl(parts.baseUrl());
    this.#secret = parts.secret;
    this.#limits = limits;
    this.#timer = setInterval(() => void this.flush().catch(parts.onError), FLUSH_MS);
    this.#timer.unref();
  }

  /** The keyed hash that stands for a network in stored data. */
  mark(network: string): string {
    const known = this.#marks.get(network);
    if (known !== undefined) return known;
    const mark = `net_${createHmac('sha256', this.#secret).update(network).digest('base64url').slice(0, 22)}`;
    if (this.#marks.size >= MAX_MARKS) this.#marks.clear();
    this.#marks.set(network, mark);
    return mark;
  }

  /** Takes `bytes` before anything is written; synchronous when the payer is known. AppError `storage_full`. */
  reserve(payer: Payer | undefined, bytes: number): void | Promise<void> {
    if (payer === undefined) return undefined;
    const entry = this.#entryOf(payer);
    if (entry instanceof Promise) return entry.then((one) => this.#take(one, payer, bytes));
    return this.#take(entry, payer, bytes);
  }

  /** Counts what was written in any case, or gives back (negative) what was removed or not written. */
  add(payer: Payer | undefined, bytes: number): void {
    if (payer === undefined || bytes === 0) return;
    const entry = this.#entryOf(payer);
    if (entry instanceof Promise) entry.then((one) => this.#put(one, bytes)).catch(() => {});
    else this.#put(entry, bytes);
  }

  /** Reserves what a write adds, or gives back what it frees; a write that fails counts nothing. */
  async writing<T>(payer: Payer, bytes: number, write: () => Promise<T>, written: (result: T) => boolean): Promise<T> {
    if (bytes > 0) await this.reserve(payer, bytes);
    let done = false;
    try {
      const result = await write();
      done = written(result);
      return result;
    } finally {
      if (done && bytes < 0) this.add(payer, bytes);
      if (!done && bytes > 0) this.add(payer, -bytes);
    }
  }

  /** Reserves room for a new namespace created from this network. AppError `storage_full`. */
  async reserveNew(network: string, bytes: number): Promise<void> {
    const entry = await this.#entry(this.mark(network), null);
    if (bytes === 0 || entry.stored + entry.added + bytes <= this.#limits.network) return;
    this.#changed.add(entry);
    throw full(networkText(this.#limits, this.#owners()));
  }

  /** Records the payer of a reply that is written later, where that is not the sender's namespace. */
  answersLater(message: Message, payer: Payer): void {
    this.#payers.set(message.id, payer);
  }

  /** Counts the settlement of a message, once it is written. */
  settled(message: Message, payer: Payer | undefined = this.payerOf(message)): void {
    this.add(payer, sizeOfReply(message));
  }

  payerOf({ id, sender_namespace_id }: Message): Payer | undefined {
    const payer = this.#payers.get(id);
    if (payer !== undefined || sender_namespace_id === null) return payer;
    return { kind: 'namespace', id: sender_namespace_id };
  }

  /** Takes what these effects add and returns how much that was. AppError `storage_full`. */
  async reserveEffects(message: Message, effects: readonly Effect[]): Promise<number> {
    const bytes = sizeOfEffects(effects) - (await sizeReplaced(message, effects, this.#store));
    const payer = this.payerOf(message);
    if (bytes <= 0) this.add(payer, bytes);
    else await this.reserve(payer, bytes);
    return bytes;
  }

  /** What the namespace stores, and may store, in bytes. */
  async use(namespaceId: string): Promise<StorageUse> {
    const entry = await this.#entryOf({ kind: 'namespace', id: namespaceId });
    // Other nodes write as well, so the next flush reads the total.
    this.#changed.add(entry);
    const max_bytes = maxOf(entry.claimed, this.#limits);
    const bytes = Math.max(0, entry.stored + entry.added);
    return { bytes, max_bytes, nearly_full: bytes >= NEARLY_FULL * max_bytes };
  }

  /** How many namespaces are nearly full. */
  countNearlyFull(): Promise<number> {
    const from = (claimed: boolean): number => Math.ceil(NEARLY_FULL * maxOf(claimed, this.#limits));
    return this.#store.storage.countFrom({ claimed: from(true), unclaimed: from(false) });
  }

  /** Where a person claims a namespace. */
  get claim_url(): string {
    return this.#owners();
  }

  /** Whether a person has claimed the namespace. */
  async isClaimed(namespaceId: string): Promise<boolean> {
    const entry = this.#entryOf({ kind: 'namespace', id: namespaceId });
    return (await entry).claimed;
  }

  /** A person claims the namespace: from now on it counts for itself alone. */
  async claim(namespaceId: string, now: Millis): Promise<void> {
    // Changes that are not flushed still count for its network.
    await this.flush();
    if (!(await this.#store.namespaces.claim(namespaceId, now))) return;
    // An entry that is being loaded may have read its totals before the claim.
    const entry = this.#entries.get(namespaceId) ?? (await this.#loading.get(namespaceId));
    if (entry === undefined) return;
    entry.claimed = true;
    entry.network = undefined;
    this.#changed.add(entry);
  }

  /** Writes the changes since the last flush and reads the totals. Rejects with AppError `unavailable`. */
  flush(): Promise<void> {
    const before = this.#flushing;
    this.#flushing = before.catch(() => {}).then(() => this.#flush());
    return this.#flushing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.flush().catch(() => {});
  }

  #entryOf(payer: Payer): Entry | Promise<Entry> {
    if (payer.kind === 'namespace') {
      const whole = this.#entry(payer.id, null);
      return payer.stranger === true ? this.#strangersIn(payer.id, whole) : whole;
    }
    const now = this.#clock();
    const day = Math.floor(now / DAY);
    const source =
      payer.kind === 'guests'
        ? `${GUESTS}${day} ${payer.network}`
        : `${MAILS}${day} ${[payer.source, payer.to?.id ?? []].flat().join(' ')}`;
    return this.#entry(this.mark(source), (day + 2) * DAY);
  }

  /** What strangers sent counts for its part of the namespace, and of the network that an unclaimed one was created from. */
  #strangersIn(id: string, namespace: Entry | Promise<Entry>): Entry | Promise<Entry> {
    if (namespace instanceof Promise) return namespace.then((whole) => this.#strangersIn(id, whole));
    const part = this.#entry(`${STRANGERS}${id}`, null);
    const { network } = namespace;
    const share = network && this.#entry(`${STRANGERS}${network.subject}`, null);
    if (part instanceof Promise || share instanceof Promise)
      return Promise.all([part, share]).then(() => this.#strangersIn(id, namespace));
    part.whole = namespace;
    part.network = share;
    return part;
  }

  #entry(subject: string, expires_at: Millis | null): Entry | Promise<Entry> {
    const known = this.#entries.get(subject);
    if (known !== undefined) return known;
    const loading = this.#loading.get(subject) ?? this.#load(subject, expires_at);
    this.#loading.set(subject, loading);
    return loading;
  }

  async #load(subject: string, expires_at: Millis | null): Promise<Entry> {
    try {
      // The entry was evicted from memory while it still had changes.
      const kept = [...this.#changed].find((entry) => entry.subject === subject);
      if (kept !== undefined) return kept;
      const [total] = await this.#store.storage.totals([subject]);
      const entry: Entry = {
        subject,
        expires_at,
        stored: 0,
        added: 0,
        name: null,
        claimed: false,
        warned_at: 0,
        network: undefined,
        whole: undefined,
      };
      if (total !== undefined) await this.#learn(entry, total);
      this.#entries.set(subject, entry);
      return entry;
    } finally {
      this.#loading.delete(subject);
    }
  }

  async #learn(entry: Entry, { bytes, name, network, claimed }: StorageTotal): Promise<void> {
    entry.stored = bytes;
    entry.name = name;
    entry.claimed ||= claimed;
    if (entry.claimed || network === null) entry.network = undefined;
    else if (entry.network?.subject !== network) entry.network = await this.#entry(network, null);
  }

  #take(entry: Entry, payer: Payer, bytes: number): void {
    const text = refusalOf({ entry, payer, bytes }, this.#limits, this.#owners());
    if (text === undefined) {
      this.#put(entry, bytes);
      return;
    }
    // Another node or a deletion may have freed room, so the next flush reads the total.
    this.#changed.add(entry);
    for (const more of [entry.network, entry.whole]) if (more !== undefined) this.#changed.add(more);
    const now = this.#clock();
    throw full(text, payer.kind === 'namespace' ? undefined : DAY - (now % DAY));
  }

  #put(entry: Entry, bytes: number): void {
    entry.added += bytes;
    this.#changed.add(entry);
    if (entry.whole !== undefined) this.#put(entry.whole, bytes);
    if (entry.network === undefined) return;
    entry.network.added += bytes;
    this.#changed.add(entry.network);
  }

  async #flush(): Promise<void> {
    const changed = [...this.#changed];
    if (changed.length === 0) return;
    this.#changed = new Set();
    const taken = changed.map((entry) => {
      const bytes = entry.added;
      entry.stored += bytes;
      entry.added = 0;
      return { subject: entry.subject, bytes, expires_at: entry.expires_at };
    });
    try {
      const changes = taken.filter(({ bytes }) => bytes !== 0);
      if (changes.length > 0) await this.#store.storage.add(changes);
    } catch (error) {
      for (const [at, entry] of changed.entries()) {
        entry.stored -= taken[at]?.bytes ?? 0;
        entry.added += taken[at]?.bytes ?? 0;
        this.#changed.add(entry);
      }
      throw error;
    }
    const totals = await this.#store.storage.totals(changed.map(({ subject }) => subject));
    const bySubject = new Map(totals.map((total) => [total.subject, total]));
    for (const entry of changed) {
      const total = bySubject.get(entry.subject);
      if (total !== undefined) await this.#learn(entry, total);
      if (entry.name !== null) await this.#warn(entry);
    }
  }

  /** Tells the owner once a day that the namespace is nearly full. */
  async #warn(entry: Entry): Promise<void> {
    const now = this.#clock();
    const max_bytes = maxOf(entry.claimed, this.#limits);
    if (entry.stored < NEARLY_FULL * max_bytes || entry.warned_at > now - DAY) return;
    const isFirst = await this.#store.storage.warn({ id: entry.subject, max_bytes }, now, now - DAY);
    entry.warned_at = now;
    if (isFirst) this.#onNearlyFull?.({ id: entry.subject, name: entry.name ?? '', bytes: entry.stored, max_bytes });
  }
}

const full = (text: string, retry_after_ms?: Millis): AppError =>
  new AppError('storage_full', text, retry_after_ms === undefined ? {} : { retry_after_ms });
