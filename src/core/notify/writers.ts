import { withReport } from '../delivery/progress.ts';
import type { Message } from '../entities/message.ts';
import { isSettled } from '../entities/message.ts';
import type { Store } from '../ports/store.ts';
import type { Clock, Millis } from '../values/clock.ts';
import { SECOND } from '../values/clock.ts';
import type { EventBus } from './event-bus.ts';

/** Without another sign of writing within this time, the writer has stopped. */
const LIFE_MS: Millis = 6 * SECOND;
const MAX_NAME = 60;

/** The answer to a message is being written, or, without a name, no longer. */
export interface Writer {
  readonly message: Message;
  readonly name: string | undefined;
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
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #listeners = new Set<(writer: Writer) => void>();

  constructor(parts: WritersParts) {
    this.#parts = parts;
    parts.store.shared?.subscribe((notice) => {
      if (notice.kind === 'writing') void this.#show(notice.id, notice.name);
    });
  }

  /** This person is writing an answer to the message now; to be repeated while it lasts. */
  writes({ id }: Message, name: string): void {
    const short = name.slice(0, MAX_NAME).toWellFormed();
    this.#parts.store.shared?.publish({ kind: 'writing', id, name: short });
    void this.#show(id, short);
  }

  /** Calls `listener` for each sign of writing on any node, and when it ends, until the returned function is called. */
  subscribe(listener: (writer: Writer) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async #show(id: string, name: string | undefined): Promise<void> {
    const { store, bus, clock } = this.#parts;
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    if (!bus.watched(id) && this.#listeners.size === 0) return;
    if (name !== undefined) this.#timers.set(id, setTimeout(() => void this.#show(id, undefined), LIFE_MS).unref());
    const message = await store.messages.byId(id).catch(() => undefined);
    if (message === undefined) return;
    if (!isSettled(message.status)) {
      const progress = name && withReport(message.progress ?? null, `${name} is writing`, clock());
      bus.publishProgress({ ...message, ...(progress !== undefined && { progress }) });
    }
    for (const listener of this.#listeners) listener({ message, name });
  }
}
