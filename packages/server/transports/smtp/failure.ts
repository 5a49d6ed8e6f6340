import { AppError } from '@mailroom/behavior/values/error';

/** An answer to a command that refuses it: the code (RFC 5321, section 4.2.3), the enhanced code (RFC 3463) and a text. */
export class SmtpFailure extends Error {
  readonly responseCode: number;

  constructor(code: number, enhanced: string, text: string) {
    super(`${enhanced} ${text}`);
    this.name = 'SmtpFailure';
    this.responseCode = code;
  }
}

/** What the errors of the core are in SMTP; any other asks the sender to try again. */
const CODES: Readonly<Partial<Record<AppError['code'], readonly [code: number, enhanced: string]>>> = {
  mailbox_not_found: [550, '5.1.1'],
  mailbox_gone: [550, '5.1.6'],
  namespace_gone: [550, '5.1.6'],
  access_denied: [550, '5.7.1'],
  insufficient_scope: [535, '5.7.8'],
  invalid_key: [535, '5.7.8'],
  sender_not_allowed: [550, '5.7.1'],
  loop_detected: [554, '5.4.6'],
  mailbox_full: [452, '4.2.2'],
  storage_full: [452, '4.2.2'],
  body_too_large: [552, '5.3.4'],
  validation_error: [554, '5.6.0'],
  rate_limited: [450, '4.7.1'],
  unavailable: [451, '4.3.0'],
};

/** An error as a stranger is told it, who neither needs to know what a namespace stores nor can do anything about it. */
export const forStranger = (error: unknown): unknown =>
  error instanceof AppError && error.code === 'storage_full'
    ? new SmtpFailure(452, '4.2.2', 'There is no room left for this mail. Try again later.')
    : error;

/** The answer for an error, and whether it is unexpected. */
export function failureOf(error: unknown): { readonly failure: SmtpFailure; readonly unexpected: boolean } {
  if (error instanceof SmtpFailure) return { failure: error, unexpected: false };
  const reply = error instanceof AppError ? CODES[error.code] : undefined;
  if (reply === undefined || !(error instanceof Error))
    return { failure: new SmtpFailure(451, '4.3.0', 'Something went wrong here. Try again later.'), unexpected: true };
  return { failure: new SmtpFailure(...reply, error.message), unexpected: false };
}
