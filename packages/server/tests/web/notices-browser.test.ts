// Other programs: Chromium.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertPage, looks, openBrowser } from '../../../../tests/harness/browser.ts';
import { startInside } from '../../../../tests/harness/inside.ts';

const inside = await startInside();
const { newNamespace, newMailbox, send } = inside.client;
const browser = await openBrowser();

/** A window that tells what it notified, and may be hidden, which a headless one never is. */
const WATCHED = `
  const shown = JSON.parse(sessionStorage.getItem('shown') ?? '[]');
  Object.defineProperty(globalThis, 'shownNotices', { value: shown });
  class Notification extends EventTarget {
    static permission = sessionStorage.getItem('permission') ?? 'default';
    static async requestPermission() {
      sessionStorage.setItem('permission', 'granted');
      return (Notification.permission = 'granted');
    }
    constructor(title, { body, tag }) {
      super();
      shown.push({ title, body, tag });
    }
    close() {}
  }
  globalThis.Notification = Notification;
  let isHidden = false;
  Object.defineProperty(document, 'hidden', { get: () => isHidden });
  globalThis.hide = (value) => {
    isHidden = value;
    document.dispatchEvent(new Event('visibilitychange'));
  };`;
interface Watched {
  readonly shownNotices: readonly { readonly title: string; readonly body: string }[];
}
const shownIn = (page: Page) => page.evaluate(() => (globalThis as unknown as Watched).shownNotices);
/** A function, because a page's policy refuses text that is evaluated at each look. */
const untilShown = (page: Page, count: number) =>
  page.waitForFunction((least) => (globalThis as unknown as Watched).shownNotices.length >= least, count);

for (const [width, theme] of looks([
  [1280, 'light'],
  [390, 'dark'],
] as const)) {
  test(`a browser gives notice once its button allows it, one a conversation, and none in view: ${width} px, ${theme}`, async () => {
    const [home, other] = [await newNamespace(), await newNamespace()];
    const desk = await newMailbox(home, { behavior: { name: 'agent' } });
    const tab = await browser.open(`${inside.url}/console`, { width, theme, touch: width === 390 });
    const { page } = tab;
    await page.addInitScript(WATCHED);
    await page.fill('#key', home.key);
    await page.keyboard.press('Enter');
    await page.locator('[data-inbox]').waitFor();
    await page.goto(`${inside.url}/console/notices`);
    const button = page.locator('[data-notices]');
    await button.waitFor();
    assert.equal(await page.evaluate('Notification.permission'), 'default');
    await assertPage(page, 'console-notices', theme);
    await button.focus();
    await page.keyboard.press('Enter');
    await page.getByText('On in this browser.').waitFor();

    await page.goto(`${inside.url}/console`);
    await page.locator('[data-live].online').waitFor({ state: 'attached' });
    const write = (subject: string) => send(other.key, { to: desk.address, subject, body: 'Is anyone there?' });
    await write('In view');
    await page.locator('[data-rows]', { hasText: 'In view' }).waitFor();
    await page.evaluate('hide(true)');
    const sent = await write('Behind');
    await untilShown(page, 1);
    await send(other.key, { to: desk.address, body: 'And another.', thread_id: sent.body.thread_id });
    await write('Last');
    await untilShown(page, 2);
    assert.deepEqual(
      (await shownIn(page)).map(({ body }) => body),
      ['Behind', 'Last'],
    );
    assert.match((await shownIn(page))[0]?.title ?? '', /^To answer: /);
    await page.evaluate('hide(false)');
    await write('In view again');
    await page.locator('[data-rows]', { hasText: 'In view again' }).waitFor();
    assert.equal((await shownIn(page)).length, 2);
    assert.deepEqual(tab.wrongs, []);
    await page.context().close();
  });
}
