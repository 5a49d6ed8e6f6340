import { AppError, problems } from '@mailroom/behavior/values/error';
import { hasScope } from '../../../core/entities/key.ts';
import type { Answer, Route } from '../../../http/route.ts';
import type { AnswerError } from './answer-form.ts';
import { ADDRESSES_WRONG, fieldsOf, isListError } from './answers.ts';
import { idempotencyOf } from './api.ts';
import type { Context } from './context.ts';
import type { ConversationParts, Conversations } from './conversations.ts';
import { filterOf, search } from './filter.ts';
import { listErrors, readLists, typedLists } from './recipients.ts';
import { seeOther, signedForm } from './sign-in-form.ts';

/** The form that hands the open message of a conversation on. */
export const forwardRoute = (context: Context, conversations: Conversations, parts: ConversationParts): Route =>
  signedForm('/console/forward/{id}', context, async (call, signed): Promise<Answer> => {
    const { heldSends, mailDomain, undo_ms } = parts;
    const { message, mailbox, rights } = await conversations.find(call.params.id ?? '', signed);
    const { key } = signed.session;
    if (!rights.reader || !hasScope(key, 'mail:send'))
      throw new AppError('access_denied', 'Only who reads the message and may send forwards it.');
    const lists = typedLists(call.form);
    const body = (call.form.get('body') ?? '').replaceAll('\r\n', '\n');
    const place = { namespace: signed.session.namespace.name, mailDomain };
    const filter = filterOf(call.query);
    const how = {
      as: call.form.get('as') === 'attachment' ? 'attachment' : 'inline',
      attachments: call.form.get('attachments') === 'keep' ? 'keep' : 'none',
    } as const;
    try {
      const { to, ...copies } = fieldsOf(lists, place);
      if (to === undefined)
        throw new AppError('validation_error', ADDRESSES_WRONG, {
          errors: [{ pointer: '/to', message: 'Write the address that it goes to.' }],
        });
      // What is attached has its files in it.
      const handed = how.as === 'attachment' ? { as: how.as } : how;
      const wanted = { to, ...copies, ...(body.trim() !== '' && { body }), ...handed };
      if (undo_ms > 0) {
        await heldSends.hold(key, message, mailbox, { kind: 'forward', wanted }, undo_ms);
        return seeOther(`../../console${search(filter, { message: message.id })}`);
      }
      const params = { id: message.id };
      const sent = await signed.api.json('forwardMessage', { params, body: wanted, headers: idempotencyOf(call) });
      return seeOther(`../../console?direction=sent&message=${sent.id}`);
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'message_not_found') throw error;
      const errors = listErrors(error.errors, readLists(lists, place, [])).filter(isListError);
      const text = errors.length > 0 ? ADDRESSES_WRONG : error.message;
      const shownError: AnswerError = {
        id: message.id,
        mode: 'forward',
        lists,
        seen: null,
        body,
        message: text,
        errors,
        dropped: false,
        forward: how,
      };
      return conversations.page(problems[error.code].status, call, signed, { answer: shownError });
    }
  });
