import { isUtf8 } from 'node:buffer';
import { AppError, problems } from '@mailroom/behavior/values/error';
import type { Answer } from '../../http/route.ts';
import type { ListPage, Resources } from './offer.ts';
import { ATTACHMENT, type Envelope, type File, type JsonObject, resourceOf } from './tool.ts';

/** Bytes of an attachment that is read as a resource, because it is one JSON text. */
const MAX_RESOURCE = 10 * 1024 * 1024;
/** Messages whose attachments are on one page. */
const MESSAGES = 50;

const TEMPLATE = {
  uriTemplate: `${ATTACHMENT}{id}`,
  name: 'attachment',
  title: 'Attachment',
  description: 'The bytes of an attachment of a message that you may read, by its id: att_….',
};

/** A message in a list of the API. */
type Listed = Envelope & { readonly attachments?: readonly File[] };

/** How attachments are found, as the caller of a request. */
export interface AttachmentCalls {
  /** The bytes of one. Throws AppError. */
  attachment(id: string, signal: AbortSignal): Promise<Answer>;
  /** A page of messages, newest first; absent for a caller who lists none. Throws AppError. */
  readonly messages?:
    | ((
        of: { readonly limit: string; readonly cursor?: string },
        signal: AbortSignal,
      ) => Promise<{ readonly items: readonly Listed[]; readonly next_cursor: string | null }>)
    | undefined;
}

/** Attachments of messages as resources: those of the newest messages are listed, and any can be read by its id. */
export const attachmentResources = ({ attachment, messages }: AttachmentCalls): Resources => ({
  templates: [TEMPLATE],
  async list(cursor, signal): Promise<ListPage> {
    if (messages === undefined) return { items: [] };
    const of = { limit: String(MESSAGES), ...(cursor !== undefined && { cursor }) };
    const { items, next_cursor } = await messages(of, signal);
    return { items: items.flatMap(filesOf), next: next_cursor ?? undefined };
  },
  async read(uri, signal) {
    if (!uri.startsWith(ATTACHMENT)) return undefined;
    const answer = await attachment(uri.slice(ATTACHMENT.length), signal).catch((error: unknown) => {
      if (error instanceof AppError && problems[error.code].status === 404) return undefined;
      throw error;
    });
    if (answer === undefined) return undefined;
    const { 'content-type': mimeType = 'application/octet-stream', 'content-length': size } = answer.headers ?? {};
    if (Number(size) > MAX_RESOURCE)
      throw new AppError(
        'body_too_large',
        `The attachment has ${String(size)} bytes; ${MAX_RESOURCE} can be read here. Get it by HTTP.`,
      );
    const pieces = [];
    for await (const piece of answer.body as AsyncIterable<Uint8Array>) pieces.push(piece);
    return [{ uri, mimeType: String(mimeType), ...contentsOf(Buffer.concat(pieces), String(mimeType)) }];
  },
});

const OTHER_CHARSET = /;\s*charset=(?!"?(?:utf-?8|us-ascii)\b)/i;
const TEXT_TYPE = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|yaml)\b)/i;

/** Text as such, which models read, and anything else in base64. */
function contentsOf(bytes: Buffer, type: string): { readonly text: string } | { readonly blob: string } {
  const isText = TEXT_TYPE.test(type) && !OTHER_CHARSET.test(type) && isUtf8(bytes);
  return isText ? { text: bytes.toString() } : { blob: bytes.toString('base64') };
}

/** The files of a message and of its reply. */
const filesOf = ({ attachments = [], reply, subject, id }: Listed): readonly JsonObject[] =>
  [...attachments, ...(reply?.attachments ?? [])].map((file) => ({
    ...resourceOf(file),
    description: `Of ${typeof subject === 'string' ? `“${subject}”, ` : ''}message ${id}.`,
  }));
