import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Context, Incoming, Outcome } from '@mailroom/behavior';
import { newId, threadOf } from '@mailroom/behavior/values/ids';
import type { Json } from '@mailroom/behavior/values/json';
import { task } from '@mailroom/english-instructions/tasks/task';
import { Model } from '@mailroom/server/model/model';
import { Type } from 'typebox';
import { type ModelServer, openModelServer } from '../../../../tests/harness/model-server.ts';
import { byTurn, calls } from '../../../../tests/harness/model-service.ts';
import { mailboxOf, namespaceOf } from '../../../server/tests/store/made.ts';
import { makeDo } from '../index.ts';
import type { Settings } from '../owner/settings.ts';
import { proofIn } from './context.ts';

const NOW = Date.UTC(2026, 10, 20, 8, 0, 0);
const namespace = namespaceOf('acme');
const box = mailboxOf(namespace, 'do', { behavior: 'do' });

describe('a model’s run that a crash ended', () => {
  let server: ModelServer;
  /** The tasks that ran. */
  const done: string[] = [];
  /** The process ends while this task runs. */
  let crash: string | undefined;
  before(async () => {
    server = await openModelServer();
  });
  after(() => server[Symbol.asyncDispose]());
  beforeEach(() => {
    done.length = 0;
    crash = undefined;
  });

  const doing = (name: string, effects: 'none' | 'reads' | 'writes', repeatable: boolean) =>
    task({
      name,
      description: name,
      input: Type.Object({ at: Type.String() }, { additionalProperties: false }),
      output: Type.Object({ result: Type.String() }),
      effects,
      repeatable,
      examples: [],
      read: () => undefined,
      show: ({ result }) => result,
      async run({ at }) {
        done.push(`${name} ${at}`);
        if (crash === name) throw new Error('The process ends.');
        return { result: '1' };
      },
    });

  const behaviorOf = (model: Model | undefined) =>
    makeDo({
      tasks: [
        doing('sum', 'none', true),
        doing('look', 'reads', true),
        doing('tell', 'writes', true),
        doing('pay', 'writes', false),
      ],
      limits: { steps: 10, ms: 5_000, output_bytes: 65_536, total_bytes: 262_144, memory_bytes: 1 << 20 },
      mailDomain: 'mailroom.test',
      get: () => Promise.reject(new Error('nothing is outside')),
      sign: async () => 'a.b.c',
      model,
      model_limits: { steps: 8, tokens: 10_000, ms: 20_000 },
    });
  const model = (): Model => new Model({ base_url: server.url, name: 'tiny', step_ms: 5_000 });

  interface Kept {
    checkpoint?: Json;
    approved?: Json;
  }

  /** Handles the message in a new process, with the checkpoint of the one before. */
  const handle = async (
    kept: Kept,
    body = 'do it',
    by: Model | null = model(),
    settings: Settings = {},
  ): Promise<Outcome> => {
    const again = kept.checkpoint !== undefined;
    const context = {
      mailbox: box,
      settings,
      sender: { kind: 'key', id: 'key_1', namespace_id: namespace.id, key_id: 'key_1', from: null },
      clock: () => NOW,
      attachments: { list: [] },
      signal: new AbortController().signal,
      again,
      report() {},
      stream() {},
      services: {
        checkpoint: async () => kept.checkpoint,
        approved: async () => kept.approved,
        async save(state: Json) {
          kept.checkpoint = JSON.parse(JSON.stringify(state)) as Json;
        },
        thread: async () => [],
        owner: undefined,
      },
    } as unknown as Context<Settings>;
    const outcome = await behaviorOf(by ?? undefined).handle(message(body), context);
    if ('state' in outcome) kept.checkpoint = JSON.parse(JSON.stringify(outcome.state)) as Json;
    return outcome;
  };
  const id = newId('msg', NOW);
  const message = (body: string): Incoming => ({
    id,
    thread_id: threadOf(id),
    in_reply_to: null,
    retry_of: null,
    subject: null,
    body,
    data: null,
    tag: null,
    created_at: NOW,
    channel: 'api',
    hops: 0,
  });
  const stepsOf = (outcome: Outcome): string[] =>
    proofIn(outcome).steps.map(({ task: name, status }) => `${name} ${status}`);

  test('goes on where it was: what was done is not done again, and the model is not asked again', async () => {
    const kept: Kept = {};
    const asked = server.requests.length;
    // The process ended as the second step began, and its checkpoint is stored.
    server.say(byTurn(calls(['sum', { at: '1' }]), calls(['pay', { at: '2' }]), { text: 'All told.' }));
    crash = 'pay';
    await assert.rejects(async () => handle(kept), /The process ends/);
    assert.deepEqual(done, ['sum 1', 'pay 2']);
    crash = undefined;
    const outcome = await handle(kept);
    assert.deepEqual(done, ['sum 1', 'pay 2'], 'what may have happened is not done again');
    assert.equal(outcome.kind, 'fail');
    assert.deepEqual(stepsOf(outcome), ['sum completed', 'pay unknown']);
    assert.equal(server.requests.length, asked + 2, 'the model was asked before the crash alone');
  });

  test('does again what can be done again, and then asks the model for the rest', async () => {
    server.say(byTurn(calls(['tell', { at: '1' }]), { text: 'Told.' }));
    const kept: Kept = {};
    crash = 'tell';
    await assert.rejects(async () => handle(kept), /The process ends/);
    crash = undefined;
    const outcome = await handle(kept);
    assert.deepEqual(done, ['tell 1', 'tell 1']);
    assert.equal(outcome.kind, 'reply');
    assert.deepEqual(stepsOf(outcome), ['tell completed']);
  });

  test('tells of a call that may not be made any more that it may have happened, and of no other', async () => {
    server.say(byTurn(calls(['tell', { at: '1' }], ['pay', { at: '2' }]), { text: 'Told.' }));
    const kept: Kept = {};
    crash = 'tell';
    await assert.rejects(async () => handle(kept), /The process ends/);
    crash = undefined;
    const outcome = await handle(kept, 'do it', model(), { rights: { own: ['pay'] } });
    assert.deepEqual(done, ['tell 1']);
    assert.equal(outcome.kind, 'fail');
    assert.deepEqual(stepsOf(outcome), ['tell unknown']);
  });

  test('asks nothing of the owner twice, and runs what was approved once', async () => {
    server.say(
      byTurn(calls(['look', { at: '1' }]), calls(['tell', { at: '2' }], ['pay', { at: '3' }]), { text: 'Done.' }),
    );
    const kept: Kept = {};
    const waits = await handle(kept);
    assert.equal(waits.kind, 'wait', JSON.stringify(waits));
    const { plan } = waits as Extract<Outcome, { for: 'approval' }>;
    assert.deepEqual((plan as { steps?: unknown }).steps, [
      { task: 'tell', input: { at: '2' } },
      { task: 'pay', input: { at: '3' } },
    ]);
    assert.deepEqual(done, ['look 1']);
    // Without approval, or with approval of another plan, it only asks again.
    assert.equal((await handle(kept)).kind, 'wait');
    const other = { ...kept, approved: { planner: 'model', steps: [{ task: 'tell', input: { at: 'other' } }] } };
    assert.equal((await handle(other)).kind, 'wait');
    assert.deepEqual(done, ['look 1']);
    kept.approved = plan;
    crash = 'tell';
    await assert.rejects(async () => handle(kept), /The process ends/);
    crash = undefined;
    const outcome = await handle(kept);
    assert.equal(outcome.kind, 'reply', JSON.stringify(outcome));
    assert.deepEqual(done, ['look 1', 'tell 2', 'tell 2', 'pay 3']);
    assert.equal(proofIn(outcome).model?.tainted, true);
  });

  test('tells of a call whose arguments do not fit any more that it may have happened', async () => {
    server.say(byTurn(calls(['greet', { name: 'Ann' }]), { text: 'Greeted.' }));
    const greet = (name: string): Settings => ({
      procedures: [
        {
          name: 'greet',
          description: 'Greets.',
          parameters: { type: 'object', properties: { [name]: { type: 'string' } } },
          steps: [{ task: 'tell', input: { at: `{{input.${name}}}` } }],
        },
      ],
    });
    const kept: Kept = {};
    crash = 'tell';
    await assert.rejects(async () => handle(kept, 'do it', model(), greet('name')), /The process ends/);
    crash = undefined;
    const outcome = await handle(kept, 'do it', model(), greet('who'));
    assert.deepEqual(done, ['tell Ann']);
    assert.equal(outcome.kind, 'fail', JSON.stringify(outcome));
    assert.deepEqual(stepsOf(outcome), ['greet unknown']);
  });

  test('is asked about no call that had begun: a yes would do it twice', async () => {
    server.say(byTurn(calls(['pay', { at: '1' }]), { text: 'Paid.' }));
    const kept: Kept = {};
    crash = 'pay';
    await assert.rejects(async () => handle(kept), /The process ends/);
    crash = undefined;
    const outcome = await handle(kept, 'do it', model(), { approval: ['pay'] });
    assert.equal(outcome.kind, 'fail', JSON.stringify(outcome));
    assert.deepEqual(stepsOf(outcome), ['pay unknown']);
    assert.deepEqual(done, ['pay 1']);
  });

  test('asks again when a procedure was changed between the owner’s yes and its run, or its going on', async () => {
    const taught = (at: string): Settings => ({
      approval: ['twice'],
      procedures: [
        {
          name: 'twice',
          description: 'Tells.',
          steps: [
            { task: 'tell', input: { at } },
            { task: 'tell', input: { at } },
          ],
        },
      ],
    });
    server.say(byTurn(calls(['twice', {}]), { text: 'Done.' }));
    const kept: Kept = {};
    const first = await handle(kept, 'do it', model(), taught('a'));
    assert.equal(first.kind, 'wait', JSON.stringify(first));
    kept.approved = (first as Extract<Outcome, { for: 'approval' }>).plan;
    const second = await handle(kept, 'do it', model(), taught('b'));
    assert.equal(second.kind, 'wait', 'another procedure is another plan');
    assert.deepEqual(done, []);
    kept.approved = (second as Extract<Outcome, { for: 'approval' }>).plan;
    crash = 'tell';
    await assert.rejects(async () => handle(kept, 'do it', model(), taught('b')), /The process ends/);
    crash = undefined;
    const went = JSON.parse(JSON.stringify(kept)) as Kept;
    const changed = await handle(kept, 'do it', model(), taught('c'));
    assert.deepEqual(stepsOf(changed), ['twice unknown']);
    assert.deepEqual(done, ['tell b']);
    const outcome = await handle(went, 'do it', model(), taught('b'));
    assert.equal(outcome.kind, 'reply', JSON.stringify(outcome));
    assert.deepEqual(done, ['tell b', 'tell b', 'tell b']);
    // Its procedure was removed: the model gets an error, and the owner is not asked.
    done.length = 0;
    const other: Kept = {};
    await handle(other, 'do it', model(), taught('a'));
    const gone = await handle(other, 'do it', model(), {});
    assert.equal(gone.kind, 'reply', JSON.stringify(gone));
    assert.deepEqual(done, []);
  });

  test('fails with its receipt where there is no model any more', async () => {
    server.say(byTurn(calls(['sum', { at: '1' }]), calls(['pay', { at: '2' }]), { text: 'Done.' }));
    const kept: Kept = {};
    crash = 'pay';
    await assert.rejects(async () => handle(kept), /The process ends/);
    (kept.checkpoint as { running: number | null }).running = null;
    crash = undefined;
    const outcome = await handle(kept, 'do it', null);
    assert.equal(outcome.kind, 'fail', JSON.stringify(outcome));
    assert.match('detail' in outcome ? outcome.detail : '', /model is no longer configured/);
  });
});
