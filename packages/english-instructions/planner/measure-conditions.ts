import type { Column } from '../tasks/table/columns.ts';
import { compareDecimals, type Decimal } from '../tasks/table/decimal.ts';
import { type Kind, valuesOf } from '../tasks/table/values.ts';
import {
  BEHIND,
  COMPARED,
  type Comparison,
  type Condition,
  ENDS,
  type Measure,
  NTH,
  NUMBER,
  numberOf,
  OPS,
} from './measure-words.ts';

const MAX_VALUE_WORDS = 4;

/** Takes what matches out of the words that are left. */
export type Takes = (words: RegExp) => RegExpExecArray | null;

/** "The three smallest", "second highest", "top 3", "most". */
export function endIn(
  takes: Takes,
  kind: Kind,
  compares: boolean,
): { readonly measure: Measure; readonly words: string } | undefined {
  for (const [words, kinds, sign] of compares ? [...ENDS, ...COMPARED] : ENDS) {
    if (!kinds.includes(kind)) continue;
    const found = takes(
      new RegExp(
        `\\b(?:(?:(${NTH.slice(2).join('|')}|[2-9](?:nd|rd|th))[ -])?(?:${words})(?: ${NUMBER}\\b)?|${NUMBER} (?:${words}))\\b(?! than)`,
      ),
    );
    if (found === null) continue;
    const [whole, nth, behind, before] = found;
    const at = nth === undefined ? 1 : NTH.indexOf(nth) > 0 ? NTH.indexOf(nth) : Number.parseInt(nth, 10);
    const many = behind ?? before;
    // "Most of them" are none of them.
    if (/^\s*(?:high|low|big|small|cheap|expensive)\s*$/.test(whole)) return undefined;
    return { measure: { does: 'end', sign, at, count: many === undefined ? 1 : numberOf(many) }, words: whole };
  }
  return undefined;
}

/** All comparisons with a value; undefined where one has no value of the kind. */
export function conditionsIn(
  takes: Takes,
  left: () => string,
  { kind, unit }: Pick<Column, 'kind' | 'unit'>,
  now: number,
): readonly Condition[] | undefined {
  const found: Condition[] = [];
  const isValue = (text: string): boolean =>
    valuesOf(text, now).some(
      (one) =>
        (one.kind === kind && (one.unit === unit || kind === 'measure')) ||
        (one.kind === 'number' && ['money', 'percent', 'measure'].includes(kind)) ||
        (kind === 'lap' && one.kind === 'clock'),
    );
  const valueAt = (text: string): string | undefined => {
    const words = text.trim().split(' ').slice(0, MAX_VALUE_WORDS);
    for (let size = words.length; size > 0; size--) {
      const value = words.slice(0, size).join(' ').replace(/[,;]$/, '');
      if (isValue(value)) return value;
    }
    return undefined;
  };
  const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  for (const [words, is, kinds] of OPS) {
    if (kinds !== undefined && !kinds.includes(kind)) continue;
    for (;;) {
      const at = new RegExp(
        `(?<=^| )(?:${words}) ?(?=\\S{0,3}\\d|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))`,
      ).exec(left());
      if (at === null) break;
      const value = valueAt(left().slice(at.index + at[0].length));
      if (value === undefined) return undefined;
      takes(new RegExp(`(?<=^| )(?:${words}) ?${escaped(value)}`));
      found.push({ is, value });
      if (found.length > 3) return undefined;
    }
  }
  const behind = /(\S*\d\S*(?: \p{L}+)?) (?:or|and) (more|up|above|over|less|fewer|below|under|cheaper)\b/u.exec(
    left(),
  );
  if (behind !== null) {
    const value = isValue(behind[1] as string)
      ? (behind[1] as string)
      : ((behind[1] as string).split(' ')[0] as string);
    if (!isValue(value)) return undefined;
    takes(new RegExp(`${escaped(behind[0])}`));
    found.push({ is: BEHIND[behind[2] as string] as Comparison, value });
  }
  return found;
}

export const holds = (amount: Decimal, limit: Decimal, is: Comparison): boolean => {
  const order = compareDecimals(amount, limit);
  return is === 'more' ? order > 0 : is === 'less' ? order < 0 : is === 'at_least' ? order >= 0 : order <= 0;
};
