import type { Behavior } from '../core/behavior.ts';
import { makeAssistant } from './assistant/index.ts';
import type { AuthOptions } from './auth/index.ts';
import { makeAuth } from './auth/index.ts';
import type { DoOptions } from './do/index.ts';
import { MODEL_LIMITS, makeDo } from './do/index.ts';
import { hello } from './hello.ts';
import type { ProofreadOptions } from './proofread/index.ts';
import { makeProofread } from './proofread/index.ts';

/** Every behavior this build has. To add one, copy `hello.ts` and name it here. */
export const makeBehaviors = (options: {
  readonly proofread: ProofreadOptions;
  readonly do: DoOptions;
  readonly auth: AuthOptions;
}): readonly Behavior[] => [
  hello as Behavior,
  makeDo(options.do) as Behavior,
  makeProofread(options.proofread) as Behavior,
  ...assistant(options.do),
  makeAuth(options.auth),
];

/** Only a model can be one. */
const assistant = ({ model, model_limits = MODEL_LIMITS, ...shared }: DoOptions): readonly Behavior[] =>
  model === undefined ? [] : [makeAssistant({ ...shared, model, model_limits }) as Behavior];
