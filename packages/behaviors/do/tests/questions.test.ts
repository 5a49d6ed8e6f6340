import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Outcome } from '@mailroom/behavior';
import { textOf } from '@mailroom/behavior/values/json';
import type { Step } from '@mailroom/english-instructions/plan/index';
import type { Message } from '@mailroom/server/core/entities/message';
import { testTasks } from '../../../../tests/harness/behaviors.ts';
import { makeDo } from '../index.ts';
import type { Settings } from '../owner/settings.ts';
import { contextOf, messageOf } from './context.ts';

const behavior = makeDo({
  tasks: testTasks(),
  limits: { steps: 20, ms: 5_000, output_bytes: 65_536, total_bytes: 262_144, memory_bytes: 32 << 20 },
  mailDomain: 'mailroom.test',
  get: () => Promise.reject(new Error('There is no outside here.')),
  sign: async () => 'signed',
});
after(() => behavior.close?.());

// Steps with effects wait for the owner here, so that the plan is shown and nothing is done.
const settings: Settings = { approval: ['send', 'calculate', 'convert', 'text'] };

/** A conversation, in which each text answers the question before, and its result. */
async function saying(...bodies: readonly string[]): Promise<Outcome> {
  const before: Message[] = [];
  for (const [at, body] of bodies.entries()) {
    const first = before[0];
    const message = messageOf(body, first && { thread_id: first.thread_id });
    const services = { thread: async () => [...before] };
    const outcome = await behavior.handle(message, contextOf({ settings, services }));
    if (at === bodies.length - 1) return outcome;
    assert.equal(outcome.kind, 'input_required', JSON.stringify([body, outcome]));
    const data = 'data' in outcome && outcome.data !== undefined ? textOf(outcome.data) : null;
    before.push({ ...message, status: 'input_required', reply: { body: '', data } } as unknown as Message);
  }
  assert.fail('Nothing was said.');
}
const planned = (outcome: Outcome): string[] => {
  assert.ok(outcome.kind === 'wait' && outcome.for === 'approval', JSON.stringify(outcome));
  const { steps } = outcome.plan as unknown as { readonly steps: readonly Step[] };
  return steps.map(({ task, input }) => `${task} ${JSON.stringify(input)}`);
};

describe('an answer stands for the unclear part alone', () => {
  const SENT = /^send .*bob@acme\.mailroom\.test/;
  for (const [said, wanted] of [
    [
      ['send "hello" to bob@acme.mailroom.test, then frobnicate the gadget', 'calculate 1+1'],
      [SENT, /^calculate .*1\+1/],
    ],
    [
      ['frobnicate the gadget, then send "hello" to bob@acme.mailroom.test', 'calculate 1+1'],
      [/^calculate/, SENT],
    ],
    [
      ['send "hello" to bob@acme.mailroom.test; frobnicate it; frobnicate that', 'calculate 1+1', 'calculate 2+2'],
      [SENT, /1\+1/, /2\+2/],
    ],
    [
      ['calculate 6*7, then frobnicate', 'send "hello" to bob@acme.mailroom.test, then jiggle', 'calculate 2+2'],
      [/6\*7/, SENT, /2\+2/],
    ],
    [
      ['calculate 6*7, then convert 5 miles', 'km'],
      [/6\*7/, /^convert .*km/],
    ],
    [
      ['calculate 6*7 and convert 5 miles', 'km'],
      [/6\*7/, /^convert .*km/],
    ],
    [
      ['frobnicate', 'jiggle, then calculate 6*7', 'calculate 2+2'],
      [/2\+2/, /6\*7/],
    ],
    [['frobnicate', 'jiggle', 'calculate 2+2'], [/2\+2/]],
    [['Hi!', 'calculate 2+2'], [/2\+2/]],
  ] as const) {
    test(JSON.stringify(said), async () => {
      const steps = planned(await saying(...said));
      assert.equal(steps.length, wanted.length, JSON.stringify(steps));
      for (const [at, one] of wanted.entries()) assert.match(steps[at] as string, one);
    });
  }
});
