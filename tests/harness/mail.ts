import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Email } from 'postal-mime';
import { mailsIn } from './outbox.ts';
import { until } from './until.ts';

const WAIT_MS = 60_000;

/** A client of an SMTP server that sends commands as they are. */
export interface SmtpClient extends AsyncDisposable {
  /** Sends text as it is. */
  write(text: string): void;
  /** Sends a command, or nothing, and gives the whole reply. */
  say(command?: string): Promise<string>;
  /** Says several commands, each after the reply to the one before; gives the last reply. */
  all(...commands: readonly string[]): Promise<string>;
  /** Says STARTTLS, with `more` in the same packet, and continues over TLS with a server that has this certificate. */
  secure(cert: string, more?: string): Promise<void>;
}

/** Connects, from this address, and reads the greeting. */
export async function smtpClient(
  port: number,
  localAddress = '127.0.0.1',
): Promise<SmtpClient & { readonly greeting: string }> {
  let socket: Socket = connect({ port, host: '127.0.0.1', localAddress });
  let got = '';
  let closed = false;
  const listeners = new Set<() => void>();
  const wake = (): void => {
    for (const listener of listeners) listener();
  };
  const listen = (): void => {
    socket.setEncoding('utf8').on('data', (text: string) => {
      got += text;
      wake();
    });
    socket.on('close', () => {
      closed = true;
      wake();
    });
    socket.on('error', () => {});
  };
  listen();
  const reply = async (): Promise<string> => {
    for (;;) {
      // The last line of a reply has a space after the code (RFC 5321, section 4.2.1).
      const found = /^(?:\d{3}-.*\r\n)*\d{3} .*\r\n/.exec(got);
      if (found !== null) {
        got = got.slice(found[0].length);
        return found[0].trimEnd();
      }
      if (closed) return 'closed';
      await new Promise<void>((resolve) => {
        const listener = (): void => {
          listeners.delete(listener);
          resolve();
        };
        listeners.add(listener);
      });
    }
  };
  const say = async (command?: string): Promise<string> => {
    if (command !== undefined) socket.write(`${command}\r\n`);
    return reply();
  };
  return {
    greeting: await reply(),
    write: (text) => void socket.write(text),
    say,
    async all(...commands) {
      let last = '';
      for (const command of commands) last = await say(command);
      return last;
    },
    async secure(cert, more = '') {
      const begun = await say(`STARTTLS${more === '' ? '' : `\r\n${more}`}`);
      if (!begun.startsWith('220')) throw new Error(begun);
      socket.removeAllListeners('data').removeAllListeners('close');
      socket = connectTls({ socket, ca: readFileSync(cert), servername: 'localhost' });
      await once(socket, 'secureConnect');
      listen();
    },
    async [Symbol.asyncDispose]() {
      socket.destroy();
    },
  };
}

/** A mail as bytes with CRLF. */
export const mailText = (fields: Readonly<Record<string, string>>, body: string): string =>
  `${Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\r\n')}\r\n\r\n${body.replaceAll('\n', '\r\n')}`;

/** Sends a mail in a transaction of its own; gives the reply to its data, or to the command that was refused. */
export async function sendMail(
  port: number,
  mail: { readonly from: string; readonly to: readonly string[]; readonly text: string },
  localAddress?: string,
): Promise<string> {
  await using client = await smtpClient(port, localAddress);
  for (const command of [
    'EHLO client.example',
    `MAIL FROM:<${mail.from}>`,
    ...mail.to.map((to) => `RCPT TO:<${to}>`),
  ]) {
    const reply = await client.say(command);
    if (!reply.startsWith('250')) return reply;
  }
  const begun = await client.say('DATA');
  if (!begun.startsWith('354')) return begun;
  // Awaited, since the connection is closed when the function returns.
  return await client.say(`${mail.text.replace(/^\./gm, '..')}\r\n.`);
}

/** The mail that left for this address, once there are that many. */
export async function leftFor(outbox: string, address: string, count = 1): Promise<readonly Email[]> {
  const look = async (): Promise<Email[]> =>
    [...(await mailsIn(outbox)).values()].filter(({ to }) => to?.[0]?.address === address);
  const { seen } = await until(WAIT_MS, look, (mails) => mails.length >= count);
  return seen;
}
