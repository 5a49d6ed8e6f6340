import { randomBase62 } from '../entities/key.ts';
import type { Millis } from '../values/clock.ts';
import { sha256 } from '../values/hash.ts';
import type { Page } from '../values/page.ts';

/** The behavior of a mailbox that people sign in by. */
export const AUTH = 'auth';

/** The issuer of a namespace (OpenID Connect Discovery 1.0, section 3): an identifier and where it is found. */
export const issuerUrl = (baseUrl: string, namespace: string): string => `${baseUrl}/oidc/${namespace}`;

/** How a service came to be known: its owner registered it, or it registered itself with a token the owner made. */
export type ClientSource = 'owner' | 'registration';

/** A service that lets people and agents sign in (OpenID Connect: a client), as it is stored. */
export interface Client {
  /** `cli_…`, which is its `client_id`. */
  readonly id: string;
  readonly namespace_id: string;
  /** The `auth` mailbox it is registered with. */
  readonly mailbox_id: string;
  readonly source: ClientSource;
  readonly name: string;
  /** JSON text: its metadata (RFC 7591, section 2) without secret, as it was checked. */
  readonly metadata: string;
  /** SHA-256 of its secret; null for a client without one. */
  readonly secret: string | null;
  readonly created_at: Millis;
  readonly updated_at: Millis;
}

/** Services of one `auth` mailbox. */
export const MAX_CLIENTS = 1_000;

/** Services that are registered. Of a deleted mailbox none is found from that moment. */
export interface Clients {
  /** `full`: the mailbox has `MAX_CLIENTS`. `gone`: it was deleted. */
  create(client: Client): Promise<'created' | 'full' | 'gone'>;
  byId(id: string): Promise<Client | undefined>;
  /** In the order they were made. */
  page(of: { readonly mailbox_id: string }, after: string | null, size: number): Promise<Page<Client>>;
  /** Undefined when it is gone. */
  change(
    id: string,
    fields: Partial<Pick<Client, 'name' | 'metadata' | 'secret'>>,
    now: Millis,
  ): Promise<Client | undefined>;
  /** With what is allowed of it. */
  remove(id: string, mailbox_id: string): Promise<boolean>;
}

/** Its owner lets this mailbox sign in to a service, without being asked each time. */
export interface Allowance {
  readonly mailbox_id: string;
  /** The namespace whose issuer it signs in by. */
  readonly issuer_id: string;
  readonly client_id: string;
  /** As it was called when it was allowed, to be listed. */
  readonly name: string;
  readonly created_at: Millis;
}

/** Allowances of one mailbox. */
export const MAX_ALLOWANCES = 200;

export interface Allowances {
  /** Once is enough. `full`: the mailbox has `MAX_ALLOWANCES`. `gone`: it, or the namespace, was deleted. */
  allow(allowance: Allowance): Promise<'allowed' | 'full' | 'gone'>;
  has(mailbox_id: string, issuer_id: string, client_id: string): Promise<boolean>;
  /** The newest first. */
  of(mailbox_id: string): Promise<readonly Allowance[]>;
  remove(mailbox_id: string, issuer_id: string, client_id: string): Promise<boolean>;
}

/** A new secret, `mr_client_` and 43 characters of base 62: 256 bits that nobody can guess. */
export function newClientSecret(): { readonly secret: string; readonly sha256: string } {
  const secret = `mr_client_${randomBase62(43)}`;
  return { secret, sha256: sha256(secret) };
}
