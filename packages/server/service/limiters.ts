import { type Clock, DAY, HOUR, MINUTE, type Millis } from '@mailroom/behavior/values/clock';
import type { Config } from '../config.ts';
import { StoredDayLimiter } from '../core/limits/stored-limit.ts';
import type { Store } from '../core/ports/store.ts';
import type { Limiter, Policy } from '../core/values/limits.ts';
import { limiterOf } from '../core/values/shared-limits.ts';
import { isLoopback } from '../net/loopback.ts';

/** Pages, with their assets, that one network may open at once: a page takes some milliseconds, which delays others. */
const PAGES_AT_ONCE = 200;
/** Client metadata documents read per minute for requests from one network; read ones are cached for a while. */
const DOCUMENTS_PER_MINUTE = 60;
/** Each asks name servers a dozen questions. */
const DOMAIN_CHECKS_PER_MINUTE = 10;
/** Tests of webhooks by one namespace in a minute; each may take 15 s. */
const WEBHOOK_TESTS_PER_MINUTE = 20;
/** New namespaces of one network, and services that register themselves. */
const PER_HOUR = 5;
/** Who tries the service on their own machine makes a namespace for each example. */
const LOCAL_PER_HOUR = 30;
/** Mails in a minute of one network, which may be a large provider's, and of one envelope sender from it. */
const MAILS_OF_NETWORK = 600;
const MAILS_OF_SENDER = 60;
/** Recipients that a network may name in a minute, and how many of them may not exist. */
const RECIPIENTS_OF_NETWORK = 1_200;
const UNKNOWN_OF_NETWORK = 100;
/** Logins of mail programs from one network in a minute that may fail, or be in progress. */
const LOGINS_OF_NETWORK = 30;
/** Invitations of one namespace in a day. */
const INVITATIONS_PER_DAY = 100;
/** Questions by mail to the owners of one namespace in an hour; a plan beyond it waits in the console alone. */
const APPROVAL_MAILS_PER_HOUR = 20;

/**
 * The rate limits of the settings, counted in this process, or by all nodes together where the store has counters; mails
 * to the outside in the store in any case.
 */
export function makeLimiters(config: Config, clock: Clock, { shared, states }: Pick<Store, 'shared' | 'states'>) {
  // Nodes count by the name of a limit and the caller, so no two have the same name.
  const limiter = (
    name: string,
    what: string,
    quota: number,
    window_ms: Millis,
    { alone, ...rest }: LimiterOptions = {},
  ): Limiter => {
    const policy: Policy = { name, what, quota, window_ms, kind: 'bucket', burst: quota, ...rest };
    return (shared === undefined && alone?.(policy)) || limiterOf(policy, clock, shared?.counters);
  };
  const { LIMIT_SENDS_PER_MINUTE: sends, LIMIT_TRIES_PER_MINUTE: tries, LIMIT_TRIES_PER_DAY: triesADay } = config;
  const { LIMIT_NAMESPACES_PER_HOUR: namespaces, LIMIT_PAGES_PER_MINUTE: pages } = config;
  const local = isLocal(config);
  const stored = (policy: Policy): Limiter => new StoredDayLimiter(policy, states, clock);
  return {
    asks: limiter('asks', 'messages between mailboxes', sends, MINUTE),
    sends: limiter('sends', 'sends', sends, MINUTE, { burst: Math.min(config.LIMIT_SENDS_BURST, sends) }),
    changes: limiter('changes', 'changes', config.LIMIT_CHANGES_PER_MINUTE, MINUTE),
    namespaceSends: limiter('namespace-sends', 'sends of a namespace', config.LIMIT_NAMESPACE_SENDS, MINUTE),
    tries: [limiter('minute', 'try-outs', tries, MINUTE), limiter('day', 'try-outs', triesADay, DAY, { kind: 'day' })],
    namespaces: limiter('namespaces', 'new namespaces', namespaces ?? PER_HOUR, HOUR),
    localNamespaces: limiter('local-namespaces', 'new namespaces', namespaces ?? LOCAL_PER_HOUR, HOUR),
    // Of services that register themselves without a token of the owner.
    registrations: limiter('registrations', 'registrations', namespaces ?? (local ? LOCAL_PER_HOUR : PER_HOUR), HOUR),
    pages: limiter('pages', 'pages', pages, MINUTE, { burst: Math.min(PAGES_AT_ONCE, pages) }),
    oidc: limiter('oidc', 'requests', config.LIMIT_OIDC_PER_MINUTE, MINUTE),
    documents: limiter('documents', 'documents of services', DOCUMENTS_PER_MINUTE, MINUTE),
    invitations: limiter('invitations', 'invitations', INVITATIONS_PER_DAY, DAY, { kind: 'day' }),
    approvalMails: limiter('approval-mails', 'questions by mail', APPROVAL_MAILS_PER_HOUR, HOUR),
    emailAnswers: limiter('email-answers', 'answers by mail', config.LIMIT_ANSWERS_PER_HOUR, HOUR),
    emailsSent: limiter('emails-sent', 'mails', config.LIMIT_MAILS_PER_DAY, DAY, { kind: 'day', alone: stored }),
    emails: {
      networks: limiter('email-networks', 'mails', MAILS_OF_NETWORK, MINUTE),
      senders: limiter('email-senders', 'mails', MAILS_OF_SENDER, MINUTE),
      recipients: limiter('email-recipients', 'recipients', RECIPIENTS_OF_NETWORK, MINUTE),
      unknown: limiter('email-unknown', 'addresses that do not exist', UNKNOWN_OF_NETWORK, MINUTE),
    },
    emailLogins: limiter('email-logins', 'logins', LOGINS_OF_NETWORK, MINUTE),
    begun: limiter('begun', 'sign-ins', config.LIMIT_SIGN_INS_BEGUN_PER_HOUR, HOUR),
    webhookTests: limiter('webhook-tests', 'tests of webhooks', WEBHOOK_TESTS_PER_MINUTE, MINUTE),
    domainChecks: limiter('domain-checks', 'checks of domains', DOMAIN_CHECKS_PER_MINUTE, MINUTE),
    challenges: limiter('challenges', 'challenges', config.LIMIT_CHALLENGES_PER_MINUTE, MINUTE),
    codes: limiter('codes', 'codes for an address', config.LIMIT_CODES_PER_HOUR, HOUR),
    codesAsked: limiter('codes-asked', 'codes', config.LIMIT_CODES_ASKED_PER_HOUR, HOUR),
    signIns: limiter('sign-ins', 'tries', config.LIMIT_SIGN_INS_PER_MINUTE, MINUTE),
  };
}

/** Whether only programs on this machine reach the service. */
export const isLocal = ({ BASE_URL, HOST }: Pick<Config, 'BASE_URL' | 'HOST'>): boolean =>
  BASE_URL === undefined && isLoopback(HOST);

interface LimiterOptions extends Partial<Pick<Policy, 'burst' | 'kind'>> {
  /** How it is counted where no other node counts too. */
  readonly alone?: (policy: Policy) => Limiter;
}
