import type { FieldError } from '@mailroom/behavior/values/error';
import type { Registry } from '../../../core/access/registry.ts';
import { html } from '../../../http/html.ts';
import type { Answer, Route } from '../../../http/route.ts';
import { summary } from '../new/parts.ts';
import { addressMark, icon, stamp } from '../pieces.ts';
import type { Context } from './context.ts';
import { errorStatus, errorsOf, FormErrors } from './fields.ts';
import { type MailboxPage, mailboxPages } from './mailbox-page.ts';
import { outgoingFields, readOutgoing, type TypedOutgoing, typedOf, wantedOf } from './outgoing-form.ts';
import { addressPath, heading } from './shell.ts';
import { seeOther, tokenField } from './sign-in-form.ts';

interface OutgoingParts {
  readonly registry: Registry;
  readonly mailDomain: string;
}

/** The page of what may leave an address, and what of it waits for a review. */
export function outgoingPages(context: Context, parts: OutgoingParts): readonly Route[] {
  function show(
    status: number,
    typed: TypedOutgoing,
    page: MailboxPage,
    given: readonly FieldError[] = [],
    done?: string,
  ): Promise<Answer> {
    const { mailbox, mailDomain, signed } = page;
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
    return page.show(status, 'Before it leaves', main, given);
  }

  return mailboxPages(context, parts, {
    name: 'outgoing',
    styles: ['reviews.css'],
    async get(call, page) {
      const { outgoing } = await page.signed.api.json('getMailbox', { params: { address: page.address } });
      const done = call.query.done === 'saved' ? 'Saved. What waits already keeps the policy that it had.' : undefined;
      return show(200, typedOf(outgoing), page, [], done);
    },
    async post(call, page) {
      const typed = readOutgoing(call.form);
      const { body: outgoing, errors } = wantedOf(typed);
      if (errors.length > 0) return show(422, typed, page, errors);
      try {
        await page.signed.api.json('updateMailbox', { params: { address: page.address }, body: { outgoing } });
        return seeOther(`${page.here}?done=saved`);
      } catch (error) {
        return show(errorStatus(error), typed, page, listed(errorsOf(error)));
      }
    },
  });
}

/** Errors of entries of a list at the list. */
const listed = (errors: readonly FieldError[]): readonly FieldError[] =>
  errors.map(({ pointer, message }) => ({
    pointer: pointer.replace(/^(\/outgoing\/(?:allow|block))\/.*$/, '$1'),
    message,
  }));
