import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { after, beforeEach, test } from 'node:test';
import { signedHeaders } from '@mailroom/server/mail/peers/request-signature';
import { signMail } from '@mailroom/server/mail/writing/dkim';
import { dkimKeys } from '@mailroom/server/mail/writing/dkim-keys';
import { unique } from '../../../../tests/harness/client.ts';
import { type Peer, startPeers } from '../../../../tests/harness/peers.ts';
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

/** A message with how far what left is. */
interface Left extends Envelope {
  readonly deliveries?: readonly {
    readonly to: string;
    readonly message_id: string;
    readonly status: string;
    readonly attempts: number;
    readonly next_attempt_at: string | null;
  }[];
}

const addressAt = async ({ inside, home }: Peer, behavior = 'hello'): Promise<string> =>
  (await inside.client.newMailbox(home, { behavior: { name: behavior } })).address;
const receivedAt = async ({ inside, home }: Peer, address: string): Promise<Envelope[]> =>
  (await inside.client.api<Page<Envelope>>('GET', `/mailboxes/${address}/messages`, { key: home.key })).body.items;
const answersTo = async (id: string): Promise<Envelope[]> =>
  (await receivedAt(one, from)).filter((message) => message.in_reply_to === id);
const exchange = (to: string, body: string, seconds = 30) =>
  one.inside.client.api<Left>('POST', '/mail/send', {
    key: one.home.key,
    headers: { prefer: `wait=${seconds}` },
    body: { from, to, body, sync: true },
  });

async function status(id: string): Promise<string | undefined> {
  const { body } = await one.inside.client.read(one.home.key, id);
  return (body as Left).deliveries?.[0]?.status;
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

test('a message and its answer are one request and no mail, and both servers say that theirs left', async () => {
  const to = await addressAt(two);
  const { status: code, body: sent } = await exchange(to, unique());
  assert.equal(code, 200, JSON.stringify(sent));
  assert.deepEqual(
    two.asked.map((path) => path.split('?')[0]),
    ['/.well-known/webfinger', PATH],
  );
  assert.deepEqual(one.asked, []);
  assert.equal((await answersTo(sent.id)).length, 1);
  const [delivery] = sent.deliveries ?? [];
  assert.deepEqual([delivery?.status, delivery?.attempts, delivery?.next_attempt_at], ['sent', 1, null]);
  await becomes(sent.id, 'sent');
  const [listed] = await receivedAt(two, to);
  const received = (await two.inside.client.read(two.home.key, listed?.id ?? '')).body as Left;
  // It was fetched, and never attempted.
  assert.deepEqual(
    received.deliveries?.map((each) => [each.to, each.message_id, each.status, each.attempts]),
    [[from, received.reply?.id, 'sent', 0]],
  );
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

test('messages at a time share requests, and each has its own answer', async () => {
  const to = await addressAt(two);
  await exchange(to, unique());
  two.asked.length = 0;
  const bodies = Array.from({ length: 40 }, () => unique());
  const answers = await Promise.all(bodies.map((body) => exchange(to, body)));
  for (const { status: code, body: sent } of answers) {
    assert.equal(code, 200, JSON.stringify(sent));
    assert.deepEqual([sent.reply?.in_reply_to, sent.deliveries?.[0]?.status], [sent.id, 'sent']);
  }
  assert.ok(two.asked.length <= bodies.length / 2, `${two.asked.length} requests`);
  assert.deepEqual(
    (await receivedAt(two, to))
      .map(({ body }) => body)
      .filter((body) => bodies.includes(body))
      .toSorted(),
    bodies.toSorted(),
  );
});

test('a message that is refused in a batch goes as mail alone, and the others are answered', async () => {
  const [to, blocking] = [await addressAt(two), await addressAt(two)];
  const { status: code } = await two.inside.client.api('PATCH', `/mailboxes/${blocking}`, {
    key: two.home.key,
    body: { senders: { block: [from] } },
  });
  assert.equal(code, 200);
  const [refused, ...answered] = await Promise.all([blocking, to, to, to].map((each) => exchange(each, unique(), 2)));
  for (const each of answered) assert.equal(each.status, 200, each.text);
  assert.equal(refused?.status, 202);
  assert.deepEqual(await receivedAt(two, blocking), []);
});

test('a batch that a peer refuses as a whole, or answers with what is none, is handed over one by one, once each', async () => {
  const whole: readonly [number, string][] = [
    [413, '{}'],
    [200, 'no JSON'],
    [200, '{"results":[]}'],
    [200, JSON.stringify({ results: Array.from({ length: 64 }, () => ({ status: 425 })) })],
  ];
  const to = await addressAt(two);
  for (const [answer, text] of whole) {
    let requests = 0;
    two.instead = (request, response) => {
      // One message is shorter.
      if (!isDoor(request) || Number(request.headers['content-length']) < 1_000) return false;
      requests += 1;
      request.resume();
      response.writeHead(answer, { 'content-type': 'application/json' }).end(text);
      return true;
    };
    // Until some came at a time.
    while (requests === 0) {
      const bodies = Array.from({ length: 30 }, () => unique());
      const answers = await Promise.all(bodies.map((body) => exchange(to, body)));
      for (const each of answers) assert.equal(each.status, 200, each.text);
      const received = (await receivedAt(two, to)).map(({ body }) => body).filter((body) => bodies.includes(body));
      assert.deepEqual(received.toSorted(), bodies.toSorted());
    }
  }
});

test('a batch whose response is lost is asked for again, and each message is there once', async () => {
  const to = await addressAt(two);
  two.instead = (request, response) => {
    if (!isDoor(request)) return false;
    response.on('pipe', (answer) => {
      answer.unpipe(response);
      answer.once('data', () => response.destroy());
    });
    return false;
  };
  const bodies = Array.from({ length: 8 }, () => unique());
  const sent = (await Promise.all(bodies.map((body) => exchange(to, body, 1)))).map(({ body }) => body.id);
  for (const id of sent) await becomes(id, 'deferred');
  two.instead = () => false;
  for (const peer of [one, two]) peer.inside.pass(10 * MINUTES);
  for (const id of sent) {
    await becomes(id, 'sent');
    assert.equal((await answersTo(id)).length, 1);
  }
  assert.deepEqual((await receivedAt(two, to)).map(({ body }) => body).toSorted(), bodies.toSorted());
});

test('a batch has a result for each message, one that comes twice is one, and long answers are left for a request of their own', async () => {
  const to = await addressAt(two);
  const [first, twice] = [messageTo(to), messageTo(to)];
  const messages = [
    first,
    twice,
    twice,
    messageTo('none@agents.two.test'),
    messageTo(to, { from: { address: 'boss@three.test' } }),
  ];
  const { results } = (await handInAll(messages)).body as { results: Result[] };
  assert.deepEqual(
    results.map((each) => each.status),
    [200, 200, 200, 404, 403],
  );
  assert.equal(results[1]?.id, results[2]?.id);
  assert.equal((await receivedAt(two, to)).length, 2);
  const { body: long } = await two.inside.client
    .newMailbox(two.home, {
      behavior: { name: 'hello', settings: { introduction: '€'.repeat(8_000) } },
    })
    .then(({ address }) => handInAll(Array.from({ length: 30 }, () => messageTo(address))));
  const statuses = (long as { results: Result[] }).results.map((each) => each.status);
  assert.ok(statuses.includes(200) && statuses.includes(425), String(statuses));
  const tooMany = await handInAll(Array.from({ length: 65 }, () => messageTo(to)));
  assert.equal(tooMany.status, 422);
});
