import type { Config } from '../config.ts';
import { StoredDayLimiter } from '../core/delivery/stored-limit.ts';
import type { Store } from '../core/ports/store.ts';
import type { Clock } from '../core/values/clock.ts';
import { DAY, HOUR, MINUTE } from '../core/values/clock.ts';
import type { Limiter, Policy } from '../core/values/limits.ts';
import { LocalLimiter } from '../core/values/limits.ts';
import type { Counters } from '../core/values/shared-limits.ts';
import { SharedLimiter } from '../core/values/shared-limits.ts';
import type { Limiters } from '../http/limits.ts';

/** Pages, with their assets, that one network may open at once. */
const PAGES_AT_ONCE = 200;
/** Client metadata documents read per minute for requests from one network; read ones are cached for a while. */
const DOCUMENTS_PER_MINUTE = 60;

/** Each asks name servers a dozen questions. */
const DOMAIN_CHECKS_PER_MINUTE = 10;
/** Tests of webhooks by one namespace in a minute; each may take 15 s. */
const WEBHOOK_TESTS_PER_MINUTE = 20;

const NAMESPACES_PER_HOUR = 5;
/** Who tries the service on their own machine makes a namespace for each example. */
const LOCAL_NAMESPACES_PER_HOUR = 30;

/** Mails in a minute of one network, which may be a large provider's, and of one envelope sender from it. */
const MAILS_OF_NETWORK = 600;
const MAILS_OF_SENDER = 60;
/** Recipients that a network may name in a minute, and how many of them may not exist. */
const RECIPIENTS_OF_NETWORK = 1_200;
const UNKNOWN_OF_NETWORK = 100;
/** Logins of mail programs from one network in a minute that may fail, or be in progress. */
const LOGINS_OF_NETWORK = 30;

/** Questions by mail to the owners of one namespace in an hour; a plan beyond it waits in the console alone. */
const APPROVAL_MAILS_PER_HOUR = 20;

/**
 * Limits of mail: answers to one address from one mailbox, mails of a namespace to addresses outside, mails of a network,
 * of an envelope sender from a network, recipients that a network names, those that do not exist, failed logins of a
 * network.
 */
export interface EmailLimiters {
  readonly emailAnswers: Limiter;
  readonly emailsSent: Limiter;
  readonly emailNetworks: Limiter;
  readonly emailSenders: Limiter;
  readonly emailRecipients: Limiter;
  readonly emailUnknown: Limiter;
  readonly emailLogins: Limiter;
}

/**
 * The rate limits of the settings, counted in this process, or by all nodes together with `counters`; mails to the
 * outside in the store in any case.
 */
export function makeLimiters(
  config: Config,
  clock: Clock,
  { counters, states }: { readonly counters: Counters | undefined; readonly states: Store['states'] },
): Limiters &
  EmailLimiters & {
    readonly asks: Limiter;
    readonly approvalMails: Limiter;
    readonly documents: Limiter;
    readonly begun: Limiter;
  } {
  const limiter = (
    wanted: Omit<Policy, 'kind' | 'burst'> & Partial<Policy>,
    alone = (policy: Policy): Limiter => new LocalLimiter(policy, clock),
  ): Limiter => {
    const policy: Policy = { kind: 'bucket', burst: wanted.quota, ...wanted };
    return counters === undefined ? alone(policy) : new SharedLimiter(policy, clock, counters);
  };
  const { LIMIT_SENDS_PER_MINUTE: sends, LIMIT_TRIES_PER_MINUTE: tries, LIMIT_TRIES_PER_DAY: triesADay } = config;
  return {
    asks: limiter({ name: 'asks', what: 'messages between mailboxes', quota: sends, window_ms: MINUTE }),
    sends: limiter({
      name: 'sends',
      what: 'sends',
      quota: sends,
      window_ms: MINUTE,
      burst: Math.min(config.LIMIT_SENDS_BURST, sends),
    }),
    changes: limiter({
      name: 'changes',
      what: 'changes',
      quota: config.LIMIT_CHANGES_PER_MINUTE,
      window_ms: MINUTE,
    }),
    namespaceSends: limiter({
      name: 'namespace-sends',
      what: 'sends of a namespace',
      quota: config.LIMIT_NAMESPACE_SENDS,
      window_ms: MINUTE,
    }),
    tries: [
      limiter({ name: 'minute', what: 'try-outs', quota: tries, window_ms: MINUTE }),
      limiter({ name: 'day', what: 'try-outs', quota: triesADay, window_ms: DAY, kind: 'day' }),
    ],
    namespaces: limiter({
      name: 'namespaces',
      what: 'new namespaces',
      quota: config.LIMIT_NAMESPACES_PER_HOUR ?? NAMESPACES_PER_HOUR,
      window_ms: HOUR,
    }),
    localNamespaces: limiter({
      // Nodes count by this name and the caller, so it differs from that of `namespaces`.
      name: 'local-namespaces',
      what: 'new namespaces',
      quota: config.LIMIT_NAMESPACES_PER_HOUR ?? LOCAL_NAMESPACES_PER_HOUR,
      window_ms: HOUR,
    }),
    pages: limiter({
      name: 'pages',
      what: 'pages',
      quota: config.LIMIT_PAGES_PER_MINUTE,
      window_ms: MINUTE,
      // A page takes some milliseconds, so a whole minute's quota at once would delay others.
      burst: Math.min(PAGES_AT_ONCE, config.LIMIT_PAGES_PER_MINUTE),
    }),
    oidc: limiter({
      name: 'oidc',
      what: 'requests',
      quota: config.LIMIT_OIDC_PER_MINUTE,
      window_ms: MINUTE,
    }),
    documents: limiter({
      name: 'documents',
      what: 'documents of services',
      quota: DOCUMENTS_PER_MINUTE,
      window_ms: MINUTE,
    }),
    approvalMails: limiter({
      name: 'approval-mails',
      what: 'questions by mail',
      quota: APPROVAL_MAILS_PER_HOUR,
      window_ms: HOUR,
    }),
    emailAnswers: limiter({
      name: 'email-answers',
      what: 'answers by mail',
      quota: config.LIMIT_ANSWERS_PER_HOUR,
      window_ms: HOUR,
    }),
    emailsSent: limiter(
      { name: 'emails-sent', what: 'mails', quota: config.LIMIT_MAILS_PER_DAY, window_ms: DAY, kind: 'day' },
      (policy) => new StoredDayLimiter(policy, states, clock),
    ),
    emailNetworks: limiter({ name: 'email-networks', what: 'mails', quota: MAILS_OF_NETWORK, window_ms: MINUTE }),
    emailSenders: limiter({ name: 'email-senders', what: 'mails', quota: MAILS_OF_SENDER, window_ms: MINUTE }),
    emailRecipients: limiter({
      name: 'email-recipients',
      what: 'recipients',
      quota: RECIPIENTS_OF_NETWORK,
      window_ms: MINUTE,
    }),
    emailUnknown: limiter({
      name: 'email-unknown',
      what: 'addresses that do not exist',
      quota: UNKNOWN_OF_NETWORK,
      window_ms: MINUTE,
    }),
    emailLogins: limiter({ name: 'email-logins', what: 'logins', quota: LOGINS_OF_NETWORK, window_ms: MINUTE }),
    begun: limiter({
      name: 'begun',
      what: 'sign-ins',
      quota: config.LIMIT_SIGN_INS_BEGUN_PER_HOUR,
      window_ms: HOUR,
    }),
    webhookTests: limiter({
      name: 'webhook-tests',
      what: 'tests of webhooks',
      quota: WEBHOOK_TESTS_PER_MINUTE,
      window_ms: MINUTE,
    }),
    domainChecks: limiter({
      name: 'domain-checks',
      what: 'checks of domains',
      quota: DOMAIN_CHECKS_PER_MINUTE,
      window_ms: MINUTE,
    }),
    challenges: limiter({
      name: 'challenges',
      what: 'challenges',
      quota: config.LIMIT_CHALLENGES_PER_MINUTE,
      window_ms: MINUTE,
    }),
    codes: limiter({
      name: 'codes',
      what: 'codes for an address',
      quota: config.LIMIT_CODES_PER_HOUR,
      window_ms: HOUR,
    }),
    codesAsked: limiter({
      name: 'codes-asked',
      what: 'codes',
      quota: config.LIMIT_CODES_ASKED_PER_HOUR,
      window_ms: HOUR,
    }),
    signIns: limiter({
      name: 'sign-ins',
      what: 'tries',
      quota: config.LIMIT_SIGN_INS_PER_MINUTE,
      window_ms: MINUTE,
    }),
  };
}
