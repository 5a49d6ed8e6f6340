import { isOutgoing } from '@mailroom/behavior/message';
import type { Directory } from '../access/directory.ts';
import { emailDeliveryViews } from '../entities/email.ts';
import { correspondentOf, type EmailState, type Message } from '../entities/message.ts';
import type { Store } from '../ports/store.ts';
import { withCopies } from '../submission/copies.ts';

/** Of one message, how many answers are listed; a message rarely has more than one. */
const MAX_DELIVERIES = 20;

/** The messages, with what is known of those that came by e-mail. */
export async function withEmailStates(
  messages: readonly Message[],
  store: Pick<Store, 'emails' | 'messages'>,
): Promise<readonly Message[]> {
  const ids = messages.filter((one) => one.channel === 'smtp' && !isOutgoing(one)).map(({ id }) => id);
  if (ids.length === 0) return withCopies(messages, store);
  const known = new Map((await store.emails.byMessages(ids)).map((email) => [email.message_id, email]));
  return (await withCopies(messages, store)).map((message) => {
    const email = known.get(message.id);
    if (email === undefined) return message;
    const { authentication, not_answered } = email;
    return { ...message, email: { authentication, not_answered } satisfies EmailState };
  });
}

/** As `withEmailStates` of one message, with what became of its answers. */
export async function withEmailState(
  message: Message,
  {
    store,
    directory,
  }: { readonly store: Pick<Store, 'emails' | 'deliveries' | 'messages'>; readonly directory: Directory },
): Promise<Message> {
  if (message.channel !== 'smtp' && !isOutgoing(message)) return message;
  const [fullMessage = message] = await withEmailStates([message], store);
  const mailbox = await directory.mailboxById(message.mailbox_id);
  if (mailbox === undefined || (fullMessage.email === undefined && !isOutgoing(message))) return fullMessage;
  return withDeliveries(fullMessage, mailbox.namespace_id, store);
}

/** The message with its mails on their way, where it came or leaves by mail of this namespace. */
export async function withDeliveries(
  message: Message,
  namespace_id: string,
  { deliveries }: Pick<Store, 'deliveries'>,
): Promise<Message> {
  if (correspondentOf(message) === undefined) return message;
  const { items } = await deliveries.page({ namespace_id, message_id: message.id }, null, MAX_DELIVERIES);
  return { ...message, email: { ...message.email, deliveries: emailDeliveryViews(items).toReversed() } };
}
