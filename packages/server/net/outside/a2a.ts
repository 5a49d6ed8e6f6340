import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentCard, Message, Part, Task } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { OutsideError, type OutsideResult, type OutsideTools } from '@mailroom/behavior/outside';
import { type Millis, SECOND } from '@mailroom/behavior/values/clock';
import type { Json, JsonObject } from '@mailroom/behavior/values/json';
import type { Exchange } from './exchange.ts';
import { keptLine, keptText, quoted } from './texts.ts';

const WHAT = 'agent card';
const CARD = '/.well-known/agent-card.json';
const BINDINGS = ['JSONRPC', 'HTTP+JSON'];
/** How often a task that is not ended is read. */
const POLL_MS: Millis = SECOND;
/** The first pause where the agent names its task at once. */
const FIRST_POLL_MS: Millis = 50;
/** How long such a task is asked for at a time. */
const TASK_MS: Millis = 10 * SECOND;
/** Time kept back to say that the agent still works. */
const ROOM_MS: Millis = 500;
const MAX_SKILLS = 20;

/** What is sent to an agent. */
const INPUT: JsonObject = {
  type: 'object',
  properties: {
    body: { type: 'string', minLength: 1, description: 'The message.' },
    data: { type: 'object', description: 'Structured content beside it.' },
    task_id: { type: 'string', description: 'The task that this continues, where it asked something.' },
    context_id: { type: 'string', description: 'The conversation that this belongs to.' },
  },
  required: ['body'],
  additionalProperties: false,
};

/** The URL of the card: the URL itself where it names a JSON file, else the well-known place below it. */
function cardUrl(url: string): URL {
  const given = new URL(url);
  if (!given.pathname.endsWith('.json')) given.pathname = `${given.pathname.replace(/\/$/, '')}${CARD}`;
  return given;
}

async function readCard(exchange: Exchange, url: string): Promise<{ card: AgentCard; client: Client; calls: string }> {
  const { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory, RestTransportFactory } = await import(
    '@a2a-js/sdk/client'
  );
  const response = await exchange.fetch(cardUrl(url), { headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error('There is no card.');
  const options = { fetchImpl: exchange.fetch, legacyCompat: { enabled: true } };
  const card = new DefaultAgentCardResolver(options).normalizeAgentCard(await response.json());
  const called = BINDINGS.flatMap((binding) =>
    card.supportedInterfaces.filter(({ protocolBinding }) => protocolBinding === binding),
  );
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory(options), new RestTransportFactory(options)],
    preferredTransports: BINDINGS,
  });
  const client = await factory.createFromAgentCard({ ...card, supportedInterfaces: called });
  return { card, client, calls: (called[0] as { url: string }).url };
}

/** An agent as a single tool, `ask`. Throws OutsideError. */
export async function listA2aAgent(exchange: Exchange, url: string): Promise<OutsideTools> {
  try {
    const { card, calls } = await readCard(exchange, url);
    const skills = card.skills
      .slice(0, MAX_SKILLS)
      .map(({ name, description }) => `- ${keptLine(name)}: ${keptLine(description, 200)}`);
    const description = keptText([card.description, ...skills].join('\n'));
    const ask = { name: 'ask', description, input: INPUT, read_only: false, idempotent: false };
    return { title: keptLine(card.name), url: new URL(calls).href, tools: [ask], left_out: 0 };
  } catch (error) {
    throw new OutsideError(exchange.reason(error, WHAT));
  }
}

/** What is asked beside the text. */
export interface Asking {
  /** By which an agent knows a message that comes again. */
  readonly id: string;
  /** When the answer is late, by the clock of `performance`. */
  readonly until: number;
  readonly files?: readonly SentFile[] | undefined;
  /** A task that takes long is left to a later call, which asks for it; `true`: the agent shall name it at once. */
  readonly by_task?: boolean | undefined;
  /** The task that the message began before: nothing is sent. */
  readonly task?: string | undefined;
}

/** A file of a message. */
export interface SentFile {
  readonly filename: string;
  readonly content_type: string;
  readonly bytes: Buffer;
}

/** Whether a card takes a media type: it names it, or a range with it (RFC 9110, section 12.5.1). */
const takes = ({ defaultInputModes }: AgentCard, type: string): boolean =>
  defaultInputModes.some((mode) => mode === type || mode === '*/*' || mode === `${type.split('/')[0]}/*`);

/** Sends a message to an agent and waits for its answer. Throws OutsideError. */
export async function askA2aAgent(
  exchange: Exchange,
  url: string,
  input: JsonObject,
  { id, until, files = [], by_task, task }: Asking,
): Promise<OutsideResult> {
  let calling = false;
  // An agent that has the message works on it, whatever later requests come to.
  let taken = false;
  try {
    const { card, client } = await readCard(exchange, url);
    const refused = files.find(({ content_type }) => !takes(card, mediaType(content_type)));
    if (refused !== undefined)
      throw new OutsideError(`${exchange.host} takes no files of type ${mediaType(refused.content_type)}.`);
    calling = true;
    const { signal } = exchange;
    const request = task === undefined ? await requestOf(input, id, files, by_task === true) : undefined;
    const answer =
      request === undefined
        ? await client.getTask({ tenant: '', id: task as string, historyLength: 1 }, { signal })
        : await client.sendMessage(request, { signal });
    taken = true;
    if ('messageId' in answer) return partsResult(answer.parts);
    return await taskResult(await ended(client, answer, { signal, until, soon: by_task !== undefined }), exchange.host);
  } catch (error) {
    if (error instanceof OutsideError) throw error;
    const { A2AError } = await import('@a2a-js/sdk/errors');
    if (calling && !taken && error instanceof A2AError)
      throw new OutsideError(`${exchange.host} refuses the message: ${quoted(error.message)}`);
    throw new OutsideError(exchange.reason(error, WHAT), taken || (calling && !exchange.without_effect));
  }
}

const mediaType = (type: string): string => (type.split(';')[0] ?? '').trim().toLowerCase();

/** The arguments were checked against the schema, in which these are texts. */
const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

async function requestOf(
  { body, data, task_id = '', context_id = '' }: JsonObject,
  id: string,
  files: readonly SentFile[],
  returnImmediately: boolean,
) {
  const { Role } = await import('@a2a-js/sdk');
  const part = (content: Part['content'], filename = '', mediaType = ''): Part => ({
    ...{ content, filename, mediaType, metadata: undefined },
  });
  const message: Message = {
    messageId: id,
    role: Role.ROLE_USER,
    parts: [
      part({ $case: 'text', value: textOf(body) }),
      ...(data === undefined ? [] : [part({ $case: 'data', value: data })]),
      ...files.map((file) => part({ $case: 'raw', value: file.bytes }, file.filename, mediaType(file.content_type))),
    ],
    contextId: textOf(context_id),
    taskId: textOf(task_id),
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
  const configuration = { acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately };
  return { tenant: '', message, metadata: undefined, configuration };
}

/** The task when it has ended or asks something, or as it is at the end of the time. */
async function ended(
  client: Client,
  first: Task,
  { signal, until, soon }: { readonly signal: AbortSignal; readonly until: number; readonly soon: boolean },
): Promise<Task> {
  const { TaskState } = await import('@a2a-js/sdk');
  const goesOn = new Set([TaskState.TASK_STATE_SUBMITTED, TaskState.TASK_STATE_WORKING]);
  let task = first;
  let pause = soon ? FIRST_POLL_MS : POLL_MS;
  const end = soon ? Math.min(until, performance.now() + TASK_MS) : until;
  while (task.status !== undefined && goesOn.has(task.status.state) && performance.now() + pause + ROOM_MS < end) {
    await sleep(pause, undefined, { signal });
    pause = Math.min(2 * pause, POLL_MS);
    task = await client.getTask({ tenant: '', id: first.id, historyLength: 1 }, { signal });
  }
  return task;
}

async function taskResult({ id, contextId, status, artifacts }: Task, host: string): Promise<OutsideResult> {
  const { TaskState } = await import('@a2a-js/sdk');
  const state = status?.state ?? TaskState.TASK_STATE_UNSPECIFIED;
  const statusResult = partsResult(status?.message?.parts ?? []);
  const name = keptLine(TaskState[state])
    .replace(/^TASK_STATE_/, '')
    .toLowerCase();
  if (state === TaskState.TASK_STATE_COMPLETED) {
    const made = partsResult(artifacts.flatMap(({ parts }) => parts));
    return made.text === '' && made.data === null ? statusResult : made;
  }
  const failed: ReadonlySet<number> = new Set([
    TaskState.TASK_STATE_FAILED,
    TaskState.TASK_STATE_REJECTED,
    TaskState.TASK_STATE_CANCELED,
  ]);
  if (failed.has(state)) throw new OutsideError(`${host} says that the task is ${name}: ${quoted(statusResult.text)}`);
  return {
    ...statusResult,
    task: { state: name.replaceAll('_', '-'), id: keptLine(id, 200), context_id: keptLine(contextId, 200) },
  };
}

function partsResult(parts: readonly Part[]): OutsideResult {
  const texts: string[] = [];
  const data: Json[] = [];
  for (const { content, filename, mediaType } of parts) {
    if (content?.$case === 'text') texts.push(content.value);
    else if (content?.$case === 'data') data.push(content.value as Json);
    else
      texts.push(
        `(file${filename === '' ? '' : ` ${keptLine(filename)}`}${mediaType === '' ? '' : `, ${keptLine(mediaType)}`}; not kept)`,
      );
  }
  return { text: texts.join('\n'), data: data.length > 1 ? data : (data[0] ?? null) };
}
