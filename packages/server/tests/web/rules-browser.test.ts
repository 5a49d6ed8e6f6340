// Other programs: Chromium.
// Long form of: rules.test.ts, console-pages-browser.test.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertPage, looks, openBrowser } from '../../../../tests/harness/browser.ts';
import { unique } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { leftFor } from '../../../../tests/harness/mail.ts';

const inside = await startInside();
const { newNamespace, newMailbox, send } = inside.client;
const browser = await openBrowser();

for (const [width, theme] of looks([
  [390, 'dark'],
  [1280, 'light'],
  [390, 'light'],
  [1280, 'dark'],
] as const)) {
  test(`an owner makes a rule, and the address that it forwards to confirms: ${width} px, ${theme}`, async () => {
    const home = await newNamespace();
    await inside.store.namespaces.claim(home.id, inside.now());
    const ada = `${unique('ada')}@example.com`;
    const box = await newMailbox(home, {
      local_part: 'box',
      rules: [
        {
          id: 'newsletters',
          if: { from: ['*@news.example.com'], verified: true },
          then: { label: ['read-later'], answer: false, done: true },
        },
        { id: 'urgent', if: { subject: ['urgent', 'dringend'], has: 'attachment' }, then: { review: true } },
      ],
    });
    for (const subject of [
      'Invoice 7',
      'Lunch?',
      'Your invoice for a very long year, with all that belongs to it and more',
    ])
      await send(home.key, { to: box.address, body: 'Hello', subject });
    const tab = await browser.open(`${inside.url}/console`, { width, theme, touch: width === 390 });
    const { page } = tab;
    await page.locator('[name=key]').fill(home.key);
    await page.locator('[name=key]').press('Enter');
    await page.goto(`${inside.url}/console/addresses/box?tab=checks`);
    await page.getByRole('link', { name: 'Add a rule' }).click();
    await page.getByLabel('Name').fill('invoices');
    await page.getByLabel('Subject has').fill('invoice');
    await page.getByLabel('Label it').fill('money');
    await page.getByLabel('Forward it to').fill(ada);
    await page.getByRole('button', { name: 'Try on the last 100 messages' }).click();
    await page.getByText('It applies to 2 of the last 3 messages.').waitFor();
    await assertPage(page, `console-rule`, theme);
    await page.getByLabel('Label it').fill('spam');
    await page.getByRole('button', { name: 'Save the rule' }).click();
    await page.getByRole('link', { name: /set by the service alone/ }).waitFor();
    await assertPage(page, `console-rule-wrong`, theme);
    await page.getByLabel('Label it').fill('money');
    await page.getByRole('button', { name: 'Save the rule' }).click();
    await page.getByText('has not confirmed yet').waitFor();
    await assertPage(page, `console-rules`, theme);
    await page.getByRole('button', { name: 'Up invoices' }).click();
    await page.getByText('Moved.').waitFor();
    const [mail] = await leftFor(inside.outbox, ada);
    const [link = ''] = /http\S+\/forwarding\/\S+/.exec(mail?.text ?? '') ?? [];
    await page.goto(link);
    await assertPage(page, `forwarding`, theme);
    await page.getByRole('button', { name: 'Forward them to me' }).click();
    await page.getByRole('heading', { name: 'Messages are forwarded' }).waitFor();
    await assertPage(page, `forwarding-confirmed`, theme);
    await page.goto(`${inside.url}/console/rules/box`);
    assert.equal(await page.getByText('has not confirmed yet').count(), 0);
    assert.deepEqual(await page.locator('.rules b').allTextContents(), ['newsletters', 'invoices', 'urgent']);
    assert.deepEqual(tab.wrongs, []);
    await page.context().close();
  });
}
