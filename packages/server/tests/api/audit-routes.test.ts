import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newAuth, newService } from '../../../../tests/harness/auth.ts';
import { HELLO, type Home, unique } from '../../../../tests/harness/client.ts';
import { startDns } from '../../../../tests/harness/dns.ts';
import { addDomain, claimFor, domainsPath, published } from '../../../../tests/harness/domains.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { until } from '../../../../tests/harness/until.ts';
import { webhookEndpoint } from '../../../../tests/harness/webhook-endpoint.ts';
import type { Page } from '../../../../tests/harness/wire.ts';
import { assertChain } from '../store/contract-audit.ts';

const dns = await startDns();
after(() => dns[Symbol.asyncDispose]());
const { client, store, now } = await startInside({
  env: {
    DNS_SERVERS: dns.address,
    WEBHOOK_NETWORKS: '127.0.0.1',
    MAIL_DOMAIN: 'mail.rooms.example.net',
    BASE_URL: 'https://rooms.example.net',
  },
});
const { api, newNamespace, newMailbox, newKey, send, read } = client;
const home = await newNamespace();
const other = await newNamespace();
const person = await newMailbox(other);
await claimFor(home, person.id, store);
const endpoint = await webhookEndpoint();
after(() => endpoint[Symbol.asyncDispose]());
const auth = await newAuth(client, home);

interface Operation {
  readonly operationId: string;
}
const { paths } = (await api<{ paths: Record<string, Record<string, Operation>> }>('GET', '/openapi.json')).body;
const writing = Object.values(paths).flatMap((methods) =>
  Object.entries(methods).flatMap(([method, { operationId }]) => (method === 'get' ? [] : [operationId])),
);

/** What an operation answers with when it did its work. */
async function done<T extends object = { id: string }>(method: string, path: string, body?: object, key = home.key) {
  const answer = await api<T>(method, path, { key, ...(body && { body }) });
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
  return answer.body;
}
const newHook = () => done('POST', '/webhooks', { url: endpoint.url, types: ['message.completed'] });
const newClient = () => newService(client, home, auth);
const tokens = `/mailboxes/${auth.address}/registration-tokens`;
const newDomain = async () => (await addDomain(client, home, `${unique('mail')}.example.com`)).domain;
const domainAt = (domain: string) => `${domainsPath(home)}/${domain}`;
const message = async (fields: Parameters<typeof newMailbox>[1] = {}) => {
  const { address } = await newMailbox(home, fields);
  return { address, ...(await send(other.key, { to: address, body: 'Who are you?', sync: true })).body };
};
async function review() {
  const { id } = await message({ outgoing: { review: 'always' } });
  const { items } = await done<Page<{ id: string; message_id: string; hash: string }>>('GET', '/mail/reviews');
  return items.find(({ message_id }) => message_id === id) ?? assert.fail();
}
async function delivery() {
  const hook = await newHook();
  await message();
  const { seen } = await until(
    10_000,
    () => done<Page<{ id: string; status: string }>>('GET', `/webhooks/${hook.id}/deliveries`),
    ({ items }) => items[0]?.status === 'sent',
  );
  return `/webhooks/${hook.id}/deliveries/${seen.items[0]?.id}`;
}

/** What each operation does, so that it writes, and the action of its entry. */
const ACTS: Readonly<Record<string, readonly [action: string, act: () => Promise<unknown>]>> = {
  createNamespace: ['namespace.created', () => newNamespace()],
  updateNamespace: ['namespace.updated', () => done('PATCH', `/namespaces/${home.name}`, { display_name: unique() })],
  deleteNamespace: [
    'namespace.deleted',
    async () => {
      const gone = await newNamespace();
      await done('DELETE', `/namespaces/${gone.name}`, undefined, gone.key);
      return gone;
    },
  ],
  createKey: ['key.created', () => newKey(home, { scopes: ['mail:send'] })],
  revokeKey: ['key.revoked', async () => done('DELETE', `/keys/${(await newKey(home, { scopes: ['mail:send'] })).id}`)],
  createMailbox: ['mailbox.created', () => newMailbox(home)],
  updateMailbox: [
    'mailbox.updated',
    async () => done('PATCH', `/mailboxes/${(await newMailbox(home)).address}`, { description: 'New' }),
  ],
  deleteMailbox: ['mailbox.deleted', async () => done('DELETE', `/mailboxes/${(await newMailbox(home)).address}`)],
  rotateMailboxWebhook: [
    'mailbox_webhook.rotated',
    async () => {
      const { address } = await newMailbox(home, {
        behavior: { name: 'agent', settings: { webhook_url: endpoint.url } },
      });
      await done('POST', `/mailboxes/${address}/webhook/rotate`);
    },
  ],
  deleteMessage: ['message.deleted', async () => done('DELETE', `/mail/messages/${(await message()).id}`)],
  trashMessage: ['message.trashed', async () => done('POST', `/mail/messages/${(await message()).id}/trash`)],
  restoreMessage: [
    'message.restored',
    async () => {
      const { id } = await message();
      await done('POST', `/mail/messages/${id}/trash`);
      await done('POST', `/mail/messages/${id}/restore`);
    },
  ],
  changeMessages: [
    'message.trashed',
    async () => done('POST', '/mail/messages/batch', { ids: [(await message()).id], trash: true }),
  ],
  takeOverThread: [
    'thread.taken_over',
    async () => done('POST', `/mail/threads/${(await message()).thread_id}/take-over`),
  ],
  handBackThread: [
    'thread.handed_back',
    async () => {
      const { thread_id } = await message();
      await done('POST', `/mail/threads/${thread_id}/take-over`);
      await done('POST', `/mail/threads/${thread_id}/hand-back`);
    },
  ],
  changeThread: [
    'thread.updated',
    async () => done('PATCH', `/mail/threads/${(await message()).thread_id}`, { state: 'done' }),
  ],
  addNote: [
    'thread.noted',
    async () => done('POST', `/mail/threads/${(await message()).thread_id}/notes`, { body: 'In other words' }),
  ],
  deleteDraft: [
    'draft.deleted',
    async () => done('DELETE', `/mail/drafts/${(await done('POST', '/mail/drafts', { body: 'Hi' })).id}`),
  ],
  approveMessage: ['plan.approved', async () => done('POST', `/mail/messages/${await planned()}/approve`)],
  refuseMessage: ['plan.rejected', async () => done('POST', `/mail/messages/${await planned()}/refuse`)],
  changeReview: [
    'review.changed',
    async () => done('PATCH', `/mail/reviews/${(await review()).id}`, { body: 'In other words.' }),
  ],
  approveReview: [
    'review.approved',
    async () => {
      const { id, hash } = await review();
      await done('POST', `/mail/reviews/${id}/approve`, { hash });
    },
  ],
  rejectReview: ['review.rejected', async () => done('POST', `/mail/reviews/${(await review()).id}/reject`, {})],
  createClient: ['client.created', newClient],
  updateClient: [
    'client.updated',
    async () =>
      done('PATCH', `/mailboxes/${auth.address}/clients/${(await newClient()).id}`, {
        client_uri: 'https://app.example.com',
      }),
  ],
  deleteClient: [
    'client.removed',
    async () => done('DELETE', `/mailboxes/${auth.address}/clients/${(await newClient()).id}`),
  ],
  renewClientSecret: [
    'client.updated',
    async () => done('POST', `/mailboxes/${auth.address}/clients/${(await newClient()).id}/secret`),
  ],
  createRegistrationToken: ['registration_token.created', () => done('POST', tokens, {})],
  deleteRegistrationToken: [
    'registration_token.removed',
    async () => done('DELETE', `${tokens}/${(await done('POST', tokens, {})).id}`),
  ],
  allowService: ['allowance.added', async () => done('POST', ...(await allowing()))],
  disallowService: [
    'allowance.removed',
    async () => {
      const [path, body] = await allowing();
      await done('DELETE', `${path}/${(await done('POST', path, body)).id}`);
    },
  ],
  addDomain: ['domain.added', newDomain],
  removeDomain: ['domain.removed', async () => done('DELETE', domainAt(await newDomain()))],
  verifyDomain: [
    'domain.verified',
    async () => {
      const added = await addDomain(client, home, `${unique('mail')}.example.com`);
      dns.zone = { ...dns.zone, ...published(added) };
      await done('POST', `${domainAt(added.domain)}/verify`);
    },
  ],
  rotateDomainKeys: [
    'domain.keys_replaced',
    async () => {
      const added = await addDomain(client, home, `${unique('mail')}.example.com`);
      dns.zone = { ...dns.zone, ...published(added) };
      await done('POST', `${domainAt(added.domain)}/verify`);
      await done('POST', `${domainAt(added.domain)}/rotate`);
    },
  ],
  createWebhook: ['webhook.created', newHook],
  updateWebhook: [
    'webhook.updated',
    async () => done('PATCH', `/webhooks/${(await newHook()).id}`, { types: ['message.failed'] }),
  ],
  deleteWebhook: ['webhook.removed', async () => done('DELETE', `/webhooks/${(await newHook()).id}`)],
  rotateWebhook: ['webhook.rotated', async () => done('POST', `/webhooks/${(await newHook()).id}/rotate`)],
  testWebhook: ['webhook.tested', async () => done('POST', `/webhooks/${(await newHook()).id}/test`)],
  replayWebhook: [
    'webhook.replayed',
    async () =>
      done('POST', `/webhooks/${(await newHook()).id}/replay`, { since: new Date(now() - 1_000).toISOString() }),
  ],
  redeliver: ['webhook.redelivered', async () => done('POST', `${await delivery()}/redeliver`)],
  liftSuppression: [
    'suppression.lifted',
    async () => {
      const target = `${unique()}@outside.example`;
      const suppression = { kind: 'email', target, reason: 'bounced', created_at: now() } as const;
      await store.suppressions.add({ namespace_id: home.id, ...suppression });
      await done('DELETE', `/mail/suppressions/${target}`);
    },
  ],
};

async function planned(): Promise<string> {
  const { address } = await newMailbox(home, { behavior: { name: 'do', settings: { approval: ['calculate'] } } });
  const asked = await send(home.key, { to: address, body: 'Calculate 6 * 7', sync: true });
  assert.equal(asked.body.waiting_for, 'approval', asked.text);
  return asked.body.id;
}
async function allowing(): Promise<readonly [string, object]> {
  const { address } = await newMailbox(home);
  return [`/mailboxes/${address}/services`, { issuer: home.name, client_id: (await newClient()).id }];
}

const MESSAGES = 'It writes, handles or labels messages, which are their own record.';
const NOTHING = 'It changes nothing that is kept.';
/** Operations without an entry, and why. */
const SILENT: Readonly<Record<string, string>> = {
  sendMessage: MESSAGES,
  tryMailbox: MESSAGES,
  createDraft: MESSAGES,
  updateDraft: MESSAGES,
  sendDraft: MESSAGES,
  updateMessage: MESSAGES,
  cancelMessage: MESSAGES,
  retryMessage: MESSAGES,
  forwardMessage: MESSAGES,
  claimMessages: MESSAGES,
  answerMessage: MESSAGES,
  answerMessages: MESSAGES,
  reportProgress: MESSAGES,
  releaseMessage: MESSAGES,
  importMailbox: MESSAGES,
  createChallenge: NOTHING,
  waitForMessage: NOTHING,
  tryRules: NOTHING,
  checkOutside: NOTHING,
};

const isHome = (value: unknown): value is Home => typeof value === 'object' && value !== null && 'keyId' in value;
const lengthOf = async (id: string) => (await store.audit.head(id))?.number ?? 0;
const since = (id: string, number: number) => store.audit.chain(id, number, Number.MAX_SAFE_INTEGER, 100);

test('each operation that is not a read has an entry or says why not', () => {
  assert.ok(writing.length > 50);
  assert.deepEqual([...Object.keys(ACTS), ...Object.keys(SILENT)].toSorted(), writing.toSorted());
});

for (const [operation, [action, act]] of Object.entries(ACTS)) {
  test(`${operation} is in the log as ${action}, by its key`, async () => {
    const length = await lengthOf(home.id);
    const result = await act();
    const owner = isHome(result) ? result : home;
    const entries = await since(owner.id, owner === home ? length : 0);
    const entry = entries.findLast((one) => one.action === action);
    assert.ok(entry, `Only ${entries.map((one) => one.action).join(', ')}`);
    assert.equal(entry.origin.channel, 'api');
    assert.match(entry.origin.network ?? '', /^127\.0\.0\.1$/);
    const actor = operation === 'createNamespace' ? 'guest' : owner === home ? 'member' : 'key';
    assert.equal(entry.actor.kind, actor);
    assert.ok(entry.target.id.length > 0);
  });
}

test('sends, answers, labels and drafts leave the log as it is', async () => {
  const { address } = await newMailbox(home, { behavior: HELLO });
  const length = await lengthOf(home.id);
  const { body } = await send(home.key, { to: address, body: 'Hi', sync: true });
  await done('PATCH', `/mail/messages/${body.id}`, { labels: { add: ['x'] } });
  const draft = await done('POST', '/mail/drafts', { to: address, body: 'Hi' });
  await done('PATCH', `/mail/drafts/${draft.id}`, { subject: 'Later' });
  assert.equal((await read(home.key, body.id)).status, 200);
  assert.deepEqual(await since(home.id, length), []);
});

test('the whole chain of all that was done follows from its first entry, and says no word of a message', async () => {
  const chain = await store.audit.chain(home.id, 0, Number.MAX_SAFE_INTEGER, 10_000);
  assertChain(chain);
  assert.ok(chain.length > 60);
  const text = JSON.stringify(chain);
  for (const secret of ['Who are you?', '6 * 7', 'whsec_', 'mr_live_secret', 'In other words', 'mr_register_'])
    assert.ok(!text.includes(secret), secret);
});
