import { addressOf } from '@mailroom/behavior/mailbox';
import { fullAddress } from '@mailroom/behavior/values/address';
import type { Clock } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { sha256 } from '@mailroom/behavior/values/hash';
import type { Draft } from '../entities/draft.ts';
import type { Key } from '../entities/key.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import { MessageFiles, type Upload } from '../files/uploads.ts';
import type { StorageMeter } from '../limits/storage-meter.ts';
import type { Store } from '../ports/store.ts';
import type { Drafts } from './drafts.ts';

/** What was written of an answer. */
interface Written {
  readonly body: string;
  /** The ids of the draft's files that stay. */
  readonly files: readonly string[];
  /** How many replies to the message its author had seen when it was begun; null where it waited for its first. */
  readonly seen: number | null;
}

interface Parts {
  readonly store: Store;
  readonly drafts: Drafts;
  readonly storage: StorageMeter;
  readonly clock: Clock;
  readonly mailDomain: string;
}

/** Characters of a draft's id that its message gives it, after those of its time. */
const OF_MESSAGE = 5;
const OF_WRITER = 6;
/** Drafts of one message that are looked at. */
const MAX_WRITERS = 20;

/** What the ids of the drafts for a message begin with: its time, so that they sort as it does, and its hash. */
const prefixOf = ({ id }: Pick<Message, 'id'>): string => `drf_${id.slice(4, 13)}${sha256(id).slice(0, OF_MESSAGE)}`;
/** How many replies the author of the draft had seen when it was begun, as `data` of the draft says. */
export function repliesSeen({ content }: Draft): number | null {
  const { replies_seen: seen } = (content.data ?? {}) as { readonly replies_seen?: unknown };
  return typeof seen === 'number' ? seen : null;
}

/** One draft for each message and key. */
const idFor = (message: Pick<Message, 'id'>, { id }: Pick<Key, 'id'>): string =>
  `${prefixOf(message)}${sha256(id).slice(0, OF_WRITER)}`;

/**
 * Answers that people write by hand, kept until they are sent: drafts without `to`, one for each message and writer, so
 * that two who answer the same message do not replace each other's text. The owners of the mailbox may read each.
 */
export class AnswerDrafts {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** What this key's person has begun for this message; undefined for nothing. */
  async find(key: Key, message: Message): Promise<Draft | undefined> {
    try {
      return await this.#parts.drafts.find(key, idFor(message, key));
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') return undefined;
      throw error;
    }
  }

  /** Replaces what is kept, with the files of the upload added; nothing written is not kept. AppError as of `Drafts.create`. */
  async keep(
    key: Key,
    message: Message,
    mailbox: Mailbox,
    { body, files, seen }: Written,
    upload?: Upload,
  ): Promise<Draft | undefined> {
    const { drafts, mailDomain } = this.#parts;
    const draft = await this.find(key, message);
    const added = upload?.files.length ?? 0;
    const kept = draft?.attachments.filter(({ id }) => files.includes(id)) ?? [];
    if (body.trim() === '' && added === 0 && kept.length === 0) {
      if (draft !== undefined) await this.remove(key, message);
      return undefined;
    }
    const from = fullAddress(addressOf(mailbox), mailDomain);
    const content = { from, in_reply_to: message.id, body: body.trim() === '' ? null : body };
    if (draft === undefined) {
      try {
        const data = { replies_seen: seen };
        return (await drafts.create(key, { ...content, data }, undefined, upload, idFor(message, key))).draft;
      } catch (error) {
        // Another window may have made it first.
        if ((await this.find(key, message)) === undefined) throw error;
      }
    }
    const attachments = kept.map(({ id }) => ({ id }));
    return drafts.change(key, idFor(message, key), { ...content, ...(draft && { attachments }) }, undefined, upload);
  }

  /** Copies of the draft's files, for the answer; the caller disposes of them. Undefined when they were removed. */
  async filesOf(draft: Draft): Promise<MessageFiles | undefined> {
    return MessageFiles.copyOf(draft, this.#parts);
  }

  /** What others have begun for this message, as far as the key may read it; newest first. */
  async others(key: Key, message: Message): Promise<readonly Draft[]> {
    const own = idFor(message, key);
    return (await this.#all(key, message)).filter(({ id }) => id !== own);
  }

  async remove(key: Key, message: Message): Promise<void> {
    await this.#remove(key, idFor(message, key));
  }

  /** Removes what anyone has begun for this message. */
  async removeAll(key: Key, message: Message): Promise<void> {
    for (const { id } of await this.#all(key, message)) await this.#remove(key, id);
  }

  async #remove(key: Key, id: string): Promise<void> {
    await this.#parts.drafts.remove(key, id).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
    });
  }

  /** Drafts are listed in the order of their ids, the greatest first. */
  async #all(key: Key, message: Message): Promise<readonly Draft[]> {
    const prefix = prefixOf(message);
    const { items } = await this.#parts.drafts.page(key, `${prefix}~`, MAX_WRITERS, {});
    const of = items.filter(({ id, content }) => id.startsWith(prefix) && content.in_reply_to === message.id);
    return of.sort((a, b) => b.updated_at - a.updated_at);
  }
}
