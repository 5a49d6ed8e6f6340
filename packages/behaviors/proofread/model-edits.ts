import { compose, type Edit } from '@mailroom/english-proofreader/edits';
import type { Range } from '@mailroom/english-proofreader/protect';
import type { Reading } from '@mailroom/english-proofreader/reading';

/** The rule that edits of a model name. */
export const BY_MODEL = 'model';

/** What a model may not change in the text that the rules corrected: what they changed, and what is not read. */
export function keptRanges({ edits, unread }: Reading): Range[] {
  const kept: Range[] = [];
  let shift = 0;
  let next = 0;
  for (const { offset, length, replacement } of edits) {
    for (; next < unread.length && (unread[next] as Range)[0] < offset; next += 1)
      kept.push(moved(unread[next] as Range, shift));
    kept.push([offset + shift, offset + shift + replacement.length]);
    shift += replacement.length - length;
  }
  kept.push(...unread.slice(next).map((range) => moved(range, shift)));
  return kept;
}

const moved = ([start, end]: Range, by: number): Range => [start + by, end + by];

/** The reading with the edits of a model, which read what the rules had corrected. Doubts that it decided are left out. */
export function withModel(text: string, reading: Reading, edits: readonly Edit[]): Reading {
  const all = compose(text, reading.edits, edits);
  const doubts = reading.doubts.filter(
    ({ offset, length }) => !all.some((edit) => edit.offset <= offset + length && offset <= edit.offset + edit.length),
  );
  return {
    ...reading,
    edits: all,
    doubts,
    sure: doubts.length === 0,
    passed_over: { ...reading.passed_over, unknown: 0 },
  };
}
