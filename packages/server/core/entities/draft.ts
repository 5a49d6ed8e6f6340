import { type Millis, rfc3339 } from '@mailroom/behavior/values/clock';
import { Type } from 'typebox';
import { type Attachment, AttachmentView, ChangedAttachments, NewAttachments } from './attachment.ts';
import { MANY_FIELDS, type ManyFields, Recipient } from './sending.ts';
import { KEPT_OVERHEAD } from './storage-size.ts';

/** Why a draft could not be sent. */
export interface DraftError {
  readonly code: string;
  readonly message: string;
}

/** What is sent: the fields of `POST /api/v1/mail/send` as they were given. */
export interface DraftContent extends Present<ManyFields> {
  readonly body?: string;
  readonly subject?: string;
  readonly thread_id?: string;
  readonly in_reply_to?: string;
  readonly from?: string;
  readonly data?: unknown;
  readonly sync?: boolean;
  readonly caused_by?: string;
}

/** Fields of which none is null. */
type Present<T> = { readonly [name in keyof T]?: NonNullable<T[name]> };

/** A message that is not sent so far. Times are milliseconds. */
export interface Draft {
  /** `drf_…`; also the id of its job. */
  readonly id: string;
  readonly namespace_id: string;
  /** The key that wrote it last, and as which it is sent at its time. */
  readonly key_id: string;
  /** The mailbox it is sent as, if any. */
  readonly mailbox_id: string | null;
  readonly content: DraftContent;
  /** Its files, in their order; none once it was sent. */
  readonly attachments: readonly Attachment[];
  readonly send_at: Millis | null;
  /** Set once it was sent; its content is empty then. */
  readonly message_id: string | null;
  readonly error: DraftError | null;
  /** Grows with each change. */
  readonly version: number;
  readonly created_at: Millis;
  readonly updated_at: Millis;
}

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);
const time = (description: string) => nullable(Type.String({ format: 'date-time', description }));

/** When to send, in `send` and in drafts. */
export const SendAt = Type.String({
  format: 'date-time',
  description: 'When to send it (RFC 3339): in the future, and within a year.',
  examples: ['2026-11-21T08:00:00.000Z'],
});

/** What caused a message, in `send` and in drafts. */
export const CausedBy = Type.String({
  maxLength: 64,
  description:
    'The message that your program was handling when it wrote this one, and that the key may read or answer. Its hop count, plus one, is this one’s; at 8 hops a message is refused (`loop_detected`), and the owners of both mailboxes get the event `mailbox.loop_detected`.',
  examples: ['msg_0d8m3xk2q5v7w9y1a3c0'],
});

/** The fields of a draft that `send` takes too, as they are sent. */
const FIELDS = {
  body: Type.String({ minLength: 1, description: '1 byte to 256 KiB of UTF-8.', examples: ['I has a apple.'] }),
  subject: Type.String({ maxLength: 998, description: 'A subject line.' }),
  thread_id: Type.String({ maxLength: 64, description: 'Continue this thread.' }),
  in_reply_to: Type.String({ maxLength: 64, description: 'The message or reply that this one answers.' }),
  from: Type.String({ maxLength: 500, description: "A mailbox of the key's namespace to write as." }),
  sync: Type.Boolean({ description: 'Wait for the reply when it is sent now.' }),
};

const wanted = {
  to: Type.Optional(nullable(Recipient)),
  ...MANY_FIELDS,
  body: Type.Optional(nullable(FIELDS.body)),
  subject: Type.Optional(nullable(FIELDS.subject)),
  thread_id: Type.Optional(nullable(FIELDS.thread_id)),
  in_reply_to: Type.Optional(nullable(FIELDS.in_reply_to)),
  from: Type.Optional(nullable(FIELDS.from)),
  data: Type.Optional(
    Type.Unknown({ description: 'Any JSON of up to 64 KiB and 64 levels: a structured part in addition to the text.' }),
  ),
  sync: Type.Optional(nullable(FIELDS.sync)),
  caused_by: Type.Optional(nullable(CausedBy)),
  send_at: Type.Optional(nullable(SendAt)),
};

export const NewDraft = Type.Object(
  { ...wanted, attachments: Type.Optional(nullable(NewAttachments)) },
  { $id: 'NewDraft', additionalProperties: false },
);
export type NewDraft = Type.Static<typeof NewDraft>;

export const DraftChange = Type.Object(
  { ...wanted, attachments: Type.Optional(nullable(ChangedAttachments)) },
  {
    $id: 'DraftChange',
    additionalProperties: false,
    description: 'A field that is left out stays as it is; null removes it. At least one field, or a file.',
  },
);
export type DraftChange = Type.Static<typeof DraftChange>;

export const DraftView = Type.Object(
  {
    id: Type.String({ examples: ['drf_0d8m3xk2q5v7w9y1a3c0'] }),
    status: Type.Enum(['draft', 'scheduled', 'failed', 'sent'], {
      description:
        '`draft` waits to be sent by you, `scheduled` for its `send_at`, `failed` could not be sent (see `error`), `sent` is the message `message_id`.',
    }),
    to: nullable(Recipient),
    ...MANY_FIELDS,
    from: nullable(Type.String()),
    subject: nullable(Type.String()),
    body: nullable(Type.String()),
    data: Type.Unknown({ description: 'Any JSON.' }),
    thread_id: nullable(Type.String()),
    in_reply_to: nullable(Type.String()),
    caused_by: nullable(Type.String()),
    attachments: Type.Array(AttachmentView),
    sync: Type.Boolean({ description: 'Whether `POST …/send` waits for the reply.' }),
    send_at: time('When it is sent; null: not by itself.'),
    message_id: nullable(Type.String({ description: 'The message it became; null until then.' })),
    error: nullable(
      Type.Object(
        { code: Type.String(), message: Type.String() },
        { description: 'Why it could not be sent, and how to fix it. While `scheduled` it is tried again.' },
      ),
    ),
    etag: Type.String({ description: 'Its `ETag`, as `If-Match` takes it.', examples: ['"1"'] }),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
  },
  { $id: 'Draft', description: 'A message that is not sent so far.' },
);
export type DraftView = Type.Static<typeof DraftView>;

/** The answer of a send with `send_at`. */
export const ScheduledDraft = Type.Object(
  { draft_id: Type.String({ description: 'The id of the draft.' }), ...DraftView.properties },
  { $id: 'ScheduledDraft', description: 'The draft that is sent at its time.' },
);

function statusOf({ message_id, send_at, error }: Draft): DraftView['status'] {
  if (message_id !== null) return 'sent';
  if (send_at !== null) return 'scheduled';
  return error === null ? 'draft' : 'failed';
}

export function draftView(draft: Draft): DraftView {
  const { to, from, subject, body, data, thread_id, in_reply_to, sync, caused_by, ...more } = draft.content;
  return {
    id: draft.id,
    status: statusOf(draft),
    to: (to as DraftView['to']) ?? null,
    ...(more as Pick<DraftView, keyof typeof MANY_FIELDS>),
    from: from ?? null,
    subject: subject ?? null,
    body: body ?? null,
    data: data ?? null,
    thread_id: thread_id ?? null,
    in_reply_to: in_reply_to ?? null,
    caused_by: caused_by ?? null,
    attachments: [...draft.attachments],
    sync: sync ?? false,
    send_at: draft.send_at === null ? null : rfc3339(draft.send_at),
    message_id: draft.message_id,
    error: draft.error,
    etag: draftTag(draft),
    created_at: rfc3339(draft.created_at),
    updated_at: rfc3339(draft.updated_at),
  };
}

/** The bytes that a draft counts. */
export const sizeOfDraft = ({ content }: Pick<Draft, 'content'>): number =>
  KEPT_OVERHEAD + Buffer.byteLength(JSON.stringify(content));

/** Its path in the API. */
export const draftLocation = ({ id }: Draft): string => `/api/v1/mail/drafts/${id}`;

/** The version of a draft as an entity tag (RFC 9110, section 8.8.3). */
export const draftTag = ({ version }: Draft): string => `"${version}"`;
