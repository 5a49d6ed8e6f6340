import { outsideAddress } from '@mailroom/behavior/values/address';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import type { KnownEmail } from '../ports/emails.ts';
import type { Store } from '../ports/store.ts';
import type { Limiter } from '../values/limits.ts';

export interface AnswerTargetParts {
  readonly store: Pick<Store, 'namespaces'>;
  /** Mails of a namespace in a day; undefined: no limit. */
  readonly limit?: Limiter | undefined;
  /** The domain that an organization registered; null for a public suffix. */
  readonly organizationalDomain: (domain: string) => string | null;
}

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

/** The first address of `Reply-To` of a mail, in lower case. */
function replyToOf({ data }: Message): string | undefined {
  if (data === null) return undefined;
  const { email } = JSON.parse(data) as { readonly email?: { readonly reply_to?: readonly { address: string }[] } };
  return email?.reply_to?.[0]?.address.toLowerCase();
}

/**
 * Where an answer to a mail goes: to its proven author, unless a person or a program wrote it, the author is verified, and
 * `Reply-To` has the author's organizational domain. That counts as a mail that the mailbox writes first, so that the
 * namespace needs a verified owner and is within its mails of the day; else it goes to the author too, as it does where an
 * owner looks at what leaves.
 */
export async function answerTarget(
  message: Message,
  mailbox: Mailbox,
  { by_hand: byHand = false, authentication }: Pick<KnownEmail, 'authentication'> & { readonly by_hand?: boolean },
  { store, limit, organizationalDomain }: AnswerTargetParts,
): Promise<string> {
  const author = message.sender_id as string;
  // The gate has seen its author alone.
  if (mailbox.outgoing !== undefined || message.rules?.review === true) return author;
  const isWritten = byHand || message.answered_by !== undefined || mailbox.webhook !== null;
  const replyTo = isWritten && authentication.verified ? replyToOf(message) : undefined;
  if (replyTo === undefined || replyTo === author || outsideAddress(replyTo) === undefined) return author;
  const organization = organizationalDomain(domainOf(author));
  if (organization === null || organizationalDomain(domainOf(replyTo)) !== organization) return author;
  const { namespace_id: namespaceId } = mailbox;
  if (!(await store.namespaces.isClaimed(namespaceId))) return author;
  return (await limit?.take(namespaceId))?.allowed === false ? author : replyTo;
}
