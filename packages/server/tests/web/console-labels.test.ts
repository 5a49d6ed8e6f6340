import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Home } from '../../../../tests/harness/client.ts';
import { openConsole } from '../../../../tests/harness/console.ts';
import { amount } from '../../../../tests/soak/length.ts';

const { client, visitor } = await openConsole();
const { newNamespace, newMailbox, send, read, api } = client;

async function owner(home: Home) {
  const own = visitor();
  await own.signIn(home.key);
  return own;
}

const labelsOf = async (home: Home, id: string): Promise<readonly string[]> =>
  (await read(home.key, id)).body.labels ?? [];

/** The ids of the rows of a page, and those of them that look unread. */
function rowsOf(page: string): { readonly all: readonly string[]; readonly unread: readonly string[] } {
  const rows = [...page.matchAll(/<li( class="unread")? data-row="([^"]+)"/g)];
  return {
    all: rows.map(([, , id]) => id as string),
    unread: rows.filter(([, unread]) => unread !== undefined).map(([, , id]) => id as string),
  };
}

async function received(home: Home, to: string, fields: Record<string, unknown> = {}): Promise<string> {
  const { body } = await send(home.key, { to, body: 'Hello.', sync: true, ...fields });
  return body.id as string;
}

test('a message looks unread in the list, with a word for screen readers, until it is opened', async () => {
  const home = await newNamespace();
  const box = await newMailbox(home);
  const [first, second] = [await received(home, box.address), await received(home, box.address)];
  const visitor = await owner(home);
  const before = await visitor.get('/console?status=all');
  assert.deepEqual(rowsOf(before.html).unread, [second, first]);
  assert.equal(before.html.match(/<span class="sr" data-unread>Unread: <\/span>/g)?.length, 2);
  const opened = await visitor.get(`/console?status=all&message=${first}`);
  assert.deepEqual(rowsOf(opened.html).unread, [second]);
  assert.deepEqual(await labelsOf(home, first), []);
  assert.deepEqual(await labelsOf(home, second), ['unread']);
});

test('asking for the head of a conversation does not mark it as read', async () => {
  const home = await newNamespace();
  const id = await received(home, (await newMailbox(home)).address);
  const own = await owner(home);
  const { status } = await fetch(`${client.url}/console/messages/${id}`, {
    method: 'HEAD',
    headers: { cookie: own.cookie },
  });
  assert.equal(status, 200);
  assert.deepEqual(await labelsOf(home, id), ['unread']);
});

test('a message can be marked as unread, and the page that follows does not open it again', async () => {
  const home = await newNamespace();
  const id = await received(home, (await newMailbox(home)).address);
  const own = await owner(home);
  const { to } = await own.send(`/console/messages/${id}`, {}, ['do', 'unread'], `/console/labels/${id}`);
  assert.equal(to, `/console?undo=unread%3A${id}`);
  assert.deepEqual(rowsOf((await own.get('/console?status=all')).html).unread, [id]);
});

test('opening a conversation that another namespace received leaves its unread mark alone', async () => {
  const [home, other] = await Promise.all([newNamespace(), newNamespace()]);
  const from = await newMailbox(home);
  const id = await received(home, (await newMailbox(other)).address, { from: from.address });
  const own = await owner(home);
  assert.equal((await own.get(`/console/messages/${id}`)).status, 200);
  assert.deepEqual(await labelsOf(other, id), ['unread']);
});

test('opening what an address wrote marks the answer to it as read, which is shown there', async () => {
  const [home, other] = await Promise.all([newNamespace(), newNamespace()]);
  const from = await newMailbox(home);
  const { body } = await send(home.key, {
    to: (await newMailbox(other)).address,
    body: 'Hello.',
    sync: true,
    from: from.address,
  });
  const reply = body.reply?.id ?? '';
  assert.deepEqual(await labelsOf(home, reply), ['unread']);
  await (await owner(home)).get(`/console/messages/${body.id}`);
  assert.deepEqual(await labelsOf(home, reply), []);
});

test('labels are added, shown in list and conversation, and removed', async () => {
  const home = await newNamespace();
  const id = await received(home, (await newMailbox(home)).address);
  const visitor = await owner(home);
  const page = `/console/messages/${id}`;
  const form = `/console/labels/${id}`;
  for (const label of ['invoices/paid', ' Urgent '])
    assert.equal((await visitor.send(page, { label }, ['go', ''], form)).to, `/console?message=${id}`);
  assert.deepEqual(await labelsOf(home, id), ['invoices/paid', 'urgent']);
  const shown = await visitor.get(`/console?status=all&message=${id}`);
  const [row = '', conversation = ''] = shown.html.split('data-conversation');
  assert.ok(row.includes('<span class="sr">Label </span>invoices/paid</span>'));
  assert.ok(conversation.includes('<span class="sr">Remove the label invoices/paid</span>'));
  assert.ok(row.includes('<option value="invoices/paid">'), 'it is suggested as a filter');
  await visitor.send(page, {}, ['remove', 'urgent'], form);
  assert.deepEqual(await labelsOf(home, id), ['invoices/paid']);
});

test('two owners who label at once both keep their labels', async () => {
  const home = await newNamespace();
  const id = await received(home, (await newMailbox(home)).address);
  const [one, two] = await Promise.all([owner(home), owner(home)]);
  const names = Array.from({ length: 9 }, (_, at) => at);
  await Promise.all(
    names.flatMap((at) => [
      one.send(`/console/messages/${id}`, { label: `one-${at}` }, ['go', ''], `/console/labels/${id}`),
      two.send(`/console/messages/${id}`, { label: `two-${at}` }, ['go', ''], `/console/labels/${id}`),
    ]),
  );
  const wanted = names.flatMap((at) => [`one-${at}`, `two-${at}`]).sort();
  assert.deepEqual(await labelsOf(home, id), wanted);
});

test('a label that cannot be says why beside its field, with what was typed', async () => {
  const home = await newNamespace();
  const id = await received(home, (await newMailbox(home)).address);
  const own = await owner(home);
  const add = (label: string) => own.send(`/console/messages/${id}`, { label }, ['go', ''], `/console/labels/${id}`);
  const cases: [string, string][] = [
    ['to do', 'A label consists of a to z, 0 to 9, and - _ /, without spaces.'],
    ['<b>', 'A label consists of a to z'],
    ['ünread', 'A label consists of a to z'],
    ['x'.repeat(51), 'A label has at most 50 characters; this one has 51.'],
    ['  ', 'Type a label.'],
  ];
  for (const [typed, sentence] of cases) {
    const { status, html } = await add(typed);
    assert.equal(status, 422, typed);
    assert.ok(html.includes(sentence), `${typed}: ${sentence}`);
    const kept = typed.replace('<', '&lt;').replace('>', '&gt;');
    assert.ok(html.includes(`name="label" value="${kept}"`), `${typed} is kept`);
    assert.ok(html.includes('aria-describedby="label-error"'));
  }
  const byForm = amount(1, 20);
  for (let at = 0; at < byForm; at++) assert.equal((await add(`l${at}`)).status, 303);
  const labels = { add: Array.from({ length: 20 }, (_, at) => `l${at}`) };
  assert.equal((await api('PATCH', `/mail/messages/${id}`, { key: home.key, body: { labels } })).status, 200);
  const full = await add('one-more');
  assert.equal(full.status, 422);
  assert.ok(full.html.includes('A message has at most 20 labels. Remove one first.'));
  assert.ok(full.html.includes('value="one-more"'));
});

test('the forms for labels act for the owner alone', async () => {
  const [home, other] = await Promise.all([newNamespace(), newNamespace()]);
  const id = await received(home, (await newMailbox(home)).address);
  const stranger = await owner(other);
  const token = await stranger.token();
  assert.equal((await stranger.post(`/console/labels/${id}`, { csrf: token, label: 'mine' })).status, 404);
  assert.equal((await (await owner(home)).post(`/console/labels/${id}`, { label: 'mine' })).status, 403);
  assert.deepEqual(await labelsOf(home, id), ['unread']);
});

test('the inbox shows what was received, what was sent, or both, each message once', async () => {
  const [home, other] = await Promise.all([newNamespace(), newNamespace()]);
  const [box, two] = [await newMailbox(home), await newMailbox(home)];
  const theirs = await newMailbox(other);
  const inbound = await received(other, box.address);
  const outbound = await received(home, theirs.address);
  const asBox = await received(home, theirs.address, { from: box.address });
  const within = await received(home, two.address, { from: box.address });
  const visitor = await owner(home);
  const shownRows = async (query: string) => rowsOf((await visitor.get(`/console${query}`)).html).all;
  const sorted = (ids: readonly string[]) => ids.toSorted().toReversed();
  const written = (ids: readonly string[]) => ids.filter((id) => !id.endsWith('1'));
  assert.deepEqual(written(await shownRows('?status=all')), sorted([inbound, within]));
  assert.deepEqual(await shownRows('?direction=sent'), sorted([outbound, asBox, within]));
  assert.deepEqual(
    rowsOf((await visitor.get('/console?direction=sent')).html).unread,
    [],
    'what was sent is not unread',
  );
  assert.deepEqual(written(await shownRows('?direction=all')), sorted([inbound, outbound, asBox, within]));
  const local = box.address.split('@')[0];
  assert.deepEqual(await shownRows(`?direction=sent&mailbox=${local}`), sorted([asBox, within]));
  assert.equal((await visitor.get(`/console?direction=sent&message=${outbound}`)).status, 200);
  const { html } = await visitor.get('/console?direction=sent');
  assert.ok(html.includes(`to ${theirs.address.split('.')[0]}`), 'an address elsewhere is written whole');
});

test('the inbox is narrowed by label, by files and by words in addresses, and the filters add up', async () => {
  const home = await newNamespace();
  const [box, two] = [await newMailbox(home), await newMailbox(home)];
  const file = [{ filename: 'a.txt', content: 'YQ==' }];
  const plain = await received(home, box.address);
  const labeled = await received(home, box.address, { attachments: file });
  const elsewhere = await received(home, two.address, { attachments: file });
  for (const id of [labeled, plain])
    await api('PATCH', `/mail/messages/${id}`, { key: home.key, body: { labels: { add: ['tax'] } } });
  const visitor = await owner(home);
  const shownRows = async (query: string) => rowsOf((await visitor.get(`/console?${query}`)).html).all;
  assert.deepEqual(await shownRows('label=tax'), [labeled, plain]);
  assert.deepEqual(await shownRows('label=tax&query=hello'), [labeled, plain], 'without the index of labels too');
  assert.deepEqual(await shownRows('has=attachment'), [elsewhere, labeled]);
  assert.deepEqual(await shownRows('has=attachment&label=tax'), [labeled]);
  assert.deepEqual(await shownRows(`query=${encodeURIComponent(two.address)}`), [elsewhere]);
  await visitor.get(`/console/messages/${plain}`);
  assert.deepEqual(await shownRows('label=unread'), [elsewhere, labeled]);
  assert.deepEqual(await shownRows(`label=unread&mailbox=${two.address.split('@')[0]}`), [elsewhere]);
  assert.deepEqual(
    await shownRows('label=tax&direction=sent'),
    [labeled, plain],
    'sent by a key, labeled where received',
  );
  assert.deepEqual(await shownRows('label=tax&direction=all&has=attachment'), [labeled]);
  assert.deepEqual(await shownRows(`label=tax&direction=sent&mailbox=${box.address.split('@')[0]}`), []);
  const none = await visitor.get('/console?label=no-such');
  assert.ok(none.html.includes('No message has the label “no-such”'));
});
