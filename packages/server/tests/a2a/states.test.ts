import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Task, TaskState } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { a2aClient, type Binding, eventsOf, says, sendTask } from '../../../../tests/harness/a2a.ts';
import { connect } from '../../../../tests/harness/client.ts';
import { sharedService } from '../../../../tests/harness/service.ts';

const service = await sharedService();
const { api, newNamespace, newMailbox, newPaused } = connect(service.url);
const home = await newNamespace();
const { key } = home;
const { address: agent } = await newMailbox(home, { behavior: { name: 'agent', settings: { by_hand: true } } });
const { address: paused } = await newPaused(home);
const { address: doer } = await newMailbox(home, { behavior: { name: 'do', settings: { approval: ['send'] } } });
const { address: greeter } = await newMailbox(home);

const answer = (id: string, body: object): Promise<unknown> =>
  api('POST', `/mail/messages/${id}/answer`, { key, body });
const claim = async (): Promise<string> => {
  const { body } = await api<{ items: { claim: string }[] }>('POST', `/mailboxes/${agent}/claim`, { key, body: {} });
  return body.items[0]?.claim ?? '';
};

interface Reached {
  readonly state: TaskState;
  readonly at: string;
  readonly text: string;
  /** Brings the task to the state. */
  bring(id: string, client: Client): Promise<unknown>;
  /** What its status says, if it says anything. */
  readonly says?: RegExp;
  /** Whether its stream ends there. */
  readonly ends: boolean;
}
const nothing = async (): Promise<void> => {};

/** Each state of A2A 1.0.1, section 4.1.3, and how a message gets there. */
const STATES: Readonly<Record<string, Reached>> = {
  submitted: { state: TaskState.TASK_STATE_SUBMITTED, at: agent, text: 'x', bring: nothing, ends: false },
  working: {
    state: TaskState.TASK_STATE_WORKING,
    at: agent,
    text: 'x',
    async bring(id) {
      await api('POST', `/mail/messages/${id}/progress`, { key, body: { claim: await claim(), text: 'Half done' } });
    },
    says: /^Half done$/,
    ends: false,
  },
  'input-required': {
    state: TaskState.TASK_STATE_INPUT_REQUIRED,
    at: agent,
    text: 'x',
    bring: (id) => answer(id, { body: 'For how many?', status: 'input_required' }),
    says: /^For how many\?$/,
    ends: false,
  },
  'auth-required': {
    state: TaskState.TASK_STATE_AUTH_REQUIRED,
    at: doer,
    text: `send ${paused}: hello`,
    bring: nothing,
    says: /approval of the owner/,
    ends: false,
  },
  completed: { state: TaskState.TASK_STATE_COMPLETED, at: greeter, text: 'x', bring: nothing, ends: true },
  failed: {
    state: TaskState.TASK_STATE_FAILED,
    at: agent,
    text: 'x',
    bring: (id) => answer(id, { status: 'failed', error: 'No table left.' }),
    says: /^No table left\.$/,
    ends: true,
  },
  canceled: {
    state: TaskState.TASK_STATE_CANCELED,
    at: paused,
    text: 'x',
    bring: (id, client) => client.cancelTask({ tenant: '', id, metadata: undefined }),
    ends: true,
  },
  rejected: {
    state: TaskState.TASK_STATE_REJECTED,
    at: agent,
    text: 'x',
    bring: (id) => answer(id, { status: 'rejected', error: 'Not on Sundays.' }),
    says: /^Not on Sundays\.$/,
    ends: true,
  },
};

const saidBy = ({ status }: Task): string =>
  status?.message?.parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join() ?? '';

for (const binding of ['JSONRPC', 'HTTP+JSON'] as const satisfies readonly Binding[])
  for (const [name, { state, at, text, bring, says: said, ends }] of Object.entries(STATES))
    test(`${binding}: the SDK's client reads, lists and follows a task that is ${name}`, async () => {
      const client = await a2aClient(service, at, { key, binding });
      const { id, contextId } = await sendTask(client, says(text), {
        returnImmediately: at !== doer && at !== greeter,
      });
      await bring(id, client);
      const task = await client.getTask({ tenant: '', id });
      assert.equal(task.status?.state, state, JSON.stringify(task.status));
      assert.match(saidBy(task), said ?? /^$/);
      const { tasks } = await client.listTasks({
        tenant: '',
        contextId,
        status: state,
        pageSize: 10,
        pageToken: '',
        historyLength: 0,
        statusTimestampAfter: undefined,
        includeArtifacts: false,
      });
      assert.deepEqual(
        tasks.map((one) => [one.id, one.status?.state]),
        [[id, state]],
      );
      if (ends) {
        // A task that ended has nothing to follow (section 3.1.6).
        await assert.rejects(eventsOf(client.resubscribeTask({ tenant: '', id })), /does not change any more/);
        await assert.rejects(sendTask(client, says('More', { taskId: id })), /takes no message/);
        return;
      }
      const stream = client.resubscribeTask({ tenant: '', id });
      const first = (await stream.next()).value?.payload;
      assert.ok(first?.$case === 'task' && first.value.status?.state === state, JSON.stringify(first));
      const left = eventsOf(stream);
      const canceled = await client.cancelTask({ tenant: '', id, metadata: undefined });
      assert.equal(canceled.status?.state, TaskState.TASK_STATE_CANCELED);
      const last = (await left).at(-1);
      assert.ok(last?.$case === 'statusUpdate' && last.value.status?.state === TaskState.TASK_STATE_CANCELED);
    });
