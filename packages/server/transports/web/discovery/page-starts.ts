import { MINUTE, type Millis } from '@mailroom/behavior/values/clock';
import { yieldToEventLoop } from '@mailroom/behavior/values/yield-to-event-loop';
import type { MailboxQuery } from '../../../core/ports/mailboxes.ts';
import type { Store } from '../../../core/ports/store.ts';

/** The mailboxes that anyone may see, of one namespace or of all. */
export const listedIn = (namespace?: string): MailboxQuery => ({
  listed: true,
  seen_by: null,
  ...(namespace !== undefined && { namespace }),
});

/**
 * The ids after which the pages of the listed mailboxes begin, but for the first page: up to `max` of them, for pages of
 * `size` mailboxes.
 */
export async function pageStarts(
  store: Pick<Store, 'mailboxes'>,
  { size, max, namespace }: { readonly size: number; readonly max: number; readonly namespace?: string | undefined },
): Promise<readonly string[]> {
  const starts: string[] = [];
  while (starts.length < max) {
    const next = await store.mailboxes.pageEnd(listedIn(namespace), starts.at(-1) ?? null, size);
    if (next === null) break;
    starts.push(next);
    // A store that answers synchronously would block other requests during the whole loop.
    await yieldToEventLoop();
  }
  return starts;
}

/** The result of `make`, which is made at most once a minute; after a failure the next call tries again. */
export function onceAMinute<T>(make: () => Promise<T>): () => Promise<T> {
  let found: { readonly result: Promise<T>; readonly until: Millis } | undefined;
  return () => {
    if (found !== undefined && performance.now() < found.until) return found.result;
    const cached = { result: make(), until: performance.now() + MINUTE };
    cached.result.catch(() => {
      if (found === cached) found = undefined;
    });
    found = cached;
    return cached.result;
  };
}
