import { join } from 'node:path';
import { type BBox, Resvg } from '@resvg/resvg-js';
import { html } from '../../../http/html.ts';

const FONTS = join(import.meta.dirname, '../fonts');

/** The fonts of pictures; those of the machine are not used, so that a picture is the same everywhere. */
export const FONT = {
  loadSystemFonts: false,
  fontFiles: ['Geist-Regular.ttf', 'Geist-SemiBold.ttf'].map((file) => join(FONTS, file)),
  defaultFontFamily: 'Geist',
};

/** The weights of the two fonts. */
export type Weight = 400 | 600;

/** The font size at which characters are measured, in pixels. */
const EM = 1000;
/** A character for private use, for which the fonts have no glyph. */
const WITHOUT_GLYPH = '\u{10fffd}';

/** The box around what is drawn of a text; undefined for blanks. */
function boxOf(text: string, weight: Weight): BBox | undefined {
  const svg = html`<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><text font-family="Geist" font-size="${EM}" font-weight="${weight}">${text}</text></svg>`;
  return new Resvg(svg.text, { font: FONT }).getBBox();
}

/** Characters for which the fonts have a glyph, as far as they were needed. */
const drawable = new Set<string>();

function hasGlyph(char: string): boolean {
  if (drawable.has(char)) return true;
  const [box, missing] = [boxOf(char, 400), boxOf(WITHOUT_GLYPH, 400)];
  const found = box?.x !== missing?.x || box?.width !== missing?.width || box?.height !== missing?.height;
  if (found) drawable.add(char);
  return found;
}

/** Whether the fonts have a glyph for each character. */
export function isDrawable(text: string): boolean {
  // Control characters and the like are invalid in XML, or invisible.
  return !/\p{C}/u.test(text) && Array.from(text).every(hasGlyph);
}

/** By weight and character, the width at a font size of 1. */
const widths = new Map<string, number>();

function charWidth(char: string, weight: Weight): number {
  const key = `${weight} ${char}`;
  // A box has no blanks at its ends, so a character is measured between two bars.
  const width = widths.get(key) ?? ((boxOf(`|${char}|`, weight)?.width ?? 0) - (boxOf('||', weight)?.width ?? 0)) / EM;
  widths.set(key, width);
  return width;
}

/**
 * The width in pixels of a drawable text at a font size of `size` pixels, without kerning: some hundredths more than the
 * drawn width. `tracking` is what is added to each character, at a font size of 1.
 */
export function textWidth(text: string, weight: Weight, size: number, tracking = 0): number {
  return Array.from(text).reduce((sum, char) => sum + charWidth(char, weight) + tracking, 0) * size;
}
