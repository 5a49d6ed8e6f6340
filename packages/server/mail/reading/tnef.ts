import { decodedText } from './charset.ts';

/** A file within `winmail.dat`. */
interface TnefFile {
  readonly name: string;
  readonly content_type: string | null;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface Tnef {
  /** Its text; empty where it has none, or only as RTF. */
  readonly text: string;
  readonly html: string;
  readonly files: readonly TnefFile[];
}

const SIGNATURE = 0x223e9f78;
/** Attributes by their identifiers (MS-OXTNEF, section 2.1.3.2). */
const CODEPAGE = 0x00069007;
const BODY = 0x0002800c;
const MESSAGE_PROPERTIES = 0x00069003;
const FILE_BEGIN = 0x00069002;
const FILE_TITLE = 0x00018010;
const FILE_DATA = 0x0006800f;
const FILE_PROPERTIES = 0x00069005;
/** Properties by their numbers (MS-OXPROPS). */
const [PLAIN, HTML, DATA, FILENAME, LONG_FILENAME, MIME_TAG] = [0x1000, 0x1013, 0x3701, 0x3704, 0x3707, 0x370e];
/** Types of properties whose values have a length of their own: texts of 8 bits and of UTF-16, bytes, objects. */
const [STRING, UNICODE, BINARY, OBJECT] = [0x1e, 0x1f, 0x102, 0xd];
const MULTIPLE = 0x1000;
/** Bytes of values of other types, where they are not 4. */
const WIDE: Readonly<Record<number, number>> = { 5: 8, 6: 8, 7: 8, 20: 8, 64: 8, 72: 16 };
const MAX_PROPERTIES = 2_000;

type Property = { readonly type: number; readonly bytes: Buffer };

/** Reads numbers and bytes in their order. RangeError at the end of the bytes. */
class Cursor {
  #at = 0;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get ended(): boolean {
    return this.#at >= this.#bytes.length;
  }

  take(length: number): Buffer {
    if (length > this.#bytes.length - this.#at) throw new RangeError('The bytes end before the value does.');
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  byte = (): number => this.take(1).readUInt8();
  short = (): number => this.take(2).readUInt16LE();
  long = (): number => this.take(4).readUInt32LE();

  /** A value with its length, filled to four bytes. */
  sized(): Buffer {
    const length = this.long();
    const value = this.take(length);
    this.take(Math.min((4 - (length % 4)) % 4, this.#bytes.length - this.#at));
    return value;
  }
}

/** The properties of a message or a file, by their numbers (MS-OXTNEF, section 2.1.3.4). */
function propertiesOf(bytes: Buffer): ReadonlyMap<number, Property> {
  const cursor = new Cursor(bytes);
  const found = new Map<number, Property>();
  for (let left = Math.min(cursor.long(), MAX_PROPERTIES); left > 0; left -= 1) {
    const [type, id] = [cursor.short(), cursor.short()];
    if (id >= 0x8000) {
      cursor.take(16);
      if (cursor.long() === 0) cursor.long();
      else cursor.sized();
    }
    const base = type & ~MULTIPLE;
    const isSized = [STRING, UNICODE, BINARY, OBJECT].includes(base);
    const count = isSized || base !== type ? Math.min(cursor.long(), MAX_PROPERTIES) : 1;
    for (let index = 0; index < count; index += 1) {
      const value = isSized ? cursor.sized() : cursor.take(WIDE[base] ?? 4);
      if (index === 0) found.set(id, { type: base, bytes: value });
    }
  }
  return found;
}

function textOf(property: Property | undefined, charset: string): string {
  if (property === undefined) return '';
  const { type, bytes } = property;
  const text = type === UNICODE ? bytes.toString('utf16le') : decodedText(bytes, charset);
  const [ended = ''] = text.split('\0', 1);
  return ended;
}

const copied = (bytes: Buffer): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);

/** What is known of a file so far. */
interface Opening {
  title?: Buffer;
  data?: Buffer;
  properties?: ReadonlyMap<number, Property>;
}

function fileOf({ title, data, properties }: Opening, charset: string): TnefFile[] {
  const bytes = data ?? properties?.get(DATA)?.bytes;
  if (bytes === undefined) return [];
  const named = [LONG_FILENAME, FILENAME].map((id) => textOf(properties?.get(id), charset));
  const name = [...named, title === undefined ? '' : textOf({ type: STRING, bytes: title }, charset)].find(Boolean);
  const content_type = textOf(properties?.get(MIME_TAG), charset);
  return [{ name: name ?? 'file', content_type: content_type === '' ? null : content_type, bytes: copied(bytes) }];
}

/** Reads `winmail.dat` of Outlook (MS-OXTNEF); undefined for other bytes, and where they were cut. */
export function readTnef(content: Uint8Array): Tnef | undefined {
  const cursor = new Cursor(Buffer.from(content.buffer, content.byteOffset, content.length));
  let charset = 'windows-1252';
  let [text, html] = ['', ''];
  const openings: Opening[] = [];
  try {
    if (cursor.long() !== SIGNATURE) return undefined;
    cursor.short();
    while (!cursor.ended) {
      cursor.byte();
      const [id, bytes] = [cursor.long(), cursor.take(cursor.long())];
      cursor.short();
      if (id === FILE_BEGIN) openings.push({});
      const opening = openings.at(-1);
      if (id === CODEPAGE && bytes.length >= 4) charset = `windows-${bytes.readUInt32LE()}`;
      else if (id === BODY) text ||= textOf({ type: STRING, bytes }, charset);
      else if (id === MESSAGE_PROPERTIES) {
        const properties = propertiesOf(bytes);
        text ||= textOf(properties.get(PLAIN), charset);
        html ||= textOf(properties.get(HTML), charset);
      } else if (opening !== undefined && id === FILE_TITLE) opening.title = bytes;
      else if (opening !== undefined && id === FILE_DATA) opening.data = bytes;
      else if (opening !== undefined && id === FILE_PROPERTIES) opening.properties = propertiesOf(bytes);
    }
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  return { text, html, files: openings.flatMap((opening) => fileOf(opening, charset)) };
}
