import type * as Diff from 'diff';
import { lazyPackage } from '../lazy-package.ts';
import { TaskError } from '../task.ts';
import { linesOf } from './input.ts';

const diff = lazyPackage<typeof Diff>('diff');
/** Maximum number of differences, and maximum time of one comparison on the event loop, in ms. */
const BOUNDS = { maxEditLength: 1_500, timeout: 150 } as const;
/** Longer texts, in characters, are compared only by lines, because splitting them into words takes too long. */
const MAX_WORDS = 60_000;

export interface Difference {
  /** For words `[-old-]{+new+}` within the text, for lines a unified diff; the text itself when nothing differs. */
  readonly result: string;
  readonly equal: boolean;
  readonly by: 'words' | 'lines';
  /** The number of words or lines that only the second text has. */
  readonly added: number;
  readonly removed: number;
}

/**
 * The difference between two texts, by lines when there are several and `by` is missing. Throws TaskError when they have
 * too little in common.
 */
export function difference(oldText: string, newText: string, by: 'words' | 'lines' | undefined): Difference {
  const several = linesOf(oldText).length > 1 || linesOf(newText).length > 1;
  const wanted = by ?? (several ? 'lines' : 'words');
  if (oldText === newText) return { result: oldText, equal: true, by: wanted, added: 0, removed: 0 };
  const found =
    wanted === 'words'
      ? (inWords(oldText, newText) ?? (several ? inLines(oldText, newText) : undefined))
      : inLines(oldText, newText);
  if (found === undefined) {
    throw new TaskError(
      'These texts have too little in common to show what is different. Compare smaller parts of them.',
    );
  }
  return found;
}

function inWords(before: string, after: string): Difference | undefined {
  if (before.length + after.length > MAX_WORDS) return undefined;
  const changes = diff().diffWords(before, after, BOUNDS);
  if (changes === undefined) return undefined;
  let added = 0;
  let removed = 0;
  const parts = changes.map(({ value, added: isNew, removed: isOld }) => {
    const words = value.match(/\S+/g)?.length ?? 0;
    if (isNew) added += words;
    if (isOld) removed += words;
    return isNew ? marked('{+', value, '+}') : isOld ? marked('[-', value, '-]') : value;
  });
  return { result: parts.join(''), equal: false, by: 'words', added, removed };
}

/** Keeps white space outside of the marks. */
function marked(open: string, value: string, close: string): string {
  const inner = value.trim();
  if (inner === '') return open + value + close;
  const start = value.length - value.trimStart().length;
  return value.slice(0, start) + open + inner + close + value.slice(start + inner.length);
}

function inLines(oldText: string, newText: string): Difference | undefined {
  // A missing line break at the end of one text does not count.
  const [one, other] = [`${oldText.trimEnd()}\n`, `${newText.trimEnd()}\n`];
  if (one === other) return { result: oldText, equal: true, by: 'lines', added: 0, removed: 0 };
  const patch = diff().createTwoFilesPatch('before', 'after', one, other, undefined, undefined, {
    ...BOUNDS,
    context: 3,
  });
  if (patch === undefined) return undefined;
  const result = patch.slice(patch.indexOf('--- before')).trimEnd();
  const body = result.split('\n').slice(2);
  const count = (sign: string): number => body.filter((line) => line.startsWith(sign)).length;
  return { result, equal: false, by: 'lines', added: count('+'), removed: count('-') };
}
