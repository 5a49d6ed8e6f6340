import assert from 'node:assert/strict';
import { type Client, connect, type Home } from '../../../../tests/harness/client.ts';
import type { Service } from '../../../../tests/harness/service.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';

/**
 * Characters of Unicode that are easily corrupted: other planes, combining marks, right to left, controls, SQL quotes.
 */
const ODD = '👩‍🚀 Ünïcödé é 漢字 مرحبا \u0001\u007f\ufeff\u2028 \'"\\ $1 {"a":[1]} %_ \r\n\t';

/** The message that is being handled, until its gate is opened. */
export const GOING = 'Goes on';

/** A request and the answer that must be the same later. */
export interface Asked {
  readonly key: string | undefined;
  readonly path: string;
  readonly status: number;
  readonly text: string;
}

/** What was written to a service, and its answers. */
export interface Filled {
  readonly answers: readonly Asked[];
  readonly home: Home;
  /** A message that is being handled or waits, and will be completed. */
  readonly going: string;
  /** Sends the first message again with the same idempotency key. */
  again(client: Client): Promise<{ readonly text: string; readonly replayed: string | null }>;
  readonly sent: string;
  /** The secret of a revoked key. */
  readonly revoked: string;
}

/**
 * Fills a service with the behavior `gated` that handles one message at a time (`RUN_MAX`) with every kind of data, and
 * leaves it busy.
 */
export async function fill(service: Service): Promise<Filled> {
  const client = connect(service.url);
  const { api, newNamespace, newMailbox, newPaused, newKey, send, tryOut, all } = client;
  const requests: [key: string | undefined, path: string][] = [];
  const home = await newNamespace({ display_name: 'Ada 👩‍🚀' });
  const other = await newNamespace();
  const mailbox = await newMailbox(home, { local_part: 'hello', description: 'ہیلو' });
  const unlisted = await newMailbox(home, { visibility: 'unlisted', access: 'key', try_out: false });
  const paused = await newPaused(home);
  const to = mailbox.address;

  // Messages of every status, and the longest text and data allowed.
  const ids: string[] = [];
  const note = (answer: { readonly status: number; readonly text: string; readonly body: Envelope }): Envelope => {
    assert.ok(answer.status === 200 || answer.status === 202, answer.text);
    ids.push(answer.body.id);
    return answer.body;
  };
  const first = note(await send(home.key, { to, subject: ODD.slice(0, 20), body: ODD, sync: true }));
  note(await send(home.key, { to, body: '漢'.repeat(87_381), data: { long: 'é'.repeat(32_000) }, sync: true }));
  note(await send(home.key, { to, from: unlisted.address, body: 'As a mailbox', sync: true }));
  note(await send(home.key, { to, body: 'And then?', thread_id: first.thread_id, sync: true }));
  note(await send(home.key, { to: paused.address, body: 'Held' }));
  const canceled = note(await send(home.key, { to: paused.address, body: 'Canceled' }));
  assert.equal((await api('POST', `/mail/messages/${canceled.id}/cancel`, { key: home.key })).status, 200);
  const tried = await tryOut({ to, body: 'From a guest' });
  assert.equal(tried.status, 200, tried.text);

  // Keys of every kind.
  const bound = await newKey(home, {
    name: 'bound',
    scopes: ['mail:send', 'messages:read'],
    mailbox: unlisted.address,
  });
  const expiring = await newKey(home, {
    scopes: ['messages:read'],
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  });
  const gone = await newKey(home, { scopes: ['owner'] });
  assert.equal((await api('DELETE', `/keys/${gone.id}`, { key: home.key })).status, 204);

  // A request that will be repeated.
  const fields = { to, body: 'Once', sync: true };
  const headers = { 'idempotency-key': 'once-1' };
  const sent = await send(home.key, fields, headers);
  note(sent);

  // A deleted mailbox and a deleted namespace, whose rows are still being removed.
  const doomed = await newNamespace();
  const there = await newPaused(doomed);
  await Promise.all(Array.from({ length: 40 }, (_, i) => send(home.key, { to: there.address, body: `Nr. ${i}` })));
  await send(doomed.key, { to, from: there.address, body: 'From who is no more', sync: true });
  const short = await newMailbox(home, { local_part: 'short' });
  await send(home.key, { to: short.address, body: 'Hi', sync: true });

  const busy = await newMailbox(home, { behavior: { name: 'gated' } });
  const going = await send(home.key, { to: busy.address, body: GOING });
  assert.equal(going.status, 202, going.text);
  assert.equal((await api('DELETE', `/mailboxes/${short.address}`, { key: home.key })).status, 204);
  assert.equal((await api('DELETE', `/namespaces/${doomed.name}`, { key: doomed.key })).status, 204);

  for (const id of ids) requests.push([home.key, `/mail/messages/${id}`]);
  requests.push(
    [tried.body.thread_token, `/mail/messages/${tried.body.id}`],
    [home.key, `/mail/threads/${first.thread_id}`],
  );
  for (const { address } of [mailbox, unlisted, paused, short]) requests.push([home.key, `/mailboxes/${address}`]);
  for (const { name } of [home, other, doomed]) requests.push([undefined, `/namespaces/${name}`]);
  requests.push(
    [home.key, `/mailboxes/${to}/messages?limit=100`],
    [home.key, '/mail/messages?limit=100&status=completed'],
  );
  requests.push([home.key, '/mailboxes?limit=100'], [undefined, '/mailboxes?limit=100'], [home.key, '/keys?limit=100']);
  for (const key of [home.key, other.key, bound.secret, expiring.secret, service.ownerKey]) requests.push([key, '/me']);
  for (const key of [gone.secret, doomed.key]) requests.push([key, '/me']);
  // The last use of a key is written with a delay; listing the keys writes it now.
  await all('/keys', home.key);
  return {
    answers: await ask(client, requests),
    home,
    going: going.body.id,
    sent: sent.text,
    revoked: gone.secret,
    async again(at) {
      const answer = await at.send(home.key, fields, headers);
      return { text: answer.text, replayed: answer.headers.get('idempotency-replayed') };
    },
  };
}

/** Removes the parts of an answer that change: the request id and the last use of a key. */
const lasting = (text: string): string =>
  text.replace(/"(request_id|instance|last_used_at)":("[^"]*"|null)/g, '"$1":null');

/** Sends the requests in order. */
export async function ask(client: Client, asked: readonly (readonly [string | undefined, string])[]): Promise<Asked[]> {
  const answers: Asked[] = [];
  for (const [key, path] of asked) {
    const { status, text } = await client.api('GET', path, { key });
    answers.push({ key, path, status, text: lasting(text) });
  }
  return answers;
}
