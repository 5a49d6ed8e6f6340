import { type Clock, type Millis, SECOND } from '@mailroom/behavior/values/clock';
import { isSettled, type Message } from '../entities/message.ts';
import type { Store } from '../ports/store.ts';
import type { EventBus } from './event-bus.ts';
import { withReport } from './progress.ts';

/** Without another sign of writing within this time, the writer has stopped. */
const LIFE_MS: Millis = 6 * SECOND;
const MAX_NAME = 60;
/** The names of one who has stopped. */
const STOPPED = { name: '', owner_name: '' } as const;

/** Who writes an answer. `id` tells people with the same name apart, but not the windows of one person. */
export interface WriterId {
  readonly id: string;
  /** As the sender of the message reads it. */
  readonly name: string;
  /** As other owners of the mailbox read it. */
  readonly owner_name: string;
}

/** All who write an answer to a message at this moment; none any longer where there are none. */
export interface Writing {
  readonly message: Message;
  readonly writers: readonly WriterId[];
}

interface WritersParts {
  readonly store: Pick<Store, 'messages' | 'shared'>;
  readonly bus: Pick<EventBus, 'watched' | 'publishProgress'>;
  readonly clock: Clock;
}

/**
 * Who is writing an answer by hand: shown to those who follow the message, as its latest progress report, and to other
 * owners in the console, on every node. Nothing of it is stored.
 */
export class Writers {
  readonly #parts: WritersParts;
  /** By message and by writer, with the timer that ends it. */
  readonly #writing = new Map<string, Map<string, Omit<WriterId, 'id'> & { readonly timer: NodeJS.Timeout }>>();
  readonly #listeners = new Set<(writing: Writing) => void>();

  constructor(parts: WritersParts) {
    this.#parts = parts;
    parts.store.shared?.subscribe((notice) => {
      if (notice.kind === 'writing')
        void this.#note(notice.id, { id: notice.by, name: notice.name, owner_name: notice.owner_name });
    });
  }

  /** This person is writing an answer to the message now; to be repeated while it lasts. */
  writes({ id }: Message, writer: WriterId): void {
    const [name, owner_name] = [writer.name, writer.owner_name].map((one) => one.slice(0, MAX_NAME).toWellFormed());
    this.#publish(id, { id: writer.id, name: name ?? '', owner_name: owner_name ?? '' });
  }

  /** This person has stopped, such as by sending it. */
  stops({ id }: Message, by: string): void {
    this.#publish(id, { id: by, ...STOPPED });
  }

  #publish(id: string, { id: by, name, owner_name }: WriterId): void {
    this.#parts.store.shared?.publish({ kind: 'writing', id, by, name, owner_name });
    void this.#note(id, { id: by, name, owner_name });
  }

  /** Calls `listener` for each sign of writing on any node, and when it ends, until the returned function is called. */
  subscribe(listener: (writing: Writing) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Without a name the writer has stopped. */
  async #note(id: string, { id: by, name, owner_name }: WriterId): Promise<void> {
    const { store, bus, clock } = this.#parts;
    const writing = this.#writing.get(id) ?? new Map<string, Omit<WriterId, 'id'> & { timer: NodeJS.Timeout }>();
    clearTimeout(writing.get(by)?.timer);
    writing.delete(by);
    if (!bus.watched(id) && this.#listeners.size === 0) return void this.#writing.delete(id);
    if (name !== '') {
      const timer = setTimeout(() => void this.#note(id, { id: by, ...STOPPED }), LIFE_MS).unref();
      writing.set(by, { name, owner_name, timer });
    }
    if (writing.size > 0) this.#writing.set(id, writing);
    else this.#writing.delete(id);
    const message = await store.messages.byId(id).catch(() => undefined);
    if (message === undefined) return;
    if (!isSettled(message.status)) {
      const latest = [...writing.values()].at(-1)?.name;
      const progress = latest && withReport(message.progress ?? null, `${latest} is writing`, clock());
      bus.publishProgress({ ...message, ...(progress !== undefined && { progress }) });
    }
    const writers = [...writing].map(([one, { name: its, owner_name: ownerName }]) => ({
      id: one,
      name: its,
      owner_name: ownerName,
    }));
    for (const listener of this.#listeners) listener({ message, writers });
  }
}
