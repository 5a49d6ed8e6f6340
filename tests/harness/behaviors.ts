import { makeAgent } from '@mailroom/agent';
import makeAuth from '@mailroom/auth';
import type { Behavior } from '@mailroom/behavior';
import { testHost } from '@mailroom/behavior/check';
import { makeDo } from '@mailroom/do';
import { makeTasks } from '@mailroom/english-instructions/tasks/index';
import { makeHello } from '@mailroom/hello';
import { makeProofread } from '@mailroom/proofread';
import { TRUST } from '@mailroom/server/core/sign-in/trusted-issuers';
import { PROOFREAD_POOL } from './threads.ts';

/** All tasks, with as few threads as possible. */
export const testTasks = () => makeTasks({ sandbox_workers: 1, sandbox_queue: 10 });

/** The behaviors of the product, with as few threads as possible and without access to the outside. */
export function testBehaviors(): readonly Behavior[] {
  const host = testHost();
  const behaviors = [
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
  return behaviors as unknown as readonly Behavior[];
}
