import type { Clock, Millis } from '@mailroom/behavior/values/clock';
import { MINUTE } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import type { Message } from '../entities/message.ts';
import type { ReceivedEmail } from '../ports/email-transport.ts';
import type { IncomingEmail } from './incoming-email.ts';

/** How far the time of a signature may be from now, since anyone who has the mail could hand it in. */
const SIGNED_MS: Millis = 5 * MINUTE;

/** What a mail is, or why it is refused for good. */
type Read = { readonly email: ReceivedEmail } | { readonly refused: string };

/** Whom a mail is for, and where notices about it go (RFC 5321, section 3.3); none where that is empty. */
interface PeerEnvelope {
  readonly to: string;
  readonly from?: string;
}

interface Parts {
  readonly incoming: IncomingEmail;
  readonly clock: Clock;
  /** Reads a mail that a signature alone can prove. AppError `unavailable`. */
  read(raw: Uint8Array<ArrayBuffer>, from: string, signal: AbortSignal): Promise<Read>;
  /** Reads a mail whose author is proven by how it came. AppError `unavailable`. */
  readProven(raw: Uint8Array<ArrayBuffer>, from: string, signal: AbortSignal): Promise<Read>;
}

/** Mails that other servers hand over by HTTP, which are proven by the signature of their author's domain alone. */
export class PeerMail {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Files a mail for one address, once however often it comes by whatever way. Durable when it resolves. AppError
   * `access_denied` (no signature of now proves its author), `malformed_request`, `mailbox_not_found`, and as `IncomingEmail.accept`.
   */
  async take(bytes: Uint8Array, { to, from = '' }: PeerEnvelope, signal: AbortSignal): Promise<Message> {
    const { incoming, clock, read } = this.#parts;
    const recipient = await incoming.recipient(to);
    const email = emailOf(await read(new Uint8Array(bytes), from, signal));
    if (!email.authentication.verified || email.signed_sha256 === null)
      throw new AppError(
        'access_denied',
        'No signature proves the author of this mail. Sign it by DKIM (RFC 6376) with a key of the domain in From, over From, To, Subject, Date and the whole body.',
      );
    if (email.signed_at === null || Math.abs(clock() - email.signed_at) > SIGNED_MS)
      throw new AppError(
        'access_denied',
        `A signature of the domain in From says no time (t=) within ${SIGNED_MS / 1000} s of now. Sign it as it leaves, and set the clock.`,
      );
    return incoming.accept(email, recipient);
  }

  /** Files what was answered over a connection to its author's own server. AppError as `take`. */
  async file({ raw, from, to }: { readonly raw: Buffer; readonly from: string; readonly to: string }): Promise<void> {
    const { incoming, readProven } = this.#parts;
    const recipient = await incoming.recipient(to);
    const signal = AbortSignal.timeout(MINUTE);
    await incoming.accept(emailOf(await readProven(new Uint8Array(raw), from, signal)), recipient);
  }
}

function emailOf(read: Read): ReceivedEmail {
  if ('refused' in read) throw new AppError('malformed_request', read.refused);
  return read.email;
}
