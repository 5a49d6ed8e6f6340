import { Type } from 'typebox';
import { fullAddress, splitTag } from '../values/address.ts';
import type { Millis } from '../values/clock.ts';
import { rfc3339 } from '../values/clock.ts';
import { sha256 } from '../values/hash.ts';
import { replyIdOf } from '../values/ids.ts';
import type { Json } from '../values/json.ts';
import { JsonText } from '../values/json.ts';

/** Whose owner decides on a plan: that of the mailbox it was sent to, or of the mailbox it was sent as. */
export type Decider = 'recipient' | 'sender';

/** Not settled: `submitted`, `working`. All others are final (A2A 1.0, task states). */
export const STATUSES = [
  'submitted',
  'working',
  'completed',
  'input_required',
  'failed',
  'canceled',
  'rejected',
] as const;
export type Status = (typeof STATUSES)[number];
export const isSettled = (status: Status): boolean => status !== 'submitted' && status !== 'working';

export type SenderKind = 'mailbox' | 'key' | 'guest' | 'email';
export const CHANNELS = ['api', 'web', 'smtp', 'a2a', 'mcp'] as const;
export type Channel = (typeof CHANNELS)[number];

/** The sender. Two messages have the same sender when kind and id are equal. */
export interface Sender {
  readonly kind: SenderKind;
  /** The id of the mailbox or key, the guest's thread, or the e-mail address; null once that was deleted. */
  readonly id: string | null;
  /** The namespace that is responsible for it; null for guests. */
  readonly namespace_id: string | null;
  /** The key that was shown; null when there was none. */
  readonly key_id: string | null;
  /** `local@namespace` when it was sent as a mailbox. */
  readonly from: string | null;
}

/**
 * A message with its reply, as stored in one row. Addresses are without the mail domain; `data` and `reply_data` are JSON
 * text. The reply's id follows from the message's (`replyIdOf`).
 */
export interface Message {
  readonly id: string;
  readonly thread_id: string;
  readonly in_reply_to: string | null;
  readonly retry_of: string | null;
  readonly mailbox_id: string;
  readonly to: string;
  readonly from: string | null;
  readonly sender_kind: SenderKind;
  readonly sender_id: string | null;
  readonly sender_namespace_id: string | null;
  readonly key_id: string | null;
  readonly channel: Channel;
  readonly hops: number;
  readonly subject: string | null;
  readonly body: string;
  readonly data: string | null;
  readonly status: Status;
  readonly waiting_for: 'approval' | null;
  readonly error_code: string | null;
  readonly error_message: string | null;
  readonly reply_body: string | null;
  readonly reply_data: string | null;
  readonly created_at: Millis;
  readonly settled_at: Millis | null;
  /** The reports of its behavior as JSON text, present while it is handled. */
  readonly progress?: string | null;
  /** The plan that an owner is to decide on, as JSON text; present while it waits for the decision. */
  readonly plan?: string | null;
  /** Whose owner decides on `plan`. */
  readonly decides?: Decider | null;
  /** The reply as written so far; never stored, and present only for watchers on the same node. */
  readonly draft?: string | undefined;
}

export const DATA_LEVELS = 64;

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);
const MessageId = Type.String({ examples: ['msg_0d8m3xk2q5v7w9y1a3c0'] });
const AnyJson = Type.Unknown({ description: 'Any JSON.' });

export const ReplyView = Type.Object(
  {
    id: MessageId,
    in_reply_to: MessageId,
    from: Type.String({ description: 'The mailbox that answered.' }),
    body: Type.String({ description: 'Markdown, made for people.' }),
    data: AnyJson,
    created_at: Type.String({ format: 'date-time' }),
  },
  { $id: 'Reply' },
);
type ReplyView = Type.Static<typeof ReplyView>;

export const ProgressView = Type.Object(
  { text: Type.String(), at: Type.String({ format: 'date-time' }) },
  { $id: 'Progress' },
);

/** What an owner is asked to approve. */
export const ApprovalView = Type.Object(
  {
    by: Type.Enum(['recipient', 'sender'], {
      description: 'Whose owner is asked: of the mailbox it was sent to, or of the one it was sent as.',
    }),
    plan: Type.Unknown({ description: 'Exactly what runs after approval.' }),
    plan_sha256: Type.String({ description: "SHA-256 of the plan's JSON: name it to approve this plan and no other." }),
  },
  { $id: 'Approval' },
);

export const Envelope = Type.Object(
  {
    id: MessageId,
    thread_id: Type.String({ examples: ['thr_0d8m3xk2q5v7w9y1a3c0'] }),
    in_reply_to: nullable(Type.String()),
    retry_of: nullable(Type.String({ description: 'The failed message that this one sends again.' })),
    to: Type.String({ examples: ['hello@agents.mailroom.localhost'] }),
    from: nullable(Type.String()),
    sender: Type.Object({
      kind: Type.Enum(['mailbox', 'key', 'guest', 'email']),
      id: nullable(Type.String({ description: 'Null once the sender was deleted.' })),
    }),
    channel: Type.Enum([...CHANNELS]),
    subject: nullable(Type.String()),
    body: Type.String(),
    data: AnyJson,
    status: Type.Enum([...STATUSES], {
      description:
        '`submitted` and `working` go on; the others are settled for good. `input_required`: the reply asks back; write again in the thread.',
    }),
    waiting_for: nullable(Type.Literal('approval')),
    approval: Type.Optional(ApprovalView),
    progress: Type.Array(ProgressView, {
      description: 'Progress reports of the mailbox, the latest last; empty once the message is settled.',
    }),
    error: nullable(Type.Object({ code: Type.String(), message: Type.String() })),
    created_at: Type.String({ format: 'date-time' }),
    settled_at: nullable(Type.String({ format: 'date-time' })),
    reply: nullable(ReplyView),
  },
  { $id: 'Message', description: 'A message with its status and reply.' },
);
export type Envelope = Type.Static<typeof Envelope>;

const json = (text: string | null): Json => (text === null ? null : JSON.parse(text));

function replyWithoutData(message: Message, mailDomain: string): Omit<ReplyView, 'data'> | null {
  if (message.reply_body === null) return null;
  return {
    id: replyIdOf(message.id),
    in_reply_to: message.id,
    from: fullAddress(splitTag(message.to).address, mailDomain),
    body: message.reply_body,
    created_at: rfc3339(message.settled_at ?? message.created_at),
  };
}

/** SHA-256 of a plan's stored JSON text, which identifies the plan. */
export const planSha256 = (plan: string): string => sha256(plan);

const approvalOf = ({ waiting_for, plan, decides }: Message): Pick<Envelope, 'approval'> =>
  waiting_for === null || plan == null
    ? {}
    : { approval: { by: decides ?? 'recipient', plan: JSON.parse(plan), plan_sha256: planSha256(plan) } };

/** The message without its contents, for callers who may act on it but not read it. */
export const withoutContents = (message: Message): Message => ({
  ...message,
  in_reply_to: null,
  to: splitTag(message.to).address,
  from: null,
  sender_id: null,
  subject: null,
  // An empty body marks that it is left out.
  body: '',
  data: null,
  error_code: null,
  error_message: null,
  reply_body: null,
  reply_data: null,
  progress: null,
  plan: null,
});

/**
 * The JSON text of the fields that every answer about a message has, followed by `more`. The reply's data may be 1 MiB
 * and is sent as stored, without parsing.
 */
export function envelopeText(message: Message, mailDomain: string, more?: { readonly [name: string]: Json }): JsonText {
  const head = withoutReply(message, mailDomain);
  const text = JSON.stringify(more === undefined ? head : { ...head, ...more });
  const reply = replyWithoutData(message, mailDomain);
  const replied = reply === null ? 'null' : withData(reply, message.reply_data).text;
  return new JsonText(`${text.slice(0, -1)},"reply":${replied}}`);
}

function withoutReply(message: Message, mailDomain: string): Omit<Envelope, 'reply'> {
  return {
    id: message.id,
    thread_id: message.thread_id,
    in_reply_to: message.in_reply_to,
    retry_of: message.retry_of,
    to: fullAddress(message.to, mailDomain),
    from: message.from === null ? null : fullAddress(message.from, mailDomain),
    sender: { kind: message.sender_kind, id: message.sender_id },
    channel: message.channel,
    subject: message.subject,
    body: message.body,
    data: json(message.data),
    status: message.status,
    waiting_for: message.waiting_for,
    ...approvalOf(message),
    progress: message.progress == null || isSettled(message.status) ? [] : JSON.parse(message.progress),
    error: message.error_code === null ? null : { code: message.error_code, message: message.error_message ?? '' },
    created_at: rfc3339(message.created_at),
    settled_at: message.settled_at === null ? null : rfc3339(message.settled_at),
  };
}

export const ThreadItem = Type.Object(
  {
    kind: Type.Union([Type.Literal('message'), Type.Literal('reply')]),
    id: MessageId,
    thread_id: Type.String(),
    in_reply_to: nullable(Type.String()),
    from: nullable(Type.String({ description: 'Null when the message was not sent as a mailbox.' })),
    to: nullable(Type.String()),
    subject: nullable(Type.String()),
    body: Type.String(),
    data: AnyJson,
    status: Envelope.properties.status,
    error: Envelope.properties.error,
    created_at: Type.String({ format: 'date-time' }),
  },
  { $id: 'ThreadItem', description: 'A message or a reply, one after the other.' },
);

/** The items of a message in its thread as JSON text: itself, and its reply if there is one. */
export function threadItems(message: Message, mailDomain: string): { readonly id: string; readonly text: JsonText }[] {
  const whole = withoutReply(message, mailDomain);
  const { id, thread_id, in_reply_to, from, to, subject, body, data, status, error, created_at } = whole;
  const item = {
    kind: 'message',
    id,
    thread_id,
    in_reply_to,
    from,
    to,
    subject,
    body,
    data,
    status,
    error,
    created_at,
  };
  const first = { id, text: new JsonText(JSON.stringify(item)) };
  const reply = replyWithoutData(message, mailDomain);
  if (reply === null) return [first];
  const second = { kind: 'reply', ...reply, thread_id, to: from, subject, status, error: null };
  return [first, { id: reply.id, text: withData(second, message.reply_data) }];
}

/** The JSON text of an object with `data` that is already JSON text. */
const withData = (head: object, data: string | null): JsonText =>
  new JsonText(`${JSON.stringify(head).slice(0, -1)},"data":${data ?? 'null'}}`);
