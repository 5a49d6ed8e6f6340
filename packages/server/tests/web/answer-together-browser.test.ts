// Other programs: Chromium.
// Long form of: answer-together.test.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertFits,
  assertPage,
  keepPicture,
  type Look,
  looks,
  openBrowser,
  type Tab,
} from '../../../../tests/harness/browser.ts';
import { connect, type Home } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';

const service = await serveInside({ env: { RATE_LIMITS: 'off' } });
const { newNamespace, newMailbox, newKey, send, api, read } = connect(service.url);
const browser = await openBrowser();
const other = await newNamespace();

const SHOWN = 'Are the revised drawings of the footbridge with you? Lena needs the loads by Tuesday.';

/** A tab of an owner who has the message open. */
async function open(name: string, home: Home, id: string, look: Look = {}): Promise<Tab> {
  const { secret } = await newKey(home, { scopes: ['owner'], name });
  const tab = await browser.open(`${service.url}/console`, look);
  await tab.page.fill('[name=key]', secret);
  await tab.page.press('[name=key]', 'Enter');
  await tab.page.waitForSelector('[data-live].online');
  await tab.page.goto(`${service.url}/console?message=${id}`);
  await tab.page.waitForSelector('[data-live].online', { state: 'attached' });
  return tab;
}

for (const [width, theme] of looks([
  [1280, 'light'],
  [390, 'dark'],
  [1280, 'dark'],
  [390, 'light'],
] as const)) {
  test(`two owners who answer one message see each other writing, and the second chooses, at ${width} in ${theme}`, async () => {
    const home = await newNamespace();
    const { address } = await newMailbox(home, { local_part: 'desk', behavior: { name: 'agent' } });
    const { id } = (await send(other.key, { to: address, subject: 'Footbridge', body: SHOWN })).body;
    const [first, second] = [
      await open('Mara', home, id, { width, theme }),
      await open('Noor', home, id, { width, theme }),
    ];
    const [mara, noor] = [first.page, second.page];
    const text = '[data-answer-body]';
    // Both write at the same time.
    await mara.locator(text).pressSequentially('Dear Jonas, the loads are');
    await noor.locator(text).pressSequentially('Hello Jonas, revision C');
    await mara.locator(text).pressSequentially(' ready.');
    await noor.getByText('Mara is writing').waitFor();
    await mara.getByText('Noor is writing').waitFor();
    assert.equal(await noor.getByText('Noor is writing').count(), 0);
    await keepPicture(noor, `both-writing-${width}-${theme}`);
    await mara.keyboard.press('Control+Enter');
    const bar = noor.locator('[data-meanwhile]');
    await bar.getByText(/Mara answered at \d\d:\d\d, while you were writing\./).waitFor();
    await bar.getByText('Dear Jonas, the loads are ready.').waitFor();
    await noor.getByText('Mara is writing').waitFor({ state: 'detached' });
    assert.equal(await noor.inputValue(text), 'Hello Jonas, revision C');
    assert.equal(await noor.evaluate('document.activeElement.id'), 'answer-body');
    await assertPage(noor, `meanwhile-${width}`, theme);
    await assertFits(noor, `meanwhile-${width}`);
    await keepPicture(noor, `meanwhile-${width}-${theme}`);
    // Neither the keys nor another change of the conversation sends it.
    await noor.focus(text);
    await noor.keyboard.press('Control+Enter');
    await noor.locator(text).pressSequentially(' is with us.');
    await noor.getByText('Kept as a draft').first().waitFor();
    const more = await api('POST', `/mail/messages/${id}/answer`, { key: home.key, body: { body: 'One more.' } });
    assert.equal(more.status, 200);
    await bar.getByText('The last of 2 new answers.').waitFor();
    assert.equal((await read(other.key, id)).body.replies_count, 2);
    await noor.reload();
    await bar.getByText('The last of 2 new answers.').waitFor();
    assert.equal(await noor.inputValue(text), 'Hello Jonas, revision C is with us.');
    await bar.getByRole('button', { name: 'Send as a further reply' }).click();
    await noor.locator('.answer', { hasText: 'Hello Jonas, revision C is with us.' }).waitFor();
    assert.equal((await read(other.key, id)).body.replies_count, 3);
    assert.equal(await bar.count(), 0);
    assert.equal(await noor.inputValue(text), '');
    assert.deepEqual([first.wrongs, second.wrongs], [[], []]);
    for (const page of [mara, noor]) await page.context().close();
  });
}

test('who begins to write while the page is read again for another answer sees it, and chooses', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home, { local_part: 'desk', behavior: { name: 'agent' } });
  const { id } = (await send(other.key, { to: address, subject: 'Footbridge', body: SHOWN })).body;
  const { page } = await open('Noor', home, id);
  const [asked, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(
    /\/console\/messages\//,
    async (route) => {
      const response = await route.fetch();
      asked.resolve();
      await letGo.promise;
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  await api('POST', `/mail/messages/${id}/answer`, { key: home.key, body: { body: 'The loads are ready.' } });
  await asked.promise;
  await page.fill('[data-answer-body]', 'Hello Jonas');
  letGo.resolve();
  await page.locator('[data-meanwhile]').getByText('The loads are ready.').waitFor();
  await page.focus('[data-answer-body]');
  await page.keyboard.press('Control+Enter');
  assert.equal(await page.inputValue('[data-answer-body]'), 'Hello Jonas');
  assert.equal((await read(other.key, id)).body.replies_count, 1);
  await page.context().close();
});
