import type { Example } from '../harness.ts';

const SQUARES = '[1, 2, 3].map((n) => n * n)';

/** Scripts as people ask to have them run. */
export const RUN: readonly Example[] = [
  { says: 'run', data: '1 + 1', language: 'js', input: { code: '1 + 1' }, result: 2 },
  { says: 'run', data: 'return 2 ** 10;', language: 'javascript', result: 1024 },
  { says: 'run: return [3, 1, 2].sort();', result: [1, 2, 3] },
  { says: `evaluate this javascript: ${SQUARES}`, input: { code: SQUARES }, result: [1, 4, 9] },
  { says: `execute this code: ${SQUARES}`, result: [1, 4, 9] },
  { says: 'run this script', data: 'const a = 4;\na * a', result: 16 },
  { says: 'run this', data: 'export default "module"', language: 'mjs', result: 'module' },
  { says: 'run the following JavaScript', data: '`eggs`.toUpperCase()', result: 'EGGS' },
  {
    says: 'run this on it',
    data: 'input.map((n) => n + 1)',
    language: 'js',
    it: [1, 2],
    input: { code: 'input.map((n) => n + 1)', input: '{{1}}' },
    result: [2, 3],
  },
  {
    says: 'run this script with the result',
    data: 'return input * 2',
    it: 21,
    input: { code: 'return input * 2', input: '{{1}}' },
    result: 42,
  },
  { says: 'execute this code on the result of step 1', data: 'input.length', language: 'js', it: 'four', result: 4 },
  { says: 'run this code on step 1', data: 'input.a', language: 'js', it: { a: { b: null } }, result: { b: null } },
  { says: 'run this function on [1, 2, 3]', data: '(list) => list.length', language: 'js', result: 3 },
  { says: 'run this script with input "text"', data: 'input.toUpperCase()', language: 'js', result: 'TEXT' },
  { says: 'run this script on {"x": 5}', data: 'input.x', language: 'js', result: 5 },
  { says: 'run `[1, 2].length`', input: { code: '[1, 2].length' }, result: 2 },
  { says: 'what does this return', data: '(() => 7)()', language: 'js', result: 7 },
  { says: 'what is the result of this code', data: 'Math.max(1, 9)', language: 'js', result: 9 },
  { says: 'run my program', data: 'console.log("Hello!");', language: 'js', result: null },
  { says: 'execute', data: 'await Promise.all([1, 2])', language: 'js', result: [1, 2] },
  { says: 'eval this', data: 'typeof process + typeof require', language: 'js', result: 'undefinedundefined' },
  { says: 'run this code', data: 'Math.random()', language: 'js', result: (n: number) => n >= 0 && n < 1 },
  { says: 'run this script', asks: 'Which script' },
  { says: 'run a javascript program', asks: 'Which script' },
  { says: 'run this', data: 'print(1)', language: 'python', asks: 'I run JavaScript only, and this is Python' },
];
