import type { Clock } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import type { Mailbox } from '../entities/mailbox.ts';
import type { EventBus } from '../notify/event-bus.ts';
import type { Store } from '../ports/store.ts';
import type { TakenOver } from '../ports/threads.ts';
import type { Dispatch } from '../runs/dispatch.ts';
import type { Runner } from '../runs/run.ts';

interface Parts {
  readonly store: Pick<Store, 'shared' | 'threads'>;
  readonly runner: Pick<Runner, 'answerBy' | 'answerWithin'>;
  readonly dispatch: Pick<Dispatch, 'abort' | 'announceDue'>;
  readonly bus: Pick<EventBus, 'publishEvents'>;
  /** As of the settler. */
  readonly onAnswerable: (mailbox: Mailbox) => void;
  readonly clock: Clock;
}

/** Threads that people answer in the place of a mailbox's behavior. The caller's right to the mailbox is checked before. */
export class TakingOver {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Since when people answer the thread in this mailbox; undefined when its behavior does. */
  async of(thread_id: string, { id }: Mailbox): Promise<TakenOver | undefined> {
    return this.#parts.store.threads.takenOver({ thread_id, mailbox_id: id });
  }

  /**
   * Takes a thread over from the behavior, whose work at it ends on every node; one that was taken over stays so. AppError
   * `message_not_found`.
   */
  async takeOver(thread_id: string, mailbox: Mailbox): Promise<TakenOver> {
    const { store, runner, clock, bus, dispatch } = this.#parts;
    const thread = { thread_id, mailbox_id: mailbox.id };
    const ids = await store.threads.takeOver(thread, runner.answerWithin(mailbox), clock());
    if (ids !== undefined) {
      for (const id of ids) dispatch.abort(id);
      if (ids.length > 0) store.shared?.publish({ kind: 'taken', ids });
      bus.publishEvents(mailbox.namespace_id);
    }
    const taken = await store.threads.takenOver(thread);
    if (taken === undefined)
      throw new AppError('message_not_found', `${thread_id} was handed back or deleted meanwhile.`);
    return taken;
  }

  /** Gives a thread back to the behavior, with each message that has no answer. */
  async handBack(thread_id: string, mailbox: Mailbox): Promise<void> {
    const { store, runner, clock, bus, dispatch, onAnswerable } = this.#parts;
    const now = clock();
    const answerBy = runner.answerBy(mailbox, now);
    if (!(await store.threads.handBack({ thread_id, mailbox_id: mailbox.id }, now, answerBy))) return;
    bus.publishEvents(mailbox.namespace_id);
    if (answerBy !== undefined) onAnswerable(mailbox);
    dispatch.announceDue();
  }
}
