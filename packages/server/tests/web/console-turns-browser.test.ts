// Other programs: Chromium.
// Long form of: console-turns.test.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertPage, looks, openBrowser } from '../../../../tests/harness/browser.ts';
import { connect } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';

const service = await serveInside({ env: { RATE_LIMITS: 'off', SEARCH_INDEX: 'on' } });
const { newNamespace, newMailbox, send, read, api } = connect(service.url);
const browser = await openBrowser();

for (const [width, theme] of looks([
  [390, 'dark'],
  [1280, 'light'],
] as const)) {
  test(`turns fold and stay as they are while others arrive, and one goes to the trash and back: ${width} px, ${theme}`, async () => {
    const [home, other] = [await newNamespace(), await newNamespace()];
    const { address } = await newMailbox(home, { behavior: { name: 'agent' } });
    let thread_id: string | undefined;
    const ids: string[] = [];
    const write = async (body: string): Promise<void> => {
      const sent = await send(other.key, { to: address, body, ...(thread_id && { thread_id }) });
      ids.push(sent.body.id);
      ({ thread_id } = sent.body);
    };
    for (const at of [0, 1, 2, 3]) {
      await write(`Question ${at}`);
      await api('POST', `/mail/messages/${ids.at(-1)}/answer`, { key: home.key, body: { body: `Answer ${at}` } });
      await api('PATCH', `/mail/messages/${ids.at(-1)}`, { key: home.key, body: { labels: { remove: ['unread'] } } });
    }
    const { page, wrongs } = await browser.open(`${service.url}/console`, { width, theme, touch: width === 390 });
    await page.fill('[name=key]', home.key);
    await page.press('[name=key]', 'Enter');
    await page.locator('[data-rows]').waitFor({ state: 'attached' });
    await page.goto(`${service.url}/console?status=all&message=${ids[3]}`);
    const fold = (text: string) => page.locator('.fold', { hasText: text });
    assert.equal(await page.locator('.fold').count(), 4, 'two messages and their answers');
    await assertPage(page, `console-folds-${width}`, theme);
    await fold('Question 0').locator('> summary').focus();
    await page.keyboard.press('Enter');
    await page.locator('.message', { hasText: 'Question 0' }).waitFor();
    await page.waitForSelector('[data-live].online', { state: 'attached' });
    // What arrives folds nothing that is read now, and closes nothing that was opened.
    await write('Question 4');
    await page.locator('.message', { hasText: 'Question 4' }).waitFor();
    assert.equal(await page.locator('.message', { hasText: 'Question 0' }).isVisible(), true);
    assert.equal(await page.locator('.message', { hasText: 'Question 2' }).isVisible(), true);
    assert.equal(await page.locator('.message', { hasText: 'Question 1' }).isVisible(), false);

    const turn = page.locator(`[id="${ids[2]}"]`);
    await turn.getByText('More about this message').locator('..').click();
    await assertPage(page, `console-turn-menu-${width}`, theme, false);
    await turn.getByRole('button', { name: 'Trash' }).click();
    await page.locator('[data-toast]', { hasText: 'is in the trash.' }).waitFor();
    assert.ok((await read(home.key, ids[2] ?? '')).body.labels?.includes('trash'));
    await assertPage(page, `console-turn-trashed-${width}`, theme, false);
    await page.locator('[data-undo]').click();
    await page.locator('[data-toast]').waitFor({ state: 'detached' });
    assert.ok(!(await read(home.key, ids[2] ?? '')).body.labels?.includes('trash'));

    await page.locator(`[id="${ids[2]}"]`).getByText('More about this message').locator('..').click();
    await page.locator(`[id="${ids[2]}"]`).getByRole('link', { name: 'Forward' }).click();
    await page.getByLabel('As an attachment').check();
    await assertPage(page, `console-forward-${width}`, theme, false);

    await page.goto(`${service.url}/console?direction=all&query=${encodeURIComponent('"question 1"')}`);
    await page.locator('.rows .hit').first().waitFor();
    await assertPage(page, `console-hits-${width}`, theme, false);
    await page.locator('[data-rows] a').first().click();
    await page.locator('.thread .hit', { hasText: 'Question 1' }).waitFor();
    await assertPage(page, `console-hits-open-${width}`, theme, false);
    assert.deepEqual(wrongs, []);
    await page.context().close();
  });
}
