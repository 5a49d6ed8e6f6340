import assert from 'node:assert/strict';
import type { Answer } from './client.ts';
import { CODES, type Problem } from './wire.ts';

/**
 * Asserts that an answer is the problem with this code, in the shape that every problem has (contract, section 6), and
 * that one of its errors points to `pointer`.
 */
export function isProblem(answer: Answer<unknown>, code: string, pointer?: string): Problem {
  const expected = CODES[code];
  assert.ok(expected !== undefined, `${code} is no code of the contract`);
  const description = `expected ${expected} ${code}, got ${answer.status} ${answer.text.slice(0, 600)}`;
  const problem = answer.body as Problem;
  assert.equal(answer.status, expected, description);
  assert.equal(answer.headers.get('content-type'), 'application/problem+json', description);
  assert.equal(problem.code, code, description);
  assert.equal(problem.type, `urn:mailroom:problem:${code}`, description);
  assert.equal(problem.status, expected, description);
  assert.equal(problem.docs, `/problems/${code}`, description);
  assert.ok(typeof problem.title === 'string' && problem.title !== '', description);
  assert.ok(typeof problem.detail === 'string' && problem.detail !== '', description);
  assert.ok(typeof problem.request_id === 'string' && problem.request_id !== '', description);
  assert.equal(problem.request_id, answer.headers.get('x-request-id'), `request_id is X-Request-Id: ${description}`);
  if (expected === 401) assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer\b/, description);
  if (expected === 429 || expected === 503) {
    assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/, `Retry-After: ${description}`);
  }
  if (problem.errors !== undefined) {
    assert.ok(Array.isArray(problem.errors), description);
    for (const error of problem.errors) {
      assert.ok(
        typeof error.pointer === 'string' && typeof error.message === 'string' && error.message !== '',
        description,
      );
    }
  }
  if (pointer !== undefined) {
    const pointers = (problem.errors ?? []).map((error) => error.pointer);
    assert.ok(pointers.includes(pointer), `an error at ${pointer}: ${description}`);
  }
  return problem;
}

/** Like `isProblem`, where the contract allows several codes. */
export function isOneOf(answer: Answer<unknown>, ...codes: string[]): Problem {
  const code = (answer.body as Problem | undefined)?.code ?? '';
  assert.ok(
    codes.includes(code),
    `expected one of ${codes.join(', ')}, got ${answer.status} ${answer.text.slice(0, 600)}`,
  );
  return isProblem(answer, code);
}
