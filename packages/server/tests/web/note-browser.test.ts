// Other programs: Chromium.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBrowser } from '../../../../tests/harness/browser.ts';
import { startInside } from '../../../../tests/harness/inside.ts';

const { url, client } = await startInside();
const { newNamespace, newMailbox, send } = client;
const browser = await openBrowser();
const [home, other] = [await newNamespace(), await newNamespace()];
const { address } = await newMailbox(home, { local_part: 'support', behavior: { name: 'agent' } });
for (const subject of ['A footbridge', 'An invoice'])
  await send(other.key, { to: address, subject, body: 'When may we see the revised drawings?' });

test('a note that is typed is still there after another conversation was read, and Ctrl+Enter adds it once', async () => {
  const { page, wrongs } = await browser.open(`${url}/console`);
  await page.fill('[name=key]', home.key);
  await page.press('[name=key]', 'Enter');
  const open = async (subject: string): Promise<void> => {
    await page.locator('[data-rows] a', { hasText: subject }).click();
    await page.locator('#subject', { hasText: subject }).waitFor();
  };
  await open('A footbridge');
  await page.keyboard.press('m');
  await page.locator('#note').pressSequentially('Ask Lena first.');
  await open('An invoice');
  assert.equal(await page.inputValue('#note'), '', 'it is of the other conversation');
  await open('A footbridge');
  await page.locator('#note').waitFor();
  assert.equal(await page.inputValue('#note'), 'Ask Lena first.');
  await page.locator('#note').press('Control+Enter');
  await page.locator('.note-turn', { hasText: 'Ask Lena first.' }).waitFor();
  await open('An invoice');
  await open('A footbridge');
  assert.equal(await page.inputValue('#note'), '', 'it is written');
  assert.equal(await page.locator('.note-turn').count(), 1);
  assert.deepEqual(wrongs, []);
});
