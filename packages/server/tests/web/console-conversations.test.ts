import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HELLO, type Home } from '../../../../tests/harness/client.ts';
import { openConsole } from '../../../../tests/harness/console.ts';
import { openStream } from '../../../../tests/harness/stream.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope, Page } from '../../../../tests/harness/wire.ts';

const service = await openConsole();
const { client, visitor } = service;
const { newNamespace, newMailbox, send, tryOut, api } = client;

async function owner(home: Home) {
  const own = visitor();
  await own.signIn(home.key);
  return own;
}

/** The rows of a page, from the newest on. */
const rowsOf = (page: string) =>
  [...page.matchAll(/<li[^>]* data-row="([^"]+)".*?<\/li>/gs)].map(([html, id]) => ({ id: id as string, html }));
const local = (address: string): string => address.split('@')[0] as string;

test('a conversation has one title in the list, over its messages and on a page of its own', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home, { behavior: HELLO });
  const first = await tryOut({ to: address, body: 'Which rooms are free?' });
  const next = await tryOut({ to: address, body: 'And tomorrow?', thread_token: first.body.thread_token });
  const visitor = await owner(home);
  const [row] = rowsOf((await visitor.get('/console?status=all')).html);
  assert.equal(row?.id, next.body.id);
  assert.match(row?.html ?? '', /<span class="line" dir="auto">Which rooms are free\?<\/span>/);
  for (const path of [`/console?message=${next.body.id}`, `/console/messages/${next.body.id}`]) {
    const { html } = await visitor.get(path);
    assert.match(html, /<h2 id="subject" dir="auto">Which rooms are free\?<\/h2>/, path);
  }
  assert.match((await visitor.get(`/console/messages/${next.body.id}`)).html, /<title>Which rooms are free\?/);
});

test('what a row and the side say is apart for those who hear it', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home, { behavior: { name: 'agent', settings: { by_hand: true } } });
  await tryOut({ to: address, body: 'Which rooms are free?' });
  const { html } = await (await owner(home)).get('/console?status=all');
  const heard = html.replace(/<[^>]*>/g, '');
  assert.match(heard, new RegExp(`to ${local(address)} now\\s+Which rooms are free\\? +To answer`));
  assert.match(heard, new RegExp(`All 1 unread[^]*${local(address)} 1 unread`));
});

test('a thread is one row: its title, what was said last, and its newest state', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home, { behavior: { name: 'moody' } });
  const first = await send(home.key, { to: address, subject: 'Plans', body: 'Are you there?', sync: true });
  const { thread_id } = first.body;
  const other = await send(home.key, { to: address, body: 'Elsewhere', sync: true });
  const visitor = await owner(home);
  assert.deepEqual(
    rowsOf((await visitor.get('/console?status=all')).html).map(({ id }) => id),
    [other.body.id, first.body.id],
  );
  const failed = await send(home.key, { to: address, body: 'fail this', thread_id, sync: true });
  const [row, ...rest] = rowsOf((await visitor.get('/console?status=all')).html);
  assert.deepEqual([row?.id, rest.map(({ id }) => id)], [failed.body.id, [other.body.id]], 'what is newest is on top');
  assert.match(row?.html ?? '', /<span class="line" dir="auto">Plans<\/span>/);
  assert.match(row?.html ?? '', /<span class="tag failed">Failed<\/span>/);
  assert.match(row?.html ?? '', /<span class="last"><span dir="auto">You<\/span>: <bdi>fail this<\/bdi>/);
  assert.match(rest[0]?.html ?? '', new RegExp(`<span class="last"><span dir="auto">${local(address)}</span>: <bdi>`));
  assert.ok((row?.html.match(/class="tag/g) ?? []).length === 1, 'one state at most');
  for (const query of ['?direction=sent', '?direction=all', `?mailbox=${local(address)}`]) {
    assert.equal(rowsOf((await visitor.get(`/console${query}`)).html).length, 2, query);
  }
  // The row is open whichever message of the thread is.
  const opened = rowsOf((await visitor.get(`/console?status=all&message=${first.body.id}`)).html)[0];
  assert.ok(opened?.html.includes('aria-current="true"'));
});

test('a conversation that is answered late stands above those that were said something in before', async () => {
  const home = await newNamespace();
  const [agent, other] = [
    await newMailbox(home, { behavior: { name: 'agent', settings: { by_hand: true } } }),
    await newMailbox(home),
  ];
  const waits = await send(home.key, { to: agent.address, body: 'Wait' });
  const second = await send(home.key, { to: other.address, body: 'Second', sync: true });
  const own = await owner(home);
  const ids = async () => rowsOf((await own.get('/console?status=all')).html).map(({ id }) => id);
  assert.deepEqual(await ids(), [second.body.id, waits.body.id]);
  await api('POST', `/mail/messages/${waits.body.id}/answer`, { key: home.key, body: { body: 'Late' } });
  assert.deepEqual(await ids(), [waits.body.id, second.body.id]);
});

test('an answer in Markdown is a line of plain text, in which nothing is lost', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home, { behavior: { name: 'do' } });
  await send(home.key, { to: address, body: 'what is 17.5% of 2k', sync: true });
  const [row] = rowsOf((await (await owner(home)).get('/console?status=all')).html);
  assert.match(row?.html ?? '', /<bdi>17\.5% \* 2000 = 350<\/bdi>/);
});

test('guests are told apart by a tag that stays the same in their thread', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home, { behavior: HELLO });
  const firstTry = await tryOut({ to: address, body: 'One' });
  await tryOut({ to: address, body: 'Two' });
  const tags = async () =>
    rowsOf((await (await owner(home)).get('/console?status=all')).html).map(
      ({ html }) => /<b dir="auto">Guest ([0-9a-z]{3})<\/b>/.exec(html)?.[1],
    );
  const [second, first] = await tags();
  assert.ok(first !== undefined && second !== undefined && first !== second);
  await tryOut({ to: address, body: 'One again', thread_token: firstTry.body.thread_token });
  assert.deepEqual(await tags(), [first, second]);
});

test('what “do” sends to answer a message, and the reply to it, are no rows of their own', async () => {
  const home = await newNamespace();
  const other = await newMailbox(home, { behavior: HELLO });
  const tasks = await newMailbox(home, { behavior: { name: 'do', settings: {} } });
  const { body } = await send(home.key, {
    to: tasks.address,
    body: `Send to ${other.address}: I has a dog.`,
    sync: true,
  });
  const { seen } = await until(
    30_000,
    async () => (await api<Page<Envelope>>('GET', `/mailboxes/${other.address}/messages`, { key: home.key })).body,
    (page) => page.items[0]?.status === 'completed',
  );
  assert.equal(seen.items.length, 1, 'it was sent');
  const visitor = await owner(home);
  for (const query of ['?status=all', '?direction=sent', '?direction=all']) {
    const rows = rowsOf((await visitor.get(`/console${query}`)).html);
    assert.deepEqual(
      rows.map(({ id }) => id),
      [body.id],
      query,
    );
  }
  assert.equal(rowsOf((await visitor.get(`/console?mailbox=${local(other.address)}`)).html).length, 0);
  const { html } = await visitor.get(`/console/messages/${body.id}`);
  assert.match(html, /<details class="calls"><summary[^>]*>.*Sent 1 message to answer this/);
  assert.match(html, new RegExp(`<a href="../../console\\?message=${seen.items[0]?.id}">Open`));
  assert.match(html, /<details class="calls">[\s\S]*I has a dog\.[\s\S]*answered[\s\S]*I write programs/);
  assert.equal(rowsOf((await visitor.get('/console?query=I+has+a+dog')).html).length > 1, true, 'a search finds it');
});

test('an open page gets the row of a conversation anew when something is added to it', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home, { behavior: HELLO });
  const first = await send(home.key, { to: address, body: 'First', sync: true });
  const own = await owner(home);
  const stream = await openStream(`${service.url}/console/live?status=all`, { cookie: own.cookie });
  await until(2_000, async () => stream.lastId(), Boolean);
  const { thread_id } = first.body;
  const next = await send(home.key, { to: address, body: 'Next', thread_id, sync: true });
  const rows = () => stream.events.filter(({ event }) => event === 'row').map(({ data }) => JSON.parse(data));
  await until(
    5_000,
    async () => rows(),
    (all) => all.some(({ id }) => id === next.body.id),
  );
  const row = rows().find(({ id }) => id === next.body.id);
  assert.equal(row.thread, thread_id);
  assert.equal(row.fits, true);
  assert.match(row.in, /^mbx_/);
  assert.match(row.html, /<span class="line" dir="auto">First<\/span>/);
  stream.close();
});
