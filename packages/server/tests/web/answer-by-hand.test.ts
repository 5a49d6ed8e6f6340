import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Home } from '../../../../tests/harness/client.ts';
import { openConsole, type Visitor } from '../../../../tests/harness/console.ts';
import { formData } from '../../../../tests/harness/form.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import type { Envelope, Page } from '../../../../tests/harness/wire.ts';

const { client, visitor, url } = await openConsole();
const { newNamespace, newMailbox, api, send, read, tryOut } = client;
const other = await newNamespace();

interface Asked {
  readonly home: Home;
  readonly who: Visitor;
  readonly address: string;
  readonly id: string;
  readonly path: string;
  readonly action: string;
}

/** A message that waits for an answer, and a session of its owner. */
async function asked(body = 'Which rooms are free?'): Promise<Asked> {
  const home = await newNamespace();
  const { address } = await newMailbox(home, { local_part: 'bot', behavior: { name: 'agent' } });
  const { id } = (await send(other.key, { to: address, body })).body;
  const who = visitor();
  assert.equal((await who.signIn(home.key)).status, 303);
  return { home, who, address, id, path: `/console/messages/${id}`, action: `/console/answers/${id}` };
}

const stateOf = async ({ id }: Asked): Promise<Envelope> => (await read(other.key, id)).body;

test('an answer by hand is the reply that its sender reads', async () => {
  const it = await asked();
  const sent = await it.who.send(it.path, { body: 'The **blue** one.\r\nAsk Mara.' }, ['do', 'completed'], it.action);
  assert.deepEqual([sent.status, sent.to], [303, `/console?message=${it.id}`]);
  const { status, reply } = await stateOf(it);
  assert.deepEqual([status, reply?.body], ['completed', 'The **blue** one.\nAsk Mara.']);
  assert.match((await it.who.get(it.path)).html, /The <strong>blue<\/strong> one\./);
});

test('an answer can ask back, or reject with a reason', async () => {
  const asks = await asked();
  await asks.who.send(asks.path, { body: 'For how many?' }, ['do', 'input_required'], asks.action);
  const back = await stateOf(asks);
  assert.deepEqual([back.status, back.reply?.body], ['input_required', 'For how many?']);
  const rejects = await asked();
  await rejects.who.send(rejects.path, { body: 'Closed on Friday.' }, ['do', 'rejected'], rejects.action);
  const { status, error, reply } = await stateOf(rejects);
  assert.deepEqual([status, error?.message, reply], ['rejected', 'Closed on Friday.', null]);
});

test('an answer has its files', async () => {
  const it = await asked();
  const form = new FormData();
  for (const [name, value] of formData((await it.who.get(it.path)).html, { button: ['do', 'completed'] }))
    form.append(name, value);
  form.set('body', 'See the plan.');
  form.append('files', new Blob(['blue'], { type: 'text/plain' }), 'plan.txt');
  const response = await fetch(url + it.action, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: url, cookie: it.who.cookie },
    body: form,
  });
  assert.equal(response.status, 303);
  const [file] = (await stateOf(it)).reply?.attachments ?? [];
  assert.equal(file?.filename, 'plan.txt');
  assert.match((await it.who.get(it.path)).html, /download dir="auto">plan\.txt<\/a>/);
});

test('a guest reads on the page of the address the further replies, too, and downloads the files of each', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home, { local_part: 'bot', behavior: { name: 'agent' } });
  const file = (filename: string, text: string) => ({ filename, content: Buffer.from(text).toString('base64') });
  /** A conversation of a guest, with an answer and one more. */
  const askedBy = async (name: string) => {
    const { id, thread_token } = (await tryOut({ to: address, body: 'Which rooms?' })).body;
    for (const body of ['See the plan.', 'And the menu.'])
      await api('POST', `/mail/messages/${id}/answer`, {
        key: home.key,
        body: { body, attachments: [file(`${name} ${body}.txt`, `${name}: ${body}`)] },
      });
    return thread_token;
  };
  const post = (fields: Readonly<Record<string, string>>) =>
    fetch(`${url}/${address}`, {
      method: 'POST',
      headers: { origin: url, accept: 'text/html' },
      body: new URLSearchParams(fields),
    });
  const [mine, theirs] = [await askedBy('mine'), await askedBy('theirs')];
  const files = async (thread_token: string) => {
    const page = await (await post({ thread_token, look: '1' })).text();
    assert.match(page, /See the plan\.[\s\S]*And the menu\./);
    return [...page.matchAll(/name="file" value="(att_\w+)"/g)].map(([, id = '']) => id);
  };
  const own = await files(mine);
  const texts = await Promise.all(own.map(async (id) => (await post({ thread_token: mine, file: id })).text()));
  assert.deepEqual(texts, ['mine: See the plan.', 'mine: And the menu.']);
  const [other = ''] = await files(theirs);
  assert.equal((await post({ thread_token: mine, file: other })).status, 404);
});

test('a double click answers once, also one that adds a further reply', async () => {
  const it = await asked();
  for (const count of [1, 2]) {
    const form = formData((await it.who.get(it.path)).html, { button: ['do', 'completed'] });
    form.set('body', `Answer ${count}`);
    const both = await Promise.all([it.who.post(it.action, form), it.who.post(it.action, form)]);
    assert.deepEqual(
      both.map(({ status }) => status),
      [303, 303],
    );
    assert.equal((await it.who.post(it.action, form)).status, 303);
    assert.equal((await stateOf(it)).replies_count, count);
  }
  const { html } = await it.who.get(it.path);
  assert.match(html, /Add a further reply/);
  for (const text of ['Answer 1', 'Answer 2']) assert.equal(html.split(`>${text}</p>`).length, 2, text);
  assert.equal(html.match(/<section class="answer"/g)?.length, 2, 'both are drawn as answers');
});

test('what was typed stays when it is empty where it must not be, or was answered meanwhile', async () => {
  const it = await asked();
  const empty = await it.who.send(it.path, { body: ' ' }, ['do', 'completed'], it.action);
  assert.equal(empty.status, 422);
  assert.match(empty.html, /Write an answer first\./);
  const long = await it.who.send(it.path, { body: 'Long. '.repeat(100) }, ['do', 'rejected'], it.action);
  assert.equal(long.status, 422);
  assert.match(long.html, /A reason has at most 500 characters\./);
  const silent = await it.who.send(it.path, { body: 'Kept & <b>whole</b>' }, ['do', 'keep'], it.action);
  assert.equal(silent.status, 303);
  assert.equal(formData((await it.who.get(it.path)).html).get('body'), 'Kept & <b>whole</b>');
  const form = formData((await it.who.get(it.path)).html, { button: ['do', 'completed'] });
  form.set('body', 'Too late');
  const body = { body: 'The program was first.' };
  assert.equal((await api('POST', `/mail/messages/${it.id}/answer`, { key: it.home.key, body })).status, 200);
  const late = await it.who.post(it.action, form);
  assert.equal(late.status, 409);
  assert.match(late.html, /Your key answered|answered at/);
  assert.equal(formData(late.html).get('body'), 'Too late');
  assert.equal((await stateOf(it)).replies_count, 1);
});

test('a message that a program has claimed says so, and who answers it by hand is its only answer', async () => {
  const it = await asked();
  assert.doesNotMatch((await it.who.get(it.path)).html, /A program has claimed it/);
  const { body } = await api<Page<{ claim: string }>>('POST', `/mailboxes/${it.address}/claim`, {
    key: it.home.key,
    body: {},
  });
  assert.match((await it.who.get(it.path)).html, /A program has claimed it\./);
  assert.equal((await it.who.send(it.path, { body: 'By hand' }, ['do', 'completed'], it.action)).status, 303);
  const claim = body.items[0]?.claim;
  const later = await api('POST', `/mail/messages/${it.id}/answer`, {
    key: it.home.key,
    body: { claim, body: 'By program' },
  });
  isProblem(later, 'claim_lost');
  const { reply, replies_count } = await stateOf(it);
  assert.deepEqual([reply?.body, replies_count], ['By hand', 1]);
});

test('what waits for an answer is marked in the inbox, and found by a filter', async () => {
  const it = await asked();
  const inbox = (await it.who.get('/console?status=all')).html;
  assert.match(inbox, /<span class="tag asks">To answer<\/span>/);
  assert.match(inbox, /href="console\?status=answer"/);
  assert.ok((await it.who.get('/console?status=answer')).html.includes(`data-row="${it.id}"`));
  await it.who.send(it.path, { body: 'Done.' }, ['do', 'completed'], it.action);
  assert.match((await it.who.get('/console?status=answer')).html, /Nothing to answer/);
  assert.doesNotMatch((await it.who.get('/console?status=all')).html, /To answer<\/span>/);
});

test('only who may answer can: not the sender, not another site', async () => {
  const it = await asked();
  const form = formData((await it.who.get(it.path)).html, { button: ['do', 'completed'] });
  form.set('body', 'Mine');
  const sender = visitor();
  await sender.signIn(other.key);
  assert.doesNotMatch((await sender.get(it.path)).html, /answer-title/);
  const own = new URLSearchParams(form);
  own.set('csrf', await sender.token());
  assert.equal((await sender.post(it.action, own)).status, 403);
  assert.equal((await it.who.post(it.action, form, { origin: 'https://evil.example' })).status, 403);
  assert.equal((await stateOf(it)).status, 'submitted');
});
