import type { Domain, Recognizer } from '../../language/grammar.ts';
import type { Token } from '../../language/lexer.ts';
import { isTableText } from '../table/seen.ts';
import type { Case } from '../text/case.ts';
import { areDates } from '../text/items.ts';
import { itemsIn, spokenText } from './listed.ts';
import { rulesOf } from './rules.ts';
import type { Source } from './selecting.ts';
import { question, type Request, type Setting } from './setting.ts';
import { cased, type How, reversed, SEVERAL, sorted, unique } from './text-asks.ts';
import { TEXT_WORDS } from './text-words.ts';

const LINKS = new Set('of in for from to on within inside into as with and or by out'.split(' '));
const VERB_FIRST =
  /^(?:convert|change|turn|make|put|write|translate|transform|render|set|what|whats|what's|how|show|give|get|tell|print|say|spell|count|sort|encode|decode|i|can|please|rewrite|format|run|pass|express|display|output|return)\b/i;
const HOW_FIRST =
  /^(?:ascending|descending|alphabetical|numerical|reverse|sorted|by|numbers|words|names|items|values)/i;
const BEFORE_FORM = new Set(['in', 'to', 'into', 'as', 'backwards', 'backward', 'reversed']);
const MAX_SAID = 600;

const CHOOSING_WORDS =
  '(?:sub)?words? letters? characters? chars vowels consonants capitals digits numerals punctuation lines rows columns sentences paragraphs nouns verbs adjectives pronouns initials acronyms keywords spaces blanks commas dots periods dashes hyphens quotes brackets signs symbols marks tabs duplicates dupes repeats links urls emails addresses mentions hashtags dates occurrences differences steps results accents emojis? ones is was has does plus minus times this less its us as alphabets'.split(
    ' ',
  );
/** Words that choose some of a text rather than name all of it. */
export const CHOOSES = new RegExp(`^(?:${CHOOSING_WORDS.join('|')})$`, 'i');
const THESE = /^(?:these|those|this|my|our|following|the)$/;

/** A plural behind "these", as in "these animals", which names the items that stand elsewhere; behind "the" only those of a list. */
const nameItems: Recognizer = (tokens, add) => {
  const colon = tokens.findIndex(({ lower, kind }) => lower === ':' || kind === 'data');
  const several = colon > 0 && tokens.slice(colon).some(({ text }) => /[,\n]/.test(text));
  for (const [index, { lower }] of tokens.entries()) {
    if (!THESE.test(lower)) continue;
    const [next, afterNext] = tokens.slice(index + 1, index + 3);
    for (const [last, to] of [[next, index + 2] as const, [afterNext, index + 3] as const]) {
      const named =
        last?.kind === 'word' && next?.kind === 'word' && /[^s]s$|^(?:people|children|list)$/.test(last.lower);
      if ((lower === 'the' || last?.lower === 'list') && !several && tokens[to]?.kind !== 'number') continue;
      if (named && !CHOOSES.test(last.lower) && !CHOOSES.test(next.lower))
        for (const type of ['WHAT', 'naming']) add(type, index, to, true, -0.05 * (to - index));
    }
  }
};

const ISO = /^\s*\d{4}-\d\d-\d\d\b/;
/** Items that begin with a date as in ISO 8601, or that are dates, which the order of texts knows. */
const sortedByDate = (source: Source, sign: number): Request | undefined => {
  const items = source.text.split(/[,;\n]/).filter((item) => item.trim() !== '');
  return source.text.includes('{{') || items.every((item) => ISO.test(item)) || areDates(items)
    ? sorted(source, { by: 'natural', ...(sign < 0 && { descending: true }) })
    : undefined;
};

const rule = rulesOf<
  { chunk: Source; 'date-order': number } & Record<'distinct' | 'how' | 'hows', How> & {
      casing: Case;
      valued: number;
      'items-said': Source;
    }
>();

/** What is done with a text or a list as a whole. */
export const TEXTS: Domain = {
  lexicon: TEXT_WORDS,
  /** Several items, and words that can only be a text, without quotation marks, at the end or before "in". */
  recognize: (tokens, add, { lined }: Setting) => {
    nameItems(tokens, add, undefined as never);
    let phrase = '';
    const end = tokens.at(-1)?.kind === 'data' ? tokens.length - 1 : tokens.length;
    for (let start = end - 1; start > 0; start--) {
      const { text: word, spaced, lower } = tokens[start] as Token;
      phrase = word + phrase;
      if (phrase.length > MAX_SAID) break;
      if (!spaced) continue;
      const items = lined === true || LINKS.has(lower) ? undefined : itemsIn(phrase);
      if (items !== undefined && !HOW_FIRST.test(items)) add('items-said', start, end, { text: items });
      const words = LINKS.has(lower) ? undefined : spokenText(phrase);
      if (words !== undefined) add('text-said', start, end, { text: words });
      phrase = ` ${phrase}`;
    }
    phrase = '';
    for (const [index, { text: word, spaced, lower }] of tokens.slice(0, 40).entries()) {
      const words =
        index > 1 &&
        BEFORE_FORM.has(lower) &&
        !VERB_FIRST.test(phrase) &&
        !/^\S*\d|\b(?:of|hash|hex|binary|morse|encode|decode)\b/i.test(phrase)
          ? spokenText(phrase)
          : undefined;
      if (words !== undefined) add('text-said', 0, index, { text: words });
      phrase += spaced && index > 0 ? ` ${word}` : word;
    }
  },
  rules: [
    // The text, wherever it stands.
    rule('lot = <place>', 'FROM? WHAT :? <source>', 'FROM WHAT FROM? WHAT? <source>'),
    rule('lot -0.3 = FROM? (my|our|the|this|a|an|your) … <exact>', ([{ text: thing }, own]) =>
      own.length > 1 && /^[\p{L} -]{2,60}$/u.test(thing) ? { text: own } : undefined,
    ),
    rule('listing -0.1 = <lot>', 'FROM? WHAT? :? <items-said>'),
    rule('wording = <lot>'),
    rule('wording -0.5 = FROM? <text-said>', 'FROM? NAMEDTEXT <text-said>', 'FROM? WHAT? : <text-said>'),
    rule('piece -0.1 = <literal>', '0 = (the|a|an)? <signed>', '0 = ATEXT <literal>'),
    rule('piece = <chunk>', ([{ text: own }]) =>
      /^(?:<[^<>]+>|[^\p{L}\p{N}\s<>"“(){}]+)$/u.test(own) ? own : undefined,
    ),
    rule('certain = EVERY? <exact>', 'EVERY? (a|an)? <signed>'),
    rule('separator = <signed>', '<exact>'),
    rule('separator = <literal>', ([own]) => (/^[^\p{L}\p{N}\s]$/u.test(own) ? own : undefined)),
    // Order.
    rule('hows = <how>'),
    rule('hows = <hows> ,? (and|in)? <how>', ([one, more]) => ({ ...one, ...more })),
    rule('request = SORTS <listing>', '-0.1 = <lot> sorted', '-0.3 = SORTS NAMEDTEXT <text-said>', ([source]) =>
      sorted(source),
    ),
    rule(
      'request 0.2 = SORTS (these|the|my|the following)? (versions|releases|version numbers) :? <listing>',
      '0 = ALPHABETIZE <listing>',
      '0 = RENDER the? alphabetical order (of|for) <listing>',
      ([source]) => sorted(source, { by: 'natural' }),
    ),
    rule(
      'request = SORTS <listing> ,? (and)? <hows>',
      'ORDERS <listing> ,? <hows>',
      '-0.1 = <lot> sorted <hows>',
      ([source, how]) => sorted(source, how),
    ),
    rule(
      'request = SORTS WHAT? <hows> :? <listing>',
      'ALPHABETIZE WHAT? <hows> :? <listing>',
      'ORDERS WHAT? <hows> :? <listing>',
      ([how, source]) => sorted(source, how),
    ),
    rule('request -0.1 = ORDERS WHAT? (from|starting with|beginning with) the? <valued> :? <lot>', ([at, source]) =>
      sorted(source, { by: 'number', ...(at < 0 && { descending: true }) }),
    ),
    rule(
      'request 0.1 = SORTS WHAT? BYDATE ,? <date-order>? :? <listing>',
      '0.1 = #21 SORTS WHAT? <listing> BYDATE',
      '0.2 = SORTS (these|the|my|following|the following)? dates ,? (with the|by|in)? <date-order> :? <listing>',
      ([sign, source]) => sortedByDate(source, typeof sign === 'number' ? sign : 1),
    ),
    // An order of numbers needs no name.
    rule('request -0.1 = ORDERS WHAT :? <list:several>', ([{ items }]) =>
      sorted({ text: items.map(({ expr }) => expr).join(', ') }, { by: 'number' }),
    ),
    rule('request -0.2 = <hows> (order)? (first)? : <listing>', ([how, source]) =>
      SEVERAL.test(source.text) && Object.keys(how).length > 0 && how.by !== undefined
        ? sorted(source, how)
        : undefined,
    ),
    rule(
      'request 0 = reverse <wording>',
      '0 = reverse the? (order|order of)? <lot> AROUND?',
      '0 = FLIP WHAT? AROUND <listing>',
      'SPELL? <wording> BACKWARDS',
      '0 = SPELL? WHAT BACKWARDS <lot>',
      ([source]) => reversed(source),
    ),
    rule('request -0.2 = SORTS … <hows>', ([{ text: own }, how]) =>
      /^\S+(?: \S+)+$/.test(own) && (/^[\d .,-]+$/.test(own) || itemsIn(own)) ? sorted({ text: own }, how) : undefined,
    ),
    rule('request -0.5 = sort <text-said>', ([source]) =>
      / \S+ /.test(source.text) && !/\b(?:the|an?|my|out|with|of|to|for|on|through)\b/i.test(source.text)
        ? sorted(source)
        : undefined,
    ),
    rule('request -0.6 = SORTS WHAT? by (the|their)? <key> <lot>', ([key, source]) =>
      isTableText(source.text)
        ? undefined
        : question(
            'text',
            `I sort lines and items by the alphabet, by number or by length, and not by “${key}”. By which?`,
            `sort by {}: ${source.text}`,
          ),
    ),
    rule('key = <literal>'),
    rule('key 0.3 = <literal> <literal>', ([one, two]) => `${one} ${two}`),
    rule(
      'request = SORTS (the letters|letters|the characters) <wording>',
      ([{ text: own }]): Request => ({
        steps: [
          { task: 'text', input: { op: 'parts', text: own, selection: { of: 'letters' }, does: 'list' } },
          { task: 'text', input: { op: 'sort', text: '{{+1}}' } },
          { task: 'text', input: { op: 'join', text: '{{+2}}', separator: '' } },
        ],
      }),
    ),
    // Without repetitions.
    rule('distinct = REMOVE EVERY? of? DUPLICATES', 'DEDUPE', '-0.1 = LIST? SOME? UNIQUE ITEMS?', () => ({})),
    rule(
      'distinct = <distinct> WHAT? (and|but)? (keep|keeping|preserve|preserving|in) (the|their|its)? (original|same)? order',
      ([more]) => more,
    ),
    rule('distinct = <distinct> ,? ANYCASE', () => ({ ignore_case: true })),
    rule('request = <distinct> <listing>', ([more, source]) => unique(source, more)),
    // The other way round.
    rule('request = (flip|invert|mirror) WHAT? <exact> AROUND?', ([own]) => reversed({ text: own })),
    rule('request -0.05 = FLIP the? (order|order of)? <listing> AROUND?', ([source]) =>
      SEVERAL.test(source.text) ? reversed(source) : undefined,
    ),
    rule('request 0.1 = FLIP the? (words|word order|order of the words|order of words) <wording>', ([source]) =>
      reversed(source, 'words'),
    ),
    rule('request -0.2 = reverse … (by|word by) <pieces>', ([{ text: own }, by]) =>
      spokenText(own) ? reversed({ text: own }, by) : undefined,
    ),
    // Case.
    rule(
      'request -0.05 = RENDER? the? <case> (of|for|version of|out of|from)? <wording>',
      '0 = RENDER WHAT? (to|into|in|as|all|be)? <case> <lot>',
      '0 = WHOLECASE (to|into) <casing> <lot>',
      '-0.1 = (to|in|into|as) <case> <lot>',
      '-0.1 = #23 from? <case> (to|into) <case> <lot>',
      ([to, source]) => cased(source, to),
    ),
    rule(
      'request -0.05 = RENDER <wording> (to|into|in|as|all|be)? <case>',
      '-0.1 = <wording> (in|to|into|as) all? <case>',
      ([source, to]) => cased(source, to),
    ),
    rule(
      'request = CAPITALIZE <wording>',
      'MAKES EVERYWORD BIG <wording>',
      '0.1 = CAPITALIZE EVERYWORD <wording>',
      ([source]) => cased(source, 'each'),
    ),
    rule(
      'request 0.05 = CAPITALIZE FIRSTLETTER <wording>',
      '0 = MAKES FIRSTLETTER BIG <wording>',
      '0 = MAKES FIRSTLETTER <wording> BIG',
      ([source]) => cased(source, 'sentence'),
    ),
    rule('request -0.3 = RENDER … (to|into|in|as) <case>', ([own, to]) =>
      spokenText(own.text) ? cased({ text: own.text.trim() }, to) : undefined,
    ),
  ],
};
