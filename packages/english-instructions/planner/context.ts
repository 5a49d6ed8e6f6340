import { withoutTrailing } from '@mailroom/behavior/values/trailing';
import { currencyOf } from '../tasks/words/currency.ts';
import { spelledToDigits } from '../tasks/words/spelled-numbers.ts';
import { unitOf } from '../tasks/words/units.ts';
import { zoneOf } from '../tasks/words/zones.ts';

const MAX_SENTENCE = 200;
const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

const PRONOUNS = words(
  `i we he she they it you there this that these those someone somebody nobody everyone everybody everything nothing people
i'm i've i'd i'll im we're we've we'd we'll he's she's it's its that's there's they're they've you're you've who`,
);
const DETERMINERS = words(
  'the a an my our his her their your some many most several all both each every no this that these those another',
);
const ADVERBS = words(
  `and but so well because since as today yesterday tomorrow tonight now currently recently lately sometimes usually often
unfortunately sadly luckily apparently actually here soon again always never still maybe just really honestly right`,
);
const PREPOSITIONS = words(
  'in on at for after before during with from since by near under as to because of behind around between within about',
);
/** Verbs, and words behind which a verb stands. */
const FINITE = words(
  `is are was were am be been has have had do does did will would can could shall should may might must isn't aren't wasn't weren't
hasn't haven't hadn't don't doesn't didn't won't wouldn't can't cannot couldn't keeps keep kept wants want needs need says say said
comes come came goes go went gets get got looks look seems seem asks ask tells tell told thinks think thought loves love likes
hates gave gives set sent made makes make left lost found ran runs run won wins sold sells bought buys broke breaks fell falls
began begins starts opens closes took takes meets meet met knows know knew wrote writes reads sits stands stood works work
lives live teaches taught brought brings ate eats saw sees heard hears felt feels spent speaks spoke plays play sings sang rose
grows grew drew draws drives drove flies flew hangs hung builds built bet helps help believes stay stays stayed`,
);
const isVerb = (word: string): boolean => FINITE.has(word) || /^\p{L}{2,}(?:ed|['’]s)$/u.test(word);
const CLOSED =
  /^(?:the|an?|my|our|his|her|their|your|its|this|that|these|those|it|us|me|them|to|in|on|at|for|with|by|from|about|into|through|again|soon|here)$/;

const wordsOf = (text: string): readonly string[] =>
  (text
    .toLowerCase()
    .replaceAll('’', "'")
    .match(/[\p{L}\d]+(?:['-][\p{L}\d]+)*/gu) ?? []) as readonly string[];

/** Where the subject begins behind what says when, where or why something is so; -1 where none does. */
function subjectIn(all: readonly string[]): number {
  let at = 0;
  while (ADVERBS.has(all[at] ?? '')) at++;
  const [one = '', , three = ''] = all.slice(at);
  // "Last night we talked", "every year the club meets".
  if (/^(?:last|this|next|every|each|these|those)$/.test(one) && (PRONOUNS.has(three) || DETERMINERS.has(three)))
    return at + 2;
  const isDoing = /\p{L}{3}ing$/u.test(one) && !FINITE.has(all[at + 1] ?? '');
  if (!PREPOSITIONS.has(one) && !isDoing) return at;
  const behind = all.slice(at + 1, at + 9);
  const pronoun = behind.findIndex((word, index) => PRONOUNS.has(word) && !(index === 0 && DETERMINERS.has(word)));
  if (pronoun >= 0) return at + 1 + pronoun;
  const noun = behind.findIndex(
    (word, index) => index > (DETERMINERS.has(behind[0] ?? '') ? 1 : 0) && DETERMINERS.has(word),
  );
  return noun < 0 ? -1 : at + 1 + noun;
}

/** Whether a text states something beyond doubt, and orders nothing. */
export const isStatement = (text: string): boolean => {
  const all = wordsOf(text);
  return all.length > 2 && states(all) && all.slice(1, 6).some((word) => FINITE.has(word));
};
/** Whether a sentence states something: it has a subject and a verb, and begins as no order does. */
function states(all: readonly string[]): boolean {
  const at = subjectIn(all);
  const subject = all[at] ?? '';
  // "Can't decide what to eat."
  if (
    /^(?:can't|cannot|couldn't|am|don't (?:know|understand|remember)|didn't|haven't|got|forgot|no idea|not sure) /.test(
      all.join(' '),
    )
  )
    return true;
  if (at < 0 || subject === '') return false;
  if (/^one of (?:the|my|our|us|them)\b/.test(all.slice(at).join(' ')))
    return all.slice(at).some((word) => FINITE.has(word)) && !all.slice(at + 1).some((word) => DATA.test(word));
  if (/^(?:today|tomorrow|yesterday)$/.test(all[at - 1] ?? '') && /^(?:is|was|will)$/.test(subject)) return true;
  const isNamed = !PRONOUNS.has(subject) && !DETERMINERS.has(subject);
  if (PRONOUNS.has(subject) && !DETERMINERS.has(subject)) return all.length > at + 1;
  const rest = all.slice(at + 1, at + 9);
  const verb = /^(?:from|of|in|at)$/.test(rest[0] ?? '')
    ? (rest.slice(2, 6).find((word) => FINITE.has(word)) ?? '')
    : (rest.find((word) => !ADVERBS.has(word)) ?? '');
  // A name or a noun without an article stands right before its verb.
  if (isNamed)
    return (
      at === 0 &&
      FINITE.has(verb) &&
      !isVerb(subject) &&
      !/^(?:what|how|which|when|where|why|who|whose|if|unless|please|not|only|let)$/.test(subject)
    );
  return rest.some(
    (word, index) => isVerb(word) || (index > 0 && /s$|\p{L}{3}/u.test(word) && CLOSED.test(rest[index + 1] ?? '')),
  );
}

/** Words that say how much, which or how something is to be done, or that something told is otherwise. */
const RULING = words(
  `only except excepting excluding exclude excludes excluded without unless instead otherwise else rather than least most less fewer
greater larger bigger smaller longer shorter higher lower largest smallest biggest longest shortest highest lowest first second
third fourth fifth either neither nor twice thrice half double doubled triple quarter dozen enough same different equal odd even
count counts counted counting include includes included including ignore ignores ignored skip skips skipped omit omitted leave
matter matters apply applies belong belongs mean means meant treat regard consider called accept accepts accepted allow allows
allowed support supports require requires required expect expects prefer prefers should ought wrong mistake mistakes error errors
typo typos correction incorrect canceled cancelled void invalid outdated duplicate duplicates anymore longer afterwards then
rest remainder difference unique safe reverse order total totals sum average mean median dropped drop drops steps`,
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
special shorter digit digits`,
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
  /^(?:it|this|that|these|those|they)(?:'s|'re| is| are| was| were) (?:all |just |only |really |so |very |quite |a bit |too )?(?:for|about|from|part of|urgent|important|hard|difficult|complicated|confusing|tricky|annoying|boring|fun|easy|raining|snowing|cold|late|dark|a (?:mess|pity|shame|hard|long|busy|surprise|secret|present|gift|riddle|puzzle|joke|game|bet)|my|our|been|due|getting|time)\b|^(?:it|this|that) (?:has been (?:p{L}+ing|an?|so|very)|will (?:go|hang|be (?:for|on|printed|shown|used))|goes (?:on|into|in the|to)|comes (?:from|up))\b|^they (?:say|said|think|told|asked|know|want|need|live|meet|came?|wait)\b|^they(?:'re| are) (?:waiting|coming|asking|visiting|meeting|arriving|closing|opening|travelling|going|making|here|there|very|quite|nice|friends|new|old)\b|^(?:it|that|this) (?:would|will) (?:help|save|make|be (?:great|nice|lovely|wonderful|helpful|a (?:great )?help))\b|^(?:it has been|this question|this came|it came)\b/;
const WISHES = /^(?:want|wants|wanted|need|needs|needed|like|likes|love|loves|hate|hates|wish|wishes|would|i'd|we'd)$/;
/** What someone wishes to be told or given is a request. */
const ASKED_FOR =
  /\b(?:i|we|i'd|we'd)(?: just| really| also| would)* (?:want|need|like) (?:the (?!(?:answer|result|number|total|sum|list) (?:for|by)\b)|its|all|both)|\b(?:wants?|wanted|needs?|needed|like|loves?|wish(?:es)?) (?:you|to (?:know|see|have|get|find|hear|be told|calculate|compute|sort|count|convert|send|list|add|remove|replace|round|translate|write|change|turn|make|split|join)\b(?! (?:it|this|that)(?:$| (?:for|at|by|to|soon|now|today)\b)))|\b(?:would|could|might) be (?:nice|good|great|fine|helpful|useful|better)\b/;
const WISHED_FOR =
  /\b(?:wants?|wanted|needs?|needed|likes?|prefers?) (?:it|this|that|them|these|those)\b(?!$| (?:for|by|at|to|soon|now|today|urgently|because|from)\b| time\b)/;
/** Second requests, orders to the reader, and what takes a request back. */
const TO_YOU =
  /\b(?:please|pls|kindly|(?:can|could|would|will|may|might|must|should|shall|need|have|do|don't|forgot|missed|only) you|you (?:should|must|can|could|may|might|need|have(?! been| helped)|do|don't|will|would|forgot|missed|only|left|also|get|use|take))\b|\b(?:no longer|any ?more|never ?mind|not (?:any|all)|too|also|as well|in addition|on top|at (?:most|least)|in total|by (?:size|price|name|date|age|length))\b/;
const REGIONS =
  /^(?:us|usa|uk|america|american|americans|britain|british|england|english|canada|canadian|australia|australian|europe|european|imperial|metric)$/;
const REGIONAL =
  /\b(?:pints?|gallons?|cups?|tons?|quarts?|ounces?|oz|(?:table|tea)spoons?|tbsp|tsp|billions?)\b|\d[/.]\d+[/.]\d/;
const OF_TIME = /\b(?:time|clock|now|today|when|remind|o'clock|days?|dates?|weeks?|weekday|working)\b/i;
const DAYS =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?|holidays?|january|february|march|april|june|july|august|september|october|november|december|closed|weekdays?|easter|christmas)$/;
const CASES = /\b(?:capitals?|caps|upper|lower|(?:upper|lower)?case)\b/i;
const KNOWING = /\b(?:know|understand|remember|sure|good|used|clear|learn(?:ed|t)?|see|trust|find|think|explain)\b/;
const LOSING =
  /\b(?:n't|not|no|never|broken?|broke|lost|gone|left|paid|wrong|except|without|cancell?ed|sold|ate|already|back|missing)\b/;

/** A word without its ending. */
const stem = (word: string): string => word.replace(/'s$/, '').replace(/(?<=\p{L}{3})(?:ing|ed|es|s|e|ten)$/u, '');
const FIGURE = /\d+(?:[.,:]\d+)*/g;
const figuresOf = (text: string): readonly string[] =>
  spelledToDigits(text.replace(/\b(?:no )?one\b/gi, ' '))
    .match(FIGURE)
    ?.map((one) => one.replaceAll(',', '')) ?? [];

/** Whether the figures of a statement are those that the question calculates with: "14 pallets with 48 boxes … 14 x 48". */
function usesFigures(sentence: string, asked: string): boolean {
  const told = figuresOf(sentence);
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
  const quoted = head.match(/"[^"]*"|“[^”]*”/g) ?? [];
  return { asked: head, data: [behind, ...quoted].join(' ') };
}

/** Whether a sentence only says why, where or for whom something is asked, so that the request means the same without it. */
export function isContext(sentence: string, request: string): boolean {
  const { asked, data } = partsOf(request);
  const whole = withoutTrailing(sentence.trim(), '.!…').replaceAll('’', "'");
  const said = OF_TIME.test(asked) ? whole : whole.replace(AGO, '');
  if (said.length > MAX_SENTENCE || /["“”?:@%$€£[\]{}=<>#]/.test(said)) return false;
  const all = wordsOf(said);
  return all.length > 1 && states(all) && usesFigures(said, asked) && !rules(all, said.toLowerCase(), asked, data);
}

/** Whether words beside a request may change it: "the deposit is already paid". */
export const mayChange = (said: string, request: string): boolean => {
  const { asked, data } = partsOf(request);
  return rules(wordsOf(said), said.toLowerCase().replaceAll('’', "'"), asked, data);
};

/** Whether a statement may change what is asked, or how it is answered. */
function rules(all: readonly string[], said: string, asked: string, data: string): boolean {
  const inAsked = new Set(wordsOf(asked).map(stem));
  const inData = new Set(wordsOf(data).map(stem));
  const isAsked = (word: string): boolean => inAsked.has(stem(word));
  const subject = all[subjectIn(all)] ?? '';
  const behind = said.slice(Math.max(0, said.indexOf(subject)));
  if (TO_YOU.test(said) || ASKED_FOR.test(said) || WISHED_FOR.test(said)) return true;
  if (
    /^(?:if|unless|when|whether)\b|\b(?:if|whether)\b(?<!\b(?:know|sure|remember|see|wonder|idea) (?:if|whether))/.test(
      said,
    )
  )
    return true;
  const isThing =
    THINGS.test(subject) &&
    (/^(?:it|they)/.test(subject) || /'/.test(subject) || FINITE.has(all[subjectIn(all) + 1] ?? ''));
  if (isThing && !OF_IT.test(behind)) return true;
  const first = all.slice(subjectIn(all), subjectIn(all) + 4);
  // The list, the numbers and the like are what is asked about.
  if (/^(?:my|his|her) name is\b/.test(behind)) return false;
  if (DATA.test(first[0] ?? '') && first[1] !== 'of') return true;
  const head = DETERMINERS.has(first[0] ?? '') ? first.slice(1, 3).find((word) => DATA.test(word)) : undefined;
  if (
    head !== undefined &&
    !isVerb(first[first.indexOf(head) - 1] ?? '') &&
    !/^(?:day|week|month|year|question)s?$/.test(head)
  )
    return true;
  if (/^there\b/.test(subject) && all.some((word) => DATA.test(word) || (word.length > 3 && isAsked(word))))
    return true;
  // What is said of a thing that the request names may define it: "our cups are big".
  if (
    DETERMINERS.has(first[0] ?? '') &&
    first.slice(1, 3).some((word, index) => word.length > 2 && isAsked(word) && isVerb(first[index + 2] ?? ''))
  )
    return true;
  const isOfNumbers = /\d/.test(asked) || /\b(?:percent|number|sum|average)\b/i.test(asked);
  const isOfText = data !== '' || /\b(?:words?|letters?|text|list|lines?|password|names?|csv|json)\b/i.test(asked);
  // "We don't charge VAT" takes back what is asked, and "I don't understand percentages" says why.
  if (
    /n't\b|\b(?:not|no|never|none|cannot)\b/.test(said) &&
    !KNOWING.test(said) &&
    all.some((word) => word.length > 2 && !FINITE.has(word) && !CLOSED.test(word) && isAsked(word))
  )
    return true;
  const wishes = all.some((word) => WISHES.test(word));
  return all.some((word, at) => {
    if (
      inData.has(stem(word)) &&
      word.length > 2 &&
      !PRONOUNS.has(word) &&
      !DETERMINERS.has(word) &&
      !PREPOSITIONS.has(word) &&
      !ADVERBS.has(word) &&
      !CLOSED.test(word) &&
      !FINITE.has(word)
    )
      return true;
    const isRuling =
      RULING.has(word) ||
      (OF_NUMBERS.has(word) && isOfNumbers) ||
      (OF_TEXTS.has(word) && isOfText) ||
      (isOfNumbers && word.length > 3 && currencyOf(word) !== undefined) ||
      (MONEY.test(word) && OF_MONEY.test(asked));
    const isCase = CASES.test(word) && CASES.test(asked) && !/^(?:in|with)$/.test(all[at - 1] ?? '');
    const isAdded = isCase || (/^(?:total|sum)s?$/.test(word) && /\b(?:add|sum|total)\b/i.test(asked));
    if (isRuling && !isAsked(word) && !isAdded && !isIdiom(all, at)) return true;
    if (word === 'other' && !/^\p{L}{4}/u.test(all[at + 1] ?? '')) return true;
    // "We use American week numbers", "we write the date first".
    if (
      /^(?:use|uses|write|writes|measure|measures)$/.test(word) &&
      all.slice(at + 1, at + 5).some((one) => DATA.test(one) || (one.length > 2 && isAsked(one)))
    )
      return true;
    if (
      wishes &&
      word !== 'one' &&
      DATA.test(word) &&
      !/^(?:answer|result|day|week|year|month)s?$/.test(word) &&
      !isAsked(word)
    )
      return true;
    if (/^(?:as|into)$/.test(all[at - 1] ?? '') && DATA.test(word)) return true;
    if (at > 1 && /^(?:an?|half|per|each|every|in)$/.test(all[at - 1] ?? '') && isUnit(word) && !isAsked(word))
      return true;
    if (word.length > 3 && isUnit(word) && unitOf(word)?.kind !== 'time' && !isAsked(word)) return true;
    if (DAYS.test(word) && OF_TIME.test(asked)) return true;
    if (REGIONS.test(word) && REGIONAL.test(asked)) return true;
    return (
      word.length > 3 && /\b(?:time|now|clock|today)\b/i.test(asked) && zoneOf(word) !== undefined && !isAsked(word)
    );
  });
}
const isUnit = (word: string): boolean =>
  word.length > 1 &&
  unitOf(word) !== undefined &&
  !/^(?:in|as|am|a|at|day|hour|bar|stone|point|yard|second)$/.test(word);
/** Whether a word that rules elsewhere is a part of what people only say. */
function isIdiom(all: readonly string[], at: number): boolean {
  const [before = '', word = '', next = ''] = [all[at - 1], all[at], all[at + 1]];
  return (
    (word === 'caps' && next === 'lock') ||
    (word === 'most' && /^(?:of|people)$/.test(next)) ||
    (word === 'place' && /^(?:take|takes|took)$/.test(before)) ||
    (word === 'off' && /^(?:day|days|week|turned|switched|took|broke|fell)$/.test(before)) ||
    (word === 'leave' && /^(?:sick|parental|maternity|on|to|i|we|must)$/.test(before)) ||
    (/^letters?$/.test(word) && /^(?:from|to)$/.test(next)) ||
    (/^(?:first|second|third|fourth|fifth)$/.test(word) &&
      /^(?:aid|time|floor|day|grade|class|year|week|term|month|job|child|shift|lesson)$/.test(next)) ||
    (word === 'order' && /^(?:an?|big|large|huge|new|our|my|first)$/.test(before)) ||
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

const EXPLETIVE =
  /\bthat (?=(?:the|my|our|his|her|their|an?|i|we|he|she|they|it|there|you)\b)|\b(?:when|if) it(?: is|'s)\b|\bwh(?:at|ich) (?:time|day|date|weekday|year|month) (?:is|was|will) it\b(?! then)|\b(?:is|was|are|will|does|did) (?:it|there)\b(?= (?:until|till|to|from|between|take|in|when|be|on|a|an|any)\b)|\bthere (?:is|are|was|were)\b|\b(?:is|are|was|were) there\b|\bthat (?=(?:is|are|was|were|has|have|start|end|begin|contain|can)\w*\b)/gi;
const POINTS =
  /\b(?:it|its|that|this|these|those|they|them|their|he|she|him|her|his|then|there|such)\b(?<!\bthen(?= \p{L}))/iu;
/** Whether a request stands on its own: it points to nothing that was said before. */
export function isWholeRequest(request: string): boolean {
  const { asked, data } = partsOf(request);
  const [clause = ''] = asked.replace(EXPLETIVE, ' ').split(/[,;.?!](?= )/);
  return data.trim() !== '' || !POINTS.test(clause);
}
