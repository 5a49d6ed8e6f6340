import assert from 'node:assert/strict';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { newId } from '@mailroom/behavior/values/ids';
import { startInside } from '../../../../../tests/harness/inside.ts';
import { until } from '../../../../../tests/harness/until.ts';
import type { Envelope } from '../../../../../tests/harness/wire.ts';
import type { DeliveryResult } from '../../../core/ports/delivery.ts';
import type { OutgoingMail } from '../../../mail/writing/session.ts';
import { relayMail } from '../../../mail/writing/transport.ts';

// The server that mail leaves by, as one that means harm: it floods, drips, repeats what it was told, and lies.
const PASSWORD = 'pw-7c31e0';
const PATIENCE = { connect: 500, silence: 300, mail: 700 };
const NEVER = new AbortController().signal;

/** How it answers each command, by its verb; `''` is the connection itself, `.` the end of a mail. */
type Script = (verb: string, socket: Socket, line: string) => string | undefined;

const usual = (verb: string): string =>
  verb === '' ? '220 evil\r\n' : verb === 'DATA' ? '354 go\r\n' : verb === 'QUIT' ? '221 bye\r\n' : '250 2.0.0 ok\r\n';

async function relay(script: Script) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let data = false;
    let rest = '';
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    const say = (verb: string, line: string): void => {
      const reply = script(verb, socket, line) ?? usual(verb);
      if (!socket.destroyed && reply !== '') socket.write(reply, 'latin1');
    };
    say('', '');
    socket.on('data', (chunk) => {
      const lines = (rest + chunk.toString('latin1')).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const verb = (/^[A-Z]+/.exec(line)?.[0] ?? line).slice(0, 8);
        if (data && line === '.') {
          data = false;
          say('.', line);
        } else if (!data) {
          data = verb === 'DATA';
          say(verb, line);
        }
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  const { port } = server.address() as AddressInfo;
  return { url: `smtp://room:${PASSWORD}@127.0.0.1:${port}`, port, sockets, [Symbol.asyncDispose]: close };
}

const mailOf = (more: Partial<OutgoingMail> = {}): OutgoingMail => ({
  id: newId('dlv', Date.now()),
  return_path: 'bounces@mailroom.test',
  to: 'ada@outside.example',
  message: Buffer.from('From: a@mailroom.test\r\nTo: ada@outside.example\r\n\r\nsecret-text\r\n'),
  subject: 'Hi',
  text: 'secret-text',
  ...more,
});

const ehlo =
  (...lines: readonly string[]): Script =>
  (verb) =>
    verb === 'EHLO'
      ? ['evil', ...lines].map((line, at, all) => `250${at + 1 < all.length ? '-' : ' '}${line}\r\n`).join('')
      : undefined;
/** Writes for as long as the other side reads. */
const flood = (socket: Socket, chunk: string): string => {
  const more = (): void => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', more);
  more();
  return '';
};
const ended = (_socket: Socket): string => '';
/** A little at a time, which no limit on silence ends. */
const drip = (socket: Socket, chunk: string): string => {
  const drops = setInterval(() => socket.write(chunk), 50);
  socket.on('close', () => clearInterval(drops));
  return '';
};

const stage =
  (verb: string, answer: (socket: Socket) => string): Script =>
  (said, socket) =>
    said === verb ? answer(socket) : undefined;
const HANGS: readonly (readonly [string, Script])[] = [
  ['greets without end', stage('', (socket) => flood(socket, '220-x\r\n'))],
  ['greets by one line without end', stage('', (socket) => flood(socket, 'x'.repeat(1_000)))],
  ['announces without end', stage('EHLO', (socket) => flood(socket, `250-${'x'.repeat(60)}\r\n`))],
  ['announces in drops', stage('EHLO', (socket) => drip(socket, '250-x\r\n'))],
  ['answers in drops', stage('MAIL', (socket) => drip(socket, '2'))],
  ['answers what nobody asked', stage('EHLO', (socket) => flood(socket, '250 ok\r\n'))],
  ['takes a mail and never answers', stage('.', () => '')],
  ['closes its side', stage('RCPT', (socket) => ended(socket.end()))],
  ['answers bytes of no text', stage('', (socket) => flood(socket, '\0\u00ff\u00fe\r\n'))],
  ['resets', stage('DATA', (socket) => ended(socket.resetAndDestroy()))],
];

const failedFor = (result: DeliveryResult) => {
  assert.ok(result.kind === 'failed', JSON.stringify(result));
  return result;
};

test('a relay that floods, drips or hangs costs each mail its time, and no connection or slot is held after that', async () => {
  await Promise.all(
    HANGS.map(async ([name, script]) => {
      await using evil = await relay(script);
      using out = relayMail(evil.url.replace(/room:.*@/, ''), PATIENCE);
      const results = await Promise.all(Array.from({ length: 7 }, () => out.send(mailOf(), NEVER)));
      for (const result of results) assert.equal(failedFor(result).permanent, false, name);
      await until(
        20_000,
        async () => evil.sockets.size,
        (open) => open === 0,
      );
    }),
  );
});

test('what a relay says when it refuses the login is not shown to those who write, whatever it repeats', async () => {
  const login = Buffer.from(`\0room\0${PASSWORD}`).toString('base64');
  for (const [method, verb] of [
    ['PLAIN', 'AUTH'],
    ['LOGIN', Buffer.from('room').toString('base64').slice(0, 8)],
  ] as const) {
    await using evil = await relay((said, socket, line) =>
      said === 'EHLO'
        ? ehlo(`AUTH ${method}`)(said, socket, line)
        : said === verb || said === 'AUTH'
          ? `535 5.7.8 room ${PASSWORD} ${login} is not welcome\r\n`
          : undefined,
    );
    using out = relayMail(evil.url, PATIENCE);
    const result = failedFor(await out.send(mailOf(), NEVER));
    assert.equal(result.permanent, false);
    assert.match(result.reason, /^EAUTH 535 AUTH/);
    const shown = JSON.stringify(result);
    for (const secret of [PASSWORD, login, 'welcome']) assert.ok(!shown.includes(secret), shown);
  }
});

test('a reply of a relay is one short line of text wherever it is shown', async () => {
  const reply = `550-5.1.1 \u001b[2J\u001b]0;x\u0007<script>alert(1)</script>\r\n550-5.1.1 {"level":"error"}\r\n550 5.1.1 ${'\u00e2\u0080\u00ae<img src=x onerror=alert(2)>'.repeat(900)}\r\n`;
  await using evil = await relay((verb) => (verb === 'RCPT' ? Buffer.from(reply).toString('latin1') : undefined));
  const inside = await startInside({ env: { SMTP_URL: `smtp://127.0.0.1:${evil.port}`, SMTP_LISTEN: '127.0.0.1:0' } });
  const { client, store } = inside;
  const home = await client.newNamespace();
  await store.namespaces.claim(home.id, inside.now());
  const { address: from } = await client.newMailbox(home);
  const mail = { from, to: 'ada@outside.example', subject: 'Hi', body: 'Good day' };
  const { body, text } = await client.send(home.key, mail);
  assert.ok(body.id !== undefined, text);
  const { seen } = await until(
    20_000,
    async () =>
      (await client.read(home.key, body.id)).body as Envelope & { deliveries?: { status: string; error: string }[] },
    ({ deliveries = [] }) => deliveries[0]?.status === 'bounced',
  );
  const error = seen.deliveries?.[0]?.error ?? '';
  assert.ok(error.length <= 500, `${error.length} characters`);
  assert.doesNotMatch(error, /[\p{Cc}\p{Bidi_Control}]/u);
  const events = await client.api('GET', '/events?limit=200', { key: home.key });
  for (const text of [events.text, ...inside.lines]) assert.doesNotMatch(text.trimEnd(), /[\p{Cc}\p{Bidi_Control}]/u);
  assert.ok(inside.lines.every((line) => !line.includes('alert(')));
});
