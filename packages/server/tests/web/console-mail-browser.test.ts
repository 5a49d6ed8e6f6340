// Other programs: Chromium.
// Long form of: console-write.test.ts, console-labels.test.ts, console-pages-browser.test.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertPage, type Look, looks, openBrowser, type Tab } from '../../../../tests/harness/browser.ts';
import { connect, HELLO, type Home, unique } from '../../../../tests/harness/client.ts';
import { sharedService } from '../../../../tests/harness/service.ts';

const service = await sharedService();
const { api, newNamespace, newMailbox, send, read } = connect(service.url);
const browser = await openBrowser();

async function signedIn(home: Home, look: Look = {}): Promise<Tab> {
  const tab = await browser.open(`${service.url}/console`, look);
  await tab.page.locator('[name=key]').fill(home.key);
  await tab.page.keyboard.press('Enter');
  await tab.page.getByRole('searchbox').first().waitFor();
  return tab;
}

test('a message that is opened without a reload is no longer unread, in the list and for the API', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home, { local_part: 'hello', behavior: HELLO });
  const [one, two] = [unique('one'), unique('two')];
  const first = await send(home.key, { to: address, body: one, sync: true });
  await send(home.key, { to: address, body: two, sync: true });
  const tab = await signedIn(home);
  const { page } = tab;
  await page.goto(`${service.url}/console?status=all`);
  const unread = page.getByRole('link', { name: /^Unread: / });
  assert.equal(await unread.count(), 2);
  await page.getByRole('link', { name: new RegExp(one) }).click();
  await page.getByRole('heading', { name: one }).waitFor();
  await unread.filter({ hasText: one }).waitFor({ state: 'detached' });
  assert.equal(await unread.count(), 1);
  // What arrives in the conversation is shown and so read, and a label that is being typed stays.
  await page.getByLabel('New label').fill('half-ty');
  const next = unique('next');
  const { thread_id } = first.body;
  const shown = await send(home.key, { to: address, body: next, thread_id, sync: true });
  await page.getByRole('log').getByText(next).waitFor();
  await unread.filter({ hasText: next }).waitFor({ state: 'detached' });
  assert.deepEqual((await read(home.key, shown.body.id)).body.labels, []);
  assert.equal(await page.getByLabel('New label').inputValue(), 'half-ty');
  // What arrives elsewhere is unread.
  const three = unique('three');
  const { body } = await send(home.key, { to: address, body: three, sync: true });
  await unread.filter({ hasText: three }).waitFor();
  assert.deepEqual((await read(home.key, body.id)).body.labels, ['unread']);
  await page.getByLabel('New label').press('Enter');
  await page.getByRole('button', { name: 'Remove the label half-ty' }).waitFor();
  await page.getByLabel('More', { exact: true }).click();
  await page.getByRole('button', { name: 'Mark as unread' }).last().click();
  await unread.filter({ hasText: one }).waitFor();
  assert.deepEqual(tab.wrongs, []);
  await page.context().close();
});

test('a time to send at is filled in and shown in the reader’s own zone', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home, { local_part: 'hello', behavior: HELLO });
  const tab = await signedIn(home, { fresh: true });
  const { page } = tab;
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Tokyo' });
  await page.goto(`${service.url}/console/write`);
  await page.getByLabel('To', { exact: true }).fill(address);
  await page.getByLabel('Message', { exact: true }).fill('Happy new year.');
  await page.getByText('Send later').click();
  assert.equal(await page.getByLabel('Time zone').inputValue(), 'Asia/Tokyo');
  const year = new Date(Date.now() + 60 * 86_400_000).getFullYear();
  const day = `${year}-${new Date(Date.now() + 60 * 86_400_000).toISOString().slice(5, 10)}`;
  await page.getByLabel('Date and time').fill(`${day}T09:00`);
  await page.getByRole('button', { name: 'Send at this time' }).click();
  await page.getByText('It is sent at its time.').waitFor();
  assert.equal(await page.locator('time[data-when=zoned]').getAttribute('datetime'), `${day}T00:00:00.000Z`);
  await page.getByText(/09:00 GMT\+9/).waitFor();
  await page.getByRole('link', { name: /^Edit/ }).click();
  assert.equal(await page.getByLabel('Date and time').inputValue(), `${day}T09:00`);
  await page.getByLabel('Message', { exact: true }).press('Control+Enter');
  await page.getByRole('heading', { name: 'Happy new year.' }).waitFor();
  assert.deepEqual(tab.wrongs, []);
  await page.context().close();
});

for (const [width, theme] of looks([
  [1280, 'light'],
  [390, 'dark'],
] as const)) {
  test(`writing, drafts, labels and filters are accessible and fit: ${width} px, ${theme}`, async () => {
    const home = await newNamespace();
    const { address } = await newMailbox(home, { local_part: 'hello', behavior: HELLO });
    const attachments = [{ filename: `${'a-very-long-name'.repeat(8)}.txt`, content: 'YQ==' }];
    const { body } = await send(home.key, { to: address, subject: 'Files', body: 'See.', attachments, sync: true });
    const tab = await signedIn(home, { width, theme, touch: width === 390 });
    const { page } = tab;
    const go = (path: string) => page.goto(`${service.url}/console${path}`);
    const look = (name: string) => assertPage(page, `console-mail-${name}`, theme);
    await go('?direction=all&has=attachment');
    await page.locator('summary', { hasText: 'Filter' }).click();
    await look('filter');
    await go(`?message=${body.id}`);
    for (const label of ['a'.repeat(50), 'invoices/paid']) {
      await page.getByLabel('New label').fill(label);
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('button', { name: `Remove the label ${label}` }).waitFor();
    }
    await look('labels');
    await page.getByLabel('New label').fill('No spaces, please');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('A label consists of').waitFor();
    await look('label-error');
    await go('/write');
    await page.getByText('Send later').click();
    await look('write');
    await page
      .getByLabel('Files')
      .setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('a') });
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('heading', { name: 'Two things to fix' }).waitFor();
    await page.getByLabel('notes.txt, 1 byte').waitFor();
    await look('write-error');
    await page.getByLabel('To', { exact: true }).fill(address);
    await page.getByLabel('Message', { exact: true }).fill('With a file.');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('The draft is saved.').waitFor();
    await page.locator('summary', { hasText: 'Delete' }).click();
    await look('drafts');
    await page.getByRole('button', { name: /^Send now/ }).click();
    await page.getByRole('heading', { name: 'With a file.' }).waitFor();
    assert.deepEqual(tab.wrongs, []);
    await page.context().close();
  });
}

test('a message is kept as it is typed, with its files, shown as Markdown, and sent as it is in the end', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home, { local_part: 'hello', behavior: HELLO });
  const tab = await signedIn(home);
  const { page } = tab;
  await page.goto(`${service.url}/console/write`);
  // An address that is not complete keeps nothing else from being kept.
  await page.getByLabel('To', { exact: true }).fill('hello@');
  await page.getByLabel('Message', { exact: true }).fill('One **bold** word');
  await page.getByText('Kept as a draft').waitFor();
  const drop = async (on: string): Promise<void> => {
    const dataTransfer = await page.evaluateHandle(`(() => {
      const all = new DataTransfer();
      all.items.add(new File(['a'], 'notes.txt', { type: 'text/plain' }));
      return all;
    })()`);
    await page.getByLabel(on, { exact: true }).dispatchEvent('drop', { dataTransfer });
  };
  // Wherever on the form they are dropped, and pasted into the text too.
  await drop('Message');
  await page.getByLabel(/^notes\.txt/).waitFor();
  await page.evaluate(`(() => {
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File(['a'], 'picture.png', { type: 'image/png' }));
    const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    document.querySelector('[data-body]').dispatchEvent(paste);
  })()`);
  await page.getByLabel(/^picture\.png/).waitFor();
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('region', { name: 'Preview' }).locator('strong', { hasText: 'bold' }).waitFor();
  await assertPage(page, 'console-mail-preview', 'light');
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.goto(`${service.url}/console/drafts`);
  await page.getByRole('link', { name: /^Edit/ }).click();
  assert.equal(await page.getByLabel('Message', { exact: true }).inputValue(), 'One **bold** word');
  await page.getByLabel('To', { exact: true }).fill(address);
  await page.getByLabel('Message', { exact: true }).fill('The last words');
  await page.getByLabel('Message', { exact: true }).press('Control+Enter');
  await page.getByRole('heading', { name: 'The last words' }).waitFor();
  await page.getByRole('link', { name: 'notes.txt' }).waitFor();
  await page.goto(`${service.url}/console/drafts`);
  await page.getByRole('heading', { name: 'No drafts' }).waitFor();
  // One that is scheduled is kept by its buttons alone, and takes files as well.
  const { body: later } = await api<{ id: string }>('POST', '/mail/drafts', {
    key: home.key,
    body: { to: address, body: 'Later', send_at: new Date(Date.now() + 86_400_000).toISOString() },
  });
  await page.goto(`${service.url}/console/write?draft=${later.id}`);
  for (const name of ['Message', 'Subject']) await drop(name);
  assert.equal(await page.evaluate(`document.querySelector('[name=files]').files.length`), 2);
  await page.getByRole('button', { name: 'Send at this time' }).click();
  await page.getByText('2 files').waitFor();
  assert.deepEqual(tab.wrongs, []);
  await page.context().close();
});

test('without scripts a phone leads to writing, and back to what was sent', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home, { local_part: 'hello', behavior: HELLO });
  const { page } = await signedIn(home, { width: 390, touch: true, scripts: false });
  const bar = page.getByRole('navigation', { name: 'Console, short' });
  await page.getByRole('link', { name: 'Write', exact: true }).tap();
  await page.getByLabel('To', { exact: true }).fill(address);
  await page.getByLabel('Subject').fill('By hand');
  await page.getByLabel('Message', { exact: true }).fill('Hello.');
  await page.getByRole('button', { name: 'Send', exact: true }).tap();
  await page.getByRole('heading', { name: 'By hand' }).waitFor();
  await page.getByRole('link', { name: 'Back to the inbox' }).tap();
  await bar.getByRole('link', { name: 'More' }).tap();
  await page.getByRole('link', { name: 'Drafts', exact: true }).tap();
  await page.getByRole('heading', { name: 'No drafts' }).waitFor();
  await page.context().close();
});
