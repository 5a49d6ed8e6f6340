import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { after, beforeEach, test } from 'node:test';
import { signMail } from '@mailroom/server/mail/writing/dkim';
import { dkimKeys } from '@mailroom/server/mail/writing/dkim-keys';
import { unique } from '../../../../tests/harness/client.ts';
import { type Peer, startPeers } from '../../../../tests/harness/peers.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope, Page } from '../../../../tests/harness/wire.ts';

type Received = Envelope & { readonly authentication?: { readonly verified: boolean } };
type Instead = Peer['instead'];

const MINUTES = 60_000;
const DOOR = 'urn:x-mailroom:mail';
const peers = await startPeers(['one.test', 'two.test', 'three.test']);
after(() => peers[Symbol.asyncDispose]());
const [one, two, three] = peers.all as [Peer, Peer, Peer];
const from = (await one.inside.client.newMailbox(one.home, { behavior: { name: 'agent' } })).address;

beforeEach(() => {
  for (const peer of peers.all) Object.assign(peer, { instead: () => false, asked: [] });
});

/** The whole address of a new mailbox of a peer, whose doors were not looked up so far. */
const addressAt = async ({ inside, home }: Peer, behavior = 'hello'): Promise<string> =>
  (await inside.client.newMailbox(home, { behavior: { name: behavior } })).address;

const receivedAt = async ({ inside, home }: Peer, address: string): Promise<Received[]> =>
  (await inside.client.api<Page<Received>>('GET', `/mailboxes/${address}/messages`, { key: home.key })).body.items;

const send = (to: string, body: string, fields: object = {}) =>
  one.inside.client.send(one.home.key, { from, to, body, ...fields });
const exchange = (to: string, body: string) => send(to, body, { sync: true });

/** How the one delivery of a message stands. */
async function deliveryOf(id: string): Promise<string | undefined> {
  const { body } = await one.inside.client.read(one.home.key, id);
  return (body as { deliveries?: { status: string }[] }).deliveries?.[0]?.status;
}
const leaves = (id: string): Promise<unknown> =>
  until(
    10_000,
    () => deliveryOf(id),
    (status) => status === 'sent',
  );
const isDeferred = (id: string): Promise<unknown> =>
  until(
    10_000,
    () => deliveryOf(id),
    (status) => status === 'deferred',
  );
const mailsIn = ({ inside }: Peer): number => (existsSync(inside.outbox) ? readdirSync(inside.outbox).length : 0);

const isDoor = ({ url = '' }: IncomingMessage): boolean => url.startsWith('/peers/mail');
const isWebFinger = ({ url = '' }: IncomingMessage): boolean => url.startsWith('/.well-known/webfinger');
const answers =
  (which: (request: IncomingMessage) => boolean, status: number, text = '', headers = {}): Instead =>
  (request, response) => {
    if (!which(request)) return false;
    request.resume();
    response.writeHead(status, headers).end(text);
    return true;
  };
const jrd = (address: string, links: readonly object[]): string =>
  JSON.stringify({ subject: `acct:${address}`, links });

test('a message to an address of another server is answered in the same exchange', async () => {
  const [to, body] = [await addressAt(two), unique()];
  const { status, body: sent } = await exchange(to, body);
  assert.equal(status, 200, JSON.stringify(sent));
  assert.match(sent.reply?.body ?? '', /hello/i);
  const [received, ...others] = await receivedAt(two, to);
  assert.deepEqual([received?.body, received?.authentication?.verified, others], [body, true, []]);
  const answer = (await receivedAt(one, from)).find(({ id }) => id === sent.reply?.id);
  assert.deepEqual([answer?.in_reply_to, answer?.thread_id], [sent.id, sent.thread_id]);
  assert.equal(mailsIn(one) + mailsIn(two), 0);
});

test('what one domain says is asked for once a day, also that it says nothing', async () => {
  const to = await addressAt(two);
  two.instead = answers(isWebFinger, 404);
  for (let round = 0; round < 2; round += 1) await leaves((await send(to, unique())).body.id);
  // The domain of the address, and the one above it.
  assert.equal(two.asked.length, 2);
  two.instead = () => false;
  one.inside.pass(25 * 60 * MINUTES);
  two.inside.pass(25 * 60 * MINUTES);
  await leaves((await send(to, unique())).body.id);
  assert.equal((await receivedAt(two, to)).length, 1);
});

test('a domain that names no door, or names one that is none, gets mail', async () => {
  const inside = 'https://10.0.0.1/peers/mail';
  const says: readonly ((address: string) => Instead)[] = [
    () => answers(isWebFinger, 200, 'not JSON'),
    () => answers(isWebFinger, 200, 'null'),
    () =>
      answers(
        isWebFinger,
        200,
        JSON.stringify({ subject: 'acct:other@two.test', links: [{ rel: DOOR, href: inside }] }),
      ),
    () => answers(isWebFinger, 302, '', { location: 'https://three.test/.well-known/webfinger' }),
    () => answers(isWebFinger, 200, 'x'.repeat(1_000_000)),
    (address) => answers(isWebFinger, 200, jrd(address, [{ rel: DOOR, href: inside }])),
    (address) => answers(isWebFinger, 200, jrd(address, [{ rel: DOOR, href: 'file:///etc/passwd' }])),
    (address) => answers(isWebFinger, 200, jrd(address, [{ rel: DOOR, href: 'https://127.0.1.99/peers/mail' }])),
    () => answers(isDoor, 404, '{}'),
    () => answers(isDoor, 307, '', { location: 'https://three.test/peers/mail' }),
    () => answers(isDoor, 403, '{}'),
  ];
  for (const [at, said] of says.entries()) {
    const [to, before] = [await addressAt(two), mailsIn(one)];
    two.instead = said(to);
    await leaves((await send(to, unique())).body.id);
    assert.equal(mailsIn(one), before + 1, `case ${at}`);
    assert.equal((await receivedAt(two, to)).length, 0, `case ${at}`);
  }
  assert.deepEqual(three.asked, []);
});

test('a peer whose answer is lost is asked again at the same door, and has the message once', async () => {
  const lost: readonly Instead[] = [
    answers(isDoor, 503, '{}'),
    (request, response) => {
      if (!isDoor(request)) return false;
      response.destroy();
      return true;
    },
    (request, response) => {
      if (!isDoor(request)) return false;
      // It takes the message, and its answer never arrives.
      request.on('data', () => {}).on('end', () => response.destroy());
      return true;
    },
  ];
  for (const instead of lost) {
    const [to, before] = [await addressAt(two), mailsIn(one)];
    two.instead = instead;
    const { id } = (await send(to, unique())).body;
    await isDeferred(id);
    // The domain names no door any more, which changes nothing for what may have arrived.
    two.instead = answers(isWebFinger, 404);
    one.inside.pass(10 * MINUTES);
    two.inside.pass(10 * MINUTES);
    await leaves(id);
    assert.equal((await receivedAt(two, to)).length, 1);
    assert.equal(mailsIn(one), before);
  }
});

test('a message that was taken before its answer was lost is known when it comes again', async () => {
  const to = await addressAt(two);
  let cut = 0;
  two.instead = (request, response) => {
    if (!isDoor(request) || cut > 0) return false;
    cut += 1;
    // The service answers, and its answer goes nowhere.
    response.on('pipe', (answer) => {
      answer.unpipe(response);
      answer.resume().on('end', () => response.destroy());
    });
    return false;
  };
  const { id } = (await send(to, unique())).body;
  await isDeferred(id);
  assert.equal((await receivedAt(two, to)).length, 1);
  one.inside.pass(10 * MINUTES);
  two.inside.pass(10 * MINUTES);
  await leaves(id);
  assert.equal((await receivedAt(two, to)).length, 1);
});

test('a process that ends between the request and its answer asks the same door again after its start', async () => {
  const [to, before] = [await addressAt(two), mailsIn(one)];
  const reached = Promise.withResolvers<void>();
  two.instead = (request, response) => {
    if (!isDoor(request)) return false;
    // The service takes it, and its answer waits for ever.
    response.on('pipe', (answer) => {
      answer.unpipe(response);
      answer.resume().on('end', reached.resolve);
    });
    return false;
  };
  const { id } = (await send(to, unique())).body;
  await reached.promise;
  two.instead = answers(isWebFinger, 404);
  await one.inside.restart(10 * MINUTES);
  two.inside.pass(10 * MINUTES);
  await leaves(id);
  assert.equal((await receivedAt(two, to)).length, 1);
  assert.equal(mailsIn(one), before);
});

test('an A2A agent of another domain is asked, and its answer is filed in the thread', async () => {
  const to = await addressAt(three);
  const href = `https://three.test/a2a/${to}/.well-known/agent-card.json`;
  three.instead = answers(isWebFinger, 200, jrd(to, [{ rel: 'https://a2a-protocol.org/rel/agent-card', href }]));
  const { status, body: sent } = await exchange(to, 'Who are you?');
  assert.equal(status, 200, JSON.stringify(sent));
  assert.match(sent.reply?.body ?? '', /hello/i);
  assert.equal((await receivedAt(three, to))[0]?.channel, 'a2a');
});

/** A mail of one.test, signed at this time. */
async function signed(to: string, body: string, now = Date.now()): Promise<Buffer> {
  const [keys = []] = await dkimKeys(one.inside.store.secrets);
  const lines = [
    `From: ${from}`,
    `To: ${to}`,
    'Subject: Hi',
    `Date: ${new Date(now).toUTCString()}`,
    `Message-ID: <${unique()}@one.test>`,
  ];
  const mail = Buffer.from([...lines, '', body, ''].join('\r\n'));
  return signMail(mail, { domain: 'one.test', keys, now: new Date(now) });
}

const handIn = (to: string, mail: Buffer) =>
  two.inside.client.api('POST', `//peers/mail?to=${encodeURIComponent(to)}`, {
    raw: mail.toString('latin1'),
    headers: { 'content-type': 'message/rfc822' },
  });

test('only a signature of now by the domain of its author hands a mail in, and each once', async () => {
  const to = await addressAt(two);
  const now = two.inside.now();
  const mail = await signed(to, 'Pay 10 euros.', now);
  const text = mail.toString('latin1');
  const header = text.slice(text.indexOf('From:'));
  const refused: readonly (readonly [string, Buffer])[] = [
    ['unsigned', Buffer.from(header, 'latin1')],
    ['another text', Buffer.from(text.replace('10 euros', '99 euros'), 'latin1')],
    ['another author', Buffer.from(text.replace(`From: ${from}`, 'From: boss@three.test'), 'latin1')],
    ['another recipient', Buffer.from(text.replace(`To: ${to}`, 'To: someone@two.test'), 'latin1')],
    ['two authors', Buffer.from(text.replace('From:', 'From: boss@three.test\r\nFrom:'), 'latin1')],
    ['old', await signed(to, 'Old.', now - 6 * MINUTES)],
    ['of the future', await signed(to, 'New.', now + 6 * MINUTES)],
  ];
  for (const [name, bytes] of refused) {
    const answer = await handIn(to, bytes);
    assert.ok(answer.status === 403 || answer.status === 400, `${name}: ${answer.status} ${answer.text}`);
  }
  assert.equal((await receivedAt(two, to)).length, 0);
  for (let round = 0; round < 3; round += 1) assert.equal((await handIn(to, mail)).status, 202);
  assert.equal((await receivedAt(two, to)).length, 1);
  isProblem(await handIn('none@agents.two.test', mail), 'mailbox_not_found');
});

test('WebFinger says what an address is, for those who may see it', async () => {
  const { address } = await two.inside.client.newMailbox(two.home, { behavior: { name: 'hello' } });
  const ask = (resource: string) =>
    two.inside.client.api('GET', `//.well-known/webfinger?resource=${encodeURIComponent(resource)}`);
  const { text, headers } = await ask(`acct:${address}`);
  const body = JSON.parse(text) as { subject: string; links: { rel: string; href: string }[] };
  assert.equal(body.subject, `acct:${address}`);
  assert.match(headers.get('content-type') ?? '', /^application\/jrd\+json/);
  assert.deepEqual(
    body.links.map(({ href }) => href),
    [
      `https://two.test/${address}`,
      `https://two.test/a2a/${address}/.well-known/agent-card.json`,
      `https://two.test/mcp/${address}`,
      'https://two.test/peers/mail',
    ],
  );
  const closed = await two.inside.client.newMailbox(two.home, { behavior: { name: 'hello' }, access: 'key' });
  for (const other of [closed.address, `none@${two.home.name}.two.test`, 'hello@agents.one.test'])
    isProblem(await ask(`acct:${other}`), 'mailbox_not_found');
  for (const wrong of ['', 'https://two.test', address]) isProblem(await ask(wrong), 'malformed_request');
  for (const query of [
    '',
    '?rel=x',
    `?resource=acct:${address}&resource=acct:${address}`,
    `?resource=${'x'.repeat(600)}`,
  ])
    isProblem(await two.inside.client.api('GET', `//.well-known/webfinger${query}`), 'malformed_request');
});

test('a service whose operator did not ask for it takes no mail by HTTP, and says so', async () => {
  const service = await sharedService();
  const answer = await fetch(`${service.url}/peers/mail?to=hello@agents.mailroom.localhost`, { method: 'POST' });
  assert.equal(answer.status, 404);
  const found = await fetch(
    `${service.url}/.well-known/webfinger?resource=acct:hello@agents.mailroom.localhost&rel=${DOOR}`,
  );
  assert.deepEqual(((await found.json()) as { links: unknown[] }).links, []);
});
