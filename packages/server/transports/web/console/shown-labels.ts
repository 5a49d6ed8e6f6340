import { fullAddress } from '@mailroom/behavior/values/address';
import { AppError } from '@mailroom/behavior/values/error';
import { replyIdOf } from '@mailroom/behavior/values/ids';
import type { MessageLabels } from '../../../core/access/message-labels.ts';
import type { Scope } from '../../../core/entities/key.ts';
import { labelsIn, UNREAD } from '../../../core/entities/label.ts';
import type { Mailbox } from '../../../core/entities/mailbox.ts';
import type { Message } from '../../../core/entities/message.ts';
import type { Store } from '../../../core/ports/store.ts';
import type { Signed } from './sign-in-form.ts';

interface Parts {
  readonly store: Pick<Store, 'messages'>;
  readonly labels: MessageLabels;
  readonly mailDomain: string;
}

/**
 * The mailbox whose labels of a message are shown, or another of those for which who is signed in has `scope`: the one
 * that the filter names by its local part, else that of the recipient, else that of the sender. Undefined when the
 * message is in none of them.
 */
export async function labelMailbox(
  message: Message,
  { caller, session }: Signed,
  local: string | undefined,
  { labels, mailDomain }: Parts,
  scope: Scope = 'mail:answer',
): Promise<Mailbox | undefined> {
  const mailboxAt = async (address?: string): Promise<Mailbox | undefined> =>
    labels.mailboxFor(message, caller, scope, address);
  if (local === undefined) return mailboxAt();
  return mailboxAt(fullAddress(`${local}@${session.namespace.name}`, mailDomain)).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'validation_error') return mailboxAt();
    throw error;
  });
}

/** A mailbox in whose view a conversation is worked on, and whether the reader takes part in that. */
export interface DeskPlace {
  readonly mailbox: Mailbox;
  readonly takesPart: boolean;
}

/**
 * The mailbox in whose view a conversation is worked on, and whether who is signed in takes part in that, or only reads
 * it. Undefined for one that they do not read.
 */
export async function deskMailbox(
  message: Message,
  signed: Signed,
  local: string | undefined,
  parts: Parts,
): Promise<DeskPlace | undefined> {
  for (const scope of ['mail:answer', 'mailboxes:write', 'messages:read'] as const) {
    const mailbox = await labelMailbox(message, signed, local, parts, scope);
    if (mailbox !== undefined) return { mailbox, takesPart: scope !== 'messages:read' };
  }
  return undefined;
}

/** The labels of each of these messages in a mailbox, but for `unread`. */
export function setLabels(
  mailbox: Mailbox | undefined,
  messages: readonly Message[],
): ReadonlyMap<string, readonly string[]> {
  if (mailbox === undefined) return new Map();
  return new Map(messages.map((one) => [one.id, labelsIn(one, mailbox.id).filter((label) => label !== UNREAD)]));
}

/**
 * Removes `unread` from messages of one thread that are shown in `mailbox`, and from the replies shown with them, which
 * the mailboxes that wrote the messages received.
 */
export async function markRead(
  mailbox: Mailbox | undefined,
  thread: readonly Message[],
  { caller }: Signed,
  { store, labels }: Parts,
): Promise<void> {
  if (mailbox !== undefined) await markReadIn(mailbox, thread, labels);
  const answered = thread.filter(({ kind, reply, sender_kind }) => {
    return kind === 'message' && reply !== null && sender_kind === 'mailbox';
  });
  const replies =
    answered.length === 0
      ? []
      : await store.messages.byIds(
          answered.map(({ id }) => replyIdOf(id)),
          'beginning',
        );
  for (const reply of replies) {
    const receiver = reply.to === null ? undefined : await labels.mailboxFor(reply, caller, 'mail:answer');
    if (receiver?.id === reply.mailbox_id) await markReadIn(receiver, [reply], labels);
  }
}

async function markReadIn(mailbox: Mailbox, messages: readonly Message[], labels: MessageLabels): Promise<void> {
  const unread = messages.filter((one) => labelsIn(one, mailbox.id).includes(UNREAD));
  const read = unread.map((one) => labels.change(one, mailbox, { labels: { remove: [UNREAD] } }));
  await Promise.all(read).catch((error: unknown) => {
    // A conversation can be read while nothing can be written.
    if (!(error instanceof AppError)) throw error;
  });
}
