import { parseAddress } from '@mailroom/behavior/values/address';
import { AppError, invalid } from '@mailroom/behavior/values/error';
import type { Json } from '@mailroom/behavior/values/json';
import type { Finding } from '../entities/finding.ts';
import type { Scope } from '../entities/key.ts';
import { checkLabels, labelsIn, MAX_LABELS, type MessageChange, marksIn, UNREAD } from '../entities/label.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import { isReceivedBy, type Message } from '../entities/message.ts';
import type { Metadata } from '../entities/recipients.ts';
import type { Store } from '../ports/store.ts';
import { type Caller, isOwn, mayOn } from './caller.ts';
import type { Directory } from './directory.ts';

interface Parts {
  readonly store: Pick<Store, 'labels'>;
  readonly directory: Directory;
  readonly mailDomain: string;
  /** Called with the id of a message whose labels change. */
  readonly onChange: (id: string) => void;
}

/** What of a message only some of its readers see. */
interface Marks {
  readonly labels?: string[];
  readonly rules?: string[];
  readonly findings?: Finding[];
  readonly progress?: { readonly text: string; readonly at: string }[];
  readonly metadata?: Metadata;
  readonly [name: string]: Json;
}

/** The metadata of a message for a caller of its writer's namespace. */
export const metadataFor = ({ metadata, sender_namespace_id: namespaceId }: Message, caller: Caller) =>
  metadata !== undefined && namespaceId !== null && isOwn(caller, namespaceId) ? { metadata } : {};

/** The labels of messages, which only those see who read the mailbox that has them. */
export class MessageLabels {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * The mailbox of the message for which the caller has this scope: the recipient, else the sender's, or the one that
   * `address` names. Undefined when there is none; AppError `validation_error` when `address` names no such mailbox.
   */
  mailboxFor(
    message: Message,
    caller: Caller,
    scope: Scope,
    address?: string,
  ): Mailbox | undefined | Promise<Mailbox | undefined> {
    const { directory } = this.#parts;
    const { sender_kind, sender_id, mailbox_id } = message;
    const received = directory.mailboxById(mailbox_id);
    const sent = sender_kind === 'mailbox' && sender_id !== null ? directory.mailboxById(sender_id) : undefined;
    const choose = (both: readonly (Mailbox | undefined)[]): Mailbox | undefined =>
      this.#choose(
        both.filter((one) => one !== undefined && one.deleted_at === null && mayOn(caller, scope, one)) as Mailbox[],
        address,
      );
    if (received instanceof Promise || sent instanceof Promise) return Promise.all([received, sent]).then(choose);
    return choose([received, sent]);
  }

  #choose(found: readonly Mailbox[], address: string | undefined): Mailbox | undefined {
    if (address === undefined) return found[0];
    const named = parseAddress(address, this.#parts.mailDomain);
    const chosen = found.find(
      ({ local_part, namespace }) => local_part === named?.local && namespace === named.namespace,
    );
    if (chosen !== undefined) return chosen;
    throw invalid('/mailbox', 'The message is in no mailbox with this address for which this key has the scope.');
  }

  /**
   * The labels for the message's envelope, but for a caller who does not read a mailbox that has it, and its metadata for
   * keys of its writer's namespace.
   */
  of(message: Message, caller: Caller, address?: string): Marks | undefined | Promise<Marks | undefined> {
    const mailbox = this.mailboxFor(message, caller, 'messages:read', address);
    const shownMarks = (one: Mailbox | undefined): Marks | undefined =>
      one === undefined && message.metadata === undefined
        ? undefined
        : { ...(one && marksIn(message, one.id)), ...metadataFor(message, caller) };
    return mailbox instanceof Promise ? mailbox.then(shownMarks) : shownMarks(mailbox);
  }

  /** As `of`, for a page of messages in any mailboxes. */
  async ofEach(messages: readonly Message[], caller: Caller): Promise<(message: Message) => Marks | undefined> {
    const shown = new Map<string, Marks | undefined>();
    for (const message of messages) shown.set(message.id, await this.of(message, caller));
    return ({ id }) => shown.get(id);
  }

  /** Changes the labels in this mailbox. AppError `validation_error`. */
  async change(message: Message, mailbox: Mailbox, { labels }: MessageChange): Promise<{ labels: string[] }> {
    const { add = [], remove = [] } = labels;
    checkLabels(add, '/labels/add');
    checkLabels(remove, '/labels/remove');
    const both = add.findIndex((label) => remove.includes(label));
    if (both >= 0) throw invalid(`/labels/add/${both}`, `"${add[both]}" cannot be added and removed at once.`);
    if (add.includes(UNREAD) && !isReceivedBy(message, mailbox.id))
      throw invalid('/labels/add', 'Only a message that the mailbox received can be unread.');
    const read = add.includes(UNREAD) ? false : remove.includes(UNREAD) ? true : undefined;
    const withoutUnread = (all: readonly string[]): string[] => all.filter((label) => label !== UNREAD);
    const changed = await this.#parts.store.labels.change(
      mailbox.id,
      message.id,
      { add: withoutUnread(add), remove: withoutUnread(remove), read },
      MAX_LABELS,
    );
    this.#parts.onChange(message.id);
    if (changed === 'full')
      throw invalid('/labels/add', `A message has at most ${MAX_LABELS} labels. Remove some in the same request.`);
    return { labels: labelsIn({ ...message, ...changed }, mailbox.id) };
  }
}

/** AppError `access_denied` for a caller who sees the message and may not label it. */
export const mayNotLabel = (): AppError =>
  new AppError('access_denied', 'This key has the scope mail:answer for no mailbox that has this message.');
