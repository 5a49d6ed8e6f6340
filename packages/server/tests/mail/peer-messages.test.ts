import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { after, beforeEach, test } from 'node:test';
import { signedHeaders } from '@mailroom/server/mail/peers/request-signature';
import { signMail } from '@mailroom/server/mail/writing/dkim';
import { dkimKeys } from '@mailroom/server/mail/writing/dkim-keys';
import { unique } from '../../../../tests/harness/client.ts';
import type { Peer } from '../../../../tests/harness/peers.ts';
import { startPeers } from '../../../../tests/harness/peers.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope, Page } from '../../../../tests/harness/wire.ts';

const MINUTES = 60_000;
const PATH = '/peers/mail/messages';
const peers = await startPeers(['one.test', 'two.test'], undefined, '127.0.4');
after(() => peers[Symbol.asyncDispose]());
const [one, two] = peers.all as [Peer, Peer];
const from = (await one.inside.client.newMailbox(one.home, { behavior: { name: 'agent' } })).address;

beforeEach(() => {
  for (const peer of peers.all) Object.assign(peer, { instead: () => false, asked: [] });
});

const addressAt = async ({ inside, home }: Peer, behavior = 'hello'): Promise<string> =>
  (await inside.client.newMailbox(home, { behavior: { name: behavior } })).address;
const receivedAt = async ({ inside, home }: Peer, address: string): Promise<Envelope[]> =>
  (await inside.client.api<Page<Envelope>>('GET', `/mailboxes/${address}/messages`, { key: home.key })).body.items;
const answersTo = async (id: string): Promise<Envelope[]> =>
  (await receivedAt(one, from)).filter((message) => message.in_reply_to === id);
const exchange = (to: string, body: string, seconds = 30) =>
  one.inside.client.api<Envelope>('POST', '/mail/send', {
    key: one.home.key,
    headers: { prefer: `wait=${seconds}` },
    body: { from, to, body, sync: true },
  });

async function status(id: string): Promise<string | undefined> {
  const { body } = await one.inside.client.read(one.home.key, id);
  return (body as { deliveries?: { status: string }[] }).deliveries?.[0]?.status;
}
const becomes = (id: string, wanted: string): Promise<unknown> =>
  until(
    10_000,
    () => status(id),
    (found) => found === wanted,
  );

const isDoor = ({ url = '' }: IncomingMessage): boolean => url === PATH;
/** Answers as the service in place of it. */
const answering =
  (text: string): Peer['instead'] =>
  (request, response) => {
    if (!isDoor(request)) return false;
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    return true;
  };

test('a message and its answer are one request, and no mail and no delivery of the other server', async () => {
  const to = await addressAt(two);
  const { status: code, body: sent } = await exchange(to, unique());
  assert.equal(code, 200, JSON.stringify(sent));
  assert.deepEqual(
    two.asked.map((path) => path.split('?')[0]),
    ['/.well-known/webfinger', PATH],
  );
  assert.deepEqual(one.asked, []);
  assert.equal((await answersTo(sent.id)).length, 1);
  assert.equal(await status(sent.id), 'sent');
});

test('a message whose answer takes a program is answered by a request of its own', async () => {
  const to = await addressAt(two, 'agent');
  const sending = exchange(to, unique());
  const {
    seen: [received],
  } = await until(
    10_000,
    () => receivedAt(two, to),
    (all) => all.length === 1,
  );
  const reply = await two.inside.client.api('POST', `/mail/messages/${received?.id}/answer`, {
    key: two.home.key,
    body: { body: 'By hand.' },
  });
  assert.ok(reply.status < 300, reply.text);
  const { status: code, body: sent } = await sending;
  assert.equal(code, 200, JSON.stringify(sent));
  assert.match(sent.reply?.body ?? '', /^By hand\./);
  assert.equal(one.asked.filter((path) => path.startsWith('/peers/mail')).length, 1);
});

test('an answer that is lost midway comes with the next request, once', async () => {
  const to = await addressAt(two);
  two.instead = (request, response) => {
    if (!isDoor(request)) return false;
    response.on('pipe', (answer) => {
      answer.unpipe(response);
      answer.once('data', (bytes: Buffer) => response.write(bytes.subarray(0, 20), () => response.destroy()));
    });
    return false;
  };
  const { status: code, body: sent } = await exchange(to, unique(), 1);
  assert.equal(code, 202);
  await becomes(sent.id, 'deferred');
  two.instead = () => false;
  for (const peer of [one, two]) peer.inside.pass(10 * MINUTES);
  await becomes(sent.id, 'sent');
  const [answer, ...others] = await answersTo(sent.id);
  assert.match(answer?.body ?? '', /hello/i);
  assert.deepEqual(others, []);
  assert.equal((await receivedAt(two, to)).length, 1);
});

test('an answer from another address, or to another message, is none', async () => {
  const forged = (fields: object) => ({
    ...{ id: `<${unique()}@two.test>`, to: from, body: 'Pay me.', date: '2026-11-29T10:00:00Z', ...fields },
  });
  for (const by of ['boss@one.test', 'own'] as const) {
    const to = await addressAt(two);
    const answer = forged({ from: { address: by === 'own' ? to : by }, references: ['<other@one.test>'] });
    two.instead = answering(JSON.stringify({ results: [{ status: 200, id: 'x', answer }] }));
    const { status: code, body: sent } = await exchange(to, unique(), 1);
    assert.equal(code, 202);
    await becomes(sent.id, 'sent');
    assert.deepEqual(await answersTo(sent.id), []);
  }
});

test('an answer of 100 MB is not read, and its message is sent once', async () => {
  const to = await addressAt(two);
  two.instead = answering(`{"id":"${'x'.repeat(100 * 1024 * 1024)}"}`);
  const { body: sent } = await exchange(to, unique(), 1);
  await becomes(sent.id, 'sent');
  assert.equal(two.asked.filter((path) => path === PATH).length, 1);
});

/** A message of one.test as JSON, with an id of its own. */
const messageTo = (to: string, fields: object = {}) => ({
  ...{ id: `<${unique()}@one.test>`, from: { address: from }, to, body: 'Pay 10 euros.' },
  ...{ date: new Date(two.inside.now()).toISOString(), ...fields },
});

interface Signed {
  readonly peer?: Peer;
  readonly domain?: string;
  readonly now?: number;
  readonly algorithm?: 'ed25519-sha256' | 'rsa-sha256';
}

interface Result {
  readonly status: number;
  readonly id?: string;
  readonly answer?: { readonly body: string };
}

/** Hands a message in by its door; `sent` replaces what was signed. What became of it, or of the request. */
async function handIn(
  message: object,
  signed: Signed = {},
  sent = message,
): Promise<Result & { readonly text: string }> {
  const { status: code, text, body } = await handInAll([message], signed, [sent]);
  const [result] = (body as { results?: Result[] }).results ?? [];
  return { status: code, ...result, text };
}

async function handInAll(
  messages: readonly object[],
  { peer = one, domain = peer.domain, now, algorithm }: Signed = {},
  sent = messages,
) {
  const [keys = []] = await dkimKeys(peer.inside.store.secrets);
  const key = keys.find((each) => each.algorithm === (algorithm ?? 'ed25519-sha256'));
  const url = new URL(`https://two.test${PATH}`);
  const request = { method: 'POST', url, body: JSON.stringify({ messages }) };
  const headers = signedHeaders(request, { domain, key: key as NonNullable<typeof key> }, now ?? two.inside.now());
  return two.inside.client.api('POST', `/${PATH}`, {
    raw: JSON.stringify({ messages: sent }),
    headers: { ...headers, 'content-type': 'application/json' },
  });
}

test('only a signature of now by a key of its author’s domain hands a message in', async () => {
  const to = await addressAt(two);
  const message = messageTo(to);
  const now = two.inside.now();
  const unsigned = await two.inside.client.api('POST', `/${PATH}`, { body: { messages: [message] } });
  const refused: Readonly<Record<string, { readonly status: number; readonly text: string }>> = {
    unsigned,
    'another text': await handIn(message, {}, { ...message, body: 'Pay 99 euros.' }),
    'another author': await handIn(messageTo(to, { from: { address: 'boss@three.test' } })),
    'a key of another domain': await handIn(message, { peer: two }),
    'a name of another key': await handIn(message, { peer: two, domain: 'one.test' }),
    old: await handIn(message, { now: now - 6 * MINUTES }),
    'of the future': await handIn(message, { now: now + 6 * MINUTES }),
  };
  for (const [name, { status: code, text }] of Object.entries(refused)) assert.equal(code, 403, `${name}: ${text}`);
  assert.deepEqual(await receivedAt(two, to), []);
  for (const algorithm of ['ed25519-sha256', 'rsa-sha256'] as const)
    assert.equal((await handIn(messageTo(to), { algorithm })).status, 200);
  assert.equal((await receivedAt(two, to)).length, 2);
});

test('a message that comes again is the same one, with the same answer, also by the other door', async () => {
  const to = await addressAt(two);
  const id = `<msg_${'0'.repeat(20)}@one.test>`;
  const message = messageTo(to, { id });
  const [first, second] = [await handIn(message), await handIn(message)];
  assert.equal(first.status, 200);
  assert.deepEqual(first, second);
  const [keys = []] = await dkimKeys(one.inside.store.secrets);
  const now = new Date(two.inside.now());
  const head = [`From: ${from}`, `To: ${to}`, 'Subject: Hi', `Date: ${now.toUTCString()}`, `Message-ID: ${id}`];
  const mail = Buffer.from([...head, '', 'Pay 10 euros.', ''].join('\r\n'));
  const signed = await signMail(mail, { domain: 'one.test', keys, now });
  const again = await two.inside.client.api('POST', `//peers/mail?to=${encodeURIComponent(to)}`, {
    raw: signed.toString('latin1'),
    headers: { 'content-type': 'message/rfc822' },
  });
  assert.equal(again.status, 202, again.text);
  assert.equal((again.body as { id: string }).id, first.id);
  assert.equal((await receivedAt(two, to)).length, 1);
});

test('what is no message is refused with what is wrong, and nothing is filed', async () => {
  const to = await addressAt(two);
  for (const fields of [{ id: 'no id' }, { body: 7 }, { date: 'yesterday' }, { from: { address: 'nobody' } }]) {
    const { status: code } = await handIn(messageTo(to, fields));
    assert.ok(code === 422 || code === 400 || code === 403, `${JSON.stringify(fields)}: ${code}`);
  }
  assert.equal((await handIn(messageTo(`none@agents.two.test`))).status, 404);
  assert.deepEqual(await receivedAt(two, to), []);
});
