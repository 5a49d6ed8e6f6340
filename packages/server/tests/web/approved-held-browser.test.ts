// Other programs: Chromium.
// Long form of: approved-held.test.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertPage, looks, openBrowser } from '../../../../tests/harness/browser.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { until } from '../../../../tests/harness/until.ts';

const UNDO_MS = 60_000;
const inside = await startInside({ env: { UNDO_SECONDS: String(UNDO_MS / 1000) } });
const { newNamespace, newMailbox, newKey, send, api } = inside.client;
const browser = await openBrowser();

for (const [width, theme] of looks([
  [1280, 'light'],
  [390, 'dark'],
  [390, 'light'],
  [1280, 'dark'],
] as const))
  test(`an approval counts down, is taken back by a key, and leaves: ${width} px, ${theme}`, async () => {
    const [home, other] = [await newNamespace(), await newNamespace()];
    const lena = await newMailbox(other, { behavior: { name: 'hello', settings: {} } });
    const quotes = await newMailbox(home, { local_part: 'quotes', outgoing: { review: 'always' } });
    const { secret } = await newKey(home, { scopes: ['mail:send', 'messages:read'] });
    for (const body of ['The first.', 'The second.'])
      await send(secret, { from: quotes.address, to: lena.address, subject: body, body });
    const { page, wrongs } = await browser.open(`${inside.url}/console`, { width, theme, touch: width === 390 });
    await page.locator('[name=key]').fill(home.key);
    await page.locator('[name=key]').press('Enter');
    await page.waitForSelector('[data-live]', { state: 'attached' });
    await page.goto(`${inside.url}/console/reviews`);
    await page.keyboard.press('j');
    await page.getByText('The first.').last().waitFor();
    await page.keyboard.press('y');
    await page.locator('[data-toast]', { hasText: 'Approved. Leaves in' }).waitFor();
    await page.getByText('The second.').last().waitFor();
    assert.equal(await page.locator('.review-rows .approved').count(), 1);
    await assertPage(page, 'console-approved', theme);
    await page.keyboard.press('z');
    await page.locator('[data-toast]').waitFor({ state: 'detached' });
    assert.equal(await page.locator('.review-rows .approved').count(), 0, 'the first waits again');
    await page.locator('[data-act=y]').waitFor();
    await page.keyboard.press('y');
    await page.locator('[data-toast]').waitFor();
    await page.keyboard.press('k');
    await page.locator('.decision .leaves').waitFor();
    await assertPage(page, 'console-approved-open', theme);
    inside.pass(UNDO_MS);
    const arrived = async (): Promise<string> =>
      (await api('GET', `/mailboxes/${lena.address}/messages`, { key: other.key })).text;
    await until(UNDO_MS, arrived, (text) => text.includes('The first.'));
    await page.getByText('It was approved meanwhile.').first().waitFor();
    assert.ok(!(await arrived()).includes('The second.'));
    assert.deepEqual(wrongs, []);
    await page.context().close();
  });
