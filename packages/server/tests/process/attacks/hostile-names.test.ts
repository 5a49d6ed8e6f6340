// Own process: it measures the memory of its process.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { unique } from '../../../../../tests/harness/client.ts';
import { startDns, type Zone } from '../../../../../tests/harness/dns.ts';
import { addDomain, claimFor, verifyDomain } from '../../../../../tests/harness/domains.ts';
import { startInside } from '../../../../../tests/harness/inside.ts';
import { mailText, sendMail } from '../../../../../tests/harness/mail.ts';
import type { Envelope, Page } from '../../../../../tests/harness/wire.ts';
import { amount } from '../../../../../tests/soak/length.ts';
import { CachingResolver } from '../../../mail/reading/resolver.ts';

// Name servers that mean harm: endless, huge and circular answers, and records that are no text.
const MIB = 1024 * 1024;
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
function heap(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

/** A zone in which each name has the records that `records` says. */
const everyName = (records: (name: string) => Zone[string] | undefined): Zone =>
  new Proxy({} as Zone, { get: (_, name) => (typeof name === 'string' ? records(name) : undefined) });

const dns = await startDns();
after(() => dns[Symbol.asyncDispose]());
const inside = await startInside({
  env: {
    SMTP_LISTEN: '127.0.0.1:0',
    SMTP_TRUSTED: 'none',
    DNS_SERVERS: dns.address,
    MAIL_DOMAIN: 'mail.rooms.example.net',
    BASE_URL: 'https://rooms.example.net',
  },
});
const { client } = inside;
const home = await client.newNamespace();

// Declared once the service has started, whose memory is not to be measured.
test('answers of name servers fill no memory, whether each is huge or of many small parts', async () => {
  const answers = [
    // Some 60 KB each.
    { TXT: Array.from({ length: 230 }, (_, at) => String(at).padEnd(250, 'x')), parallel: 2 },
    // Some 40 KB of memory each, in 4 KB of JSON.
    { TXT: Array.from({ length: 650 }, (_, at) => String.fromCharCode(97 + (at % 26))), parallel: 10 },
  ] as const;
  for (const { TXT, parallel } of answers) {
    await using dns = await startDns(everyName(() => ({ TXT })));
    const resolver = new CachingResolver({ servers: [dns.address], timeout_ms: 10_000 });
    const heapBefore = heap();
    const names = amount(400, 20_000);
    for (let from = 0; from < names; from += parallel) {
      const ask = resolver.forMail(60_000);
      await Promise.all(Array.from({ length: parallel }, (_, at) => ask(`n${from + at}.evil.example`, 'TXT')));
    }
    const grown = (heap() - heapBefore) / MIB;
    assert.ok(grown < 10, `${grown.toFixed()} MiB`);
    // What is usual is asked for once.
    dns.zone = { 'good.example': { TXT: ['v=spf1 -all'] } };
    for (let time = 0; time < 3; time++) await resolver.forMail(1_000)('good.example', 'TXT');
    assert.equal(dns.asked.filter((one) => one.endsWith('good.example')).length, 1);
  }
});

/** SPF that includes itself, includes many that include many, and names hosts without end. */
const SPF: Readonly<Record<string, Zone>> = {
  circular: {
    'circular.example': { TXT: ['v=spf1 include:circular.example include:other.circular.example -all'] },
    'other.circular.example': { TXT: ['v=spf1 redirect=circular.example'] },
  },
  endless: everyName((name) =>
    name.endsWith('endless.example')
      ? { TXT: [`v=spf1 ${Array.from({ length: 60 }, (_, at) => `include:${at}.${name.slice(-150)}`).join(' ')} -all`] }
      : undefined,
  ),
  hosts: everyName((name) =>
    name.endsWith('hosts.example')
      ? {
          TXT: [`v=spf1 ${Array.from({ length: 60 }, (_, at) => `mx:${at}.hosts.example ptr`).join(' ')} -all`],
          MX: Array.from({ length: 200 }, (_, at) => [at, `${at}.hosts.example`] as const),
          A: Array.from({ length: 200 }, (_, at) => `192.0.2.${at}`),
        }
      : undefined,
  ),
  macros: {
    'macros.example': { TXT: [`v=spf1 ${'exists:%{l}%{s}%{o}%{d}%{i}%{h}.%{d100r}.macros.example '.repeat(12)}-all`] },
  },
};

/** Keys of DKIM that are no keys, or larger than any. */
const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const REAL = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
const KEYS: readonly string[] = [
  `v=DKIM1; k=rsa; p=${'A'.repeat(50_000)}`,
  `v=DKIM1; k=rsa; p=${Buffer.alloc(40_000, 0x30).toString('base64')}`,
  `v=DKIM1; k=ed25519; p=${'/'.repeat(50_000)}`,
  `v=DKIM1;${'t=y;'.repeat(10_000)} k=rsa; p=${REAL}`,
  `v=DKIM1; k=rsa; h=${'sha256:'.repeat(6_000)}; p=${REAL}`,
  '\u0000\u001b[2Jv=DKIM1; p=\u0000',
];

test('records of SPF and DKIM that never end cost their mail a bounded number of questions, and no proof', async () => {
  const { address } = await client.newMailbox(home, { behavior: { name: 'hello' } });
  const send = async (domain: string, signature?: string): Promise<string> => {
    const from = `eve@${domain}`;
    const text = mailText({ From: from, To: address, Subject: 'Hello', 'Message-ID': `<${unique()}@${domain}>` }, 'Hi');
    return sendMail(inside.smtp?.port ?? 0, { from, to: [address], text: (signature ?? '') + text });
  };
  for (const [name, zone] of Object.entries(SPF)) {
    dns.zone = zone;
    const before = dns.asked.length;
    assert.match(await send(`${name}.example`), /^250 /, name);
    assert.ok(dns.asked.length - before <= 150, `${name}: ${dns.asked.length - before} questions`);
  }
  for (const key of KEYS) {
    dns.zone = { 's._domainkey.keys.example': { TXT: [key] }, 'keys.example': { TXT: ['v=spf1 -all'] } };
    const signature = `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=keys.example; s=s; h=from:to:subject;\r\n bh=${'A'.repeat(43)}=; b=${'A'.repeat(340)}\r\n`;
    assert.match(await send('keys.example', signature), /^250 /, key.slice(0, 40));
  }
  const { body } = await client.api<Page<Envelope>>('GET', `/mailboxes/${address}/messages?limit=50`, {
    key: home.key,
  });
  assert.equal(body.items.length, Object.keys(SPF).length + KEYS.length);
  for (const { sender } of body.items)
    assert.equal((sender as { readonly verified?: boolean }).verified, false, JSON.stringify(sender));
});

test('what DNS says of a domain is shown without what it could do to a page, a terminal or the store', async () => {
  const other = await client.newNamespace();
  await claimFor(home, (await client.newMailbox(other)).id, inside.store);
  const domain = `${unique('mail')}.example.com`;
  const { records } = await addDomain(client, home, domain);
  const hostile = [
    '\u0000',
    '\u001b[2J\u001b]0;owned\u0007',
    '</script><script>alert(1)</script>',
    '\r\nSet-Cookie: a=b',
    '\u00ff\u00fe',
  ];
  dns.zone = Object.fromEntries(
    records.map(({ name, type }) => [
      name,
      type === 'MX'
        ? { MX: [[1, '<b>x\u001b[2J.example']] as const }
        : { TXT: [...hostile, `v=spf1 ${'x'.repeat(20_000)}`] },
    ]),
  );
  const { status, text, body } = await verifyDomain(client, home, domain);
  assert.equal(status, 200, text);
  assert.equal(body.status, 'pending');
  assert.doesNotMatch(text.trimEnd(), /\p{Cc}/u);
  assert.ok(text.length < 60_000, `${text.length} characters`);
  const listed = await client.api('GET', `/namespaces/${home.name}/domains`, { key: home.key });
  assert.equal(listed.status, 200);
});
