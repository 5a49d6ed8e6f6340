import { isOutside } from '@mailroom/behavior/values/address';
import { isObject } from '@mailroom/behavior/values/json';
import type { Message } from '../../../core/entities/message.ts';
import { addressesIn } from '../../../core/entities/recipients.ts';
import { type Html, html } from '../../../http/html.ts';
import { personFace, whoChip } from './faces.ts';

/** Marks of participants that are shown before they are counted. */
const MAX_SHOWN = 3;

/** The names that mails of these messages have for addresses, by the stored address. */
export function namesIn(messages: readonly Message[], mailDomain: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const end = `.${mailDomain}`;
  const keep = (address: unknown, name: unknown): void => {
    if (typeof address !== 'string' || typeof name !== 'string' || name.trim() === '') return;
    const lower = address.toLowerCase();
    const stored = lower.endsWith(end) ? lower.slice(0, -end.length) : lower;
    if (!names.has(stored)) names.set(stored, name.trim());
  };
  for (const { data, channel, sender_id: author } of messages) {
    if (channel !== 'smtp' || data === null) continue;
    const parsed: unknown = JSON.parse(data);
    const email: unknown = isObject(parsed) ? parsed.email : undefined;
    if (!isObject(email)) continue;
    keep(author, email.from_name);
    for (const one of [email.cc, email.reply_to].flat()) if (isObject(one)) keep(one.address, one.name);
  }
  return names;
}

const authorOf = ({ from, sender_kind: kind, sender_id: id }: Message): string | null =>
  from ?? (kind === 'email' ? id : null);

/** The addresses of a message's To and Cc. */
const listsOf = ({ recipients, to }: Message) => ({
  to: recipients?.to ?? (to === null ? [] : [to]),
  cc: recipients?.cc ?? [],
});

/** Everyone of a conversation: people, and addresses here; folded to their number. */
export function participants(thread: readonly Message[], names: ReadonlyMap<string, string>): Html | false {
  const all = new Map<string, Html | undefined>();
  let guests = 0;
  for (const message of thread) {
    const author = authorOf(message);
    if (author !== null) all.set(author, undefined);
    else if (message.sender_kind === 'guest') guests = 1;
    const { to, cc } = listsOf(message);
    for (const one of addressesIn({ to, cc }))
      if (!all.has(one)) all.set(one, cc.includes(one) ? html` <small>Cc</small>` : undefined);
  }
  const addresses = [...all.keys()];
  const people = addresses.filter(isOutside);
  const here = addresses.filter((one) => !isOutside(one));
  if (addresses.length + guests < 2) return false;
  const nameOf = (one: string): string => names.get(one) ?? one;
  const marks = people.slice(0, MAX_SHOWN).map((one) => personFace(nameOf(one), ' tiny'));
  const number = people.length + guests;
  return html`<details class="participants"><summary class="pill"><span class="faces">${marks}</span>${number > 0 && (number === 1 ? '1 person' : `${number} people`)}${number > 0 && here.length > 0 && ', '}${here.length > 0 && (here.length === 1 ? '1 address' : `${here.length} addresses`)}</summary><div class="menu parts">${addresses.map((one) => whoChip(one, names.get(one), all.get(one)))}</div></details>`;
}

/** Whom a message with several recipients was for, under its head. */
export function recipientsLine(message: Message, names: ReadonlyMap<string, string>): Html | false {
  if (message.recipients === undefined) return false;
  const { to, cc, bcc = [] } = message.recipients;
  const list = (label: string, addresses: readonly string[]): Html | false =>
    addresses.length > 0 && html`<span>${label}</span>${addresses.map((one) => whoChip(one, names.get(one)))}`;
  return html`<p class="parts">${list('To', to)}${list('Cc', cc)}${list('Bcc', bcc)}</p>`;
}
