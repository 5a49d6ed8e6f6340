import type { AttachedFiles } from '@mailroom/behavior';
import { AppError } from '@mailroom/behavior/values/error';
import { yieldToEventLoop } from '@mailroom/behavior/values/yield-to-event-loop';
import { CHUNK_BYTES } from '../entities/attachment.ts';
import type { Message } from '../entities/message.ts';
import type { Blobs, StoredAttachment } from '../ports/blobs.ts';
import type { Store } from '../ports/store.ts';

/** The bytes from `from` to `to`, both included, a chunk at a time. AppError `not_found` when they were deleted. */
export async function* bytesOf(
  { blob_id }: Pick<StoredAttachment, 'blob_id'>,
  blobs: Pick<Blobs, 'chunk'>,
  from: number,
  to: number,
): AsyncGenerator<Uint8Array> {
  for (let offset = from; offset <= to; ) {
    const position = Math.floor(offset / CHUNK_BYTES);
    // However many files are read at once, one chunk is read in each turn.
    await yieldToEventLoop();
    const chunk = await blobs.chunk(blob_id, position);
    if (chunk === undefined || chunk.length <= offset % CHUNK_BYTES) {
      throw new AppError('not_found', 'The attachment was deleted.');
    }
    const part = chunk.subarray(offset - position * CHUNK_BYTES, to + 1 - position * CHUNK_BYTES);
    yield part;
    offset += part.length;
  }
}

/** The files of a message for its behavior; none without a store, as in a preview. */
export function attachedFiles(
  message: Pick<Message, 'id' | 'thread_id' | 'attachments'>,
  store: Pick<Store, 'attachments' | 'blobs' | 'messages'> | undefined,
): AttachedFiles {
  const list = store === undefined ? [] : (message.attachments ?? []);
  async function* open(id: string): AsyncGenerator<Uint8Array> {
    const file = await store?.attachments.byId(id);
    const owner = file?.owner_id;
    // The message itself may not be written yet.
    const ofThread =
      owner === message.id ||
      (owner !== undefined && (await store?.messages.byId(owner))?.thread_id === message.thread_id);
    if (store === undefined || file === undefined || !ofThread) {
      throw new AppError('not_found', `The message has no attachment ${id}.`);
    }
    yield* bytesOf(file, store.blobs, 0, file.size - 1);
  }
  return { list, open };
}
