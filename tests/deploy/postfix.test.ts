// Other programs: Postfix.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, test } from 'node:test';
import { dkimRecord, newDkimKey, signMail } from '@mailroom/server/mail/writing/dkim';
import { unique } from '../harness/client.ts';
import { startDns } from '../harness/dns.ts';
import { startInside } from '../harness/inside.ts';
import { lacks } from '../harness/install.ts';
import { mailText, sendMail, smtpClient } from '../harness/mail.ts';
import { freePort } from '../harness/postgres.ts';
import { startSmtp } from '../harness/smtp.ts';
import { until } from '../harness/until.ts';
import type { Envelope, Page } from '../harness/wire.ts';
import { MASTER, startPostfix } from './postfix.ts';

const skip =
  lacks('postfix') ||
  lacks('openssl') ||
  (!existsSync(MASTER) && 'needs the Postfix of Debian') ||
  (process.getuid?.() !== 0 && 'needs root, as which Postfix starts');
if (skip !== false) test('Postfix in front hands mail to a service and takes its answers', { skip });
else await behindPostfix();

async function behindPostfix(): Promise<void> {
  const WAIT_MS = 60_000;
  const MAIL_DOMAIN = 'mail.example.test';
  /** From where clients connect that are not the service. */
  const ELSEWHERE = '127.0.0.9';
  const key = await newDkimKey('ed25519-sha256', 'one');
  const { name, value } = dkimRecord(key);
  const dns = await startDns({
    [`${name}.author.example`]: { TXT: [value] },
    '_dmarc.author.example': { TXT: ['v=DMARC1; p=reject'] },
  });
  const sink = await startSmtp();
  // Both are known before the other one starts, and stay the same after a restart.
  const [port, lmtp] = [await freePort(), await freePort()];
  const inside = await startInside({
    env: {
      MAIL_DOMAIN,
      SMTP_LISTEN: `127.0.0.1:${lmtp}`,
      SMTP_PROTOCOL: 'lmtp',
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      DNS_SERVERS: dns.address,
    },
  });
  const postfix = await startPostfix({
    port,
    mail_domain: MAIL_DOMAIN,
    lmtp,
    outside: sink.port,
  });
  after(async () => {
    await postfix[Symbol.asyncDispose]();
    await inside.stop();
    for (const one of [sink, dns]) await one[Symbol.asyncDispose]();
  });
  const { client } = inside;
  const home = await client.newNamespace();
  const author = (): string => `${unique('ada')}@author.example`;
  const textOf = (from: string, to: string, body: string): string =>
    mailText(
      {
        From: `Ada <${from}>`,
        To: to,
        Subject: 'Through Postfix',
        Date: 'Mon, 23 Nov 2026 10:00:00 +0000',
        'Message-ID': `<${unique()}@author.example>`,
      },
      body,
    );
  const signed = async (from: string, to: string, body: string): Promise<string> => {
    const message = Buffer.from(`${textOf(from, to, body)}\r\n`);
    return (await signMail(message, { domain: 'author.example', keys: [key] })).toString().trimEnd();
  };
  const send = (from: string, to: readonly string[], text: string) => sendMail(port, { from, to, text }, ELSEWHERE);
  const received = async (address: string): Promise<readonly Envelope[]> =>
    (await client.api<Page<Envelope>>('GET', `/mailboxes/${address}/messages`, { key: home.key })).body.items;
  const leftTo = (address: string) =>
    until(
      WAIT_MS,
      async () => sink.arrived.filter(({ to }) => to[0] === address),
      (found) => found.length > 0,
    ).then(({ seen }) => seen);
  /** Nothing is under way any more. */
  const settled = () =>
    until(
      WAIT_MS,
      async () => postfix.queued(),
      (count) => count === 0,
    );

  test('the files for Postfix have no mistake', async () => {
    assert.equal(await postfix.complaints(), '');
  });

  test('a mail through Postfix reaches its mailbox, and the answer leaves through Postfix, signed', async () => {
    const { address } = await client.newMailbox(home, { behavior: { name: 'proofread' } });
    const from = author();
    assert.match(await send(from, [address], await signed(from, address, 'She have two cat.')), /^250 2\.0\.0 Ok/);
    const [answer] = await leftTo(from);
    assert.match(answer?.mail.text ?? '', /She has two cats\./);
    assert.match(answer?.raw ?? '', /^DKIM-Signature: [\s\S]*d=mail\.example\.test/m);
    assert.match(answer?.from ?? '', /^bounces\+dlv_.*@mail\.example\.test$/);
    const [message] = await received(address);
    assert.deepEqual(
      [message?.subject, (message as { authentication?: { dkim: string; spf: string } })?.authentication],
      [
        'Through Postfix',
        { spf: 'none', dkim: 'pass', dmarc: 'pass', arc: 'none', verified: true, verified_by: 'dmarc' },
      ],
    );
    await using smtp = await smtpClient(port, ELSEWHERE);
    await smtp.all('EHLO client.example', 'MAIL FROM:<>');
    assert.match(await smtp.say(`RCPT TO:<${answer?.from}>`), /^250 /, 'notices come back');
  });

  test('an address that does not exist is refused while the client is connected, and so is relaying', async () => {
    const { address } = await client.newMailbox(home);
    await using smtp = await smtpClient(port, ELSEWHERE);
    await smtp.all('EHLO client.example', `MAIL FROM:<${author()}>`);
    for (const to of [`missing@${home.name}.${MAIL_DOMAIN}`, `hello@nowhere.${MAIL_DOMAIN}`, `x@${MAIL_DOMAIN}`])
      assert.match(await smtp.say(`RCPT TO:<${to}>`), /^550 5\.1\.1 /, to);
    assert.match(await smtp.say('RCPT TO:<ada@elsewhere.example>'), /^554 5\.7\.1 .*Relay access denied/);
    assert.match(await smtp.say(`RCPT TO:<${address}>`), /^250 /);
  });

  test('an address takes mail soon after it is made, although it was refused before', async () => {
    const local_part = unique('late');
    const address = `${local_part}@${home.name}.${MAIL_DOMAIN}`;
    const rcpt = async (): Promise<string> => {
      await using smtp = await smtpClient(port, ELSEWHERE);
      return await smtp.all('EHLO client.example', `MAIL FROM:<${author()}>`, `RCPT TO:<${address}>`);
    };
    assert.match(await rcpt(), /^550 /);
    await client.newMailbox(home, { local_part });
    await until(WAIT_MS, rcpt, (reply) => reply.startsWith('250 '));
  });

  test('a forged mail that its domain asks to refuse is dropped, and the person who was forged is told nothing', async () => {
    const { address } = await client.newMailbox(home);
    const forged = author();
    assert.match(await send(forged, [address], textOf(forged, address, 'I am not Ada.')), /^250 /);
    await until(
      WAIT_MS,
      async () => postfix.log(),
      (log) => log.includes(`to=<${address}>`) && /status=sent \(250 2\.7\.1 Dropped: /.test(log),
    );
    await settled();
    assert.deepEqual(await received(address), []);
    assert.deepEqual(
      sink.arrived.filter(({ to }) => to[0] === forged),
      [],
    );
  });

  test('several recipients of one mail each have their own result, and only a refused one is reported', async () => {
    const [open, closed] = [
      await client.newMailbox(home),
      await client.newMailbox(home, { senders: { allow: [], block: ['*@author.example'] } }),
    ];
    const from = author();
    const text = await signed(from, open.address, 'Hello');
    assert.match(await send(from, [open.address, closed.address], text), /^250 /);
    await settled();
    await leftTo(from);
    await until(
      WAIT_MS,
      () => received(open.address),
      ({ length }) => length === 1,
    );
    const { seen } = await until(
      WAIT_MS,
      async () => sink.arrived.filter(({ to, from: path }) => to[0] === from && path === ''),
      ({ length }) => length > 0,
    );
    assert.match(seen[0]?.raw ?? '', new RegExp(`Final-Recipient: rfc822; ${closed.address}`));
    assert.doesNotMatch(seen[0]?.raw ?? '', new RegExp(`Final-Recipient: rfc822; ${open.address}`));
  });

  test('while the service is stopped mail waits, and arrives when it is back', async () => {
    const { address } = await client.newMailbox(home);
    const from = author();
    await send(from, [address], await signed(from, address, 'Before'));
    await leftTo(from);
    await inside.stop();
    const later = author();
    assert.match(await send(later, [address], await signed(later, address, 'Meanwhile')), /^250 /);
    await until(
      WAIT_MS,
      async () => postfix.log(),
      (log) => /relay=none.*status=deferred|status=deferred.*Connection refused/.test(log),
    );
    await inside.restart();
    await until(
      WAIT_MS,
      () => received(address),
      (messages) => messages.some(({ body }) => body.trim() === 'Meanwhile'),
    );
    await leftTo(later);
  });
}
