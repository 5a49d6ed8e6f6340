import type { ReplyFile } from '@mailroom/behavior';
import type { Clock } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { newId, replyIdOf } from '@mailroom/behavior/values/ids';
import type { Attachment } from '../entities/attachment.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import type { StorageMeter } from '../limits/storage-meter.ts';
import type { Claim } from '../ports/claim.ts';
import type { Settlement } from '../ports/messages.ts';
import type { Store } from '../ports/store.ts';
import type { Uploads } from './uploads.ts';

interface Parts {
  readonly store: Pick<Store, 'attachments'>;
  readonly uploads: Uploads;
  readonly storage: StorageMeter;
  readonly clock: Clock;
}

/** A settlement and its message, which shows the files of the reply. */
interface Answered {
  readonly message: Message;
  readonly settlement: Settlement;
}

/** Stores the files of a reply, before the reply is written. */
export class ReplyFiles {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** When the files are refused, as for want of storage, the message fails and nothing of its reply is written. */
  async stored(
    claim: Pick<Claim, 'id' | 'fence'>,
    message: Message,
    mailbox: Mailbox,
    settlement: Settlement,
    files: readonly ReplyFile[] | undefined,
  ): Promise<Answered> {
    if (files === undefined) {
      if (claim.fence > 1) await this.#clear(claim, message);
      return { message, settlement };
    }
    try {
      const reply_attachments = await this.#store(claim, message, mailbox, files);
      return { message: { ...message, reply_attachments }, settlement };
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
      const error_code = error.code === 'storage_full' ? error.code : 'behavior_failed';
      const failed = { status: 'failed', error_code, error_message: error.message, reply: null } as const;
      return { message, settlement: { ...settlement, ...failed } };
    }
  }

  async #store(
    claim: Pick<Claim, 'id' | 'fence'>,
    message: Message,
    mailbox: Mailbox,
    files: readonly ReplyFile[],
  ): Promise<Attachment[]> {
    const { store, uploads, storage, clock } = this.#parts;
    const payer = storage.payerOf(message);
    await using upload = uploads.begin(payer?.kind === 'namespace' ? payer.id : mailbox.namespace_id);
    for (const [at, { id, filename, content_type, content }] of files.entries()) {
      await upload.add({ id, filename, content_type, bytes: [content] }, `/reply/attachments/${at}`);
    }
    const owner = upload.owner();
    if (await store.attachments.assignToReply(owner, replyIdOf(message.id), claim, clock())) upload.keep();
    return [...upload.files];
  }

  /** Removes the files of an earlier run that ended before its reply was written. */
  async #clear(claim: Pick<Claim, 'id' | 'fence'>, message: Message): Promise<void> {
    const { store, clock } = this.#parts;
    const reply = replyIdOf(message.id);
    if ((await store.attachments.of(reply)).length === 0) return;
    await store.attachments.assignToReply(newId('upl', clock()), reply, claim, clock());
  }
}
