import { AppError } from '@mailroom/behavior/values/error';
import { isId } from '@mailroom/behavior/values/ids';
import { Type } from 'typebox';
import { type Caller, mayOn, rightsTo } from '../../core/access/caller.ts';
import type { Directory } from '../../core/access/directory.ts';
import { hasScope, type Key } from '../../core/entities/key.ts';
import { type AskedFile, addAttachments } from '../../core/files/asked-files.ts';
import type { Upload, Uploads } from '../../core/files/uploads.ts';
import type { Drafts } from '../../core/messages/drafts.ts';
import type { StoredAttachment } from '../../core/ports/blobs.ts';
import type { Store } from '../../core/ports/store.ts';
import { attachmentAnswer } from '../../http/attachment-answer.ts';
import { type Answer, type Call, operation, type Route } from '../../http/route.ts';
import { messageById } from './message-access.ts';
import { IdParam } from './parts.ts';

/**
 * Calls `use` with the files of a request, those of its JSON too. What was not kept of those in JSON is removed
 * here, and the others where they were received.
 */
export async function withUpload<T>(
  call: Pick<Call, 'upload'> & { readonly body: { readonly attachments?: readonly AskedFile[] | null } },
  uploads: Uploads,
  { namespace_id }: Pick<Key, 'namespace_id'>,
  use: (upload: Upload | undefined) => Promise<T>,
): Promise<T> {
  const { attachments } = call.body;
  if (call.upload === undefined && (attachments ?? []).length === 0) return use(undefined);
  if (call.upload !== undefined) {
    await addAttachments(call.upload, attachments ?? []);
    return use(call.upload);
  }
  await using upload = uploads.begin(namespace_id);
  await addAttachments(upload, attachments ?? []);
  return await use(upload);
}

/** What an idempotency key is compared with: the JSON of the request, with hashes in place of the bytes. */
export function sameAs(body: object, upload: Upload | undefined): object {
  if (upload === undefined) return body;
  const attachments = upload.files.map(({ filename, content_type, sha256 }) => ({ filename, content_type, sha256 }));
  return { ...body, attachments };
}

export interface AttachmentParts {
  readonly store: Pick<Store, 'attachments' | 'blobs' | 'messages'>;
  readonly directory: Directory;
  readonly drafts: Pick<Drafts, 'find'>;
}

/** Reading the bytes of attachments. */
export function attachmentRoutes({ store, directory, drafts }: AttachmentParts): readonly Route[] {
  /** Whether the caller may read the message or draft that has the file. */
  async function readsOwner(caller: Caller, owner: string): Promise<boolean> {
    if (isId('drf', owner)) {
      if (caller.kind !== 'key' || !hasScope(caller.key, 'mail:send')) return false;
      return drafts.find(caller.key, owner).then(
        () => true,
        (error: unknown) => {
          if (error instanceof AppError && error.code === 'not_found') return false;
          throw error;
        },
      );
    }
    const message = await messageById(owner, { store });
    if (message === undefined) return false;
    const mailbox = message.waiting_for === 'answer' ? await directory.mailboxById(message.mailbox_id) : undefined;
    // A program that answers gets the message with its claim, also where its key reads no other messages.
    if (mailbox !== undefined && mayOn(caller, 'mail:answer', mailbox)) return true;
    return (await rightsTo(message, caller, directory, store.messages)).reader;
  }

  /** AppError `not_found` for one that the caller may not read. */
  async function readable(caller: Caller, id: string): Promise<StoredAttachment> {
    const attachment = isId('att', id) ? await store.attachments.byId(id) : undefined;
    const owner = attachment?.owner_id;
    if (attachment !== undefined && owner !== undefined && (await readsOwner(caller, owner))) return attachment;
    throw new AppError('not_found', `There is no attachment ${id} that you may read.`);
  }

  return [
    operation('GET', '/api/v1/mail/attachments/{id}', 'getAttachment', {
      tag: 'Messages',
      summary: 'Get the bytes of an attachment',
      description:
        'For every caller that may read its message or draft, or answer its message while that waits for an answer. The bytes come as they were sent, as a download with the declared type and name. A `Range` of bytes is answered with that part, so that a download can be resumed.',
      access: 'key_or_thread',
      accounts: 'messages:read',
      params: IdParam,
      headers: {
        Range: 'One range of bytes, such as `bytes=0-1023` or `bytes=-500` (RFC 9110, section 14).',
        'If-None-Match': 'An `ETag` from before: answered 304, as the bytes never change.',
      },
      answers: {
        200: { description: 'The bytes.', ...BYTES },
        206: { description: 'The range of bytes.', ...BYTES, headers: [...BYTES.headers, 'Content-Range'] },
        304: { description: 'You have these bytes.', headers: ['ETag', 'Accept-Ranges'] },
      },
      problems: ['range_not_satisfiable'],
      problem_headers: { 416: ['ETag', 'Accept-Ranges', 'Content-Range'] },
      async handle({ caller, params, headers, request_id }): Promise<Answer> {
        const attachment = await readable(caller, params.id);
        return attachmentAnswer(attachment, store.blobs, headers, request_id);
      },
    }),
  ];
}

/** Bytes of any type: the one that their sender declared. */
const BYTES = {
  type: '*/*',
  schema: Type.Unsafe<Uint8Array>({ contentMediaType: 'application/octet-stream' }),
  headers: ['Content-Disposition', 'ETag', 'Accept-Ranges'],
} as const;
