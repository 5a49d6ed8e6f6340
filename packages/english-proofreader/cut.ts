import { fences } from './protect.ts';

/** A piece of a text that is read on its own. */
export interface Chunk {
  readonly offset: number;
  readonly text: string;
  /** Whether its first paragraph began in an earlier piece. */
  readonly continues: boolean;
  /** Whether its last paragraph ends in a later piece. */
  readonly continued: boolean;
}

/**
 * Cuts a text at paragraphs, else lines, else sentences, else words, into chunks of at most `most` UTF-16 code units.
 * Leaves out code blocks and never cuts a surrogate pair.
 */
export function cut(text: string, most: number): Chunk[] {
  const chunks: Chunk[] = [];
  let offset = 0;
  for (const [start, end] of fences(text)) {
    cutProse(text, offset, start, most, chunks);
    offset = end;
  }
  cutProse(text, offset, text.length, most, chunks);
  return chunks;
}

function cutProse(text: string, from: number, to: number, most: number, chunks: Chunk[]): void {
  let offset = from;
  while (offset < to) {
    const end = to - offset <= most ? to : offset + border(text.slice(offset, offset + most));
    const piece = text.slice(offset, end);
    const above = text.slice(Math.max(0, offset - 100), offset);
    const continues =
      offset > 0 &&
      (/[\p{L}\p{N},;]\s*$/u.test(above) || (!/\n[ \t]*\r?\n\s*$/.test(above) && !/^[ \t]*\r?\n/.test(piece)));
    const continued = end < text.length && !/\n[ \t]*\r?\n\s*$/.test(piece.slice(-100));
    if (/\S/.test(piece)) chunks.push({ offset, text: piece, continues, continued });
    offset = end;
  }
}

/** Where to cut a long piece: after the last border of the best kind in its second half. */
function border(piece: string): number {
  const half = piece.length >> 1;
  const paragraph = Math.max(piece.lastIndexOf('\n\n') + 2, piece.lastIndexOf('\n\r\n') + 3);
  if (paragraph > half) return paragraph;
  const line = piece.lastIndexOf('\n') + 1;
  if (line > half) return line;
  let sentence = 0;
  for (const match of piece.matchAll(/[.!?]["'”’)\]]?\s/g)) sentence = match.index + match[0].length;
  if (sentence > half) return sentence;
  let word = 0;
  for (const match of piece.matchAll(/\s/g)) word = match.index + 1;
  if (word > half) return word;
  const last = piece.charCodeAt(piece.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? piece.length - 1 : piece.length;
}
