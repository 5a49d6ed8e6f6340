import type {
  Message as A2aMessage,
  AgentCard,
  CancelTaskRequest,
  GetTaskRequest,
  ListTasksRequest,
  ListTasksResponse,
  SendMessageRequest,
  StreamResponse,
  SubscribeToTaskRequest,
  Task,
} from '@a2a-js/sdk';
import {
  PushNotificationNotSupportedError,
  RequestMalformedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors';
import type { A2ARequestHandler } from '@a2a-js/sdk/server';
import type { Caller, Rights } from '../../core/access/caller.ts';
import { rightsTo } from '../../core/access/caller.ts';
import type { OneTimeSecrets } from '../../core/delivery/one-time-secrets.ts';
import type { Wait } from '../../core/delivery/submission.ts';
import type { Submitter } from '../../core/delivery/submit.ts';
import type { Mailbox } from '../../core/entities/mailbox.ts';
import type { Message } from '../../core/entities/message.ts';
import { isSettled } from '../../core/entities/message.ts';
import type { EventBus } from '../../core/notify/event-bus.ts';
import type { Store } from '../../core/ports/store.ts';
import type { Address } from '../../core/values/address.ts';
import type { Millis } from '../../core/values/clock.ts';
import { SECOND } from '../../core/values/clock.ts';
import { AppError } from '../../core/values/error.ts';
import { isId, isReplyId, replyIdOf } from '../../core/values/ids.ts';
import type { Authenticator } from '../../http/authenticate.ts';
import type { StopSignals } from '../../http/connections/drain.ts';
import type { StreamParts } from '../../http/connections/streams.ts';
import type { Call } from '../../http/route.ts';
import type { SendLimits } from '../../http/sends.ts';
import { countSend } from '../../http/sends.ts';
import { checkGuest, type IncomingParts, submissionOf } from './incoming.ts';
import { listTasks } from './list.ts';
import { follow } from './stream.ts';
import type { Chain, Shown, TaskViewParts } from './tasks.ts';
import { taskOf } from './tasks.ts';

/** What an agent needs of the service. */
export interface AgentParts extends IncomingParts, TaskViewParts, SendLimits, StreamParts {
  readonly store: Store;
  readonly post: Submitter;
  readonly bus: EventBus;
  readonly sealed: OneTimeSecrets;
  readonly authenticator: Authenticator;
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
  readonly #call: Pick<Call, 'caller' | 'gone'>;
  readonly #card: (extended: boolean) => Promise<AgentCard>;

  constructor(
    parts: AgentParts,
    of: { readonly mailbox: Mailbox; readonly to: Address; readonly card: (extended: boolean) => Promise<AgentCard> },
    call: Pick<Call, 'caller' | 'gone'>,
  ) {
    this.#parts = parts;
    this.#mailbox = of.mailbox;
    this.#to = of.to;
    this.#card = of.card;
    this.#call = call;
  }

  /** Only its capabilities are read, so it is not signed. */
  async getAgentCard(): Promise<AgentCard> {
    return { capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: true } } as AgentCard;
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
      const wait = configuration?.returnImmediately === true ? undefined : this.#wait(this.#parts.sync_ms);
      const chain = await this.#send(message, wait);
      return this.#task(chain, configuration?.historyLength, message);
    });
  }

  async *sendMessageStream({
    message,
    configuration,
  }: SendMessageRequest): AsyncGenerator<StreamResponse, void, undefined> {
    const chain = await this.#do(() => {
      this.#parts.streams.open(this.#call.caller, this.#call.gone());
      return this.#send(message, undefined);
    });
    yield* this.#follow(chain, configuration?.historyLength, false, message);
  }

  getTask({ id, historyLength }: GetTaskRequest): Promise<Task> {
    return this.#do(async () => {
      const { chain, rights } = await this.#readable(id);
      return this.#task(await this.#opened(chain, rights), historyLength);
    });
  }

  listTasks(request: ListTasksRequest): Promise<ListTasksResponse> {
    return this.#do(() =>
      listTasks(request, {
        parts: this.#parts,
        mailbox: this.#mailbox,
        caller: this.#call.caller,
        contextOf: (message) => this.#contextOf(message),
        threadOf: (contextId) => this.#threadOf(contextId),
        chainOf: (message) => this.#chainOf(message),
      }),
    );
  }

  cancelTask({ id }: CancelTaskRequest): Promise<Task> {
    return this.#do(async () => {
      const { chain, rights } = await this.#readable(id);
      if (!rights.sender && !rights.recipient) throw notFound(id);
      const last = chain.at(-1) as Message;
      if (last.status !== 'canceled' && isSettled(last.status)) {
        throw new TaskNotCancelableError(`The task is ${last.status}, so there is nothing left to cancel.`);
      }
      const canceled = await this.#parts.post.cancel(last);
      if (canceled.status !== 'canceled') {
        throw new TaskNotCancelableError(`The task was ${canceled.status} before it could be canceled.`);
      }
      return this.#task([...chain.slice(0, -1), canceled] as unknown as Chain);
    });
  }

  async *resubscribe({ id }: SubscribeToTaskRequest): AsyncGenerator<StreamResponse, void, undefined> {
    const chain = await this.#do(async () => {
      const found = await this.#readable(id);
      const { status } = found.chain.at(-1) as Message;
      if (isSettled(status) && status !== 'input_required') {
        throw new UnsupportedOperationError(
          `The task is ${status} and does not change any more. Read it with GetTask.`,
        );
      }
      this.#parts.streams.open(this.#call.caller, this.#call.gone());
      return found.chain;
    });
    yield* this.#follow(chain, undefined, true);
  }

  async createTaskPushNotificationConfig(): Promise<never> {
    return this.#do(() => Promise.reject(new PushNotificationNotSupportedError()));
  }

  async getTaskPushNotificationConfig(): Promise<never> {
    return this.#do(() => Promise.reject(new PushNotificationNotSupportedError()));
  }

  async listTaskPushNotificationConfigs(): Promise<never> {
    return this.#do(() => Promise.reject(new PushNotificationNotSupportedError()));
  }

  async deleteTaskPushNotificationConfig(): Promise<never> {
    return this.#do(() => Promise.reject(new PushNotificationNotSupportedError()));
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
  async #send(message: A2aMessage | undefined, wait: Wait | undefined): Promise<Chain> {
    const { post, directory, bus } = this.#parts;
    const { caller } = this.#call;
    if (message === undefined) throw new RequestMalformedError('Send a message.');
    checkGuest(caller, this.#mailbox);
    await countSend(caller, this.#parts);
    const { before, thread_id } = await this.#continued(message);
    const last = before?.at(-1);
    const in_reply_to = last === undefined ? null : replyIdOf(last.id);
    const place = { mailbox: this.#mailbox, to: this.#to, thread_id, in_reply_to };
    const submission = await submissionOf(message, caller, place, this.#parts);
    await using _ = submission.upload;
    const asked = performance.now();
    const sent = await post.send(submission, wait);
    // An answer within the first second needs no second check of the key.
    const late = performance.now() - asked > SECOND;
    if (late && caller.kind === 'key' && !(await directory.works(caller.key))) {
      throw new AppError('invalid_key', 'This key was revoked or has expired; the message was sent before.');
    }
    if (before === undefined) return [sent.message];
    // Those who follow the task learn that it continues.
    bus.publishProgress(before[0]);
    return [...before, sent.message] as unknown as Chain;
  }

  /** The task that a message continues, if any, and its thread. */
  async #continued({
    taskId,
    contextId,
  }: A2aMessage): Promise<{ readonly before?: Chain; readonly thread_id: string | null }> {
    const { caller } = this.#call;
    const thread_id = contextId === '' ? ownThread(caller) : this.#threadOf(contextId);
    if (contextId !== '' && thread_id === undefined) {
      throw new RequestMalformedError(
        'There is no such contextId. Take it from a task of this address, or leave it out to begin a conversation.',
      );
    }
    if (taskId === '') return { thread_id: thread_id ?? null };
    const { chain } = await this.#readable(taskId, caller.kind === 'guest' ? thread_id : undefined);
    const [root] = chain;
    const last = chain.at(-1) as Message;
    if (contextId !== '' && thread_id !== root.thread_id)
      throw new RequestMalformedError('The contextId is not that of this task. Leave one of them out.');
    if (last.status !== 'input_required') {
      throw new UnsupportedOperationError(
        `The task is ${last.status} and takes no message. Send it with the contextId alone to begin another task in the conversation.`,
      );
    }
    return { before: chain, thread_id: root.thread_id };
  }

  /** A task of this address that the caller may read; the guest of `thread_id` may read those of that thread. */
  async #readable(id: string, thread_id?: string | null): Promise<{ readonly chain: Chain; readonly rights: Rights }> {
    const { store, directory } = this.#parts;
    const message = isId('msg', id) && !isReplyId(id) ? await store.messages.byId(id) : undefined;
    if (message === undefined || message.mailbox_id !== this.#mailbox.id) throw notFound(id);
    const caller = thread_id ? { ...this.#call.caller, kind: 'thread' as const, thread_id } : this.#call.caller;
    const rights = await rightsTo(message, caller, directory, store.messages);
    if (!rights.reader && !rights.recipient) throw notFound(id);
    return { chain: await this.#chainOf(message), rights };
  }

  async #chainOf(root: Message): Promise<Chain> {
    const chain: [Message, ...Message[]] = [root];
    for (let last = root; last.status === 'input_required'; ) {
      const question = replyIdOf(last.id);
      const page = await this.#parts.store.messages.thread(root.thread_id, last.id, 50);
      const next = page.items.find(
        (one) => one.in_reply_to === question && one.kind === 'message' && sameEnds(one, root),
      );
      if (next === undefined) break;
      chain.push(next);
      last = next;
    }
    return chain;
  }

  /** The task with the secret of its reply, which its sender sees once. */
  async #opened(chain: Chain, { sender }: Pick<Rights, 'sender'>): Promise<Chain> {
    if (!sender) return chain;
    const last = chain.at(-1) as Message;
    return [...chain.slice(0, -1), await this.#parts.sealed.open(last, 'sender')] as unknown as Chain;
  }

  #task(chain: Chain, history?: number, message?: A2aMessage): Promise<Task> {
    return taskOf(chain, this.#shown(chain, history, message), this.#parts);
  }

  #shown(chain: Chain, history?: number, message?: A2aMessage): Shown {
    const last = chain.at(-1) as Message;
    const given = message === undefined ? new Map<string, string>() : new Map([[last.id, message.messageId]]);
    return { contextId: this.#contextOf(chain[0]), history, given };
  }

  /** The thread, which a guest names by the token that continues it. */
  #contextOf({ sender_kind, thread_id }: Message): string {
    const own = sender_kind === 'guest' && this.#call.caller.kind !== 'key';
    return own ? this.#parts.authenticator.threadToken(thread_id) : thread_id;
  }

  /** The thread of a contextId; undefined for one that was not given out here. */
  #threadOf(contextId: string): string | undefined {
    const { caller } = this.#call;
    if (caller.kind === 'key') return isId('thr', contextId) ? contextId : undefined;
    return this.#parts.authenticator.threadOf(contextId) ?? (contextId === ownThread(caller) ? contextId : undefined);
  }

  #wait(ms: Millis): Wait {
    const { gone } = this.#call;
    const { over } = this.#parts.stop;
    return {
      ms,
      get signal() {
        return AbortSignal.any([gone(), over]);
      },
    };
  }

  #follow(chain: Chain, history: number | undefined, subscribed: boolean, message?: A2aMessage) {
    const { caller, gone } = this.#call;
    return follow(chain, {
      parts: this.#parts,
      shown: this.#shown(chain, history, message),
      subscribed,
      gone: gone(),
      works: async () => caller.kind !== 'key' || this.#parts.directory.works(caller.key),
      chainOf: (root) => this.#chainOf(root),
      opened: async (now) => {
        const rights = await rightsTo(now[0], caller, this.#parts.directory, this.#parts.store.messages);
        return this.#opened(now, { sender: rights.sender || caller.kind === 'guest' });
      },
    });
  }
}

const ownThread = (caller: Caller): string | undefined => (caller.kind === 'thread' ? caller.thread_id : undefined);

const sameEnds = (one: Message, other: Message): boolean =>
  one.mailbox_id === other.mailbox_id && one.sender_kind === other.sender_kind && one.sender_id === other.sender_id;

const notFound = (id: string) =>
  new TaskNotFoundError(`There is no task ${id.slice(0, 40)} of this address that you may see.`);
