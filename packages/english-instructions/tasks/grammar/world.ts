import type { Domain } from '../../language/grammar.ts';
import { rule } from './rules.ts';
import { type Free, question, type Request } from './setting.ts';
import { each } from './text-words.ts';

/** A few words about one thing, with nothing to calculate in them. */
const NAMED = /^(?!(?:it|that|this|he|she|they|we|you|i)\b)[\p{L}\p{M}.,&' -]{0,60}$/u;
const OUT_OF_REACH =
  'I cannot look that up: prices, weather, news and facts of the world are out of my reach. I know what you write, and pages you name, as in `fetch https://example.com`. What shall I do?';

const outside = ([about = { text: '' }]: readonly Partial<Free>[]): Request | undefined =>
  NAMED.test(about.text ?? '') ? question('fetch', OUT_OF_REACH, '{}') : undefined;

/** What only the world knows, which is said to be out of reach. */
export const WORLD: Domain = {
  lexicon: {
    FACTLEAD:
      "what is|what's|whats|how is|how's|hows|tell me|show me|give me|get me|check|look up|what was|what will be|what are|do you know|find out|how will|how was",
    TIMELY: "current|latest|live|today's|todays|tomorrow's|tonight's|this week's|newest|recent",
    REPORTED: each(
      '|local|world|sports|breaking|top',
      'weather|weather forecast|forecast|weather report|news|headlines|traffic|traffic report|stock market|exchange rates|stock prices|market',
    ),
    MARKET:
      'bitcoin|btc|ethereum|eth|dogecoin|crypto|gold|silver|oil|crude oil|brent|natural gas|petrol|gasoline|diesel|stock|stocks|share|apple|tesla|google|amazon|microsoft|nvidia|s&p 500|dow jones|nasdaq|dax|dollar|euro|yen|house|electricity',
    QUOTED: 'price|prices|stock price|share price|rate|exchange rate|exchange rates|stock|value|worth|costs',
    OFFICE:
      'president|prime minister|chancellor|king|queen|ceo|mayor|capital|capital city|population|currency|official language|leader|founder|inventor',
    EXTENT: 'how tall|how high|how deep|how far|how far away|how big|how populous',
  },
  rules: [
    rule(
      'request -0.4 = FACTLEAD? (the|in the)? TIMELY? REPORTED',
      'FACTLEAD? (the|a|an)? TIMELY? MARKET QUOTED (now|today|right now|at the moment)?',
      'FACTLEAD? the? TIMELY? QUOTED (of|for)? (a|an|one|the)? MARKET (now|today|right now|stock|shares)?',
      () => outside([]),
    ),
    rule(
      'request -0.4 = FACTLEAD? (the|in the)? TIMELY? REPORTED (in|for|at|of|about|from|on|like|today|tomorrow|now|going) …',
      'FACTLEAD? the? TIMELY? (exchange rate|exchange rates|stock price|share price) (of|for|between|from) …',
      '(who|what) (is|was|are) the? TIMELY? OFFICE of …',
      'FACTLEAD the? OFFICE of …',
      '-0.5 = EXTENT (is|was|are) (the|a)? …',
      '-0.5 = (will|is) it (rain|snow|be sunny|be cold|be warm|raining|snowing|going to rain|going to snow) …?',
      '-0.5 = (who|which team) (won|is winning|will win) (the|last)? …',
      outside,
    ),
  ],
};
