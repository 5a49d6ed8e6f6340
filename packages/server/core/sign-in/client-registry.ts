import { addressOf } from '@mailroom/behavior/mailbox';
import type { Clock } from '@mailroom/behavior/values/clock';
import { AppError, idempotencyMismatch, invalid } from '@mailroom/behavior/values/error';
import { isId, newId } from '@mailroom/behavior/values/ids';
import { type Caller, requireLasting } from '../access/caller.ts';
import type { Registry } from '../access/registry.ts';
import { type Client, MAX_CLIENTS, newClientSecret } from '../entities/client.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Idempotency } from '../ports/idempotency.ts';
import type { Store } from '../ports/store.ts';
import type { Page } from '../values/page.ts';
import {
  type ClientChange,
  changedMetadata,
  hasSecret,
  metadataOf,
  type NewClient,
  newMetadata,
} from './client-metadata.ts';

/** A service with its new secret; null when it has none, or when the secret was shown before. */
export interface MadeClient {
  readonly client: Client;
  readonly secret: string | null;
  readonly replayed: boolean;
}

interface ClientRegistryParts {
  readonly store: Store;
  readonly registry: Registry;
  readonly clock: Clock;
  /** The behavior whose addresses sign people in; '' where there is none. */
  readonly issuerBehavior: () => string;
}

/** Registers services with addresses that sign people in, changes and removes them, for callers who manage the address. */
export class ClientRegistry {
  readonly #store: Store;
  readonly #registry: Registry;
  readonly #clock: Clock;
  readonly #issuerBehavior: () => string;

  constructor(parts: ClientRegistryParts) {
    this.#store = parts.store;
    this.#registry = parts.registry;
    this.#clock = parts.clock;
    this.#issuerBehavior = parts.issuerBehavior;
  }

  /**
   * The address, if the caller manages it and it offers sign-in. AppError `validation_error` for one of another behavior,
   * and the errors of `Registry.mailboxFor`.
   */
  async issuer(caller: Caller, address: string): Promise<Mailbox> {
    const mailbox = await this.#registry.mailboxFor(caller, address, 'mailboxes:write');
    const issuer = this.#issuerBehavior();
    if (mailbox.behavior === issuer) return mailbox;
    throw invalid(
      '/address',
      `${addressOf(mailbox)} has the behavior "${mailbox.behavior}". Services are registered with an address whose behavior is "${issuer}".`,
    );
  }

  async page(caller: Caller, address: string, after: string | null, size: number): Promise<Page<Client>> {
    const { id } = await this.issuer(caller, address);
    return this.#store.clients.page({ mailbox_id: id }, after, size);
  }

  /** Throws AppError `not_found` when this address has no such service. */
  async get(caller: Caller, address: string, id: string): Promise<Client> {
    return this.#of(await this.issuer(caller, address), id);
  }

  /**
   * Registers a service. A repeated request registers no second one and does not get the secret, which may be in use by
   * then. AppError `access_denied` for a key that expires (the service would outlive it), `validation_error`,
   * `idempotency_mismatch`, `mailbox_gone`.
   */
  async create(caller: Caller, address: string, wanted: NewClient, idempotency?: Idempotency): Promise<MadeClient> {
    const mailbox = await this.issuer(caller, address);
    requireLasting(caller, 'a service');
    const metadata = newMetadata(wanted);
    const { id, before } = await this.#reserve(idempotency);
    if (before !== undefined) return before;
    const clientSecret = hasSecret(metadata.token_endpoint_auth_method) ? newClientSecret() : undefined;
    const now = this.#clock();
    const client: Client = {
      id,
      namespace_id: mailbox.namespace_id,
      mailbox_id: mailbox.id,
      source: 'owner',
      name: wanted.name,
      metadata: JSON.stringify(metadata),
      secret: clientSecret?.sha256 ?? null,
      created_at: now,
      updated_at: now,
    };
    switch (await this.#put(client, idempotency)) {
      case 'replayed':
        return { client: await this.#of(mailbox, id), secret: null, replayed: true };
      case 'created':
        return { client, secret: clientSecret?.secret ?? null, replayed: false };
      case 'full':
        throw invalid(
          '',
          `${addressOf(mailbox)} has ${MAX_CLIENTS.toLocaleString('en-US')} services, which is the most. Remove one first.`,
        );
      case 'gone':
        throw new AppError('mailbox_gone', `${addressOf(mailbox)} was deleted by its owner.`);
    }
  }

  /** The changed service. After a change to a method with a secret, create one with `renew`. */
  async change(caller: Caller, address: string, id: string, change: ClientChange): Promise<Client> {
    const client = await this.get(caller, address, id);
    requireLasting(caller, 'what a service may do');
    const metadata = changedMetadata(metadataOf(client), change);
    const keeps = hasSecret(metadata.token_endpoint_auth_method);
    const changed = await this.#store.clients.change(
      client.id,
      { name: metadata.client_name, metadata: JSON.stringify(metadata), ...(keeps ? {} : { secret: null }) },
      this.#clock(),
    );
    return changed ?? this.get(caller, address, id);
  }

  /** Replaces the secret; the previous one ends at once. AppError `validation_error` for a service without a secret. */
  async renew(caller: Caller, address: string, id: string): Promise<MadeClient> {
    const client = await this.get(caller, address, id);
    requireLasting(caller, 'a secret');
    const method = metadataOf(client).token_endpoint_auth_method;
    if (!hasSecret(method)) {
      throw invalid('/id', `${client.name} has no secret: it shows who it is by "${method}". Change that first.`);
    }
    const { secret, sha256 } = newClientSecret();
    const changed = await this.#store.clients.change(client.id, { secret: sha256 }, this.#clock());
    if (changed === undefined) throw noClient(id);
    return { client: changed, secret, replayed: false };
  }

  async remove(caller: Caller, address: string, id: string): Promise<void> {
    const mailbox = await this.issuer(caller, address);
    if (!isId('cli', id) || !(await this.#store.clients.remove(id, mailbox.id))) throw noClient(id);
  }

  /** Two requests with one idempotency key may reach this at once on two nodes; one of them creates the service. */
  async #put(client: Client, idempotency: Idempotency | undefined): Promise<'created' | 'full' | 'gone' | 'replayed'> {
    try {
      return await this.#store.clients.create(client);
    } catch (error) {
      if (idempotency !== undefined && (await this.#store.clients.byId(client.id)) !== undefined) return 'replayed';
      throw error;
    }
  }

  async #of(mailbox: Mailbox, id: string): Promise<Client> {
    const client = isId('cli', id) ? await this.#store.clients.byId(id) : undefined;
    if (client?.mailbox_id !== mailbox.id) throw noClient(id);
    return client;
  }

  /**
   * Reserves the id of the service before it is created, so that a repeated request after a crash creates it then, and
   * never twice. A service that was removed meanwhile is created again.
   */
  async #reserve(idempotency: Idempotency | undefined): Promise<{ readonly id: string; readonly before?: MadeClient }> {
    const now = this.#clock();
    const fresh = newId('cli', now);
    if (idempotency === undefined) return { id: fresh };
    await this.#store.remember(idempotency, fresh, now);
    const first = await this.#store.idempotency(idempotency.scope, idempotency.key, now);
    if (first === undefined || first.id === fresh) return { id: fresh };
    if (first.hash !== idempotency.hash) throw idempotencyMismatch();
    const client = await this.#store.clients.byId(first.id);
    return client === undefined ? { id: first.id } : { id: first.id, before: { client, secret: null, replayed: true } };
  }
}

const noClient = (id: string): AppError =>
  new AppError(
    'not_found',
    `This address has no service ${id.slice(0, 40)}. GET /api/v1/mailboxes/{address}/clients lists them.`,
  );
