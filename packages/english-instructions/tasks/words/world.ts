const TRADED =
  'stock|share|gold|silver|oil|gas|petrol|fuel|house|bitcoin|btc|ethereum|eth|crypto\\w*|coin|market|ticket';
const THINGS = [
  'weather|forecast|news|headlines|(?:exchange|interest|mortgage|inflation|unemployment) rates?',
  `(?:${TRADED})s? (?:price|value|quote|rate)s?`,
  `(?:price|cost|value)s? of (?:an? |the )?(?:\\p{L}+ )?(?:${TRADED})s?`,
  'president|prime minister|chancellor|ceo|mayor|(?:king|queen|capital|capital city|currency|leader|founder|inventor|official language) of',
  'will (?:it|there) (?:be )?(?:rain|snow|sun|sunny|warm|cold)|(?:is|was) it (?:raining|snowing|going to (?:rain|snow))',
  'how (?:tall|high|deep|far away|big|populous) (?:is|was|are)|(?:who|which team) (?:won|is winning|will win)',
  'population|traffic|(?:latest|final|current) (?:score|result)s?',
];
/** Things of which nothing here knows, as what the weather or a price is now. */
const OF_WORLD = new RegExp(`\\b(?:${THINGS.join('|')})\\b`, 'iu');
const ASKS =
  /^(?:(?:the )?(?:latest|current|live|exchange|weather)|what|how|whats|who|where|when|which|is|are|will|does|do|tell me|show me|get(?: me)?|give me|find|look up)\b/i;

/** Whether a question is about the world rather than about a message or a note; one with figures may be a calculation. */
export const isOfWorld = (text: string): boolean =>
  ASKS.test(text) && OF_WORLD.test(text) && !/\d|https?:|["“]/.test(text);
