import type { Json } from '../../core/values/json.ts';
import { isJson } from '../../core/values/json.ts';
import type { Domain } from '../../language/grammar.ts';
import { rule } from '../../language/grammar.ts';
import type { Token } from '../../language/lexer.ts';
import { isTableText } from '../table/seen.ts';
import type { Case } from '../text/case.ts';
import type { Counted } from '../text/count.ts';
import { type Extracted, PATTERNS } from '../text/extract.ts';
import { itemsIn, spokenText } from './listed.ts';
import type { Num } from './number.ts';
import { type Source, whole } from './selecting.ts';
import { asks, type Free, question, type Request, type Setting } from './setting.ts';
import { TEXT_WORDS } from './text-words.ts';

type How = Readonly<Record<string, Json>>;
const text = (input: { readonly [name: string]: Json }): Request => asks('text', input);

/** A plural noun before items that begin with digits, as in "the times 10:30, 9:15". */
const LABEL = /^(?:(?:the|these|my|following) ){0,2}([a-z]{2,20}s) (?=[-+$€£v]?\d[^,;]{0,30}[,;])/i;
/** The commas of an object in JSON separate no items. */
const isObject = (own: string): boolean =>
  own.length < 20_000 && own.trim().startsWith('{') && own.trim().endsWith('}') && isJson(own.trim());
const SEVERAL = /\{\{|[,;\n[]|\S\s+\S/;

function sorted({ text: own }: Source, how: How = {}): Request | undefined {
  if (isObject(own) || !SEVERAL.test(own)) return undefined;
  const label = LABEL.exec(own);
  const versions = /^(?:versions|releases)$/i.test(label?.[1] ?? '') && how.by === undefined && { by: 'natural' };
  return text({ op: 'sort', ...how, ...versions, text: own.slice(label?.[0].length ?? 0) });
}
const unique = ({ text: own }: Source, more: How = {}): Request | undefined =>
  isObject(own) ? undefined : text({ op: 'unique', ...more, text: own });
const reversed = ({ text: own }: Source, by?: string): Request | undefined =>
  isObject(own) ? undefined : text({ op: 'reverse', ...(by !== undefined && { by }), text: own });
const cased = ({ text: own }: Source, to: Case): Request => text({ op: 'case', to, text: own });
/** The first line of a table is none of its rows. */
const counted = ({ text: own }: Source, what?: Counted): Request | undefined =>
  what === 'items' && isObject(own) ? undefined : text({ op: 'count', ...(what !== undefined && { what }), text: own });
const occurring = ({ text: own }: Source, find: string): Request => text({ op: 'count', text: own, find });
const replaced = ({ text: own }: Source, find: string, by: string, more: How = {}): Request | undefined =>
  find === '' ? undefined : text({ op: 'replace', find, with: by, ...more, text: own });
/** What is removed has to be there, unless it is quoted or a sign. */
const removed = (source: Source, find: string, sure: boolean): Request | undefined =>
  sure || /\{\{\d/.test(source.text) || source.text.includes(find) ? replaced(source, find, '') : undefined;
const split = ({ text: own }: Source, separator: string): Request => text({ op: 'split', separator, text: own });
const slugged = ([{ text: own }]: [Source]): Request => text({ op: 'slug', text: own });
function joined({ text: own }: Source, between: string): Request | undefined {
  if (isObject(own) || between === '\n\n') return undefined;
  const separator = /^[,;]$/.test(between) ? `${between} ` : /^\w+$/.test(between) ? ` ${between} ` : between;
  return text({ op: 'join', separator, text: own });
}
const shortened = ({ text: own }: Source, count: Num, unit: string): Request =>
  text({ op: 'first', count: whole(count), unit, text: own });
const compared = ({ text: one }: Source, { text: other }: Source, by?: string): Request =>
  text({ op: 'diff', text: one, other, ...(by !== undefined && { by }) });

/** Two texts separated by a line of dashes, an empty line, the only line break, or "vs". */
function halves(data: string): readonly [string, string] | undefined {
  const ruled = data.split(/^[ \t]*(?:-{3,}|={3,}|\*{3,}|_{3,})[ \t]*$/m);
  const apart = ruled.length === 2 ? ruled : data.split(/\n[ \t]*\n/).filter((part) => part.trim() !== '');
  const two = apart.length === 2 ? apart : data.trim().split('\n');
  if (two.length === 2) return [(two[0] ?? '').replace(/^\n|\n$/g, ''), (two[1] ?? '').replace(/^\n|\n$/g, '')];
  const against = data.length > 2_000 ? null : /^(.+?) (?:vs\.?|versus|\|\|?) (.+)$/s.exec(data.trim());
  return against === null ? undefined : [against[1] ?? '', against[2] ?? ''];
}

const MAX_PAIRS = 4_000;
/** "name = Ann, city = Oslo and day=Friday" as an object; undefined when there is other text. */
function pairs(said: string): { [name: string]: Json } | undefined {
  if (said.length > MAX_PAIRS) return undefined;
  const found: [string, string][] = [];
  for (const one of said.trim().split(/[,;\n]\s*(?:and )?|\s+and\s+(?=[\w -]{1,40}\s?[=:])/)) {
    if (one.trim() === '') continue;
    const match = /^\s*[{<]?([\p{L}_][\p{L}\p{N}_ -]{0,59}?)[}>]?\s*(?:=|:)\s*(.*)$/u.exec(one);
    if (match === null) return undefined;
    found.push([match[1] ?? '', (match[2] ?? '').trim().replace(/^(["'])(.*)\1$/, '$2')]);
  }
  return found.length === 0 ? undefined : Object.fromEntries(found);
}
const filled = ({ text: template }: Source, said: string): Request | undefined => {
  const values = pairs(said);
  return values && /[{<]/.test(template) ? text({ op: 'template', values, text: template }) : undefined;
};
const padded = ({ text: own }: Source, length: Num, digits: boolean, fill?: string): Request =>
  text({
    op: 'pad',
    length: whole(length),
    side: 'left',
    ...(fill !== undefined ? { with: fill } : digits && /^\d+$/.test(own.trim()) && { with: '0' }),
    text: own,
  });

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
    for (let at = tokens.length - 1; at > 0; at--) {
      const { text: said, spaced, kind, lower } = tokens[at] as Token;
      own = said + own;
      if (kind === 'data' || own.length > MAX_SAID) break;
      if (!spaced) continue;
      const items = lined === true || LINKS.has(lower) ? undefined : itemsIn(own);
      if (items !== undefined && !HOW_FIRST.test(items)) add('items-said', at, tokens.length, { text: items });
      const words = LINKS.has(lower) ? undefined : spokenText(own);
      if (words !== undefined) add('text-said', at, tokens.length, { text: words });
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
    // Counting.
    rule(
      'tally',
      [
        'COUNT (the|of the|of|its|their)? <countable>',
        "(what is|what's|whats|give me|get|show me|tell me)? (the|a)? <countable> (count|counts)",
        '<tally> ARETHERE',
      ],
      ([of]: [Counted]) => of,
    ),
    rule(
      'request',
      ['<tally> <wording> ENDSIGN?', '<tally> <wording> HAS ENDSIGN?', '<tally> WHAT HAS <wording> ENDSIGN?'],
      ([of, source]: [Counted, Source]) => counted(source, of),
    ),
    rule('request', '<tally> <listing> ENDSIGN?', ([of, source]: [Counted, Source]) =>
      of === 'items' ? counted(source, of) : undefined,
    ),
    rule('request', 'LENGTHOF NAMEDTEXT <wording>', ([source]: [Source]) => counted(source, 'characters')),
    rule('request', 'LENGTHOF (this|it)? :? <exact>', ([own]: [string]) => counted({ text: own }, 'characters')),
    rule(
      'request',
      'count (it|this|that|these|the following)? <lot>',
      ([source]: [Source]) => (source.text.includes('{{') || source.text.includes('\n') ? counted(source) : undefined),
      -0.2,
    ),
    rule(
      'request',
      '(count them|count these|count those|count them all|how many|how many of them|how many are there|how many are they|how many are these) <lot>',
      ([source]: [Source]) => (source.text.startsWith('{{') ? counted(source, 'items') : undefined),
      -0.15,
    ),
    rule(
      'request',
      'COUNT the? <signed> ARETHERE? <lot> ENDSIGN?',
      ([sign, source]: [string, Source]) => (sign === '' ? undefined : occurring(source, sign)),
      0.1,
    ),
    rule(
      'request',
      'COUNT EVERY? <literal> ARETHERE? <lot> ENDSIGN?',
      ([find, source]: [string, Source]) =>
        /^\p{L}(?:['’]?s)?$/u.test(find) ? occurring(source, find.slice(0, 1)) : undefined,
      -0.3,
    ),
    rule(
      'request',
      'COUNT (times|times the)? ATEXT <literal> ARETHERE? <lot> ENDSIGN?',
      ([find, source]: [string, Source]) => occurring(source, find),
    ),
    rule('often', ['OFTEN', 'OCCURRENCES'], () => true),
    rule(
      'request',
      '<often> ATEXT? <literal> APPEAR? <wording> ENDSIGN?',
      ([, find, source]: [boolean, string, Source]) => occurring(source, find),
    ),
    // What is found in it.
    rule(
      'request',
      'EXTRACT EVERY? <found> ARETHERE? FROM? WHAT? <data> ENDSIGN?',
      ([what, own]: [Extracted, string]) => text({ op: 'extract', what, text: own }),
    ),
    rule('request', 'EXTRACT EVERY? <found> ARETHERE? <lot> ENDSIGN?', ([what, { text: own }]: [Extracted, Source]) =>
      /\{\{/.test(own) || own.match(PATTERNS[what]) !== null ? text({ op: 'extract', what, text: own }) : undefined,
    ),
    rule(
      'request',
      '<found> FROM? WHAT? <data> ENDSIGN?',
      ([what, own]: [Extracted, string]) => text({ op: 'extract', what, text: own }),
      -0.2,
    ),
    rule(
      'request',
      '(extract|find|get|pull|pull out|grab|collect|pick out|list|show me|give me) EVERY? <found> ARETHERE? (of|from|in|out of|within|on)? WHAT? …',
      ([what, { text: own }]: [Extracted, Free]) => {
        PATTERNS[what].lastIndex = 0;
        return /\S\s+\S/.test(own) &&
          !/^(?:of|from|in|out|within|on|are|is|does|do|addresses|here|:)(?: |$)|: |["“]|\b(?:then|and (?:sort|count|send))\b/.test(
            own,
          ) &&
          PATTERNS[what].test(own) &&
          !/^(?:https?:\S+|\{\{.*)$/.test(own)
          ? text({ op: 'extract', what, text: own })
          : undefined;
      },
      -0.5,
    ),
    // Replacing and removing.
    rule('request', 'REPLACE EVERY? <piece> WITHIT <piece> <wording>', ([find, by, source]: [string, string, Source]) =>
      replaced(source, find, by),
    ),
    rule(
      'request',
      'REPLACE THEFIRST ATEXT? <piece> WITHIT <piece> <wording>',
      ([find, by, source]: [string, string, Source]) => replaced(source, find, by, { only_first: true }),
      0.1,
    ),
    rule(
      'request',
      'CHANGE <certain> WITHIT (the|a|an)? <piece> <wording>',
      ([find, by, source]: [string, string, Source]) => replaced(source, find, by),
      -0.05,
    ),
    rule(
      'request',
      'substitute <piece> for <piece> <wording>',
      ([by, find, source]: [string, string, Source]) => replaced(source, find, by),
      0.1,
    ),
    rule(
      'request',
      'FROM WHAT <exact> ,? REPLACE EVERY? <piece> WITHIT <piece>',
      ([own, find, by]: [string, string, string]) => replaced({ text: own }, find, by),
    ),
    rule(
      'request',
      'REMOVE EVERY? <certain> <wording>',
      ([find, source]: [string, Source]) => removed(source, find, true),
      -0.1,
    ),
    rule(
      'request',
      'REMOVE EVERY? ATEXT? <literal> <wording>',
      ([find, source]: [string, Source]) => removed(source, find, false),
      -0.2,
    ),
    rule(
      'request',
      'REMOVE EMPTYLINES <lot>',
      ([{ text: own }]: [Source]) => text({ op: 'trim', by: 'lines', text: own }),
      0.1,
    ),
    rule('trims', ['REMOVE EXTRA', 'TRIM EXTRA', 'TRIM SPACING'], () => true),
    rule('trims', 'trim', () => true, -0.1),
    rule(
      'request',
      '<trims> <wording>',
      ([, { text: own }]: [boolean, Source]) => text({ op: 'trim', text: own }),
      0.05,
    ),
    // Apart and together.
    rule(
      'request',
      'SPLIT <lot> (up|apart)? AT (each|every)? <separator> (sign|signs|character)?',
      ([source, sign]: [Source, string]) => split(source, sign),
    ),
    rule(
      'request',
      'SPLIT WHAT? (up|apart)? AT (each|every)? <separator> (sign|signs|character)? :? <wording>',
      ([sign, source]: [string, Source]) => split(source, sign),
    ),
    rule('request', 'SPLIT <wording> into (single|individual|separate)? <pieces>', ([source, unit]: [Source, string]) =>
      split(source, unit === 'words' ? ' ' : unit === 'lines' ? '\n' : ''),
    ),
    rule(
      'request',
      'SPLIT WHAT? into (single|individual|separate)? <pieces> <wording>',
      ([unit, source]: [string, Source]) => split(source, unit === 'words' ? ' ' : unit === 'lines' ? '\n' : ''),
    ),
    rule(
      'request',
      '(split|tokenize) <lot>',
      ([{ text: own }]: [Source]) => (own.includes('{{') ? undefined : text({ op: 'split', text: own })),
      -0.4,
    ),
    rule('request', 'JOIN <listing> ASONE? WITHSIGN <separator> BETWEEN?', ([source, sign]: [Source, string]) =>
      joined(source, sign),
    ),
    rule(
      'request',
      'JOIN … ASONE? WITHSIGN <separator> BETWEEN?',
      ([{ text: own }, sign]: [Free, string]) => {
        const items = itemsIn(own);
        return items === undefined ? undefined : joined({ text: items }, sign);
      },
      -0.2,
    ),
    rule(
      'request',
      'JOIN WHAT? ASONE? WITHSIGN <separator> BETWEEN? :? <listing>',
      ([sign, source]: [string, Source]) => joined(source, sign),
    ),
    rule(
      'request',
      'JOIN WHAT? ASONE? WITHSIGN <literal> :? <listing>',
      ([sign, source]: [string, Source]) => joined(source, sign),
      -0.2,
    ),
    rule(
      'request',
      'JOIN <listing> ASONE? WITHSIGN <literal>',
      ([source, sign]: [Source, string]) => joined(source, sign),
      -0.2,
    ),
    rule(
      'request',
      '(join|glue|concatenate|concat) <listing>',
      ([source]: [Source]) =>
        SEVERAL.test(source.text) && !source.text.startsWith('{{') ? joined(source, ' ') : undefined,
      -0.4,
    ),
    // The beginning or the end.
    rule(
      'request',
      'SHORTEN <wording> ATMOST <number:whole> <countable>',
      ([source, n, unit]: [Source, Num, Counted]) => shortened(source, n, unit === 'letters' ? 'characters' : unit),
    ),
    rule(
      'request',
      'SHORTEN WHAT? ATMOST <number:whole> <countable> <wording>',
      ([n, unit, source]: [Num, Counted, Source]) => shortened(source, n, unit === 'letters' ? 'characters' : unit),
    ),
    rule(
      'request',
      'SHORTEN … ATMOST <number:whole> <countable>',
      ([{ text: own }, n, unit]: [Free, Num, Counted]) =>
        spokenText(own) ? shortened({ text: own.trim() }, n, unit === 'letters' ? 'characters' : unit) : undefined,
      -0.3,
    ),
    rule('ending', 'ONLY? (the|the very)? (first|top) <number:whole> <countable>', ([n, of]: [Num, Counted]) => [
      'first',
      whole(n),
      of,
    ]),
    rule(
      'ending',
      'ONLY? (the|the very)? (last|bottom|final) <number:whole> <countable>',
      ([n, of]: [Num, Counted]) => ['last', whole(n), of],
    ),
    rule('request', '<ending> only? <wording>', ([[op, count, of], source]: [[string, number, Counted], Source]) =>
      text({ op, count, unit: of === 'letters' ? 'characters' : of, text: source.text }),
    ),
    rule(
      'request',
      'ONLY? the? (last|bottom) <number:whole> (of)? <lot>',
      ([n, { text: own }]: [Num, Source]) =>
        own.startsWith('{{') ? text({ op: 'last', count: whole(n), unit: 'items', text: own }) : undefined,
      -0.1,
    ),
    rule(
      'request',
      'ONLY? the? (first|top) <number:whole> (of)? <lot>',
      ([n, { text: own }]: [Num, Source]) =>
        own.startsWith('{{') ? text({ op: 'first', count: whole(n), unit: 'items', text: own }) : undefined,
      -0.1,
    ),
    // Two texts.
    rule('side', '<exact>', ([own]: [string]) => ({ text: own })),
    rule('side', '<source>', ([source]: [Source]) => (source.text.includes('{{') ? source : undefined)),
    rule('contrast', 'COMPARE (between|of|in|from)? WHAT?', () => ({})),
    rule(
      'request',
      '<contrast> <side> (and|with|to|vs|versus|against|from|,) <side> (differ)?',
      ([, one, other]: [unknown, Source, Source]) => compared(one, other),
    ),
    rule(
      'request',
      '<contrast> <side> (and|with|to|vs|versus|against|from|,) <side> by <pieces>',
      ([, one, other, by]: [unknown, Source, Source, string]) => compared(one, other, by),
    ),
    rule('request', '<contrast> <exact> <exact>', ([, one, other]: [unknown, string, string]) =>
      compared({ text: one }, { text: other }),
    ),
    rule('request', '<contrast> <lot>', ([, { text: own }]: [unknown, Source]) => {
      if (!/\n|\{\{| (?:vs\.?|versus|\|) /.test(own)) return undefined;
      const two = own.startsWith('{{') ? undefined : halves(own);
      return two
        ? compared({ text: two[0] }, { text: two[1] })
        : question('text', 'Which two texts? Write a line of --- between them.', 'compare these: {}');
    }),
    // Other forms.
    rule('request', 'MAKEOF WHAT (in|into|to|as) SLUG <wording>', slugged),
    rule(
      'request',
      ['MAKEOF? SLUG (for|of|from|out of|to)? <wording>', 'MAKEOF <wording> (in|into|to|as) SLUG'],
      slugged,
    ),
    rule(
      'request',
      'slugify …',
      ([{ text: own }]: [Free]) => (/["“:]|\bthen\b/.test(own) ? undefined : text({ op: 'slug', text: own })),
      -0.4,
    ),
    rule(
      'request',
      'FILL TEMPLATE? (in|out)? <source> (with|using|where|given) …',
      ([template, { text: said }]: [Source, Free]) => filled(template, said),
    ),
    rule('request', 'FILL TEMPLATE? (with|using|where|given) … <data>', ([{ text: said }, template]: [Free, string]) =>
      filled({ text: template }, said),
    ),
    rule(
      'request',
      'FILL TEMPLATE? <source> (with|using) <data>',
      ([template, said]: [Source, string]) => filled(template, said),
      0.1,
    ),
    rule('request', 'FILL TEMPLATE? (in|out)? <source>', ([{ text: own }]: [Source]) =>
      /\{\{ ?\d/.test(own) ? text({ op: 'say', text: own }) : undefined,
    ),
    rule(
      'request',
      'NUMBERING (to|in|on|before|at|with)? NUMBERED? <lot>',
      ([{ text: own }]: [Source]) => (/[\n[]|\{\{/.test(own) ? text({ op: 'number', text: own }) : undefined),
      -0.1,
    ),
    rule('request', 'WRAP <lot> ATWIDTH <number:whole> COLUMNS?', ([{ text: own }, n]: [Source, Num]) =>
      text({ op: 'wrap', length: whole(n), text: own }),
    ),
    rule('request', 'WRAP WHAT? ATWIDTH <number:whole> COLUMNS? <wording>', ([n, { text: own }]: [Num, Source]) =>
      text({ op: 'wrap', length: whole(n), text: own }),
    ),
    rule('padded', '<lot>', ([source]: [Source]) => source),
    rule('padded', '<literal>', ([own]: [string]) => ({ text: own }), -0.2),
    rule('widths', ['FIGURES', 'COLUMNS'], () => true),
    rule('request', 'PAD <padded> (to|until|up to) <number:whole> FIGURES long?', ([source, n]: [Source, Num]) =>
      padded(source, n, true),
    ),
    rule('request', 'PAD <padded> (to|until|up to) <number:whole> COLUMNS? long?', ([source, n]: [Source, Num]) =>
      padded(source, n, false),
    ),
    rule(
      'request',
      'PAD <padded> (to|until|up to) <number:whole> <widths>? (with|using) <piece>',
      ([source, n, , fill]: [Source, Num, unknown, string]) => padded(source, n, false, fill),
    ),
    rule(
      'request',
      'PAD <padded> with (zeros|zeroes|zero|0|0s) (to|until|up to) <number:whole> <widths>?',
      ([source, n]: [Source, Num]) => padded(source, n, false, '0'),
    ),
    rule('request', 'SAY <lot>', ([{ text: own }]: [Source]) => text({ op: 'say', text: own })),
    rule(
      'request',
      'SAY <literal>',
      ([own]: [string]) => (/^\p{L}+$/u.test(own) ? text({ op: 'say', text: own }) : undefined),
      -0.6,
    ),
    rule('request', 'tell me <exact>', ([own]: [string]) => text({ op: 'say', text: own })),
    rule(
      'request',
      'SAY :? …',
      ([{ text: own }]: [Free]) => (spokenText(own) ? text({ op: 'say', text: own }) : undefined),
      -0.5,
    ),
  ],
};
