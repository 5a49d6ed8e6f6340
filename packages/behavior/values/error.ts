/** The place of a wrong value in the request: a JSON pointer (RFC 6901) into the body, or `/name` of a query parameter. */
export interface FieldError {
  readonly pointer: string;
  readonly message: string;
}

/**
 * Every error a call can have, with its HTTP status and what a caller should know about it. The keys are the contract's
 * codes; none is ever removed.
 */
export const problems = {
  malformed_json: { status: 400, title: 'The body is not JSON' },
  malformed_request: { status: 400, title: 'The request is not valid HTTP' },
  missing_key: { status: 401, title: 'An API key is needed' },
  invalid_key: { status: 401, title: 'The API key is not valid' },
  invalid_signature: { status: 401, title: 'The signature is not valid' },
  insufficient_scope: { status: 403, title: 'The key may not do this' },
  sender_not_allowed: { status: 403, title: 'This sender may not write' },
  recipient_not_allowed: { status: 403, title: 'This recipient is not written to' },
  access_denied: { status: 403, title: 'Not open to this caller' },
  not_found: { status: 404, title: 'Nothing here' },
  namespace_not_found: { status: 404, title: 'No such namespace' },
  mailbox_not_found: { status: 404, title: 'No such mailbox' },
  message_not_found: { status: 404, title: 'No such message' },
  review_not_found: { status: 404, title: 'No such review' },
  method_not_allowed: { status: 405, title: 'Not with this method' },
  not_acceptable: { status: 406, title: 'No such representation' },
  request_timeout: { status: 408, title: 'The request took too long to arrive' },
  namespace_taken: { status: 409, title: 'The namespace is taken' },
  domain_taken: { status: 409, title: 'The domain is verified elsewhere' },
  mailbox_taken: { status: 409, title: 'The address is taken' },
  draft_sent: { status: 409, title: 'The draft is sent or being sent' },
  not_waiting: { status: 409, title: 'Nothing waits for this' },
  review_changed: { status: 409, title: 'It is not what was seen' },
  claim_lost: { status: 409, title: 'The claim was lost' },
  webhook_disabled: { status: 409, title: 'The webhook is switched off' },
  mailbox_gone: { status: 410, title: 'The mailbox was deleted' },
  namespace_gone: { status: 410, title: 'The namespace was deleted' },
  raw_gone: { status: 410, title: 'The original is not kept any more' },
  precondition_failed: { status: 412, title: 'It was changed meanwhile' },
  body_too_large: { status: 413, title: 'Too large' },
  unsupported_media_type: { status: 415, title: 'Not a media type this takes' },
  range_not_satisfiable: { status: 416, title: 'No such range of bytes' },
  expectation_failed: { status: 417, title: 'The expectation cannot be met' },
  validation_error: { status: 422, title: 'Something in the request is not right' },
  idempotency_mismatch: { status: 422, title: 'The idempotency key was used for another request' },
  address_suppressed: { status: 422, title: 'Nothing is sent to this address' },
  rate_limited: { status: 429, title: 'Too fast' },
  mailbox_full: { status: 429, title: 'The mailbox is full' },
  headers_too_large: { status: 431, title: 'The headers are too large' },
  internal: { status: 500, title: 'That was us' },
  unavailable: { status: 503, title: 'Not available for a moment' },
  storage_full: { status: 507, title: 'The storage is full' },
  loop_detected: { status: 508, title: 'The message goes in circles' },
} as const;

export type Code = keyof typeof problems;

export interface ErrorExtras {
  /** Each wrong field, when there is more to say than the message. */
  readonly errors?: readonly FieldError[];
  /** When a retry makes sense. */
  readonly retry_after_ms?: number;
  /** How a caller authenticates instead (RFC 9110, section 11.6.1), where that is more than `Bearer`. */
  readonly challenge?: string;
  /** For the log only, never shown. */
  readonly cause?: unknown;
}

/** The error type of the service: `message` is safe to show and says how to fix the problem; `cause` is for the log. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: Code;
  readonly errors: readonly FieldError[];
  readonly retry_after_ms: number | undefined;
  readonly challenge: string | undefined;

  constructor(code: Code, message: string, extras: ErrorExtras = {}) {
    super(message, extras.cause === undefined ? undefined : { cause: extras.cause });
    this.code = code;
    this.errors = extras.errors ?? [];
    this.retry_after_ms = extras.retry_after_ms;
    this.challenge = extras.challenge;
  }
}

/** The error for one wrong value: 422 `validation_error` at `pointer`. */
export const invalid = (pointer: string, message: string): AppError =>
  new AppError('validation_error', message, { errors: [{ pointer, message }] });

export const idempotencyMismatch = (): AppError =>
  new AppError(
    'idempotency_mismatch',
    'This Idempotency-Key was used for another request. Use a new key for a new request.',
  );
