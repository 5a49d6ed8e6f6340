import { OutsideError } from '@mailroom/behavior/outside';
import type { Clock, Millis } from '@mailroom/behavior/values/clock';
import { rfc3339, SECOND } from '@mailroom/behavior/values/clock';
import type { OutsideHttp } from '../../net/outside/index.ts';
import { replySubject } from '../writing/headers.ts';
import type { SignOptions } from '../writing/dkim.ts';
import type { OfferedMail } from '../writing/transport.ts';
import type { FileAnswer } from './hand-over.ts';
import type { Attempted } from './peer-mail-out.ts';
import { unknown } from './peer-mail-out.ts';
import { PROVEN_BY_CONNECTION, receivedMessage } from './peer-message.ts';
import type { RequestKey } from './request-signature.ts';
import { signedHeaders } from './request-signature.ts';

interface Parts {
  readonly client: Pick<OutsideHttp, 'call'>;
  readonly keyOf: (options: SignOptions) => Promise<RequestKey | undefined>;
  readonly file: FileAnswer;
  readonly clock: Clock;
}

/** How long an agent may take for its answer. */
const ANSWER_MS: Millis = 55 * SECOND;
const MAX_BYTES = 4 * 1024 * 1024;
/** What every agent has. */
const ASK = { name: 'ask', description: '', input: {}, read_only: false, idempotent: false };

/** Messages to A2A agents of others, whose answers are filed as from the address of the agent. */
export class AgentDoor {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Undefined where the agent has nothing of it for certain, or cannot take what it has. */
  async send(offered: OfferedMail, to: string, card: string, signal: AbortSignal): Promise<Attempted> {
    const { email } = offered;
    // An agent is given text, and a mail with files keeps them.
    if (email.files.length > 0 || !/^https?:/.test(card)) return undefined;
    const { client, keyOf, clock } = this.#parts;
    const options = await offered.signing();
    const key = options && (await keyOf(options));
    const sign =
      key && ((method: string, url: URL, body: string) => signedHeaders({ method, url, body }, key, clock()));
    let text: string;
    try {
      const limits = { ms: ANSWER_MS, bytes: MAX_BYTES, signal };
      const body = email.body.trim();
      const id = email.rfc_id.replace(/[<>]/g, '');
      ({ text } = await client.call({ kind: 'a2a', url: card }, { tool: ASK, input: { body }, id, sign }, limits));
    } catch (error) {
      if (!(error instanceof OutsideError)) throw error;
      return error.uncertain ? unknown('EA2A', { response: error.message }) : undefined;
    }
    const answer = text.trim() === '' ? undefined : await this.#file(offered, to, text);
    return { result: { kind: 'sent' }, answer };
  }

  #file({ email }: OfferedMail, to: string, body: string) {
    const { id, from, rfc_id, subject, source } = email;
    const answer = {
      id: `<${id}.answer@${to.slice(to.lastIndexOf('@') + 1)}>`,
      ...{ from: { address: to }, to: from.address, subject: replySubject(subject), body },
      ...{ date: rfc3339(this.#parts.clock()), references: [rfc_id], automatic: 'auto-replied' as const },
    };
    return this.#parts.file(receivedMessage(answer, PROVEN_BY_CONNECTION), from.address, source);
  }
}
