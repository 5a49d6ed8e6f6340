import type { Clock, Millis } from '@mailroom/behavior/values/clock';
import type { AdapterPayload } from 'oidc-provider';
import type { Store } from '../../core/ports/store.ts';
import { noteSignIn } from '../../core/sign-in/service-sign-ins.ts';
import { type Consent, consentsOf, endConsent, endSessions } from './adapter.ts';
import { OpenClients } from './open-clients.ts';

/** A service that an account signed in to. */
export interface UsedService {
  /** Identifies the consent when it is ended. */
  readonly id: string;
  /** The name that its owner registered or that it declares. */
  readonly name: string | null;
  readonly origin: string;
  /** The name of the issuing namespace. */
  readonly issuer: string;
  /** What it receives, in words. */
  readonly gets: readonly string[];
  readonly since: Millis;
}

/** The services an account signed in to, across all issuers. */
export class UsedServices {
  readonly #store: Store;
  readonly #clock: Clock;

  constructor({ store, clock }: { readonly store: Store; readonly clock: Clock }) {
    this.#store = store;
    this.#clock = clock;
  }

  /** The latest first. */
  async of(account_id: string): Promise<readonly UsedService[]> {
    const subjects = await this.#store.accounts.subjects(account_id);
    const found = await Promise.all(
      subjects.map(async ({ namespace_id, subject }) => {
        const issuer = (await this.#store.namespaces.byId(namespace_id))?.name ?? '';
        const consents = await consentsOf(this.#store.states, subject, this.#clock);
        return Promise.all(consents.map((consent) => this.#service(consent, { id: namespace_id, name: issuer })));
      }),
    );
    return found.flat().sort((a, b) => b.since - a.since);
  }

  /** Ends a consent of the account, its tokens, and its sessions with the issuer, which is in the audit log; false when there was none. */
  async revoke(account_id: string, id: string): Promise<boolean> {
    for (const { namespace_id, subject } of await this.#store.accounts.subjects(account_id)) {
      const consents = await consentsOf(this.#store.states, subject, this.#clock);
      const consent = consents.find((one) => one.id === id);
      if (consent === undefined) continue;
      const issuer = { id: namespace_id, name: (await this.#store.namespaces.byId(namespace_id))?.name ?? '' };
      const { name } = await this.#service(consent, issuer);
      await noteSignIn(this.#store, {
        action: 'service.consent_ended',
        namespace_id,
        account_id,
        service: { id: consent.client_id, name },
        issuer: issuer.name,
      });
      await endConsent(this.#store.states, { namespace_id, subject, id }, this.#clock);
      await endSessions(this.#store.states, subject);
      return true;
    }
    return false;
  }

  async #service(
    { id, client_id, scopes, at: consentTime }: Consent,
    issuer: { readonly id: string; readonly name: string },
  ): Promise<UsedService> {
    const client = client_id.startsWith('cli_') ? await this.#store.clients.byId(client_id) : undefined;
    const metadata: Partial<Pick<AdapterPayload, 'client_name' | 'redirect_uris'>> | undefined =
      client === undefined
        ? await new OpenClients(this.#store.states, this.#clock, issuer.id).find(client_id)
        : { ...JSON.parse(client.metadata), client_name: client.name };
    const where = metadata?.redirect_uris?.[0] ?? client_id;
    return {
      id,
      name: metadata?.client_name ?? null,
      origin: URL.canParse(where) ? originOf(new URL(where)) : where,
      issuer: issuer.name,
      gets: wordsOf(scopes),
      since: consentTime,
    };
  }
}

/** The scheme for an app's own scheme, as such a URL has no origin. */
const originOf = (url: URL): string => (url.origin === 'null' ? url.protocol : url.origin);

/** What a service receives by these scopes, in words (OpenID Connect Core, section 5.4). */
export function wordsOf(scopes: readonly string[]): readonly string[] {
  const words = [
    scopes.includes('email') && 'your address',
    scopes.includes('profile') && 'your name',
    scopes.includes('mail:send') && 'the right to send messages for you',
    scopes.includes('messages:read') && 'your messages',
    scopes.includes('mail:answer') && 'the right to answer messages for you',
    scopes.includes('mailboxes:write') && 'the right to make and change your addresses',
    scopes.includes('mail:review') && 'the right to see and decide what leaves your addresses',
    scopes.includes('offline_access') && 'access while you are away',
  ].filter((word) => word !== false);
  return words.length > 0 ? words : ['an identifier for you that only it knows'];
}
