import { CHANNELS, type RecipientLists, STATUSES } from '@mailroom/behavior/message';
import { fullAddress, splitTag } from '@mailroom/behavior/values/address';
import { rfc3339 } from '@mailroom/behavior/values/clock';
import { sha256 } from '@mailroom/behavior/values/hash';
import { replyIdOf } from '@mailroom/behavior/values/ids';
import { type Json, JsonText, parseJson } from '@mailroom/behavior/values/json';
import { Type } from 'typebox';
import { Actor } from './actor.ts';
import { AttachmentView } from './attachment.ts';
import { AuthenticationView, EmailDeliveryView, NOT_ANSWERED } from './email.ts';
import { FindingView } from './finding.ts';
import { isSettled, type Message } from './message.ts';
import { CopyView, RecipientsView } from './recipients.ts';

export const DATA_LEVELS = 64;
/** Replies of the copies of one message that its envelope shows. */
const MAX_REPLIES = 20;

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);
const MessageId = Type.String({ examples: ['msg_0d8m3xk2q5v7w9y1a3c0'] });
const Attachments = Type.Array(AttachmentView);
const AnyJson = Type.Unknown({ description: 'Any JSON.' });

const ByHand = Type.Optional(
  Type.Boolean({
    description: 'Present, and true, of a reply that a person wrote: one that was given without a claim.',
  }),
);

const AnsweredByView = Type.Optional(
  Type.Partial(Actor, {
    description:
      'Of an answer by hand: who gave it, for readers of the mailbox that answered. Its sender gets the `name` alone, where the mailbox signs its answers.',
  }),
);

export const ReplyView = Type.Object(
  {
    id: MessageId,
    in_reply_to: MessageId,
    from: Type.String({ description: 'The mailbox that answered.' }),
    body: Type.String({ description: 'Markdown, made for people.' }),
    data: AnyJson,
    attachments: Attachments,
    by_hand: ByHand,
    answered_by: AnsweredByView,
    created_at: Type.String({ format: 'date-time' }),
  },
  { $id: 'Reply' },
);
type ReplyView = Type.Static<typeof ReplyView>;

const ProgressView = Type.Object(
  { text: Type.String(), at: Type.String({ format: 'date-time' }) },
  { $id: 'Progress' },
);

/** What an owner is asked to approve. */
const ApprovalView = Type.Object(
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
    to: nullable(
      Type.String({
        description: 'Null for a reply to a sender without an address.',
        examples: ['hello@agents.mailroom.localhost'],
      }),
    ),
    from: nullable(Type.String()),
    recipients: Type.Optional(RecipientsView),
    copies: Type.Optional(
      Type.Array(CopyView, {
        description:
          'Of a message with several recipients, for its sender: what those here have. It is `working` until each address in To has settled.',
      }),
    ),
    sender: Type.Object({
      kind: Type.Enum(['mailbox', 'key', 'guest', 'email']),
      id: nullable(Type.String({ description: 'Null once the sender was deleted.' })),
      verified: Type.Optional(
        Type.Boolean({ description: 'Of an e-mail: whether its address is proven, as `authentication` says.' }),
      ),
      agent: Type.Optional(
        Type.String({
          description:
            'Present only if the request that sent it was signed by an agent (Web Bot Auth) and the signature was verified then: the origin that publishes the key. It says whose software sent it, and grants nothing.',
          examples: ['https://agent.example'],
        }),
      ),
    }),
    channel: Type.Enum([...CHANNELS]),
    subject: nullable(Type.String()),
    body: Type.String(),
    data: AnyJson,
    attachments: Attachments,
    by_hand: ByHand,
    answered_by: AnsweredByView,
    status: Type.Enum([...STATUSES], {
      description:
        '`submitted` and `working` continue; the others are settled for good. `input_required`: the reply asks back; write again in the thread.',
    }),
    waiting_for: nullable(
      Type.Enum(['approval', 'answer', 'review'], {
        description: '`review`: what would leave waits until an owner of its mailbox has seen it.',
      }),
    ),
    taken_over: Type.Optional(
      Type.Boolean({
        description:
          'Present, and true, while it is not settled and a person has taken its thread over from the behavior.',
      }),
    ),
    approval: Type.Optional(ApprovalView),
    progress: Type.Array(ProgressView, {
      description: 'Progress reports of the mailbox, the latest last; empty once the message is settled.',
    }),
    error: nullable(Type.Object({ code: Type.String(), message: Type.String() })),
    authentication: Type.Optional(AuthenticationView),
    not_answered: Type.Optional(
      nullable(
        Type.Enum([...NOT_ANSWERED], {
          description:
            'Why it is not handled: of an e-mail, why it gets no automatic answer (RFC 3834), and null when it does. `cc`: it was addressed to others, and its mailbox listens. `rule`: a rule of its mailbox says so.',
        }),
      ),
    ),
    deliveries: Type.Optional(
      Type.Array(EmailDeliveryView, {
        description:
          'Of an e-mail that is read by itself: the answers on their way to its sender, or of one that a mailbox wrote to an address outside that mail itself.',
      }),
    ),
    labels: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Its labels in the mailbox by which it is read: for readers of that mailbox only.',
      }),
    ),
    findings: Type.Optional(
      Type.Array(FindingView, { description: 'Evidence on it, for readers of the mailbox that has it only.' }),
    ),
    rules: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'The ids of the rules of its mailbox that applied as it arrived: for readers of that mailbox only.',
      }),
    ),
    metadata: Type.Optional(
      Type.Record(Type.String(), Type.String(), { description: "For keys of its writer's namespace alone." }),
    ),
    created_at: Type.String({ format: 'date-time' }),
    settled_at: nullable(Type.String({ format: 'date-time' })),
    replies_count: Type.Integer({
      minimum: 0,
      description: 'All replies to it. `reply` is the one that settled it; the thread shows each.',
    }),
    reply: nullable(ReplyView),
    replies: Type.Optional(
      Type.Array(ReplyView, {
        description: `Of a message with several recipients, for its sender: the replies that settled its copies, up to ${MAX_REPLIES}.`,
      }),
    ),
  },
  { $id: 'Message', description: 'A message with its status and reply.' },
);
export type Envelope = Type.Static<typeof Envelope>;

const json = (text: string | null): Json => (text === null ? null : parseJson(text));

/** `whole`: for readers of the mailbox that answered; others are told a name that is signed. */
function answeredBy({ answered_by }: Message, whole: boolean): Pick<ReplyView, 'answered_by'> {
  const { actor, signed } = answered_by ?? {};
  if (actor === undefined || (!whole && (signed !== true || actor.name === null))) return {};
  return { answered_by: whole ? { ...actor } : { name: actor.name } };
}

function replyWithoutData(message: Message, mailDomain: string, whole: boolean): Omit<ReplyView, 'data'> | null {
  if (message.reply === null) return null;
  return {
    id: message.reply_id ?? replyIdOf(message.id),
    in_reply_to: message.id,
    from: fullAddress(splitTag(message.to ?? '').address, mailDomain),
    body: message.reply.body,
    attachments: message.reply_attachments ?? [],
    ...(message.reply.by_hand === true && { by_hand: true, ...answeredBy(message, whole) }),
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
  to: message.to && splitTag(message.to).address,
  from: null,
  sender_id: null,
  sender_agent: null,
  subject: null,
  // An empty body marks that it is left out.
  body: '',
  data: null,
  error_code: null,
  error_message: null,
  attachments: [],
  reply_attachments: [],
  reply: null,
  progress: null,
  plan: null,
});

/**
 * The JSON text of the fields that every answer about a message has, followed by `more`. The reply's data may be 1 MiB
 * and is sent as stored, without parsing. With `answerers` true among `more` it says who answered by hand, for readers of the
 * mailbox that did.
 */
export function envelopeText(message: Message, mailDomain: string, more?: { readonly [name: string]: Json }): JsonText {
  const { answerers, ...fields } = more ?? {};
  const whole = answerers === true;
  const text = JSON.stringify({ ...withoutReply(message, mailDomain, whole), ...fields });
  const { copies } = message;
  if (copies === undefined)
    return new JsonText(`${text.slice(0, -1)},"reply":${replyText(message, mailDomain, whole)}}`);
  const replies = repliedIn(copies)
    .slice(0, MAX_REPLIES)
    .map((copy) => replyText(copy, mailDomain, false));
  return new JsonText(`${text.slice(0, -1)},"reply":${replies[0] ?? 'null'},"replies":[${replies.join(',')}]}`);
}

function replyText(message: Message, mailDomain: string, whole: boolean): string {
  const reply = replyWithoutData(message, mailDomain, whole);
  return reply === null ? 'null' : withData(reply, message.reply?.data ?? null).text;
}

/** The copies with a reply, the first one first. */
export const repliedIn = (copies: readonly Message[]): readonly Message[] =>
  copies.filter(({ reply }) => reply !== null).sort((a, b) => (a.settled_at ?? 0) - (b.settled_at ?? 0));

function withoutReply(message: Message, mailDomain: string, whole: boolean): Omit<Envelope, 'reply' | 'replies'> {
  return {
    id: message.id,
    thread_id: message.thread_id,
    in_reply_to: message.in_reply_to,
    retry_of: message.retry_of,
    to: message.to === null ? null : fullAddress(message.to, mailDomain),
    from: message.from === null ? null : fullAddress(message.from, mailDomain),
    ...(message.recipients !== undefined && { recipients: recipientsView(message.recipients, mailDomain) }),
    ...(message.copies !== undefined && {
      copies: message.copies.map(({ id, to, status }) => ({ id, to: fullAddress(to ?? '', mailDomain), status })),
    }),
    sender: {
      kind: message.sender_kind,
      id: message.sender_id,
      ...(message.email?.authentication !== undefined && { verified: message.email.authentication.verified }),
      ...(message.sender_agent != null && { agent: message.sender_agent }),
    },
    channel: message.channel,
    subject: message.subject,
    body: message.body,
    data: json(message.data),
    attachments: message.attachments ?? [],
    ...(message.by_hand === true && { by_hand: true, ...answeredBy(message, whole) }),
    status: message.status,
    waiting_for: message.waiting_for,
    ...(message.taken_over === true && !isSettled(message.status) && { taken_over: true }),
    ...approvalOf(message),
    progress: message.progress == null || isSettled(message.status) ? [] : JSON.parse(message.progress),
    error: message.error_code === null ? null : { code: message.error_code, message: message.error_message ?? '' },
    ...(message.not_answered !== undefined && { not_answered: message.not_answered }),
    ...message.email,
    created_at: rfc3339(message.created_at),
    settled_at: message.settled_at === null ? null : rfc3339(message.settled_at),
    replies_count: message.replies_count,
  };
}

const recipientsView = ({ to, cc, bcc }: RecipientLists, mailDomain: string): NonNullable<Envelope['recipients']> => {
  const whole = (addresses: readonly string[]): string[] => addresses.map((one) => fullAddress(one, mailDomain));
  return { to: whole(to), cc: whole(cc), ...(bcc !== undefined && { bcc: whole(bcc) }) };
};

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
    attachments: Attachments,
    by_hand: ByHand,
    answered_by: AnsweredByView,
    status: Envelope.properties.status,
    error: Envelope.properties.error,
    created_at: Type.String({ format: 'date-time' }),
  },
  { $id: 'ThreadItem', description: 'A message or a reply, one after the other.' },
);

/**
 * The items of a message in its thread as JSON text: itself, and its reply if there is one; with `answerers`, who answered
 * by hand, for readers of the mailbox that did.
 */
export function threadItems(
  message: Message,
  mailDomain: string,
  answerers = false,
): { readonly id: string; readonly text: JsonText }[] {
  const whole = withoutReply(message, mailDomain, answerers);
  const { id, thread_id, in_reply_to, from, to, subject, body, data, status, error, created_at } = whole;
  const { attachments, by_hand, answered_by } = whole;
  const item = {
    kind: message.kind,
    id,
    thread_id,
    in_reply_to,
    from,
    to,
    subject,
    body,
    data,
    attachments,
    ...(by_hand === true && { by_hand }),
    ...(answered_by !== undefined && { answered_by }),
    status,
    error,
    created_at,
  };
  const first = { id, text: new JsonText(JSON.stringify(item)) };
  const reply = replyWithoutData(message, mailDomain, answerers);
  if (reply === null) return [first];
  const second = { kind: 'reply', ...reply, thread_id, to: from, subject, status, error: null };
  return [first, { id: reply.id, text: withData(second, message.reply?.data ?? null) }];
}

/** The JSON text of an object with `data` that is already JSON text. */
export const withData = (head: object, data: string | null): JsonText =>
  new JsonText(`${JSON.stringify(head).slice(0, -1)},"data":${data ?? 'null'}}`);
