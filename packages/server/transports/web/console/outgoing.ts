import type { FieldError } from '@mailroom/behavior/values/error';
import type { Registry } from '../../../core/access/registry.ts';
import type { Mailbox } from '../../../core/entities/mailbox.ts';
import { html } from '../../../http/html.ts';
import type { Answer, Route } from '../../../http/route.ts';
import { summary } from '../new/parts.ts';
import { addressMark, fullOf, icon, shortOf, stamp } from '../pieces.ts';
import type { Context } from './context.ts';
import { errorStatus, errorsOf, FormErrors } from './fields.ts';
import { managedMailbox } from './managed-mailbox.ts';
import type { TypedOutgoing } from './outgoing-form.ts';
import { outgoingFields, readOutgoing, typedOf, wantedOf } from './outgoing-form.ts';
import { addressPath, heading, outgoingPath } from './shell.ts';
import { type Signed, seeOther, signedForm, signedPage, tokenField } from './sign-in-form.ts';

interface OutgoingParts {
  readonly registry: Registry;
  readonly mailDomain: string;
}

/** The page of what may leave an address, and what of it waits for a review. */
export function outgoingPages(context: Context, parts: OutgoingParts): readonly Route[] {
  const { mailDomain } = parts;
  const paramsOf = (mailbox: Mailbox) => ({ address: fullOf(mailbox, mailDomain) });

  interface Shown {
    readonly status?: number;
    readonly errors?: readonly FieldError[];
    readonly done?: string | undefined;
  }

  function show(typed: TypedOutgoing, mailbox: Mailbox, signed: Signed, more: Shown = {}): Promise<Answer> {
    const { status = 200, errors: given = [], done } = more;
    const errors = new FormErrors(given);
    const fields = outgoingFields(typed, errors);
    const top = errors.at('', 'top') ?? errors.at('/outgoing', 'top');
    const main = html`${heading(html`${stamp(mailbox.behavior)} Before it leaves ${addressMark(mailbox, mailDomain)}`, done)}
${summary(errors.links)}
<p class="row state"><a class="button quiet" href="../../${addressPath(mailbox)}?tab=checks">${icon('sliders')}Its settings</a><a class="button quiet" href="../reviews">${icon('check')}What waits now</a></p>
<p class="stack">What a person writes in the console leaves at once. All else passes this: answers, forwards, and what programs and keys write.</p>
<form class="fields outgoing" method="post" action="">${tokenField(signed)}
${top !== undefined && html`<p class="error" id="top" tabindex="-1">${top}</p>`}
${fields}
<div class="row"><button class="button ink" name="do" value="save">Save</button></div></form>`;
    const title = `${given.length > 0 ? 'Error: ' : ''}Before it leaves · ${shortOf(mailbox)}`;
    const { local_part: address } = mailbox;
    return context.answer(
      status,
      { title, root: '../../', tab: undefined, address, styles: ['forms.css', 'reviews.css'], main },
      signed,
    );
  }

  return [
    signedPage('/console/outgoing/{local}', context, async (call, signed) => {
      const mailbox = await managedMailbox(call, signed, parts);
      const { outgoing } = await signed.api.json('getMailbox', { params: paramsOf(mailbox) });
      const done = call.query.done === 'saved' ? 'Saved. What waits already keeps the policy that it had.' : undefined;
      return show(typedOf(outgoing), mailbox, signed, { done });
    }),
    signedForm('/console/outgoing/{local}', context, async (call, signed) => {
      const mailbox = await managedMailbox(call, signed, parts);
      const typed = readOutgoing(call.form);
      const { body: outgoing, errors } = wantedOf(typed);
      if (errors.length > 0) return show(typed, mailbox, signed, { status: 422, errors });
      try {
        await signed.api.json('updateMailbox', { params: paramsOf(mailbox), body: { outgoing } });
        return seeOther(`../../${outgoingPath(mailbox)}?done=saved`);
      } catch (error) {
        return show(typed, mailbox, signed, { status: errorStatus(error), errors: listed(errorsOf(error)) });
      }
    }),
  ];
}

/** Errors of entries of a list at the list. */
const listed = (errors: readonly FieldError[]): readonly FieldError[] =>
  errors.map(({ pointer, message }) => ({
    pointer: pointer.replace(/^(\/outgoing\/(?:allow|block))\/.*$/, '$1'),
    message,
  }));
