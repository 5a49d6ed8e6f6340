import type { Match } from './finding.ts';

/** A text made of another one, which knows where in that each of its characters was. */
export interface Projection {
  readonly text: string;
  /** For each code unit of `text` its position in the original; undefined where the text is the original. */
  readonly positions: Uint32Array | undefined;
  /** How many code units of the original the character at this position of it takes. */
  readonly widthAt: (position: number) => number;
}

/** A character of a text takes two code units where it is outside the first plane. */
export const characterWidth =
  (text: string) =>
  (position: number): number =>
    (text.codePointAt(position) ?? 0) > 0xffff ? 2 : 1;

/** Collects a projection piece by piece. */
class ProjectionBuilder {
  readonly #units: Uint16Array;
  readonly #positions: Uint32Array;
  #length = 0;

  /** `max`: maximum length of the result, in code units. */
  constructor(max: number) {
    this.#units = new Uint16Array(max);
    this.#positions = new Uint32Array(max);
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

  build(widthAt: Projection['widthAt']): Projection {
    const bytes = Buffer.from(this.#units.buffer, 0, this.#length * 2);
    return { text: bytes.toString('utf16le'), positions: this.#positions, widthAt };
  }
}

/** Matches in a projection as spans of the original. */
export function original({ positions, widthAt }: Projection, matches: readonly Match[]): Match[] {
  if (positions === undefined) return [...matches];
  return matches.map(({ start, length, why }) => {
    const from = positions[start] as number;
    const last = positions[start + length - 1] as number;
    return { start: from, length: last + widthAt(last) - from, why };
  });
}

const FORMAT = /\p{Cf}|\p{Default_Ignorable_Code_Point}/u;
const FORMAT_AHEAD = /(?:\p{Cf}|\p{Default_Ignorable_Code_Point})+/uy;

/** The text without characters that show nothing, by which a word can be written so that no search finds it. */
export function withoutFormat(text: string): Projection {
  if (!FORMAT.test(text)) return { text, positions: undefined, widthAt: characterWidth(text) };
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
  return builder.build(characterWidth(text));
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

interface Entity {
  /** What it stands for. */
  readonly text: string;
  /** How many code units it takes. */
  readonly width: number;
}

/** The entity at a position; undefined where there is none that is known. */
function entityAt(html: string, position: number): Entity | undefined {
  ENTITY.lastIndex = position;
  const [whole = '', decimal, hex, name] = ENTITY.exec(html) ?? [];
  if (name !== undefined) {
    const text = NAMED[name.toLowerCase()];
    return text === undefined ? undefined : { text, width: whole.length };
  }
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  return code > 0 && code <= 0xffff ? { text: String.fromCharCode(code), width: whole.length } : undefined;
}

/** Elements that do not begin a new word. */
const INLINE = /<\/?(?:a|abbr|b|big|code|em|font|i|ins|kbd|mark|s|small|span|strong|sub|sup|tt|u|wbr)\b/iy;

/** The characters of HTML as they are read: without tags and comments, with entities as what they stand for. */
export function withoutTags(html: string): Projection {
  const builder = new ProjectionBuilder(html.length);
  const width = characterWidth(html);
  const widthAt = (position: number): number => entityAt(html, position)?.width ?? width(position);
  for (let index = 0; index < html.length; index += 1) {
    const unit = html.charCodeAt(index);
    if (unit === 0x3c) {
      const isComment = html.startsWith('<!--', index);
      const end = isComment ? html.indexOf('-->', index) : html.indexOf('>', index);
      if (end === -1) break;
      INLINE.lastIndex = index;
      if (!isComment && !INLINE.test(html)) builder.addUnit(0x0a, index);
      index = isComment ? end + 2 : end;
      continue;
    }
    const entity = unit === 0x26 ? entityAt(html, index) : undefined;
    if (entity === undefined) builder.addUnit(unit, index);
    else {
      builder.add(entity.text, index);
      index += entity.width - 1;
    }
  }
  return builder.build(widthAt);
}
