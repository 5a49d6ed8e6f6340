import { addressOf } from '@mailroom/behavior/mailbox';
import type { Sender } from '@mailroom/behavior/message';
import { type Address, endsBelow, lowerCase, outsideAddress } from '@mailroom/behavior/values/address';
import { AppError, invalid } from '@mailroom/behavior/values/error';
import { isId, messageIdOf } from '@mailroom/behavior/values/ids';
import type { Json } from '@mailroom/behavior/values/json';
import { mayOn, rightsOn } from '../access/caller.ts';
import type { Directory } from '../access/directory.ts';
import { type AddressParts, findAddress } from '../access/hosted-address.ts';
import { isBound, type Key, reaches } from '../entities/key.ts';
import type { Store } from '../ports/store.ts';
import type { Submission } from '../runs/submission.ts';
import { asciiDomain } from '../values/domain.ts';

/**
 * The address of a mailbox here, by whatever domain it is named. AppError `validation_error` when it is not an address,
 * `mailbox_not_found` when its domain is another one.
 */
export function readAddress(text: string, pointer: string, parts: AddressParts): Address | Promise<Address> {
  const required = (address: Address | undefined): Address => {
    if (address !== undefined) return address;
    throw invalid(
      pointer,
      `This is not a mailbox address. One looks like hello@agents.${parts.mailDomain}.${/[<>,:;]/.test(text) ? ' Give it alone, without a name; of a list or group each address is an item of its own.' : ''}`,
    );
  };
  const found = findAddress(text, parts);
  return found instanceof Promise ? found.then(required) : required(found);
}

/** As `readAddress`, or an address outside: one at no domain that is hosted here. */
export function readRecipient(text: string, pointer: string, parts: AddressParts): Address | Promise<Address> {
  const { directory, mailDomain } = parts;
  if (endsBelow(lowerCase(text), mailDomain)) return readAddress(text, pointer, parts);
  const outside = outsideAddress(text);
  const hosted = outside === undefined || outside.namespace === mailDomain || endsBelow(outside.namespace, mailDomain);
  if (hosted) return readAddress(text, pointer, parts);
  return (async () =>
    (await directory.domain(outside.namespace)) === undefined ? outside : readAddress(text, pointer, parts))();
}

/** AppError `body_too_large` for a field above its own limit of `max` bytes. */
export function checkSize(text: string, pointer: string, max: number): void {
  // A UTF-16 unit takes at most 3 bytes in UTF-8, so most texts need no counting.
  if (text.length * 3 <= max) return;
  const bytes = Buffer.byteLength(text);
  if (bytes > max) {
    const message = `This has ${bytes} bytes; ${max} are allowed.`;
    throw new AppError('body_too_large', `${pointer}: ${message}`, { errors: [{ pointer, message }] });
  }
}

/** The JSON text of a message's structured part, of at most `max` bytes. */
export function dataText(data: unknown, max: number): string | null {
  if (data === undefined || data === null) return null;
  const text = JSON.stringify(data as Json);
  checkSize(text, '/data', max);
  return text;
}

/** What finding a sender, or what caused a message, needs. */
export interface SenderParts {
  readonly store: Pick<Store, 'messages'>;
  readonly directory: Directory;
  readonly mailDomain: string;
}

export interface From {
  readonly sender: Sender;
  readonly from_mailbox_id: string | null;
  readonly from_domain?: string | null;
}

/** The sender of a message: the mailbox named by `from`, else the key's own mailbox, else the key itself. */
export function senderOf(key: Key, from: string | null | undefined, parts: SenderParts): From | Promise<From> {
  if ((from === undefined || from === null) && !isBound(key)) {
    const sender: Sender = { kind: 'key', id: key.id, namespace_id: key.namespace_id, key_id: key.id, from: null };
    return { sender, from_mailbox_id: null };
  }
  return fromMailbox(key, from, parts);
}

async function fromMailbox(key: Key, from: string | null | undefined, parts: SenderParts): Promise<From> {
  const mailbox = await mailboxToWriteAs(key, from, parts);
  const { namespace_id, id: key_id } = key;
  const sender: Sender = { kind: 'mailbox', id: mailbox.id, namespace_id, key_id, from: addressOf(mailbox) };
  const at = from == null || endsBelow(lowerCase(from), parts.mailDomain) ? -1 : from.lastIndexOf('@');
  const from_domain = from == null || at < 0 ? null : asciiDomain(from.slice(at + 1));
  return { sender, from_mailbox_id: mailbox.id, from_domain };
}

async function mailboxToWriteAs(key: Key, from: string | null | undefined, parts: SenderParts) {
  const { directory, mailDomain } = parts;
  const notAllowed = (): AppError =>
    new AppError(
      'sender_not_allowed',
      key.mailbox === null
        ? `from must be a mailbox of the namespace ${key.namespace}.`
        : `This key is bound to ${key.mailbox}.${mailDomain} and writes as that mailbox only.`,
    );
  if (from === undefined || from === null) {
    if (key.also.length > 0) throw invalid('/from', 'You write as several mailboxes: name one of them in from.');
    const bound = await directory.mailboxById(key.mailbox_id as string);
    if (bound === undefined || bound.deleted_at !== null) throw notAllowed();
    return bound;
  }
  let address: Address | undefined;
  try {
    address = await findAddress(from, parts);
  } catch {
    throw notAllowed();
  }
  if (address !== undefined && address.tag !== null)
    throw invalid('/from', 'A sender has no tag: leave out the + and what follows it before the @.');
  if (address === undefined)
    throw invalid('/from', `This is not a mailbox address. One looks like hello@${key.namespace}.${mailDomain}.`);
  const mailbox = await directory.mailbox(address.local, address.namespace);
  const own = mailbox !== undefined && mailbox.deleted_at === null && mailbox.namespace_id === key.namespace_id;
  if (!own || !reaches(key, mailbox.id)) throw notAllowed();
  return mailbox;
}

/** The chain of messages that a new one belongs to, by the message that caused it. */
export type Cause = Pick<Submission, 'hops' | 'caused_in'>;
const NO_CAUSE: Cause = { hops: 0 };

/** One hop more than the message `caused_by`, which this key may read or answer. AppError `validation_error`. */
export function causeOf(key: Key, caused_by: string | null | undefined, parts: SenderParts): Cause | Promise<Cause> {
  return caused_by === undefined || caused_by === null ? NO_CAUSE : foundCause(key, caused_by, parts);
}

async function foundCause(key: Key, id: string, { store, directory }: SenderParts): Promise<Cause> {
  const caller = { kind: 'key', key, network: '' } as const;
  const message = isId('msg', id) ? await store.messages.byId(messageIdOf(id)) : undefined;
  const mailbox = message && (await directory.mailboxById(message.mailbox_id));
  const may =
    message !== undefined &&
    ((mailbox !== undefined && mayOn(caller, 'mail:answer', mailbox)) ||
      (await rightsOn(message, caller, directory)).reader);
  if (!may)
    throw invalid(
      '/caused_by',
      'There is no such message that this key may read or answer. Use the id of the message that your program is handling.',
    );
  return { hops: message.hops + 1, caused_in: message.mailbox_id };
}
