import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import type { Attacker, Flood } from '../harness/flood-client.ts';
import { HELLO } from '../harness/service.ts';

const MIB = 1024 * 1024;
const LINE = `${'x'.repeat(76)}\r\n`;
/** Mail of the loopback is authenticated as that of strangers is. */
const AUTHENTICATED = { SMTP_TRUSTED: 'none' };

/** A client of SMTP that counts replies by their code. */
class SmtpClient {
  readonly #socket: Socket;
  readonly #attacker: Attacker;
  #got = '';
  #wake: () => void = () => {};
  closed = false;

  constructor(socket: Socket, attacker: Attacker) {
    this.#socket = socket;
    this.#attacker = attacker;
    socket.setEncoding('utf8').on('data', (text: string) => {
      this.#got += text;
      this.#wake();
    });
    socket.once('close', () => {
      this.closed = true;
      this.#wake();
    });
  }

  /** The code of the next reply; '' once the connection is closed. */
  async say(command?: string): Promise<string> {
    if (command !== undefined) this.write(`${command}\r\n`);
    for (;;) {
      const found = /^(?:\d{3}-.*\r\n)*(\d{3}) .*\r\n/.exec(this.#got);
      if (found !== null) {
        this.#got = this.#got.slice(found[0].length);
        this.#attacker.count(found[1] as string);
        return found[1] as string;
      }
      if (this.closed) {
        this.#attacker.count('closed');
        return '';
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  write(text: string): boolean {
    return !this.closed && this.#socket.write(text);
  }

  end(): void {
    this.#socket.destroy();
  }
}

async function open(attacker: Attacker, network: string, protocol: 'smtp' | 'lmtp' = 'smtp') {
  const socket = await attacker.dial(network, attacker.target.smtp);
  if (socket === undefined) {
    attacker.count('refused');
    await sleep(20);
    return undefined;
  }
  const client = new SmtpClient(socket, attacker);
  await client.say();
  await client.say(`${protocol === 'lmtp' ? 'LHLO' : 'EHLO'} x.example`);
  return client;
}

/** Sends a mail on an open connection; `text` ends without its last line. */
async function transact(client: SmtpClient, from: string, to: string, text: string): Promise<void> {
  await client.say(`MAIL FROM:<${from}>`);
  await client.say(`RCPT TO:<${to}>`);
  if ((await client.say('DATA')) !== '354') return;
  client.write(`${text}\r\n.\r\n`);
  await client.say();
}

const head = (attacker: Attacker, from: string, more = ''): string =>
  `From: ${from}\r\nTo: ${HELLO}\r\nSubject: ${attacker.unique()}\r\nMessage-ID: <${attacker.unique()}@x.example>\r\n${more}`;

/** A thousand parts, in all 5 MiB. */
function manyParts(attacker: Attacker): string {
  const part = `--b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${`<p>${LINE}`.repeat(60)}\r\n`;
  const nested = Array.from(
    { length: 30 },
    (_, at) => `--b\r\nContent-Type: multipart/mixed; boundary=n${at}\r\n\r\n--n${at}\r\n\r\nx\r\n`,
  );
  const type = 'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n';
  return `${head(attacker, 'eve@sender0.example', type)}${nested.join('')}${part.repeat(1_000)}--b--`;
}

/** Signatures of as many domains, none of which is right; many header fields and addresses. */
function manySignatures(attacker: Attacker, at: number): string {
  const signature = (one: number): string =>
    `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=sender${(at + one) % 50}.example; s=s;\r\n h=${'from:to:subject:'.repeat(30)}date;\r\n bh=${randomBytes(32).toString('base64')};\r\n b=${randomBytes(256).toString('base64')}\r\n`;
  const signatures = Array.from({ length: 300 }, (_, one) => signature(one)).join('');
  const fields = Array.from({ length: 1_000 }, (_, one) => `X-Field-${one}: ${'v'.repeat(200)}\r\n`).join('');
  const addresses = `Cc: ${Array.from({ length: 2_000 }, (_, one) => `a${one}@x.example`).join(',\r\n ')}\r\n`;
  return signatures + head(attacker, `eve@sender${at % 50}.example`, `${fields}${addresses}\r\n`) + LINE.repeat(5_000);
}

const connections: Flood = {
  name: 'SMTP: connections, commands, unknown recipients',
  begin: async (attacker) => () =>
    attacker.loop(60, async (network, at) => {
      const client = await open(attacker, network);
      if (client === undefined) return;
      if (at % 3 === 0) return sleep(2_000).then(() => client.end());
      if (at % 3 === 1) {
        client.write('NOOP\r\n'.repeat(5_000) + 'x'.repeat(100_000));
        await sleep(300);
        return client.end();
      }
      await client.say(`MAIL FROM:<${attacker.unique()}@x.example>`);
      for (let name = 0; name < 100 && !client.closed && !attacker.over; name++)
        await client.say(`RCPT TO:<n${name}${attacker.unique()}@agents.mailroom.localhost>`);
      client.end();
    }),
};

const endless = (protocol: 'smtp' | 'lmtp'): Flood => ({
  name: `${protocol.toUpperCase()}: mails that never end`,
  settings: { ...AUTHENTICATED, SMTP_PROTOCOL: protocol },
  begin: async (attacker) => () =>
    attacker.loop(20, async (network, at) => {
      const client = await open(attacker, network, protocol);
      if (client === undefined) return;
      await client.say('MAIL FROM:<eve@x.example>');
      await client.say(`RCPT TO:<${HELLO}>`);
      if ((await client.say('DATA')) !== '354') return client.end();
      const chunk = at % 4 === 0 ? 'x'.repeat(64 * 1024) : LINE.repeat(800);
      for (let sent = 0; sent < 24 * MIB && !client.closed && !attacker.over; sent += chunk.length)
        if (!client.write(chunk)) await sleep(5);
      while (!client.closed && !attacker.over) await sleep(500);
    }),
});

const parts = (protocol: 'smtp' | 'lmtp'): Flood => ({
  name: `${protocol.toUpperCase()}: 1,000 parts in 5 MiB`,
  settings: { ...AUTHENTICATED, SMTP_PROTOCOL: protocol },
  begin: async (attacker) => () =>
    attacker.loop(4, async (network) => {
      const client = await open(attacker, network, protocol);
      if (client === undefined) return;
      await transact(client, 'eve@sender0.example', HELLO, manyParts(attacker));
      client.end();
    }),
});

const signatures: Flood = {
  name: 'SMTP: mails with 300 signatures',
  settings: AUTHENTICATED,
  begin: async (attacker) => () =>
    attacker.loop(6, async (network, at) => {
      const client = await open(attacker, network);
      if (client === undefined) return;
      for (let mail = 0; mail < 5 && !client.closed && !attacker.over; mail++)
        await transact(client, `eve@sender${at % 50}.example`, HELLO, manySignatures(attacker, at));
      client.end();
    }),
};

const small: Flood = {
  name: 'SMTP: small mails, answered',
  begin: async (attacker) => () =>
    attacker.loop(8, async (network, at) => {
      const client = await open(attacker, network);
      if (client === undefined) return;
      for (let mail = 0; mail < 10 && !client.closed && !attacker.over; mail++) {
        const from = `eve${at % 40}@x.example`;
        await transact(client, from, HELLO, `${head(attacker, from)}\r\nWho are you?`);
      }
      client.end();
    }),
};

const logins: Flood = {
  name: 'submission: TLS, guesses of keys, mails',
  async begin(attacker) {
    const home = await attacker.homes();
    return () =>
      attacker.loop(16, async (network, at) => {
        const raw = await attacker.dial(network, attacker.target.submission);
        if (raw === undefined) return sleep(20);
        if (at % 5 === 0) {
          raw.write('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03');
          return sleep(300);
        }
        const socket = connectTls({ socket: raw, rejectUnauthorized: false });
        socket.on('error', () => {});
        const client = new SmtpClient(socket, attacker);
        await client.say();
        await client.say('EHLO x.example');
        const { key, address } = home(network);
        const login = (password: string): string =>
          `AUTH PLAIN ${Buffer.from(`\0${address}\0${password}`).toString('base64')}`;
        if (at % 3 === 0) {
          await client.say(login(key));
          await transact(client, address, HELLO, `${head(attacker, address)}\r\n${LINE.repeat(2_000)}`);
        } else
          for (let guess = 0; guess < 10 && !client.closed; guess++)
            await client.say(login(`mr_live_${attacker.unique()}`));
        socket.destroy();
      });
  },
};

export const MAIL: readonly Flood[] = [
  connections,
  endless('smtp'),
  endless('lmtp'),
  parts('smtp'),
  parts('lmtp'),
  signatures,
  small,
  logins,
];
