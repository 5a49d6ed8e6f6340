import type { Law, Slotted } from './slot-laws.ts';

const markOf = (bare: string, sign: string): string => new RegExp(`${sign}\\d+`).exec(bare)?.[0] ?? '';
const allOf = ({ bare, of }: Slotted, signs = 'A-Z'): readonly string[] =>
  [...bare.matchAll(new RegExp(`[${signs}]\\d+`, 'g'))].map(([mark]) => of(mark));
/** The first two things that a pattern finds, as a plain instruction. */
const between =
  (pattern: RegExp, said: (a: string, b: string) => string) =>
  ({ bare, of }: Slotted): string | undefined => {
    const [, a, b] = pattern.exec(bare) ?? [];
    return a === undefined || b === undefined ? undefined : said(of(a), of(b));
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
  return new RegExp(`\\b${form} (?:number|value|figure|code)|\\bfrom ${form}\\b`).test(bare) && /^[01]+$/.test(number)
    ? `${number} from ${form} to ${to}`
    : undefined;
}

const SHARE_ASKED =
  /\b(?:(?:by )?(?:what|which|how many|how much) (?:percentage|percent|per cent|%)|(?:as |in )(?:a |an )?(?:percentage|percent|per cent)|percentage|percent)\b/;
const SHARE_WORDS =
  /\b(?:more|less|higher|lower|bigger|larger|smaller|greater|than|fall|fell|drop|dropped|rise|rose|risen|grew|grow|grown|increased?|decreased?|change|changed|go|went|gone|down|up|by|of|out|from|points?|scored?|if|express|write|is|are|make|represent)\b/;
/** The part of one number in another, or how far one is from the other. */
const shared = (slotted: Slotted): string | undefined =>
  between(/\bfrom (N\d+)(?: up| down)? to (N\d+)/, (a, b) => `percentage change from ${a} to ${b}`)(slotted) ??
  between(
    /\b(?:more|higher|bigger|larger|greater) (?:is|are) (N\d+) than (N\d+)/,
    (a, b) => `by what percentage is ${a} more than ${b}`,
  )(slotted) ??
  between(
    /\b(?:less|lower|smaller) (?:is|are) (N\d+) than (N\d+)/,
    (a, b) => `by what percentage is ${a} less than ${b}`,
  )(slotted) ??
  between(
    /(N\d+)(?: points| marks)?(?: is| are| make| makes| represents?)?(?: out)? of (?:the |a total of )?(N\d+)/,
    (a, b) => `what percentage of ${b} is ${a}`,
  )(slotted);

const TAX = '(?:vat|gst|(?:sales )?tax)';
const TAX_WORDS = new RegExp(
  `\\b(?:${TAX}|gross|net|amount|rate|included|includes?|including|incl|contained|contains|with|of|price|out|strip|remove|take|invoice|before|without|decimals?)\\b`,
);
/** A price with its tax, without it, or the tax alone, by which of them is asked for. */
function taxed({ bare, of }: Slotted, [asked]: RegExpExecArray): string | undefined {
  const [amount, share] = [of(markOf(bare, '[NM]')), of(markOf(bare, 'P'))];
  const told = bare.replace(asked, ' ');
  const isGross = /\b(?:gross|incl\w*|contain\w*)\b/.test(told);
  if (isGross === /\b(?:net|before)\b/.test(told))
    return isGross && /\bnet\b/.test(asked) ? `net of ${amount} including ${share}` : undefined;
  if (/\bgross\b/.test(asked)) return isGross ? undefined : `${amount} plus ${share}`;
  if (/\bnet\b/.test(asked)) return isGross ? `net of ${amount} including ${share}` : undefined;
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
  { signs: /^[NC]$/, asks: FORM, also: OF_FORM, says: formed },
  { signs: /^NN$/, asks: SHARE_ASKED, also: SHARE_WORDS, loose: true, says: shared },
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
    says: between(/([NM]\d+)[^A-Z]*(P\d+) (?:off|discount|cheaper)/, (a, b) => `${a} with ${b} off`),
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
    says: between(/\bof (N\d+) (?:and|by|over) (N\d+)/, (a, b) => `${a} / ${b}`),
  },
  {
    signs: /^NN$/,
    asks: /\b(?:make|add?(?: up)?|give|come to|add up to)\b/,
    also: /\b(?:together|altogether|combined|in total|up)\b/,
    says: between(/(N\d+) (?:and|plus) (N\d+)[^A-Z]*\b(?:together|combined|in total|up)\b/, (a, b) => `${a} + ${b}`),
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
    says: (slotted) =>
      /\b(?:without (?:a |any )?(?:remainder|rest)|evenly|cleanly)\b/.test(slotted.bare)
        ? between(
            /(N\d+) (?:go|goes|fit|fits|divides?) (?:evenly |exactly |cleanly )?(?:into )?(N\d+)/,
            (a, b) => `is ${b} divisible by ${a}`,
          )(slotted)
        : undefined,
  },
  {
    signs: /^N$/,
    asks: /\bprime\b(?! factors?)/,
    also: /\b(?:true|false|yes|no|or|not|whether|if)\b/,
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
