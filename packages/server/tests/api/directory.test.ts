import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, HELLO, PROOFREAD, unique } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { MAIL_DOMAIN, type Mailbox, type Page } from '../../../../tests/harness/wire.ts';

const service = await serveInside();
const { api, newNamespace, newMailbox, newPaused, newKey, send, all, url } = {
  ...connect(service.url),
  url: service.url,
};

test('the directory lists the listed mailboxes of every namespace, to anyone', async () => {
  const one = await newNamespace();
  const two = await newNamespace();
  const a = await newMailbox(one);
  const b = await newMailbox(two);
  const pageRoute = await newMailbox(two, { visibility: 'unlisted' });
  const addresses = (await all<Mailbox>('/mailboxes')).map((mailbox) => mailbox.address);
  assert.ok(addresses.includes(a.address));
  assert.ok(addresses.includes(b.address));
  assert.ok(!addresses.includes(pageRoute.address));
  for (const local of ['hello', 'do', 'auth', 'proofread']) {
    assert.ok(addresses.includes(`${local}@agents.${MAIL_DOMAIN}`), local);
  }
  assert.equal(new Set(addresses).size, addresses.length);
});

test('the directory is narrowed by behavior, namespace and text', async () => {
  const home = await newNamespace();
  const word = unique('needle');
  await newMailbox(home, { local_part: 'one', behavior: PROOFREAD, description: `Reads ${word} twice.` });
  await newMailbox(home, { local_part: 'two', behavior: HELLO, display_name: word.toUpperCase() });
  await newMailbox(home, { local_part: `${word}-three`, behavior: HELLO });
  await newMailbox(home, { local_part: 'four', behavior: HELLO });
  const seen = async (query: string) =>
    (await all<Mailbox>(`/mailboxes?${query}`)).map((mailbox) => mailbox.local_part).sort();
  assert.deepEqual(await seen(`namespace=${home.name}`), ['four', `${word}-three`, 'one', 'two'].sort());
  assert.deepEqual(await seen(`namespace=${home.name.toUpperCase()}`), ['four', `${word}-three`, 'one', 'two'].sort());
  assert.deepEqual(await seen(`namespace=${home.name}&behavior=proofread`), ['one']);
  assert.deepEqual(await seen(`query=${word}`), [`${word}-three`, 'one', 'two'].sort());
  assert.deepEqual(await seen(`query=${word}&behavior=hello`), [`${word}-three`, 'two'].sort());
  assert.deepEqual(await seen('namespace=never-was'), []);
  assert.deepEqual(await seen(`namespace=${home.name}&query=%25`), []);
  assert.deepEqual(await seen(`namespace=${home.name}&query=${encodeURIComponent("' or 1=1 --")}`), []);
});

test('every list goes page by page, each item once, with a Link to the next page', async () => {
  const home = await newNamespace();
  const mailbox = await newMailbox(home, { local_part: 'first' });
  for (let i = 0; i < 4; i++) await newMailbox(home);
  for (let i = 0; i < 4; i++) await newKey(home, { scopes: ['mail:send'] });
  const first = await send(home.key, { to: mailbox.address, body: 'One', sync: true });
  const thread_id = first.body.thread_id;
  for (const body of ['Two', 'Three', 'Four', 'Five']) {
    await send(home.key, { to: mailbox.address, body, thread_id, sync: true });
  }
  const lists: [string, number, string | undefined][] = [
    [`/mailboxes?namespace=${home.name}`, 5, undefined],
    [`/namespaces/${home.name}/mailboxes`, 5, undefined],
    [`/namespaces/${home.name}/mailboxes`, 5, home.key],
    [`/mailboxes/${mailbox.address}/messages`, 5, home.key],
    ['/mail/messages', 5, home.key],
    [`/mail/threads/${thread_id}`, 10, home.key],
    ['/keys', 5, home.key],
  ];
  for (const [path, count, key] of lists) {
    const headers = { ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) };
    const whole = await all<{ id: string }>(path, key);
    assert.equal(whole.length, count, path);
    const seen: string[] = [];
    let next: string | undefined = `${url}/api/v1${path}${path.includes('?') ? '&' : '?'}limit=2`;
    let pages = 0;
    while (next !== undefined) {
      const response: Response = await fetch(next, { headers });
      assert.equal(response.status, 200, next);
      const page = (await response.json()) as Page<{ id: string }>;
      const standing = path.startsWith('/mail/threads/') ? ['assignee', 'notes', 'state', 'until'] : [];
      assert.deepEqual(Object.keys(page).sort(), ['items', 'next_cursor', ...standing].sort());
      assert.ok(page.items.length <= 2, `${path}: limit=2 gave ${page.items.length} items`);
      seen.push(...page.items.map((item) => item.id));
      const link = response.headers.get('link');
      const target: string | undefined = link?.match(/<([^>]+)>;\s*rel="next"/)?.[1];
      if (page.next_cursor === null) {
        assert.equal(link, null, `${path}: no Link on the last page`);
        next = undefined;
      } else {
        assert.ok(target !== undefined, `${path}: ${link}`);
        assert.ok(target.includes(`cursor=${encodeURIComponent(page.next_cursor)}`), target);
        next = new URL(target, response.url).href.replace(/^http:\/\/localhost:\d+/, url);
      }
      pages++;
      assert.ok(pages < 20, `${path} never ends`);
    }
    assert.deepEqual(
      seen,
      whole.map((item) => item.id),
      path,
    );
    assert.equal(new Set(seen).size, seen.length, path);
    assert.ok(pages >= Math.ceil(count / 2), path);
  }
});

test('a list holds 50 unless asked, and 200 at most', async () => {
  const home = await newNamespace();
  const mailbox = await newPaused(home);
  await Promise.all(Array.from({ length: 210 }, () => send(home.key, { to: mailbox.address, body: 'Hi' })));
  const size = async (query: string) =>
    (await api<Page<unknown>>('GET', `/mail/messages${query}`, { key: home.key })).body.items.length;
  assert.equal(await size(''), 50);
  assert.equal(await size('?limit=1'), 1);
  assert.equal(await size('?limit=200'), 200);
  assert.equal((await all('/mail/messages', home.key)).length, 210);
});

test('a wrong limit or cursor is a problem at its name', async () => {
  const home = await newNamespace();
  for (const path of ['/mailboxes', `/namespaces/${home.name}/mailboxes`, '/mail/messages', '/keys']) {
    for (const limit of ['0', '-1', '201', '1.5', 'ten', '1e2', '']) {
      isProblem(await api('GET', `${path}?limit=${limit}`, { key: home.key }), 'validation_error', '/limit');
    }
    for (const cursor of ['x', 'AAAA', '%00', 'msg_00000000000000000000', 'a'.repeat(2000)]) {
      isProblem(await api('GET', `${path}?cursor=${cursor}`, { key: home.key }), 'validation_error', '/cursor');
    }
  }
});

test('a page that was being read stays whole while items come in', async () => {
  const home = await newNamespace();
  const mailbox = await newPaused(home);
  for (let i = 0; i < 4; i++) await send(home.key, { to: mailbox.address, body: `Old ${i}` });
  const first = await api<Page<{ id: string }>>('GET', '/mail/messages?limit=2', { key: home.key });
  for (let i = 0; i < 3; i++) await send(home.key, { to: mailbox.address, body: `New ${i}` });
  const second = await api<Page<{ id: string; body: string }>>(
    'GET',
    `/mail/messages?limit=2&cursor=${encodeURIComponent(first.body.next_cursor ?? '')}`,
    { key: home.key },
  );
  assert.deepEqual(
    second.body.items.map((item) => item.body),
    ['Old 1', 'Old 0'],
  );
});
