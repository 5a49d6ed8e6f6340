// Other programs: Chromium.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFits, assertPage, keepPicture, looks, openBrowser } from '../../../../tests/harness/browser.ts';
import { connect } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';

const service = await serveInside({ env: { RATE_LIMITS: 'off' } });
const { newNamespace, newMailbox, newKey, send, read, change, api } = connect(service.url);
const browser = await openBrowser();
const other = await newNamespace();

for (const [width, theme] of looks([
  [1280, 'light'],
  [390, 'dark'],
] as const)) {
  test(`a thread is taken over, answered with files by a person the sender sees writing, and handed back, at ${width} in ${theme}`, async () => {
    const home = await newNamespace();
    const { address } = await newMailbox(home, { local_part: 'desk' });
    const mara = await newKey(home, { scopes: ['owner'], name: 'Mara' });
    const { page, wrongs } = await browser.open(`${service.url}/console`, { width, theme });
    await page.fill('[name=key]', mara.secret);
    await page.press('[name=key]', 'Enter');
    await page.waitForSelector('[data-live].online');

    const guest = await browser.open(`${service.url}/${address}`, { width, theme });
    await guest.page.fill('#body', 'Hello, who are you?');
    await guest.page.click('[data-send]');
    await guest.page.getByText('I write programs.').last().waitFor();

    await page.goto(`${service.url}/console?status=all`);
    await page.locator('[data-rows] a').first().click();
    await page.getByRole('button', { name: 'Take over' }).click();
    await page.getByText('People answer this conversation').waitFor();
    await assertPage(page, `taken-${width}`, theme);
    await assertFits(page, `taken-${width}`);
    await keepPicture(page, `taken-${width}-${theme}`);

    await guest.page.fill('#body', 'Is a person there?');
    await guest.page.click('[data-send]');
    await guest.page.getByText('Waiting for an answer').waitFor();
    const message = page.locator('[data-writing]');
    await message.waitFor();
    await page.locator('[data-answer-body]').pressSequentially('Yes, **Mara** here.');
    await guest.page.getByText('Mara is writing').waitFor();
    await keepPicture(guest.page, `writing-${width}-${theme}`);
    await page.getByText('Kept as a draft').first().waitFor();
    await page.setInputFiles('[data-answer-files]', {
      name: 'plan.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('blue'),
    });
    await page.getByText('plan.txt, 4 bytes').waitFor();
    await page.reload();
    assert.equal(await page.inputValue('[data-answer-body]'), 'Yes, **Mara** here.');
    await page.getByText('plan.txt, 4 bytes').waitFor();
    await assertPage(page, `composer-${width}`, theme);
    await assertFits(page, `composer-${width}`);
    await keepPicture(page, `composer-${width}-${theme}`);
    await page.focus('[data-answer-body]');
    await page.keyboard.press('Control+Enter');
    await page.locator('strong', { hasText: 'Mara' }).waitFor();
    await page.getByRole('link', { name: 'plan.txt' }).waitFor();
    await guest.page.locator('strong', { hasText: 'Mara' }).waitFor();
    assert.equal(await page.inputValue('[data-answer-body]'), '', 'nothing is left of the draft');
    const drafts = await api<{ items: unknown[] }>('GET', '/mail/drafts', { key: home.key });
    assert.deepEqual(drafts.body.items, []);

    await page.getByRole('button', { name: 'Hand back' }).click();
    await page.getByRole('button', { name: 'Take over' }).waitFor();
    await guest.page.fill('#body', 'And now?');
    await guest.page.click('[data-send]');
    await guest.page.getByText('I write programs.').nth(1).waitFor();
    assert.deepEqual([wrongs, guest.wrongs], [[], []]);
  });
}

test('another owner of the console sees who is writing, until they stop', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home, { behavior: { name: 'agent' } });
  const { id } = (await send(other.key, { to: address, body: 'Which rooms are free?' })).body;
  const windows = [];
  for (const name of ['Mara', 'Noor']) {
    const { secret } = await newKey(home, { scopes: ['owner'], name });
    const { page } = await browser.open(`${service.url}/console`, { width: 1280, theme: 'light' });
    await page.fill('[name=key]', secret);
    await page.press('[name=key]', 'Enter');
    await page.waitForSelector('[data-live].online');
    await page.goto(`${service.url}/console?message=${id}`);
    await page.waitForSelector('[data-live].online', { state: 'attached' });
    windows.push(page);
  }
  const [mara, noor] = windows as [(typeof windows)[0], (typeof windows)[0]];
  await mara.locator('[data-answer-body]').pressSequentially('The blue one');
  await noor.getByText('Mara is writing').waitFor();
  assert.equal(await mara.getByText('Mara is writing').count(), 0);
  await noor.getByText('Mara is writing').waitFor({ state: 'detached' });
  assert.equal((await read(other.key, id)).body.status, 'submitted');
});

test('a conversation that is open on a phone shows what is written in it, and keeps what is typed', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home, { behavior: { name: 'agent', settings: { by_hand: true } } });
  const { id, thread_id } = (await send(other.key, { to: address, body: 'Which rooms are free?' })).body;
  const { page, wrongs } = await browser.open(`${service.url}/console`, { width: 390, theme: 'light', touch: true });
  await page.fill('[name=key]', home.key);
  await page.press('[name=key]', 'Enter');
  await page.locator(`[data-row="${id}"] a`).tap();
  await page.fill('[data-answer-body]', 'The blue');
  await send(other.key, { to: address, body: 'And on Monday?', thread_id });
  await page.locator('.message', { hasText: 'And on Monday?' }).waitFor();
  assert.equal(
    (await api('POST', `/mail/messages/${id}/answer`, { key: home.key, body: { body: 'Green.' } })).status,
    200,
  );
  await page.locator('.answer', { hasText: 'Green.' }).waitFor();
  // Another message waits now, but what was begun is not dropped for it.
  assert.equal(await page.inputValue('[data-answer-body]'), 'The blue');
  await page.getByText('Kept as a draft').first().waitFor();
  await page.reload();
  assert.equal(await page.inputValue('[data-answer-body]'), 'The blue');
  await page.getByRole('button', { name: 'Send as a further reply' }).tap();
  await page.locator('.answer', { hasText: 'The blue' }).waitFor();
  assert.equal((await read(other.key, id)).body.replies_count, 2);
  await page.getByRole('link', { name: 'Back to the inbox' }).tap();
  await page.waitForURL(/\/console(\?|$)/);
  assert.deepEqual(wrongs, []);
});

test('the page of an address shows without a reload that its program connects and that its owner pauses it', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home, { behavior: { name: 'agent' } });
  const { page, wrongs } = await browser.open(`${service.url}/${address}`, { width: 1280, theme: 'light' });
  await page.getByText('No program is connected').waitFor();
  assert.equal((await api('POST', `/mailboxes/${address}/claim`, { key: home.key, body: { wait: 0 } })).status, 200);
  await page.locator('[data-presence] .online').waitFor();
  await page.getByText('No program is connected').waitFor({ state: 'detached' });
  await change(home.key, address, { status: 'paused' });
  await page.locator('[data-presence] .paused').waitFor();
  await page.getByText('is paused by its owner').waitFor();
  assert.deepEqual(wrongs, []);
});

test('the page of an address shows further replies, and an answer that comes late, without a reload and once', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home, { behavior: { name: 'agent' } });
  const { page, wrongs } = await browser.open(`${service.url}/${address}`, { width: 390, theme: 'dark' });
  await page.fill('#body', 'Is the room free?');
  await page.click('[data-send]');
  await page.getByText('Your message is waiting').first().waitFor();
  const { items } = (await api<{ items: { id: string }[] }>('GET', `/mailboxes/${address}/messages`, { key: home.key }))
    .body;
  const answer = async (body: string): Promise<void> => {
    const answered = await api('POST', `/mail/messages/${items[0]?.id}/answer`, { key: home.key, body: { body } });
    assert.equal(answered.status, 200, answered.text);
    await page.locator('.answer', { hasText: body }).waitFor();
  };
  await page.fill('#body', 'Begun meanwhile');
  await answer('It is free.');
  await answer('It costs 40.');
  assert.equal(await page.locator('[data-turns] .answer').count(), 2);
  assert.equal(await page.inputValue('#body'), 'Begun meanwhile');
  await page.reload();
  await page.locator('.answer', { hasText: 'It costs 40.' }).waitFor();
  await answer('Bring a key.');
  assert.equal(await page.locator('[data-turns] .answer').count(), 3);
  assert.deepEqual(wrongs, []);
});

test('beside a conversation stands who the sender is, and one click blocks them, another undoes it', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home, { local_part: 'desk' });
  const first = await send(other.key, { to: address, body: 'The first question', sync: true });
  const second = await send(other.key, { to: address, body: 'The second question', sync: true });
  const { page, wrongs } = await browser.open(`${service.url}/console`, { width: 1500, theme: 'light' });
  await page.fill('[name=key]', home.key);
  await page.press('[name=key]', 'Enter');
  await page.waitForSelector('[data-live].online');
  await page.goto(`${service.url}/console?message=${second.body.id}`);
  const panel = page.locator('[data-sender]');
  await panel.getByText(`Verified: sent with a key of the namespace ${other.name}.`).waitFor();
  await panel.getByRole('link', { name: 'The first question' }).waitFor();
  await assertPage(page, 'sender', 'light');
  await keepPicture(page, 'sender-1500-light');
  await panel.getByRole('button', { name: 'Block' }).click();
  await page.getByText('Blocked.').waitFor();
  assert.equal((await send(other.key, { to: address, body: 'A third' })).status, 403);
  // Where there is little room the rest of it is folded, but not that.
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.reload();
  await page.getByText('Blocked.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.locator('[data-sender] summary').click();
  await page.locator('[data-sender]').getByRole('button', { name: 'Block' }).waitFor();
  assert.equal((await send(other.key, { to: address, body: 'A third' })).status, 202);
  await page.getByRole('link', { name: 'The first question' }).last().click();
  await page.waitForURL((url) => url.searchParams.get('message') === first.body.id);
  assert.deepEqual(wrongs, []);
});
