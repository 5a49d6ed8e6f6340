import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { connect, unique } from '../../../tests/harness/client.ts';
import { serveInside } from '../../../tests/harness/inside.ts';
import { newFolder, removeFolder } from '../../../tests/harness/service.ts';
import { until } from '../../../tests/harness/until.ts';
import { isSigned, webhookEndpoint } from '../../../tests/harness/webhook-endpoint.ts';
import type { Page } from '../../../tests/harness/wire.ts';
import { MAIN, mailroomCommand } from './command.ts';
import { type Finished, NODE } from './old-node.ts';

const service = await serveInside({ env: { WEBHOOK_NETWORKS: '127.0.0.1' } });
const folder = newFolder();
after(() => removeFolder(folder));

const mailroom = (args: readonly string[]): Promise<Finished> => mailroomCommand(args, { XDG_CONFIG_HOME: folder });
async function out(...args: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await mailroom(args);
  assert.equal(status, 0, `${args.join(' ')}: ${stderr}`);
  return stdout;
}
const json = async <T>(...args: readonly string[]): Promise<T> => JSON.parse(await out(...args, '--json'));

test('a webhook is made with its secret alone on standard output, tried out, changed and removed', async () => {
  await using endpoint = await webhookEndpoint();
  await out('new', unique(), '--url', service.url);
  const secret = await out('webhooks', 'add', endpoint.url, '-t', 'message.failed');
  assert.match(secret, /^whsec_\S+\n$/);
  const list = await json<readonly { id: string; url: string; types: string[]; status: string }[]>('webhooks');
  const [hook] = list;
  assert.deepEqual([hook?.url, hook?.types], [endpoint.url, ['message.failed']]);
  const id = hook?.id ?? '';
  assert.match(await out('webhooks', 'test', id), /^dlv_\w+ sent\n$/);
  const [posted] = await endpoint.got(1);
  assert.ok(posted !== undefined && (await isSigned(posted, secret.trim())));
  endpoint.answer(500);
  const failed = await mailroom(['webhooks', 'test', id]);
  assert.deepEqual([failed.status, /It answered 500/.test(failed.stdout)], [1, true]);
  const deliveries = await json<readonly { id: string; status: string }[]>('webhooks', 'deliveries', id);
  assert.deepEqual(
    deliveries.map(({ status }) => status),
    ['failed', 'sent'],
  );
  assert.match(await out('webhooks', 'deliveries', id, '--status', 'failed'), /It answered 500/);
  endpoint.answer(204);
  assert.match(await out('webhooks', 'redeliver', id, deliveries[0]?.id ?? ''), /queued/);
  await endpoint.got(3);
  assert.match(await out('webhooks', 'rotate', id), /^whsec_\S+\n$/);
  await out('webhooks', 'replay', id, '2026-01-01T00:00:00Z');
  const moved = `${endpoint.url}/moved`;
  const { url } = await json<{ url: string }>('webhooks', 'edit', id, moved);
  assert.equal(url, moved);
  await out('webhooks', 'edit', id, '--off', '-t', '*');
  assert.match(await out('webhooks'), /\toff$/m);
  assert.equal((await mailroom(['webhooks', 'replay', id, '2999-01-01T00:00:00Z'])).status !== 0, true);
  assert.equal((await mailroom(['webhooks', 'edit', id])).status, 2);
  assert.equal((await mailroom(['webhooks', 'rm', id])).status, 2, 'without a person --yes is needed');
  assert.deepEqual(await json('webhooks', 'rm', id, '--yes'), { removed: id });
  assert.deepEqual(await json('webhooks'), []);
});

test('events are forwarded to a program on this machine as a webhook posts them, whatever it answers', async () => {
  await using endpoint = await webhookEndpoint();
  const { newNamespace, newMailbox, api, send } = connect(service.url);
  const home = await newNamespace();
  const { address } = await newMailbox(home);
  const env = { PATH: process.env.PATH ?? '', MAILROOM_URL: service.url, MAILROOM_KEY: home.key };
  const run = (...args: readonly string[]): Promise<Finished> => mailroomCommand(['webhooks', 'listen', ...args], env);
  const secret = (await run('--print-secret')).stdout.trim();
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  for (const wrong of ['', 'localhost:3000', 'ftp://localhost/x', 'not a URL']) {
    const refused = await run(...(wrong === '' ? [] : [wrong]));
    assert.equal(refused.status, 2, wrong);
    assert.match(refused.stderr, /is no URL to forward to.*http:\/\/localhost/);
  }
  const write = (body: string) => send(home.key, { to: address, body, sync: true });
  const [first] = (await api<Page<{ id: string }>>('GET', '/events', { key: home.key })).body.items;
  await write('Before');
  endpoint.answer(302);
  const args = [MAIN, 'webhooks', 'listen', endpoint.url, '--after', first?.id ?? '', '-m', address, '--json'];
  const child = spawn(NODE, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  let said = '';
  child.stderr.on('data', (text) => (said += text));
  const lines: { event_id: string; status: number | null; arrived: boolean }[] = [];
  const all = (async () => {
    for await (const line of createInterface(child.stdout)) lines.push(JSON.parse(line));
  })();
  const forwarded = (count: number) =>
    until(
      60_000,
      async () => lines.length,
      (now) => now === count,
    );
  await forwarded(1);
  endpoint.answer(({ body }) => ((body.data as { body: string }).body === 'Break' ? 500 : 204));
  await write('Break');
  await forwarded(2);
  await write('Works');
  await forwarded(3);
  const { posted } = endpoint;
  child.kill('SIGINT');
  const [code] = await ended;
  await all;
  assert.equal(code, 0, said);
  assert.ok(said.includes(secret) && said.includes(endpoint.url));
  for (const one of posted) assert.equal(await isSigned(one, secret), true);
  assert.deepEqual(
    posted.map(({ body }) => [body.type, (body.data as { body: string }).body]),
    ['Before', 'Break', 'Works'].map((body) => ['message.completed', body]),
  );
  assert.deepEqual(
    lines.map(({ event_id, status, arrived }) => [event_id, status, arrived]),
    posted.map(({ id }, at) => [id, [302, 500, 204][at], at === 2]),
  );
});
