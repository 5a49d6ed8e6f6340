import type { Example } from '../../core/behavior.ts';

/** Really given like this: tests/proofread/behavior.test.ts compares. */
export const EXAMPLE: Example = {
  body: 'I recieved three message from teh support, but there answer dont help.',
  reply: '',
};
