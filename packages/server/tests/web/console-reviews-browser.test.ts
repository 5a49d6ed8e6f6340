// Other programs: Chromium.
// Long form of: console-reviews.test.ts, keyboard-browser.test.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertPage, looks, openBrowser } from '../../../../tests/harness/browser.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { until } from '../../../../tests/harness/until.ts';

const inside = await startInside();
const { newNamespace, newMailbox, newKey, send } = inside.client;
const browser = await openBrowser();

const QUOTE = `Dear Lena,

the footbridge with a deck of 2.4 m costs 18,400 euros, valid until 20 December. The wind check is in the price.

The invoice goes to DE89 3704 0044 0532 0130 00.

Kind regards
quotes`;

for (const [width, theme] of looks([
  [1280, 'light'],
  [390, 'dark'],
  [390, 'light'],
  [1280, 'dark'],
] as const)) {
  test(`an owner reads, edits, rejects and approves what waits, by keys alone: ${width} px, ${theme}`, async () => {
    const home = await newNamespace();
    const other = await newNamespace();
    const hello = { behavior: { name: 'hello', settings: {} } };
    const [lena, site] = [await newMailbox(other, hello), await newMailbox(other, hello)];
    const quotes = await newMailbox(home, { local_part: 'quotes', outgoing: { review: 'always' } });
    const news = await newMailbox(home, { local_part: 'news', outgoing: { review: 'always' } });
    const { secret } = await newKey(home, { scopes: ['mail:send', 'messages:read'] });
    const to = [lena.address, site.address];
    const quote = await send(secret, {
      from: quotes.address,
      to,
      subject: 'Quote Q-1190: footbridge, 12 m span',
      body: QUOTE,
    });
    await send(secret, { from: quotes.address, to: lena.address, subject: 'Quote Q-1189', body: 'As agreed.' });
    await send(secret, { from: news.address, to: lena.address, subject: 'Holiday closure', body: 'We are closed.' });
    const asks = await newMailbox(home, {
      local_part: 'sums',
      behavior: { name: 'do', settings: { approval: ['calculate'] } },
    });
    await send(home.key, { to: asks.address, body: 'What is 12 * 12?', sync: true });

    const tab = await browser.open(`${inside.url}/console`, { width, theme, touch: width === 390 });
    const { page } = tab;
    await page.locator('[name=key]').fill(home.key);
    await page.locator('[name=key]').press('Enter');
    await page.locator(width === 390 ? '.bar a' : '.side .tabs a', { hasText: 'To approve' }).click();
    await page.getByRole('heading', { name: /^To approve/, level: 2 }).waitFor();
    assert.match(await page.title(), /^\(4\) To approve · /);
    await assertPage(page, 'console-reviews', theme);
    await page.keyboard.press('j');
    const first = page.getByRole('heading', { name: 'quotes wants to send this' });
    await first.waitFor();
    await page.locator('mark', { hasText: 'DE89 3704' }).waitFor();
    if (width === 1280) {
      const [list, pane] = [await page.locator('.list').boundingBox(), await page.locator('.desk-pane').boundingBox()];
      assert.ok(list !== null && pane !== null && pane.x >= list.x + list.width, 'what is open stands beside the list');
    }
    await assertPage(page, 'console-review', theme);
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Reject, with a reason').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await page.keyboard.press('i');
    await page.getByLabel('Text').fill(QUOTE.replace('18,400', '19,650'));
    await page.getByRole('button', { name: 'See the changes' }).click();
    await page.locator('ins', { hasText: '19,650' }).waitFor();
    await assertPage(page, 'console-review-edit', theme);
    await page.getByRole('button', { name: 'Save this text' }).click();
    await page.getByText('You changed this text last').waitFor();
    await assertPage(page, 'console-review-changed', theme);

    await page.keyboard.press('j');
    await page.getByText('As agreed.').waitFor();
    await page.keyboard.press('n');
    await page.keyboard.type('Not before Monday');
    await page.keyboard.press('Enter');
    await page.getByText('Rejected. It does not leave.').waitFor();

    await page.goto(`${inside.url}/console/reviews`);
    await page.locator('.review-rows a', { hasText: 'Holiday closure' }).click();
    await page.getByText('We are closed.').waitFor();
    await page.keyboard.press('y');
    await page.getByText('Approved. It leaves now.').waitFor();
    await page.goto(`${inside.url}/console/reviews?all=quotes`);
    await assertPage(page, 'console-reviews-all', theme);
    await page.goto(`${inside.url}/console/reviews`);
    await page.locator('.review-rows a', { hasText: '12 * 12' }).click();
    await page.getByRole('heading', { name: 'Waiting for your approval' }).waitFor();
    await assertPage(page, 'console-review-plan', theme);
    await page.goto(`${inside.url}/console?message=${quote.body.id}`);
    await page.getByRole('link', { name: 'Read it and decide' }).waitFor();
    await assertPage(page, 'console-review-turn', theme);
    await page.goto(`${inside.url}/console/outgoing/quotes`);
    await page.getByRole('radio', { name: /^Everything waits/, checked: true }).waitFor();
    await assertPage(page, 'console-outgoing', theme);
    assert.deepEqual(tab.wrongs, []);
    await page.context().close();
  });
}

for (const [width, theme] of looks([
  [1280, 'light'],
  [390, 'dark'],
] as const)) {
  test(`an open page says within a second that another changed or decided it, and what is typed stays: ${width} px, ${theme}`, async () => {
    const home = await newNamespace();
    const other = await newNamespace();
    const lena = await newMailbox(other, { behavior: { name: 'hello', settings: {} } });
    const hello = {
      behavior: { name: 'hello', settings: { introduction: 'I am Ada.' } },
      outgoing: { review: 'always' },
    };
    const quotes = await newMailbox(home, { ...hello, local_part: 'quotes' });
    const { secret } = await newKey(home, { scopes: ['mail:send', 'messages:read'] });
    const second = await newKey(home, { scopes: ['mail:review'] });
    for (const body of ['The price is 5.', 'The price is 6.'])
      await send(secret, { from: quotes.address, to: lena.address, subject: body, body });
    await send(other.key, { to: quotes.address, body: 'Who are you?', sync: true });
    const { items } = (
      await inside.client.api<{ items: { id: string; hash: string }[] }>('GET', '/mail/reviews', { key: home.key })
    ).body;
    const [answer, later, first] = items;
    assert.ok(answer && later && first);
    const act = (method: 'PATCH' | 'POST', path: string, body: object) =>
      inside.client.api('POST' === method ? 'POST' : 'PATCH', `/mail/reviews/${path}`, { key: second.secret, body });
    const tab = await browser.open(`${inside.url}/console`, { width, theme, touch: width === 390 });
    const { page } = tab;
    await page.locator('[name=key]').fill(home.key);
    await page.locator('[name=key]').press('Enter');
    await page.locator(width === 390 ? '.bar a' : '.side .tabs a', { hasText: 'To approve' }).click();
    await page.goto(`${inside.url}/console/reviews?open=${first.id}`);
    await page.getByRole('heading', { name: 'quotes wants to send this' }).waitFor();
    await act('PATCH', first.id, { body: 'The price is 7.' });
    await page.getByText('It was changed meanwhile').first().waitFor({ timeout: 1_500 });
    await page.getByRole('heading', { name: 'Changed since it was written' }).waitFor();
    await assertPage(page, 'console-review-meanwhile', theme);

    await page.goto(`${inside.url}/console/reviews?open=${later.id}&edit=1`);
    await page.getByLabel('Text').fill('My words.');
    await act('POST', `${later.id}/approve`, { hash: later.hash });
    await page.getByText('It was approved meanwhile').first().waitFor({ timeout: 1_500 });
    assert.equal(await page.getByLabel('Text').inputValue(), 'My words.');
    await page.locator('.list-head .n', { hasText: '2' }).waitFor({ state: 'attached' });
    await until(
      5_000,
      () => page.title(),
      (title) => title.startsWith('(2) '),
    );

    await page.goto(`${inside.url}/console/reviews?open=${answer.id}&own=1`);
    await page.getByLabel('Your answer').fill('I am Grace.');
    await assertPage(page, 'console-review-own', theme);
    await page.getByRole('button', { name: 'Send as my own' }).click();
    await page.getByText('Your answer leaves now').waitFor();
    assert.deepEqual(tab.wrongs, []);
    await page.context().close();
  });
}
