import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Home, unique } from '../../../../tests/harness/client.ts';
import { startDns } from '../../../../tests/harness/dns.ts';
import {
  addDomain,
  claimFor,
  domainsPath,
  published,
  verifiedDomain,
  verifyDomain,
} from '../../../../tests/harness/domains.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import type { Page, Problem } from '../../../../tests/harness/wire.ts';
import type { DomainView } from '../../core/entities/domain.ts';

const MAIL_DOMAIN = 'mail.rooms.example.net';
const dns = await startDns();
const { client, store } = await startInside({
  env: { DNS_SERVERS: dns.address, MAIL_DOMAIN, BASE_URL: 'https://rooms.example.net' },
});
after(() => dns[Symbol.asyncDispose]());
const other = await client.newNamespace();
const person = await client.newMailbox(other);
const newHome = async (): Promise<Home> => {
  const home = await client.newNamespace();
  await claimFor(home, person.id, store);
  return home;
};
const home = await newHome();
const newDomain = (): string => `${unique('mail')}.example.com`;
const add = (of: Home, domain: unknown, key = of.key) =>
  client.api<DomainView & Pick<Problem, 'code' | 'detail' | 'errors'>>('POST', domainsPath(of), {
    key,
    body: { domain },
  });

test('a new domain has the records to publish, each with its name, type, value, purpose and status', async () => {
  const domain = newDomain();
  const { status, headers, body } = await add(home, ` ${domain.toUpperCase()}. `);
  assert.equal(status, 201);
  assert.equal(headers.get('location'), `/api/v1${domainsPath(home)}/${domain}`);
  assert.deepEqual([body.domain, body.namespace, body.status], [domain, home.name, 'pending']);
  const seen = body.records.map(({ about, name, type, value }) => `${about} ${type} ${name} ${value.slice(0, 24)}`);
  const [, proof = ''] = /verification=(\w{32})$/.exec(body.records[0]?.value ?? '') ?? [];
  assert.equal(proof.length, 32);
  assert.deepEqual(seen, [
    `verification TXT _mailroom.${domain} mailroom-verification=${proof.slice(0, 2)}`,
    `mx MX ${domain} 10 rooms.example.net`,
    `spf TXT ${domain} v=spf1 include:mail.room`,
    `dkim TXT mailroom-rsa._domainkey.${domain} v=DKIM1; k=rsa; p=MIIBIj`,
    `dkim TXT mailroom-ed25519._domainkey.${domain} ${body.records[4]?.value.slice(0, 24)}`,
    `dmarc TXT _dmarc.${domain} v=DMARC1; p=reject; adki`,
  ]);
  assert.match(body.records[4]?.value ?? '', /^v=DKIM1; k=ed25519; p=.{44}$/);
  for (const record of body.records) {
    assert.ok(record.purpose.length > 20, record.about);
    assert.deepEqual([record.status, record.error, record.found], ['pending', null, []]);
  }
  const shown = await client.api('GET', `${domainsPath(home)}/${domain}`, { key: home.key });
  assert.deepEqual(shown.body, body);
  const again = await add(home, domain);
  assert.deepEqual([again.status, again.body], [200, body]);
  assert.doesNotMatch(JSON.stringify(body), /PRIVATE KEY/);
});

test('new signing keys wait for their records, and no others are made meanwhile', async () => {
  const domain = newDomain();
  const verified = await verifiedDomain(client, home, domain, dns);
  const rotate = (of: Home) => client.api<DomainView>('POST', `${domainsPath(of)}/${domain}/rotate`, { key: of.key });
  const { status, body } = await rotate(home);
  assert.equal(status, 200);
  const keysOf = ({ keys }: DomainView) => keys.map((key) => `${key.selector} ${key.status}`);
  assert.deepEqual(keysOf(verified), ['mailroom-rsa signing', 'mailroom-ed25519 signing']);
  const waiting = ['mailroom-rsa-2 waiting', 'mailroom-ed25519-2 waiting'];
  assert.deepEqual(keysOf(body), [...waiting, ...keysOf(verified)]);
  const added = body.records.filter(({ name }) => !verified.records.some((record) => record.name === name));
  assert.deepEqual(
    added.map(({ name, status: state }) => `${name} ${state}`),
    [`mailroom-rsa-2._domainkey.${domain} pending`, `mailroom-ed25519-2._domainkey.${domain} pending`],
  );
  for (const { purpose } of added) assert.match(purpose, /signs once DNS has/);
  assert.deepEqual((await rotate(home)).body, body);
  // One of the two is not enough.
  dns.zone = published({ ...body, records: body.records.filter(({ name }) => !name.startsWith('mailroom-ed25519-2')) });
  assert.deepEqual(keysOf((await verifyDomain(client, home, domain)).body), keysOf(body));
  dns.zone = published(body);
  const signing = ['mailroom-rsa-2 signing', 'mailroom-ed25519-2 signing'];
  const replaced = ['mailroom-rsa replaced', 'mailroom-ed25519 replaced'];
  assert.deepEqual(keysOf((await verifyDomain(client, home, domain)).body), [...signing, ...replaced]);
  const third = await rotate(home);
  assert.equal(third.body.keys[0]?.selector, 'mailroom-rsa-3');
  assert.equal((await rotate(await newHome())).status, 404);
  const { secret: limited } = await client.newKey(home, { scopes: ['mailboxes:write'] });
  assert.equal((await client.api('POST', `${domainsPath(home)}/${domain}/rotate`, { key: limited })).status, 403);
});

test('a name that can be no domain of an owner is refused with what is wrong', async () => {
  const refused: readonly (readonly [string, RegExp])[] = [
    ['localhost', /not in the public DNS/],
    ['a.localhost', /not in the public DNS/],
    ['printer.local', /not in the public DNS/],
    ['1.0.0.127.in-addr.arpa', /not in the public DNS/],
    ['example', /single label/],
    ['com', /single label/],
    ['co.uk', /anyone can register/],
    ['github.io', /anyone can register/],
    [MAIL_DOMAIN, /belong to this service/],
    [`${MAIL_DOMAIN}.`, /belong to this service/],
    [`acme.${MAIL_DOMAIN}`, /belong to this service/],
    ['rooms.example.net', /is above/],
    ['example.net', /is above/],
    ['EXAMPLE.net', /is above/],
    ['192.0.2.1', /IP address/],
    ['0x7f.1', /IP address/],
    ['[2001:db8::1]', /Give the domain alone/],
    ['2001:db8::1', /IP address/],
    ['１２７.0.0.1', /IP address/],
    ['https://example.com', /Give the domain alone/],
    ['example.com:25', /Give the domain alone/],
    ['example.com/x', /Give the domain alone/],
    ['hello@example.com', /the part after @/],
    ['a..example.com', /no domain name/],
    ['-a.example.com', /no domain name/],
    ['a_b.example.com', /no domain name/],
    ['*.example.com', /no domain name/],
    ['xn--a.example.com', /no domain name/],
    ['ab--c.example.com', /no domain name/],
    ['a\u200d.example.com', /no domain name/],
    [`${'a'.repeat(64)}.example.com`, /no domain name/],
    [`${'a.'.repeat(90)}example.com`, /at most 180/],
    [' ', /no domain name/],
  ];
  for (const [domain, why] of refused) {
    const { status, body } = await add(home, domain);
    assert.deepEqual([status, body.code, body.errors?.[0]?.pointer], [422, 'validation_error', '/domain'], domain);
    assert.match(body.errors?.[0]?.message ?? '', why, domain);
  }
  for (const domain of ['', 'a'.repeat(500), 7, null])
    assert.equal((await add(home, domain)).status, 422, String(domain));
  for (const [typed, domain] of [
    ['Bücher.example.com', 'xn--bcher-kva.example.com'],
    ['東京.example.com', 'xn--1lqs71d.example.com'],
    ['shop.foo.co.uk', 'shop.foo.co.uk'],
    ['rooms.example.network', 'rooms.example.network'],
  ])
    assert.equal((await add(home, typed)).body.domain, domain);
});

test('only an owner key of a claimed namespace adds and verifies, and only its keys see a domain', async () => {
  const domain = newDomain();
  await addDomain(client, home, domain);
  const { secret } = await client.newKey(home, { scopes: ['mailboxes:write', 'keys:write', 'webhooks:write'] });
  const expiring = await client.newKey(home, {
    scopes: ['owner'],
    expires_at: new Date(Date.now() + 86_400_000).toISOString(),
  });
  const path = `${domainsPath(home)}/${domain}`;
  const calls = [
    ['POST', domainsPath(home), { domain: newDomain() }],
    ['GET', domainsPath(home)],
    ['GET', path],
    ['POST', `${path}/verify`],
    ['DELETE', path],
  ] as const;
  for (const [method, to, body] of calls) {
    const as = (key: string | undefined) => client.api<Problem>(method, to, { key, ...(body && { body }) });
    assert.equal((await as(undefined)).status, 401);
    assert.deepEqual((await as(secret)).body.code, 'insufficient_scope');
    assert.deepEqual((await as(other.key)).body.code, 'access_denied');
    if (method === 'POST') assert.deepEqual((await as(expiring.secret)).body.code, 'access_denied');
  }
  const unclaimed = await client.newNamespace();
  const { status, body } = await add(unclaimed, newDomain());
  assert.deepEqual([status, body.code], [403, 'access_denied']);
  assert.match(body.detail, /no verified owner/);
  assert.equal((await client.api('GET', domainsPath(unclaimed), { key: unclaimed.key })).status, 200);
  const missing = await client.api<Problem>('GET', `${domainsPath(home)}/none.example.com`, { key: home.key });
  assert.deepEqual([missing.status, missing.body.code], [404, 'not_found']);
});

test('a namespace has at most 20 domains, listed in pages in the order they were added', async () => {
  const owner = await newHome();
  const names = Array.from({ length: 20 }, newDomain);
  for (const name of names) await addDomain(client, owner, name);
  const full = await add(owner, newDomain());
  assert.deepEqual([full.status, full.body.errors?.[0]?.pointer], [422, '/domain']);
  assert.match(full.body.detail, /at most 20/);
  const all = await client.all<DomainView>(`${domainsPath(owner)}?limit=7`, owner.key);
  assert.deepEqual(
    all.map(({ domain }) => domain),
    names,
  );
});

test('what DNS has is said of each record: missing, wrong, right, or not answered', async () => {
  const domain = newDomain();
  const added = await addDomain(client, home, domain);
  const none = await verifyDomain(client, home, domain);
  assert.deepEqual([none.status, none.body.status], [200, 'pending']);
  assert.match(none.body.error ?? '', /DNS has no TXT record _mailroom\./);
  assert.deepEqual([...new Set(none.body.records.map(({ status }) => status))], ['pending']);
  assert.ok(none.body.records.every(({ error }) => (error ?? '').length > 10));
  dns.zone = {
    ...published(added),
    [`_mailroom.${domain}`]: { TXT: ['mailroom-verification=guessed'] },
    [domain]: { MX: [[10, 'mx.elsewhere.example']], TXT: ['v=spf1 -all', 'x'.repeat(2000)] },
  };
  const wrong = (await verifyDomain(client, home, domain)).body;
  assert.deepEqual(
    wrong.records.map(({ about, status }) => `${about} ${status}`),
    ['verification failed', 'mx failed', 'spf failed', 'dkim verified', 'dkim verified', 'dmarc verified'],
  );
  assert.deepEqual(wrong.records[1]?.found, ['10 mx.elsewhere.example']);
  assert.match(wrong.records[2]?.error ?? '', /include:mail\.rooms\.example\.net/);
  assert.deepEqual([wrong.status, wrong.error], ['pending', `The TXT record _mailroom.${domain} has another value.`]);
  dns.zone = { [`_mailroom.${domain}`]: 'SERVFAIL' };
  const unknown = (await verifyDomain(client, home, domain)).body;
  assert.deepEqual([unknown.status, unknown.records[0]?.status], ['pending', 'pending']);
  assert.match(unknown.error ?? '', /DNS did not answer/);
  dns.zone = published(added);
  const right = (await verifyDomain(client, home, domain)).body;
  assert.deepEqual([right.status, right.error], ['verified', null]);
  assert.ok(right.verified_at !== null && right.checked_at !== null && right.next_check_at !== null);
  assert.equal(right.failing_since, null);
});

test('the token of a domain is of its own in every namespace, and new when it is added again', async () => {
  const domain = newDomain();
  const second = await newHome();
  const [a, b] = [await addDomain(client, home, domain), await addDomain(client, second, domain)];
  const proof = ({ records }: DomainView): string => records[0]?.value ?? '';
  assert.notEqual(proof(a), proof(b));
  dns.zone = published(a);
  assert.equal((await verifyDomain(client, second, domain)).body.status, 'pending');
  assert.equal((await client.api('DELETE', `${domainsPath(home)}/${domain}`, { key: home.key })).status, 204);
  const again = await addDomain(client, home, domain);
  assert.notEqual(proof(again), proof(a));
  assert.deepEqual(
    again.records.filter(({ about }) => about === 'dkim').filter(({ value }) => JSON.stringify(a).includes(value)),
    [],
  );
  assert.equal((await verifyDomain(client, home, domain)).body.status, 'pending');
});

test('an address at a verified domain is an A2A agent, as at its own', async () => {
  const domain = newDomain();
  const owner = await newHome();
  const mailbox = await client.newMailbox(owner);
  await verifiedDomain(client, owner, domain, dns);
  const local = mailbox.address.split('@')[0];
  for (const address of [mailbox.address, `${local}@${domain}`]) {
    const params = { message: { messageId: unique('a2a'), role: 'ROLE_USER', parts: [{ text: 'Who are you?' }] } };
    const { body } = await client.api<{ result?: { task: { status: { state: string } } } }>(
      'POST',
      `//a2a/${address}`,
      {
        key: owner.key,
        headers: { 'a2a-version': '1.0' },
        body: { jsonrpc: '2.0', id: 1, method: 'SendMessage', params },
      },
    );
    assert.equal(body.result?.task.status.state, 'TASK_STATE_COMPLETED', JSON.stringify(body));
  }
});

test('the owner reads in the event log that a domain was verified', async () => {
  const owner = await newHome();
  const domain = newDomain();
  await verifiedDomain(client, owner, domain, dns);
  const { body } = await client.api<Page<{ type: string; mailbox: null; data: Partial<DomainView> }>>(
    'GET',
    '/events?limit=200',
    { key: owner.key },
  );
  const [event] = body.items.filter(({ type }) => type.startsWith('domain.'));
  assert.deepEqual(
    [event?.type, event?.mailbox, event?.data.domain, event?.data.status],
    ['domain.verified', null, domain, 'verified'],
  );
});
