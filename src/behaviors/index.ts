import type { Behavior } from '../core/behavior.ts';
import { hello } from './hello.ts';
import { makeProofread } from './proofread/index.ts';

/** Every behavior this build has. To add one, copy `hello.ts` and name it here. */
export const makeBehaviors = (options: {
  readonly proofread: Parameters<typeof makeProofread>[0];
}): readonly Behavior[] => [hello as Behavior, makeProofread(options.proofread)];
