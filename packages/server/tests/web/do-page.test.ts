// Other programs: Chromium.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertPage, type Look, looks, openBrowser, type Tab } from '../../../../tests/harness/browser.ts';
import { connect, type Home } from '../../../../tests/harness/client.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import { until } from '../../../../tests/harness/until.ts';

const service = await sharedService();
const { newNamespace, newMailbox, send, read } = connect(service.url);
const browser = await openBrowser();

const LOOKS: readonly Look[] = [
  { width: 1280, theme: 'light' },
  { width: 390, theme: 'dark', touch: true },
];

const DISCOUNT = {
  name: 'discount',
  description: 'A price after a discount, for <b>everyone</b>.',
  parameters: {
    type: 'object',
    properties: {
      price: { type: 'number', description: 'Before it, in euros' },
      percent: { type: 'number', minimum: 0, maximum: 100 },
    },
    required: ['price', 'percent'],
  },
  steps: [
    { task: 'calculate', input: { expression: '{{input.price}} * (1 - {{input.percent}} / 100)' } },
    { task: 'convert', input: { from: '{{1}}', to: 'hex' } },
  ],
};

async function signIn(home: Home, tab: Tab): Promise<void> {
  await tab.page.locator('[name=key]').fill(home.key);
  await tab.page.keyboard.press('Enter');
  await tab.page.getByRole('searchbox').first().waitFor();
}

for (const look of looks(LOOKS)) {
  const named = `${look.width} px`;

  test(`the page of do tells its tasks, and runs what is written to it: ${named}`, async () => {
    const { page, wrongs } = await browser.open(`${service.url}/do@agents.mailroom.localhost`, look);
    const tasks = page.locator('#tasks');
    await tasks.getByText('calculate', { exact: true }).click();
    const example = tasks.locator('[data-fill]').first();
    const text = (await example.textContent()) ?? '';
    await example.click();
    assert.equal(await page.locator('#body').inputValue(), text);
    await page
      .locator('#body')
      .fill('How many days from 2026-01-01 to 2026-03-01?\nWhat is 12 * 12?\nConvert 5 miles to km');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('.did li').nth(2).waitFor();
    await page.locator('.receipt summary').click();
    assert.match(
      (await page.locator('.receipt').textContent()) ?? '',
      /The built-in parser for English.*[0-9a-f]{64}/s,
    );
    await assertPage(page, 'do-receipt', look.theme);
    await page.locator('#body').fill('Sort my shopping');
    await page.getByRole('button', { name: 'Send' }).click();
    const chip = page.locator('.suggested .chip').first();
    await chip.waitFor();
    await assertPage(page, 'do-asks', look.theme, false);
    const answer = (await chip.textContent()) ?? '';
    await chip.click();
    await page.locator('.yours').filter({ hasText: answer }).last().waitFor();
    await page.locator('.answer:not([data-working])').nth(2).waitFor();
    assert.deepEqual(wrongs, []);
    await page.context().close();
  });

  test(`a plan that waits is shown to its sender and its owner, whose yes is seen at once: ${named}`, async () => {
    const home = await newNamespace();
    const settings = { approval: ['calculate', 'remember'], procedures: [DISCOUNT] };
    const created = await newMailbox(home, { local_part: 'do', behavior: { name: 'do', settings } });
    const guest = await browser.open(`${service.url}/${created.address}`, look);
    await guest.page.locator('#body').fill('What is 12 * 12?');
    await guest.page.getByRole('button', { name: 'Send' }).click();
    await guest.page.getByText('Waiting for the owner’s approval.', { exact: true }).waitFor();
    await assertPage(guest.page, 'do-waits', look.theme);
    const hostile =
      'Remember that <img src=x onerror=alert(1)> \u202eevil\u202c is "quoted" & **bold**, then calculate 2 * 21';
    const { id } = (await send(home.key, { to: created.address, body: hostile })).body;
    // It is planned after it was accepted.
    await until(
      10_000,
      () => read(home.key, id),
      ({ body }) => body.waiting_for === 'approval',
    );
    const tab = await browser.open(`${service.url}/console`, look);
    await signIn(home, tab);
    const { page } = tab;
    assert.equal(await page.locator('[data-waiting=approve]').first().textContent(), '2');
    await page.goto(`${service.url}/console?message=${id}&status=approve`);
    await page.locator('.approval').waitFor();
    assert.equal(await page.locator('.approval img').count(), 0);
    assert.match((await page.locator('.approval').textContent()) ?? '', /\\u202e/);
    await page.locator('.refuse summary').click();
    await assertPage(page, 'console-approval', look.theme, false);
    await page.getByLabel('Reason, shown to the sender').fill('Not this one <script>.');
    await page.getByRole('button', { name: 'Refuse the plan' }).click();
    await page.getByText('Not this one <script>.').waitFor();
    const other = await page.context().newPage();
    await other.goto(`${service.url}/console?status=approve`);
    const [waiting] = await other.locator('[data-row]').all();
    const theirs = (await waiting?.getAttribute('data-row')) ?? '';
    await page.goto(`${service.url}/console?message=${theirs}`);
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await other
      .getByText('Nothing waits')
      .or(other.locator('[data-rows]:empty'))
      .first()
      .waitFor({ state: 'attached' });
    await guest.page.getByText('144', { exact: true }).waitFor();
    assert.equal((await read(home.key, theirs)).body.status, 'completed');
    assert.deepEqual([guest.wrongs, tab.wrongs], [[], []]);
    await guest.page.context().close();
    await page.context().close();
  });

  test(`procedures are taught and tested, and the settings are a table: ${named}`, async () => {
    const home = await newNamespace();
    await newMailbox(home, { local_part: 'do', behavior: { name: 'do', settings: { procedures: [DISCOUNT] } } });
    const tab = await browser.open(`${service.url}/console`, look);
    await signIn(home, tab);
    const { page } = tab;
    await page.goto(`${service.url}/console/procedures/do`);
    await assertPage(page, 'procedures', look.theme);
    await page.getByRole('link', { name: 'Edit discount' }).click();
    await page.getByLabel('price').fill('80');
    await page.getByLabel('percent').fill('15');
    await page.getByRole('button', { name: 'Run it' }).click();
    await page.locator('.tested').getByText('0x44').first().waitFor();
    await assertPage(page, 'procedure', look.theme);
    await page.goto(`${service.url}/console/addresses/do?tab=behavior`);
    await page.getByText('Who may use which task').click();
    await assertPage(page, 'do-settings', look.theme);
    assert.deepEqual(tab.wrongs, []);
    await page.context().close();
  });

  test(`who makes an address of their own chooses do, and sees it work: ${named}`, async () => {
    const { page, wrongs } = await browser.open(`${service.url}/new?name=adalovelace&behavior=do&local=do`, look);
    await page.locator('.panel.on, .panel').getByText('Who may use which task').locator('visible=true').click();
    await page.locator('[name=example]').locator('visible=true').first().click();
    await page.locator('.did li').nth(1).waitFor();
    await assertPage(page, 'new-do', look.theme);
    assert.deepEqual(wrongs, []);
    await page.context().close();
  });
}
