import type { Behavior } from '@mailroom/behavior';
import { type Clock, type Millis, SECOND } from '@mailroom/behavior/values/clock';
import type { Config } from '../config.ts';
import { makeActorOf } from '../core/access/actor.ts';
import { Directory } from '../core/access/directory.ts';
import type { Disclosure } from '../core/access/disclosure.ts';
import { randomBase62 } from '../core/entities/key.ts';
import type { RawMails } from '../core/files/raw-mails.ts';
import type { StorageMeter } from '../core/limits/storage-meter.ts';
import type { PeerMail } from '../core/mail-in/peer-mail.ts';
import type { ReviewDesk } from '../core/messages/review-desk.ts';
import type { Arrivals } from '../core/notify/arrivals.ts';
import type { EventBus } from '../core/notify/event-bus.ts';
import type { EventFeed } from '../core/notify/event-feed.ts';
import type { Deliverer } from '../core/outgoing/deliver.ts';
import type { OwnerNotices } from '../core/outgoing/owner-notices.ts';
import type { ServiceMail } from '../core/outgoing/service-mail.ts';
import type { Store } from '../core/ports/store.ts';
import type { Tracing } from '../core/ports/tracing.ts';
import { Health } from '../core/reports/health.ts';
import type { Decisions } from '../core/runs/approve.ts';
import { ProtectedResources } from '../core/sign-in/protected-resources.ts';
import { VERSION } from '../core/values/version.ts';
import { AgentSignatures } from '../http/agent-signature.ts';
import { Authenticator, addressesIn, networkOf } from '../http/authenticate.ts';
import { KeyDirectories } from '../http/key-directories.ts';
import { Keyring } from '../keyring/keyring.ts';
import { withSealedSecrets } from '../keyring/sealed-secrets.ts';
import { SecretCipher } from '../keyring/secret-cipher.ts';
import { FindingSearch } from '../mail/findings/searcher.ts';
import { ArchiveReader } from '../mail/reading/archive-reader.ts';
import { HtmlViewer, MAX_IMAGE } from '../mail/reading/html-viewer.ts';
import { checkRelay } from '../mail/writing/relay-check.ts';
import { lookUp } from '../net/guarded-connect.ts';
import { makeGuardedFetch } from '../net/guarded-fetch.ts';
import { HttpWebhookClient } from '../net/webhook.ts';
import { logChannels } from '../store/channel-log.ts';
import { openStore } from '../store/open.ts';
import { makeLimiters } from './limiters.ts';
import type { ServiceOptions } from './options.ts';
import { settingsOf } from './settings.ts';

/** Limits on reading a document that a service publishes about itself. */
/** How pictures of mails are read: by no other name, so that their sender does not learn who looks. */
const PICTURES = { bytes: MAX_IMAGE, ms: 8 * SECOND, redirects: 3 };
const PUBLISHED = { bytes: 64 * 1024, ms: 5 * SECOND, redirects: 0 };

/** What earlier parts call of later ones, once all are made. */
export interface Later {
  readonly arrivals: Arrivals;
  readonly feed: EventFeed;
  readonly peerMail: PeerMail | undefined;
  readonly behaviors: readonly Behavior[];
  readonly bus: EventBus;
  readonly decisions: Decisions;
  readonly deliverer: Deliverer;
  readonly disclosure: Disclosure;
  readonly notices: OwnerNotices;
  readonly raws: RawMails;
  readonly reviewDesk: ReviewDesk;
  readonly serviceMail: ServiceMail;
  readonly storage: StorageMeter;
}

/** What all other parts use. */
export type Base = Awaited<ReturnType<typeof openBase>>;

/** Opens the store, and makes what all other parts use. */
export async function openBase(options: ServiceOptions, stack: AsyncDisposableStack, later: () => Later) {
  const { config, log, resolve = lookUp } = options;
  const { store, secretOf, cipher } = await openSealed(options, stack);
  const { clock } = store;
  const tracing = await makeTracing(config.OTEL_EXPORTER_OTLP_ENDPOINT, stack);
  const health = makeHealth(config, store, clock, later);
  const onError = (error: unknown): void => {
    health.note('background');
    log.error({ err: error }, 'background work failed');
  };
  const keyring = await Keyring.open(store.signingKeys, clock, ['receipt']);
  stack.use(keyring.watch(onError));
  const directory = new Directory(store, clock);
  const limiters = makeLimiters(config, clock, store);
  const settings = settingsOf(config);
  /** The URL by which this process is reached; '' until it listens. */
  const listening = { url: '' };
  const baseUrl = (): string => config.BASE_URL ?? listening.url;
  const user_agent = `Mailroom/${VERSION} (+${config.BASE_URL ?? 'http://localhost'})`;
  const readDocument = makeGuardedFetch({ ...PUBLISHED, resolve, user_agent });
  // Anyone can name any URL, so reads are limited to protect the servers that are named.
  const mayReadDocument = async (ip: string): Promise<boolean> =>
    !config.RATE_LIMITS || (await limiters.documents.take(networkOf(ip))).allowed;
  const mayRegister = async (ip: string): Promise<Millis | undefined> => {
    if (!config.RATE_LIMITS) return undefined;
    const { allowed, reset_ms } = await limiters.registrations.take(networkOf(ip));
    return allowed ? undefined : reset_ms;
  };
  const directories = new KeyDirectories(readDocument, mayReadDocument, clock);
  const stopping = { begun: new AbortController(), over: new AbortController() };
  return {
    ...{ config, log, resolve, clock, store, health, tracing, onError, keyring, directory, limiters },
    ...{ listening, baseUrl, stopping, secretOf },
    actorOf: makeActorOf({ store, clock }),
    ...settings,
    /** The `User-Agent` of all that this service requests of others. */
    user_agent,
    /** The limits, where limits are applied. */
    applied: config.RATE_LIMITS ? limiters : undefined,
    stop: { begun: stopping.begun.signal, over: stopping.over.signal },
    authenticator: new Authenticator({ directory, store, clock }, await secretOf('thread_token')),
    resources: new ProtectedResources({ ...settings, directory, baseUrl }),
    /** The behavior whose addresses sign people in; '' where there is none. */
    issuerBehavior: (): string => later().behaviors.find(({ issuer }) => issuer)?.name ?? '',
    /** Reads the documents that services publish about themselves. */
    readDocument,
    /** Whether one more document may be read for the client at this address; each call is counted. */
    mayReadDocument,
    /** Counts a service that registers itself without a token; the time to wait where it is one too many. */
    mayRegister,
    signatures: new AgentSignatures({ directories, states: store.states, clock, baseUrl }),
    /** Sends webhooks, and only to where they may go. */
    webhookClient: stack.use(
      new HttpWebhookClient({ resolve, trusts: addressesIn(config.WEBHOOK_NETWORKS), clock, user_agent }),
    ),
    /** Reads mails that are imported. */
    archiveReader: stack.use(new ArchiveReader()),
    /** Shows the HTML of mails. */
    htmlViewer: stack.use(new HtmlViewer(makeGuardedFetch({ ...PICTURES, resolve }))),
    /** Looks for evidence in messages. */
    findings: stack.use(new FindingSearch()),
    /** Encrypts tokens for services outside. */
    seal: await cipher('outside_tokens', 'outside tokens'),
  };
}

/** Records spans where a collector is set, and else loads nothing. */
async function makeTracing(endpoint: string | undefined, stack: AsyncDisposableStack): Promise<Tracing | undefined> {
  if (endpoint === undefined) return undefined;
  const { OtelTracing } = await import('../metrics/otel/tracing.ts');
  return stack.use(new OtelTracing(endpoint));
}

/** Opens the store, with its secrets encrypted. */
async function openSealed({ config, log, ...options }: ServiceOptions, stack: AsyncDisposableStack) {
  const opened = stack.use(
    await (options.openStore ?? openStore)(config.DATABASE_URL, {
      clock: options.clock,
      blobs: config.BLOBS_URL,
      compactHour: config.COMPACT_HOUR,
      index: config.SEARCH_INDEX,
      onFailure: options.onFailure,
    }),
  );
  const secretOf = (name: string): Promise<string> => opened.secrets.getOrPut(name, randomBase62(43));
  const cipher = async (name: string, purpose: string): Promise<SecretCipher> =>
    new SecretCipher(await secretOf(name), purpose);
  const store = withSealedSecrets(opened, await cipher('stored_secrets', 'secrets of webhooks and states'));
  stack.use(logChannels(log, opened.damaged()));
  return { store, secretOf, cipher };
}

const makeHealth = (
  { HOUSE_NAMESPACE: name, SMTP_URL }: Config,
  store: Store,
  clock: Clock,
  later: () => Later,
): Health =>
  new Health({
    relay: SMTP_URL === undefined ? undefined : () => checkRelay(SMTP_URL),
    probe: () => store.probe(),
    damaged: () => store.damaged() !== undefined,
    waiting: () => store.deliveries.waiting(),
    async storage() {
      const house = await store.namespaces.byName(name);
      if (house === undefined) throw new Error(`There is no namespace ${name}`);
      const { storage } = later();
      return { house: { name, ...(await storage.use(house.id)) }, nearly_full: await storage.countNearlyFull() };
    },
    clock,
  });
