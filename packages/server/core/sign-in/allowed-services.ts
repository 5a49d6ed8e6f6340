import { addressOf } from '@mailroom/behavior/mailbox';
import { isNamespaceName, lowerCase } from '@mailroom/behavior/values/address';
import { type Clock, rfc3339 } from '@mailroom/behavior/values/clock';
import { AppError, invalid } from '@mailroom/behavior/values/error';
import { sha256 } from '@mailroom/behavior/values/hash';
import { isId } from '@mailroom/behavior/values/ids';
import { Type } from 'typebox';
import { type Caller, requireLasting } from '../access/caller.ts';
import type { Registry } from '../access/registry.ts';
import { type Allowance, type Client, issuerUrl, MAX_ALLOWANCES } from '../entities/client.ts';
import type { Namespace } from '../entities/namespace.ts';
import type { Store } from '../ports/store.ts';
import { documentError } from './uri.ts';

export const NewAllowance = Type.Object(
  {
    issuer: Type.String({
      minLength: 2,
      maxLength: 500,
      description: 'The issuer that the service uses: an issuer URL of this service, or just the namespace.',
      examples: ['agents'],
    }),
    client_id: Type.String({
      minLength: 1,
      maxLength: 1000,
      description: "The service's `client_id`: `cli_…`, or the https URL of its client metadata document.",
    }),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        pattern: '^(?=.*\\S)[^\\u0000-\\u001f\\u007f]*$',
        description: 'The name shown in the list; the service’s own name, or the host of its URL, by default.',
      }),
    ),
  },
  { $id: 'NewAllowedService', additionalProperties: false },
);
export type NewAllowance = Type.Static<typeof NewAllowance>;

export const AllowanceView = Type.Object(
  {
    id: Type.String({ description: 'Identifies the service within this mailbox.', examples: ['0b6f9a2c4e8d1735'] }),
    issuer: Type.String({ description: 'The issuer that the service uses.' }),
    client_id: Type.String(),
    name: Type.String(),
    created_at: Type.String({ format: 'date-time' }),
  },
  { $id: 'AllowedService', description: 'A service that a mailbox may sign in to without asking its owner.' },
);

/** A service that a mailbox may sign in to, with the namespace that issues the sign-in. */
export interface AllowedService extends Allowance {
  /** Unique within this mailbox. */
  readonly id: string;
  readonly issuer: Namespace;
}

export const allowanceView = (service: AllowedService, baseUrl: string): Type.Static<typeof AllowanceView> => ({
  id: service.id,
  issuer: issuerUrl(baseUrl, service.issuer.name),
  client_id: service.client_id,
  name: service.name,
  created_at: rfc3339(service.created_at),
});

/** The services that each mailbox may sign in to without asking, as its owner configured. */
export class AllowedServices {
  readonly #store: Store;
  readonly #registry: Registry;
  readonly #clock: Clock;
  readonly #issuerBehavior: () => string;
  readonly #baseUrl: () => string;

  constructor(
    parts: {
      readonly store: Store;
      readonly registry: Registry;
      readonly clock: Clock;
      /** The behavior whose addresses sign people in; '' where there is none. */
      readonly issuerBehavior: () => string;
    },
    baseUrl: () => string,
  ) {
    this.#store = parts.store;
    this.#registry = parts.registry;
    this.#clock = parts.clock;
    this.#issuerBehavior = parts.issuerBehavior;
    this.#baseUrl = baseUrl;
  }

  /** Newest first. */
  async list(caller: Caller, address: string): Promise<readonly AllowedService[]> {
    const { id } = await this.#registry.mailboxFor(caller, address, 'mailboxes:write');
    const allowances = await this.#store.allowances.of(id);
    const issuers = new Map<string, Namespace>();
    for (const issuer_id of new Set(allowances.map((one) => one.issuer_id))) {
      const issuer = await this.#store.namespaces.byId(issuer_id);
      if (issuer !== undefined) issuers.set(issuer_id, issuer);
    }
    return allowances.flatMap((one) => {
      const issuer = issuers.get(one.issuer_id);
      return issuer === undefined ? [] : [{ ...one, id: idOf(one), issuer }];
    });
  }

  /**
   * Allows a service; repeating it changes nothing. AppError `access_denied` for a key that expires, `validation_error`
   * at `/issuer` or `/client_id`.
   */
  async allow(caller: Caller, address: string, wanted: NewAllowance): Promise<AllowedService> {
    const mailbox = await this.#registry.mailboxFor(caller, address, 'mailboxes:write');
    requireLasting(caller, 'what a mailbox may sign in to');
    const issuer = await this.#issuer(wanted.issuer);
    const called = await this.#nameOf(issuer, wanted.client_id.trim());
    const allowance: Allowance = {
      mailbox_id: mailbox.id,
      issuer_id: issuer.id,
      client_id: wanted.client_id.trim(),
      name: wanted.name ?? called,
      created_at: this.#clock(),
    };
    const allowed = await this.#store.allowances.allow(allowance);
    if (allowed === 'gone') throw new AppError('mailbox_gone', `${addressOf(mailbox)} was deleted by its owner.`);
    if (allowed === 'full') {
      throw invalid(
        '',
        `${addressOf(mailbox)} may sign in to ${MAX_ALLOWANCES} services, which is the most. Remove one first.`,
      );
    }
    const kept = (await this.#store.allowances.of(mailbox.id)).find((one) => idOf(one) === idOf(allowance));
    return { ...(kept ?? allowance), id: idOf(allowance), issuer };
  }

  /** Removes the permission, so that the owner is asked again; existing sign-ins remain. AppError `not_found`. */
  async remove(caller: Caller, address: string, id: string): Promise<void> {
    const mailbox = await this.#registry.mailboxFor(caller, address, 'mailboxes:write');
    const found = (await this.#store.allowances.of(mailbox.id)).find((one) => idOf(one) === id);
    const gone = found && (await this.#store.allowances.remove(mailbox.id, found.issuer_id, found.client_id));
    if (gone === true) return;
    throw new AppError(
      'not_found',
      `${addressOf(mailbox)} has no allowed service ${id.slice(0, 40)}. GET /api/v1/mailboxes/{address}/services lists them.`,
    );
  }

  /** The namespace of the issuer, if it offers sign-in. */
  async #issuer(text: string): Promise<Namespace> {
    const prefix = issuerUrl(this.#baseUrl(), '');
    const given = text.trim();
    const name = lowerCase(given.startsWith(prefix) ? given.slice(prefix.length).replace(/\/$/, '') : given);
    if (!isNamespaceName(name)) {
      throw invalid(
        '/issuer',
        `Issuers of this service have URLs of the form ${prefix}<namespace>. Give one of those, or the namespace.`,
      );
    }
    const namespace = await this.#store.namespaces.byName(name);
    const issuer = namespace?.deleted_at === null ? namespace : undefined;
    const of = { namespace: name, behavior: this.#issuerBehavior(), listed: false, seen_by: issuer?.id ?? null };
    const signsIn = issuer !== undefined && (await this.#store.mailboxes.page(of, null, 1)).items.length > 0;
    if (issuer === undefined || !signsIn) {
      throw invalid(
        '/issuer',
        `${prefix}${name} does not offer sign-in: there is no such namespace, or it has no address with the behavior "${this.#issuerBehavior()}".`,
      );
    }
    return issuer;
  }

  /** The name that the service gives itself. */
  async #nameOf(issuer: Namespace, client_id: string): Promise<string> {
    const client: Client | undefined = isId('cli', client_id) ? await this.#store.clients.byId(client_id) : undefined;
    if (client?.namespace_id === issuer.id) return client.name;
    if (!client_id.startsWith('https://')) {
      throw invalid('/client_id', `${issuer.name} has no service ${client_id.slice(0, 100)}. Check its client_id.`);
    }
    const error = documentError(client_id);
    if (error !== undefined) throw invalid('/client_id', error);
    return new URL(client_id).host;
  }
}

const idOf = ({ issuer_id, client_id }: Pick<Allowance, 'issuer_id' | 'client_id'>): string =>
  sha256(`${issuer_id} ${client_id}`).slice(0, 32);
