import type { Domain } from '../../language/grammar.ts';
import { LEVEL, type Num, numeral, operation, product, sum, within } from './number.ts';
import { part } from './percentages.ts';
import { rulesOf } from './rules.ts';
import { each } from './text-words.ts';

type Sign = '+' | '-';
interface Loan {
  readonly of: Num;
  readonly rate: Num;
  readonly years: Num;
}
/** What is paid each month so that a loan with its interest is paid off: the annuity. */
function annuity({ of, rate, years }: Loan): Num | undefined {
  if (rate.plain === undefined || rate.plain <= 0) return undefined;
  const monthly = `(${Number((rate.plain / 100).toPrecision(12))} / 12)`;
  const months = years.plain === undefined ? years.expr.replace(/ \/ 12$/, '') : String(years.plain * 12);
  const expr = `${within(of, LEVEL.product)} * ${monthly} / (1 - (1 + ${monthly})^(-${months}))`;
  return operation(LEVEL.product, of.kind, expr, of, rate);
}
interface Growth {
  readonly of: Num;
  readonly rate: Num;
  readonly sign?: Sign;
}
const grown = (of: Num, rate: Num, times: Num, sign: Sign = '+'): Num =>
  product(of, '*', operation(LEVEL.power, 'number', `(1 ${sign} ${rate.expr})^${within(times, LEVEL.atom)}`, of, rate));

const rule = rulesOf<{
  changing: Sign;
  repeats: number;
  growth: Growth;
  rising: Sign;
  'told-price': Num;
  years: Num;
  loan: Loan;
}>();

/** Amounts that grow by a share again and again: interest, and changes that are repeated. */
export const GROWTH: Domain = {
  lexicon: {
    rising: {
      'increased|raised|grown|up|goes up|went up|is going up|rises|rose|increases|will go up|will rise|grows|grew|gets|got|growing|increasing|rising|gaining|gains|gained|appreciating|is increased|is raised|was raised|was increased|has gone up|put up|marked up|will increase':
        '+',
      'decreased|reduced|lowered|down|goes down|went down|is going down|falls|fell|decreases|drops|dropped|will go down|cut|is cut|is reduced|was reduced|was cut|discounted|marked down|knocked down|has gone down|will drop|will fall|shrinks|shrank|loses|lost|is discounted|falling|losing|dropping|shrinking|decreasing|declining|declines|declined|depreciating|depreciates':
        '-',
    },
    LOAN: 'loan|mortgage|car loan|home loan|credit|bank loan|student loan|personal loan',
    INSTALMENT:
      'monthly payment|monthly payments|monthly repayment|monthly repayments|monthly instalment|monthly installment|monthly instalments|monthly installments|payment per month|payments per month|repayment per month|monthly rate|a month|per month|each month|monthly|do i pay a month|do i pay per month|do i pay each month|do i pay monthly|would i pay a month|would i pay per month|is it per month|is that per month|is that a month|every month|is it a month|monthly cost',
    YEARLY:
      'a year|per year|each year|every year|yearly|annually|per annum|p.a.|interest|annual interest|interest rate|yearly interest|growth|annual growth|apr',
    COMPOUNDED: each(
      ',|',
      'compound|compounded|compounded annually|compounded yearly|compound interest|compounded once a year|per year|a year|yearly|annually|compounding annually|compounding',
    ),
  },
  rules: [
    rule('number = <changing> <number:terms> by <number:share> (each time)? <repeats>', ([sign, n, share, times]) =>
      grown(n, share, numeral(times), sign),
    ),
    // A price that is told, and how it changed.
    rule(
      'told-price = (my|the|a|an|this|that|our|his|her|their)? <topic> (was|is|cost|costs|were|are|used to be|used to cost|normally costs|usually costs|is normally|of|at|for|with|has|had|have|comes to|came to|worth|is worth)? (now|currently)? <number:terms>',
      '-0.1 = (my|the|a|an|this|that|our|his|her|their)? <topic> (of|with|has|had|have) <number:whole> <topic>',
      ([, n, thing]) => (n.kind === 'percent' ? undefined : thing === undefined ? n : { ...n, thing }),
    ),
    // Growth.
    rule(
      'growth = <number:terms> (at|with|@) (a|an)? <number:share> YEARLY? COMPOUNDED?',
      '0.1 = <number:terms> (in savings|in the bank|in a savings account|saved|invested|in an account) (at|with|@) (a|an)? <number:share> YEARLY? COMPOUNDED?',
      ([of, rate]) => ({ of, rate }),
    ),
    rule(
      'growth = <number:terms> (that|which|and|,)? <rising> (by|at)? <number:share> YEARLY',
      '<told-price> SEP? (it|that|which)? <rising> (by|at)? <number:share> YEARLY',
      ([of, sign, rate]): Growth => ({ of, rate, sign }),
    ),
    rule('growth = (i|we)? (invest|put|deposit|save|put in|have)? <growth>'),
    rule(
      'number = <growth> (for|over|after|in) <number:whole> years COMPOUNDED?',
      '<growth> SEP? WHATIS? (how much|how many|what)? (is|will|are)? (it|that|its|the|they|there)? (value|worth|total|balance|amount)? be? (worth|left|have)? (after|in) <number:whole> years ENDSIGN?',
      '<growth> SEP (how much|what) (do|will|would) (i|we) (have|get|own|end up with) (after|in) <number:whole> years',
      ([{ of, rate, sign }, n]) => grown(of, rate, n, sign),
    ),
    rule(
      'number = (the|what is the)? compound interest (on|for|of)? <number:terms> (at|with) <number:share> YEARLY? (for|over|after|in) <number:whole> years COMPOUNDED?',
      '#213 <number:share> compound interest (on|for) <number:terms> (for|over|after|in) <number:whole> years COMPOUNDED?',
      ([of, rate, n]) => sum(grown(of, rate, n), '-', of),
    ),
    rule('years = <number:time>', ([{ unit, plain }]) =>
      plain === undefined || unit === undefined || !/^(?:yr|mo)$/.test(unit.symbol)
        ? undefined
        : unit.symbol === 'yr'
          ? numeral(plain)
          : product(numeral(plain), '/', numeral(12)),
    ),
    rule(
      'loan = (a|the|my|if i take|if i borrow|i borrow|borrow|i take|take)? (a|out a)? LOAN of? <number:terms> SEP? (at|with|,)? <number:share> YEARLY? (over|for|in|,)? <years>',
      '#132 (a|the|my|if i take|i take|take)? (a|out a)? LOAN of? <number:terms> (over|for|,) <years> (at|with|,) <number:share> YEARLY?',
      '(a|the|my|on a)? <number:terms> LOAN SEP? (at|with|,)? <number:share> YEARLY? (over|for|in|,)? <years>',
      '(if)? (i|we|he|she|you)? (borrow|borrowed|take out|owe|borrowing) <number:terms> SEP? (at|with|,)? <number:share> YEARLY? (over|for|in|,)? <years>',
      ([of, rate, time]) => ({ of, rate, years: time }),
    ),
    rule(
      'number = <loan> SEP? WHATIS? (how much)? (the|my)? INSTALMENT (be)? ENDSIGN?',
      '(the|my)? INSTALMENT (on|for|of) <loan>',
      ([loan]) => annuity(loan),
    ),
    rule(
      'number = <number:share> simple interest (on|for) <number:terms> (for|over|after|in) <years>',
      '#213 (the|what is the)? simple interest (on|for|of|:)? <number:terms> (at|with|,)? <number:share> YEARLY? (for|over|after|in|,)? <years>',
      '#321 <years> (of|worth of)? simple interest (on|for) <number:terms> (at|with|,) <number:share> YEARLY?',
      '#312 interest (on|for|of) <number:terms> for <years> at <number:share> (a year|per year)? (simple|simple interest)',
      ([rate, of, n]) => product(part(rate, of), '*', n),
    ),
  ],
};
