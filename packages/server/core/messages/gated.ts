import { isOutgoing } from '@mailroom/behavior/message';
import type { Millis } from '@mailroom/behavior/values/clock';
import type { Directory } from '../access/directory.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import type { Store } from '../ports/store.ts';
import type { Gate } from '../review/gate.ts';
import type { Settler } from '../runs/settle.ts';
import type { Submission } from '../runs/submission.ts';
import { unanswered } from '../submission/submitted-messages.ts';

/** A message as it is filed where its mailbox may not answer its author; undefined where it may. */
export async function blocked(
  submission: Submission,
  message: Message,
  mailbox: Mailbox,
  gate: Pick<Gate, 'mayAnswer'>,
): Promise<Submission | undefined> {
  if (mailbox.outgoing === undefined || (await gate.mayAnswer(mailbox, message))) return undefined;
  const not_answered = 'blocked';
  Object.assign(message, { not_answered });
  const { email } = submission;
  const mail = email === undefined ? {} : { email: { ...email, not_answered, owed: false } as const };
  return { ...submission, ...mail, unanswered: true, not_answered };
}

/** Cancels what waits for its review, so that it never leaves; `cancel` is of a message that is answered. */
export async function withdraw(
  message: Message,
  now: Millis,
  parts: { readonly store: Store; readonly directory: Directory; readonly settler: Settler },
  cancel: (message: Message) => Promise<unknown>,
): Promise<Message> {
  const { store, directory, settler } = parts;
  const review = isOutgoing(message) ? await store.reviews.ofLeaving(message.id) : undefined;
  const mailbox = await directory.mailboxById(message.mailbox_id);
  if (review === undefined) await cancel({ ...message, waiting_for: null });
  else if (mailbox !== undefined) await settler.decided(message, mailbox, review.hash, unanswered('canceled', now));
  await store.reviews.withdraw(message.id, now);
  return (await store.messages.byId(message.id)) ?? message;
}
