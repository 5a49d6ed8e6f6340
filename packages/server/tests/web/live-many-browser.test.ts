// Other programs: Chromium.
// Long form of: console-streams.test.ts, console-browser.test.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { openBrowser } from '../../../../tests/harness/browser.ts';
import { connect, type Home } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';

// Much arrives while the console is open.

const { url } = await serveInside({ env: { RATE_LIMITS: 'off' } });
const { newNamespace, newMailbox, send } = connect(url);
const browser = await openBrowser();
const ROWS = 50;
const SIDE_BY_SIDE = 20;

async function newDesk(open: string) {
  const [home, other] = [await newNamespace(), await newNamespace()];
  const { address } = await newMailbox(home, { local_part: 'desk', behavior: { name: 'agent' } });
  const { page, wrongs } = await browser.open(`${url}/console`);
  await page.fill('[name=key]', home.key);
  await page.press('[name=key]', 'Enter');
  await page.waitForSelector('[data-live].online', { state: 'attached' });
  await page.goto(`${url}/console${open}`);
  await page.waitForSelector('[data-live].online', { state: 'attached' });
  return { page, wrongs, other, address };
}

async function sendMany(count: number, other: Home, to: string): Promise<void> {
  for (let at = 0; at < count; at += SIDE_BY_SIDE) {
    const subjects = Array.from({ length: Math.min(SIDE_BY_SIDE, count - at) }, (_, nth) => `Number ${at + nth}`);
    await Promise.all(subjects.map((subject) => send(other.key, { to, subject, body: 'How much is it?' })));
  }
}

const rowsOf = (page: Page): Promise<string[]> =>
  page.evaluate('[...document.querySelectorAll("[data-row]")].map((row) => row.dataset.thread)');

for (const [list, group] of [
  ['?status=all', false],
  ['', true],
] as const) {
  test(`of 1,000 arrivals the list "${list}" shows a page, none twice, and the tab never stands still`, async () => {
    const { page, wrongs, other, address } = await newDesk(list);
    await page.evaluate(`{
      globalThis.seen = { most: 0, pause: 0, began: performance.now() };
      let last = seen.began;
      setInterval(() => {
        seen.most = Math.max(seen.most, document.querySelectorAll('[data-row]').length);
        seen.pause = Math.max(seen.pause, performance.now() - last);
        last = performance.now();
      }, 20);
    }`);
    await sendMany(1000, other, address);
    await send(other.key, { to: address, subject: 'The last one', body: 'How much is it?' });
    await page.locator('[data-row]').first().getByText('The last one').waitFor();
    const seen = await page.evaluate<{ most: number; pause: number; took: number }>(
      '({ ...seen, took: performance.now() - seen.began })',
    );
    const rows = await rowsOf(page);
    assert.equal(new Set(rows).size, rows.length);
    assert.ok(rows.length <= ROWS && seen.most <= 2 * ROWS, `${rows.length} rows, ${seen.most} at most`);
    assert.ok(seen.pause < seen.took / 2, `it stood still for ${seen.pause} of ${seen.took} ms`);
    // What the list shows no more is found by loading it again.
    await page.getByRole('link', { name: 'Load the list again' }).click();
    await page.locator('[data-row]').first().getByText('The last one').waitFor();
    if (!group) await page.getByRole('link', { name: 'Older messages' }).waitFor();
    assert.deepEqual(wrongs, []);
    await page.context().close();
  });
}

test('what arrives while the reader is further down in a full list waits, is counted, and is shown when asked for', async () => {
  const { page, wrongs, other, address } = await newDesk('?status=all');
  await sendMany(ROWS, other, address);
  await page
    .locator('[data-row]')
    .nth(ROWS - 1)
    .waitFor();
  await page.locator('[data-scroll]').evaluate((box) => box.scrollTo({ top: 400 }));
  const before = await rowsOf(page);
  await sendMany(2 * ROWS, other, address);
  const chip = page.getByRole('button', { name: `${2 * ROWS} new` });
  await chip.waitFor();
  assert.deepEqual(await rowsOf(page), before);
  await send(other.key, { to: address, subject: 'The last one', body: 'How much is it?' });
  await page.getByRole('button', { name: `${2 * ROWS + 1} new` }).click();
  await page.locator('[data-row]').first().getByText('The last one').waitFor();
  await page.locator('[data-row]').nth(ROWS).waitFor({ state: 'detached' });
  const rows = await rowsOf(page);
  assert.equal(new Set(rows).size, rows.length);
  assert.deepEqual(wrongs, []);
  await page.context().close();
});

test('a conversation that changes all the time is read once at a time, and ends as it is', async () => {
  const { page, wrongs, other, address } = await newDesk('?status=all');
  const { thread_id } = (await send(other.key, { to: address, subject: 'One', body: 'The first' })).body;
  await page.getByText('The first').first().click();
  await page.locator('[data-conversation] .message').waitFor();
  let [now, most] = [0, 0];
  const isReading = (address: string): boolean => address.includes('/console/messages/');
  page.on('request', (request) => {
    if (isReading(request.url())) most = Math.max(most, ++now);
  });
  page.on('requestfinished', (request) => {
    if (isReading(request.url())) now--;
  });
  const more = Array.from({ length: 15 }, (_, nth) => `Number ${nth}`);
  await Promise.all(more.map((body) => send(other.key, { to: address, thread_id, body })));
  await send(other.key, { to: address, thread_id, body: 'The end of it' });
  await page.locator('[data-conversation]').getByText('The end of it').waitFor();
  assert.equal(most, 1);
  assert.deepEqual(wrongs, []);
  await page.context().close();
});
