import { taggedAddress } from '@mailroom/behavior/values/address';
import { sha256 } from '@mailroom/behavior/values/hash';
import { parseJson } from '@mailroom/behavior/values/json';
import type { Idempotency } from '../ports/idempotency.ts';
import { canonicalJson } from '../values/canonical-json.ts';
import type { Submission } from './submission.ts';

/**
 * The idempotency of a submission with a hash that also recognizes it when it is repeated by another transport: the
 * channel, the hash of the request, and that of the message that it stands for. A request whose hash is empty says no
 * more than its message.
 */
export function recognizable(submission: Submission, { scope, key, hash, expires_at }: Idempotency): Idempotency {
  const content = contentHash(submission);
  return { scope, key, hash: `${submission.channel} ${hash || content} ${content}`, expires_at };
}

/**
 * Whether two hashes of submissions stand for one: the same request, or the same message. Two requests of the API are the
 * same only when their whole JSON is (contract, section 5).
 */
export function isSameSubmission(hash: string, other: string): boolean {
  const [channel, request, content] = hash.split(' ');
  const [otherChannel, otherRequest, otherContent] = other.split(' ');
  // The key may have been used for something else than a message.
  if (content === undefined || otherContent === undefined) return false;
  if (request === otherRequest) return true;
  return content === otherContent && (channel !== 'api' || otherChannel !== 'api');
}

function contentHash(submission: Submission): string {
  const { to, from_mailbox_id, subject, body, data, thread_id, in_reply_to, upload, recipients } = submission;
  const files = upload?.files.map(({ filename, content_type, sha256: of }) => [filename, content_type, of]) ?? [];
  const place = [
    taggedAddress(to),
    from_mailbox_id,
    thread_id,
    in_reply_to,
    ...(recipients === undefined ? [] : [recipients]),
  ];
  const structured = data === null ? 'null' : canonicalJson(parseJson(data));
  return sha256(`${JSON.stringify([...place, subject, body, files])}${structured}`);
}
