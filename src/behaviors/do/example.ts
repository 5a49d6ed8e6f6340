import type { Example } from '../../core/behavior.ts';

/** As it really answers: `tests/behaviors/do/example.test.ts`. */
export const EXAMPLE: Example = {
  body: 'Calculate 15% of 80, then convert it to hex',
  reply: '',
};
