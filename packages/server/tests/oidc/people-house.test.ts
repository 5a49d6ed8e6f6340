import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unique } from '../../../../tests/harness/client.ts';
import { openPeopleService } from '../../../../tests/harness/people-service.ts';
import { Person } from '../../../../tests/harness/person.ts';

const SIGN_IN = '/account/sign-in';
const newPerson = (): string => `${unique('p')}@example.com`;

test('over https every cookie is of this host alone, is sent over https alone, and is read under no other name', async () => {
  const threads = await openPeopleService({ BASE_URL: 'https://mail.example' });
  const address = newPerson();
  const person = new Person(threads.url);
  const asked = await person.send(await person.get(SIGN_IN), ['do', 'code'], { address });
  const { code, link } = await threads.outbox.code(address);
  assert.equal(link.origin, 'https://mail.example');
  const account = await person.send(asked, ['do', 'verify'], { code });
  assert.equal(account.at, '/account');
  assert.deepEqual([...person.cookies.keys()].toSorted(), ['__Host-mr_account', '__Host-mr_browser']);
  for (const cookie of person.setCookies) {
    assert.match(cookie, /^__Host-mr_(account|browser)=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  }
  assert.match(account.headers.get('strict-transport-security') ?? '', /^max-age=/);
  const plain = new Person(threads.url);
  for (const [name, value] of person.cookies) plain.cookies.set(name.replace('__Host-', ''), value);
  assert.equal((await plain.get('/account')).at, SIGN_IN);
  const out = await person.send(account, ['do', 'out']);
  assert.ok(out.html.includes('You are signed out.'));
  assert.match(
    person.setCookies.at(-1) ?? '',
    /^__Host-mr_account=; Max-Age=0; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
});

test('where the house has no auth address, the page of the account says so; who is signed in stays, as do other issuers', async () => {
  const threads = await openPeopleService();
  const address = newPerson();
  const person = new Person(threads.url);
  const page = await person.send(await person.get(SIGN_IN), ['do', 'code'], { address });
  await person.send(page, ['do', 'verify'], { code: (await threads.outbox.code(address)).code });
  const mailbox = await threads.store.mailboxes.byAddress('auth', 'agents');
  await threads.store.mailboxes.delete(mailbox?.id as string, Date.now());
  // Look-ups are cached for a second.
  threads.pass(2_000);
  const stranger = new Person(threads.url);
  for (const path of ['/account', SIGN_IN, `${SIGN_IN}?other=1&note=again`, `${SIGN_IN}/code?attempt=x`]) {
    const page = await stranger.get(path);
    assert.equal(page.status, 404, path);
    assert.match(page.html, /<h1>This sign-in cannot continue\.<\/h1>/);
    assert.ok(page.html.includes('Signing in to an account is not possible here: codes come from auth@agents'), path);
    assert.ok(!page.html.includes('<form'), path);
  }
  const again = await person.send(page, ['do', 'verify'], { code: 'CDFH-3479' });
  assert.equal(again.status, 404);
  assert.equal((await person.get('/account')).at, '/account');
});
