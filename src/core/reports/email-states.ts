import type { Directory } from '../access/directory.ts';
import { emailDeliveryViews } from '../entities/email.ts';
import type { EmailState, Message } from '../entities/message.ts';
import { isOutgoing } from '../entities/message.ts';
import type { Store } from '../ports/store.ts';

/** Of one message, how many answers are listed; a message rarely has more than one. */
const MAX_DELIVERIES = 20;

/** The messages, with what is known of those that came by e-mail. */
export async function withEmailStates(
  messages: readonly Message[],
  store: Pick<Store, 'emails'>,
): Promise<readonly Message[]> {
  const ids = messages.filter((one) => one.channel === 'smtp' && !isOutgoing(one)).map(({ id }) => id);
  if (ids.length === 0) return messages;
  const known = new Map((await store.emails.byMessages(ids)).map((email) => [email.message_id, email]));
  return messages.map((message) => {
    const email = known.get(message.id);
    if (email === undefined) return message;
    const { authentication, not_answered } = email;
    return { ...message, email: { authentication, not_answered } satisfies EmailState };
  });
}

/** As `withEmailStates` of one message, with what became of its answers. */
export async function withEmailState(
  message: Message,
  { store, directory }: { readonly store: Pick<Store, 'emails' | 'deliveries'>; readonly directory: Directory },
): Promise<Message> {
  if (message.channel !== 'smtp' && !isOutgoing(message)) return message;
  const [shown = message] = await withEmailStates([message], store);
  const mailbox = await directory.mailboxById(message.mailbox_id);
  if (mailbox === undefined || (shown.email === undefined && !isOutgoing(message))) return shown;
  const of = { namespace_id: mailbox.namespace_id, message_id: message.id };
  const { items } = await store.deliveries.page(of, null, MAX_DELIVERIES);
  return { ...shown, email: { ...shown.email, deliveries: emailDeliveryViews(items).toReversed() } };
}
