import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, unique } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { until } from '../../../../tests/harness/until.ts';
import { type Endpoint, isSigned, webhookEndpoint } from '../../../../tests/harness/webhook-endpoint.ts';
import { idOf, type Page, TIME } from '../../../../tests/harness/wire.ts';

const service = await serveInside({ env: { WEBHOOK_NETWORKS: '127.0.0.1', LIMIT_WEBHOOKS: '6', RATE_LIMITS: 'off' } });
const { api, newNamespace, newMailbox, newPaused, newKey, send, change } = connect(service.url);

interface Hook {
  readonly id: string;
  readonly url: string;
  readonly types: readonly string[];
  readonly mailbox: string | null;
  readonly status: string;
  readonly disabled_reason: string | null;
  readonly failing_since: string | null;
  readonly error: string | null;
  readonly previous_secret_until: string | null;
  readonly previous_secrets_until: readonly string[];
  readonly secret: string;
}
interface Made {
  readonly id: string;
  readonly event_id: string;
  readonly type: string;
  readonly status: string;
  readonly attempts: number;
  readonly error: string | null;
  readonly message_id: string | null;
  readonly next_attempt_at: string | null;
}

const SOON_MS = 20_000;
const create = async (key: string, { url }: { readonly url: string }, fields: object = {}): Promise<Hook> => {
  const made = await api<Hook>('POST', '/webhooks', { key, body: { url, ...fields } });
  assert.equal(made.status, 201, made.text);
  return made.body;
};
const deliveries = async (key: string, { id }: Hook, query = ''): Promise<readonly Made[]> =>
  (await api<Page<Made>>('GET', `/webhooks/${id}/deliveries${query}`, { key })).body.items;
const statuses = async (key: string, hook: Hook): Promise<string[]> =>
  (await deliveries(key, hook)).map(({ status }) => status);
const get = async (key: string, { id }: Hook): Promise<Hook> =>
  (await api<Hook>('GET', `/webhooks/${id}`, { key })).body;
/** A namespace with a mailbox that answers, and a webhook to a new endpoint. */
async function hooked(fields: object = {}) {
  const home = await newNamespace();
  const mailbox = await newMailbox(home);
  const endpoint = await webhookEndpoint();
  const hook = await create(home.key, endpoint, fields);
  const write = async (body = 'Hello?') => {
    const sent = await send(home.key, { to: mailbox.address, body, sync: true });
    assert.equal(sent.status, 200, sent.text);
    return sent.body;
  };
  return { home, key: home.key, mailbox, endpoint, hook, write };
}

test('a webhook is made with its secret, which is shown nowhere else', async () => {
  const { key, hook, endpoint } = await hooked();
  await using _ = endpoint;
  assert.match(hook.id, idOf('whk'));
  assert.match(hook.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.deepEqual([hook.types, hook.mailbox, hook.status, hook.error], [['message.*'], null, 'enabled', null]);
  const list = await api<Page<Hook>>('GET', '/webhooks', { key });
  assert.deepEqual(
    list.body.items.map(({ id }) => id),
    [hook.id],
  );
  for (const { text } of [list, await api('GET', `/webhooks/${hook.id}`, { key })]) assert.ok(!text.includes('whsec_'));
});

test('an event arrives with its whole message, signed, and its id as webhook-id', async () => {
  const { key, mailbox, hook, endpoint, write } = await hooked();
  await using _ = endpoint;
  const message = await write('Hello, who are you?');
  const [posted] = await endpoint.got(1);
  assert.ok(posted !== undefined && (await isSigned(posted, hook.secret)));
  const events = await api<Page<{ id: string; type: string }>>('GET', '/events', { key });
  const event = events.body.items.find(({ type }) => type === 'message.completed');
  assert.deepEqual(posted.body, event, 'the body is the event');
  assert.equal(posted.id, event?.id);
  assert.deepEqual([posted.body.type, posted.body.mailbox], ['message.completed', mailbox.address]);
  assert.deepEqual(posted.body.data, (await api('GET', `/mail/messages/${message.id}`, { key })).body);
  assert.match(posted.headers['content-type'] ?? '', /^application\/json/);
  await until(
    SOON_MS,
    () => deliveries(key, hook),
    (all) => all[0]?.status === 'sent',
  );
  const [made] = await deliveries(key, hook);
  assert.deepEqual(
    [made?.event_id, made?.type, made?.attempts, made?.error, made?.message_id, made?.next_attempt_at],
    [event?.id, 'message.completed', 1, null, message.id, null],
  );
});

test('it gets the events of its types and its mailbox, from its creation on', async () => {
  const home = await newNamespace();
  const [one, other] = [await newMailbox(home), await newPaused(home)];
  await using narrow = await webhookEndpoint();
  await using wide = await webhookEndpoint();
  await send(home.key, { to: one.address, body: 'Before', sync: true });
  await create(home.key, narrow, { types: ['message.completed', 'mailbox.updated'], mailbox: one.address });
  await create(home.key, wide, { types: ['*'] });
  await send(home.key, { to: other.address, body: 'Held' });
  await send(home.key, { to: one.address, body: 'After', sync: true });
  await change(home.key, one.address, { description: 'New' });
  const types = (endpoint: Endpoint) => endpoint.posted.map(({ body }) => body.type).toSorted();
  await wide.got(3);
  await narrow.got(2);
  assert.deepEqual(types(wide), ['mailbox.updated', 'message.completed', 'message.received']);
  assert.deepEqual(types(narrow), ['mailbox.updated', 'message.completed']);
});

test('what failed is retried with the same id, and says why', async () => {
  const { key, hook, endpoint, write } = await hooked();
  await using _ = endpoint;
  endpoint.answer(500);
  await write();
  const { seen } = await until(
    SOON_MS,
    () => deliveries(key, hook),
    ([one]) => one?.status === 'deferred',
  );
  assert.deepEqual([seen[0]?.error, seen[0]?.attempts], ['It answered 500.', 1]);
  assert.match(seen[0]?.next_attempt_at ?? '', TIME);
  const failing = await get(key, hook);
  assert.match(failing.failing_since ?? '', TIME);
  assert.equal(failing.error, 'It answered 500.');
  endpoint.answer(200);
  // The first retry follows after 5 s.
  const [first, second] = await endpoint.got(2);
  assert.equal(first?.id, second?.id);
  await until(
    SOON_MS,
    () => statuses(key, hook),
    ([status]) => status === 'sent',
  );
  const works = await get(key, hook);
  assert.deepEqual([works.failing_since, works.error], [null, null]);
});

test('410 switches it off, with an event for another webhook, until it is switched on', async () => {
  const { key, hook, endpoint, write, home } = await hooked();
  await using _ = endpoint;
  await using other = await webhookEndpoint();
  await create(key, other, { types: ['webhook.*'] });
  endpoint.answer(410);
  await write();
  const [posted] = await other.got(1);
  assert.ok(posted !== undefined);
  assert.deepEqual([posted.body.type, posted.body.mailbox], ['webhook.disabled', null]);
  assert.equal((posted.body.data as Hook).id, hook.id);
  assert.ok(!posted.text.includes('whsec_'));
  const events = await api<Page<{ type: string }>>('GET', '/events', { key });
  assert.ok(events.body.items.some(({ type }) => type === 'webhook.disabled'));
  const off = await get(key, hook);
  assert.deepEqual(
    [off.status, off.disabled_reason, off.error],
    ['disabled', 'gone', 'It answered 410: the endpoint is gone.'],
  );
  const since = new Date().toISOString();
  await write('While it is off');
  isProblem(await api('POST', `/webhooks/${hook.id}/replay`, { key, body: { since } }), 'webhook_disabled');
  const [made] = await deliveries(key, hook);
  const path = `/webhooks/${hook.id}/deliveries/${made?.id}/redeliver`;
  isProblem(await api('POST', path, { key }), 'webhook_disabled');
  endpoint.answer(204);
  const on = await api<Hook>('PATCH', `/webhooks/${hook.id}`, { key, body: { status: 'enabled' } });
  assert.deepEqual([on.body.status, on.body.disabled_reason, on.body.error], ['enabled', null, null]);
  await write('When it is on');
  await endpoint.got(2);
  const replayed = await api('POST', `/webhooks/${hook.id}/replay`, { key, body: { since } });
  assert.equal(replayed.status, 202, replayed.text);
  const all = await endpoint.got(4);
  const said = all.map(({ body }) => (body.data as { body: string }).body).toSorted();
  assert.deepEqual(said, ['Hello?', 'When it is on', 'When it is on', 'While it is off']);
  assert.equal(home.key, key);
});

test('a test event is sent once and says how it went, also while the webhook is off', async () => {
  const { key, hook, endpoint } = await hooked();
  await using _ = endpoint;
  await api('PATCH', `/webhooks/${hook.id}`, { key, body: { status: 'disabled' } });
  assert.deepEqual([(await get(key, hook)).status, (await get(key, hook)).disabled_reason], ['disabled', 'owner']);
  const good = await api<Made>('POST', `/webhooks/${hook.id}/test`, { key });
  assert.deepEqual([good.status, good.body.status, good.body.type], [200, 'sent', 'webhook.test']);
  const [posted] = await endpoint.got(1);
  assert.ok(posted !== undefined && (await isSigned(posted, hook.secret)));
  assert.equal(posted.id, good.body.event_id);
  endpoint.answer(302);
  const bad = await api<Made>('POST', `/webhooks/${hook.id}/test`, { key });
  assert.equal(bad.body.status, 'failed');
  assert.match(bad.body.error ?? '', /302, a redirect/);
  assert.deepEqual(await statuses(key, hook), ['failed', 'sent']);
  assert.equal(endpoint.posted.length, 2, 'a redirect is not followed, and no test is retried');
  isProblem(await api('POST', `/webhooks/${hook.id}/deliveries/${bad.body.id}/redeliver`, { key }), 'webhook_disabled');
});

test('a delivery is made again when asked for, and pages list them by status', async () => {
  const { key, hook, endpoint, write } = await hooked();
  await using _ = endpoint;
  for (let i = 0; i < 3; i++) await write(`${i}`);
  await endpoint.got(3);
  await until(
    SOON_MS,
    () => statuses(key, hook),
    (all) => all.join() === 'sent,sent,sent',
  );
  const first = await api<Page<Made>>('GET', `/webhooks/${hook.id}/deliveries?limit=2&status=sent`, { key });
  assert.equal(first.body.items.length, 2);
  assert.match(first.headers.get('link') ?? '', /rel="next"/);
  const rest = await api<Page<Made>>(
    'GET',
    `/webhooks/${hook.id}/deliveries?limit=2&status=sent&cursor=${first.body.next_cursor}`,
    { key },
  );
  const [last] = rest.body.items;
  assert.ok(last !== undefined && rest.body.next_cursor === null);
  assert.deepEqual(await deliveries(key, hook, '?status=failed'), []);
  const again = await api<Made>('POST', `/webhooks/${hook.id}/deliveries/${last.id}/redeliver`, { key });
  assert.deepEqual([again.status, again.body.status, again.body.attempts], [202, 'queued', 0]);
  const all = await endpoint.got(4);
  assert.equal(all[3]?.id, last.event_id);
});

test('after a new secret the one before it signs too, and two at once leave both valid', async () => {
  const { key, hook, endpoint, write } = await hooked();
  await using _ = endpoint;
  const rotated = await Promise.all([1, 2].map(() => api<Hook>('POST', `/webhooks/${hook.id}/rotate`, { key })));
  const secrets = [hook.secret, ...rotated.map(({ body }) => body.secret)];
  assert.equal(new Set(secrets).size, 3);
  assert.match(rotated[0]?.body.previous_secret_until ?? '', TIME);
  const { previous_secrets_until: ends } = (await api<Hook>('GET', `/webhooks/${hook.id}`, { key })).body;
  assert.equal(ends.length, 2);
  for (const end of ends) assert.match(end, TIME);
  await write();
  const [posted] = await endpoint.got(1);
  assert.ok(posted !== undefined);
  for (const secret of secrets) assert.ok(await isSigned(posted, secret));
  assert.ok(!(await isSigned(posted, `whsec_${Buffer.alloc(32).toString('base64')}`)));
});

test('two changes at once both hold, and a repeated request makes no second webhook', async () => {
  const { key, hook, endpoint } = await hooked();
  await using _ = endpoint;
  const change = (body: object) => api<Hook>('PATCH', `/webhooks/${hook.id}`, { key, body });
  const changed = await Promise.all([change({ types: ['mailbox.*'] }), change({ url: `${endpoint.url}/2` })]);
  for (const { status } of changed) assert.equal(status, 200);
  const { types, url } = await get(key, hook);
  assert.deepEqual([types, url], [['mailbox.*'], `${endpoint.url}/2`]);
  const ask = { key, body: { url: endpoint.url }, headers: { 'idempotency-key': unique() } };
  const [first, second] = [await api<Hook>('POST', '/webhooks', ask), await api<Hook>('POST', '/webhooks', ask)];
  assert.equal(second.headers.get('idempotency-replayed'), 'true');
  assert.deepEqual(second.body, first.body);
  const other = await api('POST', '/webhooks', { ...ask, body: { url: `${endpoint.url}/3` } });
  isProblem(other, 'idempotency_mismatch');
});

test('one that is removed gets nothing more', async () => {
  const { key, hook, endpoint, write } = await hooked();
  await using _ = endpoint;
  await using other = await webhookEndpoint();
  await create(key, other);
  assert.equal((await api('DELETE', `/webhooks/${hook.id}`, { key })).status, 204);
  isProblem(await api('DELETE', `/webhooks/${hook.id}`, { key }), 'not_found');
  await write();
  await other.got(1);
  assert.equal(endpoint.posted.length, 0);
});

test('a URL that cannot be a webhook is refused, with what is wrong', async () => {
  const { key } = await newNamespace();
  for (const [url, says] of [
    ['https://ada:secret@example.com/', /password/],
    ['https://example.com/#top', /fragment/],
    ['ftp://example.com/', /https/],
    ['https://10.0.0.1/', /not a public address/],
    ['https://[::1]/', /not a public address/],
    ['https://192.168.1.1/', /not a public address/],
    ['http://8.8.8.8/', /https/],
    ['example.com/hook', /complete URL/],
    ['', /./],
  ] as const) {
    const refused = await api<{ errors: readonly { pointer: string; message: string }[] }>('POST', '/webhooks', {
      key,
      body: { url },
    });
    isProblem(refused, 'validation_error');
    assert.equal(refused.body.errors[0]?.pointer, '/url', url);
    assert.match(refused.body.errors[0]?.message ?? '', says);
  }
});

test('what is wrong with a webhook’s other fields is said', async () => {
  const { key, hook, endpoint } = await hooked();
  await using _ = endpoint;
  const elsewhere = await newMailbox(await newNamespace());
  const refuse = async (method: string, path: string, body: object, pointer: string): Promise<void> => {
    const refused = await api<{ errors: readonly { pointer: string }[] }>(method, path, { key, body });
    isProblem(refused, 'validation_error');
    assert.equal(refused.body.errors[0]?.pointer, pointer, refused.text);
  };
  const { url } = endpoint;
  await refuse('POST', '/webhooks', { url, types: ['message.*', 'message.exploded'] }, '/types/1');
  await refuse('POST', '/webhooks', { url, types: [] }, '/types');
  await refuse('POST', '/webhooks', { url, types: ['*', '*'] }, '/types');
  await refuse('POST', '/webhooks', { url, mailbox: elsewhere.address }, '/mailbox');
  await refuse('POST', '/webhooks', { url, secret: 'mine' }, '/secret');
  await refuse('PATCH', `/webhooks/${hook.id}`, {}, '');
  await refuse('PATCH', `/webhooks/${hook.id}`, { status: 'paused' }, '/status');
  await refuse('POST', `/webhooks/${hook.id}/replay`, { since: 'yesterday' }, '/since');
  await refuse('POST', `/webhooks/${hook.id}/replay`, { since: '2999-01-01T00:00:00Z' }, '/since');
  isProblem(await api('GET', `/webhooks/${hook.id}/deliveries?status=lost`, { key }), 'validation_error');
  isProblem(await api('GET', `/webhooks/${hook.id}/deliveries?cursor=x`, { key }), 'validation_error');
  isProblem(await api('POST', `/webhooks/${hook.id}/deliveries/dlv_x/redeliver`, { key }), 'not_found');
  isProblem(await api('GET', '/webhooks/whk_x', { key }), 'not_found');
  for (let at = 1; at < 6; at++) await create(key, endpoint);
  const full = await api('POST', '/webhooks', { key, body: { url } });
  isProblem(full, 'validation_error');
  assert.match(full.text, /6 webhooks, the maximum/);
});

test('another namespace, and a key of another mailbox, see and make none', async () => {
  const { home, key, mailbox, hook, endpoint } = await hooked();
  await using _ = endpoint;
  const other = await newNamespace();
  isProblem(await api('GET', `/webhooks/${hook.id}`, { key: other.key }), 'not_found');
  const second = await newMailbox(home);
  const bound = await newKey(home, { scopes: ['webhooks:write', 'messages:read'], mailbox: mailbox.address });
  const own = await create(bound.secret, endpoint);
  assert.equal(own.mailbox, mailbox.address);
  const foreign = await api('POST', '/webhooks', {
    key: bound.secret,
    body: { url: endpoint.url, mailbox: second.address },
  });
  isProblem(foreign, 'access_denied');
  const whole = await api('PATCH', `/webhooks/${own.id}`, { key: bound.secret, body: { mailbox: null } });
  assert.equal((whole.body as Hook).mailbox, mailbox.address, 'it stays that of the mailbox');
  const list = await api<Page<Hook>>('GET', '/webhooks', { key: bound.secret });
  assert.deepEqual(
    list.body.items.map(({ id }) => id),
    [own.id],
  );
  for (const [method, path] of [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/rotate'],
    ['POST', '/test'],
    ['GET', '/deliveries'],
  ] as const) {
    const refused = await api(method, `/webhooks/${hook.id}${path}`, {
      key: bound.secret,
      ...(method === 'PATCH' && { body: { types: ['*'] } }),
    });
    isProblem(refused, 'not_found');
  }
  const reader = await newKey(home, { scopes: ['messages:read'] });
  isProblem(await api('GET', '/webhooks', { key: reader.secret }), 'insufficient_scope');
  const short = await newKey(home, { scopes: ['webhooks:write'], expires_at: '2999-01-01T00:00:00Z' });
  isProblem(await api('POST', '/webhooks', { key: short.secret, body: { url: endpoint.url } }), 'access_denied');
  assert.equal((await api('GET', '/webhooks', { key })).status, 200);
});

test('an endpoint that hangs delays no other', async () => {
  const home = await newNamespace();
  const mailbox = await newMailbox(home);
  await using hanging = await webhookEndpoint();
  await using quick = await webhookEndpoint();
  hanging.answer('hang');
  await create(home.key, hanging);
  await create(home.key, quick);
  await Promise.all(
    Array.from({ length: 60 }, () => send(home.key, { to: mailbox.address, body: 'Hello?', sync: true })),
  );
  const all = await quick.got(60);
  assert.equal(new Set(all.map(({ id }) => id)).size, 60);
  // It never answers, so of all that waits for it only few are under way.
  assert.ok(hanging.posted.length <= 8, `${hanging.posted.length} requests hang`);
});
