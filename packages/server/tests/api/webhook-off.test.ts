import assert from 'node:assert/strict';
import { test } from 'node:test';
import { json, openAgentServer } from '../../../../tests/harness/agent-server.ts';
import { type Home, unique } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { until } from '../../../../tests/harness/until.ts';
import { webhookEndpoint } from '../../../../tests/harness/webhook-endpoint.ts';
import type { Envelope, Mailbox, Page } from '../../../../tests/harness/wire.ts';
import { own } from '../store/signed-in.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const LONG_MS = 60_000;

const inside = await startInside({ env: { WEBHOOK_NETWORKS: '127.0.0.1' } });
const { api, newNamespace, newMailbox, send, read } = inside.client;

interface Hook {
  readonly id: string;
  readonly status: string;
  readonly disabled_reason: string | null;
  readonly failing_since: string | null;
}

/** A namespace that a person owns whose account is a mailbox elsewhere, and the mail of the service in it. */
async function owned() {
  const [home, person] = [await newNamespace(), await newNamespace()];
  const inbox = await newMailbox(person, { behavior: { name: 'agent', settings: { by_hand: true } } });
  const [local = '', host = ''] = inbox.address.split('@');
  const namespace = await inside.store.namespaces.byName(home.name);
  const account = await inside.store.mailboxes.byAddress(local, host.split('.')[0] ?? '');
  assert.ok(namespace !== undefined && account !== undefined);
  assert.equal((await own(inside.store, namespace, account.id, { id: `key_${account.id.slice(4)}` })).result, 'joined');
  const mails = async (): Promise<readonly Envelope[]> =>
    (await api<Page<Envelope>>('GET', `/mailboxes/${inbox.address}/messages`, { key: person.key })).body.items.filter(
      // That what the webhook missed waits for a person is another mail.
      ({ subject }) => !/ waits? for you in /.test(subject ?? ''),
    );
  const mailed = async (): Promise<Envelope> => {
    const { seen } = await until(LONG_MS, mails, ({ length }) => length > 0);
    assert.equal(seen.length, 1);
    return seen[0] as Envelope;
  };
  return { home, key: home.key, mails, mailed };
}

const hookOf = async ({ key }: Home, id: string): Promise<Hook> =>
  (await api<Hook>('GET', `/webhooks/${id}`, { key })).body;

for (const why of ['failing', 'gone'] as const) {
  test(`a webhook that is switched off (${why}) is mailed to the owner, and delivers again what it missed`, async () => {
    const { home, key, mails, mailed } = await owned();
    await using endpoint = await webhookEndpoint();
    const { address } = await newMailbox(home);
    const { id } = (await api<Hook>('POST', '/webhooks', { key, body: { url: endpoint.url } })).body;
    const write = async (): Promise<string> =>
      (await send(key, { to: address, body: unique('Hello?'), sync: true })).body.id;
    const since = new Date(inside.now()).toISOString();
    endpoint.answer(why === 'gone' ? 410 : 503);
    const missed = [await write()];
    if (why === 'failing') {
      await until(
        LONG_MS,
        () => hookOf(home, id),
        ({ failing_since }) => failing_since !== null,
      );
      assert.deepEqual(await mails(), []);
      inside.pass(5 * DAY + MINUTE);
      missed.push(await write());
    }
    const { seen } = await until(
      LONG_MS,
      () => hookOf(home, id),
      ({ status }) => status === 'disabled',
    );
    assert.equal(seen.disabled_reason, why);
    const mail = await mailed();
    assert.match(mail.subject ?? '', /^Your webhook to 127\.0\.0\.1:\d+ is switched off$/);
    assert.match(mail.body ?? '', why === 'gone' ? /answered 410/ : /for five days/);
    assert.ok(mail.body?.includes(`/console/webhooks/${id}`));
    missed.push(await write());
    endpoint.answer(204);
    const before = endpoint.posted.length;
    assert.equal((await api('PATCH', `/webhooks/${id}`, { key, body: { status: 'enabled' } })).status, 200);
    assert.equal((await api('POST', `/webhooks/${id}/replay`, { key, body: { since } })).status, 202);
    await endpoint.got(before + missed.length);
    const got = endpoint.posted.slice(before).map(({ body }) => (body.data as Envelope).id);
    assert.deepEqual(new Set(got), new Set(missed));
    assert.equal((await mails()).length, 1, 'one mail for one time');
  });

  test(`the webhook of an agent that is switched off (${why}) is mailed to the owner, and gets what waits`, async () => {
    const { home, key, mails, mailed } = await owned();
    await using program = await openAgentServer();
    const settings = { webhook_url: program.url, answer_within_seconds: 604_800 };
    const { address } = await newMailbox(home, { behavior: { name: 'agent', settings } });
    const state = async () =>
      (
        await api<Mailbox & { webhook: { status: string; failing_since: string | null } }>(
          'GET',
          `/mailboxes/${address}`,
          { key },
        )
      ).body.webhook;
    const post = async (): Promise<string> => (await send(key, { to: address, body: unique('a question') })).body.id;
    program.answer(() => json({}, why === 'gone' ? 410 : 503));
    const waiting = [await post()];
    if (why === 'failing') {
      await until(LONG_MS, state, ({ failing_since }) => failing_since !== null);
      assert.deepEqual(await mails(), []);
      inside.pass(5 * DAY + MINUTE);
      waiting.push(await post());
    }
    await until(LONG_MS, state, ({ status }) => status === 'off');
    const mail = await mailed();
    assert.equal(mail.subject, `The webhook of ${address} is switched off`);
    assert.match(mail.body ?? '', why === 'gone' ? /it answered 410/ : /failed for five days/);
    assert.ok(mail.body?.includes(`/console/addresses/${address.split('@')[0]}`));
    waiting.push(await post());
    program.answer(({ message }) => json({ body: `back: ${message.id}` }));
    assert.equal((await api('PATCH', `/mailboxes/${address}`, { key, body: { behavior: { settings } } })).status, 200);
    for (const id of waiting) {
      const { seen } = await until(
        LONG_MS,
        async () => (await read(key, id)).body,
        ({ settled_at }) => settled_at !== null,
      );
      assert.deepEqual([seen.status, seen.reply?.body], ['completed', `back: ${id}`]);
    }
    assert.equal((await mails()).length, 1, 'one mail for one time');
  });
}
