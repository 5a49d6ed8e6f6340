import { accounting, type Clause, type Reading } from '../clause.ts';
import { isTableText } from '../table/seen.ts';
import type { Case } from './case.ts';
import type { Counted } from './count.ts';
import type { Extracted } from './extract.ts';
import { ground, isQuoted, literal, on, points, signNamed, target } from './reading.ts';

type Read = (text: string, clause: Clause) => Reading | undefined;

const KIND =
  '(?:upper|lower|title|sentence|camel|pascal|upper[- ]camel|snake|screaming[- ]snake|kebab|dash|constant|headline)';
const CASE = `(?:${KIND}[-_ ]?cas(?:ed?|ing)|(?:all[- ])?caps|(?:all )?capitals|(?:all )?(?:capital|small|big|block|upper|lower)(?:[- ]?case)? letters|upcase|downcase)`;
const MAKE =
  '(?:convert|turn|change|make|put|set|transform|rewrite|write|render|print|show|type|give me|get|have|i (?:need|want|would like|want to have))';
const CASE_FIRST = new RegExp(`^(?:(?:to|in|into|as|use|make) )?(${CASE})(?: (?:of|for|version of))?(?: (.*))?$`, 'i');
const CASE_MADE = new RegExp(`^${MAKE} (?:(.*?) ?)(?:\\b(?:in|into|to|as|be|all|use) )*(${CASE})$`, 'i');
const CASE_LAST = new RegExp(`^(.+?) (?:in|to|into|as) (?:all )?(${CASE})$`, 'i');
const CAPITALIZE =
  /^capitali[sz]e( everything in| all(?: the)? letters(?: in| of)?)?( (?:(?:the )?first letters? (?:of|in) )?(?:each|every|all(?: the)?) words?(?: in| of)?)?( the first letter(?: of| in)?)?(?: (.*))?$/i;

const CASE_NAMES: readonly (readonly [RegExp, Case])[] = [
  [/pascal|upper.?camel/i, 'pascal'],
  [/camel/i, 'camel'],
  [/screaming|constant/i, 'constant'],
  [/snake/i, 'snake'],
  [/kebab|dash/i, 'kebab'],
  [/title|headline/i, 'title'],
  [/sentence/i, 'sentence'],
  [/lower|small|down/i, 'lower'],
];
const CASE_WORD =
  /^(?:upper|lower|title|sentence|camel|pascal|snake|kebab|constant|headline|all caps|capitals|screaming snake)$/i;
const caseNamed = (name: string): Case => CASE_NAMES.find(([pattern]) => pattern.test(name))?.[1] ?? 'upper';

/** "change the case to upper", "make the first letter of every word uppercase". */
const CASE_TO =
  /^(?:change|set|convert|switch)(?: (?:the|its|this|letter))* cas(?:e|ing)(?: of (.*?))? (?:to|into) (.{3,24}?)(?:[- ]?case)?$/i;
const FIRST_LETTER =
  /^(?:make|turn|put|change|convert|write) (?:only )?(?:the )?first letters?(?: (?:of|in)( (?:each|every|all(?: the)?) words?)?(?: (?:of|in))?(?: (.*?))?)? (?:(?:in|into|to|as|a) )*(?:upper[- ]?case|caps|capitals?(?: letters?)?|big)$/i;

export const readCase: Read = (text, clause) => {
  const to = CASE_TO.exec(text);
  if (to !== null && CASE_WORD.test(to[2] ?? '')) {
    return on(0.95 * ground(to[1] ?? '', clause, 0.8), to[1] ?? '', clause, { op: 'case', to: caseNamed(to[2] ?? '') });
  }
  const letter = FIRST_LETTER.exec(text);
  if (letter !== null) {
    const of = letter[2] ?? '';
    const how = letter[1] === undefined ? 'sentence' : 'each';
    return accounting(on(0.99 * ground(of, clause, 0.8), of, clause, { op: 'case', to: how }), 'only', 'each', 'every');
  }
  const made = CASE_MADE.exec(text);
  const [, first = '', firstRest = ''] = CASE_FIRST.exec(text) ?? [];
  if (first !== '' && !(made !== null && clause.data === undefined && firstRest !== '')) {
    const vague = /^(?:caps|capitals|upcase|downcase)$/i.test(first) ? 0.7 : 0.9;
    return on(0.98 * ground(firstRest, clause, vague), firstRest, clause, { op: 'case', to: caseNamed(first) });
  }
  if (made !== null) {
    const [, rest = '', name = ''] = made;
    return on(0.98 * ground(rest, clause, 0.9), rest, clause, { op: 'case', to: caseNamed(name) });
  }
  const capitalized = CAPITALIZE.exec(text);
  if (capitalized !== null) {
    const [, all, words = '', one, rest = ''] = capitalized;
    // Writing a text in sentence case does this.
    const sentences = one === undefined ? '' : (/^(?:each|every) sentences?/i.exec(rest)?.[0] ?? '');
    const to = all !== undefined ? 'upper' : one !== undefined ? 'sentence' : 'each';
    return accounting(on(0.95 * ground(rest, clause, 0.85), rest, clause, { op: 'case', to }), words.trim(), sentences);
  }
  const [, rest = '', name = ''] = CASE_LAST.exec(text) ?? [];
  if (name === '') return undefined;
  return on(0.9 * ground(rest, clause, 0.85), rest, clause, { op: 'case', to: caseNamed(name) });
};

const UNIT =
  '(words?|characters?|chars?|letters?|lines?|sentences?|paragraphs?|bytes?|items?|elements?|entries|rows?|things)';
const HOW_MANY = new RegExp(
  `^(?:how many|(?:what(?:['’]?s| is) )?(?:the )?(?:total )?(?:number|amount) of|count(?: up)?(?: (?:all|the|number|of|how|many)){0,4}|(?:tell me|find|show me) (?:how many|the number of)) (?:the )?${UNIT}\\b((?: (?:are|is|there|do(?:es)?|in|of|has|have|on|for|contained?))*)(?: (.*?))?(?: (?:has|have|contain|got))?$`,
  'i',
);
const COUNT_OF =
  /^(?:(?:what(?:['’]?s| is)|give me|get|show(?: me)?|tell me) )?(?:the |a )?(word|character|char|letter|line|sentence|paragraph|byte)s?[- ]?counts?(?: (?:of|for|in|on))?(?: (.*))?$/i;
const LENGTH = /^(?:(?:what(?:['’]?s| is) )?(?:the )?(?:string |text )?length(?: of)?|how long is)(?: (.*))?$/i;
const COUNT_THEM =
  /^(?:count (?:them|these|those)(?: all)?|how many(?: of them)?(?: (?:are|is|were))?(?: (?:there|that|those|these|they))?(?: in total)?)$/i;
const COUNT_THIS = /^count(?: (.*))?$/i;

const counted = (unit: string): Counted => {
  const lower = unit.toLowerCase();
  if (/^char/.test(lower)) return 'characters';
  if (/^(?:item|element|entr|thing)/.test(lower)) return 'items';
  if (/^row/.test(lower)) return 'lines';
  return `${lower.replace(/s$/, '')}s` as Counted;
};

const SIGNS_IN =
  /^(?:how many|count(?: (?:the|all))*|(?:the )?number of) ([a-z]+(?: [a-z]+)?)(?: (?:are|is|there|do you see|appear))*(?: (?:in|within)(?: (.*))?)$/i;

export const readCount: Read = (text, clause) => {
  const signs = SIGNS_IN.exec(text);
  const sign =
    signs === null || /^(?:lines|points|bars|quotes|minus)$/i.test(signs[1] ?? '')
      ? undefined
      : signNamed(signs[1] ?? '');
  if (sign !== undefined && sign !== '') {
    return on(0.95 * ground(signs?.[2] ?? '', clause, 0.5), signs?.[2] ?? '', clause, { op: 'count', find: sign });
  }
  const often = readOccurrences(text, clause);
  if (often !== undefined) return often;
  const many = HOW_MANY.exec(text);
  if (many !== null) {
    const [, unit = '', link = '', rest = ''] = many;
    // The first line of a table is none of its rows.
    if (/^(?:row|entries)/i.test(unit) && clause.data !== undefined && isTableText(clause.data)) return undefined;
    const what = counted(unit);
    // "How many bytes in a megabyte" and "how many lines has Paris" are for other tasks.
    const loose =
      what === 'words' || what === 'characters' || what === 'letters'
        ? link === ''
          ? 0.5
          : 0.7
        : rest.includes(',')
          ? 0.6
          : 0.3;
    const sure = (what === 'items' || what === 'letters' ? 0.85 : 1) * ground(rest, clause, loose);
    return on(sure, rest, clause, { op: 'count', what });
  }
  const [, unit, rest = ''] = COUNT_OF.exec(text) ?? [];
  if (unit !== undefined) {
    return on(ground(rest, clause, 0.9), rest, clause, { op: 'count', what: counted(unit) });
  }
  const long = LENGTH.exec(text);
  if (long !== null) {
    const of = long[1] ?? '';
    const named = /\b(?:text|string|word|sentence|phrase)\b/i.test(text);
    if (/^\s*[[{]/.test(clause.data ?? '')) return undefined;
    if (named) return on(0.9 * ground(of, clause, 0.6), of, clause, { op: 'count', what: 'characters' });
    return clause.data !== undefined || isQuoted(of)
      ? on(0.8, of, clause, { op: 'count', what: 'characters' })
      : undefined;
  }
  if (clause.it !== undefined && clause.data === undefined && COUNT_THEM.test(text)) {
    return on(0.92, '', clause, { op: 'count', what: 'items' });
  }
  const plain = COUNT_THIS.exec(text);
  if (plain === null || !points(plain[1] ?? '')) return undefined;
  return on(clause.data === undefined && clause.it === undefined ? 0.6 : 0.9, plain[1] ?? '', clause, { op: 'count' });
};

const SOME = '("[^"]{1,200}"|“[^”]{1,200}”|\'[^\']{1,200}\'|‘[^’]{1,200}’|.{1,200}?)';
const OFTEN = new RegExp(
  `^(?:how (?:many times|often)(?: (?:does|do|is|did|can|has))? |count (?:how (?:many times|often) )|count (?:the |all )?(?:number of )?(?:occurrences?|instances?|appearances) of |(?:the )?(?:number of )?(?:occurrences?|instances?) of )(?:the (?:word|letter|phrase|string|character)s? )?${SOME}(?: (?:appears?|occurs?|is|are|used|shows? up|comes? up|found|mentioned|there|been))*(?: (?:in|within|inside|on)(?: (.*))?)?$`,
  'i',
);
const LETTERS =
  /^(?:how many|count(?: (?:the|all))*|(?:the )?number of) (?:(?:times )?(?:the )?letters? )?(?:"([^"]{1,60})"|“([^”]{1,60})”|'([^']{1,60})'|([^\s'’"]{1,2})['’]?s?)['’]?s?(?: (?:are|is|there|do you see|appear))*(?: (?:in|within)(?: (.*))?)$/i;

const readOccurrences: Read = (text, clause) => {
  const often = OFTEN.exec(text);
  if (often !== null) {
    const [, find = '', rest = ''] = often;
    // That is a division.
    if (/^[\d.,]+ (?:go|fit)s? in/i.test(find)) return undefined;
    if (points(find) && !isQuoted(find)) return undefined;
    return on(0.98 * ground(rest, clause, 0.8), rest, clause, { op: 'count', find: literal(find, clause) });
  }
  const letters = LETTERS.exec(text);
  if (letters === null) return undefined;
  const find = letters[1] ?? letters[2] ?? letters[3] ?? letters[4] ?? '';
  if (letters[4] !== undefined && /^(?:it|is|in|of|\d+)$/i.test(find)) return undefined;
  const rest = letters[5] ?? '';
  return on(0.95 * ground(rest, clause, letters[4] === undefined ? 0.85 : 0.75), rest, clause, { op: 'count', find });
};

const FOUND =
  '(links?|urls?|hyperlinks?|web ?(?:addresses|links)|(?:valid )?e-?mails?(?: addresses| address| ids)?|numbers|figures|digits|dates|hash ?tags?|@?mentions|handles|usernames)';
const EXTRACT = new RegExp(
  `^(?:(extract|find|get|pull|grab|list|show|collect|pick|fish|give|what|which|return|identify|copy|dig|take|are there|detect)(?: (?:me|out|up))*(?: (?:all|every|any|the|of|each|are|just|only)){0,4} )?${FOUND}(?: (?:are|is|there|out|contained|mentioned|present|found|that|appear|occur|you can find|do you (?:see|find)|can you find)){0,4}((?: (?:of|from|in|within|inside|on)){1,2})?(?: (.*))?$`,
  'i',
);

const KINDS: readonly (readonly [RegExp, Extracted])[] = [
  [/mail/i, 'emails'],
  [/link|url|web/i, 'links'],
  [/number|figure|digit/i, 'numbers'],
  [/date/i, 'dates'],
  [/hash/i, 'hashtags'],
];

export const readExtract: Read = (text, clause) => {
  const match = EXTRACT.exec(text);
  if (match === null) return undefined;
  const [, verb, kind = '', link, rest = ''] = match;
  if (verb === undefined && (link === undefined || clause.data === undefined)) return undefined;
  const what = KINDS.find(([pattern]) => pattern.test(kind))?.[1] ?? 'mentions';
  const looks =
    what === 'emails'
      ? /\S@\S/
      : what === 'links'
        ? /\S\s.*https?:|https?:\S+\s\S/
        : what === 'hashtags'
          ? /#\p{L}/u
          : undefined;
  const loose = looks?.test(rest) === true ? 0.85 : 0.3;
  // "Find links" and "what dates" do not say in which text.
  const bare = clause.data === undefined && clause.it === undefined ? 0.6 : 1;
  const sure =
    Math.min(bare, ground(rest, clause, loose)) *
    (verb !== undefined && /^(?:list|show|give|what|which)$/i.test(verb) ? 0.92 : 0.97);
  return accounting(on(sure, rest, clause, { op: 'extract', what }), 'only', 'every', 'each');
};

const SLUG =
  /^(?:slugif(?:y|ied)|(?:(?:make|create|generate|give me|get|build|i need) )?(?:(?:an?|the) )?(?:url[- ]?|seo[- ]?)?slugs?(?: (?:for|of|from|out of))?)(?: (.*))?$/i;
const SLUG_MADE = new RegExp(`^(?:${MAKE} )?(.+?) (?:in|into|to|as) (?:an? )?(?:url[- ]?)?slugs?$`, 'i');

export const readSlug: Read = (text, clause) => {
  const match = SLUG.exec(text) ?? SLUG_MADE.exec(text);
  if (match === null) return undefined;
  const rest = match[1] ?? '';
  return on(0.97 * ground(rest, clause, 0.9), rest, clause, { op: 'slug' });
};

const SAY =
  /^(?:(say|echo)|repeat after me|(?:answer|reply|respond|write back)(?: to me)? with|just say|tell me|say to me)(?: (.*))?$/i;

export const readSay: Read = (text, clause) => {
  const match = SAY.exec(text);
  if (match === null) return undefined;
  const [, , rest = ''] = match;
  const wordy = /^tell me/i.test(text);
  if (wordy && !isQuoted(rest)) return undefined;
  if (rest !== '' && !points(rest) && clause.data !== undefined && clause.language === undefined) {
    return { sure: 0.8, input: { op: 'say', text: `${rest}: ${clause.data}` } };
  }
  if (clause.data !== undefined) return { sure: 0.95, input: { op: 'say', text: clause.data } };
  const said = target(rest, clause);
  if (said === undefined) return undefined;
  return { sure: ground(rest, clause, 0.78), input: { op: 'say', text: said } };
};
