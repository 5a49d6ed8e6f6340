import type { Rule } from './rule.ts';

/** All rules of our own, in the order of precedence: where two want the same words, the first has them. */
export const RULES: readonly Rule[] = [];
