import {
  type Message as A2aMessage,
  type Artifact,
  type Part,
  Role,
  type Task,
  TaskState,
  type TaskStatus,
} from '@a2a-js/sdk';
import type { Status } from '@mailroom/behavior/message';
import { rfc3339 } from '@mailroom/behavior/values/clock';
import { replyIdOf } from '@mailroom/behavior/values/ids';
import { parseJson } from '@mailroom/behavior/values/json';
import type { Attachment } from '../../core/entities/attachment.ts';
import { isSettled, type Message } from '../../core/entities/message.ts';
import { withOwnProgress } from '../../core/entities/own-progress.ts';
import { bytesOf } from '../../core/files/attached-files.ts';
import type { Store } from '../../core/ports/store.ts';
import { type Chain, lastOf } from './chain.ts';

/** The largest file that stands in a task itself, in bytes; a larger one is a link. */
const INLINE_BYTES = 64 * 1024;

const STATES: Readonly<Record<Status, TaskState>> = {
  submitted: TaskState.TASK_STATE_SUBMITTED,
  working: TaskState.TASK_STATE_WORKING,
  completed: TaskState.TASK_STATE_COMPLETED,
  input_required: TaskState.TASK_STATE_INPUT_REQUIRED,
  failed: TaskState.TASK_STATE_FAILED,
  canceled: TaskState.TASK_STATE_CANCELED,
  rejected: TaskState.TASK_STATE_REJECTED,
};

/** The state of a task; one that waits for an owner's approval requires authorization (A2A 1.0.1, section 7.6). */
export const stateOf = ({ status, waiting_for }: Pick<Message, 'status' | 'waiting_for'>): TaskState =>
  waiting_for === 'approval' && !isSettled(status) ? TaskState.TASK_STATE_AUTH_REQUIRED : STATES[status];

/** What showing a task needs. */
export interface TaskViewParts {
  readonly store: Pick<Store, 'attachments' | 'blobs'>;
  readonly baseUrl: () => string;
}

/** How a task is shown to one caller. */
export interface Shown {
  /** The thread, as this caller names it. */
  readonly contextId: string;
  /** The newest messages of its history; all when left out. */
  readonly history?: number | undefined;
  /** The id that the caller gave the message of this request, beside ours. */
  readonly given?: { readonly id: string; readonly as: string } | undefined;
  /** Whether the caller reads the mailbox, and so sees what it reports before it may leave. */
  readonly own?: boolean;
  /** Without artifacts. */
  readonly bare?: true;
}

/**
 * A task: the message whose id it has, and those that answered its questions, in order. Its state and its artifacts are
 * those of the last.
 */
export async function taskOf(chain: Chain, view: Shown, parts: TaskViewParts): Promise<Task> {
  const [root] = chain;
  const last = view.own === true ? withOwnProgress(lastOf(chain)) : lastOf(chain);
  const history = view.history === 0 ? [] : await historyOf(chain, view, parts);
  return {
    id: root.id,
    contextId: view.contextId,
    status: statusOf(last, root.id, view.contextId),
    artifacts: view.bare ? [] : await artifactsOf(last, parts),
    history: view.history === undefined ? history : history.slice(-view.history || history.length),
    metadata: undefined,
  };
}

/** When it last changed. */
export const changedAt = ({ settled_at, created_at }: Message): number => settled_at ?? created_at;

/** The status, with the question, the reason or the newest report as its message. */
export function statusOf(message: Message, taskId: string, contextId: string): TaskStatus {
  const text = statusText(message);
  const timestamp = rfc3339(changedAt(message));
  if (text === undefined) return { state: stateOf(message), message: undefined, timestamp };
  const parts = [textPart(text)];
  if (message.status === 'input_required' && message.reply?.data != null) parts.push(dataPart(message.reply.data));
  const messageId = message.status === 'input_required' ? replyIdOf(message.id) : `${message.id}-${message.status}`;
  return { state: stateOf(message), message: { ...said(messageId, parts), taskId, contextId }, timestamp };
}

/** What is said about the status; undefined when the state says it all. */
function statusText(message: Message): string | undefined {
  const { status, waiting_for, reply, error_message, progress } = message;
  if (status === 'input_required') return reply?.body ?? '';
  if (status === 'failed' || status === 'rejected') return error_message ?? undefined;
  if (isSettled(status)) return undefined;
  if (waiting_for === 'approval') {
    return message.decides === 'sender'
      ? 'Waiting for the approval of the owner of the mailbox that it was sent as.'
      : 'Waiting for the approval of the owner of this address.';
  }
  const reports = progress == null ? [] : (JSON.parse(progress) as readonly { readonly text: string }[]);
  return reports.at(-1)?.text;
}

/** The reply as an artifact, whatever the status: what had been done before a failure is there too. */
export async function artifactsOf(message: Message, parts: TaskViewParts): Promise<Artifact[]> {
  const { status, reply, reply_attachments = [] } = message;
  if (reply === null || status === 'input_required') return [];
  const outputParts = reply.body === '' ? [] : [textPart(reply.body, 'text/markdown')];
  if (reply.data !== null) outputParts.push(dataPart(reply.data));
  for (const file of reply_attachments) outputParts.push(await filePart(file, parts));
  return [artifact(message, outputParts)];
}

/** The artifact of a message's reply with these parts. */
export const artifact = ({ id }: Pick<Message, 'id'>, parts: Part[]): Artifact => ({
  artifactId: replyIdOf(id),
  name: 'reply',
  description: '',
  parts,
  metadata: undefined,
  extensions: [],
});

async function historyOf(chain: readonly Message[], view: Shown, parts: TaskViewParts): Promise<A2aMessage[]> {
  const [root] = chain as readonly [Message];
  const all: A2aMessage[] = [];
  for (const message of chain) {
    const { id, body, data, attachments = [], reply } = message;
    const sent = [textPart(body)];
    if (data !== null) sent.push(dataPart(data));
    for (const file of attachments) sent.push(linkPart(file, parts));
    const ids = { taskId: root.id, contextId: view.contextId };
    const known = view.given?.id === id ? view.given.as : id;
    all.push({ ...said(known, sent), role: Role.ROLE_USER, ...ids });
    if (message.status !== 'input_required' || reply === null) continue;
    const asked = [textPart(reply.body), ...(reply.data === null ? [] : [dataPart(reply.data)])];
    all.push({ ...said(replyIdOf(id), asked), ...ids });
  }
  return all;
}

/** A message of a user with one text. */
export const textMessage = (messageId: string, text: string, metadata: A2aMessage['metadata']): A2aMessage => ({
  ...said(messageId, [textPart(text)]),
  role: Role.ROLE_USER,
  metadata,
});

const said = (messageId: string, parts: Part[]): A2aMessage => ({
  messageId,
  contextId: '',
  taskId: '',
  role: Role.ROLE_AGENT,
  parts,
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
});

const PLAIN = { metadata: undefined, filename: '', mediaType: '' };
export const textPart = (value: string, mediaType = ''): Part => ({
  ...PLAIN,
  mediaType,
  content: { $case: 'text', value },
});
const dataPart = (text: string): Part => ({
  ...PLAIN,
  mediaType: 'application/json',
  content: { $case: 'data', value: parseJson(text) },
});

/** A link to a file, which is read with the same key. */
const linkPart = ({ id, filename, content_type }: Attachment, { baseUrl }: TaskViewParts): Part => ({
  content: { $case: 'url', value: `${baseUrl()}/api/v1/mail/attachments/${id}` },
  metadata: undefined,
  filename,
  mediaType: content_type,
});

async function filePart(file: Attachment, parts: TaskViewParts): Promise<Part> {
  const stored = file.size <= INLINE_BYTES ? await parts.store.attachments.byId(file.id) : undefined;
  if (stored === undefined) return linkPart(file, parts);
  const bytes = await Array.fromAsync(bytesOf(stored, parts.store.blobs, 0, stored.size - 1));
  const { filename, content_type } = file;
  return {
    content: { $case: 'raw', value: Buffer.concat(bytes) },
    metadata: undefined,
    filename,
    mediaType: content_type,
  };
}
