// Other programs: Exim.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newCertificate } from '../harness/certificate.ts';
import { unique } from '../harness/client.ts';
import { startInside } from '../harness/inside.ts';
import { lacks } from '../harness/install.ts';
import { mailText, sendMail } from '../harness/mail.ts';
import { freePort } from '../harness/postgres.ts';
import { newFolder, removeFolder } from '../harness/service.ts';
import { until } from '../harness/until.ts';
import type { Envelope, Page } from '../harness/wire.ts';
import { type EximFiles, eximFiles, startExim } from './exim.ts';

const WAIT_MS = 60_000;
const MAIL_DOMAIN = 'mail.example.test';

const openssl = lacks('openssl');
const files = openssl === false ? eximFiles() : undefined;
if (files === undefined)
  test('Exim and a service hand mail to each other', {
    skip: openssl || 'needs root, unshare, apt-get and the packages exim4-base and exim4-daemon-light of Debian',
  });
else {
  after(() => files[Symbol.dispose]());
  for (const [protocol, tls] of [
    ['smtp', false],
    ['smtp', true],
    ['lmtp', false],
  ] as const)
    await withExim(files, protocol, tls);
}

async function withExim(files: EximFiles, protocol: 'smtp' | 'lmtp', tls: boolean): Promise<void> {
  const folder = newFolder();
  const { cert, key } = newCertificate(folder, ['localhost']);
  const [port, mail] = [await freePort(), await freePort()];
  const inside = await startInside({
    env: {
      MAIL_DOMAIN,
      SMTP_LISTEN: `127.0.0.1:${mail}`,
      SMTP_PROTOCOL: protocol,
      SMTP_TRUSTED: '127.0.0.0/8',
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      ...(tls && { SMTP_TLS_CERT: cert, SMTP_TLS_KEY: key }),
    },
  });
  const exim = await startExim(files, { port, mail_domain: MAIL_DOMAIN, service: { port: mail, protocol } });
  after(async () => {
    await exim[Symbol.asyncDispose]();
    await inside.stop();
    removeFolder(folder);
  });
  const name = `Exim hands mail over by ${protocol.toUpperCase()}${tls ? ' with STARTTLS' : ''} once, and learns that it was taken`;

  test(name, async () => {
    const { client } = inside;
    const home = await client.newNamespace();
    const { address } = await client.newMailbox(home);
    const from = `${unique('ada')}@author.example`;
    const text = mailText(
      {
        From: from,
        To: address,
        Subject: 'Through Exim',
        Date: 'Mon, 23 Nov 2026 10:00:00 +0000',
        'Message-ID': `<${unique()}@author.example>`,
      },
      'Hello',
    );
    assert.match(await sendMail(port, { from, to: [address], text }), /^250 OK id=/);
    await until(
      WAIT_MS,
      async () => exim.log(),
      (log) => log.includes('Completed') || log.includes('defer'),
    );
    const { items } = (await client.api<Page<Envelope>>('GET', `/mailboxes/${address}/messages`, { key: home.key }))
      .body;
    assert.deepEqual(
      items.map(({ subject }) => subject),
      ['Through Exim'],
    );
    assert.match(exim.log(), new RegExp(`=> ${address} .*C="250 2\\.0\\.0 Received as ${items[0]?.id}"`));
    assert.equal(/X=TLS.* C="250 2\.0\.0 Received/.test(exim.log()), tls);
    assert.doesNotMatch(exim.log(), /defer/);
  });

  // By LMTP nothing is known of the client, so that this mail has no proof and no answer.
  if (protocol === 'lmtp') return;
  test(`an answer leaves through Exim${tls ? ', which hands over with STARTTLS' : ''}`, async () => {
    const { client } = inside;
    const home = await client.newNamespace();
    const { address } = await client.newMailbox(home);
    const from = `${unique('eve')}@author.example`;
    const text = mailText(
      { From: from, To: address, Subject: 'Who?', 'Message-ID': `<${unique()}@a.example>` },
      'Hello',
    );
    await sendMail(port, { from, to: [address], text });
    const { seen } = await until(
      WAIT_MS,
      async () => exim.filed().filter((one) => one.includes(`To: ${from}`)),
      (filed) => filed.length > 0,
    );
    assert.equal(seen.length, 1);
    assert.match(seen[0] ?? '', /^Subject: Re: Who\?/m);
    await until(
      WAIT_MS,
      async () => exim.queued(),
      (count) => count === 0,
    );
  });
}
