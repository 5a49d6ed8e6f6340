import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { type AttackReport, assertHeld, attackTarget } from '../../../../../tests/harness/attack.ts';
import { newCertificate } from '../../../../../tests/harness/certificate.ts';
import { connect, unique } from '../../../../../tests/harness/client.ts';
import { mailText, type SmtpClient, sendMail, smtpClient } from '../../../../../tests/harness/mail.ts';
import { freePort } from '../../../../../tests/harness/postgres.ts';
import { newFolder, removeFolder } from '../../../../../tests/harness/service.ts';
import { amount } from '../../../../../tests/soak/length.ts';

const MIB = 1024 * 1024;
/** The largest mail that the service takes, in MiB. */
const LARGEST = amount(2, 25);
const VICTIM = '127.0.0.8';
const LINES = `${'x'.repeat(76)}\r\n`.repeat(1_000);

interface Target {
  readonly port: number;
  readonly url: string;
  readonly key: string;
  readonly to: string;
}

const FILE = amount(1, 4) * MIB;
/** How many connections for mail there may be; the attacker opens more. */
const CONNECTIONS = 200;
const port = await freePort();
const folder = newFolder();
const certificate = newCertificate(folder, ['localhost']);
const submission = await freePort();
/** One service for all attacks, each of which has a mailbox of its own. */
const target = attackTarget({
  env: {
    SMTP_LISTEN: `127.0.0.1:${port}`,
    SMTP_TLS_CERT: certificate.cert,
    SMTP_TLS_KEY: certificate.key,
    SUBMISSION_LISTEN: `127.0.0.1:${submission}`,
    LIMIT_MAIL: String(LARGEST * MIB),
    LIMIT_MAIL_CONNECTIONS: String(CONNECTIONS),
    LIMIT_STORAGE_UNCLAIMED: String(5 * FILE),
  },
});
after(async () => {
  await target[Symbol.asyncDispose]();
  removeFolder(folder);
});

/** Attacks the service that takes mail; its owner has one mailbox. */
const attackMail = (attacker: (target: Target) => Promise<void>): Promise<AttackReport> =>
  target.attack(async ({ url }) => {
    const { newNamespace, newMailbox } = connect(url);
    const home = await newNamespace();
    const { address } = await newMailbox(home);
    await attacker({ port, url, key: home.key, to: address });
  });

const simple = (from: string, to: string): string =>
  mailText({ From: from, To: to, Subject: 'Hello', 'Message-ID': `<${unique()}@good.example>` }, 'Hello');
/** A mail of another one, on its own connection. */
function fromVictim({ port, to }: Target, from = 'ada@good.example'): Promise<string> {
  return sendMail(port, { from, to: [to], text: simple(from, to) }, VICTIM);
}
const end = async (clients: readonly SmtpClient[]): Promise<void> => {
  for (const client of clients) await client[Symbol.asyncDispose]();
};

/** How a mail begins that never ends: in clear, within TLS, and as a sender who logged in. */
const ENDLESS: Readonly<Record<string, (target: Target) => Promise<SmtpClient>>> = {
  'in clear': async ({ port }) => {
    const client = await smtpClient(port, '127.0.0.7');
    await client.say('EHLO x');
    return client;
  },
  'over STARTTLS': async ({ port }) => {
    const client = await smtpClient(port, '127.0.0.7');
    await client.say('EHLO x');
    await client.secure(certificate.cert);
    await client.say('EHLO x');
    return client;
  },
  'by submission': async ({ to, key }) => {
    const client = await smtpClient(submission, '127.0.0.7');
    await client.say('EHLO x');
    await client.secure(certificate.cert);
    await client.say('EHLO x');
    const login = Buffer.from(`\0${to}\0${key}`).toString('base64');
    assert.match(await client.say(`AUTH PLAIN ${login}`), /^235 /);
    return client;
  },
};

for (const [how, begin] of Object.entries(ENDLESS))
  test(`large mails that never end, ${how}, keep no mail of another network out`, async () => {
    const replies: string[] = [];
    const report = await attackMail(async (target) => {
      const clients: SmtpClient[] = [];
      for (let n = 0; n < 12; n++) {
        const client = await begin(target);
        const from = how === 'by submission' ? target.to : 'eve@evil.example';
        assert.match(await client.all(`MAIL FROM:<${from}>`, `RCPT TO:<${target.to}>`, 'DATA'), /^354/);
        for (let sent = 0; sent < (LARGEST - 1) * MIB; sent += LINES.length) client.write(LINES);
        clients.push(client);
        replies.push(await fromVictim(target));
      }
      for (let n = 0; n < 3; n++) replies.push(await fromVictim(target));
      await end(clients);
    });
    assertHeld(report);
    for (const reply of replies) assert.match(reply, /^250 2\.0\.0 Received/);
  });

test('idle connections of ten networks, more than may be, keep no mail out', async () => {
  const replies: string[] = [];
  const report = await attackMail(async (target) => {
    const idle: SmtpClient[] = [];
    for (let network = 0; network < 10; network++)
      idle.push(
        ...(await Promise.all(Array.from({ length: 50 }, () => smtpClient(target.port, `127.0.0.${20 + network}`)))),
      );
    for (let n = 0; n < 3; n++) replies.push(await fromVictim(target));
    await end(idle);
  });
  assertHeld(report);
  for (const reply of replies) assert.match(reply, /^250 2\.0\.0 Received/);
});

test('a stranger who names the sender of another network, and addresses that do not exist, locks no one out', async () => {
  const answered: string[] = [];
  let asking_ms = 0;
  const replies: string[] = [];
  const report = await attackMail(async (target) => {
    const client = await smtpClient(target.port, '127.0.0.7');
    await client.say('EHLO x');
    for (let n = 0; n < 70; n++) {
      await client.say('MAIL FROM:<ada@good.example>');
      await client.say('RSET');
    }
    await client.say('MAIL FROM:<ada@good.example>');
    const from = performance.now();
    for (let n = 0; n < 3_000; n++) {
      const reply = await client.say(`RCPT TO:<name${n}@${target.to.split('@')[1]}>`);
      if (!reply.startsWith('550')) break;
      answered.push(reply);
    }
    asking_ms = performance.now() - from;
    replies.push(await fromVictim(target));
    await end([client]);
  });
  assertHeld(report);
  // A hundred, and those that come back meanwhile: a hundred a minute.
  const most = 101 + Math.floor((100 * asking_ms) / 60_000);
  assert.ok(answered.length <= most, `${answered.length} addresses were looked up`);
  for (const reply of replies) assert.match(reply, /^250 2\.0\.0 Received/);
});

test('mails of strangers fill half of a namespace, whose owner writes on', async () => {
  const statuses: number[] = [];
  const replies: string[] = [];
  const report = await attackMail(async (target) => {
    const { send } = connect(target.url);
    for (let n = 0; n < 6; n++) {
      const from = `eve@evil${n}.example`;
      const content =
        randomBytes(FILE)
          .toString('base64')
          .match(/.{1,76}/g) ?? [];
      const fields = { From: from, To: target.to, 'MIME-Version': '1.0', 'Message-ID': `<${unique()}@evil.example>` };
      const file = { 'Content-Type': 'application/x-a; name=a', 'Content-Transfer-Encoding': 'base64' };
      const text = mailText({ ...fields, ...file }, content.join('\n'));
      replies.push(await sendMail(target.port, { from, to: [target.to], text }, `127.0.0.${30 + n}`));
    }
    for (let n = 0; n < 5; n++)
      statuses.push((await send(target.key, { to: target.to, body: 'x'.repeat(60_000), sync: true })).status);
  });
  assertHeld(report);
  assert.equal(replies.filter((reply) => reply.startsWith('250')).length, 2, replies.join('\n'));
  assert.deepEqual(statuses, [200, 200, 200, 200, 200]);
});
