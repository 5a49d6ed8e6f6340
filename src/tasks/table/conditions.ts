import { unquote } from '../clause.ts';
import { isQuoted } from '../text/reading.ts';
import type { Comparison, Condition } from './schema.ts';

/** How people write a comparison, the longer ways first; a value follows unless `alone`. */
const WAYS: readonly { readonly is: Comparison; readonly words: readonly string[]; readonly alone?: true }[] = [
  { is: 'not_empty', words: ['is not empty', 'is not blank', "isn't empty", 'is filled in', 'is set'], alone: true },
  { is: 'empty', words: ['is empty', 'is blank', 'is missing', 'is not set'], alone: true },
  {
    is: 'at_least',
    words: [
      'is greater than or equal to',
      'is more than or equal to',
      'greater than or equal to',
      'is no less than',
      'is not less than',
      'is at least',
      'at least',
      '>=',
      '≥',
    ],
  },
  {
    is: 'at_most',
    words: [
      'is less than or equal to',
      'less than or equal to',
      'is no more than',
      'is not more than',
      'is at most',
      'at most',
      '<=',
      '≤',
    ],
  },
  { is: 'not_equal', words: ['is not equal to', 'does not equal', 'is not', "isn't", 'isn’t', '!=', '<>', '≠'] },
  {
    is: 'more',
    words: [
      'is more than',
      'is greater than',
      'is higher than',
      'is larger than',
      'is bigger than',
      'is above',
      'is over',
      'more than',
      'greater than',
      'higher than',
      'exceeds',
      'above',
      'over',
      '>',
    ],
  },
  {
    is: 'less',
    words: [
      'is less than',
      'is lower than',
      'is smaller than',
      'is fewer than',
      'is below',
      'is under',
      'less than',
      'lower than',
      'smaller than',
      'below',
      'under',
      '<',
    ],
  },
  { is: 'contains', words: ['contains', 'includes', 'containing'] },
  { is: 'starts_with', words: ['starts with', 'begins with', 'starting with'] },
  { is: 'ends_with', words: ['ends with', 'ends in', 'ending with'] },
  { is: 'equal', words: ['is equal to', 'is exactly', 'equals', 'is', 'are', '==', '='] },
];

interface Found {
  readonly is: Comparison;
  readonly at: number;
  readonly end: number;
}

const isSign = (word: string): boolean => !/[a-z]/i.test(word);

/** The first comparison in a text, the longest way to write it. */
function comparisonIn(text: string): Found | undefined {
  const plain = text.toLowerCase();
  let best: Found | undefined;
  for (const { is, words, alone } of WAYS) {
    for (const word of words) {
      const sign = isSign(word);
      const wanted = sign ? word : ` ${word}${alone ? '' : ' '}`;
      const at = plain.indexOf(wanted, 1);
      const end = at + wanted.length;
      if (at < 0 || (alone && end !== plain.length)) continue;
      if (best === undefined || at < best.at || (at === best.at && end > best.end)) best = { is, at, end };
    }
  }
  return best;
}

/** One condition, such as `city is Berlin` or `price >= 10`; the name of its column is not checked. */
function conditionOf(text: string): Condition | undefined {
  const found = comparisonIn(text);
  if (found === undefined) return undefined;
  const column = unquote(
    text
      .slice(0, found.at)
      .replace(/^(?:the|its|their) /i, '')
      .replace(/ (?:column|field)$/i, ''),
  );
  if (column === '') return undefined;
  const { is } = found;
  if (is === 'empty' || is === 'not_empty') return { column, is };
  const values = valuesOf(text.slice(found.end).trim(), is);
  return values && { column, is, values };
}

/** What a cell is compared with; several after "or". A sign or a word that may be about something else is no value. */
function valuesOf(said: string, is: Comparison): string[] | undefined {
  if (said === '') return undefined;
  if (isQuoted(said)) return [unquote(said)];
  const plain = said.replace(/^either /i, '');
  const several = plain.split(/ or |, /i).map((one) => unquote(one.replace(/^or /i, '')));
  if (several.some((one) => one === '' || /[,;<>=]| (?:by|then|where|whose|sorted|ordered) /i.test(` ${one} `)))
    return undefined;
  if (several.length > 1 && (is !== 'equal' || !/ or /i.test(plain) || several.length > 20)) return undefined;
  return several;
}

/** The conditions of a text that follows "where", all of which hold; undefined when a part of it is none. */
export function conditionsOf(text: string): Condition[] | undefined {
  const parts = text.split(/,? and (?:where |whose |also )?/i);
  const each = parts.map(conditionOf);
  if (each.every((one) => one !== undefined)) return each as Condition[];
  const whole = conditionOf(text);
  // In "Trinidad and Tobago" the word belongs to the value.
  return whole !== undefined && !each.slice(1).some((one) => one !== undefined) ? [whole] : undefined;
}
