import { searchCaller } from '../../../core/access/caller.ts';
import type { Registry } from '../../../core/access/registry.ts';
import type { Mailbox } from '../../../core/entities/mailbox.ts';
import { NewMailbox } from '../../../core/entities/mailbox.ts';
import type { Behavior } from '../../../core/ports/behavior.ts';
import type { Store } from '../../../core/ports/store.ts';
import type { FieldError } from '../../../core/values/error.ts';
import { readCursor, writeCursor } from '../../../core/values/page.ts';
import { html } from '../../../http/html.ts';
import type { Answer, Route } from '../../../http/route.ts';
import { compileCheck } from '../../../http/validate.ts';
import { addressMark, icon, shortOf, stamp, statusMark } from '../pieces.ts';
import type { TypedAddress } from './address-form.ts';
import { addressForm, blank, typedOf, wantedOf } from './address-form.ts';
import { newSecret } from './agent-webhook.ts';
import type { Context } from './context.ts';
import { emptyState } from './empty.ts';
import { errorStatus, errorsOf } from './fields.ts';
import { filterOf, search } from './filter.ts';
import { addressPath, heading } from './shell.ts';
import { type Signed, type SignedCall, seeOther, signedForm, signedPage, tokenField } from './sign-in-form.ts';

const checkNew = compileCheck(NewMailbox);
/** Addresses per page. */
const SIZE = 50;

interface AddressParts {
  readonly registry: Registry;
  readonly behaviors: readonly Behavior[];
  readonly store: Pick<Store, 'mailboxes'>;
  readonly mailDomain: string;
}

/** The list of addresses, and the page of a new one. */
export function addressRoutes(context: Context, parts: AddressParts): readonly Route[] {
  const { registry, behaviors, store, mailDomain } = parts;

  function showNew(
    status: number,
    typed: TypedAddress,
    errors: readonly FieldError[],
    signed: Signed,
  ): Promise<Answer> {
    const { name } = signed.session.namespace;
    const form = addressForm({
      typed,
      behaviors,
      errors,
      namespace: name,
      domain: `.${mailDomain}`,
      action: 'new',
      token: tokenField(signed),
      submit: 'Make the address',
      back: '../../console',
    });
    const title = `${errors.length > 0 ? 'Error: ' : ''}New address`;
    const main = html`${heading('New address', undefined)}${form}`;
    return context.answer(status, { title, root: '../../', tab: 'addresses', styles: ['forms.css'], main }, signed);
  }

  /** The address that was just made, with the secret of its webhook. */
  function showSecret(mailbox: Mailbox, secret: string, signed: Signed): Promise<Answer> {
    const main = html`${heading(html`${stamp(mailbox.behavior)} ${addressMark(mailbox, mailDomain)}`, 'The address is ready.')}
<section class="block" aria-labelledby="webhook"><h2 id="webhook">Webhook</h2><p>Each message is POSTed to your webhook from now on.</p>
${newSecret(secret)}
<p class="meta"><a href="../../docs/client">How a program answers by webhook</a></p></section>
<div class="row end"><a class="button ink" href="../../${addressPath(mailbox)}">Its settings</a><a class="button" href="../../console?mailbox=${encodeURIComponent(mailbox.local_part)}">${icon('inbox')}Its messages</a></div>`;
    const styles = ['forms.css', 'made.css'];
    const title = shortOf(mailbox);
    return context.answer(200, { title, root: '../../', tab: 'addresses', styles, main }, signed);
  }

  async function showAll({ query, gone }: SignedCall, signed: Signed): Promise<Answer> {
    const { id, name } = signed.session.namespace;
    const { query: words = '', cursor } = filterOf(query);
    const of = { namespace_id: id, listed: false, seen_by: id, ...(words === '' ? {} : { query: words }) };
    const after = cursor === undefined ? null : readCursor(cursor);
    const page = await store.mailboxes.page(of, after, SIZE, searchCaller(signed.caller, gone()));
    const more =
      page.next !== null && search({ ...filterOf({}), query: words || undefined, cursor: writeCursor(page.next) });
    const main = html`${heading('Addresses', query.done === 'deleted' ? 'The address and its messages are deleted.' : undefined)}
<form role="search" action="addresses"><label class="sr" for="query">Search addresses</label><input class="input" type="search" id="query" name="query" value="${words}" placeholder="Search addresses" dir="auto" maxlength="200"></form>
<ul class="lines">${page.items.map((mailbox) => html`<li><span class="name-cell">${stamp(mailbox.behavior, 30)}<a href="../${addressPath(mailbox)}">${mailbox.local_part}@<wbr>${name}</a></span>${statusMark(mailbox.status)}<a class="button quiet" href="../console?mailbox=${encodeURIComponent(mailbox.local_part)}">${icon('inbox')}Messages<span class="sr"> of ${shortOf(mailbox)}</span></a></li>`)}</ul>
${page.items.length === 0 && (words === '' ? emptyState({ fact: 'No addresses yet', rest: 'Make one, and others can write to it.', next: html`<a class="button ink" href="addresses/new">Make an address</a>` }) : emptyState({ fact: html`No address matches “<span dir="auto">${words}</span>”`, rest: 'Search covers addresses and descriptions.', next: html`<a class="button" href="addresses">Clear search</a>` }))}
<div class="row">${cursor !== undefined && html`<a class="button quiet" href="addresses${words !== '' && search({ ...filterOf({}), query: words })}">First page</a>`}${more !== false && html`<a class="button" href="addresses${more}">More addresses</a>`}<a class="button quiet" href="addresses/new">New address</a></div>`;
    return context.answer(200, { title: 'Addresses', root: '../', tab: 'addresses', main }, signed);
  }

  return [
    signedPage('/console/addresses', context, showAll),
    signedPage('/console/addresses/new', context, (_call, signed) => showNew(200, blank(behaviors), [], signed)),
    signedForm('/console/addresses/new', context, async (call, signed) => {
      const typed = typedOf(call.form, behaviors);
      if (call.form.has('add')) return showNew(200, typed, [], signed);
      try {
        const wanted = { local_part: typed.local, ...wantedOf(typed, false) };
        checkNew(wanted);
        const { mailbox } = await registry.createMailbox(signed.caller, signed.session.namespace.name, wanted);
        if (mailbox.webhook_secret !== undefined) return showSecret(mailbox, mailbox.webhook_secret, signed);
        return seeOther(`../../${addressPath(mailbox)}?done=made`);
      } catch (error) {
        const errors = errorsOf(error, { mailbox_taken: '/local_part' });
        return showNew(errorStatus(error), typed, errors.map(forPeople), signed);
      }
    }),
  ];
}

/** Replaces the API's wording about a local part by one for people. */
function forPeople({ pointer, message }: FieldError): FieldError {
  if (pointer !== '/local_part') return { pointer, message };
  const plain = /is taken|is reserved|is the most/.test(message)
    ? message.replace('another local part', 'another name')
    : 'Use 1 to 64 of a to z, 0 to 9, dot, _ and -, with a letter or digit at both ends.';
  return { pointer, message: plain };
}
