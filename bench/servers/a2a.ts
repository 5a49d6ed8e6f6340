/**
 * An echo agent built as in the A2A SDK's samples: Express, JSON-RPC, everything in memory. With `task` it answers with
 * a completed task that can be requested later, as the samples do; without, with a bare message, the least that the
 * protocol allows.
 */
import type { AddressInfo } from 'node:net';
import { type AgentCard, Role, TaskState } from '@a2a-js/sdk';
import { AgentEvent, type AgentExecutor, DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
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

const execute = process.argv[2] === 'task' ? asTask : asMessage;
const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), {
  execute,
  cancelTask: async () => {},
});
const app = express();
app.use(jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
const server = app.listen(0, '127.0.0.1', () =>
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
