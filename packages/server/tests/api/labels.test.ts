import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, type Home } from '../../../../tests/harness/client.ts';
import { isOneOf, isProblem } from '../../../../tests/harness/problem.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import { type Envelope, MAIL_DOMAIN, type Page } from '../../../../tests/harness/wire.ts';

const service = await sharedService();
const { api, newNamespace, newMailbox, newKey, send, read, all } = connect(service.url);

const label = (key: string, id: string, labels: unknown, query = '') =>
  api<Envelope>('PATCH', `/mail/messages/${id}${query}`, { key, body: { labels } });
const labeled = async (key: string, id: string, labels: unknown, query = ''): Promise<string[] | undefined> => {
  const answer = await label(key, id, labels, query);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.labels;
};

/** A message that one namespace sent to another. */
async function sent(fields: object = {}) {
  const [author, home] = [await newNamespace(), await newNamespace()];
  const { address } = await newMailbox(home);
  const { id } = (await send(author.key, { to: address, body: 'Hi', sync: true, ...fields })).body;
  return { author, home, address, id };
}
const listOf = (home: Home, address: string, query: string) =>
  all<Envelope>(`/mailboxes/${address}/messages${query}`, home.key);

test('a message arrives unread, and is so until that label is removed', async () => {
  const { home, address, id } = await sent();
  assert.deepEqual((await read(home.key, id)).body.labels, ['unread']);
  assert.deepEqual((await listOf(home, address, ''))[0]?.labels, ['unread']);
  assert.deepEqual(await labeled(home.key, id, { remove: ['unread'] }), []);
  assert.deepEqual((await read(home.key, id)).body.labels, []);
  assert.deepEqual(await labeled(home.key, id, { add: ['unread'] }), ['unread']);
});

test('labels are added and removed together, sorted, each once', async () => {
  const { home, id } = await sent();
  assert.deepEqual(await labeled(home.key, id, { add: ['b', 'a/1-_'] }), ['a/1-_', 'b', 'unread']);
  assert.deepEqual(await labeled(home.key, id, { add: ['c', 'b'], remove: ['a/1-_', 'none', 'unread'] }), ['b', 'c']);
  assert.deepEqual(await labeled(home.key, id, { remove: [] }), ['b', 'c']);
});

test('only readers of the mailbox see its labels', async () => {
  const { author, home, id } = await sent();
  await labeled(home.key, id, { add: ['secret'] });
  assert.ok(!('labels' in (await read(author.key, id)).body));
  const { items } = (await api<Page<Envelope>>('GET', '/mail/messages', { key: author.key })).body;
  assert.ok(items.every((item) => !('labels' in item)));
});

test('events, streams and the export show the labels that a read shows', async () => {
  const { author, home, id } = await sent();
  await labeled(home.key, id, { add: ['seen'], remove: ['unread'] });
  const { items } = (await api<Page<{ type: string; data: Envelope }>>('GET', '/events', { key: home.key })).body;
  const [settled] = items.filter(({ type }) => type.startsWith('message.'));
  assert.deepEqual([settled?.data.id, settled?.data.labels], [id, ['seen']]);
  const stream = await api('GET', `/mail/messages/${id}`, { key: home.key, headers: { accept: 'text/event-stream' } });
  assert.match(stream.text, /"labels":\["seen"\]/);
  const unseen = await api('GET', `/mail/messages/${id}`, {
    key: author.key,
    headers: { accept: 'text/event-stream' },
  });
  assert.ok(!unseen.text.includes('labels'));
  const exported = async ({ name, key }: Home) => {
    const { text } = await api('GET', `/namespaces/${name}/export`, { key });
    const lines = text.trim().split('\n');
    return lines.map((line) => JSON.parse(line)).filter(({ type }) => type === 'message');
  };
  assert.deepEqual(
    (await exported(home)).map((message) => [message.id, message.labels, message.replies_count]),
    [[id, ['seen'], 1]],
  );
  assert.ok((await exported(author)).every((message) => message.id === id && !('labels' in message)));
});

test('a message in two mailboxes of one owner has labels in each', async () => {
  const home = await newNamespace();
  const [from, to] = [await newMailbox(home), await newMailbox(home)];
  const { id } = (await send(home.key, { to: to.address, from: from.address, body: 'Hi', sync: true })).body;
  const queryOf = (mailbox: { address: string }) => `?mailbox=${encodeURIComponent(mailbox.address)}`;
  assert.deepEqual(await labeled(home.key, id, { add: ['to'] }), ['to', 'unread']);
  assert.deepEqual(await labeled(home.key, id, { add: ['from'] }, queryOf(from)), ['from']);
  assert.deepEqual((await read(home.key, id)).body.labels, ['to', 'unread']);
  assert.deepEqual((await read(home.key, id, queryOf(to))).body.labels, ['to', 'unread']);
  assert.deepEqual((await read(home.key, id, queryOf(from))).body.labels, ['from']);
  isProblem(await label(home.key, id, { add: ['unread'] }, queryOf(from)), 'validation_error', '/labels/add');
  const bound = await newKey(home, { scopes: ['mail:answer', 'messages:read'], mailbox: from.address });
  assert.deepEqual(await labeled(bound.secret, id, { add: ['bound'] }), ['bound', 'from']);
  isProblem(await label(bound.secret, id, { add: ['x'] }, queryOf(to)), 'validation_error', '/mailbox');
  for (const wrong of ['', 'x', `none@${home.name}.${MAIL_DOMAIN}`, (await newMailbox(home)).address])
    isProblem(
      await label(home.key, id, { add: ['x'] }, `?mailbox=${encodeURIComponent(wrong)}`),
      'validation_error',
      '/mailbox',
    );
});

test('labels need the scope mail:answer, and a key without messages:read is shown no contents', async () => {
  const { author, home, id } = await sent();
  const reader = await newKey(home, { scopes: ['messages:read'] });
  isProblem(await label(reader.secret, id, { add: ['x'] }), 'insufficient_scope');
  const labeler = await newKey(home, { scopes: ['mail:answer'] });
  const answer = await label(labeler.secret, id, { add: ['x'] });
  assert.deepEqual([answer.body.labels, answer.body.body, answer.body.reply], [['unread', 'x'], '', null]);
  isProblem(await label(author.key, id, { add: ['x'] }), 'access_denied');
  const other = await newNamespace();
  isProblem(await label(other.key, id, { add: ['x'] }), 'message_not_found');
  isProblem(await api('PATCH', `/mail/messages/${id}`, { body: { labels: { add: ['x'] } } }), 'missing_key');
});

test('a message has at most 20 labels, exactly, also when many are added at once', async () => {
  const { home, id } = await sent();
  const answers = await Promise.all(Array.from({ length: 30 }, (_, at) => label(home.key, id, { add: [`l${at}`] })));
  assert.equal(answers.filter(({ status }) => status === 200).length, 20);
  for (const answer of answers.filter(({ status }) => status !== 200))
    isProblem(answer, 'validation_error', '/labels/add');
  const labels = (await read(home.key, id)).body.labels ?? [];
  assert.equal(labels.length, 21, '20 and unread');
  isProblem(await label(home.key, id, { add: ['x', 'y'], remove: [labels[0]] }), 'validation_error');
  assert.deepEqual((await read(home.key, id)).body.labels, labels, 'a refused change changes nothing');
  assert.equal((await labeled(home.key, id, { add: ['x'], remove: [labels[0]] }))?.length, 21);
});

test('a list is filtered by label, alone and with the other filters, over its pages', async () => {
  const [author, home] = [await newNamespace(), await newNamespace()];
  const { address } = await newMailbox(home);
  const ids: string[] = [];
  // Words that no address contains, since a query is looked for in those too.
  for (const number of ['zero', 'one', 'two', 'three', 'four', 'five', 'six'])
    ids.unshift((await send(author.key, { to: address, body: `Number ${number}`, sync: true })).body.id);
  const odd = ids.filter((_, at) => at % 2 === 1);
  for (const id of odd) await labeled(home.key, id, { add: ['odd'], remove: ['unread'] });
  const found = async (query: string) => (await listOf(home, address, query)).map(({ id }) => id);
  assert.deepEqual(await found('?label=odd'), odd);
  assert.deepEqual(await found('?label=odd&limit=1'), odd);
  assert.deepEqual(
    await found('?label=unread&limit=2'),
    ids.filter((id) => !odd.includes(id)),
  );
  assert.deepEqual(await found('?label=none'), []);
  assert.deepEqual(await found('?label=odd&status=completed'), odd);
  assert.deepEqual(await found('?label=odd&status=failed'), []);
  assert.deepEqual(await found(`?label=odd&query=Number%20five`), [odd[0]]);
  for (const wrong of ['', 'ODD', 'a b', 'x'.repeat(51), '%00'])
    isProblem(await api('GET', `/mailboxes/${address}/messages?label=${wrong}`, { key: home.key }), 'validation_error');
});

test('wrong changes are refused, and nothing is changed', async () => {
  const { home, id } = await sent();
  const wrong: [string, unknown][] = [
    ['/labels', {}],
    ['/labels', { labels: null }],
    ['/labels', { labels: [] }],
    ['/labels', { labels: {} }],
    ['/labels/set', { labels: { set: [] } }],
    ['/labels/add', { labels: { add: 'x' } }],
    ['/labels/add/0', { labels: { add: [1] } }],
    ['/labels/add', { labels: { add: ['x', 'x'] } }],
    ['/labels/add/0', { labels: { add: ['x'], remove: ['x'] } }],
    ['/labels/add', { labels: { add: Array.from({ length: 22 }, (_, at) => `l${at}`) } }],
    ['/subject', { labels: { add: ['x'] }, subject: 'New' }],
    ['/body', { body: 'New' }],
  ];
  for (const [pointer, body] of wrong)
    isProblem(await api('PATCH', `/mail/messages/${id}`, { key: home.key, body }), 'validation_error', pointer);
  for (const name of ['', 'A', 'a b', 'ä', 'a.b', '!read', "'", 'x'.repeat(51), 'a\n', '\u212a', 'a\u0000'])
    for (const where of ['add', 'remove'])
      isProblem(await label(home.key, id, { [where]: ['fine', name] }), 'validation_error');
  for (const raw of ['{', '[]', 'null', '{"labels":{"add":["a"],"add":["b"]}}'])
    isOneOf(await api('PATCH', `/mail/messages/${id}`, { key: home.key, raw }), 'malformed_json', 'validation_error');
  isProblem(await label(home.key, id, { add: ['x'] }, '?colour=red'), 'validation_error');
  assert.deepEqual((await read(home.key, id)).body.labels, ['unread']);
  for (const none of ['x', 'msg_00000000000000000000', 'thr_x', '%00', "msg_'"])
    isProblem(await label(home.key, none, { add: ['x'] }), 'message_not_found');
});

test('a label of 50 characters is kept', async () => {
  const { home, id } = await sent();
  assert.deepEqual(await labeled(home.key, id, { add: ['z'.repeat(50)] }), ['unread', 'z'.repeat(50)]);
});
