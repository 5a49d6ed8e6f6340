import { makeBehaviors } from '../../src/behaviors/index.ts';
import type { Behavior } from '../../src/core/ports/behavior.ts';
import { makeTasks } from '../../src/tasks/index.ts';
import { PROOFREAD_POOL } from './threads.ts';

/** All tasks, with as few threads as possible. */
export const testTasks = () => makeTasks({ sandbox_workers: 1, sandbox_queue: 10 });

const noSignIn = () => Promise.reject(new Error('Sign-in is not available here.'));

/** The behaviors of the product, with as few threads as possible and without access to the outside. */
export const testBehaviors = (): readonly Behavior[] =>
  makeBehaviors({
    proofread: { workers: 1, pool: PROOFREAD_POOL },
    do: {
      tasks: testTasks(),
      limits: { steps: 50, ms: 5_000, output_bytes: 65_536, total_bytes: 262_144, memory_bytes: 32 << 20 },
      mailDomain: 'mailroom.test',
      get: () => Promise.reject(new Error('There is no outside here.')),
      sign: async () => 'header.payload.signature',
    },
    auth: {
      issuer: (namespace) => `https://mailroom.test/oidc/${namespace}`,
      mailDomain: 'mailroom.test',
      tokens: { issue: noSignIn },
      signIns: { begin: noSignIn },
      allowances: { has: async () => false },
      lookUp: { key: () => undefined, mailbox: () => undefined },
    },
  });
