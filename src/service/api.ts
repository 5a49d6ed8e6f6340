import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Directory } from '../core/access/directory.ts';
import type { DomainRegistry } from '../core/access/domain-registry.ts';
import { MessageLabels } from '../core/access/message-labels.ts';
import { WebhookRegistry } from '../core/access/webhook-registry.ts';
import type { Deliverer } from '../core/delivery/deliver.ts';
import type { Drafts } from '../core/delivery/drafts.ts';
import type { MailTarget, ServiceMail } from '../core/delivery/service-mail.ts';
import type { EventFeed } from '../core/notify/event-feed.ts';
import type { WebhookFeed } from '../core/notify/webhook-feed.ts';
import type { Behavior } from '../core/ports/behavior.ts';
import type { Store } from '../core/ports/store.ts';
import type { WebhookClient } from '../core/ports/webhook-client.ts';
import type { Health } from '../core/reports/health.ts';
import { Inbox } from '../core/reports/inbox.ts';
import { Overviews } from '../core/reports/overview.ts';
import { Statistics } from '../core/reports/statistics.ts';
import type { AccountSessions } from '../core/sign-in/account-sessions.ts';
import { AllowedServices } from '../core/sign-in/allowed-services.ts';
import { ClientRegistry } from '../core/sign-in/client-registry.ts';
import type { ProtectedResources } from '../core/sign-in/protected-resources.ts';
import { RegistrationTokens } from '../core/sign-in/registration-token.ts';
import type { Clock } from '../core/values/clock.ts';
import { SECOND } from '../core/values/clock.ts';
import { VERSION } from '../core/values/version.ts';
import type { Authenticator } from '../http/authenticate.ts';
import type { Challenges } from '../http/challenges.ts';
import type { StopSignals } from '../http/connections/drain.ts';
import { Streams } from '../http/connections/streams.ts';
import type { Limiters } from '../http/limits.ts';
import type { Route } from '../http/route.ts';
import type { SessionCookie } from '../http/session-cookie.ts';
import type { Keyring } from '../keyring/keyring.ts';
import type { TaskPushes } from '../transports/a2a/push.ts';
import { answerRoutes } from '../transports/api/answers.ts';
import { attachmentRoutes } from '../transports/api/attachments.ts';
import { behaviorRoutes } from '../transports/api/behaviors.ts';
import { challengeRoutes } from '../transports/api/challenges.ts';
import { clientRoutes } from '../transports/api/clients.ts';
import { decisionRoutes } from '../transports/api/decisions.ts';
import { domainRoutes } from '../transports/api/domains.ts';
import { draftRoutes } from '../transports/api/drafts.ts';
import { eventRoutes } from '../transports/api/events.ts';
import { exportRoutes } from '../transports/api/export.ts';
import { apiRoutes } from '../transports/api/index.ts';
import { jwksRoutes } from '../transports/api/jwks.ts';
import { keyRoutes } from '../transports/api/keys.ts';
import { mailboxRoutes } from '../transports/api/mailboxes.ts';
import { messageRoutes } from '../transports/api/messages.ts';
import { namespaceRoutes } from '../transports/api/namespaces.ts';
import { outsideRoutes } from '../transports/api/outside.ts';
import { overviewRoutes } from '../transports/api/overview.ts';
import { registrationTokenRoutes } from '../transports/api/registration-tokens.ts';
import { sendRoutes } from '../transports/api/send.ts';
import { serviceRoutes } from '../transports/api/services.ts';
import { suppressionRoutes } from '../transports/api/suppressions.ts';
import { threadRoutes } from '../transports/api/threads.ts';
import { webhookRoutes } from '../transports/api/webhooks.ts';
import type { Issuers } from '../transports/oidc/issuers.ts';
import { frame } from '../transports/web/layout.ts';
import type { Core } from './core.ts';
import { HOUSE } from './house.ts';

const HEARTBEAT_MS = 15 * SECOND;

/** What the service made beside the core. Only this file and `routes.ts` see all of it: every route is handed what it uses. */
export interface ServiceParts {
  readonly config: Config;
  readonly log: Logger;
  readonly clock: Clock;
  readonly store: Store;
  readonly directory: Directory;
  readonly authenticator: Authenticator;
  readonly behaviors: readonly Behavior[];
  /** The behavior whose addresses sign people in; '' where there is none. */
  readonly issuerBehavior: () => string;
  readonly feed: EventFeed;
  readonly domains: DomainRegistry;
  readonly drafts: Drafts;
  readonly serviceMail: ServiceMail;
  readonly webhookClient: WebhookClient;
  readonly webhookFeed: WebhookFeed;
  readonly deliverer: Deliverer;
  readonly taskPushes: TaskPushes;
  /** Where outgoing mail is delivered. */
  readonly mail: MailTarget;
  readonly health: Health;
  readonly keyring: Keyring;
  readonly limiters: Limiters;
  readonly challenges: Challenges;
  readonly issuers: Issuers;
  readonly resources: ProtectedResources;
  /** The sessions of accounts, and the cookie that holds their ids. */
  readonly accounts: { readonly sessions: AccountSessions; readonly cookie: SessionCookie };
  readonly baseUrl: () => string;
  readonly stop: StopSignals;
}

/** The routes of the API, and what the pages share with them. `operations`: those of the process, which the API describes. */
export function makeApi(
  { registry, keys, post, decisions, answering, presence, bus, sealed, storage, uploads, takingOver }: Core,
  parts: ServiceParts,
  operations: readonly Route[],
) {
  const { config, clock, store, directory, authenticator, behaviors, feed, drafts } = parts;
  const { keyring, limiters, challenges, baseUrl, stop } = parts;
  const { MAIL_DOMAIN: mailDomain, HOUSE_NAMESPACE: house, RATE_LIMITS: rateLimits } = config;

  const sizes = {
    body: config.LIMIT_BODY,
    guestBody: config.LIMIT_GUEST_BODY,
    data: config.LIMIT_DATA,
    json: config.LIMIT_JSON,
  };
  const sync_ms = config.SYNC_SECONDS * SECOND;
  // The heartbeat keeps a silent stream from being closed while its reader pauses.
  const heartbeat_ms = Math.min(HEARTBEAT_MS, (config.REQUEST_SECONDS * SECOND) / 2);
  // A waiting stream costs less than one that receives all events.
  const streamLimits = (keys: number, guests: number) => ({
    of_key: config.LIMIT_STREAMS * keys,
    of_guest: config.LIMIT_GUEST_STREAMS * guests,
  });
  const streams = new Streams('event streams', streamLimits(1, 1));

  const clients = new ClientRegistry({ store, registry, clock, issuerBehavior: parts.issuerBehavior });
  const registrationTokens = new RegistrationTokens({ store, clients, clock });
  const allowedServices = new AllowedServices(
    { store, registry, clock, issuerBehavior: parts.issuerBehavior },
    baseUrl,
  );
  const webhooks = new WebhookRegistry(
    { store, directory, client: parts.webhookClient, feed: parts.webhookFeed, deliverer: parts.deliverer, clock },
    { max: config.LIMIT_WEBHOOKS, mailDomain },
  );
  const labels = new MessageLabels({ store, directory, mailDomain, onChange: (id) => answering.forget(id) });

  const overviews = new Overviews({
    store,
    inbox: new Inbox({ store }),
    statistics: new Statistics({ store, clock }),
    storage,
    mailDomain,
  });

  const described = [
    ...sendRoutes({
      store,
      labels,
      post,
      drafts,
      uploads,
      authenticator,
      directory,
      clock,
      rateLimits,
      limiters,
      sizes,
      mailDomain,
      sync_ms,
      stop,
    }),
    ...draftRoutes({ drafts, uploads, clock, mailDomain, rateLimits, limiters, sync_ms, stop }),
    ...challengeRoutes(challenges, limiters.challenges),
    ...messageRoutes({
      store,
      directory,
      post,
      bus,
      sealed,
      labels,
      clock,
      rateLimits,
      limiters,
      mailDomain,
      streams,
      heartbeat_ms,
      stop,
      waits: new Streams('waiting requests', streamLimits(20, 10)),
    }),
    ...threadRoutes({ store, directory, takingOver, mailDomain }),
    ...attachmentRoutes({ store, directory, drafts }),
    ...answerRoutes({
      store,
      directory,
      registry,
      answering,
      presence,
      uploads,
      labels,
      clock,
      mailDomain,
      max_data: sizes.data,
      waits: new Streams('waiting claims', streamLimits(20, 1)),
      stop,
    }),
    ...decisionRoutes({ store, directory, decisions, labels, mailDomain }),
    ...mailboxRoutes({ registry, store, clock, mailDomain }),
    ...outsideRoutes({ registry, behaviors }),
    ...clientRoutes({ clients, clock, baseUrl, mailDomain }),
    ...registrationTokenRoutes({ registrationTokens, baseUrl, mailDomain }),
    ...serviceRoutes(allowedServices, baseUrl),
    ...namespaceRoutes({ registry, store, clock, limiters, mailDomain }),
    ...overviewRoutes({ registry, overviews }),
    ...domainRoutes({ domains: parts.domains, checks: limiters.domainChecks }),
    ...exportRoutes(registry, { store, clock, mailDomain }),
    ...behaviorRoutes(behaviors),
    ...eventRoutes({ store, directory, feed, clock, mailDomain, streams, heartbeat_ms, stop }),
    ...webhookRoutes({ webhooks, clock, mailDomain, tests: limiters.webhookTests }),
    ...suppressionRoutes({ store }),
    ...keyRoutes({ registry, keys, store, clock, mailDomain }),
    ...jwksRoutes(() => keyring.jwks()),
    ...operations,
  ];
  const routes = apiRoutes(described, limiters.changes, {
    version: VERSION,
    store,
    baseUrl,
    mailDomain,
    house,
    names: HOUSE,
    frame,
    limiters,
    sizes,
    sync_ms,
    max_mailboxes: config.LIMIT_MAILBOXES,
  });
  return {
    routes,
    // Without the limit on changes: what the pages send has a limit of its own, and a program that makes too many changes
    // must not keep its owner from revoking its key.
    uncounted: described,
    sizes,
    sync_ms,
    heartbeat_ms,
    streams,
    clients,
    registrationTokens,
    allowedServices,
    labels,
  };
}
