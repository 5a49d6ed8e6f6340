import { invalid } from '@mailroom/behavior/values/error';
import type { NewAttachments } from '../entities/attachment.ts';
import type { Upload } from './uploads.ts';

/** Files in JSON; one with an `id` is stored already. */
export type AskedFile = Partial<NewAttachments[number]> & { readonly id?: string };

/** Stores the new files of a request's JSON. AppError as of `Upload.add`, and `validation_error` for what is not base64. */
export async function addAttachments(upload: Upload, attachments: readonly AskedFile[]): Promise<void> {
  for (const [index, { filename, content_type = null, content }] of attachments.entries()) {
    if (filename === undefined || content === undefined) continue;
    const bytes = fromBase64(content);
    if (bytes === undefined) {
      throw invalid(
        `/attachments/${index}/content`,
        'This is not base64. Send the bytes in base64 with padding and without line breaks.',
      );
    }
    await upload.add({ filename, content_type, bytes: [bytes] }, `/attachments/${index}`);
  }
}

function fromBase64(text: string): Buffer | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  return Buffer.from(text, 'base64');
}
