import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { DAY, HOUR, MINUTE } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { startDns } from '../../../../tests/harness/dns.ts';
import { newFolder, removeFolder } from '../../../../tests/harness/service.ts';
import { readConfig } from '../../config.ts';
import { Directory } from '../../core/access/directory.ts';
import { DomainRegistry } from '../../core/access/domain-registry.ts';
import type { Domain } from '../../core/entities/domain.ts';
import { signingKeys } from '../../core/entities/domain-key.ts';
import { dnsResolver } from '../../mail/writing/dns.ts';
import { ownerDomainDns } from '../../mail/writing/owner-domain.ts';
import { openStore } from '../../store/open.ts';
import { freshName, T, type World, world } from '../store/made.ts';

const folder = newFolder();
const dns = await startDns();
let now = T;
const store = await openStore(`sqlite:${join(folder, 'db')}`, { clock: () => now, onFailure: assert.fail });
after(async () => {
  await store[Symbol.asyncDispose]();
  await dns[Symbol.asyncDispose]();
  removeFolder(folder);
});

const config = readConfig({ DNS_SERVERS: dns.address, MAIL_DOMAIN: 'rooms.example.net' });
const published: string[] = [];
const directory = new Directory(store, () => now);
const answers = ownerDomainDns({
  mailDomain: config.MAIL_DOMAIN,
  host: 'mx.example.net',
  resolve: dnsResolver(config.DNS_SERVERS),
});
const house: World = await world(store);
await store.namespaces.claim(house.namespace.id, T);
const registry = new DomainRegistry(
  {
    store,
    directory,
    baseUrl: () => 'http://localhost',
    clock: () => now,
    dns: answers,
    publishEvents: (id) => void published.push(id),
    registry: { namespace: async (name) => (await store.namespaces.byName(name)) ?? assert.fail(name) },
  },
  { mailDomain: config.MAIL_DOMAIN },
);
const caller = { kind: 'key', key: house.key, network: '' } as const;
const name = house.namespace.name;

const add = async (): Promise<Domain> => {
  dns.zone = {};
  return (await registry.add(caller, name, `${freshName()}.example.com`)).domain;
};
const seen = (domain: Domain): Promise<Domain> => registry.get(caller, name, domain.domain);
const publish = (domain: Domain): void => {
  dns.zone = { [`_mailroom.${domain.domain}`]: { TXT: [answers.proofOf(domain)] } };
};
const verified = async (): Promise<Domain> => {
  const domain = await add();
  publish(domain);
  const { status } = await registry.verify(caller, name, domain.domain);
  assert.equal(status, 'verified');
  return domain;
};
/** Checks what is due at the time of the next check of a domain; gives the domain as it is then. */
const next = async (domain: Domain): Promise<Domain> => {
  now = (await seen(domain)).check_at ?? assert.fail('It is not checked any more.');
  await registry.checkDue();
  return seen(domain);
};
const types = async (): Promise<string[]> =>
  (await store.events.page({ namespace_id: house.namespace.id }, null, 1000)).items
    .filter((event) => 'domain' in event)
    .map((event) => `${event.type} ${'domain' in event ? event.domain.id : ''}`);

test('new keys sign from the check that finds them all, and the former ones are gone after a week', async () => {
  const domain = await verified();
  const signing = async (): Promise<string> =>
    signingKeys((await seen(domain)).keys)
      .map(({ selector }) => selector)
      .join(' ');
  const publishAll = (of: Domain): void => {
    dns.zone = Object.fromEntries(
      answers
        .records(of)
        .filter(({ about }) => about === 'verification' || about === 'dkim')
        .map(({ name: at, value }) => [at, { TXT: [value] }]),
    );
  };
  publishAll(await seen(domain));
  const [first, second] = ['mailroom-rsa mailroom-ed25519', 'mailroom-rsa-2 mailroom-ed25519-2'];
  await registry.rotate(caller, name, domain.domain);
  assert.equal((await seen(domain)).check_at, now + MINUTE);
  assert.equal((await next(domain)).check_at, now + HOUR);
  assert.equal(await signing(), first);
  publishAll(await seen(domain));
  assert.equal((await next(domain)).check_at, now + DAY);
  assert.equal(await signing(), second);
  // Records of keys that sign may be lost; those before sign again while they are kept.
  const all = dns.zone;
  publishAll({ ...(await seen(domain)), keys: domain.keys });
  await next(domain);
  assert.equal(await signing(), first);
  dns.zone = all;
  await next(domain);
  const since = now;
  while (now - since < 7 * DAY) {
    assert.equal((await seen(domain)).keys.length, 4);
    await next(domain);
  }
  assert.deepEqual(
    (await seen(domain)).keys.map(({ selector }) => selector),
    second.split(' '),
  );
  assert.equal(await signing(), second);
  // The new ones, those before, the new ones again; dropping those before changes nothing.
  const changed = `domain.keys_changed ${domain.id}`;
  assert.equal((await types()).filter((type) => type === changed).length, 3);
});

test('a new domain is looked up ever less often, verified when it is there, and given up after three weeks', async () => {
  const domain = await add();
  const pauses: number[] = [];
  let createdAt = domain.created_at;
  let found = await seen(domain);
  while (found.status === 'pending') {
    pauses.push(((found.check_at ?? 0) - createdAt) / MINUTE);
    createdAt = found.check_at ?? 0;
    found = await next(domain);
  }
  assert.deepEqual(pauses.slice(0, 8), [1, 5, 15, 60, 180, 360, 720, 720]);
  assert.ok(createdAt - domain.created_at >= 21 * DAY && createdAt - domain.created_at < 22 * DAY);
  assert.ok(pauses.length < 60);
  assert.deepEqual([found.status, found.check_at], ['failed', null]);
  assert.match(found.error ?? '', /Given up after three weeks\. DNS has no TXT record/);
  assert.ok((await types()).includes(`domain.failed ${domain.id}`));
  publish(domain);
  await registry.checkDue();
  assert.equal((await seen(domain)).status, 'failed');
  assert.equal((await registry.verify(caller, name, domain.domain)).status, 'verified');
  assert.equal((await directory.domain(domain.domain))?.namespace, name);
});

test('a domain that is published meanwhile is verified by itself, and looked up each day', async () => {
  const domain = await add();
  publish(domain);
  const found = await next(domain);
  assert.deepEqual([found.status, (found.check_at ?? 0) - now, found.misses], ['verified', DAY, 0]);
  assert.equal((await next(domain)).status, 'verified');
  assert.equal((await types()).filter((one) => one === `domain.verified ${domain.id}`).length, 1);
  assert.ok(published.includes(house.namespace.id));
});

test('a domain whose record is gone stays for a week of checks, then fails, and is no address any more', async () => {
  const domain = await verified();
  dns.zone = {};
  const first = await next(domain);
  const since = now;
  assert.deepEqual([first.status, first.failing_since], ['verified', since]);
  assert.match(first.error ?? '', /DNS has no TXT record/);
  let found = first;
  while (found.status === 'verified') {
    assert.equal((await directory.domain(domain.domain))?.namespace, name);
    found = await next(domain);
  }
  assert.ok(now - since >= 7 * DAY && now - since < 7 * DAY + 7 * HOUR);
  assert.deepEqual([found.status, found.verified_at], ['failed', null]);
  assert.equal(await directory.domain(domain.domain), undefined);
});

test('a record that is back in time ends the grace', async () => {
  const domain = await verified();
  dns.zone = {};
  for (let times = 0; times < 5; times++) await next(domain);
  publish(domain);
  const found = await next(domain);
  assert.deepEqual([found.status, found.failing_since, found.error, found.misses], ['verified', null, null, 0]);
});

test('name servers that do not answer take no verified domain away, however long', async () => {
  const domain = await verified();
  dns.zone = { [`_mailroom.${domain.domain}`]: 'SERVFAIL' };
  let found = await next(domain);
  for (let times = 0; times < 40; times++) found = await next(domain);
  assert.deepEqual([found.status, found.failing_since], ['verified', null]);
  assert.match(found.error ?? '', /DNS did not answer/);
});

test('a domain that another namespace has is refused, and taken once the other record is gone', async () => {
  const domain = await verified();
  const other = await world(store);
  const theirs: Domain = { ...domain, id: domain.id.replace(/.{4}$/, '0000'), namespace_id: other.namespace.id };
  assert.equal(
    await store.domains.create({ ...theirs, status: 'pending', token: 'theirs', check_at: now }, 20),
    'created',
  );
  const proofs = [answers.proofOf(domain), answers.proofOf({ token: 'theirs' })];
  dns.zone = { [`_mailroom.${domain.domain}`]: { TXT: proofs } };
  await registry.checkDue();
  const waits = await store.domains.find(other.namespace.id, domain.domain);
  assert.deepEqual([waits?.status, (await seen(domain)).status], ['pending', 'verified']);
  assert.match(waits?.error ?? '', /another namespace/);
  dns.zone = { [`_mailroom.${domain.domain}`]: { TXT: proofs.slice(1) } };
  now = waits?.check_at ?? 0;
  await registry.checkDue();
  assert.equal((await store.domains.find(other.namespace.id, domain.domain))?.status, 'verified');
  assert.equal((await seen(domain)).status, 'failed');
  assert.equal((await directory.domain(domain.domain))?.namespace, other.namespace.name);
  dns.zone = { [`_mailroom.${domain.domain}`]: { TXT: proofs } };
  await assert.rejects(
    registry.verify(caller, name, domain.domain),
    (error) => error instanceof AppError && error.code === 'domain_taken',
  );
});
