import { ModelError } from '@mailroom/behavior/model';

/** Statuses below 500 that are not about the request itself: key, payment, name of the model, rate limit. */
const NOT_OURS: ReadonlySet<number> = new Set([401, 402, 403, 404, 405, 407, 408, 409, 425, 429]);

/** The fields that the SDK's errors share with errors of `fetch`. */
interface Loose {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly statusCode?: unknown;
  readonly message?: unknown;
  readonly lastError?: unknown;
  readonly cause?: unknown;
}

/** Describes the error without any text from elsewhere: a server may repeat the key or the prompt. */
export function asModelError(error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  const { name, statusCode, lastError, cause, message } = (
    typeof error === 'object' && error !== null ? error : {}
  ) as Loose;
  if (name === 'AI_RetryError') return asModelError(lastError);
  if (cause instanceof ModelError) return cause;
  if (typeof statusCode === 'number' && (statusCode < 200 || statusCode > 299)) return ofStatus(statusCode);
  const code = codeOf(error);
  const answered = typeof statusCode === 'number';
  if ((answered && code !== undefined) || (name === 'AI_InvalidResponseDataError' && message === CUT_OFF)) {
    return new ModelError('down', "The model's answer broke off.");
  }
  if (answered || GARBLED.has(String(name))) {
    return new ModelError('garbled', "The model's server answered with something else than an answer.");
  }
  if (OURS.has(String(name))) return new ModelError('refused', 'The conversation cannot be sent to a model.');
  return new ModelError(
    'down',
    code === undefined ? "The model's server failed." : `The model's server cannot be reached (${code}).`,
  );
}
const CUT_OFF = 'Response stream ended without a finish reason.';
const GARBLED: ReadonlySet<string> = new Set([
  // Of an answer that is nested deeper than a library can follow.
  'RangeError',
  'AI_JSONParseError',
  'AI_TypeValidationError',
  'AI_InvalidResponseDataError',
  'AI_EmptyResponseBodyError',
  'AI_NoOutputGeneratedError',
]);
const OURS: ReadonlySet<string> = new Set([
  'AI_InvalidPromptError',
  'AI_MissingToolResultsError',
  'AI_InvalidArgumentError',
  'AI_UnsupportedFunctionalityError',
]);

const ofStatus = (status: number): ModelError =>
  new ModelError(
    status >= 400 && status < 500 && !NOT_OURS.has(status) ? 'refused' : 'down',
    `The model's server answered ${status}.`,
  );

/** The system's code of a broken connection, such as ECONNREFUSED, from a few causes down. */
function codeOf(error: unknown): string | undefined {
  let problem: unknown = error;
  for (let depth = 0; depth < 5 && typeof problem === 'object' && problem !== null; depth += 1) {
    const { code, cause } = problem as Loose;
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,40}$/.test(code)) return code;
    problem = cause;
  }
  return undefined;
}
