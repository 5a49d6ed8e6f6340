import { isOutgoing, type SenderKind } from '@mailroom/behavior/message';
import { type Address, shortAddress } from '@mailroom/behavior/values/address';
import { AppError, invalid } from '@mailroom/behavior/values/error';
import { isId, isReplyId, messageIdOf } from '@mailroom/behavior/values/ids';
import type { Directory } from '../access/directory.ts';
import { findInThread, isOf, oldestOf } from '../access/thread.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import { correspondentOf, type Message } from '../entities/message.ts';
import { isAmong } from '../entities/recipients.ts';
import { maySend, type NamespaceNames, namesOutside } from '../entities/sender-lists.ts';
import type { Store } from '../ports/store.ts';
import { MAX_HOPS, type Submission } from '../runs/submission.ts';

/** Who may write to which mailbox, and continue which thread. */
export class Recipients {
  readonly #store: Store;
  readonly #directory: Directory;

  constructor({ store, directory }: { readonly store: Store; readonly directory: Directory }) {
    this.#store = store;
    this.#directory = directory;
  }

  /**
   * The first message of the thread that the submission continues; undefined when it begins one. Throws AppError when
   * the mailbox does not accept it: `mailbox_not_found`, `mailbox_gone`, `access_denied`, `sender_not_allowed`,
   * `loop_detected`, `validation_error` (the thread).
   */
  async check(submission: Submission, mailbox: Mailbox): Promise<Pick<Message, 'thread_id'> | undefined> {
    if (submission.to_role !== true) {
      checkOpen(submission, mailbox);
      if (hasLists(mailbox)) await this.#checkSender(submission, mailbox);
    }
    const { copy_of: copyOf, thread_id, first } = submission;
    if (first !== undefined) return first;
    if (copyOf !== undefined && thread_id !== null) return { thread_id };
    return continuesThread(submission) ? this.#first(submission, mailbox) : undefined;
  }

  /** The error for an address without a mailbox. */
  async missing(to: Address): Promise<AppError> {
    const namespace = await this.#store.namespaces.byName(to.namespace);
    const deleted = namespace !== undefined && namespace.deleted_at !== null;
    return deleted ? namespaceGone(to.namespace) : noMailbox(to);
  }

  /** AppError `sender_not_allowed` when the mailbox's lists refuse the sender. */
  async #checkSender({ to, sender }: Submission, { senders }: Mailbox): Promise<void> {
    const names = await namespaceNames(sender, namesOutside([...senders.allow, ...senders.block]), {
      store: this.#store,
      directory: this.#directory,
    });
    if (maySend(senders, sender, names)) return;
    throw new AppError(
      'sender_not_allowed',
      `${shortAddress(to.local, to.namespace)} does not accept messages from this sender. Its owner decides who may write.`,
    );
  }

  /** A message of the thread that is continued, of which the sender and the mailbox are among From, To, Cc and Bcc. */
  async #first(submission: Submission, mailbox: Mailbox): Promise<Message> {
    const { thread_id, in_reply_to, sender, to } = submission;
    const address = shortAddress(to.local, to.namespace);
    const between = (message: Message): boolean =>
      (sameParty(message, sender) && message.mailbox_id === mailbox.id) ||
      (isOf(message, sender) && isAmong(message, address));
    let wanted = thread_id;
    if (in_reply_to !== null) {
      const precedingMessage = isId('msg', in_reply_to)
        ? await this.#store.messages.byId(messageIdOf(in_reply_to))
        : undefined;
      const known = precedingMessage !== undefined && (!isReplyId(in_reply_to) || precedingMessage.reply !== null);
      if (!known || !between(precedingMessage) || (wanted !== null && wanted !== precedingMessage.thread_id)) {
        throw invalid(
          '/in_reply_to',
          'The thread has no such message between this sender and this mailbox. Use an id from your own thread, or leave it out.',
        );
      }
      wanted = precedingMessage.thread_id;
    }
    const first = wanted !== null && isId('thr', wanted) ? await oldestOf(this.#store, wanted) : undefined;
    if (first !== undefined && between(first)) return first;
    const later = first && (await findInThread(this.#store, first.thread_id, between));
    if (later === undefined) {
      throw invalid(
        '/thread_id',
        'There is no such thread between this sender and this mailbox. Leave thread_id out to begin one.',
      );
    }
    return later;
  }
}

/** The names of the sender's namespace, with its verified domains where entries name addresses outside. */
export async function namespaceNames(
  { namespace_id }: Submission['sender'],
  outside: boolean,
  {
    store,
    directory,
  }: { readonly store: Pick<Store, 'domains'>; readonly directory: Pick<Directory, 'namespaceName'> },
): Promise<NamespaceNames> {
  if (namespace_id === null) return { name: null, domains: [] };
  const name = await directory.namespaceName(namespace_id);
  const listed = outside ? await store.domains.list(namespace_id) : [];
  const domains = listed.filter(({ status }) => status === 'verified').map(({ domain }) => domain);
  return { name: name ?? null, domains };
}

const hasLists = ({ senders }: Mailbox): boolean => senders.allow.length > 0 || senders.block.length > 0;

/** Throws AppError unless the mailbox accepts this submission. */
function checkOpen({ to, sender, try_out, hops }: Submission, mailbox: Mailbox): void {
  if (mailbox.access === 'key' && sender.namespace_id !== mailbox.namespace_id) throw noMailbox(to);
  if (mailbox.deleted_at !== null) throw gone(to);
  if (try_out && !mailbox.try_out) {
    const address = shortAddress(to.local, to.namespace);
    throw new AppError('access_denied', `${address} has no try-out. Write to it with an API key.`);
  }
  if (hops >= MAX_HOPS) {
    throw new AppError('loop_detected', `${MAX_HOPS} messages caused one another; this one was not sent.`);
  }
}

const sameSender = (message: Message, sender: { readonly kind: SenderKind; readonly id: string | null }): boolean =>
  message.sender_kind === sender.kind && message.sender_id !== null && message.sender_id === sender.id;

/** Whether it is of this sender, or was written to it by mail. */
const sameParty = (message: Message, sender: Submission['sender']): boolean =>
  sameSender(message, sender) ||
  (sender.kind === 'email' && isOutgoing(message) && correspondentOf(message) === sender.id);

/** Whether it belongs to a thread that exists. */
export const continuesThread = ({ thread_id, in_reply_to }: Submission): boolean =>
  thread_id !== null || in_reply_to !== null;

const noMailbox = (to: Address): AppError =>
  new AppError(
    'mailbox_not_found',
    `There is no mailbox ${shortAddress(to.local, to.namespace)} here. Check the spelling.`,
  );

/** The error for a deleted mailbox. */
export const gone = (to: Address): AppError =>
  new AppError('mailbox_gone', `${shortAddress(to.local, to.namespace)} was deleted by its owner.`);

const namespaceGone = (name: string): AppError =>
  new AppError('namespace_gone', `The namespace ${name} was deleted by its owner.`);
