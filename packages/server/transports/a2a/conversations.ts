import type { Message as A2aMessage } from '@a2a-js/sdk';
import { RequestMalformedError, TaskNotFoundError, UnsupportedOperationError } from '@a2a-js/sdk/errors';
import type { Clock } from '@mailroom/behavior/values/clock';
import { isId, isReplyId } from '@mailroom/behavior/values/ids';
import { type Caller, type Rights, rightsOn, rightsTo } from '../../core/access/caller.ts';
import type { Directory } from '../../core/access/directory.ts';
import type { Mailbox } from '../../core/entities/mailbox.ts';
import type { Message } from '../../core/entities/message.ts';
import type { Store } from '../../core/ports/store.ts';
import type { Authenticator } from '../../http/authenticate.ts';
import { type Chain, chainOf, lastOf } from './chain.ts';
import { contextOf, isOwnContext, nameThread, threadNamed } from './contexts.ts';

/** Where a message belongs: the task that it continues, and the thread; or the contextId that it gives a new one. */
interface Continued {
  readonly before?: Chain;
  readonly thread_id: string | null;
  readonly names?: string;
}

/** A task, and what the caller may do with it. */
interface Found {
  readonly chain: Chain;
  readonly rights: Rights;
}

interface Parts {
  readonly store: Store;
  readonly directory: Directory;
  readonly authenticator: Authenticator;
  readonly clock: Clock;
}

/** The tasks and conversations of one address, as one caller knows them. */
export class Conversations {
  readonly #parts: Parts;
  readonly #mailbox: Mailbox;
  readonly #caller: Caller;

  constructor(parts: Parts, mailbox: Mailbox, caller: Caller) {
    this.#parts = parts;
    this.#mailbox = mailbox;
    this.#caller = caller;
  }

  /** A task of this address that the caller may read; the guest of `thread_id` may read those of that thread. */
  async readable(id: string, thread_id?: string | null): Promise<Found> {
    const found = await this.found(id, thread_id);
    if (!found.rights.reader) throw notFound(id);
    return found;
  }

  /** A task of this address, and what the caller may do with it. */
  async found(id: string, thread_id?: string | null): Promise<Found> {
    const { store, directory } = this.#parts;
    const message = isId('msg', id) && !isReplyId(id) ? await store.messages.byId(id) : undefined;
    if (message === undefined || message.mailbox_id !== this.#mailbox.id) throw notFound(id);
    const caller = thread_id ? { ...this.#caller, kind: 'thread' as const, thread_id } : this.#caller;
    const rights = await rightsTo(message, caller, directory, store.messages);
    return { chain: await this.chainOf(message), rights };
  }

  /** The task that a message began; a key that may not read how another key continued it sees it as it was before. */
  async chainOf(root: Message): Promise<Chain> {
    const { store, directory } = this.#parts;
    const caller = this.#caller;
    const chain = await chainOf(root, store.messages);
    if (caller.kind !== 'key' || chain.length === 1) return chain;
    const rights = await Promise.all(chain.map((one) => rightsOn(one, caller, directory)));
    const end = rights.findIndex(({ sender, reader, recipient }) => !sender && !reader && !recipient);
    return end < 1 ? chain : (chain.slice(0, end) as unknown as Chain);
  }

  /** The task that a message continues, if any, and its thread; at once for a message that names neither. */
  continued(message: A2aMessage): Continued | Promise<Continued> {
    if (message.contextId === '' && message.taskId === '') return { thread_id: ownThread(this.#caller) ?? null };
    return this.#continuedOf(message);
  }

  async #continuedOf({ messageId, taskId, contextId }: A2aMessage): Promise<Continued> {
    const caller = this.#caller;
    const thread_id = contextId === '' ? ownThread(caller) : await this.threadOf(contextId);
    if (contextId !== '' && thread_id === undefined) {
      if (taskId === '' && caller.kind === 'key' && isOwnContext(contextId))
        return { thread_id: null, names: contextId };
      throw new RequestMalformedError(
        'There is no such contextId. Take it from a task of this address, or leave it out to begin a conversation.',
      );
    }
    if (taskId === '') return { thread_id: thread_id ?? null };
    const { chain } = await this.readable(taskId, caller.kind === 'guest' ? thread_id : undefined);
    const [root] = chain;
    const last = lastOf(chain);
    if (contextId !== '' && thread_id !== root.thread_id)
      throw new RequestMalformedError('The contextId is not that of this task. Leave one of them out.');
    if (last.status !== 'input_required') {
      const before = await this.#beforeRepeated(chain, messageId);
      if (before !== undefined) return { before, thread_id: root.thread_id };
      throw new UnsupportedOperationError(
        `The task is ${last.status} and takes no message. Send it with the contextId alone to begin another task in the conversation.`,
      );
    }
    return { before: chain, thread_id: root.thread_id };
  }

  /** The part of a task before a message of this caller that is repeated; undefined when it is a new one. */
  async #beforeRepeated(chain: Chain, messageId: string): Promise<Chain | undefined> {
    const caller = this.#caller;
    if (caller.kind !== 'key') return undefined;
    const known = await this.#parts.store.idempotency(caller.key.id, messageId, this.#parts.clock());
    const at = chain.findIndex(({ id }) => id === known?.id);
    return at > 0 ? (chain.slice(0, at) as unknown as Chain) : undefined;
  }

  /** The thread, by the name that its client gave it; a guest names it by the token that continues it. */
  async contextOf(message: Message): Promise<string> {
    const own = message.sender_kind === 'guest' && this.#caller.kind !== 'key';
    return own ? this.#parts.authenticator.threadToken(message.thread_id) : contextOf(message, this.#parts);
  }

  /** The thread of a contextId; undefined for one that is not known here. */
  async threadOf(contextId: string): Promise<string | undefined> {
    const caller = this.#caller;
    if (caller.kind !== 'key')
      return this.#parts.authenticator.threadOf(contextId) ?? (contextId === ownThread(caller) ? contextId : undefined);
    return isId('thr', contextId) ? contextId : threadNamed(contextId, this.#owner(), this.#parts);
  }

  /** Keeps the contextId that the caller gave to a new conversation. */
  name(contextId: string, thread_id: string): Promise<void> {
    return nameThread(contextId, thread_id, this.#owner(), this.#parts);
  }

  /** Whose names for conversations count. */
  #owner() {
    const caller = this.#caller;
    return { namespace_id: caller.kind === 'key' ? caller.key.namespace_id : '', mailbox_id: this.#mailbox.id };
  }
}

const ownThread = (caller: Caller): string | undefined => (caller.kind === 'thread' ? caller.thread_id : undefined);

/** The error for a task that the caller may not know. */
export const notFound = (id: string) =>
  new TaskNotFoundError(`There is no task ${id.slice(0, 40)} of this address that you may see.`);
