import type { OutsideClient } from '@mailroom/behavior/outside';
import { OutsideError } from '@mailroom/behavior/outside';
import type { Millis } from '@mailroom/behavior/values/clock';
import { SECOND } from '@mailroom/behavior/values/clock';
import type { DeliveryResult } from '../../core/ports/delivery.ts';
import { failure } from '../writing/failure.ts';
import { replySubject } from '../writing/headers.ts';
import type { PeerMail } from '../writing/session.ts';
import type { MailWriter } from '../writing/writer.ts';

interface Parts {
  readonly client: Pick<OutsideClient, 'call'>;
  readonly writer: Pick<MailWriter, 'compose'>;
  /** Files an answer, which is proven to be of its author. AppError as of a mail. */
  readonly file: (answer: { readonly raw: Buffer; readonly from: string; readonly to: string }) => Promise<void>;
}

/** How long an agent may take for its answer. */
const ANSWER_MS: Millis = 55 * SECOND;
const MAX_BYTES = 4 * 1024 * 1024;
/** What every agent has. */
const ASK = { name: 'ask', description: '', input: {}, read_only: false, idempotent: false };

/** Messages to A2A agents of others, whose answers are filed as mails from the address of the agent. */
export class AgentDoor {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Undefined where the agent has nothing of it for certain, or cannot take what it has. */
  async send(mail: PeerMail, card: string, signal: AbortSignal): Promise<DeliveryResult | undefined> {
    // An agent is given text, and a mail with files keeps them.
    if (mail.peer.files || !/^https?:/.test(card)) return undefined;
    const { client } = this.#parts;
    let text: string;
    try {
      const limits = { ms: ANSWER_MS, bytes: MAX_BYTES, signal };
      const body = mail.text.trim();
      const id = mail.peer.rfc_id.replace(/[<>]/g, '');
      ({ text } = await client.call({ kind: 'a2a', url: card }, { tool: ASK, input: { body }, id }, limits));
    } catch (error) {
      if (!(error instanceof OutsideError)) throw error;
      return error.uncertain ? { ...failure(false, 'EA2A'), response: error.message } : undefined;
    }
    await this.#answered(mail, text);
    return { kind: 'sent' };
  }

  async #answered({ id, to, subject, peer }: PeerMail, markdown: string): Promise<void> {
    if (markdown.trim() === '') return;
    const raw = await this.#parts.writer.compose({
      id: `<${id}.answer@${to.slice(to.lastIndexOf('@') + 1)}>`,
      from: { name: '', address: to },
      to: peer.from,
      subject: replySubject(subject),
      in_reply_to: peer.rfc_id,
      references: [peer.rfc_id],
      markdown,
      automatic: 'auto-replied',
      date: new Date(),
    });
    await this.#parts.file({ raw, from: to, to: peer.from });
  }
}
