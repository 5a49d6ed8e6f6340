import type { Domain } from '../../language/grammar.ts';
import { isKind, kept, listed, range } from './lists.ts';
import { type List, list, type Num } from './number.ts';
import { rulesOf } from './rules.ts';
import { whole } from './selecting.ts';

type Bound = 'over' | 'under' | 'min' | 'max';
/** Of which numbers it holds; as data, because two readings are compared as text. */
type Condition =
  | { readonly is: Bound | 'divisible'; readonly by: number }
  | { readonly is: 'kind'; readonly kind: string }
  | { readonly is: 'not'; readonly of: Condition }
  | { readonly is: 'both'; readonly one: Condition; readonly other: Condition };
/** What is left out of a list: all but some, some numbers, the largest or smallest, or the one at a place. */
type Omission =
  | { readonly only: Condition }
  | { readonly numbers: readonly Num[] }
  | { readonly utmost: readonly string[] }
  | { readonly place: number };

function holds(value: number, condition: Condition): boolean {
  if (condition.is === 'kind') return isKind(condition.kind)?.(value) === true;
  if (condition.is === 'not') return !holds(value, condition.of);
  if (condition.is === 'both') return holds(value, condition.one) && holds(value, condition.other);
  const { is, by } = condition;
  if (is === 'divisible') return value % by === 0;
  return is === 'over' ? value > by : is === 'under' ? value < by : is === 'min' ? value >= by : value <= by;
}
const not = (of: Condition): Condition => ({ is: 'not', of });
const both = (one: Condition, other: Condition): Condition => ({ is: 'both', one, other });
const divisible = (n: Num): Condition | undefined => (whole(n) > 0 ? { is: 'divisible', by: whole(n) } : undefined);
const filtered = (all: List | undefined, condition: Condition): List | undefined =>
  all && kept(all, (value) => holds(value, condition));

const figures = ({ items }: List): readonly number[] =>
  items.map(({ plain, ops }) => (ops === 0 ? plain : undefined) ?? Number.NaN);
const withoutPlace = ({ items }: List, place: number): List | undefined =>
  items.length > 1 && place >= 0 && place < items.length ? list(items.toSpliced(place, 1), false) : undefined;
/** Without the largest or the smallest, where there is one. */
function withoutUtmost(all: List | undefined, name: string): List | undefined {
  const numbers = all === undefined ? [] : figures(all);
  const place = numbers.indexOf(Math[name as 'max'](...numbers));
  return all === undefined || numbers.lastIndexOf(numbers[place] as number) !== place
    ? undefined
    : withoutPlace(all, place);
}

/** The list without what is left out; undefined where it has none of that, or it is not clear which. */
function without(all: List, omission: Omission): List | undefined {
  if ('only' in omission) return filtered(all, omission.only);
  if ('utmost' in omission) return omission.utmost.reduce<List | undefined>(withoutUtmost, all);
  if ('place' in omission)
    return withoutPlace(all, omission.place < 0 ? all.items.length + omission.place : omission.place - 1);
  const numbers = omission.numbers.map(whole);
  return numbers.every((one) => figures(all).includes(one))
    ? kept(all, (value) => !numbers.includes(value))
    : undefined;
}

const rule = rulesOf<{
  bound: Bound;
  keeps: Condition;
  omission: Omission;
  chosen: List;
  series: List;
  limits: readonly [Num, Num];
  sort: string;
}>();

/** Numbers that are left out of a list, or the only ones that count: "without the lowest", "but not by 9", "except 5". */
export const OMISSIONS: Domain = {
  lexicon: {
    OMITTING:
      'except|except for|excluding|excluding the|but not|other than|apart from|besides|leaving out|not counting|without counting|without|but without|skipping|ignoring|but leave out|leave out|but skip|skip|but ignore|ignore|with the exception of|not including|but exclude|but except|if you leave out|if you skip|if you ignore|if i leave out',
    ANYOF: 'the|any|all|all the|those|the ones|numbers|the numbers|all numbers|any numbers|anything|every|each',
    DIVISIBLE:
      'divisible by|divided by|be divided by|be divided evenly by|evenly divisible by|multiples of|a multiple of|multiple of|can be divided by',
  },
  rules: [
    rule(
      'keeps = (that are|which are|that can be|which can be|can|are|that can|which can)? DIVISIBLE <number:whole>',
      ([n]) => divisible(n),
    ),
    rule('keeps = (that are|which are|are)? <bound> <number:plain>', ([is, n]) => ({ is, by: whole(n) })),
    rule('keeps = (that are|which are|are)? <sort> (ones|numbers)?', ([kind]) => isKind(kind) && { is: 'kind', kind }),
    rule('keeps = <keeps> (and|but|,|and also) <keeps>', ([one, other]) => both(one, other)),
    rule('keeps = <keeps> (,|and|, and)? (but not|not) <keeps>', ([one, other]) => both(one, not(other))),
    rule('keeps = <keeps> (,|and|, and)? (but not|not) by <number:whole>', ([one, n]) => {
      const other = divisible(n);
      return other && both(one, not(other));
    }),
    rule(
      'keeps = (that are not|which are not|that cannot be|which cannot be|not|are not|cannot be|that are neither) <keeps>',
      ([one]) => not(one),
    ),
    rule('omission = OMITTING ANYOF? <keeps>', ([keeps]) => ({ only: not(keeps) })),
    rule(
      'omission = OMITTING (the|number|numbers|the number|the numbers|all|all the|any)? <number:plain>',
      (numbers) => ({ numbers }),
    ),
    rule(
      'omission = OMITTING the? <aggregate:extreme> (one|number|value|score|figure|of them|of these|grade|mark|price)?',
      'OMITTING the? <aggregate:extreme> and the? <aggregate:extreme> (one|ones|number|numbers|value|values|score|scores)?',
      (utmost) => (utmost[0] === utmost[1] ? undefined : { utmost }),
    ),
    rule('omission = OMITTING the? <ordinal> (one|number|value|score|of them|figure)?', ([place]) => ({ place })),
    rule(
      'omission = (but|and|,)? (only|just|only count|counting only|count only|taking only|only take|only use|using only) (the|those|the ones|numbers|the numbers)? <keeps>',
      ([only]) => ({ only }),
    ),
    rule(
      'chosen = <list:several> ,? <omission>',
      '#21 <omission> ,? (of|in|from|among|for|:)? (these|the numbers|these numbers)? :? <list:several>',
      ([all, omission]) => without(all, omission),
    ),
    rule('list = <chosen>', ([all]) => ({ ...all, partial: true })),
    rule('request -0.02 = NAMETHEM <chosen>', ([all]) => listed(all)),
    rule('series = <series> ,? <omission>', ([all, omission]) => without(all, omission)),
    rule('series = <series> <keeps>', ([all, keeps]) => filtered(all, keeps)),
    rule('series = (the|all|all the)? <sort> <keeps> <limits>', ([kind, keeps, [a, b]]) =>
      filtered(range(a, b, kind), keeps),
    ),
  ],
};
