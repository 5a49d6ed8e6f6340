import { type PassedOver, passedOverText } from '@mailroom/behavior/values/passed-over';

/** One correction of a text; offsets count UTF-16 code units. */
export interface Correction {
  readonly offset: number;
  readonly length: number;
  readonly original: string;
  readonly replacement: string;
  readonly explanation: string;
}

/** A possible mistake, which no correction touches; offsets count UTF-16 code units. */
export interface Doubt {
  readonly offset: number;
  readonly length: number;
  readonly original: string;
  readonly suggestions: readonly string[];
  readonly explanation: string;
}

/** The fields of an answer's `data` that are needed to show its corrections in the text. */
export interface Corrections {
  readonly corrected_text: string;
  readonly dialect?: string;
  readonly edits: readonly Correction[];
  /** In the order of the text; answers of earlier versions have none. */
  readonly doubts?: readonly Doubt[];
  readonly passed_over?: PassedOver;
}

const DIALECTS: Readonly<Record<string, string>> = {
  american: 'American',
  british: 'British',
  australian: 'Australian',
  canadian: 'Canadian',
  indian: 'Indian',
};

/** Returns `data` if it holds corrections or doubts of exactly this text; any other data is not shown as corrections. */
export function asCorrections(data: unknown, body: string): Corrections | undefined {
  const { edits, corrected_text, doubts: given } = (data ?? {}) as Partial<Corrections>;
  if (!Array.isArray(edits) || typeof corrected_text !== 'string') return undefined;
  let previousEnd = 0;
  for (const { offset, length, original, replacement, explanation } of edits as Partial<Correction>[]) {
    const whole = typeof offset === 'number' && typeof length === 'number' && offset >= previousEnd;
    if (!whole || typeof replacement !== 'string' || typeof explanation !== 'string') return undefined;
    if (body.slice(offset, offset + length) !== original) return undefined;
    previousEnd = offset + length;
  }
  const doubts = asDoubts(given, edits, body);
  return edits.length + doubts.length === 0 ? undefined : { ...(data as Corrections), doubts };
}

/** The doubts that are of this text and touch no correction. */
function asDoubts(given: unknown, edits: readonly Correction[], body: string): readonly Doubt[] {
  let previousEnd = 0;
  return (Array.isArray(given) ? (given as Partial<Doubt>[]) : []).filter((doubt): doubt is Doubt => {
    const { offset, length, original, suggestions, explanation } = doubt ?? {};
    if (typeof offset !== 'number' || typeof length !== 'number' || offset < previousEnd) return false;
    const isText = Array.isArray(suggestions) && suggestions.every((text) => typeof text === 'string');
    if (!isText || typeof explanation !== 'string' || body.slice(offset, offset + length) !== original) return false;
    if (edits.some((edit) => edit.offset < offset + length && offset < edit.offset + edit.length)) return false;
    previousEnd = offset + length;
    return true;
  });
}

/** How many words were not read, as a sentence; undefined where all were. */
export const passedOver = ({ passed_over }: Corrections): string | undefined =>
  passed_over === undefined ? undefined : passedOverText({ ...NOTHING, ...passed_over });
const NOTHING: PassedOver = { other_language: 0, not_prose: 0, unknown: 0 };

/** Such as “3 corrections in British English”. */
export const countedCorrections = ({ edits, dialect }: Corrections): string =>
  `${edits.length === 0 ? 'No' : edits.length} correction${edits.length === 1 ? '' : 's'} in ${DIALECTS[dialect ?? ''] ?? 'American'} English`;

/** A correction without the words that are equal at both ends. */
export function trimmedCorrection({ original, replacement }: Pick<Correction, 'original' | 'replacement'>): {
  readonly before: string;
  readonly gone: string;
  readonly come: string;
  readonly after: string;
} {
  const old = words(original);
  const fresh = words(replacement);
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start++;
  let end = 0;
  while (
    end < old.length - start &&
    end < fresh.length - start &&
    old[old.length - 1 - end] === fresh[fresh.length - 1 - end]
  ) {
    end++;
  }
  return {
    before: old.slice(0, start).join(''),
    gone: old.slice(start, old.length - end).join(''),
    come: fresh.slice(start, fresh.length - end).join(''),
    after: end === 0 ? '' : old.slice(-end).join(''),
  };
}

const words = (text: string): string[] => text.match(/\s+|\S+/g) ?? [];
