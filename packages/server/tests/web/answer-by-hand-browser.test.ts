// Other programs: Chromium.
// Long form of: answer-by-hand.test.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFits, assertPage, keepPicture, looks, openBrowser } from '../../../../tests/harness/browser.ts';
import { connect } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';

const service = await serveInside({ env: { RATE_LIMITS: 'off' } });
const { newNamespace, newMailbox, send, api, read } = connect(service.url);
const browser = await openBrowser();
const other = await newNamespace();

for (const [width, theme] of looks([
  [1280, 'light'],
  [390, 'dark'],
] as const)) {
  test(`what is being written stays when the conversation changes, at ${width} in ${theme}`, async () => {
    const home = await newNamespace();
    const { address } = await newMailbox(home, { local_part: 'bot', behavior: { name: 'agent' } });
    const { id } = (await send(other.key, { to: address, body: 'Which rooms are free on Friday?' })).body;
    const { page, wrongs } = await browser.open(`${service.url}/console`, { width, theme });
    await page.fill('[name=key]', home.key);
    await page.press('[name=key]', 'Enter');
    await page.waitForSelector('[data-live].online');
    await page.goto(`${service.url}/console?message=${id}`);
    await page.waitForSelector('[data-live].online', { state: 'attached' });
    await page.fill('[data-answer-body]', 'The **blue** room');
    await page.setInputFiles('[data-answer-files]', {
      name: 'plan.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('blue'),
    });
    await assertPage(page, `answer-${width}`, theme);
    await assertFits(page, `answer-${width}`);
    await page.focus('[data-answer-body]');
    const body = { body: 'A program was first.' };
    assert.equal((await api('POST', `/mail/messages/${id}/answer`, { key: home.key, body })).status, 200);
    const bar = page.locator('[data-meanwhile]');
    await bar.getByText('A program was first.').waitFor();
    assert.equal(await page.inputValue('[data-answer-body]'), 'The **blue** room');
    assert.equal(await page.evaluate('document.activeElement.id'), 'answer-body');
    await page.keyboard.press('Control+Enter');
    await bar.getByRole('button', { name: 'Send as a further reply' }).click();
    await page.locator('strong', { hasText: 'blue' }).waitFor();
    assert.equal((await read(other.key, id)).body.replies_count, 2);
    await page.getByText('plan.txt').waitFor();
    await keepPicture(page, `answered-${width}-${theme}`);
    assert.deepEqual(wrongs, []);
  });
}
