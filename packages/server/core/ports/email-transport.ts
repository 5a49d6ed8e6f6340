import type { Millis } from '@mailroom/behavior/values/clock';
import type { ClaimedDelivery } from '../entities/delivery.ts';
import type { Authentication, NotAnswered } from '../entities/email.ts';
import type { Message } from '../entities/message.ts';
import type { MailFields } from '../entities/recipients.ts';
import type { DeliveryResult } from './delivery.ts';

/** A file of a mail. */
interface EmailFile {
  readonly filename: string;
  readonly content_type: string | null;
  readonly bytes: Uint8Array;
}

/** A mail as it was received and read. */
export interface ReceivedEmail {
  /** The bytes that came; none of what came as no mail. */
  readonly raw: Uint8Array;
  /** With the angle brackets; null where it has none. */
  readonly rfc_id: string | null;
  /** The Message-IDs of what it answers and of the mails before, oldest first. */
  readonly references: readonly string[];
  readonly subject: string | null;
  /** By its `Date`; null where it has none that can be read. */
  readonly date: Millis | null;
  /** The address in `From`, in lower case. */
  readonly from: { readonly name: string; readonly address: string };
  /** Where its author wants answers; empty for `from`. */
  readonly reply_to: readonly { readonly name: string; readonly address: string }[];
  readonly to: readonly { readonly name: string; readonly address: string }[];
  readonly cc: readonly { readonly name: string; readonly address: string }[];
  /** Its header says that someone or something handed it on, so that it was not written to the address that it came to. */
  readonly forwarded: boolean;
  /** The text without quoted history and signature. */
  readonly body: string;
  /** The same as the HTML beside that text shows it; null where there is none, or the text is long. */
  readonly html_body: string | null;
  /** The whole text. */
  readonly text: string;
  /** Its header fields but those of its way and of its authentication. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  /** What its HTML hides from a reader, and by what. */
  readonly hidden: { readonly text: string; readonly why: readonly string[] };
  readonly files: readonly (EmailFile & {
    /** Shown within the text, as a picture of a signature is. */
    readonly inline: boolean;
  })[];
  readonly authentication: Authentication;
  /** What a filter has against it; undefined where none judged it, or it has nothing. */
  readonly spam?: { readonly why: string };
  /** The network that it came from; null where another server took it before. */
  readonly network: string | null;
  /**
   * The addresses that its author proves to have written to; null for those that it was handed in for, where its author's
   * own server or a trusted network sent it.
   */
  readonly written_to: readonly string[] | null;
  /** Why it gets no automatic answer as far as its headers say. */
  readonly not_answered: NotAnswered | null;
  /** SHA-256 of its bytes, by which a repeated transmission is recognized. */
  readonly sha256: string;
  /** SHA-256 of what a signature of its author binds; null where that is not what proves it. */
  readonly signed_sha256: string | null;
  /** When its author's domain signed it last; null where no signature that proves it says so. */
  readonly signed_at: Millis | null;
}

/** A mail that leaves. */
export interface OutgoingEmail {
  /** Of the delivery; the return path names it. */
  readonly id: string;
  /** Its Message-ID, with the angle brackets. */
  readonly rfc_id: string;
  readonly from: { readonly name: string; readonly address: string };
  /** The domain of the return path; null for the mail domain. */
  readonly return_domain: string | null;
  /** The namespace of the mailbox that wrote it. */
  readonly namespace_id: string;
  readonly to: string;
  /** Whole addresses, where it names more than `to`. */
  readonly recipients?: { readonly to: readonly string[]; readonly cc: readonly string[] } | undefined;
  readonly mail?: MailFields | undefined;
  readonly subject: string;
  readonly in_reply_to: string | null;
  readonly references: readonly string[];
  /** The text that it answers; null where it answers none. */
  readonly answers: string | null;
  /** `Auto-Submitted` (RFC 3834, section 5); null for what a person, or a program of its own accord, wrote. */
  readonly automatic: 'auto-replied' | 'auto-generated' | null;
  /** Markdown. */
  readonly body: string;
  /** The data of the reply as JSON text. */
  readonly data: string | null;
  readonly files: readonly {
    readonly filename: string;
    readonly content_type: string;
    readonly bytes: AsyncIterable<Uint8Array>;
  }[];
  readonly created_at: number;
  /** What a mailbox wrote just now; undefined of what was read from the store. */
  readonly source?: WrittenMail | undefined;
  /** What is kept of its bytes, looked up as it leaves as a mail. */
  readonly kept: () => Promise<KeptBytes>;
}

/** A message that a mailbox wrote, the domain of an owner that it leaves from, and its delivery in progress. */
export interface WrittenMail {
  readonly message: Message;
  readonly domain: string | null;
  readonly delivery: ClaimedDelivery;
}

/** The bytes of a mail that leaves. */
export interface KeptBytes {
  /** Those of an earlier attempt, which leave again; undefined for the first one, or where none are kept. */
  readonly raw: Buffer | undefined;
  /** Keeps the bytes that leave; undefined where none are kept. Never rejects. */
  readonly keep: ((raw: Uint8Array) => Promise<void>) | undefined;
}

/** The answer to a message of another server, which leaves with the response to its request. */
export interface HandedAnswer {
  /** Its Message-ID, with the angle brackets. */
  readonly rfc_id: string;
  readonly from: { readonly name: string; readonly address: string };
  /** Markdown. */
  readonly body: string;
  readonly at: Millis;
}

/** Takes e-mail to the outside. Never rejects; may be called again for a mail that left, after a crash. */
export interface EmailTransport {
  send(email: OutgoingEmail, signal: AbortSignal): Promise<DeliveryResult>;
}

/** A message as a mail, made of what is stored of it. */
export interface StoredMail {
  /** Its Message-ID, with the angle brackets. */
  readonly rfc_id: string;
  readonly from: { readonly name: string; readonly address: string };
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly reply_to: readonly string[];
  readonly date: Millis;
  readonly subject: string;
  readonly in_reply_to: string | null;
  /** Oldest first. */
  readonly references: readonly string[];
  /** Further header fields; those that a mail cannot have are left out. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly text: string;
  readonly html: string | undefined;
  readonly files: readonly {
    readonly filename: string;
    readonly content_type: string;
    readonly bytes: AsyncIterable<Uint8Array>;
  }[];
}

/** Writes a mail (RFC 5322) with lines that end with CRLF, a chunk at a time. Rejects as a stream of a file does. */
export type WriteStoredMail = (mail: StoredMail) => AsyncIterable<Uint8Array>;
