import type { Millis } from '@mailroom/behavior/values/clock';
import type { Attachment } from '../entities/attachment.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import type { OutgoingEmail } from '../ports/email-transport.ts';

/** The name that signs an answer by hand. */
export const signatureOf = ({ answered_by }: Pick<Message, 'answered_by'>): string | undefined =>
  answered_by?.signed === true ? (answered_by.actor?.name ?? undefined) : undefined;

/** A text that leaves as the answer to a mail. */
export interface Answer {
  /** Its id as a message; of a failure, that of the message. */
  readonly id: string;
  readonly body: string;
  readonly data: string | null;
  readonly at: Millis;
  /** A person wrote it. */
  readonly by_hand?: boolean | undefined;
  /** The name of the person, where the mailbox signs its answers. */
  readonly signed_by?: string | undefined;
}

/** A text on its way, with what of its mail is not in it. */
export interface Leaving {
  readonly message: Message;
  readonly mailbox: Mailbox;
  readonly answer: Answer;
  readonly references: readonly string[];
  readonly files: readonly Attachment[];
  readonly automatic: OutgoingEmail['automatic'];
  /** The domain of an owner that it leaves from; null for the mail domain. */
  readonly domain: string | null;
  /** It was written just now, and waited for no review. */
  readonly unreviewed?: true;
}
