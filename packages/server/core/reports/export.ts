import type { Millis } from '@mailroom/behavior/values/clock';
import { firstIdAt, isReplyId, messageIdOf } from '@mailroom/behavior/values/ids';
import { yieldToEventLoop } from '@mailroom/behavior/values/yield-to-event-loop';
import type { Message } from '../entities/message.ts';
import type { Received, Sent, Written } from '../ports/messages.ts';
import type { Store } from '../ports/store.ts';

/** Ids read ahead of one mailbox. */
const IDS_PAGE = 200;
/** Ids read ahead of all mailboxes of a namespace together, which take a few MB. */
const MAX_IDS = 20_000;
/** Messages in memory at a time; one may have more than a MiB with its reply. */
const SLICE = 8;
const MAILBOXES_PAGE = 200;

/**
 * All messages that a namespace's mailboxes received and its keys sent, written up to `until`: oldest first, each once, a
 * few at a time. The filed copy of a reply is left out, because the message holds the reply.
 */
export async function* messagesOf(
  store: Store,
  namespaceId: string,
  until: Millis,
): AsyncGenerator<readonly Message[]> {
  let last: Message | undefined;
  for await (const ids of idsOf(store, namespaceId, firstIdAt('msg', until + 1))) {
    for (let at = 0; at < ids.length; at += SLICE) {
      const slice: Message[] = [];
      for (const message of await store.messages.byIds(ids.slice(at, at + SLICE))) {
        const isShown = isReplyId(message.id) && last?.id === messageIdOf(message.id) && last.reply !== null;
        if (!isShown) slice.push(message);
        last = message;
      }
      yield slice;
      await yieldToEventLoop();
    }
  }
}

/** All messages that a mailbox received and wrote, replies too, written up to `until`: oldest first, a few at a time. */
export async function* messagesOfMailbox(
  store: Store,
  mailboxId: string,
  until: Millis,
): AsyncGenerator<readonly Message[]> {
  const sources = [sourceOf({ mailbox_id: mailboxId }), sourceOf({ written_by: mailboxId })];
  for await (const ids of merged(store, sources, firstIdAt('msg', until + 1))) {
    for (let at = 0; at < ids.length; at += SLICE) {
      yield await store.messages.byIds(ids.slice(at, at + SLICE));
      await yieldToEventLoop();
    }
  }
}

/** The ids received or written by one mailbox, or sent by the keys, that are read and not yet returned. */
interface Source {
  readonly of: Received | Sent | Written;
  ids: readonly string[];
  /** The last id that was read. */
  end: string;
  more: boolean;
}

const sourceOf = (of: Source['of']): Source => ({ of, ids: [], end: '', more: true });

async function* idsOf(store: Store, namespaceId: string, ceiling: string): AsyncGenerator<readonly string[]> {
  const sources = [sourceOf({ sender_namespace_id: namespaceId })];
  for await (const mailbox_id of mailboxIds(store, namespaceId)) sources.push(sourceOf({ mailbox_id }));
  yield* merged(store, sources, ceiling);
}

/** Merges the sources by id, which is by time, with a bounded number of ids of each in memory. */
async function* merged(store: Store, sources: readonly Source[], ceiling: string): AsyncGenerator<readonly string[]> {
  const max = Math.max(1, Math.min(IDS_PAGE, Math.floor(MAX_IDS / sources.length)));
  for (
    let openSources = sources;
    openSources.length > 0;
    openSources = openSources.filter(({ ids, more }) => more || ids.length > 0)
  ) {
    for (const source of openSources) {
      if (source.ids.length > 0 || !source.more) continue;
      source.ids = await store.messages.idsOf(source.of, source.end, ceiling, max);
      source.end = source.ids.at(-1) ?? source.end;
      source.more = source.ids.length === max;
      await yieldToEventLoop();
    }
    // A source's further ids lie above its last id, so up to the lowest of those all ids are read.
    const boundary = openSources.reduce((least, { more, end }) => (more && end < least ? end : least), ceiling);
    const ready = new Set<string>();
    for (const source of openSources) {
      const ahead = source.ids.findIndex((id) => id > boundary);
      const given = ahead < 0 ? source.ids : source.ids.slice(0, ahead);
      for (const id of given) ready.add(id);
      source.ids = source.ids.slice(given.length);
    }
    yield [...ready].sort();
  }
}

async function* mailboxIds(store: Store, namespaceId: string): AsyncGenerator<string> {
  const filter = { namespace_id: namespaceId, listed: false, seen_by: namespaceId };
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<Store['mailboxes']['page']>> = await store.mailboxes.page(
      filter,
      after,
      MAILBOXES_PAGE,
    );
    for (const { id } of page.items) yield id;
    after = page.next;
  } while (after !== null);
}
