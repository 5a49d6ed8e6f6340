import { AppError } from '@mailroom/behavior/values/error';
import type { Route } from '../../../http/route.ts';
import type { Context } from './context.ts';
import type { Conversations } from './conversations.ts';
import { filterOf, search } from './filter.ts';
import { seeOther, signedForm } from './sign-in-form.ts';

/** The form that takes the conversation of a message over from its behavior, or hands it back. */
export const threadRoute = (context: Context, conversations: Conversations): Route =>
  signedForm('/console/threads/{id}', context, async (call, signed) => {
    const { message, rights } = await conversations.find(call.params.id ?? '', signed);
    if (!rights.recipient) throw new AppError('access_denied', 'Only the owner of the address may do this.');
    const params = { id: message.thread_id };
    await signed.api.json(call.form.get('do') === 'hand-back' ? 'handBackThread' : 'takeOverThread', { params });
    return seeOther(`../../console${search(filterOf(call.query), { message: message.id })}`);
  });
