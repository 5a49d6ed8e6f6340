import type { Draft } from '../entities/draft.ts';
import type { Key } from '../entities/key.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import { addressOf } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import type { Store } from '../ports/store.ts';
import { fullAddress } from '../values/address.ts';
import type { Clock } from '../values/clock.ts';
import { AppError } from '../values/error.ts';
import type { Drafts } from './drafts.ts';
import type { StorageMeter } from './storage-meter.ts';
import type { Upload } from './uploads.ts';
import { MessageFiles } from './uploads.ts';

/** What was written of an answer. */
interface Written {
  readonly body: string;
  /** The ids of the draft's files that stay. */
  readonly files: readonly string[];
}

interface Parts {
  readonly store: Store;
  readonly drafts: Drafts;
  readonly storage: StorageMeter;
  readonly clock: Clock;
  readonly mailDomain: string;
}

/** One draft for each message. */
const idFor = ({ id }: Message): string => `drf_${id.slice(4)}`;

/**
 * Answers that people write by hand, kept until they are sent: drafts without `to`, one for each message, which the owners
 * of the mailbox share.
 */
export class AnswerDrafts {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** What is kept for this message; undefined for nothing. */
  async find(key: Key, message: Message): Promise<Draft | undefined> {
    try {
      return await this.#parts.drafts.find(key, idFor(message));
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
    { body, files }: Written,
    upload?: Upload,
  ): Promise<Draft | undefined> {
    const { drafts, mailDomain } = this.#parts;
    const before = await this.find(key, message);
    const added = upload?.files.length ?? 0;
    const kept = before?.attachments.filter(({ id }) => files.includes(id)) ?? [];
    if (body.trim() === '' && added === 0 && kept.length === 0) {
      if (before !== undefined) await this.remove(key, message);
      return undefined;
    }
    const from = fullAddress(addressOf(mailbox), mailDomain);
    const content = { from, in_reply_to: message.id, body: body.trim() === '' ? null : body };
    if (before === undefined) {
      try {
        return (await drafts.create(key, content, undefined, upload, idFor(message))).draft;
      } catch (error) {
        // Another window may have made it first.
        if ((await this.find(key, message)) === undefined) throw error;
      }
    }
    const attachments = kept.map(({ id }) => ({ id }));
    return drafts.change(key, idFor(message), { ...content, ...(before && { attachments }) }, undefined, upload);
  }

  /** Copies of the draft's files, for the answer; the caller disposes of them. Undefined when they were removed. */
  async filesOf(draft: Draft): Promise<MessageFiles | undefined> {
    return MessageFiles.copyOf(draft, this.#parts);
  }

  async remove(key: Key, message: Message): Promise<void> {
    await this.#parts.drafts.remove(key, idFor(message)).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
    });
  }
}
