import type { Answered } from './exchange.ts';
import type { Message, Problem } from './types.generated.ts';

/** The codes of this client itself; all others are the service's own, explained at `/problems/{code}`. */
export type ClientCode =
  | 'configuration'
  | 'network_error'
  | 'timeout'
  | 'unexpected_answer'
  | 'invalid_signature'
  | 'canceled'
  | 'failed'
  | 'rejected';

/** What a `MailroomError` holds besides its text. */
export interface ErrorDetails {
  readonly code: string;
  readonly status?: number | undefined;
  readonly request_id?: string | undefined;
  readonly errors?: Problem['errors'] | undefined;
  readonly docs?: string | undefined;
  readonly retry_after?: number | undefined;
  readonly envelope?: Message | undefined;
  readonly cause?: unknown;
}

/** Every error of this client: a problem that the service answered with, a message without a reply, or the network. */
export class MailroomError extends Error {
  override readonly name = 'MailroomError';
  /** What to branch on: a code of the service, or one of this client's own. */
  readonly code: Problem['code'] | ClientCode | (string & {});
  /** The HTTP status; undefined where there was no answer. */
  readonly status: number | undefined;
  /** Name it when you ask for help. */
  readonly request_id: string | undefined;
  /** What is wrong in the request, field by field. */
  readonly errors: Problem['errors'];
  /** The page that explains the code. */
  readonly docs: string | undefined;
  /** Seconds to wait before trying again, where the service says so. */
  readonly retry_after: number | undefined;
  /** The message that failed, was rejected or canceled, where that is the error. */
  readonly envelope: Message | undefined;

  constructor(text: string, details: ErrorDetails) {
    super(text, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = details.code;
    this.status = details.status;
    this.request_id = details.request_id;
    this.errors = details.errors ?? [];
    this.docs = details.docs;
    this.retry_after = details.retry_after;
    this.envelope = details.envelope;
  }
}

/** The error for an answer that is not 2xx; reads its body (RFC 9457). */
export async function errorOf(response: Answered, url: string): Promise<MailroomError> {
  const { status, headers } = response;
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  const details = {
    status,
    request_id: headers.get('x-request-id') ?? undefined,
    retry_after: Number.isFinite(seconds) ? seconds : undefined,
  };
  const problem = (await response.json().catch(() => undefined)) as Partial<Problem> | undefined;
  if (typeof problem?.code !== 'string') {
    const to = headers.get('location');
    const text =
      to === null
        ? `${url} answered ${status} without a problem document; is it the URL of a Mailroom service?`
        : `${url} redirects to ${to}. Use that URL.`;
    return new MailroomError(text, { ...details, code: 'unexpected_answer' });
  }
  const { code, detail, title, errors, docs } = problem;
  return new MailroomError(detail ?? title ?? code, {
    ...details,
    code,
    errors,
    docs: docs === undefined ? undefined : new URL(docs, url).href,
    request_id: problem.request_id ?? details.request_id,
  });
}
