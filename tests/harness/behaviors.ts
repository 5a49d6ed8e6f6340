import { makeAgent } from '../../src/behaviors/agent/index.ts';
import makeAuth from '../../src/behaviors/auth/index.ts';
import { makeDo } from '../../src/behaviors/do/index.ts';
import { makeHello } from '../../src/behaviors/hello/index.ts';
import { makeProofread } from '../../src/behaviors/proofread/index.ts';
import { testHost } from '../../src/core/ports/behavior/check.ts';
import type { Behavior } from '../../src/core/ports/behavior.ts';
import { TRUST } from '../../src/core/sign-in/trusted-issuers.ts';
import { makeTasks } from '../../src/tasks/index.ts';
import { PROOFREAD_POOL } from './threads.ts';

/** All tasks, with as few threads as possible. */
export const testTasks = () => makeTasks({ sandbox_workers: 1, sandbox_queue: 10 });

/** The behaviors of the product, with as few threads as possible and without access to the outside. */
export function testBehaviors(): readonly Behavior[] {
  const host = testHost();
  const made = [
    makeAgent(),
    makeHello(),
    makeDo({
      tasks: testTasks(),
      limits: { steps: 50, ms: 5_000, output_bytes: 65_536, total_bytes: 262_144, memory_bytes: 32 << 20 },
      mailDomain: 'mailroom.test',
      get: () => Promise.reject(new Error('There is no outside here.')),
      sign: async () => 'header.payload.signature',
    }),
    makeProofread({ workers: 1, pool: PROOFREAD_POOL }),
    makeAuth({ ...host, issuer: { ...host.issuer, trust: TRUST } }),
  ];
  return made as unknown as readonly Behavior[];
}
