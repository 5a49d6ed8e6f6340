/**
 * An echo agent on the A2A SDK as its samples set it up: Express, JSON-RPC, everything in memory. What it publishes is
 * its argument: `lifecycle`, what the SDK's reference agent does (`src/samples/agents/sample-agent` of a2a-js) without
 * its pause of a second and its lines on the console; `task`, one completed task; `message`, a bare message, the least
 * that the protocol allows.
 */
import type { AddressInfo } from 'node:net';
import { type AgentCard, type Message, Role, TaskState, type TaskStatus } from '@a2a-js/sdk';
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  InMemoryTaskStore,
  type TaskStore,
} from '@a2a-js/sdk/server';
import { jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';

const card: AgentCard = {
  name: 'Echo',
  description: 'Says what it was told.',
  version: '1.0.0',
  provider: undefined,
  supportedInterfaces: [{ url: 'http://127.0.0.1/', protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: '' }],
  capabilities: { streaming: false, pushNotifications: false, extensions: [] },
  securitySchemes: {},
  securityRequirements: [],
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
  signatures: [],
};

const asTask: AgentExecutor['execute'] = async ({ userMessage, taskId, contextId }, bus) => {
  const artifact = { artifactId: 'echo', name: '', description: '', parts: userMessage.parts, extensions: [] };
  bus.publish(
    AgentEvent.task({
      id: taskId,
      contextId,
      status: { state: TaskState.TASK_STATE_COMPLETED, message: undefined, timestamp: new Date().toISOString() },
      artifacts: [{ ...artifact, metadata: undefined }],
      history: [userMessage],
      metadata: undefined,
    }),
  );
  bus.finished();
};

const asMessage: AgentExecutor['execute'] = async ({ userMessage, contextId }, bus) => {
  const { parts } = userMessage;
  const [messageId, role] = [crypto.randomUUID(), Role.ROLE_AGENT];
  const rest = { taskId: '', metadata: undefined, extensions: [], referenceTaskIds: [] };
  bus.publish(AgentEvent.message({ messageId, contextId, role, parts, ...rest }));
  bus.finished();
};

const statusOf = (state: TaskState, message?: Message): TaskStatus => ({
  state,
  message,
  timestamp: new Date().toISOString(),
});
const text = (value: string) => ({
  content: { $case: 'text' as const, value },
  metadata: undefined,
  filename: '',
  mediaType: 'text/plain',
});

/** Submitted, working with a message, an artifact, completed. */
const asLifecycle: AgentExecutor['execute'] = async ({ userMessage, taskId, contextId, task }, bus) => {
  const ids = { taskId, contextId };
  const status = statusOf(TaskState.TASK_STATE_SUBMITTED);
  const { metadata } = userMessage;
  bus.publish(
    AgentEvent.task(task ?? { id: taskId, contextId, status, artifacts: [], history: [userMessage], metadata }),
  );
  const working: Message = {
    ...ids,
    role: Role.ROLE_AGENT,
    messageId: crypto.randomUUID(),
    parts: [text('Processing your question')],
    extensions: [],
    metadata: {},
    referenceTaskIds: [],
  };
  bus.publish(
    AgentEvent.statusUpdate({ ...ids, status: statusOf(TaskState.TASK_STATE_WORKING, working), metadata: {} }),
  );
  const [part] = userMessage.parts;
  const answerText = part?.content?.$case === 'text' ? part.content.value.trim() : '';
  const artifact = {
    artifactId: crypto.randomUUID(),
    name: 'Result',
    description: 'The final result from the agent.',
    parts: [text(answerText)],
    metadata: undefined,
    extensions: [],
  };
  bus.publish(AgentEvent.artifactUpdate({ ...ids, artifact, lastChunk: true, append: false, metadata: undefined }));
  bus.publish(
    AgentEvent.statusUpdate({ ...ids, status: statusOf(TaskState.TASK_STATE_COMPLETED), metadata: undefined }),
  );
};

/** Tasks of the SDK's store that are kept: all of a long run would fill the memory, and collecting it would be measured. */
const KEPT = 1_000;

/** The SDK's store, of the newest tasks alone. */
class NewestTasks implements TaskStore {
  #newest = new InMemoryTaskStore();
  #older = new InMemoryTaskStore();
  #begun = new Set<string>();

  readonly load: TaskStore['load'] = async (id, context) =>
    (await this.#newest.load(id, context)) ?? (await this.#older.load(id, context));

  readonly save: TaskStore['save'] = async (task, context) => {
    if (this.#begun.add(task.id).size > KEPT) {
      this.#begun = new Set([task.id]);
      this.#older = this.#newest;
      this.#newest = new InMemoryTaskStore();
    }
    await this.#newest.save(task, context);
  };

  readonly list: TaskStore['list'] = (request, context) => this.#newest.list(request, context);
}

const EXECUTORS = { lifecycle: asLifecycle, task: asTask, message: asMessage };
const requestHandler = new DefaultRequestHandler(card, new NewestTasks(), {
  execute: EXECUTORS[process.argv[2] as keyof typeof EXECUTORS],
  cancelTask: async () => {},
});
const app = express();
app.use(jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
const server = app.listen(0, '127.0.0.1', () =>
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
