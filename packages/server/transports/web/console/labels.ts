import { lowerCase } from '@mailroom/behavior/values/address';
import { AppError } from '@mailroom/behavior/values/error';
import type { MessageLabels } from '../../../core/access/message-labels.ts';
import { mayNotLabel } from '../../../core/access/message-labels.ts';
import { DONE, UNREAD } from '../../../core/entities/label.ts';
import type { Route } from '../../../http/route.ts';
import type { Context } from './context.ts';
import type { ConversationParts, Conversations } from './conversations.ts';
import { filterOf, search } from './filter.ts';
import { LABELS_FULL, labelProblem } from './label-form.ts';
import { labelMailbox, markRead, newestReceived } from './shown-labels.ts';
import { seeOther, signedForm } from './sign-in-form.ts';

/** Messages of a thread that are marked as read at once. */
const MAX_READ = 50;

/**
 * The form that adds and removes labels of a message, and marks it as unread, or its conversation as read or done, which
 * takes it out of the inbox.
 */
export const labelRoute = (context: Context, conversations: Conversations, parts: ConversationParts): Route =>
  signedForm('/console/labels/{id}', context, async (call, signed) => {
    const filter = filterOf(call.query);
    const { message } = await conversations.find(call.params.id ?? '', signed);
    const mailbox = await labelMailbox(message, signed, filter.mailbox, parts);
    if (mailbox === undefined) throw mayNotLabel();
    const change = (labels: Parameters<MessageLabels['change']>[2]['labels']) =>
      parts.labels.change(message, mailbox, { labels });
    const what = call.form.get('do');
    if (what === 'read' || what === DONE) {
      const { items } = await parts.store.messages.threadEnd(message.thread_id, null, MAX_READ);
      const all = [message, ...items];
      await markRead(mailbox, all, signed, parts);
      const newest = what === DONE ? await newestReceived(all, mailbox, parts) : undefined;
      if (newest !== undefined) await parts.labels.change(newest, mailbox, { labels: { add: [DONE] } });
      return seeOther(`../../console${search(filter)}`);
    }
    if (what === 'inbox') {
      const { items } = await parts.store.messages.threadEnd(message.thread_id, null, MAX_READ);
      const newest = await newestReceived([message, ...items], mailbox, parts);
      if (newest !== undefined) await parts.labels.change(newest, mailbox, { labels: { remove: [DONE] } });
      return seeOther(`../../console${search(filter, { message: message.id })}`);
    }
    const removed = call.form.get('remove');
    const typed = call.form.get('label') ?? '';
    const label = lowerCase(typed.trim());
    if (what === UNREAD || (removed === null && label === UNREAD)) {
      await change({ add: [UNREAD], remove: [DONE] });
      // Opening the message would mark it as read.
      return seeOther(`../../console${search(filter)}`);
    }
    const opened = `../../console${search(filter, { message: message.id })}`;
    if (removed !== null) {
      if (labelProblem(removed) === undefined && removed !== UNREAD) await change({ remove: [removed] });
      return seeOther(opened);
    }
    const problem = labelProblem(label);
    const refused = (error: string) => conversations.page(422, call, signed, { label: { typed, message: error } });
    if (problem !== undefined) return refused(problem);
    try {
      await change({ add: [label] });
    } catch (error) {
      if (error instanceof AppError && error.code === 'validation_error') return refused(LABELS_FULL);
      throw error;
    }
    return seeOther(opened);
  });
