import { AppError } from '@mailroom/behavior/values/error';
import { showSenderLists } from '../../../core/entities/sender-lists.ts';
import type { Route } from '../../../http/route.ts';
import { fullOf } from '../pieces.ts';
import type { Context } from './context.ts';
import type { ConversationParts, Conversations } from './conversations.ts';
import { filterOf, search } from './filter.ts';
import { entryFor } from './sender-panel.ts';
import { seeOther, signedForm } from './sign-in-form.ts';

/** The form that blocks or allows the sender of a message in the mailbox that received it, and undoes that. */
export const senderRoute = (context: Context, conversations: Conversations, parts: ConversationParts): Route =>
  signedForm('/console/senders/{id}', context, async (call, signed) => {
    const { message, mailbox, rights } = await conversations.find(call.params.id ?? '', signed);
    const entry = rights.recipient ? await entryFor(message, mailbox, parts) : undefined;
    if (entry === undefined) throw new AppError('access_denied', 'This sender cannot be blocked or allowed here.');
    const { allow, block } = showSenderLists(mailbox.senders, parts.mailDomain);
    const without = (list: readonly string[]): string[] => list.filter((one) => one !== entry);
    const what = call.form.get('do');
    const senders =
      what === 'block'
        ? { block: [...without(block), entry] }
        : what === 'unblock'
          ? { block: without(block) }
          : { allow: [...without(allow), entry] };
    const params = { address: fullOf(mailbox, parts.mailDomain) };
    await signed.api.json('updateMailbox', { params, body: { senders } });
    return seeOther(`../../console${search(filterOf(call.query), { message: message.id })}`);
  });
