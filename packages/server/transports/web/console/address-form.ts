import type { Behavior } from '@mailroom/behavior';
import type { FieldError } from '@mailroom/behavior/values/error';
import type { Mailbox, NewMailbox } from '../../../core/entities/mailbox.ts';
import { type SenderLists, showSenderLists } from '../../../core/entities/sender-lists.ts';
import { type Html, html } from '../../../http/html.ts';
import { radios, tick } from '../form/controls.ts';
import { summary } from '../new/parts.ts';
import { defaultBehavior } from '../new/typed.ts';
import { stamp } from '../pieces.ts';
import { behaviorForm, readBehavior } from '../task-form.ts';
import { wordsOf } from '../words.ts';
import { FormErrors, line } from './fields.ts';

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
  readonly sign_answers: boolean;
  /** One entry per line; undefined when the form did not have the fields. */
  readonly senders: { readonly allow: string; readonly block: string } | undefined;
}

const prefixOf = ({ name }: Behavior): string => `settings.${name}`;

/** Settings by the name of the behavior. */
type Kept = ReadonlyMap<string, unknown>;

/** Reads the form. `settings`: those of the existing address, for the parts that are edited on other pages. */
export function typedOf(form: URLSearchParams, behaviors: readonly Behavior[], settings?: Kept): TypedAddress {
  const text = (name: string): string => (form.get(name) ?? '').trim();
  const behavior = behaviors.find(({ name }) => name === form.get('behavior')) ?? defaultBehavior(behaviors);
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
    sign_answers: form.has('sign_answers'),
    senders: form.has('allow') && form.has('block') ? { allow: text('allow'), block: text('block') } : undefined,
  };
}

/** The form's values for an existing mailbox. `settings`: by behavior, including those kept from earlier ones. */
export const typedFrom = (
  mailbox: Mailbox,
  behaviors: readonly Behavior[],
  settings: Kept,
  mailDomain: string,
): TypedAddress => ({
  local: mailbox.local_part,
  display_name: mailbox.display_name ?? '',
  description: mailbox.description,
  behavior: behaviors.find(({ name }) => name === mailbox.behavior) ?? defaultBehavior(behaviors),
  settings,
  visibility: mailbox.visibility,
  access: mailbox.access,
  try_out: mailbox.try_out,
  sign_answers: mailbox.sign_answers ?? false,
  senders: linesOf(showSenderLists(mailbox.senders, mailDomain)),
});

const linesOf = ({ allow, block }: SenderLists) => ({ allow: allow.join('\n'), block: block.join('\n') });

/** The entries, one per line; empty lines are left out, and errors then point to the entries that are left. */
const entriesOf = (lines: string): string[] =>
  lines
    .split('\n')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/** The form's values for a new address. */
export const blank = (behaviors: readonly Behavior[]): TypedAddress => ({
  local: '',
  display_name: '',
  description: '',
  behavior: defaultBehavior(behaviors),
  settings: new Map(),
  visibility: 'listed',
  access: 'public',
  try_out: true,
  sign_answers: false,
  senders: { allow: '', block: '' },
});

/** The requested mailbox; an empty description is left out unless the mailbox was `described` before. */
export function wantedOf(typed: TypedAddress, described: boolean): Omit<NewMailbox, 'local_part'> {
  const { behavior, display_name, description, visibility, access, try_out, sign_answers, senders } = typed;
  const settings = (typed.settings.get(behavior.name) ?? {}) as Record<string, unknown>;
  return {
    display_name: display_name === '' ? null : display_name,
    ...(description === '' && !described ? {} : { description }),
    behavior: { name: behavior.name, settings },
    visibility,
    access,
    try_out,
    sign_answers,
    ...(senders && { senders: { allow: entriesOf(senders.allow), block: entriesOf(senders.block) } }),
  };
}

/** What the fields of a form show. */
export interface FormFields {
  readonly typed: TypedAddress;
  readonly behaviors: readonly Behavior[];
  readonly errors: readonly FieldError[];
  /** Shown behind the local part; null where the address is fixed already. */
  readonly domain: string | null;
  readonly namespace: string;
}

interface AddressForm extends FormFields {
  readonly action: string;
  readonly token: Html;
  readonly submit: string;
  readonly back: string;
}

/** The name and the description, with the local part where it can still be chosen. */
export function nameFields({ typed, domain, namespace }: FormFields, errors: FormErrors): Html {
  const local =
    domain !== null &&
    errors.textLine(
      'local_part',
      'Name before the @',
      html`Followed by <b>@${namespace}</b>${domain}.`,
      typed.local,
      html` maxlength="64" autocapitalize="none" autocomplete="off" spellcheck="false"`,
    );
  return html`${local}
${errors.textLine('display_name', 'Name for people', 'Shown above the address on its page. Optional.', typed.display_name, html` maxlength="200" autocomplete="off"`)}
${errors.textLine('description', 'Description', 'What it does, in one line.', typed.description, html` maxlength="600" autocomplete="off"`)}`;
}

/** The behaviors to choose from, and the settings of each. */
export function behaviorFields({ typed, behaviors, domain, errors: all }: FormFields, errors: FormErrors): Html {
  const panels = behaviors.map((behavior) => {
    const chosen = behavior === typed.behavior;
    const { heading } = wordsOf(behavior);
    const { fields, links } = settingsFields(behavior, typed, chosen ? all : []);
    if (chosen) errors.links.push(...links);
    return html`<section class="panel${chosen && ' on'}" aria-label="${heading}"><h2>${heading}</h2>${fields}</section>`;
  });
  return html`<fieldset class="field"><legend class="label">How it answers</legend>${domain === null && html`<p class="hint">The settings of each are kept and return when you choose it again.</p>`}<div class="cards">${behaviors.map((one) => card(one, one === typed.behavior))}</div></fieldset>
<button class="button pick" name="add" value="">Show its settings</button>
<div class="panels">${panels}</div>`;
}

/** The fields of a behavior's settings, and a link to each that is wrong. */
export function settingsFields(
  behavior: Behavior,
  typed: Pick<TypedAddress, 'settings'>,
  errors: readonly FieldError[],
) {
  const { form: words, more, nothing } = wordsOf(behavior);
  const prefix = prefixOf(behavior);
  return behaviorForm(behavior, typed.settings.get(behavior.name), { prefix, errors, words, more, nothing });
}

/** Who finds it, and who may write to it. */
export const accessFields = (form: FormFields, errors: FormErrors): Html => html`${radios(
  'visibility',
  'In the directory',
  [
    { value: 'listed', label: 'Listed', hint: `Shown in the directory and on the page of ${form.namespace}.` },
    { value: 'unlisted', label: 'Not listed', hint: 'Only people who know the address find it.' },
  ],
  form.typed.visibility,
)}
${radios(
  'access',
  'Who may write',
  [
    { value: 'public', label: 'Anyone', hint: 'Anyone who knows the address.' },
    {
      value: 'key',
      label: 'Only your own keys',
      hint: `Programs with a key of ${form.namespace}. For everyone else it does not exist.`,
    },
  ],
  form.typed.access,
)}
<div class="field">${tick('checkbox', 'try_out', { value: 'true', label: 'People may try it on its page', hint: 'Without a key or account. Available only where anyone may write.' }, form.typed.try_out)}</div>
<div class="field">${tick('checkbox', 'sign_answers', { value: 'true', label: 'Sign answers by hand', hint: 'Who wrote sees the name of the member who answered, in a mail as its sender. Otherwise only members see it.' }, form.typed.sign_answers)}</div>
${senderList(form, errors, { id: 'allow', label: 'Only these may write', hint: 'When this is empty, everyone may, except those below. People without a key may not when it is filled.' })}
${senderList(form, errors, { id: 'block', label: 'These may not write', hint: `Even when they are listed above. In both fields: an address, *@ and a domain, or a namespace. A program that writes without an address counts as its namespace.` })}`;

/** What has to be fixed, first each field and then what concerns no single one. */
export const formProblems = (errors: FormErrors, top: string | undefined): Html =>
  html`${summary(errors.links)}${top !== undefined && html`<p class="error" id="form" tabindex="-1">${top}</p>`}`;

/** Enter in a field presses the first button of a form. */
export const firstButton = (words: string): Html =>
  html`<button class="sr" name="do" value="save" tabindex="-1" aria-hidden="true">${words}</button>`;

/** The form with everything that a new address can be set to. */
export function addressForm(form: AddressForm): Html {
  const errors = new FormErrors(form.errors);
  const top = errors.at('', 'form');
  const names = nameFields(form, errors);
  const behavior = behaviorFields(form, errors);
  const access = accessFields(form, errors);
  return html`${formProblems(errors, top)}
<form class="making fields" method="post" action="${form.action}" novalidate>
${firstButton(form.submit)}
${form.token}
${names}
${behavior}
<section class="block"><h2>Who can find it and write to it</h2>
${access}</section>
<div class="row end"><button class="button ink" name="do" value="save">${form.submit}</button><a class="button quiet" href="${form.back}">Back</a></div>
</form>`;
}

/** One of the two lists, an entry per line. */
function senderList(
  { typed, errors: all }: FormFields,
  errors: FormErrors,
  { id, label, hint }: { readonly id: 'allow' | 'block'; readonly label: string; readonly hint: string },
): Html {
  const pointer = `/senders/${id}`;
  const wrong = all.filter((error) => error.pointer === pointer || error.pointer.startsWith(`${pointer}/`));
  const entries = entriesOf(typed.senders?.[id] ?? '');
  const text = wrong.map((error) => {
    const entry = entries[Number(error.pointer.slice(pointer.length + 1) || Number.NaN)];
    return entry === undefined ? error.message : `${entry.slice(0, 100)}: ${error.message}`;
  });
  const error = text.length === 0 ? undefined : text.join(' ');
  if (error !== undefined) errors.links.push({ href: `#${id}`, text: error });
  return line(
    { id, label, hint, error },
    (attributes) =>
      html`<textarea class="input mono" ${attributes} rows="3" dir="ltr" spellcheck="false" autocapitalize="none" placeholder="One per line" maxlength="70000">${`\n${typed.senders?.[id] ?? ''}`}</textarea>`,
  );
}

const card = (behavior: Behavior, chosen: boolean): Html => {
  const { name } = behavior;
  const { title, line } = wordsOf(behavior);
  return html`<div class="pick-card">${stamp(name)}
<div><label for="behavior-${name}">${title}</label><p id="line-${name}">${line}</p></div>
<input type="radio" id="behavior-${name}" name="behavior" value="${name}" aria-describedby="line-${name}"${chosen && html` checked`}></div>`;
};
