import type { RecipientLists } from '@mailroom/behavior/message';
import { isOutside, taggedAddress } from '@mailroom/behavior/values/address';
import type { Directory } from '../access/directory.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import { addressesIn } from '../entities/recipients.ts';
import type { Review } from '../entities/review.ts';
import type { Counted } from '../ports/recipient-days.ts';
import type { Store } from '../ports/store.ts';
import type { Gate } from '../review/gate.ts';
import { domainToSendFrom, leavingMessage } from '../review/leaving.ts';
import type { Sent, Submission } from '../runs/submission.ts';
import type { OutsideMail, ThreadFirst, Written } from './outside-mail.ts';

/** What carries out a message of its own. */
interface CarriedMessage {
  /** The domain of an owner that it leaves from; null for the mail domain. */
  readonly domain: string | null;
}

interface Parts {
  readonly store: Pick<Store, 'domains'>;
  readonly gate: Gate;
  readonly outside: OutsideMail;
  readonly directory: Pick<Directory, 'mailboxById'>;
  readonly mailDomain: string;
}

/** All whom a submission is for. */
const listsOf = ({ recipients, to }: Submission): RecipientLists => recipients ?? { to: [taggedAddress(to)], cc: [] };

/** Sees what a mailbox writes itself before it is written as a message that leaves. */
export class HeldMessages {
  readonly #parts: Parts;
  /** What was counted for submissions that are not written so far. */
  readonly #counted = new WeakMap<Submission, { readonly mailbox: Mailbox; readonly counted: Counted }>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The mailbox whose policy says what becomes of it; undefined where there is none, and for a copy of what left. */
  async policied(submission: Submission): Promise<Mailbox | undefined> {
    const { from_mailbox_id: from, copy_of: copyOf, unanswered } = submission;
    if (from === null || copyOf !== undefined || unanswered !== undefined) return undefined;
    const found = this.#parts.directory.mailboxById(from);
    const mailbox = found instanceof Promise ? await found : found;
    return mailbox?.outgoing === undefined && submission.ruled !== true ? undefined : mailbox;
  }

  /** The review that holds a submission that was checked; undefined where it may leave. AppError as of `Gate`. */
  async reviewOf(
    submission: Submission,
    mailbox: Mailbox,
    first: ThreadFirst | undefined,
  ): Promise<Review | undefined> {
    const { store, gate, outside, mailDomain } = this.#parts;
    const recipients = listsOf(submission);
    await gate.allow(mailbox, recipients);
    const counted = await gate.count(mailbox, addressesIn(recipients).length);
    if (counted !== undefined) this.#counted.set(submission, { mailbox, counted });
    const { subject, body, data, in_reply_to, mail, upload, channel, sender, from_domain } = submission;
    const domain = from_domain ?? (await outside.domainOf(submission, first));
    const files = upload === undefined ? {} : { attachments: [...upload.files] };
    const message = leavingMessage(
      { subject, body, data, in_reply_to, recipients, ...(mail !== undefined && { mail }), ...files },
      { mailbox, domain: await domainToSendFrom(store, mailbox, domain), mailDomain },
    );
    const carried: CarriedMessage = { domain };
    return gate.hold(
      mailbox,
      recipients,
      // The message has its id once it is written.
      {
        message,
        message_id: '',
        kind: 'send',
        reply_id: null,
        carries: JSON.stringify(carried),
        files_of: upload?.id,
        counted,
      },
      {
        person: channel === 'web',
        key_id: sender.key_id,
        planned: submission.planned === true,
        ruled: submission.ruled,
      },
    );
  }

  /** Sends what may have been counted, and gives that back where nothing new is written. */
  async counting(submission: Submission, sending: Promise<Sent>): Promise<Sent> {
    let written = false;
    try {
      const sent = await sending;
      written = !sent.replayed;
      return sent;
    } finally {
      const known = this.#counted.get(submission);
      if (!written && known !== undefined) await this.#parts.gate.giveBack(known.mailbox, known.counted);
    }
  }

  /** Writes the message that waits. AppError as of `OutsideMail.write`. */
  write(submission: Submission, first: ThreadFirst | undefined, review: Review): Promise<Written> {
    const recipients = listsOf(submission);
    const targets = addressesIn(recipients).filter(isOutside);
    return this.#parts.outside.write({ ...submission, recipients }, { first, targets, review });
  }

  /** A message that waits, as it would leave now. */
  async leaving(message: Message, mailbox: Mailbox, review: Review): Promise<Review['message']> {
    const { store, mailDomain } = this.#parts;
    const carried = JSON.parse(review.carries) as CarriedMessage;
    const domain = await domainToSendFrom(store, mailbox, carried.domain);
    const recipients = message.recipients ?? { to: [], cc: [] };
    return leavingMessage({ ...message, recipients }, { mailbox, domain, mailDomain });
  }
}
