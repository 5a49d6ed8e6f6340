import { createHash } from 'node:crypto';
import type { Clock, Millis } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { MAX_FILES } from '../entities/attachment.ts';
import type { StorageMeter } from '../limits/storage-meter.ts';
import type { StoredAttachment } from '../ports/blobs.ts';
import type { KeptBytes } from '../ports/email-transport.ts';
import type { Store } from '../ports/store.ts';
import { bytesOf } from './attached-files.ts';
import { Upload } from './uploads.ts';

interface Parts {
  readonly store: Pick<Store, 'attachments' | 'blobs'>;
  readonly storage: StorageMeter;
  readonly clock: Clock;
}

/** A mail with the files that were read from it. */
interface WholeMail {
  readonly raw: Uint8Array;
  readonly files: readonly { readonly bytes: Uint8Array }[];
}

/** What leaves as a mail: its id as a message, who pays, and its files. */
interface OutgoingFiles {
  readonly id: string;
  readonly namespace_id: string;
  readonly files: readonly (() => AsyncIterable<Uint8Array>)[];
}

/** The bytes of a mail as they are stored. */
export interface RawMail {
  readonly size: number;
  /** Of all bytes, in hexadecimal. */
  readonly sha256: string;
  /** Rejects with AppError `not_found` when they are removed meanwhile. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** A piece of a mail: as it is, or a file in base64 with lines of this many characters. */
interface Piece {
  readonly bytes: Uint8Array;
  readonly line: number | null;
  readonly end: '\r\n' | '\n';
}

/** Smaller files are not worth a row of their own. */
const MIN_FILE = 8 * 1024;
/** Between two files is a piece of the mail as it is. */
const MAX_REFERENCES = Math.floor((MAX_FILES - 2) / 2);
/** Lines of base64 as programs write them (RFC 2045, section 6.8, allows 76 characters). */
const LINES = [76, 72, 64, 60] as const;
const ENDS = ['\r\n', '\n'] as const;

/** Whose the stored pieces of a message's mail are: never an owner that exists, so that they are removed when they are due. */
const rawOwner = (messageId: string): string => `eml_${messageId.slice('msg_'.length)}`;

/**
 * The exact bytes of mails that came or left, each kept as the files of an owner of its own, which the sweep removes when
 * their time is over. Files of the mail that its encoder writes again byte for byte are named and not stored again.
 */
export class RawMails {
  readonly #parts: Parts;
  readonly keep_ms: Millis;

  /** With a `keep_ms` of 0 nothing is kept. */
  constructor(parts: Parts, keep_ms: Millis) {
    this.#parts = parts;
    this.keep_ms = keep_ms;
  }

  /**
   * Stores the bytes, for `namespace_id` to pay; disposing removes them unless `keep` named their message. Undefined where
   * none are kept or there is no room for them, since the mail itself is worth more. AppError `unavailable`.
   */
  async begin(mail: WholeMail, namespace_id: string, stranger = false): Promise<Upload | undefined> {
    if (this.keep_ms === 0) return undefined;
    const limits = { max_file: Number.MAX_SAFE_INTEGER, max_files: Number.MAX_SAFE_INTEGER };
    const upload = new Upload({ kind: 'namespace', id: namespace_id, stranger }, this.#parts, limits);
    const sha256 = createHash('sha256').update(mail.raw).digest('hex');
    try {
      for (const { bytes, line, end } of piecesOf(mail)) {
        const encoding = line === null ? 'raw' : `base64-${line}-${end.length}`;
        await upload.add({ filename: `${sha256} ${encoding}`, content_type: RAW_TYPE, bytes: [bytes] }, '');
      }
      return upload;
    } catch (error) {
      await upload[Symbol.asyncDispose]();
      if (error instanceof AppError && error.code === 'storage_full') return undefined;
      throw error;
    }
  }

  /** Hands the bytes to the message, unless it has those of an earlier transmission. */
  async keep(upload: Upload | undefined, messageId: string): Promise<void> {
    if (upload?.id === undefined) return;
    const { attachments } = this.#parts.store;
    const owner = rawOwner(messageId);
    if ((await attachments.of(owner)).length > 0) return;
    await attachments.assign(upload.id, owner, this.#parts.clock(), this.keep_ms);
    upload.keep();
  }

  /** The bytes of a message's mail; undefined where none are kept. */
  async find(messageId: string): Promise<RawMail | undefined> {
    const { attachments, blobs } = this.#parts.store;
    const stored = this.keep_ms === 0 ? [] : await attachments.of(rawOwner(messageId));
    const [first] = stored;
    if (first === undefined) return undefined;
    const pieces = stored.map((piece) => ({ piece, ...encodingOf(piece) }));
    const size = pieces.reduce((sum, { piece, line, end }) => sum + encodedSize(piece.size, line, end), 0);
    return { size, sha256: first.filename.split(' ')[0] ?? '', bytes: assembled(pieces, blobs) };
  }

  /** The bytes of an earlier attempt to send a mail, and what keeps those of the first one, with its files named. */
  async attempt({ id, namespace_id, files }: OutgoingFiles, onError: (error: unknown) => void): Promise<KeptBytes> {
    if (this.keep_ms === 0) return { raw: undefined, keep: undefined };
    const found = await this.find(id);
    const keep = async (raw: Uint8Array): Promise<void> => {
      try {
        const named: { readonly bytes: Uint8Array }[] = [];
        for (const open of files) named.push({ bytes: await joined(open()) });
        await using upload = await this.begin({ raw, files: named }, namespace_id);
        await this.keep(upload, id);
      } catch (error) {
        // The mail is worth more than its copy.
        onError(error);
      }
    };
    return { raw: found && (await joined(found.bytes)), keep };
  }
}

const RAW_TYPE = 'message/rfc822';

type Encoding = Pick<Piece, 'line' | 'end'>;

function encodingOf({ filename }: StoredAttachment): Encoding {
  const [, line, end] = / base64-(\d+)-(\d)$/.exec(filename) ?? [];
  return { line: line === undefined ? null : Number(line), end: end === '1' ? '\n' : '\r\n' };
}

function encodedSize(size: number, line: number | null, end: string): number {
  if (line === null) return size;
  const characters = Math.ceil(size / 3) * 4;
  return characters + (Math.ceil(characters / line) - 1) * end.length;
}

/** Base64 in lines, without an end behind the last one. */
function inLines(bytes: Uint8Array, line: number, end: string): Buffer {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  const lines: string[] = [];
  for (let at = 0; at < text.length; at += line) lines.push(text.slice(at, at + line));
  return Buffer.from(lines.join(end), 'latin1');
}

/** The mail in pieces that are the mail when they are put together. */
function piecesOf({ raw, files }: WholeMail): readonly Piece[] {
  const whole = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const large = files
    .map(({ bytes }) => bytes)
    .filter(({ length }) => length >= MIN_FILE)
    .toSorted((one, other) => other.length - one.length)
    .slice(0, MAX_REFERENCES);
  const found = large
    .map((bytes) => placeOf(whole, bytes))
    .filter((place) => place !== undefined)
    .toSorted((one, other) => one.from - other.from);
  const pieces: Piece[] = [];
  let offset = 0;
  for (const { from, to, ...piece } of found) {
    // The same file twice is found at one place.
    if (from < offset) continue;
    if (from > offset) pieces.push({ bytes: whole.subarray(offset, from), line: null, end: '\r\n' });
    pieces.push(piece);
    offset = to;
  }
  if (offset < whole.length || pieces.length === 0)
    pieces.push({ bytes: whole.subarray(offset), line: null, end: '\r\n' });
  return pieces;
}

/** Where the mail has exactly these bytes in base64; undefined where an encoder wrote them otherwise. */
function placeOf(
  whole: Buffer,
  bytes: Uint8Array,
): (Piece & { readonly from: number; readonly to: number }) | undefined {
  for (const line of LINES)
    for (const end of ENDS) {
      const from = whole.indexOf(inLines(bytes.subarray(0, MIN_FILE - (MIN_FILE % 3)), line, end));
      if (from < 0) continue;
      const encoded = inLines(bytes, line, end);
      const to = from + encoded.length;
      if (whole.subarray(from, to).equals(encoded)) return { bytes, line, end, from, to };
    }
  return undefined;
}

async function* assembled(
  pieces: readonly (Encoding & { readonly piece: StoredAttachment })[],
  blobs: Parts['store']['blobs'],
): AsyncGenerator<Uint8Array> {
  for (const { piece, line, end } of pieces) {
    const bytes = bytesOf(piece, blobs, 0, piece.size - 1);
    if (piece.size === 0) continue;
    if (line === null) yield* bytes;
    else yield* encoded(bytes, line, end);
  }
}

/** A stream of bytes in base64, as `inLines` writes all of them. */
async function* encoded(bytes: AsyncIterable<Uint8Array>, line: number, end: string): AsyncGenerator<Uint8Array> {
  const lineBytes = (line / 4) * 3;
  let rest: Buffer = Buffer.alloc(0);
  let begun = false;
  for await (const chunk of bytes) {
    rest = Buffer.concat([rest, chunk]);
    const whole = rest.length - (rest.length % lineBytes);
    if (whole === 0) continue;
    yield Buffer.concat([Buffer.from(begun ? end : ''), inLines(rest.subarray(0, whole), line, end)]);
    rest = rest.subarray(whole);
    begun = true;
  }
  if (rest.length > 0) yield Buffer.concat([Buffer.from(begun ? end : ''), inLines(rest, line, end)]);
}

/** All bytes of a stream. */
export async function joined(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}
