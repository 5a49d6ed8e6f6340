// Other programs: Chromium.
// Long form of: waiting-browser.test.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertPage, openBrowser } from '../../../../tests/harness/browser.ts';
import { connect, type Home } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';

interface Review {
  readonly id: string;
  readonly hash: string;
}

const service = await serveInside({ env: { RATE_LIMITS: 'off', RUN_SECONDS: '30' } });
const { newNamespace, newMailbox, api } = connect(service.url);
const browser = await openBrowser();
const SECRET = 'I am Ada, an engineer.';

async function opened() {
  const home = await newNamespace();
  const behavior = { name: 'hello', settings: { introduction: SECRET } };
  const { address } = await newMailbox(home, { behavior, outgoing: { review: 'always' } });
  return { home, address };
}
async function decide(home: Home, what: 'approve' | 'reject'): Promise<void> {
  const { body } = await api<{ items: Review[] }>('GET', '/mail/reviews?status=pending', { key: home.key });
  for (const { id, hash } of body.items) {
    const path = `/mail/reviews/${id}/${what}`;
    const done = await api('POST', path, { key: home.key, body: what === 'approve' ? { hash } : {} });
    assert.equal(done.status, 200, done.text);
  }
}
const write = async (page: Page, text: string): Promise<void> => {
  await page.fill('#body', text);
  await page.locator('[data-send]:not([aria-disabled])').click();
};

test('a guest whose answer waits for its review is told so at once, writes more, and reads it once it is approved', async () => {
  const { home, address } = await opened();
  const { page, wrongs } = await browser.open(`${service.url}/${address}`, { width: 390, theme: 'dark', touch: true });
  await write(page, 'Who are you?');
  await page.locator('[data-waits] b', { hasText: 'Waits for a person.' }).waitFor();
  assert.ok(!(await page.content()).includes(SECRET));
  await page.getByRole('link', { name: 'the link of this conversation' }).waitFor();
  await assertPage(page, 'guest-review', 'dark');
  await write(page, 'And where do you live?');
  await page.locator('[data-waits] b', { hasText: 'Waits for a person.' }).nth(1).waitFor();
  await decide(home, 'approve');
  await page.locator('.answer', { hasText: SECRET }).first().waitFor();
  await page.locator('[data-waits]').first().waitFor({ state: 'detached' });
  assert.deepEqual(wrongs, []);
  await page.context().close();
});

for (const scripts of [true, false]) {
  test(`a guest closes the page while the answer waits, and the link shows what was decided, scripts ${scripts ? 'on' : 'off'}`, async () => {
    const { home, address } = await opened();
    const first = await browser.open(`${service.url}/${address}`, { scripts });
    await write(first.page, 'Who are you?');
    await first.page.locator('[data-waits] b', { hasText: 'Waits for a person.' }).waitFor();
    const href = await first.page.getByRole('link', { name: 'the link of this conversation' }).getAttribute('href');
    await first.page.context().close();
    await decide(home, 'reject');
    const { page, wrongs } = await browser.open(href ?? '', { scripts });
    await page.locator('.answer b', { hasText: 'You get no answer' }).waitFor();
    assert.ok(!(await page.content()).includes(SECRET));
    assert.deepEqual(wrongs, []);
    await page.context().close();
  });
}
