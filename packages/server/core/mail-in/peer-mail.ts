import { type Clock, MINUTE, type Millis } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import type { Message } from '../entities/message.ts';
import type { PeerRequest } from '../entities/peer-message.ts';
import type { EmailAnswers } from '../mail-out/email-answers.ts';
import type { HandedAnswer, ReceivedEmail, WrittenMail } from '../ports/email-transport.ts';
import type { Sent } from '../runs/submission.ts';
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
  /**
   * Reads the messages of a signed request, each of an author for whose domain the key signs, or why it is refused. AppError
   * `access_denied` and `unavailable` where all are.
   */
  readMessages(request: PeerRequest): Promise<readonly (ReceivedEmail | AppError)[]>;
  readonly answers: () => Pick<EmailAnswers, 'handed'>;
}

/** A message that was taken, with its answer where that is there. */
export interface Taken {
  readonly message: Message;
  readonly answer: HandedAnswer | undefined;
  /** The Message-ID that its author gave it. */
  readonly rfc_id: string | null;
}

/** Mails and messages that other servers hand over by HTTP, proven by the signature of their author's domain alone. */
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
    checkTime(email, clock());
    return incoming.accept(email, recipient);
  }

  /**
   * Files signed messages, each once, however often it comes, and has them answered. What it took is durable when it resolves;
   * a message that was refused has its error, as of `take`. AppError `access_denied`, `unavailable` where all are refused.
   */
  async takeMessages(request: PeerRequest): Promise<readonly (Taken | AppError)[]> {
    const emails = await this.#parts.readMessages(request);
    return Promise.all(
      emails.map(async (email) => {
        if (email instanceof AppError) return email;
        try {
          return await this.#takeMessage(email);
        } catch (error) {
          if (error instanceof AppError) return error;
          throw error;
        }
      }),
    );
  }

  async #takeMessage(email: ReceivedEmail): Promise<Taken> {
    const { incoming, clock, answers } = this.#parts;
    checkTime(email, clock());
    const recipient = await incoming.recipient(email.to[0]?.address ?? '');
    const { domain, ...sent } = await incoming.take(email, recipient, { handed: true });
    return {
      message: sent.message,
      rfc_id: email.rfc_id,
      answer: await answers().handed(sent, recipient.mailbox, domain),
    };
  }

  /** Files what was answered over a connection to its author's own server; undefined where its recipient cannot take it. */
  async file(email: ReceivedEmail, to: string, answered?: WrittenMail): Promise<Sent | undefined> {
    const { incoming } = this.#parts;
    try {
      return await incoming.take(email, await incoming.recipient(to), { answered });
    } catch (error) {
      if (error instanceof AppError && error.code !== 'unavailable') return undefined;
      throw error;
    }
  }
}

/** AppError `access_denied`. */
function checkTime({ signed_at }: ReceivedEmail, now: Millis): void {
  if (signed_at === null || Math.abs(now - signed_at) > SIGNED_MS)
    throw new AppError(
      'access_denied',
      `The signature of the author's domain says no time (t=, created=) within ${SIGNED_MS / 1000} s of now. Sign it as it leaves, and set the clock.`,
    );
}

function emailOf(read: Read): ReceivedEmail {
  if ('refused' in read) throw new AppError('malformed_request', read.refused);
  return read.email;
}
