import type { Millis } from '@mailroom/behavior/values/clock';
import { sha256 } from '@mailroom/behavior/values/hash';
import type { Page } from '../values/page.ts';
import { randomBase62 } from './key.ts';

/** The issuer of a namespace (OpenID Connect Discovery 1.0, section 3): its identifier and base URL. */
export const issuerUrl = (baseUrl: string, namespace: string): string => `${baseUrl}/oidc/${namespace}`;

/** How a service was registered: by its owner, or by itself with a token from the owner. */
type ClientSource = 'owner' | 'registration';

/** A stored service that lets people and agents sign in (OpenID Connect: a client). */
export interface Client {
  /** `cli_…`, which is its `client_id`. */
  readonly id: string;
  readonly namespace_id: string;
  /** The mailbox it is registered with, whose behavior is an issuer. */
  readonly mailbox_id: string;
  readonly source: ClientSource;
  readonly name: string;
  /** JSON text: its validated metadata (RFC 7591, section 2) without the secret. */
  readonly metadata: string;
  /** SHA-256 of its secret; null for a client without one. */
  readonly secret: string | null;
  readonly created_at: Millis;
  readonly updated_at: Millis;
}

/** Maximum number of services of one mailbox. */
export const MAX_CLIENTS = 1_000;

/** Registered services. Those of a deleted mailbox are no longer found from that moment. */
export interface Clients {
  /** `full`: the mailbox has `MAX_CLIENTS`. `gone`: it was deleted. */
  create(client: Client): Promise<'created' | 'full' | 'gone'>;
  byId(id: string): Promise<Client | undefined>;
  /** In the order of creation. */
  page(of: { readonly mailbox_id: string }, after: string | null, size: number): Promise<Page<Client>>;
  /** Undefined when it is gone. */
  change(
    id: string,
    fields: Partial<Pick<Client, 'name' | 'metadata' | 'secret'>>,
    now: Millis,
  ): Promise<Client | undefined>;
  /** Removes it together with its allowances. */
  remove(id: string, mailbox_id: string): Promise<boolean>;
}

/** The owner's permission for a mailbox to sign in to a service without asking each time. */
export interface Allowance {
  readonly mailbox_id: string;
  /** The namespace whose issuer is used to sign in. */
  readonly issuer_id: string;
  readonly client_id: string;
  /** The service's name at the time it was allowed, for lists. */
  readonly name: string;
  readonly created_at: Millis;
}

/** Maximum number of allowances of one mailbox. */
export const MAX_ALLOWANCES = 200;

export interface Allowances {
  /** Repeating it changes nothing. `full`: the mailbox has `MAX_ALLOWANCES`. `gone`: it, or the namespace, was deleted. */
  allow(allowance: Allowance): Promise<'allowed' | 'full' | 'gone'>;
  has(mailbox_id: string, issuer_id: string, client_id: string): Promise<boolean>;
  /** Newest first. */
  of(mailbox_id: string): Promise<readonly Allowance[]>;
  remove(mailbox_id: string, issuer_id: string, client_id: string): Promise<boolean>;
}

/** A new secret with 256 random bits: `mr_client_` and 43 characters of base 62. */
export function newClientSecret(): { readonly secret: string; readonly sha256: string } {
  const secret = `mr_client_${randomBase62(43)}`;
  return { secret, sha256: sha256(secret) };
}
