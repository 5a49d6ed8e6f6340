import { setTimeout as sleep } from 'node:timers/promises';
import type { Millis } from '@mailroom/behavior/values/clock';
import { isSettled, type Message } from '../entities/message.ts';
import { withOwnProgress } from '../entities/own-progress.ts';
import type { Store } from '../ports/store.ts';
import type { EventBus } from './event-bus.ts';

interface Parts {
  readonly store: Store;
  readonly bus: EventBus;
}

/** Who watches: `own`, a reader of the mailbox that received it. */
interface Watcher {
  readonly own: boolean;
}

/**
 * A message each time it changes, until it is settled, gone, or `over` aborts; repeated after `beat_ms` without a change.
 * Work on this node is seen at once, work on other nodes by a query. A reader of its mailbox sees what it reports and
 * writes before it may leave.
 */
export async function* watch(
  message: Message,
  { store, bus }: Parts,
  over: AbortSignal,
  beat_ms: Millis,
  { own }: Watcher = { own: false },
): AsyncGenerator<Message, void, undefined> {
  let latest: Message | undefined;
  let changed = Promise.withResolvers<void>();
  const listener = (current: Message): void => {
    latest = current;
    changed.resolve();
  };
  const unwatch = own ? bus.watchOwn(message.id, listener) : bus.watch(message.id, listener);
  const forget = bus.onDeleted(message.mailbox_id, () => changed.resolve());
  try {
    for (let now: Message | undefined = message; now !== undefined && !isSettled(now.status) && !over.aborted; ) {
      // A change that was published while this was not listening is in the store.
      now = latest ?? (await store.messages.byId(message.id));
      latest = undefined;
      if (now === undefined || isSettled(now.status)) return;
      yield own ? withOwnProgress(now) : now;
      await Promise.race([changed.promise, sleep(beat_ms, undefined, { signal: over }).catch(() => {})]);
      changed = Promise.withResolvers();
    }
  } finally {
    unwatch();
    forget();
  }
}
