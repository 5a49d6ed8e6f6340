import assert from 'node:assert/strict';
import { newId } from '@mailroom/behavior/values/ids';
import type { Attachment } from '../../core/entities/attachment.ts';
import type { StoredEvent } from '../../core/entities/event.ts';
import { type Key, newSecret } from '../../core/entities/key.ts';
import type { Mailbox } from '../../core/entities/mailbox.ts';
import { type Message, newMessage } from '../../core/entities/message.ts';
import type { Namespace } from '../../core/entities/namespace.ts';
import type { Claim } from '../../core/ports/claim.ts';
import type { Idempotency } from '../../core/ports/idempotency.ts';
import type { Acceptance, Settlement } from '../../core/ports/messages.ts';
import type { Store } from '../../core/ports/store.ts';

/** The time at which these tests begin. */
export const T = Date.parse('2026-11-20T08:00:00.000Z');

let names = 0;
/** A name that no other test has. */
export const freshName = (): string => `ns${++names}`;

export const namespaceOf = (name: string, fields: Partial<Namespace> = {}): Namespace => ({
  id: newId('ns', T),
  name,
  display_name: null,
  created_at: T,
  deleted_at: null,
  ...fields,
});

export function keyOf(namespace: Namespace, fields: Partial<Key> = {}): Key {
  const { prefix, sha256 } = newSecret();
  return {
    id: newId('key', T),
    namespace_id: namespace.id,
    namespace: namespace.name,
    name: null,
    prefix,
    sha256,
    scopes: ['owner'],
    mailbox_id: null,
    mailbox: null,
    created_at: T,
    last_used_at: null,
    expires_at: null,
    revoked_at: null,
    also: [],
    account_id: null,
    ...fields,
  };
}

export const mailboxOf = (namespace: Namespace, local: string, fields: Partial<Mailbox> = {}): Mailbox => ({
  id: newId('mbx', T),
  namespace_id: namespace.id,
  namespace: namespace.name,
  local_part: local,
  domains: [],
  display_name: null,
  description: '',
  behavior: 'hello',
  settings: {},
  status: 'online',
  online_until: null,
  webhook: null,
  visibility: 'listed',
  access: 'public',
  try_out: true,
  wake: 'to',
  senders: { allow: [], block: [] },
  created_at: T,
  updated_at: T,
  deleted_at: null,
  ...fields,
});

export const idempotencyOf = (scope: string, key: string, fields: Partial<Idempotency> = {}): Idempotency => ({
  scope,
  key,
  hash: 'same',
  expires_at: T + 1000,
  ...fields,
});

export interface World {
  readonly namespace: Namespace;
  readonly key: Key;
  readonly mailbox: Mailbox;
}

/** A namespace with a key and the mailbox `hello`. */
export async function world(store: Store, fields: Partial<Mailbox> = {}): Promise<World> {
  const namespace = namespaceOf(freshName());
  const key = keyOf(namespace);
  const mailbox = mailboxOf(namespace, 'hello', fields);
  await store.namespaces.create({ namespace, key, mailboxes: [mailbox] });
  return { namespace, key, mailbox };
}

/** A store with two namespaces. */
export interface Opened {
  readonly store: Store;
  readonly alice: World;
  readonly bob: World;
}
export async function opened(open: () => Promise<Store>): Promise<Opened> {
  const store = await open();
  return { store, alice: await world(store), bob: await world(store) };
}

/** From the key of `from` to the mailbox of `to`, settled with a reply. */
export function messageOf(from: World, to: World, fields: Partial<Message> = {}): Message {
  const at = fields.created_at ?? T;
  const id = fields.id ?? newId('msg', at);
  return newMessage({
    id,
    mailbox_id: to.mailbox.id,
    to: `${to.mailbox.local_part}@${to.namespace.name}`,
    sender_kind: 'key',
    sender_id: from.key.id,
    sender_namespace_id: from.namespace.id,
    key_id: from.key.id,
    body: 'Hello?',
    status: 'completed',
    reply: { body: 'Hello!', data: '{"a":1}' },
    created_at: at,
    settled_at: at + 5,
    ...fields,
  });
}

const UNSETTLED = { status: 'submitted', reply: null, settled_at: null } as const;
export const waitingOf = (from: World, to: World, fields: Partial<Message> = {}): Message =>
  messageOf(from, to, { ...UNSETTLED, ...fields });

/** As `messageOf`, written as the mailbox of `from`. */
export const fromMailbox = (from: World): Partial<Message> => ({
  from: `${from.mailbox.local_part}@${from.namespace.name}`,
  sender_kind: 'mailbox',
  sender_id: from.mailbox.id,
});

/** The id of what an event is about. */
export const subjectOf = (event: StoredEvent): string => {
  if ('message' in event) return event.message.id;
  if ('domain' in event) return event.domain.id;
  if ('storage' in event) return event.storage.id;
  if ('review' in event) return event.review.id;
  if ('standing' in event) return event.note?.id ?? event.standing.thread_id;
  return 'mailbox' in event ? event.mailbox.id : event.webhook.id;
};

export const accept = (store: Store, message: Message, rest: Partial<Acceptance> = {}) =>
  store.messages.accept({ message, max_waiting: 1000, from_mailbox_id: null, ...rest });

export const settlementOf = (fields: Partial<Settlement> = {}): Settlement => ({
  status: 'completed',
  error_code: null,
  error_message: null,
  reply: { body: 'Done.', data: null },
  settled_at: T + 50,
  ...fields,
});

/** Gives the message a file, before it is accepted. */
export async function addFile(store: Store, { namespace }: World, messageId: string): Promise<Attachment> {
  const attachment = {
    id: newId('att', T),
    owner_id: messageId,
    position: 0,
    filename: 'a.txt',
    content_type: 'text/plain',
    size: 1,
    sha256: messageId,
  };
  const content = { blob_id: newId('blob', T), namespace_id: namespace.id, bytes: new Uint8Array([65]) };
  assert.equal(await store.attachments.add(attachment, content, T), 'stored');
  return attachment;
}

/** Claims due messages, those of a process that died too. */
export async function claimDue(store: Store, max: number, now: number, lease: number): Promise<readonly Claim[]> {
  const claims = [...(await store.handlings.claim(max, now, lease))];
  while (claims.length < max) {
    const suspect = await store.handlings.claimSuspect(now, lease);
    if (suspect === undefined) break;
    claims.push(suspect);
  }
  return claims;
}

/** Runs all due purge jobs. */
export async function purgeAll(store: Store, now: number): Promise<number> {
  let batches = 0;
  for (;;) {
    const claims = await store.jobs.claim(10, now, 1000);
    if (claims.length === 0) return batches;
    for (const claim of claims) {
      do batches++;
      while ((await store.jobs.purge(claim)) === 'more');
    }
  }
}
