import type { SecureContextOptions } from 'node:tls';
import type { ApprovalRecipient } from '../../core/mail-in/approvals/approval-mails.ts';
import type { EmailRecipient } from '../../core/mail-in/incoming-email.ts';
import type { Bounce } from '../../core/mail-out/email-bounces.ts';
import type { ReceivedEmail } from '../../core/ports/email-transport.ts';
import type { ClientLimits } from './clients.ts';
import type { MinSpeed } from './content.ts';

/** A mail as it was received, to be parsed and authenticated. */
export interface RawEmail {
  readonly raw: Uint8Array<ArrayBuffer>;
  /** Null where another server took it before. */
  readonly ip: string | null;
  /** The name that the client gave itself. */
  readonly helo: string;
  /** The envelope sender; '' for the null path. */
  readonly from: string;
  /** The client logged in as the sender. */
  readonly logged_in: boolean;
}

/** What reading a mail gives: the mail, or why it is refused for good, and what it reports about mails that were sent. */
export type ReadEmail = ({ readonly email: ReceivedEmail } | { readonly refused: string }) & {
  readonly bounces: readonly Bounce[];
  readonly complaint: Complaint | null;
};

/** A report that a mail was unwanted (RFC 5965). */
interface Complaint {
  readonly type: string;
  /** The return paths that it names. */
  readonly return_paths: readonly string[];
}

/** What a client logs in with (RFC 4954). */
export interface Login {
  readonly username: string;
  readonly password: string;
  readonly ip: string;
}

/** A recipient of one who logged in; `file` gives the text after 250. */
interface UserRecipient {
  readonly address: string;
  readonly file: (mail: ReadEmail) => Promise<string>;
}

/** What a client that logged in may do. All reject with AppError or SmtpFailure. */
export interface MailUser {
  /** Checks the envelope sender. */
  readonly begin: (from: string) => Promise<void>;
  readonly recipient: (address: string) => Promise<UserRecipient>;
}

export interface SmtpOptions extends ClientLimits {
  /** Whether connections begin with TLS (RFC 8314, section 3.3). */
  readonly implicit_tls?: boolean;
  /** The name by which the server greets. */
  readonly name: string;
  /** The largest mail in bytes. */
  readonly max_bytes: number;
  /** Without it STARTTLS is not offered. */
  readonly tls: SecureContextOptions | undefined;
  /** The least speed of a mail that arrives; 1 KiB/s over 30 s by default. */
  readonly min_speed?: MinSpeed;
}

/** Where a mail goes: a mailbox, the question that it answers, the delivery that it reports about, or where reports are taken. */
export type Recipient =
  | EmailRecipient
  | ApprovalRecipient
  | UserRecipient
  | { readonly address: string; readonly delivery: string | undefined };
