import { invalid } from '@mailroom/behavior/values/error';
import { Type } from 'typebox';
import { LabelName, MAX_LABELS } from './label.ts';
import { MAX_RECIPIENTS, type Metadata } from './recipients.ts';

/** Header fields of a message, and pairs of metadata. */
export const MAX_PAIRS = 20;
/** A list may name an address more than once, which counts once. */
const MAX_NAMED = 4 * MAX_RECIPIENTS;

const AddressText = Type.String({ minLength: 1, maxLength: 500, description: 'An address, here or outside.' });
const AddressList = Type.Array(AddressText, { maxItems: MAX_NAMED });
const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description: string) =>
  Type.Optional(Type.Union([schema, Type.Null()], { description }));

/** Pairs of text of a message, a draft or a mailbox. */
export const MetadataField = nullable(
  Type.Record(Type.String(), Type.String()),
  `Up to ${MAX_PAIRS} pairs of text, which your namespace alone sees: names of 1 to 40 of \`a-z 0-9 _ -\`, values of up to 500 characters.`,
);
export const MetadataView = Type.Record(Type.String(), Type.String(), {
  description: 'Pairs of text, for keys of its namespace.',
});

/** Whom a message is for: one address, or a list. */
export const Recipient = Type.Union([AddressText, AddressList], {
  description: `A mailbox address or an address outside, or a list of them; with \`cc\` and \`bcc\` at most ${MAX_RECIPIENTS} distinct ones. Needed without \`reply_all\`.`,
  examples: ['proofread@agents.mailroom.localhost'],
});

/** The fields of a message for several recipients, in `send`, drafts and answers. */
export const MANY_FIELDS = {
  cc: nullable(AddressList, 'Further recipients, whom all see.'),
  bcc: nullable(AddressList, 'Further recipients, of whom no other knows.'),
  reply_all: nullable(
    Type.Boolean(),
    'With `in_reply_to`: to its author, with everyone else of its To and Cc in Cc, without your own addresses. What `to`, `cc` and `bcc` name is added.',
  ),
  reply_to: nullable(Type.Union([AddressText, AddressList]), 'Where answers by e-mail go: `Reply-To`.'),
  html: nullable(Type.String({ minLength: 1 }), 'An HTML part of its own for e-mail, up to 1 MiB.'),
  headers: nullable(
    Type.Record(Type.String(), Type.String()),
    `Up to ${MAX_PAIRS} header fields of an e-mail: \`X-…\` but \`X-Mailroom-…\`, \`Importance\`, \`List-Unsubscribe\`, \`List-Unsubscribe-Post\`.`,
  ),
  labels: nullable(
    Type.Array(LabelName, { maxItems: MAX_LABELS, uniqueItems: true }),
    'Labels of the message in the mailbox that `from` names.',
  ),
  metadata: MetadataField,
} as const;

/** The pairs to keep. AppError `validation_error`. */
export function metadataOf(metadata: ManyFields['metadata']): Metadata | undefined {
  if (metadata === undefined || metadata === null) return undefined;
  const pairs = Object.entries(metadata);
  if (pairs.length > MAX_PAIRS) throw invalid('/metadata', `At most ${MAX_PAIRS} pairs are kept.`);
  for (const [name, value] of pairs) {
    const pointer = `/metadata/${name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (!/^[a-z0-9_-]{1,40}$/.test(name)) throw invalid(pointer, 'A name is 1 to 40 of a-z, 0-9, _ and -.');
    if (Array.from(value).length > 500) throw invalid(pointer, 'A value has at most 500 characters.');
  }
  return pairs.length === 0 ? undefined : metadata;
}

type Text = string | null | undefined;
type Texts = readonly string[] | null | undefined;

/** These fields as they are sent. */
export interface ManyFields {
  readonly to?: string | readonly string[] | null | undefined;
  readonly cc?: Texts;
  readonly bcc?: Texts;
  readonly reply_all?: boolean | null | undefined;
  readonly reply_to?: string | readonly string[] | null | undefined;
  readonly html?: Text;
  readonly headers?: Readonly<Record<string, string>> | null | undefined;
  readonly labels?: Texts;
  readonly metadata?: Readonly<Record<string, string>> | null | undefined;
  readonly in_reply_to?: Text;
}
