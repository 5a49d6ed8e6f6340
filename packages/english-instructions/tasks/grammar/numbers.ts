import type { Domain, Recognizer } from '../../language/grammar.ts';
import { figureOf, scaleOf, spelledAt } from '../../language/numerals.ts';
import {
  call,
  LEVEL,
  type List,
  list,
  type Num,
  numeral,
  operation,
  phrase,
  power,
  product,
  sum,
  within,
} from './number.ts';
import { numberList } from './number-list.ts';
import { rulesOf } from './rules.ts';
import { each } from './text-words.ts';

const listOf = (numbers: readonly string[]): List =>
  list(
    numbers.map((one) => numeral(one)),
    false,
  );
const numbersIn = (json: string): List => {
  const all: unknown = JSON.parse(json);
  return listOf(Array.isArray(all) && all.every((one) => typeof one === 'number') ? all.map(String) : []);
};

const tidy = (value: number): string => String(Number(value.toPrecision(15)));

/** Numbers in figures and words, with "k", "million" and mixed fractions; lists such as "1,2,3" and "1 2 3". */
const recognize: Recognizer = (tokens, add) => {
  const words = tokens.map(({ kind, lower }) => (kind === 'word' ? lower : ''));
  for (const [index, token] of tokens.entries()) {
    const pasted = token.kind === 'data' ? numberList(token.text) : undefined;
    if (pasted?.includes(',')) add('list', index, index + 1, listOf(pasted.split(', ')));
    if (token.kind === 'json') add('list', index, index + 1, numbersIn(token.text));
    if (token.kind === 'reference')
      add('number', index, index + 1, { ...numeral(`(${token.text.replaceAll(' ', '')})`, 'any'), plain: undefined });
    if (token.kind === 'word') {
      const spelled = spelledAt(words, index);
      if (spelled !== undefined && words[spelled.to - 1] === 'dozen' && spelled.to > index + 1)
        add('dozens', index, spelled.to, numeral(tidy(spelled.value / 12)));
      const decimals = spelled === undefined || words[spelled.to] !== 'point' ? '' : digitsAt(words, spelled.to + 1);
      if (spelled !== undefined && decimals !== '')
        add('number', index, spelled.to + 1 + decimals.length, {
          ...numeral(`${spelled.value}.${decimals}`),
          spelled: true,
        });
      if (spelled !== undefined && words[index - 1] !== 'hundred')
        add('number', index, spelled.to, { ...numeral(spelled.value), spelled: true });
    }
    if (token.kind !== 'number') continue;
    const figure = figureOf(token.text);
    const next = tokens[index + 1];
    if (figure !== undefined) {
      add('number', index, index + 1, numeral(figure.text), figure.unsure ? -1 : 0);
      const by =
        next === undefined
          ? undefined
          : next.spaced
            ? scaleOf(next.lower)
            : ({ k: 1e3, K: 1e3, M: 1e6 } as Record<string, number>)[next.text];
      if (next?.lower.startsWith('dozen') === true) add('dozens', index, index + 2, numeral(figure.text));
      if (by !== undefined) add('number', index, index + 2, numeral(tidy(Number(figure.text) * by)), 0.1);
      const [, above, slash, below] = tokens.slice(index, index + 4);
      if (above?.kind === 'number' && above.spaced && slash?.text === '/' && !slash.spaced && below?.kind === 'number')
        add(
          'number',
          index,
          index + 4,
          {
            ...numeral(Number(figure.text) + Number(above.text) / Number(below.text)),
            expr: `(${figure.text} + ${above.text}/${below.text})`,
            said: `${figure.text} ${above.text}/${below.text}`,
          },
          0.1,
        );
    }
    // "3/4 cup"
    const [, over, part] = tokens.slice(index, index + 3);
    if (over?.text === '/' && !over.spaced && part?.kind === 'number' && !part.spaced && Number(part.text) > 0) {
      const fraction = `${token.text}/${part.text}`;
      // Without blanks it is one number before anything is divided by it.
      if (figure !== undefined && tokens[index + 3]?.text !== '/')
        add('number', index, index + 3, product(numeral(figure.text), '/', numeral(part.text)), 0.03);
      add('share-of-one', index, index + 3, {
        ...numeral(Number(token.text) / Number(part.text)),
        expr: `(${fraction})`,
        said: fraction,
      });
    }
    if (/^\d+(?:,\d+)+$/.test(token.text) && !/^\d{1,3},\d{3}$/.test(token.text))
      add('list', index, index + 1, list(token.text.split(',').map((one) => numeral(one))), -0.5);
    let end = index;
    while (tokens[end]?.kind === 'number' && (end === index || tokens[end]?.spaced)) end++;
    if (end > index + 1 && tokens[index - 1]?.kind !== 'number')
      add('list', index, end, list(tokens.slice(index, end).map(({ text }) => numeral(text))), -0.5);
  }
};

const DIGITS = 'zero one two three four five six seven eight nine'.split(' ');
function digitsAt(words: readonly string[], from: number): string {
  let said = '';
  for (let at = from; DIGITS.includes(words[at] as string); at++) said += DIGITS.indexOf(words[at] as string);
  return said;
}

const times = (by: number, of: Num): Num =>
  by < 1 ? product(of, '/', numeral(1 / by)) : product(numeral(by), '*', of);
/** "Biggest minus smallest" is a difference. */
const AGGREGATED = /^(?:sum|mean|median|mode|max|min|prod|std|variance)\(/;
const isReference = ({ kind }: Num): boolean => kind === 'any';

const rule = rulesOf<{
  'more-or-less': '+' | '-';
  'and-then': '+' | '-' | '*' | '/';
  magnitude: number;
  dozen: number;
  multiple: number;
}>();

/** Arithmetic in words and signs. */
export const NUMBERS: Domain = {
  lexicon: {
    SEP: each(',|.|;|:|-|–|—|?|!|...|…|', 'so|and|but|then|and so|and then').concat('|,|.|;|:|-|–|—|?|!|...|…'),
    WHATIS:
      "what is|what's|whats|what was|what are|what would be|how much is|how much are|how much was|calculate|find|give me|work out|how many are|how big is|tell me",
    PLUS: '+|plus|added to',
    MINUS: '-|−|–|—|minus|less',
    NEGATIVE: '-|−|–|minus|negative',
    TIMES: '*|×|✕|·|∙|x|times|multiplied by|multiplied with',
    OVER: '/|÷|∕|divided by|over|split by',
    MOD: 'mod|modulo',
    OPEN: '(',
    CLOSE: ')',
    raise: { 'square|the square of|square of': 2, 'cube|the cube of|cube of': 3 },
    squared: { squared: 2, cubed: 3, '²': 2, '³': 3 },
    fold: {
      'double|twice|2x|double of|the double of': 2,
      'triple|treble|three times|thrice': 3,
      quadruple: 4,
      'halve|half|half of': 0.5,
    },
    fraction: {
      'half|halves': 2,
      'third|thirds': 3,
      'quarter|quarters|fourth|fourths': 4,
      'fifth|fifths': 5,
      'sixth|sixths': 6,
      'eighth|eighths': 8,
      'tenth|tenths': 10,
      hundredth: 100,
    },
    function: {
      'square root|sqrt|√|root': 'sqrt',
      'cube root|cubic root|third root|cbrt': 'cbrt',
      'natural log|natural logarithm|ln': 'ln',
      'log|logarithm|common logarithm|log10|log 10': 'log10',
      'log2|binary logarithm': 'log2',
      'sine|sin': 'sin',
      'cosine|cos': 'cos',
      'tangent|tan': 'tan',
      'asin|arcsine': 'asin',
      'acos|arccosine': 'acos',
      'atan|arctangent': 'atan',
      'absolute value|abs': 'abs',
      exp: 'exp',
      floor: 'floor',
      'ceil|ceiling': 'ceil',
    },
    dozen: { 'dozens|dozen': 12, 'pairs|pair': 2, 'half dozens': 6, 'scores|score': 20, gross: 144 },
    multiple: { fives: 5, sixes: 6, sevens: 7, eights: 8, nines: 9, tens: 10, hundreds: 100, thousands: 1000 },
    magnitude: {
      hundred: 100,
      thousand: 1e3,
      million: 1e6,
      billion: 1e9,
      trillion: 1e12,
      'lakh|lakhs|lac': 1e5,
      'crore|crores': 1e7,
      dozen: 12,
    },
    FACTORIAL: 'factorial|!',
    constant: { pi: 'pi', π: 'pi', e: 'e' },
    'and-then': {
      'add|plus': '+',
      'subtract|take away|deduct|minus': '-',
      'multiply by|multiply it by|multiply that by|times': '*',
      'divide by|divide it by|divide that by': '/',
    },
    IT: 'it|that|this|them|these|those|the result|the answer|the total|the sum|the number|the output|the value|the last result|the previous result|the outcome|the rest|what is left|what remains|the difference|the product',
  },
  recognize,
  tests: {
    score: (by: number) => by === 20,
    'whole-times': (by: number) => by > 1,
    any: isReference,
    atom: ({ level }: Num) => level === LEVEL.atom,
    power: ({ level }: Num) => level <= LEVEL.power,
    factor: ({ level }: Num) => level <= LEVEL.of,
    term: ({ level }: Num) => level <= LEVEL.product,
    terms: ({ level }: Num) => level <= LEVEL.sum,
    sum: ({ level }: Num) => level === LEVEL.sum,
    plain: ({ plain, ops, kind }: Num) => plain !== undefined && ops === 0 && kind === 'number',
    whole: ({ plain, kind }: Num) => kind === 'number' && plain !== undefined && Number.isSafeInteger(plain),
    share: ({ kind }: Num) => kind === 'percent',
    amount: ({ kind }: Num) => kind !== 'percent',
    several: ({ items }: List) => items.length > 1,
    open: ({ open }: List) => open,
  },
  rules: [
    rule('number = <constant>', ([name]) => ({ ...numeral(name), plain: undefined })),
    rule('number = IT', (_, { it, after }) =>
      it === undefined
        ? undefined
        : { ...numeral(`({{${it}}})`, after === 'time' ? 'moment' : 'any'), plain: undefined },
    ),
    rule('number = OPEN <number> CLOSE', ([n]) => ({ ...n, expr: `(${n.expr})`, level: LEVEL.atom })),
    rule('number -0.1 = the (number|value|amount|result|sum|price)? of? <number:atom>', ([n]) =>
      n.kind === 'any' ? undefined : n,
    ),
    rule('number -0.1 = NEGATIVE <number:factor>', ([n]) =>
      n.expr.startsWith('-') || AGGREGATED.test(n.expr)
        ? undefined
        : {
            ...n,
            expr: `-${within(n, LEVEL.power)}`,
            level: LEVEL.of,
            plain: n.plain === undefined ? undefined : -n.plain,
            said: n.said && `-${n.said}`,
          },
    ),
    rule('number = <number:terms> PLUS <number:term>', ([a, b]) => sum(a, '+', b)),
    rule(
      'number = <number:terms> MINUS <number:term>',
      '#21 (subtract|take|deduct|take away|take off|remove) <number:share> (away|off)? (from|off|of) <number:terms>',
      ([a, b]) => sum(a, '-', b),
    ),
    rule(
      'number = <number:term> TIMES <number:factor>',
      '<number:factor> times as (much|many|big|large|high) as <number:factor>',
      ([a, b]) => product(a, '*', b),
    ),
    rule('number = <number:term> OVER <number:factor>', '<number:term> out of <number:factor>', ([a, b]) =>
      product(a, '/', b),
    ),
    rule('number = <number:term> MOD <number:factor>', ([a, b]) => product(a, 'mod', b)),
    rule(
      'number = <number:atom> (^|**|to the power of|raised to the power of|raised to) <number:factor>',
      'raise <number:atom> to the power? of? <number:factor>',
      ([a, b]) => power(a, within(b, LEVEL.of)),
    ),
    rule('number = <number:plain> % <number:plain>', ([a, b]) =>
      (b.plain as number) > 0 ? product(a, 'mod', b) : undefined,
    ),
    rule('number = <number:atom> to the <ordinal> power?', 'raise <number:atom> to the <ordinal> power?', ([a, n]) =>
      power(a, n),
    ),
    rule('number -0.1 = <number:atom> to the (power|power of)? <number:whole>', ([a, n]) =>
      a.unit === undefined && n.expr !== '0' ? power(a, n.expr) : undefined,
    ),
    rule('number = <number:power> <squared>', ([n, by]) => power(n, by)),
    rule('number = <raise> <number:factor>', ([by, n]) =>
      n.unit === undefined && !/^\w*rt\(/.test(n.expr) ? power(n, by) : undefined,
    ),
    rule('number = <number:atom> FACTORIAL', 'the? factorial of <number:atom>', ([n]) =>
      operation(LEVEL.power, 'number', `${n.expr}!`, n),
    ),
    rule(
      'number = <number:whole> choose <number:whole>',
      '#21 (how many|the number of|number of)? (combinations|ways) (of|to choose|to pick|to select) <number:whole> (people|items|cards|numbers|things)? (from|out of|of) <number:whole>',
      ([a, b]) => operation(LEVEL.product, 'number', `${a.expr}! / (${b.expr}! * (${a.expr} - ${b.expr})!)`, a, b),
    ),
    rule('number = the? <function> of? the? <number:factor>', ([name, n]) => call(name, n)),
    rule('number = the? <function> of? <number:sum>', ([name, n]) =>
      n.expr.startsWith('(') ? undefined : call(name, n),
    ),
    rule('number = the? <ordinal> root of <number:factor>', ([by, n]) => call('nthRoot', n, numeral(by))),
    rule('number = the? (log|logarithm) base <number:atom> of <number:factor>', ([by, n]) => call('log', n, by)),
    rule('number = <fold> <number:factor>', '<fold> as (much|many|big|large|high) as <number:factor>', ([by, n]) =>
      times(by, n),
    ),
    rule('number = <fold:whole-times> <number:sum>', ([by, n]) => (n.expr.startsWith('(') ? undefined : times(by, n))),
    rule('number = (a|one)? <fraction> of the? <number:factor>', ([by, n]) => ({
      ...product(n, '/', numeral(by)),
      level: LEVEL.of,
    })),
    rule('number = <number:whole> -? <fraction> of the? <number:factor>', ([a, by, n]) =>
      a.plain === 1 ? undefined : { ...product(product(n, '*', a), '/', numeral(by)), level: LEVEL.of },
    ),
    rule('number = <number:term> of <number:factor>', ([a, n]) =>
      /^\d+ \/ \d+$/.test(a.expr) ? { ...product(a, '*', n), level: LEVEL.of } : undefined,
    ),
    rule('number 0.05 = (half a|one half of a) <magnitude>', ([by]) => numeral(by / 2)),
    rule('number -0.05 = <number:whole> (dozen|dozens)', ([n]) =>
      n.plain === 12 ? product(n, '*', numeral(12)) : undefined,
    ),
    rule('number = (a|one)? <dozen> and a half', ([of]) => product(numeral(of), '*', numeral(1.5))),
    rule('number -0.2 = (a|one) <dozen>', ([of]) => numeral(of)),
    rule('number -0.2 = (a|one) <fraction>', ([by]) => ({ ...numeral(1 / by), expr: `(1/${by})` })),
    rule('number = <number:whole> <dozen:score> and? <number:whole>?', ([n, by, more]) => {
      const all = product(n, '*', numeral(by));
      return more === undefined ? all : phrase(sum(all, '+', more));
    }),
    rule('number -0.2 = <number:whole> <fraction>', ([n, by]) =>
      n.spelled === true && (n.plain as number) > 1 && (n.plain as number) < by
        ? product(n, '/', numeral(by))
        : undefined,
    ),
    rule('number = <number:whole> and a <fraction>', ([n, by]) => ({
      ...numeral((n.plain as number) + 1 / by),
      expr: `(${n.expr} + 1/${by})`,
    })),
    // Verbs.
    rule('number = add <number:share> (to|on|onto|on top of) <number:terms>', ([a, b]) => sum(b, '+', a)),
    rule(
      'number = (how much|what|how much money) (is|do i have|do we have|remains|will i have|would i have)? (left|left over|remaining)? (of|from|out of) <number:terms> (after|when|if|once) (i|we)? (spending|spend|spent|paying|pay|using|use|taking|take|taking away|deducting) <list:several>',
      ([a, { items }]) => items.reduce<Num | undefined>((rest, one) => rest && sum(rest, '-', one), a),
    ),
    rule('number = add <number:amount> (to|with) <number:terms>', ([a, b]) => phrase(sum(b, '+', a))),
    rule(
      'number = (subtract|take|deduct|take away|remove|minus) <number:amount> (away|off)? from <number:terms>',
      ([a, b]) => phrase(sum(b, '-', a)),
    ),
    // A quarter off is a part of the price.
    rule('number = (take|knock|get|shave)? <number:amount> off of? <number:terms>', ([a, b]) =>
      /^\(1\/\d+\)$/.test(a.expr) ? undefined : phrase(sum(b, '-', a)),
    ),
    rule('number = (take|knock|get|shave)? (a|one)? <fraction> off of? <number:terms>', ([by, n]) =>
      phrase(product(product(n, '*', numeral(by - 1)), '/', numeral(by))),
    ),
    rule('number = multiply <number:terms> (by|with|and|times) <number:terms>', ([a, b]) => phrase(product(a, '*', b))),
    rule('number 0.1 = the (result|sum|value|answer|quotient|outcome) of <number:sum>', ([n]) => ({
      ...n,
      expr: `(${n.expr})`,
      level: LEVEL.atom,
    })),
    rule('number -0.03 = <number> and? <and-then> <number:factor>', ([n, sign, by]) =>
      phrase(sign === '+' || sign === '-' ? sum(n, sign, by) : product(n, sign, by)),
    ),
    rule(
      'number = (sum|add|add up|total|the sum|sum up) of? (all|all the|the)? digits (of|in) (the number)? <number:whole>',
      ([n]) =>
        /^\d{2,30}$/.test(n.expr) ? phrase(operation(LEVEL.sum, 'number', n.expr.split('').join(' + '), n)) : undefined,
    ),
    rule('number = multiply? <number:terms> (by|times|multiplied by) itself', ([a]) => phrase(power(a, 2))),
    rule(
      'number = divide <number:terms> by <number:terms>',
      'divide <number:terms> into <number:terms> (parts|equal parts|ways)?',
      '#21 how (many times|often) (does|do|will|can) <number:terms> (go|fit) (into|in) <number:terms>',
      ([a, b]) => phrase(product(a, '/', b)),
    ),
    rule('number = how many times (as)? <more-or-less> (is|are) <number:terms> than <number:terms>', ([sign, a, b]) =>
      phrase(sign === '+' ? product(a, '/', b) : product(b, '/', a)),
    ),
    // Only of a multiple: of another number it may be how often the digit occurs.
    rule("number -0.1 = how many <number:whole> (s|'s)? (are|are there|go|fit)? (in|into) <number:whole>", ([by, n]) =>
      (by.plain as number) > 1 && (n.plain as number) % (by.plain as number) === 0 ? product(n, '/', by) : undefined,
    ),
    rule(
      'number = (how many|what number of) <dozen> (are|are there|is|is that|go|fit)? (in|into|of|make|makes|make up) <number:whole>',
      ([of, n]) => phrase(product(n, '/', numeral(of))),
    ),
    rule('number = <number:whole> <multiple>', ([n, by]) => product(n, '*', numeral(by))),
    rule(
      'number = the? (temperature|price)? (change|difference|rise) from <number:terms> to <number:terms>',
      ([a, b]) => {
        const less = sum(b, '-', a);
        return less && phrase(less);
      },
    ),
    rule('number -0.1 = (the sum|the total|sum|total|add|add up|sum up) :? <number:sum>', ([n]) => phrase(n)),
  ],
};
