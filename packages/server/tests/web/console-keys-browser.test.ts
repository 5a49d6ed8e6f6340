// Other programs: Chromium.
// Long form of: keyboard-browser.test.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertPage, openBrowser } from '../../../../tests/harness/browser.ts';
import { connect, HELLO, unique } from '../../../../tests/harness/client.ts';
import { sharedService } from '../../../../tests/harness/service.ts';

const service = await sharedService();
const { api, newNamespace, newMailbox, send, read } = connect(service.url);
const browser = await openBrowser();

test('keys move through the inbox, select, mark as done and as unread, throw away and take back, and the palette leads everywhere', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home, { local_part: 'hello', behavior: HELLO });
  const [one, two] = [unique('one'), unique('two')];
  const first = await send(home.key, { to: address, body: one, sync: true });
  const second = await send(home.key, { to: address, body: two, sync: true });
  const stateOf = async (thread: string) =>
    (await api<{ state: string }>('GET', `/mail/threads/${thread}`, { key: home.key })).body.state;
  const tab = await browser.open(`${service.url}/console`);
  const { page } = tab;
  await page.locator('[name=key]').fill(home.key);
  await page.keyboard.press('Enter');
  await page.locator('[data-search]').waitFor();
  await page.goto(`${service.url}/console?status=all`);
  const row = (text: string) => page.locator('[data-rows] li').filter({ hasText: text });
  await row(two).waitFor();
  // The keys work once the scripts of the page have run.
  await page.waitForLoadState('load');
  await page.keyboard.press('j');
  const marked = (id: string) => page.waitForResponse((answer) => answer.url().includes(`/console/labels/${id}`));
  const done = marked(second.body.id);
  await page.keyboard.press('e');
  await done;
  await row(two).waitFor({ state: 'detached' });
  assert.equal(await stateOf(second.body.thread_id), 'done');
  assert.deepEqual((await read(home.key, first.body.id)).body.labels, ['unread']);
  await page.locator('[data-rows] li:focus-within').filter({ hasText: one }).waitFor();
  // Another list keeps what is done.
  await page.goto(`${service.url}/console?direction=all`);
  await row(two).waitFor();
  await page.keyboard.press('j');
  const undone = marked(second.body.id);
  await page.keyboard.press('u');
  await undone;
  await page.locator('[data-rows] li.unread').filter({ hasText: two }).waitFor();
  assert.deepEqual((await read(home.key, second.body.id)).body.labels, ['unread']);
  await page.keyboard.press('Enter');
  await page.locator('#subject', { hasText: two }).waitFor();
  const open = page.url();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await assertPage(page, 'console-keys', 'light');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  // It closes the dialog alone.
  await page.locator('#subject', { hasText: two }).waitFor();
  assert.equal(page.url(), open);
  await page.keyboard.press('#');
  await row(two).waitFor({ state: 'detached' });
  assert.deepEqual((await read(home.key, second.body.id)).body.labels, ['trash']);
  await page.locator('[data-toast]', { hasText: 'is in the trash.' }).waitFor();
  await assertPage(page, 'console-undo', 'light');
  await page.keyboard.press('z');
  await row(two).waitFor();
  assert.deepEqual((await read(home.key, second.body.id)).body.labels, []);
  // What is selected is done together.
  await page.waitForLoadState('load');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('Shift+J');
  await page.getByText('2 selected', { exact: true }).waitFor();
  await assertPage(page, 'console-selection', 'light');
  await page.keyboard.press('e');
  await page.locator('[data-toast]', { hasText: '2 conversations are done.' }).waitFor();
  assert.equal(await stateOf(first.body.thread_id), 'done');
  await page.keyboard.press('z');
  await row(two).waitFor();
  await page.waitForLoadState('load');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('Shift+J');
  await page.getByText('2 selected', { exact: true }).waitFor();
  await page.keyboard.press('h');
  await page.getByRole('button', { name: 'In 3 hours' }).waitFor();
  await assertPage(page, 'console-selection-later', 'light');
  await page.keyboard.press('Enter');
  await page.locator('[data-toast]', { hasText: '2 conversations come back later.' }).waitFor();
  assert.equal(await stateOf(first.body.thread_id), 'later');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Command' }).fill('keys');
  await page.getByRole('option', { name: 'Go to Keys' }).waitFor();
  await assertPage(page, 'console-palette', 'light');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
  // On any page of the console.
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Command' }).fill(one);
  await page.keyboard.press('Enter');
  await row(one).waitFor();
  assert.equal(await page.locator('[data-rows] li').count(), 1);
  assert.deepEqual(tab.wrongs, []);
  await page.context().close();
});
