import type { RecipientLists, ThreadMessage } from '@mailroom/behavior/message';
import { splitTag } from '@mailroom/behavior/values/address';
import { Type } from 'typebox';

/** What its author gives a message for mail alone. */
export interface MailFields {
  /** An HTML part of its own. */
  readonly html?: string;
  /** Whole addresses. */
  readonly reply_to?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** Pairs of its author's namespace. */
export type Metadata = Readonly<Record<string, string>>;

/** Addresses of a message at most, here and outside. */
export const MAX_RECIPIENTS = 50;

/** All addresses that a message names, in their order. */
export const addressesIn = ({ to, cc, bcc = [] }: RecipientLists): readonly string[] => [...to, ...cc, ...bcc];

/** The stored address without its tag, by which a mailbox is recognized. */
export const untagged = (address: string): string => splitTag(address).address;

/** Whether a stored address is of From, To, Cc or Bcc of a message, or the whole address of its author by mail. */
export function isAmong(
  message: Pick<ThreadMessage, 'from' | 'to' | 'sender_kind' | 'sender_id' | 'recipients'>,
  address: string,
): boolean {
  const { from, to, sender_kind: kind, sender_id: id, recipients } = message;
  const named = [from, to, kind === 'email' ? id : null, ...(recipients === undefined ? [] : addressesIn(recipients))];
  return named.some((one) => one !== null && untagged(one) === address);
}

const Addresses = Type.Array(Type.String());

export const RecipientsView = Type.Object(
  {
    to: Addresses,
    cc: Addresses,
    bcc: Type.Optional(Type.Array(Type.String(), { description: 'On the message of its sender alone.' })),
  },
  { $id: 'Recipients', description: 'Whom a message with several recipients is for.' },
);

export const CopyView = Type.Object(
  {
    id: Type.String({ description: 'The message in the mailbox of this recipient.' }),
    to: Type.String(),
    status: Type.String({ description: 'As of a message.' }),
  },
  { $id: 'Copy', description: 'What a recipient here has of a message with several recipients.' },
);
