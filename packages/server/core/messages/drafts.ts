import type { Channel } from '@mailroom/behavior/message';
import { type Clock, DAY, HOUR, MINUTE } from '@mailroom/behavior/values/clock';
import { AppError, idempotencyMismatch, invalid } from '@mailroom/behavior/values/error';
import { isId, newId } from '@mailroom/behavior/values/ids';
import type { Directory } from '../access/directory.ts';
import { type Draft, type DraftChange, type NewDraft, sizeOfDraft } from '../entities/draft.ts';
import { boundTo, hasScope, isLive, type Key } from '../entities/key.ts';
import { filesOf, keeping } from '../files/draft-files.ts';
import { MessageFiles, type Upload } from '../files/uploads.ts';
import type { StorageMeter } from '../limits/storage-meter.ts';
import type { Claim } from '../ports/claim.ts';
import type { DraftClaim, DraftQuery } from '../ports/drafts.ts';
import type { Idempotency } from '../ports/idempotency.ts';
import type { Store } from '../ports/store.ts';
import type { Dispatch } from '../runs/dispatch.ts';
import type { Sent, Wait } from '../runs/submission.ts';
import type { Limiter } from '../values/limits.ts';
import type { Page } from '../values/page.ts';
import { DraftFields, type Sending, sendTime } from './draft-fields.ts';
import {
  beingSent,
  busy,
  checkTag,
  contentOf,
  errorOf,
  fullOfDrafts,
  limited,
  mayRead,
  noDraft,
  shownTo,
} from './draft-rules.ts';
import type { Submitter } from './submit.ts';
import type { ToMany } from './to-many.ts';

const RETRY_MS = MINUTE;
/** How long after its time a draft is tried again. */
const TRY_MS = DAY;
/** How long a sent draft says which message it became. */
const FORGET_MS = DAY;
/** Time for a draft that is sent by hand to be recorded as sent, beyond the wait for its reply. */
const RECORD_MS = MINUTE;
/** Errors that pass. */
const TRANSIENT: ReadonlySet<string> = new Set(['mailbox_full', 'rate_limited', 'unavailable', 'internal']);
/** Changes of one draft that a change may lose to. */
const MAX_RACES = 100;

export interface DraftParts {
  readonly store: Store;
  readonly directory: Directory;
  readonly toMany: ToMany;
  readonly post: Submitter;
  readonly dispatch: Dispatch;
  readonly storage: StorageMeter;
  readonly clock: Clock;
  /** Limits on the sends of a key, and of a namespace; without them they are not limited. */
  readonly limiters?: { readonly sends: Limiter; readonly namespaceSends: Limiter } | undefined;
}

export interface DraftOptions {
  readonly mailDomain: string;
  /** Drafts of a namespace that are not sent. */
  readonly max_drafts: number;
  readonly sizes: { readonly body: number; readonly data: number };
}

/** Messages that are written now and sent later: by their author, or at their time. */
export class Drafts {
  readonly #parts: DraftParts;
  readonly #options: DraftOptions;
  readonly #fields: DraftFields;

  constructor(parts: DraftParts, options: DraftOptions) {
    this.#parts = parts;
    this.#options = options;
    this.#fields = new DraftFields(parts, options);
    parts.dispatch.register('draft', (claim) => this.#run(claim));
  }

  /**
   * Stores a draft with the files of the upload, under the id if one is given. AppError `validation_error`, `body_too_large`, `storage_full`,
   * `invalid_key`, `sender_not_allowed`, `idempotency_mismatch`, `not_found` (a repeated request whose draft was deleted),
   * and with `send_at` those of a send.
   */
  async create(
    key: Key,
    wanted: NewDraft,
    idempotency?: Idempotency,
    upload?: Upload,
    id?: string,
  ): Promise<{ draft: Draft; replayed: boolean }> {
    const { store, storage, clock, dispatch } = this.#parts;
    const now = clock();
    const before = idempotency && (await store.idempotency(idempotency.scope, idempotency.key, now));
    if (before !== undefined) return this.#replay(key, before, idempotency);
    const draft: Draft = {
      id: id ?? newId('drf', now),
      namespace_id: key.namespace_id,
      key_id: key.id,
      ...(await this.#fields.check(key, contentOf({}, wanted), sendTime(wanted.send_at, now))),
      attachments: upload?.files ?? [],
      message_id: null,
      error: null,
      version: 1,
      created_at: now,
      updated_at: now,
    };
    const creation = await storage.writing(
      { kind: 'namespace', id: key.namespace_id },
      sizeOfDraft(draft),
      () => keeping(upload, store.drafts.create(draft, this.#options.max_drafts, idempotency, upload?.id)),
      ({ kind }) => kind === 'created',
    );
    switch (creation.kind) {
      case 'created':
        if (draft.send_at !== null) dispatch.checkDue();
        return { draft, replayed: false };
      case 'replayed':
        return this.#replay(key, creation, idempotency);
      case 'full':
        throw invalid('', fullOfDrafts(this.#options.max_drafts));
      case 'refused':
        throw new AppError('invalid_key', 'This key was revoked or has expired.');
    }
  }

  /** The draft, if the key may read it. AppError `not_found`. */
  async find(key: Key, id: string): Promise<Draft> {
    const draft = isId('drf', id) ? await this.#parts.store.drafts.byId(id) : undefined;
    if (draft === undefined || !mayRead(key, draft)) throw noDraft(id);
    return draft;
  }

  /** The drafts that the key may read and that are not sent, newest first, with these pairs of `metadata`. */
  page(
    key: Key,
    beforeId: string | null,
    size: number,
    metadata: Readonly<Record<string, string>>,
  ): Promise<Page<Draft>> {
    const query: DraftQuery = {
      namespace_id: key.namespace_id,
      mailbox_ids: boundTo(key) ?? undefined,
      metadata,
      ...(!hasScope(key, 'messages:read') && { key_id: key.id }),
    };
    return this.#parts.store.drafts.page(query, beforeId, size);
  }

  /**
   * Changes the named fields of a draft, which then belongs to this key. Of two changes at once the second is applied to
   * the result of the first. The files of the upload are added. `tags`: only these versions. AppError as of `create`, and
   * `draft_sent`, `precondition_failed`.
   */
  async change(key: Key, id: string, wanted: DraftChange, tags?: readonly string[], upload?: Upload): Promise<Draft> {
    const { store, storage, clock, dispatch } = this.#parts;
    for (let race = 0; race < MAX_RACES; race++) {
      const draft = await this.#unsent(key, id, tags);
      const now = clock();
      const send_at = wanted.send_at === undefined ? draft.send_at : sendTime(wanted.send_at, now);
      const files = filesOf(draft, wanted.attachments, upload);
      const fields = { key_id: key.id, ...(await this.#fields.check(key, contentOf(draft.content, wanted), send_at)) };
      const changed = await storage.writing(
        { kind: 'namespace', id: draft.namespace_id },
        sizeOfDraft(fields) - sizeOfDraft(draft),
        () => keeping(upload, store.drafts.change(id, draft.version, fields, now, files)),
        (written) => written !== undefined,
      );
      if (changed !== undefined) {
        if (send_at !== null) dispatch.checkDue();
        if (changed.attachments.length < draft.attachments.length + (upload?.files.length ?? 0)) await this.#sweep();
        return changed;
      }
      if ((await this.#unsent(key, id, tags)).version === draft.version) throw beingSent();
    }
    throw busy();
  }

  /** Gives back the storage of removed files now; when this fails, it is given back later. */
  async #sweep(): Promise<void> {
    await this.#parts.store.blobs.sweep(0).catch(() => {});
  }

  /** Deletes a draft, or what is left of a sent one. AppError `not_found`, `draft_sent`, `precondition_failed`. */
  async remove(key: Key, id: string, tags?: readonly string[]): Promise<void> {
    for (let race = 0; race < MAX_RACES; race++) {
      const draft = await this.find(key, id);
      checkTag(draft, tags);
      if (await this.#parts.store.drafts.remove(id, draft.version)) {
        if (draft.attachments.length > 0) await this.#sweep();
        return;
      }
      if ((await this.find(key, id)).version === draft.version) throw beingSent();
    }
    throw busy();
  }

  /**
   * Sends a draft now, from this key; a draft that was sent before answers with its message. `wait` is used when the
   * draft has `sync`. The errors are those of a send; the draft keeps them.
   */
  async send(
    key: Key,
    id: string,
    options: {
      readonly wait: Wait;
      readonly tags?: readonly string[] | undefined;
      readonly idempotency?: Idempotency | undefined;
      /** The transport that sends it; the API by default. */
      readonly channel?: Channel;
    },
  ): Promise<Sent & { readonly sync: boolean }> {
    const { store, clock } = this.#parts;
    const { idempotency } = options;
    const earlier = idempotency && (await store.idempotency(idempotency.scope, idempotency.key, clock()));
    if (earlier !== undefined && earlier.hash !== idempotency?.hash) throw idempotencyMismatch();
    const sent = await this.#sendNow(key, id, options);
    if (earlier === undefined && idempotency !== undefined) await store.remember(idempotency, id, clock());
    return { ...sent, message: await shownTo(key, sent.message, this.#parts.directory) };
  }

  async #sendNow(
    key: Key,
    id: string,
    { wait, tags, channel }: Parameters<Drafts['send']>[2],
  ): Promise<Sent & { readonly sync: boolean }> {
    const { store, clock } = this.#parts;
    for (let race = 0; race < MAX_RACES; race++) {
      const draft = await this.find(key, id);
      if (draft.message_id !== null) return { ...(await this.#became(draft.message_id)), sync: false };
      checkTag(draft, tags);
      const sending = await this.#fields.submission(draft.id, draft.content, key, channel);
      const sync = draft.content.sync === true;
      const now = clock();
      const claim = await store.drafts.claim(id, draft.version, now, now + RECORD_MS + (sync ? wait.ms : 0));
      if (claim === undefined) {
        const other = await this.find(key, id);
        if (other.version !== draft.version) continue;
        // It is being sent: the same submission attaches to that one.
        const sent = await this.#post(draft, sending, sync ? wait : undefined);
        if (sent === undefined) continue;
        return { ...sent, sync };
      }
      return { ...(await this.#sendClaimed(draft, claim, sending, sync ? wait : undefined)), sync };
    }
    throw busy();
  }

  async #sendClaimed(draft: Draft, claim: DraftClaim, sending: Sending, wait: Wait | undefined): Promise<Sent> {
    const { store, clock } = this.#parts;
    try {
      const sent = await this.#post(draft, sending, wait);
      if (sent === undefined) throw busy();
      await store.drafts.sent(claim, sent.message.id, clock(), clock() + FORGET_MS);
      return sent;
    } catch (error) {
      const now = clock();
      const again = draft.send_at !== null && draft.send_at > now ? draft.send_at : null;
      if (error instanceof AppError) await store.drafts.failed(claim, errorOf(error), now, again);
      throw error;
    }
  }

  /** Sends it with copies of the files; undefined when these were removed meanwhile. */
  async #post(draft: Draft, { submission, fields }: Sending, wait?: Wait): Promise<Sent | undefined> {
    await using upload = await MessageFiles.copyOf(draft, this.#parts);
    return upload && (await this.#parts.toMany.sendTo({ ...submission, upload }, fields, wait));
  }

  /** The message that a draft became. */
  async #became(id: string): Promise<Sent> {
    const message = await this.#parts.store.messages.byId(id);
    if (message === undefined)
      throw new AppError('message_not_found', 'This draft was sent, and its message was deleted since.');
    return { message, replayed: true };
  }

  /** A draft is due, or what is left of it is to be removed. */
  async #run(claim: Claim): Promise<void> {
    const { store, clock } = this.#parts;
    const draft = await store.drafts.byId(claim.id);
    if (draft === undefined) {
      // Its namespace or mailbox was deleted, and the deletion removes it.
      await store.jobs.later(claim, clock() + HOUR);
      return;
    }
    if (draft.message_id !== null) {
      await store.drafts.forget(claim);
      return;
    }
    try {
      const { message } = await this.#sendDue(draft);
      await store.drafts.sent(claim, message.id, clock(), clock() + FORGET_MS);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const now = clock();
      const last = (draft.send_at ?? now) + TRY_MS;
      const again = TRANSIENT.has(error.code) && now < last ? now + RETRY_MS : null;
      await store.drafts.failed(claim, errorOf(error), now, again);
    }
  }

  async #sendDue(draft: Draft): Promise<Sent> {
    const { store, clock } = this.#parts;
    const key = await store.keys.byId(draft.key_id);
    if (key === undefined || !isLive(key, clock())) {
      throw new AppError(
        'invalid_key',
        'The key that wrote this draft was revoked or has expired. Change or send it with another key.',
      );
    }
    if (!hasScope(key, 'mail:send'))
      throw new AppError(
        'insufficient_scope',
        'Who wrote this draft may not send any more. Change or send it with another key.',
      );
    const sending = await this.#fields.submission(draft.id, draft.content, key);
    await this.#count(key);
    const sent = await this.#post(draft, sending);
    if (sent === undefined) throw busy();
    return sent;
  }

  /** Counts a send at its time. AppError `rate_limited`. */
  async #count(key: Key): Promise<void> {
    const { limiters } = this.#parts;
    if (limiters === undefined) return;
    const { sends, namespaceSends } = limiters;
    if (!(await sends.take(key.id)).allowed) throw limited();
    if ((await namespaceSends.take(key.namespace_id)).allowed) return;
    sends.refund(key.id);
    throw limited();
  }

  async #unsent(key: Key, id: string, tags: readonly string[] | undefined): Promise<Draft> {
    const draft = await this.find(key, id);
    checkTag(draft, tags);
    if (draft.message_id === null) return draft;
    throw new AppError('draft_sent', `This draft was sent: it became ${draft.message_id}.`);
  }

  async #replay(
    key: Key,
    earlier: { readonly id: string; readonly hash: string },
    idempotency: Idempotency | undefined,
  ): Promise<{ draft: Draft; replayed: boolean }> {
    if (earlier.hash !== idempotency?.hash) throw idempotencyMismatch();
    const draft = await this.#parts.store.drafts.byId(earlier.id);
    if (draft === undefined || !mayRead(key, draft))
      throw new AppError(
        'not_found',
        'The draft created with this Idempotency-Key was sent, deleted or changed by another key since.',
      );
    return { draft, replayed: true };
  }
}
