import { isOutgoing } from '@mailroom/behavior/message';
import type { Clock, Millis } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { type Caller, mayOn, rightsTo } from '../access/caller.ts';
import type { Directory } from '../access/directory.ts';
import { hasScope, isBound } from '../entities/key.ts';
import { GONE } from '../entities/label.ts';
import { isReceivedBy, isSettled, type Message } from '../entities/message.ts';
import type { Claim } from '../ports/claim.ts';
import type { Store } from '../ports/store.ts';
import type { Dispatch } from '../runs/dispatch.ts';
import { removeMessage } from './remove-message.ts';
import type { Submitter } from './submit.ts';

interface Parts {
  readonly store: Store;
  readonly directory: Directory;
  readonly post: Submitter;
  readonly dispatch: Pick<Dispatch, 'register'>;
  readonly clock: Clock;
  /** Called with the id of a message whose labels change. */
  readonly onChange: (id: string) => void;
}

/**
 * The trash of one's own view of messages: that of the mailbox that received one, and that of the mailbox or, for a key
 * without one, the namespace that sent it.
 */
export class Trash {
  readonly #parts: Parts;
  readonly #keep_ms: Millis;

  constructor(parts: Parts, keep_ms: Millis) {
    this.#parts = parts;
    this.#keep_ms = keep_ms;
    parts.dispatch.register('trash', (claim) => this.#run(claim));
  }

  /** Puts it into the trash of each view that is the caller's; one that waits is canceled by its recipient. AppError `access_denied`. */
  async put(message: Message, caller: Caller): Promise<Message> {
    const { store, post, clock, onChange } = this.#parts;
    const views = await this.#viewsOf(message, caller);
    if (!isSettled(message.status) && views.includes(message.mailbox_id)) await post.cancel(message);
    for (const view of views) await store.labels.trash(view, message.id, clock() + this.#keep_ms);
    onChange(message.id);
    return (await store.messages.byId(message.id)) ?? message;
  }

  /** Takes it out again; nothing changes for one that is not there. AppError `access_denied`. */
  async restore(message: Message, caller: Caller): Promise<Message> {
    const { store, onChange } = this.#parts;
    for (const view of await this.#viewsOf(message, caller)) await store.labels.restore(view, message.id);
    onChange(message.id);
    return (await store.messages.byId(message.id)) ?? message;
  }

  async #viewsOf(message: Message, caller: Caller): Promise<readonly string[]> {
    const views: string[] = [];
    const mailbox = await this.#parts.directory.mailboxById(message.mailbox_id);
    if (mailbox !== undefined && isReceivedBy(message, mailbox.id) && mayOn(caller, 'mail:answer', mailbox))
      views.push(mailbox.id);
    const { directory, store } = this.#parts;
    const { reader } = await rightsTo(message, caller, directory, store.messages);
    const sent = reader ? await this.#sentView(message, caller) : undefined;
    if (sent !== undefined && !views.includes(sent)) views.push(sent);
    if (views.length > 0) return views;
    throw new AppError(
      'access_denied',
      'A message is put into the trash by keys of its recipient with mail:answer, or of its sender with mail:send.',
    );
  }

  async #sentView({ sender_kind: kind, sender_id: id, sender_namespace_id: ns }: Message, caller: Caller) {
    if (kind === 'mailbox' && id !== null) {
      const mailbox = await this.#parts.directory.mailboxById(id);
      return mailbox !== undefined && mayOn(caller, 'mail:send', mailbox) ? mailbox.id : undefined;
    }
    const isOwn = caller.kind === 'key' && !isBound(caller.key) && caller.key.namespace_id === ns;
    return kind === 'key' && isOwn && hasScope(caller.key, 'mail:send') ? (ns ?? undefined) : undefined;
  }

  /** The time in the trash is over: it is gone from that view, and deleted once no other view has it. */
  async #run(claim: Claim): Promise<void> {
    const { store } = this.#parts;
    const [view = '', id = ''] = claim.id.split(' ');
    const message = await store.messages.byId(id);
    if (message !== undefined) {
      if (this.#isSole(message, view)) await removeMessage(message, this.#parts);
      else await store.labels.gone(view, id);
    }
    await store.jobs.remove(claim.id);
  }

  /** Whether no other view has the message. */
  #isSole(message: Message, view: string): boolean {
    const { mailbox_id: received, sender_kind: kind, sender_id: id, sender_namespace_id: ns, labels = [] } = message;
    const sent = kind === 'mailbox' ? id : kind === 'key' ? ns : null;
    const others = [...(isOutgoing(message) ? [] : [received]), ...(message.copy_of === undefined ? [sent] : [])];
    const isGone = (other: string): boolean => labels.some((one) => one.mailbox_id === other && one.label === GONE);
    return others.every((other) => other === null || other === view || isGone(other));
  }
}
