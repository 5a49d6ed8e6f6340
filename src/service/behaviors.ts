import type { AuthOptions } from '../behaviors/auth/index.ts';
import type { PlannerThreads } from '../behaviors/do/threads/planner-threads.ts';
import { makeBehaviors } from '../behaviors/index.ts';
import type { ProofreadOptions } from '../behaviors/proofread/index.ts';
import type { Remotes } from '../behaviors/steps/outside/remotes.ts';
import type { ExecutionLimits } from '../behaviors/steps/running/execution-parts.ts';
import type { Config } from '../config.ts';
import type { Directory } from '../core/access/directory.ts';
import type { Behavior } from '../core/ports/behavior.ts';
import { SECOND } from '../core/values/clock.ts';
import type { Keyring } from '../keyring/keyring.ts';
import { Model } from '../model/model.ts';
import type { Resolver } from '../net/guarded-connect.ts';
import { makeTasks } from '../tasks/index.ts';
import type { Task } from '../tasks/task.ts';
import { makeFetch } from './fetch.ts';

export interface BehaviorParts extends Pick<AuthOptions, 'issuer' | 'tokens' | 'signIns' | 'allowances'> {
  readonly keyring: Keyring;
  readonly directory: Directory;
  readonly resolve: Resolver;
  /** Servers and agents of others that owners list. */
  readonly outside: Remotes;
  /** Undefined: own threads. */
  readonly threads: Partial<SharedThreads> | undefined;
}

/** Threads for several services of a process: a service that ends leaves them running. */
export interface SharedThreads {
  /** Threads that proofread. */
  readonly proofread: ProofreadOptions['pool'];
  /** Threads that read instructions, with the limits of `doLimitsOf`. */
  readonly planner: PlannerThreads;
  /** All tasks, of which some have threads. */
  readonly tasks: readonly Task[];
}

/** The limits of a message to `do`, as configured. */
export const doLimitsOf = (config: Config): ExecutionLimits => ({
  steps: config.DO_STEPS,
  ms: config.DO_STEP_SECONDS * SECOND,
  output_bytes: config.DO_STEP_OUTPUT,
  total_bytes: config.DO_OUTPUT,
  reply_bytes: config.LIMIT_REPLY,
  memory_bytes: config.DO_MEMORY,
});

/** The built-in behaviors, as configured. */
export function behaviorsOf(config: Config, parts: BehaviorParts): readonly Behavior[] {
  const { keyring, directory, resolve, outside, issuer, tokens, signIns, allowances } = parts;
  const { threads } = parts;
  const model = makeModel(config);
  return makeBehaviors({
    proofread: {
      workers: config.PROOFREAD_WORKERS,
      pool: threads?.proofread,
      max_queue: config.PROOFREAD_QUEUE,
      run_ms: config.RUN_SECONDS * SECOND,
      model,
      // Leaves Harper the time to answer instead.
      model_ms: Math.min(config.MODEL_SECONDS, config.RUN_SECONDS * 0.8) * SECOND,
      model_tokens: config.MODEL_TOKENS,
    },
    do: {
      tasks:
        threads?.tasks ?? makeTasks({ sandbox_workers: config.SANDBOX_WORKERS, sandbox_queue: config.SANDBOX_QUEUE }),
      limits: doLimitsOf(config),
      threads: threads?.planner,
      mailDomain: config.MAIL_DOMAIN,
      get: makeFetch(config, resolve, { ms: config.DO_STEP_SECONDS * SECOND, bytes: config.FETCH_BYTES, redirects: 5 }),
      sign: (payload) => keyring.sign('receipt', payload),
      signer: () => keyring.signer('receipt'),
      outside,
      model,
      // Leaves the answer without a model the time it needs.
      model_limits: { steps: config.MODEL_STEPS, tokens: config.MODEL_TOKENS, ms: config.RUN_SECONDS * 0.8 * SECOND },
    },
    auth: {
      issuer,
      mailDomain: config.MAIL_DOMAIN,
      tokens,
      signIns,
      allowances,
      lookUp: { key: (id) => directory.keyById(id), mailbox: (id) => directory.mailboxById(id) },
    },
  });
}

/** The model that behaviors may use, if one is configured. */
const makeModel = (config: Config): Model | undefined =>
  config.MODEL_BASE_URL === undefined || config.MODEL_NAME === undefined
    ? undefined
    : new Model({
        base_url: config.MODEL_BASE_URL,
        name: config.MODEL_NAME,
        api_key: config.MODEL_API_KEY,
        step_ms: config.MODEL_SECONDS * SECOND,
      });
