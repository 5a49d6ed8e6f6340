import type { Clock } from '@mailroom/behavior/values/clock';
import { sha256 } from '@mailroom/behavior/values/hash';
import { isId } from '@mailroom/behavior/values/ids';
import type { Adapter, AdapterPayload, errors as Errors } from 'oidc-provider';
import type { Directory } from '../../core/access/directory.ts';
import type { Client } from '../../core/entities/client.ts';
import type { MailboxSummary } from '../../core/entities/mailbox.ts';
import type { Namespace } from '../../core/entities/namespace.ts';
import type { Store } from '../../core/ports/store.ts';
import { OpenClients } from './open-clients.ts';

/** RFC 7523, section 2.1: an agent authenticates with a token signed by its address. */
export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** Marks a value as the hash of a secret, so that it is neither accepted as the secret nor published. */
const HASHED = 'sha256:';

/** The namespace that signs people in and its sign-in address. */
export interface Served {
  readonly namespace: Namespace;
  readonly mailbox: MailboxSummary;
}

/** The stored form of a secret that `oidc-provider` compares. */
export const secretHash = (secret: string): string => HASHED + sha256(secret);
export const isSecretHash = (secret: unknown): boolean => typeof secret === 'string' && secret.startsWith(HASHED);

export interface ClientsOf {
  readonly store: Store;
  /** Whether the client that is being registered has no token of the owner; an error of the library when it has to wait. */
  readonly registersOpenly: () => Promise<boolean>;
  readonly directory: Directory;
  readonly clock: Clock;
  readonly served: Served;
}

/** The services registered with this issuer, in the form that `oidc-provider` reads and writes. */
export class ClientAdapter implements Adapter {
  readonly #of: ClientsOf;
  readonly #open: OpenClients;
  readonly #errors: typeof Errors;

  constructor(of: ClientsOf, errors: typeof Errors) {
    this.#of = of;
    this.#open = new OpenClients(of.store.states, of.clock, of.served.namespace.id);
    this.#errors = errors;
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const client = await this.#client(id);
    return client === undefined ? this.#open.find(id) : payloadOf(client);
  }

  /** Called when a service registers itself or changes its registration. */
  async upsert(id: string, payload: AdapterPayload): Promise<void> {
    const { store, clock, served } = this.#of;
    const { client_id: _, client_secret, client_name, ...metadata } = payload;
    const secret =
      client_secret === undefined
        ? null
        : isSecretHash(client_secret)
          ? client_secret.slice(HASHED.length)
          : sha256(client_secret);
    const name = client_name ?? hostOf(payload.redirect_uris?.[0]);
    const fields = { name, metadata: JSON.stringify({ ...metadata, client_name: name }), secret };
    const now = clock();
    if ((await this.#client(id)) !== undefined) {
      await store.clients.change(id, fields, now);
      return;
    }
    if (await this.#of.registersOpenly()) return this.#open.add(id, { ...payload, client_name: name });
    const { namespace, mailbox } = served;
    const client: Client = {
      id,
      namespace_id: namespace.id,
      mailbox_id: mailbox.id,
      source: 'registration',
      ...fields,
      created_at: now,
      updated_at: now,
    };
    const done = await store.clients.create(client);
    if (done === 'full') throw new this.#errors.InvalidRequest('this issuer has reached its limit of services');
    if (done === 'gone') throw new this.#errors.InvalidRequest('this issuer no longer exists');
  }

  async destroy(id: string): Promise<void> {
    const client = await this.#client(id);
    if (client === undefined) return;
    await this.#of.store.clients.remove(id, client.mailbox_id);
    await this.#of.store.states.removeOf('oidc:RegistrationAccessToken', id);
  }

  async consume(): Promise<void> {}
  async findByUid(): Promise<undefined> {}
  async findByUserCode(): Promise<undefined> {}
  async revokeByGrantId(): Promise<void> {}

  /** The client, if it belongs to this namespace and the address it is registered with exists. */
  async #client(id: string): Promise<Client | undefined> {
    if (!isId('cli', id)) return undefined;
    const { store, directory, served } = this.#of;
    const client = await store.clients.byId(id);
    if (client?.namespace_id !== served.namespace.id) return undefined;
    const mailbox = await directory.mailboxById(client.mailbox_id);
    return mailbox === undefined || mailbox.deleted_at !== null ? undefined : client;
  }
}

function payloadOf({ id, name, metadata, secret }: Client): AdapterPayload {
  const payload = JSON.parse(metadata) as AdapterPayload;
  // A client that can authenticate may also redeem agents' assertions.
  const grants = payload.token_endpoint_auth_method === 'none' ? [] : [JWT_BEARER];
  return {
    ...payload,
    client_id: id,
    client_name: name,
    grant_types: [...new Set([...(payload.grant_types ?? ['authorization_code']), ...grants])],
    ...(secret === null ? {} : { client_secret: HASHED + secret }),
  };
}

const hostOf = (uri: string | undefined): string => (uri === undefined ? 'A service' : (URL.parse(uri)?.host ?? uri));
