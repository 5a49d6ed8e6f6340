import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Home, PROOFREAD } from '../../../../tests/harness/client.ts';
import { decode, formData } from '../../../../tests/harness/form.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope, Mailbox, Page } from '../../../../tests/harness/wire.ts';
import { local, MOODY, openVisits } from './console-visits.ts';

const { visitor, newNamespace, newMailbox, newPaused, api, send, tryOut, read, signedIn } = await openVisits();

const rowsOf = (html: string): string[] => [...html.matchAll(/data-row="([^"]+)"/g)].map(([, id]) => id as string);
const received = async (home: Home, mailbox: Mailbox): Promise<readonly Envelope[]> =>
  (await api<Page<Envelope>>('GET', `/mailboxes/${mailbox.address}/messages`, { key: home.key })).body.items;

test('the inbox lists what arrived, newest first, by status, address and words, page by page', async () => {
  const home = await newNamespace();
  const [hello, moody] = [await newMailbox(home), await newMailbox(home, { behavior: MOODY })];
  const paused = await newPaused(home);
  const who = await signedIn(home);
  assert.match((await who.get('/console')).html, /No messages yet.*Share/s);
  assert.match((await who.get('/console/activity')).html, /Charts start with the first message/);
  const idOf = async (to: Mailbox, body: string) =>
    (await send(home.key, { to: to.address, body, sync: true })).body.id;
  const first = await idOf(hello, 'An INVOICE for <you> & me');
  const failed = await idOf(moody, 'fail this');
  const held = await idOf(paused, 'waits');
  const working = (await send(home.key, { to: moody.address, body: 'slow' })).body.id;
  const question = await idOf(moody, 'ask me');
  const list = async (query: string) => {
    const { html, status } = await who.get(`/console${query}`);
    assert.equal(status, 200);
    return rowsOf(html);
  };
  assert.deepEqual(await list('?status=all'), [question, working, held, failed, first]);
  assert.deepEqual(await list(''), [failed], 'the inbox is what waits for a person');
  assert.deepEqual(await list('?status=failed'), [failed]);
  assert.deepEqual(await list('?status=held'), [held]);
  assert.deepEqual(await list('?status=working'), [working]);
  assert.deepEqual(await list(`?mailbox=${local(moody)}`), [question, working, failed]);
  assert.deepEqual(await list(`?mailbox=${local(moody)}&status=failed&query=THIS`), [failed]);
  assert.deepEqual(await list('?query=invoice'), [first]);
  const none = (await who.get('/console?query=%3Cb%3E')).html;
  assert.match(none, /No message matches “<span dir="auto">&lt;b&gt;<\/span>”/);
  assert.match(none, /Clear search/);
  const page = (await who.get('/console?status=all')).html;
  assert.ok(page.includes('An INVOICE for &lt;you&gt; &amp; me'));
  for (const word of ['Failed</span>', 'Held</span>', 'Asks back</span>', 'Working <span'])
    assert.ok(page.includes(word));
  assert.match(page, /<b dir="auto">Owner key<\/b>/);
  for (let nth = 0; nth < 60; nth++) await idOf(hello, `number ${nth}`);
  const top = (await who.get(`/console?mailbox=${local(hello)}`)).html;
  assert.equal(rowsOf(top).length, 50);
  const older = decode(/href="console(\?[^"]*cursor=[^"]*)">Older messages/.exec(top)?.[1] ?? '');
  const rest = await list(older);
  assert.equal(rest.length, 11);
  assert.equal(rest.at(-1), first);
  assert.equal((await who.get('/console?cursor=nonsense')).status, 422);
  await api('POST', `/mail/messages/${working}/cancel`, { key: home.key });
});

test('a conversation is shown whole, as text: nothing that was written is markup of ours', async () => {
  const home = await newNamespace();
  const moody = await newMailbox(home, { behavior: MOODY });
  const first = (await tryOut({ to: moody.address, body: '<script>alert(1)</script> [x](javascript:alert(1))' })).body;
  const { id, thread_id, thread_token } = first;
  await tryOut({ to: moody.address, body: 'and **more**', thread_id, thread_token });
  const who = await signedIn(home);
  for (const path of [`/console?message=${id}`, `/console/messages/${id}`]) {
    const { html, status } = await who.get(path);
    assert.equal(status, 200);
    assert.ok(html.includes('&lt;script&gt;alert(1)&lt;/script&gt;'));
    assert.ok(!html.includes('<script>alert'));
    assert.ok(!/href="javascript/.test(html));
    assert.ok(html.includes('and **more**'));
    assert.ok(html.includes('<strong>more</strong>'));
    assert.ok(html.includes(`data-copy="${id}"`));
    assert.ok(html.includes(`<code>${thread_id}</code>`));
    assert.match(html, /<b dir="auto">Guest<\/b>/);
  }
  const proofread = await newMailbox(home, { behavior: PROOFREAD });
  const marked = (await tryOut({ to: proofread.address, body: 'It could of been worse.' })).body;
  const { seen } = await until(
    30_000,
    async () => (await who.get(`/console/messages/${marked.id}`)).html,
    (html) => html.includes('<ins>'),
  );
  assert.match(seen, /<del>of<\/del>.*<ins>have<\/ins>/s);
});

test('a long conversation is read in parts; a reply to a mailbox of ours gets no reply', async () => {
  const home = await newNamespace();
  const [hello, mia] = [await newMailbox(home), await newMailbox(home)];
  const write = (fields: object) => send(home.key, { to: hello.address, body: 'Hi', sync: true, ...fields });
  const { id, thread_id } = (await write({})).body;
  const others = await Promise.all(Array.from({ length: 102 }, () => write({ thread_id })));
  const ids = [id, ...others.map(({ body }) => body.id).sort()];
  const who = await signedIn(home);
  const messageIds = (html: string): string[] =>
    [...html.matchAll(/class="message" id="([^"]+)"/g)].map(([, id]) => id as string);
  const first = (await who.get(`/console/messages/${ids[5]}`)).html;
  assert.deepEqual(messageIds(first), ids.slice(5, 25));
  assert.match(first, new RegExp(`message=${ids[25]}">Later messages`));
  assert.match(first, new RegExp(`message=${ids[102]}">Newest messages`));
  assert.match(first, new RegExp(`message=${ids[5]}&amp;before=${ids[5]}">Earlier messages`));
  const last = (await who.get(`/console/messages/${ids[101]}`)).html;
  assert.deepEqual(messageIds(last), ids.slice(83));
  assert.match(last, new RegExp(`message=${ids[101]}&amp;before=${ids[83]}">Earlier messages`));
  const before = (await who.get(`/console?message=${ids[101]}&before=${ids[83]}`)).html;
  assert.deepEqual(messageIds(before), ids.slice(63, 83));
  assert.match(before, new RegExp(`message=${ids[83]}">Later messages`));
  assert.match(before, new RegExp(`message=${ids[102]}">Newest messages`));
  assert.ok(!last.includes('Newest messages'));
  const begin = (await who.get(`/console?message=${ids[101]}&before=${ids[3]}`)).html;
  assert.deepEqual(messageIds(begin), ids.slice(0, 3));
  assert.ok(!begin.includes('Earlier messages'));
  const { body } = await write({ from: mia.address });
  const filed = (await who.get(`/console?mailbox=${local(mia)}&message=${body.reply?.id}`)).html;
  assert.match(filed, /<span class="last"><span dir="auto">[^<]+<\/span>: <bdi>I write programs\.<\/bdi>/);
  assert.equal(messageIds(filed).length, 1);
  assert.ok(!filed.includes('class="answer"'));
});

test('a long text is shown by its beginning, and the whole is one click away, as text', async () => {
  const home = await newNamespace();
  const moody = await newMailbox(home, { behavior: MOODY });
  const body = `<b>${'a line of it\n'.repeat(16_000)}</b>`;
  const ids: string[] = [];
  let thread: { thread_id?: string } = {};
  for (let nth = 0; nth < 6; nth++) {
    const { id, thread_id } = (await send(home.key, { to: moody.address, body, sync: true, ...thread })).body;
    ids.push(id);
    thread = { thread_id };
  }
  const who = await signedIn(home);
  const { html } = await who.get(`/console?message=${ids.at(-1)}`);
  assert.ok(html.length < 1_200_000, `${html.length}`);
  assert.ok(html.includes('&lt;b&gt;a line'));
  assert.match(html, /65,536 of 208,007 characters/);
  assert.match(html, /Earlier messages/);
  const whole = await who.get(`/console/texts/${ids[5]}`);
  assert.equal(whole.html, body);
  assert.equal(whole.headers.get('content-type'), 'text/plain; charset=utf-8');
  assert.equal(whole.headers.get('x-content-type-options'), 'nosniff');
  assert.equal((await who.get(`/console/texts/${ids[5]}?of=reply`)).status, 200);
  const stranger = await signedIn(await newNamespace());
  assert.equal((await stranger.get(`/console/texts/${ids[5]}`)).status, 404);
  assert.equal((await visitor().get(`/console/texts/${ids[5]}`)).status, 403);
});

test('what is another name’s is not there: messages, addresses, keys', async () => {
  const [mine, theirs] = [await newNamespace(), await newNamespace()];
  const [box, own] = [await newMailbox(theirs, { behavior: MOODY }), await newMailbox(mine)];
  const { id } = (await send(theirs.key, { to: box.address, body: 'fail x', sync: true })).body;
  const who = await signedIn(mine);
  const csrf = await who.token();
  for (const path of [
    `/console/messages/${id}`,
    `/console?message=${id}`,
    '/console/messages/msg_x',
    '/console?message=x',
  ]) {
    const { status, html } = await who.get(path);
    assert.equal(status, 404, path);
    assert.ok(!html.includes('fail x'));
  }
  for (const what of ['cancel', 'again'])
    assert.equal((await who.post(`/console/messages/${id}`, { csrf, do: what })).status, 404);
  assert.equal((await who.get(`/console/addresses/${local(box)}`)).status, 404);
  assert.equal((await who.get(`/console/addresses/${encodeURIComponent(box.address)}`)).status, 404);
  assert.equal((await who.post(`/console/addresses/${local(box)}`, { csrf, do: 'pause' })).status, 404);
  assert.equal((await who.post('/console/keys', { csrf, do: 'revoke', id: theirs.keyId })).status, 404);
  const made = await who.post('/console/keys', { csrf, do: 'make', scope: 'mail:send', mailbox: local(box) });
  assert.equal(made.status, 422);
  assert.deepEqual(rowsOf((await who.get(`/console?mailbox=${local(box)}`)).html), []);
  assert.equal((await received(theirs, box)).length, 1);
  assert.equal((await who.get(`/console/addresses/${local(own)}`)).status, 200);
});

test('what works is canceled, what failed is tried again once however often it is clicked', async () => {
  const home = await newNamespace();
  const moody = await newMailbox(home, { behavior: MOODY });
  const who = await signedIn(home);
  const working = (await send(home.key, { to: moody.address, body: 'slow' })).body.id;
  const page = `/console?message=${working}&status=working`;
  const canceled = await who.send(page, {}, ['do', 'cancel'], `/console/messages/${working}?status=working`);
  assert.deepEqual([canceled.status, canceled.to], [303, `/console?status=working&message=${working}`]);
  assert.equal((await read(home.key, working)).body.status, 'canceled');
  const failed = (await send(home.key, { to: moody.address, body: 'fail a', sync: true })).body.id;
  const fields = formData((await who.get(`/console/messages/${failed}`)).html, { button: ['do', 'again'] });
  const [one, two] = [
    await who.post(`/console/messages/${failed}`, fields),
    await who.post(`/console/messages/${failed}`, fields),
  ];
  assert.equal(one.status, 303);
  assert.equal(one.to, two.to);
  const again = one.to.split('message=')[1] as string;
  // It fails again, and can then be sent again.
  assert.equal((await read(home.key, again, '?wait=20')).body.status, 'failed');
  const both = (await who.get(one.to)).html;
  assert.equal([...both.matchAll(/Try again/g)].length, 1);
  assert.match(both, /Sent again below/);
  assert.equal((await read(home.key, again)).body.retry_of, failed);
  assert.equal((await who.post(`/console/messages/${working}`, { csrf: await who.token(), do: 'again' })).status, 422);
});

test('of many addresses the busiest fifty are shown, and all of them page by page', async () => {
  const home = await newNamespace();
  const mailboxes: Mailbox[] = [];
  for (let nth = 0; nth < 53; nth++) mailboxes.push(await newMailbox(home));
  const last = mailboxes.at(-1) as Mailbox;
  const { id } = (await send(home.key, { to: last.address, body: 'one', sync: true })).body;
  const who = await signedIn(home);
  const nav = (html: string): string[] =>
    [...(/<ul data-nav>.*?<\/ul>/s.exec(html)?.[0] ?? '').matchAll(/mailbox=([^"]+)"/g)].map(
      ([, one]) => one as string,
    );
  for (const path of ['/console', '/console/activity', '/console/settings', '/console/keys']) {
    const { html } = await who.get(path);
    assert.deepEqual([nav(html).length, nav(html)[0]], [50, local(last)], path);
    assert.match(html, /href="[./]*console\/addresses">All 53 addresses</);
    assert.ok(!html.includes(local(mailboxes[51] as Mailbox)), path);
  }
  const far = local(mailboxes[51] as Mailbox);
  assert.match((await who.get(`/console?mailbox=${far}`)).html, new RegExp(`<h2>${far}<`));
  assert.deepEqual(rowsOf((await who.get(`/console?mailbox=${local(last)}`)).html), [id]);
  const first = (await who.get('/console/addresses')).html;
  const listed = (html: string): number => html.match(/class="name-cell"/g)?.length ?? 0;
  assert.equal(listed(first), 50);
  const more = decode(/href="addresses(\?[^"]+)">More addresses/.exec(first)?.[1] ?? '');
  const rest = (await who.get(`/console/addresses${more}`)).html;
  assert.equal(listed(rest), 3);
  assert.match(rest, /First page/);
  const found = (await who.get(`/console/addresses?query=${far}`)).html;
  assert.equal(listed(found), 1);
  assert.match(
    (await who.get('/console/addresses?query=%3Cb%3E')).html,
    /No address matches “<span dir="auto">&lt;b&gt;/,
  );
  const bound = await who.send('/console/keys', { mailbox: `${far}@${home.name}` }, ['do', 'make']);
  assert.equal(bound.status, 201);
  assert.equal((await who.send('/console/keys', { mailbox: 'nobody' }, ['do', 'make'])).status, 422);
});
