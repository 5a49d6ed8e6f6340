import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Tab } from '../harness/browser.ts';
import { assertAccessible, assertFits, keepPicture, openBrowser } from '../harness/browser.ts';
import type { Home } from '../harness/client.ts';
import { connect, HELLO, unique } from '../harness/client.ts';
import { serve } from '../harness/service.ts';

const service = await serve();
const { newNamespace, newMailbox, newPaused, tryOut } = connect(service.url);
const browser = await openBrowser();

async function signIn(home: Home, tab: Tab): Promise<void> {
  await tab.page.locator('[name=key]').fill(home.key);
  await tab.page.keyboard.press('Enter');
  await tab.page.getByRole('searchbox').first().waitFor();
}

test('two tabs of the console show what arrives as it arrives, and stay in step', async () => {
  const home = await newNamespace();
  const open = await newMailbox(home, { local_part: 'hello', behavior: HELLO });
  const held = await newPaused(home, { local_part: 'quotes' });
  const first = await browser.open(`${service.url}/console`);
  await signIn(home, first);
  const page = await first.page.context().newPage();
  await page.goto(`${service.url}/console`);
  const tabs = [first.page, page];
  const text = unique('hi');
  await tryOut({ to: open.address, body: text });
  for (const tab of tabs) await tab.getByText(text).first().waitFor();
  const waiting = unique('held');
  await tryOut({ to: held.address, body: waiting });
  for (const tab of tabs) await tab.getByText(waiting).first().waitFor();
  // What one tab cancels the other shows.
  await page.getByText(waiting).first().click();
  await page.getByRole('button', { name: 'Cancel' }).first().click();
  for (const tab of tabs) await tab.getByText('Canceled').first().waitFor();
  assert.deepEqual(first.wrongs, []);
  await first.page.context().close();
});

for (const [width, theme] of [
  [1280, 'light'],
  [390, 'dark'],
] as const) {
  test(`each page of the console is accessible, fits and keeps to its policy: ${width} px, ${theme}`, async () => {
    const home = await newNamespace();
    const { address } = await newMailbox(home, { local_part: 'hello', behavior: HELLO });
    await tryOut({ to: address, body: 'مرحبا، من أنت؟' });
    const tab = await browser.open(`${service.url}/console`, { width, theme, touch: width === 390 });
    await signIn(home, tab);
    for (const path of ['', '/activity', '/addresses', '/addresses/new', '/addresses/hello', '/keys', '/settings']) {
      await tab.page.goto(`${service.url}/console${path}`);
      for (const shown of ['light', 'dark'] as const) {
        await tab.page.emulateMedia({ colorScheme: shown });
        await keepPicture(tab.page, `console${path.replaceAll('/', '-')}-${width}-${shown}`);
      }
      await tab.page.emulateMedia({ colorScheme: theme });
      await assertAccessible(tab.page, `/console${path}`);
      await assertFits(tab.page, `/console${path}`);
    }
    assert.deepEqual(tab.wrongs, []);
    await tab.page.context().close();
  });
}
