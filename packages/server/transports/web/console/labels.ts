import { lowerCase } from '@mailroom/behavior/values/address';
import { AppError } from '@mailroom/behavior/values/error';
import { type MessageLabels, mayNotLabel } from '../../../core/access/message-labels.ts';
import { UNREAD } from '../../../core/entities/label.ts';
import type { Route } from '../../../http/route.ts';
import { actOf, actOn } from './acts.ts';
import type { Context } from './context.ts';
import type { ConversationParts, Conversations } from './conversations.ts';
import { filterOf, search } from './filter.ts';
import { LABELS_FULL, labelProblem } from './label-form.ts';
import { labelMailbox } from './shown-labels.ts';
import { seeOther, signedForm } from './sign-in-form.ts';
import { undoQuery } from './undo.ts';

const typedLabel = (form: URLSearchParams): string => lowerCase((form.get('label') ?? '').trim());

/**
 * The form that adds and removes labels of a message, and marks it as unread, or its conversation as read or done, which
 * takes it out of the inbox.
 */
export const labelRoute = (context: Context, conversations: Conversations, parts: ConversationParts): Route =>
  signedForm('/console/labels/{id}', context, async (call, signed) => {
    const filter = filterOf(call.query);
    const { message } = await conversations.find(call.params.id ?? '', signed);
    const asked = actOf(call.form.get('do'));
    const act = asked ?? (call.form.get('remove') === null && typedLabel(call.form) === UNREAD ? UNREAD : undefined);
    if (act !== undefined) {
      if (!(await actOn(act, message, signed, filter.mailbox, parts))) throw mayNotLabel();
      // Opening the message would mark it as read.
      if (act !== 'inbox') return seeOther(`../../console${search(filter, undoQuery(act, [message.id]))}`);
      return seeOther(`../../console${search(filter, { message: message.id })}`);
    }
    const mailbox = await labelMailbox(message, signed, filter.mailbox, parts);
    if (mailbox === undefined) throw mayNotLabel();
    const change = (labels: Parameters<MessageLabels['change']>[2]['labels']) =>
      parts.labels.change(message, mailbox, { labels });
    const removed = call.form.get('remove');
    const typed = call.form.get('label') ?? '';
    const label = typedLabel(call.form);
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
