import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Directory } from '../core/access/directory.ts';
import type { Deliverer } from '../core/delivery/deliver.ts';
import { EmailAnswers } from '../core/delivery/email-answers.ts';
import { noteBounce, noteComplaint } from '../core/delivery/email-bounces.ts';
import { IncomingEmail } from '../core/delivery/incoming-email.ts';
import type { ApprovalMails } from '../core/delivery/mail-approvals/approval-mails.ts';
import { randomBase62 } from '../core/entities/key.ts';
import type { EmailTransport, OutgoingEmail } from '../core/ports/email-transport.ts';
import type { Store } from '../core/ports/store.ts';
import { lowerCase } from '../core/values/address.ts';
import type { Clock } from '../core/values/clock.ts';
import { AppError } from '../core/values/error.ts';
import { networkOf } from '../http/authenticate.ts';
import type { MailReader } from '../mail/reading/reader.ts';
import type { SignOptions } from '../mail/writing/dkim.ts';
import { failureOf } from '../mail/writing/failure.ts';
import { replySubject } from '../mail/writing/headers.ts';
import { marksOf } from '../mail/writing/marks.ts';
import { deliveryOf, returnPath } from '../mail/writing/return-path.ts';
import type { MailOut } from '../mail/writing/transport.ts';
import type { MailWriter } from '../mail/writing/writer.ts';
import { HeldBytes } from '../transports/smtp/held.ts';
import type { RawEmail, ReadEmail } from '../transports/smtp/server.ts';
import { PoolError } from '../workers/pool.ts';
import type { makeCore } from './core.ts';
import type { EmailLimiters } from './limiters.ts';
import { mailHost } from './mail.ts';
import type { EmailServer } from './mail-listener.ts';
import { certificateOf, listenForMail } from './mail-listener.ts';
import { isOurs } from './owner-domains.ts';
import type { LoginLimiters, LoginParts } from './submission.ts';
import { loginOf } from './submission.ts';

const LOOPBACK = ['127.0.0.0/8', '::1'];

/** The networks whose senders need no proof. */
const trusted = ({ SMTP_TRUSTED, MAIL_DOMAIN }: Config): readonly string[] =>
  SMTP_TRUSTED ?? (MAIL_DOMAIN.endsWith('.localhost') || MAIL_DOMAIN === 'localhost' ? LOOPBACK : []);

interface OutParts {
  readonly store: Store;
  readonly out: MailOut;
  /** With what a mail is signed; undefined for not at all. */
  readonly signing: (email: OutgoingEmail) => Promise<SignOptions | undefined>;
  readonly writer: Pick<MailWriter, 'compose'>;
  readonly clock: Clock;
  readonly baseUrl: () => string;
  readonly deliverer: Pick<Deliverer, 'announce'>;
  /** Events of this namespace were written. */
  readonly onEvents: (namespaceId: string) => void;
  readonly onError: (error: unknown) => void;
}

/** What sends the answers to e-mail. */
export async function makeEmailAnswers(config: Config, parts: OutParts): Promise<EmailAnswers> {
  const { store, out, signing, writer, clock, baseUrl } = parts;
  const secret = await returnPathSecret(store);
  const transport: EmailTransport = {
    async send(email, signal) {
      try {
        const { id, to, subject, body: text } = email;
        const path = out.fileOf?.(id);
        const message = await writer.compose(mailOf(email, baseUrl()), { sign: await signing(email), path });
        const return_path = returnPath(id, email.return_domain ?? config.MAIL_DOMAIN, secret);
        return await out.send({ id, return_path, to, message, stored: path !== undefined, subject, text }, signal);
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
  subject: email.answers === null && email.in_reply_to === null ? email.subject : replySubject(email.subject),
  in_reply_to: email.in_reply_to,
  references: email.references,
  markdown: email.body,
  marks: email.answers === null ? undefined : marksOf(email, email.answers),
  signature: { name: email.from.name, url: `${baseUrl}/${email.from.address}` },
  attachments: email.files.map(({ filename, content_type, bytes }) => ({
    name: filename,
    type: content_type,
    content: bytes,
  })),
  automatic: email.automatic,
  date: new Date(email.created_at),
});

interface InParts
  extends Pick<ReturnType<typeof makeCore>, 'post' | 'uploads' | 'bus' | 'storage'>,
    Pick<LoginParts, 'authenticator'> {
  readonly store: Store;
  readonly directory: Directory;
  readonly approvals: ApprovalMails;
  readonly clock: Clock;
  readonly log: Logger;
  readonly limiters: (EmailLimiters & LoginLimiters) | undefined;
}

/** The addresses of the mail domain itself that take reports of abuse. */
const REPORTS: ReadonlySet<string> = new Set(['abuse@', 'fbl@']);
/** Connections of one network at a time. */
const MAX_CONNECTIONS_OF_NETWORK = 50;
/** Mails that are held in memory at the same time, in mails of the largest size. */
const MAX_HELD = 8;

/** Servers that take mail: from other servers, and from mail programs that log in. */
export interface EmailServers extends AsyncDisposable {
  /** Undefined when it is off or, with a warning, when the port is taken. */
  readonly smtp: EmailServer | undefined;
  readonly submission: readonly EmailServer[];
}

/** Starts to take mail. */
export async function startEmail(config: Config, parts: InParts): Promise<EmailServers> {
  await using stack = new AsyncDisposableStack();
  const { log } = parts;
  const onError = (err: unknown): void => log.error({ err }, 'a mail could not be received');
  const serving = { log, onError };
  // The server in front is one network, and limits its clients.
  const share = config.SMTP_PROTOCOL === 'lmtp' ? 1 : undefined;
  const held = new HeldBytes(MAX_HELD * config.LIMIT_MAIL, share);
  let smtp: EmailServer | undefined;
  if (config.SMTP_LISTEN !== undefined)
    smtp = await listenForMail(config.SMTP_LISTEN, {
      ...serving,
      setting: 'SMTP_LISTEN',
      what: `received by ${config.SMTP_PROTOCOL.toUpperCase()}`,
      serve: () => makeServer(config, { ...parts, held }, onError),
    });
  if (smtp !== undefined) stack.use(smtp);
  const submission: EmailServer[] = [];
  for (const listen of config.SUBMISSION_LISTEN) {
    const server = await listenForMail(listen, {
      ...serving,
      setting: 'SUBMISSION_LISTEN',
      what: 'taken from mail programs',
      serve: () => makeServer(config, { ...parts, held }, onError, listen),
    });
    if (server !== undefined) submission.push(stack.use(server));
  }
  const moved = stack.move();
  return { smtp, submission, [Symbol.asyncDispose]: () => moved.disposeAsync() };
}

/** What serves the connections of mail servers or, with `submission`, of mail programs. */
async function makeServer(
  config: Config,
  parts: InParts & { readonly held: HeldBytes },
  onError: (error: unknown) => void,
  submission?: Config['SUBMISSION_LISTEN'][number],
) {
  const { MAIL_DOMAIN: mail_domain } = config;
  const { store, bus, clock, limiters, held } = parts;
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
      ours: isOurs(config, parts.directory),
    }),
  );
  const incoming = new IncomingEmail(
    { ...parts, limit: limiters?.emailAnswers },
    { mail_domain, house: config.HOUSE_NAMESPACE, max_body: config.LIMIT_BODY, max_data: config.LIMIT_DATA },
  );
  const certificate = certificateOf(config);
  const server = stack.use(
    new SmtpServer(
      {
        incoming,
        ...(submission && { login: loginOf(config, parts) }),
        read: (raw, signal) => readEmail(reader, raw, signal),
        approvals: parts.approvals,
        deliveryOf: (address) => deliveryOf(address, secret),
        onBounce: (id, bounces) => noteBounce(id, bounces, { store, bus, clock }),
        onComplaint: (id, type) => noteComplaint(id, type, { store, bus, clock }),
        takesReports: (address) => REPORTS.has(lowerCase(address).replace(`@${mail_domain}`, '@')),
        networkOf,
        limits: limiters && {
          networks: limiters.emailNetworks,
          senders: limiters.emailSenders,
          recipients: limiters.emailRecipients,
          unknown: limiters.emailUnknown,
        },
        held,
        onError,
      },
      {
        protocol: submission === undefined ? config.SMTP_PROTOCOL : 'smtp',
        implicit_tls: submission?.tls === true,
        name,
        max_bytes: config.LIMIT_MAIL,
        tls: certificate?.read(),
        max_connections: config.LIMIT_MAIL_CONNECTIONS,
        max_connections_of_network: MAX_CONNECTIONS_OF_NETWORK,
      },
    ),
  );
  const notRenewed = (err: unknown): void =>
    parts.log.error({ err }, 'the changed certificate of SMTP_TLS_CERT cannot be used; the one before is');
  if (certificate !== undefined) stack.use(certificate.watch((tls) => server.renew(tls), notRenewed));
  const moved = stack.move();
  return { server, [Symbol.asyncDispose]: () => moved.disposeAsync() };
}

/** Reads a mail for the server. */
async function readEmail(reader: MailReader, source: RawEmail, signal: AbortSignal): Promise<ReadEmail> {
  const mail = await reader.read(source, signal).catch((error: unknown) => {
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
      date: mail.date === null ? null : Date.parse(mail.date),
      from: mail.from,
      body: mail.body,
      text: mail.text,
      files: mail.attachments.map(({ name, ...file }) => ({ ...file, filename: name })),
      authentication: mail.authentication,
      network: source.ip === null ? null : networkOf(source.ip),
      written_to: mail.written_to,
      sha256: mail.sha256,
      signed_sha256: mail.signed_sha256,
      not_answered: mail.automatic ?? (mail.policy === 'quarantine' ? 'quarantine' : null),
    },
  };
}
