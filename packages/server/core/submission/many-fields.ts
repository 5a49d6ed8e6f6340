import type { RecipientLists } from '@mailroom/behavior/message';
import { type Address, fullAddress, shortAddress, taggedAddress } from '@mailroom/behavior/values/address';
import { AppError, invalid } from '@mailroom/behavior/values/error';
import { isId } from '@mailroom/behavior/values/ids';
import { rightsTo } from '../access/caller.ts';
import type { Key } from '../entities/key.ts';
import { checkLabels, UNREAD } from '../entities/label.ts';
import type { Message } from '../entities/message.ts';
import { addressesIn, MAX_RECIPIENTS, type MailFields, type Metadata, untagged } from '../entities/recipients.ts';
import { MAX_PAIRS, type ManyFields, metadataOf } from '../entities/sending.ts';
import type { Store } from '../ports/store.ts';
import { checkSize, readRecipient, type SenderParts } from './send-fields.ts';

/** An address that a message names, and where. */
export interface Named {
  readonly address: Address;
  readonly pointer: string;
}

export interface NamedLists {
  readonly to: readonly Named[];
  readonly cc: readonly Named[];
  readonly bcc: readonly Named[];
}

/** Bytes of an HTML part. */
const MAX_HTML = 1024 * 1024;
/** Whether it has anything that one address in `to` has not. */
export const hasManyFields = (fields: ManyFields): boolean =>
  Array.isArray(fields.to) ||
  [
    fields.cc,
    fields.bcc,
    fields.reply_all,
    fields.reply_to,
    fields.html,
    fields.headers,
    fields.labels,
    fields.metadata,
  ].some((field) => field !== undefined && field !== null);

interface FieldParts extends SenderParts {
  readonly store: Pick<Store, 'messages'>;
}

/** What is sent with the recipients. */
export interface ReadFields {
  readonly lists: NamedLists;
  readonly mail: MailFields | undefined;
  readonly metadata: Metadata | undefined;
  readonly labels: readonly string[];
}

/**
 * Reads and checks the fields. `from` is the stored address of the mailbox that sends, if one does. AppError
 * `validation_error`, `body_too_large`, `mailbox_not_found`, each with its pointer.
 */
export async function readManyFields(
  fields: ManyFields,
  key: Key,
  from: string | null,
  parts: FieldParts,
): Promise<ReadFields> {
  const labels = fields.labels ?? [];
  if (labels.length > 0 && from === null)
    throw invalid('/labels', 'Labels belong to the mailbox that sends: name it in `from`.');
  checkLabels(labels, '/labels');
  if (labels.includes(UNREAD))
    throw invalid(
      `/labels/${labels.indexOf(UNREAD)}`,
      'Only a message that the mailbox received can be unread. Leave this label out.',
    );
  const all = fields.reply_all === true ? await repliedLists(fields.in_reply_to, key, from, parts) : NO_RECIPIENTS;
  const lists = {
    to: [...all.to, ...(await named(fields.to, '/to', parts))],
    cc: [...all.cc, ...(await named(fields.cc, '/cc', parts))],
    bcc: await named(fields.bcc, '/bcc', parts),
  };
  distinct(lists);
  return { lists, mail: await mailFields(fields, parts), metadata: metadataOf(fields.metadata), labels };
}

const NO_RECIPIENTS: NamedLists = { to: [], cc: [], bcc: [] };

/** The addresses of a field, each with its place. */
async function named(field: ManyFields['to'], pointer: string, parts: FieldParts): Promise<readonly Named[]> {
  if (field === undefined || field === null) return [];
  const texts = typeof field === 'string' ? [field] : field;
  const found: Named[] = [];
  const errors: { readonly error: AppError; readonly pointer: string }[] = [];
  for (const [at, text] of texts.entries()) {
    const place = typeof field === 'string' ? pointer : `${pointer}/${at}`;
    try {
      found.push({ address: await readRecipient(text, place, parts), pointer: place });
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
      errors.push({ error, pointer: place });
    }
  }
  const [first] = errors;
  if (first === undefined) return found;
  throw new AppError(first.error.code, first.error.message, {
    errors: errors.map(({ error, pointer: at }) => ({ pointer: at, message: error.message })),
  });
}

/** The author of a message, with everyone else of its To and Cc but the mailbox that answers. */
async function repliedLists(
  id: ManyFields['in_reply_to'],
  key: Key,
  from: string | null,
  parts: FieldParts,
): Promise<NamedLists> {
  if (id === undefined || id === null)
    throw invalid('/reply_all', 'Name the message that is answered in `in_reply_to`.');
  const message = isId('msg', id) ? await parts.store.messages.byId(id) : undefined;
  const rights =
    message && (await rightsTo(message, { kind: 'key', key, network: '' }, parts.directory, parts.store.messages));
  if (message === undefined || rights?.reader !== true)
    throw invalid('/in_reply_to', 'There is no such message that this key may read.');
  const { to, cc } = othersOf(message, from);
  const namedAt = async (addresses: readonly string[]): Promise<readonly Named[]> =>
    Promise.all(
      addresses.map(async (one) => ({
        address: await readRecipient(fullAddress(one, parts.mailDomain), '/reply_all', parts),
        pointer: '/reply_all',
      })),
    );
  if (to.length === 0)
    throw invalid('/reply_all', 'The author of this message has no address. Answer the message itself instead.');
  return { to: await namedAt(to), cc: await namedAt(cc), bcc: [] };
}

/** Whom an answer to all of a message is for; `own` is the stored address of the mailbox that answers. */
export function othersOf(
  message: Message,
  own: string | null,
): { readonly to: readonly string[]; readonly cc: readonly string[] } {
  const { from, sender_kind: kind, sender_id: senderId, recipients } = message;
  const author = from ?? (kind === 'email' ? senderId : null);
  const lists = recipients ?? { to: message.to === null ? [] : [message.to], cc: [] };
  const known = new Set([own]);
  const others = (addresses: readonly string[]): string[] =>
    addresses.map(untagged).filter((one) => !known.has(one) && known.add(one) !== undefined);
  // Who answers the own message writes to those that it was for.
  const isOwn = author !== null && author === own;
  const to = others(isOwn ? lists.to : author === null ? [] : [author]);
  return { to, cc: others(isOwn ? lists.cc : addressesIn({ to: lists.to, cc: lists.cc })) };
}

async function mailFields(fields: ManyFields, parts: FieldParts): Promise<MailFields | undefined> {
  const { html, headers } = fields;
  if (typeof html === 'string') checkSize(html, '/html', MAX_HTML);
  const replyTo = await named(fields.reply_to, '/reply_to', parts);
  if (replyTo.length > MAX_RECIPIENTS) throw invalid('/reply_to', `Answers go to at most ${MAX_RECIPIENTS} addresses.`);
  const given = headers == null ? [] : Object.entries(headers);
  if (given.length > MAX_PAIRS) throw invalid('/headers', `At most ${MAX_PAIRS} header fields are sent.`);
  for (const [name, value] of given) checkHeader(name, value);
  if (typeof html !== 'string' && replyTo.length === 0 && given.length === 0) return undefined;
  return {
    ...(typeof html === 'string' && { html }),
    ...(replyTo.length > 0 && {
      reply_to: replyTo.map(({ address }) => fullAddress(taggedAddress(address), parts.mailDomain)),
    }),
    ...(headers != null && given.length > 0 && { headers }),
  };
}

const HEADER = /^(?:x-(?!mailroom-)[!-9;-~]{1,76}|importance|list-unsubscribe|list-unsubscribe-post)$/i;
/** RFC 5322, section 2.1.1. */
const MAX_LINE = 998;

function checkHeader(name: string, value: string): void {
  const pointer = `/headers/${name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')}`;
  if (!HEADER.test(name))
    throw invalid(
      pointer,
      'Only X-… (but X-Mailroom-…), Importance, List-Unsubscribe and List-Unsubscribe-Post may be set.',
    );
  if (/\p{Cc}/u.test(value)) throw invalid(pointer, 'A header field has no line breaks and no control characters.');
  if (name.length + value.length + 2 > MAX_LINE)
    throw invalid(pointer, `A header field has at most ${MAX_LINE} characters.`);
}

/** The one recipient of a message that is for no other. */
export const onlyRecipient = ({ to, cc, bcc }: NamedLists): Address | undefined => {
  const addresses = new Set(
    [...to, ...cc, ...bcc].map(({ address: { local, namespace } }) => shortAddress(local, namespace)),
  );
  return addresses.size === 1 ? to[0]?.address : undefined;
};

/** Addresses with the places that they have in a request. */
export function namedLists(to: readonly Address[], cc: readonly Address[]): NamedLists {
  const at = (field: string, all: readonly Address[]): Named[] =>
    all.map((address, index) => ({ address, pointer: `/${field}/${index}` }));
  return { to: at('to', to), cc: at('cc', cc), bcc: [] };
}

/** The lists as they are stored. */
export const storedLists = ({ to, cc, bcc }: NamedLists): RecipientLists => {
  const addresses = (named: readonly Named[]): string[] => named.map(({ address }) => taggedAddress(address));
  return { to: addresses(to), cc: addresses(cc), ...(bcc.length > 0 && { bcc: addresses(bcc) }) };
};

/** Each address where it is named first. AppError `validation_error` above `MAX_RECIPIENTS`. */
export function distinct({ to, cc, bcc }: NamedLists): NamedLists {
  const seen = new Set<string>();
  const first = (named: readonly Named[]): Named[] =>
    named.filter(({ address, pointer }) => {
      const one = shortAddress(address.local, address.namespace);
      if (seen.has(one)) return false;
      seen.add(one);
      if (seen.size > MAX_RECIPIENTS)
        throw invalid(pointer, `A message is for at most ${MAX_RECIPIENTS} addresses, in to, cc and bcc together.`);
      return true;
    });
  return { to: first(to), cc: first(cc), bcc: first(bcc) };
}
