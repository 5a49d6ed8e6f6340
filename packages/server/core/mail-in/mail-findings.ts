import type { Finding } from '../entities/finding.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import type { ReceivedEmail } from '../ports/email-transport.ts';
import type { Store } from '../ports/store.ts';

/** A mail as it is looked at. */
interface LookedAt {
  readonly from: { readonly name: string; readonly address: string };
  readonly reply_to: readonly { readonly name: string; readonly address: string }[];
  readonly subject: string;
  readonly text: string;
  readonly hidden: { readonly text: string; readonly why: readonly string[] };
  readonly files: readonly { readonly filename: string; readonly content_type: string }[];
  /** Domains of those that the mailbox has to do with, and its own. */
  readonly known_domains: readonly string[];
  readonly recipients: readonly string[];
  readonly is_list: boolean;
}

/** Finds what a reader of a mail should know. */
export type FindIncoming = (mail: LookedAt) => Promise<readonly Finding[]>;

interface Parts {
  readonly store: Pick<Store, 'reviews'>;
  readonly find: FindIncoming;
  readonly mailDomain: string;
}

/** The evidence on a mail that arrives in a mailbox. */
export async function findingsOf(
  email: ReceivedEmail,
  mailbox: Mailbox,
  { store, find, mailDomain }: Parts,
): Promise<readonly Finding[]> {
  const domains = await store.reviews.knownDomains(mailbox.id);
  const found = await find({
    from: email.from,
    reply_to: email.reply_to,
    subject: email.subject ?? '',
    text: email.body,
    hidden: email.hidden,
    files: email.files.map(({ filename, content_type }) => ({ filename, content_type: content_type ?? '' })),
    known_domains: [`${mailbox.namespace}.${mailDomain}`, ...mailbox.domains, ...domains],
    recipients: [...email.to, ...email.cc].map(({ address }) => address),
    is_list: email.headers.some(({ name }) => name.toLowerCase() === 'list-id'),
  });
  return email.spam === undefined ? found : [...found, { kind: 'spam', where: 'mail', why: email.spam.why }];
}
