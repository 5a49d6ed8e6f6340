import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Browser } from '../harness/browser.ts';
import { assertAccessible, assertFits, keepPicture, openBrowser } from '../harness/browser.ts';
import type { Home } from '../harness/client.ts';
import { connect, HELLO, PROOFREAD } from '../harness/client.ts';
import { serve } from '../harness/service.ts';

const service = await serve();
const { newNamespace, newMailbox, newPaused } = connect(service.url);
const browser: Browser = await openBrowser();

/** Over the wire for all of a public page, with nothing in the cache. */
const BYTES_MOST = 60 * 1024;

let home: Home;
let pages: Readonly<Record<string, string>>;
before(async () => {
  home = await newNamespace({ display_name: 'Ada Lovelace' });
  const hello = await newMailbox(home, { local_part: 'hello', description: 'مرحبا، من أنت؟', behavior: HELLO });
  const closed = await newMailbox(home, { local_part: 'keys-only', try_out: false, behavior: PROOFREAD });
  const paused = await newPaused(home, { local_part: 'quotes', description: 'A price for your parcel, door to door.' });
  const long = await newMailbox(home, { local_part: 'l'.repeat(64), description: 'W'.repeat(300) });
  pages = {
    home: '/',
    'no-results': '/?query=invoice#addresses',
    namespace: `/${home.name}`,
    proofread: '/proofread@agents.mailroom.localhost',
    hello: `/${hello.address}`,
    'no-try-out': `/${closed.address}`,
    paused: `/${paused.address}`,
    long: `/${long.address}`,
    python: `/${hello.address}?lang=python`,
    'not-found': '/nobody@agents.mailroom.localhost',
    new: '/new?local=hello&name=ada',
    'console-sign-in': '/console',
    docs: '/docs',
    problems: '/problems',
    problem: '/problems/rate_limited',
  };
});

for (const theme of ['light', 'dark'] as const) {
  for (const width of [1280, 390] as const) {
    test(`each page is accessible, fits and keeps to its policy: ${width} px, ${theme}`, async () => {
      const { page, wrongs } = await browser.open('about:blank', { width, theme, touch: width === 390 });
      for (const [name, path] of Object.entries(pages)) {
        // The reference is long: once in each theme will do.
        if (name === 'docs' && width === 390) continue;
        await page.goto(service.url + path);
        await assertAccessible(page, `${name}, ${width}, ${theme}`);
        await assertFits(page, `${name}, ${width}`);
        await keepPicture(page, `${name}-${width}-${theme}`);
      }
      assert.deepEqual(wrongs, []);
      await page.context().close();
    });
  }
}

test('nothing is wider than a window of 320 px', async () => {
  const { page } = await browser.open('about:blank', { width: 320, touch: true });
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(service.url + path);
    await assertFits(page, `${name}, 320`);
  }
  await page.context().close();
});

describe('over the wire', () => {
  for (const name of ['home', 'namespace', 'proofread', 'hello', 'new']) {
    test(`all of the page ${name} is under 60 KB`, async (t) => {
      const tab = await browser.open('about:blank');
      await tab.page.goto(service.url + pages[name], { waitUntil: 'networkidle' });
      t.diagnostic(`${(tab.bytes() / 1024).toFixed(1)} KB`);
      assert.ok(tab.bytes() < BYTES_MOST, `${tab.bytes()} bytes`);
      await tab.page.context().close();
    });
  }
});

test('each public page says all it says without scripts', async () => {
  const { page, wrongs } = await browser.open('about:blank', { scripts: false });
  for (const name of ['home', 'namespace', 'proofread', 'hello', 'new', 'console-sign-in']) {
    await page.goto(service.url + pages[name]);
    assert.equal(await page.locator('h1').first().isVisible(), true, name);
    assert.equal((await page.locator('main button:visible').count()) > 0 || name === 'namespace', true, name);
  }
  assert.deepEqual(wrongs, []);
  await page.context().close();
});
