import { fullAddress, hostedAddress, isLocalPart, lowerCase, shortAddress } from '@mailroom/behavior/values/address';
import type { Millis } from '@mailroom/behavior/values/clock';
import { DAY, rfc3339 } from '@mailroom/behavior/values/clock';
import type { FieldError } from '@mailroom/behavior/values/error';
import { AppError } from '@mailroom/behavior/values/error';
import type { DraftChange, DraftView } from '../../../core/entities/draft.ts';
import { instantOf, isZone, localOf } from './local-time.ts';

/** The zone in which the form is filled where no script knows the reader's own. */
export const FORM_ZONE = 'UTC';
/** How far ahead a message may be sent. */
const MAX_AHEAD_MS = 366 * DAY;

/** What was typed of a message; kept complete when something is wrong. */
export interface TypedMessage {
  /** The id of the draft that it is kept as, if any. */
  readonly draft: string | undefined;
  /** The version of that draft that the form shows. */
  readonly tag: string | undefined;
  /** Makes the first sending of the form repeatable. */
  readonly idempotency: string;
  /** The local part of the address to write as, or what was typed instead; empty for the key. */
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly body: string;
  /** A date and time in `zone`. */
  readonly send_at: string;
  readonly zone: string;
  /** The ids of the draft's files that stay. */
  readonly files: readonly string[];
}

/** What the owner asked the form to do. */
export type Purpose = 'send' | 'later' | 'save' | 'keep';

export const purposeOf = (form: URLSearchParams): Purpose => {
  const asked = form.get('do');
  return asked === 'send' || asked === 'later' || asked === 'keep' ? asked : 'save';
};

export function typedOf(form: URLSearchParams, { namespace, mailDomain }: Omit<Place, 'now'>): TypedMessage {
  const text = (name: string): string => (form.get(name) ?? '').trim();
  return {
    draft: text('draft') || undefined,
    tag: text('tag') || undefined,
    idempotency: text('once').slice(0, 64),
    from: ownLocal(text('from').toLowerCase(), namespace, mailDomain),
    to: text('to'),
    subject: text('subject').replace(/\s+/g, ' '),
    body: form.get('body') ?? '',
    send_at: text('send_at'),
    zone: text('zone') || FORM_ZONE,
    files: form.getAll('file'),
  };
}

/** The local part of an address of the namespace; anything else stays as it is. */
function ownLocal(address: string, namespace: string, mailDomain: string): string {
  const [local = '', domain] = address.split('@');
  return domain === namespace || domain === fullAddress(namespace, mailDomain) ? local : address;
}

/** The form's values for a draft. */
export function typedFrom(draft: DraftView, idempotency: string): TypedMessage {
  const { from, to, subject, body } = draft;
  return {
    draft: draft.id,
    tag: draft.etag,
    idempotency,
    from: from?.split('@')[0] ?? '',
    to: [to ?? ''].flat().join(', '),
    subject: subject ?? '',
    body: body ?? '',
    send_at: draft.send_at === null ? '' : localOf(Date.parse(draft.send_at), FORM_ZONE),
    zone: FORM_ZONE,
    files: draft.attachments.map(({ id }) => id),
  };
}

interface Place {
  readonly namespace: string;
  readonly mailDomain: string;
  readonly now: Millis;
}

/** The fields of the draft. AppError `validation_error` for what is missing, and for a time that cannot be. */
export function wantedOf(typed: TypedMessage, purpose: Purpose, { namespace, mailDomain, now }: Place): DraftChange {
  const { from, to, subject, body, draft, files } = typed;
  const errors: FieldError[] = [];
  if (purpose === 'keep') return keptOf(typed, namespace, mailDomain);
  if (purpose !== 'save' && to === '') errors.push({ pointer: '/to', message: 'Write the address that it goes to.' });
  const recipient = whole(ofNamespace(to, namespace), mailDomain);
  if (to !== '') checkAddress(recipient, mailDomain, errors);
  if (purpose !== 'save' && body.trim() === '') errors.push({ pointer: '/body', message: 'Write the message.' });
  const sendAt = purpose === 'later' ? timeOf(typed, now, errors) : undefined;
  if (errors.length > 0) throw new AppError('validation_error', 'Something in the form is not right.', { errors });
  return {
    to: to === '' ? null : recipient,
    from: from === '' ? null : fullAddress(shortAddress(from, namespace), mailDomain),
    subject: subject === '' ? null : subject,
    body: body.trim() === '' ? null : body,
    send_at: sendAt === undefined ? null : rfc3339(sendAt),
    ...(draft !== undefined && { attachments: files.map((id) => ({ id })) }),
  };
}

/** What a script keeps as one types: an address that is not complete so far stays as it was, and so does a time. */
function keptOf(
  { from, to, subject, body, draft, files }: TypedMessage,
  namespace: string,
  mailDomain: string,
): DraftChange {
  const wrong: FieldError[] = [];
  if (to !== '') checkAddress(whole(to, mailDomain), mailDomain, wrong);
  const elsewhere = to !== '' && !lowerCase(whole(to, mailDomain)).endsWith(`.${mailDomain}`);
  return {
    ...(wrong.length === 0 && !elsewhere && { to: to === '' ? null : whole(to, mailDomain) }),
    from: from === '' ? null : fullAddress(shortAddress(from, namespace), mailDomain),
    subject: subject === '' ? null : subject,
    body: body.trim() === '' ? null : body,
    ...(draft !== undefined && { attachments: files.map((id) => ({ id })) }),
  };
}

/** Whether it is an address at all; whether there is a mailbox is checked when the draft is written. */
function checkAddress(to: string, mailDomain: string, errors: FieldError[]): void {
  if (hostedAddress(to, mailDomain) !== undefined && /^[^@\s]+@[^@\s]+$/.test(to)) return;
  const message = `This is not a mailbox address. One looks like hello@agents.${mailDomain}.`;
  errors.push({ pointer: '/to', message });
}

/** An address of the own namespace may be typed by its local part alone. */
export const ofNamespace = (to: string, namespace: string): string =>
  isLocalPart(lowerCase(to)) ? shortAddress(to, namespace) : to;

/** An address of this service may be typed without the mail domain. */
const whole = (to: string, mailDomain: string): string =>
  /^[^@\s]+@[^@.\s]+$/.test(to) ? fullAddress(to, mailDomain) : to;

function timeOf({ send_at, zone }: TypedMessage, now: Millis, errors: FieldError[]): Millis | undefined {
  if (!isZone(zone)) {
    errors.push({
      pointer: '/zone',
      message: `There is no time zone “${zone.slice(0, 60)}”. One looks like Europe/Berlin.`,
    });
    return undefined;
  }
  const instant = instantOf(send_at, zone);
  if (instant !== undefined && instant > now && instant < now + MAX_AHEAD_MS) return instant;
  errors.push({
    pointer: '/send_at',
    message:
      instant === undefined
        ? 'Choose a date and a time.'
        : instant <= now
          ? 'This time has passed. Choose one in the future.'
          : 'Choose a time within a year.',
  });
  return undefined;
}
