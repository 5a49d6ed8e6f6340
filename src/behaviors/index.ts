import type { Behavior } from '../core/ports/behavior.ts';
import { makeAgent } from './agent.ts';
import { makeAssistant } from './assistant/index.ts';
import type { AuthOptions } from './auth/index.ts';
import { makeAuth } from './auth/index.ts';
import type { DoOptions } from './do/index.ts';
import { MODEL_LIMITS, makeDo } from './do/index.ts';
import { PlannerThreads } from './do/threads/planner-threads.ts';
import { makeHello } from './hello.ts';
import type { ProofreadOptions } from './proofread/index.ts';
import { makeProofread } from './proofread/index.ts';

/** Every behavior of this build. To add one, copy `hello.ts` and add it here. */
export function makeBehaviors(options: {
  readonly proofread: ProofreadOptions;
  readonly do: DoOptions;
  readonly auth: AuthOptions;
}): readonly Behavior[] {
  const { signer, limits, threads = signer && new PlannerThreads({ limits }) } = options.do;
  return [
    makeAgent() as Behavior,
    makeHello() as Behavior,
    makeDo({ ...options.do, threads }) as Behavior,
    makeProofread(options.proofread) as Behavior,
    ...assistant({ ...options.do, tasks: threads?.tasks(options.do.tasks) ?? options.do.tasks }),
    makeAuth(options.auth),
  ];
}

/** The assistant exists only where a model is configured. */
const assistant = ({ model, model_limits = MODEL_LIMITS, ...shared }: DoOptions): readonly Behavior[] =>
  model === undefined ? [] : [makeAssistant({ ...shared, model, model_limits }) as Behavior];
