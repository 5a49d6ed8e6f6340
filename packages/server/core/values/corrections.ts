/** One correction of a text; offsets count UTF-16 code units. */
export interface Correction {
  readonly offset: number;
  readonly length: number;
  readonly original: string;
  readonly replacement: string;
  readonly explanation: string;
}

/** The fields of an answer's `data` that are needed to show its corrections in the text. */
export interface Corrections {
  readonly corrected_text: string;
  readonly dialect?: string;
  readonly edits: readonly Correction[];
}

const DIALECTS: Readonly<Record<string, string>> = {
  american: 'American',
  british: 'British',
  australian: 'Australian',
  canadian: 'Canadian',
  indian: 'Indian',
};

/** Returns `data` if it holds corrections of exactly this text; any other data is not shown as corrections. */
export function asCorrections(data: unknown, body: string): Corrections | undefined {
  const { edits, corrected_text } = (data ?? {}) as Partial<Corrections>;
  if (!Array.isArray(edits) || edits.length === 0 || typeof corrected_text !== 'string') return undefined;
  let previousEnd = 0;
  for (const { offset, length, original, replacement, explanation } of edits as Partial<Correction>[]) {
    const whole = typeof offset === 'number' && typeof length === 'number' && offset >= previousEnd;
    if (!whole || typeof replacement !== 'string' || typeof explanation !== 'string') return undefined;
    if (body.slice(offset, offset + length) !== original) return undefined;
    previousEnd = offset + length;
  }
  return data as Corrections;
}

/** Such as “3 corrections in British English”. */
export const countedCorrections = ({ edits, dialect }: Corrections): string =>
  `${edits.length} correction${edits.length === 1 ? '' : 's'} in ${DIALECTS[dialect ?? ''] ?? 'American'} English`;

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
