import { lowerCase } from '@mailroom/behavior/values/address';
import { type Html, html } from '../../../http/html.ts';
import type { Page } from '../layout.ts';
import { icon, note } from '../pieces.ts';
import type { ErrorLink } from '../schema-form.ts';
import type { AddressErrors } from './address.ts';
import { carried, steps, summary } from './parts.ts';
import type { Typed } from './typed.ts';

export interface AddressStep {
  readonly typed: Pick<Typed, 'name' | 'local' | 'behavior'>;
  /** Undefined before anything was submitted. */
  readonly errors: AddressErrors | undefined;
  /** Fields of the next step, after a step back from there. */
  readonly form: URLSearchParams | undefined;
  /** What the link to it asked for and is not there. */
  readonly note?: Html | undefined;
}

/** The first step: the address. It is a GET form, so that the next page can be linked and returned to. */
export function addressPage(
  { typed, errors, form, note: absent }: AddressStep,
  { mailDomain, baseUrl }: { readonly mailDomain: string; readonly baseUrl: string },
): Page {
  const links: ErrorLink[] = [];
  if (errors?.local !== undefined) links.push({ href: '#local', text: errors.local });
  if (errors?.name !== undefined)
    links.push({ href: '#name', text: errors.name.replace(/, or one of these:$/, '.').replace(/ For example:$/, '') });
  const title = 'Make your own address';
  return {
    title: `${links.length > 0 ? 'Error: ' : ''}${title} · Mailroom`,
    description:
      'Pick an e-mail address, choose how it answers, and share it as a link. In about a minute, without an account.',
    root: '',
    ...(errors === undefined && form === undefined && { markdown: 'new.md', card: cardOf(baseUrl) }),
    styles: ['forms.css'],
    scripts: ['new.js'],
    main: html`<form class="making narrow" action="new"${form !== undefined && html` method="post"`} data-new>
${steps(1)}
<h1>Which address?</h1>
<p class="lead">People write to it and it writes back. All your later addresses end in the same name.</p>
${summary(links)}${absent}${errors?.theirs && madeHere(errors.theirs)}
<p class="need-both" id="both">Both parts are required.</p>
<div class="address-row">
<div class="field"><label for="local">Before the @</label>
<input class="input" id="local" name="local" value="${typed.local}" ${NAME_FIELD} aria-describedby="both local-state"${invalid(errors?.local)} data-local>
<div id="local-state" data-local-state>${errors !== undefined && localState(errors)}</div></div>
<span class="at" aria-hidden="true">@</span>
<div class="field"><label for="name">Name after the @</label>
<div class="with-domain"><input class="input" id="name" name="name" value="${typed.name}" ${NAME_FIELD} aria-describedby="both domain state"${invalid(errors?.name)} data-name>
<span class="domain" id="domain">.${mailDomain}</span></div>
<div id="state" data-state>${errors === undefined ? html`<p class="hint">${RULE}</p>` : nameState(typed, errors)}</div></div>
</div>
${
  form === undefined
    ? typed.behavior && html`<input type="hidden" name="behavior" value="${typed.behavior.name}">`
    : html`${carried(form, ['name', 'local', 'do', 'add', 'example'])}<input type="hidden" name="do" value="choose">`
}
<div class="row"><button class="button ink large">Continue${icon('right')}</button></div>
</form>`,
  };
}

/** Takes the place of the errors where the same tab made the address, after a step back. */
const madeHere = ({ path, called }: NonNullable<AddressErrors['theirs']>): Html =>
  html`<template data-made="${path}">${note('plain', 'check', `${called} is ready.`, html`You made it here. <a href="./${path}">Open it</a>, or <a href="console">sign in to the console</a> with its key. For another address, choose another name.`)}</template>`;

const cardOf = (baseUrl: string): NonNullable<Page['card']> => ({
  url: `${baseUrl}/new`,
  image: `${baseUrl}/static/card.png`,
  alt: 'Mailroom. E-mail addresses that answer.',
});

const RULE = 'The letters a to z, digits and hyphens.';
const NAME_FIELD = html`maxlength="200" autocapitalize="none" autocomplete="off" spellcheck="false" dir="ltr" aria-required="true"`;

const invalid = (error: string | undefined): Html | false => error !== undefined && html` aria-invalid="true"`;

const errorLine = (error: string): Html => html`<p class="error">${icon('warn')}<span>${error}</span></p>`;

/** The error before the @, shown below the field by the page and while the visitor types. */
export const localState = ({ local }: AddressErrors): Html => html`${local !== undefined && errorLine(local)}`;

/** Whether the name is free, shown below the field by the page and while the visitor types. */
export function nameState({ name, local }: Pick<Typed, 'name' | 'local'>, errors: AddressErrors): Html {
  if (errors.name === undefined)
    return html`<p class="free">${icon('check')}<span>${lowerCase(name)} is free.</span></p>`;
  return html`${errorLine(errors.name)}
${
  errors.suggestions.length > 0 &&
  html`<div class="chips">${errors.suggestions.map(
    (one) =>
      html`<a class="chip" href="new?${new URLSearchParams({ local, name: one }).toString()}" data-suggested="${one}">${one}</a>`,
  )}</div>`
}${
  errors.theirs !== undefined &&
  html`<p class="hint">Is it yours? <a href="./${errors.theirs.path}">Open ${errors.theirs.called}</a>, or <a href="console">sign in to the console</a> with its key.</p>`
}`;
}
