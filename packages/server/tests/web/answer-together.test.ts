import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HELLO, type Home } from '../../../../tests/harness/client.ts';
import { openConsole, type Page as Shown, type Visitor } from '../../../../tests/harness/console.ts';
import { formData } from '../../../../tests/harness/form.ts';
import type { Envelope, Page } from '../../../../tests/harness/wire.ts';

const { client, visitor, url } = await openConsole();
const { newNamespace, newMailbox, newKey, api, send, read, all } = client;
const other = await newNamespace();

/** Two owners with keys of their own, who have the same message open. */
interface Together {
  readonly home: Home;
  readonly address: string;
  readonly id: string;
  readonly path: string;
  readonly action: string;
  readonly mara: Visitor;
  readonly noor: Visitor;
}

async function together(behavior: { name: string } = { name: 'agent' }): Promise<Together> {
  const home = await newNamespace();
  const { address } = await newMailbox(home, { local_part: 'desk', behavior });
  const { id } = (await send(other.key, { to: address, body: 'Which rooms are free?' })).body;
  const owners = await Promise.all(
    ['Mara', 'Noor'].map(async (name) => {
      const who = visitor();
      assert.equal((await who.signIn((await newKey(home, { scopes: ['owner'], name })).secret)).status, 303);
      return who;
    }),
  );
  const [mara, noor] = owners as [Visitor, Visitor];
  return { home, address, id, path: `/console/messages/${id}`, action: `/console/answers/${id}`, mara, noor };
}

/** The form that the page has, filled in. */
function filled(page: Shown, body: string, button = 'completed'): URLSearchParams {
  const form = formData(page.html, { button: ['do', button] });
  form.set('body', body);
  return form;
}
const textIn = ({ html }: Shown): string | null => formData(html).get('body');
const replies = async ({ id }: Together): Promise<number> => (await read(other.key, id)).body.replies_count;
const drafts = async ({ home }: Together): Promise<string[]> =>
  (await all<{ body: string }>('/mail/drafts', home.key)).map(({ body }) => body);

/** Says what happened, keeps the text and has the three choices, but no button that sends. */
function assertChoice(page: Shown, text: string, ...said: readonly RegExp[]): void {
  const bar = /<section class="meanwhile" role="alert".*?<\/section>/s.exec(page.html)?.[0] ?? '';
  const plain = bar.replace(/<[^>]*>/g, '');
  for (const one of said) assert.match(plain, one);
  assert.match(
    bar,
    /value="further"[^>]*>Send as a further reply.*value="keep"[^>]*>Keep as a draft.*value="discard"/s,
  );
  assert.doesNotMatch(page.html, /name="do" value="(completed|input_required|rejected)"/);
  assert.equal(textIn(page), text);
}

for (const how of ['completed', 'input_required', 'rejected']) {
  test(`an answer (${how}) to a message that another owner answered since is not sent: its author sees that, and chooses`, async () => {
    const it = await together();
    const [hers, his] = [await it.mara.get(it.path), await it.noor.get(it.path)];
    assert.equal((await it.mara.post(it.action, filled(hers, 'The blue one.'))).status, 303);
    const late = await it.noor.post(it.action, filled(his, 'The green one.', how));
    assert.equal(late.status, 409);
    assertChoice(late, 'The green one.', /Mara answered at \d\d:\d\d, while you were writing\./);
    assertChoice(late, 'The green one.', /With the key “Mara”\./, /The blue one\./, /Your text is kept\./);
    assert.equal(await replies(it), 1);
    const sent = await it.noor.post(it.action, filled(late, 'The green one, too.', 'further'));
    assert.deepEqual([sent.status, await replies(it)], [303, 2]);
    const { html } = await it.noor.get(it.path);
    assert.match(html, /by hand, <span dir="auto">Mara<\/span>.*by hand, <span dir="auto">Noor<\/span>/s);
    assert.doesNotMatch(html, /class="meanwhile"/);
    assert.deepEqual(await drafts(it), []);
  });
}

test('what was kept or thrown away then is so, and is asked again when it is opened later', async () => {
  const it = await together();
  const [hers, his] = [await it.mara.get(it.path), await it.noor.get(it.path)];
  await it.mara.post(it.action, filled(hers, 'The blue one.'));
  const late = await it.noor.post(it.action, filled(his, 'The green one.'));
  const kept = await it.noor.post(it.action, filled(late, 'The green one.', 'keep'));
  assert.equal(kept.status, 303);
  const again = await it.noor.get(it.path);
  assertChoice(again, 'The green one.', /Mara answered at/);
  assert.equal((await it.noor.post(it.action, filled(again, 'The green one.', 'discard'))).status, 303);
  const after = await it.noor.get(it.path);
  assert.deepEqual([textIn(after), await drafts(it), await replies(it)], ['', [], 1]);
  assert.match(after.html, /Add a further reply/);
});

test('of two further replies written at once the second waits for its author, and a third asks again', async () => {
  const it = await together();
  await api('POST', `/mail/messages/${it.id}/answer`, { key: it.home.key, body: { body: 'First.' } });
  const [hers, his] = [await it.mara.get(it.path), await it.noor.get(it.path)];
  await it.mara.post(it.action, filled(hers, 'Second.'));
  const late = await it.noor.post(it.action, filled(his, 'Third.'));
  assert.equal(late.status, 409);
  assertChoice(late, 'Third.', /Mara answered/, /Second\./);
  // Another one arrives before the choice.
  await api('POST', `/mail/messages/${it.id}/answer`, { key: it.home.key, body: { body: 'Between.' } });
  const later = await it.noor.post(it.action, filled(late, 'Third.', 'further'));
  assert.equal(later.status, 409);
  assertChoice(later, 'Third.', /The key “Owner key” answered/, /Between\./);
  assert.equal((await it.noor.post(it.action, filled(later, 'Third.', 'further'))).status, 303);
  assert.equal(await replies(it), 4);
});

test('a rejection and an answer of a program are said as what they are', async () => {
  const rejected = await together();
  const his = await rejected.noor.get(rejected.path);
  const hers = await rejected.mara.get(rejected.path);
  await rejected.mara.post(rejected.action, filled(hers, 'Closed on Friday.', 'rejected'));
  const late = await rejected.noor.post(rejected.action, filled(his, 'Yes'));
  assertChoice(late, 'Yes', /Mara rejected it at/, /Closed on Friday\./);
  const claimed = await together();
  const form = filled(await claimed.noor.get(claimed.path), 'By hand');
  const bot = await newKey(claimed.home, { scopes: ['mail:answer'], name: 'bot' });
  const { body } = await api<Page<{ claim: string }>>('POST', `/mailboxes/${claimed.address}/claim`, {
    key: bot.secret,
    body: {},
  });
  const given = { claim: body.items[0]?.claim, body: 'By program' };
  await api('POST', `/mail/messages/${claimed.id}/answer`, { key: bot.secret, body: given });
  assertChoice(await claimed.noor.post(claimed.action, form), 'By hand', /bot answered/, /With the key “bot”/);
});

test('two who share a key are told so', async () => {
  const it = await together();
  const [one, two] = [visitor(), visitor()];
  await one.signIn(it.home.key);
  await two.signIn(it.home.key);
  const [hers, his] = [await one.get(it.path), await two.get(it.path)];
  await one.post(it.action, filled(hers, 'Blue.'));
  const late = await two.post(it.action, filled(his, 'Green.'));
  assertChoice(
    late,
    'Green.',
    /Your key answered/,
    /With your key “Owner key”, in another window or by another person/,
  );
  assert.equal(await replies(it), 1);
});

test('two drafts of one message stay apart, and each owner sees that the other has begun', async () => {
  const it = await together();
  const [hers, his] = [await it.mara.get(it.path), await it.noor.get(it.path)];
  await it.mara.post(it.action, filled(hers, 'Mine is long.', 'keep'));
  await it.noor.post(it.action, filled(his, 'His is short.', 'keep'));
  assert.deepEqual((await drafts(it)).sort(), ['His is short.', 'Mine is long.']);
  const [again, his2] = [await it.mara.get(it.path), await it.noor.get(it.path)];
  assert.deepEqual([textIn(again), textIn(his2)], ['Mine is long.', 'His is short.']);
  assert.match(again.html, /Noor<\/span> has begun an answer.*His is short\./s);
  await it.mara.post(it.action, filled(again, 'Mine is long.'));
  assert.deepEqual(await drafts(it), ['His is short.'], 'an answer removes the draft of its author alone');
  assertChoice(await it.noor.get(it.path), 'His is short.', /Mara answered/);
});

test('the files of an answer that came too late are kept, and are sent with it once its author chose', async () => {
  const it = await together();
  const hers = await it.mara.get(it.path);
  const form = new FormData();
  for (const [name, value] of filled(await it.noor.get(it.path), 'See the plan.')) form.append(name, value);
  form.append('files', new Blob(['blue'], { type: 'text/plain' }), 'plan.txt');
  await it.mara.post(it.action, filled(hers, 'First.'));
  const late = await fetch(url + it.action, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: url, cookie: it.noor.cookie },
    body: form,
  });
  assert.equal(late.status, 409);
  const shown = { html: await late.text() } as Shown;
  assertChoice(shown, 'See the plan.', /Mara answered/);
  assert.match(shown.html, /plan\.txt, 4 bytes/);
  assert.equal((await it.noor.post(it.action, filled(shown, 'See the plan.', 'further'))).status, 303);
  const { html } = await it.noor.get(it.path);
  assert.match(html, /download dir="auto">plan\.txt<\/a>/);
});

test('a text stays when its message is canceled, deleted or handed back while it is written', async () => {
  const canceled = await together();
  const form = filled(await canceled.noor.get(canceled.path), 'Kept <b>whole</b>');
  await api('POST', `/mail/messages/${canceled.id}/cancel`, { key: other.key });
  const late = await canceled.noor.post(canceled.action, form);
  assert.deepEqual([late.status, textIn(late)], [409, 'Kept <b>whole</b>']);
  assert.match(late.html, /The message was canceled at/);
  assert.doesNotMatch(late.html, /value="(further|completed)"/);
  const again = await canceled.noor.get(canceled.path);
  assert.equal(textIn(again), 'Kept <b>whole</b>');
  assert.equal((await canceled.noor.post(canceled.action, filled(again, 'x', 'discard'))).status, 303);
  assert.doesNotMatch((await canceled.noor.get(canceled.path)).html, /answer-title/);

  const deleted = await together();
  const written = filled(await deleted.noor.get(deleted.path), 'Kept too');
  await api('DELETE', `/mail/messages/${deleted.id}`, { key: deleted.home.key });
  const gone = await deleted.noor.post(deleted.action, written);
  assert.equal(gone.status, 404);
  assert.match(gone.html, /This message was deleted.*<textarea[^>]* readonly>\nKept too<\/textarea>/s);

  const taken = await together(HELLO);
  const { id } = (await read(other.key, taken.id)).body;
  const thread = { path: `/console/messages/${id}`, action: `/console/threads/${id}` };
  await taken.noor.send(thread.path, {}, ['do', 'take-over'], thread.action);
  const { thread_id } = (await read(other.key, id)).body;
  const next = (await send(other.key, { to: taken.address, body: 'And now?', thread_id })).body;
  const page = { path: `/console/messages/${next.id}`, action: `/console/answers/${next.id}` };
  const begun = filled(await taken.noor.get(page.path), 'I was about to');
  await taken.mara.send(thread.path, {}, ['do', 'hand-back'], thread.action);
  await read(other.key, next.id, '?wait=10');
  const back = await taken.noor.post(page.action, begun);
  assert.deepEqual([back.status, textIn(back)], [409, 'I was about to']);
  assert.equal((await read(other.key, next.id)).body.replies_count, 1);
});

test('an answer by the API without a claim adds a further reply, as before', async () => {
  const it = await together();
  for (const settles of [true, false]) {
    const { body } = await api<Envelope & { answer: { settles: boolean } }>('POST', `/mail/messages/${it.id}/answer`, {
      key: it.home.key,
      body: { body: `Settles: ${settles}` },
    });
    assert.equal(body.answer.settles, settles);
  }
  assert.equal(await replies(it), 2);
});
