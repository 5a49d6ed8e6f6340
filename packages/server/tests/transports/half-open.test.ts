import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { newCertificate } from '../../../../tests/harness/certificate.ts';
import { unique } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { mailText } from '../../../../tests/harness/mail.ts';
import { newFolder, removeFolder } from '../../../../tests/harness/service.ts';
import type { Envelope, Page } from '../../../../tests/harness/wire.ts';

const folder = newFolder();
after(() => removeFolder(folder));
const { cert, key: certKey } = newCertificate(folder, ['localhost']);
const inside = await startInside({
  env: {
    SMTP_LISTEN: '127.0.0.1:0',
    SMTP_TLS_CERT: cert,
    SMTP_TLS_KEY: certKey,
    SUBMISSION_LISTEN: 'smtps://127.0.0.1:0',
  },
});
const behind = await startInside({ env: { SMTP_LISTEN: '127.0.0.1:0', SMTP_PROTOCOL: 'lmtp' } });
const home = await inside.client.newNamespace();
const homeBehind = await behind.client.newNamespace();

const plainTo = (port: number): Socket => connect({ port, host: '127.0.0.1', allowHalfOpen: true });
const secureTo = (port: number): Socket =>
  connectTls({ socket: plainTo(port), ca: readFileSync(cert), servername: 'localhost' });

/** Says each command after the reply to the one before, `last` at once with the end of its side; gives what came then. */
async function saidAtTheEnd(socket: Socket, commands: readonly string[], last: string): Promise<string> {
  let got = '';
  let begun = false;
  const remaining = [...commands];
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  socket.setEncoding('utf8').on('error', reject);
  socket.on('end', () => resolve(got));
  socket.on('data', (text: string) => {
    got += text;
    if (begun || !/^\d{3} .*\r\n$/m.test(got)) return;
    got = '';
    const command = remaining.shift();
    begun = command === undefined;
    if (command === undefined) socket.end(last);
    else socket.write(`${command}\r\n`);
  });
  const said = await promise;
  socket.destroy();
  return said;
}

const mail = (from: string, to: string): string =>
  mailText({ From: from, To: to, Subject: 'Half', 'Message-ID': `<${unique()}@example.com>` }, 'Hello\n');
const envelope = (hello: string, from: string, to: string): readonly string[] => [
  `${hello} client.example`,
  `MAIL FROM:<${from}>`,
  `RCPT TO:<${to}>`,
  'DATA',
];

for (const [name, { server, house, hello }] of Object.entries({
  SMTP: { server: inside, house: home, hello: 'EHLO' },
  LMTP: { server: behind, house: homeBehind, hello: 'LHLO' },
}))
  test(`a client of ${name} that ends its side after its mail has the reply to each command`, async () => {
    const { address } = await server.client.newMailbox(house);
    const from = `${unique('ada')}@example.com`;
    const received = async () =>
      (await server.client.api<Page<Envelope>>('GET', `/mailboxes/${address}/messages`, { key: house.key })).body.items;
    const end = (last: string) => saidAtTheEnd(plainTo(server.smtp?.port ?? 0), envelope(hello, from, address), last);
    assert.match(
      await end(`${mail(from, address)}\r\n.\r\nQUIT\r\n`),
      /^250 2\.0\.0 Received as msg_\w+\r\n221 2\.0\.0 .*\r\n$/,
    );
    assert.match(await end(`${mail(from, address)}\r\n.\r\n`), /^250 2\.0\.0 Received as msg_\w+\r\n$/);
    assert.equal((await received()).length, 2);
    assert.equal(await end(mail(from, address)), '', 'a mail without its end is none');
    assert.match(await end(`.\r\nRSET\r\nNOOP\r\nQUI`), /^\d{3} .*\r\n250 .*\r\n250 .*\r\n$/, 'QUI is no command');
  });

test('a client that never says a word and ends its side is greeted and left', async () => {
  const socket = plainTo(inside.smtp?.port ?? 0);
  const closed = Promise.withResolvers<void>();
  socket.on('end', () => closed.resolve());
  socket.resume().end();
  await closed.promise;
  socket.destroy();
});

test('a mail program that ends its side after its mail has the reply to each command, over TLS', async () => {
  const { address } = await inside.client.newMailbox(home);
  const login = Buffer.from(`\0${address}\0${home.key}`).toString('base64');
  const [first = '', ...rest] = envelope('EHLO', address, address);
  const socket = secureTo(inside.submission[0]?.port ?? 0);
  const reply = await saidAtTheEnd(
    socket,
    [first, `AUTH PLAIN ${login}`, ...rest],
    `${mail(address, address)}\r\n.\r\nQUIT\r\n`,
  );
  assert.match(reply, /^250 2\.0\.0 Sent as msg_\w+\r\n221 /);
});

/** Sends a request and ends its side; gives all that came. */
async function asked(
  method: string,
  path: string,
  key: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const socket = plainTo(Number(new URL(inside.url).port));
  let got = '';
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  socket.setEncoding('utf8').on('error', reject);
  socket.on('data', (text: string) => {
    got += text;
  });
  socket.on('end', () => resolve(got));
  socket.end(
    [
      `${method} /api/v1${path} HTTP/1.1`,
      'Host: localhost',
      `Authorization: Bearer ${key}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      '',
      body,
    ].join('\r\n'),
  );
  const said = await promise;
  socket.destroy();
  return said;
}

test('a caller over HTTP that ends its side after its request has the answer, and waits for it as any other', async () => {
  const { address } = await inside.client.newMailbox(home);
  const agent = await inside.client.newMailbox(home, { behavior: { name: 'agent' } });
  const send = (to: string) =>
    asked('POST', '/mail/send', home.key, JSON.stringify({ to, body: 'Hi', sync: true }), { Prefer: 'wait=30' });
  assert.match(await send(address), /^HTTP\/1\.1 200 [\s\S]*"status":"completed"/);
  const claimOf = (wait: number) =>
    inside.client.api<{ readonly items: readonly { readonly claim: string; readonly message: Envelope }[] }>(
      'POST',
      `/mailboxes/${agent.address}/claim`,
      { key: home.key, body: { wait } },
    );
  // Senders wait for a program that has asked for messages.
  await claimOf(0);
  const waiting = send(agent.address);
  const claimed = await claimOf(30);
  const [{ claim, message } = assert.fail()] = claimed.body.items;
  await inside.client.api('POST', `/mail/messages/${message.id}/answer`, {
    key: home.key,
    body: { claim, body: 'Late but whole' },
  });
  assert.match(await waiting, /^HTTP\/1\.1 200 [\s\S]*Late but whole/);
});

test('a caller that ends its side while it waits for messages is handed none', async () => {
  const agent = await inside.client.newMailbox(home, { behavior: { name: 'agent' } });
  const body = JSON.stringify({ wait: 60 });
  assert.match(
    await asked('POST', `/mailboxes/${agent.address}/claim`, home.key, body),
    /^HTTP\/1\.1 200 [\s\S]*\{"items":\[\]\}/,
  );
});
