import type { Domain } from '../../language/grammar.ts';
import { rule } from '../../language/grammar.ts';
import type { Token } from '../../language/lexer.ts';
import { isTableText } from '../table/seen.ts';
import type { Case } from '../text/case.ts';
import { itemsIn, spokenText } from './listed.ts';
import type { Source } from './selecting.ts';
import { type Free, question, type Request, type Setting } from './setting.ts';
import { cased, type How, reversed, SEVERAL, sorted, unique } from './text-asks.ts';
import { TEXT_WORDS } from './text-words.ts';

/** Words before a text that are no part of it. */
const LINKS = new Set('of in for from to on within inside into as with and or by out'.split(' '));
/** Words that begin an instruction rather than a text. */
const VERB_FIRST =
  /^(?:convert|change|turn|make|put|write|translate|transform|render|set|what|whats|what's|how|show|give|get|tell|print|say|spell|count|sort|encode|decode|i|can|please|rewrite|format|run|pass|express|display|output|return)\b/i;
/** Words that say how to sort. */
const HOW_FIRST =
  /^(?:ascending|descending|alphabetical|numerical|reverse|sorted|by|numbers|words|names|items|values)/i;
/** Words between a text and the form that it is to have. */
const BEFORE_FORM = new Set(['in', 'to', 'into', 'as', 'backwards', 'backward', 'reversed']);
/** The most characters of a text without quotation marks. */
const MAX_SAID = 600;

/** What is done with a text or a list as a whole. */
export const TEXTS: Domain = {
  lexicon: TEXT_WORDS,
  /** Several items, and words that can only be a text, without quotation marks, at the end or before "in". */
  recognize: (tokens, add, { lined }: Setting) => {
    let own = '';
    const end = tokens.at(-1)?.kind === 'data' ? tokens.length - 1 : tokens.length;
    for (let at = end - 1; at > 0; at--) {
      const { text: said, spaced, lower } = tokens[at] as Token;
      own = said + own;
      if (own.length > MAX_SAID) break;
      if (!spaced) continue;
      const items = lined === true || LINKS.has(lower) ? undefined : itemsIn(own);
      if (items !== undefined && !HOW_FIRST.test(items)) add('items-said', at, end, { text: items });
      const words = LINKS.has(lower) ? undefined : spokenText(own);
      if (words !== undefined) add('text-said', at, end, { text: words });
      own = ` ${own}`;
    }
    own = '';
    for (const [at, { text: said, spaced, lower }] of tokens.slice(0, 40).entries()) {
      const words =
        at > 1 &&
        BEFORE_FORM.has(lower) &&
        !VERB_FIRST.test(own) &&
        !/^\S*\d|\b(?:of|hash|hex|binary|morse|encode|decode)\b/i.test(own)
          ? spokenText(own)
          : undefined;
      if (words !== undefined) add('text-said', 0, at, { text: words });
      own += spaced && at > 0 ? ` ${said}` : said;
    }
  },
  rules: [
    // The text, wherever it stands.
    rule(
      'lot',
      ['<place>', 'FROM? WHAT :? <source>', 'FROM WHAT FROM? WHAT? <source>'],
      ([source]: [Source]) => source,
    ),
    rule(
      'lot',
      'FROM? (my|our|the|this|a|an|your) … <exact>',
      ([{ text: thing }, own]: [Free, string]) =>
        own.length > 1 && /^[\p{L} -]{2,60}$/u.test(thing) ? { text: own } : undefined,
      -0.3,
    ),
    rule('listing', ['<lot>', 'FROM? WHAT? :? <items-said>'], ([source]: [Source]) => source, -0.1),
    rule('wording', '<lot>', ([source]: [Source]) => source),
    rule(
      'wording',
      ['FROM? <text-said>', 'FROM? NAMEDTEXT <text-said>', 'FROM? WHAT? : <text-said>'],
      ([source]: [Source]) => source,
      -0.5,
    ),
    rule('piece', '<literal>', ([own]: [string]) => own, -0.1),
    rule('piece', ['(the|a|an)? <signed>', 'ATEXT <literal>'], ([own]: [string]) => own),
    rule('certain', ['<exact>', 'EVERY? (a|an)? <signed>'], ([own]: [string]) => own),
    rule('separator', ['<signed>', '<exact>'], ([own]: [string]) => own),
    rule('separator', '<literal>', ([own]: [string]) => (/^[^\p{L}\p{N}\s]$/u.test(own) ? own : undefined)),
    // Order.
    rule('hows', '<how>', ([one]: [How]) => one),
    rule('hows', '<hows> ,? (and|in)? <how>', ([one, more]: [How, How]) => ({ ...one, ...more })),
    rule('request', 'SORTS <listing>', ([source]: [Source]) => sorted(source)),
    rule(
      'request',
      ['SORTS <listing> ,? (and)? <hows>', 'ORDERS <listing> ,? <hows>'],
      ([source, how]: [Source, How]) => sorted(source, how),
    ),
    rule(
      'request',
      ['SORTS WHAT? <hows> :? <listing>', 'ORDERS WHAT? <hows> :? <listing>'],
      ([how, source]: [How, Source]) => sorted(source, how),
    ),
    rule(
      'request',
      'SORTS … <hows>',
      ([{ text: own }, how]: [Free, How]) =>
        /^\S+(?: \S+)+$/.test(own) && (/^[\d .,-]+$/.test(own) || itemsIn(own))
          ? sorted({ text: own }, how)
          : undefined,
      -0.2,
    ),
    rule(
      'request',
      'SORTS <hows> …',
      ([how, { text: own }]: [How, Free]) => (/^[\d .-]+$/.test(own) ? sorted({ text: own }, how) : undefined),
      -0.2,
    ),
    rule(
      'request',
      'ORDERS … <hows>',
      ([{ text: own }, how]: [Free, How]) => {
        const items = itemsIn(own.replace(/^:/, ''));
        return items === undefined ? undefined : sorted({ text: items }, how);
      },
      -0.2,
    ),
    rule('request', '<lot> sorted', ([source]: [Source]) => sorted(source), -0.1),
    rule('request', '<lot> sorted <hows>', ([source, how]: [Source, How]) => sorted(source, how), -0.1),
    rule('request', 'SORTS NAMEDTEXT <text-said>', ([source]: [Source]) => sorted(source), -0.3),
    rule(
      'request',
      'sort <text-said>',
      ([source]: [Source]) =>
        / \S+ /.test(source.text) && !/\b(?:the|an?|my|out|with|of|to|for|on|through)\b/i.test(source.text)
          ? sorted(source)
          : undefined,
      -0.5,
    ),
    rule('request', 'ALPHABETIZE <listing>', ([source]: [Source]) => sorted(source, { by: 'natural' })),
    rule(
      'request',
      'SORTS WHAT? by (the|their)? <key> <lot>',
      ([key, source]: [string, Source]) =>
        isTableText(source.text)
          ? undefined
          : question(
              'text',
              `I sort lines and items by the alphabet, by number or by length, and not by “${key}”. By which?`,
              `sort by {}: ${source.text}`,
            ),
      -0.6,
    ),
    rule('key', '<literal>', ([own]: [string]) => own),
    rule('key', '<literal> <literal>', ([one, two]: [string, string]) => `${one} ${two}`, 0.3),
    rule(
      'request',
      'SORTS (the letters|letters|the characters) <wording>',
      ([{ text: own }]: [Source]): Request => ({
        steps: [
          { task: 'text', input: { op: 'parts', text: own, selection: { of: 'letters' }, does: 'list' } },
          { task: 'text', input: { op: 'sort', text: '{{+1}}' } },
          { task: 'text', input: { op: 'join', text: '{{+2}}', separator: '' } },
        ],
      }),
    ),
    // Without repetitions.
    rule('distinct', ['REMOVE EVERY? of? DUPLICATES', 'DEDUPE'], () => ({})),
    rule('distinct', 'LIST? SOME? UNIQUE ITEMS?', () => ({}), -0.1),
    rule('distinct', '<distinct> ,? ANYCASE', () => ({ ignore_case: true })),
    rule('request', '<distinct> <listing>', ([more, source]: [How, Source]) => unique(source, more)),
    rule('request', '<distinct> <listing> ,? ANYCASE', ([, source]: [How, Source]) =>
      unique(source, { ignore_case: true }),
    ),
    // The other way round.
    rule('request', '(flip|invert|mirror) the? (order|order of)? <lot> AROUND?', ([source]: [Source]) =>
      /^\p{L}+$/u.test(source.text) ? undefined : reversed(source),
    ),
    rule(
      'request',
      ['reverse <wording>', 'reverse the? (order|order of)? <lot> AROUND?', 'FLIP WHAT? AROUND <listing>'],
      ([source]: [Source]) => reversed(source),
    ),
    rule('request', '(flip|invert|mirror) WHAT? <exact> AROUND?', ([own]: [string]) => reversed({ text: own })),
    rule(
      'request',
      'FLIP the? (order|order of)? <listing> AROUND?',
      ([source]: [Source]) => (SEVERAL.test(source.text) ? reversed(source) : undefined),
      -0.05,
    ),
    rule(
      'request',
      'FLIP (the|this|my)? (text|string|word|phrase|letters|characters|letters of|characters of|letters in|characters in|string of) <wording>',
      ([source]: [Source]) => reversed(source, 'characters'),
      0.1,
    ),
    rule(
      'request',
      'FLIP the? (words|word order|order of the words|order of words) <wording>',
      ([source]: [Source]) => reversed(source, 'words'),
      0.1,
    ),
    rule(
      'request',
      'FLIP (the|these|my)? (lines|order of the lines|order of lines) <lot>',
      ([source]: [Source]) => reversed(source, 'lines'),
      0.1,
    ),
    rule(
      'request',
      'FLIP (the|this|my)? (list|items|order of the items) <listing>',
      ([source]: [Source]) => reversed(source, 'items'),
      0.1,
    ),
    rule(
      'request',
      'FLIP <wording> (by|word by|line by|letter by) <pieces>',
      ([source, by]: [Source, string]) => reversed(source, by),
      0.1,
    ),
    rule(
      'request',
      'reverse … (by|word by) <pieces>',
      ([{ text: own }, by]: [Free, string]) => (spokenText(own) ? reversed({ text: own }, by) : undefined),
      -0.2,
    ),
    rule('request', 'SPELL? <wording> BACKWARDS', ([source]: [Source]) => reversed(source), -0.1),
    rule('request', 'SPELL? WHAT BACKWARDS <lot>', ([source]: [Source]) => reversed(source)),
    // Case.
    rule(
      'request',
      'RENDER? the? <case> (of|for|version of)? <wording>',
      ([to, source]: [Case, Source]) => cased(source, to),
      -0.05,
    ),
    rule(
      'request',
      'RENDER <wording> (to|into|in|as|all|be)? <case>',
      ([source, to]: [Source, Case]) => cased(source, to),
      -0.05,
    ),
    rule('request', '<wording> (in|to|into|as) all? <case>', ([source, to]: [Source, Case]) => cased(source, to), -0.1),
    rule(
      'request',
      ['RENDER WHAT? (to|into|in|as|all|be)? <case> <lot>', 'WHOLECASE (to|into) <casing> <lot>'],
      ([to, source]: [Case, Source]) => cased(source, to),
    ),
    rule('request', ['CAPITALIZE <wording>', 'MAKES EVERYWORD BIG <wording>'], ([source]: [Source]) =>
      cased(source, 'each'),
    ),
    rule('request', 'CAPITALIZE EVERYWORD <wording>', ([source]: [Source]) => cased(source, 'each'), 0.1),
    rule('request', 'CAPITALIZE FIRSTLETTER <wording>', ([source]: [Source]) => cased(source, 'sentence'), 0.05),
    rule(
      'request',
      'CAPITALIZE (all letters|all the letters|everything|the whole) <wording>',
      ([source]: [Source]) => cased(source, 'upper'),
      0.1,
    ),
    rule('request', ['MAKES FIRSTLETTER BIG <wording>', 'MAKES FIRSTLETTER <wording> BIG'], ([source]: [Source]) =>
      cased(source, 'sentence'),
    ),
    rule(
      'request',
      'RENDER … (to|into|in|as) <case>',
      ([own, to]: [Free, Case]) => (spokenText(own.text) ? cased({ text: own.text.trim() }, to) : undefined),
      -0.3,
    ),
    rule('request', '(to|in|into|as) <case> <lot>', ([to, source]: [Case, Source]) => cased(source, to), -0.1),
  ],
};
