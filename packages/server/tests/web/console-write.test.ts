import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Home } from '../../../../tests/harness/client.ts';
import { openConsole, type Page, type Visitor } from '../../../../tests/harness/console.ts';
import { controlsOf, formData } from '../../../../tests/harness/form.ts';
import { until } from '../../../../tests/harness/until.ts';
import { instantOf, localOf } from '../../transports/web/console/local-time.ts';

const { client, visitor, pass, now, url } = await openConsole({ LIMIT_ATTACHMENT: '1000', LIMIT_ATTACHMENTS: '1500' });
const { newNamespace, newMailbox, read, api, send } = client;
const HOUR = 3_600_000;

interface Draft {
  readonly id: string;
  readonly subject: string | null;
  readonly send_at: string | null;
  readonly attachments: readonly { readonly filename: string }[];
}

async function owner(home: Home): Promise<Visitor> {
  const own = visitor();
  await own.signIn(home.key);
  return own;
}

const draftsOf = async ({ key }: Home): Promise<readonly Draft[]> =>
  (await api<{ items: Draft[] }>('GET', '/mail/drafts', { key })).body.items;

type Fields = Readonly<Record<string, string>>;
interface NamedFile {
  readonly name: string;
  readonly text: string;
}

/** Sends the form on a page as a browser does: its fields in their order, then the chosen files. */
async function submit(own: Visitor, html: string, changed: Fields, button: string, files: readonly NamedFile[] = []) {
  const form = new FormData();
  const fields = formData(html, { button: ['do', button] });
  for (const [name, value] of Object.entries(changed)) fields.set(name, value);
  for (const [name, value] of fields) if (name !== 'files') form.append(name, value);
  for (const { name, text } of files) form.append('files', new File([text], name, { type: 'text/plain' }));
  if (files.length === 0) form.append('files', new File([], '', { type: 'application/octet-stream' }));
  const response = await fetch(`${url}/console/write`, {
    method: 'POST',
    headers: { cookie: own.cookie, origin: url, accept: 'text/html', 'sec-fetch-site': 'same-origin' },
    body: form,
    redirect: 'manual',
  });
  const location = response.headers.get('location');
  const at = location === null ? undefined : new URL(location, `${url}/console/write`);
  return { status: response.status, html: await response.text(), to: at ? at.pathname + at.search : '' };
}

const fieldOf = ({ html }: Pick<Page, 'html'>, name: string): string | null => formData(html).get(name);
const messageIn = (to: string): string => new URL(to, url).searchParams.get('message') ?? '';

test('an owner writes from an address, with files, and finds the message under Sent', async () => {
  const [home, other] = await Promise.all([newNamespace(), newNamespace()]);
  const [box, theirs] = [await newMailbox(home), await newMailbox(other)];
  const visitor = await owner(home);
  const { html } = await visitor.get(`/console/write?from=${box.local_part}`);
  const fields = { to: theirs.address, subject: 'Two\tfiles', body: 'See\r\nthese.' };
  const files = [
    { name: 'one.txt', text: 'one' },
    { name: '../two.txt', text: 'two' },
  ];
  const sent = await submit(visitor, html, fields, 'send', files);
  assert.equal(sent.status, 303, sent.html);
  const { body } = await read(other.key, messageIn(sent.to));
  assert.deepEqual([body.subject, body.body, body.from], ['Two files', 'See\nthese.', box.address]);
  assert.deepEqual(
    body.attachments.map(({ filename }) => filename),
    ['one.txt', 'two.txt'],
  );
  assert.ok((await visitor.get(sent.to)).html.includes('Two files'));
  assert.deepEqual(await draftsOf(home), []);
});

test('a form that is sent twice at once becomes one message', async () => {
  const home = await newNamespace();
  const box = await newMailbox(home);
  const own = await owner(home);
  const { html } = await own.get('/console/write');
  const fields = { from: '', to: box.address, body: 'One of these.' };
  const sent = await Promise.all([1, 2, 3].map(() => submit(own, html, fields, 'send', [{ name: 'a', text: 'a' }])));
  const ids = new Set(sent.map(({ to }) => messageIn(to)));
  assert.equal(ids.size, 1, `${[...ids]}`);
  const { body } = await api<{ items: unknown[] }>('GET', `/mailboxes/${box.address}/messages`, { key: home.key });
  assert.equal(body.items.length, 1);
});

test('what cannot be sent is shown again with everything that was typed, files included', async () => {
  const home = await newNamespace();
  const box = await newMailbox(home);
  const visitor = await owner(home);
  const cases: [Fields, string, string][] = [
    [{ to: '' }, 'to', 'Write the address that it goes to.'],
    [{ body: ' ' }, 'body', 'Write the message.'],
    [{ to: 'no address' }, 'to', 'This is not a mailbox address.'],
    [{ to: 'x@example.com' }, 'to', 'only a namespace with a verified owner'],
    [{ to: `nobody-here@${home.name}` }, 'to', 'There is no mailbox'],
    [{ subject: 'x'.repeat(999) }, 'subject', 'This may have at most 998 characters.'],
    [{ body: 'x'.repeat(300_000) }, 'body', 'are allowed'],
  ];
  for (const [wrong, id, sentence] of cases) {
    const { html } = await visitor.get('/console/write');
    const typed = {
      to: box.address,
      subject: 'Kept “so” <b>',
      body: '\nA text.\n',
      send_at: '2030-01-01T10:00',
      ...wrong,
    };
    const page = await submit(visitor, html, typed, 'send', [{ name: 'kept.txt', text: 'kept' }]);
    assert.ok(page.status >= 404 && page.status <= 422, `${page.status} ${sentence}`);
    assert.ok(page.html.includes(`id="${id}-error"`), `${sentence} beside ${id}`);
    assert.ok(page.html.includes(sentence), `${sentence}: ${/error.*?<span>(.*?)<\/span>/s.exec(page.html)?.[1]}`);
    assert.ok(page.html.includes('<title>Error: '));
    for (const [name, value] of Object.entries(typed)) assert.equal(fieldOf(page, name), value, `${sentence}: ${name}`);
    const isKept = page.html.includes('kept.txt, 4 bytes');
    assert.ok(isKept || page.html.includes('Choose them again: they were not kept.'), sentence);
  }
});

test('a form that was refused is corrected and sent with the files that it kept', async () => {
  const home = await newNamespace();
  const box = await newMailbox(home);
  const own = await owner(home);
  const { html } = await own.get('/console/write');
  const refused = await submit(own, html, { to: 'x', body: 'Text' }, 'send', [{ name: 'kept.txt', text: 'kept' }]);
  const sent = await submit(own, refused.html, { to: box.address }, 'send', [{ name: 'more.txt', text: 'more' }]);
  assert.equal(sent.status, 303, sent.html);
  const { attachments } = (await read(home.key, messageIn(sent.to))).body;
  assert.deepEqual(
    attachments.map(({ filename }) => filename),
    ['kept.txt', 'more.txt'],
  );
  assert.deepEqual(await draftsOf(home), []);
});

test('files above their limits are refused beside their field, and the text stays', async () => {
  const home = await newNamespace();
  const box = await newMailbox(home);
  const visitor = await owner(home);
  const { html } = await visitor.get('/console/write');
  const big = (text: number) => ({ name: `${text}.txt`, text: 'x'.repeat(text) });
  for (const files of [[big(3), big(1001)], [big(900), big(900)], [big(5_000_000)]]) {
    const page = await submit(visitor, html, { to: box.address, body: 'My words.' }, 'send', files);
    assert.equal(page.status, 413);
    assert.ok(page.html.includes('id="files-error"'));
    assert.equal(fieldOf(page, 'body'), 'My words.');
  }
});

test('a draft is saved with its files, edited, loses the files that are unticked, and is sent', async () => {
  const home = await newNamespace();
  const box = await newMailbox(home);
  const visitor = await owner(home);
  const files = [
    { name: 'stays.txt', text: 'a' },
    { name: 'goes.txt', text: 'b' },
  ];
  const { html } = await visitor.get('/console/write');
  const saved = await submit(visitor, html, { from: '', subject: 'Half', to: '' }, 'save', files);
  assert.equal(saved.to, '/console/drafts?done=saved');
  const listed = await visitor.get(saved.to);
  assert.ok(listed.html.includes('Half') && listed.html.includes('2 files') && listed.html.includes('To no one yet'));
  assert.ok(!listed.html.includes('value="send"'), 'what is not complete cannot be sent from the list');
  const [draft] = await draftsOf(home);
  const edit = await visitor.get(`/console/write?draft=${draft?.id}`);
  const [, path = ''] = /href="\.\.\/console\/(attachments\/att_[^"]+)"/.exec(edit.html) ?? [];
  assert.equal((await visitor.get(`/console/${path}`)).html, 'a');
  const goes = controlsOf(edit.html).filter(({ attributes }) => attributes.get('name') === 'file')[1];
  const without = edit.html.replace(`value="${goes?.attributes.get('value')}" checked`, '');
  const again = await submit(visitor, without, { to: box.address, body: 'Now whole.' }, 'save');
  assert.equal(again.status, 303, again.html);
  const [now] = await draftsOf(home);
  assert.deepEqual(
    now?.attachments.map(({ filename }) => filename),
    ['stays.txt'],
  );
  const sent = await visitor.send('/console/drafts', {}, ['do', 'send']);
  assert.equal((await read(home.key, messageIn(sent.to))).body.attachments[0]?.filename, 'stays.txt');
  assert.deepEqual(await draftsOf(home), []);
});

test('of two owners who edit a draft the second is told, and loses nothing', async () => {
  const home = await newNamespace();
  const visitor = await owner(home);
  await submit(visitor, (await visitor.get('/console/write')).html, { body: 'First.' }, 'save');
  const [draft] = await draftsOf(home);
  const page = await visitor.get(`/console/write?draft=${draft?.id}`);
  assert.equal((await submit(visitor, page.html, { body: 'One.' }, 'save')).status, 303);
  const second = await submit(visitor, page.html, { body: 'Two.' }, 'save', [{ name: 'two.txt', text: '2' }]);
  assert.equal(second.status, 412);
  assert.ok(second.html.includes('This draft was changed meanwhile'));
  assert.equal(fieldOf(second, 'body'), 'Two.');
  assert.ok(second.html.includes('two.txt, 1 byte'));
  assert.equal((await submit(visitor, second.html, {}, 'save')).status, 303);
  assert.equal((await api<{ body: string }>('GET', `/mail/drafts/${draft?.id}`, { key: home.key })).body.body, 'Two.');
});

test('a draft is deleted, and one that is gone says so', async () => {
  const home = await newNamespace();
  const visitor = await owner(home);
  await submit(visitor, (await visitor.get('/console/write')).html, { body: 'Never mind.' }, 'save');
  const { html } = await visitor.get('/console/drafts');
  const fields = formData(html, { button: ['do', 'delete'] });
  assert.equal((await visitor.post('/console/drafts', fields)).to, '/console/drafts?done=deleted');
  assert.deepEqual(await draftsOf(home), []);
  const gone = await visitor.post('/console/drafts', fields);
  assert.equal(gone.status, 404);
  assert.ok(gone.html.includes('This draft was sent or deleted meanwhile.'));
});

test('a message is sent at its time, in the time zone that was typed, and shows it until then', async () => {
  const home = await newNamespace();
  const box = await newMailbox(home);
  const visitor = await owner(home);
  const sendAt = Math.ceil((now() + 2 * HOUR) / 60_000) * 60_000;
  const fields = {
    from: '',
    to: box.address,
    body: 'Later.',
    send_at: localOf(sendAt, 'Asia/Tokyo'),
    zone: 'Asia/Tokyo',
  };
  const later = await submit(visitor, (await visitor.get('/console/write')).html, fields, 'later', [
    { name: 'a', text: 'a' },
  ]);
  assert.equal(later.to, '/console/drafts?done=scheduled', later.html);
  const [draft] = await draftsOf(home);
  assert.equal(draft?.send_at, new Date(sendAt).toISOString());
  assert.ok((await visitor.get(later.to)).html.includes(`${new Date(sendAt).toISOString().slice(11, 16)} UTC`));
  const edit = await visitor.get(`/console/write?draft=${draft?.id}`);
  assert.deepEqual([fieldOf(edit, 'send_at'), fieldOf(edit, 'zone')], [localOf(sendAt, 'UTC'), 'UTC']);
  pass(2 * HOUR + 60_000);
  const list = async () =>
    (await api<{ items: { body: string }[] }>('GET', `/mailboxes/${box.address}/messages`, { key: home.key })).body
      .items;
  const { seen } = await until(10_000, list, ({ length }) => length > 0);
  assert.deepEqual(
    seen.map(({ body }) => body),
    ['Later.'],
  );
});

test('a time that cannot be says why beside its field', async () => {
  const home = await newNamespace();
  const box = await newMailbox(home);
  const visitor = await owner(home);
  const { html } = await visitor.get('/console/write');
  const cases: [Fields, string, string][] = [
    [{ send_at: '' }, 'send_at', 'Choose a date and a time.'],
    [{ send_at: '2030-02-30T10:00' }, 'send_at', 'Choose a date and a time.'],
    [{ send_at: '2001-01-01T10:00' }, 'send_at', 'This time has passed.'],
    [{ send_at: '2099-01-01T10:00' }, 'send_at', 'Choose a time within a year.'],
    [{ send_at: '2099-01-01T10:00', zone: 'Mars/Olympus' }, 'zone', 'There is no time zone “Mars/Olympus”.'],
  ];
  for (const [wrong, id, sentence] of cases) {
    const page = await submit(visitor, html, { to: box.address, body: 'x', zone: 'UTC', ...wrong }, 'later');
    assert.equal(page.status, 422);
    assert.ok(page.html.includes(`id="${id}-error"`) && page.html.includes(sentence), sentence);
    for (const [name, value] of Object.entries(wrong)) assert.equal(fieldOf(page, name), value);
  }
});

test('a date in a zone is the instant that clocks there show, also where they change', () => {
  const cases = [
    ['2026-01-15T12:00', 'Europe/Berlin', '2026-01-15T11:00:00.000Z'],
    ['2026-07-15T12:00', 'Europe/Berlin', '2026-07-15T10:00:00.000Z'],
    ['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
    ['2026-03-08T02:30', 'America/New_York', '2026-03-08T07:30:00.000Z'],
    ['2026-06-01T00:15', 'Asia/Kathmandu', '2026-05-31T18:30:00.000Z'],
    ['2026-06-01T00:15', 'Pacific/Kiritimati', '2026-05-31T10:15:00.000Z'],
  ] as const;
  for (const [local, zone, instant] of cases)
    assert.equal(new Date(instantOf(local, zone) ?? 0).toISOString(), instant, `${local} ${zone}`);
  for (const wrong of ['', '2026-13-01T00:00', '2026-02-29T00:00', '2026-01-01T24:00', '0000-00-00T00:00', 'x'])
    assert.equal(instantOf(wrong, 'UTC'), undefined, wrong);
});

test('a form from elsewhere, or without its session, stores no file and no draft', async () => {
  const [home, other] = await Promise.all([newNamespace(), newNamespace()]);
  const [own, stranger] = [await owner(home), await owner(other)];
  const { html } = await own.get('/console/write');
  const file = [{ name: 'a.txt', text: 'a' }];
  assert.equal((await submit(stranger, html, { body: 'x' }, 'save', file)).status, 403);
  assert.equal((await submit(visitor(), html, { body: 'x' }, 'save', file)).status, 403);
  assert.deepEqual([...(await draftsOf(home)), ...(await draftsOf(other))], []);
  await submit(own, html, { body: 'Mine.' }, 'save');
  const [draft] = await draftsOf(home);
  assert.equal((await stranger.get(`/console/write?draft=${draft?.id}`)).status, 404);
  const theirs = await stranger.get('/console/write');
  const taken = await submit(stranger, theirs.html, { draft: draft?.id ?? '', body: 'Theirs.' }, 'save');
  assert.equal(taken.status, 404);
  assert.equal((await draftsOf(home)).length, 1);
});

test('a broken or hostile multipart form is refused, and the service stays', async () => {
  const home = await newNamespace();
  const visitor = await owner(home);
  const token = await visitor.token();
  const part = (head: string, body: string) => `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`;
  const csrf = part('name="csrf"', token);
  const bodies: [string, number][] = [
    ['', 400],
    [csrf, 400],
    [`${csrf}${part('name="body"', 'a\0b')}--b--\r\n`, 422],
    [`${csrf}${part('name="x"', '1').repeat(1001)}--b--\r\n`, 422],
    [`${csrf}${part('name="body"', 'x'.repeat(3_000_000))}--b--\r\n`, 413],
    [`${part('name="files"; filename="a"', 'first')}${csrf}--b--\r\n`, 403],
  ];
  for (const [body, status] of bodies) {
    const response = await fetch(`${url}/console/write`, {
      method: 'POST',
      headers: {
        cookie: visitor.cookie,
        origin: url,
        'content-type': 'multipart/form-data; boundary=b',
        accept: 'text/html',
      },
      body,
    });
    assert.equal(response.status, status, body.slice(0, 300));
    await response.text();
  }
  assert.deepEqual(await draftsOf(home), []);
});

test('an owner writes as an address of their own, written in any way, and as no other', async () => {
  const [home, other] = await Promise.all([newNamespace(), newNamespace()]);
  const box = await newMailbox(home);
  await newMailbox(other, { local_part: box.local_part });
  const own = await owner(home);
  const { html } = await own.get('/console/write');
  const write = (from: string) => submit(own, html, { from, to: box.address, body: from, once: from }, 'send');
  for (const from of [box.local_part, `${box.local_part}@${home.name}`, box.address.toUpperCase()])
    assert.equal((await read(home.key, messageIn((await write(from)).to))).body.from, box.address, from);
  for (const from of [`${box.local_part}@${other.name}`, `${box.local_part}@example.com`, 'no-such', '@', '<b>']) {
    const page = await write(from);
    assert.equal(page.status, 422, from);
    assert.ok(page.html.includes('id="from-error"'), from);
    assert.equal(fieldOf(page, 'from'), from);
  }
});

test('an address of the own namespace is written to by its name alone, and kept so once it is complete', async () => {
  const home = await newNamespace();
  await newMailbox(home, { local_part: 'hello' });
  const visitor = await owner(home);
  const { html } = await visitor.get('/console/write');
  const fields = { to: 'Hello', body: 'Who are you?' };
  const sent = await submit(visitor, html, fields, 'send');
  assert.equal(sent.status, 303, sent.html);
  assert.equal((await read(home.key, messageIn(sent.to))).body.to, `hello@${home.name}.mailroom.localhost`);
  const missing = await submit(visitor, html, { ...fields, to: 'helo', once: 'missing' }, 'send');
  assert.equal(missing.status, 404);
  assert.equal(fieldOf(missing, 'to'), 'helo');
  for (const [to, kept] of [
    ['hel', null],
    ['hello', `hello@${home.name}.mailroom.localhost`],
  ] as const) {
    assert.equal((await submit(visitor, html, { ...fields, to, body: `To ${to}` }, 'keep')).status, 200);
    const drafts = (
      await api<{ items: { to: string | null; body: string }[] }>('GET', '/mail/drafts', { key: home.key })
    ).body.items;
    assert.equal(drafts.find(({ body }) => body === `To ${to}`)?.to, kept);
  }
});

test('a message that its mailbox refuses is kept as a draft, and says why', async () => {
  const [home, other] = await Promise.all([newNamespace(), newNamespace()]);
  const closed = await newMailbox(other, { senders: { allow: [other.name], block: [] } });
  const visitor = await owner(home);
  const { html } = await visitor.get('/console/write');
  const page = await submit(visitor, html, { from: '', to: closed.address, body: 'Please.' }, 'send');
  assert.equal(page.status, 403);
  assert.ok(page.html.includes('id="to-error"'));
  assert.equal(fieldOf(page, 'body'), 'Please.');
  const [draft] = await draftsOf(home);
  assert.equal(fieldOf(page, 'draft'), draft?.id);
  assert.ok((await visitor.get('/console/drafts')).html.includes('Not sent: '));
  assert.equal((await send(home.key, { to: closed.address, body: 'x' })).status, 403, 'as through the API');
});

test('without scripts a text is shown as Markdown on a page of its own, and no markup of it runs', async () => {
  const who = visitor();
  await who.signIn((await newNamespace()).key);
  const body = 'One **bold** word <script>alert(1)</script>';
  const shown = await who.post('/console/markdown', { csrf: await who.token(), body });
  assert.equal(shown.status, 200);
  assert.match(shown.html, /One <strong>bold<\/strong> word &lt;script&gt;/);
  assert.equal((await who.post('/console/markdown', { body })).status, 403);
});
