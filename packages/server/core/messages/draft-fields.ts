import type { Channel } from '@mailroom/behavior/message';
import { type Clock, DAY, type Millis, parseRfc3339 } from '@mailroom/behavior/values/clock';
import { AppError, invalid } from '@mailroom/behavior/values/error';
import type { Directory } from '../access/directory.ts';
import type { DraftContent } from '../entities/draft.ts';
import type { Key } from '../entities/key.ts';
import type { Store } from '../ports/store.ts';
import type { ManySubmission } from '../runs/submission.ts';
import { type ReadFields, readManyFields } from '../submission/many-fields.ts';
import { causeOf, checkSize, dataText, senderOf } from '../submission/send-fields.ts';
import type { ToMany } from './to-many.ts';

const MAX_AHEAD_MS = 366 * DAY;
/** Longer than a draft is tried, so that it is sent once. */
const IDEMPOTENCY_MS = 7 * DAY;

interface DraftFieldsParts {
  readonly store: Store;
  readonly directory: Directory;
  readonly toMany: Pick<ToMany, 'checkTo'>;
  readonly clock: Clock;
}

interface DraftFieldsOptions {
  readonly mailDomain: string;
  readonly sizes: { readonly body: number; readonly data: number };
}

/** What a draft sends. */
export interface Sending {
  readonly submission: ManySubmission;
  readonly fields: ReadFields;
}

/** The fields of a draft: checks them, and makes a submission of them. */
export class DraftFields {
  readonly #parts: DraftFieldsParts;
  readonly #options: DraftFieldsOptions;

  constructor(parts: DraftFieldsParts, options: DraftFieldsOptions) {
    this.#parts = parts;
    this.#options = options;
  }

  /** Checks every field that is there; a draft with a time must be complete, and its mailbox accept it now. */
  async check(key: Key, content: DraftContent, send_at: Millis | null) {
    const { body, data } = this.#options.sizes;
    if (content.body !== undefined) checkSize(content.body, '/body', body);
    dataText(content.data, data);
    const { from_mailbox_id: mailbox_id, sender } = await senderOf(key, content.from, this.#senders);
    await readManyFields(content, key, sender.from, this.#senders);
    await causeOf(key, content.caused_by, this.#senders);
    if (send_at !== null) {
      const { submission, fields } = await this.submission('', content, key);
      await this.#parts.toMany.checkTo(submission, fields);
    }
    return { content, mailbox_id, send_at };
  }

  get #senders() {
    return { store: this.#parts.store, directory: this.#parts.directory, mailDomain: this.#options.mailDomain };
  }

  /** AppError `validation_error` that names what is missing. */
  async submission(id: string, content: DraftContent, key: Key, channel: Channel = 'api'): Promise<Sending> {
    const { to, body, reply_all: all } = content;
    const hasRecipient = to !== undefined || all === true;
    if (!hasRecipient || body === undefined) {
      const missing = [!hasRecipient && '/to', body === undefined && '/body'].filter((one) => one !== false);
      const errors = missing.map((pointer) => ({ pointer, message: 'This is needed to send the draft.' }));
      throw new AppError('validation_error', `${missing.join(' and ')} must be set before the draft is sent.`, {
        errors,
      });
    }
    const { sender, from_mailbox_id, from_domain = null } = await senderOf(key, content.from, this.#senders);
    const fields = await readManyFields(content, key, sender.from, this.#senders);
    const submission: ManySubmission = {
      body,
      subject: content.subject ?? null,
      data: dataText(content.data, this.#options.sizes.data),
      sender,
      from_mailbox_id,
      from_domain,
      channel,
      thread_id: content.thread_id ?? null,
      in_reply_to: content.in_reply_to ?? null,
      retry_of: null,
      ...(await causeOf(key, content.caused_by, this.#senders)),
      try_out: false,
      payer: null,
      idempotency: {
        scope: `draft:${id}`,
        key: 'send',
        hash: id,
        expires_at: this.#parts.clock() + IDEMPOTENCY_MS,
      },
    };
    return { submission, fields };
  }
}

/** The time of a draft, null for none. AppError `validation_error` outside the next year. */
export function sendTime(text: string | null | undefined, now: Millis): Millis | null {
  if (text === undefined || text === null) return null;
  const time = parseRfc3339(text);
  if (time === undefined || time <= now || time > now + MAX_AHEAD_MS)
    throw invalid('/send_at', 'This must be a time in the future and within a year (RFC 3339).');
  return time;
}
