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
import type { SignIns, SignInTold } from '../core/sign-in/sign-in.ts';
import type { Clock } from '../core/values/clock.ts';
import type { Limiter } from '../core/values/limits.ts';
import type { Authenticator } from './authenticate.ts';
import type { Challenges } from './challenges.ts';
import type { Frame } from './page.ts';
import type { SessionCookie } from './session-cookie.ts';
import type { Streams } from './streams.ts';

/** All that the routes of an HTTP transport touch. */
export interface Parts {
  readonly store: Store;
  readonly directory: Directory;
  readonly registry: Registry;
  readonly post: Submitter;
  readonly decisions: Decisions;
  readonly bus: EventBus;
  readonly sealed: OneTimeSecrets;
  readonly mailDelivery: MailDelivery;
  /** What strangers report to the owner of the house. */
  readonly reports: Reports;
  /** How this process is, and which version of the service it runs. */
  readonly health: Health;
  readonly version: string;
  /** Where mail to the outside goes, for pages to say. */
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
  /** Those who sign in with an address. */
  readonly people: {
    readonly signIns: SignIns;
    readonly sessions: AccountSessions;
    /** Holds a session's id. */
    readonly cookie: SessionCookie;
    /** Holds what stands for a browser, signed in or not. */
    readonly browserCookie: SessionCookie;
    /** Is told how each try to sign in went. */
    readonly tell: (told: SignInTold) => void;
  };
  readonly clock: Clock;
  readonly behaviors: readonly Behavior[];
  readonly mailDomain: string;
  readonly baseUrl: () => string;
  /** How pages look, those of the reference too. */
  readonly frame: Frame;
  /** The public keys of what this service signs (RFC 7517). */
  readonly jwks: () => Promise<{ readonly keys: readonly object[] }>;
  /** The name of the namespace that the service itself answers in. */
  readonly house: string;
  /** Who is told of security problems, as a URI. */
  readonly securityContact: string | undefined;
  /** Whether what callers do is counted. */
  readonly rateLimits: boolean;
  readonly challenges: Challenges;
  readonly limiters: {
    readonly challenges: Limiter;
    readonly pages: Limiter;
    /** Of what services and browsers ask of issuers. */
    readonly oidc: Limiter;
    readonly sends: Limiter;
    /** Of all keys of a namespace together, its schedules and mailboxes included. */
    readonly namespaceSends: Limiter;
    /** By namespace. */
    readonly changes: Limiter;
    readonly tries: readonly Limiter[];
    readonly namespaces: Limiter;
    /** Of the console's door. */
    readonly signIns: Limiter;
    /** Of codes by mail: to an address, */
    readonly codes: Limiter;
    /** and asked for from a network. */
    readonly codesAsked: Limiter;
  };
  readonly sizes: {
    readonly body: number;
    readonly guestBody: number;
    readonly data: number;
    readonly json: number;
    readonly reply: number;
  };
  /** Mailboxes that may live in a namespace. */
  readonly max_mailboxes: number;
  readonly sync_ms: number;
  /** Counts the streams of events that callers have open, */
  readonly streams: Streams;
  /** and the reads that wait for a message's end. */
  readonly waits: Streams;
  /** How long a stream stays silent at most. */
  readonly heartbeat_ms: number;
  readonly stop: {
    /** Aborts when the service begins to stop: who merely waits is answered with how things stand. */
    readonly begun: AbortSignal;
    /** Aborts when the grace time is over: running exchanges too. */
    readonly over: AbortSignal;
  };
}
