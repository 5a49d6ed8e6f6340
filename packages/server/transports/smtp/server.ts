import type { Socket } from 'node:net';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import {
  SMTPServer,
  type SMTPServerAuthentication,
  type SMTPServerDataStream,
  type SMTPServerSession,
} from 'smtp-server';
import type { HeldBytes } from '../../core/limits/held-bytes.ts';
import type { ApprovalMails } from '../../core/mail-in/approvals/approval-mails.ts';
import type { IncomingEmail } from '../../core/mail-in/incoming-email.ts';
import type { Bounce } from '../../core/mail-out/email-bounces.ts';
import { Recent } from '../../core/values/limits.ts';
import { Clients, SILENCE_MS } from './clients.ts';
import { type MinSpeed, readContent } from './content.ts';
import { failureOf, forStranger, SmtpFailure } from './failure.ts';
import { answerHalfOpen } from './half-open.ts';
import { type MailLimiters, MailLimits } from './mail-limits.ts';
import type { Login, MailUser, RawEmail, ReadEmail, Recipient, SmtpOptions } from './options.ts';
import { amendReplies, answer, count, counted, MAIL_PARAMETERS, refuseUnknown, writeTogether } from './replies.ts';

interface Parts {
  readonly incoming: IncomingEmail;
  /** Where mail programs send: clients must log in, over TLS. Rejects with SmtpFailure. */
  readonly login?: (login: Login) => Promise<MailUser>;
  readonly approvals: Pick<ApprovalMails, 'recipient' | 'answer' | 'refused'>;
  readonly read: (raw: RawEmail, signal: AbortSignal) => Promise<ReadEmail>;
  /** The delivery of which an address is the return path; undefined for any other address. */
  readonly deliveryOf: (address: string) => string | undefined;
  readonly onBounce: (deliveryId: string, bounces: readonly Bounce[]) => Promise<void>;
  /** `type` says of what kind the complaint is. */
  readonly onComplaint: (deliveryId: string, type: string) => Promise<void>;
  /** Whether an address takes reports of abuse and nothing else. */
  readonly takesReports: (address: string) => boolean;
  readonly networkOf: (ip: string) => string;
  /** Undefined: no limit. */
  readonly limits: MailLimiters | undefined;
  /** Memory for the mails that arrive, which several servers may share. */
  readonly held: HeldBytes;
  readonly onError: (error: unknown) => void;
}

/** Maximum recipients of one mail; RFC 5321, section 4.5.3.1.8, asks for at least as many. */
const MAX_RECIPIENTS = 100;
const MIN_SPEED: MinSpeed = { bytes: 30 * 1024, ms: 30_000 };

/** What is known of a mail that is filed beside what it says. */
interface Given {
  /** It is a complaint about mails that were sent. */
  readonly complained: boolean;
  /** Its return path. */
  readonly from: string;
}

/** Receives mail by SMTP (RFC 5321) or LMTP (RFC 2033). What it acknowledges is durable. */
export class SmtpServer implements AsyncDisposable {
  readonly #server: SMTPServer;
  readonly #parts: Parts;
  readonly #options: SmtpOptions;
  readonly #limits: MailLimits | undefined;
  readonly #clients: Clients;
  /** Of each transaction by its session's id, in the order in which they were named. */
  readonly #recipients = new Map<string, Recipient[]>();
  /** Envelope senders with recipients that did not take what others took, and get their mail alone from then on. */
  readonly #refused = new Recent<true>();
  readonly #stop = new AbortController();
  /** Mails that are being filed. */
  readonly #working = new Set<Promise<unknown>>();

  constructor(parts: Parts, options: SmtpOptions) {
    this.#parts = parts;
    this.#options = options;
    // By LMTP all mails come from the server in front, which limits its clients.
    this.#limits = parts.limits && options.protocol === 'smtp' ? new MailLimits(parts.limits) : undefined;
    this.#clients = new Clients(options, parts.networkOf);
    const { tls } = options;
    this.#server = new SMTPServer({
      name: options.name,
      lmtp: options.protocol === 'lmtp',
      size: options.max_bytes,
      maxRecipients: MAX_RECIPIENTS,
      socketTimeout: options.silence_ms ?? SILENCE_MS,
      hideENHANCEDSTATUSCODES: false,
      heloResponse: '%s',
      disabledCommands: [
        // The library answers these of sendmail with jokes.
        ...['WIZ', 'SHELL', 'KILL'],
        ...(parts.login === undefined ? ['AUTH'] : []),
        ...(tls === undefined || options.implicit_tls === true ? ['STARTTLS'] : []),
      ],
      authMethods: ['PLAIN', 'LOGIN'],
      authRequiredMessage: '5.7.0 Begin TLS, then log in with an address and a key that may send as it.',
      disableReverseLookup: true,
      // Addresses such as ada.@docomo.example are in use, although no RFC allows them.
      lenientAddressParsing: true,
      ...tls,
      secure: options.implicit_tls === true,
      onAuth: (auth, session, done) => {
        this.#loggedIn(auth, session).then(
          (user) => done(null, { user }),
          (error: unknown) => done(this.#failure(error)),
        );
      },
      onConnect: (session, done) => answer(done, () => this.#connected(session)),
      onSecure: (_, session, done) => {
        const client = this.#clients.of(session);
        if (client !== undefined) this.#clients.secured(client);
        done();
      },
      onClose: ({ id }) => void this.#recipients.delete(id),
      onMailFrom: (from, session, done) =>
        answer(counted('MAIL', done), () => {
          refuseUnknown(from, MAIL_PARAMETERS);
          return this.#begun(session, from.address);
        }),
      onRcptTo: (to, session, done) =>
        answer(counted('RCPT', done), () => {
          refuseUnknown(to, []);
          return this.#named(session, to.address);
        }),
      onData: (stream, session, done) => {
        const filed = this.#received(stream, session).then(
          (results) => {
            for (const result of results) count('DATA', result instanceof SmtpFailure ? result : undefined);
            done(null, options.protocol === 'lmtp' ? results : String(results[0]));
          },
          (error: unknown) => {
            const failure = this.#failure(error);
            count('DATA', failure);
            done(failure);
          },
        );
        this.#working.add(filed);
        void filed.finally(() => {
          this.#working.delete(filed);
          this.#clients.progressed(session);
        });
      },
    });
    this.#server.on('error', () => {
      // A client that disconnects or fails its handshake is no matter of the operator.
    });
  }

  /** Serves a connection. */
  accept(socket: Socket): void {
    // One that its client reset has no address any more, and one that is closed already would never be closed again.
    if (this.#options.implicit_tls === true) socket.allowHalfOpen = false;
    if (socket.destroyed || socket.remoteAddress === undefined) socket.destroy();
    else if (this.#clients.admit(socket)) this.#server.server.emit('connection', socket);
    else {
      const reply = '421 4.7.0 Too many connections. Close some, or try again later.\r\n';
      this.#clients.refuse(socket, this.#options.implicit_tls === true ? '' : reply);
    }
  }

  /** Uses another certificate for the connections that begin from now on; throws where its key is another's, and keeps the one before. */
  renew(tls: SecureContextOptions): void {
    // The library takes what it is given before it looks at it, and then begins no more TLS.
    createSecureContext(tls);
    this.#server.updateSecureContext(tls);
  }

  /** Ends the connections once the mails that were received are filed. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#working);
    this.#stop.abort();
    for (const connection of this.#server.connections)
      connection.send(421, '4.3.2 The service stops. Try again later.');
    this.#clients[Symbol.dispose]();
  }

  #connected(session: SMTPServerSession): void {
    const connection = [...this.#server.connections].find(({ id }) => id === session.id);
    const client = this.#clients.of(session);
    if (connection === undefined) return;
    answerHalfOpen(connection);
    writeTogether(connection);
    amendReplies(connection);
    // It made way for another one meanwhile.
    if (client === undefined) throw new SmtpFailure(421, '4.7.0', 'Too many connections. Try again later.');
    this.#clients.greeted(client, connection);
  }

  async #loggedIn(
    { username, password, authzid = '' }: SMTPServerAuthentication,
    { remoteAddress }: SMTPServerSession,
  ): Promise<MailUser> {
    const { login } = this.#parts;
    // None acts in the name of another (RFC 4616, section 2).
    if (login === undefined || (authzid !== '' && authzid !== username))
      throw new SmtpFailure(535, '5.7.8', 'Log in as the address that you send from.');
    return login({ username: username ?? '', password: password ?? '', ip: remoteAddress.replace(/^::ffff:/i, '') });
  }

  /** Who logged in; undefined where that is not asked for. */
  #user({ user }: SMTPServerSession): MailUser | undefined {
    return this.#parts.login === undefined ? undefined : (user as unknown as MailUser);
  }

  async #begun(session: SMTPServerSession, from: string): Promise<void> {
    this.#recipients.set(session.id, []);
    await this.#user(session)
      ?.begin(from)
      .catch((error: unknown) => {
        throw this.#failure(error);
      });
    await this.#limits?.begin(this.#network(session), from);
    const client = this.#clients.of(session);
    if (client !== undefined) this.#clients.begun(client);
  }

  #network({ remoteAddress }: SMTPServerSession): string {
    return this.#parts.networkOf(remoteAddress);
  }

  async #named(session: SMTPServerSession, address: string): Promise<void> {
    const from = pathOf(session);
    try {
      await this.#limits?.recipient(this.#network(session));
      const recipient = (await this.#user(session)?.recipient(address)) ?? (await this.#recipient(address));
      const recipients = this.#recipients.get(session.id) ?? [];
      const same = recipients.findIndex((one) => one.address === recipient.address);
      // The library names a repeated recipient once.
      if (same >= 0) recipients[same] = recipient;
      else if (recipients.length > 0 && [...recipients, recipient].some((one) => this.#mayRefuse(one, from)))
        throw ALONE();
      else recipients.push(recipient);
      this.#recipients.set(session.id, recipients);
      const client = this.#clients.of(session);
      if (client !== undefined) client.idle_commands = 0;
    } catch (error) {
      const failure = this.#failure(error);
      const unknown = failure.message.startsWith('5.1.');
      throw (unknown && (await this.#limits?.unknown(this.#network(session), failure))) || failure;
    }
  }

  /** Whether a recipient may not take what others take, by what only the mail itself says: most are by their path. */
  #mayRefuse(recipient: Recipient, from: string): boolean {
    if (this.#options.protocol === 'lmtp') return false;
    if ('mailbox' in recipient)
      return !this.#parts.incoming.accepts(recipient, from) || this.#refused.get(pair(from, recipient)) === true;
    return 'token' in recipient || ('delivery' in recipient && recipient.delivery === undefined);
  }

  async #recipient(address: string): Promise<Recipient> {
    const delivery = this.#parts.deliveryOf(address);
    return delivery === undefined && !this.#parts.takesReports(address)
      ? ((await this.#parts.approvals.recipient(address)) ?? (await this.#parts.incoming.recipient(address)))
      : { address, delivery };
  }

  /** Files the mail for each recipient; by LMTP the result of each, else the first failure is that of all. */
  async #received(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<(string | Error)[]> {
    const { max_bytes, protocol } = this.#options;
    const recipients = this.#recipients.get(session.id) ?? [];
    this.#recipients.set(session.id, []);
    const from = pathOf(session);
    const network = this.#network(session);
    const client = this.#clients.of(session);
    const { raw, release } = await readContent(stream, {
      max_bytes,
      held: this.#parts.held,
      network,
      min_speed: this.#options.min_speed ?? MIN_SPEED,
      refusal: await this.#limits?.mail(network, from),
      onBytes: () => this.#clients.progressed(session),
      onSlow: () => client && this.#clients.close(client, '4.4.2 This mail arrives too slowly. Send it again.'),
    });
    try {
      if (client !== undefined) client.filing = true;
      const read = await this.#parts.read(
        {
          raw,
          ip: protocol === 'lmtp' ? null : session.remoteAddress.replace(/^::ffff:/i, ''),
          helo: session.hostNameAppearsAs,
          from,
          logged_in: this.#parts.login !== undefined,
        },
        this.#stop.signal,
      );
      const complained = await this.#complained(read, recipients);
      const results = await this.#fileAll(read, recipients, { complained, from });
      const failure = results.find((result) => result instanceof SmtpFailure);
      if (failure === undefined || protocol === 'lmtp') return results;
      if (results.every(isPermanent)) throw failure;
      // A full mailbox too, so that the others have their answer the next time, and not when their sender gives up.
      for (const [at, recipient] of recipients.entries())
        if (results[at] instanceof SmtpFailure) this.#refused.set(pair(from, recipient), true);
      // The sender sends all of it again: those that have it recognize it.
      throw temporary(failure);
    } finally {
      release();
      if (client !== undefined) client.filing = false;
    }
  }

  /** Records a complaint for the deliveries whose return paths it was sent to or proves to know; whether there are any. */
  async #complained({ complaint }: ReadEmail, recipients: readonly Recipient[]): Promise<boolean> {
    if (complaint === null) return false;
    const named = complaint.return_paths.map((address) => this.#parts.deliveryOf(address));
    const to = recipients.map((recipient) => ('delivery' in recipient ? recipient.delivery : undefined));
    const ids = new Set([...named, ...to].filter((id) => id !== undefined));
    for (const id of ids) await this.#parts.onComplaint(id, complaint.type);
    return ids.size > 0;
  }

  /** The results in their order: first one of each namespace, whose thread its others continue, then these at a time. */
  async #fileAll(read: ReadEmail, recipients: readonly Recipient[], given: Given) {
    const results = Array<string | SmtpFailure>(recipients.length);
    const namespaceOf = (one: Recipient): string | undefined => ('to' in one ? one.to.namespace : undefined);
    const isFirst = (at: number): boolean =>
      recipients.findIndex((one) => namespaceOf(one) === namespaceOf(recipients[at] as Recipient)) === at;
    const places = [...recipients.keys()];
    for (const some of [places.filter(isFirst), places.filter((at) => !isFirst(at))]) {
      const file = (at: number): Promise<string> => this.#file(read, recipients[at] as Recipient, given);
      const ends = await Promise.all(some.map((at) => file(at).catch((error: unknown) => this.#failure(error))));
      for (const [nth, at] of some.entries()) results[at] = ends[nth] as string | SmtpFailure;
    }
    return results;
  }

  async #file(read: ReadEmail, recipient: Recipient, { complained, from }: Given): Promise<string> {
    if ('file' in recipient) return recipient.file(read);
    if ('delivery' in recipient) {
      const { delivery } = recipient;
      if (delivery !== undefined) await this.#parts.onBounce(delivery, read.bounces);
      else if (!complained)
        throw new SmtpFailure(
          550,
          '5.7.1',
          'Only reports (RFC 5965) with the return path of a mail from here are taken. Write to abuse@ of a namespace.',
        );
      return '2.0.0 Noted';
    }
    if ('refused' in read) {
      if ('token' in recipient) await this.#parts.approvals.refused(recipient, from, read.refused);
      throw new SmtpFailure(550, '5.7.1', read.refused);
    }
    if ('token' in recipient) return `2.0.0 ${await this.#parts.approvals.answer(read.email, recipient)}`;
    const { id } = await this.#parts.incoming.accept(read.email, recipient).catch((error: unknown) => {
      throw forStranger(error);
    });
    return `2.0.0 Received as ${id}`;
  }

  #failure(error: unknown): SmtpFailure {
    const { failure, unexpected } = failureOf(error);
    if (unexpected) this.#parts.onError(error);
    return failure;
  }
}

/** The envelope sender; '' for the null path. */
const pathOf = ({ envelope: { mailFrom } }: SMTPServerSession): string => (mailFrom === false ? '' : mailFrom.address);

const pair = (from: string, { address }: Recipient): string => `${from.toLowerCase()} ${address}`;

/** The one reply after the data is for all recipients; a client sends to the others again at once (RFC 5321, section 4.5.3.1.10). */
const ALONE = (): SmtpFailure =>
  new SmtpFailure(
    452,
    '4.5.3',
    'Send this mail to this recipient alone, since one of them may not take it as the others do.',
  );

const isPermanent = (result: string | Error): boolean => result instanceof SmtpFailure && result.responseCode >= 500;

/** A failure of one of several recipients, such as of a mailbox that was deleted meanwhile: for the others it is not permanent. */
const temporary = (failure: SmtpFailure): SmtpFailure =>
  failure.responseCode < 500 ? failure : new SmtpFailure(451, '4.3.0', `Not all could be served: ${failure.message}`);
