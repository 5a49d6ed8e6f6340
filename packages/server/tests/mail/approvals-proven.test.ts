import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, test } from 'node:test';
import { dkimSign } from 'mailauth';
import { unique } from '../../../../tests/harness/client.ts';
import { startDns } from '../../../../tests/harness/dns.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { leftFor, mailText, sendMail } from '../../../../tests/harness/mail.ts';
import { ownedBy } from '../../../../tests/harness/owner.ts';
import { until } from '../../../../tests/harness/until.ts';
import { LONG_ONLY } from '../../../../tests/soak/length.ts';

const WAIT_MS = 60_000;
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const der = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
const dns = await startDns({
  's._domainkey.example.com': { TXT: [`v=DKIM1; k=rsa; p=${der}`] },
  's._domainkey.evil.example': { TXT: [`v=DKIM1; k=rsa; p=${der}`] },
  'example.com': { TXT: ['v=spf1 -all'] },
});
after(() => dns[Symbol.asyncDispose]());
const inside = await startInside({
  env: { SMTP_LISTEN: '127.0.0.1:0', SMTP_TRUSTED: 'none', DNS_SERVERS: dns.address, RATE_LIMITS: 'on' },
});
const { client, outbox } = inside;

async function signed(text: string, signingDomain: string): Promise<string> {
  const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const signature = { signingDomain, selector: 's', privateKey: privateKeyPem };
  const { signatures, errors } = await dkimSign(text, {
    ...signature,
    canonicalization: 'relaxed/relaxed',
    signatureData: [signature],
  });
  assert.deepEqual(errors, []);
  return signatures + text;
}

/** The same mail with an HTML part beside its text. */
const withHtml = (text: string, html: string): string => {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const part = (type: string, content: string): string => `--b\r\nContent-Type: ${type}\r\n\r\n${content}\r\n`;
  const parts = part('text/plain', body.trim()) + part('text/html', html);
  return `${head}\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n${parts}--b--\r\n`;
};

// Plans and reviews are decided by the same code: forged-decisions.test.ts shows it.
test('an answer counts only when it is proven that the owner wrote it', LONG_ONLY, async () => {
  const home = await client.newNamespace();
  const owner = `${unique('owner')}@example.com`;
  await ownedBy(inside, home, owner);
  const behavior = { name: 'do', settings: { approval: ['remember'] } };
  const { address } = await client.newMailbox(home, { behavior });
  const { id } = (await client.send(home.key, { to: address, body: 'Remember that milk is white' })).body;
  const [question] = await leftFor(outbox, owner);
  const to = question?.replyTo?.[0]?.address ?? '';
  const yes = (): string =>
    mailText(
      {
        From: owner,
        To: to,
        Subject: 'Re: it',
        Date: new Date().toUTCString(),
        'Message-ID': `<${unique()}@example.com>`,
      },
      'Yes\n',
    );
  const send = (text: string): Promise<string> => sendMail(inside.smtp?.port ?? 0, { from: owner, to: [to], text });
  assert.match(await send(yes()), /^550 5\.7\.1 It is not proven/);
  assert.match(await send(await signed(yes(), 'evil.example')), /^550 5\.7\.1 It is not proven/);
  const changed = (await signed(yes(), 'example.com')).replace('Yes', 'yes');
  assert.match(await send(changed), /^550 5\.7\.1 It is not proven/);
  assert.equal((await client.read(home.key, id)).body.waiting_for, 'approval');
  assert.equal((await leftFor(outbox, owner)).length, 1);
  assert.match(await send(await signed(withHtml(yes(), '<p>No</p>'), 'example.com')), /^250 2\.0\.0 unclear/);
  assert.equal((await client.read(home.key, id)).body.waiting_for, 'approval');
  assert.match(await send(await signed(yes(), 'example.com')), /^250 2\.0\.0 approved/);
  assert.equal((await client.read(home.key, id, '?wait=60')).body.status, 'completed');
});

test('of a burst of plans the owner of a namespace is asked about twenty an hour', async () => {
  const home = await client.newNamespace();
  const owner = `${unique('owner')}@example.com`;
  await ownedBy(inside, home, owner);
  const behavior = { name: 'do', settings: { approval: ['remember'] } };
  const { address } = await client.newMailbox(home, { behavior });
  const body = 'Remember that milk is white';
  for (let nth = 0; nth < 23; nth += 1) {
    const { id } = (await client.send(home.key, { to: address, body })).body;
    await until(
      WAIT_MS,
      async () => (await client.read(home.key, id)).body,
      ({ waiting_for }) => waiting_for === 'approval',
    );
  }
  await leftFor(outbox, owner, 20);
  await until(
    WAIT_MS,
    () => inside.store.deliveries.waiting(),
    ({ length }) => length === 0,
  );
  // One more every three minutes.
  assert.ok((await leftFor(outbox, owner, 20)).length < 23);
});
