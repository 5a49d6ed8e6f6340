import { OutsideError } from '@mailroom/behavior/outside';
import { type Clock, MINUTE, type Millis, rfc3339, SECOND } from '@mailroom/behavior/values/clock';
import { joined } from '../../core/files/raw-mails.ts';
import type { SentFile } from '../../net/outside/a2a.ts';
import type { OutsideHttp } from '../../net/outside/index.ts';
import type { SignOptions } from '../writing/dkim.ts';
import { failure } from '../writing/failure.ts';
import { replySubject } from '../writing/headers.ts';
import type { OfferedMail } from '../writing/transport.ts';
import { type Attempted, answeredBy, type FileAnswer } from './attempt.ts';
import { PROVEN_BY_CONNECTION, receivedMessage } from './peer-message.ts';
import { type RequestKey, signedHeaders } from './request-signature.ts';

interface Parts {
  readonly client: Pick<OutsideHttp, 'call'>;
  readonly keyOf: (options: SignOptions) => Promise<RequestKey | undefined>;
  readonly file: FileAnswer;
  readonly clock: Clock;
}

/** Where an agent is, and its task where it has the message already. */
export interface AgentPlace {
  readonly card: string;
  readonly task: string | undefined;
  /** It was asked before, and may have taken too long for one request. */
  readonly again: boolean;
}

/** How long an agent may take to answer a request. */
const ANSWER_MS: Millis = 55 * SECOND;
/** How soon a task is asked for again: after a part of the time that it has taken so far, within these bounds. */
const AGAIN_MS = { least: 5 * SECOND, most: 10 * MINUTE, part: 1 / 4 };
const MAX_BYTES = 4 * 1024 * 1024;
/** Bytes of all files of a message; with more it leaves as mail. */
const MAX_FILES_BYTES = 10 * 1024 * 1024;
/** What every agent has. */
const ASK = { name: 'ask', description: '', input: {}, read_only: false, idempotent: false };
/** States in which an agent works on a task. */
const WORKING: ReadonlySet<string> = new Set(['submitted', 'working']);

/** Messages to A2A agents of others, whose answers are filed as from the address of the agent. */
export class AgentDoor {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Undefined where the agent has nothing of it for certain, or cannot take what it has. */
  async send(
    offered: OfferedMail,
    to: string,
    { card, task, again }: AgentPlace,
    signal: AbortSignal,
  ): Promise<Attempted> {
    const { email } = offered;
    const files = /^https?:/.test(card) ? await filesOf(offered) : undefined;
    if (files === undefined) return undefined;
    const { client, clock } = this.#parts;
    const sign = await this.#signing(offered);
    const limits = { ms: ANSWER_MS, bytes: MAX_BYTES, signal };
    const [input, id] = [{ body: email.body.trim() }, email.rfc_id.replace(/[<>]/g, '')];
    const call = { tool: ASK, input, id, sign, task, files, by_task: again };
    try {
      const { text, task: open } = await client.call({ kind: 'a2a', url: card }, call, limits);
      if (open !== undefined && WORKING.has(open.state))
        return { result: { kind: 'later', at: againAt(email.created_at, clock()) }, task: open.id };
      return answeredBy(text.trim() === '' ? undefined : await this.#file(offered, to, text));
    } catch (error) {
      if (!(error instanceof OutsideError)) throw error;
      const failed = { ...failure(false, 'EA2A'), response: error.message };
      if (error.uncertain) return { result: failed };
      // It does not show the task, or not any more: the message is sent again, which it knows by its id.
      return task === undefined ? undefined : { result: failed, task: null };
    }
  }

  /** Signs each request with the key of the sender's domain. */
  async #signing(offered: OfferedMail) {
    const { keyOf, clock } = this.#parts;
    const options = await offered.signing();
    const key = options && (await keyOf(options));
    return key && ((method: string, url: URL, body: string) => signedHeaders({ method, url, body }, key, clock()));
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

function againAt(begun: Millis, now: Millis): Millis {
  const { least, most, part } = AGAIN_MS;
  return now + Math.min(most, Math.max(least, (now - begun) * part));
}

/** The files of a message; undefined where they are more than an agent is sent. */
async function filesOf({ email }: OfferedMail): Promise<readonly SentFile[] | undefined> {
  const files: SentFile[] = [];
  let size = 0;
  for (const { filename, content_type, bytes: chunks } of email.files) {
    const bytes = await joined(chunks);
    size += bytes.length;
    if (size > MAX_FILES_BYTES) return undefined;
    files.push({ filename, content_type, bytes });
  }
  return files;
}
