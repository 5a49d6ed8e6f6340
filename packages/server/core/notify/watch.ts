import { setTimeout as sleep } from 'node:timers/promises';
import type { Millis } from '@mailroom/behavior/values/clock';
import type { Message } from '../entities/message.ts';
import { isSettled } from '../entities/message.ts';
import type { Store } from '../ports/store.ts';
import type { EventBus } from './event-bus.ts';

interface Parts {
  readonly store: Store;
  readonly bus: EventBus;
}

/**
 * A message each time it changes, until it is settled, gone, or `over` aborts; repeated after `beat_ms` without a change.
 * Work on this node is seen at once, work on other nodes by a query.
 */
export async function* watch(
  message: Message,
  { store, bus }: Parts,
  over: AbortSignal,
  beat_ms: Millis,
): AsyncGenerator<Message, void, undefined> {
  let latest: Message | undefined;
  let changed = Promise.withResolvers<void>();
  const unwatch = bus.watch(message.id, (current) => {
    latest = current;
    changed.resolve();
  });
  const forget = bus.onDeleted(message.mailbox_id, () => changed.resolve());
  try {
    for (let now: Message | undefined = message; now !== undefined && !isSettled(now.status) && !over.aborted; ) {
      // A change that was published while this was not listening is in the store.
      now = latest ?? (await store.messages.byId(message.id));
      latest = undefined;
      if (now === undefined || isSettled(now.status)) return;
      yield now;
      await Promise.race([changed.promise, sleep(beat_ms, undefined, { signal: over }).catch(() => {})]);
      changed = Promise.withResolvers();
    }
  } finally {
    unwatch();
    forget();
  }
}
