import { LEVEL, type Num, numeral, product, sum, within } from './number.ts';

export const percent = (n: Num): Num => ({
  expr: `${within(n, LEVEL.atom)}%`,
  level: LEVEL.atom,
  ops: 0,
  kind: 'percent',
  plain: n.plain,
});
export const inPercent = (one: Num, other: Num): Num | undefined => {
  const ratio = product(one, '/', other);
  return ratio.kind === 'number' || one.kind === 'any' || other.kind === 'any' || one.kind === 'money'
    ? { ...product(ratio, '*', numeral(100)), kind: 'number', hundred: true }
    : undefined;
};
/** How much more or less something is than it was, in percent. */
export const change = (from: Num, to: Num): Num | undefined => {
  const rise = sum(to, '-', from);
  return rise && inPercent(rise, from);
};
/** The same where it is less. */
export const fallen = (from: Num, to: Num): Num | undefined => {
  const rise = change(from, to);
  return rise && { ...product(numeral(-1), '*', rise), hundred: true };
};
/** A share in percent. */
export const hundredth = (n: Num): Num => ({ ...product(n, '*', numeral(100)), hundred: true });
export const margin = (revenue: Num, cost: Num): Num | undefined => {
  const profit = sum(revenue, '-', cost);
  return profit && inPercent(profit, revenue);
};
const plain = (share: Num): number => (share.plain as number) / 100;
/** What an amount was before a share was added to it, or taken off. */
export const original = (of: Num, share: Num, sign: 1 | -1): Num =>
  product(of, '/', { ...numeral(Number((1 + sign * plain(share)).toPrecision(12))), ops: 1 });
/** A share of an amount. */
export const part = (share: Num, of: Num): Num => ({ ...product(share, '*', of), level: LEVEL.of });
