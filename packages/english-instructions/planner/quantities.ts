import { withoutTrailing } from '@mailroom/behavior/values/trailing';
import { figureOf } from '../language/numerals.ts';
import { currencyOf, withCodes } from '../tasks/words/currency.ts';
import { spelledToDigits } from '../tasks/words/spelled-numbers.ts';
import { type Unit, unitOf } from '../tasks/words/units.ts';
import { plain } from './courtesy.ts';

/** An amount in a message, with what it is an amount of. */
export interface Quantity {
  /** As `calculate` and `convert` read it. */
  readonly said: string;
  readonly value: number;
  readonly percent: boolean;
  /** Whether it is a fraction of something, as "a third" is. */
  readonly fraction: boolean;
  /** Whether a currency is written with it. */
  readonly money: boolean;
  readonly unit: Unit | undefined;
  /** What is counted, in the singular, or the kind of its unit; '' where nothing is named. */
  readonly thing: string;
  /** Of what it is an amount for each: a thing, the kind of a unit, or `each` for what is counted before it. */
  readonly per: string | undefined;
  /** The unit of time or another in "35 pages a minute". */
  readonly perUnit: Unit | undefined;
  /** The count that it is for each of: 4 builds in "4 builds took 7.5 minutes each". */
  readonly times: Quantity | undefined;
  /** The words before it in its part of the message, and those behind it up to the next amount. */
  readonly before: readonly string[];
  readonly behind: readonly string[];
}

/** A part of a message: what is told, or asked. */
export interface Segment {
  /** In lower case, with numbers in digits. */
  readonly text: string;
  readonly asks: boolean;
  readonly words: readonly string[];
  readonly quantities: readonly Quantity[];
}

const QUESTION = String.raw`(?:how (?:much|many|long|fast|far)|what(?:['’]?s)?)\b`;
/** Where one part ends and another begins, which may be a question in the same sentence. */
const END = new RegExp(
  String.raw`[.?!;:] |, (?:and |so |but |then )?| (?:-|–|—) (?!\d)| (?:and|so) (?=(?:what|whats|how|when|which|who)\b)|(?<!\b(?:and|so|then|by|in|at|to|for|of|from|than|is|are|was|exactly|me|out|calculate|find|or)) (?=(?:(?:by|at|in|for) )?${QUESTION})|(?<=\b(?:how|what|price)\b.{3,80}) (?=(?:if|when) )`,
  'gi',
);
const ASKS =
  /^(?:(?:and|so|then|now|please|pls) )*(?:by |at |in |to |for )?(?:what|whats|what's|wats|wat|how|which|when|who|give me|tell me|work out|calculate|find|median|mean|average|weighted|figure(?: out)?|price (?=per|for|without|excluding|before)|is (?=\d))/;
const TOKEN = /[$€£]?\d+(?:[.,:]\d+)*%?|\p{L}[\p{L}'’²³-]*|[^\s\p{L}\d]/gu;
const STOP = new Set(
  `a an the this that these those in on at of for to into from by with per each every and or but so then is are was were be been has have had do does did
i we you he she they it us them me my our your his her their how what when which who if will would can could should must may as than about
today tomorrow yesterday tonight now already still also too altogether total left over back vs versus off up down out long gets get got cost costs go
goes went come comes came holds hold take takes took says said there here not no plus minus more apiece so`.split(
    /\s+/,
  ),
);
const PLURALS = new Set('people children men women kids mice feet teeth pieces sheep fish staff crew'.split(' '));
const SINGULARS: Readonly<Record<string, string>> = { people: 'person', children: 'child', men: 'man', women: 'woman' };
/** The unit that a word names beyond doubt; "in" is a link. */
const unitNamed = (word: string): Unit | undefined =>
  word.length < 2 || word === 'in' || word === 'as' || word === 'point' ? undefined : unitOf(word);

/** What a word names, in the singular, or the kind of the unit. */
export const thingOf = (word: string): string =>
  unitNamed(word)?.kind ??
  SINGULARS[word] ??
  (/(?:ches|shes|xes|sses|zes)$/.test(word)
    ? word.slice(0, -2)
    : /ies$/.test(word)
      ? `${word.slice(0, -3)}y`
      : /lves$/.test(word)
        ? `${word.slice(0, -3)}f`
        : /[^s]s$/.test(word)
          ? word.slice(0, -1)
          : word);

const isWord = (token: string | undefined): token is string => token !== undefined && /^\p{L}/u.test(token);
const isNoun = (token: string | undefined): token is string => isWord(token) && !STOP.has(token);
const isNumber = (token: string | undefined): token is string => token !== undefined && /^[$€£]?\d/.test(token);
const HOLDS =
  /^(?:holds?|contains?|has|have|costs?|weighs?|fits?|carr(?:y|ies)|takes?|needs?|makes?|covers?|seats?|uses?|is|gets?|earns?|does)$/;
const APPROXIMATELY = /^(?:about|around|roughly|approximately|approx|nearly|exactly)$/;

interface Found {
  readonly quantity: Quantity;
  /** The first token behind it. */
  readonly to: number;
}

/** The unit at a token, of two words or one. `close`: whether it stands right behind the figure, where "g" is one. */
function unitAt(
  tokens: readonly string[],
  asWritten: readonly string[],
  at: number,
  close: boolean,
): { unit: Unit; to: number } | undefined {
  const [one, two = ''] = [tokens[at], tokens[at + 1]];
  const degrees = one === '°' ? unitOf(`°${two}`) : undefined;
  if (degrees !== undefined) return { unit: degrees, to: at + 2 };
  if ((!isWord(one) && one !== '"') || (STOP.has(one) && !(close && one === 'in'))) return undefined;
  const double = isWord(two) ? unitOf(`${one} ${two}`) : undefined;
  if (double !== undefined) return { unit: double, to: at + 2 };
  const unit =
    close || /^[cfghlm]$/.test(one) ? unitOf(one === '"' ? 'in' : (asWritten[at] as string)) : unitNamed(one);
  return unit && { unit, to: at + 1 };
}

function perAt(tokens: readonly string[], at: number): { per: string; unit: Unit | undefined } | undefined {
  const linked = /^(?:in|for)$/.test(tokens[at] ?? '') && /^(?:an?|each|every)$/.test(tokens[at + 1] ?? '');
  const from = linked ? at + 1 : at;
  const link = tokens[from] ?? '';
  if (link === 'apiece') return { per: 'each', unit: undefined };
  if (!/^(?:an?|per|each|every|\/)$/.test(link)) return undefined;
  const name = tokens[from + 1];
  const unit = link === '/' ? unitOf(name ?? '') : unitNamed(name ?? '');
  if (isNoun(name) && (link !== 'each' || linked || unit !== undefined))
    return { per: unit?.kind ?? thingOf(name), unit };
  // "5 kids each get 3" says of what the next amount is for each.
  return link === 'each' && (linked || !HOLDS.test(name ?? '')) ? { per: 'each', unit: undefined } : undefined;
}

/** "Each box holds 24": what the amount is for each of. */
function perBefore(tokens: readonly string[], at: number): string | undefined {
  const [, filled] =
    /\b(?:how many|in|into|to) (?:full |whole |complete )?(\p{L}+s) of$/u.exec(tokens.slice(0, at).join(' ')) ?? [];
  if (filled !== undefined) return thingOf(filled);
  const from = tokens.findLastIndex((one, index) => index < at && /^(?:each|every|one|an?|per)$/.test(one));
  if (from < 0 || tokens.slice(from, at).some(isNumber)) return undefined;
  const [link = '', of, verb] = tokens.slice(from);
  if (!isWord(of) || /^(?:and|or|plus)$/.test(of)) return undefined;
  // "One is 42.50": the price of each.
  if (link === 'one' && /^(?:is|costs?|weighs|holds|takes|covers|needs)$/.test(of)) return 'each';
  if (/^(?:each|every)$/.test(link)) return HOLDS.test(of) || STOP.has(of) ? 'each' : thingOf(of);
  // "A bag of seed is enough for 25 m²."
  const said = tokens
    .slice(from + 2, at)
    .join(' ')
    .replace(/^of \p{L}+ /u, '');
  if (isNoun(of) && /^(?:is (?:enough|sufficient|good)|lasts?|does) for$/.test(said)) return thingOf(of);
  return isNoun(of) &&
    from + 2 < at &&
    HOLDS.test(verb === 'of' ? (said.split(' ')[0] ?? '') : (verb ?? '')) &&
    verb !== 'is'
    ? thingOf(of)
    : undefined;
}

function quantityAt(
  tokens: readonly string[],
  asWritten: readonly string[],
  spaced: readonly boolean[],
  at: number,
): Found | undefined {
  const written = tokens[at] as string;
  const [, sign = '', digits = '', share = ''] = /^([$€£]?)([\d.,]+)(%?)$/.exec(written) ?? [];
  const figure = figureOf(digits);
  if (figure === undefined) return undefined;
  let to = at + 1;
  const next = tokens[to] ?? '';
  const percent = share !== '' || next === '%' || /^(?:percent|pct)$/.test(next);
  if (percent && share === '') to++;
  const currency = isWord(next) && !/^(?:pounds?|all)$/.test(next) && next.length > 2 ? currencyOf(next) : undefined;
  const money = sign !== '' || currency !== undefined;
  // Money has two decimals behind a comma.
  if (figure.unsure && !(money && /,\d\d$/.test(digits))) return undefined;
  if (currency !== undefined) to++;
  const found = percent || money ? undefined : unitAt(tokens, asWritten, to, spaced[to] !== true);
  let unitSaid = '';
  let smaller = 0;
  if (found !== undefined) {
    unitSaid = ` ${found.unit.kind === 'temperature' ? found.unit.math : asWritten.slice(to, found.to).join(' ')}`;
    to = found.to;
    // "14 lbs 6 oz" is one amount.
    const more = isNumber(tokens[to]) ? unitAt(tokens, asWritten, to + 1, spaced[to + 1] !== true) : undefined;
    if (more !== undefined && more.unit.kind === found.unit.kind && more.unit.factor < found.unit.factor) {
      unitSaid += ` ${asWritten.slice(to, more.to).join(' ')}`;
      smaller = (Number(figureOf(tokens[to] as string)?.text) * more.unit.factor) / found.unit.factor;
      to = more.to;
    }
  }
  let thing = found?.unit.kind ?? '';
  const isGroup = /\b(?:team|group|family|class|party|household|club|crew) of$/.test(tokens.slice(0, at).join(' '));
  if (isGroup) thing = 'person';
  else if (found === undefined && !percent && !money) {
    const nouns = tokens.slice(to, to + 3);
    const end = nouns.findIndex((one) => !isNoun(one));
    const names = end < 0 ? nouns : nouns.slice(0, end);
    const plural = names.findIndex((one) => PLURALS.has(one) || /[^s]s$/.test(one));
    const head = plural >= 0 ? plural : names.length > 0 ? 0 : -1;
    const counted = names[head];
    if (counted !== undefined && (plural >= 0 || figure.text === '1') && !/^an?$/.test(tokens[at - 1] ?? '')) {
      thing = thingOf(counted);
      to += head + 1;
    }
    // "We are 10."
    if (
      thing === '' &&
      figure.text.length < 4 &&
      tokens[to] === undefined &&
      /^(?:and )?(?:we|they) (?:are|were)$/.test(tokens.slice(0, at).join(' '))
    )
      thing = 'person';
  }
  // In "2.50 tourist tax per night" it has a name.
  let named = to;
  while (named < to + 3 && isNoun(tokens[named])) named++;
  const behind = isGroup
    ? undefined
    : (perAt(tokens, to) ?? (tokens[named] === 'per' ? perAt(tokens, named) : undefined));
  return {
    quantity: {
      said: `${sign}${figure.text}${percent ? '%' : ''}${unitSaid}${currency === undefined ? '' : ` ${currency}`}`,
      value: Number(figure.text) + smaller,
      percent,
      fraction: false,
      money,
      unit: found?.unit,
      thing,
      per: behind?.per ?? perBefore(tokens, at),
      perUnit: behind?.unit,
      times: undefined,
      before: tokens.slice(0, at),
      behind: tokens.slice(to),
    },
    to,
  };
}

const PART_NAMES = 'half third quarter fifth sixth seventh eighth ninth tenth'.split(' ');
/** A fraction of something at a token: "a third of them", "2 thirds", "2/5". */
function fractionAt(tokens: readonly string[], at: number): Found | undefined {
  const [one = '', sign, other = ''] = tokens.slice(at);
  const name = (word: string): number => PART_NAMES.indexOf(word.replace(/s$/, '')) + 2;
  const [above, below, to] =
    sign === '/' && isNumber(one) && isNumber(other)
      ? [Number(one), Number(other), at + 3]
      : isNumber(one) && name(sign ?? '') > 1
        ? [Number(one), name(sign ?? ''), at + 2]
        : [1, name(one), at + 1];
  const isPart = above > 0 && above < below && Number.isInteger(above) && Number.isInteger(below);
  // "Quarter past", "half an hour" and "the third" are no fractions of what is told.
  if (!isPart || /^(?:past|to|an?|day|place|time|one)$/.test(tokens[to] ?? '') || unitNamed(tokens[to] ?? ''))
    return undefined;
  if (to === at + 1 && !/half/.test(one) && !/^(?:an?|one|1)$/.test(tokens[at - 1] ?? '')) return undefined;
  const expr = `${above} / ${below}`;
  const nothing = { money: false, unit: undefined, thing: '', per: undefined, perUnit: undefined, times: undefined };
  const around = { before: tokens.slice(0, at), behind: tokens.slice(to) };
  return { quantity: { said: expr, value: above / below, percent: true, fraction: true, ...nothing, ...around }, to };
}

/** "3 x 12.5 hr shifts" are 3 shifts of 12.5 hr, and "48 boxes times 24 per box" are at 24 per box. */
const TIMES: readonly (readonly [RegExp, string])[] = [
  [/\b(\d+) ?(?:x|×|times) ?(\d[\d.]* ?\p{L}{1,7}) (\p{L}{2,}s)\b(?! (?:per|an?|each)\b)/giu, '$1 $3 of $2'],
  [/ (?:x|×|times|multiplied by) (?=[$€£]?\d[\d.,]* (?:\p{L}+ )?(?:per|an?|each|apiece)\b)/giu, ' at '],
];
/** Whether a figure behind a word, without a blank, makes a name of it: "x2" is a factor, "m2" a unit, and "R460" an amount. */
const isCoded = (word: string): boolean =>
  word.length <= 3 && !/^[exrn]$/.test(word) && unitOf(word) === undefined && currencyOf(word) === undefined;

const isBare = (q: Quantity | undefined, money = false): boolean =>
  q?.thing === '' && q.unit === undefined && (money || !q.money) && !q.percent && q.per === undefined;

const MAX_FRAGMENT = 4;
/** The parts of a message with the amounts in them; undefined where a figure is no amount. */
export function segmentsOf(said: string): readonly Segment[] | undefined {
  const segments: Segment[] = [];
  let from = 0;
  let last: Quantity | undefined;
  let rated: Quantity | undefined;
  for (const { index, 0: sign } of [...said.matchAll(END), { index: said.length, 0: '' }]) {
    const written = inUnits(
      TIMES.reduce(
        (text, [sign, meant]) => text.replace(sign, meant),
        inDigits(
          withCodes(withoutTrailing(plain(said.slice(from, index)), '.?!;:, '))
            .replaceAll('’', "'")
            .replace(/^(?:if|suppose|say|given)(?: that)? (?=\S)/i, ''),
        ),
      ),
    );
    const piece = written.toLowerCase();
    from = index + sign.length;
    if (piece.trim() === '') continue;
    const found = [...piece.matchAll(TOKEN)];
    const tokens = found.map(([token]) => token);
    // "Mb" is another unit than "MB".
    const writtenTokens = written.match(TOKEN) ?? [];
    const spaced = found.map(({ index: at }) => at === 0 || piece[at - 1] === ' ');
    const quantities: Quantity[] = [];
    const inFractions = new Set<number>();
    let end = 0;
    for (let at = 0; at < tokens.length; at++) {
      const fraction = fractionAt(tokens, at);
      if (fraction !== undefined) {
        quantities.push(fraction.quantity);
        for (let part = at; part < fraction.to; part++) inFractions.add(part);
        end = fraction.to;
        at = end - 1;
        continue;
      }
      if (!isNumber(tokens[at])) continue;
      // "7/5" and "1:4" are no two amounts.
      if (/^[/:]$/.test(tokens[at + 1] ?? '') && isNumber(tokens[at + 2])) return undefined;
      // "Room B2" and "p99" are names, and no amounts.
      if (at > 0 && !spaced[at] && isWord(tokens[at - 1])) {
        if (!isCoded(tokens[at - 1] as string) || (isWord(tokens[at + 1]) && !spaced[at + 1])) return undefined;
        continue;
      }
      const amount = quantityAt(tokens, writtenTokens, spaced, at);
      if (amount === undefined || (isWord(tokens[at + 1]) && !spaced[at + 1] && amount.to === at + 1)) return undefined;
      const between = tokens.slice(end, at).filter((word) => !APPROXIMATELY.test(word));
      // In "3 instalments of 415" and "4 adults at £11.50" the second is for each of the first.
      const isOf = quantities.length > 0 && between.length === 1 && /^(?:at|of|@)$/.test(between[0] as string);
      const { times: earlier } = rated ?? {};
      // In "3 tanks at 1,200 gallons and 2 at 850" both are of the same as before.
      const { money, said, value, before, behind } = amount.quantity;
      if (isOf && isBare(last) && isBare(amount.quantity, rated?.money) && rated && earlier) {
        const count = { ...(last as Quantity), thing: earlier.thing };
        const [sign = ''] = /^[$€£]/.exec(rated.said) ?? [];
        const unit = rated.said.replace(/^[$€£]?[\d.,]+/, '');
        quantities[quantities.length - 1] = count;
        last = { ...rated, value, before, behind, said: money ? said : sign + said + unit, times: count };
      } else {
        const counted = last?.thing !== '' && last?.unit === undefined && last?.per === undefined ? last : undefined;
        const ownPer = amount.quantity.per;
        const times = ownPer === 'each' || (isOf && ownPer === undefined && counted?.value !== 1) ? counted : undefined;
        last = { ...amount.quantity, per: times?.thing ?? ownPer, times };
        if (times !== undefined) rated = last;
      }
      quantities.push(last);
      end = amount.to;
      at = end - 1;
    }
    segments.push({
      text: piece,
      asks: ASKS.test(piece),
      words: tokens.filter((one, at) => isWord(one) && !inFractions.has(at)),
      quantities,
    });
  }
  // At the end a few words without an amount ask: "rent 900 goes up 4%, new rent?".
  const end = segments.at(-1);
  if (end?.quantities.length === 0 && end.words.length <= MAX_FRAGMENT && !segments.some(({ asks }) => asks))
    segments[segments.length - 1] = { ...end, asks: segments.length > 1 };
  return segments;
}

const POWERS = /(?<=\d ?)([cmk]?m|ft|in)([23])\b/gi;
const PARTED =
  /(?<![\d/.])(?:(\d{1,3}) )?(\d{1,2})\/(\d{1,2})(?= ?(?:inch(?:es)?|in|"|cups?|pints?|miles?|lit(?:er|re)s?|tsp|tbsp|(?:table|tea)spoons?|hours?)(?![\p{L}/]))/giu;
/** Amounts with the signs of their units, and those in parts as decimals where that is exact: "m2", "7/8 inch". */
const inUnits = (text: string): string =>
  text
    .replace(POWERS, (_, unit: string, power: string) => unit + (power === '2' ? '²' : '³'))
    .replace(PARTED, (all, whole: string | undefined, above: string, below: string) => {
      const value = Number(whole ?? 0) + Number(above) / Number(below);
      return Number.isInteger(value * 10_000) ? String(value) : all;
    });

/** With numbers in digits, but for "one", which is a pronoun as well. */
const inDigits = (text: string): string =>
  text
    .split(/\b(one)\b/i)
    .map((part) => (/^one$/i.test(part) ? part : spelledToDigits(part)))
    .join('');

/** Words of questions that name nothing. */
const ASKING = new Set(
  `what whats what's how which when who by at in to for of on do does did is are was were be been will would can could should shall must may
i we you he she it they me us him her them my our your his their its that this these those there the a an and or so then now
much many long far fast big old give tell find work out calculate have has had need needs needed get gets got pay pays buy put make makes made
cost costs come comes came total sum altogether together all amount number value price new final percent percentage average still today
going go start with each every one person per apiece everyone everybody full whole exactly as into if up please kindly bill charge owe earn
open due outstanding left remain remains remaining over leftover keep both take home net gross original originally first begin beginning tip change money budget
cheaper better deal best value worse balance more petrol fuel gas diesel
enter write claim form fill order require required say right really speed mean median answer result figure due deadline when day week weekday date leave set off out depart arrive there home finish done ready year years month months weeks old time area surface birthday anniversary date dates fill wat use holds hold fit figure`.split(
    /\s+/,
  ),
);
/** Whether a question names nothing that was not told. */
export function namesNothing(question: string, told: string): boolean {
  const words = (text: string): readonly string[] => text.match(/\p{L}[\p{L}'-]*/gu) ?? [];
  const stem = (word: string): string => thingOf(word).replace(/(?<=\p{L}{3})(?:ed|ing|e)$/u, '');
  const named = new Set(words(told).map(stem));
  return words(question).every((word) => ASKING.has(word) || named.has(stem(word)));
}
