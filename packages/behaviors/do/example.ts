import type { Example } from '@mailroom/behavior';

/** A real reply; `packages/behaviors/do/tests/answers.test.ts` compares it. */
export const EXAMPLE: Example = {
  body: 'Calculate 84.50 plus 10%, then split it among 5',
  reply: '1. **calculate**: 84.50 + 10% = **92.95**\n\n2. **calculate**: 92.95 / 5 = **18.59**',
};
