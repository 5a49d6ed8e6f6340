import type { FieldError } from '@mailroom/behavior/values/error';
import type { Type } from 'typebox';
import { type Outgoing, type OutgoingView, UNRESTRICTED } from '../../../core/entities/outgoing.ts';
import { type Html, html } from '../../../http/html.ts';
import { radios } from '../form/controls.ts';
import { type FormErrors, line, textsOf } from './fields.ts';

/** What each policy holds: its name, and what it means, in a line. */
export const REVIEW_LINES: Readonly<Record<Outgoing['review'], readonly [string, string]>> = {
  never: ['Nothing waits', 'What programs, models and keys write leaves at once.'],
  outside: [
    'Mail to the outside waits',
    'Messages with a recipient that is no mailbox here. Guests and keys count as here.',
  ],
  first_contact: [
    'First contacts wait',
    'Messages to an address that never wrote a proven message to this one, and was never approved.',
  ],
  findings: [
    'What has findings waits',
    'Messages in which a secret, a card or account number, a new or many recipients are found.',
  ],
  always: ['Everything waits', 'Each message and each answer, to all recipients.'],
};

const EXPIRY_LINES: Readonly<Record<Outgoing['on_expiry'], readonly [string, string]>> = {
  discard: ['It is discarded', 'It never leaves, and who asked is told that there was no decision in time.'],
  send: [
    'It is sent',
    'It leaves without a decision, unless something was found in it. Not with “findings” and “everything”.',
  ],
};

const FIELDS = ['review', 'allow', 'block', 'max_per_day', 'expires_hours', 'on_expiry'] as const;
/** A policy as it is typed. */
export type TypedOutgoing = Readonly<Record<(typeof FIELDS)[number], string>>;

const HOUR_S = 3_600;

export const typedOf = (
  outgoing: Type.Static<typeof OutgoingView> = { ...UNRESTRICTED, allow: [], block: [] },
): TypedOutgoing => ({
  review: outgoing.review,
  allow: outgoing.allow.join('\n'),
  block: outgoing.block.join('\n'),
  max_per_day: outgoing.max_per_day === null ? '' : outgoing.max_per_day.toLocaleString('en-US'),
  expires_hours: String(Math.round((100 * outgoing.expires_seconds) / HOUR_S) / 100),
  on_expiry: outgoing.on_expiry,
});

export const readOutgoing = (form: URLSearchParams): TypedOutgoing => textsOf(form, FIELDS);

const entriesOf = (text: string): readonly string[] => text.split(/[\s,]+/).filter(Boolean);

/** What the API is asked for, or what is wrong with the numbers. */
export function wantedOf(typed: TypedOutgoing): { readonly body: object; readonly errors: readonly FieldError[] } {
  const max = typed.max_per_day.replace(/[\s,]/g, '');
  const seconds = Math.round(Number(typed.expires_hours.replace(',', '.')) * HOUR_S);
  const errors = [
    !/^[0-9]{0,7}$/.test(max) && {
      pointer: '/outgoing/max_per_day',
      message: 'Write a whole number, such as 200, or leave it empty for no limit.',
    },
    !(seconds >= 60 && seconds <= 720 * HOUR_S) && {
      pointer: '/outgoing/expires_seconds',
      message: 'Write hours, from 0.02 to 720, such as 24.',
    },
  ].filter((one) => one !== false);
  const { review, on_expiry } = typed;
  const [allow, block] = [entriesOf(typed.allow), entriesOf(typed.block)];
  const max_per_day = max === '' ? null : Number(max);
  return { body: { review, allow, block, max_per_day, expires_seconds: seconds, on_expiry }, errors };
}

/** The form, its errors counted in `errors`. */
export function outgoingFields(typed: TypedOutgoing, errors: FormErrors): Html {
  const options = (lines: Readonly<Record<string, readonly [string, string]>>) =>
    Object.entries(lines).map(([value, [label, hint]]) => ({ value, label, hint }));
  const list = (name: 'allow' | 'block', label: string, hint: string): Html => {
    const error = errors.at(`/outgoing/${name}`, name);
    return line(
      { id: name, label, hint, error },
      (attributes) =>
        html`<textarea class="input" ${attributes} rows="3" dir="ltr" spellcheck="false" autocapitalize="none">${`\n${typed[name]}`}</textarea>`,
    );
  };
  const expiry = errors.at('/outgoing/on_expiry', 'on_expiry');
  const numeric = html` inputmode="decimal" autocomplete="off" maxlength="20"`;
  return html`${radios('review', 'What waits until an owner has seen it', options(REVIEW_LINES), typed.review)}
${errors.textLine('expires_hours', 'Hours to decide', 'From when it is held. What waits keeps the time that it had.', typed.expires_hours, numeric, '/outgoing/expires_seconds')}
<div id="on_expiry" tabindex="-1">${radios('on_expiry', 'When no one decided by then', options(EXPIRY_LINES), typed.on_expiry)}${expiry !== undefined && html`<p class="error">${expiry}</p>`}</div>
${list('allow', 'Write to these alone', 'An address, *@ and a domain, or a namespace; one a line. Empty: to everyone who is not blocked.')}
${list('block', 'Never write to these', 'The same. A block wins over what is allowed.')}
${errors.textLine('max_per_day', 'Recipients a day', 'From 00:00 UTC, all messages together. Over it nothing more leaves until the next day.', typed.max_per_day, html`${numeric} placeholder="No limit"`, '/outgoing/max_per_day')}`;
}
