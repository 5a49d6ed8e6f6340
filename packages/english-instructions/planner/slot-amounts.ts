import { TAXES } from '../tasks/words/currency.ts';
import type { Law, Slotted } from './slot-laws.ts';

const markOf = (bare: string, sign: string): string => new RegExp(`${sign}\\d+`).exec(bare)?.[0] ?? '';
const allOf = ({ bare, of }: Slotted, signs = 'A-Z'): readonly string[] =>
  [...bare.matchAll(new RegExp(`[${signs}]\\d+`, 'g'))].map(([mark]) => of(mark));
/** The plain instruction of the first pattern that is found, with the things that it finds. */
const phrased =
  (...ways: readonly (readonly [RegExp, string])[]) =>
  ({ bare, of }: Slotted): string | undefined => {
    for (const [pattern, said] of ways) {
      const marks = pattern.exec(bare);
      if (marks !== null) return said.replace(/\$(\d)/g, (_, n: string) => of(marks[Number(n)] ?? ''));
    }
    return undefined;
  };

const UNIT_ASKED =
  /\b(?:how many|how much|in|into|to|as) ((?:(?:us|uk|imperial|american) |Z\d+ )?U\d+|seconds?|minutes?|hours?|days?|weeks?|months?|years?)\b/;
/** An amount in the unit that is asked for. */
function converted({ bare, of }: Slotted): string | undefined {
  const [, unit = ''] = UNIT_ASKED.exec(bare) ?? [];
  const amount = markOf(bare, '[AL]');
  return unit === '' || amount === '' ? undefined : `${of(amount)} in ${unit.replace(/[UZ]\d+/g, of)}`;
}

const FORM =
  /\b(?:in |as |to |into |the |a |an )*(binary|hex(?:adecimal)?|octal|roman(?: numerals?| numbers?)?|words|decimal|scientific(?: notation)?|fraction)\b/;
const OF_FORM =
  /\b(?:forms?|formats?|notation|numbers?|numerals?|value|equivalent|representation|version|written|write|spell(?:ed)?|out|express(?:ed)?|convert(?:ed)?|turn|change|translate|represent|system|base|lowest terms|simplest form)\b/;
/** A number in another form. */
function formed({ bare, of, signs }: Slotted): string | undefined {
  const forms = [...bare.matchAll(new RegExp(FORM.source, 'g'))].map(([, name]) => name as string);
  const number = of(markOf(bare, '[NC]'));
  const [form, to, more] = forms;
  if (form === undefined || more !== undefined || signs.length !== 1) return undefined;
  if (form === 'fraction') return to === undefined ? `${number} as a fraction` : undefined;
  if (to === undefined) return /\bdecimal\b/.test(form) ? undefined : `${number} in ${form}`;
  const isOf = (name: string): boolean =>
    new RegExp(
      `\\b(?:${name} (?:numbers? |value |code )?N\\d|(?:this|the) ${name} (?:number|value|figure|code)|from ${name}\\b)`,
    ).test(bare);
  const [source, target] = isOf(form) === isOf(to) ? [] : isOf(form) ? [form, to] : [to, form];
  return source === undefined ? undefined : `${number} from ${source} to ${target}`;
}

const SHARE_ASKED =
  /\b(?:(?:by )?(?:what|which|how many|how much) (?:percentage|percent|per cent|%)|(?:as |in )(?:a |an )?(?:percentage|percent|per cent)|percentage|percent)\b/;
const SHARE_WORDS =
  /\b(?:more|less|higher|lower|bigger|larger|smaller|greater|than|fall|fell|drop|dropped|rise|rose|risen|grew|grow|grown|part|increased?|decreased?|change|changed|go|went|gone|down|up|by|of|out|from|points?|scored?|if|express|write|is|are|make|represent|part)\b/;
const SHARES: readonly (readonly [RegExp, string])[] = [
  [/\bfrom (N\d+)(?: up| down)? to (N\d+)/, 'percentage change from $1 to $2'],
  [/\b(?:more|higher|bigger|larger|greater) (?:is|are) (N\d+) than (N\d+)/, 'by what percentage is $1 more than $2'],
  [/\b(?:less|lower|smaller) (?:is|are) (N\d+) than (N\d+)/, 'by what percentage is $1 less than $2'],
  [/\bof (N\d+) (?:is|are) (N\d+)/, 'what percentage of $1 is $2'],
  [
    /(N\d+)(?: points| marks)?(?: is| are| makes?| represents?)?(?: out)? of (?:the |a total of )?(N\d+)/,
    'what percentage of $2 is $1',
  ],
];

const TAX = `(?:${TAXES})`;
const TAX_WORDS = new RegExp(
  `\\b(?:${TAX}|gross|net|amount|rate|included|includes?|including|incl|contained|contains|with|of|price|out|strip|remove|take|invoice|before|without|decimals?)\\b`,
);
/** A price with its tax, without it, or the tax alone, by which of them is asked for. */
function taxed({ bare, of }: Slotted, [asked]: RegExpExecArray): string | undefined {
  const [amount, share] = [of(markOf(bare, '[NM]')), of(markOf(bare, 'P'))];
  const told = bare.replace(asked, ' ');
  const isGross = /\b(?:gross|incl\w*|contain\w*)\b/.test(told);
  if (isGross === /\b(?:net|before)\b/.test(told))
    return isGross && /\bnet\b/.test(asked) ? `net of ${amount} including ${share} VAT` : undefined;
  if (/\bgross\b/.test(asked)) return isGross ? undefined : `${amount} plus ${share}`;
  if (/\bnet\b/.test(asked)) return isGross ? `net of ${amount} including ${share} VAT` : undefined;
  return isGross ? `${amount} including ${share} VAT, how much is the VAT` : `${share} of ${amount}`;
}

const AGGREGATES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:sum(?: up)?|total(?: up)?|add(?: up| together)?|tally(?: up)?)\b/, 'sum'],
  [/\b(?:mean|average(?: out)?)\b/, 'average'],
  [/\bmedian\b/, 'median'],
  [/\brange\b/, 'range'],
];
const AGGREGATED = new RegExp(AGGREGATES.map(([words]) => words.source).join('|'));
const NUMBERS_NAMED =
  /\b(?:(?:all|all of|of|in|the|these|those|my|our|up|out|together|for|above|below|following|mentioned|here|sentence|text|numbers?|figures|values|amounts|sums|are|is|list|from)\b ?)+/;
export const HIGHEST = 'highest|lowest|best|worst|biggest|smallest|largest|greatest|maximum|minimum';
/** Both ends of a list are left out. */
export const TRIMMED = new RegExp(
  `\\b(?:ignoring|without|excluding|leaving out|dropping|not counting) (?:the )?(?:${HIGHEST}) and (?:the )?(?:${HIGHEST})(?: ones?| values?)?\\b`,
);
const LISTED = /^[^A-Z]*(?:[A-Z]\d+(?:, (?:and |& )?|; | and | & | )?)+(?!.*[A-Z]\d)/;
const ALL_NAMED =
  /\b(?:numbers|amounts|figures|values|sums) (?:(?:that are )?(?:mentioned|given|named|found) )?(?:here|in|above|below|from)\b/;
/** What is calculated of all numbers of a message. */
function aggregated(slotted: Slotted): string | undefined {
  const { bare } = slotted;
  const names = AGGREGATES.filter(([words]) => words.test(bare)).map(([, name]) => name);
  const numbers = allOf(slotted);
  if (names.length !== 1 || !(LISTED.test(bare) || ALL_NAMED.test(bare))) return undefined;
  const trimmed = TRIMMED.exec(bare)?.[0];
  // Amounts are not years or numbers of things.
  if (/\bamounts\b/.test(bare) && !numbers.every((one) => /[.,]\d\d$|[^\d.,]/.test(one))) return undefined;
  return `${names[0]} of ${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}${trimmed === undefined ? '' : ` without the highest and the lowest`}`;
}

const SIGNS: readonly (readonly [RegExp, string])[] = [
  [/>|\b(?:more|greater|larger|bigger|higher) than\b|\babove\b|\bover\b/, '>'],
  [/<|\b(?:less|smaller|lower|fewer) than\b|\bbelow\b|\bunder\b/, '<'],
  [/=|\b(?:equals?(?: to)?|the same as)\b|\b(?:is|are|makes?)\b/, 'equal to'],
];
/** Whether what is said of two numbers is true. */
function compared({ bare, of }: Slotted): string | undefined {
  const [, a, link = '', b] = /([CN]\d+) (?:(?:is|are) )?([a-z<>= ]{1,20}) ([CN]\d+)/.exec(bare) ?? [];
  const [, sign] = SIGNS.find(([words]) => words.test(link)) ?? [];
  if (a === undefined || b === undefined || sign === undefined) return undefined;
  return `is ${of(a)} ${sign === '>' ? 'greater than' : sign === '<' ? 'less than' : sign} ${of(b)}`;
}

/** What is asked of numbers and amounts. */
export const AMOUNT_LAWS: readonly Law[] = [
  {
    signs: /^(?:AZ?U|UA|A)$/,
    asks: UNIT_ASKED,
    also: /\b(?:translate|convert|change|turn|express|equal|come|comes|come to|get)\b/,
    loose: true,
    says: converted,
  },
  {
    signs: /^LU?$/,
    asks: UNIT_ASKED,
    also: /\b(?:convert|change|turn|express|equal|come to|whole)\b/,
    says: converted,
  },
  {
    signs: /^R$/,
    asks: /\b(?:(?:what|which) (?:year|number)|(?:as|in|into|to) (?:an? )?(?:decimal|arabic|normal|ordinary)|the (?:year|number|value))\b/,
    also: /\b(?:stands? for|mean|numerals?|roman|number|convert|write|numbers)\b/,
    says: (slotted) => `what number is ${allOf(slotted)[0]}`,
  },
  { signs: /^[NC]$/, asks: FORM, also: OF_FORM, says: formed },
  { signs: /^NN$/, asks: SHARE_ASKED, also: SHARE_WORDS, loose: true, says: phrased(...SHARES) },
  {
    signs: /^[NM]P$|^P[NM]$/,
    asks: new RegExp(
      `\\b(?:how much|what(?:'s| is)?|give me|find|calculate)(?: is)?(?: the)? (?:gross|net|${TAX})(?: amount| price| sum| total)?\\b`,
    ),
    also: TAX_WORDS,
    says: taxed,
  },
  {
    signs: /^[NM]P$/,
    asks: /\b(?:how much|what) (?:do|does|will|would|must|should|did) (?:i|we|he|she|it|they|you) (?:pay|cost|have to pay)\b/,
    also: /\b(?:off|discount|reduced by|less|cheaper|there is|for|now)\b/,
    says: phrased([/([NM]\d+)[^A-Z]*(P\d+) (?:off|discount|cheaper)/, '$1 with $2 off']),
  },
  {
    signs: /^(?:N{2,}|M{2,}|A{2,})$/,
    asks: AGGREGATED,
    also: new RegExp(`${TRIMMED.source}|${NUMBERS_NAMED.source}`),
    loose: true,
    says: aggregated,
  },
  {
    signs: /^NN$/,
    asks: /\bquotient\b/,
    also: /\bdivision\b/,
    says: phrased([/\bof (N\d+) (?:and|by|over) (N\d+)/, '$1 / $2']),
  },
  {
    signs: /^NN$/,
    asks: /\b(?:make|add?(?: up)?|give|come to|add up to)\b/,
    also: /\b(?:together|altogether|combined|in total|up)\b/,
    says: phrased([/(N\d+) (?:and|plus) (N\d+)[^A-Z]*\b(?:together|combined|in total|up)\b/, '$1 + $2']),
  },
  {
    signs: /^C$/,
    asks: /\b(?:remainder|rest|left over)\b/,
    also: /\b(?:divided?|dividing|when|of)\b/,
    says: ({ of, bare }) => {
      const [, a, b] = /^([\d,]+) ?[/÷] ?([\d,]+)$/.exec(of(markOf(bare, 'C'))) ?? [];
      return a === undefined ? undefined : `remainder of ${a} divided by ${b}`;
    },
  },
  {
    signs: /^C$/,
    asks: /\b(?:tally|add|sum)(?: (?:this|these|those|them))?(?: up)?\b|\b(?:what|how much|(?:the )?(?:result|total|answer|sum|difference)|calculate|work out|need|give me|simplify|reduce)\b/,
    also: /\b(?:pay|owe|total|result|comes? to|equals?|left|fraction|come out at|when)\b/,
    says: ({ of, bare }) => {
      const sum = of(markOf(bare, 'C'));
      if (/\b(?:tally|add|sum)\b/.test(bare) && !/^[\d.,+ ]+$/.test(sum)) return undefined;
      if (/\b(?:simplify|reduce|fraction)\b/.test(bare)) return `${sum} as a fraction`;
      return /^\p{L}/u.test(sum) ? sum : `calculate ${sum}`;
    },
  },
  {
    signs: /^CC$/,
    asks: /\b(?:add(?: up| together)?|sum)\b/,
    also: /\b(?:fractions?|leave|keep|result|as|up|together)\b/,
    says: (slotted) => `${allOf(slotted).join(' + ')}${/\bas a fraction\b/.test(slotted.bare) ? ' as a fraction' : ''}`,
  },
  {
    signs: /^(?:C[CN]|N[CN])$/,
    asks: />|<|=|\b(?:is|are|does|do|whether|if|true|right|correct)\b/,
    also: /\b(?:more|greater|larger|bigger|higher|less|smaller|lower|fewer|above|below|over|under|than|true|false|or|yes|no|whether|if|right|correct|equals?|to|same)\b/,
    says: compared,
  },
  {
    signs: /^NN$/,
    asks: /\b(?:go|goes|fit|fits|divides?|divisible)\b/,
    also: /\b(?:into|without (?:a |any )?(?:remainder|rest)|evenly|exactly|cleanly|whether|if|by)\b/,
    says: phrased(
      [
        /(N\d+) (?:go|goes|fit|fits|divides?) (?:into )?(N\d+) (?:without (?:a |any )?(?:remainder|rest)|evenly|cleanly|exactly)/,
        'is $2 divisible by $1',
      ],
      [/(N\d+) (?:evenly |cleanly )(?:go|goes|fit|fits|divides?) (?:into )?(N\d+)/, 'is $2 divisible by $1'],
      [/(N\d+) (?:is )?divisible by (N\d+)/, 'is $1 divisible by $2'],
    ),
  },
  {
    signs: /^N$/,
    asks: /\bprime\b(?! factors?)/,
    also: /\b(?:or not|true|false|yes|no|or|whether|if)\b/,
    says: (slotted) => `is ${allOf(slotted)[0]} prime`,
  },
  {
    signs: /^N$/,
    asks: /\b(?:prime factors?|factori[sz]e|prime factori[sz]ation|factors)\b/,
    also: /\b(?:break|split|decompose|down|prime)\b/,
    says: (slotted) => (/\bprime|factori/.test(slotted.bare) ? `prime factors of ${allOf(slotted)[0]}` : undefined),
  },
  {
    signs: /^N{2,}$/,
    asks: /\bleap years?\b/,
    also: /\b(?:pick|choose|select|list|from|among|these|following|above|below|years|or|filter)\b/,
    says: (slotted) => `leap years in ${allOf(slotted).join(', ')}`,
  },
  {
    signs: /^NNN$/,
    asks: /\b(?:different|distinct|unique)\b/,
    also: /\b(?:numbers|random(?:ly)?|between|draw|pick|choose|generate|whole)\b/,
    says: (slotted) => {
      const [count, from, to] = allOf(slotted);
      return /\bbetween N\d+ and N\d+|\bfrom N\d+ to N\d+/.test(slotted.bare)
        ? `pick ${count} different numbers between ${from} and ${to}`
        : undefined;
    },
  },
];
