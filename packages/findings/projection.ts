import type { Match } from './finding.ts';

/** A text made of another one, which knows where in that each of its characters was. */
export interface Projection {
  readonly text: string;
  /** For each code unit of `text` its position in the original, and that of the original's end. */
  readonly positions: Uint32Array | undefined;
}

/** Collects a projection piece by piece. */
class ProjectionBuilder {
  readonly #units: Uint16Array;
  readonly #positions: Uint32Array;
  #length = 0;

  /** `max`: maximum length of the result, in code units. */
  constructor(max: number) {
    this.#units = new Uint16Array(max);
    this.#positions = new Uint32Array(max + 1);
  }

  addUnit(unit: number, position: number): void {
    if (this.#length === this.#units.length) return;
    this.#units[this.#length] = unit;
    this.#positions[this.#length] = position;
    this.#length += 1;
  }

  add(text: string, position: number): void {
    for (let index = 0; index < text.length; index += 1) this.addUnit(text.charCodeAt(index), position);
  }

  /** `end`: length of the original. */
  build(end: number): Projection {
    this.#positions[this.#length] = end;
    const bytes = Buffer.from(this.#units.buffer, 0, this.#length * 2);
    return { text: bytes.toString('utf16le'), positions: this.#positions };
  }
}

/** Matches in a projection as spans of the original. */
export function original({ positions }: Projection, matches: readonly Match[]): Match[] {
  if (positions === undefined) return [...matches];
  return matches.map(({ start, length, why }) => {
    const from = positions[start] as number;
    const last = positions[start + length - 1] as number;
    return { start: from, length: Math.max(last + 1, from + 1) - from, why };
  });
}

const FORMAT = /\p{Cf}|\p{Default_Ignorable_Code_Point}/u;
const FORMAT_AHEAD = /(?:\p{Cf}|\p{Default_Ignorable_Code_Point})+/uy;

/** The text without characters that show nothing, by which a word can be written so that no search finds it. */
export function withoutFormat(text: string): Projection {
  if (!FORMAT.test(text)) return { text, positions: undefined };
  const builder = new ProjectionBuilder(text.length);
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80 && unit !== 0) {
      builder.addUnit(unit, index);
      continue;
    }
    FORMAT_AHEAD.lastIndex = index;
    const skipped = FORMAT_AHEAD.exec(text)?.[0].length ?? 0;
    if (skipped > 0) index += skipped - 1;
    else builder.addUnit(unit, index);
  }
  return builder.build(text.length);
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  shy: '',
  zwnj: '',
  zwj: '',
};
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));?/iy;

function entity(decimal: string | undefined, hex: string | undefined, name: string | undefined): string | undefined {
  if (name !== undefined) return NAMED[name.toLowerCase()];
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  return code <= 0xffff && code > 0 ? String.fromCharCode(code) : undefined;
}

/** Elements that do not begin a new word. */
const INLINE = /<\/?(?:a|abbr|b|big|code|em|font|i|ins|kbd|mark|s|small|span|strong|sub|sup|tt|u|wbr)\b/iy;

/** The characters of HTML as they are read: without tags and comments, with entities as what they stand for. */
export function withoutTags(html: string): Projection {
  const builder = new ProjectionBuilder(html.length);
  for (let index = 0; index < html.length; index += 1) {
    const unit = html.charCodeAt(index);
    if (unit === 0x3c) {
      const isComment = html.startsWith('<!--', index);
      const end = isComment ? html.indexOf('-->', index) : html.indexOf('>', index);
      if (end === -1) return builder.build(html.length);
      INLINE.lastIndex = index;
      if (!isComment && !INLINE.test(html)) builder.addUnit(0x0a, index);
      index = isComment ? end + 2 : end;
      continue;
    }
    if (unit === 0x26) {
      ENTITY.lastIndex = index;
      const match = ENTITY.exec(html);
      const text = match === null ? undefined : entity(match[1], match[2], match[3]);
      if (match !== null && text !== undefined) {
        builder.add(text, index);
        index += match[0].length - 1;
        continue;
      }
    }
    builder.addUnit(unit, index);
  }
  return builder.build(html.length);
}
