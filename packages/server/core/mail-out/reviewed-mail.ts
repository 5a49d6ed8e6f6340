import { createHash } from 'node:crypto';
import { isOutgoing, type RecipientLists } from '@mailroom/behavior/message';
import { rfc3339 } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import type { Attachment } from '../entities/attachment.ts';
import type { Delivery } from '../entities/delivery.ts';
import { hashOf, type LeavingMessage, leavingHash, mayLeave, type Review } from '../entities/review.ts';
import { bytesOf } from '../files/attached-files.ts';
import type { DeliveryResult } from '../ports/delivery.ts';
import type { Store } from '../ports/store.ts';
import { domainToSendFrom, leavingAnswer, leavingMessage } from '../review/leaving.ts';
import { isProven, type Verify } from '../review/proof.ts';
import type { Leaving } from './leaving-text.ts';

/** The header field by which a reviewed mail proves that it was: `time=…; hash=…; signature=…`. */
export const REVIEW_HEADER = 'X-Mailroom-Review';

export interface ReviewedMailParts {
  readonly store: Pick<Store, 'reviews' | 'domains' | 'attachments' | 'blobs'>;
  readonly mailDomain: string;
  /** A compact JWS over the text, for `verify-receipt`. */
  readonly sign: (payload: string) => Promise<string>;
  readonly verify: Verify;
}

type Refused = Extract<DeliveryResult, { readonly kind: 'failed' }>;

/** Checks each mail that was reviewed once more as it leaves. */
export class ReviewedMail {
  readonly #parts: ReviewedMailParts;

  constructor(parts: ReviewedMailParts) {
    this.#parts = parts;
  }

  /**
   * The value of its header field, null where it has none: it was not reviewed, or left by a time-out. A failure for good
   * where it is not what was decided on. `names` are those that its header names, as they are stored.
   */
  async check(
    delivery: Delivery,
    leaving: Leaving,
    names: RecipientLists | undefined,
  ): Promise<string | null | Refused> {
    const review = await this.#parts.store.reviews.ofLeaving(leaving.answer.id);
    if (review === undefined) return null;
    if (!mayLeave(review)) return refused(`The review ${review.id} has not let it leave.`);
    const message = await this.#leaving(leaving, names, review);
    const isDecided = hashOf(message) === leavingHash(review) && (await isProven(review, this.#parts.verify));
    if (!isDecided || !(await this.#hasItsFiles(leaving.files)))
      return refused(`It is not what was approved as ${review.id}: something of it was changed since.`);
    const { to, cc, bcc } = message;
    if (![...(to ?? []), ...(cc ?? []), ...(bcc ?? [])].includes(delivery.target))
      return refused(`It was approved as ${review.id} for others than the recipient of this delivery.`);
    return review.status === 'approved' && review.decided_at !== null ? this.#proof(message, review.decided_at) : null;
  }

  /** What leaves, made of what is stored now; a Bcc, which no reply names, as it was reviewed. */
  async #leaving(
    { message, mailbox, answer, files, domain: wanted }: Leaving,
    names: RecipientLists | undefined,
    { carries }: Review,
  ): Promise<LeavingMessage> {
    const { store, mailDomain } = this.#parts;
    const domain = await domainToSendFrom(store, mailbox, wanted);
    const { body, data } = answer;
    if (isOutgoing(message)) {
      const recipients = message.recipients ?? { to: [], cc: [] };
      return leavingMessage(
        { ...message, body, data, attachments: files, recipients },
        { mailbox, domain, mailDomain },
      );
    }
    const { recipients: all } = JSON.parse(carries) as { readonly recipients?: RecipientLists };
    const recipients = all?.bcc === undefined || names === undefined ? names : { ...names, bcc: all.bcc };
    const answered = message.kind === 'reply' ? { ...message, id: message.in_reply_to ?? '' } : message;
    return leavingAnswer(answered, { body, data }, { mailbox, domain, mailDomain, files, recipients });
  }

  /** Whether the bytes of its files are those that their hashes say. */
  async #hasItsFiles(files: readonly Attachment[]): Promise<boolean> {
    const { store } = this.#parts;
    for (const { id, sha256 } of files) {
      const file = await store.attachments.byId(id);
      if (file === undefined) return false;
      const hash = createHash('sha256');
      try {
        for await (const bytes of bytesOf(file, store.blobs, 0, file.size - 1)) hash.update(bytes);
      } catch (error) {
        if (error instanceof AppError && error.code === 'not_found') return false;
        throw error;
      }
      if (hash.digest('hex') !== sha256) return false;
    }
    return true;
  }

  /** No recipient learns from it of a Bcc, nor who decided. */
  async #proof(message: LeavingMessage, decidedAt: number): Promise<string> {
    const [hash, time] = [hashOf({ ...message, bcc: null }), rfc3339(decidedAt)];
    const signature = await this.#parts.sign(JSON.stringify({ kind: 'reviewed', hash, decided_at: time }));
    return `time=${time}; hash=${hash}; signature=${signature}`;
  }
}

const refused = (response: string): Refused => ({
  kind: 'failed',
  permanent: true,
  reason: 'EREVIEW',
  response,
});
