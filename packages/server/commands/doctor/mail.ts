import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@mailroom/behavior/values/ids';
import {
  at,
  type Finding,
  fail,
  ok,
  reasonOf,
  request,
  type ServiceOptions,
  skip,
  warn,
} from '@mailroom/client/doctor';
import { createTransport } from 'nodemailer';
import type { Config } from '../../config.ts';
import type { Store } from '../../core/ports/store.ts';
import { composeMail } from '../../mail/writing/compose.ts';
import { keptDkimKeys } from '../../mail/writing/dkim-keys.ts';
import { dnsResolver } from '../../mail/writing/dns.ts';
import { failureOf } from '../../mail/writing/failure.ts';
import { checkRecords } from '../../mail/writing/records-check.ts';
import { checkRelay } from '../../mail/writing/relay-check.ts';
import { mailSigning } from '../../mail/writing/signing.ts';
import { forTerminal, relayMail, relayOptions } from '../../mail/writing/transport.ts';
import { MailWriter } from '../../mail/writing/writer.ts';
import { fetchText } from '../fetch-text.ts';
import { isLocalDomain, mailDomainOf } from '../mail-domain.ts';
import { type Place, placeText, reachable } from './machine.ts';

const POLL_MS = 500;
/** What mail can do without. */
const OPTIONAL: ReadonlySet<string> = new Set(['tls-rpt', 'mta-sts', 'reverse']);

/** Each record of the mail domain, as `npm run dns -- --check` compares it. */
export async function dnsFindings(config: Config, secrets: Store['secrets'] | undefined): Promise<readonly Finding[]> {
  if (isLocalDomain(config))
    return [skip('dns', `MAIL_DOMAIN is ${config.MAIL_DOMAIN}, which is this machine`, 'Set it to a domain of yours.')];
  const keys = secrets === undefined ? [] : await keptDkimKeys(secrets);
  const domain = mailDomainOf(config, keys);
  const checks = await checkRecords(domain, dnsResolver(config.DNS_SERVERS), fetchText);
  return checks.map(({ about, name, type, status, expected, found, explanation }) => {
    const record = `${type} ${name}`;
    if (status === 'ok') return ok('dns', record);
    const seen = found.length === 0 ? status : `${status}: ${forTerminal(found.join(' | ').replaceAll('\n', ' '))}`;
    const advice = `${explanation} Expected: ${expected.replaceAll('\n', ' ')}. npm run dns prints all records.`;
    return (status === 'unknown' || OPTIONAL.has(about) ? warn : fail)('dns', `${record} ${seen}`, advice);
  });
}

const RELAY_ADVICE: Readonly<Record<string, string>> = {
  EAUTH: 'User or password in SMTP_URL are refused: correct them; special characters are written as %XX.',
  ETLS: 'It offers no STARTTLS, or a certificate that does not hold: use smtps://, or another server.',
  ECONNECTION: 'It cannot be reached: check host and port of SMTP_URL, and the firewall (many networks block port 25).',
  ESOCKET: 'It cannot be reached: check host and port of SMTP_URL, and the firewall (many networks block port 25).',
  ETIMEDOUT: 'It does not answer: check host and port of SMTP_URL, and the firewall (many networks block port 25).',
  EDNS: 'Its name has no address: check the host of SMTP_URL.',
};

/** The server of SMTP_URL: EHLO, STARTTLS and AUTH, without a mail. */
export async function relayFinding(config: Pick<Config, 'SMTP_URL' | 'MAIL_OUT' | 'MAIL_DOMAIN'>): Promise<Finding> {
  const { SMTP_URL, MAIL_OUT } = config;
  if (SMTP_URL === undefined && MAIL_OUT === 'mx')
    return skip('relay', 'none: mail goes to the servers of its recipients (MAIL_OUT=mx)');
  if (SMTP_URL === undefined)
    // Who tries it on one machine wants nothing to leave.
    return (isLocalDomain(config) ? skip : warn)(
      'relay',
      'none: mail to the outside stays in OUTBOX',
      'Set SMTP_URL, or MAIL_OUT=mx, to have it leave.',
    );
  const { host, port, auth } = relayOptions(SMTP_URL);
  const where = port === undefined ? host : `${host}:${port}`;
  try {
    await checkRelay(SMTP_URL);
    const login = auth === undefined ? 'without a login' : 'and the login';
    return ok('relay', `${where} takes EHLO ${login}`);
  } catch (error) {
    const { code = '' } = error as { readonly code?: string };
    const { reason } = failureOf(error);
    return fail(
      'relay',
      `${where} refuses: ${reason}`,
      RELAY_ADVICE[code] ?? 'See what its operator says of the code.',
    );
  }
}

/** A mail of the service to its own postmaster, and how it left. */
interface Probe {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly message: Buffer;
}

/** What the mail checks use. */
export interface MailParts {
  readonly config: Config;
  readonly store: Store;
  /** With an owner key of the house namespace. */
  readonly service: ServiceOptions;
  readonly smtp: Place | undefined;
  /** How long a mail may take to arrive, in ms. */
  readonly arrival_ms: number;
}

async function newProbe({ config, store }: MailParts): Promise<Probe> {
  const { MAIL_DOMAIN: domain, HOUSE_NAMESPACE: house } = config;
  const id = newId('mail', Date.now());
  const to = `postmaster@${house}.${domain}`;
  const subject = `mailroom doctor ${id}`;
  const message = await composeMail({
    id: `<${id}@${domain}>`,
    from: config.MAIL_FROM ?? { name: '', address: `sign-in@${domain}` },
    to,
    subject,
    in_reply_to: null,
    references: [],
    markdown: 'This mail of npm run doctor shows that mail arrives. It is deleted at once.',
    automatic: 'auto-generated',
    date: new Date(),
  });
  const keys = await keptDkimKeys(store.secrets);
  if (keys.length === 0) return { id, to, subject, message };
  await using writer = new MailWriter();
  const resolve = dnsResolver(config.DNS_SERVERS);
  const signing = mailSigning({ store, clock: store.clock, mailDomain: domain, resolve, onChanged: () => {} });
  return { id, to, subject, message: await signing.sign(message, writer) };
}

/** Waits until the service has the mail, and deletes it there; whether it came. */
async function arrives({ service, arrival_ms }: MailParts, subject: string): Promise<boolean> {
  const end = performance.now() + arrival_ms;
  for (;;) {
    const listed = await request(service, '/api/v1/mail/messages?direction=all&limit=50');
    const items = (at(listed.json, 'items') ?? []) as readonly {
      readonly id: string;
      readonly subject: string | null;
    }[];
    const found = items.filter((one) => one.subject === subject);
    for (const { id } of found) await request(service, `/api/v1/mail/messages/${id}`, { method: 'DELETE' });
    if (found.length > 0) return true;
    if (performance.now() > end) return false;
    await sleep(POLL_MS, undefined, { signal: service.signal });
  }
}

/** A mail by SMTP to the port of the service, seen to arrive. */
export async function incomingFinding(parts: MailParts): Promise<Finding> {
  const { config, smtp } = parts;
  if (smtp === undefined) return skip('mail in', 'SMTP_LISTEN is off', 'Set it to receive mail.');
  const probe = await newProbe(parts);
  const transport = createTransport({
    ...reachable(smtp),
    lmtp: config.SMTP_PROTOCOL === 'lmtp',
    // The certificate names the domain, not this machine.
    tls: { rejectUnauthorized: false },
  });
  try {
    await transport.sendMail({ envelope: { from: '', to: [probe.to] }, raw: probe.message });
  } catch (error) {
    const { reason, response } = failureOf(error);
    return fail(
      'mail in',
      `${placeText(smtp)} refuses a mail to ${probe.to}: ${response ?? reason}`,
      'Is it the port of this service? Its log says why it refuses.',
    );
  } finally {
    transport.close();
  }
  return (await arrives(parts, probe.subject))
    ? ok('mail in', `a mail to ${probe.to} arrived, and was deleted`)
    : fail(
        'mail in',
        `a mail to ${probe.to} was taken but is not there`,
        'Look at /status of the service, and its log.',
      );
}

/** A mail that leaves through SMTP_URL to an address of the service, seen to arrive. */
export async function outgoingFinding(parts: MailParts): Promise<Finding> {
  const { config, service, arrival_ms } = parts;
  if (config.SMTP_URL === undefined)
    return skip(
      'mail out',
      'no SMTP_URL',
      'npm run dns -- --check shows whether others believe what this machine sends.',
    );
  const probe = await newProbe(parts);
  using relay = relayMail(config.SMTP_URL);
  const { id, to, subject, message } = probe;
  const return_path = (config.MAIL_FROM ?? { address: `sign-in@${config.MAIL_DOMAIN}` }).address;
  const sent = await relay.send({ id, return_path, to, message, subject, text: '' }, service.signal);
  if (sent.kind === 'failed')
    return fail(
      'mail out',
      `the relay refuses a mail to ${to}: ${sent.response ?? sent.reason}`,
      'Let it relay for this user and for mail from MAIL_DOMAIN.',
    );
  return (await arrives(parts, subject))
    ? ok('mail out', `a mail to ${to} left through the relay and arrived, and was deleted`)
    : fail(
        'mail out',
        `the relay took a mail to ${to}, which did not arrive in ${arrival_ms / 1000} s`,
        'Let it hand mail for MAIL_DOMAIN to SMTP_LISTEN (deploy/postfix), or see its queue and log.',
      );
}

/** A finding for what rejects. */
export async function guarded(check: string, act: () => Promise<Finding>): Promise<Finding> {
  try {
    return await act();
  } catch (error) {
    return fail(check, reasonOf(error), 'Try again; then look at the log of the service.');
  }
}
