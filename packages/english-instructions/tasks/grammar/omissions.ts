import type { Domain } from '../../language/grammar.ts';
import { isKind, type Keeps, kept, listed, range } from './lists.ts';
import { type List, list, type Num } from './number.ts';
import { rulesOf } from './rules.ts';
import { whole } from './selecting.ts';

/** A list with some of its numbers left out; undefined where it has none of them, or it is not clear which. */
type Omission = (all: List) => List | undefined;
type Bound = 'over' | 'under' | 'min' | 'max';
const BOUNDS: Readonly<Record<Bound, (value: number, bound: number) => boolean>> = {
  over: (value, bound) => value > bound,
  under: (value, bound) => value < bound,
  min: (value, bound) => value >= bound,
  max: (value, bound) => value <= bound,
};

const withoutPlace = ({ items }: List, place: number): List | undefined =>
  items.length > 1 && place >= 0 && place < items.length ? list(items.toSpliced(place, 1), false) : undefined;
const figures = ({ items }: List): readonly number[] =>
  items.map(({ plain, ops }) => (ops === 0 ? plain : undefined) ?? Number.NaN);

/** Without each of these numbers, all of which the list has. */
const withoutThese =
  (numbers: readonly Num[]): Omission =>
  (all) => {
    const out = numbers.map(({ plain }) => plain as number);
    return out.every((one) => figures(all).includes(one)) ? kept(all, (value) => !out.includes(value)) : undefined;
  };
/** Without the largest or the smallest, where there is one. */
const withoutUtmost =
  (name: string): Omission =>
  (all) => {
    const numbers = figures(all);
    const best = Math[name as 'max'](...numbers);
    return numbers.indexOf(best) === numbers.lastIndexOf(best) ? withoutPlace(all, numbers.indexOf(best)) : undefined;
  };
const only =
  (keeps: Keeps): Omission =>
  (all) =>
    kept(all, keeps);
const negated =
  (keeps: Keeps): Keeps =>
  (value) =>
    !keeps(value);

const rule = rulesOf<{
  bound: Bound;
  keeps: Keeps;
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
      ([n]) => (whole(n) > 0 ? (value: number) => value % whole(n) === 0 : undefined),
    ),
    rule(
      'keeps = (that are|which are|are)? <bound> <number:plain>',
      ([bound, n]) =>
        (value: number) =>
          BOUNDS[bound](value, whole(n)),
    ),
    rule('keeps = (that are|which are|are)? <sort> (ones|numbers)?', ([kind]) => isKind(kind)),
    rule(
      'keeps = <keeps> (and|but|,|and also) <keeps>',
      ([one, other]) =>
        (value: number) =>
          one(value) && other(value),
    ),
    rule(
      'keeps = <keeps> (,|and|, and)? (but not|not) <keeps>',
      ([one, other]) =>
        (value: number) =>
          one(value) && !other(value),
    ),
    rule(
      'keeps = <keeps> (,|and|, and)? (but not|not) by <number:whole>',
      ([one, n]) =>
        (value: number) =>
          one(value) && value % whole(n) !== 0,
    ),
    rule(
      'keeps = (that are not|which are not|that cannot be|which cannot be|not|are not|cannot be|that are neither) <keeps>',
      ([one]) => negated(one),
    ),
    rule('omission = OMITTING ANYOF? <keeps>', ([keeps]) => only(negated(keeps))),
    rule('omission = OMITTING (the|number|the number|all|all the|any)? <number:plain>', ([n]) => withoutThese([n])),
    rule('omission = OMITTING (the|numbers|the numbers)? <number:plain> and the? <number:plain>', (both) =>
      withoutThese(both),
    ),
    rule(
      'omission = OMITTING the? <aggregate:extreme> (one|number|value|score|figure|of them|of these|grade|mark|price)?',
      ([name]) => withoutUtmost(name),
    ),
    rule(
      'omission = OMITTING the? <aggregate:extreme> and the? <aggregate:extreme> (one|ones|number|numbers|value|values|score|scores)?',
      ([one, other]) =>
        (all: List) => {
          const rest = one === other ? undefined : withoutUtmost(one)(all);
          return rest && withoutUtmost(other)(rest);
        },
    ),
    rule(
      'omission = OMITTING the? <ordinal> (one|number|value|score|of them|figure)?',
      ([at]) =>
        (all: List) =>
          withoutPlace(all, at < 0 ? all.items.length + at : at - 1),
    ),
    rule(
      'omission = (but|and|,)? (only|just|only count|counting only|count only|taking only|only take|only use|using only) (the|those|the ones|numbers|the numbers)? <keeps>',
      ([keeps]) => only(keeps),
    ),
    rule(
      'chosen = <list:several> ,? <omission>',
      '#21 <omission> ,? (of|in|from|among|for|:)? (these|the numbers|these numbers)? :? <list:several>',
      ([all, omit]) => omit(all),
    ),
    rule('list = <chosen>'),
    rule('request -0.02 = NAMETHEM <chosen>', ([all]) => listed(all)),
    rule('series = <series> ,? <omission>', ([all, omit]) => omit(all)),
    rule('series = <series> <keeps>', ([all, keeps]) => kept(all, keeps)),
    rule('series = (the|all|all the)? <sort> <keeps> <limits>', ([kind, keeps, [a, b]]) => {
      const all = range(a, b, kind);
      return all && kept(all, keeps);
    }),
    rule(
      'request = (how many|the number of|number of|count how many|how many of the) <series> (are there|there are)? ENDSIGN?',
      ([all]) => listed(all, 'count'),
    ),
    rule(
      'request = (how many|the number of|number of|count how many) <sort> (are there|are|there are) <limits> inclusive?',
      ([kind, [a, b]]) => listed(range(a, b, kind), 'count'),
    ),
  ],
};
