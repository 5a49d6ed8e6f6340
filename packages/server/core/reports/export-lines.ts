import { addressOf } from '@mailroom/behavior/mailbox';
import { fullAddress } from '@mailroom/behavior/values/address';
import { type Clock, type Millis, rfc3339 } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { noteView, standingView } from '../entities/conversation.ts';
import { isLive, type Key, keyView } from '../entities/key.ts';
import { marksIn } from '../entities/label.ts';
import { mailboxView } from '../entities/mailbox.ts';
import { envelopeText } from '../entities/message-view.ts';
import { type Namespace, namespaceView } from '../entities/namespace.ts';
import type { ThreadNote, ThreadStanding } from '../entities/standing.ts';
import { webhookView } from '../entities/webhook.ts';
import type { Store } from '../ports/store.ts';
import type { Page } from '../values/page.ts';
import { withDeliveries, withEmailStates } from './email-states.ts';
import { messagesOf } from './export.ts';

/** What an export reads. */
export interface ExportParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly mailDomain: string;
}

/** Mailboxes or keys read at a time. */
const PAGE = 50;
/** Characters sent at a time. */
const CHUNK = 64 * 1024;

/** The suggested name of the export's file. */
export const exportName = ({ name }: Namespace, at: Millis): string => `${name}-${rfc3339(at).slice(0, 10)}.jsonl`;

/**
 * Everything of a namespace up to `exportTime` as JSON Lines, in chunks: the namespace, its mailboxes, its keys and
 * webhooks without secrets, its messages, where its conversations stand and what members noted of them, `end`. Throws AppError `invalid_key` when `callerKey` is revoked meanwhile.
 */
export const exportText = (
  parts: ExportParts,
  namespace: Namespace,
  callerKey: Key,
  exportTime: Millis,
): AsyncGenerator<string> => chunks(lines(parts, namespace, callerKey, exportTime));

async function* lines(
  { store, clock, mailDomain }: ExportParts,
  namespace: Namespace,
  callerKey: Key,
  exportTime: Millis,
): AsyncGenerator<string> {
  let count = 0;
  const written = (type: string, object: string): string => {
    count++;
    return `{"type":${JSON.stringify(type)},${object.slice(1)}\n`;
  };
  const text = (type: string, fields: object): string => written(type, JSON.stringify(fields));
  yield text('namespace', { ...namespaceView(namespace), exported_at: rfc3339(exportTime) });
  const filter = { namespace_id: namespace.id };
  const mailboxes = { ...filter, listed: false, seen_by: namespace.id };
  const addresses = new Map<string, string>();
  for await (const mailbox of each((after) => store.mailboxes.page(mailboxes, after, PAGE))) {
    addresses.set(mailbox.id, fullAddress(addressOf(mailbox), mailDomain));
    // Read one at a time, because a page of settings may be long.
    const whole = await store.mailboxes.byId(mailbox.id);
    const kept = await store.mailboxes.keptSettings(mailbox.id);
    const before = kept.size === 0 ? {} : { kept_settings: Object.fromEntries(kept) };
    yield text('mailbox', { ...mailboxView(mailbox, mailDomain, whole), ...before });
  }
  for await (const key of each((after) => store.keys.page({ ...filter, revoked: true }, after, PAGE))) {
    yield text('key', keyView(key, mailDomain));
  }
  for await (const webhook of each((after) => store.webhooks.page(filter, after, PAGE))) {
    yield text('webhook', webhookView(webhook, mailDomain));
  }
  for await (const messages of messagesOf(store, namespace.id, exportTime)) {
    // A revoked key ends the export at once, even between chunks.
    const key = await store.keys.byId(callerKey.id);
    if (key === undefined || !isLive(key, clock())) throw new AppError('invalid_key', 'This key was revoked.');
    for (const message of await withEmailStates(messages, store)) {
      // As where one message is read: in the mailbox that received it, else in the one that sent it.
      const reader = [message.mailbox_id, message.sender_id].find((id) => id !== null && addresses.has(id));
      const marks = reader == null ? undefined : marksIn(message, reader);
      const namespace_id = namespace.id;
      const shownMessage = await withDeliveries(message, namespace_id, store);
      yield written('message', envelopeText(shownMessage, mailDomain, marks).text);
    }
  }
  for (const [id, mailbox] of addresses) {
    for await (const thread of standingsOf(store, id)) {
      yield text('conversation', { id: thread.thread_id, mailbox, ...standingView(thread) });
    }
    for await (const note of notesOf(store, id)) yield text('note', noteView(note, mailbox));
  }
  yield text('end', { lines: count + 1 });
}

/** Where the conversations of a mailbox stand, as far as that is noted. */
async function* standingsOf({ conversations }: Store, mailbox_id: string): AsyncGenerator<ThreadStanding> {
  const page = (after: string | null) =>
    conversations.page({ mailbox_ids: [mailbox_id] }, { members: [] }, after, PAGE);
  for await (const thread of each(page)) yield* await conversations.find([thread], [mailbox_id]);
}

/** The notes of a mailbox, oldest first. */
async function* notesOf({ conversations }: Store, mailboxId: string): AsyncGenerator<ThreadNote> {
  for (let after = ''; ; ) {
    const notes = await conversations.notesOf(mailboxId, after, PAGE);
    yield* notes;
    if (notes.length < PAGE) return;
    after = notes.at(-1)?.id ?? after;
  }
}

async function* each<T>(read: (after: string | null) => Promise<Page<T>>): AsyncGenerator<T> {
  let after: string | null = null;
  do {
    const page: Page<T> = await read(after);
    yield* page.items;
    after = page.next;
  } while (after !== null);
}

/** Joins short lines, so that they need few writes. */
async function* chunks(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = '';
  for await (const text of texts) {
    chunk += text;
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}
