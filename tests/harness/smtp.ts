import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import { until } from './until.ts';

/** A mail as received by a real server. */
export interface Arrived {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
  readonly mail: Email;
  /** Whether it came over TLS. */
  readonly secure: boolean;
  readonly user: string | undefined;
}

export interface Smtp extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
  readonly arrived: Arrived[];
  /** The number of connections opened to it. */
  connections: number;
  /** Resolves with the mails when this many have arrived; rejects after 20 s. */
  has(count: number): Promise<readonly Arrived[]>;
}

/** A reply of the server, such as `451 4.3.0 Try again`. */
export const answer = (code: number, text: string): Error => Object.assign(new Error(text), { responseCode: code });

/**
 * A real SMTP server on loopback. `data` may refuse a mail after its data arrived, which then does not count as
 * received; other options are those of `smtp-server`.
 */
export async function startSmtp(
  options: SMTPServerOptions & {
    readonly data?: (arrived: Arrived) => Error | undefined;
    readonly port?: number;
    readonly host?: string;
  } = {},
): Promise<Smtp> {
  const { data, port = 0, host = '127.0.0.1', ...rest } = options;
  const arrived: Arrived[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    // Connections that are kept open must not keep the test alive.
    closeTimeout: 1,
    ...rest,
    onConnect: (session, callback) => {
      smtp.connections++;
      if (rest.onConnect === undefined) callback();
      else rest.onConnect(session, callback);
    },
    onData: (stream: SMTPServerDataStream, session: SMTPServerSession, callback) => {
      void read(stream, session).then((one) => {
        const refused = data?.(one);
        if (refused === undefined) arrived.push(one);
        callback(refused ?? null);
      }, callback);
    },
  });
  // Errors of connections that the client breaks off do not matter.
  server.on('error', () => {});
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { port: bound } = server.server.address() as AddressInfo;
  const smtp: Smtp = {
    port: bound,
    url: `smtp://127.0.0.1:${bound}`,
    arrived,
    connections: 0,
    has: async (count) =>
      (
        await until(
          20_000,
          async () => arrived,
          (seen) => seen.length >= count,
        )
      ).seen,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
  return smtp;
}

async function read(stream: SMTPServerDataStream, { envelope, secure, user }: SMTPServerSession): Promise<Arrived> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  const raw = Buffer.concat(parts);
  return {
    from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
    to: envelope.rcptTo.map(({ address }) => address),
    raw: raw.toString('latin1'),
    mail: await PostalMime.parse(raw),
    secure,
    user: user as string | undefined,
  };
}
