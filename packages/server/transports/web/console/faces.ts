import { isOutside } from '@mailroom/behavior/values/address';
import type { Message } from '../../../core/entities/message.ts';
import { type Html, html } from '../../../http/html.ts';
import { stamp } from '../pieces.ts';

/** Characters of a guest's tag. */
const TAG_LENGTH = 3;
/** Colors of guests' tags, classes of the style sheet. */
const TAG_COLORS = 6;

/** The letters that stand for a person. */
const initials = (name: string): string =>
  name
    .replace(/^The key |[“”]/g, '')
    .split(/[\s._@-]+/)
    .filter(Boolean)
    .slice(0, 2)
    .map((word) => String.fromCodePoint(word.codePointAt(0) ?? 32).toUpperCase())
    .join('');

/** A person, by the letters of their name. */
export const personFace = (name: string, kind = ''): Html =>
  html`<span class="face${kind}" aria-hidden="true" dir="auto">${initials(name)}</span>`;

/** A short tag, the same in each conversation of a guest, so that two guests can be told apart. */
export function guestTag({ sender_kind, sender_id }: Pick<Message, 'sender_kind' | 'sender_id'>) {
  if (sender_kind !== 'guest' || sender_id === null) return undefined;
  const tag = sender_id.slice(-1 - TAG_LENGTH, -1);
  const color = tag.split('').reduce((sum, one) => sum + one.charCodeAt(0), 0) % TAG_COLORS;
  return { tag, color };
}

/** An address: a stamp of its behavior, or an empty one where that is not known. */
const addressFace = (behavior: string): Html => stamp(behavior, 30);

/**
 * Who wrote a message: a stamp for an address, a circle for a person, dashed where it is not proven who that is, and a
 * tile for a program. `behavior` is that of the address that wrote it, where it is known.
 */
export function senderFace(message: Message, name: string, behavior: string | undefined): Html {
  const guest = guestTag(message);
  if (guest !== undefined)
    return html`<span class="face guest-face g${guest.color}" aria-hidden="true">${guest.tag}</span>`;
  switch (message.sender_kind) {
    case 'mailbox':
      return addressFace(behavior ?? '');
    case 'email':
      return personFace(name, message.email?.authentication?.verified === false ? ' unproven' : '');
    case 'key':
      return html`<span class="prog" aria-hidden="true">{ }</span>`;
    default:
      return personFace(name);
  }
}

/** An address as it is named in a conversation: a person outside, or an address here by its short name. */
export const whoChip = (address: string, name: string | undefined, rest?: Html): Html => {
  const outside = isOutside(address);
  const shown = name !== undefined && name.trim() !== '' ? name : address;
  return html`<span class="who-chip${!outside && ' sq'}" title="${address}">${outside ? personFace(shown, ' tiny') : html`<span class="prog tiny" aria-hidden="true">@</span>`}<bdi>${shown}</bdi>${rest}</span>`;
};
