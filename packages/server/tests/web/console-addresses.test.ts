import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HELLO, type Home } from '../../../../tests/harness/client.ts';
import { openConsole, type Visitor } from '../../../../tests/harness/console.ts';
import { formData } from '../../../../tests/harness/form.ts';
import type { Mailbox } from '../../../../tests/harness/wire.ts';

const threads = await openConsole();
const { client, visitor } = threads;
const { newNamespace, newMailbox, api, send } = client;

async function signedIn(home: Home): Promise<Visitor> {
  const who = visitor();
  assert.equal((await who.signIn(home.key)).status, 303);
  return who;
}

test('an owner says who may write to an address', async () => {
  const home = await newNamespace();
  const box = await newMailbox(home, { local_part: 'box', senders: { allow: ['acme'], block: ['spam'] } });
  const who = await signedIn(home);
  const path = '/console/addresses/box?tab=access';
  const stored = async () => (await api<Mailbox>('GET', `/mailboxes/${box.address}`, { key: home.key })).body.senders;
  assert.equal((await who.send('/console/addresses/box', { description: 'New' }, ['do', 'save'])).status, 303);
  assert.deepEqual(await stored(), { allow: ['acme'], block: ['spam'] });
  const lists = { allow: ' ada@example.com \r\n\r\n*@acme.mailroom.localhost', block: '' };
  assert.equal((await who.send(path, lists, ['do', 'save'])).status, 303);
  assert.deepEqual(await stored(), { allow: ['ada@example.com', '*@acme.mailroom.localhost'], block: [] });
  const wrong = await who.send(path, { allow: 'fine\n<b>@', block: '' }, ['do', 'save']);
  assert.equal(wrong.status, 422);
  assert.match(wrong.html, /&lt;b&gt;@: This is not an address with its whole domain/);
  assert.match(wrong.html, /aria-invalid="true"/);
  assert.deepEqual(await stored(), { allow: ['ada@example.com', '*@acme.mailroom.localhost'], block: [] });
});

test('of two owners who change the same settings at once the second sees that, keeps what was typed, and decides', async () => {
  const home = await newNamespace();
  const box = await newMailbox(home, { local_part: 'box', behavior: HELLO });
  const stored = async () => (await api<Mailbox>('GET', `/mailboxes/${box.address}`, { key: home.key })).body;
  const who = await signedIn(home);
  for (const [tab, field, read] of [
    ['general', 'description', async () => (await stored()).description],
    ['access', 'allow', async () => (await stored()).senders?.allow.join()],
    ['behavior', 'settings.hello.name', async () => (await stored()).behavior.settings?.name],
  ] as const) {
    const path = `/console/addresses/box?tab=${tab}`;
    const [first, second] = [await who.get(path), await who.get(path)].map(({ html }) =>
      formData(html, { button: ['do', 'save'] }),
    ) as [URLSearchParams, URLSearchParams];
    first.set(field, 'mara@example.com');
    second.set(field, 'noor@example.com');
    assert.equal((await who.post(path, first)).status, 303);
    const late = await who.post(path, second);
    assert.equal(late.status, 409, tab);
    assert.match(late.html, /changed in another window or by another owner/);
    assert.equal(await read(), 'mara@example.com', tab);
    const again = formData(late.html, { button: ['do', 'save'] });
    assert.equal(again.get(field), 'noor@example.com');
    assert.equal((await who.post(path, again)).status, 303);
    assert.equal(await read(), 'noor@example.com', tab);
  }
});

test('an address is made, changed, paused, resumed and deleted', async () => {
  const home = await newNamespace();
  const who = await signedIn(home);
  const blank = await who.send('/console/addresses/new', { local_part: 'no way' }, ['do', 'save']);
  assert.equal(blank.status, 422);
  assert.match(blank.html, /<title>Error: /);
  assert.match(blank.html, /One thing to fix/);
  assert.match(blank.html, /Use 1 to 64 of a to z/);
  assert.ok(blank.html.includes('value="no way"'));
  const fields = {
    local_part: 'Hello',
    description: 'Says <who>',
    'settings.hello.name': 'Ada',
    'settings.hello.introduction': 'I write.',
    visibility: 'unlisted',
  };
  const made = await who.send('/console/addresses/new', fields, ['do', 'save']);
  assert.deepEqual([made.status, made.to], [303, '/console/addresses/hello?done=made'], made.html.slice(0, 3000));
  const address = `hello@${home.name}.mailroom.localhost`;
  const stored = async () => (await api<Mailbox>('GET', `/mailboxes/${address}`, { key: home.key })).body;
  const first = await stored();
  assert.equal(first.visibility, 'unlisted');
  assert.deepEqual(first.behavior, {
    name: 'hello',
    settings: { name: 'Ada', introduction: 'I write.', type: 'Person' },
  });
  const taken = await who.send('/console/addresses/new', { local_part: 'hello' }, ['do', 'save']);
  assert.equal(taken.status, 422);
  assert.match(taken.html, /is taken\. Choose another name\./);

  const path = '/console/addresses/hello';
  const behavior = `${path}?tab=behavior`;
  const row = await who.send(behavior, { 'settings.hello.links.0.label': 'Blog' }, ['add', 'settings.hello.links']);
  assert.equal(row.status, 200);
  assert.ok(row.html.includes('value="Blog"'));
  const wrong = await who.send(behavior, { 'settings.hello.links.0.label': 'Blog' }, ['do', 'save']);
  assert.equal(wrong.status, 422);
  assert.ok(wrong.html.includes('value="Blog"'));
  const link = { 'settings.hello.links.0.label': 'Blog', 'settings.hello.links.0.url': 'ada.example' };
  assert.equal((await who.send(behavior, link, ['do', 'save'])).to, `${behavior}&done=saved`);
  assert.equal(
    (await who.send(`${path}?tab=access`, { access: 'key', sign_answers: 'true' }, ['do', 'save'])).status,
    303,
  );
  const saved = await who.send(path, { display_name: 'Ada' }, ['do', 'save']);
  assert.equal(saved.to, `${path}?done=saved`);
  assert.match((await who.get(saved.to)).html, /role="status">.*Saved\. The changes apply from now on\./s);
  const second = await stored();
  assert.deepEqual(
    [second.display_name, second.access, second.try_out, second.sign_answers],
    ['Ada', 'key', false, true],
  );
  assert.deepEqual(second.behavior.settings?.links, [{ label: 'Blog', url: 'https://ada.example' }]);
  const long = await who.send(path, { description: 'x'.repeat(301) }, ['do', 'save']);
  assert.equal(long.status, 422);

  const csrf = await who.token();
  await who.post(path, { csrf, do: 'pause' });
  assert.equal((await stored()).status, 'paused');
  assert.match((await who.get(path)).html, /Resume hello@/);
  await who.post(path, { csrf, do: 'resume' });
  assert.equal((await stored()).status, 'online');

  await send(home.key, { to: address, body: 'one', sync: true });
  assert.match(
    (await who.get(`${path}?tab=danger`)).html,
    /Its 1 message is deleted too\. From then on, messages to this address are refused\./,
  );
  for (const typed of ['', 'hello', 'other@x']) {
    const kept = await who.post(path, { csrf, do: 'delete', typed });
    assert.equal(kept.status, 422);
    assert.match(kept.html, /Nothing was deleted/);
  }
  const deleted = await who.post(path, { csrf, do: 'delete', typed: `hello@${home.name}` });
  assert.equal(deleted.status, 303);
  assert.equal((await api('GET', `/mailboxes/${address}`, { key: home.key })).status, 410);
  assert.equal((await who.get(path)).status, 410);
  // Without a fragment the browser would keep the form's #delete, which on that page scrolls to another deletion.
  assert.match(deleted.headers.get('location') ?? '', /#main$/);
  assert.match((await who.get(deleted.to)).html, /The address and its messages are deleted/);
});

test('an address called “new” has a page of its own', async () => {
  const home = await newNamespace();
  await newMailbox(home, { local_part: 'new', behavior: HELLO });
  const who = await signedIn(home);
  const { html } = await who.get('/console/addresses');
  assert.ok(html.includes(`addresses/new@${home.name}"`));
  assert.match((await who.get(`/console/addresses/new@${home.name}`)).html, /Save changes/);
});

test('each part of an address has a tab that changes nothing else, and only the last has a red button', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home, { local_part: 'box', behavior: HELLO });
  const who = await signedIn(home);
  const path = '/console/addresses/box';
  const stored = async () => (await api<Mailbox>('GET', `/mailboxes/${address}`, { key: home.key })).body;
  const pages = new Map<string, string>();
  for (const tab of ['general', 'behavior', 'access', 'danger']) {
    const { html, status } = await who.get(`${path}?tab=${tab}`);
    assert.equal(status, 200);
    pages.set(tab, html);
    assert.match(html, new RegExp(`<a href="[^"]*"[^>]* aria-current="page">${tab}</a>`, 'i'));
    assert.equal(html.match(/class="button danger"/g)?.length ?? 0, tab === 'danger' ? 1 : 0, tab);
    assert.equal(html.includes('id="preview"'), tab !== 'danger', tab);
  }
  const storedBefore = await stored();
  // A form that was open before another tab was saved leaves that tab's fields alone.
  assert.equal((await who.send(`${path}?tab=access`, { visibility: 'unlisted' }, ['do', 'save'])).status, 303);
  const old = formData(pages.get('general') as string, { button: ['do', 'save'] });
  old.set('description', 'Says hello');
  assert.equal((await who.post(path, old)).status, 303);
  const after = await stored();
  assert.deepEqual([after.visibility, after.description], ['unlisted', 'Says hello']);
  assert.deepEqual([after.behavior, after.senders], [storedBefore.behavior, storedBefore.senders]);
  assert.equal((await who.get(`${path}?tab=none`)).status, 200, 'an unknown tab is the first');
});

test('settings are tried before they are saved, with and without scripts, and nothing is stored', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home, { local_part: 'box', behavior: HELLO });
  const who = await signedIn(home);
  const path = '/console/addresses/box?tab=behavior';
  const typed = { 'settings.hello.introduction': 'I am <Grace>, and I test.' };
  const tried = await who.send(path, typed, ['example', 'Who are you?']);
  assert.equal(tried.status, 200);
  assert.match(tried.html, /I am &lt;Grace&gt;, and I test/);
  const fields = formData((await who.get(path)).html, { button: ['example', 'Who are you?'] });
  fields.set('settings.hello.introduction', 'I am Grace.');
  const answer = await who.post('/console/preview/box', fields);
  assert.equal(answer.status, 200);
  const shown = JSON.parse(answer.html) as { turns: string; tried: string };
  assert.equal(shown.tried, 'Who are you?');
  assert.match(shown.turns, /I am Grace\./);
  const wrong = await who.send(path, { 'settings.hello.links.0.url': 'x y' }, ['example', 'Hi']);
  assert.equal(wrong.status, 422);
  assert.match(wrong.html, /No answer yet/);
  const elsewhere = await who.send('/console/addresses/box', {}, ['example', 'Who are you?']);
  assert.match(elsewhere.html, /I write programs\./, 'the other tabs try what is saved');
  assert.equal((await who.post('/console/preview/box', { example: 'Hi' })).status, 403, 'only its own pages may');
  const now = (await api<Mailbox>('GET', `/mailboxes/${address}`, { key: home.key })).body;
  assert.deepEqual(now.behavior, HELLO);
  const { items } = (await api<{ items: unknown[] }>('GET', `/mailboxes/${address}/messages`, { key: home.key })).body;
  assert.equal(items.length, 0);
});
