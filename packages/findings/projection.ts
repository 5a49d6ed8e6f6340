import type { Match } from './finding.ts';

/** A text made of another one, which knows where in that each of its characters was. */
export interface Projection {
  readonly text: string;
  /** The position in the original of the code unit at this index. */
  readonly positionOf: (index: number) => number;
  /** How many code units of the original the character at this position of it takes. */
  readonly widthAt: (position: number) => number;
}

/** A character of a text takes two code units where it is outside the first plane. */
export const characterWidth =
  (text: string) =>
  (position: number): number =>
    (text.codePointAt(position) ?? 0) > 0xffff ? 2 : 1;

/** Matches in a projection as spans of the original. */
export const original = ({ positionOf, widthAt }: Projection, matches: readonly Match[]): Match[] =>
  matches.map(({ start, length, why }) => {
    const from = positionOf(start);
    const last = positionOf(start + length - 1);
    return { start: from, length: last + widthAt(last) - from, why };
  });

/** Puts a text together of parts of another one, and of what stands in place of others. */
class Parts {
  readonly #texts: string[] = [];
  /** Where each part begins, in the text and in the original. */
  readonly #starts: number[] = [];
  readonly #origins: number[] = [];
  #length = 0;

  add(text: string, origin: number): void {
    if (text === '') return;
    this.#texts.push(text);
    this.#starts.push(this.#length);
    this.#origins.push(origin);
    this.#length += text.length;
  }

  projection(widthAt: Projection['widthAt']): Projection {
    return { text: this.#texts.join(''), positionOf: (index) => this.#positionOf(index), widthAt };
  }

  #positionOf(index: number): number {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] as number) <= index) low = middle;
      else high = middle - 1;
    }
    return (this.#origins[low] ?? 0) + index - (this.#starts[low] ?? 0);
  }
}

const FORMAT = /(?:\p{Cf}|\p{Default_Ignorable_Code_Point})+/gu;

/** The text without characters that show nothing, by which a word can be written so that no search finds it. */
export function withoutFormat(text: string): Projection {
  const parts = new Parts();
  let end = 0;
  for (const { index, 0: skipped } of text.matchAll(FORMAT)) {
    parts.add(text.slice(end, index), end);
    end = index + skipped.length;
  }
  parts.add(text.slice(end), end);
  return parts.projection(characterWidth(text));
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

/** The next character of HTML that is no text. */
const MARKUP = /[<&]/g;

/** Where a tag or a comment ends; undefined where it does not. */
function endOfTag(html: string, start: number): number | undefined {
  const [close, width] = html.startsWith('<!--', start) ? ['-->', 3] : ['>', 1];
  const end = html.indexOf(close, start);
  return end === -1 ? undefined : end + width;
}

const isInline = (html: string, start: number): boolean => {
  INLINE.lastIndex = start;
  return html.startsWith('<!--', start) || INLINE.test(html);
};

/** The characters of HTML as they are read: without tags and comments, with entities as what they stand for. */
export function withoutTags(html: string): Projection {
  const parts = new Parts();
  const width = characterWidth(html);
  let end = 0;
  MARKUP.lastIndex = 0;
  for (let mark = MARKUP.exec(html); mark !== null; mark = MARKUP.exec(html)) {
    const { index } = mark;
    const entity = mark[0] === '&' ? entityAt(html, index) : undefined;
    if (mark[0] === '&' && entity === undefined) continue;
    parts.add(html.slice(end, index), end);
    const next = entity === undefined ? endOfTag(html, index) : index + entity.width;
    end = next ?? html.length;
    if (entity !== undefined) parts.add(entity.text, index);
    else if (!isInline(html, index)) parts.add('\n', index);
    MARKUP.lastIndex = end;
  }
  parts.add(html.slice(end), end);
  return parts.projection((position) => entityAt(html, position)?.width ?? width(position));
}
