import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Ask, Outcome, Services } from '@mailroom/behavior';
import { AppError, idempotencyMismatch } from '@mailroom/behavior/values/error';
import type { Json } from '@mailroom/behavior/values/json';
import { outOfTime } from '@mailroom/behavior/values/time-limit';
import { TaskError, task } from '@mailroom/english-instructions/tasks/task';
import type { Message } from '@mailroom/server/core/entities/message';
import { Model } from '@mailroom/server/model/model';
import type { Checkpoint } from '@mailroom/steps/running/checkpoint';
import { Type } from 'typebox';
import { testTasks } from '../../../../tests/harness/behaviors.ts';
import { NOW } from '../../../english-instructions/tests/tasks/harness.ts';
import { makeDo } from '../index.ts';
import type { Settings } from '../owner/settings.ts';
import { contextOf, messageOf, proofIn } from './context.ts';

// Events between two steps of a run: a crash, an owner's change, a sender's message, other work of the service.
let turns = 0;
const counter = task({
  name: 'counter',
  description: 'Something else each time.',
  input: Type.Object({}),
  output: Type.Object({ result: Type.Integer() }),
  effects: 'none',
  repeatable: true,
  examples: [],
  read: () => undefined,
  run: () => ({ result: ++turns }),
  show: ({ result }) => String(result),
});
/** A task that reports its own message when it is stopped. */
const wordy = task({
  name: 'wordy',
  description: 'Never ends by itself.',
  input: Type.Object({}),
  output: Type.Object({ result: Type.String() }),
  effects: 'reads',
  repeatable: true,
  examples: [],
  read: () => undefined,
  run: (_, { signal }) =>
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new TaskError('Something.')))),
  show: () => '',
});
const shared = {
  tasks: [...testTasks(), counter, wordy],
  limits: { steps: 10, ms: 1_000, output_bytes: 65_536, total_bytes: 262_144, memory_bytes: 32 << 20 },
  mailDomain: 'mailroom.test',
  get: () => Promise.reject(new AppError('unavailable', 'Away.')),
  sign: async () => 'a.b.c',
};
const behavior = makeDo(shared);
after(() => behavior.close?.());

const step = (name: string, input: Json = {}) => ({ task: name, input });
const notes = { count: async () => 0, get: async () => undefined } as never;
const schedules = { byId: async () => undefined, of: async () => [], count: async () => 0, ran: async () => true };
const answered = {
  id: 'msg_1',
  to: 'bob@acme',
  status: 'completed',
  reply: { body: 'Yes.', data: null },
  error_message: null,
} as Message;

interface Situated {
  readonly settings?: Settings;
  readonly services?: Partial<Services>;
}
/** The results of the steps, and the checkpoint at the beginning of each step with effects. */
async function done(steps: Json, { settings = {}, services = {} }: Situated = {}, from?: Checkpoint) {
  const saved: Checkpoint[] = [];
  const context = contextOf({
    settings,
    again: from !== undefined,
    services: {
      schedules,
      save: async (state) => void saved.push(JSON.parse(JSON.stringify(state)) as Checkpoint),
      checkpoint: async () => from as unknown as Json,
      ask: async () => answered,
      checkRecipient: async () => {},
      ...services,
    } as Partial<Services>,
  });
  const message = messageOf('x', { data: steps === null ? null : { steps }, thread_id: 'thr_before' });
  return { outcome: await behavior.handle(message, context), saved };
}
const statuses = (outcome: Outcome): string[] => proofIn(outcome).steps.map(({ status }) => status);

describe('a run that goes on after a crash', () => {
  test('plans a reminder that it had only begun to plan: nothing of that was written', async () => {
    const steps = [step('remind', { text: 'rise', at: '2026-11-21T08:00:00Z' }), step('counter')];
    const { saved } = await done(steps);
    const { outcome } = await done(steps, {}, saved[0]);
    assert.deepEqual(statuses(outcome), ['completed', 'completed']);
    assert.equal('effects' in outcome && outcome.effects?.length, 1);
  });

  test('tells of a step that ran and may not be used any more that it may have happened', async () => {
    const steps = [step('send', { to: 'bob@acme.mailroom.test', body: 'Hi' }), step('counter')];
    const { saved } = await done(steps);
    const { outcome } = await done(steps, { settings: { rights: { own: ['counter'] } } }, saved[0]);
    assert.deepEqual(statuses(outcome), ['unknown', 'skipped']);
  });

  test('asks about what came to need an approval since, and goes on with that once the owner said yes', async () => {
    const send = step('send', { to: 'bob@acme.mailroom.test', body: 'Hi' });
    const settings: Settings = { approval: ['send'] };
    let sent = 0;
    const ask = async (): Promise<Message> => {
      sent++;
      return answered;
    };
    const { saved } = await done([send, step('counter'), send], { services: { ask } });
    assert.equal(saved.length, 2);
    sent = 0;
    for (const [at, from] of saved.entries()) {
      const { outcome: asked } = await done(null, { settings, services: { ask } }, from);
      assert.ok(asked.kind === 'wait' && asked.for === 'approval', JSON.stringify(asked));
      assert.equal(sent, 0);
      const kept = (asked.state ?? from) as unknown as Checkpoint;
      const services = { ask, approved: async () => asked.plan };
      const { outcome } = await done(null, { settings, services }, kept);
      assert.deepEqual(statuses(outcome), ['completed', 'completed', 'completed']);
      assert.equal(sent, 2 - at);
      sent = 0;
    }
    const ended = await done([send, step('remember', { name: 'a', text: 'b' })], { services: { ask, notes } });
    const { outcome } = await done(null, { settings, services: { ask, notes } }, ended.saved[1]);
    assert.deepEqual(statuses(outcome), ['completed', 'completed'], 'what is done needs nobody');
  });

  test('tells so too of one that would send something else than it did, which is not sent', async () => {
    const settings: Settings = {
      procedures: [
        {
          name: 'announce',
          description: 'Tells Bob a number.',
          steps: [step('counter'), step('send', { to: 'bob@acme.mailroom.test', body: '{{1}}' })] as never,
        },
      ],
    };
    const sent = new Map<string, string>();
    const ask = async (key: string, { body }: Ask): Promise<Message> => {
      if ((sent.get(key) ?? body) !== body) throw idempotencyMismatch();
      sent.set(key, body);
      return answered;
    };
    const { saved, outcome: first } = await done([step('announce')], { settings, services: { ask } });
    assert.deepEqual(statuses(first), ['completed']);
    const { outcome } = await done([step('announce')], { settings, services: { ask } }, saved[0]);
    assert.deepEqual(statuses(outcome), ['unknown']);
    assert.equal(sent.size, 1);
  });

  test('means by {{0}} what it meant before, whatever the thread came to since', async () => {
    const said = (result: string): Message =>
      ({
        ...answered,
        id: 'msg_0',
        hops: 0,
        thread_id: 'thr_before',
        retry_of: null,
        reply: { body: '', data: JSON.stringify({ kind: 'receipt', steps: [{ output: { result } }] }) },
      }) as Message;
    const steps = [step('remember', { name: 'one', text: '{{0}}' }), step('remember', { name: 'two', text: '{{0}}' })];
    const notes = { count: async () => 0, get: async () => undefined } as never;
    const { saved } = await done(steps, { services: { notes, thread: async () => [said('then')] } });
    const services = { notes, thread: async () => [said('then'), { ...said('now'), id: 'msg_00' }] };
    const { outcome } = await done(steps, { services }, saved[1]);
    const effects = 'effects' in outcome ? outcome.effects : [];
    assert.deepEqual(
      effects?.map((effect) => effect.kind === 'note' && effect.text),
      ['then', 'then'],
    );
  });
});

test('what is not available for a moment is no failure of the step: the message is tried again', async () => {
  for (const code of ['unavailable', 'internal'] as const) {
    const away = async (): Promise<never> => {
      throw new AppError(code, 'Away.');
    };
    const steps = [step('send', { to: 'bob@acme.mailroom.test', body: 'Hi' })];
    await assert.rejects(done(steps, { services: { ask: away } }), /Away/);
  }
  const full = async (): Promise<never> => {
    throw new AppError('mailbox_full', 'Full.');
  };
  const { outcome } = await done([step('send', { to: 'bob@acme.mailroom.test', body: 'Hi' })], {
    services: { ask: full },
  });
  assert.equal(outcome.kind === 'fail' && outcome.detail, 'Step 1 (send): Full.');
});

test('a step that is out of time says so, whatever it says of being stopped', async () => {
  const { outcome } = await done([step('wordy')]);
  assert.equal(outcome.kind === 'fail' && outcome.detail, 'Step 1 (wordy): It took longer than 1 s.');
});

describe('a message that is out of time', () => {
  const LATE = 'The message took longer than the limit of 3 s.';
  const notes = { count: async () => 0, get: async () => undefined } as never;
  const remember = step('remember', { name: 'door', text: 'blue' });
  const send = step('send', { to: 'bob@acme.mailroom.test', body: 'Hi' });

  for (const [how, next, ended] of [
    ['in a step', step('wordy'), 'failed'],
    ['while it writes to another mailbox', send, 'unknown'],
  ] as const) {
    test(`${how} tells what had been done and keeps that, and does nothing more`, async () => {
      const abort = new AbortController();
      const late = (): never => {
        abort.abort(outOfTime(3_000));
        throw abort.signal.reason;
      };
      const services = { notes, ask: async () => late() } as Partial<Services>;
      const report = (text: string): void => {
        if (text.includes('wordy')) setTimeout(() => abort.abort(outOfTime(3_000)), 10);
      };
      const message = messageOf('x', { data: { steps: [remember, next, remember] } });
      const outcome = await behavior.handle(message, contextOf({ services, signal: abort.signal, report }));
      assert.deepEqual(statuses(outcome), ['completed', ended, 'skipped']);
      assert.ok(outcome.kind === 'fail' && 'body' in outcome, JSON.stringify(outcome));
      assert.ok(outcome.detail.startsWith(`Step 2 (${next.task}): ${LATE}`), outcome.detail);
      assert.equal(outcome.effects?.length, 1);
    });
  }

  test('between two steps, or as one is written down, begins none', async () => {
    for (const save of [
      async () => {},
      // Nothing can be stored without a claim.
      async () => Promise.reject(new Error('out of time')),
    ]) {
      const abort = new AbortController();
      const services = {
        notes,
        ask: async () => answered,
        save: async (state: Json) => {
          if ((state as unknown as Checkpoint).running !== 2) return;
          abort.abort(outOfTime(3_000));
          await save();
        },
      } as Partial<Services>;
      const message = messageOf('x', { data: { steps: [remember, send, remember] } });
      const outcome = await behavior.handle(message, contextOf({ services, signal: abort.signal }));
      assert.deepEqual(statuses(outcome), ['completed', 'failed', 'skipped']);
      assert.equal(outcome.kind === 'fail' && outcome.detail, `Step 2 (send): ${LATE}`);
    }
  });
});

test('where no more notes are kept one can be changed, and be kept in the place of one that is forgotten', async () => {
  const note = { name: 'door', text: '1', updated_at: NOW };
  const notes = {
    count: async () => 1_000,
    get: async (_: unknown, name: string) => (name === 'door' ? note : undefined),
    find: async () => [note],
  } as never;
  const remember = (name: string) => step('remember', { name, text: 'x' });
  const forget = step('forget', { name: 'door' });
  for (const [steps, ended] of [
    [[remember('door')], 'reply'],
    [[remember('door'), remember('door')], 'reply'],
    [[forget, remember('gate')], 'reply'],
    [[remember('gate')], 'fail'],
    [[forget, remember('gate'), remember('door')], 'fail'],
  ] as const) {
    const { outcome } = await done(steps as unknown as Json, { services: { notes } });
    assert.equal(outcome.kind, ended, JSON.stringify([steps, outcome]));
  }
});

test('a plan that an owner said yes to runs, though a model had begun before it went away', async () => {
  const down = makeDo({
    ...shared,
    model: new Model({ base_url: 'http://127.0.0.1:9/', name: 'tiny', step_ms: 500 }),
  });
  const settings: Settings = { approval: ['remember'] };
  const asked = await down.handle(messageOf('remember that the door is blue'), contextOf({ settings }));
  assert.equal(asked.kind, 'wait', JSON.stringify(asked));
  const state = {
    turns: [],
    results: [],
    tainted: false,
    asked: 1,
    tokens: 9,
    ms: 9,
    wrong: 0,
    waiting: [],
    granted: [],
  };
  const checkpoint = { plan: { planner: 'model', steps: [] }, steps: [], effects: [], running: null, model: state };
  const notes = { count: async () => 0, get: async () => undefined } as never;
  const services = {
    notes,
    checkpoint: async () => checkpoint as unknown as Json,
    approved: async () => (asked.kind === 'wait' && asked.for === 'approval' ? asked.plan : undefined),
  };
  const message = messageOf('remember that the door is blue');
  const outcome = await down.handle(message, contextOf({ settings, services, again: true }));
  assert.deepEqual(statuses(outcome), ['completed']);
});

test('a plan with a procedure that was changed since the owner said yes is asked about again, and then runs', async () => {
  const taught = (text: string): Settings => ({
    approval: ['remember'],
    procedures: [
      { name: 'keep', description: 'Keeps it.', steps: [step('remember', { name: 'door', text })] as never },
      { name: 'other', description: 'Something else.', script: text },
    ],
  });
  const notes = { count: async () => 0, get: async () => undefined } as never;
  const message = messageOf('x', { data: { steps: [step('keep')] } });
  const asked = await behavior.handle(message, contextOf({ settings: taught('red') }));
  assert.ok(asked.kind === 'wait' && asked.for === 'approval', JSON.stringify(asked));
  const services = (approved: Json): Partial<Services> => ({ notes, approved: async () => approved });
  const decided = (settings: Settings, approved: Json) =>
    behavior.handle(message, contextOf({ settings, again: true, services: services(approved) }));
  assert.deepEqual(statuses(await decided(taught('red'), asked.plan)), ['completed']);
  const again = await decided(taught('blue'), asked.plan);
  assert.ok(
    again.kind === 'wait' && again.for === 'approval' && JSON.stringify(again.plan) !== JSON.stringify(asked.plan),
  );
  assert.deepEqual(statuses(await decided(taught('blue'), again.plan)), ['completed']);
});
