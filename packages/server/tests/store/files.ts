import { createHash } from 'node:crypto';
import { newId } from '@mailroom/behavior/values/ids';
import type { Store } from '../../core/ports/store.ts';
import { T } from './made.ts';

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** An attachment of these bytes, not stored so far. */
export const attachmentOf = (owner_id: string, bytes: Uint8Array, position = 0) => ({
  id: newId('att', T),
  owner_id,
  position,
  filename: 'résumé 👩‍🚀.txt',
  content_type: 'text/plain; charset=utf-8',
  size: bytes.length,
  sha256: sha256(bytes),
});

/** The bytes of a blob, all its chunks together. */
export async function bytesOf({ blobs }: Pick<Store, 'blobs'>, blobId: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for (let at = 0; ; at++) {
    const chunk = await blobs.chunk(blobId, at);
    if (chunk === undefined) return Buffer.concat(chunks);
    chunks.push(chunk);
  }
}
