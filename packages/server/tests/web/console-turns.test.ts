import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { unique } from '../../../../tests/harness/client.ts';
import { openConsole } from '../../../../tests/harness/console.ts';
import { startDns } from '../../../../tests/harness/dns.ts';
import { formData } from '../../../../tests/harness/form.ts';
import { mailText, sendMail } from '../../../../tests/harness/mail.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope, Page } from '../../../../tests/harness/wire.ts';

const dns = await startDns({ 'spf.example': { TXT: ['v=spf1 ip4:127.0.0.1 -all'] } });
after(() => dns[Symbol.asyncDispose]());
const service = await openConsole({
  ...{ SMTP_LISTEN: '127.0.0.1:0', SMTP_TRUSTED: 'none', DNS_SERVERS: dns.address, UNDO_SECONDS: '10' },
});
const { client, visitor, pass } = service;
const { newNamespace, newMailbox, api, send, read } = client;
const AGENT = { behavior: { name: 'agent' } };

async function desk() {
  const home = await newNamespace();
  const box = await newMailbox(home, { local_part: 'desk', ...AGENT });
  const own = visitor();
  assert.equal((await own.signIn(home.key)).status, 303);
  return { home, box, own };
}

/** A conversation of messages of another namespace, of which all but the last are answered. */
async function thread(count: number) {
  const { home, box, own } = await desk();
  const other = await newNamespace();
  const ids: string[] = [];
  let thread_id: string | undefined;
  for (let index = 0; index < count; index++) {
    const { body } = await send(other.key, {
      to: box.address,
      body: `Question ${index}`,
      ...(thread_id && { thread_id }),
    });
    ids.push(body.id);
    ({ thread_id } = body);
    if (index < count - 1)
      await api('POST', `/mail/messages/${body.id}/answer`, { key: home.key, body: { body: `Answer ${index}` } });
  }
  return { home, box, own, other, ids };
}

const foldsOf = (html: string): readonly string[] =>
  [...html.matchAll(/<details class="fold" data-fold="(message|answer) (msg_[^"]+)">/g)].map(
    ([, kind, id]) => `${kind} ${id}`,
  );

test('turns that were read fold to a line each, but for the last two, the open one and what was not read', async () => {
  const { own, ids } = await thread(5);
  const [one = '', two = '', three = '', , last = ''] = ids;
  const first = await own.get(`/console/messages/${last}`);
  assert.deepEqual(foldsOf(first.html), [], 'nothing was read so far');
  const read = await own.get(`/console/messages/${last}`);
  const both = (id: string): string[] => [`message ${id}`, `answer ${id}`];
  assert.deepEqual(foldsOf(read.html), [one, two, three].flatMap(both));
  assert.match(read.html, /<summary>.*?<span class="cut" dir="auto">Question 0<\/span>/);
  assert.match(read.html, /<span class="cut" dir="auto">Answer 0<\/span>/);
  const earlier = await own.get(`/console/messages/${two}`);
  assert.deepEqual(foldsOf(earlier.html), [one, three].flatMap(both));
  const searched = await own.get(`/console/messages/${last}?query=${encodeURIComponent('"answer 1"')}`);
  assert.deepEqual(foldsOf(searched.html), [one, three].flatMap(both), 'a hit is seen');
  assert.match(searched.html, /<mark class="hit">Answer 1<\/mark>/);
});

test('one message of a conversation goes to the trash from its menu, and comes back by Undo', async () => {
  const { home, own, ids } = await thread(2);
  const [one = '', two = ''] = ids;
  const path = `/console/messages/${two}`;
  const gone = await own.send(path, { open: two }, ['do', 'trash-one'], `/console/messages/${one}`);
  assert.equal(gone.to, `/console?message=${two}&undo=trash-one%3A${one}`);
  const shown = await own.get(gone.to);
  assert.match(shown.html, /<b dir="auto">Question 0<\/b> is in the trash\./);
  assert.match(shown.html, /class="trashed"/);
  assert.ok((await read(home.key, one)).body.labels?.includes('trash'));
  assert.ok(!(await read(home.key, two)).body.labels?.includes('trash'));
  const undone = await own.send(gone.to, { undo: `trash-one:${one}` }, ['undo', `trash-one:${one}`], '/console/undo');
  assert.equal(undone.to, `/console?message=${one}`);
  assert.ok(!(await read(home.key, one)).body.labels?.includes('trash'));
  // Where the open one goes, another one of the conversation is shown.
  const open = await own.send(path, { open: two }, ['do', 'trash-one'], `/console/messages/${two}`);
  assert.equal(new URL(open.to, 'http://x').searchParams.get('message'), one);
});

test('Undo sends again what the trash canceled, once, and says what stays canceled', async () => {
  const { home, box, own, other, ids } = await thread(1);
  const [id = ''] = ids;
  const trash = (one: string) => own.send('/console', {}, ['do', 'trash'], `/console/messages/${one}`);
  const undo = (one: string) => own.send('/console/activity', { undo: `trash:${one}` }, ['undo', ''], '/console/undo');
  const gone = await trash(id);
  assert.match((await own.get(gone.to)).html, /is in the trash\. It waited, and is canceled\./);
  assert.equal((await read(other.key, id)).body.status, 'canceled');
  const undone = await undo(id);
  assert.match((await own.get(undone.to)).html, /Out of the trash\. 1 message that waited is sent again\./);
  const messages = async () =>
    (await api<Page<Envelope>>('GET', `/mailboxes/${box.address}/messages`, { key: home.key })).body.items;
  const [fresh] = await messages();
  assert.deepEqual([fresh?.retry_of, fresh?.body, fresh?.status], [id, 'Question 0', 'submitted']);
  await undo(id);
  assert.equal((await messages()).length, 2, 'a second Undo sends nothing');
  // The key that wrote it was revoked meanwhile.
  const key = await client.newKey(other, { scopes: ['mail:send'], name: 'short' });
  const short = (await send(key.secret, { to: box.address, body: 'By a key' })).body.id;
  await trash(short);
  await api('DELETE', `/keys/${key.id}`, { key: other.key });
  const stays = await own.get((await undo(short)).to);
  assert.match(stays.html, /Out of the trash\. 1 message was canceled and cannot be sent again: only its sender can\./);
  assert.ok(!(await read(home.key, short)).body.labels?.includes('trash'));
});

test('what its sender canceled is not sent again by a forged Undo', async () => {
  const { home, box, own, other, ids } = await thread(1);
  const [id = ''] = ids;
  await api('POST', `/mail/messages/${id}/cancel`, { key: other.key });
  await own.send('/console', {}, ['do', 'trash'], `/console/messages/${id}`);
  await own.send('/console/activity', { undo: `trash:${id}` }, ['undo', ''], '/console/undo');
  const { items } = (await api<Page<Envelope>>('GET', `/mailboxes/${box.address}/messages`, { key: home.key })).body;
  assert.equal(items.length, 1);
});

/** Mails of one conversation, the last from an author who is not verified. */
async function mails() {
  const { home, box, own } = await desk();
  const sent: string[] = [];
  const mail = async (from: string, cc: string, body: string): Promise<string> => {
    const fields = {
      ...{ From: from, To: box.address, Cc: cc, Subject: 'Drawings', 'Message-ID': `<${unique()}@x.example>` },
      ...(sent.length > 0 && { 'In-Reply-To': sent.at(-1) ?? '', References: sent.join(' ') }),
    };
    sent.push(fields['Message-ID']);
    const [, address = from] = /<(.*)>/.exec(from) ?? [];
    const text = mailText(fields, body);
    const reply = await sendMail(service.smtp?.port ?? 0, { from: address, to: [box.address], text });
    return /\b(msg_[0-9a-z]{20})\b/.exec(reply)?.[1] ?? assert.fail(reply);
  };
  const first = await mail('Jonas <jonas@spf.example>', 'lena@spf.example, site@kontor.example', 'Which day?');
  const second = await mail('Site office <site@kontor.example>', 'jonas@spf.example', 'Pay to our new account.');
  return { home, own, first, second };
}

test('an answer to all leaves out who is not verified, and names them', async () => {
  const { own, first, second } = await mails();
  const { html } = await own.get(`/console/messages/${first}`);
  const form = formData(html.slice(html.indexOf('data-foot')));
  assert.equal(form.get('cc'), 'lena@spf.example');
  assert.match(html, /Not answered: <bdi>Site office &lt;site@kontor\.example&gt;<\/bdi>, not verified\./);
  const forwarded = await own.get(`/console/messages/${second}?mode=forward`);
  assert.doesNotMatch(forwarded.html, /class="left-out"/);
});

test('a message is forwarded as an attachment, and a refused form keeps that choice', async () => {
  const { home, own, first } = await mails();
  const to = await newMailbox(home, AGENT);
  const page = `/console/messages/${first}?mode=forward`;
  const { html } = await own.get(page);
  assert.match(html, /name="as" value="attachment"> As an attachment/);
  const compose = (more: Record<string, string>) => {
    const fields = formData(html.slice(html.indexOf('data-foot')), { button: ['do', 'forward'] });
    for (const [name, value] of Object.entries({ as: 'attachment', body: 'See.', ...more })) fields.set(name, value);
    return own.post(`/console/forward/${first}`, fields);
  };
  const wrong = await compose({ to: 'no one' });
  assert.equal(wrong.status, 422);
  assert.match(wrong.html, /name="as" value="attachment" checked/);
  assert.equal((await compose({ to: to.address })).status, 303);
  pass(11_000);
  const messages = async () =>
    (await api<Page<Envelope>>('GET', `/mailboxes/${to.address}/messages`, { key: home.key })).body.items;
  const { seen } = await until(10_000, messages, ({ length }) => length > 0);
  assert.equal(seen[0]?.body, 'See.');
  assert.deepEqual(
    seen[0]?.attachments?.map(({ filename }) => filename),
    ['Drawings.eml'],
  );
});

test('drafts, what was sent and waits, and the trash have their counts beside them', async () => {
  const { home, own, ids, other } = await thread(1);
  const [id = ''] = ids;
  const mine = await newMailbox(other, AGENT);
  await send(home.key, { to: mine.address, body: 'Waits' });
  await api('POST', '/mail/drafts', { key: home.key, body: { body: 'Begun' } });
  await api('POST', `/mail/messages/${id}/trash`, { key: home.key });
  const { html } = await own.get('/console');
  for (const place of ['Sent', 'Drafts', 'Trash'])
    assert.match(html, new RegExp(`${place} <span class="count" data-waiting="${place.toLowerCase()}">1</span>`));
});
