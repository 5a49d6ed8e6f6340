import { DAY, SECOND } from '@mailroom/behavior/values/clock';
import { MessageLabels } from '../core/access/message-labels.ts';
import { Sessions } from '../core/access/sessions.ts';
import { HeldBytes } from '../core/limits/held-bytes.ts';
import { Reports } from '../core/mail-in/abuse-reports.ts';
import { ImportedMail } from '../core/mail-in/imported-mail.ts';
import { StoredMails } from '../core/mail-out/stored-mails.ts';
import { AnswerDrafts } from '../core/messages/answer-drafts.ts';
import { HeldSends } from '../core/messages/held-sends.ts';
import { RuleForwards } from '../core/messages/rule-forwards.ts';
import { Trash } from '../core/messages/trash.ts';
import { Arrivals } from '../core/notify/arrivals.ts';
import { InboxUpdates } from '../core/notify/inbox-updates.ts';
import { NamespaceLogs } from '../core/notify/namespace-logs.ts';
import { WebhookRegistry } from '../core/outgoing/webhook-registry.ts';
import { CallItems } from '../core/reports/call-items.ts';
import { ConsolePresence } from '../core/reports/console-presence.ts';
import { Finding } from '../core/reports/finding.ts';
import { Inbox } from '../core/reports/inbox.ts';
import { Overviews } from '../core/reports/overview.ts';
import { Statistics } from '../core/reports/statistics.ts';
import { Waiting } from '../core/reports/waiting.ts';
import { WaitingCalls } from '../core/reports/waiting-calls.ts';
import { Preview } from '../core/runs/preview.ts';
import type { OnError } from '../core/runs/run.ts';
import { AllowedServices } from '../core/sign-in/allowed-services.ts';
import { Claims } from '../core/sign-in/claims.ts';
import { ClientRegistry } from '../core/sign-in/client-registry.ts';
import { Members } from '../core/sign-in/members.ts';
import { RegistrationTokens } from '../core/sign-in/registration-token.ts';
import { SignIns } from '../core/sign-in/sign-in.ts';
import { Challenges } from '../http/challenges.ts';
import { Streams } from '../http/connections/streams.ts';
import { SessionCookie } from '../http/session-cookie.ts';
import { mailtoAddress } from '../mail/writing/headers.ts';
import { mailAsHtml } from '../mail/writing/html.ts';
import { writeStoredMail } from '../mail/writing/stored-mail.ts';
import { codeMail } from '../transports/oidc/code-mail.ts';
import { Passkeys } from '../transports/oidc/passkeys.ts';
import { UsedServices } from '../transports/oidc/used-services.ts';
import type { Base, Later } from './base.ts';
import type { Core } from './core.ts';
import { reportsInbox } from './house.ts';
import type { Outgoing } from './outgoing.ts';
import type { SignIn } from './sign-in.ts';

/** What requests and pages look at and change, beside messages. */
export type Views = Awaited<ReturnType<typeof makeViews>>;

/** Mails that are imported at a time, of the largest size. */
const MAX_IMPORTING = 8;
/** Bytes of mails that are imported at a time, at least, of which a namespace may take a quarter. */
const MIN_IMPORTING = 256 * 1024 * 1024;

/** Makes what only requests and pages use. */
export async function makeViews(app: Base & SignIn & Core & Outgoing & Pick<Later, 'behaviors'>) {
  const { config, store, clock, mailDomain, baseUrl, sizes, people, serviceMail, secretOf } = app;
  const inbox = new Inbox(app);
  const waiting = new Waiting({ ...app, inbox });
  const callItems = new CallItems({ store, waiting });
  const consolePresence = new ConsolePresence(app);
  const clients = new ClientRegistry(app);
  const answerDrafts = new AnswerDrafts(app);
  const logs = new NamespaceLogs(app);
  // A waiting stream costs less than one that receives all events.
  const streams = (what: string, keys: number, guests: number): Streams =>
    new Streams(what, { of_key: config.LIMIT_STREAMS * keys, of_guest: config.LIMIT_GUEST_STREAMS * guests }, (key) =>
      app.directory.works(key),
    );
  const onError: OnError = (_, error) => app.onError(error);
  const preview = (max_body: number): Preview => new Preview(app, { max_body, max_reply: config.LIMIT_REPLY, onError });
  /** Messages as mails. */
  const storedMails = new StoredMails({ ...app, writeStoredMail });
  new RuleForwards({ ...app, storedMails, sends: app.applied?.namespaceSends });
  return {
    inbox,
    clients,
    registrationTokens: new RegistrationTokens({ store, clients, clock }),
    allowedServices: new AllowedServices(app, baseUrl),
    webhooks: new WebhookRegistry(app, { max: config.LIMIT_WEBHOOKS, mailDomain }),
    labels: new MessageLabels({ ...app, onChange: (id) => app.answering.forget(id) }),
    finding: new Finding({ ...app, mailDomain }),
    importedMail: new ImportedMail(
      { ...app, readArchived: (raw, signal) => app.archiveReader.read(raw, signal) },
      { max_body: config.LIMIT_BODY, max_data: config.LIMIT_DATA },
    ),
    importing: {
      max: config.LIMIT_MAIL,
      held: new HeldBytes(Math.max(MAX_IMPORTING * config.LIMIT_MAIL, MIN_IMPORTING)),
    },
    storedMails,
    trash: new Trash({ ...app, onChange: (id) => app.answering.forget(id) }, app.config.TRASH_DAYS * DAY),
    waiting,
    callItems,
    consolePresence,
    waitingCalls: new WaitingCalls({ ...app, callItems, consolePresence }),
    overviews: new Overviews({ ...app, waiting, statistics: new Statistics(app) }),
    streams: streams('event streams', 1, 1),
    messageWaits: streams('waiting requests', 20, 10),
    claimWaits: streams('waiting claims', 20, 1),
    mailWaits: streams('requests waiting for mail', 20, 1),
    arrivals: new Arrivals({ ...app, logs }),
    inboxUpdates: new InboxUpdates({ ...app, logs }),
    inboxListens: streams('MCP subscriptions', 20, 1),
    preview: preview(sizes.body),
    guestPreview: preview(sizes.guestBody),
    answerDrafts,
    heldSends: new HeldSends({ ...app, answerDrafts, storedMails }),
    undo_ms: config.UNDO_SECONDS * SECOND,
    claims: new Claims(app, (id) => people.sessions.person(id)),
    members: new Members(
      { ...app, send: (to, mail) => app.notices.send(to, mail), limit: app.applied?.invitations },
      (id) => people.sessions.person(id),
    ),
    /** The sessions of the console, and the cookie that holds their ids. */
    consoles: { sessions: new Sessions(app), cookie: new SessionCookie(await secretOf('console_session')) },
    passkeys: new Passkeys({ store, clock }, { secret: await secretOf('passkey'), baseUrl }),
    signIns: new SignIns(
      { store, clock, post: (written, state) => serviceMail.enqueue(written, state), write: codeMail },
      { secret: await secretOf('sign_in'), mailDomain },
    ),
    browserCookie: new SessionCookie(await secretOf('browser'), 'mr_browser'),
    usedServices: new UsedServices({ store, clock }),
    challenges: new Challenges({
      states: store.states,
      clock,
      secret: await secretOf('challenge'),
      cost: config.CHALLENGE_COST,
      max: config.LIMIT_SOLVED_PER_DAY,
    }),
    reports: new Reports({
      ...app,
      newInbox: (namespace) => reportsInbox(namespace, clock()),
      copy_to: mailtoAddress(config.SECURITY_CONTACT),
      html: mailAsHtml,
    }),
  };
}
