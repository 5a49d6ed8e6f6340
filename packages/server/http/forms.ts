import type { IncomingHttpHeaders } from 'node:http';
import { AppError, invalid } from '@mailroom/behavior/values/error';
import { isMultipart } from './multipart.ts';

export const FORM = 'application/x-www-form-urlencoded';

/** Fields; no real form has more. */
export const MAX_FIELDS = 1_000;
const AMPERSAND = 0x26;

/** Bytes of a form. */
export const MAX_FORM = 256 * 1024;

/**
 * The fields of a form (WHATWG URL, section 5.1) with LF line breaks, where browsers send CRLF (WHATWG HTML, section
 * 4.10.22.4). AppError `validation_error` for characters that JSON strings may not hold either.
 */
export function readForm(body: Buffer): URLSearchParams {
  // Counted first, because parsing time grows with the square of the number of fields.
  let fields = 1;
  for (let at = body.indexOf(AMPERSAND); at >= 0; at = body.indexOf(AMPERSAND, at + 1)) {
    if (++fields > MAX_FIELDS) throw tooManyFields();
  }
  const form = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(body.toString('utf8'))) {
    appendField(form, name, value);
  }
  return form;
}

/** Adds a field with LF line breaks. AppError `validation_error` for U+0000. */
export function appendField(form: URLSearchParams, name: string, value: string): void {
  if (value.includes('\0')) throw invalid(`/${name}`, 'U+0000 cannot be stored. Leave it out.');
  form.append(name, value.replace(/\r\n?/g, '\n'));
}

export const tooManyFields = (): AppError => invalid('', `A form has no more than ${MAX_FIELDS} fields.`);

/** AppError `unsupported_media_type` unless the body is a form, which may be multipart where it `takesFiles`. */
export function checkFormType(headers: IncomingHttpHeaders, takesFiles: boolean): void {
  const [type = ''] = (headers['content-type'] ?? '').toLowerCase().split(';');
  const encoding = headers['content-encoding'];
  const known = type.trim() === FORM || (takesFiles && isMultipart(headers['content-type']));
  if (known && (encoding === undefined || encoding === 'identity')) return;
  throw new AppError('unsupported_media_type', `Send the form as ${FORM}, not compressed.`);
}

/**
 * AppError `access_denied` when another site's page sent the form. Browsers state its origin (`Sec-Fetch-Site`, W3C
 * Fetch Metadata; `Origin`, RFC 6454); a client that states none and sends no cookie acts for itself.
 */
export function checkOrigin(headers: IncomingHttpHeaders, host: string): void {
  const { origin, cookie } = headers;
  const site = headers['sec-fetch-site'];
  const foreign =
    (site !== undefined && site !== 'same-origin' && site !== 'none') ||
    (origin !== undefined && hostOf(origin) !== host.toLowerCase()) ||
    (origin === undefined && site === undefined && cookie !== undefined);
  if (foreign) {
    throw new AppError(
      'access_denied',
      'This form was sent from another page than ours. Open the page and send it there.',
    );
  }
}

/** The host with its port as in the Host header, without the scheme's default port. */
const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined);
