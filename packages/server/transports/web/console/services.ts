import type { Clock, Millis } from '@mailroom/behavior/values/clock';
import type { FieldError } from '@mailroom/behavior/values/error';
import type { Registry } from '../../../core/access/registry.ts';
import type { Mailbox } from '../../../core/entities/mailbox.ts';
import type { AllowedService, AllowedServices } from '../../../core/sign-in/allowed-services.ts';
import { NewAllowance } from '../../../core/sign-in/allowed-services.ts';
import type { Html } from '../../../http/html.ts';
import { html } from '../../../http/html.ts';
import type { Route } from '../../../http/route.ts';
import { compileCheck } from '../../../http/validate.ts';
import { issuerName } from '../looks.ts';
import { summary } from '../new/parts.ts';
import { addressMark, icon, shortOf, stamp } from '../pieces.ts';
import type { Context } from './context.ts';
import { emptyState } from './empty.ts';
import { errorsOf, FormErrors, textLine } from './fields.ts';
import { managedMailbox } from './managed-mailbox.ts';
import { addressPath, heading, servicesPath } from './shell.ts';
import { type Signed, seeOther, signedForm, signedPage, tokenField } from './sign-in-form.ts';
import { dayOf } from './times.ts';

const check = compileCheck(NewAllowance);
const DONE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    allowed: 'Allowed. It may now sign in there without asking you.',
    removed: 'Removed. It will ask you before it signs in there.',
  }),
);

interface Typed {
  readonly issuer: string;
  readonly client_id: string;
}

interface ServicesView {
  readonly mailbox: Mailbox;
  readonly mailDomain: string;
  readonly services: readonly AllowedService[];
  readonly typed: Typed;
  readonly errors: readonly FieldError[];
  readonly done: string | undefined;
  readonly signed: Signed;
  readonly now: Millis;
}

interface ServiceParts {
  readonly registry: Registry;
  readonly allowedServices: AllowedServices;
  readonly clock: Clock;
  readonly mailDomain: string;
}

/** The pages of the services that an address may sign in to without asking its owner. */
export function serviceRoutes(context: Context, parts: ServiceParts): readonly Route[] {
  const { allowedServices, clock, mailDomain } = parts;

  const full = (mailbox: Mailbox): string => `${shortOf(mailbox)}.${mailDomain}`;

  async function show(
    status: number,
    mailbox: Mailbox,
    signed: Signed,
    more: { readonly typed?: Typed; readonly errors?: readonly FieldError[]; readonly done?: string | undefined } = {},
  ) {
    const { typed = { issuer: '', client_id: '' }, errors = [], done } = more;
    const services = await allowedServices.list(signed.caller, full(mailbox));
    const main = servicesMain({ mailbox, mailDomain, services, typed, errors, done, signed, now: clock() });
    const page = {
      title: `${errors.length > 0 ? 'Error: ' : ''}Where it may sign in · ${shortOf(mailbox)}`,
      root: '../../',
      tab: undefined,
      address: mailbox.local_part,
      styles: ['forms.css'],
      main,
    } as const;
    return context.answer(status, page, signed);
  }

  return [
    signedPage('/console/services/{local}', context, async (call, signed) =>
      show(200, await managedMailbox(call, signed, parts), signed, { done: DONE.get(String(call.query.done)) }),
    ),
    signedForm('/console/services/{local}', context, async (call, signed) => {
      const mailbox = await managedMailbox(call, signed, parts);
      const { form } = call;
      const here = `../../${servicesPath(mailbox)}`;
      if (form.get('do') === 'remove') {
        await allowedServices.remove(signed.caller, full(mailbox), form.get('id') ?? '');
        return seeOther(`${here}?done=removed`);
      }
      const typed = { issuer: (form.get('issuer') ?? '').trim(), client_id: (form.get('client_id') ?? '').trim() };
      try {
        check(typed);
        await allowedServices.allow(signed.caller, full(mailbox), typed);
        return seeOther(`${here}?done=allowed`);
      } catch (error) {
        return show(422, mailbox, signed, { typed, errors: errorsOf(error, { access_denied: '' }) });
      }
    }),
  ];
}

function servicesMain({ mailbox, mailDomain, services, typed, errors: given, done, signed, now }: ServicesView): Html {
  const errors = new FormErrors(given);
  const plain = html` autocapitalize="none" autocomplete="off" spellcheck="false"`;
  const issuer = textLine(
    {
      id: 'issuer',
      label: 'Issuer',
      hint: 'The sign-in that the service uses: its issuer URL here, or just its name.',
      error: errors.at('/issuer', 'issuer'),
    },
    typed.issuer,
    html` maxlength="500"${plain}`,
  );
  const client = textLine(
    {
      id: 'client_id',
      label: 'Client ID',
      hint: 'It begins with cli_ or is an https URL. The operator of the service knows it.',
      error: errors.at('/client_id', 'client_id'),
    },
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
