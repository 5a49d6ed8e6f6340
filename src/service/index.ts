import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import type { TSchema } from 'typebox';
import type { Config } from '../config.ts';
import { Directory } from '../core/access/directory.ts';
import type { CheckSettings } from '../core/access/registry.ts';
import { Registry } from '../core/access/registry.ts';
import { Sessions } from '../core/access/sessions.ts';
import { Reports } from '../core/delivery/abuse-reports.ts';
import { Decisions } from '../core/delivery/approve.ts';
import { Dispatch } from '../core/delivery/dispatch.ts';
import { EffectLimits } from '../core/delivery/effect-limits.ts';
import { MailDelivery } from '../core/delivery/mail-delivery.ts';
import { OneTimeSecrets } from '../core/delivery/one-time-secrets.ts';
import { Progress } from '../core/delivery/progress.ts';
import { Runner } from '../core/delivery/run.ts';
import { Scheduler } from '../core/delivery/scheduler.ts';
import { ServiceAccess } from '../core/delivery/service-access.ts';
import { StorageMeter } from '../core/delivery/storage-meter.ts';
import { Submitter } from '../core/delivery/submit.ts';
import { randomBase62 } from '../core/entities/key.ts';
import { retainEvents, retainMessages } from '../core/maintenance/retention.ts';
import { Cluster } from '../core/notify/cluster.ts';
import { EventBus } from '../core/notify/event-bus.ts';
import { EventFeed } from '../core/notify/event-feed.ts';
import type { Behavior } from '../core/ports/behavior.ts';
import { Health } from '../core/reports/health.ts';
import { Inbox } from '../core/reports/inbox.ts';
import { Statistics } from '../core/reports/statistics.ts';
import { AccountSessions } from '../core/sign-in/account-sessions.ts';
import { AgentTokens } from '../core/sign-in/agent-token.ts';
import { AllowedServices } from '../core/sign-in/allowed-services.ts';
import { Claims } from '../core/sign-in/claims.ts';
import { ClientRegistry } from '../core/sign-in/client-registry.ts';
import { RegistrationTokens } from '../core/sign-in/registration-token.ts';
import type { SignInEvent } from '../core/sign-in/sign-in.ts';
import { SignIns } from '../core/sign-in/sign-in.ts';
import type { Clock } from '../core/values/clock.ts';
import { DAY, SECOND, systemClock } from '../core/values/clock.ts';
import { Authenticator, networkOf } from '../http/authenticate.ts';
import { Challenges } from '../http/challenges.ts';
import { drained } from '../http/drain.ts';
import type { Parts } from '../http/parts.ts';
import { Rejections } from '../http/rejections.ts';
import type { AccessLog } from '../http/server.ts';
import { makeServer } from '../http/server.ts';
import { SessionCookie } from '../http/session-cookie.ts';
import { Streams } from '../http/streams.ts';
import { compileCheck } from '../http/validate.ts';
import { Keyring } from '../keyring/keyring.ts';
import { Metrics } from '../metrics/index.ts';
import type { Resolver } from '../net/guarded-fetch.ts';
import { lookUp } from '../net/guarded-fetch.ts';
import { openStore } from '../store/open.ts';
import { nextTime } from '../tasks/plans/rules.ts';
import { siteDocuments } from '../transports/api/docs/library.ts';
import { apiRoutes } from '../transports/api/index.ts';
import { AgentSignIn } from '../transports/oidc/agent.ts';
import { codeMail } from '../transports/oidc/code-mail.ts';
import { Issuers } from '../transports/oidc/issuers.ts';
import type { SignedIn } from '../transports/oidc/issuers-parts.ts';
import { oidcMounts } from '../transports/oidc/mount.ts';
import { peopleRoutes } from '../transports/oidc/pages/index.ts';
import { operationRoutes } from '../transports/operations.ts';
import { webProblem, webRoutes } from '../transports/web/index.ts';
import { frame } from '../transports/web/layout.ts';
import { VERSION } from '../version.ts';
import { behaviorsOf } from './behaviors.ts';
import { makeFetch } from './fetch.ts';
import { openHouse } from './house.ts';
import { makeLimiters } from './limiters.ts';
import { asMailHtml, mailtoAddress, makeMail } from './mail.ts';

export interface ServiceOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly access?: AccessLog | undefined;
  readonly clock?: Clock;
  /** Replaces how the store is opened; tests wrap the real one. */
  readonly openStore?: typeof openStore;
  /** Additional behaviors, for tests and benchmarks. */
  readonly behaviors?: readonly Behavior[];
  /** Resolves host names in place of the system; tests use it to reach their own servers. */
  readonly resolve?: Resolver;
  /** Prints mail on the terminal when there is no server for it; without it nothing is printed. */
  readonly print?: (text: string) => void;
  /** Called with the owner key of the first start before it is valid; throws when it cannot be stored. */
  readonly keepOwnerKey: (secret: string) => Promise<void>;
  /** Called after an error that ends the service. */
  readonly onFailure: (error: Error) => void;
}

export interface Service extends AsyncDisposable {
  readonly url: string;
  /** Only on the first start. */
  readonly ownerKey: string | undefined;
}

/** Outcomes of sign-ins that may be part of an attack. */
const TRIED: ReadonlySet<SignInEvent['outcome']> = new Set(['wrong', 'burnt', 'elsewhere', 'refused']);

const POLL_MS = SECOND;
const HEARTBEAT_MS = 15 * SECOND;
/** How often deferred work is done: writing when keys were used, and removing expired idempotency keys and old messages. */
const UPKEEP_MS = 10 * SECOND;

/** How long aborted runs have to be answered at the end of a stop. */
const CLOSE_MS = SECOND;

/** Limits on reading a document that a service publishes about itself: bytes and time. */
const PUBLISHED_BYTES = 64 * 1024;
const PUBLISHED_MS = 5 * SECOND;

/** Creates and connects all parts, and stops them in reverse order. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, log, clock = systemClock, resolve = lookUp } = options;
  await using stack = new AsyncDisposableStack();
  const store = stack.use(
    await (options.openStore ?? openStore)(config.DATABASE_URL, { clock, onFailure: options.onFailure }),
  );
  const health = new Health({ probe: () => store.probe(), clock });
  const onError = (error: unknown): void => {
    health.note('background');
    log.error({ err: error }, 'background work failed');
  };

  const keyring = await Keyring.open(store.states, clock, ['receipt']);
  stack.use(keyring.watch(onError));
  const directory = new Directory(store, clock);
  let url = '';
  const baseUrl = (): string => config.BASE_URL ?? url;
  const issuerUrl = (namespace: string): string => `${baseUrl()}/oidc/${namespace}`;
  const tokens = new AgentTokens({
    accounts: store.accounts,
    signer: (namespaceId) => keyring.issuer(namespaceId),
    issuer: issuerUrl,
    clock,
    mailDomain: config.MAIL_DOMAIN,
  });
  const behaviors = [
    ...behaviorsOf(config, {
      keyring,
      directory,
      resolve,
      issuer: issuerUrl,
      tokens,
      signIns: {
        inspect: (url, agent) => agentSignIn.inspect(url, agent),
        signIn: (url, agent) => agentSignIn.signIn(url, agent),
      },
      allowances: store.allowances,
    }),
    ...(options.behaviors ?? []),
  ];
  for (const behavior of behaviors) if (behavior.close !== undefined) stack.defer(() => behavior.close?.());
  const bus = new EventBus();
  const sealed = new OneTimeSecrets({ states: store.states, clock });
  const storage = stack.use(
    new StorageMeter(
      { store, clock, secret: await store.secrets.getOrPut('networks', randomBase62(43)), onError },
      {
        namespace: config.LIMIT_STORAGE,
        unclaimed: config.LIMIT_STORAGE_UNCLAIMED,
        network: config.LIMIT_STORAGE_NETWORK,
        guests: config.LIMIT_GUEST_STORAGE,
      },
    ),
  );
  const limits = new EffectLimits({ store, storage }, { max_schedules: config.LIMIT_SCHEDULES });
  const limiters = makeLimiters(config, clock, store.shared?.counters);
  const runner = new Runner(
    behaviors,
    clock,
    (message, err) => {
      health.note('behavior');
      log.error({ err, message_id: message.id }, 'a behavior broke');
    },
    {
      max_reply: config.LIMIT_REPLY,
      progress: new Progress({ store, bus, clock }),
      service: new ServiceAccess({
        store,
        clock,
        limits,
        mailDomain: config.MAIL_DOMAIN,
        asks: config.RATE_LIMITS ? limiters.asks : undefined,
        sends: config.RATE_LIMITS ? limiters.namespaceSends : undefined,
      }),
    },
  );
  const dispatch = new Dispatch(
    { store, directory, runner, bus, sealed, storage, limits, clock },
    {
      max: config.RUN_MAX,
      lease_ms: config.LEASE_SECONDS * SECOND,
      run_ms: config.RUN_SECONDS * SECOND,
      poll_ms: POLL_MS,
      onError,
    },
  );
  if (store.shared !== undefined) stack.use(new Cluster({ store, directory, dispatch, bus }, onError));
  const feed = stack.use(new EventFeed({ store, bus }));
  const post = new Submitter(
    { store, directory, runner, dispatch, bus, sealed, storage, clock },
    { max_waiting: config.LIMIT_WAITING },
  );
  const sends = config.RATE_LIMITS ? limiters.namespaceSends : undefined;
  new Scheduler({ store, post, dispatch, clock, nextTime, limits, sends });
  const mail = stack.use(makeMail(config, options.print));
  const mailDelivery = new MailDelivery({
    store,
    sealed,
    dispatch,
    clock,
    mailDomain: config.MAIL_DOMAIN,
    deliver: mail.deliver,
    log: (entry) => log.warn(entry, entry.outcome === 'dropped' ? 'a mail was dropped' : 'a mail is tried again'),
  });
  const registry = new Registry(
    { store, directory, dispatch, storage, clock, behaviors },
    {
      mailDomain: config.MAIL_DOMAIN,
      max_mailboxes: config.LIMIT_MAILBOXES,
      max_settings: config.LIMIT_SETTINGS,
      max_keys: config.LIMIT_KEYS,
      checkSettings: settingsChecker(),
    },
  );
  const authenticator = new Authenticator(
    { directory, store, clock },
    await store.secrets.getOrPut('thread_token', randomBase62(43)),
  );
  const cookie = new SessionCookie(await store.secrets.getOrPut('console_session', randomBase62(43)));
  const metrics = stack.use(new Metrics({ queue_depth: () => store.jobs.depth(), waiting: () => bus.size }));
  const ownerKey = await openHouse(store, registry, config.HOUSE_NAMESPACE, options.keepOwnerKey);

  const challenges = new Challenges({
    states: store.states,
    clock,
    secret: await store.secrets.getOrPut('challenge', randomBase62(43)),
    cost: config.CHALLENGE_COST,
    max: config.LIMIT_SOLVED_PER_DAY,
  });
  // A waiting stream costs less than one that receives all events.
  const streamLimits = (keys: number, guests: number) => ({
    of_key: config.LIMIT_STREAMS * keys,
    of_guest: config.LIMIT_GUEST_STREAMS * guests,
  });
  const begun = new AbortController();
  const over = new AbortController();
  const accountSessions = new AccountSessions({ store, clock, mailDomain: config.MAIL_DOMAIN });
  const clients = new ClientRegistry({ store, registry, clock });
  const parts: Parts = {
    store,
    directory,
    registry,
    post,
    decisions: new Decisions({ store, directory, dispatch, clock }),
    bus,
    sealed,
    mailDelivery,
    reports: new Reports({
      store,
      directory,
      dispatch,
      registry,
      storage,
      mailDelivery,
      clock,
      house: config.HOUSE_NAMESPACE,
      copy_to: mailtoAddress(config.SECURITY_CONTACT),
      html: asMailHtml,
    }),
    health,
    version: VERSION,
    mail: mail.place,
    feed,
    inbox: new Inbox({ store }),
    statistics: new Statistics({ store, clock }),
    authenticator,
    sessions: new Sessions({ store, clock }),
    claims: new Claims({ store, directory, storage, clock }, (id) => accountSessions.person(id)),
    clients,
    registrationTokens: new RegistrationTokens({ store, clients, clock }),
    allowedServices: new AllowedServices({ store, registry, clock }, baseUrl),
    cookie,
    people: {
      signIns: new SignIns(
        { store, clock, post: (written) => mailDelivery.enqueue(written), write: codeMail },
        { secret: await store.secrets.getOrPut('sign_in', randomBase62(43)), mailDomain: config.MAIL_DOMAIN },
      ),
      sessions: accountSessions,
      cookie: new SessionCookie(await store.secrets.getOrPut('account_session', randomBase62(43)), 'mr_account'),
      browserCookie: new SessionCookie(await store.secrets.getOrPut('browser', randomBase62(43)), 'mr_browser'),
      onSignIn: (event) => log[TRIED.has(event.outcome) ? 'warn' : 'info'](event, 'a sign-in'),
    },
    clock,
    behaviors,
    mailDomain: config.MAIL_DOMAIN,
    baseUrl,
    frame,
    jwks: () => keyring.jwks(),
    house: config.HOUSE_NAMESPACE,
    securityContact: config.SECURITY_CONTACT,
    rateLimits: config.RATE_LIMITS,
    challenges,
    limiters,
    sizes: {
      body: config.LIMIT_BODY,
      guestBody: config.LIMIT_GUEST_BODY,
      data: config.LIMIT_DATA,
      json: config.LIMIT_JSON,
      reply: config.LIMIT_REPLY,
    },
    max_mailboxes: config.LIMIT_MAILBOXES,
    sync_ms: config.SYNC_SECONDS * SECOND,
    streams: new Streams('event streams', streamLimits(1, 1)),
    waits: new Streams('waiting requests', streamLimits(20, 10)),
    // The heartbeat keeps a silent stream from being closed while its reader pauses.
    heartbeat_ms: Math.min(HEARTBEAT_MS, (config.REQUEST_SECONDS * SECOND) / 2),
    stop: { begun: begun.signal, over: over.signal },
  };
  const issuers = new Issuers({
    store,
    directory,
    who: authenticator,
    clock,
    keys: (namespace_id, needed) => keyring.issuer(namespace_id, needed),
    tokens,
    baseUrl: parts.baseUrl,
    mailDomain: config.MAIL_DOMAIN,
    frame,
    browser: signedIn(parts.people),
    cookie_secret: await store.secrets.getOrPut('oidc_cookies', randomBase62(43)),
    get: makeFetch(config, resolve, { ms: PUBLISHED_MS, bytes: PUBLISHED_BYTES, redirects: 0 }),
    // Anyone can name any URL, so reads are limited to protect the servers that are named.
    reads: async (ip) => !config.RATE_LIMITS || (await limiters.documents.take(networkOf(ip))).allowed,
    onError: (err) => log.error({ err }, 'signing in broke'),
  });
  const agentSignIn = new AgentSignIn({ issuers, clock });
  const operations = operationRoutes({ probe: () => store.probe(), metrics: () => metrics.text() });
  const people = peopleRoutes(parts, {
    secret: await store.secrets.getOrPut('passkey', randomBase62(43)),
    issuers,
  });
  const routes = [...apiRoutes(parts, operations, VERSION), ...webRoutes(parts, siteDocuments), ...people];
  const server = {
    problem_page: webProblem,
    authenticator,
    log,
    access: options.access,
    rate_limits: config.RATE_LIMITS,
    challenges,
    rejections: new Rejections(config.LIMIT_REJECTED_PER_MINUTE, clock),
    max_json: config.LIMIT_JSON,
    max_values: config.LIMIT_VALUES,
    connections: {
      max_connections: config.LIMIT_CONNECTIONS,
      max_of_network: config.LIMIT_CONNECTIONS_PER_NETWORK,
      max_in_flight: config.LIMIT_PIPELINE,
      max_unread: config.LIMIT_UNREAD,
      max_unread_total: config.LIMIT_UNREAD_TOTAL,
      max_receiving: config.LIMIT_BODIES,
      max_body: config.LIMIT_JSON,
    },
    request_ms: config.REQUEST_SECONDS * SECOND,
    https: config.BASE_URL?.startsWith('https:') ?? false,
    trust_proxy: config.TRUST_PROXY,
    stopping: begun.signal,
    over: over.signal,
  };
  const app = await makeServer(routes, server, oidcMounts(issuers, [limiters.oidc], [limiters.pages, limiters.begun]));
  await app.listen({ host: config.HOST, port: config.PORT });
  url = `http://localhost:${(app.server.address() as AddressInfo).port}`;
  dispatch.checkDue();

  const { RETENTION_DAYS } = config;
  const retention =
    RETENTION_DAYS === undefined ? undefined : stack.use(retainMessages({ store, clock }, RETENTION_DAYS * DAY));
  const trim = stack.use(retainEvents({ store, clock }, config.EVENT_DAYS * DAY));
  const upkeep = setInterval(() => {
    trim.run().catch(onError);
    retention?.run().catch(onError);
    authenticator.flush().catch(onError);
    store.jobs.sweep(clock()).catch(onError);
    store.states.sweep(clock()).catch(onError);
    store.storage.sweep(clock()).catch(onError);
  }, UPKEEP_MS);
  upkeep.unref();
  retention?.run().catch(onError);

  // Stops in reverse order: no new requests, running exchanges answered, their work settled, then the rest. A failure to
  // store when keys were last used must not fail the stop.
  stack.defer(() => authenticator.flush().catch(onError));
  stack.defer(async () => {
    clearInterval(upkeep);
    begun.abort();
    const until = performance.now() + config.STOP_SECONDS * SECOND;
    const grace = setTimeout(() => {
      over.abort();
      // A closed server no longer checks for requests that arrive too slowly.
      setTimeout(() => app.server.closeAllConnections(), CLOSE_MS).unref();
    }, config.STOP_SECONDS * SECOND);
    // Under load new connections never end, so this waits for a limited time.
    await drained(app.server, (config.STOP_SECONDS * SECOND) / 2);
    await app.close();
    clearTimeout(grace);
    await dispatch.stop(Math.max(0, until - performance.now()));
  });
  const held = stack.move();
  return { url, ownerKey, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

/** The account of a browser, by its cookie. */
function signedIn({ sessions, cookie }: Parts['people']): SignedIn {
  const find = async (cookies: string) => {
    const id = cookie.read(cookies, true) ?? cookie.read(cookies, false);
    return id === undefined ? undefined : sessions.find(id);
  };
  return {
    account: async (cookies) => (await find(cookies))?.account_id,
    async end(cookies) {
      const found = await find(cookies);
      if (found !== undefined) await sessions.end(found.account_id, found.hash);
    },
  };
}

/** Validates a behavior's settings; a schema is compiled on first use. */
function settingsChecker(): CheckSettings {
  const checks = new Map<TSchema, (settings: unknown) => void>();
  return (schema, settings) => {
    const check = checks.get(schema) ?? compileCheck(schema, '/behavior/settings');
    checks.set(schema, check);
    check(settings);
  };
}
