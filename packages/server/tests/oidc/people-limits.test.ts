import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unique } from '../../../../tests/harness/client.ts';
import { openPeopleService } from '../../../../tests/harness/people-service.ts';
import { Person } from '../../../../tests/harness/person.ts';

const HOUR = 3_600_000;
const SIGN_IN = '/account/sign-in';
const newPerson = (): string => `${unique('p')}@example.com`;

test('an address is sent so many codes an hour: with one more the page says when to go on, and the last code works', async () => {
  const threads = await openPeopleService({ RATE_LIMITS: 'on', LIMIT_CODES_PER_HOUR: '2' });
  const address = newPerson();
  const [own, other] = [new Person(threads.url), new Person(threads.url)];
  await other.send(await other.get(SIGN_IN), ['do', 'code'], { address });
  await threads.outbox.code(address);
  const codePage = await own.send(await own.get(SIGN_IN), ['do', 'code'], { address });
  const { code } = await threads.outbox.code(address);
  for (const [person, page] of [
    [own, codePage],
    [other, await other.get(SIGN_IN)],
  ] as const) {
    const refused = await person.send(page, ['do', 'code'], { address });
    assert.equal(refused.status, 429);
    assert.match(refused.html, /2 codes for an address an hour are allowed\. Try again in \d+ s\./);
    assert.ok(refused.html.includes('The last code sent to you still works in the browser that asked for it.'));
    assert.ok(refused.html.includes(`value="${address}"`), 'what was typed stays');
    assert.ok(refused.html.includes('<title>Error: Sign in'));
    const wait = Number(refused.headers.get('retry-after'));
    assert.ok(wait > 0 && wait <= 3600, `${wait}`);
  }
  // Another person is not limited by it.
  const third = await own.send(await own.get(SIGN_IN), ['do', 'code'], { address: newPerson() });
  assert.equal(third.status, 200);
  assert.equal((await own.send(codePage, ['do', 'verify'], { code })).at, '/account');
  threads.pass(HOUR);
  const later = await other.send(await other.get(SIGN_IN), ['do', 'code'], { address });
  assert.ok(later.at.startsWith(`${SIGN_IN}/code?`), later.html);
});

test('a network asks for so many codes an hour, whatever the address; what an address refused is not counted', async () => {
  const limits = { LIMIT_CODES_PER_HOUR: '1', LIMIT_CODES_ASKED_PER_HOUR: '2' };
  const threads = await openPeopleService({ RATE_LIMITS: 'on', ...limits });
  const person = new Person(threads.url);
  const ask = async (address: string) => person.send(await person.get(SIGN_IN), ['do', 'code'], { address });
  const address = newPerson();
  assert.equal((await ask(address)).status, 200);
  for (let at = 0; at < 5; at++) {
    const { status, html } = await ask(address);
    assert.equal(status, 429);
    assert.ok(html.includes('codes for an address an hour are allowed.'), html);
  }
  assert.equal((await ask(newPerson())).status, 200);
  const refused = await ask(newPerson());
  assert.equal(refused.status, 429);
  assert.ok(refused.html.includes('2 codes an hour are allowed.'));
});
