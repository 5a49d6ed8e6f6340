import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { Directory } from '../core/access/directory.ts';
import { Disclosure } from '../core/access/disclosure.ts';
import { Deliverer } from '../core/delivery/deliver.ts';
import { Drafts } from '../core/delivery/drafts.ts';
import { pushDestination } from '../core/delivery/push.ts';
import { Scheduler } from '../core/delivery/scheduler.ts';
import { mailKind, ServiceMail } from '../core/delivery/service-mail.ts';
import { webhookKind } from '../core/delivery/webhook-kind.ts';
import { randomBase62 } from '../core/entities/key.ts';
import type { Mailbox } from '../core/entities/mailbox.ts';
import { retainDeliveries, retainEvents, retainMessages, sweepBlobs } from '../core/maintenance/retention.ts';
import { Cluster } from '../core/notify/cluster.ts';
import { EventFeed } from '../core/notify/event-feed.ts';
import { WebhookFeed } from '../core/notify/webhook-feed.ts';
import type { Behavior } from '../core/ports/behavior.ts';
import { Health } from '../core/reports/health.ts';
import { ProtectedResources } from '../core/sign-in/protected-resources.ts';
import type { Clock } from '../core/values/clock.ts';
import { DAY, SECOND } from '../core/values/clock.ts';
import { AgentSignatures } from '../http/agent-signature.ts';
import { Authenticator, networkOf } from '../http/authenticate.ts';
import { Challenges } from '../http/challenges.ts';
import { drained } from '../http/connections/drain.ts';
import { Rejections } from '../http/connections/rejections.ts';
import { KeyDirectories } from '../http/key-directories.ts';
import type { AccessLog } from '../http/server.ts';
import { makeServer } from '../http/server.ts';
import { Keyring } from '../keyring/keyring.ts';
import { withSealedSecrets } from '../keyring/sealed-secrets.ts';
import { SecretCipher } from '../keyring/secret-cipher.ts';
import { serviceMailBy } from '../mail/writing/service-mail.ts';
import { MailWriter } from '../mail/writing/writer.ts';
import { Metrics } from '../metrics/index.ts';
import type { Resolver } from '../net/guarded-connect.ts';
import { lookUp } from '../net/guarded-connect.ts';
import { isLoopback } from '../net/loopback.ts';
import { listenShared } from '../net/shared-port.ts';
import { openStore } from '../store/open.ts';
import { nextTime } from '../tasks/plans/rules.ts';
import { TaskPushes } from '../transports/a2a/push.ts';
import { oidcMounts } from '../transports/oidc/mount.ts';
import { operationRoutes } from '../transports/operations.ts';
import { webProblem } from '../transports/web/index.ts';
import { showBehaviors } from '../transports/web/looks.ts';
import { agentPush } from './agent-push.ts';
import { makeApprovalMails } from './approval-mails.ts';
import { importBehaviors } from './behaviors.ts';
import { logChannels } from './channel-log.ts';
import { makeCore } from './core.ts';
import { makeEmailAnswers, startEmail } from './email.ts';
import { makeFetch, makeOutsideHttp, makeWebhookClient } from './fetch.ts';
import { makeHost } from './host.ts';
import { HOUSE, openHouse } from './house.ts';
import { makeLimiters } from './limiters.ts';
import { mailSigning, makeMail, serviceSender } from './mail.ts';
import { makeOwnerDomains, signingByDomain } from './owner-domains.ts';
import { allRoutes } from './routes.ts';
import { makeSignIn } from './sign-in.ts';
import { webhookNotices } from './webhook-notices.ts';

export interface ServiceOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly access?: AccessLog | undefined;
  readonly clock?: Clock;
  /** How often it looks for due work that nothing told it of, in ms; a second by default. Tests advance the clock. */
  readonly poll_ms?: number;
  /** Replaces how the store is opened; tests wrap the real one. */
  readonly openStore?: typeof openStore;
  /** Additional behaviors, for tests and benchmarks. */
  readonly behaviors?: readonly Behavior[];
  /** What behaviors share, such as threads, by name, for several services of a process; tests have it. */
  readonly shared?: ReadonlyMap<string, object>;
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
  /** Where it receives mail, if it does. */
  readonly smtp: { readonly host: string; readonly port: number } | undefined;
  /** Where mail programs send, in the order of SUBMISSION_LISTEN. */
  readonly submission: readonly { readonly host: string; readonly port: number }[];
  /** Only on the first start. */
  readonly ownerKey: string | undefined;
  /** The local part of the operator's mailbox to write to first; undefined where its behavior is not loaded. */
  readonly greeter: string | undefined;
}

const POLL_MS = SECOND;
/** How often deferred work is done: writing when keys were used, and removing expired idempotency keys and old messages. */
const UPKEEP_MS = 10 * SECOND;

/** How long aborted runs have to be answered at the end of a stop. */
const CLOSE_MS = SECOND;

/** Limits on reading a document that a service publishes about itself: bytes and time. */
const PUBLISHED_BYTES = 64 * 1024;
const PUBLISHED_MS = 5 * SECOND;

/** Creates and connects all parts, and stops them in reverse order. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, log, resolve = lookUp, poll_ms = POLL_MS } = options;
  await using stack = new AsyncDisposableStack();
  // Loaded while the store opens.
  const importing = importBehaviors(config);
  const opened = stack.use(
    await (options.openStore ?? openStore)(config.DATABASE_URL, {
      clock: options.clock,
      compactHour: config.COMPACT_HOUR,
      onFailure: options.onFailure,
    }),
  );
  const { clock } = opened;
  const cipher = async (name: string, purpose: string): Promise<SecretCipher> =>
    new SecretCipher(await opened.secrets.getOrPut(name, randomBase62(43)), purpose);
  const store = withSealedSecrets(opened, await cipher('stored_secrets', 'secrets of webhooks and states'));
  stack.use(logChannels(log, opened.damaged()));
  const health = new Health({
    probe: () => store.probe(),
    damaged: () => store.damaged() !== undefined,
    waiting: () => store.deliveries.waiting(),
    async storage() {
      const name = config.HOUSE_NAMESPACE;
      const house = await store.namespaces.byName(name);
      if (house === undefined) throw new Error(`There is no namespace ${name}`);
      return { house: { name, ...(await storage.use(house.id)) }, nearly_full: await storage.countNearlyFull() };
    },
    clock,
  });
  const onError = (error: unknown): void => {
    health.note('background');
    log.error({ err: error }, 'background work failed');
  };

  const keyring = await Keyring.open(store.signingKeys, clock, ['receipt']);
  stack.use(keyring.watch(onError));
  const directory = new Directory(store, clock);
  let url = '';
  const baseUrl = (): string => config.BASE_URL ?? url;
  const limiters = makeLimiters(config, clock, { counters: store.shared?.counters, states: store.states });
  const authenticator = new Authenticator(
    { directory, store, clock },
    await store.secrets.getOrPut('thread_token', randomBase62(43)),
  );
  const resources = new ProtectedResources({
    directory,
    baseUrl,
    mailDomain: config.MAIL_DOMAIN,
    house: config.HOUSE_NAMESPACE,
  });
  const issuerBehavior = (): string => behaviors.find(({ issuer }) => issuer)?.name ?? '';
  const published = makeFetch(config, resolve, { ms: PUBLISHED_MS, bytes: PUBLISHED_BYTES, redirects: 0 });
  // Anyone can name any URL, so reads are limited to protect the servers that are named.
  const mayRead = async (ip: string): Promise<boolean> =>
    !config.RATE_LIMITS || (await limiters.documents.take(networkOf(ip))).allowed;
  const { issuerUrl, tokens, issuers, agentSignIn, accounts } = await makeSignIn({
    store,
    directory,
    keyring,
    authenticator,
    clock,
    baseUrl,
    mailDomain: config.MAIL_DOMAIN,
    issuerBehavior,
    resources,
    get: published,
    reads: mayRead,
    onError: (err) => log.error({ err }, 'signing in broke'),
  });
  const signatures = new AgentSignatures({
    directories: new KeyDirectories(published, mayRead, clock),
    states: store.states,
    clock,
    baseUrl,
  });
  const webhookClient = stack.use(makeWebhookClient(config, resolve, clock));
  const seal = await cipher('outside_tokens', 'outside tokens');
  const outsideHttp = stack.use(makeOutsideHttp(config, resolve));
  const host = makeHost(config, {
    clock,
    log,
    keyring,
    directory,
    store,
    resolve,
    issuerUrl,
    tokens,
    agentSignIn,
    outside: {
      client: outsideHttp,
      cipher: seal,
      // What a behavior has of a mailbox is the mailbox itself; a preview is stored by no key.
      isLimited: async (mailbox) => mailbox.settings_key_id != null && disclosure.isLimitedMailbox(mailbox as Mailbox),
    },
    shared: options.shared,
    defer: (close) => stack.defer(close),
  });
  const loaded = await (await importing)(host);
  const behaviors = [...loaded.behaviors, ...(options.behaviors ?? [])];
  showBehaviors(behaviors);
  health.missing = loaded.broken;
  for (const { name, reason, error } of loaded.broken)
    log.error({ behavior: name, reason, err: error }, 'a behavior is not there; its addresses answer with an error');
  for (const behavior of behaviors) if (behavior.close !== undefined) stack.defer(() => behavior.close?.());
  const sends = config.RATE_LIMITS ? limiters.namespaceSends : undefined;
  const writer = stack.use(new MailWriter());
  const mail = stack.use(makeMail(config, { states: store.states, clock, writer }, options.print));
  const signing = mailSigning(config, store, mail.place, { clock, log });
  const sign = async (message: Buffer): Promise<Buffer> => {
    const options = await signing();
    return options === undefined ? message : writer.sign(message, options);
  };
  const emails = await makeEmailAnswers(config, {
    store,
    out: mail,
    signing: signingByDomain(config, store, mail.place, signing),
    writer,
    clock,
    baseUrl,
    deliverer: { announce: (delivery) => deliverer.announce(delivery) },
    onEvents: (namespaceId) => core.bus.publishEvents(namespaceId),
    onError,
  });
  const approvals = await makeApprovalMails(config, {
    store,
    behaviors,
    clock,
    baseUrl,
    serviceMail: () => serviceMail,
    decisions: () => core.decisions,
    limit: config.RATE_LIMITS ? limiters.approvalMails : undefined,
    onError,
  });
  const core = makeCore(
    {
      store,
      directory,
      behaviors,
      clock,
      mailDomain: config.MAIL_DOMAIN,
      asks: config.RATE_LIMITS ? limiters.asks : undefined,
      sends,
      emails,
      approvals,
      emailsSent: config.RATE_LIMITS ? limiters.emailsSent : undefined,
      webhooks: webhookClient,
      onPushable: (mailbox) => deliverer.announce({ kind: 'agent', destination: pushDestination(mailbox) }),
      onBehaviorError: (message, err) => {
        health.note('behavior');
        log.error({ err, message_id: message.id }, 'a behavior broke');
      },
    },
    {
      dispatch: {
        max: config.RUN_MAX,
        lease_ms: config.LEASE_SECONDS * SECOND,
        run_ms: config.RUN_SECONDS * SECOND,
        poll_ms,
        onError,
      },
      storage: {
        namespace: config.LIMIT_STORAGE,
        unclaimed: config.LIMIT_STORAGE_UNCLAIMED,
        network: config.LIMIT_STORAGE_NETWORK,
        guests: config.LIMIT_GUEST_STORAGE,
        mails: config.LIMIT_MAIL_STORAGE,
      },
      uploads: { max_file: config.LIMIT_ATTACHMENT, max_files: config.LIMIT_ATTACHMENTS },
      networks_secret: await store.secrets.getOrPut('networks', randomBase62(43)),
      max_schedules: config.LIMIT_SCHEDULES,
      max_waiting: config.LIMIT_WAITING,
      max_reply: config.LIMIT_REPLY,
      max_mailboxes: config.LIMIT_MAILBOXES,
      max_settings: config.LIMIT_SETTINGS,
      max_keys: config.LIMIT_KEYS,
    },
  );
  const { queue, bus, sealed, storage, limits, dispatch, post, registry } = core;
  stack.use(storage);
  const publishEvents = (namespaceId: string): void => bus.publishEvents(namespaceId);
  const domains = makeOwnerDomains(config, { store, registry, directory, clock, publishEvents });
  const feed = stack.use(new EventFeed({ store, bus }));
  const drafts = new Drafts(
    { store, directory, post, dispatch, storage, clock, ...(config.RATE_LIMITS && { limiters }) },
    {
      mailDomain: config.MAIL_DOMAIN,
      max_drafts: config.LIMIT_DRAFTS,
      sizes: { body: config.LIMIT_BODY, data: config.LIMIT_DATA },
    },
  );
  new Scheduler({ store, post, dispatch, clock, nextTime, limits, sends });
  const mailDomain = config.MAIL_DOMAIN;
  const { onWebhookDisabled, onPushDisabled, onLimited } = webhookNotices({
    store,
    serviceMail: () => serviceMail,
    config,
    clock,
    baseUrl,
    publishEvents,
    log,
    onError,
  });
  const disclosure = new Disclosure({ store, directory, clock, onLimited });
  const pushes = agentPush({
    core,
    config,
    store,
    directory,
    behaviors,
    webhooks: webhookClient,
    clock,
    baseUrl,
    log,
    onDisabled: onPushDisabled,
    disclosure,
  });
  const taskPushes = new TaskPushes({
    store,
    directory,
    storage: core.storage,
    seal,
    bus,
    client: webhookClient,
    clock,
    baseUrl,
    add: (delivery) => deliverer.add(delivery),
    onError,
  });
  const deliverer: Deliverer = new Deliverer(
    {
      store,
      clock,
      kinds: [
        mailKind({
          store,
          sealed,
          dispatch,
          clock,
          mailDomain,
          deliver: serviceMailBy(mail, serviceSender(config), sign),
        }),
        webhookKind({
          store,
          disclosure,
          client: webhookClient,
          clock,
          mailDomain,
          onDisabled: onWebhookDisabled,
        }),
        pushes,
        taskPushes.kind(),
        emails.kind(),
      ],
    },
    {
      lease_ms: config.LEASE_SECONDS * SECOND,
      poll_ms,
      onError,
      // What an endpoint of others answers is no matter of the operator.
      log: (entry) =>
        log[entry.kind === 'webhook' ? 'info' : 'warn'](
          entry,
          entry.outcome === 'failed' ? 'a delivery failed' : 'a delivery is tried again',
        ),
    },
  );
  const serviceMail = new ServiceMail({ deliverer, clock, mailDomain });
  const webhookFeed = new WebhookFeed(
    { store, feed, deliverer, clock },
    { max_deliveries: config.LIMIT_WEBHOOK_DELIVERIES, onError },
  );
  stack.use(webhookFeed);
  if (store.shared !== undefined)
    stack.use(new Cluster({ store, directory, dispatch, deliverer, queue, bus }, onError));
  const metrics = stack.use(
    new Metrics(
      {
        queue_depth: async () => (await store.handlings.depth()) + (await store.jobs.depth()),
        waiting: () => bus.size,
        deliveries: () => health.waiting(),
        storage: () => health.storage(),
      },
      clock,
    ),
  );
  const ownerKey = await openHouse({ store, registry, storage }, config.HOUSE_NAMESPACE, options.keepOwnerKey);

  const challenges = new Challenges({
    states: store.states,
    clock,
    secret: await store.secrets.getOrPut('challenge', randomBase62(43)),
    cost: config.CHALLENGE_COST,
    max: config.LIMIT_SOLVED_PER_DAY,
  });
  const begun = new AbortController();
  const over = new AbortController();
  const operations = operationRoutes({ probe: () => store.probe(), metrics: () => metrics.text() });
  const routes = await allRoutes(
    core,
    {
      config,
      log,
      clock,
      store,
      directory,
      authenticator,
      behaviors,
      issuerBehavior,
      feed,
      domains,
      drafts,
      serviceMail,
      webhookClient,
      webhookFeed,
      deliverer,
      taskPushes,
      mail: mail.place,
      health,
      keyring,
      limiters,
      challenges,
      issuers,
      resources,
      accounts,
      baseUrl,
      stop: { begun: begun.signal, over: over.signal },
    },
    operations,
  );
  const server = {
    problem_page: webProblem,
    authenticator,
    signatures,
    log,
    access: options.access,
    rate_limits: config.RATE_LIMITS,
    local: config.BASE_URL === undefined && isLoopback(config.HOST),
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
  const address = { host: config.HOST, port: config.PORT };
  const sockets = await listenShared(app.server, address, (options) => app.listen(options));
  url = `http://localhost:${(app.server.address() as AddressInfo).port}`;
  const email = await startEmail(config, {
    ...core,
    store,
    directory,
    approvals,
    clock,
    log,
    authenticator,
    limiters: config.RATE_LIMITS ? limiters : undefined,
  }).catch(async (error: unknown) => {
    // Its port would keep the process alive.
    await Promise.all([app.close(), sockets[Symbol.asyncDispose]()]);
    throw error;
  });
  stack.use(email);
  dispatch.checkDue();
  deliverer.checkDue();

  const { RETENTION_DAYS } = config;
  const retention =
    RETENTION_DAYS === undefined ? undefined : stack.use(retainMessages({ store, clock }, RETENTION_DAYS * DAY));
  const trim = stack.use(retainEvents({ store, clock }, config.EVENT_DAYS * DAY));
  const ended = stack.use(retainDeliveries({ store, clock }, config.EVENT_DAYS * DAY));
  const blobs = stack.use(sweepBlobs({ store, clock }));
  const sweepMail = (): void => {
    emails.sweep().catch(onError);
    approvals.sweep().catch(onError);
  };
  const upkeep = setInterval(() => {
    sweepMail();
    domains.checkDue().catch(onError);
    blobs.run().catch(onError);
    trim.run().catch(onError);
    ended.run().catch(onError);
    retention?.run().catch(onError);
    authenticator.flush().catch(onError);
    store.jobs.sweep(clock()).catch(onError);
    store.states.sweep(clock()).catch(onError);
    store.pushConfigs.sweep(clock()).catch(onError);
    store.storage.sweep(clock()).catch(onError);
  }, UPKEEP_MS);
  upkeep.unref();
  retention?.run().catch(onError);
  sweepMail();

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
    await Promise.all([app.close(), sockets[Symbol.asyncDispose]()]);
    clearTimeout(grace);
    const left = Math.max(0, until - performance.now());
    await Promise.all([dispatch.stop(left), deliverer.stop(left)]);
  });
  const held = stack.move();
  return {
    url,
    ownerKey,
    greeter: behaviors.find(({ name }) => name === HOUSE.proofreader)?.name,
    smtp: email.smtp,
    submission: email.submission,
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}
