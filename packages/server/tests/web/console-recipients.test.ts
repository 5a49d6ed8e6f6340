import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Home } from '../../../../tests/harness/client.ts';
import { openConsole, type Visitor } from '../../../../tests/harness/console.ts';
import { formData } from '../../../../tests/harness/form.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope, Mailbox, Page } from '../../../../tests/harness/wire.ts';
import { splitAddresses } from '../../transports/web/console/recipients.ts';

const { client, visitor, pass } = await openConsole({ UNDO_SECONDS: '10' });
const { newNamespace, newMailbox, api, send, read } = client;
const SECOND = 1_000;

interface Desk {
  readonly home: Home;
  readonly desk: Mailbox;
  readonly own: Visitor;
}

async function desk(): Promise<Desk> {
  const home = await newNamespace();
  const box = await newMailbox(home, { local_part: 'desk', behavior: { name: 'agent' } });
  const own = visitor();
  assert.equal((await own.signIn(home.key)).status, 303);
  return { home, desk: box, own };
}

const messagesOf = async ({ key }: Home, { address }: Mailbox): Promise<readonly Envelope[]> =>
  (await api<Page<Envelope>>('GET', `/mailboxes/${address}/messages`, { key })).body.items;

/** A message to the desk and to a colleague, with another in Cc. */
async function toSeveral() {
  const { home, desk: box, own } = await desk();
  const other = await newNamespace();
  const [asker, mate, boss] = [
    await newMailbox(other, AGENT),
    await newMailbox(other, AGENT),
    await newMailbox(other, AGENT),
  ];
  const fields = { from: asker.address, to: [box.address, mate.address], cc: [boss.address], body: 'Which day?' };
  await send(other.key, { ...fields, subject: 'Site visit' });
  const [copy] = await messagesOf(home, box);
  assert.ok(copy !== undefined);
  return { home, box, own, other, asker, mate, boss, id: copy.id, path: `/console/messages/${copy.id}` };
}
const AGENT = { behavior: { name: 'agent' } };

/** Sends the composer of the page with this button. */
async function compose(own: Visitor, page: string, action: string, changed: Record<string, string>, button: string) {
  const { html } = await own.get(page);
  const fields = formData(html.slice(html.indexOf('data-foot')), { button: ['do', button] });
  for (const [name, value] of Object.entries(changed)) fields.set(name, value);
  return own.post(action, fields);
}

test('addresses are read as people type and paste them', () => {
  const cases: [string, string[]][] = [
    ['a@x.example, b@x.example;c@x.example\nd@x.example', ['a@x.example', 'b@x.example', 'c@x.example', 'd@x.example']],
    ['"Berg, Jonas" <jonas@x.example>, Lena <lena@x.example>', ['jonas@x.example', 'lena@x.example']],
    ['a@x.example b@x.example', ['a@x.example', 'b@x.example']],
    ['hello', ['hello']],
    ['no address', ['no address']],
    [' , ;', []],
  ];
  for (const [text, wanted] of cases) assert.deepEqual(splitAddresses(text), wanted, text);
});

test('a message goes to all of To, Cc and Bcc after its ten seconds, and no one sees a Bcc', async () => {
  const { home, desk: box, own } = await desk();
  const [to, cc, bcc] = [await newMailbox(home, AGENT), await newMailbox(home, AGENT), await newMailbox(home, AGENT)];
  const fields = {
    from: 'desk',
    to: `${to.local_part}, ${box.address}`,
    cc: cc.address,
    bcc: `B <${bcc.address}>`,
    body: 'All.',
  };
  const sent = await own.send('/console/write', fields, ['do', 'send']);
  assert.match(sent.to, /^\/console\?direction=sent&undo=drf_/);
  assert.match(
    (await own.get(sent.to)).html,
    /Leaves in <span data-left>\d+<\/span> s\.<\/span><form[^>]*><input[^>]*><button name="undo"/,
  );
  assert.deepEqual(await messagesOf(home, to), [], 'it has not left');
  pass(11 * SECOND);
  const { seen } = await until(
    10_000,
    () => messagesOf(home, to),
    ({ length }) => length > 0,
  );
  assert.deepEqual(seen[0]?.recipients, { to: [to.address, box.address], cc: [cc.address] });
  assert.equal((await messagesOf(home, bcc)).length, 1);
  assert.equal((await messagesOf(home, cc))[0]?.not_answered, 'cc');
  assert.match((await own.get(`/console?message=${seen[0]?.id}`)).html, /2 addresses|3 addresses/);
  assert.ok(!(await own.get(`/console/messages/${seen[0]?.id}`)).html.includes(bcc.address.split('.')[0] as string));
});

test('what was sent is taken back within its ten seconds, with everything that was typed', async () => {
  const { home, desk: box, own } = await desk();
  const to = await newMailbox(home, AGENT);
  const fields = { from: 'desk', to: to.address, cc: `desk@${home.name}`, subject: 'Oh', body: 'Too early.' };
  const sent = await own.send('/console/write', fields, ['do', 'send']);
  const draft = new URL(sent.to, 'http://x').searchParams.get('undo') ?? '';
  const undone = await own.send(sent.to, { undo: draft }, ['undo', draft], '/console/undo');
  assert.equal(undone.to, `/console/write?draft=${draft}`);
  const form = formData((await own.get(undone.to)).html);
  assert.deepEqual([form.get('to'), form.get('cc'), form.get('body')], [to.address, box.address, 'Too early.']);
  pass(60 * SECOND);
  assert.deepEqual(await messagesOf(home, to), []);
});

test('a bad address is told at its field by its name, and nothing that was typed is lost', async () => {
  const { home, desk: box, own } = await desk();
  const fields = { to: `${box.address}, foo bar`, cc: `ghost@${home.name}`, bcc: 'x@@y', subject: 'S', body: 'B' };
  const wrong = await own.send('/console/write', fields, ['do', 'send']);
  assert.equal(wrong.status, 422);
  assert.match(wrong.html, /id="to-error"[\s\S]*“foo bar” is not an address\./);
  assert.match(wrong.html, /id="bcc-error"/);
  const form = formData(wrong.html);
  for (const [name, value] of Object.entries(fields)) assert.equal(form.get(name), value, name);
  const ghost = await own.send('/console/write', { ...fields, to: box.address, bcc: '' }, ['do', 'send']);
  assert.match(ghost.html, new RegExp(`id="cc-error"[\\s\\S]*ghost@${home.name}`));
});

test('an answer to all reaches everyone of To and Cc, and its composer names them', async () => {
  const { home, own, other, asker, mate, boss, id, path, box } = await toSeveral();
  const { html } = await own.get(path);
  assert.match(html, /aria-current="true"[^>]*><svg[\s\S]*?<\/svg>Reply all/);
  assert.match(html, /3 addresses|4 addresses/);
  const form = formData(html.slice(html.indexOf('data-foot')));
  assert.equal(
    form.get('cc'),
    [mate, boss]
      .map(({ address }) => address.replace(/\.[^@.]+(\.[^@]+)$/, ''))
      .map((one) => one.split('.')[0])
      .join(', '),
  );
  await compose(own, path, `/console/answers/${id}`, { body: 'Tuesday.' }, 'completed');
  assert.match((await own.get(path)).html, /Leaves in/);
  assert.equal((await read(home.key, id)).body.reply, null, 'it has not left');
  pass(11 * SECOND);
  await until(
    10_000,
    async () => (await read(home.key, id)).body.reply,
    (reply) => reply?.body === 'Tuesday.',
  );
  for (const one of [mate, boss]) {
    const { seen } = await until(
      10_000,
      () => messagesOf(other, one),
      (items) => items.some(({ body }) => body === 'Tuesday.'),
    );
    assert.equal(seen.filter(({ body }) => body === 'Tuesday.').length, 1);
  }
  assert.ok(asker.address !== box.address);
});

test('an answer that is taken back stands in the composer again, with its recipients', async () => {
  const { home, own, mate, id, path } = await toSeveral();
  const wrong = await compose(
    own,
    path,
    `/console/answers/${id}`,
    { body: 'Monday?', cc: 'ghost@nowhere' },
    'completed',
  );
  assert.equal(wrong.status, 404);
  assert.match(wrong.html, /id="answer-cc-error"[\s\S]*data-answer-body>\nMonday\?</);
  await compose(own, path, `/console/answers/${id}`, { body: 'Monday?', cc: mate.address }, 'completed');
  const undone = await own.send(path, { undo: `held:${id}` }, ['undo', `held:${id}`], '/console/undo');
  assert.equal(undone.status, 200);
  const form = formData(undone.html.slice(undone.html.indexOf('data-foot')));
  assert.deepEqual([form.get('body'), form.get('cc')], ['Monday?', mate.address]);
  pass(60 * SECOND);
  assert.equal((await read(home.key, id)).body.reply, null);
});

test('an answer that was overtaken while it was held does not leave, and its text is kept', async () => {
  const { home, own, id, path } = await toSeveral();
  await compose(own, path, `/console/answers/${id}`, { body: 'Mine.' }, 'completed');
  await api('POST', `/mail/messages/${id}/answer`, { key: home.key, body: { body: 'The program’s.' } });
  pass(11 * SECOND);
  await until(
    10_000,
    () => own.get(path),
    ({ html }) => /while you were writing/.test(html),
  );
  assert.match((await own.get(path)).html, /data-answer-body>\nMine\.</);
  assert.equal((await read(home.key, id)).body.reply?.body, 'The program’s.');
});

test('a conversation is forwarded with what is said above it, and a wrong address keeps the text', async () => {
  const { home, own, id, path } = await toSeveral();
  const to = await newMailbox(home, AGENT);
  const page = `${path}?mode=forward`;
  const wrong = await compose(own, page, `/console/forward/${id}`, { to: 'no one', body: 'See below.' }, 'forward');
  assert.equal(wrong.status, 422);
  assert.match(wrong.html, /data-forward-body>\nSee below\.</);
  await compose(own, page, `/console/forward/${id}`, { to: to.address, body: 'See below.' }, 'forward');
  pass(11 * SECOND);
  const { seen } = await until(
    10_000,
    () => messagesOf(home, to),
    ({ length }) => length > 0,
  );
  assert.match(seen[0]?.body ?? '', /^See below\.\n\n-+ Forwarded message -+[\s\S]*Which day\?/);
  assert.equal(seen[0]?.subject, 'Fwd: Site visit');
});

test('what was sent to several is continued to all of them', async () => {
  const { home, desk: box, own } = await desk();
  const [to, cc] = [await newMailbox(home, AGENT), await newMailbox(home, AGENT)];
  const fields = { from: box.address, to: [to.address], cc: [cc.address], subject: 'Plan', body: 'One.' };
  const { id } = (await send(home.key, fields)).body;
  const shown = await own.get(`/console/messages/${id}`);
  assert.match(shown.html, new RegExp(`href="[^"]*write\\?reply=${id}&amp;mode=all"`));
  const page = `/console/write?reply=${id}&mode=all`;
  const form = formData((await own.get(page)).html);
  assert.deepEqual(
    [form.get('from'), form.get('to'), form.get('cc'), form.get('subject')],
    ['desk', to.address, cc.address, 'Re: Plan'],
  );
  await own.send(page, { body: 'Two.' }, ['do', 'send'], '/console/write');
  pass(11 * SECOND);
  const { seen } = await until(
    10_000,
    () => messagesOf(home, to),
    ({ length }) => length === 2,
  );
  assert.deepEqual([seen[0]?.body, seen[0]?.thread_id], ['Two.', seen[1]?.thread_id]);
});

const rowsOf = (html: string) => [...html.matchAll(/<li[^>]* data-row="([^"]+)"/g)].map(([, id]) => id as string);

test('conversations that are selected go to the trash together, and come back by Undo', async () => {
  const { home, desk: box, own } = await desk();
  const ids = [];
  for (const body of ['One', 'Two', 'Three']) ids.push((await send(home.key, { to: box.address, body })).body.id);
  const { html } = await own.get('/console');
  assert.match(html, /<input type="checkbox" name="id" value="msg_[^"]+" form="bulk" aria-label="Select: Three">/);
  const csrf = await own.token();
  const picked = new URLSearchParams([
    ['csrf', csrf],
    ['id', ids[0] ?? ''],
    ['id', ids[1] ?? ''],
    ['do', 'trash'],
  ]);
  const trashed = await own.post('/console/batch', picked);
  assert.deepEqual(rowsOf((await own.get('/console')).html), [ids[2]]);
  const shown = await own.get(trashed.to);
  assert.match(shown.html, /<b>2 conversations<\/b> are in the trash\./);
  assert.deepEqual(
    rowsOf((await own.get('/console?direction=all&label=trash')).html).toSorted(),
    ids.slice(0, 2).toSorted(),
  );
  const undo = new URL(trashed.to, 'http://x').searchParams.get('undo') ?? '';
  await own.post('/console/undo', { csrf, undo });
  assert.deepEqual(rowsOf((await own.get('/console?direction=all&label=trash')).html), []);
  assert.equal(rowsOf((await own.get('/console?status=all')).html).length, 3);
});

test('selected conversations are labeled, read and done together, as far as they are the owner’s', async () => {
  const { home, desk: box, own } = await desk();
  const theirs = await desk();
  const foreign = (await send(theirs.home.key, { to: theirs.desk.address, body: 'Theirs' })).body.id;
  const id = (await send(home.key, { to: box.address, body: 'Ours' })).body.id;
  const csrf = await own.token();
  const act = (more: [string, string][]) =>
    own.post('/console/batch', new URLSearchParams([['csrf', csrf], ['id', id], ['id', foreign], ...more]));
  await act([
    ['label', 'invoices'],
    ['do', 'label'],
  ]);
  assert.deepEqual((await read(home.key, id)).body.labels, ['invoices', 'unread']);
  await act([['do', 'done']]);
  assert.deepEqual((await read(home.key, id)).body.labels, ['invoices']);
  const thread = (await read(home.key, id)).body.thread_id;
  assert.equal((await api<{ state: string }>('GET', `/mail/threads/${thread}`, { key: home.key })).body.state, 'done');
  assert.deepEqual((await read(theirs.home.key, foreign)).body.labels, ['unread']);
});

test('the inbox groups what waits for a person, counts it everywhere, and says when none waits', async () => {
  const { home, desk: box, own } = await desk();
  const hello = await newMailbox(home, { local_part: 'hello' });
  await send(home.key, { to: hello.address, body: 'Hi', sync: true });
  const empty = await own.get('/console');
  assert.match(empty.html, /Nobody waits for you\.[\s\S]*1 was answered without you today\.[\s\S]*Show it/);
  assert.match(empty.html, /<title>Inbox · /);
  const id = (await send(home.key, { to: box.address, body: 'Which rooms are free?' })).body.id;
  const { html } = await own.get('/console');
  assert.match(html, /<title>\(1\) Inbox · /);
  assert.deepEqual(rowsOf(html), [id]);
  assert.match(html, /<h3>To answer <span class="n" data-waiting="answer">1<\/span><\/h3>/);
  assert.match((await own.get('/console/settings')).html, /Inbox <span class="count call" data-waiting="all">1</);
  await own.send(`/console/messages/${id}`, {}, ['do', 'done'], `/console/labels/${id}`);
  assert.deepEqual(rowsOf((await own.get('/console')).html), [], 'what is done waits no more');
});
