import type { Kind, Style } from '../tasks/table/values.ts';

/** What is asked of names with values. */
export type Measure =
  | {
      readonly does:
        | 'sum'
        | 'mean'
        | 'median'
        | 'range'
        | 'running'
        | 'count'
        | 'list'
        | 'share'
        | 'more'
        | 'which end';
    }
  | { readonly does: 'left'; readonly from: string }
  | { readonly does: 'sort'; readonly sign: 1 | -1 }
  /** The rows at the end of an order: from the `at`-th on, so many. */
  | { readonly does: 'end'; readonly sign: 1 | -1; readonly at: number; readonly count: number };

export type Comparison = 'more' | 'less' | 'at_least' | 'at_most';
export interface Condition {
  readonly is: Comparison;
  readonly value: string;
}
/** What a question asks, with the names of the rows that it chooses. */
export interface Question {
  readonly measures: readonly Measure[];
  readonly conditions: readonly Condition[];
  /** Whether it is asked for each name. */
  readonly isEach?: true;
  /** So many rows from the start, or from the end where it is below 0. */
  readonly slice?: number;
  readonly only: readonly string[];
  readonly without: readonly string[];
  readonly styles: readonly Style[];
}

/** What words say of the order of values, by what they are: 1 for the lowest, -1 for the highest. */
export const ENDS: readonly (readonly [words: string, kinds: readonly Kind[], sign: 1 | -1])[] = [
  ['earliest|oldest|soonest|first|eldest|furthest back', ['date', 'clock', 'lap'], 1],
  ['latest|newest|youngest|last|most recent', ['date', 'clock', 'lap'], -1],
  ['fastest|quickest|shortest|least|lowest|smallest', ['lap', 'time'], 1],
  ['slowest|longest|most|highest|largest|biggest', ['lap', 'time'], -1],
  ['oldest|eldest', ['number', 'measure'], -1],
  ['youngest', ['number', 'measure'], 1],
  ['cheapest|least expensive|cheap', ['number', 'money'], 1],
  ['most expensive|priciest|dearest|costliest|most costly|expensive', ['number', 'money'], -1],
  [
    'highest|largest|biggest|greatest|most|max(?:imum)?|top|tallest|heaviest|longest|farthest|furthest|hottest|warmest|busiest|strongest|loudest|high|largest|big',
    ['number', 'money', 'percent', 'measure'],
    -1,
  ],
  [
    'lowest|smallest|least|fewest|min(?:imum)?|bottom|shortest|lightest|nearest|closest|coldest|coolest|quietest|weakest|low|small',
    ['number', 'money', 'percent', 'measure'],
    1,
  ],
];
/** Words for the one of several that is more, or less; 1 for the lower. */
export const COMPARED: readonly (readonly [words: string, kinds: readonly Kind[], sign: 1 | -1])[] = [
  ['earlier|sooner|older', ['date', 'clock'], 1],
  ['later|newer|younger', ['date', 'clock'], -1],
  ['faster|quicker|shorter|less', ['lap', 'time'], 1],
  ['slower|longer|more', ['lap', 'time'], -1],
  ['cheaper|less expensive|less|lower|smaller|fewer', ['number', 'money'], 1],
  ['more expensive|dearer|pricier|costlier|more|higher|bigger|larger|greater', ['number', 'money'], -1],
  ['lighter|shorter|smaller|less|lower|colder|cooler', ['measure', 'percent'], 1],
  ['heavier|longer|taller|bigger|larger|more|higher|warmer|hotter', ['measure', 'percent'], -1],
];
export const NTH = ['', 'first', 'second', 'third', 'fourth', 'fifth'];
const COUNT = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
export const NUMBER = `(\\d{1,3}|${COUNT.slice(2).join('|')})`;
export const numberOf = (word: string): number => (COUNT.includes(word) ? COUNT.indexOf(word) : Number(word));

export const FIGURES: readonly (readonly [RegExp, Measure['does']])[] = [
  [/\b(?:running|cumulative) (?:totals?|sums?|tally|balance)\b|\bcumulative\b/, 'running'],
  [
    /\b(?:difference|gap|spread|range) (?:between|of|from) (?:the |my |our )?(?:highest|largest|biggest|maximum|max|most expensive|dearest|longest|tallest|warmest|hottest|best|latest|slowest)(?: and| to) (?:the |my |our )?(?:lowest|smallest|minimum|min|cheapest|shortest|coldest|coolest|worst|earliest|fastest|least expensive)(?: (?:ones?|values?))?\b|\b(?:difference|gap|spread|range) (?:between|of|from) (?:the |my |our )?(?:lowest|smallest|minimum|min|cheapest|shortest|coldest|least expensive)(?: and| to) (?:the |my |our )?(?:highest|largest|biggest|maximum|max|most expensive|longest|hottest|warmest)(?: (?:ones?|values?))?\b/,
    'range',
  ],
  [/\b(?:range|spread)\b(?! (?:of|between|from)\b)/, 'range'],
  [/\bmedian\b|\bmiddle value\b/, 'median'],
  [/\b(?:averages?|mean|avg|on average)\b/, 'mean'],
  [/\b(?:percent(?:age)?|share|fraction|proportion|%)(?= )/, 'share'],
  [
    /\b(?:grand |overall |combined |sum )?(?:total|sum)(?:s|led|ling|ed|ming)?(?: (?:up|of|for))?\b|\b(?:adds?|added|adding|tots?|tall(?:y|ied)|sum(?:med)?|counts?)(?: (?:(?:all )?(?:of )?(?:it|these|them|this|those|everything|all|the \p{L}+|my \p{L}+|our \p{L}+)(?: all)?))? (?:up|together)\b|\b(?:altogether|all together|in all|all in all|combined|overall|in sum)\b|\bcomes? to\b/u,
    'sum',
  ],
];
export const HOW_MUCH = /^how (?:much|long|far|heavy|many (\p{L}+))\b/u;
export const ASKS_TRUTH = /^(?:is|are|was|were|does|do|did|can|has|have|should|will|would|could|why|where|when|if)\b/;
/** Words that ask for another figure, or for something to be done with it. */
export const OTHERWISE =
  /\b(?:ratio|rank(?:ed|ing)?s?|squares?|root|roots|variance|deviation|mode|rise|growth per|increase|decrease|tax|vat|tip|discount|convert\w*|weight?ed|moving|rolling|geometric|harmonic|each|every|per|by|round(?:ed)?|tomorrow|remind|send|e-?mail|save|note|remember|schedule|forward|reply|write|chart|graph|plot|json|csv|table|double|half|twice|if|unless|or|except|but|duplicates?|unique|distinct|columns?|words?|letters?|characters?|correlation|trend|difference|gap|range|spread|plus|divided|multiplied|after|until|since|not|no|versus|vs|again|and|then|forecast|predict|project(?:ed)?|next|increase[sd]?|grew|changes?|different|consecutive|weekends?|weekdays?|workdays?|between|from|(?:two|three|four|five|six|seven|eight|nine|ten)|in (?:days|percent|words|binary|hex|decimals?))\b/;
/** Words that say nothing more. */
export const SAYING =
  /\b(?:what(?:['’]?s)?|which|who(?:['’]?s)?|whose|how(?:['’]?s)?|one|ones|of|in|for|on|at|the|these|those|this|that|my|our|your|their|his|her|its|i|we|me|us|you|they|he|she|is|are|was|were|be|been|did|do|does|has|have|had|having|will|would|a|an|to|it|them|all|there|here|below|above|following|list|listed|lists|lines?|items?|entries|rows|ones|work(?:ed)? out|calculate|compute|tell|give|find|show|name|get|got|gets|pick|need|want|please|just|so|up|together|cost|costs|spent|spend|spending|paid|pay|earn|earned|make|makes|made|walked?|ran|run|today|week|month|year|day|number|numbers|figures?|amounts?|values?|with|much|many|long|far|everyone|everybody|anyone|people|person|thing|things|say|let|know|if|can|could|over the (?:week|month|year)|last (?:week|month|year|quarter|night|weekend)|weekly|monthly|daily|yearly|quarterly|left|come|comes|go|goes|went|put|total|order|out|from)\b/g;

export const OPS: readonly (readonly [words: string, is: Comparison, kinds?: readonly Kind[]])[] = [
  ['at least|no less than|not less than|a minimum of|minimum of|>=|≥', 'at_least'],
  ['at most|no more than|not more than|up to|a maximum of|not over|<=|≤', 'at_most'],
  [
    '(?:more|greater|higher|bigger|larger|longer|heavier|taller|older|pricier|farther|further|later|hotter|warmer|slower|dearer|more expensive) than|over|above|exceed(?:s|ed|ing)?|beyond|past|>',
    'more',
  ],
  [
    '(?:less|fewer|lower|smaller|shorter|lighter|younger|cheaper|earlier|sooner|colder|cooler|faster|less expensive) than|under|below|<',
    'less',
  ],
  ['after|later than', 'more', ['date', 'clock', 'lap']],
  ['before|earlier than|prior to', 'less', ['date', 'clock', 'lap']],
];
export const BEHIND: Readonly<Record<string, Comparison>> = {
  more: 'at_least',
  up: 'at_least',
  above: 'at_least',
  over: 'at_least',
  less: 'at_most',
  fewer: 'at_most',
  below: 'at_most',
  under: 'at_most',
  cheaper: 'at_most',
};

export const HINTS: readonly (readonly [RegExp, Style])[] = [
  [
    /,? ?\(?\b(?:they are |it is |in |as |all |given )*(?:h{1,2}:mm(?::ss)?|hours and minutes|hours:minutes)\)?/i,
    'hours',
  ],
  [
    /,? ?\(?\b(?:they are |it is |in |as |all |given )*(?:m{1,2}:ss|minutes and seconds|minutes:seconds|min:sec)\)?/i,
    'minutes',
  ],
  [/,? ?\(?\b(?:the |with the |with )?day first\)?|,? ?\(?\b(?:in )?dd?\/mm?(?:\/yy(?:yy)?)?\)?/i, 'day'],
  [/,? ?\(?\b(?:the |with the |with )?month first\)?|,? ?\(?\b(?:in )?mm?\/dd?(?:\/yy(?:yy)?)?\)?/i, 'month'],
  [/,? ?\(?\bwith (?:the )?(?:decimal commas?|commas? (?:as|for) decimals?)\)?/i, 'point'],
  [/,? ?\(?\bwith (?:the )?(?:decimal points?|points? (?:as|for) decimals?)\)?/i, 'comma'],
  [/,? ?\(?\bending in the afternoon\)?/i, 'afternoon'],
  [/,? ?\(?\bending the next day\)?/i, 'overnight'],
  [/,? ?\(?\ball in the same year\)?/i, 'same year'],
  [/,? ?\(?\bfrom today on\)?/i, 'ahead'],
];
/** How a reading of signs is asked for. */
export const HINTED: Readonly<Record<Style, string>> = {
  hours: 'as hours and minutes',
  minutes: 'as minutes and seconds',
  day: 'day first',
  month: 'month first',
  point: 'with decimal commas',
  comma: 'with decimal points',
  afternoon: 'ending in the afternoon',
  overnight: 'ending the next day',
  'same year': 'all in the same year',
  ahead: 'from today on',
};

export const EXCLUDED =
  /,? (?:but |and |only )?(?:leav(?:e|ing)|without|not counting|excluding|except(?: for)?|apart from|ignor(?:e|ing)|skip(?:ping)?|minus|but not|before|not including)(?: out)? (?:the |my )?([\p{L}\d ]{1,40}?)(?: out)?(?=\s*(?:[,.?]|$))/iu;

/** What the names of parts of a time look like. */
export const PARTS: Readonly<Record<string, RegExp>> = {
  day: /^(?:mon|tue|wed|thu|fri|sat|sun|day )|^\d{1,4}[-./ ]/i,
  month: /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i,
  week: /\bweek\b|^w\d/i,
  quarter: /^q[1-4]/i,
  year: /^(?:19|20)\d\d$/,
};
/** Whether each of the rows is a part of that name. */
export const isPart = (part: string, all: readonly string[]): boolean =>
  PARTS[part] === undefined
    ? /^(?:person|head|player|kid|child|customer|item|line|one|run|trip|game|match|stage|lap)$/.test(part) &&
      all.every((name) => name !== '')
    : all.every((name) => PARTS[part]?.test(name));
