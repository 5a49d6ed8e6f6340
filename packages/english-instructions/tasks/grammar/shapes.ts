import type { Domain } from '../../language/grammar.ts';
import { LEVEL, type Num, operation } from './number.ts';
import { rulesOf } from './rules.ts';

type Measure = 'area' | 'around' | 'volume' | 'surface';
/** What of a shape can be calculated. */
type Shape = Readonly<Partial<Record<Measure, Num>>>;

/** An operand of a formula. */
const side = ({ expr, ops, unit }: Num): string => (ops > 0 || unit !== undefined ? `(${expr})` : expr);
/** What is made of sides in the unit of the last, where the others have none; undefined for other mixtures. */
function inOneUnit<const T extends readonly Num[], R>(all: T, make: (...of: T) => R): R | undefined {
  const unit = all.at(-1)?.unit;
  const measured = (n: Num): Num => ({ ...n, expr: `${n.expr} ${unit?.math}`, unit, kind: unit?.kind ?? n.kind });
  if (all.some((n) => (n.unit ?? unit) !== n.unit && (n.ops > 0 || unit?.math === ''))) return undefined;
  if (all.some((n) => n.unit !== undefined && n.unit.kind !== unit?.kind)) return undefined;
  const sides = all.map((n) => (unit === undefined || n.unit !== undefined ? n : measured(n)));
  return make(...(sides as readonly Num[] as T));
}

/** A product of sides, in a power of their unit. */
const multiplied = (power: 2 | 3, factor: string, ...of: readonly Num[]): Num =>
  formula(`${factor}${of.map(side).join(' * ')}${inPower(power, of.at(-1))}`, ...of);
const inPower = (power: 2 | 3, of: Num | undefined): string =>
  of?.unit === undefined ? '' : ` to ${of.unit.math}^${power}`;
const formula = (expr: string, ...of: readonly Num[]): Num =>
  operation(LEVEL.product, of.some(({ unit }) => unit !== undefined) ? 'compound' : 'number', expr, ...of);

const circle = (r: Num): Shape => ({
  area: formula(`pi * ${side(r)}^2`, r),
  around: formula(`2 * pi * ${side(r)}`, r),
});
const sphere = (r: Num): Shape => ({
  volume: formula(`4/3 * pi * ${side(r)}^3`, r),
  surface: formula(`4 * pi * ${side(r)}^2`, r),
});
const rectangle = (a: Num, b: Num): Shape => ({
  area: multiplied(2, '', a, b),
  around: formula(`2 * (${a.expr} + ${b.expr})`, a, b),
});
const square = (a: Num): Shape => ({ area: formula(`${side(a)}^2`, a), around: formula(`4 * ${side(a)}`, a) });
const cube = (a: Num): Shape => ({ volume: formula(`${side(a)}^3`, a), surface: formula(`6 * ${side(a)}^2`, a) });
const box = (a: Num, b: Num, c: Num): Shape => ({ volume: multiplied(3, '', a, b, c) });

const rule = rulesOf<{ shape: Shape; measure: Measure; radius: Num }>();

/** Areas, lengths around and volumes of shapes. */
export const SHAPES: Domain = {
  lexicon: {
    measure: {
      'area|the area': 'area',
      'perimeter|the perimeter|circumference|the circumference': 'around',
      'volume|the volume|capacity': 'volume',
      'surface|surface area|the surface area|the surface': 'surface',
    },
    RADIUS: 'radius|a radius|the radius|radius of|a radius of|the radius of|radius =|r =|of radius',
    DIAMETER: 'diameter|a diameter|the diameter|diameter of|a diameter of|the diameter of|diameter =|of diameter',
    SIDED:
      'side|sides|side length|a side|sides of|side of|a side of|a side length of|edge|edges|edge length|of side|an edge of',
    HAVING: 'with|of|whose|having|that has|if the|when the|where the',
    RECTANGLE: 'rectangle|room|garden|floor|field|wall|plot|carpet|table|lawn|patio|rug|screen',
    BY: 'by|x|×|*|and',
  },
  rules: [
    rule('radius = RADIUS <number:atom>'),
    rule('radius = DIAMETER <number:atom>', ([d]) => ({ ...d, expr: `${side(d)}/2`, ops: 1 })),
    rule('shape = (a|the)? circle HAVING? <radius>', ([r]) => circle(r)),
    rule('shape = (a|the)? (sphere|ball) HAVING? <radius>', ([r]) => sphere(r)),
    rule('shape = (a|the)? square HAVING? SIDED? <number:atom>', ([a]) => square(a)),
    rule('shape = (a|the)? cube HAVING? SIDED? <number:atom>', ([a]) => cube(a)),
    rule(
      'shape = (a|the|my)? RECTANGLE (that is|of|with)? SIDED? <number:atom> BY <number:atom>',
      '(a|the|my)? <number:atom> BY <number:atom> RECTANGLE',
      '-0.1 = <number:atom> (by|x|×) <number:unit>',
      (all) => inOneUnit(all, rectangle),
    ),
    rule(
      'shape = (a|the|my)? (box|cuboid|room|tank|pool|container) (that is|of|with)? SIDED? <number:atom> BY <number:atom> BY <number:atom>',
      '(a|the|my)? <number:atom> BY <number:atom> BY <number:atom> (box|cuboid|room|tank|pool|container)',
      (all) => inOneUnit(all, box),
    ),
    rule(
      'shape = (a|the)? triangle HAVING? (a|the)? base of? <number:atom> (and|,)? (a|the)? height of? <number:atom>',
      (all) => inOneUnit(all, (b, h) => ({ area: multiplied(2, '1/2 * ', b, h) })),
    ),
    rule('shape = (a|the)? cylinder HAVING? <radius> (and|,) (a|the)? (height|length) of? <number:atom>', (all) =>
      inOneUnit(all, (r, h) => ({ volume: formula(`pi * ${side(r)}^2 * ${side(h)}${inPower(3, h)}`, r, h) })),
    ),
    rule('number = <measure> (of|for) <shape>', ([measure, shape]) => shape[measure]),
    rule(
      'number = the? hypotenuse (of|for|if|when)? (a|the)? (right triangle|right-angled triangle|triangle|right angled triangle)? HAVING? (the|two)? (sides|legs|sides are|legs are|catheti)? (of)? <number:atom> and <number:atom>',
      (all) => inOneUnit(all, (a, b) => operation(LEVEL.atom, b.kind, `sqrt(${side(a)}^2 + ${side(b)}^2)`, a, b)),
    ),
  ],
};
