// Other programs: Chromium.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertAccessible, assertFits, keepPicture, openBrowser } from '../../../../tests/harness/browser.ts';
import { connect, unique } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import { LONG_ONLY } from '../../../../tests/soak/length.ts';

const service = await sharedService();
const { api, all } = connect(service.url);
const browser = await openBrowser();

for (const scripts of [true, false]) {
  describe(`the minute from the first page to a shared one, scripts ${scripts ? 'on' : 'off'}`, () => {
    test(
      'a stranger makes an address that others can write to, and gets its key once',
      scripts ? {} : LONG_ONLY,
      async () => {
        const name = unique('ada');
        const { page, wrongs } = await browser.open(service.url, { scripts });
        await page.getByLabel('Name after the @').fill(name);
        await page.getByRole('button', { name: 'Make it' }).click();
        await page.getByRole('heading', { name: 'How should' }).waitFor();
        await page.getByLabel('Name', { exact: true }).fill('Ada Okafor');
        await page.getByLabel('Introduction', { exact: true }).fill('I am Ada, a structural engineer in Lagos.');
        if (scripts) {
          // The preview uses what was typed.
          await page.getByRole('button', { name: 'Who are you?' }).click();
          await page.locator('.answer').getByText('I am Ada, a structural engineer in Lagos.').waitFor();
          await keepPicture(page, 'new-behavior');
        }
        await page.getByRole('button', { name: 'Make the address' }).click();
        await page.getByRole('heading', { name: 'is ready.' }).waitFor();
        if (scripts) await assertAccessible(page, 'done');
        if (scripts) await keepPicture(page, 'new-done');
        // A visitor who has not saved the key is asked before leaving the page.
        if (scripts) await page.getByRole('button', { name: 'Copy', exact: true }).click();
        if (scripts) await page.getByRole('button', { name: 'Copied' }).waitFor();
        const key = /mr_live_[0-9A-Za-z]{46}/.exec((await page.locator('main').textContent()) ?? '')?.[0];
        assert.ok(key !== undefined);
        const me = await api<{ namespace: { name: string } }>('GET', '/me', { key });
        assert.equal(me.status, 200);
        await page.getByRole('link', { name: 'Open it' }).click();
        await page.getByRole('heading', { name: `hello@${name}.mailroom.localhost` }).waitFor();
        assert.equal((await page.content()).includes(key), false);
        // Another person, on a phone.
        const other = await browser.open(page.url(), { scripts, width: 390, touch: true });
        await other.page.getByLabel('Your message').fill('Who is this?');
        await other.page.getByRole('button', { name: 'Send' }).click();
        await other.page.locator('.answer').getByText('I am Ada, a structural engineer in Lagos.').waitFor();
        const received = await all<{ body: string }>(`/mailboxes/hello@${name}.mailroom.localhost/messages`, key);
        assert.deepEqual(
          received.map(({ body }) => body),
          ['Who is this?'],
        );
        assert.deepEqual([...wrongs, ...other.wrongs], []);
        await other.page.context().close();
        await page.context().close();
      },
    );
  });
}

test('a name is free or taken as it is typed', async () => {
  const { page } = await browser.open(`${service.url}/new`);
  const name = page.getByLabel('Name after the @');
  await name.fill('agents');
  await page.getByText('“agents” is taken.').first().waitFor();
  const free = unique('free');
  await name.fill(free);
  await page.getByText(`${free} is free.`).first().waitFor();
  await page.context().close();
});

test('what was to fix is gone when it is mended, and each sentence stands at its field', async () => {
  const { page } = await browser.open(`${service.url}/new?name=agents&local=a..b`);
  await page.getByText('Two things to fix').waitFor();
  assert.match(await page.title(), /^Error: /);
  const free = unique('free');
  await page.getByLabel('Name after the @').fill(free);
  await page.locator('.field', { hasText: 'Name after the @' }).getByText(`${free} is free.`).waitFor();
  await page.getByText('One thing to fix').waitFor();
  const local = page.locator('.field', { hasText: 'Before the @' });
  await local.getByText('cannot have two dots in a row').waitFor();
  await page.getByLabel('Before the @').fill('a.b');
  await page.locator('#summary').waitFor({ state: 'detached' });
  assert.doesNotMatch(await page.title(), /^Error/);
  assert.equal(await page.locator('[aria-invalid]').count(), 0);
  await page.getByLabel('Before the @').fill('-a');
  await local.getByText('must start and end with').waitFor();
  assert.equal(await page.getByLabel('Before the @').getAttribute('aria-invalid'), 'true');
  await page.context().close();
});

test('the preview names what is missing, and what is mended is gone from what was to fix', async () => {
  const name = 'n'.repeat(50) + unique('x');
  const { page } = await browser.open(`${service.url}/new?name=${name}&local=hello`, { width: 390, touch: true });
  const card = page.locator('[data-preview]');
  await card.getByText('No answer yet.').waitFor();
  await card.getByRole('button', { name: 'Send' }).click();
  await page.locator('#summary').getByText('Name: Write a name or an introduction.').waitFor();
  const field = page.getByLabel('Name', { exact: true }).first();
  await field.fill('أدا 🍎');
  await field.blur();
  await card.getByText('أدا 🍎').first().waitFor();
  await page.locator('#summary').waitFor({ state: 'detached' });
  assert.equal(await page.locator('[aria-invalid]').count(), 0);
  assert.doesNotMatch(await page.title(), /^Error/);
  // An answer to earlier settings is removed.
  await field.fill('');
  await field.blur();
  await card.getByText('No answer yet.').waitFor();
  await field.fill('أدا 🍎');
  await field.blur();
  await page.getByRole('button', { name: 'Make the address' }).click();
  await page.getByRole('heading', { name: 'Your owner key' }).waitFor();
  await assertFits(page, 'made, 390');
  await page.context().close();
});

test('the page with the key asks before it is left, until the key is kept', async () => {
  const { page, wrongs } = await browser.open(`${service.url}/new?name=${unique('own')}&local=hello`);
  await page.getByLabel('Name', { exact: true }).fill('Ada');
  await page.getByRole('button', { name: 'Make the address' }).click();
  await page.getByRole('heading', { name: 'Your owner key' }).click();
  await page.getByRole('link', { name: 'Open it' }).click();
  await page.getByRole('heading', { name: 'Your owner key' }).waitFor();
  assert.equal(wrongs.length, 1);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  await download;
  await page.getByRole('link', { name: 'Open it' }).click();
  await page.getByRole('heading', { name: 'hello@own' }).waitFor();
  assert.equal(wrongs.length, 1);
  await page.context().close();
});

test('a step back from an address that was made says that it is there, and an error only to others', async () => {
  const name = unique('own');
  const { page, wrongs } = await browser.open(`${service.url}/new?name=${name}&local=hello`, { width: 390 });
  await page.getByLabel('Name', { exact: true }).fill('Ada');
  await page.getByRole('button', { name: 'Make the address' }).click();
  await page.getByRole('button', { name: 'Download' }).click();
  await page.goBack();
  await page.getByText(`hello@${name} is ready.`).waitFor();
  assert.equal(await page.title(), 'Make your own address · Mailroom');
  assert.equal(await page.locator('.error, [aria-invalid], #summary').count(), 0);
  await page.getByRole('link', { name: 'Open it' }).click();
  await page.getByRole('heading', { name: `hello@${name}` }).waitFor();
  // The browser reports the answer 422 to the step back.
  assert.ok(wrongs.length <= 1, wrongs.join(' '));
  await page.context().close();
  const other = await browser.open(`${service.url}/new?name=${name}&local=hello`);
  await other.page.getByText('One thing to fix').waitFor();
  await other.page.context().close();
});

test('over the limit of addresses a guest waits, counted down, or goes on with work', async () => {
  const limited = await serveInside({
    env: { RATE_LIMITS: 'on', LIMIT_NAMESPACES_PER_HOUR: '1', CHALLENGE_COST: '4' },
  });
  for (const [turn, name] of [unique('one'), unique('two')].entries()) {
    const { page, wrongs } = await browser.open(`${limited.url}/new?name=${name}&local=hello`);
    await page.getByLabel('Name', { exact: true }).fill('Ada');
    await page.getByRole('button', { name: 'Make the address' }).click();
    if (turn === 1) {
      await page.getByText(/^Next address in \d+ min\.$/).waitFor();
      await page.getByRole('button', { name: /^Make the address in \d+ min$/ }).waitFor();
      await assertAccessible(page, 'limit');
      await keepPicture(page, 'new-limit');
      await page.getByRole('button', { name: 'Continue now' }).click();
    }
    await page.getByRole('heading', { name: 'is ready.' }).waitFor();
    assert.deepEqual(wrongs, []);
    await page.context().close();
  }
});

test('from the page that shows the key one click opens the console', async () => {
  const { page, wrongs } = await browser.open(`${service.url}/new?name=${unique('own')}&local=hello`);
  await page.getByLabel('Name', { exact: true }).fill('Ada');
  await page.getByRole('button', { name: 'Make the address' }).click();
  await page.getByRole('button', { name: 'Open the console' }).click();
  await page.getByText('No messages yet').first().waitFor();
  assert.deepEqual(wrongs, []);
  await page.context().close();
});
