import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import type { Store } from '@mailroom/server/core/ports/store';
import { chance } from '../../../../tests/harness/chance.ts';
import { unique } from '../../../../tests/harness/client.ts';
import type { Database } from '../../../../tests/harness/database.ts';
import { startDns } from '../../../../tests/harness/dns.ts';
import { claimFor, domainsPath, verifiedDomain } from '../../../../tests/harness/domains.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { newFolder, removeFolder } from '../../../../tests/harness/service.ts';
import { type Arrived, startSmtp } from '../../../../tests/harness/smtp.ts';
import { until } from '../../../../tests/harness/until.ts';
import { everyDatabaseOr } from '../../../../tests/soak/databases.ts';
import { amount } from '../../../../tests/soak/length.ts';
import { type Key, verifyReceipt, verifyReview } from '../../../client/verify-receipt.ts';
import { hashOf, type LeavingMessage } from '../../core/entities/review.ts';

/** Messages on each database. */
const MESSAGES = amount(20, 1_000);
const AT_ONCE = 25;

interface Review {
  readonly id: string;
  readonly hash: string;
  readonly status: string;
  readonly message_id: string;
  readonly message: LeavingMessage;
  readonly receipt: string | null;
}

const WORDS = [
  'Über',
  'naïve',
  '日本語',
  'שלום',
  'مرحبا',
  '😀👩‍👩‍👧',
  'e\u0301',
  'Привет',
  'ﬀ',
  'plain',
  'words',
  'İstanbul',
  'ß',
  '𝒳',
];

/** A change between the decision and the delivery, and whether the mail then leaves. */
interface Change {
  readonly name: string;
  readonly leaves: boolean;
  /** Whether such a message can be changed so. */
  readonly fits?: (message: LeavingMessage) => boolean;
  apply(
    review: Review,
    parts: { sql: (text: string) => Promise<unknown>; edit: (review: Review) => Promise<void> },
  ): Promise<unknown>;
}
const row = (name: string, set: string, more: Pick<Change, 'fits'> = {}): Change => ({
  ...{ name, leaves: false, ...more },
  apply: ({ message_id }, { sql }) => sql(`update messages set ${set} where id = '${message_id}'`),
});
const hasFiles = ({ attachments }: LeavingMessage): boolean => attachments !== null;
const CHANGES: readonly Change[] = [
  { name: 'nothing', leaves: true, apply: async () => {} },
  { name: 'an edit after the decision', leaves: true, apply: (review, { edit }) => edit(review) },
  row('its text', "body = body || '.'"),
  row('its subject', "subject = 'Other'"),
  row('its HTML and headers', `mail = '{"html":"<p>Other</p>"}'`),
  row('its data', `data = '{"other":1}'`),
  row('its recipients', `recipients = '{"to":["eve@evil.example"],"cc":[]}'`),
  {
    name: 'the recipient of its delivery',
    leaves: false,
    apply: ({ message_id }, { sql }) =>
      sql(`update deliveries set target = 'eve@evil.example' where message_id = '${message_id}'`),
  },
  {
    ...{ name: 'a file that is gone', leaves: false, fits: hasFiles },
    apply: ({ message_id }, { sql }) => sql(`delete from attachments where owner_id = '${message_id}'`),
  },
  {
    ...{ name: 'the name of a file', leaves: false, fits: hasFiles },
    apply: ({ message_id }, { sql }) =>
      sql(`update attachments set filename = 'other' where owner_id = '${message_id}' and position = 0`),
  },
  {
    ...{ name: 'the bytes of a file', leaves: false, fits: hasFiles },
    apply: ({ message_id }, { sql }) =>
      sql(
        `update attachments set blob_id = (select blob_id from attachments where filename = 'evil') where owner_id = '${message_id}'`,
      ),
  },
  {
    name: 'the review itself',
    leaves: false,
    apply: ({ id }, { sql }) => sql(`update reviews set hash = '${'0'.repeat(64)}' where id = '${id}'`),
  },
  {
    name: 'its text, and the review alike',
    leaves: false,
    async apply({ id, message_id, message }, { sql }) {
      await sql(`update messages set body = 'Other' where id = '${message_id}'`);
      await sql(`update reviews set hash = '${hashOf({ ...message, body: 'Other' })}' where id = '${id}'`);
    },
  },
  {
    name: 'its text, the review and what its receipt says alike',
    leaves: false,
    async apply({ id, message_id, message, receipt }, { sql }) {
      const hash = hashOf({ ...message, body: 'Other' });
      const [header, payload = '', signature] = receipt?.split('.') ?? [];
      const says = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), hash };
      const forged = [header, Buffer.from(JSON.stringify(says)).toString('base64url'), signature].join('.');
      await sql(`update messages set body = 'Other' where id = '${message_id}'`);
      await sql(`update reviews set hash = '${hash}', receipt = '${forged}' where id = '${id}'`);
    },
  },
  {
    name: 'its text and the review alike, without a receipt',
    leaves: false,
    async apply({ id, message_id, message }, { sql }) {
      await sql(`update messages set body = 'Other' where id = '${message_id}'`);
      const hash = hashOf({ ...message, body: 'Other' });
      await sql(`update reviews set hash = '${hash}', receipt = null where id = '${id}'`);
    },
  },
  {
    name: 'who decided',
    leaves: false,
    apply: ({ id }, { sql }) => sql(`update reviews set decided_by = 'key_of_another' where id = '${id}'`),
  },
];

const dns = await startDns();
after(() => dns[Symbol.asyncDispose]());

/** Lets no delivery begin while it is shut. */
function withShutter(store: Store, shutter: { open: boolean }): Store {
  const { deliveries } = store;
  const due: typeof deliveries.due = async (...of) =>
    shutter.open ? deliveries.due(...of) : { due: [], next: undefined };
  const shut = new Proxy(deliveries, { get: (target, name) => (name === 'due' ? due : Reflect.get(target, name)) });
  return new Proxy(store, { get: (target, name) => (name === 'deliveries' ? shut : Reflect.get(target, name)) });
}

const sha256 = (bytes: ArrayBuffer | string | Uint8Array): string =>
  createHash('sha256')
    .update(typeof bytes === 'string' ? bytes : Buffer.from(bytes as ArrayBuffer))
    .digest('hex');

/** Whether a mail is the message that was approved, and proves it. */
async function isApproved(
  { mail, to }: Arrived,
  { message, id }: Review,
  keys: { keys: readonly Key[] },
): Promise<void> {
  const addresses = (all: readonly { address?: string | undefined }[] = []): string[] | null =>
    all.length === 0 ? null : all.map(({ address = '' }) => address);
  const { name, address } = mail.from as { name: string; address: string };
  const from = message.from.includes('<') ? `${name} <${address}>` : address;
  const files = mail.attachments.map(({ filename, content }) => [filename, sha256(content as ArrayBuffer)]);
  const seen = [from, addresses(mail.to), addresses(mail.cc), mail.subject, files];
  const { attachments, subject } = message;
  assert.deepEqual(
    seen,
    [message.from, message.to, message.cc, subject ?? '', (attachments ?? []).map((one) => [one.filename, one.sha256])],
    id,
  );
  assert.ok(mail.text?.replaceAll('\r', '').startsWith(message.body), id);
  if (message.html !== null) assert.equal(mail.html?.trim(), message.html, id);
  for (const one of to) assert.ok([message.to, message.cc, message.bcc].some((all) => all?.includes(one)));
  const header = mail.headers.find(({ key }) => key === 'x-mailroom-review')?.value ?? '';
  const [, time = '', hash = '', jws = ''] = /^time=(\S+); hash=(\S+); signature=(\S+)$/.exec(header) ?? [];
  assert.equal(hash, hashOf({ ...message, bcc: null }), header);
  assert.deepEqual(await verifyReceipt({ kind: 'reviewed', hash, decided_at: time, jws }, keys), {
    kind: 'reviewed',
    hash,
    decided_at: time,
  });
}

async function leaves(database: Database): Promise<void> {
  const folder = newFolder();
  const url = await database.fresh(folder);
  const sink = await startSmtp();
  const shutter = { open: true };
  after(async () => {
    await sink[Symbol.asyncDispose]();
    removeFolder(folder);
  });
  const inside = await startInside({
    env: { DATABASE_URL: url, SMTP_URL: sink.url, DNS_SERVERS: dns.address },
    wrap: (store) => withShutter(store, shutter),
  });
  const { client, store } = inside;
  const { api, newNamespace, newKey, newMailbox, change } = client;
  const home = await newNamespace();
  const person = await newMailbox(await newNamespace());
  await claimFor(home, person.id, store);
  const domain = `${unique('d')}.example`;
  await verifiedDomain(client, home, domain, dns);
  const outgoing = { review: 'always' };
  const plain = await newMailbox(home, { outgoing, display_name: 'Ada Lövelace' });
  const renamed = await newMailbox(home, { outgoing, display_name: 'Ada' });
  const moved = await newMailbox(home, { outgoing, local_part: 'moved' });
  const writer = await newKey(home, { scopes: ['mail:send', 'messages:read'] });
  const reviewer = await newKey(home, { scopes: ['mail:review'] });
  const sql = (text: string) => database.ask(url, text);
  const keys = (await api<{ keys: readonly Key[] }>('GET', '//.well-known/jwks.json')).body;
  const evil = { filename: 'evil', content_type: 'text/plain', content: Buffer.from('evil').toString('base64') };
  const free = await newMailbox(home);
  const fixture = { from: free.address, to: person.address, body: 'x', attachments: [evil] };
  assert.ok((await client.send(writer.secret, fixture)).status < 300);

  const random = chance(38);
  const some = (max: number): number => Math.floor(random() * (max + 1));
  const words = (count: number): string => Array.from({ length: count }, () => WORDS[some(WORDS.length - 1)]).join(' ');
  const people = (count: number): string[] => Array.from({ length: count }, () => `${unique('p')}@far.example`);
  const message = (from: string) => ({
    ...{ from, to: people(1 + some(2)), cc: people(some(2)), bcc: people(some(2)) },
    ...{
      subject: words(1 + some(4)),
      body: Array.from({ length: 1 + some(3) }, () => words(1 + some(6))).join('\n\n'),
    },
    ...(some(2) === 0 && { html: `<p>${words(3)}</p>` }),
    ...(some(2) === 0 && { data: { [words(1)]: [some(9), words(2), null, 0.1 + some(9)] } }),
    ...(some(2) === 0 && { headers: { 'X-Order': String(some(999)) }, reply_to: people(1) }),
    attachments: Array.from({ length: some(2) }, (_, at) => ({
      filename: `${at} ${words(1)}.txt`,
      content_type: 'text/plain',
      content: Buffer.from(words(20)).toString('base64'),
    })),
  });
  const held: { readonly review: Review; readonly change: Change }[] = [];
  const edit = async (review: Review): Promise<void> => {
    const body = { body: 'Other.' };
    isProblem(await api('PATCH', `/mail/reviews/${review.id}`, { key: reviewer.secret, body }), 'not_waiting');
  };
  const whole: Change = { name: 'the name or the domain of its mailbox', leaves: false, apply: async () => {} };
  shutter.open = false;
  const make = async (number: number): Promise<void> => {
    const box = number % 20 === 18 ? renamed.address : number % 20 === 19 ? `moved@${domain}` : plain.address;
    const sent = await client.send(writer.secret, message(box));
    assert.equal(sent.body.waiting_for, 'review', sent.text);
    const found = await store.reviews.ofLeaving(sent.body.id);
    const path = `/mail/reviews/${found?.id}`;
    const { body: seen } = await api<Review>('GET', path, { key: reviewer.secret });
    const approved = await api<Review>('POST', `${path}/approve`, { key: reviewer.secret, body: { hash: seen.hash } });
    assert.equal(approved.status, 200, approved.text);
    const fit = CHANGES.filter(({ fits = () => true }) => fits(seen.message));
    const one = number % 20 >= 18 ? whole : (fit[number % fit.length] as Change);
    held.push({ review: approved.body, change: one });
    assert.ok((await verifyReview(approved.body, keys)).hash === seen.hash);
    await one.apply(approved.body, { sql, edit });
  };
  for (let at = 0; at < MESSAGES; at += AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, MESSAGES - at) }, (_, one) => make(at + one)));
  assert.equal(sink.arrived.length, 0, 'something left before');
  await change(home.key, renamed.address, { display_name: 'Eve' });
  assert.equal(moved.local_part, 'moved');
  await api('DELETE', `${domainsPath(home)}/${domain}`, { key: home.key });
  shutter.open = true;
  inside.pass(1_000);
  const open = async () => (await sql("select id from deliveries where kind = 'email' and status = 'queued'")).length;
  await until(300_000, open, (count) => count === 0);
  const states = await sql("select message_id, target, status, error from deliveries where kind = 'email'");
  for (const { review, change: one } of held) {
    const { to, cc, bcc } = review.message;
    const all = [...(to ?? []), ...(cc ?? []), ...(bcc ?? [])];
    const its = states.filter(({ message_id }) => message_id === review.message_id);
    assert.equal(its.length, all.length, `${one.name} ${review.id}`);
    const mails = sink.arrived.filter((mail) => mail.to.some((address) => all.includes(address)));
    assert.equal(mails.length, one.leaves ? all.length : 0, `${one.name} ${review.id} ${JSON.stringify(its)}`);
    for (const { status, error } of its)
      assert.deepEqual(
        [status, one.leaves || /^It (is not what was approved as|was approved as) rev_/.test(String(error))],
        [one.leaves ? 'sent' : 'failed', true],
        `${one.name} ${error}`,
      );
    for (const mail of mails) await isApproved(mail, review, keys);
  }
  assert.ok(!sink.arrived.some(({ to }) => to.includes('eve@evil.example')));
}

for (const database of await everyDatabaseOr('PostgreSQL'))
  test(`of ${MESSAGES} approved messages none leaves changed, whatever was changed since: ${database.name}`, () =>
    leaves(database));
