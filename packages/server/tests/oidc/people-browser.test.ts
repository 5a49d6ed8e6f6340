// Other programs: Chromium.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertPage, type Look, looks, openBrowser, type Tab } from '../../../../tests/harness/browser.ts';
import { unique } from '../../../../tests/harness/client.ts';
import { openPeopleService } from '../../../../tests/harness/people-service.ts';

const threads = await openPeopleService();
const browser = await openBrowser();
const notes = await threads.relying('Acme Notes');
const newPerson = (): string => `${unique('p')}@example.com`;

/** A virtual authenticator that verifies its user without asking. */
async function authenticator(page: Page): Promise<{
  readonly count: () => Promise<number>;
  /** Stops simulated presence, so that a passkey offered automatically is not used. */
  readonly leave: () => Promise<unknown>;
}> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable', { enableUI: false });
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    leave: () => session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: false }),
    count: async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
  };
}

const open = (path: string, look: Look = {}): Promise<Tab> => browser.open(threads.url + path, look);

async function typeAddress(page: Page, address: string): Promise<void> {
  await page.getByLabel('Your address').fill(address);
  await page.getByRole('button', { name: 'Send me a code' }).click();
}

async function typeCode(page: Page, address: string): Promise<void> {
  const { code } = await threads.outbox.code(address);
  await page.getByLabel('Code', { exact: true }).fill(code.toLowerCase());
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

test('first by a code, then a passkey is offered and added, the next time it opens the account, and removed it does not', async () => {
  const address = newPerson();
  const { page, wrongs } = await open('/account', { fresh: true });
  const keys = await authenticator(page);
  await typeAddress(page, address);
  await typeCode(page, address);
  await page.getByRole('heading', { name: 'Next time without a code?' }).waitFor();
  await page.getByLabel('Call it').fill('Test key');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.waitForURL('**/account');
  await page.getByText('Test key').first().waitFor();
  assert.equal(await keys.count(), 1);
  await page.getByRole('button', { name: 'Sign out', exact: true }).first().click();
  // The address field offers it (conditional mediation), and this authenticator accepts.
  await page.getByText('With a passkey').waitFor();
  // One passkey is enough for one device.
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByText('This device already has a passkey for your address.').first().waitFor();
  await page.getByRole('link', { name: 'Rename' }).click();
  await page.getByLabel('New name').fill('Red key');
  await page.getByRole('button', { name: 'Save the name' }).click();
  await page.getByText('The passkey is renamed.').waitFor();
  await page.getByRole('button', { name: 'Remove Red key' }).click();
  await page.getByText('The passkey is removed').waitFor();
  await page.getByRole('button', { name: 'Sign out', exact: true }).first().click();
  await page.getByText('This passkey was removed here').waitFor();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByText('This passkey was removed here').waitFor();
  assert.deepEqual(wrongs, []);
  await page.context().close();
});

test('an offer that is declined is not made again', async () => {
  const address = newPerson();
  const { page, wrongs } = await open('/account');
  await typeAddress(page, address);
  await typeCode(page, address);
  await page.getByRole('button', { name: 'Not now' }).click();
  await page.waitForURL('**/account');
  await page.getByRole('button', { name: 'Sign out', exact: true }).first().click();
  await typeAddress(page, address);
  await typeCode(page, address);
  await page.waitForURL('**/account');
  assert.deepEqual(wrongs, []);
  await page.context().close();
});

for (const scripts of [true, false]) {
  test(`a service signs somebody in by a code, ${scripts ? 'with' : 'without'} scripts, and the next time by one press`, async () => {
    const address = newPerson();
    const first = await notes.begin();
    const { page, wrongs } = await browser.open(first.url.href, { scripts });
    await page.getByRole('heading', { name: `Sign in to ${notes.origin}` }).waitFor();
    assert.ok(await page.getByText('It calls itself Acme Notes').isVisible());
    await typeAddress(page, address);
    await typeCode(page, address);
    if (scripts) await page.getByRole('button', { name: 'Not now' }).click();
    await page.waitForURL(`${notes.redirect_uri}?**`);
    const claims = await first.finish(new URL(page.url()));
    assert.deepEqual(claims.amr, ['otp']);
    // The person is also signed in to the account, which lists the service.
    await page.goto(`${threads.url}/account`);
    await page.getByText('Acme Notes').first().waitFor();
    const again = await notes.begin({ prompt: 'consent' });
    await page.goto(again.url.href);
    await page.getByRole('button', { name: `Continue as ${address}` }).click();
    await page.waitForURL(`${notes.redirect_uri}?**`);
    assert.equal((await again.finish(new URL(page.url()))).sub, claims.sub);
    await page.goto(`${threads.url}/account`);
    await page.getByRole('button', { name: 'Revoke Acme Notes' }).first().click();
    await page.getByText('Revoked: the service must ask you again').waitFor();
    assert.deepEqual(wrongs, []);
    await page.context().close();
  });
}

test('a service is told when somebody cancels', async () => {
  const { url, finish } = await notes.begin();
  const { page, wrongs } = await browser.open(url.href);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.waitForURL(`${notes.redirect_uri}?**`);
  await assert.rejects(finish(new URL(page.url())), /access_denied|authorization/i);
  assert.deepEqual(wrongs, []);
  await page.context().close();
});

test('a service that wants to know anew is not told of whoever is signed in already', async () => {
  const address = newPerson();
  const { page } = await open('/account', { scripts: false });
  await typeAddress(page, address);
  await typeCode(page, address);
  const { url } = await notes.begin({ prompt: 'login' });
  await page.goto(url.href);
  assert.equal(await page.getByRole('button', { name: /Continue as/ }).count(), 0);
  assert.equal(await page.getByLabel('Your address').count(), 1);
  await page.context().close();
});

test("a mail scanner's browser, with scripts, spends nothing by looking, waiting and pressing what there is", async () => {
  const address = newPerson();
  const { page } = await open('/account');
  await typeAddress(page, address);
  const { code, link } = await threads.outbox.code(address);
  for (let at = 0; at < 5; at++) {
    const scanner = await browser.open(link.href);
    assert.equal(await scanner.page.locator('form, button, input').count(), 0);
    await scanner.page.evaluate('for (const form of document.forms) form.submit()');
    await scanner.page.context().close();
  }
  // In the browser that began, opening the link changes nothing either.
  const own = await page.context().newPage();
  await own.goto(link.href);
  await own.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  await own.reload();
  await page.getByLabel('Code', { exact: true }).fill(code);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Next time without a code?' }).waitFor();
  await page.context().close();
});

for (const [width, theme] of looks([
  [1280, 'light'],
  [390, 'dark'],
] as const)) {
  test(`each page of signing in is accessible, fits and keeps to its policy: ${width} px, ${theme}`, async () => {
    const look = (page: Page, name: string): Promise<void> => assertPage(page, `sign-in-${name}`, theme);
    const address = newPerson();
    const { url } = await notes.begin();
    const { page, wrongs } = await browser.open(url.href, { width, theme, touch: width < 640, fresh: true });
    const keys = await authenticator(page);
    await look(page, 'who');
    await typeAddress(page, 'nobody');
    await page.getByText('After the @').or(page.getByText('An address has')).waitFor();
    await look(page, 'who-wrong');
    await typeAddress(page, address);
    await page.getByLabel('Code', { exact: true }).waitFor();
    await look(page, 'code');
    await page.getByLabel('Code', { exact: true }).fill('CCCC-CCCC');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('This is not the code.').waitFor();
    await look(page, 'code-wrong');
    const { link } = await threads.outbox.code(address);
    const elsewhere = await browser.open(link.href, { width, theme, touch: width < 640 });
    await look(elsewhere.page, 'link-elsewhere');
    assert.deepEqual(elsewhere.wrongs, []);
    await elsewhere.page.context().close();
    await page.goto(link.href);
    await look(page, 'link');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Next time without a code?' }).waitFor();
    await look(page, 'offer');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.waitForURL(`${notes.redirect_uri}?**`);
    await page.goto((await notes.begin({ prompt: 'consent' })).url.href);
    await page.getByRole('button', { name: /Continue as/ }).waitFor();
    await look(page, 'continue');
    await page.goto(`${threads.url}/account`);
    await look(page, 'account');
    await page.getByRole('link', { name: 'Rename' }).click();
    await look(page, 'account-rename');
    await keys.leave();
    await page.goto(`${threads.url}/account/sign-in?other=1`);
    await look(page, 'own');
    await page.goto(`${threads.url}/account/sign-in/code?attempt=x`);
    await look(page, 'code-ended');
    await page.goto(`${threads.url}/oidc/agents/sign-in/nothing`);
    await page.getByText('This sign-in has ended').waitFor();
    await look(page, 'ended');
    assert.deepEqual(wrongs, []);
    await page.context().close();
  });
}

test('nobody frames a page of signing in', async () => {
  const { page } = await browser.open(notes.origin);
  for (const path of ['/account', '/account/sign-in', '/account/sign-in/code']) {
    await page.setContent(`<iframe src="${threads.url}${path}"></iframe>`);
    await page.waitForTimeout(500);
    const pages = await Promise.all(
      page
        .frames()
        .slice(1)
        .map((frame) => frame.evaluate<string>('document.body?.innerText ?? ""').catch(() => '')),
    );
    assert.ok(!pages.join('').includes('Sign in'), path);
  }
  await page.context().close();
});
