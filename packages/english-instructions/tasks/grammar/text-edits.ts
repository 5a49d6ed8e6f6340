import type { Domain } from '../../language/grammar.ts';
import type { Table } from '../table/table.ts';
import type { Counted } from '../text/count.ts';
import { type Extracted, PATTERNS } from '../text/extract.ts';
import { itemsIn, spokenText } from './listed.ts';
import { rulesOf } from './rules.ts';
import { done, parts, type Source, whole } from './selecting.ts';
import { question, type Request } from './setting.ts';
import {
  compared,
  counted,
  filled,
  halves,
  isIn,
  joined,
  occurring,
  padded,
  removed,
  replaced,
  SEVERAL,
  shortened,
  slugged,
  split,
  text,
  transposed,
} from './text-asks.ts';
import { each } from './text-words.ts';

/** One replacement, and another in its result. */
function bothReplaced(source: Source, [find, by]: Edit, [other, otherBy]: Edit): Request | undefined {
  const first = find === other || (by !== '' && by.includes(other)) ? undefined : replaced(source, find, by);
  const second = first && replaced({ text: '{{+1}}' }, other, otherBy);
  return first && second && { steps: [...first.steps, ...second.steps] };
}
type Edit = readonly [find: string, by: string];

/** A day said by how far it is from another. */
const AWAY = /\b(?:days?|weeks?|months?|years?) (?:before|after|from)\b/i;
/** What names no text whose occurrences are counted. */
const NO_TEXT = /^(?:each|every|all|appears?|occurs?|comes?|repeats?|used|mentioned|found)$/i;

/** Words that say more of a replacement than by what. */
const BY_MORE =
  /\b(?:in|with|and|or|by|then|everywhere|only|but|except|to|of|from|first|last|case|each|every|an?|the)\b/i;
/** "With big dog in the cat sat": what seems to be the text begins with more of the replacement. */
const goesOn = (own: string, find: string): boolean => {
  const [whole, lead = '', rest = ''] = /^((?:\p{L}+ ){1,3}?)(?:in|of|from) (.+)$/u.exec(own) ?? [];
  return whole !== undefined && !isIn(lead, find) && isIn(rest, find);
};

/** Whether a column of a table has the name of what is looked for. */
const isColumn = (what: Extracted, table: Table | undefined): boolean =>
  table?.names.some((name) => name.toLowerCase().replace('-', '').startsWith(what.slice(0, -1))) === true;

/** How often one letter is in a text; a verb behind a pronoun is none. */
const ofLetter = (source: Source, find: string): Request | undefined =>
  /^\p{L}(?:['’]?s)?$/u.test(find) && !/^ha(?:ve|s)$/.test(source.text)
    ? occurring(source, find.slice(0, 1))
    : undefined;

const rule = rulesOf<
  Record<'padded' | 'side', Source> & { link: Source; data: string; 'end-op': string; found: Extracted; tally: Counted }
>();

/** What is counted, found, replaced, cut and joined in a text or a list as a whole. */
export const TEXT_EDITS: Domain = {
  lexicon: { INSTEADOF: each('instead of|rather than|in place of', '|the|all|any') },
  rules: [
    // Counting.
    rule(
      'tally = COUNT (the|of the|of|its|their)? <countable>',
      "(what is|what's|whats|give me|get|show me|tell me)? (the|a)? <countable> (count|counts)",
      '<tally> ARETHERE',
    ),
    rule(
      'request = <tally> <wording> ENDSIGN?',
      '<tally> <wording> HAS ENDSIGN?',
      '<tally> WHAT HAS <wording> ENDSIGN?',
      ([of, source]) => counted(source, of),
    ),
    rule('request = <tally> <listing> ENDSIGN?', ([of, source]) => (of === 'items' ? counted(source, of) : undefined)),
    rule('request = LENGTHOF NAMEDTEXT <wording>', ([source]) => counted(source, 'characters')),
    rule('request = LENGTHOF (this|it)? :? <exact>', ([own]) => counted({ text: own }, 'characters')),
    rule('request -0.2 = count (it|this|that|these|the following)? <lot>', ([source]) =>
      source.text.includes('{{') || source.text.includes('\n') ? counted(source) : undefined,
    ),
    rule(
      'request -0.15 = (count them|count these|count those|count them all|how many|how many of them|how many are there|how many are left|how many remain|how many are there now|how many are they|how many are these) <lot>',
      ([source]) => (source.text.startsWith('{{') ? counted(source, 'items') : undefined),
    ),
    rule('request 0.1 = COUNT the? <signed> ARETHERE? <lot> ENDSIGN?', ([sign, source]) =>
      sign === '' ? undefined : occurring(source, sign),
    ),
    rule(
      'request -0.3 = COUNT EVERY? <literal> ARETHERE? <lot> ENDSIGN?',
      '-0.2 = COUNT EVERY? <literal> (does|do|has)? <wording> HAS? ENDSIGN?',
      '-0.2 = COUNT EVERY? <literal> (does|do)? WHAT HAS <wording> ENDSIGN?',
      ([find, source]) => ofLetter(source, find),
    ),
    rule('request 0.05 = COUNT (times|times the)? ATEXT <literal> ARETHERE? <lot> ENDSIGN?', ([find, source]) =>
      occurring(source, find),
    ),
    rule('often = OFTEN', 'OCCURRENCES'),
    rule('request = <often> ATEXT? <literal> APPEAR <wording> ENDSIGN?', ([, find, source]) =>
      NO_TEXT.test(find) ? undefined : occurring(source, find),
    ),
    // "The" is no word in "then".
    rule('request 0.1 = <often> (the word|a word|word) <literal> APPEAR <wording> ENDSIGN?', ([, find, source]) =>
      /^\p{L}+$/u.test(find) && !source.text.includes('{{')
        ? text({
            op: 'parts',
            text: source.text,
            selection: { of: 'words', where: [{ test: 'equals', text: find }] },
            does: 'count',
          })
        : undefined,
    ),
    rule(
      'request 0.3 = <tally> (including|with|counting|incl|including all) (the)? (spaces|blanks|whitespace) (are there|are|is|does it have|has it)? (in|of)? <wording> ENDSIGN?',
      ([of, source]) => (of === 'characters' ? counted(source, of) : undefined),
    ),
    // Without a verb another word may be meant: "how many times bigger is …".
    rule('request = <often> ATEXT? <literal> <wording> ENDSIGN?', ([, find, source]) =>
      NO_TEXT.test(find) || !isIn(source.text.toLowerCase(), find.toLowerCase()) ? undefined : occurring(source, find),
    ),
    // What is found in it.
    rule(
      'request = EXTRACT EVERY? <found> ARETHERE? FROM? WHAT? <data> ENDSIGN?',
      '-0.2 = <found> FROM? WHAT? <data> ENDSIGN?',
      ([what, own], { table }) =>
        isColumn(what, table) ||
        (what === 'dates' && (AWAY.test(own) || (/^\S+$/.test(own) && own.match(PATTERNS.dates) === null))) ||
        (what === 'amounts' && own.match(PATTERNS.amounts) === null)
          ? undefined
          : text({ op: 'extract', what, text: own }),
    ),
    rule('request -0.2 = EVERY <found> FROM? WHAT? <data> ENDSIGN?', ([what, own], { table }) =>
      own.startsWith('{{') || isColumn(what, table) || own.match(PATTERNS[what]) === null
        ? undefined
        : text({ op: 'extract', what, text: own }),
    ),
    rule('request = EXTRACT EVERY? <found> ARETHERE? <lot> ENDSIGN?', ([what, { text: own }]) =>
      /\{\{/.test(own) || own.match(PATTERNS[what]) !== null ? text({ op: 'extract', what, text: own }) : undefined,
    ),
    rule('request = COUNT EVERY? <found> ARETHERE? FROM? WHAT? <data> ENDSIGN?', ([what, own], { table }) =>
      what === 'numbers' || isColumn(what, table) || own.startsWith('{{')
        ? undefined
        : {
            steps: [
              ...text({ op: 'extract', what, text: own }).steps,
              ...text({ op: 'count', what: 'items', text: '{{+1}}' }).steps,
            ],
          },
    ),
    // Replacing and removing.
    rule(
      'request -0.1 = (use|using|with|put|write|have|i want|i need|make)? <piece> INSTEADOF <piece> <wording>',
      ([by, find, source]) => (isIn(source.text, find) ? replaced(source, find, by) : undefined),
    ),
    rule(
      'request = REPLACE EVERY? <piece> WITHIT <piece> <wording>',
      // "Each vowel" is no text that is looked for.
      ([find, by, source]) =>
        (/^\p{Ll}{3,}$/u.test(find) && !isIn(source.text, find)) || goesOn(source.text, find)
          ? undefined
          : replaced(source, find, by),
    ),
    // Two at once, where the second does not undo the first.
    rule(
      'request = REPLACE EVERY? <piece> WITHIT <piece> ALSO REPLACE? EVERY? <piece> WITHIT <piece> <wording>',
      ([find, by, other, otherBy, source]) => bothReplaced(source, [find, by], [other, otherBy]),
    ),
    rule('request -0.05 = CHANGE <certain> WITHIT (the|a|an)? <piece> <wording>', ([find, by, source]) =>
      isIn(source.text, find) ? replaced(source, find, by) : undefined,
    ),
    rule('request -0.25 = CHANGE <literal> WITHIT <literal> <wording>', ([find, by, source]) =>
      /^\p{Lu}/u.test(find) && source.text.split(/[^\p{L}\p{N}]+/u).includes(find)
        ? replaced(source, find, by)
        : undefined,
    ),
    rule('request 0.1 = REPLACE THEFIRST ATEXT? <piece> WITHIT <piece> <wording>', ([find, by, source]) =>
      replaced(source, find, by, { only_first: true }),
    ),
    rule('request = FROM WHAT <exact> ,? REPLACE EVERY? <piece> WITHIT <piece>', ([own, find, by]) =>
      replaced({ text: own }, find, by),
    ),
    // By several words, of a text that stands beside it.
    rule(
      'request -0.3 = REPLACE EVERY? ATEXT? <literal> WITHIT … (in|in it|in this|in the text)? <data>',
      ([find, { text: by }, own]) =>
        own.includes(find) && /^[\p{L}.'’ -]{2,60}$/u.test(by) && !BY_MORE.test(by)
          ? replaced({ text: own }, find, by)
          : undefined,
    ),
    rule('request -0.1 = REMOVE EVERY? <certain> <wording>', ([find, source]) => removed(source, find, true)),
    rule('request -0.2 = REMOVE EVERY? ATEXT? <literal> <wording>', ([find, source]) => removed(source, find, false)),
    rule('request 0.1 = REMOVE EMPTYLINES <lot>', ([{ text: own }]) => text({ op: 'trim', by: 'lines', text: own })),
    rule('trims = REMOVE EXTRA', 'TRIM EXTRA', 'TRIM SPACING', '-0.1 = trim'),
    rule('request 0.05 = <trims> <wording>', ([, { text: own }]) => text({ op: 'trim', text: own })),
    // Apart and together.
    rule(
      'request = SPLIT <lot> (up|apart)? AT (each|every)? <separator> (sign|signs|character)?',
      '#21 SPLIT WHAT? (up|apart)? AT (each|every)? <separator> (sign|signs|character)? :? <wording>',
      ([source, sign]) => split(source, sign),
    ),
    rule('request = SPLIT <lot> (up|apart)? (into)? PERROW', ([{ text: own }]) => text({ op: 'split', text: own })),
    rule('request -0.4 = (split|tokenize) <lot>', ([{ text: own }]) =>
      own.includes('{{') ? undefined : text({ op: 'split', text: own }),
    ),
    rule('request -0.3 = JOIN WHAT? ASONE <lot>', ([source]) =>
      /\n|\{\{/.test(source.text) ? joined(source, ' ') : undefined,
    ),
    rule('request = JOIN <listing> ASONE? WITHSIGN <separator> BETWEEN?', ([source, sign]) => joined(source, sign)),
    rule('request -0.2 = JOIN … ASONE? WITHSIGN <separator> BETWEEN?', ([{ text: own }, sign]) => {
      const items = itemsIn(own);
      return items === undefined ? undefined : joined({ text: items }, sign);
    }),
    rule(
      'request -0.2 = JOIN WHAT? ASONE? WITHSIGN <literal> :? <listing>',
      '#21 JOIN <listing> ASONE? WITHSIGN <literal>',
      ([sign, source]) => (/^(?:an?|the|no)$/i.test(sign) ? undefined : joined(source, sign)),
    ),
    rule('request -0.4 = (join|glue|concatenate|concat) <listing>', ([source]) =>
      SEVERAL.test(source.text) && !source.text.startsWith('{{') ? joined(source, ' ') : undefined,
    ),
    // The beginning or the end.
    rule(
      'request = SHORTEN <wording> ATMOST <number:whole> <countable>',
      '#312 SHORTEN WHAT? ATMOST <number:whole> <countable> <wording>',
      ([source, n, unit]) => shortened(source, n, unit === 'letters' ? 'characters' : unit),
    ),
    rule(
      'request = SHORTEN (each|every|all|all the|the|each of the) (line|lines|item|items|entry|entries|name|names|row|rows|title|titles) ATMOST <number:whole> (characters|letters|chars|signs) <lot>',
      ([n, source]) =>
        /\n/.test(source.text) && whole(n) > 0
          ? done(source, parts('characters', { at: 1, count: whole(n), within: 'lines' }), 'list')
          : undefined,
    ),
    rule('request = ONLY? (the|the very)? <end-op> <number:whole> <countable> only? <wording>', ([op, n, of, source]) =>
      text({ op, count: whole(n), unit: of === 'letters' ? 'characters' : of, text: source.text }),
    ),
    rule('request -0.1 = ONLY? the? <end-op> <number:whole> (of|ones)? <lot>', ([op, n, { text: own }]) =>
      own.startsWith('{{') || /[,;\n]/.test(own) ? text({ op, count: whole(n), unit: 'items', text: own }) : undefined,
    ),
    // Two texts.
    rule('side = <exact>', ([own]) => ({ text: own })),
    rule('side = <source>', ([source]) => (source.text.includes('{{') ? source : undefined)),
    rule('contrast = COMPARE (between|of|in|from)? WHAT?', () => ({})),
    rule('request = <contrast> <side> (and|with|to|vs|versus|against|from|,) <side> (differ)?', ([, one, other]) =>
      compared(one, other),
    ),
    rule('request = <contrast> <lot>', ([, { text: own }]) => {
      if (!/\n|\{\{| (?:vs\.?|versus|\|) /.test(own)) return undefined;
      const two = own.startsWith('{{') ? undefined : halves(own);
      return two
        ? compared({ text: two[0] }, { text: two[1] })
        : question('text', 'Which two texts? Write a line of --- between them.', 'compare these: {}');
    }),
    // Other forms.
    rule(
      'request = MAKEOF WHAT (in|into|to|as) SLUG <wording>',
      'MAKEOF? SLUG (for|of|from|out of|to)? <wording>',
      'MAKEOF <wording> (in|into|to|as) SLUG',
      slugged,
    ),
    rule('request -0.4 = slugify …', ([{ text: own }]) =>
      /["“:]|\bthen\b/.test(own) ? undefined : text({ op: 'slug', text: own }),
    ),
    rule('request = FILL TEMPLATE? (in|out)? <source> (with|using|where|given) …', ([template, { text: said }]) =>
      filled(template, said),
    ),
    rule('request = FILL TEMPLATE? (with|using|where|given) … <data>', ([{ text: said }, template]) =>
      filled({ text: template }, said),
    ),
    rule('request = FILL TEMPLATE? (in|out)? <source>', ([{ text: own }]) =>
      /\{\{ ?\d/.test(own) ? text({ op: 'say', text: own }) : undefined,
    ),
    rule('request -0.1 = NUMBERING (to|in|on|before|at|with)? NUMBERED? <lot>', ([{ text: own }]) =>
      /[\n[]|\{\{/.test(own) ? text({ op: 'number', text: own }) : undefined,
    ),
    rule('request = WRAP <lot> ATWIDTH <number:whole> COLUMNS?', ([{ text: own }, n]) =>
      text({ op: 'wrap', length: whole(n), text: own }),
    ),
    rule('request = WRAP WHAT? ATWIDTH <number:whole> COLUMNS? <wording>', ([n, { text: own }]) =>
      text({ op: 'wrap', length: whole(n), text: own }),
    ),
    rule('padded = <lot>'),
    rule('padded -0.2 = <literal>', ([own]) => ({ text: own })),
    rule('widths = FIGURES', 'COLUMNS'),
    rule('request = PAD <padded> UPTOWIDTH <number:whole> FIGURES long?', ([source, n]) => padded(source, n, true)),
    rule('request = PAD <padded> UPTOWIDTH <number:whole> <widths>? (with|using) <piece>', ([source, n, , fill]) =>
      padded(source, n, false, fill),
    ),
    rule('request = PAD <padded> (with|using) <piece> UPTOWIDTH <number:whole> <widths>? long?', ([source, fill, n]) =>
      padded(source, n, false, fill),
    ),
    rule('request 0.1 = REMOVE EVERY? MARKINGS (of|from|in|at|before)? <lot>', ([{ text: own }]) =>
      text({ op: 'trim', by: 'marks', text: own }),
    ),
    rule(
      'request = LIST? the? HOSTNAME (of|from|in|for) (the)? (email|email address|address|mail address)? :? <source>',
      ([{ text: own }]) => (/^[^\s@]+@[^\s@]+$/.test(own) ? text({ op: 'between', text: own, after: '@' }) : undefined),
    ),
    rule(
      'request = LIST? the? USERPART (of|from|in|for) (the)? (email|email address|address|mail address)? :? <source>',
      ([{ text: own }]) =>
        /^[^\s@]+@[^\s@]+$/.test(own) ? text({ op: 'between', text: own, before: '@' }) : undefined,
    ),
    rule(
      'request = LIST? the? HOSTNAME (of|from|in|for) (the)? (url|link|address|page|website)? :? <link>',
      ([{ text: own }]) => (URL.canParse(own) ? text({ op: 'say', text: new URL(own).hostname }) : undefined),
    ),
    rule(
      'request = transpose WHAT? <data>',
      '(turn|make|convert|change) the? (columns into rows|rows into columns) <data>',
      '(swap|exchange|switch|flip) the? (rows and columns|columns and rows|rows and the columns|columns and the rows|rows with the columns) <data>',
      ([own]) => transposed(own),
    ),
    rule('request = SAY <lot>', ([{ text: own }]) => text({ op: 'say', text: own })),
    rule('request -0.6 = SAY <literal>', ([own]) =>
      /^\p{L}+$/u.test(own) ? text({ op: 'say', text: own }) : undefined,
    ),
    rule('request = tell me <exact>', ([own]) => text({ op: 'say', text: own })),
    rule('request -0.5 = SAY :? …', ([{ text: own }]) =>
      spokenText(own) ? text({ op: 'say', text: own }) : undefined,
    ),
  ],
};
