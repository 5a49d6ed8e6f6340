import type { Domain } from '../../language/grammar.ts';
import { LEVEL, type Num, numeral, operation, product, sum, within } from './number.ts';
import { part } from './percentages.ts';
import { rulesOf } from './rules.ts';
import { each } from './text-words.ts';

type Sign = '+' | '-';
const grown = (of: Num, rate: Num, times: Num, sign: Sign = '+'): Num =>
  product(of, '*', operation(LEVEL.power, 'number', `(1 ${sign} ${rate.expr})^${within(times, LEVEL.atom)}`, of, rate));

const rule = rulesOf<{ changing: Sign; repeats: number; growth: { readonly of: Num; readonly rate: Num } }>();

/** Amounts that grow by a share again and again: interest, and changes that are repeated. */
export const GROWTH: Domain = {
  lexicon: {
    COMPOUNDED: each(
      ',|',
      'compound|compounded|compounded annually|compounded yearly|compound interest|compounded once a year|per year|a year|yearly|annually|compounding annually|compounding',
    ),
  },
  rules: [
    rule('number = <changing> <number:terms> by <number:share> (each time)? <repeats>', ([sign, n, share, times]) =>
      grown(n, share, numeral(times), sign),
    ),
    // Growth.
    rule(
      'growth = <number:terms> (at|with|@) (a|an)? <number:share> (interest|annual interest|interest rate|a year|per year|per annum|p.a.|growth|yearly interest|annual growth)? COMPOUNDED?',
      ([of, rate]) => ({ of, rate }),
    ),
    rule('growth = (i|we)? (invest|put|deposit|save|put in|have)? <growth>'),
    rule(
      'number = <growth> (for|over|after|in) <number:whole> years COMPOUNDED?',
      '<growth> (for|over|after|in) <number:whole> years COMPOUNDED? SEP? (what is|whats)? the? (final amount|end amount|final balance|final value|total)',
      '<growth> SEP (how much|what) (do|will|would) (i|we) (have|get|own|end up with) (after|in) <number:whole> years',
      ([{ of, rate }, n]) => grown(of, rate, n),
    ),
    rule(
      'number = (the|what is the)? compound interest (on|for|of)? <number:terms> (at|with) <number:share> (a year|per year|annually|yearly|interest)? (for|over|after|in) <number:whole> years COMPOUNDED?',
      '#213 <number:share> compound interest (on|for) <number:terms> (for|over|after|in) <number:whole> years COMPOUNDED?',
      ([of, rate, n]) => sum(grown(of, rate, n), '-', of),
    ),
    rule(
      'number = compound interest (on|for|of|:)? <number:terms> (at|with) <number:share> (a year|per year|annually|yearly|interest)? (for|over|after|in) <number:whole> years COMPOUNDED? SEP? (how much|what) (do|will|would) (i|we) (have|get|own|end up with) (in the end|then|at the end)?',
      ([of, rate, n]) => grown(of, rate, n),
    ),
    rule(
      'number = the? interest (on|for) <number:terms> at <number:share> (for|over|after|in) (1|one|a) year',
      ([n, rate]) => part(rate, n),
    ),
    rule(
      'number = <number:share> simple interest (on|for) <number:terms> (for|over|after|in) <number:whole> years',
      '#213 (the|what is the)? simple interest (on|for|of|:)? <number:terms> (at|with|,)? <number:share> (a year|per year|annually|yearly|interest)? (for|over|after|in|,)? <number:whole> years',
      ([rate, of, n]) => product(part(rate, of), '*', n),
    ),
  ],
};
