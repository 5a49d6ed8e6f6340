import { type Thing, thingsIn } from '../tasks/grammar/index.ts';
import type { Num } from '../tasks/grammar/number.ts';
import type { Moment, Setting } from '../tasks/grammar/setting.ts';
import type { Measure } from '../tasks/grammar/units.ts';
import { LIMITS } from '../tasks/words/limits.ts';
import { unitOf } from '../tasks/words/units.ts';
import { SELECTING } from './account.ts';
import { isContext } from './context.ts';
import { AMOUNT_LAWS, HIGHEST, TRIMMED } from './slot-amounts.ts';
import { INCLUSIVE, LAWS, type Law, type Slotted } from './slot-laws.ts';

const MAX_TEXT = 300;
const TYPES = ['date', 'length', 'number', 'zone', 'unit'];

/** The sign of a thing, and how it is written in a plain instruction; undefined for one that is left as it is. */
function signOf(
  { type, value }: Thing,
  text: string,
  before: string,
  behind: string,
): readonly [sign: string, written: string] | undefined {
  if (type === 'date') {
    const { text: day, timed, length, asks } = value as Moment;
    // "Today" says what is plain without it, and "Saturdays" is no day.
    if (/^(?:today|(?:right )?now|\p{L}+days)$/iu.test(text)) return undefined;
    if (length === undefined) return [timed === true ? 'T' : asks === true ? 'E' : 'D', day];
    const away = length.replace('-', '');
    return ['E', `${away} ${away === length ? 'after' : 'before'} ${day}`];
  }
  if (type === 'number') {
    const { kind, unit, ops, plain } = value as Num;
    if (unit?.symbol === 'in' && / in$/.test(text) && /^ \p{L}/u.test(behind)) return ['N', text.slice(0, -3)];
    if (/\d(?:st|nd|rd|th)$/.test(text)) return undefined;
    if (unit !== undefined && ops === 0) return ['A', text];
    if (ops > 0) return wordsOf(text).some((word) => LIMITS.has(word)) ? undefined : ['C', text];
    if (kind === 'percent' || kind === 'money') return [kind === 'percent' ? 'P' : 'M', text];
    return kind === 'number' && plain !== undefined ? ['N', text] : undefined;
  }
  if (
    type === 'zone' &&
    (/^(?:gst|vat)$/i.test(text) ||
      /% $/.test(before) ||
      /^ (?:fluid|liquid|dry)? ?(?:cups?|pints?|gallons?|quarts?|fl|oz|ounces?|tons?)\b/.test(behind))
  )
    return undefined;
  if (type === 'zone') return text.length > 3 || /^\p{Lu}{2}/u.test(text) ? ['Z', text] : undefined;
  if (type === 'unit') {
    const { unit } = value as Measure;
    return (text.length > 2 || /\b(?:in|into|to|many|much|as) $/.test(before)) &&
      unit.kind !== 'time' &&
      unit.kind !== 'angle'
      ? ['U', text]
      : undefined;
  }
  if (type === 'roman') return ['R', text];
  return ['L', text.replace(/(?<=\d )(second|minute|hour|day|week|month|year)$/i, '$1s')];
}

/** A number in Roman numerals, of three or more. */
const ROMAN = /\b(?=[MDCLXVI]{3,}\b)M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})\b/g;
const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*';
type Rewordings = readonly (readonly [RegExp, string])[];
const TIDY: Rewordings = [
  [/’/g, "'"],
  [/\s*\n\s*/g, '; '],
  [/[?!.;, ]+$/, ''],
];
/** What is said in few words or in other ones. */
const WHOLE: Rewordings = [
  [/(\d)-(?=\p{L}{3})/gu, '$1 '],
  [/ at (?=\d[\d.]* ?%)/g, ' with '],
  [/ \((?=\p{Lu}[\p{L} ]{1,20}\))(\p{Lu}[\p{L} ]{1,20})\)/gu, ' in $1'],
  [new RegExp(INCLUSIVE.source, 'gi'), ' inclusive'],
  [/^(?:true or false|yes or no|right or wrong)[:,?]? /i, 'is it true that '],
  [/,? \(?(?:true? or false|yes or no|right or wrong)\)?$/i, ''],
  [/\bnr\b/gi, 'number'],
  [/\bhow lng\b/gi, 'how long'],
  [/\bbtw (?=\d)/gi, 'between '],
  [/\bn (?=theres?\b)/gi, 'and '],
  [/\btheres\b/gi, 'there is'],
  [/\b(in|as) (?:an? )?%(?! ?\p{L})/giu, '$1 percent'],
  [/\bwh?at do i pay\b/gi, 'what do i pay'],
  [
    /^(?:who|which of (?:us|them)) [^:?\d]{3,60}: ([^?:.]{3,100})\? (?:please )?(?:choose|pick|decide|draw)(?: one| someone)? (?:at random|randomly)$/i,
    'pick one at random: $1',
  ],
  [/\bhow far apart are (?=the \p{L}+ and (?:the )?\p{L}+ of\b)/iu, 'what is the difference between '],
  [new RegExp(`^(?:the )?difference between the (?:${HIGHEST}) and (?:the )?(?:${HIGHEST}) of `, 'i'), 'the range of '],
  [new RegExp(`^(${TRIMMED.source}),? (.+)$`, 'i'), '$2 without the highest and the lowest'],
  // "From 12 to 27 February 2027" names the month and the year of both.
  [
    new RegExp(
      `\\b(\\d{1,2}(?:st|nd|rd|th)?) (to|until|till|through|and|-|–) (\\d{1,2}(?:st|nd|rd|th)? (?:of )?(${MONTH},?(?: \\d{4})?))\\b`,
      'gi',
    ),
    '$1 $4 $2 $3',
  ],
  [
    new RegExp(
      `(\\b(?:\\d{1,2}(?:st|nd|rd|th)?(?: of)? ${MONTH}|${MONTH} \\d{1,2}(?:st|nd|rd|th)?)\\b)(?!,? \\d{4})([^\\d]{1,40}?),? in (\\d{4})$`,
      'i',
    ),
    '$1 $3$2',
  ],
];

const inOtherWords = (text: string, all: Rewordings): string =>
  all.reduce((whole, [from, to]) => whole.replace(from, to), text);

/** What a message has that is about times or amounts, so that others cost nothing. */
const HAS_THINGS =
  /\d|\b(?:time|clock|leap|hours?|age|old|day|date|week\w*|quarter|months?|years?|(?:jan|febr)uary|march|april|june|july|august|(?:sept|nov|dec)ember|october|two|three|four|five|six|seven|eight|nine|ten|hundred|[MDCLXVI]{3,})\b/;

/** What is quoted, goes on or concerns others is more than a question. */
const OTHERWISE = /^>|@|:\/\/|\b(?:and|or|but|then|plus|with)$/i;

/** The message with signs for its things. */
function slotsIn(message: string, setting: Setting): Slotted | undefined {
  if (OTHERWISE.test(message) || !HAS_THINGS.test(message)) return undefined;
  const tidy = inOtherWords(message, TIDY);
  const text = inOtherWords(tidy, WHOLE);
  const things: string[] = [];
  let [bare, signs, end] = ['', '', 0];
  const roman = [...text.matchAll(ROMAN)].map(({ index, 0: own }) => ({
    type: 'roman',
    from: index,
    to: index + own.length,
    value: own,
  }));
  const found = thingsIn(text, setting, TYPES).filter(
    ({ from, to }) => !roman.some((one) => one.from < to && from < one.to),
  );
  for (const thing of [...found, ...roman].sort((a, b) => a.from - b.from)) {
    const [lead = ''] = /^(?!(?:the|on|a) )\p{L}+(?: of|:) (?=\d)/iu.exec(text.slice(thing.from, thing.to)) ?? [];
    const read = signOf(
      thing,
      text.slice(thing.from + lead.length, thing.to),
      text.slice(0, thing.from),
      text.slice(thing.to, thing.to + 20),
    );
    if (read === undefined) continue;
    const [sign, written] = read;
    const from = thing.from + lead.length;
    bare += `${text.slice(end, from).toLowerCase()}${sign}${things.length}`;
    signs += sign;
    things.push(written);
    end = sign === 'N' && written.length < thing.to - from ? from + written.length : thing.to;
  }
  bare += text.slice(end).toLowerCase();
  return { bare, signs, of: (sign) => things[Number(sign.slice(1))] ?? '', ...(text !== tidy && { text }) };
}

/** Words of questions and requests that say nothing of what is asked. */
const PLAIN = new Set(
  `into out a an the this that these those it its there here i we you he she they me us him her them my our your his their one
is are was were be been being am will would can could should shall do does did has have had get got gets let may might must
what which when how who so and then or of in on at to for from by with as if when's what's whats it's that's there's
ask please pls plz kindly thanks thank tell give show say name state find out work figure calculate compute determine check see
know need want like wonder wondering look me us exactly correct right currently now moment today rn atm just also
date day time number result answer someone somebody person people falls fall fell come comes came many much long old
turns turn gets happens happen make makes mean means meant mine guys team friends friend colleagues colleague everyone u r ur
person's let's i'd i'm we're they're like'd 'd 's 're be-`.split(/\s+/),
);
/** Words that change what is asked, of times, amounts or what is done with them. */
const CHANGES =
  /^(?:no|none|half|per|both|plus|minus|times|percent|average|rounded|round|ago|later|earlier|working|business|weekends?|holidays?|inclusive|about|around|approximately|nearly|almost|over|under|or|leaves?|leaving|departs?|departing|arrives?|arriving|lands?|landing|flies|flights?|fly|drives?|remind|send|mail|email|e-mail|text|tell|remember|note|save|schedule|every|daily|weekly|monthly|yearly|price|cheaper|rate|speed|if|cancel|delete|add|subtract|multiply|divide|sort|list|count|write|translate|why|who|where|not(?:e|ed|es)|sent|sav(?:e|ed)|kept|keep|record(?:ed)?|stored?|log(?:ged)?|forward(?:ed)?|posted|scheduled?|told|us|uk|american|imperial|british|metric|died|dead|gross|net|mornings?|afternoons?|evenings?|nights?|tonight|noon|midnight|am|pm|each|all|any|some|more|less|top|best|worst|(?:mon|tues|wednes|thurs|fri|satur|sun)days)$/;

const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\d]+(?:['-]\p{L}+)*/gu) ?? [];
const MARK = /\b[A-Z]\d+\b/g;
const CLAUSE =
  /(?:(?= for (?:the|my|our|an?) [^A-Z,.;:?]{3,40}$)|[.?!;:] |[;:]|, | [-–—] |(?<=^(?:for|to|as|in|on|at|because) [^.?!;:,]{2,60}) (?=(?:i|we)(?:'d| would| really| just| still)? (?:need|want|have|must|like|should)\b))/;
/** Whose something is, and what it is called. */
const OWNED =
  /\b(?:my|our|his|her|their|your) (\p{L}[\p{L}'-]*)(?: (?!(?:is|was|are|were|has|had|(?:want|need|ask|say|like)s?)\b)(\p{L}[\p{L}'-]*))?/gu;
const changes = (word: string): boolean =>
  LIMITS.has(word) || SELECTING.has(word) || CHANGES.test(word) || /\d/.test(word);

/** What a clause begins with that says something, rather than asking for something to be done. */
const TELLS =
  /^(?:an?|the|my|our|his|her|their|this|that|these|those|i|we|he|she|it|they|there|for|to|in|on|at|as|because|since|so|i'm|we're|it's|if|when)\b/;
const DOES =
  /^(?:then|and|book|order|buy|call|phone|ring|open|close|turn|switch|play|start|stop|run|print|put|set|take|bring|pay|transfer|find|search|look|draw|create|make|move|copy|change|update|convert|ignore|skip|use|keep|round|split|share|join|replace)\b/;
/** Whether a clause tells what surrounds a question; behind it only what it is for is told. */
const isTold = (clause: string, sign: string, behind: boolean): boolean =>
  behind
    ? /^for (?:the|my|our|an?) /.test(clause)
    : TELLS.test(clause) ||
      (sign.startsWith(':') && !/ \S+ /.test(clause)) ||
      (MARKED.test(clause) && !DOES.test(clause));
const MARKED = /\b[A-Z]\d+\b/;
/** Whether a clause has things, or is no statement: what something is for, or a name before a colon. */
const isMarked = (clause: string): boolean =>
  MARKED.test(clause) || !/\S \S+ \S/.test(clause) || /^(?:for|to|in|on|at|as|because|since|so)\b/.test(clause);

/** Whether each clause of a message that asks has only words of questions, and each other one none that change what is asked. */
function saysNoMore(bare: string, { asks, also, loose }: Law, message: string): boolean {
  const signs = [...bare.matchAll(new RegExp(CLAUSE.source, 'gu'))].map(([sign]) => sign);
  let isBehind = false;
  return bare.split(CLAUSE).every((part, at) => {
    const clause = part.trim();
    const unasked = clause.replace(new RegExp(asks.source, 'gu'), ' ');
    const rest = also === undefined ? unasked : unasked.replace(new RegExp(also.source, 'gu'), ' ');
    const named = rest.replace(OWNED, (whole, name: string, head = '') =>
      changes(name) ? whole : changes(head) ? ` ${head}` : ' ',
    );
    const isAsked = unasked !== clause;
    // What has the amount is named beside it; in a question about what was told another thing has none.
    const isFree = isAsked
      ? loose === true && (/\b[ACLMNP]\d/.test(clause) || signs[at]?.startsWith(':') === true)
      : (isTold(clause, signs[at] ?? '', isBehind) &&
          (isMarked(clause) || (message.includes(clause) && isContext(clause, message.replace(clause, ''))))) ||
        (loose === true && MARKED.test(clause) && !DOES.test(clause));
    isBehind ||= isAsked;
    return (
      !/[%$€£°<>=+*^]/.test(named) &&
      wordsOf(named.replace(MARK, ' ')).every((word) => PLAIN.has(word) || (isFree && !changes(word)))
    );
  });
}

const FEW = 'two three four five six seven eight nine ten'.split(' ');
/** Without how many they are where all of them stand there: "these two fractions". */
function uncounted({ bare, signs, of }: Slotted): Slotted {
  const [whole, lead = '', mark = ''] = /\b((?:the|these|those|my|our|all) )([NA]\d+) [a-z]*s\b/.exec(bare) ?? [];
  const count = FEW.indexOf(/^\p{L}+/u.exec(of(mark))?.[0].toLowerCase() ?? '') + 2;
  const marks = [...bare.matchAll(MARK)].map(([one]) => one);
  const others = signs.length - marks.filter((one) => of(one) === of(mark)).length;
  return whole === undefined || count < 2 || others !== count
    ? { bare, signs, of }
    : uncounted({
        bare: bare.replace(`${lead}${mark}`, lead.trim()),
        signs: signs.slice(0, marks.indexOf(mark)) + signs.slice(marks.indexOf(mark) + 1),
        of,
      });
}

const DIGITS = '(?:\\d|one|two|three|four|five|no)';
/** How a result is to be written. */
const RESULT: readonly (readonly [written: RegExp, said: string])[] = [
  [
    new RegExp(
      `,? ?(?:(?:and )?(?:round(?:ed)?|given|shown|correct|exact)(?: it| that| the (?:result|answer))?(?: off)? )?(?:to|with|in) (?:a |an |the nearest )?(whole number|integer|${DIGITS} decimals?(?: places?)?|${DIGITS} (?:decimal )?places?)\\b`,
      'i',
    ),
    ' rounded to ',
  ],
  [
    /,? (?:in|as|using|with) (?:the |this )?(?:date )?(?:format|form):? ((?:d{1,2}|m{1,4}|y{2,4})(?:[./ -](?:d{1,2}|m{1,4}|y{2,4})){2})\b/i,
    ' in ',
  ],
];

/** Whether an amount has another unit behind its own, which is one with it: "3 ft kg". */
const hasTwoUnits = (bare: string): boolean =>
  [...bare.matchAll(/\bA\d+ (\p{L}+)/gu)].some(
    ([, word = '']) => !/^(?:in|a|at|as|am|bar|day|second|point)$/.test(word) && unitOf(word) !== undefined,
  );

/** The plain instructions that a message gives in words of its own, by what it is about. */
export function bySlots(message: string, setting: Setting): readonly string[] {
  if (message.length > MAX_TEXT) return [];
  const [form, way] =
    RESULT.map((one) => [one[0].exec(message), one[1]] as const).find(([found]) => found !== null) ?? [];
  const slotted = slotsIn(form ? message.replace(form[0], '') : message, setting);
  if (slotted === undefined || hasTwoUnits(slotted.bare)) return [];
  const counted = uncounted(slotted);
  const found = [...LAWS, ...AMOUNT_LAWS].flatMap((law) => {
    const asked = law.signs.test(counted.signs) ? law.asks.exec(counted.bare) : null;
    const said =
      asked === null || !saysNoMore(counted.bare, law, message.toLowerCase()) ? undefined : law.says(counted, asked);
    if (said === undefined || !form) return said ?? [];
    return `${said.replace(/^what (?:date is|is the date) /, '')}${way}${/whole|integer/.test(form[1] ?? '') ? 'a whole number' : form[1]}`;
  });
  return [...new Set([...found, ...(slotted.text === undefined || slotted.text.includes(';') ? [] : [slotted.text])])];
}
