import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '@mailroom/behavior/values/error';
import Negotiator from 'negotiator';
import { isMultipart } from './multipart.ts';

/**
 * AppError `unsupported_media_type` unless a request that takes a body sends plain JSON, by one of `types` too, or files
 * where it takes them.
 */
export function checkMediaType(
  headers: IncomingHttpHeaders,
  takesBody: boolean,
  takesFiles = false,
  types: readonly string[] = [],
): void {
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
  if (takesFiles && isMultipart(type)) return;
  if (type === undefined || !isJson(type, types)) {
    const files = takesFiles ? ', or as multipart/form-data with a part message and files' : '';
    throw new AppError('unsupported_media_type', `Send the body as JSON, with Content-Type: application/json${files}.`);
  }
}

/** AppError `unsupported_media_type` unless a request sends bytes of this type, or none. */
export function checkBytesType(headers: IncomingHttpHeaders, type: string): void {
  checkMediaType(headers, false);
  const given = headers['content-type'];
  if (given === undefined ? !hasBody(headers) : given.toLowerCase().split(';')[0]?.trim() === type) return;
  throw new AppError('unsupported_media_type', `Send the bytes as they are, with Content-Type: ${type}.`);
}

/** `application/json`, or one of `types`, with no parameter but the charset UTF-8 (RFC 9110, section 8.3.1). */
function isJson(type: string, types: readonly string[]): boolean {
  const [media = '', ...parameters] = type.toLowerCase().split(';');
  if (media.trim() !== 'application/json' && !types.includes(media.trim())) return false;
  return parameters.every((parameter) => /^(charset *= *("utf-8"|utf-8))?$/.test(parameter.trim()));
}

const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Also with the charset, because some clients name it and matching treats it as another type. */
const withCharset = (type: string): string[] => [type, `${type};charset=utf-8`];
const OFFERED = ['application/json', 'application/problem+json'].flatMap(withCharset);

/** Whether the caller accepts JSON (RFC 9110, section 12.5.1). */
export function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept === '' || accept === '*/*' || accept === 'application/json') return true;
  return new Negotiator({ headers: { accept } }).mediaTypes(OFFERED).length > 0;
}

/** Whether the caller accepts an answer of this type. */
export const accepts = (accept: string | undefined, type: string): boolean =>
  new Negotiator({ headers: { accept } }).mediaTypes(withCharset(type)).length > 0;

/** Whether the caller prefers a stream of events to JSON. */
export const wantsStream = (accept: string | string[] | undefined): boolean =>
  accept !== undefined &&
  new Negotiator({ headers: { accept: String(accept) } }).mediaType(['application/json', 'text/event-stream']) ===
    'text/event-stream';

/** Whether the caller prefers Markdown to HTML (RFC 7763). */
export function wantsMarkdown({ headers }: { readonly headers: Readonly<Record<string, unknown>> }): boolean {
  const { accept } = headers;
  if (typeof accept !== 'string') return false;
  return new Negotiator({ headers: { accept } }).mediaType(['text/html', 'text/markdown']) === 'text/markdown';
}
