import type { IncomingHttpHeaders } from 'node:http';
import Negotiator from 'negotiator';
import { AppError } from '../core/error.ts';

/** AppError `unsupported_media_type` unless the request's body, where one is taken, is plain JSON. */
export function checkMediaType(headers: IncomingHttpHeaders, takesBody: boolean): void {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new AppError(
      'unsupported_media_type',
      'Compressed requests are not taken. Send the body without Content-Encoding.',
    );
  }
  if (!takesBody) return;
  const type = headers['content-type'];
  if (type === undefined && !hasBody(headers)) return;
  if (type === 'application/json') return;
  if (type === undefined || !/^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*$/i.test(type)) {
    throw new AppError('unsupported_media_type', 'Send the body as JSON, with Content-Type: application/json.');
  }
}

const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Whether a JSON answer suits the caller (RFC 9110, section 12.5.1). */
export function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return true;
  const negotiator = new Negotiator({ headers: { accept } });
  return negotiator.mediaTypes(['application/json', 'application/problem+json']).length > 0;
}
