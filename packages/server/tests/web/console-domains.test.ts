// Other programs: Chromium.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertPage, looks, openBrowser } from '../../../../tests/harness/browser.ts';
import { unique } from '../../../../tests/harness/client.ts';
import { openConsole, type Visitor } from '../../../../tests/harness/console.ts';
import { startDns } from '../../../../tests/harness/dns.ts';
import { addDomain, claimFor, domainsPath, published } from '../../../../tests/harness/domains.ts';
import type { DomainView } from '../../core/entities/domain.ts';

const dns = await startDns();
const service = await openConsole({ DNS_SERVERS: dns.address });
after(() => dns[Symbol.asyncDispose]());
const { client, store, visitor } = service;
const person = await client.newMailbox(await client.newNamespace());
const browser = await openBrowser();

async function signedIn() {
  const home = await client.newNamespace();
  const who = visitor();
  assert.equal((await who.signIn(home.key)).status, 303);
  return { home, who };
}
/** Posts a form, and follows it to its page. */
async function act(who: Visitor, path: string, fields: Record<string, string>): Promise<string> {
  const done = await who.post(path, { ...fields, csrf: await who.token() });
  assert.equal(done.status, 303, done.html);
  return (await who.get(done.to)).html;
}

test('an owner adds a domain, copies its records, looks them up, and removes it', async () => {
  const { home, who } = await signedIn();
  assert.match((await who.get('/console/domains')).html, /has no owner who can sign in/);
  await claimFor(home, person.id, store);
  const domain = `${unique('mail')}.example.com`;
  const refused = await who.post('/console/domains', { domain: 'co.uk', csrf: await who.token() });
  assert.equal(refused.status, 422);
  assert.match(refused.html, /anyone can register/);
  assert.match(refused.html, /value="co\.uk"/);
  const added = await act(who, '/console/domains', { do: 'add', domain });
  const { body } = await client.api<DomainView>('GET', `${domainsPath(home)}/${domain}`, { key: home.key });
  for (const { name, value } of body.records) for (const text of [name, value]) assert.ok(added.includes(`>${text}<`));
  assert.match(added, /It waits to be verified/);
  assert.match(await act(who, `/console/domains/${domain}`, { do: 'verify' }), /DNS has no TXT record/);
  dns.zone = published(body);
  assert.match(await act(who, `/console/domains/${domain}`, { do: 'verify' }), /It is verified/);
  const rotated = await act(who, `/console/domains/${domain}`, { do: 'rotate' });
  assert.match(rotated, /New keys wait for their records/);
  assert.match(rotated, />mailroom-rsa-2\._domainkey\./);
  const list = (await who.get('/console/domains')).html;
  assert.match(list, new RegExp(`${domain}</b> <span class="tag answered">Verified`));
  assert.doesNotMatch(await act(who, `/console/domains/${domain}`, { do: 'remove' }), new RegExp(domain));
  assert.equal((await who.get(`/console/domains/${domain}`)).status, 404);
});

test('a domain that another namespace has says so', async () => {
  const { home, who } = await signedIn();
  const other = await client.newNamespace();
  for (const one of [home, other]) await claimFor(one, person.id, store);
  const domain = `${unique('mail')}.example.com`;
  const [ours, theirs] = [await addDomain(client, home, domain), await addDomain(client, other, domain)];
  dns.zone = published(ours, theirs);
  await client.api('POST', `${domainsPath(other)}/${domain}/verify`, { key: other.key });
  const taken = await who.post(`/console/domains/${domain}`, { do: 'verify', csrf: await who.token() });
  assert.equal(taken.status, 422);
  assert.match(taken.html, /verified in another namespace/);
});

for (const [width, theme] of looks([
  [390, 'dark'],
  [1280, 'light'],
] as const)) {
  test(`the pages of domains are accessible and fit: ${width} px`, async () => {
    const { home } = await signedIn();
    const empty = await browser.open(`${service.url}/console/domains`, { width, theme, touch: width === 390 });
    const { page, wrongs } = empty;
    await page.goto(`${service.url}/console`);
    await page.locator('[name=key]').fill(home.key);
    await page.keyboard.press('Enter');
    await page.locator('#side').waitFor({ state: 'attached' });
    await page.goto(`${service.url}/console/domains`);
    await assertPage(page, `console-domains-unclaimed-${width}`, theme);
    await claimFor(home, person.id, store);
    const domain = `${unique('a-domain-with-a-rather-long-name')}.mail.example.com`;
    const added = await addDomain(client, home, domain);
    await page.goto(`${service.url}/console/domains`);
    await assertPage(page, `console-domains-${width}`, theme);
    dns.zone = { [`_mailroom.${domain}`]: { TXT: ['mailroom-verification=another'] } };
    await page.goto(`${service.url}/console/domains/${domain}`);
    await page.getByRole('button', { name: 'Look up now' }).click();
    await page.getByText('has another value').first().waitFor();
    await assertPage(page, `console-domain-wrong-${width}`, theme);
    dns.zone = published(added);
    await page.getByRole('button', { name: 'Look up now' }).click();
    await page.getByText('It is verified.').waitFor();
    await assertPage(page, `console-domain-${width}`, theme);
    await page.goto(`${service.url}/console/domains`);
    await assertPage(page, `console-domains-${width}`, theme);
    assert.deepEqual(wrongs, []);
    await page.context().close();
  });
}
