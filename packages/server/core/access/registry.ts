import type { Behavior } from '@mailroom/behavior';
import { addressOf } from '@mailroom/behavior/mailbox';
import type { Address } from '@mailroom/behavior/values/address';
import { type Clock, DAY, type Millis } from '@mailroom/behavior/values/clock';
import { AppError, invalid } from '@mailroom/behavior/values/error';
import { newId } from '@mailroom/behavior/values/ids';
import { hasScope, type Key, type Scope } from '../entities/key.ts';
import {
  type Mailbox,
  type MailboxChange,
  type MailboxWithSecret,
  type NewMailbox,
  statusAt,
} from '../entities/mailbox.ts';
import { type Namespace, namespaceName } from '../entities/namespace.ts';
import { KEPT_OVERHEAD } from '../entities/storage-size.ts';
import type { StorageMeter } from '../limits/storage-meter.ts';
import type { Idempotency } from '../ports/idempotency.ts';
import type { Store } from '../ports/store.ts';
import type { WebhookClient } from '../ports/webhook-client.ts';
import { Turns } from '../values/turns.ts';
import { newWebhookSecret } from '../values/webhook-signature.ts';
import { BehaviorSettings, type CheckSettings } from './behavior-settings.ts';
import { type Caller, isOwn, mayOn, missingScope, requireDisclosing, requireOwn, visible } from './caller.ts';
import type { Directory } from './directory.ts';
import { findAddress } from './hosted-address.ts';
import { type KeyRegistry, type MadeKey, makeKey, OWNER } from './key-registry.ts';
import { livingNamespace } from './living-namespace.ts';
import { type ChangeParts, changedFields } from './mailbox-change.ts';
import { mailboxOf, sizeOfMailbox } from './new-mailbox.ts';
import { replayedId, sizeIdempotent } from './repeated-request.ts';
import { type ForwardTargets, rulesOf } from './rule-settings.ts';
import { sensitiveOf, settingsKey } from './sensitive-settings.ts';

/** A mailbox, and the address by which it was named. */
interface Located {
  readonly to: Address;
  readonly mailbox: Mailbox;
}

/** How long the secret before a new one signs too. */
const OLD_SECRET_MS: Millis = DAY;

/** What of a change of a mailbox is told to those that work on its messages. */
interface WorkNotices {
  checkDue(): void;
  announceDue(): void;
  publishEvents(namespaceId: string): void;
}

/** Creates, changes and removes namespaces and mailboxes, after checking the caller's rights. */
export class Registry {
  readonly #store: Store;
  readonly #directory: Directory;
  readonly #dispatch: WorkNotices;
  readonly #storage: StorageMeter;
  readonly #keys: Pick<KeyRegistry, 'renew'>;
  readonly #clock: Clock;
  readonly #onPushable: (mailbox: Mailbox) => void;
  readonly #onDeleted: (mailboxIds: readonly string[]) => void;
  /** The behaviors, and the checks of their settings. */
  readonly settings: BehaviorSettings;
  readonly #targets: ForwardTargets;
  readonly #mailDomain: string;
  readonly #changeParts: ChangeParts;
  readonly #maxMailboxes: number | undefined;
  /** Changes of a mailbox, by its id. */
  readonly #changing = new Turns();

  constructor(
    parts: {
      store: Store;
      directory: Directory;
      dispatch: WorkNotices;
      storage: StorageMeter;
      keys: Pick<KeyRegistry, 'renew'>;
      clock: Clock;
      behaviors: readonly Behavior[];
      webhookClient: Pick<WebhookClient, 'urlError'>;
      forwardTargets: ForwardTargets;
      /** Called when messages of this mailbox can be pushed to its webhook. */
      onPushable: (mailbox: Mailbox) => void;
      /** Called with the ids of mailboxes that were deleted. */
      onDeleted: (mailboxIds: readonly string[]) => void;
    },
    options: {
      readonly mailDomain: string;
      /** Maximum number of living mailboxes in a namespace. */
      readonly max_mailboxes?: number;
      /** Maximum size of a mailbox's settings, in bytes of JSON. */
      readonly max_settings?: number;
      readonly checkSettings: CheckSettings;
    },
  ) {
    this.#store = parts.store;
    this.#directory = parts.directory;
    this.#dispatch = parts.dispatch;
    this.#storage = parts.storage;
    this.#keys = parts.keys;
    this.#clock = parts.clock;
    this.#onPushable = parts.onPushable;
    this.#onDeleted = parts.onDeleted;
    this.settings = new BehaviorSettings(parts, options);
    this.#targets = parts.forwardTargets;
    this.#mailDomain = options.mailDomain;
    const { store, clock, forwardTargets: targets } = parts;
    this.#changeParts = { store, clock, targets, settings: this.settings, mailDomain: options.mailDomain };
    this.#maxMailboxes = options.max_mailboxes;
  }

  /** The namespace of this name. AppError `namespace_not_found`, `namespace_gone`. */
  namespace(name: string): Promise<Namespace> {
    return livingNamespace(this.#store, name);
  }

  /**
   * Creates a namespace with its owner key. AppError `namespace_taken`, `namespace_gone`, `validation_error`,
   * `idempotency_mismatch`, `storage_full`.
   */
  async createNamespace(
    wanted: { readonly name: string; readonly display_name?: string },
    idempotency?: Idempotency,
    {
      mailboxes = () => [],
      keep = async () => {},
      renew = true,
      network,
    }: {
      /** Mailboxes created in the same transaction. */
      readonly mailboxes?: (namespace: Namespace, key: Key) => readonly MailboxWithSecret[];
      /** Called with the owner key before anything is written. */
      readonly keep?: (secret: string) => Promise<void>;
      /** A repeated request gives an unused owner key a new secret; without this it returns no secret. */
      readonly renew?: boolean;
      /** The network of the request; left out when the service itself creates it. */
      readonly network?: string;
    } = {},
  ): Promise<MadeKey & { readonly namespace: Namespace }> {
    const now = this.#clock();
    const namespace: Namespace = {
      id: newId('ns', now),
      name: namespaceName(wanted.name),
      display_name: wanted.display_name ?? null,
      created_at: now,
      deleted_at: null,
    };
    const { key, secret } = makeKey(namespace, OWNER, now);
    await keep(secret);
    const boxes = mailboxes(namespace, key);
    const bytes = boxes.reduce((sum, mailbox) => sum + sizeOfMailbox(mailbox), 2 * KEPT_OVERHEAD);
    if (network !== undefined)
      await this.#storage.reserveNew(network, await sizeIdempotent(this.#store, bytes, idempotency, this.#clock()));
    const mark = network === undefined ? {} : { network: this.#storage.mark(network) };
    const outcome = await this.#store.namespaces.create({ namespace, key, mailboxes: boxes, ...mark }, idempotency);
    if (outcome.kind === 'created') {
      this.#storage.add({ kind: 'namespace', id: namespace.id }, bytes);
      return { namespace, key, secret, replayed: false };
    }
    if (outcome.kind !== 'replayed')
      throw new AppError('namespace_taken', `"${namespace.name}" is taken. Choose another name.`);
    const original = await this.#store.namespaces.byId(replayedId(outcome, idempotency));
    const first = original && (await this.#store.keys.firstOf(original.id));
    if (original === undefined || original.deleted_at !== null || first === undefined) {
      throw new AppError('namespace_gone', 'The namespace created with this Idempotency-Key was deleted.');
    }
    if (!renew) return { namespace: original, key: first, secret: null, replayed: true };
    return { namespace: original, ...(await this.#keys.renew(first)) };
  }

  async renameNamespace(caller: Caller, name: string, display_name: string | null): Promise<Namespace> {
    const namespace = await this.namespace(name);
    requireOwn(caller, namespace, 'owner');
    return (await this.#store.namespaces.rename(namespace.id, display_name)) ?? this.namespace(name);
  }

  async deleteNamespace(caller: Caller, name: string): Promise<void> {
    const namespace = await this.namespace(name);
    requireOwn(caller, namespace, 'owner');
    const mailboxes = await this.#store.mailboxes.ids(namespace.id);
    await this.#store.namespaces.delete(namespace.id, this.#clock());
    this.#directory.changed();
    this.#onDeleted(mailboxes);
    this.#dispatch.checkDue();
  }

  /** A mailbox that the caller may see. AppError `mailbox_not_found`, `mailbox_gone`, `namespace_gone`. */
  async mailbox(caller: Caller, address: string): Promise<Mailbox> {
    return (await this.locate(caller, address)).mailbox;
  }

  /** As `mailbox`, with the address as it is named; at once where both are known. */
  locate(caller: Caller, address: string): Located | Promise<Located> {
    const to = this.#find(address);
    const mailbox =
      to === undefined || to instanceof Promise ? undefined : this.#directory.mailbox(to.local, to.namespace);
    if (to === undefined || to instanceof Promise || mailbox === undefined || mailbox instanceof Promise)
      return this.#lookFor(caller, address, to, mailbox);
    return { to, mailbox: visible(caller, address, mailbox) };
  }

  async #lookFor(
    caller: Caller,
    address: string,
    addressLookup: ReturnType<typeof findAddress>,
    mailboxLookup: ReturnType<Directory['mailbox']>,
  ): Promise<Located> {
    const to = await addressLookup;
    const mailbox = (await mailboxLookup) ?? (to && (await this.#directory.mailbox(to.local, to.namespace)));
    if (to !== undefined && mailbox === undefined) {
      const namespace = await this.#store.namespaces.byName(to.namespace);
      if (namespace !== undefined && namespace.deleted_at !== null) await this.namespace(to.namespace);
    }
    const found = visible(caller, address, mailbox);
    return { to: to as Address, mailbox: found };
  }

  /** As `mailbox`, for a caller with `scope` for it. AppError `access_denied`, `insufficient_scope`. */
  async mailboxFor(caller: Caller, address: string, scope: Scope): Promise<Mailbox> {
    const mailbox = await this.mailbox(caller, address);
    if (mayOn(caller, scope, mailbox)) return mailbox;
    if (!isOwn(caller, mailbox.namespace_id)) {
      throw new AppError(
        'access_denied',
        `This key belongs to another namespace. Use a key of "${mailbox.namespace}".`,
      );
    }
    if (caller.kind === 'key' && hasScope(caller.key, scope)) {
      throw new AppError(
        'access_denied',
        `This key is bound to ${caller.key.mailbox}. Use a key that is not bound to another mailbox.`,
      );
    }
    throw missingScope(scope);
  }

  async createMailbox(
    caller: Caller,
    name: string,
    wanted: NewMailbox,
    idempotency?: Idempotency,
  ): Promise<{ mailbox: MailboxWithSecret; replayed: boolean }> {
    const namespace = await this.namespace(name);
    const key = requireOwn(caller, namespace, 'mailboxes:write');
    if (wanted.outgoing !== undefined) requireOwn(caller, namespace, 'mail:review');
    const fresh = this.newMailbox(namespace, wanted, key);
    const mailbox =
      wanted.rules === undefined
        ? fresh
        : { ...fresh, rules: await rulesOf(caller, wanted.rules, fresh, this.#changeParts) };
    settingsKey(caller, sensitiveOf(this.settings.find(mailbox.behavior), mailbox.settings));
    await this.settings.checkTargets(wanted.behavior);
    const outcome = await this.#storage.writing(
      { kind: 'namespace', id: namespace.id },
      await sizeIdempotent(this.#store, sizeOfMailbox(mailbox), idempotency, this.#clock()),
      () => this.#store.mailboxes.create(mailbox, idempotency, this.#maxMailboxes),
      ({ kind }) => kind === 'created',
    );
    switch (outcome.kind) {
      case 'created': {
        this.#directory.changed();
        this.#dispatch.publishEvents(namespace.id);
        if (mailbox.rules !== undefined) await this.#targets.update(mailbox).catch(unlessLimited);
        const { domains } = (await this.#store.mailboxes.byId(mailbox.id)) ?? mailbox;
        return { mailbox: { ...mailbox, domains, status: statusAt(mailbox, mailbox.created_at) }, replayed: false };
      }
      case 'taken':
        throw new AppError('mailbox_taken', `${addressOf(mailbox)} is taken. Choose another local part.`);
      case 'full':
        throw invalid('/local_part', fullNamespace(this.#maxMailboxes ?? 0));
      case 'gone':
        throw new AppError('namespace_gone', `The namespace ${namespace.name} was deleted by its owner.`);
      case 'replayed': {
        const original = await this.#store.mailboxes.byId(replayedId(outcome, idempotency));
        if (original === undefined || original.deleted_at !== null) {
          throw new AppError('mailbox_gone', 'The mailbox created with this Idempotency-Key was deleted.');
        }
        return { mailbox: original, replayed: true };
      }
    }
  }

  /**
   * Switches the webhook of a stored mailbox on, if its settings have one, and pushes what waits; with its secret, where it
   * had none.
   */
  async #enableWebhook(mailbox: Mailbox): Promise<MailboxWithSecret> {
    if (this.settings.webhookOf(mailbox.behavior, mailbox.settings) === undefined) return mailbox;
    const secret = newWebhookSecret();
    const added = await this.#store.agentWebhooks.enable(mailbox.id, secret, this.#clock());
    this.#onPushable(mailbox);
    return { ...mailbox, webhook: 'on', online_until: null, ...(added && { webhook_secret: secret }) };
  }

  /**
   * A new secret for the webhook of a mailbox; the one before signs too for a day. AppError as of `mailboxFor`, and
   * `not_found` for a mailbox without a webhook.
   */
  async rotateWebhookSecret(caller: Caller, address: string) {
    const mailbox = await this.mailboxFor(caller, address, 'mailboxes:write');
    if (mailbox.webhook !== null) requireDisclosing(caller, 'webhook_url');
    const secret = newWebhookSecret();
    const old_until = this.#clock() + OLD_SECRET_MS;
    if (await this.#store.agentWebhooks.rotate(mailbox.id, secret, old_until)) return { mailbox, secret, old_until };
    throw new AppError('not_found', `${addressOf(mailbox)} has no webhook. Set webhook_url in its settings first.`);
  }

  /**
   * A mailbox that is checked but not stored, with the secret of its webhook if it has one; what leaves by its settings
   * leaves by `key`. Throws AppError `validation_error`, `body_too_large`.
   */
  newMailbox(namespace: Namespace, wanted: NewMailbox, key?: Key): MailboxWithSecret {
    return mailboxOf(namespace, wanted, key, {
      settings: this.settings,
      mailDomain: this.#mailDomain,
      now: this.#clock(),
    });
  }

  /** Changes of one mailbox run one after the other, so that each is checked against the result of the one before. */
  async changeMailbox(caller: Caller, address: string, change: MailboxChange): Promise<MailboxWithSecret> {
    const { id } = await this.#changeable(caller, address, change);
    const end = await this.#changing.take(id);
    try {
      return await this.#change(caller, address, change);
    } finally {
      end();
    }
  }

  /** The mailbox, for a caller who may change these fields. AppError as of `mailboxFor`. */
  async #changeable(caller: Caller, address: string, { outgoing, ...others }: MailboxChange): Promise<Mailbox> {
    const isOther = Object.keys(others).length > 0;
    if (outgoing !== undefined) {
      const mailbox = await this.mailboxFor(caller, address, 'mail:review');
      requireOwn(caller, { id: mailbox.namespace_id, name: mailbox.namespace }, 'mail:review');
      if (!isOther) return mailbox;
    }
    return this.mailboxFor(caller, address, 'mailboxes:write');
  }

  async #change(caller: Caller, address: string, change: MailboxChange): Promise<MailboxWithSecret> {
    const mailbox = await this.#changeable(caller, address, change);
    const { behavior, rules } = change;
    const { fields, more } = await changedFields(caller, mailbox, change, this.#changeParts);
    const changed = await this.#storage.writing(
      { kind: 'namespace', id: mailbox.namespace_id },
      more,
      () => this.#store.mailboxes.change(mailbox.id, fields, this.#clock()),
      (written) => written !== undefined,
    );
    // A webhook that was switched off is on again.
    const enabled = changed === undefined || behavior === undefined ? changed : await this.#enableWebhook(changed);
    this.#directory.changed();
    this.#dispatch.publishEvents(mailbox.namespace_id);
    if (changed !== undefined && rules !== undefined) await this.#targets.update(changed);
    // What was held, or waited for an answer from outside, may be due.
    if (change.status === 'online' || behavior !== undefined) this.#dispatch.announceDue();
    return enabled ?? this.mailbox(caller, address);
  }

  async deleteMailbox(caller: Caller, address: string): Promise<void> {
    const mailbox = await this.mailboxFor(caller, address, 'mailboxes:write');
    await this.#store.mailboxes.delete(mailbox.id, this.#clock());
    if (mailbox.rules !== undefined) await this.#targets.update({ ...mailbox, rules: { items: [] } });
    this.#directory.changed();
    this.#onDeleted([mailbox.id]);
    this.#dispatch.publishEvents(mailbox.namespace_id);
    this.#dispatch.checkDue();
  }

  #find(address: string) {
    return findAddress(address, { directory: this.#directory, mailDomain: this.#mailDomain });
  }
}

/** A mailbox that was made stays, though mails of the day are used up; saving its rules asks again. */
function unlessLimited(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== 'rate_limited') throw error;
}

const fullNamespace = (max: number): string =>
  `This namespace has ${max.toLocaleString('en-US')} ${max === 1 ? 'mailbox' : 'mailboxes'}, the maximum. Delete one first.`;
