import type { Domain } from '../../language/grammar.ts';
import { lineByLine } from '../text/input.ts';
import type { Part } from '../text/parts.ts';
import { rulesOf } from './rules.ts';
import { allOf, done, type Parts, type Source, VALUED, whole } from './selecting.ts';
import { answering, type Request } from './setting.ts';
import { cased, type How, reversed, SEVERAL, sorted, text, unique } from './text-asks.ts';
import { TEXT_ORDER_WORDS } from './text-order-words.ts';

export const isLined = ({ text: own }: Source): boolean => own.includes('\n');
/** Letters at one place of each item of a list, or of the text. */
const inItems = ({ selection, plain }: Parts, { text: own }: Source): Parts =>
  /[,;\n]/.test(own) && ['letters', 'characters'].includes(selection.of as string) && selection.within === undefined
    ? { selection: { ...selection, within: 'items' }, plain: false }
    : { selection, plain };

/** Another case for some parts only. */
function partCased(source: Source, all: Parts, to: 'upper' | 'lower'): Request | undefined {
  const { of, at, where: tests, within, every } = all.selection;
  if (all.plain && (of === 'letters' || of === 'characters')) return cased(source, to);
  if (at === undefined && tests === undefined && every === undefined && within === undefined) return undefined;
  return done(source, inItems(all, source), to);
}
/** The first letter of each sentence. */
const SENTENCE_START = /(^\s*|[.!?…]["”’)]?\s+)(\p{Ll})/gu;
/** A dot of which ends no sentence. */
const ABBREVIATED = /\b(?:e\.g|i\.e|etc|mr|mrs|ms|dr|st|vs|ca|approx|no)$/i;
const sentencesOpened = (own: string): string =>
  own.replace(SENTENCE_START, (whole, lead: string, letter: string, at: number) =>
    ABBREVIATED.test(own.slice(Math.max(0, at - 8), at)) ? whole : lead + letter.toUpperCase(),
  );
/** A capital at the beginning of each part. */
const opened = (source: Source, of: Part): Request | undefined =>
  of === 'sentences'
    ? source.text.includes('{{')
      ? undefined
      : answering(sentencesOpened(source.text))
    : ['words', 'lines', 'items'].includes(of)
      ? done(source, allOf(of), 'capital')
      : undefined;

/** Words that only point to a text. */
export const POINTS = /^(?:this|these|those|it|them|that|each|all|any|some|my|our|the|an?|one|us|me|you)$/i;

const WORD_BETWEEN = /^ [\p{L}\p{N}]+\.? $/u;
/** Bullets and signs of money, which stand in front. */
const FRONTAL = /^(?:[$£€#@]|[-*#>] )$/;
/** Signs before or behind each part. */
function affixed(source: Source, of: Part, sign: string, side: 'before' | 'after'): Request | undefined {
  const part = of === 'items' && !SEVERAL.test(source.text) ? 'words' : of;
  if (part === 'letters' || VALUED.includes(part)) return undefined;
  return done(source, allOf(part), 'surround', {
    [side]: WORD_BETWEEN.test(sign)
      ? sign[side === 'after' ? 'trimEnd' : 'trimStart']()
      : side === 'after' || part === 'words'
        ? sign.trimEnd()
        : sign,
  });
}

/** The same for parts that pass a test, or for all but one. */
const affixedSome = (source: Source, all: Parts, sign: string, side: 'before' | 'after'): Request | undefined =>
  all.plain || (all.selection.where === undefined && all.selection.except !== 'others')
    ? undefined
    : done(source, all, 'surround', { [side]: side === 'after' ? sign.trimEnd() : sign });

/** Lines without a sign at one end of each. */
function unaffixed({ text: own }: Source, of: Part, affix: string, side: 'before' | 'after'): Request | undefined {
  const sign = affix.trim();
  if (own.includes('{{') || !own.includes('\n') || !['lines', 'items'].includes(of) || sign === '') return undefined;
  const cut = (line: string): string => {
    const text = line.trim();
    if (side === 'before') return text.startsWith(sign) ? text.slice(sign.length).trimStart() : line;
    return text.endsWith(sign) ? text.slice(0, -sign.length).trimEnd() : line;
  };
  const rest = own.split('\n').map(cut).join('\n');
  return rest === own ? undefined : answering(rest);
}

/** Whether each line has the sign at that end, so that no other end may be meant. */
const atEach = ({ text: own }: Source, sign: string, side: 'before' | 'after'): boolean =>
  own
    .split('\n')
    .every((line) => (side === 'before' ? line.trim().startsWith(sign.trim()) : line.trim().endsWith(sign.trim())));

/** The cases of texts rather than of names in programs. */
const wholeCased = (source: Source, to: string): Request | undefined =>
  to === 'upper' || to === 'lower' || to === 'title' || to === 'sentence' ? cased(source, to) : undefined;

const rule = rulesOf<{
  'letter-case': 'upper' | 'lower';
  'one-each': Part;
  'each-of': Part;
  'data-text': Source;
  chunk: Source;
  data: string;
  affix: string;
  'any-affix': string;
  hows: How;
  how: How;
  distinct: How;
  'filter-part': Part;
  'into-part': Part;
  removable: string;
}>();

/** What people ask of a text or a list that stands elsewhere, in the verbs and the forms that they use for it. */
export const TEXT_ORDERS: Domain = {
  lexicon: TEXT_ORDER_WORDS,
  rules: [
    // The parts of a text in the other order.
    rule(
      'request 0.1 = SPELL? (the|these|its)? <into-part> BACKWARDS <data-text>',
      '0.1 = SPELL? (the|these|its)? <into-part> OTHERWAY <data-text>',
      ([of, source]) =>
        of === 'words'
          ? reversed(source, isLined(source) || /[,;]/.test(source.text) ? 'items' : 'words')
          : of === 'characters' || of === 'lines' || of === 'items'
            ? reversed(source, of)
            : undefined,
    ),
    rule('data-text = <data>', ([own]): Source => ({ text: own })),
    rule('hows = <hows> ,? (and|but)? ANYCASE', ([how]) => (how.by === 'natural' ? how : undefined)),
    rule('request -0.15 = SORTS WHAT? ANYCASE <listing>', ([source]) => sorted(source, { by: 'natural' })),
    // The case of all.
    rule(
      'request -0.15 = PUTS WHAT? WHOLLY? (to|into|in|as|be|with|the|a|all in|the usual|a proper)? WHOLLY? <case> WHOLLY? <lot>',
      '-0.2 = WHOLLY? <case> WHAT? WHOLLY? <data-text>',
      '-0.2 = WHAT (in|as|to|into|all in) WHOLLY? <case> WHOLLY? <data-text>',
      ([to, source]) => wholeCased(source, to),
    ),
    rule(
      'request -0.1 = PUTS WHAT (so that|so|such that|with|having)? (only|just)? the? first letter (of|in) (each|every|the) <into-part> (is|as|becomes|be|has|in|being)? CAPITALLY only? <lot>',
      ([of, source]) => (of === 'sentences' ? cased(source, 'sentence') : undefined),
    ),
    // That of some parts.
    rule(
      'one-each = (each|every|all|all the|the|each of the|each of these|each of those|all of these|all these|these|those) <into-part>',
      ([of]) => of,
    ),
    rule(
      'request -0.1 = PUTS (only|just)? <parts> (only|alone)? FROM? WHAT? (to|into|in|as|be|with)? (the)? WHOLLY? <letter-case> (only|alone)? FROM? WHAT? <place>',
      '-0.1 = #132 PUTS (only|just)? <parts> <place> (to|into|in|as|be|with)? WHOLLY? <letter-case>',
      '-0.1 = PUTS WHAT? with (only|just)? <parts> (to|into|in|as|be|being)? WHOLLY? <letter-case> (only|alone)? <place>',
      '-0.2 = (only|just)? <parts> (to|into|in|as) WHOLLY? <letter-case> (only|alone|please)? <place>',
      ([all, to, source]) => partCased(source, all, to),
    ),
    rule(
      'request -0.1 = (only|just)? <change> (only|just)? <parts> (only|alone)? FROM? WHAT? <place>',
      '-0.1 = (only|just)? <change> (only|just)? <parts> ,? SKIPEMPTY <place>',
      ([does, all, source]) =>
        does === 'upper' || does === 'lower'
          ? partCased(source, all, does)
          : does === 'capital' &&
              ['letters', 'characters'].includes(all.selection.of as string) &&
              all.selection.within !== 'sentences'
            ? partCased(source, all, 'upper')
            : does === 'capital' && all.selection.of === 'words' && all.selection.within === undefined
              ? done(source, all, 'capital')
              : undefined,
    ),
    rule(
      'request -0.1 = PUTS <one-each> (in|with|have|to have)? (a|an)? <letter-case> first letter <place>',
      ([of, to, source]) => (to === 'upper' ? opened(source, of) : undefined),
    ),
    rule(
      'request -0.1 = OPENS <one-each> (with|in|by) CAPITALLY <place>',
      '-0.1 = PUTS? CAPITALLY STARTOF <one-each> <place>',
      ([of, source]) => opened(source, of),
    ),
    // Order.
    rule(
      'request -0.2 = <how> ,? <how>? <data-text>',
      '-0.1 = ARRANGES WHAT <how> ,? <how>? :? <listing>',
      '-0.1 = ORDERS WHAT? <hows> ,? (and|with|,)? <hows> :? <listing>',
      (values) => {
        const source = values.at(-1) as Source;
        const how = Object.assign({}, ...values.slice(0, -1).filter((one) => one !== undefined)) as How;
        return how.by !== undefined && SEVERAL.test(source.text) ? sorted(source, how) : undefined;
      },
    ),
    // Each once.
    rule(
      'distinct = NONE TWINS',
      'KEEPS EACHOF (single)? <filter-part> ONCE',
      '(name|write|mention|say|print) EACHOF (single)? <filter-part> ONCE',
      '(keep|leave|list|name|show|write|give|print|mention) (each|every|each one|every one|each of them|everything|everyone|all|them|these|each of these) ONCE',
      '(keep|leave|show|give me|list|retain|i want|i need) (just|only)? one of each',
      '-0.35 = ONLYSOME? UNIQUE ITEMS only?',
      '(need|want|i need|i want|we want|we need|give me|keep|show|show me|return|get) SOME? UNIQUE ITEMS only?',
      'DEDUPE WHAT?',
      '(which|what) UNIQUE <topic> (are there|there are|occur|appear|do you see|are in there|are these|are here|are|do i have|are listed|are named|are in it|are in this list|come up|can you find)? (here|there|in it|in this|in this list)? ,? (each|each one)? (named|listed|shown|mentioned|written)? ONCE?',
      () => ({}),
    ),
    rule(
      'distinct 0.05 = <distinct> ,? (while|and|but)? (preserving|keeping|preserve|keep|in) (the|their|its)? (original|same|first)? order',
      ([more]) => more,
    ),
    rule('distinct 0.05 = REMOVE (the|all|all the|any|every|these)? DUPLICATES FROM? WHAT?', () => ({})),
    rule('request -0.15 = <distinct> ,? ANYCASE <listing>', ([, source]) => unique(source, { ignore_case: true })),
    rule('request -0.15 = <distinct> (from|in|of|among)? WHAT? <listing>', ([more, source]) =>
      SEVERAL.test(source.text) ? unique(source, more) : undefined,
    ),
    rule(
      'request -0.05 = <distinct> WHAT? ,? (and|in|sorted|and sort them|, sorted)? <hows> <listing>',
      ([more, how, source]) => {
        const once = how.by === undefined ? undefined : unique(source, more);
        const order = once && sorted({ text: '{{+1}}' }, how);
        return once && order && { steps: [...once.steps, ...order.steps] };
      },
    ),
    // Before and behind each.
    rule(
      'each-of = (each|every|all|all the|the|these|those|each of the|every single|all of the|all these|each of these) <each-noun>',
      ([of]) => of as Part,
    ),
    rule(
      'each-of -0.1 = (each|every one|each one|them|them all|all of them|each of them|each of these|all of these|these|every one of them|each of those|all)',
      () => 'items',
    ),
    rule(
      'affix = <exact>',
      '-0.25 = (the|a|an)? <signed>',
      '(the|a|an)? (letter|letters|text|unit|prefix|suffix|string|sign|ending|extension|title|number|symbol|currency|tag) <literal>',
      '-0.19 = <signName>',
      ([own]) => (POINTS.test(own) ? undefined : own),
    ),
    rule('affix = (the|a)? word <literal>', ([own]) => ` ${own} `),
    rule('affix = <literal>', ([own]) => (/^\p{L}+$/u.test(own) ? undefined : own)),
    rule('affix = <chunk>', ([{ text: own }]) => (/^[^\p{L}\p{N}\s<>"“(){}]{2,8}$/u.test(own) ? own : undefined)),
    rule('any-affix = <affix>'),
    // "Mrs" and "Dear" are words before others.
    rule('any-affix -0.05 = <literal>', ([own]) =>
      POINTS.test(own) ? undefined : /^\p{Lu}\p{Ll}+\.?$/u.test(own) ? ` ${own} ` : own,
    ),
    rule(
      'request -0.15 = ATTACH <any-affix> ATFRONT <each-of> :? <place>',
      '-0.15 = #213 PREFIXES <each-of> (with|by) <any-affix> :? <place>',
      ([sign, of, source]) => affixed(source, of, sign, 'before'),
    ),
    rule(
      'request -0.15 = ATTACH <affix> ATEND <each-of> :? <place>',
      '-0.15 = ATTACH <any-affix> (behind|after|at the end of|on the end of|to the end of|onto the end of) <each-of> :? <place>',
      '-0.15 = (append|suffix|tack) <any-affix> (to|onto|on) <each-of> :? <place>',
      '-0.15 = #213 SUFFIXES <each-of> (with|by|in|off with) <any-affix> :? <place>',
      // To add a number to each is a sum.
      ([sign, of, source]) => (/^\d[\d.,]*$/.test(sign) ? undefined : affixed(source, of, sign, 'after')),
    ),
    // Some of them, and all but one.
    rule(
      'request = ATTACH <any-affix> ATFRONT <parts> :? <place>',
      '#213 PREFIXES <parts> (with|by) <any-affix> :? <place>',
      ([sign, all, source]) => affixedSome(source, all, sign, 'before'),
    ),
    rule(
      'request = ATTACH <affix> ATEND <parts> :? <place>',
      '#213 SUFFIXES <parts> (with|by|in) <affix> :? <place>',
      ([sign, all, source]) => affixedSome(source, all, sign, 'after'),
    ),
    rule('request -0.15 = ATTACH <affix> (to|onto|on) <each-of> :? <place>', ([sign, of, source]) =>
      /^\d[\d.,]*$/.test(sign) ? undefined : affixed(source, of, sign, FRONTAL.test(sign) ? 'before' : 'after'),
    ),
    rule(
      'request = REMOVE EVERY? ATEXT? <any-affix> (from|off|at|on) the? (start|beginning|front|head) of <each-of> :? <place>',
      '0 = REMOVE EVERY? ATEXT? <any-affix> (in front of|before) <each-of> :? <place>',
      '0 = REMOVE EVERY? leading <signed> (from|of|in|on|off) <each-of> :? <place>',
      ([sign, of, source]) => unaffixed(source, of, sign, 'before'),
    ),
    rule(
      'request = REMOVE EVERY? ATEXT? <any-affix> (from|off|at|on) the? (end|back|tail) of <each-of> :? <place>',
      '0 = REMOVE EVERY? (trailing|final) <signed> (from|of|in|on|off) <each-of> :? <place>',
      ([sign, of, source]) => unaffixed(source, of, sign, 'after'),
    ),
    rule(
      'request = REMOVE EVERY? ATEXT? <any-affix> (from|off|at|on|in) the? (start|beginning|front|head) :? <data-text>',
      ([sign, source]) => (atEach(source, sign, 'before') ? unaffixed(source, 'lines', sign, 'before') : undefined),
    ),
    rule(
      'request = REMOVE EVERY? ATEXT? <any-affix> (from|off|at|on|in) the? (end|ends|back|tail) :? <data-text>',
      ([sign, source]) => (atEach(source, sign, 'after') ? unaffixed(source, 'lines', sign, 'after') : undefined),
    ),
    rule('request = REMOVE EVERY? trailing <signed> :? <place>', ([sign, source]) =>
      unaffixed(source, 'lines', sign, 'after'),
    ),
    rule(
      'request -0.1 = NUMBERS WHAT? FROMONE? <listing>',
      '-0.1 = (give|put|assign|write) (each|every|all|all the|all of the|the) <each-noun> (a|its|their|the)? (number|numbers) FROMONE? <listing>',
      (values) => {
        const source = values.at(-1) as Source;
        return SEVERAL.test(source.text) && !source.text.includes('{{')
          ? text({ op: 'number', text: lineByLine(source.text) })
          : undefined;
      },
    ),
    rule(
      'request = NUMBERS WHAT? ,? FROMNUMBER <number:whole> (on|onwards|upwards|up)? <listing>',
      'NUMBERING (to|in|on|before|at|with)? NUMBERED? WHAT? ,? FROMNUMBER <number:whole> (on|onwards|upwards|up)? <listing>',
      ([from, source]) =>
        SEVERAL.test(source.text) && !source.text.includes('{{')
          ? text({ op: 'number', from: whole(from), text: lineByLine(source.text) })
          : undefined,
    ),
    rule(
      'request -0.15 = (as|in|make|with|into|give me) (a|the|some)? (bullet points|bullets|bullet list|bulleted list|bullet point list|bullet form|dashes) (of|from|for|out of|with)? WHAT? <listing>',
      '-0.15 = (bullet|itemize|itemise|bulletize) WHAT? <listing>',
      ([source]) =>
        SEVERAL.test(source.text)
          ? text({ op: 'parts', text: source.text, selection: { of: 'items' }, does: 'list' })
          : undefined,
    ),
  ],
};
