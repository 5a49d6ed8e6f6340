import { createHash } from 'node:crypto';
import { type Clock, SECOND } from '@mailroom/behavior/values/clock';
import { AppError, invalid } from '@mailroom/behavior/values/error';
import { newId } from '@mailroom/behavior/values/ids';
import {
  ANY_TYPE,
  type Attachment,
  CHUNK_BYTES,
  cleanFilename,
  isMediaType,
  MAX_FILES,
} from '../entities/attachment.ts';
import { KEPT_OVERHEAD } from '../entities/storage-size.ts';
import type { StorageMeter } from '../limits/storage-meter.ts';
import type { Payer } from '../limits/storage-refusal.ts';
import type { Store } from '../ports/store.ts';

export interface UploadLimits {
  /** Bytes of one file. */
  readonly max_file: number;
  /** Bytes of all files of a message. */
  readonly max_files: number;
}

interface Parts {
  readonly store: Pick<Store, 'attachments' | 'blobs'>;
  readonly storage: StorageMeter;
  readonly clock: Clock;
}

/** A file as a caller sends it. */
export interface NewFile {
  /** A new id; made here when left out. */
  readonly id?: string | undefined;
  readonly filename: string;
  /** Null when the caller declared none. */
  readonly content_type: string | null;
  readonly bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** Receives the files of messages before these are accepted. */
export class Uploads {
  readonly limits: UploadLimits;
  readonly #parts: Parts;

  constructor(parts: Parts, limits: UploadLimits) {
    this.#parts = parts;
    this.limits = limits;
  }

  /** `namespace_id` pays for the bytes; `stranger`: with its room for what strangers send. */
  begin(namespace_id: string, stranger = false): Upload {
    return new Upload({ kind: 'namespace', id: namespace_id, stranger }, this.#parts, this.limits);
  }
}

interface FileParts {
  readonly store: { readonly attachments: Store['attachments'] };
  readonly clock: Clock;
}

/**
 * Files of a message that is not accepted so far. Disposing of it removes them, unless the message was accepted; after a
 * crash they are swept.
 */
export class MessageFiles implements AsyncDisposable {
  protected readonly attached: Attachment[] = [];
  readonly #parts: FileParts;
  /** The upload, then the message. */
  #owner: string | undefined;
  #kept = false;

  constructor(parts: FileParts) {
    this.#parts = parts;
  }

  /**
   * The files of another message or of a draft, under ids of their own and without copying bytes; undefined when one of
   * them was removed meanwhile.
   */
  static async copyOf(
    { id, attachments = [] }: { readonly id: string; readonly attachments?: readonly Attachment[] },
    parts: FileParts,
  ): Promise<MessageFiles | undefined> {
    const files = new MessageFiles(parts);
    if (attachments.length === 0) return files;
    const now = parts.clock();
    for (const attachment of attachments) files.attached.push({ ...attachment, id: newId('att', now) });
    const ids = files.attached.map((attachment) => attachment.id);
    if (await parts.store.attachments.copy(id, files.owner(), ids, now)) return files;
    await files[Symbol.asyncDispose]();
    return undefined;
  }

  /** The stored files, in the order in which they were added. */
  get files(): readonly Attachment[] {
    return this.attached;
  }

  /** Its id as their owner before they are assigned; undefined while it has no files. */
  get id(): string | undefined {
    return this.#owner;
  }

  /** Hands the files to the message that has them. */
  async assign(ownerId: string): Promise<void> {
    if (this.#owner === undefined) return;
    await this.#parts.store.attachments.assign(this.#owner, ownerId, this.#parts.clock());
    this.#owner = ownerId;
  }

  /** The message may have been accepted, so disposing removes nothing. */
  keep(): void {
    this.#kept = true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#kept || this.#owner === undefined) return;
    this.#kept = true;
    // When this fails, they are swept an hour later.
    await this.#parts.store.attachments.remove(this.#owner).catch(() => {});
  }

  /** Who has the files now: the upload, or what they were assigned to. */
  owner(): string {
    this.#owner ??= newId('upl', this.#parts.clock());
    return this.#owner;
  }
}

/** The files of one message, stored as they arrive. */
export class Upload extends MessageFiles {
  readonly limits: UploadLimits;
  readonly #payer: Payer & { readonly kind: 'namespace' };
  readonly #parts: Parts;
  #bytes = 0;
  #charged = 0;

  constructor(payer: Payer & { readonly kind: 'namespace' }, parts: Parts, limits: UploadLimits) {
    super(parts);
    this.#payer = payer;
    this.#parts = parts;
    this.limits = limits;
  }

  /**
   * Stores a file; `pointer` is its place in the request. AppError `body_too_large`, `validation_error` for its type,
   * `storage_full`, `unavailable`, and the errors of its bytes.
   */
  async add({ id, filename, content_type, bytes }: NewFile, pointer: string): Promise<Attachment> {
    const { clock, store } = this.#parts;
    const type = content_type ?? ANY_TYPE;
    if (!isMediaType(type)) {
      throw invalid(`${pointer}/content_type`, 'This is not a media type. One looks like text/csv or image/png.');
    }
    if (this.attached.length === MAX_FILES) throw tooLarge(pointer, `A message has at most ${MAX_FILES} files.`);
    const stored = await this.#store(bytes, pointer);
    const attachment = {
      id: id ?? newId('att', clock()),
      filename: cleanFilename(filename),
      content_type: type,
      size: stored.size,
      sha256: stored.sha256,
    };
    const { content } = stored;
    const named = { ...attachment, owner_id: this.owner(), position: this.attached.length };
    const kind = await store.attachments.add(named, content, clock()).catch((error: unknown) => {
      void this.#giveUp(stored);
      throw error;
    });
    if (kind !== 'stored') this.#refund(stored.size);
    if (kind === 'gone') {
      this.#refund(KEPT_OVERHEAD);
      throw removed();
    }
    this.attached.push(attachment);
    return attachment;
  }

  /** The bytes that its files count for: those that the namespace has already count for none. */
  get charged(): number {
    return this.#charged;
  }

  /** Takes bytes before they are stored. AppError `storage_full`. */
  #reserve(bytes: number): void | Promise<void> {
    const reserved = this.#parts.storage.reserve(this.#payer, bytes);
    const taken = (): void => {
      this.#charged += bytes;
    };
    return reserved === undefined ? taken() : reserved.then(taken);
  }

  #refund(bytes: number): void {
    this.#charged -= bytes;
    this.#parts.storage.add(this.#payer, -bytes);
  }

  /** Stores the bytes chunk by chunk, those of a small file together with its attachment, whose row is reserved too. */
  async #store(bytes: NewFile['bytes'], pointer: string): Promise<Stored> {
    const { store, clock } = this.#parts;
    await this.#reserve(KEPT_OVERHEAD);
    const hash = createHash('sha256');
    const content = { blob_id: newId('blob', clock()), namespace_id: this.#payer.id };
    let first: Uint8Array | undefined;
    let size = 0;
    let chunks = 0;
    let begun = false;
    try {
      for await (const chunk of inChunks(bytes, (more) => this.#check(size + more, this.#bytes + more, pointer))) {
        const reserved = this.#reserve(chunk.length);
        if (reserved !== undefined) await reserved;
        size += chunk.length;
        this.#bytes += chunk.length;
        hash.update(chunk);
        if (chunks === 0) first = chunk;
        else if (!begun) {
          await store.blobs.begin({ ...content, bytes: first as Uint8Array }, clock());
          begun = true;
        }
        if (begun && !(await store.blobs.append(content.blob_id, chunks, chunk, clock()))) throw removed();
        chunks++;
      }
    } catch (error) {
      await this.#giveUp({ content, size, begun });
      throw error;
    }
    const sha256 = hash.digest('hex');
    return { content: begun ? content : { ...content, bytes: first ?? new Uint8Array() }, size, sha256, begun };
  }

  #check(size: number, all: number, pointer: string): void {
    const { max_file, max_files } = this.limits;
    if (size > max_file) throw tooLarge(pointer, `A file has at most ${max_file} bytes.`);
    if (all > max_files) throw tooLarge(pointer, `The files of a message have at most ${max_files} bytes together.`);
  }

  async #giveUp({ content, size, begun }: Pick<Stored, 'content' | 'size' | 'begun'>): Promise<void> {
    const { store } = this.#parts;
    this.#refund(KEPT_OVERHEAD);
    // What cannot be discarded now is swept, which gives the storage back.
    if (begun && !(await store.blobs.discard(content.blob_id).catch(() => false))) return;
    this.#refund(size);
  }
}

interface Stored {
  readonly content: { readonly blob_id: string; readonly namespace_id: string; readonly bytes?: Uint8Array };
  readonly size: number;
  readonly sha256: string;
  readonly begun: boolean;
}

/** The bytes in chunks of `CHUNK_BYTES`, each a buffer of its own; `check` is called with the bytes of the current one. */
async function* inChunks(bytes: NewFile['bytes'], check: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = [];
  let size = 0;
  for await (const piece of bytes) {
    for (let left = piece; left.length > 0; ) {
      const taken = left.subarray(0, CHUNK_BYTES - size);
      left = left.subarray(taken.length);
      parts.push(taken);
      size += taken.length;
      check(size);
      if (size < CHUNK_BYTES) continue;
      yield Buffer.concat(parts, size);
      parts = [];
      size = 0;
    }
  }
  if (size > 0) yield Buffer.concat(parts, size);
}

const tooLarge = (pointer: string, message: string): AppError =>
  new AppError('body_too_large', `${pointer}: ${message}`, { errors: [{ pointer, message }] });

const removed = (): AppError =>
  new AppError('unavailable', 'The files were removed while they were received. Send the message again.', {
    retry_after_ms: SECOND,
  });
