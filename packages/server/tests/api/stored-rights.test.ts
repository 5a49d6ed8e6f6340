import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fromJsonSchema } from '@modelcontextprotocol/server';
import { a2aClient, says, sendTask } from '../../../../tests/harness/a2a.ts';
import { openAgentServer } from '../../../../tests/harness/agent-server.ts';
import type { Answer, Home } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { openMcpRemote } from '../../../../tests/harness/remotes.ts';
import { newFolder, removeFolder } from '../../../../tests/harness/service.ts';
import { until } from '../../../../tests/harness/until.ts';
import { isSigned, webhookEndpoint } from '../../../../tests/harness/webhook-endpoint.ts';
import type { Envelope, KeyWithSecret, Page } from '../../../../tests/harness/wire.ts';
import { everyDatabaseOr } from '../../../../tests/soak/databases.ts';
import { TABLES } from '../../store/schema/tables.ts';

interface Hook {
  readonly id: string;
  readonly secret: string;
  readonly key_id: string | null;
  readonly limited_since: string | null;
}
interface Event {
  readonly type: string;
  readonly data: { readonly id: string; readonly [name: string]: unknown };
}

/** What a key may not have any more, though what it set up is still there. */
const NARROWED: Readonly<Record<string, (id: string) => string>> = {
  'may not read': (id) => `update keys set scopes = '["webhooks:write","mailboxes:write"]' where id = '${id}'`,
  expires: (id) => `update keys set expires_at = 32503680000000 where id = '${id}'`,
  'is of another mailbox': (id) => `update keys set mailbox_id = 'mbx_elsewhere', mailbox = 'x@y' where id = '${id}'`,
  'is not known': (id) => `update keys set id = 'key_renamed_${id.slice(-8)}' where id = '${id}'`,
};
const WIDE = ['webhooks:write', 'mailboxes:write', 'messages:read', 'mail:send'];
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;

const weather = await openMcpRemote((server) => {
  server.registerTool(
    'get_forecast',
    {
      description: 'The forecast.',
      inputSchema: fromJsonSchema({ type: 'object' as const, properties: { city: { type: 'string' } } }),
      annotations: { readOnlyHint: true },
    },
    () => ({ content: [{ type: 'text', text: 'Sunny.' }] }),
  );
});

for (const database of await everyDatabaseOr('PostgreSQL')) {
  const folder = newFolder();
  const DATABASE_URL = await database.fresh(folder);
  const service = await startInside({
    env: { DATABASE_URL, WEBHOOK_NETWORKS: '127.0.0.1', OUTSIDE_NETWORKS: '127.0.0.1' },
  });
  const { api, newNamespace, newMailbox, newKey, send, read } = service.client;
  const sql = (text: string) => database.ask(DATABASE_URL, text);
  const bodyOf = <T>({ status, text, body }: Answer<T>): T => {
    assert.ok(status < 300, text);
    return body;
  };
  const events = async ({ key }: Home, type: string): Promise<readonly Event[]> =>
    (await api<Page<Event>>('GET', '/events?limit=200', { key })).body.items.filter((one) => one.type === type);
  const wide = (home: Home): Promise<KeyWithSecret> => newKey(home, { scopes: WIDE });
  const everything = async (): Promise<string> =>
    JSON.stringify(await Promise.all(TABLES.map(({ name }) => sql(`select * from ${name}`))), (_, value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString() : value,
    );
  after(() => removeFolder(folder));

  test(`${database.name}: secrets of webhooks and of pushes stand nowhere in the database, and sign as before`, async () => {
    const home = await newNamespace();
    await using endpoint = await webhookEndpoint();
    await using program = await openAgentServer();
    const hook = bodyOf(await api<Hook>('POST', '/webhooks', { key: home.key, body: { url: endpoint.url } }));
    const behavior = { name: 'agent', settings: { webhook_url: program.url } };
    const agent = (await newMailbox(home, { behavior })) as unknown as { address: string; webhook_secret: string };
    const later = await newMailbox(home, { behavior: { name: 'agent', settings: { by_hand: true } } });
    const path = `/mailboxes/${later.address}`;
    const second = bodyOf(await api<typeof agent>('PATCH', path, { key: home.key, body: { behavior } }));
    const rotated = bodyOf(await api<Hook>('POST', `/webhooks/${hook.id}/rotate`, { key: home.key }));
    const third = bodyOf(await api<typeof agent>('POST', `${path}/webhook/rotate`, { key: home.key }));
    const secrets = [hook.secret, rotated.secret, agent.webhook_secret, second.webhook_secret, third.webhook_secret];
    for (const secret of secrets) assert.match(secret, SECRET);
    assert.equal(new Set(secrets).size, secrets.length);

    const byHand = await newMailbox(home, { behavior: { name: 'agent', settings: { by_hand: true } } });
    const client = await a2aClient(service, byHand.address, { key: home.key });
    const task = await sendTask(client, says('Wait'), { returnImmediately: true });
    const authentication = { scheme: 'Bearer', credentials: 'push-credentials' };
    const config = { tenant: '', id: 'mine', taskId: task.id, url: endpoint.url, token: 'push-token', authentication };
    await client.createTaskPushNotificationConfig(config);

    const text = await everything();
    for (const secret of [...secrets, 'whsec_', 'push-credentials', 'push-token'])
      assert.ok(!text.includes(secret), secret);

    await send(home.key, { to: agent.address, body: 'Signed?', sync: true });
    await send(home.key, { to: later.address, body: 'Signed?', sync: true });
    const posted = await endpoint.got(1);
    for (const secret of [hook.secret, rotated.secret])
      assert.ok(await isSigned(posted[0] as (typeof posted)[number], secret));
    const signed = program.received.map(({ headers, body }) => ({ headers, text: body }) as never);
    assert.equal(signed.length, 2);
    assert.ok(await isSigned(signed[0] as never, agent.webhook_secret));
    for (const secret of [second.webhook_secret, third.webhook_secret])
      assert.ok(await isSigned(signed[1] as never, secret));
  });

  test(`${database.name}: a secret in the row of another webhook signs nothing, and the owner is told`, async () => {
    const home = await newNamespace();
    const mailbox = await newMailbox(home);
    await using endpoint = await webhookEndpoint();
    const [one, two] = [
      bodyOf(await api<Hook>('POST', '/webhooks', { key: home.key, body: { url: endpoint.url } })),
      bodyOf(await api<Hook>('POST', '/webhooks', { key: home.key, body: { url: endpoint.url, types: ['domain.*'] } })),
    ];
    await sql(
      `update webhooks set secret = (select secret from webhooks where id = '${two.id}') where id = '${one.id}'`,
    );
    await send(home.key, { to: mailbox.address, body: 'Hello?', sync: true });
    const state = () => api<{ error: string | null }>('GET', `/webhooks/${one.id}`, { key: home.key });
    const { seen } = await until(30_000, state, ({ body }) => body.error !== null);
    assert.match(seen.body.error ?? '', /Replace the secret/);
    assert.equal(endpoint.posted.length, 0);
    const next = bodyOf(await api<Hook>('POST', `/webhooks/${one.id}/rotate`, { key: home.key }));
    await send(home.key, { to: mailbox.address, body: 'Again', sync: true });
    const [posted] = await endpoint.got(1);
    assert.ok(posted !== undefined && (await isSigned(posted, next.secret)));
  });

  for (const [why, narrowed] of Object.entries(NARROWED)) {
    test(`${database.name}: a webhook whose key ${why} gets ids alone, its owner is told once, and may change it`, async () => {
      const home = await newNamespace();
      const mailbox = await newMailbox(home);
      await using endpoint = await webhookEndpoint();
      const key = await wide(home);
      const body = { url: endpoint.url, types: ['message.*', 'mailbox.updated'] };
      const hook = bodyOf(await api<Hook>('POST', '/webhooks', { key: key.secret, body }));
      assert.deepEqual([hook.key_id, hook.limited_since], [key.id, null]);
      await sql(narrowed(key.id));
      service.pass(1_100);
      const ask = () => send(home.key, { to: mailbox.address, body: 'A secret plan', subject: 'Plan', sync: true });
      const { id, thread_id } = (await ask()).body;
      const [first] = await endpoint.got(1);
      assert.deepEqual(first?.body.data, { id, thread_id });
      assert.ok(!first?.text.includes('secret plan'));
      await ask();
      await endpoint.got(2);
      bodyOf(await api('PATCH', `/mailboxes/${mailbox.address}`, { key: home.key, body: { description: 'New' } }));
      const updated = (await endpoint.got(3))[2] as unknown as { body: Event };
      assert.deepEqual([updated.body.type, updated.body.data.description], ['mailbox.updated', 'New']);
      const limited = await events(home, 'webhook.limited');
      assert.deepEqual(
        limited.map(({ data }) => [data.id, typeof data.limited_since]),
        [[hook.id, 'string']],
      );

      const path = `/webhooks/${hook.id}`;
      const again = bodyOf(await api<Hook>('PATCH', path, { key: home.key, body: { status: 'enabled' } }));
      assert.equal(again.limited_since, null);
      await ask();
      const whole = (await endpoint.got(4))[3] as unknown as { body: Event };
      assert.equal(whole.body.data.body, 'A secret plan');
      assert.equal((await events(home, 'webhook.limited')).length, 1);
    });

    test(`${database.name}: a mailbox whose settings’ key ${why} pushes ids alone, and calls no server of others`, async () => {
      const home = await newNamespace();
      await using program = await openAgentServer();
      program.answer(() => ({ type: 'text/plain', body: 'Taken.' }));
      const key = await wide(home);
      const create = async (behavior: object): Promise<string> => {
        const wanted = { local_part: `a${Math.random().toString(36).slice(2, 10)}`, behavior };
        const path = `/namespaces/${home.name}/mailboxes`;
        return bodyOf(await api<{ address: string }>('POST', path, { key: key.secret, body: wanted })).address;
      };
      const outside = [{ name: 'weather', kind: 'mcp', url: `${weather.url}/mcp` }];
      const agent = await create({ name: 'agent', settings: { webhook_url: program.url } });
      const doing = await create({ name: 'do', settings: { outside } });
      await sql(narrowed(key.id));
      service.pass(1_100);
      const sent = (await send(home.key, { to: agent, body: 'A secret plan', sync: true })).body;
      assert.equal(sent.reply?.body, 'Taken.');
      const [pushed] = program.received;
      assert.deepEqual([pushed?.message, pushed?.thread], [{ id: sent.id, thread_id: sent.thread_id }, []]);
      assert.ok(!pushed?.body.includes('secret plan'));
      const steps = [{ task: 'weather.get_forecast', input: { city: 'a secret plan' } }];
      const call = async (): Promise<Envelope> =>
        (await send(home.key, { to: doing, body: 'Go', data: { steps }, sync: true })).body;
      const refused = await call();
      assert.match(JSON.stringify(refused), /may not read the messages of this mailbox/);
      const { seen } = await until(
        5_000,
        () => events(home, 'mailbox.limited'),
        ({ length }) => length >= 2,
      );
      assert.equal(seen.length, 2);
      const shown = await api<{ webhook: { limited_since?: string } }>('GET', `/mailboxes/${agent}`, { key: home.key });
      assert.equal(typeof shown.body.webhook.limited_since, 'string');

      for (const [address, settings] of [
        [agent, { webhook_url: program.url }],
        [doing, { outside }],
      ] as const)
        bodyOf(await api('PATCH', `/mailboxes/${address}`, { key: home.key, body: { behavior: { settings } } }));
      const { id } = (await send(home.key, { to: agent, body: 'Whole', sync: true })).body;
      assert.equal(program.received.at(-1)?.message.body, 'Whole');
      assert.equal((await read(home.key, id)).body.reply?.body, 'Taken.');
      assert.match(JSON.stringify(await call()), /Sunny/);
      assert.equal((await events(home, 'mailbox.limited')).length, 2);
    });
  }

  test(`${database.name}: what a key set up stays whole when that key is revoked, and says by which it was`, async () => {
    const home = await newNamespace();
    const mailbox = await newMailbox(home);
    await using endpoint = await webhookEndpoint();
    const key = await wide(home);
    const hook = bodyOf(await api<Hook>('POST', '/webhooks', { key: key.secret, body: { url: endpoint.url } }));
    assert.equal((await api('DELETE', `/keys/${key.id}`, { key: home.key })).status, 204);
    await send(home.key, { to: mailbox.address, body: 'Whole', sync: true });
    const [posted] = await endpoint.got(1);
    assert.equal((posted as unknown as { body: Event }).body.data.body, 'Whole');
    const shown = await api<Hook>('GET', `/webhooks/${hook.id}`, { key: home.key });
    assert.deepEqual([shown.body.key_id, shown.body.limited_since], [key.id, null]);
  });
}
