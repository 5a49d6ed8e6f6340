import type { Millis } from '@mailroom/behavior/values/clock';
import type { Hidden } from './hidden-text.ts';

/** An address of a mail. */
export interface MailAddress {
  /** Decoded, without control characters; '' when there is none. */
  readonly name: string;
  /** Its domain in lower case and ASCII (RFC 5891). */
  readonly address: string;
}

/** A header field of a mail. */
export interface MailHeader {
  readonly name: string;
  /** Decoded, on one line. */
  readonly value: string;
}

/** A file of a mail. */
export interface MailAttachment {
  /** Without paths and control characters, of at most 255 bytes; made from the type when the mail names none. */
  readonly name: string;
  /** In lower case, without parameters. */
  readonly content_type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Shown within the text, as an image of a signature is. */
  readonly inline: boolean;
  /** By which the HTML names it, without angle brackets. */
  readonly content_id: string | null;
}

/** The words of RFC 8601, section 2.7. */
export type AuthenticationResult =
  | 'pass'
  | 'fail'
  | 'softfail'
  | 'neutral'
  | 'none'
  | 'policy'
  | 'temperror'
  | 'permerror';

/** Who a mail is from, as far as that can be proven. */
export interface MailAuthentication {
  readonly spf: AuthenticationResult;
  /** Of the best signature, one of the domain in `From` before others. */
  readonly dkim: AuthenticationResult;
  readonly dmarc: AuthenticationResult;
  readonly arc: AuthenticationResult;
  /** The domain of the one address in `From` sent it. */
  readonly verified: boolean;
  /** `dkim`, `spf`: the domain publishes no DMARC policy. `arc`: a trusted forwarder saw it pass DMARC. */
  readonly verified_by?: 'dmarc' | 'dkim' | 'spf' | 'arc' | 'network';
}

/** What the domain in `From` asks for when a mail fails its checks (RFC 9989, section 4.7). */
export type DomainPolicy = 'none' | 'quarantine' | 'reject';

/**
 * Why a mail gets no automatic answer (RFC 3834, section 2). `own`: from a domain of ours. `list`: from a list or its
 * manager.
 */
export type AutomaticReason = 'own' | 'auto_submitted' | 'list' | 'precedence' | 'null_path' | 'mailer_daemon';

/** What a bounce says about one recipient (RFC 3464, section 2.3). */
export interface Bounce {
  /** '' when the bounce does not name it. */
  readonly recipient: string;
  /** Of RFC 3463, such as `5.1.1`; null when unknown. */
  readonly status: string | null;
  readonly action: 'failed' | 'delayed' | 'delivered' | 'relayed' | 'expanded';
  /** What the other server said, on one line. */
  readonly diagnostic: string | null;
  /** Of the mail that bounced, with angle brackets. */
  readonly original_message_id: string | null;
  /** To whom that mail was sent, by the notice or by the copy of the mail. */
  readonly original_recipient: string | null;
  /** The address takes no mail at all, so far as the notice is certain. */
  readonly dead_address: boolean;
}

/**
 * `unreadable`: its MIME parts could not be read or found, so it is one file. `headers_cut`: more than 512 KiB of headers; the
 * rest was left out. `too_many_addresses`: more than 1,000 in a field. `several_from`, `no_from`, `group_from`: not
 * exactly one address. `partly_signed`: the signature of its domain covers a part of what is read. `repeated_field`: it has one
 * twice that a mail has once, so that programs read it differently. `text_cut`: the text is longer than
 * 4 MiB; it is a file too. `signatures_cut`: more than ten signatures; the rest was not tried.
 */
export type MailWarning =
  | 'unreadable'
  | 'headers_cut'
  | 'too_many_addresses'
  | 'several_from'
  | 'no_from'
  | 'group_from'
  | 'partly_signed'
  | 'repeated_field'
  | 'text_cut'
  | 'signatures_cut';

/** What a report of abuse says (RFC 5965). */
export interface Complaint {
  /** `Feedback-Type`, such as `abuse`. */
  readonly type: string;
  /** The return paths of the mail that it is about, as it names them. */
  readonly return_paths: readonly string[];
}

/** A mail as its recipient understands it. All texts are well-formed and without U+0000; lines end with `\n`. */
export interface ReadMail {
  /** With angle brackets, as all Message-IDs (RFC 5322, section 3.6.4); null where it has none. */
  readonly message_id: string | null;
  readonly in_reply_to: readonly string[];
  /** Oldest first; of more than 200 the first and the last ones. */
  readonly references: readonly string[];
  /** Decoded, on one line; '' when there is none. */
  readonly subject: string;
  /** Null without exactly one usable address; the first of several, which are never verified. */
  readonly from: MailAddress | null;
  readonly reply_to: readonly MailAddress[];
  readonly to: readonly MailAddress[];
  readonly cc: readonly MailAddress[];
  /** Whether a list, a person or a mail program handed it on (`Resent-…`, `X-Forwarded-…`, `Delivered-To`, `List-Id`). */
  readonly forwarded: boolean;
  /** ISO 8601 in UTC; null when it has none that can be read. */
  readonly date: string | null;
  /** `Content-Language` (RFC 3282): the first tag. */
  readonly language?: string;
  /** The whole text; made from the HTML when it has no other. */
  readonly text: string;
  /**
   * The new text, without what it quotes and without signature; the whole text when it is a quote alone, or a signature
   * alone without a subject.
   */
  readonly body: string;
  /** The new text as the HTML beside it shows it; null where the body is made from the HTML, or is long. */
  readonly html_body: string | null;
  /** Its header fields in their order, but those of its way and of its authentication; of more than 200 the first ones. */
  readonly headers: readonly MailHeader[];
  /** What its HTML hides from a reader; the body has none of it. */
  readonly hidden: Hidden;
  readonly attachments: readonly MailAttachment[];
  readonly authentication: MailAuthentication;
  /**
   * The addresses that its author proves to have written to: those of the signed `To` and `Cc`. Null where the host that
   * sent it proves the author, or it needs no proof: then it was written to those that it was handed in for. Empty when
   * nothing proves the author, or a part of the text may be one that the author quotes.
   */
  readonly written_to: readonly string[] | null;
  /** Null when it passed, or its sender needs no proof. */
  readonly policy: DomainPolicy | null;
  readonly automatic: AutomaticReason | null;
  /** One per recipient; empty when it is no bounce. */
  readonly bounce: readonly Bounce[];
  /** Null when it is no report of abuse. */
  readonly complaint: Complaint | null;
  readonly warnings: readonly MailWarning[];
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly sha256: string;
  /**
   * SHA-256 of what the signature that alone proves its author binds, by which the same mail is recognized when it is
   * handed in again with other fields; null of any other.
   */
  readonly signed_sha256: string | null;
  /** When its author's domain signed it last, of the signatures that prove it (RFC 6376, `t=`); null without. */
  readonly signed_at: Millis | null;
}
