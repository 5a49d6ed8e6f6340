import { latinLookalike } from './confusables.ts';
import { characterWidth, type Projection } from './projection.ts';

const IGNORABLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/u;
const BLANK = /^\s$/;
const APOSTROPHES = '’‘´＇';

/** A character without accents, width and case: `É` → `e`, `Ａ` → `a`, but `が` and `й` stay. */
function foldOf(character: string): string {
  if (BLANK.test(character)) return ' ';
  if (APOSTROPHES.includes(character)) return "'";
  if (IGNORABLE.test(character)) return '';
  return (
    character
      .normalize('NFKD')
      // Other scripts have marks that are of the letter.
      .replace(/(?<=^[a-z]{1,3})[\u0300-\u036f]+/i, '')
      .normalize('NFC')
      .toLowerCase()
  );
}

/** By code point; filled as characters are met, and emptied when there are more than any text needs. */
const folds = new Map<number, string>();
const MAX_FOLDS = 20_000;

function cachedFold(code: number): string {
  let fold = folds.get(code);
  if (fold === undefined) {
    if (folds.size >= MAX_FOLDS) folds.clear();
    fold = foldOf(String.fromCodePoint(code));
    folds.set(code, fold);
  }
  return fold;
}

/** A code unit of ASCII in lower case, a control character as a blank. */
const lowered = (unit: number): number => (unit <= 0x20 ? 0x20 : unit >= 0x41 && unit <= 0x5a ? unit | 0x20 : unit);

/**
 * The text in lower case, without accents and characters that show nothing, each row of blanks and line ends as one
 * blank, typographic apostrophes as plain ones.
 */
export function folded(text: string): Projection {
  // Few characters become more than two; a text of those alone is cut.
  const max = 2 * text.length + 64;
  const units = new Uint16Array(max);
  const positions = new Uint32Array(max);
  let length = 0;
  let previous = 0x20;
  for (let index = 0; index < text.length && length < max; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) {
      const plain = lowered(unit);
      if (plain === 0x20 && previous === 0x20) continue;
      units[length] = previous = plain;
      positions[length++] = index;
      continue;
    }
    const isPair = unit >= 0xd800 && unit <= 0xdbff;
    const fold = cachedFold(isPair ? (text.codePointAt(index) as number) : unit);
    for (let at = 0; at < fold.length && length < max; at += 1) {
      const plain = fold.charCodeAt(at);
      if (plain === 0x20 && previous === 0x20) continue;
      units[length] = previous = plain;
      positions[length++] = index;
    }
    if (isPair && (text.codePointAt(index) as number) > 0xffff) index += 1;
  }
  const plain = Buffer.from(units.buffer, 0, 2 * length).toString('utf16le');
  return { text: withoutDisguise(plain), positionOf: (at) => positions[at] as number, widthAt: characterWidth(text) };
}

/** Cyrillic and Greek beside Latin, which no language has within a word. */
const DISGUISE = /[a-z][\u0370-\u03ff\u0400-\u052f]|[\u0370-\u03ff\u0400-\u052f][a-z]/;
const MIXED = /[a-z\u0370-\u03ff\u0400-\u052f]+/g;

const lookalikes = new Map<string, string>();
function latinOf(character: string): string {
  let latin = lookalikes.get(character);
  if (latin === undefined) {
    latin = latinLookalike(character)?.toLowerCase() ?? character;
    lookalikes.set(character, latin);
  }
  return latin;
}

/** Letters of other scripts among those of Latin become what they look like; its length stays. */
const withoutDisguise = (text: string): string =>
  DISGUISE.test(text)
    ? text.replace(MIXED, (word) =>
        DISGUISE.test(word) ? word.replace(/[\u0370-\u03ff\u0400-\u052f]/g, latinOf) : word,
      )
    : text;
