import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { after, beforeEach, test } from 'node:test';
import { DomainKeys } from '@mailroom/server/mail/peers/domain-keys';
import { signatureOf } from '@mailroom/server/mail/peers/request-signature';
import { dnsResolver } from '@mailroom/server/mail/writing/dns';
import { unique } from '../../../../tests/harness/client.ts';
import { type Peer, startPeers } from '../../../../tests/harness/peers.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope, Page } from '../../../../tests/harness/wire.ts';

const MINUTES = 60_000;
const peers = await startPeers(['one.test', 'two.test'], undefined, '127.0.5');
after(() => peers[Symbol.asyncDispose]());
const [one, two] = peers.all as [Peer, Peer];
const from = (await one.inside.client.newMailbox(one.home, { behavior: { name: 'agent' } })).address;

interface Call {
  readonly method: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  readonly params: { readonly message?: { readonly messageId: string; readonly parts: readonly Part[] } };
}
interface Part {
  readonly text?: string;
  readonly raw?: string;
  readonly filename?: string;
}

/** An agent of two.test that is no Mailroom: it names its task at once, and works on it until `done`. */
const agent = { done: false, modes: ['text/plain'], calls: [] as Call[] };
const task = () => ({
  ...{ id: 'task-1', contextId: 'context-1' },
  status: { state: agent.done ? 'TASK_STATE_COMPLETED' : 'TASK_STATE_WORKING' },
  artifacts: agent.done ? [{ artifactId: 'a', parts: [{ text: 'It is done.' }] }] : [],
});
const card = () => ({
  ...{ name: 'Slow', description: 'Takes its time.', version: '1', skills: [], capabilities: {} },
  ...{ defaultInputModes: agent.modes, defaultOutputModes: ['text/plain'] },
  supportedInterfaces: [
    { url: 'https://two.test/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: '' },
  ],
});

beforeEach(() => {
  Object.assign(agent, { done: false, modes: ['text/plain'], calls: [] });
  two.instead = (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'https://two.test');
    const json = (value: object): true => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
      return true;
    };
    if (pathname === '/.well-known/webfinger') {
      const href = 'https://two.test/card.json';
      return json({
        subject: searchParams.get('resource'),
        links: [{ rel: 'https://a2a-protocol.org/rel/agent-card', href }],
      });
    }
    if (pathname === '/card.json') return json(card());
    if (pathname !== '/rpc') return false;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const { id, method, params } = JSON.parse(body.toString('utf8'));
      agent.calls.push({ method, params, headers: request.headers, body });
      json({ jsonrpc: '2.0', id, result: method === 'SendMessage' ? { task: task() } : task() });
    });
    return true;
  };
});

const send = async (to: string, fields: object = {}): Promise<Envelope> => {
  const { status, body, text } = await one.inside.client.send(one.home.key, { from, to, body: unique(), ...fields });
  assert.equal(status, 202, text);
  return body;
};
const answersTo = async (id: string): Promise<Envelope[]> => {
  const { client } = one.inside;
  const page = await client.api<Page<Envelope>>('GET', `/mailboxes/${from}/messages`, { key: one.home.key });
  return page.body.items.filter((message) => message.in_reply_to === id);
};
const called = (method: string): Call[] => agent.calls.filter((call) => call.method === method);

test('an agent is asked with a signature of the sender’s domain, and for its task until it has answered', async () => {
  const { id } = await send(`slow-${unique().slice(-6)}@two.test`);
  await until(
    20_000,
    async () => called('GetTask').length,
    (count) => count > 0,
  );
  const [first] = called('SendMessage') as [Call];
  const request = { method: 'POST', authority: 'two.test', path: '/rpc', body: first.body };
  const signature = signatureOf(request, first.headers);
  assert.equal(signature.domain, 'one.test');
  const keys = new DomainKeys(dnsResolver([peers.dns.address]), Date.now);
  const key = await keys.key(signature.selector, signature.domain);
  assert.ok(key !== undefined && signature.isBy(key));
  // The attempt has ended without an answer, and the agent is restarted and asked by the next one.
  await new Promise((resolve) => setTimeout(resolve, 11_000));
  assert.deepEqual(await answersTo(id), []);
  await one.inside.restart();
  agent.done = true;
  one.inside.pass(30 * MINUTES);
  const { seen } = await until(
    20_000,
    () => answersTo(id),
    (all) => all.length > 0,
  );
  assert.deepEqual(
    seen.map(({ body }) => body),
    ['It is done.'],
  );
  assert.equal(called('SendMessage').length, 1);
});

test('an agent whose card takes a type of file is sent it; another gets the message as mail', async () => {
  agent.done = true;
  const attachments = [
    { filename: 'a.pdf', content_type: 'application/pdf', content: Buffer.from('%PDF-1.4').toString('base64') },
  ];
  const text = await send(`text-${unique().slice(-6)}@two.test`, { attachments });
  const leaves = (id: string) =>
    until(
      20_000,
      async () => (await one.inside.client.read(one.home.key, id)).body as { deliveries?: { status: string }[] },
      ({ deliveries }) => deliveries?.[0]?.status === 'sent',
    );
  await leaves(text.id);
  assert.deepEqual(agent.calls, []);
  agent.modes = ['text/plain', 'application/*'];
  const { id } = await send(`files-${unique().slice(-6)}@two.test`, { attachments });
  await leaves(id);
  const [, file] = called('SendMessage')[0]?.params.message?.parts ?? [];
  assert.deepEqual([file?.filename, file?.raw], ['a.pdf', attachments[0]?.content]);
});
