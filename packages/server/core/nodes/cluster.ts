import { type Millis, SECOND } from '@mailroom/behavior/values/clock';
import type { Directory } from '../access/directory.ts';
import type { AnswerQueue } from '../answers/answer-queue.ts';
import { isSettled } from '../entities/message.ts';
import type { EventBus } from '../notify/event-bus.ts';
import type { Deliverer } from '../outgoing/deliver.ts';
import type { Notice } from '../ports/shared.ts';
import type { Store } from '../ports/store.ts';
import type { Dispatch } from '../runs/dispatch.ts';

/** The time after which a lost notice is made up for. */
const POLL_MS: Millis = SECOND;
/** Maximum number of ids in one query for settled messages. */
const SETTLED_BATCH = 500;

/** Ends what waits on this node for messages of mailboxes that were deleted, on it or on another. */
export function endWaits(
  mailboxIds: readonly string[],
  { bus, queue }: { readonly bus: EventBus; readonly queue: Pick<AnswerQueue, 'endCalls'> },
): void {
  for (const id of mailboxIds) {
    bus.publishDeleted(id);
    queue.endCalls(id);
  }
}

/**
 * Applies what other nodes on the same database did: answers requests that wait for a message settled elsewhere, stops
 * work on it, and drops cached look-ups. Notices make this quick; a query each second makes up for lost ones.
 */
export class Cluster implements Disposable {
  readonly #store: Store;
  readonly #directory: Directory;
  readonly #dispatch: Dispatch;
  readonly #deliverer: Pick<Deliverer, 'checkDue'>;
  readonly #queue: Pick<AnswerQueue, 'wake' | 'endCalls'>;
  readonly #bus: EventBus;
  readonly #onError: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  #closed = false;

  constructor(
    parts: {
      store: Store;
      directory: Directory;
      dispatch: Dispatch;
      deliverer: Pick<Deliverer, 'checkDue'>;
      queue: Pick<AnswerQueue, 'wake' | 'endCalls'>;
      bus: EventBus;
    },
    onError: (error: unknown) => void,
  ) {
    this.#store = parts.store;
    this.#directory = parts.directory;
    this.#dispatch = parts.dispatch;
    this.#deliverer = parts.deliverer;
    this.#queue = parts.queue;
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
        this.#deliverer.checkDue();
        break;
      case 'answerable':
        for (const id of notice.ids) this.#queue.wake(id);
        break;
      case 'deleted':
        endWaits(notice.ids, { bus: this.#bus, queue: this.#queue });
        break;
      case 'taken':
        for (const id of notice.ids) this.#dispatch.abort(id);
        break;
      case 'settled':
        for (const id of notice.ids) this.#dispatch.abort(id);
        this.#readSettled(this.#bus.waitedFor(notice.ids));
    }
  }

  /** Publishes those of a few messages that have settled, by the quickest way to read one. */
  #readSettled(ids: readonly string[]): void {
    const read = async (id: string): Promise<void> => {
      const message = await this.#store.messages.byId(id);
      if (message !== undefined && isSettled(message.status)) this.#bus.publishSettled(message);
    };
    for (const id of ids) read(id).catch(this.#onError);
  }

  /** Publishes those of `ids` that have settled. */
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
