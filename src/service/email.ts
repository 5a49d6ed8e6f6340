import { readFileSync, statSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Directory } from '../core/access/directory.ts';
import { EmailAnswers } from '../core/delivery/email-answers.ts';
import { noteBounce, noteComplaint } from '../core/delivery/email-bounces.ts';
import { IncomingEmail } from '../core/delivery/incoming-email.ts';
import { randomBase62 } from '../core/entities/key.ts';
import type { DeliveryName } from '../core/ports/delivery.ts';
import type { EmailTransport, OutgoingEmail } from '../core/ports/email-transport.ts';
import type { Store } from '../core/ports/store.ts';
import { lowerCase } from '../core/values/address.ts';
import type { Clock } from '../core/values/clock.ts';
import { HOUR } from '../core/values/clock.ts';
import { AppError } from '../core/values/error.ts';
import { networkOf } from '../http/authenticate.ts';
import type { MailReader } from '../mail/reading/reader.ts';
import { composeMail } from '../mail/writing/compose.ts';
import { failureOf } from '../mail/writing/failure.ts';
import { replySubject } from '../mail/writing/headers.ts';
import { marksOf } from '../mail/writing/marks.ts';
import { deliveryOf, returnPath } from '../mail/writing/return-path.ts';
import type { MailOut } from '../mail/writing/transport.ts';
import type { RawEmail, ReadEmail } from '../transports/smtp/server.ts';
import { PoolError } from '../workers/pool.ts';
import type { makeCore } from './core.ts';
import type { EmailLimiters } from './limiters.ts';
import { mailHost } from './mail.ts';

const LOOPBACK = ['127.0.0.0/8', '::1'];

/** The networks whose senders need no proof. */
const trusted = ({ SMTP_TRUSTED, MAIL_DOMAIN }: Config): readonly string[] =>
  SMTP_TRUSTED ?? (MAIL_DOMAIN.endsWith('.localhost') || MAIL_DOMAIN === 'localhost' ? LOOPBACK : []);

interface OutParts {
  readonly store: Store;
  readonly out: MailOut;
  readonly sign: (message: Buffer) => Promise<Buffer>;
  readonly clock: Clock;
  readonly baseUrl: () => string;
  readonly announce: (delivery: { readonly kind: DeliveryName; readonly destination: string }) => void;
  /** Events of this namespace were written. */
  readonly onEvents: (namespaceId: string) => void;
  readonly onError: (error: unknown) => void;
}

/** What sends the answers to e-mail. */
export async function makeEmailAnswers(config: Config, parts: OutParts): Promise<EmailAnswers> {
  const { store, out, sign, clock, baseUrl } = parts;
  const secret = await returnPathSecret(store);
  const transport: EmailTransport = {
    async send(email, signal) {
      try {
        const message = await sign(await composeMail(mailOf(email, baseUrl())));
        const return_path = returnPath(email.id, config.MAIL_DOMAIN, secret);
        const { id, to, subject, body: text } = email;
        return await out.send({ id, return_path, to, message, subject, text }, signal);
      } catch (error) {
        return failureOf(error);
      }
    },
  };
  return new EmailAnswers({ ...parts, mail_domain: config.MAIL_DOMAIN, clock, transport });
}

const returnPathSecret = (store: Store): Promise<string> => store.secrets.getOrPut('return_path', randomBase62(43));

/** How an answer is written as a mail. */
const mailOf = (email: OutgoingEmail, baseUrl: string) => ({
  id: email.rfc_id,
  from: email.from,
  to: email.to,
  subject: replySubject(email.subject),
  in_reply_to: email.in_reply_to,
  references: email.references,
  markdown: email.body,
  marks: marksOf(email, email.answers),
  signature: { name: email.from.name, url: `${baseUrl}/${email.from.address}` },
  attachments: email.files.map(({ filename, content_type, bytes }) => ({
    name: filename,
    type: content_type,
    content: bytes,
  })),
  automatic: 'auto-replied' as const,
  date: new Date(email.created_at),
});

interface InParts extends Pick<ReturnType<typeof makeCore>, 'post' | 'uploads' | 'bus'> {
  readonly store: Store;
  readonly directory: Directory;
  readonly answers: EmailAnswers;
  readonly clock: Clock;
  readonly log: Logger;
  readonly limiters: EmailLimiters | undefined;
}

/** The addresses of the mail domain itself that take reports of abuse. */
const REPORTS: ReadonlySet<string> = new Set(['abuse@', 'fbl@']);
/** Connections at a time, of all clients and of one network. */
const MAX_CONNECTIONS = 500;
const MAX_CONNECTIONS_OF_NETWORK = 50;

/** A server that receives mail, and what it uses. */
export interface EmailServer extends AsyncDisposable {
  readonly port: number;
  readonly host: string;
}

/** Starts to receive mail; undefined when that is off or, with a warning, when the port is taken. */
export async function startEmail(config: Config, parts: InParts): Promise<EmailServer | undefined> {
  const { SMTP_LISTEN: listen, SMTP_PROTOCOL: protocol } = config;
  if (listen === undefined) return undefined;
  const { log } = parts;
  const onError = (err: unknown): void => log.error({ err }, 'a mail could not be received');
  const listener = createServer();
  // What serves a connection is loaded with the first one, since it takes memory that most requests do not need.
  let serving: ReturnType<typeof makeServer> | undefined;
  listener.on('connection', (socket) => {
    // A client that disconnects is no matter of the operator.
    socket.on('error', () => {});
    serving ??= makeServer(config, parts, onError);
    serving.then(
      ({ server }) => server.accept(socket),
      (error: unknown) => {
        serving = undefined;
        socket.destroy();
        onError(error);
      },
    );
  });
  try {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    listener.once('error', reject);
    listener.listen(listen.port, listen.host, resolve);
    await promise;
    listener.off('error', reject).on('error', onError);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE' && code !== 'EACCES' && code !== 'EADDRNOTAVAIL') throw error;
    log.warn(
      { host: listen.host, port: listen.port, code },
      'no mail is received: SMTP_LISTEN cannot be listened on. Set it to another address, or to off',
    );
    return undefined;
  }
  const { address: host, port } = listener.address() as AddressInfo;
  log.info({ host, port, protocol }, 'receiving mail');
  return {
    host,
    port,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => listener.close(resolve));
      await (await serving?.catch(() => undefined))?.[Symbol.asyncDispose]();
      await closed;
    },
  };
}

/** What serves the connections of mail. */
async function makeServer(config: Config, parts: InParts, onError: (error: unknown) => void) {
  const { MAIL_DOMAIN: mail_domain } = config;
  const { store, bus, clock, limiters } = parts;
  const [{ SmtpServer }, { MailReader }] = await Promise.all([
    import('../transports/smtp/server.ts'),
    import('../mail/reading/reader.ts'),
  ]);
  const name = mailHost(config);
  const secret = await returnPathSecret(store);
  await using stack = new AsyncDisposableStack();
  const reader = stack.use(
    new MailReader({
      mta: name,
      trusted: trusted(config),
      dns_servers: config.DNS_SERVERS,
      ours: (domain) => domain === mail_domain || domain.endsWith(`.${mail_domain}`),
    }),
  );
  const incoming = new IncomingEmail(
    { ...parts, limit: limiters?.emailAnswers },
    { mail_domain, max_body: config.LIMIT_BODY, max_data: config.LIMIT_DATA },
  );
  const certificate = certificateOf(config);
  const server = stack.use(
    new SmtpServer(
      {
        incoming,
        read: (raw, signal) => readEmail(reader, raw, signal),
        deliveryOf: (address) => deliveryOf(address, mail_domain, secret),
        onBounce: (id, bounces) => noteBounce(id, bounces, { store, bus, clock }),
        onComplaint: (id, type) => noteComplaint(id, type, { store, bus, clock }),
        takesReports: (address) => REPORTS.has(lowerCase(address).replace(`@${mail_domain}`, '@')),
        networkOf,
        limits: limiters && { networks: limiters.emailNetworks, senders: limiters.emailSenders },
        onError,
      },
      {
        protocol: config.SMTP_PROTOCOL,
        name,
        max_bytes: config.LIMIT_MAIL,
        tls: certificate?.read(),
        max_connections: MAX_CONNECTIONS,
        max_connections_of_network: MAX_CONNECTIONS_OF_NETWORK,
      },
    ),
  );
  if (certificate !== undefined) stack.use(certificate.watch((tls) => server.renew(tls), onError));
  const held = stack.move();
  return { server, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

/** Reads a mail for the server. */
async function readEmail(
  reader: MailReader,
  { raw, ip, helo, from }: RawEmail,
  signal: AbortSignal,
): Promise<ReadEmail> {
  const mail = await reader.read({ raw, ip, helo, from }, signal).catch((error: unknown) => {
    if (error instanceof PoolError && (error.reason === 'timeout' || error.reason === 'crashed')) return undefined;
    if (error instanceof PoolError) throw new AppError('unavailable', 'Many mails are being read. Try again later.');
    throw error;
  });
  if (mail === undefined) return { bounces: [], complaint: null, refused: 'It takes too much time or memory to read.' };
  const { bounce: bounces, complaint } = mail;
  if (mail.policy === 'reject')
    return {
      bounces,
      complaint,
      refused: 'The domain of its sender asks to refuse mail that it did not authenticate.',
    };
  if (mail.from === null)
    return { bounces, complaint, refused: 'It needs exactly one address in From (RFC 5322, section 3.6.2).' };
  return {
    bounces,
    complaint,
    email: {
      rfc_id: mail.message_id,
      references: [...mail.references, ...mail.in_reply_to],
      subject: mail.subject === '' ? null : mail.subject,
      from: mail.from,
      body: mail.body,
      text: mail.text,
      files: mail.attachments.map(({ name, content_type, bytes }) => ({ filename: name, content_type, bytes })),
      authentication: mail.authentication,
      sha256: mail.sha256,
      not_answered: mail.automatic ?? (mail.policy === 'quarantine' ? 'quarantine' : null),
    },
  };
}

/** How often the files of the certificate are looked at. */
const CERTIFICATE_MS = HOUR;

/** The certificate of STARTTLS, which is read again when its files change. */
function certificateOf({ SMTP_TLS_CERT: cert, SMTP_TLS_KEY: key }: Config) {
  if (cert === undefined || key === undefined) return undefined;
  const read = () => ({ cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') });
  const changed = (): number => Math.max(statSync(cert).mtimeMs, statSync(key).mtimeMs);
  return {
    read,
    watch(renew: (tls: ReturnType<typeof read>) => void, onError: (error: unknown) => void): Disposable {
      let seen = changed();
      const timer = setInterval(() => {
        try {
          const now = changed();
          if (now === seen) return;
          seen = now;
          renew(read());
        } catch (error) {
          onError(error);
        }
      }, CERTIFICATE_MS);
      timer.unref();
      return { [Symbol.dispose]: () => clearInterval(timer) };
    },
  };
}
