import type { Domain } from '../../language/grammar.ts';
import type { Part } from '../text/parts.ts';
import { rulesOf } from './rules.ts';
import { done, parts, type Source, whole } from './selecting.ts';
import { asks, type Request } from './setting.ts';
import { cased, isIn, SEVERAL, text } from './text-asks.ts';
import { each } from './text-words.ts';

const MAX_INDENT = 80;

interface Marks {
  readonly after?: string;
  readonly before?: string;
  readonly side?: 'right';
  readonly by?: 'lines';
}
const saidOf = ({ after: opening, before: closing }: Marks): string =>
  opening === undefined
    ? `before "${closing}"`
    : closing === undefined
      ? `after "${opening}"`
      : `between "${opening}" and "${closing}"`;
/** A mark that is in the text, or that may be in a result. */
const between = ({ text: own }: Source, marks: Marks): Request | undefined =>
  [marks.after, marks.before].every((mark) => mark === undefined || (mark !== '' && isIn(own, mark)))
    ? asks('text', { op: 'between', text: own, ...marks }, `text ${saidOf(marks)} in "${own}"`)
    : undefined;
/** All but what stands there: what stands on the other side of the only mark, or all around both with them. */
const without = (source: Source, { after: opening, before: closing, ...more }: Marks): Request | undefined =>
  opening === undefined || closing === undefined
    ? between(source, { ...more, ...(opening === undefined ? { after: closing as string } : { before: opening }) })
    : isIn(source.text, opening) && isIn(source.text, closing)
      ? asks(
          'text',
          {
            op: 'parts',
            text: source.text,
            selection: { of: 'enclosed', find: opening, close: closing },
            does: 'remove',
          },
          `remove the text ${saidOf({ after: opening, before: closing })} from "${source.text}"`,
        )
      : undefined;

/** A text in groups of so many characters, without one behind the last. */
const groups = (own: string, size: number): readonly string[] => {
  const signs = Array.from(own);
  const count = Math.ceil(signs.length / Math.max(1, size));
  return Array.from({ length: count }, (_, at) => signs.slice(at * size, (at + 1) * size).join(''));
};

/** The words of a text without those that were there before, as a text. */
const withoutRepeats = ({ text: own }: Source): Request | undefined =>
  /[,;\n]|\{\{/.test(own) ? undefined : text({ op: 'unique', by: 'words', text: own });

const rule = rulesOf<{
  mark: readonly [string, boolean];
  quoting: readonly [string, string];
  'each-one': Part;
  piece: string;
  link: Source;
  marked: Marks;
  'cut-off': Marks;
}>();

/** What stands before, after or between marks in a text, and what is put around each of its parts. */
export const TEXT_SPANS: Domain = {
  lexicon: {
    SPAN: 'text|the text|part|the part|everything|all|all the text|anything|all text|whatever|the bit|the characters|the words|the letters|the string|the substring|what|stuff|the rest|the value|the name',
    UPTO: 'before|up to|in front of|preceding|until',
    PERLINE: each('in|of|on|from|for', 'each line|every line').concat('|per line'),
    BEHIND: 'after|behind|following|right of|to the right of',
    DUPEWORDS: 'duplicate words|duplicated words|repeated words|double words|doubled words|repeating words',
    SWITCH: 'swap|invert|toggle|flip|switch|reverse|inverse',
  },
  rules: [
    rule('mark = (the|a|an|the first|first)? <piece>', ([one]) => [one, false]),
    rule('mark 0.05 = (the last|last) <piece>', ([one]) => [one, true]),
    rule('marked = UPTO <mark>', ([[before, last]]) => ({ before, ...(last && { side: 'right' }) })),
    rule('marked = BEHIND <mark>', ([[after, last]]) => ({ after, ...(last && { side: 'right' }) })),
    rule('marked = between <mark> and <mark>', ([[after], [before]]) => ({ after, before })),
    rule('marked = (between|in|inside|within) the? <enclosure>', ([[after, before]]) => ({ after, before })),
    rule('marked = <marked> PERLINE', ([marks]) => ({ ...marks, by: 'lines' })),
    rule('marked -0.01 = (between|in|inside|within) the? (brackets|bracket)', () => ({ after: '(', before: ')' })),
    rule(
      'request = LIST? SPAN (that)? (is|are|comes|stands|appears|goes)? <marked> <place> ENDSIGN?',
      'ONLY SPAN <marked> <place>',
      'LIST? SPAN (is|are|comes|stands|appears)? <marked> PLACE KIND? <link> ENDSIGN?',
      ([marks, source]) => between(source, marks),
    ),
    rule('request = REMOVE SPAN (that is|that comes)? <marked> <place>', ([marks, source]) => without(source, marks)),
    rule(
      'cut-off = <mark> and SPAN (that)? (is|comes|stands|appears|goes)? BEHIND (it|them|that)',
      '<mark> and (what|all that|everything that|whatever) (follows|follows it|comes after|comes after it)',
      ([[before, last]]) => ({ before, ...(last && { side: 'right' as const }) }),
    ),
    rule(
      'cut-off = <mark> and SPAN (that)? (is|comes|stands|appears|goes)? UPTO (it|them|that)',
      ([[after, last]]) => ({
        after,
        ...(last && { side: 'right' as const }),
      }),
    ),
    rule('cut-off = <cut-off> PERLINE', ([marks]) => ({ ...marks, by: 'lines' })),
    rule('request = REMOVE <cut-off> <place>', ([marks, source]) => between(source, marks)),
    // Around each part.
    rule('each-one = (each|every|the|these|those|all|all the|all these|each of the|all of the) <part>', ([of]) => of),
    rule(
      'each-one -0.2 = (each|every|each one|every one|each of them|all of them|each of these|them all)',
      () => 'items',
    ),
    rule('quoting = quote', () => ['"', '"']),
    rule('quoting = (put|add|place) <enclosure> (around|round|about)'),
    rule(
      'request = <quoting> <each-one> :? <listing>',
      '#213 (wrap|put|enclose|surround) <each-one> (in|into|with|inside) <enclosure> :? <listing>',
      ([[before, after], of, source]) =>
        done(source, parts(of === 'items' && !SEVERAL.test(source.text) ? 'words' : of), 'surround', { before, after }),
    ),
    rule(
      'request = (wrap|put|enclose|surround|place|set) <each-one> (in|between|with|inside) <piece> and <piece> :? <listing>',
      ([of, before, after, source]) =>
        /^\p{L}+$/u.test(before) || /^\p{L}+$/u.test(after)
          ? undefined
          : done(source, parts(of === 'items' && !SEVERAL.test(source.text) ? 'words' : of), 'surround', {
              before,
              after,
            }),
    ),
    rule(
      'request = indent WHAT? (by|with)? <number:whole> (spaces|blanks|space) <place>',
      'indent (each|every|all|the|all the)? (line|lines) (by|with)? <number:whole> (spaces|blanks|space) <place>',
      ([n, source]) =>
        whole(n) > MAX_INDENT ? undefined : done(source, parts('lines'), 'surround', { before: ' '.repeat(whole(n)) }),
    ),
    rule('request = (put|add|insert|place) <mark> between <each-one> <place>', ([[sign], of, source]) =>
      done(source, parts(of === 'letters' ? 'characters' : of), 'list', { with: sign }),
    ),
    rule(
      'request = (put|add|insert|place) <mark> (after|behind)? (every|each) <number:whole> <part> <place>',
      '(put|add|insert|place) <mark> (after|behind) (every|each) <ordinal> <part> <place>',
      ([[after], count, of, source]) => {
        const every = typeof count === 'number' ? count : whole(count);
        return of === 'characters' && !source.text.includes('{{')
          ? text({ op: 'say', text: groups(source.text, every).join(after) })
          : done(source, parts(of, { every }), 'surround', { after });
      },
    ),
    // Letters and words.
    rule('request = SORTS (the words|words) (in|of|from) <place>', ([{ text: own }]) => ({
      steps: [
        { task: 'text', input: { op: 'split', text: own, separator: ' ' } },
        { task: 'text', input: { op: 'sort', text: '{{+1}}', by: 'natural' } },
      ],
    })),
    rule('request = SPLIT WHAT? (into|by|in) (single|separate|individual)? sentences <place>', ([{ text: own }]) =>
      text({ op: 'parts', text: own, selection: { of: 'sentences' }, does: 'list' }),
    ),
    rule('request = SWITCH the? (case|letter case|capitalization) (of|in|for)? <wording>', ([source]) =>
      cased(source, 'swap'),
    ),
    rule(
      'request = (make|let|have) EVERYWORD (start|begin) with (a|an)? (capital|capital letter|uppercase letter|upper case letter|big letter|uppercase) <wording>',
      ([source]) => cased(source, 'each'),
    ),
    rule('request 0.1 = REMOVE EVERY? of? DUPEWORDS <wording>', ([source]) => withoutRepeats(source)),
  ],
};
