import type { Config } from '../config.ts';
import { HeldBytes } from '../core/limits/held-bytes.ts';
import { IncomingEmail } from '../core/mail-in/incoming-email.ts';
import { SubmittedEmail } from '../core/mail-in/submitted-email.ts';
import { noteBounce, noteComplaint, takesReports } from '../core/mail-out/email-bounces.ts';
import { networkOf } from '../http/authenticate.ts';
import { countSend } from '../http/sends.ts';
import { readJudged } from '../mail/reading/judged.ts';
import { readEmail } from '../mail/reading/received.ts';
import { deliveryOf } from '../mail/writing/return-path.ts';
import { mailHost, trustedSenders } from '../settings/email.ts';
import { certificateIn, type EmailServer, listenForMail } from '../transports/smtp/listen.ts';
import { loginOf } from '../transports/smtp/login.ts';
import type { App } from './app.ts';

/** Connections of one network at a time. */
const MAX_CONNECTIONS_OF_NETWORK = 50;
/** Mails that are held in memory at the same time, in mails of the largest size. */
const MAX_HELD = 8;

type Listen = Parameters<typeof listenForMail>[0];
type Submission = Config['SUBMISSION_LISTEN'][number];

/** Servers that take mail: from other servers, and from mail programs that log in. */
export interface EmailServers extends AsyncDisposable {
  /** Undefined when it is off or, with a warning, when the port is taken. */
  readonly smtp: EmailServer | undefined;
  readonly submission: readonly EmailServer[];
}

/** Starts to take mail. */
export async function startEmail(app: App): Promise<EmailServers> {
  await using stack = new AsyncDisposableStack();
  const { config, log } = app;
  const onError = (err: unknown): void => log.error({ err }, 'a mail could not be received');
  // The server in front is one network, and limits its clients.
  const share = config.SMTP_PROTOCOL === 'lmtp' ? 1 : undefined;
  const held = new HeldBytes(MAX_HELD * config.LIMIT_MAIL, share);
  const listen = async (setting: string, what: string, address: Listen, submission?: Submission) => {
    const serve = () => makeServer(app, held, onError, submission);
    const server = await listenForMail(address, { setting, what, serve, log, onError });
    return server && stack.use(server);
  };
  const received = `received by ${config.SMTP_PROTOCOL.toUpperCase()}`;
  const smtp = config.SMTP_LISTEN && (await listen('SMTP_LISTEN', received, config.SMTP_LISTEN));
  const submission: EmailServer[] = [];
  for (const address of config.SUBMISSION_LISTEN) {
    const server = await listen('SUBMISSION_LISTEN', 'taken from mail programs', address, address);
    if (server !== undefined) submission.push(server);
  }
  const moved = stack.move();
  return { smtp, submission, [Symbol.asyncDispose]: () => moved.disposeAsync() };
}

/** What serves the connections of mail servers or, with `submission`, of mail programs. */
async function makeServer(app: App, held: HeldBytes, onError: (error: unknown) => void, submission?: Submission) {
  const { config, store, bus, clock, log, approvals, applied, mailDomain: mail_domain } = app;
  const [{ SmtpServer }, { MailReader }, { Rspamd }] = await Promise.all([
    import('../transports/smtp/server.ts'),
    import('../mail/reading/reader.ts'),
    import('../net/rspamd.ts'),
  ]);
  const name = mailHost(config);
  const secret = await app.secretOf('return_path');
  const sizes = { mail_domain, max_body: config.LIMIT_BODY, max_data: config.LIMIT_DATA, peers: config.FEDERATION };
  const submitted = new SubmittedEmail(
    { ...app, count: (key) => countSend({ kind: 'key', key, network: '' }, app) },
    sizes,
  );
  const login = loginOf({ submitted, authenticator: app.authenticator, networkOf, limiter: applied?.emailLogins });
  await using stack = new AsyncDisposableStack();
  const reader = stack.use(
    new MailReader({
      mta: name,
      trusted: trustedSenders(config),
      dns_servers: config.DNS_SERVERS,
      ours: async (domain) =>
        domain === mail_domain ||
        domain.endsWith(`.${mail_domain}`) ||
        (await app.directory.domain(domain)) !== undefined,
    }),
  );
  const filter = config.RSPAMD_URL === undefined ? undefined : stack.use(new Rspamd({ url: config.RSPAMD_URL }));
  const onUnknown = (reason: string): void => log.warn({ reason }, 'the filter did not judge a mail');
  const certificate = certificateIn(config.SMTP_TLS_CERT, config.SMTP_TLS_KEY);
  const server = stack.use(
    new SmtpServer(
      {
        incoming: new IncomingEmail({ ...app, limit: applied?.emailAnswers }, { ...sizes, house: app.house }),
        ...(submission && { login }),
        read: (raw, signal) => {
          const read = readEmail(reader, raw, signal);
          return filter === undefined || raw.logged_in ? read : readJudged(raw, read, { filter, signal, onUnknown });
        },
        approvals,
        deliveryOf: (address) => deliveryOf(address, secret),
        onBounce: (id, bounces) => noteBounce(id, bounces, { store, bus, clock }),
        onComplaint: (id, type) => noteComplaint(id, type, { store, bus, clock }),
        takesReports: (address) => takesReports(address, mail_domain),
        networkOf,
        limits: applied?.emails,
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
    log.error({ err }, 'the changed certificate of SMTP_TLS_CERT cannot be used; the one before is');
  if (certificate !== undefined) stack.use(certificate.watch((tls) => server.renew(tls), notRenewed));
  const moved = stack.move();
  return { server, [Symbol.asyncDispose]: () => moved.disposeAsync() };
}
