import type {
  Message as A2aMessage,
  AgentCard,
  CancelTaskRequest,
  DeleteTaskPushNotificationConfigRequest,
  GetTaskPushNotificationConfigRequest,
  GetTaskRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTaskPushNotificationConfigsResponse,
  ListTasksRequest,
  ListTasksResponse,
  SendMessageRequest,
  StreamResponse,
  SubscribeToTaskRequest,
  Task,
  TaskPushNotificationConfig,
} from '@a2a-js/sdk';
import {
  RequestMalformedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors';
import type { A2ARequestHandler } from '@a2a-js/sdk/server';
import { type Address, fullAddress } from '@mailroom/behavior/values/address';
import { type Millis, SECOND } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { newId, replyIdOf } from '@mailroom/behavior/values/ids';
import { mayOn, type Rights, requireDisclosing, rightsTo } from '../../core/access/caller.ts';
import type { Key } from '../../core/entities/key.ts';
import type { Mailbox } from '../../core/entities/mailbox.ts';
import { isSettled } from '../../core/entities/message.ts';
import { withoutContents } from '../../core/entities/message-view.ts';
import type { Submitter } from '../../core/messages/submit.ts';
import type { EventBus } from '../../core/notify/event-bus.ts';
import type { Store } from '../../core/ports/store.ts';
import type { OneTimeSecrets } from '../../core/runs/one-time-secrets.ts';
import type { Sent, Wait } from '../../core/runs/submission.ts';
import type { Authenticator } from '../../http/authenticate.ts';
import type { StopSignals } from '../../http/connections/drain.ts';
import type { StreamParts } from '../../http/connections/streams.ts';
import { LazyWait } from '../../http/lazy-wait.ts';
import { count, type Limiters } from '../../http/limits.ts';
import type { Call } from '../../http/route.ts';
import { countSend, type SendLimits } from '../../http/sends.ts';
import { type Chain, lastOf, withLast } from './chain.ts';
import { Conversations, notFound } from './conversations.ts';
import { checkGuest, type IncomingParts, submissionOf } from './incoming.ts';
import { listTasks } from './list.ts';
import { needsKey, type Push, type TaskPushes } from './push.ts';
import { follow } from './stream.ts';
import { type Shown, type TaskViewParts, taskOf, textMessage } from './tasks.ts';

/** What an agent needs of the service. */
export interface AgentParts extends IncomingParts, TaskViewParts, SendLimits, StreamParts {
  readonly store: Store;
  readonly post: Submitter;
  readonly bus: EventBus;
  readonly sealed: OneTimeSecrets;
  readonly authenticator: Authenticator;
  readonly taskPushes: TaskPushes;
  readonly limiters: SendLimits['limiters'] & Pick<Limiters, 'changes'>;
  readonly sync_ms: Millis;
  readonly stop: StopSignals;
}

/** One request to an address as an agent of A2A 1.0: the SDK reads and writes its words, this does what they ask for. */
export class AddressAgent implements A2ARequestHandler {
  /** Why the request failed, where this decided it. */
  failed: unknown;
  /** Whether the SDK understood the parameters, so that it called this. */
  asked = false;
  readonly #parts: AgentParts;
  readonly #mailbox: Mailbox;
  readonly #to: Address;
  /** Aborts when a stream of this call ends; undefined before one begins. */
  #over: AbortSignal | undefined;
  readonly #call: Pick<Call, 'caller' | 'gone'>;
  readonly #conversations: Conversations;
  readonly #card: (extended: boolean) => Promise<AgentCard>;
  readonly #waits: boolean;

  constructor(
    parts: AgentParts,
    target: {
      readonly mailbox: Mailbox;
      readonly to: Address;
      readonly card: (extended: boolean) => Promise<AgentCard>;
      /** Whether the caller waits for the answer. */
      readonly waits: boolean;
    },
    call: Pick<Call, 'caller' | 'gone'>,
  ) {
    this.#parts = parts;
    this.#mailbox = target.mailbox;
    this.#to = target.to;
    this.#card = target.card;
    this.#waits = target.waits;
    this.#call = call;
    this.#conversations = new Conversations(parts, target.mailbox, call.caller);
  }

  /** Only its capabilities are read, so it is not signed. */
  async getAgentCard(): Promise<AgentCard> {
    return { capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true } } as AgentCard;
  }

  getAuthenticatedExtendedAgentCard(): Promise<AgentCard> {
    return this.#do(async () => {
      if (this.#call.caller.kind !== 'key')
        throw new AppError('missing_key', 'The extended card is for callers with an API key.');
      return this.#card(true);
    });
  }

  sendMessage({ message, configuration }: SendMessageRequest): Promise<Task> {
    return this.#do(async () => {
      const waits = this.#waits && configuration?.returnImmediately !== true;
      const wait = waits ? new LazyWait(this.#parts.sync_ms, this.#call, this.#parts) : undefined;
      const chain = await this.#send(message, wait, configuration?.taskPushNotificationConfig);
      return this.#task(chain, configuration?.historyLength, message);
    });
  }

  async *sendMessageStream({
    message,
    configuration,
  }: SendMessageRequest): AsyncGenerator<StreamResponse, void, undefined> {
    const chain = await this.#do(() => {
      this.#over = this.#parts.streams.open(this.#call.caller, this.#call.gone());
      return this.#send(message, undefined, configuration?.taskPushNotificationConfig);
    });
    yield* this.#follow(chain, configuration?.historyLength, false, message);
  }

  getTask({ id, historyLength }: GetTaskRequest): Promise<Task> {
    return this.#do(async () => {
      const { chain, rights } = await this.#conversations.readable(id);
      return this.#task(await this.#opened(chain, rights), historyLength);
    });
  }

  listTasks(request: ListTasksRequest): Promise<ListTasksResponse> {
    return this.#do(() =>
      listTasks(request, {
        parts: this.#parts,
        mailbox: this.#mailbox,
        caller: this.#call.caller,
        contextOf: (message) => this.#conversations.contextOf(message),
        threadOf: (contextId) => this.#conversations.threadOf(contextId),
        chainOf: (message) => this.#conversations.chainOf(message),
      }),
    );
  }

  cancelTask({ id }: CancelTaskRequest): Promise<Task> {
    return this.#do(async () => {
      const { chain, rights } = await this.#conversations.found(id);
      if (!rights.sender && !rights.recipient) throw notFound(id);
      const last = lastOf(chain);
      if (last.status === 'input_required' && rights.sender) return this.#task(await this.#takeBack(chain));
      if (last.status !== 'canceled' && isSettled(last.status))
        throw new TaskNotCancelableError(`The task is ${last.status}, so there is nothing left to cancel.`);
      const canceled = await this.#parts.post.cancel(last);
      if (canceled.status !== 'canceled')
        throw new TaskNotCancelableError(`The task was ${canceled.status} before it could be canceled.`);
      if (rights.reader) return this.#task(withLast(chain, canceled));
      // A key may act on a task that it may not read.
      return this.#task([withoutContents({ ...chain[0], status: 'canceled' })]);
    });
  }

  /** Ends a task that asked: its sender answers that it wants nothing more, which is a canceled message. */
  async #takeBack(chain: Chain): Promise<Chain> {
    const { post } = this.#parts;
    const { caller } = this.#call;
    const [{ thread_id, from }] = chain;
    await countSend(caller, this.#parts);
    const id = `cancel ${lastOf(chain).id}`;
    const message = textMessage(
      id,
      'Canceled.',
      from === null ? {} : { from: fullAddress(from, this.#parts.mailDomain) },
    );
    const place = { mailbox: this.#mailbox, to: this.#to, thread_id, in_reply_to: replyIdOf(lastOf(chain).id) };
    const submission = await submissionOf(message, caller, place, this.#parts);
    const sent = await post.send({ ...submission, unanswered: 'canceled' });
    return [...chain, sent.message] as unknown as Chain;
  }

  async *resubscribe({ id }: SubscribeToTaskRequest): AsyncGenerator<StreamResponse, void, undefined> {
    const chain = await this.#do(async () => {
      const found = await this.#conversations.readable(id);
      const { status } = lastOf(found.chain);
      if (isSettled(status) && status !== 'input_required') {
        throw new UnsupportedOperationError(
          `The task is ${status} and does not change any more. Read it with GetTask.`,
        );
      }
      this.#over = this.#parts.streams.open(this.#call.caller, this.#call.gone());
      return found.chain;
    });
    yield* this.#follow(chain, undefined, true);
  }

  createTaskPushNotificationConfig(config: TaskPushNotificationConfig): Promise<TaskPushNotificationConfig> {
    return this.#do(async () => {
      const stored = await this.#checkedPush(config);
      const { chain } = await this.#conversations.readable(config.taskId);
      await this.#countChange(stored.key);
      await this.#parts.taskPushes.create(chain, stored.key, stored.push, false);
      return configView(chain[0].id, stored.push);
    });
  }

  getTaskPushNotificationConfig({
    taskId,
    id,
  }: GetTaskPushNotificationConfigRequest): Promise<TaskPushNotificationConfig> {
    return this.#do(async () => {
      const { task, key } = await this.#pushed(taskId);
      const found = await this.#parts.taskPushes.get(task, key, id);
      if (found === undefined) throw new TaskNotFoundError(`The task has no push configuration ${id.slice(0, 40)}.`);
      return configView(taskId, found);
    });
  }

  listTaskPushNotificationConfigs({
    taskId,
  }: ListTaskPushNotificationConfigsRequest): Promise<ListTaskPushNotificationConfigsResponse> {
    return this.#do(async () => {
      const { task, key } = await this.#pushed(taskId);
      const found = await this.#parts.taskPushes.list(task, key);
      return { configs: found.map((config) => configView(taskId, config)), nextPageToken: '' };
    });
  }

  deleteTaskPushNotificationConfig({ taskId, id }: DeleteTaskPushNotificationConfigRequest): Promise<void> {
    return this.#do(async () => {
      const { task, key } = await this.#pushed(taskId);
      await this.#countChange(key);
      await this.#parts.taskPushes.remove(task, key, id);
    });
  }

  /** A push configuration that may be stored, and the key that makes it, which reads messages for good. */
  async #checkedPush({ id, url, token, authentication }: TaskPushNotificationConfig) {
    const { caller } = this.#call;
    if (caller.kind !== 'key') throw needsKey();
    requireDisclosing(caller, 'push configurations');
    const own = id || newId('evt', this.#parts.clock()).slice('evt_'.length);
    const push: Push = { id: own, url, token, authentication };
    await this.#parts.taskPushes.check(push);
    return { push, key: caller.key };
  }

  /** The id of a task that the caller reads, and the key whose push configurations it may see. */
  async #pushed(taskId: string): Promise<{ readonly task: string; readonly key: Key }> {
    const { caller } = this.#call;
    if (caller.kind !== 'key') throw needsKey();
    return { task: (await this.#conversations.readable(taskId)).chain[0].id, key: caller.key };
  }

  /** AppError `rate_limited`. */
  async #countChange({ namespace_id }: Key): Promise<void> {
    const { rateLimits, limiters } = this.#parts;
    const { refused } = rateLimits ? await count([limiters.changes], namespace_id) : {};
    if (refused !== undefined) throw refused;
  }

  /** Notes why a request failed, because the SDK passes on only what it knows of an error. */
  async #do<T>(work: () => Promise<T>): Promise<T> {
    this.asked = true;
    try {
      return await work();
    } catch (error) {
      this.failed = error;
      throw error;
    }
  }

  /** Sends a message, and returns the task it began or continued. */
  async #send(
    message: A2aMessage | undefined,
    wait: Wait | undefined,
    push?: TaskPushNotificationConfig,
  ): Promise<Chain> {
    const { directory } = this.#parts;
    const { caller } = this.#call;
    if (message === undefined) throw new RequestMalformedError('Send a message.');
    checkGuest(caller, this.#mailbox);
    const wanted = push && (await this.#checkedPush(push));
    if (wanted !== undefined) await this.#countChange(wanted.key);
    await countSend(caller, this.#parts);
    const continued = this.#conversations.continued(message);
    const { before: pastChain, thread_id, names } = continued instanceof Promise ? await continued : continued;
    if (wanted !== undefined) await this.#parts.taskPushes.checkRoom(pastChain?.[0].id, wanted.key, wanted.push);
    const last = pastChain?.at(-1);
    const in_reply_to = last === undefined ? null : replyIdOf(last.id);
    const place = { mailbox: this.#mailbox, to: this.#to, thread_id, in_reply_to };
    const submission = await submissionOf(message, caller, place, this.#parts);
    const startTime = performance.now();
    const sent = await this.#post(submission, wait);
    // An answer within the first second needs no second check of the key.
    const late = performance.now() - startTime > SECOND;
    if (late && caller.kind === 'key' && !(await directory.works(caller.key))) {
      throw new AppError('invalid_key', 'This key was revoked or has expired; the message was sent before.');
    }
    const chain: Chain = pastChain === undefined ? [sent.message] : ([...pastChain, sent.message] as unknown as Chain);
    if (names !== undefined) await this.#conversations.name(names, sent.message.thread_id);
    if (wanted !== undefined) await this.#parts.taskPushes.create(chain, wanted.key, wanted.push, true);
    return chain;
  }

  #post(submission: Awaited<ReturnType<typeof submissionOf>>, wait: Wait | undefined): Promise<Sent> {
    const { post } = this.#parts;
    if (submission.upload === undefined) return post.send(submission, wait);
    return (async () => {
      await using _ = submission.upload;
      return await post.send(submission, wait);
    })();
  }

  /** The task with the secret of its reply, which its sender sees once. */
  async #opened(chain: Chain, { sender }: Pick<Rights, 'sender'>): Promise<Chain> {
    if (!sender) return chain;
    const last = lastOf(chain);
    return withLast(chain, await this.#parts.sealed.open(last, 'sender'));
  }

  async #task(chain: Chain, history?: number, message?: A2aMessage): Promise<Task> {
    return taskOf(chain, await this.#shown(chain, history, message), this.#parts);
  }

  async #shown(chain: Chain, history?: number, message?: A2aMessage): Promise<Shown> {
    const last = lastOf(chain);
    const given = message && { id: last.id, as: message.messageId };
    // A conversation that begins with it has no other name.
    const begins = message?.contextId === '' && message.taskId === '' && this.#call.caller.kind === 'key';
    const contextId = begins ? chain[0].thread_id : await this.#conversations.contextOf(chain[0]);
    const mailbox = await this.#parts.directory.mailboxById(last.mailbox_id);
    const own = mailbox !== undefined && mayOn(this.#call.caller, 'messages:read', mailbox);
    return { contextId, history, given, own };
  }

  async *#follow(chain: Chain, history: number | undefined, subscribed: boolean, message?: A2aMessage) {
    const { caller, gone } = this.#call;
    yield* follow(chain, {
      parts: this.#parts,
      shown: await this.#shown(chain, history, message),
      subscribed,
      gone: this.#over ?? gone(),
      works: async () => caller.kind !== 'key' || this.#parts.directory.works(caller.key),
      chainOf: (root) => this.#conversations.chainOf(root),
      opened: async (now) => {
        const rights = await rightsTo(now[0], caller, this.#parts.directory, this.#parts.store.messages);
        return this.#opened(now, { sender: rights.sender || caller.kind === 'guest' });
      },
    });
  }
}

/** A push configuration without its secrets, which are only ever sent to its URL. */
const configView = (taskId: string, { id, url, authentication }: Push): TaskPushNotificationConfig => ({
  tenant: '',
  id,
  taskId,
  url: url.includes('?') ? `${url.slice(0, url.indexOf('?'))}?***` : url,
  token: '',
  authentication: authentication && { scheme: authentication.scheme, credentials: '' },
});
