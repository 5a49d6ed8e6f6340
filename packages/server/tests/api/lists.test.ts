import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, type Home } from '../../../../tests/harness/client.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import { type Envelope, MAIL_DOMAIN } from '../../../../tests/harness/wire.ts';

const service = await sharedService();
const { api, newNamespace, newMailbox, newKey, send, tryOut, read, all } = connect(service.url);

const listOf = (key: string, address: string, query: string) =>
  all<Envelope>(`/mailboxes/${address}/messages?${query}`, key);
const idsOf = async (key: string, address: string, query: string): Promise<string[]> =>
  (await listOf(key, address, query)).map(({ id }) => id);
const newest = (...ids: (string | undefined)[]): string[] => (ids as string[]).sort().reverse();

/** Two namespaces with a mailbox each, and an answered message from the first mailbox to the second. */
async function correspondence(fields: object = {}) {
  const [author, home] = [await newNamespace(), await newNamespace()];
  const [from, to] = [(await newMailbox(author)).address, (await newMailbox(home)).address];
  const message = (await send(author.key, { from, to, body: 'Hi', sync: true, ...fields })).body;
  return { author, home, from, to, message, reply: message.reply as NonNullable<Envelope['reply']> };
}

test('a reply is once in every list of its author and of its recipient', async () => {
  const { author, home, from, to, message, reply } = await correspondence();
  const plain = (await send(author.key, { to, body: 'By key', sync: true })).body;
  const lists: readonly [Home, string, string, string[]][] = [
    [author, from, '', [reply.id]],
    [author, from, 'direction=received', [reply.id]],
    [author, from, 'direction=sent', [message.id]],
    [author, from, 'direction=all', newest(message.id, reply.id)],
    [home, to, '', newest(message.id, plain.id)],
    [home, to, 'direction=received', newest(message.id, plain.id)],
    [home, to, 'direction=sent', newest(reply.id, plain.reply?.id)],
    [home, to, 'direction=all', newest(message.id, reply.id, plain.id, plain.reply?.id)],
  ];
  for (const [{ key }, address, query, ids] of lists) {
    assert.deepEqual(await idsOf(key, address, query), ids, `${address}?${query}`);
    assert.deepEqual(await idsOf(key, address, `${query}&limit=1`), ids, `${address}?${query}, page by page`);
  }
  const sent = (await listOf(home.key, to, 'direction=sent')).find(({ id }) => id === reply.id);
  const { status, in_reply_to, thread_id, body } = sent as Envelope;
  assert.deepEqual(
    [status, in_reply_to, thread_id, body, sent?.reply, sent?.from, sent?.to],
    ['completed', message.id, message.thread_id, reply.body, null, to, from],
  );
});

test('what a mailbox sent is not unread there', async () => {
  const { author, home, from, to } = await correspondence();
  await send(author.key, { to, body: 'By key', sync: true });
  for (const [{ key }, address] of [
    [author, from],
    [home, to],
  ] as const) {
    for (const item of await listOf(key, address, 'direction=sent')) assert.deepEqual(item.labels, []);
    assert.deepEqual(await idsOf(key, address, 'direction=sent&label=unread'), []);
    for (const item of await listOf(key, address, '')) assert.deepEqual(item.labels, ['unread']);
  }
});

test('a list is narrowed by the address of the author, written with or without the mail domain', async () => {
  const { author, home, from, to, message, reply } = await correspondence();
  await send(author.key, { to, body: 'By key', sync: true });
  const short = from.slice(0, -MAIL_DOMAIN.length - 1);
  for (const address of [from, short, from.toUpperCase()]) {
    assert.deepEqual(await idsOf(home.key, to, `from=${encodeURIComponent(address)}`), [message.id], address);
  }
  assert.deepEqual(await idsOf(home.key, to, `from=${encodeURIComponent(to)}`), []);
  assert.equal((await idsOf(home.key, to, `direction=all&from=${encodeURIComponent(to)}`)).length, 2);
  assert.deepEqual(await idsOf(author.key, from, `from=${encodeURIComponent(to)}`), [reply.id]);
  assert.deepEqual(await idsOf(home.key, to, 'from=someone@example.org'), []);
});

test('a list is narrowed by attachments', async () => {
  const { author, home, from, to } = await correspondence();
  const attachments = [{ filename: 'a.txt', content_type: 'text/plain', content: 'QQ==' }];
  const { id } = (await send(author.key, { from, to, body: 'With a file.', attachments, sync: true })).body;
  assert.deepEqual(await idsOf(home.key, to, 'has=attachment'), [id]);
  assert.deepEqual(await idsOf(author.key, from, 'has=attachment'), []);
  assert.deepEqual(await idsOf(author.key, from, 'has=attachment&direction=sent'), [id]);
  assert.deepEqual(await idsOf(home.key, to, 'has=attachment&direction=all&limit=1'), [id]);
});

test('a search finds addresses, whole or in part, but not by the mail domain alone', async () => {
  const { author, home, from, to, message } = await correspondence();
  await send(author.key, { to, body: 'By key', sync: true });
  for (const part of [from, from.toUpperCase(), author.name, `${author.name}.${MAIL_DOMAIN}`]) {
    assert.deepEqual(await idsOf(home.key, to, `query=${encodeURIComponent(part)}`), [message.id], part);
  }
  assert.equal((await idsOf(home.key, to, `query=${encodeURIComponent(to)}`)).length, 2);
  assert.deepEqual(await idsOf(home.key, to, `query=${MAIL_DOMAIN}`), []);
});

test('a search finds the messages that have each of its words, wherever each is', async () => {
  const { home, from, to, message, author } = await correspondence({
    subject: 'March',
    body: '**The zebra** question',
  });
  await send(author.key, { to, body: 'The zebra alone', sync: true });
  for (const words of ['zebra question', 'QUESTION  zeb', 'march zebra', ` zebra ${from} march `, 'question'])
    assert.deepEqual(await idsOf(home.key, to, `query=${encodeURIComponent(words)}`), [message.id], words);
  for (const words of ['zebra april', 'a b c d e f g the march'])
    assert.deepEqual(await idsOf(home.key, to, `query=${encodeURIComponent(words)}`), [], words);
});

test('filters add up, labels among them', async () => {
  const { author, home, from, to, message, reply } = await correspondence({ subject: 'Stripes' });
  const plain = (await send(author.key, { to, body: 'By key', subject: 'Stripes', sync: true })).body;
  for (const id of [message.id, reply.id, plain.id]) {
    const changed = await api('PATCH', `/mail/messages/${id}?mailbox=${to}`, {
      key: home.key,
      body: { labels: { add: ['seen'] } },
    });
    assert.equal(changed.status, 200, changed.text);
  }
  const found = (query: string) => idsOf(home.key, to, `label=seen&${query}`);
  assert.deepEqual(await found(''), newest(message.id, plain.id));
  assert.deepEqual(await found('direction=sent'), [reply.id]);
  assert.deepEqual(await found('direction=all'), newest(message.id, reply.id, plain.id));
  assert.deepEqual(await found(`direction=all&from=${from}`), [message.id]);
  assert.deepEqual(await found(`direction=all&from=${from}&query=stripes`), [message.id]);
  assert.deepEqual(await found('has=attachment'), []);
  assert.deepEqual(
    await idsOf(home.key, to, `direction=sent&query=stripes&status=completed`),
    newest(reply.id, plain.reply?.id),
  );
  assert.deepEqual(await idsOf(home.key, to, 'direction=sent&status=failed'), []);
});

test('a wrong filter is refused at its name', async () => {
  const { home, to } = await correspondence();
  for (const [name, value] of [
    ['direction', 'both'],
    ['direction', ''],
    ['from', ''],
    ['from', 'nobody'],
    ['from', 'nobody.example'],
    ['from', 'a b@example.org'],
    ['from', '@example.org'],
    ['from', `-@x.${MAIL_DOMAIN}`],
    ['has', 'reply'],
    ['has', ''],
  ] as const) {
    const answer = await api('GET', `/mailboxes/${to}/messages?${name}=${encodeURIComponent(value)}`, {
      key: home.key,
    });
    isProblem(answer, 'validation_error', `/${name}`);
  }
});

test('a reply is read as a message by its author, its recipient and the sender of what it answers, and by nobody else', async () => {
  const { author, home, from, to, message, reply } = await correspondence();
  const stranger = await newNamespace();
  const sending = await newKey(author, { scopes: ['mail:send'] });
  const byKey = (await send(sending.secret, { to, body: 'By key', sync: true })).body;
  const reader = ['messages:read'];
  const may = [
    [home.key, reply.id],
    [(await newKey(home, { scopes: reader })).secret, reply.id],
    [(await newKey(home, { scopes: reader, mailbox: to })).secret, reply.id],
    [(await newKey(author, { scopes: reader, mailbox: from })).secret, reply.id],
    [author.key, reply.id],
    [sending.secret, byKey.reply?.id],
    [author.key, byKey.reply?.id],
    [(await newKey(home, { scopes: reader, mailbox: to })).secret, byKey.reply?.id],
  ] as const;
  for (const [key, id] of may) {
    const answer = await read(key, id as string);
    assert.equal(answer.status, 200, answer.text);
    const { status, in_reply_to } = answer.body;
    const answered = id === reply.id ? message.id : byKey.id;
    assert.deepEqual([answer.body.id, in_reply_to, status, answer.body.reply], [id, answered, 'completed', null]);
  }
  const other = (await newMailbox(author)).address;
  for (const key of [
    stranger.key,
    sending.secret,
    (await newKey(author, { scopes: reader, mailbox: other })).secret,
    (await newKey(home, { scopes: ['mailboxes:write'] })).secret,
  ]) {
    isProblem(await read(key, reply.id), 'message_not_found');
  }
  const guest = (await tryOut({ to, body: 'Hi' })).body;
  const headers = { authorization: `Bearer ${guest.thread_token}` };
  const own = await api<Envelope>('GET', `/mail/messages/${guest.reply?.id}`, { headers });
  assert.equal(own.body.in_reply_to, guest.id, own.text);
  isProblem(await api('GET', `/mail/messages/${reply.id}`, { headers }), 'message_not_found');
});
