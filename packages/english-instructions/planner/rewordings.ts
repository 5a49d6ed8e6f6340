import { quotationsIn } from '../language/quotations.ts';
import { TAXES } from '../tasks/words/currency.ts';
import { asOrder, withoutAdjuncts } from './adjuncts.ts';
import { askings } from './askings.ts';
import { plain } from './courtesy.ts';

const ORDINAL = '(?:first|second|third|fourth|fifth|sixth|last|\\d{1,3}(?:st|nd|rd|th))';
const PART = '(?:words?|lines?|items?|sentences?|letters?|characters?|rows?|names?|entr(?:y|ies))';

const BRACKETS = '(?:(?:round|square|curly|angle) )?(?:brackets|braces|parenthes[ei]s|parens)';

/** What is written, and how the rules say it. Words that limit what is asked are in none of them. */
const SAME: readonly (readonly [written: string, meant: string])[] = [
  // Words that say nothing.
  ['\\b(?:already|currently|actually|basically|really|exactly|precisely|simply|quickly) ', ''],
  ['^(?:the )?(?:year|number|figure|value|amount) (?=\\d)', ''],
  [' (?:overall|all told|all up|in all honesty|so far)$', ''],
  // Other words for the same.
  ['\\b(?:ahead of|prior to|in advance of)\\b', 'before'],
  ['\\b(?:makes?|fit|fits|go) up (?=an?\\b|one\\b|\\d)', 'are in '],
  [
    '\\b(?:(?:which|what)(?: (?:is|was|will be) the)? )?(?:day of the week|week ?day)(?: (?:for|of|on|is|was|does|did))?(?: fall on)? (?=\\S*\\d)',
    'weekday of ',
  ],
  ['\\bbase two\\b', 'binary'],
  ['\\bbase ten\\b', 'decimal'],
  ['\\bshow(s?) up(?= (?:in|at|here)\\b)', 'occur$1'],
  ['\\b(?:which|what) day number of the year\\b', 'which day of the year'],
  ['\\bhow many (seconds|minutes|hours|weeks) does (.{3,30}) have$', 'how many $1 are in $2'],
  ['^(?=.*\\bhow long\\b)(.+ \\d{1,2}:\\d{2}) (?:on )?the (?:next|following) (?:day|morning)\\b', '$1'],
  ['^((?:is|are|was|does|do|did|will|has|have|can) .{3,80}),? or not$', '$1'],
  ['^(.{3,60}) (?:is|will be|was) (what time|which date|what date|which day)$', '$1'],
  [' ago (yesterday|today|tomorrow|last [a-z]+day)$', ' before $1'],
  ['^tot (?:up )?', 'add up '],
  ['^from (it|that|this|those),? (?:take away|subtract|take|deduct) (.+)$', 'subtract $2 from $1'],
  ['\\bthe outcome\\b', 'the result'],
  [
    '^(these|this|those|the|my) (.{2,40}) in (alphabetical|ascending|descending|reverse|numerical) order$',
    'sort $1 $2 in $3 order',
  ],
  // Amounts.
  [
    "^(?:what is |what[’']s )?(?:the )?(?:difference|change|gap) in percentage points (?:between|from) (\\d[\\d.]*) ?% (?:and|to) (\\d[\\d.]*) ?%$",
    'difference between $1 and $2',
  ],
  ['(?<=\\d.{1,20} (?:in|to|into) hours),? (?:as|in) (?:a )?decimals?(?: numbers?| form)?$', ''],
  ['\\brounded (up|down) to (?:a|the next|the nearest) (?:whole|full) (?:number|one)$', 'rounded $1'],
  ['^(.{3,80}\\d),? (?:doubled|times two)$', 'double the $1'],
  [
    '^(how many [a-z]+ (?:is|are|in)) an? (\\d[\\d.]*[ -]?(?:inch|inches|cm|mm|foot|feet|metres?|meters?|miles?|km|litres?|liters?)) [a-z]+(?: [a-z]+)?$',
    '$1 $2',
  ],
  ['(?<=\\d.{1,20} (?:in|to|into) [a-z]{1,12}) for (?:an?|my|the|our|his|her|their) [a-z]{3,20}(?: [a-z]{3,20})?$', ''],
  ['(?<=\\d ?[tgmk]b (?:in|to|into) [tgmk]b),? \\(?(?:decimal|si)(?:,? not binary|,? units)?\\)?$', ''],
  // Parts alone.
  ['^(replace|change|remove|delete|swap|capitali[sz]e|uppercase|extract|list|show|find|get) only (the |all )', '$1 $2'],
  ['^take only (.{3,60}?) (?:out of|from) ', 'extract $1 from '],
  ['\\bin all[ -](lower|upper)[ -]?case\\b', 'in $1case'],
  ['\\b(put|add) an? (\\S) (?=(?:before|in front of|at|after|behind) )', '$1 $2 '],
  // Orders.
  [
    '^((?:keep|only keep|keep only|just keep|leave|show|show me|take)\\b.{3,80}?),? (?:and|but) (?:drop|delete|remove|lose|discard|forget|leave out|throw away|ignore) (?:all )?(?:the )?(?:rest|others?|other ones|remainder|everything else|all others)(?: of (?:it|them|the [a-z]+))?$',
    '$1',
  ],
  ['^look up (?=(?:the|my|our|his|her) )', 'what is '],
  [
    '^((?:reverse|flip|invert|turn(?: around| round)?)\\b.{3,80}?),? (?:so|so that|such that) (?:the )?(?:last(?: [a-z]+)? (?:is|comes|goes|stands|will be) (?:first|(?:on|at the) (?:top|start|beginning))|first(?: [a-z]+)? (?:is|comes|goes|stands|will be) (?:last|(?:on|at) the (?:bottom|end)))$',
    '$1',
  ],
  [',? the (highest|largest|biggest|lowest|smallest|newest|oldest|cheapest|longest|shortest) first$', ' $1 first'],
  [`\\b(includes|including|contains) (\\d[\\d.,]*%) (?:${TAXES})$`, '$1 $2'],
  ['\\bnet (price|amount|cost) (?:if|when|of) (.{1,30}?) (?:includes|contains) ', 'net $1 of $2 including '],
  [`^add (\\d[\\d.,]*%) (?:${TAXES}|tip|service)$`, 'add $1'],
  [
    '^(\\d+ [a-z]+) at (\\d[\\d.]*) plus (?:an? )?(\\d[\\d.]*)(?: (?:for )?(?:booking |service |delivery )?(?:fee|charge|postage|delivery|shipping))?$',
    '$1 at $2 each plus $3',
  ],
  ['^(total|sum|average) (?!of\\b)[a-z]+ (?=(?:per|by|for each) )', '$1 '],
  [
    '^(?:turn|make|put|change|convert|combine|write) (.{3,40}?) (?:into|to|in|on|onto) (?:an? |one )?(?:single |long )?(?:line|list|string|row|text)(?:,? (?:separated|divided|delimited|joined))? (?:by|with) ',
    'join $1 with ',
  ],
  // What stands around each part.
  ['\\b(?:in front of|at the (?:start|beginning|front|head) of) (?=each|every|all)', 'before '],
  ['\\bat the end of (?=each|every|all)', 'after '],
  [`^(?:make|let|have) (each|every|all) (${PART}) (?:start|begin) with`, 'start $1 $2 with'],
  // Parts of a text.
  [
    "\\bthe (brackets|parentheses) and (?:what(?:[’']s| is)|everything|all|the (?:text|words)) (?:in|inside|between|within) (?:them|it)\\b",
    'everything in $1',
  ],
  [
    `\\b(?:everything|whatever|anything|all(?: of)?(?: the)? (?:text|words)|the (?:text|words)|what(?:[’']s| is)?)(?: that)?(?: is| stands)? (?:in|inside|within|between) (?:the )?(${BRACKETS})(?:,? (?:and|plus|including|with|together with|along with|as well as) (?:the |its |their )?(?:${BRACKETS}|ones)(?: themselves)?(?: too| as well| also)?|,? (?:the )?(?:${BRACKETS}) (?:included|too|as well))`,
    'everything in $1',
  ],
  [
    '\\b(replace|change|swap) (the (?:first|last) |every |each |all )?(\\S) (with|for|to) an? (\\S)(?= |$)',
    '$1 $2$3 $4 $5',
  ],
  [`^(?:change|set|make|turn|switch) the (${ORDINAL} ${PART}) (?:in)?to `, 'replace the $1 with '],
  ['^(?:alphabeti[sz]e|order|arrange) the (letters|words|characters) (?:of|in) (?:the word )?', 'sort the $1 of '],
  [
    '^(?:swap|switch|exchange|invert|flip|toggle|reverse) (?:the )?(?:upper ?(?:case)? (?:and|with) lower ?(?:case)?|lower ?(?:case)? (?:and|with) upper ?(?:case)?|capitals and small letters|small and capital letters|letter case|capitali[sz]ation|casing)(?: letters)?',
    'swap case',
  ],
];
const PATTERNS = SAME.map(([written, meant]) => [new RegExp(written, 'i'), meant] as const);
const MAX_TEXT = 300;

/** An instruction in other words that mean the same, and without what only says what it is about. `data`: what it is about. */
export function rewordings(text: string, data = ''): readonly string[] {
  const plainer = withoutAdjuncts(text, data);
  return [
    ...new Set([
      ...inOtherWords(text),
      ...plainer,
      ...plainer.flatMap(inOtherWords),
      ...asked([text, ...plainer], data),
    ]),
  ];
}

/** An instruction about a text that is a wish, a duty or a question, as an order in the words of the rules. */
export function orders(text: string, data = ''): readonly string[] {
  const plainer = asOrder(text, data);
  return [...new Set([...plainer, ...plainer.flatMap(inOtherWords), ...asked(plainer, data)])];
}

function asked(all: readonly string[], data: string): readonly string[] {
  const found = all.flatMap((one) => askings(one, data));
  return data === '' ? found : [...found, ...found.flatMap((one) => withoutAdjuncts(one, data))];
}

/** In all of the other words, and in each by itself. */
function inOtherWords(text: string): readonly string[] {
  if (text.length > MAX_TEXT) return [];
  const found = PATTERNS.filter(([written]) => written.test(text));
  const all = found.reduce((said, [written, meant]) => said.replace(written, meant), text);
  const quotations = quotationsIn(text).map(([from, to]) => text.slice(from, to));
  const ways = [all, ...(found.length > 1 ? found.map(([written, meant]) => text.replace(written, meant)) : [])];
  return [...new Set(ways.map(plain))].filter((way) => way !== text && quotations.every((one) => way.includes(one)));
}
