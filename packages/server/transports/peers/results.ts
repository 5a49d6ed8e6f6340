import { rfc3339, SECOND } from '@mailroom/behavior/values/clock';
import { AppError, problems } from '@mailroom/behavior/values/error';
import { ASK_ALONE, type PeerMessage, type PeerResult } from '../../core/entities/peer-message.ts';
import type { Taken } from '../../core/mail-in/peer-mail.ts';

/** Bytes of the answers of a response, beyond the first one. */
const MAX_ANSWERS = 512 * 1024;

/** What a response says of each message. */
export function resultsOf(all: readonly (Taken | AppError)[]): readonly PeerResult[] {
  let bytes = 0;
  return all.map((taken) => {
    if (taken instanceof AppError) return refusalOf(taken);
    const answer = answerIn(taken);
    const { id } = taken.message;
    if (answer === undefined) return { status: 202, id };
    const isFirst = bytes === 0;
    bytes += Buffer.byteLength(answer.body);
    return isFirst || bytes <= MAX_ANSWERS ? { status: 200, id, answer } : { status: ASK_ALONE, id };
  });
}

/** What a message is refused with. */
function refusalOf({ code, message: detail, retry_after_ms: pause }: AppError): PeerResult {
  return {
    status: problems[code].status,
    code,
    detail,
    ...(pause !== undefined && { retry_after: Math.ceil(pause / SECOND) }),
  };
}

/** The answer as a message of its own. */
const answerIn = ({ message, answer, rfc_id }: Taken): PeerMessage | undefined =>
  answer && {
    ...{ id: answer.rfc_id, from: answer.from, to: message.sender_id ?? '', body: answer.body },
    ...{ date: rfc3339(answer.at), references: rfc_id === null ? [] : [rfc_id], automatic: 'auto-replied' },
  };
