import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { after, before, describe, test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import type { Outcome, Services } from '@mailroom/behavior';
import type { Signer } from '@mailroom/behavior/host';
import { compactJws, signerOf } from '@mailroom/behavior/jws';
import type { Sender } from '@mailroom/behavior/message';
import { type Json, JsonText, textOf } from '@mailroom/behavior/values/json';
import { outOfTime } from '@mailroom/behavior/values/time-limit';
import type { Message } from '@mailroom/server/core/entities/message';
import type { Checkpoint } from '@mailroom/steps/running/checkpoint';
import { compactVerify } from 'jose';
import { testTasks } from '../../../../tests/harness/behaviors.ts';
import { chance } from '../../../../tests/harness/chance.ts';
import { amount } from '../../../../tests/soak/length.ts';
import { NOW } from '../../../english-instructions/tests/tasks/harness.ts';
import { makeDo } from '../index.ts';
import type { Settings } from '../owner/settings.ts';
import { PlannerThreads } from '../threads/planner-threads.ts';
import { contextOf, messageOf, proofIn } from './context.ts';

const keyPair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const [first, second] = [keyPair(), keyPair()];
let signer: Signer = signerOf(first.privateKey, 'first', 'test+json');

const shared = {
  tasks: testTasks(),
  limits: { steps: 5, ms: 10_000, output_bytes: 2_000, total_bytes: 3_000, memory_bytes: 32 << 20 },
  mailDomain: 'mailroom.test',
  get: () => Promise.reject(new Error('There is no outside here.')),
  sign: (payload: string) => compactJws(signer, payload),
};
const here = makeDo(shared);
const apart = makeDo({ ...shared, signer: () => signer });
/** Limits for long plans. */
const roomy = makeDo({
  ...shared,
  limits: { ...shared.limits, steps: 120, total_bytes: 1 << 20 },
  signer: () => signer,
});
after(() => Promise.all([here.close?.(), apart.close?.(), roomy.close?.()]));

/** Repeats a random run. */
const SEED = Number(process.env.SEED ?? 20_261_122);

const GUEST: Sender = { kind: 'guest', id: 'thr_1', namespace_id: null, key_id: null, from: null };
const procedures: Settings['procedures'] = [
  {
    name: 'net-price',
    description: 'Without tax.',
    parameters: { type: 'object', properties: { gross: { type: 'number' } }, required: ['gross'] },
    steps: [{ task: 'calculate', input: { expression: '{{input.gross}} / 1.19' } }],
  },
  {
    name: 'double',
    description: 'Twice as much.',
    parameters: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] },
    script: 'return input.x * 2',
  },
];

/** `steps` calculations whose many terms take a while. */
const calculations = (count: number, terms: number, term: string): Case => {
  const expression = Array.from({ length: terms }, () => term).join('+');
  return {
    body: 'x',
    data: { steps: Array.from({ length: count }, () => ({ task: 'calculate', input: { expression } })) },
  };
};
const SLOW = calculations(5, 120, 'exp(2.5)');
/** Takes longer than work without a checkpoint does. */
const LONG = calculations(120, 7, '1.5^1234.5');

interface Case {
  readonly body: string;
  readonly data?: Json;
  readonly settings?: Settings;
  readonly sender?: Sender;
  readonly signal?: AbortSignal;
  readonly report?: (text: string) => void;
  readonly services?: Partial<Services>;
}

const CASES: readonly Case[] = [
  { body: 'calculate 12*(3+4)' },
  { body: 'what is 15% of 80?' },
  { body: '7 * 191 + 3' },
  { body: 'calculate 1001!' },
  { body: 'calculate 1/0' },
  { body: 'Hello! Please convert 5 miles to km, then round it to 1 decimal. Thanks' },
  { body: 'uppercase: one two' },
  { body: 'encode in base64: héllo' },
  { body: '```js\nreturn 6 * 7\n```' },
  { body: 'parse this json: {"a": [1, 2]}' },
  { body: 'make me a sandwich' },
  { body: 'plan: calculate 2+2, then add 3 to it' },
  { body: 'calculate 2+2', data: { dry_run: true } },
  { body: 'calculate 2+2', data: { dry_run: 'yes' } },
  { body: 'x', data: { steps: [{ task: 'calculate', input: { expression: '2^10' } }] } },
  { body: 'x', data: { steps: [{ task: 'calculate', input: { expression: '{{2}}' } }] } },
  { body: '1. 1+1\n2. 2+2\n3. 3+3\n4. 4+4\n5. 5+5\n6. 6+6' },
  { body: 'calculate 2+2, then repeat "ab" 2000 times' },
  { body: 'remember that the door code is 4711', sender: GUEST },
  { body: 'calculate 2+2', settings: { rights: { own: ['text'] } } },
  { body: 'calculate 2+2', settings: { approval: ['calculate'] } },
  { body: 'net price with gross 119', settings: { procedures } },
  { body: 'double 21', settings: { procedures } },
];

/** Removes what differs between runs. */
const VARYING = new Set(['started_at', 'duration_ms', 'issued_at', 'jws', 'message_id', 'about']);
const comparable = (outcome: Outcome): unknown => {
  const data = 'data' in outcome && outcome.data instanceof JsonText ? outcome.data.toJSON() : undefined;
  return JSON.parse(JSON.stringify(data === undefined ? outcome : { ...outcome, data }), (name, value) =>
    VARYING.has(name) ? undefined : value,
  );
};

const answers = (behavior: typeof here, { body, data = null, ...situation }: Case) =>
  behavior.handle(messageOf(body, { data }), contextOf(situation));

// Loading on first use does not count as a step's time here.
before(() => answers(here, { body: 'calculate 1+1' }));

const PLANS = amount(20, 100);

describe('a message that is read on the thread for that', () => {
  for (const given of CASES) {
    const { body, data, settings, sender } = given;
    const how = JSON.stringify({ data, settings: settings && Object.keys(settings), guest: sender && true });
    test(`is answered as it is without one: ${JSON.stringify(body)} ${how}`, async () => {
      assert.deepEqual(comparable(await answers(apart, given)), comparable(await answers(here, given)));
    });
  }

  test(`is answered as it is without one: ${PLANS} plans by chance (SEED=${SEED})`, async () => {
    const random = chance(SEED);
    const one = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
    for (let n = 0; n < PLANS; n++) {
      const steps = Array.from({ length: 1 + Math.floor(random() * 5) }, (_, at) => {
        const result = at > 0 && random() < 0.6 ? `{{${1 + Math.floor(random() * at)}}}` : one(['7', 'ab', '[1,2]']);
        return one([
          { task: 'calculate', input: { expression: `${result} * ${one(['2', '1.5', '0', '(', '1/0'])}` } },
          { task: 'text', input: { op: one(['reverse', 'say', 'count']), text: result } },
          { task: 'text', input: { op: 'say', text: result.repeat(one([1, 100, 900])) } },
          { task: 'encode', input: { op: one(['encode', 'decode']), as: one(['base64', 'hex', 'url']), text: result } },
          { task: 'json', input: { op: one(['format', 'parse']), json: result } },
          { task: 'convert', input: { from: `${result} ${one(['km', 'kg'])}`, to: one(['miles', 'g']) } },
        ] as const);
      });
      const given = { body: 'x', data: { steps: steps as unknown as Json } };
      const label = `SEED=${SEED}, plan ${n}: ${JSON.stringify(steps)}`;
      assert.deepEqual(comparable(await answers(apart, given)), comparable(await answers(here, given)), label);
    }
  });

  for (const [first, second] of [
    ['calculate 6*7', 'double it'],
    ['calculate 6*7', 'calculate {{0.result}} - 2, then convert it to hex'],
    ['convert 5 miles', 'km'],
    ['make me a sandwich', '2+2'],
    ['make me a sandwich', 'never mind'],
  ] as const) {
    test(`and goes on with a thread is answered as it is without one: ${first}; ${second}`, async () => {
      const message = messageOf(first);
      const outcome = await here.handle(message, contextOf());
      const status = outcome.kind === 'reply' ? 'completed' : outcome.kind;
      const data = 'data' in outcome && outcome.data !== undefined ? textOf(outcome.data) : null;
      const services = {
        thread: async () => [{ ...message, status, reply: { body: '', data } } as unknown as Message],
      };
      const goesOn = (behavior: typeof here) =>
        behavior.handle(messageOf(second, { thread_id: message.thread_id }), contextOf({ services }));
      assert.deepEqual(comparable(await goesOn(apart)), comparable(await goesOn(here)));
    });
  }

  test('of several steps is done by a thread that has loaded nothing yet', async () => {
    const cold = makeDo({ ...shared, signer: () => signer });
    try {
      const outcome = await answers(cold, { body: 'calculate sqrt(16), then convert 5 miles to km' });
      assert.deepEqual(
        proofIn(outcome).steps.map(({ status }) => status),
        ['completed', 'completed'],
      );
    } finally {
      await cold.close?.();
    }
  });

  test('with a procedure and a step behind it is done beside others that take long', async () => {
    const given = { body: 'net price with gross 119, then calculate 2+2', settings: { procedures } };
    const first = answers(apart, given);
    const slow = Array.from({ length: 4 }, () => answers(apart, SLOW));
    assert.deepEqual(comparable(await first), comparable(await answers(here, given)));
    for (const one of slow) await one;
  });

  test('tells when it ran, not when it was handed over', async () => {
    const slow = answers(apart, SLOW);
    const quick = await answers(apart, { body: 'calculate 6*7' });
    const { issued_at, steps } = proofIn(quick);
    const at = Date.parse(steps[0]?.started_at ?? '') - NOW;
    assert.ok(at > 20, `${at} ms after it was handed over`);
    assert.ok(Date.parse(issued_at) - NOW >= at);
    await slow;
  });

  test('and takes long tells which step it is at, and what it has done is kept', async () => {
    const [said, kept]: [string[], Checkpoint[]] = [[], []];
    const services = { save: async (state: Json) => void kept.push(state as unknown as Checkpoint) };
    const outcome = await answers(roomy, { ...LONG, report: (text) => said.push(text), services });
    assert.equal(outcome.kind, 'reply', JSON.stringify(outcome).slice(0, 500));
    assert.ok(said.length > 2, JSON.stringify(said));
    for (const text of said) assert.match(text, /^Step \d+ of 120: calculate$/);
    const { steps } = proofIn(outcome);
    assert.ok(kept.length > 0);
    for (const { steps: done, running } of kept) {
      assert.deepEqual([done, running], [steps.slice(0, done.length), null]);
    }
  });

  test('and takes long ends when it is canceled, and the others go on meanwhile', async () => {
    const abort = new AbortController();
    const said: string[] = [];
    const long = answers(roomy, {
      ...LONG,
      signal: abort.signal,
      report: (text) => {
        said.push(text);
        abort.abort(new Error('canceled'));
      },
    });
    const ended = assert.rejects(async () => long, /canceled/);
    const quick = await answers(roomy, { body: 'calculate 6*7' });
    assert.equal(quick.kind, 'reply');
    await ended;
    assert.ok(said.length > 0 && said.length < 20, JSON.stringify(said));
  });

  test('and is out of time tells what it had done', async () => {
    const abort = new AbortController();
    const report = (): void => abort.abort(outOfTime(3_000));
    const outcome = await answers(roomy, { ...LONG, signal: abort.signal, report });
    assert.match(
      outcome.kind === 'fail' ? outcome.detail : outcome.kind,
      /^Step \d+ \(calculate\): .* longer than the limit of 3 s/,
    );
    const { steps } = proofIn(outcome);
    const failed = steps.findIndex(({ status }) => status === 'failed');
    assert.ok(failed > 0);
    assert.ok(steps.slice(0, failed).every(({ status }) => status === 'completed'));
    assert.ok(steps.slice(failed + 1).every(({ status }) => status === 'skipped'));
  });

  test('has a receipt that its key signed, with all it says', async () => {
    const { jws, ...receipt } = proofIn(await answers(apart, { body: 'calculate 6*7' })) as unknown as {
      readonly jws: string;
    };
    const { payload, protectedHeader } = await compactVerify(jws, first.publicKey);
    assert.deepEqual(JSON.parse(new TextDecoder().decode(payload)), receipt);
    assert.deepEqual(protectedHeader, { alg: 'ES256', kid: 'first', typ: 'test+json' });
  });

  test('is signed by the next key from the message on that comes after it', async () => {
    const kidOf = async (): Promise<unknown> => {
      const { jws } = proofIn(await answers(apart, { body: 'calculate 6*7' })) as unknown as { readonly jws: string };
      return JSON.parse(Buffer.from(jws.split('.', 1)[0] as string, 'base64url').toString()).kid;
    };
    assert.equal(await kidOf(), 'first');
    const old = signer;
    signer = signerOf(second.privateKey, 'second', 'test+json');
    assert.equal(await kidOf(), 'second');
    signer = old;
    assert.equal(await kidOf(), 'first');
  });
});

describe('when the thread ends', () => {
  /** Called with each thread that starts from now on. */
  const watching = (started: (worker: Worker) => void): Disposable => {
    const onWorker = (message: unknown): void => started((message as { readonly worker: Worker }).worker);
    subscribe('worker_threads', onWorker);
    return { [Symbol.dispose]: () => unsubscribe('worker_threads', onWorker) };
  };
  const SUM: Case = { body: 'calculate 6*7' };

  test('what it had is done by the next one', async () => {
    const workers: Worker[] = [];
    using _ = watching((worker) => workers.push(worker));
    const behavior = makeDo({ ...shared, signer: () => signer });
    try {
      assert.equal((await answers(behavior, SUM)).kind, 'reply');
      const lost = Array.from({ length: 20 }, () => answers(behavior, SUM));
      await workers[0]?.terminate();
      for (const one of lost) assert.equal((await one).kind, 'reply');
      assert.ok(workers.length > 1);
    } finally {
      await behavior.close?.();
    }
  });

  test('as it said nothing for too long, twice with the same message, that one fails', async () => {
    const threads = new PlannerThreads({ limits: { ...shared.limits, ms: 1 }, slack_ms: 0 });
    try {
      const execute = () => assert.fail('It was handed back.');
      const given = { mailbox: 'do@acme.mailroom.test', party: 'own', before: {}, signer, execute } as const;
      const outcome = await threads.begin(messageOf(SUM.body), contextOf(), given);
      assert.match(outcome?.kind === 'fail' ? outcome.detail : String(outcome?.kind), /took too long/);
    } finally {
      await threads.close();
    }
  });

  test('twice with the same message, that one fails; and while none starts messages are to be tried again', async () => {
    using _ = watching((worker) => void worker.terminate());
    const behavior = makeDo({ ...shared, signer: () => signer });
    try {
      const outcome = await answers(behavior, SUM);
      assert.match(outcome.kind === 'fail' ? outcome.detail : outcome.kind, /failed twice/);
      // After the third failed start no more are tried for a while.
      for (let tries = 0; tries < 2; tries++) await answers(behavior, SUM);
      assert.equal((await answers(behavior, SUM)).kind, 'retry');
    } finally {
      await behavior.close?.();
    }
  });
});
