import type { Json } from '@mailroom/behavior/values/json';
import type { Domain } from '../../language/grammar.ts';
import type { Counted } from '../text/count.ts';
import { type Extracted, PATTERNS } from '../text/extract.ts';
import { rulesOf } from './rules.ts';
import { done, not, type Parts, parts, type Source, type Test, where } from './selecting.ts';
import type { Request } from './setting.ts';
import { reversed, text } from './text-asks.ts';
import { each } from './text-words.ts';

/** What is found in a text, without what passes a test. */
const extracted = (what: Extracted, own: string, test: Test): Request =>
  text({ op: 'extract', what, text: own, selection: { of: 'items', where: [not(test) as Json] } });
const YEAR = /^(?:19|20)\d\d$/;
/** Whether one number of a text alone looks like a year. */
const hasYear = (own: string): boolean =>
  (own.match(PATTERNS.numbers) ?? []).filter((one) => YEAR.test(one)).length === 1;

/** How often a letter or a word occurs in any case. */
function inAnyCase(find: string, source: Source): Request | undefined {
  const units = /^\p{L}$/u.test(find) ? 'letters' : /^[\p{L}\p{N}'’-]+$/u.test(find) ? 'words' : undefined;
  return units && done(source, parts(units, { where: [{ test: 'equals', text: find }] }), 'count');
}

/** The items of a list that is written, without one of them that it has. */
function withoutItem({ text: own }: Source, item: string): Source | undefined {
  const separator = own.includes('\n') ? '\n' : /[,;]/.exec(own)?.[0];
  if (separator === undefined || own.includes('{{')) return undefined;
  const items = own.split(separator).map((one) => one.trim().replace(/^(?:and|or) /, ''));
  const rest = items.filter((one) => one.toLowerCase() !== item.toLowerCase());
  return rest.length < items.length && rest.length > 0
    ? { text: rest.join(separator === '\n' ? '\n' : `${separator} `) }
    : undefined;
}

const rule = rulesOf<{
  'word-list': readonly string[];
  'left-out': Test;
  'sign-test': Test;
  tally: Counted;
  found: Extracted;
  data: string;
}>();

/** What limits or changes any operation on a text or a list: "except the word NASA", "ignoring case", "not the letters". */
export const MODIFIERS: Domain = {
  lexicon: {
    SKIPEMPTY: each(
      "if you skip|if you ignore|if you leave out|if you do not count|if you don't count|without|not counting|ignoring|skipping|excluding|except|without counting|but not|leaving out|but skip|and skip|skip|but ignore|and ignore|ignore|but leave out|and leave out",
      'the empty ones|empty ones|the empty lines|empty lines|blank lines|the blank ones|the blank lines|empty rows|the empty rows',
    ),
    WHOLETEXT: 'everything|all|the whole text|all of it|the rest|anything|the text|all words|all the words|it all',
  },
  rules: [
    // Some words stay as they are.
    rule('word-list = <literal>', ([word]) => [word]),
    rule('word-list = <word-list> (,|and|, and|or) <literal>', ([all, word]) => [...all, word]),
    rule(
      'parts = WHOLETEXT EXCEPT (the|for the)? (word|words|name|names) <word-list>',
      ([all]): Parts => ({
        selection: { of: 'words', where: [{ test: 'among', text: all.join(', ') }], except: 'rest' },
        plain: false,
      }),
    ),
    rule('sign-test = EXCEPT (the|any|for the)? <signed>', ([sign]): Test | undefined =>
      sign.trim() === ''
        ? undefined
        : { test: 'among', text: JSON.stringify(sign === "'" ? ["'", '’'] : [sign]), not: true },
    ),
    rule('parts = <parts> <sign-test>', ([all, test]) =>
      all.selection.of === 'punctuation' || all.selection.of === 'characters' ? where(all, test) : undefined,
    ),
    rule(
      'listing -0.1 = WHAT? ,? OMITTING (the|for the)? (word|name|item|number|value|entry|one)? <literal> :? <listing>',
      ([item, source]) => withoutItem(source, item),
    ),
    rule(
      'parts = (every|each) <ordinal> <part> ,? (starting|beginning|counting|start|begin) (with|from|at) the? <ordinal> (one|word|line|item|letter|character|number)?',
      ([every, of, at]) => (every > 1 && at > 0 ? parts(of, { every, at }) : undefined),
    ),
    rule(
      'parts = every other <part> ,? (starting|beginning|counting|start|begin) (with|from|at) the? <ordinal> (one|word|line|item|letter|character|number)?',
      ([of, at]) => (at > 0 ? parts(of, { every: 2, at }) : undefined),
    ),
    // Of what is found all but some.
    rule('left-out = (the|any)? (year|years)', (): Test => ({ test: 'value', min: 1900, max: 2099 })),
    rule('left-out -0.1 = (the|for)? <literal>', ([text]): Test => ({ test: 'equals', text })),
    rule(
      'left-out = (the|any|all|those|the ones|ones|that)? <test>',
      '(the|any|all|those|the ones|ones|numbers|the numbers)? <valued-test>',
      ([test]) => test,
    ),
    rule(
      'request -0.1 = EXTRACT EVERY? <found> ,? EXCEPT <left-out> ARETHERE? FROM? WHAT? :? <data> ENDSIGN?',
      ([what, test, own]) =>
        (test.test === 'value' && test.min === 1900 && !hasYear(own)) ||
        (test.test === 'equals' && !own.includes(test.text as string))
          ? undefined
          : extracted(what, own, test),
    ),
    // Counted in any case, or without some.
    rule('how = ANYCASE', () => ({ by: 'natural' })),
    rule(
      'request = ANYCASE (,|:)? <often> ATEXT? <literal> APPEAR? <wording> ENDSIGN?',
      '<often> ATEXT? <literal> APPEAR? <wording> ENDSIGN? ,? ANYCASE ENDSIGN?',
      ([, find, source]) => inAnyCase(find, source),
    ),
    rule(
      'request 0.1 = COUNT <parts> (are there|there are|is there|are|is|do you see|do we have|appear|occur)? <place> ,? <late-test> ENDSIGN?',
      ([all, source, test]) => {
        const some = where(all, test);
        return some && done(source, some, 'count');
      },
    ),
    rule(
      'request 0.1 = <tally> WHAT? HAS? ,? SKIPEMPTY ENDSIGN? :? <wording>',
      '#12 <tally> WHAT? HAS? :? <wording> ,? SKIPEMPTY ENDSIGN?',
      ([of, source]) =>
        of === 'lines' ? done(source, parts('lines', { where: [{ test: 'length', min: 1 }] }), 'count') : undefined,
    ),
    // What is meant, and what is not.
    rule(
      'request 0.2 = FLIP the? (order of)? the? (words|word order|words only) ,? (not|and not|but not|without reversing) the? (letters|characters|letters in them|letters of the words) <wording>',
      ([source]) => reversed(source, 'words'),
    ),
    // Together without blanks, and apart on lines.
  ],
};
