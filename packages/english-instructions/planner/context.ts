import { withoutTrailing } from '@mailroom/behavior/values/trailing';
import { quotationsIn } from '../language/quotations.ts';
import { currencyOf } from '../tasks/words/currency.ts';
import { spelledToDigits } from '../tasks/words/spelled-numbers.ts';
import { unitOf } from '../tasks/words/units.ts';
import { zoneOf } from '../tasks/words/zones.ts';
import {
  ADVERBS,
  CLOSED,
  DETERMINERS,
  FINITE,
  isVerb,
  PREPOSITIONS,
  PRONOUNS,
  states,
  subjectIn,
  wordsOf,
} from './statements.ts';

const MAX_SENTENCE = 200;
/** The first words of a clause, which may name the text itself. */
const NAMING = 4;
const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Words that say how much, which or how something is to be done, or that something told is otherwise. */
const RULING = words(
  `only except excepting excluding exclude excludes excluded without unless instead otherwise else rather than least most less fewer
greater larger bigger smaller longer shorter higher lower largest smallest biggest longest shortest highest lowest first second
third fourth fifth either neither nor twice thrice half double doubled triple quarter dozen enough same different equal odd even
count counts counted counting include includes included including ignore ignores ignored skip skips skipped omit omitted leave
matter matters apply applies belong belongs mean means meant treat regard consider called accept accepts accepted allow allows
allowed support supports require requires required expect expects prefer prefers should ought wrong mistake mistakes error errors
typo typos correction incorrect canceled cancelled void invalid outdated duplicate duplicates anymore longer afterwards then
rest remainder difference unique safe reverse order total totals sum average mean median dropped drop drops steps pair pairs`,
);
/** What rules numbers, and what rules texts and lists; in other requests these are words like any other. */
const OF_NUMBERS = words(
  `decimal decimals digit digits place places round rounds rounded rounding down up percent percentage fraction fractions binary hex
hexadecimal octal roman negative positive zero zeros zeroes metric imperial cents pennies`,
);
const OF_TEXTS = words(
  `json csv xml html yaml markdown sorted ordered ascending descending alphabetical alphabetically alphabet uppercase lowercase upper
lower capital capitals caps letter letters format formatted iso separate separated comma commas semicolon semicolons space spaces
blank quote quotes header headers heading headings column columns row rows random character characters vowel vowels backwards
special shorter digit digits array arrays object objects string strings`,
);
/** Words that change an amount of money. */
const MONEY = /^(?:paid|discounts?|tax|taxes|vat|tips?|fees?|deposit|refund(?:s|ed)?|extra|plus|minus|off|free)$/;
const OF_MONEY = /[%$€£]|\b(?:price|cost|pay|sum|add|total|times|divided?|multiply|off|plus|minus|average|percent)\b/i;
/** What a request may be about, which a statement about it may limit. */
const DATA =
  /^(?:numbers?|words?|lines?|lists?|texts?|names?|dates?|results?|answers?|items?|values?|prices?|amounts?|figures?|entr(?:y|ies)|tables?|files?|rows?|sentences?|signs?|symbols?|titles?|weeks?|days?|months?|years?|units?|one|ones)$/;
const THINGS = /^(?:it|its|it's|this|that|that's|these|those|they|they're)$/;
/** What may be said of the thing that is asked about: what it is for, and how it is. */
const OF_IT =
  /^(?:this|these) (?:is|are) (?:the|my|our|his|her|their|where|what|who|how|[a-z]+'s)\b|^(?:it|this|that|these|those|they)(?:'s|'re| is| are| was| were) (?:all |just |only |really |so |very |quite |a bit |too )?(?:for|about|from|part of|urgent|important|hard|difficult|complicated|confusing|tricky|annoying|boring|fun|easy|raining|snowing|cold|late|dark|a (?:mess|pity|shame|hard|long|busy|surprise|secret|present|gift|riddle|puzzle|joke|game|bet)|what (?:my|our|the|his|her) [a-z]+ (?:asked|said|wrote|wanted to know)|my|our|been|due|getting|time)\b|^(?:it|this|that) (?:has been (?:[a-z]+ing|an?|so|very)|will (?:go|hang|be (?:for|on|printed|shown|used))|goes (?:on|into|in the|to)|comes (?:from|up))\b|^they (?:say|said|think|told|asked|know|want|need|live|meet|came?|wait)\b|^they(?:'re| are) (?:waiting|coming|asking|visiting|meeting|arriving|closing|opening|travelling|going|making|here|there|very|quite|nice|friends|new|old)\b|^(?:it|that|this) (?:would|will) (?:help|save|make|be (?:great|nice|lovely|wonderful|helpful|a (?:great )?help))\b|^(?:it has been|this question|this came|it came)\b/;
const WISHES = /^(?:want|wants|wanted|need|needs|needed|like|likes|love|loves|hate|hates|wish|wishes|would|i'd|we'd)$/;
/** What someone wishes to be told or given is a request. */
const ASKED_FOR =
  /\b(?:i|we|i'd|we'd)(?: just| really| also| would)* (?:want|need|like) (?:the (?!(?:answer|result|number|total|sum|list) (?:for|by)\b)|its|all|both)|\b(?:wants?|wanted|needs?|needed|like|loves?|wish(?:es)?) (?:you|to (?:know|see|have|get|find|hear|be told|calculate|compute|sort|count|convert|send|list|add|remove|replace|round|translate|write|change|turn|make|split|join)\b(?! (?:it|this|that)(?:$| (?:for|at|by|to|soon|now|today)\b)|$| (?:quickly|soon|now|urgently)\b))|\b(?:want|need|like) (?:an?|some|the) (?:explanation|overview|table|chart|graph|summary|proof|hint|list|examples?|steps?)\b|\b(?:would|could|might) be (?:nice|good|great|fine|helpful|useful|better)\b/;
const WISHED_FOR =
  /\b(?:wants?|wanted|needs?|needed|likes?|prefers?) (?:it|this|that|them|these|those)\b(?!$| (?:for|by|at|to|soon|now|today|urgently|because|from)\b| time\b)/;
/** Second requests, orders to the reader, and what takes a request back. */
const TO_YOU =
  /\b(?:please|pls|kindly|(?:can|could|would|will|may|might|must|should|shall|need|have|do|don't|forgot|missed|only) you|you (?:should|must|(?:can|could)(?! help)|may|might|need|have(?! been| helped)|do|don't|will|would|forgot|missed|only|left|also|get|use|take))\b|\b(?:no longer|any ?more|never ?mind|not (?:any|all)|(?<!\bnot )too|also|as well|in addition|on top|at (?:most|least)|in total|by (?:size|price|name|date|age|length))\b/;
const REGIONS =
  /^(?:us|usa|uk|america|american|americans|britain|british|england|english|canada|canadian|australia|australian|europe|european|imperial|metric)$/;
const REGIONAL =
  /\b(?:pints?|gallons?|cups?|tons?|quarts?|ounces?|oz|(?:table|tea)spoons?|tbsp|tsp|billions?)\b|\d[/.]\d+[/.]\d/;
const OF_TIME = /\b(?:time|clock|now|today|when|remind|o'clock|days?|dates?|weeks?|weekday|working)\b/i;
const DAYS =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?|holidays?|january|february|march|april|june|july|august|september|october|november|december|closed|earlier|later|late|early|moved|postponed|delayed|weekdays?|easter|christmas)$/;
const CASES = /\b(?:capitals?|caps|upper|lower|(?:upper|lower)?case)\b/i;
const WRONG = /^(?:errors?|mistakes?|wrong|typos?|invalid)$/;
const KNOWING =
  /\b(?:know|likes?|understand|remember|sure|idea|good|used|strength|thing|clear|learn(?:ed|t)?|see|trust|find|think|explain)\b/;
const LOSING =
  /\b(?:n't|not|no|never|broken?|broke|lost|gone|left|paid|wrong|except|without|cancell?ed|sold|ate|already|back|missing)\b/;

/** A word without its ending. */
const stem = (word: string): string => word.replace(/'s$/, '').replace(/(?<=\p{L}{3})(?:ing|ed|es|s|e|ten)$/u, '');
const FIGURE = /\d+(?:[.,:]\d+)*/g;
const figuresOf = (text: string): readonly string[] =>
  spelledToDigits(text.replace(/\b(?:no )?one\b/gi, ' '))
    .match(FIGURE)
    ?.map((one) => one.replaceAll(',', '')) ?? [];

/** How many people or things a sentence says, and no amount: "two of us". */
const OF_US = /\b\p{L}+ of (?:us|them|you)\b/giu;
const ANNOUNCES = /^(?:here|below|this|these|attached) (?:is|are)\b/i;
/** Rows below a request, without empty lines. */
const rowsOf = (data: string): readonly string[] => data.split('\n').filter((row) => row.trim() !== '');

/** Whether the figures of a statement are those that the question calculates with: "14 pallets with 48 boxes … 14 x 48". */
function usesFigures(sentence: string, asked: string, data: string): boolean {
  const rows = ANNOUNCES.test(sentence) ? rowsOf(data).length : 0;
  const told = figuresOf(sentence.replace(OF_US, ' ')).filter(
    (one) => rows < 2 || ![rows, rows - 1].includes(Number(one)),
  );
  const used = figuresOf(asked);
  if (!told.every((one) => used.includes(one))) return false;
  if (told.length === 0) return true;
  const all = used.every((one) => told.includes(one));
  return all || (!LOSING.test(sentence.toLowerCase()) && !/\d,? (?:and |or )?\d/.test(asked));
}

const AGO = /\b(?:an?|one|\d{1,2}|two|three|four|five|six|several|a few) (?:hour|day|week|month|year)s? ago,?\s?/i;
/** The words of a request, and those of the text or the list that it is about. */
function partsOf(request: string): { readonly asked: string; readonly data: string } {
  const at = request.search(/:\s|\n/);
  const [head, behind] = at < 0 ? [request, ''] : [request.slice(0, at), request.slice(at + 1)];
  const quoted = quotationsIn(head).map(([from, to]) => head.slice(from, to));
  return { asked: head, data: [behind, ...quoted].join(' ') };
}

const REMINDS = /^(?:so |and |then )*(?:(?:please|kindly|(?:can|could|would|will) you),? )*remind (?:me|us)\b/i;
const ORDERS =
  /[?]|\b(?:please|pls|kindly|(?:can|could|would|will) you|you (?:should|must|need|have to)|remind|unless|if)\b/i;
/** What takes a day back or puts another in its place. */
const OTHERWISE =
  /\b(?:mean|means|meant|instead|rather|(?<!had )better|holiday|cancell?ed|called off|postponed|moved to|wrong|not (?:on |for |until |before |in )?(?:the )?(?:\d\w*|today|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day))\b/i;
const OF_ZONE = /\b(?:times?|zone|clocks?|hours? (?:ahead|behind)|(?:i'm|i am|we're|we are|live|lives|based) in)\b/i;
/** Whether a statement changes no reminder behind it, which has its time and its text in itself: only a zone, a condition or an order does. */
const isBesideReminder = (sentence: string): boolean => {
  const text = sentence.replaceAll('’', "'");
  const all = wordsOf(text);
  const isTold = states(all) || (all.length > 3 && (DETERMINERS.has(all[0] ?? '') || PRONOUNS.has(all[0] ?? '')));
  return (
    isTold && !ORDERS.test(text) && !OTHERWISE.test(text) && !OF_ZONE.test(text) && !DO_IT.test(text.toLowerCase())
  );
};

/** Whether a sentence only says why, where or for whom something is asked, so that the request means the same without it. */
export function isContext(sentence: string, request: string): boolean {
  const { asked, data } = partsOf(request);
  if (REMINDS.test(asked)) return isBesideReminder(sentence);
  const whole = withoutTrailing(sentence.trim(), '.!…').replaceAll('’', "'");
  const said = OF_TIME.test(asked) ? whole : whole.replace(AGO, '');
  if (said.length > MAX_SENTENCE || /["“”?:@%$€£[\]{}=<>#]/.test(said)) return false;
  const all = wordsOf(said);
  return all.length > 1 && states(all) && usesFigures(said, asked, data) && !mayChange(said, request);
}

/** A statement beside a request, with what its guards need. */
interface Said {
  readonly text: string;
  readonly all: readonly string[];
  /** Where its subject begins. */
  readonly from: number;
  readonly asked: string;
  readonly data: string;
  /** Words with a capital letter, in lower case. */
  readonly names: ReadonlySet<string>;
  /** Whether a word, or one that differs in its ending, is in the request itself. */
  readonly isAsked: (word: string) => boolean;
}

const hasNumbers = ({ asked }: Said): boolean => /\d/.test(asked) || /\b(?:percent|number|sum|average)\b/i.test(asked);
const hasTexts = ({ asked, data }: Said): boolean =>
  data !== '' || /\b(?:words?|letters?|text|list|lines?|password|names?|csv|json)\b/i.test(asked);
const CONDITION =
  /\b(?:all but|but not)\b|^(?:if|unless|when|whether)\b|\b(?:if|whether)\b(?<!\b(?:know|sure|remember|see|wonder|idea) (?:if|whether))/;
/** An order behind a statement: "my colleague has left, take him out". */
const DO_IT =
  /(?:,|;| -| –| so) (?:please |then |just )?(?:take|leave|send|keep|use|ignore|make|don't|put|add|remove|skip|drop|count|give|show|tell|treat|change|replace|write|include|exclude|round|sort|convert|mail|remind|forget|delete)\b/;
const NEGATED = /n't\b|\b(?:not|no|never|none|cannot)\b/;
const TAKING_PART =
  /\b(?:pay|pays|paying|paid|come|comes|coming|join|joins|joining|eat|eats|eating|drink|drinks|drinking|count|counts|play|plays|playing|take part|taking part)\b/;
const OF_SPAN = /^(?:days?|weeks?|months?|years?)$/;

/** "Before you sort these". */
const BY_YOU = /^(?:before|after|once|until|while) you\b/;
const SORTS = /\b(?:sort|order|rank|arrange|list|put|alphabet\p{L}*)\b/iu;
/** Where a thing stands in an order. */
const STANDS =
  /\b(?:should|must|comes?|goes|go|be|is|are|stands?|to)\b.{0,40}\b(?:first|last|(?:on|at the) (?:top|bottom|end|start|beginning))$|\bones? (?:before|after|ahead)\b/;

/** What a whole statement may say that changes a request. */
const GUARDS: Readonly<Record<string, (said: Said) => boolean>> = {
  asks: ({ text }) => TO_YOU.test(text) || BY_YOU.test(text) || ASKED_FOR.test(text) || WISHED_FOR.test(text),
  limits: ({ text }) => CONDITION.test(text),
  'says what to do': ({ text }) => DO_IT.test(text),
  // "The anchor should be first."
  'says an order': ({ text, asked }) =>
    SORTS.test(asked) && (STANDS.test(text) || /\bby (?:the|their|its|his|her)\b/.test(text)),
  // "Our school year begins in August."
  'says what a span is': ({ all }) =>
    all.some((word, at) => OF_SPAN.test(word) && /^(?:starts?|begins?|ends?|has|counts?)$/.test(all[at + 1] ?? '')),
  'says how the thing is': ({ text, all, from }) => {
    const [subject = '', next = ''] = all.slice(from);
    const isThing = THINGS.test(subject) && (/^(?:it|they)|'/.test(subject) || FINITE.has(next));
    return isThing && !OF_IT.test(text.slice(text.indexOf(subject)));
  },
  'is about the list, the numbers and the like': ({ all, from }) => {
    const [one = '', two = '', three = ''] = all.slice(from);
    if (DATA.test(one)) return two !== 'of';
    const head = [two, three].find((word) => DATA.test(word));
    return (
      DETERMINERS.has(one) &&
      head !== undefined &&
      !(head === three && isVerb(two)) &&
      !OF_SPAN.test(head) &&
      two !== 'name'
    );
  },
  'says what there is': ({ all, from, isAsked }) =>
    all[from]?.startsWith('there') === true &&
    !/^(?:error|problem)$/.test(all[from + 3] ?? '') &&
    all.some((word) => DATA.test(word) || (word.length > 3 && isAsked(word))),
  // "Our cups are big."
  'defines a thing of the request': ({ all, from, isAsked }) =>
    DETERMINERS.has(all[from] ?? '') &&
    [1, 2].some((at) => {
      const [word = '', verb = ''] = all.slice(from + at);
      return word.length > 2 && isAsked(word) && isVerb(verb);
    }),
  // "We don't charge VAT" takes back what is asked, and "I don't understand percentages" says why.
  denies: ({ text, all, isAsked }) =>
    NEGATED.test(text) && !KNOWING.test(text) && all.some((word) => word.length > 2 && !isLink(word) && isAsked(word)),
  // "Jana isn't paying."
  'leaves one out': (said) => NEGATED.test(said.text) && hasNumbers(said) && TAKING_PART.test(said.text),
};

/** What a word of a statement may say that changes a request, where it stands at `at`. */
const WORDS: Readonly<Record<string, (word: string, at: number, said: Said) => boolean>> = {
  'is in the text': (word, _, { data }) => word.length > 2 && !isLink(word) && namesIn(data).has(singular(word)),
  rules: (word, at, said) => {
    const { all, asked, isAsked } = said;
    const isRuling =
      RULING.has(word) ||
      (hasNumbers(said) &&
        (OF_NUMBERS.has(word) ||
          (word.length > 3 && (word.endsWith('s') || all[at - 1] === 'in') && currencyOf(word) !== undefined))) ||
      (OF_TEXTS.has(word) && hasTexts(said)) ||
      (MONEY.test(word) && OF_MONEY.test(asked));
    const isSame =
      ((CASES.test(word) || /^letters?$/.test(word)) &&
        CASES.test(asked) &&
        !/^(?:in|with)$/.test(all[at - 1] ?? '')) ||
      (/^(?:total|sum)s?$/.test(word) && /\b(?:add|sum|total)\b/i.test(asked)) ||
      (WRONG.test(word) && /\b(?:valid|correct|right|check|fix|wrong)\b/i.test(asked)) ||
      // "It only takes decimals" behind what asks for decimals.
      (word === 'only' &&
        all.slice(at + 1, at + 4).some((one) => (OF_NUMBERS.has(one) || OF_TEXTS.has(one)) && isAsked(one)));
    return isRuling && !isAsked(word) && !isSame && !isIdiom(all, at);
  },
  'names others': (word, at, { all }) => word === 'other' && !/^\p{L}{4}/u.test(all[at + 1] ?? ''),
  // "We use American week numbers", "we write the date first".
  'says how it is done': (word, at, { all, isAsked }) =>
    /^(?:use|uses|write|writes|measure|measures)$/.test(word) &&
    all.slice(at + 1, at + 5).some((one) => DATA.test(one) || (one.length > 2 && isAsked(one))),
  'is wished': (word, at, { all, isAsked }) =>
    DATA.test(word) &&
    (/^(?:as|into)$/.test(all[at - 1] ?? '') ||
      (!/^(?:one|(?:answer|result|day|week|year|month)s?)$/.test(word) &&
        !isAsked(word) &&
        all.some((one, place) => WISHES.test(one) && all[place + 1] !== 'to'))),
  'is a unit': (word, at, { all, asked }) => {
    const unit = word.length > 1 && !NO_UNIT.test(word) ? unitOf(word) : undefined;
    if (unit === undefined || wordsOf(asked).some((one) => unitOf(one)?.symbol === unit.symbol)) return false;
    return (
      (at > 1 && /^(?:an?|half|per|each|every|in)$/.test(all[at - 1] ?? '')) ||
      (word.length > 3 && (unit.kind !== 'time' || all.some((one) => WISHES.test(one))))
    );
  },
  'is a day': (word, _, { asked }) => DAYS.test(word) && OF_TIME.test(asked) && !/\bremind\b/i.test(asked),
  'is a region': (word, _, { asked }) => REGIONS.test(word) && REGIONAL.test(asked),
  'is a place of the time': (word, at, { all, asked, names, isAsked }) =>
    word.length > 3 &&
    (names.has(word) || /^(?:in|from|near|around)$/.test(all[at - 1] ?? '')) &&
    /\b(?:time|now|clock|today)\b/i.test(asked) &&
    zoneOf(word) !== undefined &&
    !isAsked(word),
};

/** Whether a word has no meaning of its own. */
const isLink = (word: string): boolean =>
  PRONOUNS.has(word) ||
  DETERMINERS.has(word) ||
  PREPOSITIONS.has(word) ||
  ADVERBS.has(word) ||
  CLOSED.test(word) ||
  FINITE.has(word) ||
  /^(?:how|what|which|when|who|where|many|much|and|not|please|tell|give|write)$/.test(word);
/** A row of at most so many words is a name. */
const MAX_NAME = 3;
export const singular = (word: string): string => word.replace(/(?<=\p{L}{3})(?:'s|s)$/u, '');
/** What a text names: all words of one line; of several, words with a capital and those of short cells but for a header. */
export function namesIn(data: string): ReadonlySet<string> {
  const rows = rowsOf(data);
  if (rows.length < 2) return new Set(wordsOf(data).map(singular));
  const isTable = rows.length > 2 && rows.every((row) => row.includes(',')) && !/\d/.test(rows[0] ?? '');
  const dataRows = isTable ? rows.slice(1) : rows;
  const cells = dataRows.flatMap((row) => row.split(/[,;:|\t]| - /)).map(wordsOf);
  const names = dataRows.join(' ').match(/\p{Lu}[\p{L}'’-]+/gu) ?? [];
  return new Set([...cells.filter(({ length }) => length <= MAX_NAME).flat(), ...names.flatMap(wordsOf)].map(singular));
}
const stemsOf = (text: string): ReadonlySet<string> => new Set(wordsOf(text).map(stem));

function saidIn(statement: string, request: string): Said {
  const text = statement.toLowerCase().replaceAll('’', "'");
  const all = wordsOf(text);
  const { asked, data } = partsOf(request);
  const stems = stemsOf(asked);
  return {
    text,
    all,
    from: Math.max(0, subjectIn(all)),
    asked,
    data,
    names: new Set((statement.match(/\p{Lu}\p{L}+/gu) ?? []).map((name) => name.toLowerCase())),
    isAsked: (word) => stems.has(stem(word)),
  };
}

/** Whether words beside a request may change it: "the deposit is already paid". */
export function mayChange(statement: string, request: string): boolean {
  const said = saidIn(statement, request);
  return (
    Object.values(GUARDS).some((guard) => guard(said)) ||
    Object.values(WORDS).some((guard) => said.all.some((word, at) => guard(word, at, said)))
  );
}

/** Whether a clause of a request about a text limits it; other clauses say what the text is and what it is for. */
export function limits(clause: string, request: string): boolean {
  const said = saidIn(clause, request);
  // "These street names came in small letters" names what stands there.
  const isShown = /^(?:this|these|those)$/.test(said.all[0] ?? '');
  return (
    ['asks', 'limits', 'denies'].some((guard) => GUARDS[guard]?.(said)) ||
    said.all.some((word, at) => !(at < NAMING && isShown) && WORDS['is in the text']?.(word, at, said))
  );
}

const NO_UNIT = /^(?:in|as|am|a|at|day|hour|bar|stone|point|yard|second)$/;
/** Whether a word that rules elsewhere is a part of what people only say. */
function isIdiom(all: readonly string[], at: number): boolean {
  const [before = '', word = '', next = ''] = [all[at - 1], all[at], all[at + 1]];
  return (
    (/^count(?:ed)?$/.test(word) && /^(?:i|we|he|she|they)$/.test(before)) ||
    (word === 'then' && at > 1) ||
    (word === 'caps' && next === 'lock') ||
    (word === 'most' && /^(?:of|people)$/.test(next)) ||
    (word === 'place' && /^(?:take|takes|took)$/.test(before)) ||
    (word === 'off' && /^(?:day|days|week|turned|switched|took|broke|fell)$/.test(before)) ||
    (word === 'leave' && /^(?:sick|parental|maternity|on|to|i|we|must)$/.test(before)) ||
    (/^letters?$/.test(word) && /^(?:from|to)$/.test(next)) ||
    (/^(?:first|second|third|fourth|fifth)$/.test(word) &&
      /^(?:aid|time|floor|day|grade|class|year|week|term|month|job|child|shift|lesson)$/.test(next)) ||
    (word === 'order' && /^(?:i|we|they|an?|big|large|huge|new|our|my|first)$/.test(before)) ||
    (/^(?:up|down)$/.test(word) && !/^(?:round|rounds|rounded|goes|went|go)$/.test(before)) ||
    (/^(?:places?)$/.test(word) && !/decimal/.test(before) && next !== '') ||
    (word === 'steps' && !/^(?:the|all|show|see)$/.test(before)) ||
    (/^drop/.test(word) && /^(?:in|by|my|me|him|her|them)$/.test(next)) ||
    (word === 'even' && /^(?:not|though)$/.test(before)) ||
    (word === 'should' && /^(?:i|we)$/.test(before)) ||
    (/^(?:same|different)$/.test(word) && next !== '' && !DATA.test(next)) ||
    (word === 'free' && /^(?:time|day)$/.test(next))
  );
}

/** Whether a text states something before what it asks: "every year we meet. What is 3 + 4?" */
export function beginsWithContext(text: string): boolean {
  const [first = '', ...others] = text.split(/(?<=[.!]) +/);
  return others.length > 0 && isContext(first, others.join(' '));
}

const EXPLETIVE =
  /\bthat (?=(?:the|my|our|his|her|their|an?|i|we|he|she|they|it|there|you)\b)|\b(?:when|if) it(?: is|'s)\b|\bwh(?:at|ich) (?:time|day|date|weekday|year|month) (?:is|was|will) it\b(?! then)|\b(?:is|was|are|will|does|did) (?:it|there)\b(?= (?:until|till|to|from|between|take|in|when|be|on|a|an|any)\b)|\bthere (?:is|are|was|were)\b|\b(?:is|are|was|were) there\b|\bthat (?=(?:is|are|was|were|has|have|start|end|begin|contain|can)\w*\b)/gi;
const POINTS =
  /\b(?:it|its|that|this|these|those|they|them|their|he|she|him|her|his|then|there|such)\b(?<!\bthen(?= \p{L}))/iu;
const THAT_TIME = /\b(?:then|that (?:time|day|date|night|morning|afternoon|evening|week|month))\b/i;
/** Whether a request stands on its own: it points to nothing that was said before. */
export function isWholeRequest(request: string): boolean {
  const { asked, data } = partsOf(request);
  if (REMINDS.test(asked)) return !THAT_TIME.test(asked);
  const [clause = ''] = asked.replace(EXPLETIVE, ' ').split(/[,;.?!](?= )/);
  return data.trim() !== '' || !POINTS.test(clause);
}
