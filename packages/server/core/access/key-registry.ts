import { addressOf } from '@mailroom/behavior/mailbox';
import { type Clock, DAY, parseRfc3339 } from '@mailroom/behavior/values/clock';
import { AppError, invalid } from '@mailroom/behavior/values/error';
import { newId } from '@mailroom/behavior/values/ids';
import { boundTo, hasScope, isBound, type Key, type NewKey, newSecret, reaches } from '../entities/key.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import { KEPT_OVERHEAD } from '../entities/storage-size.ts';
import type { StorageMeter } from '../limits/storage-meter.ts';
import { inAuditScope, OPERATOR_SCOPE } from '../ports/audit-scope.ts';
import type { Idempotency } from '../ports/idempotency.ts';
import type { Store } from '../ports/store.ts';
import type { Directory } from './directory.ts';
import { findAddress } from './hosted-address.ts';
import { livingNamespace } from './living-namespace.ts';
import { replayedId, sizeIdempotent } from './repeated-request.ts';

/** A key just created; `secret` is null when a repeated request finds that the key was used. */
export interface MadeKey {
  readonly key: Key;
  readonly secret: string | null;
  readonly replayed: boolean;
}

interface KeyRegistryParts {
  readonly store: Store;
  readonly directory: Directory;
  readonly storage: StorageMeter;
  readonly clock: Clock;
}

/** Creates and revokes keys, after checking the rights of the key that asks for it. */
export class KeyRegistry {
  readonly #store: Store;
  readonly #directory: Directory;
  readonly #storage: StorageMeter;
  readonly #clock: Clock;
  readonly #mailDomain: string;
  readonly #max: number | undefined;

  constructor(
    parts: KeyRegistryParts,
    options: {
      readonly mailDomain: string;
      /** Maximum number of working keys of a namespace. */
      readonly max_keys?: number;
    },
  ) {
    this.#store = parts.store;
    this.#directory = parts.directory;
    this.#storage = parts.storage;
    this.#clock = parts.clock;
    this.#mailDomain = options.mailDomain;
    this.#max = options.max_keys;
  }

  /** Creates a key that can do no more than `maker`. AppError `insufficient_scope`, `access_denied`, `validation_error`. */
  async create(maker: Key, wanted: NewKey, idempotency?: Idempotency): Promise<MadeKey> {
    const beyond = wanted.scopes.find((scope) => !hasScope(maker, scope));
    if (beyond !== undefined) {
      throw new AppError(
        'insufficient_scope',
        `A key cannot create a key with more scopes than its own: this one does not have ${beyond}.`,
      );
    }
    const mailbox = await this.#binding(maker, wanted.mailbox);
    const expires_at = this.#expiry(maker, wanted);
    const namespace = { id: maker.namespace_id, name: maker.namespace };
    const { key, secret } = makeKey(
      namespace,
      { scopes: wanted.scopes, name: wanted.name ?? null, mailbox, expires_at, account_id: maker.account_id },
      this.#clock(),
    );
    const outcome = await this.#storage.writing(
      { kind: 'namespace', id: maker.namespace_id },
      await sizeIdempotent(this.#store, KEPT_OVERHEAD, idempotency, this.#clock()),
      () => this.#store.keys.create(key, idempotency, this.#max, maker.id),
      ({ kind }) => kind === 'created',
    );
    if (outcome.kind === 'created') return { key, secret, replayed: false };
    if (!('hash' in outcome) && !(await this.#directory.works(maker)))
      throw new AppError('insufficient_scope', 'What the key that creates it may do was lowered meanwhile.');
    if (!('hash' in outcome)) throw invalid('', fullOfKeys(this.#max ?? 0));
    const before = await this.#store.keys.byId(replayedId(outcome, idempotency));
    if (before === undefined) throw new AppError('not_found', 'The key created with this Idempotency-Key was deleted.');
    return this.renew(before);
  }

  /** Throws AppError `not_found` when the caller has no such key to revoke. */
  async revoke(revoker: Key, id: string): Promise<void> {
    const key = await this.#store.keys.byId(id);
    const within =
      key?.namespace_id === revoker.namespace_id &&
      (!isBound(revoker) || (isBound(key) && boundTo(key)?.every((id) => reaches(revoker, id)) === true));
    if (key === undefined || !within || key.revoked_at !== null) {
      throw new AppError(
        'not_found',
        `This namespace has no living key ${id.slice(0, 40)}. GET /api/v1/keys lists them.`,
      );
    }
    if (hasScope(key, 'owner') && !hasScope(revoker, 'owner')) {
      throw new AppError('insufficient_scope', 'Only an owner key can revoke an owner key.');
    }
    if ((await this.#store.accounts.memberBy(id, this.#clock())) !== undefined)
      throw new AppError(
        'access_denied',
        'A member acts by this key. An owner removes the member in the console, under Members.',
      );
    await this.#store.keys.revoke(id, revoker.namespace_id, this.#clock());
    this.#directory.changed();
  }

  /**
   * The key of a repeated request, with a new secret while the first one was never used, because its response may have
   * been lost.
   */
  async renew(key: Key): Promise<MadeKey> {
    const { secret, ...fresh } = newSecret();
    const renewed = await this.#store.keys.renew(key.id, fresh);
    this.#directory.changed();
    if (renewed !== undefined) return { key: renewed, secret, replayed: true };
    return { key: (await this.#store.keys.byId(key.id)) ?? key, secret: null, replayed: true };
  }

  async #binding(maker: Key, address: string | undefined): Promise<Mailbox | undefined> {
    if (address === undefined) {
      if (!isBound(maker)) return undefined;
      throw new AppError(
        'insufficient_scope',
        `A key bound to ${maker.mailbox} can only create keys bound to the same mailbox. Set mailbox to that address.`,
      );
    }
    const to = await findAddress(address, { directory: this.#directory, mailDomain: this.#mailDomain });
    const mailbox = to && (await this.#directory.mailbox(to.local, to.namespace));
    if (mailbox === undefined || mailbox.deleted_at !== null || mailbox.namespace_id !== maker.namespace_id) {
      throw invalid('/mailbox', `The namespace ${maker.namespace} has no mailbox ${address.slice(0, 200)}.`);
    }
    if (!reaches(maker, mailbox.id)) {
      throw new AppError(
        'insufficient_scope',
        `A key bound to ${maker.mailbox} can only create keys bound to the same mailbox.`,
      );
    }
    return mailbox;
  }

  #expiry(maker: Key, { expires_at: text, expires_in_days: days }: NewKey): number | null {
    if (text === undefined && days === undefined) return maker.expires_at;
    if (text !== undefined && days !== undefined)
      throw invalid('/expires_in_days', 'Give expires_at or expires_in_days, not both.');
    const now = this.#clock();
    const expiry = days === undefined ? parseRfc3339(text ?? '') : now + days * DAY;
    if (expiry === undefined || expiry <= now) {
      throw invalid('/expires_at', 'This must be a time in the future (RFC 3339), such as 2030-01-01T00:00:00.000Z.');
    }
    if (maker.expires_at !== null && expiry > maker.expires_at) {
      throw new AppError(
        'insufficient_scope',
        'A key cannot create a key that expires later than itself. Choose an earlier expires_at.',
      );
    }
    return expiry;
  }
}

/** The scopes and the name of the first key of a namespace. */
export const OWNER = { scopes: ['owner'], name: 'Owner key' } as const;

/**
 * Creates another owner key of a namespace, for the operator of the machine. AppError `namespace_not_found`,
 * `namespace_gone`.
 */
export async function makeOwnerKey(
  store: Store,
  name: string,
  clock: Clock,
  label: string = OWNER.name,
): Promise<{ readonly key: Key; readonly secret: string }> {
  const namespace = await livingNamespace(store, name);
  const made = makeKey(namespace, { ...OWNER, name: label }, clock());
  await inAuditScope(OPERATOR_SCOPE, () => store.keys.create(made.key));
  return made;
}

/** A key that is not stored, with its secret. */
export function makeKey(
  namespace: { readonly id: string; readonly name: string },
  wanted: Pick<Key, 'scopes' | 'name'> &
    Partial<Pick<Key, 'expires_at' | 'account_id'>> & { mailbox?: Mailbox | undefined },
  now: number,
): { readonly key: Key; readonly secret: string } {
  const { secret, prefix, sha256 } = newSecret();
  const key: Key = {
    id: newId('key', now),
    namespace_id: namespace.id,
    namespace: namespace.name,
    name: wanted.name,
    prefix,
    sha256,
    scopes: wanted.scopes,
    mailbox_id: wanted.mailbox?.id ?? null,
    mailbox: wanted.mailbox === undefined ? null : addressOf(wanted.mailbox),
    created_at: now,
    last_used_at: null,
    expires_at: wanted.expires_at ?? null,
    revoked_at: null,
    also: [],
    account_id: wanted.account_id ?? null,
  };
  return { key, secret };
}

const fullOfKeys = (max: number): string =>
  `This namespace has ${max.toLocaleString('en-US')} ${max === 1 ? 'active key' : 'active keys'}, the maximum. Revoke one first: DELETE /api/v1/keys/{id}.`;
