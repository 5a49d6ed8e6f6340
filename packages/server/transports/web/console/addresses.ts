import type { Behavior } from '@mailroom/behavior';
import type { FieldError } from '@mailroom/behavior/values/error';
import type { MailboxView } from '../../../core/entities/mailbox.ts';
import { html } from '../../../http/html.ts';
import type { Answer, Route } from '../../../http/route.ts';
import { addressMark, icon, shortOf, stamp, statusMark } from '../pieces.ts';
import { addressForm, blank, type TypedAddress, typedOf, wantedOf } from './address-form.ts';
import { newSecret } from './agent-webhook.ts';
import type { Context } from './context.ts';
import { emptyState } from './empty.ts';
import { errorStatus, errorsOf } from './fields.ts';
import { filterOf, search } from './filter.ts';
import { makesAddresses, setsUp } from './page-scopes.ts';
import { addressPath, heading } from './shell.ts';
import { type Signed, type SignedCall, seeOther, signedForm, signedPage, tokenField } from './sign-in-form.ts';

/** Addresses per page. */
const SIZE = '50';

interface AddressParts {
  readonly behaviors: readonly Behavior[];
  readonly mailDomain: string;
}

/** The list of addresses, and the page of a new one. */
export function addressRoutes(context: Context, parts: AddressParts): readonly Route[] {
  const { behaviors, mailDomain } = parts;

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
  function showSecret(mailbox: MailboxView, secret: string, signed: Signed): Promise<Answer> {
    const main = html`${heading(html`${stamp(mailbox.behavior.name)} ${addressMark(mailbox, mailDomain)}`, 'The address is ready.')}
<section class="block" aria-labelledby="webhook"><h2 id="webhook">Webhook</h2><p>Each message is POSTed to your webhook from now on.</p>
${newSecret(secret)}
<p class="meta"><a href="../../docs/client">How a program answers by webhook</a></p></section>
<div class="row end"><a class="button ink" href="../../${addressPath(mailbox)}">Its settings</a><a class="button" href="../../console?mailbox=${encodeURIComponent(mailbox.local_part)}">${icon('inbox')}Its messages</a></div>`;
    const styles = ['forms.css', 'made.css'];
    const title = shortOf(mailbox);
    return context.answer(200, { title, root: '../../', tab: 'addresses', styles, main }, signed);
  }

  async function showAll({ query }: SignedCall, signed: Signed): Promise<Answer> {
    const { name } = signed.session.namespace;
    const { query: words = '', cursor } = filterOf(query);
    const page = await signed.api.json('listNamespaceMailboxes', {
      params: { name },
      query: { query: words || undefined, cursor, limit: SIZE },
    });
    const more =
      page.next_cursor !== null && search({ ...filterOf({}), query: words || undefined, cursor: page.next_cursor });
    const { key } = signed.session;
    const makes = makesAddresses(key);
    const linkOf = (one: MailboxView): string =>
      setsUp(key, one.id) ? addressPath(one) : `console?mailbox=${encodeURIComponent(one.local_part)}`;
    const main = html`${heading('Addresses', query.done === 'deleted' ? 'The address and its messages are deleted.' : undefined)}
<form role="search" action="addresses"><label class="sr" for="query">Search addresses</label><input class="input" type="search" id="query" name="query" value="${words}" placeholder="Search addresses" dir="auto" maxlength="200"></form>
<ul class="lines">${page.items.map((mailbox) => html`<li><span class="name-cell">${stamp(mailbox.behavior.name, 30)}<a href="../${linkOf(mailbox)}">${mailbox.local_part}@<wbr>${name}</a></span>${statusMark(mailbox)}<a class="button quiet" href="../console?mailbox=${encodeURIComponent(mailbox.local_part)}">${icon('inbox')}Messages<span class="sr"> of ${shortOf(mailbox)}</span></a></li>`)}</ul>
${page.items.length === 0 && (words === '' ? emptyState({ fact: 'No addresses yet', rest: 'Make one, and others can write to it.', next: makes && html`<a class="button ink" href="addresses/new">Make an address</a>` }) : emptyState({ fact: html`No address matches “<span dir="auto">${words}</span>”`, rest: 'Search covers addresses and descriptions.', next: html`<a class="button" href="addresses">Clear search</a>` }))}
<div class="row">${cursor !== undefined && html`<a class="button quiet" href="addresses${words !== '' && search({ ...filterOf({}), query: words })}">First page</a>`}${more !== false && html`<a class="button" href="addresses${more}">More addresses</a>`}${makes && html`<a class="button quiet" href="addresses/new">New address</a>`}</div>`;
    return context.answer(200, { title: 'Addresses', root: '../', tab: 'addresses', main }, signed);
  }

  return [
    signedPage('/console/addresses', context, showAll),
    signedPage('/console/addresses/new', context, (_call, signed) => showNew(200, blank(behaviors), [], signed)),
    signedForm('/console/addresses/new', context, async (call, signed) => {
      const typed = typedOf(call.form, behaviors);
      if (call.form.has('add')) return showNew(200, typed, [], signed);
      try {
        const { name } = signed.session.namespace;
        const body = { local_part: typed.local, ...wantedOf(typed, false) };
        const mailbox = await signed.api.json('createMailbox', { params: { name }, body });
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
