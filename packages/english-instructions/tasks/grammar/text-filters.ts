import type { Domain } from '../../language/grammar.ts';
import { isTableText } from '../table/seen.ts';
import type { Part } from '../text/parts.ts';
import { rulesOf } from './rules.ts';
import { done, parts, type Source, type Test, where } from './selecting.ts';
import type { Request } from './setting.ts';
import { SEVERAL } from './text-asks.ts';
import { isLined, POINTS } from './text-orders.ts';

/** The parts of a list, which are its lines where it has some. */
const listedParts = (source: Source): Part => (isLined(source) ? 'lines' : 'items');

/** Lines or items that pass a test, or all others. */
function filtered(source: Source, of: Part | undefined, tests: Test[], keeps: boolean): Request | undefined {
  // In a table a column may be meant.
  if (tests.some((one) => one.test === 'has') && isTableText(source.text)) return undefined;
  const part = of === undefined || of === 'items' || of === 'words' ? listedParts(source) : of;
  if (!SEVERAL.test(source.text) || (part === 'lines' && !isLined(source))) return undefined;
  // The words of a sentence are chosen elsewhere.
  if (of === 'words' && !/[,;\n]/.test(source.text)) return undefined;
  return done(source, parts(part, { where: tests }), keeps ? 'list' : 'remove');
}

const rule = rulesOf<{
  'line-test': Test;
  'kind-in': string;
  'some-test': Test;
  'none-test': Test;
  helds: readonly string[];
  'line-tests': Test[];
  held: string;
  chunk: Source;
  'filter-part': Part;
  'text-edge': 'begins' | 'ends';
}>();

/** Which lines or items of a text are kept or left out, by what they have and begin with. */
export const TEXT_FILTERS: Domain = {
  rules: [
    rule('held = <exact>', 'SAYSWORD <signed>', '<signed>'),
    rule('held = SAYSWORD <literal>', '-0.05 = <literal>', ([own]) => (POINTS.test(own) ? undefined : own)),
    rule('held = <chunk>', ([{ text: own }]) => (/^[^\p{L}\p{N}\s<>"“(){}]{2,8}$/u.test(own) ? own : undefined)),
    rule(
      'line-test = THAT? MENTIONS <held> INTHEM?',
      '(in|on) which <held> (appears|occurs|is|is found|is mentioned|stands|shows up|is in it)',
      '(where|in which) (it says|there is) <held>',
      ([own]) => ({ test: 'contains', text: own }),
    ),
    rule('line-test = NOTMENTION <held> INTHEM?', 'THATNOT MENTIONS <held> INTHEM?', ([own]) => ({
      test: 'contains',
      text: own,
      not: true,
    })),
    // Something of a kind rather than the word for it.
    rule('some-test 0.3 = THAT? MENTIONS (a|an|any|some|one|at least one) <kind-in> INTHEM?', ([text]) => ({
      test: 'has',
      text,
    })),
    rule(
      'none-test 0.3 = NOTMENTION (a|an|any|one)? <kind-in> INTHEM?',
      'THATNOT MENTIONS (a|an|any|one)? <kind-in> INTHEM?',
      'THAT? MENTIONS no <kind-in> INTHEM?',
      ([text]) => ({ test: 'has', text, not: true }),
    ),
    rule('line-tests = <line-test> (but|and|, but) not <held>', ([one, text]) =>
      ['begins', 'ends', 'contains'].includes(one.test) && one.not !== true
        ? [one, { test: one.test, text, not: true }]
        : undefined,
    ),
    // One of several.
    rule('helds = <held> (or|, or|nor|or the|or a) <held>', '<held> , <helds>', ([one, more]) => [
      one,
      ...[more].flat(),
    ]),
    rule('some-test = THAT? MENTIONS either? <helds> INTHEM?', ([[own = '', ...or]]) => ({
      test: 'contains',
      text: own,
      or,
    })),
    rule('some-test = THAT? <text-edge> (in|with)? either? <helds>', ([test, [own = '', ...or]]) => ({
      test,
      text: own,
      or,
    })),
    rule(
      'none-test = NOTMENTION (either|any of)? <helds> INTHEM?',
      'THATNOT MENTIONS (either|any of)? <helds> INTHEM?',
      'THAT? MENTIONS neither <helds> INTHEM?',
      ([[own = '', ...or]]) => ({ test: 'contains', text: own, or, not: true }),
    ),
    rule(
      'none-test = THATNOT <text-edge> (either|any of)? <helds>',
      'THAT? <text-edge> neither (in|with)? <helds>',
      ([test, [own = '', ...or]]) => ({ test, text: own, or, not: true }),
    ),
    rule('line-test = <some-test>', '<none-test>'),
    rule('parts = <parts> <some-test>', '<parts> <none-test>', ([all, test]) =>
      ['words', 'items'].includes(all.selection.of as string) ? where(all, test) : undefined,
    ),
    rule('line-test = THAT? <text-edge> <held>', ([test, own]) => ({ test, text: own })),
    rule('line-test = THATNOT <text-edge> <held>', ([test, own]) => ({ test, text: own, not: true })),
    rule('text-edge = BEGIN', () => 'begins'),
    rule('text-edge = END', () => 'ends'),
    rule('line-test 0.02 = THAT? BEGIN (a|an|the)? <opening>', ([own]) => ({ test: 'opens', text: own })),
    rule('line-tests = <line-test>', ([one]) => [one]),
    rule('line-tests = <line-test> (and|but|and also) <line-test>', ([one, other]) => [one, other]),
    // Without “both” lines with one of them may be meant.
    rule(
      'line-tests = THAT? both MENTIONS <held> and <held> INTHEM?',
      'THAT? MENTIONS both <held> and <held> INTHEM?',
      ([one, other]) => [
        { test: 'contains', text: one },
        { test: 'contains', text: other },
      ],
    ),
    rule(
      'request -0.1 = KEEPS (only|just|all|all the|the|me|every|each|any|only the|just the|all of the|those|these)? <filter-part> <line-tests> only? FROM? WHAT? ,? ANYCASE? OTHERSGO? <place>',
      '-0.1 = KEEPS WHAT? (so that|such that|so) (only|just)? (the|those)? <filter-part> <line-tests> ARELEFT <place>',
      '-0.1 = (only|just) (the|those)? <filter-part> (must|should|may|shall|can|are to|have to)? (remain|stay|be left|be kept|survive|be shown|stay in)? <line-tests> <place>',
      '-0.2 = (only|just|the|all the|just the|only the|all)? <filter-part> <line-tests> FROM? WHAT? only? <place>',
      ([of, tests, source]) => filtered(source, of, tests, true),
    ),
    rule(
      'request -0.1 = DROPS (all|all the|the|every|each|any|those|all of the)? <filter-part> <line-tests> FROM? WHAT? ,? ANYCASE? <place>',
      ([of, tests, source]) => filtered(source, of, tests, false),
    ),
  ],
};
