import type { Directory } from '../core/access/directory.ts';
import type { Registry } from '../core/access/registry.ts';
import type { Sessions } from '../core/access/sessions.ts';
import type { Reports } from '../core/delivery/abuse-reports.ts';
import type { Decisions } from '../core/delivery/approve.ts';
import type { MailDelivery, MailTarget } from '../core/delivery/mail-delivery.ts';
import type { OneTimeSecrets } from '../core/delivery/one-time-secrets.ts';
import type { Submitter } from '../core/delivery/submit.ts';
import type { EventBus } from '../core/notify/event-bus.ts';
import type { EventFeed } from '../core/notify/event-feed.ts';
import type { Behavior } from '../core/ports/behavior.ts';
import type { Store } from '../core/ports/store.ts';
import type { Health } from '../core/reports/health.ts';
import type { Inbox } from '../core/reports/inbox.ts';
import type { Statistics } from '../core/reports/statistics.ts';
import type { AccountSessions } from '../core/sign-in/account-sessions.ts';
import type { AllowedServices } from '../core/sign-in/allowed-services.ts';
import type { Claims } from '../core/sign-in/claims.ts';
import type { ClientRegistry } from '../core/sign-in/client-registry.ts';
import type { RegistrationTokens } from '../core/sign-in/registration-token.ts';
import type { SignInEvent, SignIns } from '../core/sign-in/sign-in.ts';
import type { Clock } from '../core/values/clock.ts';
import type { Limiter } from '../core/values/limits.ts';
import type { Authenticator } from './authenticate.ts';
import type { Challenges } from './challenges.ts';
import type { Frame } from './page.ts';
import type { SessionCookie } from './session-cookie.ts';
import type { Streams } from './streams.ts';

/** Everything that the routes of an HTTP transport use. */
export interface Parts {
  readonly store: Store;
  readonly directory: Directory;
  readonly registry: Registry;
  readonly post: Submitter;
  readonly decisions: Decisions;
  readonly bus: EventBus;
  readonly sealed: OneTimeSecrets;
  readonly mailDelivery: MailDelivery;
  /** Abuse reports to the operator. */
  readonly reports: Reports;
  /** The state of this process and the version of the service. */
  readonly health: Health;
  readonly version: string;
  /** Where outgoing mail is delivered, for pages to show. */
  readonly mail: MailTarget;
  readonly feed: EventFeed;
  readonly inbox: Inbox;
  readonly statistics: Statistics;
  readonly authenticator: Authenticator;
  readonly sessions: Sessions;
  readonly claims: Claims;
  readonly clients: ClientRegistry;
  readonly registrationTokens: RegistrationTokens;
  readonly allowedServices: AllowedServices;
  readonly cookie: SessionCookie;
  /** People who sign in with an e-mail address. */
  readonly people: {
    readonly signIns: SignIns;
    readonly sessions: AccountSessions;
    /** Holds a session's id. */
    readonly cookie: SessionCookie;
    /** Identifies a browser, signed in or not. */
    readonly browserCookie: SessionCookie;
    /** Called with the outcome of each sign-in attempt. */
    readonly onSignIn: (event: SignInEvent) => void;
  };
  readonly clock: Clock;
  readonly behaviors: readonly Behavior[];
  readonly mailDomain: string;
  readonly baseUrl: () => string;
  /** Renders all pages, including those of the reference. */
  readonly frame: Frame;
  /** The public keys that verify this service's signatures (RFC 7517). */
  readonly jwks: () => Promise<{ readonly keys: readonly object[] }>;
  /** The name of the namespace of the service itself. */
  readonly house: string;
  /** The contact for security problems, as a URI. */
  readonly securityContact: string | undefined;
  /** Whether rate limits are applied. */
  readonly rateLimits: boolean;
  readonly challenges: Challenges;
  readonly limiters: {
    readonly challenges: Limiter;
    readonly pages: Limiter;
    /** Requests of services and browsers to issuers. */
    readonly oidc: Limiter;
    readonly sends: Limiter;
    /** Sends of all keys of a namespace together, through schedules and mailboxes too. */
    readonly namespaceSends: Limiter;
    /** By namespace. */
    readonly changes: Limiter;
    readonly tries: readonly Limiter[];
    readonly namespaces: Limiter;
    /** Sign-ins to the console. */
    readonly signIns: Limiter;
    /** Sign-in codes sent to one address. */
    readonly codes: Limiter;
    /** Sign-in codes requested from one network. */
    readonly codesAsked: Limiter;
  };
  readonly sizes: {
    readonly body: number;
    readonly guestBody: number;
    readonly data: number;
    readonly json: number;
    readonly reply: number;
  };
  /** Mailboxes a namespace may have. */
  readonly max_mailboxes: number;
  readonly sync_ms: number;
  /** Counts the event streams that callers have open. */
  readonly streams: Streams;
  /** Counts the reads that wait for a message to end. */
  readonly waits: Streams;
  /** The longest silence of a stream. */
  readonly heartbeat_ms: number;
  readonly stop: {
    /** Aborts when the service begins to stop; waiting callers are answered with the current state. */
    readonly begun: AbortSignal;
    /** Aborts when the grace time is over and running requests are cut off. */
    readonly over: AbortSignal;
  };
}
