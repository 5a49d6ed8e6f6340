import { Type } from 'typebox';

/** The bytes of a file are stored in chunks of this many; only the last one is shorter. */
export const CHUNK_BYTES = 256 * 1024;

/** Files that a message, a reply or a draft may have. */
export const MAX_FILES = 20;

/** A file of a message, of a reply or of a draft, without its bytes. */
export interface Attachment {
  readonly id: string;
  readonly filename: string;
  readonly content_type: string;
  /** Bytes. */
  readonly size: number;
  /** Of the bytes, in hexadecimal. */
  readonly sha256: string;
}

export const AttachmentView = Type.Object(
  {
    id: Type.String({ examples: ['att_0d8m3xk2q5v7w9y1a3c0'] }),
    filename: Type.String({ description: 'Without paths and control characters.' }),
    content_type: Type.String({ description: 'As the sender declared it.', examples: ['text/csv'] }),
    size: Type.Integer({ description: 'Bytes.' }),
    sha256: Type.String({ description: 'Of the bytes, in hexadecimal.' }),
  },
  { $id: 'Attachment', description: 'A file; its bytes are at `/api/v1/mail/attachments/{id}`.' },
);

const NEW_FILE = {
  filename: Type.String({ minLength: 1, maxLength: 1000, examples: ['prices.csv'] }),
  content_type: Type.Optional(
    Type.String({ description: '`application/octet-stream` by default.', examples: ['text/csv'] }),
  ),
  content: Type.String({ description: 'The bytes in base64 (RFC 4648, section 4).', examples: ['YSxiCjEsMgo='] }),
};

/** `attachments` of a request. */
export const NewAttachments = Type.Array(Type.Object(NEW_FILE, { additionalProperties: false }), {
  description: `Up to ${MAX_FILES} files, within the size of the JSON document. Send larger ones as \`multipart/form-data\`.`,
});
export type NewAttachments = Type.Static<typeof NewAttachments>;

/** `attachments` of a change: files that stay, and new ones. */
export const ChangedAttachments = Type.Array(
  Type.Object(
    {
      id: Type.Optional(
        Type.String({
          maxLength: 64,
          description: 'A file of the draft that stays; without the other fields.',
          examples: ['att_0d8m3xk2q5v7w9y1a3c0'],
        }),
      ),
      filename: Type.Optional(NEW_FILE.filename),
      content_type: NEW_FILE.content_type,
      content: Type.Optional(NEW_FILE.content),
    },
    { additionalProperties: false },
  ),
  {
    description: `All files that the draft has from now on: those that stay by their \`id\`, new ones as in \`send\`. Those that stay come first. A file that is not in the list is removed; left out, all stay; null or an empty list removes all. Files of a \`multipart/form-data\` request are added. Up to ${MAX_FILES}.`,
  },
);
export type ChangedAttachments = Type.Static<typeof ChangedAttachments>;

/** The type of a file whose sender declared none (RFC 2046, section 4.5.1). */
export const ANY_TYPE = 'application/octet-stream';
const TOKEN = '[A-Za-z0-9!#$&^_.+-]{1,127}';
/** A media type with parameters (RFC 6838, section 4.2), of up to 255 characters. */
const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN}(?: *; *${TOKEN}=(?:${TOKEN}|"[^"\\\\\\p{Cc}]{0,127}"))*$`, 'u');
export const isMediaType = (text: string): boolean => text.length <= 255 && MEDIA_TYPE.test(text);

/** Bytes of a file name, as most file systems allow. */
const MAX_NAME = 255;
/** Control characters, line separators, and marks that turn the direction of text and so show another ending. */
const HIDDEN = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** The name without paths, control characters and half characters, of at most 255 bytes; it keeps its extension. */
export function cleanFilename(name: string): string {
  const base = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  const clean = base.toWellFormed().replace(HIDDEN, '').trim();
  if (clean === '' || clean === '.' || clean === '..') return 'file';
  if (Buffer.byteLength(clean) <= MAX_NAME) return clean;
  const dot = clean.lastIndexOf('.');
  const extension = dot > 0 && clean.length - dot <= 20 ? clean.slice(dot) : '';
  const stem = Buffer.from(clean.slice(0, clean.length - extension.length));
  // A character cut in two leaves a replacement character, which goes too.
  const cut = stem
    .subarray(0, MAX_NAME - Buffer.byteLength(extension))
    .toString('utf8')
    .replace(/\ufffd$/u, '');
  return cut + extension;
}
