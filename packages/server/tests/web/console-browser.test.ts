// Other programs: Chromium.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible, assertPage, looks, openBrowser, type Tab } from '../../../../tests/harness/browser.ts';
import { connect, HELLO, type Home, unique } from '../../../../tests/harness/client.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import { LONG_ONLY } from '../../../../tests/soak/length.ts';

const service = await sharedService();
const { newNamespace, newMailbox, newPaused, send, tryOut } = connect(service.url);
const browser = await openBrowser();

async function signIn(home: Home, tab: Tab): Promise<void> {
  await tab.page.locator('[name=key]').fill(home.key);
  await tab.page.keyboard.press('Enter');
  await tab.page.getByRole('searchbox').first().waitFor();
}

test('signing out takes no scroll on a small screen, with many addresses or few', async () => {
  const home = await newNamespace();
  const tab = await browser.open(`${service.url}/console`, { width: 1280 });
  const { page } = tab;
  await page.setViewportSize({ width: 1280, height: 800 });
  await signIn(home, tab);
  const button = page.getByRole('button', { name: 'Sign out' });
  for (const count of [0, 8]) {
    for (let at = 0; at < count; at++) await newMailbox(home, { behavior: HELLO });
    await page.reload();
    const { y, height } = (await button.boundingBox()) as { readonly y: number; readonly height: number };
    assert.ok(y + height <= 800, `it ends at ${y + height} with ${count} addresses`);
  }
  await page.context().close();
});

test('two tabs of the console show what arrives as it arrives, and stay in step', async () => {
  const home = await newNamespace();
  const open = await newMailbox(home, { local_part: 'hello', behavior: HELLO });
  const held = await newPaused(home, { local_part: 'quotes' });
  const first = await browser.open(`${service.url}/console`);
  await signIn(home, first);
  await first.page.goto(`${service.url}/console?status=all`);
  const page = await first.page.context().newPage();
  await page.goto(`${service.url}/console?status=all`);
  const tabs = [first.page, page];
  const hint = first.page.getByText('Choose a conversation');
  assert.equal(await hint.isVisible(), false);
  const text = unique('hi');
  await tryOut({ to: open.address, body: text });
  for (const tab of tabs) await tab.getByText(text).first().waitFor();
  assert.equal(await hint.isVisible(), true);
  const waiting = unique('held');
  await tryOut({ to: held.address, body: waiting });
  for (const tab of tabs) await tab.getByText(waiting).first().waitFor();
  // A message canceled in one tab changes in the other.
  await page.getByText(waiting).first().click();
  await page.getByRole('button', { name: 'Cancel' }).first().click();
  for (const tab of tabs) await tab.getByText('Canceled').first().waitFor();
  assert.deepEqual(first.wrongs, []);
  await first.page.context().close();
});

for (const [width, theme] of looks([
  [1280, 'light'],
  [390, 'dark'],
] as const)) {
  test(`each page of the console is accessible, fits and keeps to its policy: ${width} px, ${theme}`, async () => {
    const home = await newNamespace();
    const { address } = await newMailbox(home, { local_part: 'hello', behavior: HELLO });
    await tryOut({ to: address, body: 'مرحبا، من أنت؟' });
    const tab = await browser.open(`${service.url}/console`, { width, theme, touch: width === 390 });
    await signIn(home, tab);
    for (const path of [
      '',
      '/activity',
      '/addresses',
      '/addresses/new',
      '/addresses/hello',
      '/addresses/hello?tab=behavior',
      '/addresses/hello?tab=access',
      '/addresses/hello?tab=danger',
      '/keys',
      '/settings',
    ]) {
      await tab.page.goto(`${service.url}/console${path}`);
      await assertPage(tab.page, `console${path.replaceAll('/', '-')}`, theme);
    }
    assert.deepEqual(tab.wrongs, []);
    await tab.page.context().close();
  });

  test(`what a change of behavior stops is asked on a page that is accessible and fits: ${width} px, ${theme}`, async () => {
    const home = await newNamespace();
    const behavior = { name: 'do', settings: { approval: ['calculate'] } };
    const { address } = await newMailbox(home, { local_part: 'tasks', behavior });
    await send(home.key, { to: address, body: 'Calculate 6 * 7', sync: true });
    const tab = await browser.open(`${service.url}/console`, { width, theme, touch: width === 390 });
    const { page } = tab;
    await signIn(home, tab);
    await page.goto(`${service.url}/console/addresses/tasks?tab=behavior`);
    await page.getByText('Introduce', { exact: true }).click();
    await page.getByLabel('Introduction', { exact: true }).fill('I am Ada.');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('heading', { name: 'What stops' }).waitFor();
    await assertPage(page, 'console-change', theme);
    await page.getByRole('button', { name: 'Change to “Introduce”' }).click();
    await page.getByText('The settings of “Do tasks” are kept').waitFor();
    await assertPage(page, 'console-changed', theme);
    assert.deepEqual(tab.wrongs, []);
    await page.context().close();
  });
}

for (const scripts of [true, false]) {
  test(
    `a phone has addresses, filters, a new address and sign-out one tap from the inbox, scripts ${scripts ? 'on' : 'off'}`,
    scripts ? {} : LONG_ONLY,
    async () => {
      const home = await newNamespace();
      const { address } = await newMailbox(home, { local_part: 'hello', behavior: HELLO });
      await tryOut({ to: address, body: 'Hi' });
      const tab = await browser.open(`${service.url}/console`, { width: 390, touch: true, scripts });
      await signIn(home, tab);
      const { page } = tab;
      const link = (name: string) => page.getByRole('link', { name, exact: true });
      const assertReached = async (ways: readonly ReturnType<typeof link>[], height = 844) => {
        for (const way of ways) {
          const box = await way.boundingBox();
          assert.ok(box !== null, `${way} is shown`);
          assert.ok(box.x >= 0 && box.x + box.width <= 390 && box.y + box.height <= height, `${way} is in the window`);
          assert.ok(box.width >= 44 && box.height >= 44, `${way} is ${box.width} × ${box.height} px`);
        }
      };
      const bar = page.getByRole('navigation', { name: 'Console, short' });
      const inBar = (name: string | RegExp) => bar.getByRole('link', { name });
      await assertReached([
        ...['Inbox', 'To approve', 'Addresses', 'More'].map((name) => inBar(new RegExp(`^${name}`))),
        link('Write'),
        ...['All', 'Unread', 'Working', 'Failed'].map((name) =>
          page.getByRole('navigation', { name: 'Which conversations' }).getByRole('link', { name, exact: true }),
        ),
      ]);
      await inBar('More').tap();
      await link('New address').waitFor();
      // Two taps lead to everything; a long list of addresses scrolls.
      const rest = ['New address', 'To answer', 'Sent', 'Drafts', 'Trash', 'Activity', 'Settings'].map(link);
      await assertReached([...rest, page.getByRole('button', { name: 'Sign out' })], 2_000);
      if (scripts) await assertAccessible(page, 'navigation of a phone');
      await link('Close').tap();
      await link('New address').waitFor({ state: 'hidden' });
      // axe is a script, so it cannot run where scripts are off.
      if (scripts) await assertAccessible(page, 'inbox of a phone');
      await link('Held').tap();
      await page.getByText('Nothing is held').waitFor();
      await inBar('Addresses').tap();
      await page.getByRole('link', { name: 'Messages of hello' }).tap();
      await page.getByText('Hi', { exact: true }).waitFor();
      await page.getByRole('link', { name: 'All addresses' }).tap();
      await inBar('More').tap();
      await link('New address').tap();
      await page.getByLabel('Name before the @').waitFor();
      await inBar('More').tap();
      await page.getByRole('button', { name: 'Sign out' }).tap();
      await page.locator('[name=key]').waitFor();
      assert.deepEqual(tab.wrongs, []);
      await page.context().close();
    },
  );
}
