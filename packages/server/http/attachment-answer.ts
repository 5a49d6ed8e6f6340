import { bytesOf } from '../core/files/attached-files.ts';
import type { Blobs, StoredAttachment } from '../core/ports/blobs.ts';
import { PROBLEM_JSON, problemDocument } from './problems.ts';
import { attachmentDisposition, isKnown, rangeOf } from './range.ts';
import type { Answer, Call } from './route.ts';

/** The bytes of an attachment as a download: whole, the range that the headers ask for, or 304 when they are known. */
export function attachmentAnswer(
  attachment: StoredAttachment,
  blobs: Pick<Blobs, 'chunk'>,
  headers: Call['headers'],
  request_id: string,
): Answer {
  const { size, filename, content_type } = attachment;
  const etag = `"${attachment.sha256}"`;
  const kept = { etag, 'cache-control': 'private, no-cache', 'accept-ranges': 'bytes' };
  if (isKnown(headers['if-none-match'], etag)) return { status: 304, headers: kept };
  const range = rangeOf(headers, size, etag);
  if (range === null) {
    const detail = `The attachment has ${size} bytes, and the range begins after its end. Ask for another range.`;
    return {
      status: 416,
      headers: { ...kept, 'content-type': PROBLEM_JSON, 'content-range': `bytes */${size}` },
      body: Buffer.from(problemDocument('range_not_satisfiable', detail, request_id)),
    };
  }
  const { from, to } = range ?? { from: 0, to: size - 1 };
  return {
    status: range === undefined ? 200 : 206,
    headers: {
      ...kept,
      'content-type': content_type,
      'content-length': String(to - from + 1),
      'content-disposition': attachmentDisposition(filename),
      // Even opened in a browser, nothing in it runs as this site.
      'content-security-policy': "default-src 'none'; sandbox",
      ...(range !== undefined && { 'content-range': `bytes ${from}-${to}/${size}` }),
    },
    body: bytesOf(attachment, blobs, from, to),
  };
}
