import { isOne, type Sentence, words } from './rule.ts';

/** A finished time, as the positions of its first and last word. */
export interface PastTime {
  readonly first: number;
  readonly last: number;
}

const UNITS = words(
  'night week month year summer winter spring autumn fall weekend monday tuesday wednesday thursday friday saturday sunday time',
);
export const AMOUNTS =
  /^(?:\d+|a|an|one|two|three|four|five|six|seven|eight|nine|ten|few|several|many|some|long|couple|hundred)$/;
export const LENGTHS = /^(?:second|minute|hour|day|week|month|year|decade|while|time)s?$/;

/** Finished times in the order of the sentence: "yesterday", "last summer", "two years ago", "the first time I". */
export function pastTimes(sentence: Sentence): readonly PastTime[] {
  let times = known.get(sentence);
  if (times === undefined) {
    times = readTimes(sentence);
    known.set(sentence, times);
  }
  return times;
}

/** A cache, because several rules need the times of one sentence. */
const known = new WeakMap<Sentence, readonly PastTime[]>();

function readTimes(sentence: Sentence): PastTime[] {
  const times: PastTime[] = [];
  for (const [i, token] of sentence.entries()) {
    if (token.locked) continue;
    const next = sentence[i + 1];
    if (token.lower === 'yesterday' && !/^['’]/.test(next?.text ?? '')) {
      const after = /^(?:morning|afternoon|evening|night)$/.test(next?.lower ?? '');
      times.push({ first: i, last: after ? i + 1 : i });
    } else if (
      token.lower === 'last' &&
      isOne(next, UNITS) &&
      !/^(?:the|my|your|his|her|at|['’]s)$/.test(sentence[i - 1]?.lower ?? '')
    ) {
      if (!/^['’]/.test(sentence[i + 2]?.text ?? '') && !isOne(next, words('time')))
        times.push({ first: i, last: i + 1 });
    } else if (token.lower === 'ago' && LENGTHS.test(sentence[i - 1]?.lower ?? '')) {
      let first = i - 1;
      while (first > 0 && AMOUNTS.test(sentence[first - 1]?.lower ?? '')) first -= 1;
      times.push({ first, last: i });
    } else if (
      token.lower === 'first' &&
      next?.lower === 'time' &&
      sentence[i + 2]?.lower === 'i' &&
      (i === 0 || (i === 1 && sentence[0]?.lower === 'the'))
    ) {
      times.push({ first: 0, last: i + 1 });
    }
  }
  return times;
}
