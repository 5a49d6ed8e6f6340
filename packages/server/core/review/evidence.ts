import { AppError } from '@mailroom/behavior/values/error';
import type { Finding, StoredFinding } from '../entities/finding.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import type { LeavingMessage } from '../entities/review.ts';
import { bytesOf } from '../files/attached-files.ts';
import type { StoredAttachment } from '../ports/blobs.ts';
import type { Store } from '../ports/store.ts';

/** A promise where a text is long, or has files. */
export type Found = readonly Finding[] | Promise<readonly Finding[]>;

/** What only a mail has, and its reader knows. */
export interface MailTraits {
  readonly from: { readonly name: string; readonly address: string };
  readonly reply_to: readonly { readonly name: string; readonly address: string }[];
  readonly hidden: { readonly text: string; readonly why: readonly string[] };
  /** Its files under the names that it gives them, which are stored without what disguises them. */
  readonly files: readonly { readonly filename: string; readonly content_type: string }[];
  readonly recipients: readonly string[];
  readonly is_list: boolean;
  /** Why the filter takes it for spam. */
  readonly spam: string | undefined;
}

/** A message that arrives, as it is looked at. */
interface ArrivingMessage
  extends Pick<MailTraits, 'reply_to' | 'files'>,
    Partial<Pick<MailTraits, 'from' | 'recipients' | 'is_list'>> {
  readonly hidden: MailTraits['hidden'] | undefined;
  readonly subject: string;
  readonly text: string;
  /** Domains of those that the mailbox has to do with, and its own. */
  readonly known_domains: readonly string[];
}

/** What of a message that leaves is searched. */
export type LeavingText = Pick<LeavingMessage, 'subject' | 'body' | 'html' | 'data' | 'attachments'>;

/** Finds evidence in texts. AppError `unavailable`. */
export interface FindEvidence {
  readonly outgoing: (message: LeavingText, recipients: number) => Found;
  /** In an answer without files, of which the latest are remembered. */
  readonly answer: (body: string, data: string | null) => Found;
  readonly incoming: (message: ArrivingMessage) => Found;
  /** In a file, by its first bytes. */
  readonly file: (
    kind: 'incoming' | 'outgoing',
    place: number,
    file: Pick<StoredAttachment, 'filename' | 'content_type'>,
    bytes: Uint8Array,
  ) => Found;
}

/** A message that arrives, with what its transport knows of it. */
interface Arriving {
  readonly message: Pick<Message, 'subject' | 'body' | 'hops'>;
  readonly namespace_id: string | null;
  readonly mail: MailTraits | undefined;
  /** Its files, and who has them so far. */
  readonly files: MailTraits['files'];
  readonly owner: string | undefined;
}

interface Parts {
  readonly store: Pick<Store, 'attachments' | 'blobs' | 'reviews' | 'messages'>;
  readonly find: FindEvidence;
  readonly mailDomain: string;
}

/** Bytes of a file that are searched. */
const MAX_SEARCHED = 1024 * 1024;
/** Bytes by which a file is known to be no text. */
const SNIFFED = 4096;
const NOTHING: readonly Finding[] = [];
/** For how long the domains of a mailbox are taken to be as they were, and of how many mailboxes they are remembered. */
const DOMAINS_MS = 60_000;
const MAX_MAILBOXES = 1_000;

/** Evidence on messages, as they arrive and as they leave. It changes nothing of them. */
export class Evidence {
  readonly #parts: Parts;
  readonly #domains = new Map<string, { readonly domains: Promise<readonly string[]>; readonly until: number }>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * On what arrives in a mailbox. What its own namespace writes is not searched, but where a rule of the mailbox asks for
   * findings. AppError `unavailable`.
   */
  arriving(arriving: Arriving, mailbox: Mailbox): Found {
    const { message, namespace_id, mail, files } = arriving;
    const isOwn = mail === undefined && namespace_id === mailbox.namespace_id && message.hops === 0;
    const isSearched = !isOwn || mailbox.rules?.items.some((rule) => rule.if.finding !== undefined) === true;
    if (!isSearched && files.length === 0) return NOTHING;
    const found = this.#message(arriving, mailbox, isSearched);
    const { owner } = arriving;
    if (!isSearched || owner === undefined || files.length === 0) return found;
    return Promise.all([found, this.#files('incoming', owner)]).then((both) => both.flat());
  }

  #message({ message, mail, files }: Arriving, mailbox: Mailbox, isSearched: boolean): Found {
    const { find } = this.#parts;
    const { subject, body } = isSearched ? message : { subject: null, body: '' };
    const plain = { subject: subject ?? '', text: body, reply_to: [], hidden: undefined, files, known_domains: [] };
    return mail === undefined ? find.incoming(plain) : this.#mail(plain, mail, mailbox);
  }

  async #mail(plain: ArrivingMessage, { spam, ...traits }: MailTraits, mailbox: Mailbox): Promise<readonly Finding[]> {
    const { find, mailDomain } = this.#parts;
    const domains = await this.#domainsOf(mailbox.id);
    const known_domains = [`${mailbox.namespace}.${mailDomain}`, ...mailbox.domains, ...domains];
    const found = await find.incoming({ ...plain, ...traits, known_domains });
    return spam === undefined ? found : [...found, { kind: 'spam', where: 'mail', why: spam }];
  }

  /** The domains that a mailbox has to do with, which are read once a minute. */
  #domainsOf(mailboxId: string): Promise<readonly string[]> {
    const now = performance.now();
    const found = this.#domains.get(mailboxId);
    if (found !== undefined && now < found.until) return found.domains;
    const domains = this.#parts.store.reviews.knownDomains(mailboxId);
    this.#domains.delete(mailboxId);
    this.#domains.set(mailboxId, { domains, until: now + DOMAINS_MS });
    domains.catch(() => this.#domains.delete(mailboxId));
    const [oldest] = this.#domains.keys();
    if (this.#domains.size > MAX_MAILBOXES && oldest !== undefined) this.#domains.delete(oldest);
    return domains;
  }

  /** On what leaves, with the files of this owner. AppError `unavailable`. */
  leaving(message: LeavingText, recipients: number, owner: string | undefined): Found {
    const found = this.#parts.find.outgoing(message, recipients);
    if (owner === undefined || message.attachments === null) return found;
    return Promise.all([found, this.#files('outgoing', owner)]).then((both) => both.flat());
  }

  /**
   * Notes what is found in a reply that was written, for readers of the mailbox that wrote it. A promise where there is
   * something to note, or to wait for.
   */
  replied(
    reply_id: string,
    mailbox: Pick<Mailbox, 'id'>,
    { body, data }: { readonly body: string; readonly data: string | null },
    files: LeavingText['attachments'],
  ): Promise<void> | undefined {
    const found =
      files === null
        ? this.#parts.find.answer(body, data)
        : this.leaving({ subject: null, body, html: null, data, attachments: files }, 1, reply_id);
    const note = async (findings: readonly Finding[]): Promise<void> => {
      if (findings.length > 0) await this.#parts.store.messages.addFindings(reply_id, mailbox.id, asLeaving(findings));
    };
    if (found instanceof Promise) return found.then(note);
    return found.length === 0 ? undefined : note(found);
  }

  async #files(kind: 'incoming' | 'outgoing', owner: string): Promise<readonly Finding[]> {
    const { store, find } = this.#parts;
    const found: Finding[] = [];
    for (const [place, file] of (await store.attachments.of(owner)).entries()) {
      const bytes = await this.#begin(file);
      if (bytes !== undefined) found.push(...(await find.file(kind, place, file, bytes)));
    }
    return found;
  }

  /** The first bytes of a file; undefined of one that is no text, or was removed. */
  async #begin(file: StoredAttachment): Promise<Uint8Array | undefined> {
    const chunks: Uint8Array[] = [];
    try {
      for await (const chunk of bytesOf(file, this.#parts.store.blobs, 0, Math.min(file.size, MAX_SEARCHED) - 1)) {
        if (chunks.length === 0 && isBinary(chunk.subarray(0, SNIFFED))) return undefined;
        chunks.push(chunk);
      }
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') return undefined;
      throw error;
    }
    return chunks.length === 0 ? undefined : Uint8Array.from(Buffer.concat(chunks));
  }
}

/** Zeros at even and at odd places: no text, not even in UTF-16. An archive, which begins with PK, may have texts. */
function isBinary(bytes: Uint8Array): boolean {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return false;
  const zeros = new Set<number>();
  for (const [place, byte] of bytes.entries()) if (byte === 0) zeros.add(place % 2);
  return zeros.size === 2;
}

/** Evidence on what leaves a mailbox, as it is stored with the message. */
export const asLeaving = (findings: readonly Finding[]): readonly StoredFinding[] =>
  findings.map((finding) => ({ ...finding, out: true }));
