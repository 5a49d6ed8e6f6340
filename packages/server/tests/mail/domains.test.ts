import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { authenticate } from 'mailauth';
import { unique } from '../../../../tests/harness/client.ts';
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
import { mailText, sendMail } from '../../../../tests/harness/mail.ts';
import { type Arrived, startSmtp } from '../../../../tests/harness/smtp.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope, Mailbox } from '../../../../tests/harness/wire.ts';
import type { DomainView } from '../../core/entities/domain.ts';

const WAIT_MS = 60_000;
const dns = await startDns();
const relay = await startSmtp();
const inside = await startInside({
  env: { SMTP_LISTEN: '127.0.0.1:0', DNS_SERVERS: dns.address, SMTP_URL: relay.url },
});
after(async () => {
  await relay[Symbol.asyncDispose]();
  await dns[Symbol.asyncDispose]();
});
const { client, store } = inside;
const port = inside.smtp?.port ?? 0;
const people = await client.newNamespace();
const person = await client.newMailbox(people);

const newHome = async () => {
  const home = await client.newNamespace();
  await claimFor(home, person.id, store);
  return home;
};
const home = await newHome();
const newDomain = (): string => `${unique('mail')}.example.com`;
const newPerson = (): string => `${unique('ada')}@example.org`;
const write = (from: string, to: string, body = 'Who are you?', more: Readonly<Record<string, string>> = {}) =>
  sendMail(port, {
    from,
    to: [to],
    text: mailText(
      { From: from, To: to, Subject: 'A question', 'Message-ID': `<${unique()}@example.org>`, ...more },
      body,
    ),
  });
const answersTo = async (to: string, count = 1): Promise<readonly Arrived[]> =>
  (
    await until(
      WAIT_MS,
      async () => relay.arrived.filter((one) => one.to.includes(to)),
      (seen) => seen.length >= count,
    )
  ).seen;
const idIn = (reply: string): string => /\b(msg_[0-9a-z]{20})\b/.exec(reply)?.[1] ?? assert.fail(reply);
const get = (of: typeof home, domain: string) =>
  client.api<DomainView>('GET', `${domainsPath(of)}/${domain}`, { key: of.key });

/** What a receiver finds out about a mail, by the records that are published. */
const verdictOn = async ({ raw }: Arrived, records: DomainView['records']) => {
  const resolver = async (name: string, type: string) => {
    const found = records.filter((record) => record.name === name && record.type === type).map(({ value }) => [value]);
    if (found.length === 0) throw Object.assign(new Error('none'), { code: 'ENOTFOUND' });
    return found;
  };
  const options = { ip: '192.0.2.1', helo: 'relay.example', sender: 'x@relay.example', resolver, disableBimi: true };
  const { dkim, dmarc } = await authenticate(Buffer.from(raw, 'latin1'), options as never);
  return {
    signed: dkim.results.map(({ signingDomain, status }) => `${signingDomain} ${status.result}`),
    dmarc: dmarc === false ? 'none' : dmarc.status.result,
  };
};

test('mail to a verified domain reaches the mailbox, and its answer leaves from there, signed and aligned', async () => {
  const mailbox = await client.newMailbox(home);
  const domain = newDomain();
  const { records } = await verifiedDomain(client, home, domain, dns);
  assert.deepEqual([...new Set(records.map(({ status }) => status))], ['verified']);
  const alias = `${mailbox.local_part}@${domain}`;
  const from = newPerson();
  const reply = await write(from, alias.toUpperCase());
  assert.match(reply, /^250 2\.0\.0 Received as msg_/);
  const message = (await client.read(home.key, idIn(reply), '?wait=60')).body;
  assert.deepEqual([message.to, message.status], [mailbox.address, 'completed']);
  const [answer] = await answersTo(from);
  assert.ok(answer !== undefined);
  assert.equal(answer.mail.from?.address, alias);
  assert.match(answer.mail.messageId ?? '', new RegExp(`@${domain}>$`));
  assert.match(answer.from, new RegExp(`^bounces\\+.*@${domain}$`));
  assert.deepEqual(await verdictOn(answer, records), { signed: [`${domain} pass`, `${domain} pass`], dmarc: 'pass' });

  // Signed by the keys of now until DNS has the new ones.
  const path = `${domainsPath(home)}/${domain}`;
  const { body: rotated } = await client.api<DomainView>('POST', `${path}/rotate`, { key: home.key });
  const selectorsOf = async (): Promise<readonly string[]> => {
    const to = newPerson();
    await write(to, alias);
    const [mail] = await answersTo(to);
    assert.ok(mail !== undefined);
    assert.equal((await verdictOn(mail, rotated.records)).dmarc, 'pass');
    return [...mail.raw.matchAll(/\bs=([\w-]+);/g)].map(([, selector = '']) => selector).toSorted();
  };
  assert.deepEqual(await selectorsOf(), ['mailroom-ed25519', 'mailroom-rsa']);
  dns.zone = { ...dns.zone, ...published(rotated) };
  await verifyDomain(client, home, domain);
  assert.deepEqual(await selectorsOf(), ['mailroom-ed25519-2', 'mailroom-rsa-2']);

  const failed =
    'Reporting-MTA: dns; mx.example\n\nFinal-Recipient: rfc822; x@y.example\nAction: failed\nStatus: 5.1.1';
  const notice = mailText(
    {
      From: 'MAILER-DAEMON@mx.example',
      To: answer.from,
      Subject: 'Failed',
      'MIME-Version': '1.0',
      'Content-Type': 'multipart/report; report-type=delivery-status; boundary=b',
    },
    `--b\nContent-Type: text/plain\n\nNo.\n\n--b\nContent-Type: message/delivery-status\n\n${failed}\n\n--b--\n`,
  );
  assert.match(await sendMail(port, { from: '', to: [answer.from], text: notice }), /^250 2\.0\.0 Noted/);
  const { body } = await client.read(home.key, message.id);
  const { deliveries } = body as Envelope & { readonly deliveries: readonly { readonly status: string }[] };
  assert.deepEqual(
    deliveries.map(({ status }) => status),
    ['bounced'],
  );
});

test('notices come to the domain of the service where the domain of the owner does not take them', async () => {
  const mailbox = await client.newMailbox(home);
  const domain = newDomain();
  await verifiedDomain(client, home, domain, dns);
  const from = newPerson();
  dns.zone = { ...dns.zone, [domain]: { ...(dns.zone[domain] as object), MX: [] } };
  await verifyDomain(client, home, domain);
  await write(from, `${mailbox.local_part}@${domain}`);
  assert.match((await answersTo(from))[0]?.from ?? '', /^bounces\+.*@mailroom\.localhost$/);
});

test('a thread keeps the address it was begun with, and the old address works beside it', async () => {
  const mailbox = await client.newMailbox(home);
  const domain = newDomain();
  await verifiedDomain(client, home, domain, dns);
  const alias = `${mailbox.local_part}@${domain}`;
  const from = newPerson();
  await write(from, alias);
  const [first] = await answersTo(from);
  const more = { 'In-Reply-To': first?.mail.messageId ?? '' };
  const reply = await write(from, mailbox.address, 'And who made you?', more);
  await write(from, mailbox.address, 'Something else.');
  const senders = (await answersTo(from, 3)).map(({ mail }) => mail.from?.address);
  assert.deepEqual(senders.map(String).toSorted(), [alias, alias, mailbox.address].toSorted());
  const further = (await client.read(home.key, idIn(reply))).body;
  const { items } = (
    await client.api<{ items: Envelope[] }>('GET', `/mail/threads/${further.thread_id}`, { key: home.key })
  ).body;
  assert.equal(items.filter(({ body }) => /Who are you|who made you/.test(body)).length, 2);
});

test('a mailbox says its addresses at the domains, and each of them names it in the API', async () => {
  const owner = await newHome();
  const mailbox = await client.newMailbox(owner);
  assert.deepEqual(mailbox.aliases, []);
  const domain = newDomain();
  await verifiedDomain(client, owner, domain, dns);
  const alias = `${mailbox.local_part}@${domain}`;
  for (const path of [`/mailboxes/${mailbox.address}`, `/mailboxes/${alias}`]) {
    const { body } = await client.api<Mailbox>('GET', path, {});
    assert.deepEqual([body.id, body.address, body.aliases], [mailbox.id, mailbox.address, [alias]]);
  }
  const later = await client.newMailbox(owner);
  assert.deepEqual(later.aliases, [`${later.local_part}@${domain}`]);
  const { status, body } = await client.send(people.key, { to: alias.toUpperCase(), body: 'Hello', sync: true });
  assert.deepEqual([status, body.to, body.status], [200, mailbox.address, 'completed']);
  const tagged = await client.send(owner.key, { to: alias.replace('@', '+tag@'), body: 'Hello', from: alias });
  assert.deepEqual([tagged.status, tagged.body.from], [202, mailbox.address]);
  assert.equal(tagged.body.to, mailbox.address.replace('@', '+tag@'));
  const page = await (await fetch(`${client.url}/${mailbox.address}`)).text();
  assert.match(page, new RegExp(`mailto:${alias.replaceAll('.', '\\.')}`));
  assert.match(await (await fetch(`${client.url}/${mailbox.address}.md`)).text(), new RegExp(`Also: \\S*${domain}`));
  const moved = await fetch(`${client.url}/${alias}`, { redirect: 'manual' });
  assert.equal(moved.headers.get('location')?.endsWith(mailbox.address), true);
  await verifiedDomain(client, owner, newDomain(), dns);
  assert.match(await (await fetch(`${client.url}/${mailbox.address}`)).text(), new RegExp(`mailto:${mailbox.address}`));
});

test('before it is verified, and after it is removed, mail to the domain is refused with 550', async () => {
  const mailbox = await client.newMailbox(home);
  const domain = newDomain();
  const alias = `${mailbox.local_part}@${domain}`;
  const refused = /^550 5\.1\.1 /;
  const added = await addDomain(client, home, domain);
  assert.match(await write(newPerson(), alias), refused);
  // It is an address outside, to which this key, no mailbox's, does not write.
  assert.equal((await client.send(home.key, { to: alias, body: 'Hello' })).status, 403);
  dns.zone = { ...dns.zone, ...published(added) };
  assert.equal((await verifyDomain(client, home, domain)).body.status, 'verified');
  assert.match(await write(newPerson(), alias), /^250/);
  const removed = await client.api('DELETE', `${domainsPath(home)}/${domain}`, { key: home.key });
  assert.equal(removed.status, 204);
  assert.match(await write(newPerson(), alias), refused);
  assert.equal((await get(home, domain)).status, 404);
  assert.equal(await store.domains.find(home.id, domain), undefined);
});

test('an answer that was waiting when its domain was removed leaves from the old address', async () => {
  const mailbox = await client.newPaused(home);
  const domain = newDomain();
  await verifiedDomain(client, home, domain, dns);
  const from = newPerson();
  assert.match(await write(from, `${mailbox.local_part}@${domain}`), /^250/);
  await client.api('DELETE', `${domainsPath(home)}/${domain}`, { key: home.key });
  await client.change(home.key, mailbox.address, { status: 'online' });
  const [answer] = await answersTo(from);
  assert.equal(answer?.mail.from?.address, mailbox.address);
  assert.match(answer?.raw ?? '', /^DKIM-Signature:[^:]*\bd=mailroom\.localhost;/m);
});

test('mail that is from an address at a verified domain counts as our own and gets no answer', async () => {
  const mailbox = await client.newMailbox(home);
  const domain = newDomain();
  await verifiedDomain(client, home, domain, dns);
  const reply = await write(`x@${domain}`, mailbox.address);
  const { body } = await client.read(home.key, idIn(reply));
  assert.equal((body as Envelope & { not_answered: string }).not_answered, 'own');
});

test('a domain is verified in one namespace at a time, and moves when its old record is gone', async () => {
  const [first, second] = [await newHome(), await newHome()];
  const domain = newDomain();
  const [ours, theirs] = [await addDomain(client, first, domain), await addDomain(client, second, domain)];
  dns.zone = { ...dns.zone, ...published(ours, theirs) };
  const tries = await Promise.all([verifyDomain(client, first, domain), verifyDomain(client, second, domain)]);
  assert.deepEqual(tries.map(({ status }) => `${status}`).toSorted(), ['200', '409']);
  assert.equal(tries.find(({ status }) => status === 409)?.body.code, 'domain_taken');
  const [winner, loser] = tries[0]?.status === 200 ? [first, second] : [second, first];
  const [kept] = [await get(winner, domain)];
  assert.equal(kept.body.status, 'verified');
  assert.match((await get(loser, domain)).body.error ?? '', /another namespace/);
  dns.zone = { ...dns.zone, ...published(winner === first ? theirs : ours) };
  assert.equal((await verifyDomain(client, loser, domain)).body.status, 'verified');
  assert.equal((await get(winner, domain)).body.status, 'failed');
  const mailbox = await client.newMailbox(loser);
  assert.match(await write(newPerson(), `${mailbox.local_part}@${domain}`), /^250/);
});

test('a name in any script is added by its letters and used by its A-labels', async () => {
  const mailbox = await client.newMailbox(home);
  const label = unique('büro');
  const added = await addDomain(client, home, `${label}.example.com`);
  assert.match(added.domain, /^xn--.*\.example\.com$/);
  dns.zone = { ...dns.zone, ...published(added) };
  assert.equal((await verifyDomain(client, home, encodeURIComponent(`${label}.example.com`))).body.status, 'verified');
  assert.match(await write(newPerson(), `${mailbox.local_part}@${added.domain}`), /^250/);
  const sent = await client.send(people.key, { to: `${mailbox.local_part}@${label}.example.com`, body: 'Hello' });
  assert.equal(sent.body.to, mailbox.address);
});

test('lists of senders know a mailbox and a namespace by their domains, as long as these are verified', async () => {
  const sender = await newHome();
  const mailbox = await client.newMailbox(sender);
  const domain = newDomain();
  await verifiedDomain(client, sender, domain, dns);
  const to = await client.newMailbox(home);
  const sent = async (list: object, from = mailbox.address): Promise<number> => {
    const path = `/mailboxes/${to.address}`;
    const changed = await client.api('PATCH', path, { key: home.key, body: { senders: list } });
    assert.equal(changed.status, 200, changed.text);
    return (await client.send(sender.key, { to: to.address, from, body: 'Hello' })).status;
  };
  const alias = `${mailbox.local_part}@${domain}`;
  assert.equal(await sent({ allow: [alias], block: [] }), 202);
  assert.equal(await sent({ allow: [], block: [alias] }), 403);
  assert.equal(await sent({ allow: [], block: [`*@${domain}`] }, alias), 403);
  assert.equal(await sent({ allow: [`another@${domain}`], block: [] }), 403);
  await client.api('DELETE', `${domainsPath(sender)}/${domain}`, { key: sender.key });
  assert.equal(await sent({ allow: [alias], block: [] }), 403);
});
