import { type AppError, type Code, type FieldError, problems } from '@mailroom/behavior/values/error';
import { Type } from 'typebox';

/** JSON is UTF-8, and its media types have no parameter (RFC 8259, section 11). */
export const PROBLEM_JSON = 'application/problem+json';

export const Problem = Type.Object(
  {
    type: Type.String({ description: 'A name for the kind of problem that never changes.' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String({ description: 'What is wrong and how to fix it.' }),
    code: Type.Enum(Object.keys(problems)),
    docs: Type.String({ description: 'Where this code is explained.' }),
    request_id: Type.String({ description: 'Name it when you ask for help.' }),
    errors: Type.Array(
      Type.Object({
        pointer: Type.String({ description: 'Where in the body (RFC 6901), or `/name` of a parameter.' }),
        message: Type.String(),
      }),
    ),
  },
  { $id: 'Problem', description: 'What went wrong (RFC 9457).' },
);

/** The problem document (RFC 9457, section 3). */
export function problemDocument(
  code: Code,
  detail: string,
  request_id: string,
  errors: readonly FieldError[] = [],
): string {
  const { status, title } = problems[code];
  return JSON.stringify({
    type: `urn:mailroom:problem:${code}`,
    title,
    status,
    detail,
    code,
    docs: `/problems/${code}`,
    request_id,
    errors,
  });
}

/** The headers of a problem besides its type. */
export function problemHeaders(error: AppError): Record<string, string> {
  const headers: Record<string, string> = {};
  if (error.challenge !== undefined) headers['www-authenticate'] = error.challenge;
  else if (problems[error.code].status === 401) headers['www-authenticate'] = 'Bearer';
  if (error.retry_after_ms !== undefined)
    headers['retry-after'] = String(Math.max(1, Math.ceil(error.retry_after_ms / 1000)));
  return headers;
}
