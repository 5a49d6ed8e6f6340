import type { Mailbox, NewMailbox } from '../../../core/entities/mailbox.ts';
import type { Behavior } from '../../../core/ports/behavior.ts';
import type { FieldError } from '../../../core/values/error.ts';
import type { Html } from '../../../http/html.ts';
import { html } from '../../../http/html.ts';
import { radios, tick } from '../form/controls.ts';
import { summary } from '../new/parts.ts';
import { stamp } from '../pieces.ts';
import { behaviorForm, readBehavior } from '../task-form.ts';
import { wordsOf } from '../words.ts';
import { FormErrors, textLine } from './fields.ts';

/** What was typed for an address; kept complete when something is wrong. */
export interface TypedAddress {
  readonly local: string;
  readonly display_name: string;
  readonly description: string;
  readonly behavior: Behavior;
  /** Settings of every behavior, so that switching between behaviors loses nothing. */
  readonly settings: ReadonlyMap<string, unknown>;
  readonly visibility: 'listed' | 'unlisted';
  readonly access: 'public' | 'key';
  readonly try_out: boolean;
}

const prefixOf = ({ name }: Behavior): string => `settings.${name}`;

/** Settings by the name of the behavior. */
type Kept = ReadonlyMap<string, unknown>;

/** Reads the form. `settings`: those of the existing address, for the parts that are edited on other pages. */
export function typedOf(form: URLSearchParams, behaviors: readonly Behavior[], settings?: Kept): TypedAddress {
  const text = (name: string): string => (form.get(name) ?? '').trim();
  const behavior = behaviors.find(({ name }) => name === form.get('behavior')) ?? (behaviors[0] as Behavior);
  const access = form.get('access') === 'key' ? 'key' : 'public';
  return {
    local: text('local_part'),
    display_name: text('display_name'),
    description: text('description'),
    behavior,
    settings: new Map(
      behaviors.map((one) => [one.name, readBehavior(one, form, prefixOf(one), settings?.get(one.name))]),
    ),
    visibility: form.get('visibility') === 'unlisted' ? 'unlisted' : 'listed',
    access,
    // A try-out needs an address that everyone may write to.
    try_out: access === 'public' && form.has('try_out'),
  };
}

/** The form's values for an existing mailbox. `settings`: by behavior, including those kept from earlier ones. */
export const typedFrom = (mailbox: Mailbox, behaviors: readonly Behavior[], settings: Kept): TypedAddress => ({
  local: mailbox.local_part,
  display_name: mailbox.display_name ?? '',
  description: mailbox.description,
  behavior: behaviors.find(({ name }) => name === mailbox.behavior) ?? (behaviors[0] as Behavior),
  settings,
  visibility: mailbox.visibility,
  access: mailbox.access,
  try_out: mailbox.try_out,
});

/** The form's values for a new address. */
export const blank = (behaviors: readonly Behavior[]): TypedAddress => ({
  local: '',
  display_name: '',
  description: '',
  behavior: behaviors[0] as Behavior,
  settings: new Map(),
  visibility: 'listed',
  access: 'public',
  try_out: true,
});

/** The requested mailbox; an empty description is left out unless the mailbox was `described` before. */
export function wantedOf(typed: TypedAddress, described: boolean): Omit<NewMailbox, 'local_part'> {
  const { behavior, display_name, description, visibility, access, try_out } = typed;
  const settings = (typed.settings.get(behavior.name) ?? {}) as Record<string, unknown>;
  return {
    display_name: display_name === '' ? null : display_name,
    ...(description === '' && !described ? {} : { description }),
    behavior: { name: behavior.name, settings },
    visibility,
    access,
    try_out,
  };
}

export interface AddressForm {
  readonly typed: TypedAddress;
  readonly behaviors: readonly Behavior[];
  readonly errors: readonly FieldError[];
  /** Shown behind the local part; null where the address is fixed already. */
  readonly domain: string | null;
  readonly namespace: string;
  readonly action: string;
  readonly token: Html;
  readonly submit: string;
  readonly back: string;
}

/** The form with everything that an address can be set to. */
export function addressForm(of: AddressForm): Html {
  const { typed, behaviors, domain } = of;
  const errors = new FormErrors(of.errors);
  const top = errors.at('', 'form');
  const local =
    domain !== null &&
    textLine(
      {
        id: 'local_part',
        label: 'Name before the @',
        hint: html`Followed by <b>@${of.namespace}</b>${domain}.`,
        error: errors.at('/local_part', 'local_part'),
      },
      typed.local,
      html` maxlength="64" autocapitalize="none" autocomplete="off" spellcheck="false"`,
    );
  const names = html`${local}
${textLine({ id: 'display_name', label: 'Name for people', hint: 'Shown above the address on its page. Optional.', error: errors.at('/display_name', 'display_name') }, typed.display_name, html` maxlength="200" autocomplete="off"`)}
${textLine({ id: 'description', label: 'Description', hint: 'What it does, in one line.', error: errors.at('/description', 'description') }, typed.description, html` maxlength="600" autocomplete="off"`)}`;
  const panels = behaviors.map((behavior) => {
    const own = behavior === typed.behavior;
    const words = wordsOf(behavior);
    const { fields, links } = behaviorForm(behavior, typed.settings.get(behavior.name), {
      prefix: prefixOf(behavior),
      errors: own ? of.errors : [],
      words: words.form,
      more: words.more,
      nothing: words.nothing,
    });
    if (own) errors.links.push(...links);
    return html`<section class="panel${own && ' on'}" aria-label="${words.heading}"><h2>${words.heading}</h2>${fields}</section>`;
  });
  return html`${summary(errors.links)}${top !== undefined && html`<p class="fault" id="form" tabindex="-1">${top}</p>`}
<form class="making fields" method="post" action="${of.action}">
${/* Enter in a field presses the first button. */ html`<button class="sr" name="do" value="save" tabindex="-1" aria-hidden="true">${of.submit}</button>`}
${of.token}
${names}
<fieldset class="field"><legend class="label">How it answers</legend>${domain === null && html`<p class="hint">The settings of each are kept and return when you choose it again.</p>`}<div class="cards">${behaviors.map((one) => card(one, one === typed.behavior))}</div></fieldset>
<button class="button pick" name="add" value="">Show its settings</button>
<div class="panels">${panels}</div>
<section class="block"><h2>Who can find it and write to it</h2>
${radios(
  'visibility',
  'In the directory',
  [
    { value: 'listed', label: 'Listed', hint: `Shown in the directory and on the page of ${of.namespace}.` },
    { value: 'unlisted', label: 'Not listed', hint: 'Only people who know the address find it.' },
  ],
  typed.visibility,
)}
${radios(
  'access',
  'Who may write',
  [
    { value: 'public', label: 'Anyone', hint: 'Anyone who knows the address.' },
    {
      value: 'key',
      label: 'Only your own keys',
      hint: `Programs with a key of ${of.namespace}. For everyone else it does not exist.`,
    },
  ],
  typed.access,
)}
<div class="field">${tick('checkbox', 'try_out', { value: 'true', label: 'People may try it on its page', hint: 'Without a key or account. Available only where anyone may write.' }, typed.try_out)}</div></section>
<div class="row end"><button class="button ink" name="do" value="save">${of.submit}</button><a class="button quiet" href="${of.back}">Back</a></div>
</form>`;
}

const card = (behavior: Behavior, chosen: boolean): Html => {
  const { name } = behavior;
  const { title, line } = wordsOf(behavior);
  return html`<div class="pick-card">${stamp(name)}
<div><label for="behavior-${name}">${title}</label><p id="line-${name}">${line}</p></div>
<input type="radio" id="behavior-${name}" name="behavior" value="${name}" aria-describedby="line-${name}"${chosen && html` checked`}></div>`;
};
