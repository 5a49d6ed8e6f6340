import { join } from 'node:path';
import { ApprovalMails } from '../core/mail-in/approvals/approval-mails.ts';
import { EmailAnswers } from '../core/mail-out/email-answers.ts';
import { organizationalDomain } from '../mail/organizational-domain.ts';
import { answerTransport } from '../mail/writing/answer-transport.ts';
import { approvalTexts } from '../mail/writing/approval-mail.ts';
import { dnsResolver } from '../mail/writing/dns.ts';
import { stsStored } from '../mail/writing/mta-sts.ts';
import { serviceMailBy } from '../mail/writing/service-mail.ts';
import { mailSigning, UNSIGNED } from '../mail/writing/signing.ts';
import { type MailOut, mxMail, outboxMail, relayMail } from '../mail/writing/transport.ts';
import { MailWriter } from '../mail/writing/writer.ts';
import { dataFolder, mailHost } from '../settings/email.ts';
import { planWords } from '../transports/web/plan.ts';
import type { Base, Later } from './base.ts';
import { makePeerAnswers, makePeerDoors, throughDoors } from './peers.ts';

/** What writes mail and sends it. */
export type Mail = Awaited<ReturnType<typeof makeMail>>;

/** Makes what writes mail and sends it. `print` shows it where there is no server for it. */
export async function makeMail(
  app: Base & Pick<Later, 'behaviors'>,
  stack: AsyncDisposableStack,
  later: () => Later,
  print: (text: string) => void = () => {},
) {
  const { config, store, clock, log, behaviors, mailDomain, house, names, applied, keyring, secretOf } = app;
  const writer = stack.use(new MailWriter());
  const peers = makePeerDoors(app, stack);
  const mail = stack.use(throughDoors(mailOut(app, writer, print), peers, { app, later }));
  const onChanged = (selectors: readonly string[]): void =>
    log.info({ domain: mailDomain, selectors }, 'mail is signed with other keys');
  const resolve = dnsResolver(config.DNS_SERVERS);
  const signing =
    mail.place.kind === 'outbox' && peers === undefined
      ? UNSIGNED
      : mailSigning({ store, clock, mailDomain, resolve, onChanged });
  const from = config.MAIL_FROM ?? { name: '', address: `sign-in@${mailDomain}` };
  return {
    mail,
    peers: makePeerAnswers(app, mail, later),
    deliverServiceMail: serviceMailBy(mail, from, (message) => signing.sign(message, writer)),
    emails: new EmailAnswers({
      ...app,
      limit: applied?.emailsSent,
      sign: (payload) => keyring.sign('receipt', payload),
      verify: (jws) => keyring.verified('receipt', jws),
      organizationalDomain,
      transport: answerTransport({ ...app, mail, writer, signing, secret: await secretOf('return_path') }),
      raws: () => later().raws,
      deliverer: {
        announce: (delivery) => later().deliverer.announce(delivery),
        begin: (delivery) => later().deliverer.begin(delivery),
        leaseEnd: () => later().deliverer.leaseEnd(),
      },
      publishEvents: (namespaceId) => later().bus.publishEvents(namespaceId),
    }),
    /** Asks owners by mail to approve plans, and what would leave. */
    approvals: new ApprovalMails({
      ...app,
      ...approvalTexts({
        ...app,
        stepsOf: (plan, mailbox) => planWords(plan, mailbox, behaviors),
      }),
      serviceMail: () => later().serviceMail,
      decisions: () => later().decisions,
      reviewDesk: () => later().reviewDesk,
      sender: { local_part: names.signIn, namespace: house },
      secret: await secretOf('approval_mail'),
      answerable: config.SMTP_LISTEN !== undefined,
      limit: applied?.approvalMails,
    }),
  };
}

/** The transport of mail to the outside. */
function mailOut({ config, store, clock }: Base, writer: MailWriter, print: (text: string) => void): MailOut {
  const { SMTP_URL, MAIL_OUT, DATABASE_URL, DNS_SERVERS, OUTBOX } = config;
  if (SMTP_URL !== undefined) return relayMail(SMTP_URL);
  if (MAIL_OUT === 'mx') {
    const policies = stsStored(store.states, clock);
    return mxMail({ resolve: dnsResolver(DNS_SERVERS), name: mailHost(config), policies });
  }
  return outboxMail(OUTBOX ?? join(dataFolder(DATABASE_URL), 'outbox'), print, writer);
}
