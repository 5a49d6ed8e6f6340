import type { Clock } from '@mailroom/behavior/values/clock';
import { rfc3339, SECOND } from '@mailroom/behavior/values/clock';
import type { PeerMessage } from '../../core/entities/peer-message.ts';
import type { OutgoingEmail } from '../../core/ports/email-transport.ts';
import type { PeerHttp, PeerResponse } from '../../net/peer-http.ts';
import { PeerFailed } from '../../net/peer-http.ts';
import type { SignOptions } from '../writing/dkim.ts';
import { replySubject } from '../writing/headers.ts';
import type { OfferedMail } from '../writing/transport.ts';
import type { AgentDoor } from './agent-door.ts';
import type { Attempted, FileAnswer, Hand } from './attempt.ts';
import { unknown } from './attempt.ts';
import { PROVEN_BY_CONNECTION, receivedMessage, responseIn } from './peer-message.ts';
import type { RequestKey } from './request-signature.ts';
import { signedHeaders } from './request-signature.ts';

export interface HandParts {
  readonly http: Pick<PeerHttp, 'request'>;
  readonly agents: AgentDoor;
  readonly keyOf: (options: SignOptions) => Promise<RequestKey | undefined>;
  readonly file: FileAnswer;
  readonly clock: Clock;
  /** The largest response. */
  readonly max_response: number;
}

/** Answers after which the same request may be answered otherwise. */
const AGAIN: ReadonlySet<number> = new Set([408, 425, 429]);

/** Hands a mail over by the best door for it: as JSON where that has all of it. */
export function handOver(parts: HandParts): Hand {
  return async (offered, to, doors, signal) => {
    const { email } = offered;
    try {
      if (doors.mail === undefined) {
        const place = { card: doors.agent as string, task: doors.task, again: doors.again === true };
        return await parts.agents.send(offered, to, place, signal);
      }
      if (doors.message !== undefined && isPlain(email)) {
        const options = await offered.signing();
        const key = options && (await parts.keyOf(options));
        if (key !== undefined) return await asMessage(email, to, { door: doors.message, key, signal });
      }
      return await asMail(offered, to, doors.mail, signal);
    } catch (error) {
      if (!(error instanceof PeerFailed)) throw error;
      return error.written ? unknown(error.message) : undefined;
    }
  };

  async function asMessage(email: OutgoingEmail, to: string, { door, key, signal }: ByKey): Promise<Attempted> {
    const message = messageOf(email, to);
    const { http, clock, max_response: bytes, file } = parts;
    const url = new URL(door);
    const body = JSON.stringify(message);
    const signature = signedHeaders({ method: 'POST', url, body }, key, clock());
    const headers = { 'content-type': 'application/json', accept: 'application/json', ...signature };
    const response = await http.request(url, { method: 'POST', headers, body, signal, bytes });
    const result = outcomeOf(response);
    if (result?.result.kind !== 'sent') return result;
    const { answer } = responseIn(response.text) ?? {};
    const isAnswer =
      answer !== undefined &&
      answer.from.address.toLowerCase() === message.to.toLowerCase() &&
      answer.references?.at(-1) === message.id;
    if (!isAnswer) return result;
    const { subject = replySubject(message.subject ?? '') } = answer;
    const received = receivedMessage({ ...answer, subject, to: message.from.address }, PROVEN_BY_CONNECTION);
    return { ...result, answer: await file(received, message.from.address, email.source) };
  }

  async function asMail(offered: OfferedMail, to: string, door: string, signal: AbortSignal): Promise<Attempted> {
    const { return_path, message } = await offered.compose();
    const url = new URL(door);
    url.searchParams.set('to', to);
    url.searchParams.set('from', return_path);
    const headers = { 'content-type': 'message/rfc822', accept: 'application/json' };
    const body = await offered.sign(message);
    return outcomeOf(await parts.http.request(url, { method: 'POST', headers, body, signal, bytes: MAX_RESPONSE }));
  }
}

/** The door for JSON, and what signs. */
interface ByKey {
  readonly door: string;
  readonly key: RequestKey;
  readonly signal: AbortSignal;
}

const MAX_RESPONSE = 16 * 1024;

function outcomeOf({ status, headers }: PeerResponse): Attempted {
  if (status === 200 || status === 202) return { result: { kind: 'sent' } };
  if (status < 500 && !AGAIN.has(status)) return undefined;
  const seconds = Number(headers['retry-after']);
  return unknown(`HTTP ${status}`, seconds > 0 ? { retry_after_ms: seconds * SECOND } : {});
}

/** Whether a message as JSON has all that the mail would have. */
const isPlain = ({ files, recipients, mail }: OutgoingEmail): boolean =>
  files.length === 0 &&
  recipients === undefined &&
  mail?.html === undefined &&
  (mail?.reply_to ?? []).length === 0 &&
  Object.keys(mail?.headers ?? {}).length === 0;

function messageOf(email: OutgoingEmail, to: string): PeerMessage {
  const { rfc_id: id, from, subject, references, automatic, body, created_at, answers, in_reply_to } = email;
  return {
    ...{ id, from, to, body, date: rfc3339(created_at) },
    subject: answers === null && in_reply_to === null ? subject : replySubject(subject),
    ...(references.length > 0 && { references: [...references] }),
    ...(automatic !== null && { automatic }),
  };
}
