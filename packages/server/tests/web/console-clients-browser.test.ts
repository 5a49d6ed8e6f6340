// Other programs: Chromium.
// Long form of: console-clients.test.ts, console-pages-browser.test.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newAuth, newService } from '../../../../tests/harness/auth.ts';
import { assertPage, looks, openBrowser, type Tab } from '../../../../tests/harness/browser.ts';
import { connect, type Home } from '../../../../tests/harness/client.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import { LONG_ONLY } from '../../../../tests/soak/length.ts';

const service = await sharedService();
const client = connect(service.url);
const { newNamespace, api } = client;
const browser = await openBrowser();

async function signIn(home: Home, tab: Tab): Promise<void> {
  await tab.page.locator('[name=key]').fill(home.key);
  await tab.page.keyboard.press('Enter');
  await tab.page.getByRole('searchbox').first().waitFor();
}

for (const width of looks([1280, 320])) {
  test(`each page of services is accessible, fits and keeps to its policy: ${width} px`, async () => {
    const home = await newNamespace();
    const auth = await newAuth(client, home);
    const uri = 'https://a-rather-long-host-name.shop.example.com:8443/sign-in/callback/of/the/shop';
    const app = await newService(client, home, auth, { name: 'Shop', redirect_uris: [uri, `${uri}/2`] });
    await newService(client, home, auth, { name: 'Phone app', token_endpoint_auth_method: 'none' });
    await api('POST', `/mailboxes/${auth.address}/registration-tokens`, { key: home.key, body: { name: 'staging' } });
    const url = `${service.url}/console`;
    const tab = await browser.open(url, { width, touch: width === 320 });
    await signIn(home, tab);
    const { page } = tab;
    const open = async (path: string, name: string) => {
      await page.goto(`${url}${path}`);
      await assertPage(page, `services-${name}`);
    };
    await open('/addresses/auth', 'address');
    await open('/services/auth', 'allowed-none');
    const fields = { issuer: home.name, client_id: app.id };
    await api('POST', `/mailboxes/${auth.address}/services`, { key: home.key, body: fields });
    await open('/services/auth', 'allowed');
    await open('/clients/auth', 'list');
    await open(`/clients/auth?edit=${app.id}`, 'one');
    await open('/clients/auth?edit=', 'new');
    await page.getByLabel('Redirect URIs').fill('http://shop.example/cb');
    await page.getByRole('button', { name: 'Add the app' }).click();
    await page.getByRole('heading', { name: 'One thing to fix' }).waitFor();
    await assertPage(page, 'services-wrong');
    await page.getByLabel('Name', { exact: true }).fill('Another shop');
    await page.getByLabel('Redirect URIs').fill('https://shop.example/cb');
    await page.getByRole('button', { name: 'Add the app' }).click();
    await page.getByRole('heading', { name: 'ready to use' }).waitFor();
    await assertPage(page, 'services-made');
    await page.goto(`${url}/clients/auth`);
    await page.getByRole('button', { name: 'Make a registration token' }).click();
    await page.getByRole('heading', { name: 'valid until' }).waitFor();
    await assertPage(page, 'services-token');
    assert.deepEqual(tab.wrongs, []);
    await page.context().close();
  });
}

test('without scripts an app is added, changed and removed', LONG_ONLY, async () => {
  const home = await newNamespace();
  await newAuth(client, home);
  const tab = await browser.open(`${service.url}/console`, { scripts: false });
  await signIn(home, tab);
  const { page } = tab;
  await page.goto(`${service.url}/console/clients/auth`);
  await page.getByRole('link', { name: 'Add an app' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Shop');
  await page.getByLabel('Redirect URIs').fill('https://shop.example/cb');
  await page.getByRole('button', { name: 'Add the app' }).click();
  await page.getByText(/^mr_client_/).waitFor();
  await page.getByRole('link', { name: 'I have copied it' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Other shop');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Saved.').waitFor();
  await page.getByText('Remove Other shop…').click();
  await page.getByRole('button', { name: 'Remove it for good' }).click();
  await page.getByText('The app is removed.').waitFor();
  assert.deepEqual(tab.wrongs, []);
  await page.context().close();
});
