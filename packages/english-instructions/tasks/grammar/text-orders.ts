import type { Domain } from '../../language/grammar.ts';
import type { Part } from '../text/parts.ts';
import { rulesOf } from './rules.ts';
import { done, type Parts, parts, type Source, type Test, VALUED } from './selecting.ts';
import { answering, asks, type Request } from './setting.ts';
import { cased, type How, joined, replaced, reversed, SEVERAL, sorted, split, text, unique } from './text-asks.ts';
import { TEXT_ORDER_WORDS } from './text-order-words.ts';

const isLined = ({ text: own }: Source): boolean => own.includes('\n');
/** The parts of a list, which are its lines where it has some. */
const listedParts = (source: Source): Part => (isLined(source) ? 'lines' : 'items');

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
      ? done(source, { selection: { of }, plain: false }, 'capital')
      : undefined;

/** Lines or items that pass a test, or all others. */
function filtered(source: Source, of: Part | undefined, tests: Test[], keeps: boolean): Request | undefined {
  const part = of === undefined || of === 'items' || of === 'words' ? listedParts(source) : of;
  if (!SEVERAL.test(source.text) || (part === 'lines' && !isLined(source))) return undefined;
  // The words of a sentence are chosen elsewhere.
  if (of === 'words' && !/[,;\n]/.test(source.text)) return undefined;
  return done(source, parts(part, { where: tests }), keeps ? 'list' : 'remove');
}

/** Words that only point to a text. */
const POINTS = /^(?:this|these|those|it|them|that|each|all|any|some|my|our|the|an?|one|us|me|you)$/i;

/** Signs before or behind each part. */
function affixed(source: Source, of: Part, sign: string, side: 'before' | 'after'): Request | undefined {
  const part = of === 'items' && !SEVERAL.test(source.text) ? 'words' : of;
  if (part === 'letters' || VALUED.includes(part)) return undefined;
  return done(source, { selection: { of: part }, plain: false }, 'surround', {
    [side]: side === 'after' || part === 'words' ? sign.trimEnd() : sign,
  });
}

/** Each occurrence in any case, where it is a whole word. */
function replacedInAnyCase(source: Source, find: string, by: string): Request | undefined {
  const words = source.text.match(/[\p{L}\p{M}\p{N}'’-]+/gu) ?? [];
  const lower = find.toLowerCase();
  if (
    !/^[\p{L}\p{N}'’-]+$/u.test(find) ||
    words.some((one) => one.toLowerCase() !== lower && one.toLowerCase().includes(lower))
  )
    return undefined;
  return done(source, parts('words', { where: [{ test: 'equals', text: find }] }), 'replace', { with: by });
}

/** The items of a text, joined by commas and a word before the last. */
function enumerated({ text: own }: Source, word: string): Request | undefined {
  const items = own
    .split(own.includes('\n') ? '\n' : /[,;]/)
    .map((one) => one.trim())
    .filter((one) => one !== '');
  return items.length < 2 || own.includes('{{')
    ? undefined
    : asks('text', { op: 'say', text: `${items.slice(0, -1).join(', ')} ${word.trim()} ${items.at(-1)}` });
}

const rule = rulesOf<{
  'letter-case': 'upper' | 'lower';
  'in-case': 'upper' | 'lower' | 'title' | 'sentence';
  'one-each': Part;
  'each-of': Part;
  'line-test': Test;
  'line-tests': Test[];
  'data-text': Source;
  held: string;
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
    rule('in-case = WHOLLY? <case> WHOLLY?', ([to]) =>
      ['upper', 'lower', 'title', 'sentence'].includes(to) ? (to as 'upper') : undefined,
    ),
    rule(
      'request -0.15 = PUTS WHAT? WHOLLY? (to|into|in|as|be|with|the|a|all in|the usual|a proper)? <in-case> <lot>',
      '-0.2 = <in-case> (letters)? (only)? <data-text>',
      '-0.15 = <in-case> WHAT WHOLLY? <lot>',
      '-0.2 = WHAT (in|as|to|into|all in) <in-case> <data-text>',
      ([to, source]) => cased(source, to),
    ),
    rule(
      'request -0.1 = PUTS WHAT (so that|so|such that|with|having)? (only|just)? the? first letter (of|in) (each|every|the) <into-part> (is|as|becomes|be|has|in|being)? CAPITALLY only? <lot>',
      ([of, source]) => (of === 'sentences' ? cased(source, 'sentence') : undefined),
    ),
    // That of some parts.
    rule('one-each = (each|every|all|all the|the|each of the) <into-part>', ([of]) => of),
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
      '-0.1 = PUTS <one-each> (in|with|have|to have)? (a|an)? first letter (in|as)? <letter-case> <place>',
      ([of, to, source]) => (to === 'upper' ? opened(source, of) : undefined),
    ),
    rule(
      'request -0.1 = OPENS <one-each> (with|in|by) CAPITALLY <place>',
      '-0.1 = PUTS? CAPITALLY STARTOF <one-each> <place>',
      '-0.1 = PUTS CAPITALLY STARTOF <one-each> <place>',
      '-0.35 = CAPITALISES (only|just)? the? (start|beginning|first letter|initial letter|initial) of <one-each> <place>',
      ([of, source]) => opened(source, of),
    ),
    // Order.
    rule(
      'request -0.1 = SHOWING WHAT <hows> :? <listing>',
      '-0.1 = SHOWING WHAT (in|by|sorted|ordered|arranged) <hows> :? <listing>',
      ([how, source]) => (how.by === undefined ? undefined : sorted(source, how)),
    ),
    rule(
      'request -0.2 = <hows> <data-text>',
      '-0.1 = ORDERS WHAT? <hows> ,? (and|with|,)? <hows> :? <listing>',
      (values) => {
        const source = values.at(-1) as Source;
        const how = Object.assign({}, ...values.slice(0, -1)) as How;
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
      '(which|what) UNIQUE (values|items|entries|words|names|numbers|ones|things) (are there|occur|appear|do you see|are in there|are these|occur here|appear here|do i have|are listed)? ,? (each|each one)? (named|listed|shown|mentioned|written)? ONCE?',
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
    // Some lines.
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
    rule('line-test = THAT? BEGIN <held>', ([own]) => ({ test: 'begins', text: own })),
    rule('line-test = THAT? END <held>', ([own]) => ({ test: 'ends', text: own })),
    rule('line-test = THATNOT BEGIN <held>', ([own]) => ({ test: 'begins', text: own, not: true })),
    rule('line-test = THATNOT END <held>', ([own]) => ({ test: 'ends', text: own, not: true })),
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
    // Before and behind each.
    rule(
      'each-of = (each|every|all|all the|the|these|those|each of the|every single|all of the|all these|each of these) <each-noun>',
      ([of]) => of as Part,
    ),
    rule(
      'each-of = (each|every one|each one|them|them all|all of them|each of them|each of these|all of these|these|every one of them|each of those|all)',
      () => 'items',
    ),
    rule(
      'affix = <exact>',
      '-0.25 = (the|a|an)? <signed>',
      '(the|a|an)? (word|letter|letters|text|unit|prefix|suffix|string|sign|ending|extension|title|number|symbol|currency|tag) <literal>',
      '-0.19 = <signName>',
      ([own]) => (POINTS.test(own) ? undefined : own),
    ),
    rule('affix = <literal>', ([own]) => (/^\p{L}+$/u.test(own) ? undefined : own)),
    rule('any-affix = <affix>', '-0.05 = <literal>', ([own]) => (POINTS.test(own) ? undefined : own)),
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
      ([sign, of, source]) => (/^[\d.,]+$/.test(sign) ? undefined : affixed(source, of, sign, 'after')),
    ),
    rule(
      'request -0.1 = NUMBERS WHAT? FROMONE? <listing>',
      '-0.1 = (give|put|assign|write) (each|every|all|all the|all of the|the) <each-noun> (a|its|their|the)? (number|numbers) FROMONE? <listing>',
      '-0.1 = NUMBERS (each|every|all|all the|all of the|each of the|these|the) <each-noun> FROMONE? <listing>',
      (values) => {
        const source = values.at(-1) as Source;
        return SEVERAL.test(source.text) && !source.text.includes('{{')
          ? text({
              op: 'number',
              text: isLined(source)
                ? source.text
                : source.text
                    .trim()
                    .split(/[,;] (?:and )?/)
                    .join('\n'),
            })
          : undefined;
      },
    ),
    rule(
      'request -0.15 = (as|in|make|with|into|give me) (a|the|some)? (bullet points|bullets|bullet list|bulleted list|bullet point list|bullet form|dashes) (of|from|for|out of|with)? WHAT? <listing>',
      '-0.15 = (bullet|itemize|itemise|bulletize) WHAT? <listing>',
      ([source]) =>
        SEVERAL.test(source.text)
          ? text({ op: 'parts', text: source.text, selection: { of: 'items' }, does: 'list' })
          : undefined,
    ),
    // Something else for a sign or a word.
    rule(
      'removable = (all|all the|every|each|any|the|all of the|any of the)? <signed>',
      '(all|all the|every|each|any|the)? (the)? <exact>',
      ([own]) => own,
    ),
    rule(
      'request -0.15 = EXCHANGES EVERY? <piece> (with|by|for|to|into) (the|a|an)? <piece> EVERYPLACE <wording>',
      '-0.15 = EXCHANGES EVERY? <piece> EVERYPLACE (with|by|for|to|into) (the|a|an)? <piece> <wording>',
      ([find, by, source]) => (source.text.includes(find) ? replaced(source, find, by) : undefined),
    ),
    // Several words without quotation marks are those that are there.
    rule(
      'request -0.2 = EXCHANGES EVERY? … (with|by|for|to|into) … EVERYPLACE? <data>',
      ([{ text: find }, { text: by }, own]) =>
        /^[^"“,:]{3,60}$/.test(find) &&
        / /.test(find) &&
        /^[^"“,:]{2,60}$/.test(by) &&
        !/ (?:and|then|but|in|if|only|except|without|wherever|whenever|everywhere|throughout|each|every|all) /i.test(
          `${find} ${by} `,
        ) &&
        own.includes(find)
          ? replaced({ text: own }, find, by)
          : undefined,
    ),
    rule(
      'request -0.15 = EXCHANGES EVERY? <piece> (with|by|for|to|into) (the|a|an)? <piece> ,? ANYCASE <wording>',
      ([find, by, source]) => replacedInAnyCase(source, find, by),
    ),
    rule(
      'request -0.15 = EXCHANGES EVERY <certain> (with|by|for|to|into) (the|a|an)? <piece> <wording>',
      ([find, by, source]) => (source.text.includes(find) ? replaced(source, find, by) : undefined),
    ),
    rule(
      'request -0.1 = EXCHANGES (only|just)? the? <ordinal> (one of the)? <signed> (with|by|for|to|into) (the|a|an)? <piece> <wording>',
      ([at, find, by, source]) => done(source, parts('matches', { find, at }), 'replace', { with: by }),
    ),
    rule(
      'request -0.15 = WHAT? NONE <removable> <data-text>',
      '-0.15 = PUTS WHAT? NONE <removable> <wording>',
      '-0.15 = DROPS <removable> (from|out of|in|of|off)? WHAT? <wording>',
      ([sign, source]) =>
        sign === '' || sign.includes('\n') || !source.text.includes(sign) ? undefined : replaced(source, sign, ''),
    ),
    rule(
      'request -0.15 = WHAT? NONE (the|its|any|all|all the)? <part> <data-text>',
      '-0.15 = PUTS WHAT? NONE (the|its|any|all|all the)? <part> <wording>',
      '-0.15 = DROPS (all|all the|the|every|each|any|its)? <part> (from|out of|in|of)? WHAT? <wording>',
      ([of, source]) =>
        VALUED.includes(of as string) || of === 'numbers'
          ? done(source, { selection: { of: of as Part }, plain: false }, 'remove')
          : undefined,
    ),
    rule(
      'request -0.1 = TRIM EXTRA SINGLY <wording>',
      '-0.1 = (squash|shrink|turn|cut|make|compress) EXTRA SINGLY <wording>',
      ([source]) => text({ op: 'trim', text: source.text }),
    ),
    // Apart.
    rule(
      'request -0.15 = CUTS WHAT? (up|apart|off|down)? EVERYSIGN <separator> SIGNWORD? <place>',
      '-0.1 = CUTS WHAT? (up|apart|off|down)? EVERYSIGN <separator> SIGNWORD? AND (give me|put|show|write|list|print|show me|place)? (each|every|the|all|all the|them|each of the|them all)? <into-part>? ALINE <place>',
      ([sign, ...more]) => {
        const source = more.at(-1) as Source;
        return sign !== '' && source.text.includes(sign) ? split(source, sign) : undefined;
      },
    ),
    rule(
      'request -0.15 = CUTS WHAT? (up|apart)? (into|in|to)? (one|single|a single|each|every|individual|separate)? <into-part> ALINE <place>',
      '-0.15 = CUTS (one|each|every|a|a single) <into-part> ALINE <place>',
      '-0.15 = (one|each|every) <into-part> ALINE <data-text>',
      ([of, source]) => inLines(source, of),
    ),
    rule(
      'request -0.1 = (make|one|create|put|write|start|give me) (one|a|a new)? line (per|for each|for every|for) <into-part> <place>',
      '0.1 = one line (per|for each|for every) <into-part> <place>',
      ([of, source]) => inLines(source, of),
    ),
    rule(
      'request -0.15 = CUTS WHAT (all)? ALINE <listing>',
      '-0.15 = CUTS (each|every|each one|every one|each of them|all|all of them|each of these) ALINE <listing>',
      ([source]) => inLines(source, 'items'),
    ),
    rule(
      'request -0.1 = (split|split up|break|break up|cut up|divide|separate|tokenize) WHAT? (up)? (into|in) (the)? (its|single|individual|separate|the|their)? words AND (drop|remove|without|leave out|omit|delete|leave|strip|lose) (the|all|any)? (punctuation|punctuation marks) <place>',
      '-0.1 = (split|split up|break|break up|cut up|divide|separate|tokenize) WHAT? (up)? (into|in) (the|its|single|individual|separate|their)? words without (the|all|any)? (punctuation|punctuation marks) <place>',
      ([source]) => done(source, { selection: { of: 'words' }, plain: false }, 'list', { with: '\n' }),
    ),
    // Together.
    rule(
      'request -0.15 = JOIN WHAT? ONELINE? ASKEDSIGN <separator> SIGNWORD? INBETWEEN? <listing>',
      '-0.1 = JOIN WHAT? ONELINE? ,? ASKEDSIGN <separator> SIGNWORD? INBETWEEN? <listing>',
      '-0.1 = PUTS WHAT? (all)? ONELINE ,? ASKEDSIGN (a|an|the)? <separator> SIGNWORD? INBETWEEN? <listing>',
      ([sign, source]) => (SEVERAL.test(source.text) ? joined(source, sign) : undefined),
    ),
    rule(
      'request -0.05 = JOIN WHAT? ONELINE? ,? ASKEDSIGN <separator> SIGNWORD? INBETWEEN? ,? (and|with|but)? (no spaces|no blanks|no space|without spaces|without blanks|without any spaces|without a space) INBETWEEN? <listing>',
      ([sign, source]) =>
        SEVERAL.test(source.text) ? text({ op: 'join', separator: sign, text: source.text }) : undefined,
    ),
    rule(
      'request -0.1 = JOIN WHAT? ONELINE? ,? WITHOUTSIGN INBETWEEN? <listing>',
      '-0.1 = PUTS WHAT? ONELINE ,? WITHOUTSIGN INBETWEEN? <listing>',
      ([source]) => (SEVERAL.test(source.text) ? joined(source, '') : undefined),
    ),
    rule(
      'request -0.1 = PUTS? WHAT? (as|in|into|to)? (a|one)? <separated> (list|string|line|text|values|row)? ONELINE? <listing>',
      '-0.1 = <separated> (list|string|line|text|values|row)? ONELINE? <data-text>',
      ([sign, source]) =>
        SEVERAL.test(source.text) ? text({ op: 'join', separator: sign, text: source.text }) : undefined,
    ),
    rule(
      'request 0 = PUTS WHAT? (a|one|an)? ONELINE? (from|of|out of)? WHAT? ,? (with|by|using) commas (and|with|plus) (an|a|the)? <exact> (before the last|before the last one|before the last item|before the last name|at the end|before the final one|in front of the last) <listing>',
      '0 = JOIN WHAT? ONELINE? ,? (with|by|using) commas (and|with|plus) (an|a|the)? <exact> (before the last|before the last one|before the last item|before the last name|at the end|before the final one|in front of the last) <listing>',
      ([word, source]) => enumerated(source, word),
    ),
    // The other way round.
    rule(
      'request -0.15 = OTHERWAY <data-text>',
      '-0.15 = SHOWING WHAT? OTHERWAY <listing>',
      '-0.15 = PUTS WHAT? OTHERWAY <listing>',
      '-0.15 = ORDERS WHAT? OTHERWAY <listing>',
      '-0.15 = SHOWING WHAT? FROMLAST TOFIRST <listing>',
      '-0.15 = PUTS WHAT? FROMLAST TOFIRST <listing>',
      '-0.1 = SHOWING WHAT (in reverse|backwards|reversed|in reverse order) <listing>',
      ([source]) => (/[,;\n]/.test(source.text) ? reversed(source, 'items') : undefined),
    ),
    rule(
      'request -0.1 = (turn|put|switch|change|make|swap) (the|its)? (word order|order of the words|words|order of words) (around|round|over|about|backwards|the other way round|the other way around|into reverse|in reverse|in reverse order) <wording>',
      ([source]) => reversed(source, 'words'),
    ),
    rule(
      'request -0.1 = FLIP (each|every|all|each of the|each of these|all the|all of the|every single) <into-part> ,? (individually|separately|by itself|on its own|in place|but leave them where they are|but keep their order|but keep the order|but keep them in place|but not their order|and keep their order|where they are|one by one|but keep the word order|and keep the word order)? <place>',
      ([of, source]) =>
        ['words', 'lines', 'items'].includes(of)
          ? done(source, { selection: { of }, plain: false }, 'reverse')
          : undefined,
    ),
    rule(
      'request -0.1 = SPELL? WHAT BACKWARDS ,? (and)? (in|written in|all in|using) <in-case> <lot>',
      ([to, source]) => {
        const turned = reversed(source);
        return turned && { steps: [...turned.steps, ...cased({ text: '{{+1}}' }, to).steps] };
      },
    ),
  ],
};

/** Each part of a text on a line of its own. */
function inLines(source: Source, of: Part): Request | undefined {
  const { text: own } = source;
  if (of === 'lines') return undefined;
  if (of === 'items') return SEVERAL.test(own) ? text({ op: 'split', text: own }) : undefined;
  if (of === 'words' && !own.includes('{{')) return split(source, ' ');
  return done(source, { selection: { of }, plain: false }, 'list', { with: '\n' });
}
