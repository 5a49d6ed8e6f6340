import type { Domain } from '../../language/grammar.ts';
import { LEVEL, type Num, operation, product } from './number.ts';
import { rulesOf } from './rules.ts';
import { conversions, type Measure } from './units.ts';

const _areaOf = (a: Num, b: Num): Num | undefined =>
  a.kind === 'length' && b.kind === 'length' && a.unit !== undefined
    ? operation(LEVEL.product, 'area', `${product(a, '*', b).expr} to ${a.unit.math}^2`, a, b)
    : undefined;

/** The length of speeds by their unit. */
const COVERED: Readonly<Record<string, string>> = { 'km/h': 'km', mph: 'mi', 'm/s': 'm' };
/** How far one gets at a speed in a time. */
function covered(speed: Num, time: Num): Num | undefined {
  const way = product(speed, '*', time);
  const to = COVERED[speed.unit?.symbol ?? ''];
  if (speed.kind !== 'speed') return undefined;
  return to === undefined ? way : operation(LEVEL.product, 'length', `${way.expr} to ${to}`, speed, time);
}

const rule = rulesOf<{ unit: Measure }>();

/** Speeds and times, amounts of one thing for each of another, and areas by their sides. */
export const SPEEDS: Domain = {
  lexicon: {
    HOWFAST:
      "what|how fast|what speed|how fast is that|what speed is that|what is the speed|what is the average speed|what is my speed|what was my speed|what was my average speed|average speed|avg speed|speed|how fast is it|what is its speed|what is its average speed|how fast is it going|what was the speed|how fast was it|how fast was that|whats the speed|what is the average speed|whats the average speed|how fast did i go|what's the speed|what's the average speed|what's my speed|what's my average speed|what's its speed|what was the average speed",
  },
  rules: [
    rule(
      'number = WHATIS? the? (average speed|speed|pace) (of|for|:|if i go|if i drive|if i do|when driving|doing|driving) <number:unit> in <number:time>',
      'how fast (is|was|is it|did i go for) <number:unit> in <number:time> ENDSIGN?',
      '(if i drive|i drove|i ran|i run|i walked|driving|we drove|car did|the car did|my car did|we did|i did|the train did)? <number:unit> in <number:time> SEP? (is|=)? HOWFAST ENDSIGN?',
      '-0.3 = #23 if? (a|the|my|our)? <topic> (goes|travels|drives|runs|moves|covers|flies|cycles|walks|went|drove|did|travelled|traveled) <number:unit> in <number:time> SEP? HOWFAST ENDSIGN?',
      ([a, b]) => (a.kind === 'length' ? product(a, '/', b) : undefined),
    ),
    // So much for each of another: "12 m2 per litre".
    rule(
      'request -0.1 = (a|an|the|my|our)? <topic>? (does|covers|gives|uses|gets|makes|do|needs|goes|runs|can do)? <number:measured> SEP? how many <unit> (for|to|to cover|do i need for|does it need for|will it need for|are needed for|to drive|for a|do we need for|will i need for|do i need to cover) <number:unit> ENDSIGN?',
      '#1243 (a|an|the|my|our)? <topic>? (does|covers|gives|uses|gets|makes|do|needs|goes|runs|can do)? <number:measured> SEP? <number:unit> SEP? how many <unit> (is that|do i need|does it need|will it need|are needed)? ENDSIGN?',
      ([, each, to, n]) =>
        each.kind === `${n.kind}/${to.unit.kind}` ? conversions([product(n, '/', each)], [to]) : undefined,
    ),
    // The sides of an area.
    rule(
      'number = #21 how far (do|can|will|would) (i|we|you|it|he|she) (get|go|drive|travel|run|walk|cycle|fly) in <number:time> (at|with|going|driving at|running at) <number:measured>',
      ([a, b]) => covered(a, b),
    ),
    rule('number = <number:measured> (for|over) <number:time>', ([a, b]) =>
      a.kind.includes('/') ? product(a, '*', b) : covered(a, b),
    ),
    rule(
      'number = (how long|how much time) (does it take|will it take|would it take|do i need)? to? (download|upload|transfer|copy|send|travel|drive|go|run|walk|cover|fly) <number:unit> (at|with) <number:measured>',
      ([a, b]) => {
        const time = product(a, '/', b);
        return operation(LEVEL.product, 'compound', `${time.expr} to ${a.kind === 'data size' ? 's' : 'h'}`, a, b);
      },
    ),
  ],
};
