// Other programs: Chromium.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '@mailroom/behavior/values/ids';
import { openBrowser } from '../../../../tests/harness/browser.ts';
import { HELLO, type Home } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import type { Envelope, Page as ListPage } from '../../../../tests/harness/wire.ts';

// A day in the console by keys alone: nothing is clicked, and no step loses the place of who works.

const inside = await startInside({ env: { UNDO_SECONDS: '0' } });
const { client } = inside;
const { newNamespace, newMailbox, newKey, send, read, api } = client;
const browser = await openBrowser();

async function joinMember({ home, name }: { home: Home; name: string }): Promise<void> {
  const created_at = inside.now();
  const address = `${name.toLowerCase()}@outside.example`;
  const { id: account_id } = await inside.store.accounts.getOrPut({
    id: newId('acc', created_at),
    address,
    created_at,
  });
  const { id: key_id } = await newKey(home, { scopes: ['messages:read', 'mail:answer'], name });
  const of = {
    namespace_id: home.id,
    account_id,
    key_id,
    role: 'answerer',
    mailbox_ids: null,
    name,
    created_at,
  } as const;
  assert.equal(await inside.store.accounts.join(of), 'joined');
}

/** The console of a namespace, opened with its key by keys alone. */
async function openConsole(home: Home, path = '') {
  const { page, wrongs } = await browser.open(`${client.url}/console`);
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  /** Where the focus is, once it is there. */
  const at = (selector: string): Promise<void> => page.locator(`:is(${selector}):focus`).waitFor();
  for (let nth = 0; (await page.locator('[name=key]:focus').count()) === 0; nth++) {
    assert.ok(nth < 20, 'the field of the key is not reached');
    await press('Tab');
  }
  await page.keyboard.type(home.key);
  await press('Enter');
  await page.locator('[data-search]').waitFor();
  if (path !== '') await page.goto(`${client.url}/console${path}`);
  await page.waitForLoadState('load');
  const command = async (words: string): Promise<void> => {
    await press('Control+k');
    await at('[role=combobox]');
    await page.keyboard.type(words);
    await press('Enter');
  };
  return { page, wrongs, press, at, command };
}

test('open, answer, assign, put off, label, note, forward, search, undo, take over and sign out', async () => {
  const [home, other] = [await newNamespace(), await newNamespace()];
  const { address } = await newMailbox(home, { local_part: 'desk', behavior: { name: 'agent' } });
  await joinMember({ home, name: 'Mara' });
  const ids: string[] = [];
  const hello = await newMailbox(home, { local_part: 'hello', behavior: HELLO });
  for (const [subject, to] of [
    ['First', hello.address],
    ['Second', address],
    ['Third', address],
  ] as const)
    ids.push((await send(other.key, { to, subject, body: 'How much is it?' })).body.id);
  const { page, wrongs, press, at, command } = await openConsole(home);
  const thread = async (nth: number) => {
    const { thread_id } = (await read(home.key, ids[nth] ?? '')).body;
    return (await api<Record<string, unknown>>('GET', `/mail/threads/${thread_id}`, { key: home.key })).body;
  };
  const open = async (subject: string): Promise<void> => {
    await page.locator(`[data-rows] a:focus`, { hasText: subject }).waitFor();
    await press('Enter');
    await page.locator('#subject', { hasText: subject }).waitFor();
  };

  await press('j');
  await open('Third');
  await press('r');
  await at('[data-answer-body]');
  await page.keyboard.type('Ten euros.');
  await page.getByText('Kept as a draft').waitFor();
  assert.equal(await page.locator('.side [data-waiting=drafts]').textContent(), '1', 'the side counts what is kept');
  await press('Escape');
  await at('.thread');
  await press('r');
  await at('[data-answer-body]');
  await press('Control+Enter');
  await page.locator('.answer', { hasText: 'Ten euros.' }).waitFor();
  await at('.thread');

  await press('j');
  await open('Second');
  await press('a');
  await at('[data-assign] button');
  await press('Escape');
  await at('[data-assign] summary');
  await page.locator('#subject', { hasText: 'Second' }).waitFor();
  await press('a', 'Enter');
  await at('.thread');
  await press('l');
  await at('#label');
  await page.keyboard.type('blue');
  await press('Enter');
  await at('.thread');
  await press('m');
  await at('#note');
  await page.keyboard.type('Ask Lena first.');
  await press('Escape');
  await at('[data-note-form] summary');
  await press('m');
  await at('#note');
  assert.equal(await page.inputValue('#note'), 'Ask Lena first.', 'Escape keeps what was typed');
  await press('Control+Enter');
  await page.locator('.note-turn', { hasText: 'Ask Lena first.' }).waitFor();
  await at('.thread');
  const { assignee, notes } = await thread(1);
  assert.match(String(assignee), /^acc_/);
  assert.equal((notes as readonly object[]).length, 1);
  await press('f');
  await at('.foot .chipfield input');
  await press('Escape');
  await at('.thread');
  await press('h');
  await at('[data-later] button');
  await press('Enter');
  await page.locator('[data-toast]').waitFor();
  assert.equal((await thread(1)).state, 'later');
  await at('#main');
  await press('z');
  await page.locator('[data-toast]').waitFor({ state: 'detached' });
  await page.waitForLoadState('load');
  await at('#main');
  assert.equal((await thread(1)).state, 'open');

  await press('/');
  await at('#query');
  await page.keyboard.type('First');
  await press('Enter');
  await page.waitForURL(/query=/);
  await at('#main');
  await press('j');
  await open('First');
  await command('take over');
  await page.getByText('People answer this conversation').waitFor();
  await at('.thread');
  await command('hand this');
  await page.getByText('People answer this conversation').waitFor({ state: 'detached' });
  await at('.thread');
  await press('Escape');
  await page.locator('#subject').waitFor({ state: 'detached' });
  await at('[data-rows] a');
  await command('go to settings');
  await page.waitForURL(/settings/);
  await command('sign out');
  await page.waitForURL(/note=out/);
  assert.deepEqual(wrongs, []);
  await page.context().close();
});

test('what waits is read, changed, rejected and approved', async () => {
  const [home, other] = [await newNamespace(), await newNamespace()];
  const { address } = await newMailbox(home, { behavior: { name: 'agent' }, outgoing: { review: 'always' } });
  for (const body of ['One', 'Two']) {
    const { id } = (await send(other.key, { to: address, body })).body;
    const program = await newKey(home, { scopes: ['mail:answer'] });
    await api('POST', `/mail/messages/${id}/answer`, { key: program.secret, body: { body: `Answer ${body}` } });
  }
  const { page, wrongs, press, at } = await openConsole(home, '/reviews');
  await press('j');
  await page.waitForURL(/open=rev_/);
  await page.waitForLoadState('load');
  await press('i');
  await at('#text');
  await page.goBack();
  await page.waitForLoadState('load');
  await press('n');
  await at('#reason');
  await press('Escape');
  await at('.refuse summary');
  await press('n');
  await at('#reason');
  await press('Enter');
  await page.getByText('Rejected. It does not leave.').waitFor();
  await page.waitForLoadState('load');
  await press('y');
  await page.getByText('Approved. It leaves now.').waitFor();
  const { items } = (await api<ListPage<Envelope>>('GET', '/mail/reviews', { key: home.key })).body;
  assert.deepEqual(items.map(({ status }) => status).toSorted(), ['approved', 'rejected']);
  assert.deepEqual(wrongs, []);
  await page.context().close();
});
