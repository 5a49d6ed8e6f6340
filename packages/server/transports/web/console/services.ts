import type { Clock, Millis } from '@mailroom/behavior/values/clock';
import type { FieldError } from '@mailroom/behavior/values/error';
import type { Registry } from '../../../core/access/registry.ts';
import { type AllowedService, type AllowedServices, NewAllowance } from '../../../core/sign-in/allowed-services.ts';
import { type Html, html } from '../../../http/html.ts';
import type { Answer, Route } from '../../../http/route.ts';
import { compileCheck } from '../../../http/validate.ts';
import { issuerName } from '../looks.ts';
import { summary } from '../new/parts.ts';
import { addressMark, icon, stamp } from '../pieces.ts';
import type { Context } from './context.ts';
import { emptyState } from './empty.ts';
import { errorsOf, FormErrors, textsOf } from './fields.ts';
import { type MailboxPage, mailboxPages } from './mailbox-page.ts';
import { addressPath, doneTexts, heading } from './shell.ts';
import { seeOther, tokenField } from './sign-in-form.ts';
import { dayOf } from './times.ts';

const check = compileCheck(NewAllowance);
const doneText = doneTexts({
  allowed: 'Allowed. It may now sign in there without asking you.',
  removed: 'Removed. It will ask you before it signs in there.',
});

interface Typed {
  readonly issuer: string;
  readonly client_id: string;
}

interface ServiceParts {
  readonly registry: Registry;
  readonly allowedServices: AllowedServices;
  readonly clock: Clock;
  readonly mailDomain: string;
}

/** The pages of the services that an address may sign in to without asking its owner. */
export function serviceRoutes(context: Context, parts: ServiceParts): readonly Route[] {
  const { allowedServices, clock } = parts;

  async function show(
    status: number,
    page: MailboxPage,
    more: { readonly typed?: Typed; readonly errors?: readonly FieldError[]; readonly done?: string | undefined },
  ): Promise<Answer> {
    const { typed = { issuer: '', client_id: '' }, errors = [], done } = more;
    const services = await allowedServices.list(page.signed.caller, page.address);
    const main = servicesMain(page, services, typed, errors, done, clock());
    return page.show(status, 'Where it may sign in', main, errors);
  }

  return mailboxPages(context, parts, {
    name: 'services',
    get: (call, page) => show(200, page, { done: doneText(call.query.done) }),
    async post({ form }, page) {
      const { signed, address, here } = page;
      if (form.get('do') === 'remove') {
        await allowedServices.remove(signed.caller, address, form.get('id') ?? '');
        return seeOther(`${here}?done=removed`);
      }
      const typed = textsOf(form, ['issuer', 'client_id']);
      try {
        check(typed);
        await allowedServices.allow(signed.caller, address, typed);
        return seeOther(`${here}?done=allowed`);
      } catch (error) {
        return show(422, page, { typed, errors: errorsOf(error, { access_denied: '' }) });
      }
    },
  });
}

function servicesMain(
  { mailbox, mailDomain, signed }: MailboxPage,
  services: readonly AllowedService[],
  typed: Typed,
  given: readonly FieldError[],
  done: string | undefined,
  now: Millis,
): Html {
  const errors = new FormErrors(given);
  const plain = html` autocapitalize="none" autocomplete="off" spellcheck="false"`;
  const issuer = errors.textLine(
    'issuer',
    'Issuer',
    'The sign-in that the service uses: its issuer URL here, or just its name.',
    typed.issuer,
    html` maxlength="500"${plain}`,
  );
  const client = errors.textLine(
    'client_id',
    'Client ID',
    'It begins with cli_ or is an https URL. The operator of the service knows it.',
    typed.client_id,
    html` maxlength="1000"${plain}`,
  );
  const otherError = errors.at('', 'top');
  const item = ({ id, name, issuer: { name: by }, client_id, created_at }: AllowedService): Html =>
    html`<li><div><b dir="auto">${name}</b><p class="meta">Signs in by ${by} · <code>${client_id}</code> · allowed ${dayOf(created_at, now)}</p></div><form method="post" action="">${tokenField(signed)}<input type="hidden" name="id" value="${id}"><button class="button quiet" name="do" value="remove">Revoke<span class="sr"> ${name}</span></button></form></li>`;
  return html`${heading(html`${stamp(mailbox.behavior)} Where ${addressMark(mailbox, mailDomain)} may sign in`, done)}
${summary(errors.links)}
<p>Services that this address, or an agent that sends as it, may sign in to without asking you first (allowed relying parties in OpenID Connect).</p>
<p class="row state"><a class="button quiet" href="../../${addressPath(mailbox)}">${icon('sliders')}Its settings</a></p>
${services.length === 0 && emptyState({ behavior: issuerName(), fact: 'No services yet', rest: 'It asks you in the inbox each time before it signs in. It does not ask for services that you allow here.' })}
<ul class="lines">${services.map(item)}</ul>
<section class="block" aria-labelledby="allow"><h2 id="allow">Allow a service</h2>
<form class="fields" method="post" action="">${tokenField(signed)}
${otherError !== undefined && html`<p class="error" id="top" tabindex="-1">${otherError}</p>`}
${issuer}
${client}
<div class="row"><button class="button ink" name="do" value="allow">Allow it</button></div></form></section>`;
}
