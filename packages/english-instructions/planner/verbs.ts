const FORMS = `sort sorted sorting, reverse reversed reversing, count counted counting, convert converted converting,
turn turned turning, translate translated translating, format formatted formatting, minify minified minifying,
validate validated validating, encode encoded encoding, decode decoded decoding, hash hashed hashing,
capitalize capitalized capitalizing, uppercase uppercased uppercasing, lowercase lowercased lowercasing,
shuffle shuffled shuffling, round rounded rounding, split split splitting, join joined joining, trim trimmed trimming,
calculate calculated calculating, compute computed computing, extract extracted extracting, remove removed removing,
replace replaced replacing, dedupe deduplicated deduplicating, number numbered numbering, wrap wrapped wrapping,
run run running, execute executed executing, fetch fetched fetching, send sent sending, tell told telling,
give given giving, show shown showing, make made making, write written writing, add added adding, check checked checking,
remind reminded reminding, pick picked picking, roll rolled rolling, flip flipped flipping, generate generated generating,
remember remembered remembering, memorize memorized memorizing, memorise memorised memorising, note noted noting,
save saved saving, store stored storing, keep kept keeping, mail mailed mailing,
order ordered ordering, arrange arranged arranging, rank ranked ranking, put put putting, cut cut cutting,
break broken breaking, spell spelled spelling, spell spelt spelling, list listed listing, delete deleted deleting,
strip stripped stripping, drop dropped dropping, swap swapped swapping, exchange exchanged exchanging,
change changed changing, append appended appending, merge merged merging, combine combined combining,
separate separated separating, alphabetize alphabetized alphabetizing, alphabetise alphabetised alphabetising,
capitalise capitalised capitalising, prefix prefixed prefixing, filter filtered filtering,
print printed printing, take taken taking, clean cleaned cleaning, invert inverted inverting, mirror mirrored mirroring`;

const verbs = FORMS.split(/,\s+/).map((line) => line.split(' ') as [verb: string, done: string, doing: string]);
const OF_DONE = new Map(verbs.map(([verb, done]) => [done, verb]));
const OF_DOING = new Map(verbs.map(([verb, , doing]) => [doing, verb]));

/** The verbs of orders, and their participles, as parts of patterns. */
export const VERBS = [...new Set(verbs.map(([verb]) => verb))].join('|');
export const PARTICIPLES = [...OF_DONE.keys()].join('|');
/** The verb of a participle. */
export const doneVerb = (done: string): string => OF_DONE.get(done.toLowerCase()) ?? done;

/** The verb of "sorting". */
export const verbOf = (doing: string): string | undefined => OF_DOING.get(doing.toLowerCase());

const MIND = new RegExp(
  `^(?:(?:(?:would|do) you )?mind|how about|(?:can|could|would) you help me with|(?:i )?(?:need|want) (?:some )?help with|help (?:me )?with) (${[...OF_DOING.keys()].join('|')})\\b`,
  'i',
);
const HAVE_DONE = new RegExp(
  `^(?:(?:(?:i|we)(?:['’]d| would)? )?(?:like|need|want|have|get|like to have|would like)|give me|show me|return) (?:to have )?((?:the|this|these|my|that|following|all)\\b[^:",]{0,80}?) (${[...OF_DONE.keys()].join('|')})(?=[ ,]|$)`,
  'i',
);

/** A question in the order of a statement, about figures: "how long 3.5 hours is in minutes", "what 47 times 23 comes to". */
const INDIRECT =
  /^((?:what|which)(?: (?:week)?day(?: of the week)?| date| month)?|how (?:long|far|old|heavy|tall|many \p{L}+|much(?: \p{L}+)?)) ((?!(?:is|are|was|were|does|do|did|will|would|can) )[^?]{0,80}?\d[^?]{0,80}?) (is|are|was|were|makes?|comes? to|amounts? to|adds? up to|equals?)( (?:in|to) [\p{L} ]{1,40})?$/iu;

const WITH_DONE = new RegExp(
  `^(?:(?:i|we)(?:['’]d| would)? (?:need|want|like)|give me|return|show me|write|send me|i need) (?:the|this|these|my|that|all)\\b[^:"]{0,50}? with ((?:every|all|each|the|any)\\b.{1,60}?) (${[...OF_DONE.keys()].join('|')})(?: by(?= "))?(?= |$)`,
  'i',
);

/** Rewrites "would you mind sorting this" as "sort this". */
export const plainVerb = (text: string): string =>
  text.replace(MIND, (_, doing: string) => OF_DOING.get(doing.toLowerCase()) ?? doing);

/** Rewrites "what 47 times 23 comes to" as "what is 47 times 23". */
export const asQuestion = (text: string): string =>
  text.replace(
    INDIRECT,
    (_, asks: string, what: string, verb: string, as = '') =>
      `${asks} ${/^(?:is|are|was|were)$/i.test(verb) ? verb : 'is'} ${what}${as}`,
  );

/** Rewrites "have this list sorted from Z to A" as "sort this list from Z to A"; undefined for other texts. */
export function asVerb(text: string): string | undefined {
  const [lead, thing = '', done = ''] = HAVE_DONE.exec(text) ?? WITH_DONE.exec(text) ?? [];
  if (lead === undefined) return undefined;
  return `${OF_DONE.get(done.toLowerCase())} ${thing}${lead.endsWith(' by') ? ' with' : ''}${text.slice(lead.length)}`;
}
