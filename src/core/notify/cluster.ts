import type { Directory } from '../access/directory.ts';
import type { Dispatch } from '../delivery/dispatch.ts';
import type { Notice, Store } from '../ports/store.ts';
import type { Millis } from '../values/clock.ts';
import { SECOND } from '../values/clock.ts';
import type { EventBus } from './event-bus.ts';

/** As long as a notice that was lost is made up for. */
const POLL_MS: Millis = SECOND;
/** Messages that one look asks the store for. */
const SETTLED_BATCH = 500;

/**
 * What the other nodes on the same database did, acted upon here: who waits for a message that settled elsewhere is
 * answered, who works on it stops, what was looked up is looked up anew. Notices make it quick, a look at the store each
 * second makes it sure.
 */
export class Cluster implements Disposable {
  readonly #store: Store;
  readonly #directory: Directory;
  readonly #dispatch: Dispatch;
  readonly #bus: EventBus;
  readonly #onError: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  #closed = false;

  constructor(
    parts: { store: Store; directory: Directory; dispatch: Dispatch; bus: EventBus },
    onError: (error: unknown) => void,
  ) {
    this.#store = parts.store;
    this.#directory = parts.directory;
    this.#dispatch = parts.dispatch;
    this.#bus = parts.bus;
    this.#onError = onError;
    this.#store.shared?.subscribe((notice) => this.#onNotice(notice));
    this.#timer = setInterval(() => this.#publishSettled(this.#bus.waitedFor()), POLL_MS);
    this.#timer.unref();
  }

  #onNotice(notice: Notice): void {
    if (this.#closed) return;
    switch (notice.kind) {
      case 'changed':
        this.#directory.forget();
        break;
      case 'due':
        this.#dispatch.checkDue();
        break;
      case 'settled':
        for (const id of notice.ids) this.#dispatch.abort(id);
        this.#publishSettled(this.#bus.waitedFor(notice.ids));
    }
  }

  /** Those of `ids` that have settled are told to who waits for them. */
  #publishSettled(ids: readonly string[]): void {
    for (let at = 0; at < ids.length; at += SETTLED_BATCH) {
      this.#store.messages.settledOf(ids.slice(at, at + SETTLED_BATCH)).then((settled) => {
        for (const message of settled) this.#bus.publishSettled(message);
      }, this.#onError);
    }
  }

  [Symbol.dispose](): void {
    this.#closed = true;
    clearInterval(this.#timer);
  }
}
