import { type Message as A2aMessage, Message as MessageJson } from '@a2a-js/sdk';
import { ContentTypeNotSupportedError } from '@a2a-js/sdk/errors';
import { type Address, shortAddress } from '@mailroom/behavior/values/address';
import type { Clock } from '@mailroom/behavior/values/clock';
import { AppError, invalid } from '@mailroom/behavior/values/error';
import { guestCaller } from '@mailroom/behavior/values/guest';
import type { Json } from '@mailroom/behavior/values/json';
import { Type } from 'typebox';
import { type Caller, missingScope } from '../../core/access/caller.ts';
import { hasScope } from '../../core/entities/key.ts';
import type { Mailbox } from '../../core/entities/mailbox.ts';
import type { Upload, Uploads } from '../../core/files/uploads.ts';
import type { Idempotency } from '../../core/ports/idempotency.ts';
import { guestSubmission, type Submission } from '../../core/runs/submission.ts';
import { causeOf, checkSize, dataText, type SenderParts, senderOf } from '../../core/submission/send-fields.ts';
import { idempotencyFor, isGuessable } from '../../http/idempotency.ts';
import type { Sizes } from '../../http/limits.ts';
import { compileCheck } from '../../http/validate.ts';
import { Base64, given, Id, MessageId, PushFields } from './fields.ts';

/** What is checked of a message before the SDK reads it, because that turns every value into text. */
const SendParams = Type.Object({
  message: Type.Object({
    messageId: MessageId,
    role: Type.Literal('ROLE_USER'),
    contextId: Id,
    taskId: Id,
    parts: Type.Array(
      Type.Object({
        text: given(Type.String()),
        raw: given(Base64),
        url: given(Type.String()),
        filename: given(Type.String({ maxLength: 1000 })),
        mediaType: given(Type.String({ maxLength: 255 })),
      }),
      { minItems: 1, maxItems: 100 },
    ),
    metadata: given(Type.Object({})),
  }),
  configuration: given(
    Type.Object({
      acceptedOutputModes: given(Type.Array(Type.String())),
      historyLength: given(Type.Integer({ minimum: 0 })),
      returnImmediately: given(Type.Boolean()),
      taskPushNotificationConfig: given(PushFields),
    }),
  ),
});

const checkShape = compileCheck(SendParams);
/** What a part holds one of (A2A 1.0.1, section 4.1.6). */
const CONTENTS = ['text', 'data', 'raw', 'url'] as const;

/** Throws AppError `validation_error` for what cannot be the parameters of a send. */
export function checkSend(params: unknown): void {
  checkShape(params);
  const { message } = params as { readonly message: { readonly parts: readonly Readonly<Record<string, unknown>>[] } };
  for (const [at, part] of message.parts.entries()) {
    if (CONTENTS.filter((name) => (part[name] ?? null) !== null).length > 1)
      throw invalid(`/message/parts/${at}`, 'A part has one of text, data, raw and url. Send each as its own part.');
  }
}

export interface IncomingParts extends SenderParts {
  readonly uploads: Uploads;
  readonly clock: Clock;
  readonly sizes: Pick<Sizes, 'body' | 'data' | 'guestBody'>;
}

/** Where a message goes, and which conversation it continues. */
export interface Place {
  readonly mailbox: Mailbox;
  readonly to: Address;
  readonly thread_id: string | null;
  readonly in_reply_to: string | null;
}

/** The content of a message: its texts, its one structured part, and its files. */
interface Content {
  readonly body: string;
  readonly data: Json | undefined;
  readonly files: readonly { readonly filename: string; readonly type: string | null; readonly bytes: Buffer }[];
}

/** The submission of a message, with its files stored; the caller disposes of `upload`. AppError as of a send by the API. */
export async function submissionOf(
  message: A2aMessage,
  caller: Caller,
  place: Place,
  parts: IncomingParts,
): Promise<Submission & { readonly upload?: Upload | undefined }> {
  const content = contentOf(message);
  const { mailbox, to, thread_id, in_reply_to } = place;
  const idempotency = idempotencyOf(message, caller, mailbox, parts.clock);
  if (caller.kind !== 'key') {
    if (content.data !== undefined || content.files.length > 0) {
      throw new ContentTypeNotSupportedError('Without an API key, a message is text. Send text parts, or send a key.');
    }
    if (content.body === '') throw empty();
    checkSize(content.body, '/message/parts', parts.sizes.guestBody);
    const guest = {
      to,
      body: content.body,
      thread_id,
      channel: 'a2a' as const,
      idempotency,
      network: caller.network,
      agent: caller.agent,
    };
    return { caller: guestCaller(caller.network), ...guestSubmission(guest), in_reply_to, upload: undefined };
  }
  const { key } = caller;
  if (!hasScope(key, 'mail:send')) throw missingScope('mail:send');
  const body = content.body === '' ? describe(content) : content.body;
  checkSize(body, '/message/parts', parts.sizes.body);
  const data = dataText(content.data, parts.sizes.data);
  const from = senderOf(key, text(message, 'from'), parts);
  const { sender, from_mailbox_id } = from instanceof Promise ? await from : from;
  const caused = causeOf(key, text(message, 'caused_by'), parts);
  const cause = caused instanceof Promise ? await caused : caused;
  const upload = content.files.length === 0 ? undefined : parts.uploads.begin(key.namespace_id);
  try {
    for (const [at, { filename, type, bytes }] of content.files.entries())
      await upload?.add({ filename, content_type: type, bytes: [bytes] }, `/message/parts/${at}`);
  } catch (error) {
    await upload?.[Symbol.asyncDispose]();
    throw error;
  }
  return {
    to,
    body,
    subject: subjectOf(message),
    data,
    sender,
    agent: caller.agent,
    from_mailbox_id,
    channel: 'a2a',
    thread_id,
    in_reply_to,
    retry_of: null,
    try_out: false,
    payer: null,
    idempotency,
    upload,
    ...cause,
  };
}

const text = ({ metadata }: A2aMessage, name: string): string | undefined => {
  const value: unknown = metadata?.[name];
  return typeof value === 'string' ? value : undefined;
};

function subjectOf(message: A2aMessage): string | null {
  const subject = text(message, 'subject');
  if (subject === undefined) return null;
  if (subject.length > 998 || /[\r\n]/.test(subject))
    throw invalid('/message/metadata/subject', 'A subject is one line of up to 998 characters.');
  return subject;
}

function contentOf({ parts }: A2aMessage): Content {
  const texts: string[] = [];
  const data: Json[] = [];
  const files: Content['files'][number][] = [];
  for (const [index, { content, filename, mediaType }] of parts.entries()) {
    switch (content?.$case) {
      case 'text':
        if (mediaType !== '' && !isText(mediaType)) throw notSupported(mediaType);
        texts.push(content.value);
        break;
      case 'data':
        data.push(content.value as Json);
        break;
      case 'raw':
        files.push({ filename: filename || 'file', type: mediaType || null, bytes: content.value });
        break;
      case 'url':
        throw new ContentTypeNotSupportedError(
          'Files are not fetched from a url here. Send the bytes as raw, in base64, within the message.',
        );
      default:
        throw invalid(`/message/parts/${index}`, 'A part has text, data or raw.');
    }
  }
  // Several structured parts are one list, because a message has one.
  return { body: texts.join('\n\n'), data: data.length > 1 ? data : data[0], files };
}

const isText = (type: string): boolean => /^text\/|^application\/(json|xml|yaml)\b|\+(json|xml)\b/i.test(type);

const notSupported = (type: string) =>
  new ContentTypeNotSupportedError(
    `A text part of type ${type.slice(0, 100)} is not taken. Send text/plain or text/markdown, or the bytes as raw.`,
  );

/** The text of a message that has none, since every message has one. */
function describe({ data, files }: Content): string {
  if (data !== undefined) return JSON.stringify(data);
  if (files.length > 0) return files.map(({ filename }) => filename).join('\n');
  throw empty();
}

const empty = (): AppError => invalid('/message/parts', 'The message is empty. Send a text part.');

/** The message's own id makes it repeatable; a guest's only if it cannot be guessed, since it stands for no key. */
function idempotencyOf(message: A2aMessage, caller: Caller, mailbox: Mailbox, clock: Clock): Idempotency | undefined {
  const { messageId, contextId, taskId } = message;
  if (caller.kind === 'guest' && isGuessable(messageId)) return undefined;
  const what = `a2a ${shortAddress(mailbox.local_part, mailbox.namespace)}`;
  // A contextId that its client made up names another thread when it is repeated.
  const asked = contextId === '' && taskId === '' ? undefined : (MessageJson.toJSON(message) as Json);
  return idempotencyFor(messageId, asked, caller, what, clock);
}

/** AppError for a caller that may not use the address at all. */
export function checkGuest(caller: Caller, mailbox: Mailbox): void {
  if (caller.kind === 'key' || mailbox.try_out) return;
  throw new AppError('missing_key', 'This address has no try-out. Send an API key: Authorization: Bearer mr_live_….');
}
