import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, HELLO, type Home } from '../../../../tests/harness/client.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import { MAIL_DOMAIN, type Mailbox } from '../../../../tests/harness/wire.ts';

const service = await sharedService();
const { api, newNamespace, newMailbox, newKey, send, tryOut, change, read } = connect(service.url);

interface Lists {
  allow: string[];
  block: string[];
}
type WithSenders = Mailbox & { senders?: Lists };

const senders = async (home: Home, { address }: Mailbox, lists: unknown) =>
  api<WithSenders>('PATCH', `/mailboxes/${address}`, { key: home.key, body: { senders: lists } });

const set = async (home: Home, mailbox: Mailbox, lists: unknown): Promise<Lists> => {
  const answer = await senders(home, mailbox, lists);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.senders as Lists;
};

const accepted = (answer: { status: number; text: string }) => assert.equal(answer.status, 202, answer.text);

test('a new mailbox has empty lists, and lists given when it is made are kept', async () => {
  const home = await newNamespace();
  assert.deepEqual(((await newMailbox(home)) as WithSenders).senders, { allow: [], block: [] });
  const made = (await newMailbox(home, { senders: { block: ['spam'] } })) as WithSenders;
  assert.deepEqual(made.senders, { allow: [], block: ['spam'] });
});

test('only keys that may change the mailbox see its lists, and no list of mailboxes has them', async () => {
  const [home, other] = [await newNamespace(), await newNamespace()];
  const mailbox = await newMailbox(home, { senders: { allow: [home.name] } });
  const reader = await newKey(home, { scopes: ['messages:read'] });
  const path = `/mailboxes/${mailbox.address}`;
  assert.deepEqual((await api<WithSenders>('GET', path, { key: home.key })).body.senders, {
    allow: [home.name],
    block: [],
  });
  for (const key of [reader.secret, other.key, undefined])
    assert.ok(!('senders' in (await api<WithSenders>('GET', path, { key })).body));
  const listed = await api<{ items: WithSenders[] }>('GET', `/namespaces/${home.name}/mailboxes`, { key: home.key });
  assert.ok(listed.body.items.every((item) => !('senders' in item)));
});

test('entries are shown as whole addresses, in lower case, each once', async () => {
  const home = await newNamespace();
  const mailbox = await newMailbox(home);
  const lists = await set(home, mailbox, {
    allow: [`ADA@Acme.${MAIL_DOMAIN.toUpperCase()}`, ` ada@acme.${MAIL_DOMAIN} `, `*@acme.${MAIL_DOMAIN}`, 'Acme'],
    block: ['Eve+news@Example.COM', '*@EXAMPLE.org', '*@bücher.example'],
  });
  assert.deepEqual(lists, {
    allow: [`ada@acme.${MAIL_DOMAIN}`, `*@acme.${MAIL_DOMAIN}`, 'acme'],
    block: ['eve+news@example.com', '*@example.org', '*@xn--bcher-kva.example'],
  });
});

test('each way to name a sender refuses it on the block list and admits it on the allow list', async () => {
  const [home, friend, stranger] = [await newNamespace(), await newNamespace(), await newNamespace()];
  const from = await newMailbox(friend, { local_part: 'ada' });
  const mailbox = await newMailbox(home);
  const to = mailbox.address;
  const asMailbox = () => send(friend.key, { to, body: 'Hi', from: from.address });
  const asKey = () => send(friend.key, { to, body: 'Hi' });
  for (const entry of [from.address, from.address.toUpperCase(), `*@${friend.name}.${MAIL_DOMAIN}`, friend.name]) {
    await set(home, mailbox, { allow: [], block: [entry] });
    isProblem(await asMailbox(), 'sender_not_allowed');
    accepted(await send(stranger.key, { to, body: 'Hi' }));
    await set(home, mailbox, { allow: [entry], block: [] });
    accepted(await asMailbox());
    isProblem(await send(stranger.key, { to, body: 'Hi' }), 'sender_not_allowed');
    isProblem(await tryOut({ to, body: 'Hi' }), 'sender_not_allowed');
  }
  // A key that writes without a mailbox counts as its namespace, however that is written.
  for (const entry of [`*@${friend.name}.${MAIL_DOMAIN}`, friend.name]) {
    await set(home, mailbox, { allow: [], block: [entry] });
    isProblem(await asKey(), 'sender_not_allowed');
    await set(home, mailbox, { allow: [entry], block: [] });
    accepted(await asKey());
  }
  await set(home, mailbox, { allow: [from.address], block: [] });
  isProblem(await asKey(), 'sender_not_allowed');
});

test('a sender on both lists is refused', async () => {
  const [home, friend] = [await newNamespace(), await newNamespace()];
  const mailbox = await newMailbox(home, {
    senders: { allow: [friend.name], block: [`*@${friend.name}.${MAIL_DOMAIN}`] },
  });
  isProblem(await send(friend.key, { to: mailbox.address, body: 'Hi' }), 'sender_not_allowed');
});

test('an allow list also refuses keys of the mailbox’s own namespace that it does not have', async () => {
  const home = await newNamespace();
  const mailbox = await newMailbox(home, { senders: { allow: ['someone-else'] } });
  isProblem(await send(home.key, { to: mailbox.address, body: 'Hi' }), 'sender_not_allowed');
});

test('with a block list alone guests may still try the mailbox', async () => {
  const home = await newNamespace();
  const mailbox = await newMailbox(home, { senders: { block: ['spam'] } });
  assert.equal((await tryOut({ to: mailbox.address, body: 'Hi' })).status, 200);
});

test('a changed list applies at once on the node that changed it, and what was accepted before stays', async () => {
  const [home, friend] = [await newNamespace(), await newNamespace()];
  const mailbox = await newMailbox(home);
  const to = mailbox.address;
  await change(home.key, to, { status: 'paused' });
  const held = await send(friend.key, { to, body: 'Hi' });
  accepted(held);
  for (let round = 0; round < 10; round++) {
    await set(home, mailbox, { block: [friend.name] });
    isProblem(await send(friend.key, { to, body: 'Hi' }), 'sender_not_allowed');
    await set(home, mailbox, { block: [] });
    accepted(await send(friend.key, { to, body: 'Hi' }));
  }
  await set(home, mailbox, { block: [friend.name] });
  await change(home.key, to, { status: 'online' });
  assert.equal((await read(friend.key, held.body.id, '?wait=60')).body.status, 'completed');
});

test('a list that is left out of a change stays as it is', async () => {
  const home = await newNamespace();
  const mailbox = await newMailbox(home, { senders: { allow: ['a-friend'], block: ['spam'] } });
  assert.deepEqual(await set(home, mailbox, { block: ['other'] }), { allow: ['a-friend'], block: ['other'] });
  assert.deepEqual(await set(home, mailbox, { allow: [] }), { allow: [], block: ['other'] });
  const renamed = await change(home.key, mailbox.address, { display_name: 'New' });
  assert.deepEqual((renamed as WithSenders).senders, { allow: [], block: ['other'] });
});

test('two changes at once, one of each list, both apply', async () => {
  const home = await newNamespace();
  const mailbox = await newMailbox(home);
  for (let round = 0; round < 20; round++) {
    await Promise.all([set(home, mailbox, { allow: [`a${round}`] }), set(home, mailbox, { block: [`b${round}`] })]);
    const now = await api<WithSenders>('GET', `/mailboxes/${mailbox.address}`, { key: home.key });
    assert.deepEqual(now.body.senders, { allow: [`a${round}`], block: [`b${round}`] });
  }
});

test('wrong lists are refused, and each wrong entry is named', async () => {
  const home = await newNamespace();
  const mailbox = await newMailbox(home, { senders: { block: ['spam'] } });
  const wrong: [string, unknown][] = [
    ['/senders', null],
    ['/senders', []],
    ['/senders', 'spam'],
    ['/senders', {}],
    ['/senders/deny', { deny: [] }],
    ['/senders/allow', { allow: 'spam' }],
    ['/senders/allow', { allow: null }],
    ['/senders/block', { block: {} }],
    ['/senders/block/0', { block: [1] }],
    ['/senders/block/0', { block: [''] }],
    ['/senders/block/0', { block: ['x'.repeat(321)] }],
    ['/senders/allow', { allow: Array.from({ length: 201 }, (_, at) => `ns${at}`) }],
  ];
  for (const [pointer, lists] of wrong) isProblem(await senders(home, mailbox, lists), 'validation_error', pointer);
  const entries = [
    '*',
    '@',
    '*@',
    '@acme',
    'a',
    '-acme',
    'ac me',
    'acme.',
    'acme.example.com',
    'ada@acme',
    '*@acme',
    'ada@@example.com',
    'a*a@example.com',
    '*a@example.com',
    '*@*.example.com',
    `*@${MAIL_DOMAIN}`,
    `ada@${MAIL_DOMAIN}`,
    `*@x.acme.${MAIL_DOMAIN}`,
    `ada@x.acme.${MAIL_DOMAIN}`,
    `ada+tag@acme.${MAIL_DOMAIN}`,
    `ada@acme.${MAIL_DOMAIN}.`,
    'ada@exam\u212aple.com ada@x.example',
    '\u0130@example.com',
    '   ',
  ];
  for (const entry of entries) {
    const answer = await senders(home, mailbox, { block: ['fine', entry] });
    isProblem(answer, 'validation_error', '/senders/block/1');
  }
  const both = isProblem(await senders(home, mailbox, { allow: ['*'], block: ['@'] }), 'validation_error');
  assert.deepEqual(
    both.errors?.map(({ pointer }) => pointer),
    ['/senders/allow/0', '/senders/block/0'],
  );
  isProblem(
    await api('POST', `/namespaces/${home.name}/mailboxes`, {
      key: home.key,
      body: { local_part: 'x', behavior: HELLO, senders: { allow: ['*'] } },
    }),
    'validation_error',
    '/senders/allow/0',
  );
  const now = await api<WithSenders>('GET', `/mailboxes/${mailbox.address}`, { key: home.key });
  assert.deepEqual(now.body.senders, { allow: [], block: ['spam'] });
});

test('lists of the greatest length are kept and still decide', async () => {
  const [home, friend] = [await newNamespace(), await newNamespace()];
  const names = Array.from({ length: 199 }, (_, at) => `${'n'.repeat(50)}${at}@${'d'.repeat(60)}.example.com`);
  const mailbox = await newMailbox(home, { senders: { allow: [...names, friend.name], block: names } });
  accepted(await send(friend.key, { to: mailbox.address, body: 'Hi' }));
  assert.equal((mailbox as WithSenders).senders?.allow.length, 200);
});

test('what a mailbox sends while it handles a message is refused by the lists too', async () => {
  const home = await newNamespace();
  const target = await newMailbox(home, { senders: { block: [home.name] } });
  const worker = await newMailbox(home, { behavior: { name: 'do' } });
  const sent = await send(home.key, { to: worker.address, body: `send “Hi” to ${target.address}`, sync: true });
  assert.equal(sent.status, 200, sent.text);
  const box = await api<{ items: unknown[] }>('GET', `/mailboxes/${target.address}/messages`, { key: home.key });
  assert.deepEqual(box.body.items, []);
});
