import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../../../tests/harness/client.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import type { Mailbox } from '../../../../tests/harness/wire.ts';

const { api, newNamespace, newMailbox, newKey, change, all } = connect((await sharedService()).url);

type Marked = Mailbox & { readonly metadata?: Readonly<Record<string, string>> };

test('a mailbox keeps pairs that keys of its namespace alone see, change and filter by', async () => {
  const [home, other] = [await newNamespace(), await newNamespace()];
  const marked = (await newMailbox(home, { metadata: { customer: 'c-17', plan: 'say "x":"y"' } })) as Marked;
  const two = (await newMailbox(home)) as Marked;
  assert.deepEqual(marked.metadata, { customer: 'c-17', plan: 'say "x":"y"' });
  assert.equal(two.metadata, undefined);
  const list = (key: string | undefined, query = '') => all<Marked>(`/namespaces/${home.name}/mailboxes${query}`, key);
  const addresses = async (query: string) => (await list(home.key, query)).map(({ address }) => address);
  assert.deepEqual(await addresses('?metadata.customer=c-17'), [marked.address]);
  assert.deepEqual(await addresses('?metadata.customer=c-1'), []);
  assert.deepEqual(await addresses('?metadata.x=y'), []);
  assert.deepEqual(await addresses(`?metadata.customer=c-17&query=${marked.address.split('@')[0]}`), [marked.address]);
  const { secret } = await newKey(home, { scopes: ['messages:read'] });
  const read = async (key?: string) =>
    (await api<Marked>('GET', `/mailboxes/${marked.address}`, key === undefined ? {} : { key })).body.metadata;
  assert.deepEqual(await read(secret), marked.metadata);
  for (const key of [other.key, undefined]) {
    assert.equal(await read(key), undefined);
    for (const listed of await list(key)) assert.equal(listed.metadata, undefined);
    // A filter by what one may not see says nothing of it.
    assert.equal((await list(key, '?metadata.customer=no')).length, 2);
  }
  const changed = (await change(home.key, marked.address, { metadata: { customer: 'c-18' } })) as Marked;
  assert.deepEqual(changed.metadata, { customer: 'c-18' });
  assert.deepEqual(((await change(home.key, marked.address, { description: 'x' })) as Marked).metadata, {
    customer: 'c-18',
  });
  assert.equal(((await change(home.key, marked.address, { metadata: null })) as Marked).metadata, undefined);
});

test('pairs that are too many, too long or of other names are refused with their place', async () => {
  const home = await newNamespace();
  const mailbox = await newMailbox(home);
  for (const [metadata, pointer] of [
    [{ Customer: 'x' }, '/metadata/Customer'],
    [{ a: 'x'.repeat(501) }, '/metadata/a'],
    [{ ['a'.repeat(41)]: 'x' }, `/metadata/${'a'.repeat(41)}`],
    [Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`k${at}`, 'x'])), '/metadata'],
    [{ a: 1 }, '/metadata/a'],
  ] as const) {
    const answer = await api('PATCH', `/mailboxes/${mailbox.address}`, { key: home.key, body: { metadata } });
    isProblem(answer, 'validation_error', pointer);
  }
});

test('drafts are filtered by their pairs alone, a page at a time', async () => {
  const home = await newNamespace();
  const draft = async (fields: object) =>
    (await api<{ readonly id: string }>('POST', '/mail/drafts', { key: home.key, body: { body: 'Hi', ...fields } }))
      .body.id;
  const [first, second] = [
    await draft({ metadata: { order: 'a "1"', x: 'y' } }),
    await draft({ metadata: { order: 'a "1"' } }),
  ];
  await draft({ metadata: { order: 'a' } });
  await draft({ data: { metadata: { order: 'a "1"' } }, headers: { 'X-Order': 'a' } });
  await draft({});
  const list = async (query: string) =>
    (await all<{ readonly id: string }>(`/mail/drafts?${query}`, home.key)).map(({ id }) => id);
  const order = `metadata.order=${encodeURIComponent('a "1"')}`;
  assert.deepEqual(await list(order), [second, first]);
  assert.deepEqual(await list(`${order}&metadata.x=y`), [first]);
  assert.deepEqual(await list('metadata.order=b'), []);
  const page = await api<{ readonly items: object[]; readonly next_cursor: string }>(
    'GET',
    `/mail/drafts?${order}&limit=2`,
    {
      key: home.key,
    },
  );
  const rest = await list(`${order}&limit=2&cursor=${page.body.next_cursor}`);
  assert.deepEqual([...page.body.items.map((item) => (item as { id: string }).id), ...rest], [second, first]);
  isProblem(
    await api('GET', '/mail/drafts?metadata.Order=a', { key: home.key }),
    'validation_error',
    '/metadata.Order',
  );
});
