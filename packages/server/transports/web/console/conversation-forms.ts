import { addressOf } from '@mailroom/behavior/mailbox';
import { fullAddress } from '@mailroom/behavior/values/address';
import { rfc3339 } from '@mailroom/behavior/values/clock';
import { AppError, problems } from '@mailroom/behavior/values/error';
import { mayNotLabel } from '../../../core/access/message-labels.ts';
import type { Answer, Route } from '../../../http/route.ts';
import type { Context } from './context.ts';
import type { DeskError } from './conversation-desk.ts';
import type { ConversationParts, Conversations } from './conversations.ts';
import { filterOf, search } from './filter.ts';
import { instantOf, isZone } from './local-time.ts';
import { deskMailbox } from './shown-labels.ts';
import { type SignedCall, seeOther, signedForm } from './sign-in-form.ts';
import { undoQuery } from './undo.ts';

/** When a conversation comes back: at a time of the form, or at one of its buttons; undefined for neither. */
function untilOf({ form }: SignedCall): string | undefined {
  const quick = form.get('until');
  if (quick !== null) return quick.slice(0, 40);
  if (form.get('state') !== 'later') return undefined;
  const zone = (form.get('zone') ?? '').trim();
  const time = isZone(zone) ? instantOf(form.get('at') ?? '', zone) : undefined;
  return time === undefined ? '' : rfc3339(time);
}

/** The forms of a conversation: its state, when it comes back, who takes care of it, and notes of members. */
export const conversationForms = (context: Context, conversations: Conversations, parts: ConversationParts): Route =>
  signedForm('/console/conversations/{id}', context, async (call, signed) => {
    const filter = filterOf(call.query);
    const { form } = call;
    const { message } = await conversations.find(call.params.id ?? '', signed);
    const desk = await deskMailbox(message, signed, filter.mailbox, parts);
    if (desk?.takesPart !== true) throw mayNotLabel();
    const params = { id: message.thread_id };
    const mailbox = fullAddress(addressOf(desk.mailbox), parts.mailDomain);
    const opened = seeOther(`../../console${search(filter, { message: message.id })}`);
    const refused = (error: unknown, field: DeskError['field'], typed: string): Promise<Answer> => {
      if (!(error instanceof AppError) || (error.code !== 'validation_error' && error.code !== 'body_too_large'))
        throw error;
      const [first] = error.errors ?? [];
      const wrong = { field, typed, message: first?.message ?? error.message };
      return conversations.page(problems[error.code].status, call, signed, { desk: wrong });
    };
    if (form.get('do') === 'note') {
      const body = (form.get('note') ?? '').replaceAll('\r\n', '\n');
      try {
        await signed.api.json('addNote', { params, body: { mailbox, body: body === '' ? ' ' : body } });
      } catch (error) {
        return refused(error, 'note', body);
      }
      return opened;
    }
    const assignee = form.get('assignee');
    if (assignee !== null) {
      await signed.api.json('changeThread', { params, body: { mailbox, assignee: assignee === '' ? null : assignee } });
      return opened;
    }
    const until = untilOf(call);
    const state = until === undefined ? (form.get('state') ?? 'open') : 'later';
    try {
      const wanted = { mailbox, state, ...(until !== undefined && { until: until === '' ? null : until }) };
      await signed.api.json('changeThread', { params, body: wanted });
    } catch (error) {
      return refused(error, 'until', form.get('at') ?? '');
    }
    if (state === 'done') return seeOther(`../../console${search(filter, undoQuery('done', [message.id]))}`);
    if (state === 'later') return seeOther(`../../console${search(filter, undoQuery('later', [message.id]))}`);
    return opened;
  });
