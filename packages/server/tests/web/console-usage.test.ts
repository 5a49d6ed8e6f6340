// Other programs: Chromium.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { DAY } from '@mailroom/behavior/values/clock';
import { assertPage, looks, openBrowser } from '../../../../tests/harness/browser.ts';
import type { Home } from '../../../../tests/harness/client.ts';
import { visitorOf } from '../../../../tests/harness/console.ts';
import { openModelService } from '../../../../tests/harness/model-service.ts';
import type { Mailbox } from '../../../../tests/harness/wire.ts';

const { inside, url, client, model, send } = await openModelService();
const { newNamespace, newMailbox, api } = client;
const browser = await openBrowser();

let home: Home;
let address: string;
before(async () => {
  home = await newNamespace();
  ({ address } = await newMailbox(home, {
    local_part: 'helper',
    behavior: { name: 'assistant' },
    budget: { tokens_per_day: 50_000, tokens_per_sender_per_day: null },
  }));
  for (const tokens of [12_000, 0, 31_000, 48_000, 22_000, 50_000]) {
    model.say([{ text: 'Hello.', usage: { input: tokens * 0.8, output: tokens * 0.2 } }]);
    if (tokens > 0) await send(home.key, { to: address, body: 'Hi' });
    if (tokens < 50_000) inside.pass(DAY);
  }
});

test('an owner sees the tokens of each day, and sets how many may be taken', async () => {
  const who = visitorOf(url);
  await who.signIn(home.key);
  const path = '/console/usage/helper';
  const { html } = await who.get(path);
  assert.match(html, /Today: 50,000 of 50,000 tokens\./);
  assert.match(html, /New messages are rejected until 00:00 UTC\./);
  assert.match(html, /38,400 read, 9,600 written/);
  assert.match(html, /<b>163,000<\/b>/);
  assert.match(html, /<b>5<\/b>/);
  assert.match(
    (await who.get('/console/addresses/helper?tab=checks')).html,
    /console\/usage\/helper.*50,000 tokens a day/,
  );
  const checks = (await who.get('/console/addresses/helper?tab=checks')).html;
  assert.match(checks, /50,000 used today, 100 %/);
  assert.match(checks, /aria-label="100 percent used, told at 80"[\s\S]*class="told" d="M80 -4/);
  assert.match(checks, /14 days, 1 at the budget/);
  assert.match(checks, /<td>48,000<\/td>[\s\S]*<td>22,000<\/td>[\s\S]*<td>50,000<\/td>/);
  const activity = (await who.get('/console/activity')).html;
  assert.match(activity, /console\/usage\/helper">helper<\/a>.*<td>163,000<\/td><td>5<\/td><td>50,000<\/td>/s);
  const budget = async () =>
    (await api<Mailbox & { budget: unknown }>('GET', `/mailboxes/${address}`, { key: home.key })).body.budget;
  const save = (day: string, sender: string) =>
    who.send(path, { tokens_per_day: day, tokens_per_sender_per_day: sender }, ['do', 'save']);
  assert.equal((await save('60 000', '5,000')).to, `${path}?done=saved`);
  assert.deepEqual(await budget(), { tokens_per_day: 60_000, tokens_per_sender_per_day: 5_000 });
  for (const wrong of ['0', '-1', '1.5', 'many', '<b>', '9'.repeat(14)]) {
    const page = await save(wrong, '');
    assert.equal(page.status, 422, wrong);
    assert.match(page.html, /aria-invalid="true"/);
    assert.match(page.html, /Write a whole number from 1 on/);
  }
  assert.deepEqual(await budget(), { tokens_per_day: 60_000, tokens_per_sender_per_day: 5_000 });
  assert.equal((await save('', '')).status, 303);
  assert.equal(await budget(), null);
  await save('50,000', '');
});

test('an address that asks no model has no budget to set', async () => {
  await newMailbox(home, { local_part: 'greeter' });
  const who = visitorOf(url);
  await who.signIn(home.key);
  assert.match((await who.get('/console/usage/greeter')).html, /asks no language model/);
  assert.doesNotMatch((await who.get('/console/addresses/greeter?tab=checks')).html, /console\/usage/);
  assert.equal((await who.get('/console/usage/nothing')).status, 404);
});

for (const [width, theme] of looks([
  [1280, 'light'],
  [390, 'dark'],
  [1280, 'dark'],
  [390, 'light'],
] as const)) {
  test(`the usage and a budget that is used up are pages that are accessible and fit: ${width} px, ${theme}`, async () => {
    const tab = await browser.open(`${url}/console`, { width, theme, touch: width === 390 });
    const { page } = tab;
    await page.locator('[name=key]').fill(home.key);
    await page.keyboard.press('Enter');
    await page.getByRole('searchbox').first().waitFor();
    await page.goto(`${url}/console/usage/helper`);
    await assertPage(page, `console-usage`, theme);
    await page.getByLabel('Tokens a day', { exact: true }).fill('many');
    await page.getByRole('button', { name: 'Save the budget' }).click();
    await page.getByText('Write a whole number').first().waitFor();
    await assertPage(page, `console-usage-wrong`, theme);
    await page.goto(`${url}/console/addresses/helper?tab=checks`);
    await assertPage(page, `console-usage-link`, theme);
    await page.goto(`${url}/console/activity`);
    await assertPage(page, 'console-usage-activity', theme);
    await page.goto(`${url}/${address}`);
    await page.getByRole('textbox').first().fill('Hi');
    await page.keyboard.press('Control+Enter');
    await page.getByText('answers no more today').first().waitFor();
    await assertPage(page, `budget-spent`, theme);
    assert.deepEqual(tab.wrongs, []);
    await page.context().close();
  });
}
