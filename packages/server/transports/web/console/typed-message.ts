import { endsBelow, fullAddress, lowerCase, outsideAddress, shortAddress } from '@mailroom/behavior/values/address';
import { DAY, type Millis, rfc3339 } from '@mailroom/behavior/values/clock';
import { AppError, type FieldError } from '@mailroom/behavior/values/error';
import type { DraftChange, DraftView } from '../../../core/entities/draft.ts';
import { instantOf, isZone, localOf } from './local-time.ts';
import {
  type AddressPlace,
  isAddress,
  LISTS,
  readLists,
  splitAddresses,
  type TypedLists,
  typedLists,
  wantedLists,
  wholeAddress,
} from './recipients.ts';

/** The zone in which the form is filled where no script knows the reader's own. */
export const FORM_ZONE = 'UTC';
/** How far ahead a message may be sent. */
const MAX_AHEAD_MS = 366 * DAY;

/** What was typed of a message; kept complete when something is wrong. */
export interface TypedMessage extends TypedLists {
  /** The id of the draft that it is kept as, if any. */
  readonly draft: string | undefined;
  /** The version of that draft that the form shows. */
  readonly tag: string | undefined;
  /** Makes the first sending of the form repeatable. */
  readonly idempotency: string;
  /** The local part of the address to write as, or what was typed instead; empty for the key. */
  readonly from: string;
  readonly subject: string;
  readonly body: string;
  /** The message or reply that it continues, if any. */
  readonly in_reply_to: string | undefined;
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
    ...typedLists(form),
    subject: text('subject').replace(/\s+/g, ' '),
    body: form.get('body') ?? '',
    in_reply_to: text('reply') || undefined,
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

const joined = (list: DraftView['to'] | undefined): string => [list ?? []].flat().join(', ');

/** The form's values for a draft. */
export function typedFrom(draft: DraftView, idempotency: string): TypedMessage {
  const { from, to, cc, bcc, subject, body } = draft;
  return {
    draft: draft.id,
    tag: draft.etag,
    idempotency,
    from: from?.split('@')[0] ?? '',
    to: joined(to),
    cc: joined(cc),
    bcc: joined(bcc),
    subject: subject ?? '',
    body: body ?? '',
    in_reply_to: draft.in_reply_to ?? undefined,
    send_at: draft.send_at === null ? '' : localOf(Date.parse(draft.send_at), FORM_ZONE),
    zone: FORM_ZONE,
    files: draft.attachments.map(({ id }) => id),
  };
}

interface Place extends AddressPlace {
  readonly now: Millis;
}

/**
 * The fields of the draft; sent now, it leaves after `undo_ms`. AppError `validation_error` for what is missing, and for a
 * time that cannot be.
 */
export function wantedOf(
  typed: TypedMessage,
  purpose: Exclude<Purpose, 'keep'>,
  place: Place,
  undo_ms = 0,
): DraftChange {
  const errors: FieldError[] = [];
  const lists = readLists(typed, place, errors);
  const sends = purpose !== 'save';
  const none = lists.to.length === 0 && lists.cc.length === 0 && lists.bcc.length === 0;
  if (sends && none) errors.push({ pointer: '/to', message: 'Write the address that it goes to.' });
  else if (sends && lists.to.length === 0)
    errors.push({ pointer: '/to', message: 'Write at least one address in To. Cc and Bcc come beside it.' });
  if (sends && typed.body.trim() === '') errors.push({ pointer: '/body', message: 'Write the message.' });
  const held = purpose === 'send' && undo_ms > 0 ? place.now + undo_ms : undefined;
  const sendAt = purpose === 'later' ? timeOf(typed, place.now, errors) : held;
  if (errors.length > 0) throw new AppError('validation_error', 'Something in the form is not right.', { errors });
  return {
    ...wantedLists(lists),
    ...contentOf(typed, place),
    send_at: sendAt === undefined ? null : rfc3339(sendAt),
  };
}

const contentOf = (
  { from, subject, body, draft, files, in_reply_to }: TypedMessage,
  { namespace, mailDomain }: AddressPlace,
): DraftChange => ({
  from: from === '' ? null : fullAddress(shortAddress(from, namespace), mailDomain),
  subject: subject === '' ? null : subject,
  body: body.trim() === '' ? null : body,
  ...(in_reply_to !== undefined && { in_reply_to }),
  ...(draft !== undefined && { attachments: files.map((id) => ({ id })) }),
});

/** What a script keeps as one types: a list with an address that is not complete so far stays as it was, and so does a time. */
export function keptOf(typed: TypedMessage, place: AddressPlace, localParts: ReadonlySet<string>): DraftChange {
  const isComplete = (one: string): boolean => {
    const address = wholeAddress(one, place);
    if (!one.includes('@')) return localParts.has(lowerCase(one));
    return isAddress(address, place) && (endsBelow(lowerCase(address), place.mailDomain) || isOutsideText(address));
  };
  const wanted = wantedLists(readLists(typed, place, []));
  const complete = LISTS.filter((name) => splitAddresses(typed[name]).every(isComplete));
  return { ...Object.fromEntries(complete.map((name) => [name, wanted[name]])), ...contentOf(typed, place) };
}

const isOutsideText = (address: string): boolean => outsideAddress(address) !== undefined;

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
