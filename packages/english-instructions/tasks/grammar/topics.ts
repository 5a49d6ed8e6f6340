import type { Domain } from '../../language/grammar.ts';
import type { Num } from './number.ts';
import { rulesOf } from './rules.ts';
import { isThing } from './times.ts';

/** So much of a thing: "30 eggs", "500 g", "2 kg of rice". */
export interface Goods {
  readonly n: Num;
  readonly thing: string;
}

export const singular = (text: string): string =>
  text
    .toLowerCase()
    .replace(/ves$/, 'f')
    .replace(/(?<=[^s])s$/, '')
    .replace(/(?<=(?:x|ch|sh|ss))e$/, '');

/** Words that do something to a number, or say who does; one letter may be an unknown. */
const NO_TOPIC = new Set(
  `i we you he she they it me us and or buy buys bought need want get got have has had take took sell sold paid spend spent
give gave eat ate order ordered make add plus minus times less subtract divide multiply total sum double twice triple halve half
square squared cube cubed root round rounded average mean median max min percent percentage factorial count convert split share
until till of in on at to for from by with per put remove delete sort reverse next last first then if appear appears occur occurs`.split(
    /\s+/,
  ),
);
const isTopic = (text: string): boolean => text.length > 1 && isThing(text) && !NO_TOPIC.has(text.toLowerCase());

const rule = rulesOf<{ goods: Goods }>();

/** What amounts are of. */
export const TOPICS: Domain = {
  rules: [
    rule('goods = <number:whole>', '<number:unit>', ([n]) => ({ n, thing: '' })),
    rule(
      'goods -0.05 = <number:whole> <topic>',
      '<number:whole> <topic> of <literal>',
      '<number:unit> of? <topic>',
      ([n, thing]) => ({ n, thing }),
    ),
    rule('topic = <literal>', ([text]) => (isTopic(text) ? text : undefined)),
    rule('topic = <literal> <literal>', ([one, other]) =>
      isTopic(one) && isTopic(other) ? `${one} ${other}` : undefined,
    ),
  ],
};
