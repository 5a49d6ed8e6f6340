import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startInside } from '../../../../tests/harness/inside.ts';
import { startSmtp } from '../../../../tests/harness/smtp.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope, Page } from '../../../../tests/harness/wire.ts';

// What callers get wrong in conversations of many: a clear error at its place, and nothing stored, sent or counted.
const sink = await startSmtp();
after(() => sink[Symbol.asyncDispose]());
const inside = await startInside({ env: { SMTP_URL: sink.url, SEARCH_INDEX: 'on' } });
const { api, all, newNamespace, newMailbox, send } = inside.client;
const home = await newNamespace();
await inside.store.namespaces.claim(home.id, inside.now());
const DOMAIN = `${home.name}.mailroom.localhost`;
const BY_HAND = { behavior: { name: 'agent', settings: { by_hand: true } } };
const box = async (local_part: string): Promise<string> => (await newMailbox(home, { ...BY_HAND, local_part })).address;
const [a, b, c] = [await box('a'), await box('b'), await box('c')] as const;
const people = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, nr) => `p${from + nr}@outside.example`);

/** All that is stored for the three mailboxes, and the storage that is paid for. */
async function state(): Promise<unknown> {
  const ids: string[][] = [];
  for (const address of [a, b, c])
    ids.push((await all<Envelope>(`/mailboxes/${address}/messages?direction=all`, home.key)).map(({ id }) => id));
  const drafts = await all<{ id: string }>('/mail/drafts', home.key);
  const { body } = await api<{ storage: { bytes: number } }>('GET', `/namespaces/${home.name}/overview`, {
    key: home.key,
  });
  return { ids, drafts: drafts.map(({ id }) => id), bytes: body.storage.bytes, mails: sink.arrived.length };
}

interface Wrong {
  readonly fields: Record<string, unknown>;
  readonly status?: number;
  /** Of the first error. */
  readonly pointer: string;
  readonly says: RegExp;
}
const ALONE = /Give it alone, without a name; of a list or group each address is an item of its own\./;
const HEADERS = /^Only X-…/;
const SENDS: Readonly<Record<string, Wrong>> = {
  '51 recipients': { fields: { to: people(51) }, pointer: '/to/50', says: /at most 50 addresses/ },
  '51 recipients in two fields': {
    fields: { to: people(26), cc: people(25, 26) },
    pointer: '/cc/24',
    says: /in to, cc and bcc together/,
  },
  'a group': { fields: { to: ['friends: x@y.example, z@y.example;'] }, pointer: '/to/0', says: ALONE },
  'an empty group': { fields: { to: 'undisclosed-recipients:;' }, pointer: '/to', says: ALONE },
  'two in one text': { fields: { to: `${b}, ${c}` }, pointer: '/to', says: ALONE },
  'a name beside the address': { fields: { to: [b], cc: [`Ann <${c}>`] }, pointer: '/cc/0', says: ALONE },
  'a line break in an address': {
    fields: { to: [b, 'x@y.example\r\nBcc: z@y.example'] },
    pointer: '/to/1',
    says: /not a mailbox address/,
  },
  'an empty list': { fields: { to: [], cc: [b] }, pointer: '/to', says: /at least one address in `to`/ },
  'an empty text in a list': { fields: { to: [b, ''] }, pointer: '/to/1', says: /must not be empty/ },
  'a number in a list': { fields: { to: [b], cc: [5] }, pointer: '/cc/0', says: /must be a string/ },
  'a list in a list': { fields: { to: [[b]] }, pointer: '/to/0', says: /must be a string/ },
  'a text where a list is wanted': { fields: { to: b, cc: c }, pointer: '/cc', says: /must be an array/ },
  'a missing address': {
    fields: { to: [b], cc: [`ghost@${DOMAIN}`] },
    status: 404,
    pointer: '/cc/0',
    says: /no mailbox ghost@/,
  },
  'a missing address in Bcc': {
    fields: { to: [b], bcc: [`ghost@${DOMAIN}`] },
    status: 404,
    pointer: '/bcc/0',
    says: /no mailbox ghost@/,
  },
  'an address literal': { fields: { to: [b, 'x@[127.0.0.1]'] }, pointer: '/to/1', says: /not a mailbox address/ },
  'a value with a line break': {
    fields: { to: b, headers: { 'X-A': 'a\r\nBcc: x@y.example' } },
    pointer: '/headers/X-A',
    says: /no line breaks/,
  },
  'a name with a line break': {
    fields: { to: b, headers: { 'X-A\r\nBcc': 'x' } },
    pointer: '/headers/X-A\r\nBcc',
    says: HEADERS,
  },
  'a name with a colon': { fields: { to: b, headers: { 'X-A: b': 'x' } }, pointer: '/headers/X-A: b', says: HEADERS },
  'a field of the service': {
    fields: { to: b, headers: { 'x-mailroom-id': 'x' } },
    pointer: '/headers/x-mailroom-id',
    says: HEADERS,
  },
  'a field of the mail': { fields: { to: b, headers: { Subject: 'x' } }, pointer: '/headers/Subject', says: HEADERS },
  'a signature': {
    fields: { to: b, headers: { 'DKIM-Signature': 'x' } },
    pointer: '/headers/DKIM-Signature',
    says: HEADERS,
  },
  'a number as a value': {
    fields: { to: b, headers: { 'X-A': 5 } },
    pointer: '/headers/X-A',
    says: /must be a string/,
  },
  '21 fields': {
    fields: { to: b, headers: Object.fromEntries(people(21).map((_, nr) => [`X-${nr}`, 'y'])) },
    pointer: '/headers',
    says: /At most 20/,
  },
  'answers to 51': { fields: { to: b, reply_to: people(51) }, pointer: '/reply_to', says: /at most 50/ },
  'answers to a group': { fields: { to: b, reply_to: 'x: y@z.example;' }, pointer: '/reply_to', says: ALONE },
  'HTML above 1 MiB': {
    fields: { to: b, html: 'x'.repeat(1024 * 1024 + 1) },
    status: 413,
    pointer: '/html',
    says: /1048576 are allowed/,
  },
  'labels without a mailbox': {
    fields: { to: b, from: undefined, labels: ['x'] },
    pointer: '/labels',
    says: /name it in `from`/,
  },
  'a label of the service': {
    fields: { to: b, labels: ['x', 'trash'] },
    pointer: '/labels/1',
    says: /set by the service alone/,
  },
  'an unread label': { fields: { to: b, labels: ['x', 'unread'] }, pointer: '/labels/1', says: /Leave this label out/ },
  'a finding': { fields: { to: b, labels: ['finding/x'] }, pointer: '/labels/0', says: /set by the service alone/ },
  'a label with a line break': {
    fields: { to: b, labels: ['a\nb'] },
    pointer: '/labels/0',
    says: /such as invoices\/paid/,
  },
  '21 labels': {
    fields: { to: b, labels: people(21).map((_, nr) => `l${nr}`) },
    pointer: '/labels',
    says: /more than 20/,
  },
  '21 pairs': {
    fields: { to: b, metadata: Object.fromEntries(people(21).map((_, nr) => [`k${nr}`, 'y'])) },
    pointer: '/metadata',
    says: /At most 20/,
  },
  'a name of a pair in capitals': {
    fields: { to: b, metadata: { Key: 'y' } },
    pointer: '/metadata/Key',
    says: /a-z, 0-9/,
  },
  'a long value of a pair': {
    fields: { to: b, metadata: { k: 'y'.repeat(501) } },
    pointer: '/metadata/k',
    says: /at most 500/,
  },
  'an answer to all of nothing': { fields: { to: b, reply_all: true }, pointer: '/reply_all', says: /in_reply_to/ },
  'an answer to all of a message that is not there': {
    fields: { to: undefined, reply_all: true, in_reply_to: 'msg_00000000000000000000' },
    pointer: '/in_reply_to',
    says: /no such message/,
  },
  'a misspelled field': { fields: { to: b, ccc: [c] }, pointer: '/ccc', says: /no such field/ },
};

for (const [name, { fields, status = 422, pointer, says }] of Object.entries(SENDS))
  test(`${name}: refused at its place, as a message and as a draft, and nothing is stored`, async () => {
    const stateBefore = await state();
    const refused = await send(home.key, { from: a, body: 'x', ...fields });
    const { errors } = refused.body as unknown as { errors: { pointer: string; message: string }[] };
    assert.deepEqual([refused.status, errors[0]?.pointer], [status, pointer], refused.text);
    assert.match(errors[0]?.message ?? '', says);
    // What exists and what a draft lacks is looked at when it is sent.
    if (status !== 404 && !/in_reply_to|at least one address/.test(says.source)) {
      const draft = await api('POST', '/mail/drafts', { key: home.key, body: { from: a, body: 'x', ...fields } });
      assert.equal(draft.status, status, `as a draft: ${draft.text}`);
    }
    assert.deepEqual(await state(), stateBefore);
  });

test('the same recipient in three spellings, in To, Cc and Bcc, gets one copy', async () => {
  const spellings = { to: [b], cc: [b.toUpperCase(), c], bcc: [b.replace('@', '+tag@')] };
  const { body, status, text } = await send(home.key, { from: a, body: 'Spelled', ...spellings });
  assert.equal(status, 202, text);
  assert.deepEqual(body.recipients, { to: [b], cc: [c] });
  const { seen } = await until(
    10_000,
    () => all<Envelope>(`/mailboxes/${b}/messages`, home.key),
    (some) => some.length > 0,
  );
  assert.equal(seen.filter((one) => one.body === 'Spelled').length, 1);
});

test('50 recipients and one of them again is 50', async () => {
  const sent = await send(home.key, { from: a, body: 'Many', to: people(50), cc: ['P0@OUTSIDE.example'] });
  assert.equal(sent.status, 202, sent.text);
  assert.equal(sent.body.recipients?.to.length, 50);
  await sink.has(50);
  assert.equal(new Set(sink.arrived.flatMap(({ to }) => to)).size, 50);
});

test('a suppressed address refuses the whole message, and is named; one here that is suppressed as mail gets its copy', async () => {
  for (const target of ['bad@outside.example', c])
    await inside.store.suppressions.add({
      ...{ namespace_id: home.id, kind: 'email', target, reason: 'bounced', created_at: inside.now() },
    });
  const stateBefore = await state();
  const refused = await send(home.key, {
    from: a,
    body: 'Suppressed',
    to: [b],
    cc: ['ann@outside.example', 'bad@outside.example'],
  });
  const { code, errors } = refused.body as unknown as { code: string; errors: { pointer: string }[] };
  assert.deepEqual(
    [refused.status, code, errors.map(({ pointer }) => pointer)],
    [422, 'address_suppressed', ['/cc/1']],
  );
  assert.deepEqual(await state(), stateBefore);
  const sent = await send(home.key, { from: a, body: 'Here', to: [b], cc: [c] });
  assert.equal(sent.status, 202, sent.text);
  await until(
    10_000,
    () => all<Envelope>(`/mailboxes/${c}/messages`, home.key),
    (some) => some.some(({ body }) => body === 'Here'),
  );
});

test('HTML of 10 MB and 10,000 ids are refused for their size', async () => {
  const stateBefore = await state();
  const html = await send(home.key, { from: a, to: b, body: 'x', html: '<p>'.repeat(3_500_000) });
  assert.deepEqual([html.status, (html.body as unknown as { code: string }).code], [413, 'body_too_large']);
  const batch = (ids: readonly string[], change: object = { trash: true }) =>
    api<{ items: { id: string; status: number }[]; errors?: { pointer: string }[] }>('POST', '/mail/messages/batch', {
      key: home.key,
      body: { ids, ...change },
    });
  const id = (nr: number): string => `msg_${String(nr).padStart(20, '0')}`;
  assert.equal((await batch(Array.from({ length: 10_000 }, (_, nr) => id(nr)))).status, 413);
  for (const ids of [Array.from({ length: 201 }, (_, nr) => id(nr)), [], [id(1), id(1)]]) {
    const refused = await batch(ids);
    assert.deepEqual([refused.status, refused.body.errors?.[0]?.pointer], [422, '/ids'], refused.text);
  }
  for (const change of [{}, { trash: true, restore: true }, { trash: false }, { labels: ['x'] }])
    assert.equal((await batch([id(1)], change)).status, 422);
  assert.deepEqual(await state(), stateBefore);
  const [message] = await all<Envelope>(`/mailboxes/${b}/messages`, home.key);
  const mixed = await batch([id(1), message?.id as string, 'x']);
  assert.deepEqual(
    mixed.body.items.map(({ id: one, status }) => [one, status]),
    [
      [id(1), 404],
      [message?.id, 200],
      ['x', 404],
    ],
  );
});

test('queries that say nothing, are too long or unknown, and cursors of others, are refused with what is wanted', async () => {
  for (let nr = 0; nr < 3; nr++) await send(home.key, { from: a, to: [b, c], body: `needle crane ${nr}` });
  const search = (query: string, more = '') =>
    api<Page<unknown> & { errors?: { pointer: string; message: string }[] }>(
      'GET',
      `/mail/search?query=${encodeURIComponent(query)}${more}`,
      { key: home.key },
    );
  const WRONG: readonly (readonly [string, RegExp])[] = [
    ['word '.repeat(2_048), /at most 1000 characters/],
    ['', /must not be empty/],
    ['   ', /needs a word or an operator/],
    ['""', /needs a word or an operator/],
    ['* - **', /needs a word or an operator/],
    ['OR OR', /OR stands between two terms/],
    ['"open', /is not closed/],
    ['colour:red', /is no operator\. There are from: to: cc:/],
    ['before:yesterday', /such as 2026-11-20/],
    ['larger:big', /a number of bytes/],
    ['is:funny', /unread, answered or failed/],
    ['has:wings', /attachment/],
    ['mailbox:ghost', /reads no mailbox/],
  ];
  for (const [query, says] of WRONG) {
    const refused = await search(query);
    assert.deepEqual(
      [refused.status, refused.body.errors?.[0]?.pointer],
      [422, '/query'],
      `${query.slice(0, 20)} ${refused.text}`,
    );
    assert.match(refused.body.errors?.[0]?.message ?? '', says);
    const threads = await api('GET', `/mail/threads?query=${encodeURIComponent(query)}`, { key: home.key });
    assert.equal(threads.status, 422, threads.text);
  }
  for (const query of [
    'has:attachment is:unread',
    '-needle',
    "'; drop table messages; --",
    'NEAR(a b) ^x {a}:b',
    'a & b | !c <-> d :*',
  ])
    assert.equal((await search(query)).status, 200, query);
  const { seen } = await until(
    10_000,
    () => search('needle', '&limit=1'),
    ({ body }) => body.next_cursor !== null,
  );
  const cursor = `&limit=1&cursor=${encodeURIComponent(seen.body.next_cursor ?? '')}`;
  assert.equal((await search('needle', cursor)).status, 200);
  for (const [query, more] of [
    ['crane', cursor],
    ['needle', `${cursor}&sort=relevance`],
    ['needle', '&cursor=junk'],
  ] as const) {
    const refused = await search(query, more);
    assert.deepEqual([refused.status, refused.body.errors?.[0]?.pointer], [422, '/cursor'], refused.text);
  }
  const lists = await api<Page<unknown>>('GET', '/mail/threads?limit=1', { key: home.key });
  const other = await search('needle', `&cursor=${encodeURIComponent(lists.body.next_cursor ?? '')}`);
  assert.equal(other.status, 422, other.text);
});
