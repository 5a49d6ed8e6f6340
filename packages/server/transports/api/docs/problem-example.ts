import type { Code } from '@mailroom/behavior/values/error';
import { problemDocument } from '../../../http/problems.ts';
import { PROBLEM_TEXTS } from './problem-texts.ts';

/** A problem document as the service writes it, with an example of its detail. */
export function exampleProblem(code: Code): unknown {
  const { detail, errors } = PROBLEM_TEXTS[code];
  return JSON.parse(problemDocument(code, detail, 'req_5b1c7d0e9f2a4836b1c0', errors));
}
