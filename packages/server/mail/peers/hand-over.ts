import { rfc3339 } from '@mailroom/behavior/values/clock';
import { TimeLimit } from '@mailroom/behavior/values/time-limit';
import type { PeerMessage } from '../../core/entities/peer-message.ts';
import type { OutgoingEmail } from '../../core/ports/email-transport.ts';
import { PeerFailed, type PeerHttp } from '../../net/peer-http.ts';
import type { SignOptions } from '../writing/dkim.ts';
import { replySubject } from '../writing/headers.ts';
import type { OfferedMail } from '../writing/transport.ts';
import type { AgentDoor } from './agent-door.ts';
import { ATTEMPT_MS, type Attempted, answeredBy, type FileAnswer, type Hand, outcomeOf, unknown } from './attempt.ts';
import type { MessageBatches } from './message-batches.ts';
import { PROVEN_BY_CONNECTION, receivedMessage } from './peer-message.ts';
import type { RequestKey } from './request-signature.ts';

export interface HandParts {
  readonly http: Pick<PeerHttp, 'request'>;
  readonly agents: AgentDoor;
  readonly keyOf: (options: SignOptions) => Promise<RequestKey | undefined>;
  readonly file: FileAnswer;
  readonly batches: Pick<MessageBatches, 'send'>;
}

/** Hands a mail over by the best door for it: as JSON where that has all of it. */
export function handOver(parts: HandParts): Hand {
  return async (offered, to, doors, signal) => {
    const { email } = offered;
    try {
      if (doors.mail === undefined) {
        using limit = new TimeLimit(ATTEMPT_MS, signal);
        const place = { card: doors.agent as string, task: doors.task, again: doors.again === true };
        return await parts.agents.send(offered, to, place, limit.signal);
      }
      if (doors.messages !== undefined && isPlain(email)) {
        const options = await offered.signing();
        const key = options && (await parts.keyOf(options));
        if (key !== undefined) return await asMessage(email, to, new URL(doors.messages), key);
      }
      using limit = new TimeLimit(ATTEMPT_MS, signal);
      return await asMail(offered, to, doors.mail, limit.signal);
    } catch (error) {
      if (!(error instanceof PeerFailed)) throw error;
      return error.written ? unknown(error.message) : undefined;
    }
  };

  async function asMessage(email: OutgoingEmail, to: string, door: URL, key: RequestKey): Promise<Attempted> {
    const message = messageOf(email, to);
    const { status, retry_after = 0, answer } = await parts.batches.send(message, door, key);
    const result = outcomeOf(status, retry_after);
    if (result?.result.kind !== 'sent') return result;
    const isAnswer =
      answer !== undefined &&
      answer.from.address.toLowerCase() === message.to.toLowerCase() &&
      answer.references?.at(-1) === message.id;
    if (!isAnswer) return result;
    const { subject = replySubject(message.subject ?? '') } = answer;
    const received = receivedMessage({ ...answer, subject, to: message.from.address }, PROVEN_BY_CONNECTION);
    return answeredBy(await parts.file(received, message.from.address, email.source));
  }

  async function asMail(offered: OfferedMail, to: string, door: string, signal: AbortSignal): Promise<Attempted> {
    const { return_path, message } = await offered.compose();
    const url = new URL(door);
    url.searchParams.set('to', to);
    url.searchParams.set('from', return_path);
    const headers = { 'content-type': 'message/rfc822', accept: 'application/json' };
    const body = await offered.sign(message);
    const response = await parts.http.request(url, { method: 'POST', headers, body, signal, bytes: MAX_RESPONSE });
    return outcomeOf(response.status, Number(response.headers['retry-after']));
  }
}

const MAX_RESPONSE = 16 * 1024;

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
