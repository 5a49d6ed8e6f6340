import { rulesOf as typed } from '../../language/grammar.ts';
import type { Case } from '../text/case.ts';
import type { Counted } from '../text/count.ts';
import type { Action, Part } from '../text/parts.ts';
import type { List, Num } from './number.ts';
import type { Order, Parts, Source, Test } from './selecting.ts';
import type { Free, Moment, Setting } from './setting.ts';

/** The values of the types that several domains use. */
interface Shared
  extends Record<'number', Num>,
    Record<'source' | 'place' | 'lot' | 'listing' | 'wording' | 'text-said' | 'coded', Source>,
    Record<'parts' | 'matches', Parts>,
    Record<`${'' | 'not-' | 'late-' | 'blank-' | 'number-' | 'valued-'}test`, Test>,
    Record<'ordinal' | 'valued' | 'fraction' | 'fold' | 'raise' | 'squared' | 'shift' | 'many' | 'some', number> {
  readonly '…': Free;
  readonly list: List;
  readonly mapped: List;
  readonly date: Moment;
  readonly part: Part;
  readonly parity: 'even' | 'odd';
  readonly rank: readonly [Order, number];
  readonly enclosure: readonly [string, string];
  readonly names: readonly string[];
  readonly change: Action;
  readonly case: Case;
  readonly countable: Counted;
}

/** Rules of one domain, with the values of its own types. */
export const rulesOf = <Own = object>() => typed<Omit<Shared, keyof Own> & Own, Setting>();
export const rule = rulesOf();
