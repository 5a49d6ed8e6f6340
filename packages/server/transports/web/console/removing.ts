import { isReplyId, replyIdOf } from '@mailroom/behavior/values/ids';
import { rightsOn } from '../../../core/access/caller.ts';
import type { Directory } from '../../../core/access/directory.ts';
import type { Message } from '../../../core/entities/message.ts';
import type { AnswerDrafts } from '../../../core/messages/answer-drafts.ts';
import { mayNotRemove, mayRemove, removeMessage } from '../../../core/messages/remove-message.ts';
import type { Submitter } from '../../../core/messages/submit.ts';
import type { Store } from '../../../core/ports/store.ts';
import { type Html, html } from '../../../http/html.ts';
import { type Filter, search } from './filter.ts';
import type { Root } from './shell.ts';
import { type Signed, tokenField } from './sign-in-form.ts';

interface Parts {
  readonly store: Store;
  readonly directory: Directory;
  readonly post: Submitter;
  readonly answerDrafts: AnswerDrafts;
}

const PAGE = 50;
/** Messages that one request deletes; what is left of a longer conversation stays in the list. */
const MAX_REMOVED = 1_000;

/** What a deletion does, as it is said before it. */
export const REMOVAL =
  'It is deleted for its senders too, with its answers and files, and what still waits is canceled. This cannot be undone.';

/**
 * Deletes what the owner's mailboxes received of a conversation; a reply that stands alone is deleted alone. AppError
 * `access_denied` when they received none of it.
 */
export async function removeConversation(message: Message, signed: Signed, parts: Parts): Promise<void> {
  const { store, directory, answerDrafts } = parts;
  const { key } = signed.session;
  let removed = 0;
  async function remove(target: Message): Promise<void> {
    if (!mayRemove(target, await rightsOn(target, signed.caller, directory))) return;
    await answerDrafts.removeAll(key, target);
    if (await removeMessage(target, parts)) removed++;
  }
  /** The message with the reply to it, where one of the owner's mailboxes received that. */
  async function both(target: Message): Promise<void> {
    const reply = target.reply === null ? undefined : await store.messages.byId(replyIdOf(target.id));
    if (reply !== undefined && reply.to !== null) await remove(reply);
    await remove(target);
  }
  await both(message);
  let cursor: string | null = null;
  while (!isReplyId(message.id) && removed < MAX_REMOVED) {
    const { items, next } = await store.messages.threadEnd(message.thread_id, cursor, PAGE, 'beginning');
    for (const one of items.toReversed()) await both(one);
    cursor = next;
    if (cursor === null) break;
  }
  if (removed === 0) throw mayNotRemove();
}

interface RemoveForm {
  readonly filter: Filter;
  readonly root: Root;
  readonly signed: Signed;
}

/** Deletes the conversation, once it was confirmed. */
export const removeForm = ({ id }: Message, { filter, root, signed }: RemoveForm): Html =>
  html`<details class="remove" data-remove><summary class="button quiet">Delete</summary><form method="post" action="${root}console/messages/${id}${search(filter)}">${tokenField(signed)}<p><b>Delete this conversation?</b> ${REMOVAL}</p><button class="button danger" name="do" value="delete">Delete the conversation</button></form></details>`;
