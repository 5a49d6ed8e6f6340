import type { IncomingMessage, ServerResponse } from 'node:http';
import { MINUTE, type Millis, SECOND } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import type Provider from 'oidc-provider';
import type { MailboxSummary } from '../../core/entities/mailbox.ts';
import type { Namespace } from '../../core/entities/namespace.ts';
import { type IssuerKeys, isWhole } from '../../core/sign-in/issuer-keys.ts';
import type { RawExchange } from '../../http/route.ts';
import { endSubject, type ResourceToken, resourceToken } from './adapter.ts';
import type { Served } from './clients.ts';
import { endpointUrl } from './endpoint-url.ts';
import { Interactions, type PendingSignIn } from './interaction.ts';
import type { IssuersParts } from './issuers-parts.ts';
import { loadProvider } from './load.ts';

/** Providers kept in memory; others are created again on request. */
const MAX_LOADED = 64;
/**
 * How long the look-up of a namespace's sign-in address is cached; whether it exists and is not paused is checked each
 * time.
 */
const FRESH_MS: Millis = SECOND;
/** Addresses of a namespace that are searched for the one that signs people in. */
const MAX_ADDRESSES = 100;

/** A namespace that signs people and agents in (OpenID Connect Core 1.0: an OpenID Provider). */
export interface Issuer {
  readonly namespace: Namespace;
  /** The address that signs people in. */
  readonly mailbox: MailboxSummary;
  /** `BASE_URL/oidc/<namespace>` */
  readonly url: string;
  readonly provider: Provider;
  /**
   * Answers a request for `below`, its path from `/` on with the query. `ip` is what it is counted for; for an agent it
   * is the namespace.
   */
  handle(request: IncomingMessage, response: ServerResponse, of: { below: string; ip: string }): Promise<void>;
  /** The sign-in that the browser of this request began. AppError `not_found` when it has ended or began elsewhere. */
  begunBy(exchange: RawExchange, uid: string): Promise<PendingSignIn>;
  /** A sign-in that this process began itself. AppError `not_found` when it has ended. */
  signIn(uid: string): Promise<PendingSignIn>;
}

interface Loaded {
  readonly issuer: Promise<Issuer>;
  readonly of: string;
}

interface LoadedIssuer {
  readonly served: Served | undefined;
  readonly at: Millis;
}

/** The issuers of this service: one for each namespace with an address that signs people in. */
export class Issuers {
  readonly #parts: IssuersParts;
  /** In the order of their last use. */
  readonly #loaded = new Map<string, Loaded>();
  readonly #found = new Map<string, LoadedIssuer>();

  constructor(parts: IssuersParts) {
    this.#parts = parts;
  }

  /** The number of providers in memory. */
  get loaded(): number {
    return this.#loaded.size;
  }

  /** The issuer's URL, whether or not the issuer exists. */
  urlOf(namespace: string): string {
    return `${this.#parts.baseUrl()}/oidc/${namespace}`;
  }

  /**
   * Undefined when the namespace has no sign-in address. AppError `unavailable` without a cause while the address is
   * paused.
   */
  async of(namespace: string): Promise<Issuer | undefined> {
    const served = await this.#served(namespace);
    if (served === undefined) return undefined;
    if (served.mailbox.status !== 'online') {
      throw new AppError(
        'unavailable',
        `Signing in by ${namespace} is not possible at the moment: its owner paused it.`,
        {
          retry_after_ms: MINUTE,
        },
      );
    }
    return this.#load(served);
  }

  /** Whether the namespace signs people in at the moment. */
  async signsIn(namespace: string): Promise<boolean> {
    return (await this.#served(namespace))?.mailbox.status === 'online';
  }

  /** The access token of this text for a protected resource, whichever issuer it is of. */
  resourceToken(text: string): Promise<ResourceToken | undefined> {
    return resourceToken(this.#parts.store.states, text, this.#parts.clock);
  }

  /** Ends every session, consent and token of an account, with every issuer. */
  async forget(account_id: string): Promise<void> {
    const { store, clock } = this.#parts;
    for (const { namespace_id, subject } of await store.accounts.subjects(account_id)) {
      await endSubject(store.states, namespace_id, subject, clock);
    }
  }

  async #served(name: string): Promise<Served | undefined> {
    const { clock, directory } = this.#parts;
    const entry = this.#found.get(name);
    const fresh = entry !== undefined && Math.abs(clock() - entry.at) < FRESH_MS;
    if (fresh && entry.served !== undefined) {
      const mailbox = await directory.mailboxById(entry.served.mailbox.id);
      if (mailbox !== undefined && this.#signsIn(mailbox)) return { ...entry.served, mailbox };
    }
    const served = await this.#lookUp(name);
    this.#found.delete(name);
    if (served === undefined) return undefined;
    this.#found.set(name, { served, at: clock() });
    trim(this.#found, MAX_LOADED * 4);
    return served;
  }

  #signsIn({ behavior, deleted_at }: MailboxSummary): boolean {
    return behavior === this.#parts.issuerBehavior() && deleted_at === null;
  }

  /** Loads the library of the issuers ahead of the first sign-in. */
  prepare(): void {
    // An error reaches the first one who signs in.
    if (this.#parts.issuerBehavior() !== undefined) loadProvider().catch(() => undefined);
  }

  async #lookUp(name: string): Promise<Served | undefined> {
    const { store } = this.#parts;
    const namespace = await store.namespaces.byName(name);
    if (namespace === undefined || namespace.deleted_at !== null) return undefined;
    const behavior = this.#parts.issuerBehavior();
    const of = { namespace_id: namespace.id, behavior, listed: false, seen_by: namespace.id };
    const { items } = await store.mailboxes.page(of, null, MAX_ADDRESSES);
    // Among several, the address named after the behavior, else the oldest.
    const mailbox = items.find(({ local_part }) => local_part === behavior) ?? items[0];
    return mailbox && { namespace, mailbox };
  }

  async #load(served: Served, needed: 'ES256' | 'RS256' = 'ES256'): Promise<Issuer> {
    const { id, name } = served.namespace;
    const keys = await this.#parts.keys(id, needed);
    const url = this.urlOf(name);
    const fingerprint = [url, keys.version, served.mailbox.id, served.mailbox.access].join(' ');
    const known = this.#loaded.get(id);
    this.#loaded.delete(id);
    const loaded = known?.of === fingerprint ? known : { of: fingerprint, issuer: this.#make(served, url, keys) };
    this.#loaded.set(id, loaded);
    trim(this.#loaded, MAX_LOADED);
    try {
      return await loaded.issuer;
    } catch (error) {
      if (this.#loaded.get(id) === loaded) this.#loaded.delete(id);
      throw error;
    }
  }

  async #make(served: Served, url: string, keys: IssuerKeys): Promise<Issuer> {
    const { makeProvider } = await loadProvider();
    const provider = makeProvider({ ...this.#parts, served, url, keys });
    const interactions = new Interactions({ ...this.#parts, provider, served });
    const answer = provider.callback();
    const whole = isWhole(keys);
    return {
      ...served,
      url,
      provider,
      handle: async (request, response, { below, ip }) => {
        if (!whole && needsKeys(below)) {
          return (await this.#load(served, 'RS256')).handle(request, response, { below, ip });
        }
        endpointUrl(request, url, ip);
        request.url = below;
        return answer(request, response);
      },
      begunBy: (exchange, uid) => interactions.begunBy(exchange, uid),
      signIn: (uid) => interactions.of(uid),
    };
  }
}

/** Parameters of an authorization request that carry a token to verify (OpenID Connect Core 1.0, section 3.1.2.1). */
const WITH_TOKEN = ['id_token_hint', 'request', 'request_uri'];

/** Whether the request needs signing keys; only the metadata and the start of a sign-in do not. */
function needsKeys(below: string): boolean {
  // Not parsed as a URL, because the second of two slashes would begin a host.
  const [path = '', query = ''] = below.split('?', 2);
  if (path.startsWith('/.well-known/')) return false;
  const asked = new URLSearchParams(query);
  return path !== '/auth' || asked.size === 0 || WITH_TOKEN.some((name) => asked.has(name));
}

function trim(map: Map<string, unknown>, max: number): void {
  for (const oldest of map.keys()) {
    if (map.size <= max) return;
    map.delete(oldest);
  }
}
