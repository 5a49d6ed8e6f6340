import type { Domain } from '../../language/grammar.ts';
import { placeholder } from '../clause.ts';
import { isTableText } from '../table/seen.ts';
import { lineByLine } from '../text/input.ts';
import type { Action, Part } from '../text/parts.ts';
import { unitOf } from '../words/units.ts';
import type { Num } from './number.ts';
import { rulesOf } from './rules.ts';
import {
  countable,
  distinct,
  done,
  NUMERIC,
  type Order,
  type Parts,
  parts,
  SINGLE,
  type Source,
  VALUED,
  where,
  whole,
} from './selecting.ts';
import { answering, asks, type Request } from './setting.ts';
import { SEVERAL } from './text-asks.ts';
import { CHOOSES } from './texts.ts';
import { isThing } from './times.ts';

const rule = rulesOf<
  Record<'items-said' | 'listing' | 'said-list', Source> & {
    'each-part': Part | 'any';
    longer: readonly [Order, number];
    'one-part': Part;
    placed: Action;
    totaled: Action;
    utmost: number;
  }
>();

/** Those of a list of plain numbers that are at a place of their order by value; undefined for others. */
const ranked = (
  items: readonly Num[],
  { at: place, count = 1 }: { at: number; count?: number },
): Request | undefined =>
  place !== 0 && count > 0 && items.every(({ ops, unit }) => ops === 0 && unit === undefined)
    ? done(
        { text: items.map(({ expr }) => expr).join(', ') },
        parts('numbers', { by: 'value', at: place, ...(count > 1 ? { count } : {}) }),
        'list',
      )
    : undefined;

/** All words of a text are the text, which other rules change; twice a number may be its sum with itself. */
function changed(source: Source, all: Parts, does: Action): Request | undefined {
  const part = all.selection.of as string;
  const known = VALUED.includes(part) || (part === 'numbers' && does === 'remove');
  const whole = all.plain || Object.keys(all.selection).every((key) => key === 'of' || key === 'within');
  if (does === 'double' ? [...NUMERIC, 'digits'].includes(part) : whole && !known) return undefined;
  return done(source, all, does === 'capital' && part === 'letters' ? 'upper' : does);
}

/** The items of a text: those between signs, or its words; undefined for a result that is not known yet. */
const itemsOf = ({ text }: Source): readonly string[] | undefined => {
  const all = text.split(/[,;\n]/.test(text) ? /[,;\n]/ : /\s+/).map((one) => one.trim());
  return text.includes('{{') || all.length < 2 ? undefined : all.filter((one) => one !== '');
};

const extended = ({ text }: Source, one: string): Request | undefined =>
  done({ text: `${text}, ${one}` }, parts('items', { where: [{ test: 'length', min: 1 }] }), 'list');

/** The parts of a text of which there may be a middle one. */
const MIDDLES: Readonly<Partial<Record<Part, (text: string) => readonly string[]>>> = {
  words: (text) => text.match(/[\p{L}\p{N}'’-]+/gu) ?? [],
  letters: (text) => text.match(/\p{L}/gu) ?? [],
  characters: (text) => Array.from(text),
  lines: (text) => text.split('\n'),
};

const MAX_TALLIED = 5_000;
/** How often each part of a text occurs in it, as a table of one column. */
function tallied(text: string, named: Part | 'any'): Request | undefined {
  const part = named !== 'any' ? named : /[,;\n]/.test(text) ? 'items' : 'words';
  if (text.includes('{{') || text.length > MAX_TALLIED) return undefined;
  const all =
    part === 'items'
      ? text.split(/[,;\n]/)
      : part === 'words'
        ? text.match(/[\p{L}\p{N}'’-]+/gu)
        : part === 'letters'
          ? text.match(/\p{L}/gu)
          : null;
  const found = (all ?? []).map((one) => one.trim().toLowerCase()).filter((one) => one !== '');
  return found.length < 2
    ? undefined
    : asks('table', { op: 'count', table: JSON.stringify(found.map((part) => ({ part }))), by: 'part' });
}

/** What is done with parts of a text: counted, listed, changed, put between signs; and questions about a text. */
export const PART_REQUESTS: Domain = {
  lexicon: {
    placed: { 'position|positions': 'place', 'index|indexes|indices|offset': 'index' },
    longer: { longer: ['length', -1], shorter: ['length', 1] },
    totaled: {
      'sum|sum up|add|add up|total|the sum of|the total of|what is the sum of|calculate the sum of': 'sum',
      "average|the average of|what is the average of|what's the average of|calculate the average of|the mean of":
        'average',
    },
  },
  rules: [
    // Count.
    rule(
      'request = COUNT <parts> (are there|there are|is there|are|is|do you see|do we have|appear|occur)? <place> ENDSIGN?',
      ([all, source]) => done(source, all, countable(all)),
    ),
    rule('request = LIST? the? (different|unique|distinct) <part> <place> ENDSIGN?', ([of, source]) =>
      of === 'lines' || of === 'items' ? undefined : distinct(of, source),
    ),
    rule(
      'request = COUNT the? (different|unique|distinct) <part> (are there|there are|is there|are|is)? <place> ENDSIGN?',
      ([of, source]) => ({
        steps: [...distinct(of, source).steps, { task: 'text', input: { op: 'count', text: '{{+2}}', what: 'items' } }],
      }),
    ),
    rule(
      'request = COUNT <parts> (are there|there are|is there)? <late-test> <place> ENDSIGN?',
      ([all, test, source]) => {
        // In "words minus 1" the figure is no word.
        const some = /^\d+$/.test(test.text ?? '') ? undefined : where(all, test);
        return some && done(source, some, 'count');
      },
    ),
    // Those of a list that are something, and their share.
    rule(
      'request -0.1 = (how many|count) (of)? (these|them|those|the items|the values|the answers)? (are|is|say|said|were) <literal> <listing> ENDSIGN?',
      ([one, source]) => {
        const all = itemsOf(source);
        // What none of them is may be a property of theirs: "how many are fruit".
        return all === undefined || !all.some((item) => item.toLowerCase() === one.toLowerCase())
          ? undefined
          : done({ text: all.join(', ') }, parts('items', { where: [{ test: 'equals', text: one }] }), 'count');
      },
    ),
    rule(
      'request = (how many|count|count how many) (of)? (these|them|those|the numbers|these numbers|those numbers)? (are|is)? <valued-test> :? <list:several> ENDSIGN?',
      ([test, { items }]) =>
        done({ text: items.map(({ expr }) => expr).join(', ') }, parts('numbers', { where: [test] }), 'count'),
    ),
    rule(
      'request = (what|which|how many) PERCENTAGE (of)? (these|them|those|the items|the values|the answers|the answers)? (are|is|say|said|were) <literal> <listing> ENDSIGN?',
      ([one, source]) => {
        const all = itemsOf(source);
        const some = all?.filter((item) => item.toLowerCase() === one.toLowerCase()).length ?? 0;
        return all === undefined || some === 0
          ? undefined
          : asks('calculate', { expression: `${some} / ${all.length} * 100`, percent: true });
      },
    ),
    // List.
    rule(
      'request -0.1 = (which|what) (of these|of them|of the two|word|one|name|text)? is <longer> <said-list> ENDSIGN?',
      '(which|what) (of these|of them|of the following|of these words|word|one|item|name)? (is|has) the? <rank> (one|word|name|item)? <place> ENDSIGN?',
      ([[by, at], source]) =>
        SEVERAL.test(source.text) ? done(source, parts('items', { by, at }), 'list') : undefined,
    ),
    rule(
      'request = (turn|convert|make|split) (this|these|it|them|that|the following|this list|the list|these items|my list)? (into|to|as)? (a list|list|a list of items|bullets|bullet points|a bullet list|a bulleted list) <place> ENDSIGN?',
      '(bullet points|bullet list|bulleted list|bullets|bullet point list) (of|for|from)? <place> ENDSIGN?',
      ([{ text }]) =>
        !SEVERAL.test(text) || /^(?:called|named|titled)\b/i.test(text)
          ? undefined
          : asks('text', { op: 'parts', text, selection: { of: 'items' }, does: 'list' }),
    ),
    rule(
      'request = (make|turn|convert|format|write|put|show|give me|create)? WHAT? (into|as|in|to)? (a|an)? (numbered|ordered) list (of|with|from|out of)? WHAT? :? <listing>',
      'number WHAT :? <listing>',
      ([{ text }]) =>
        asks('text', {
          op: 'number',
          text: lineByLine(text.trim().replaceAll(' and ', ', ')),
        }),
    ),
    rule(
      'request -0.3 = (how many|count the|count these|count my|the number of) … (are there|there are|is that|are in this list|are in the list|do i have|are listed)? : <listing>',
      ([{ text: thing }, source]) =>
        isThing(thing) &&
        unitOf(thing) === undefined &&
        /[^s]s$/.test(thing) &&
        SEVERAL.test(source.text) &&
        !/^(?:errors|mistakes|typos|syllables|meanings|differences|problems|bugs)$/i.test(thing) &&
        source.text.split(/[,;\n]/).every((one) => one.trim().split(' ').length < 4) &&
        !source.text.toLowerCase().includes(thing.toLowerCase().replace(/^.* /, '')) &&
        !CHOOSES.test(thing)
          ? asks('text', { op: 'count', what: 'items', text: source.text })
          : undefined,
    ),
    // A number without a list is added to numbers.
    rule('request = (add|append|put) <literal> (to|onto|at the end of|behind) <items-said>', ([one, source]) =>
      /^\d/.test(one) ? undefined : extended(source, one),
    ),
    rule(
      'request = (add|append|put|insert|write|tack on) (the|a|another|one|one more)? (line|row|entry|item) <exact> (at the end|to the end|at the bottom|to the bottom|below|at the very end) (of|to)? <place>',
      '(add|append|put|insert|write) <exact> as (the|a|its)? (new)? (last|final) (line|row|entry|item) (of|to|in)? <place>',
      ([one, { text }]) => (text.includes('\n') ? answering(`${text.trimEnd()}\n${one}`) : undefined),
    ),
    rule(
      'request = (add|put|insert|write) (the|a|another|one|one more)? (line|row|entry|item) <exact> (at the start|at the top|to the top|at the beginning|above|on top) (of|to)? <place>',
      '(add|put|insert|write) <exact> as (the|a|its)? (new)? first (line|row|entry|item) (of|to|in)? <place>',
      ([one, { text }]) => (text.includes('\n') ? answering(`${one}\n${text.trimStart()}`) : undefined),
    ),
    // The longest and the shortest.
    rule(
      'request = LIST? the? <rank> and the? <rank> <part> <place> ENDSIGN?',
      ([[by, at], [other, last], of, { text }]) =>
        by === other && at === -last && !(by === 'length' && SINGLE.includes(of))
          ? {
              steps: [at, last].map((place) => ({
                task: 'text',
                input: { op: 'parts', text, selection: { of, by, at: place }, does: 'list' },
              })),
            }
          : undefined,
    ),
    rule(
      'request = (is|does) <literal> (in|on|one of|among|part of|appear in|occur in) (this|the|my)? list? :? <listing> ENDSIGN?',
      ([text, source]) =>
        SEVERAL.test(source.text)
          ? done(source, parts('items', { where: [{ test: 'equals', text }] }), 'any')
          : undefined,
    ),
    rule('request = LIST? the? <placed> of ATEXT? <literal> <place> ENDSIGN?', ([does, find, source]) =>
      /[,;\n]/.test(source.text)
        ? done(source, parts('items', { where: [{ test: 'equals', text: find }] }), does)
        : done(source, parts('matches', { find }), does),
    ),
    // How often each of them occurs.
    rule('each-part = (each|every|all the|the different|each of the) <part>', ([of]) => of),
    rule('said-list = <place>', '-0.2 = FROM? WHAT? :? <items-said>'),
    rule('each-part = (each|each one|each of them|each of these|every one)', () => 'items'),
    rule('each-part -0.1 = (each|every|each of the|each different|all the different) <topic>', () => 'any'),
    rule(
      'request 0.2 = (how often|how many times) (does|do|is) <each-part> (appear|appears|occur|occurs|repeated|there|come up)? <said-list> ENDSIGN?',
      '(count|show|list|tell me|tally|count up) (how often|how many times|how many of|the number of|the occurrences of|occurrences of)? <each-part> (appear|appears|occur|occurs|is there|there is|there are|comes up|is repeated)? <said-list> ENDSIGN?',
      'LIST? the? (frequency|frequencies|tally|count) of <each-part> <said-list> ENDSIGN?',
      'LIST? the? (frequency|frequencies|tally) of the? <part> <said-list> ENDSIGN?',
      'LIST? the? <part> (frequency|frequencies|counts) <said-list> ENDSIGN?',
      '-0.1 = tally up? (the|these|my|all the|of|of the)? <part>? <said-list> ENDSIGN?',
      // A sum is no list.
      ([of = 'any', { text }]) => (/\d ?[-+*/×÷] ?\d/.test(text) ? undefined : tallied(text, of)),
    ),
    // The rows of a table are chosen by its columns.
    rule('request = LIST? <parts> <place> ENDSIGN?', ([all, source]) =>
      all.selection.where?.some(({ test }) => test === 'value') && isTableText(source.text)
        ? undefined
        : done(source, all, 'list'),
    ),
    rule('request = <totaled> <parts> <place> ENDSIGN?', ([does, all, source]) =>
      NUMERIC.includes(all.selection.of as string) && !isTableText(source.text) ? done(source, all, does) : undefined,
    ),
    rule(
      'request = LIST? the? <ordinal> <valued> (number|value|one|item|figure)? (of|in|from|among) (these|the numbers|the list|the following|this list)? :? <list:several> ENDSIGN?',
      ([n, at, { items }]) => ranked(items, { at: n * at }),
    ),
    rule(
      'request = LIST? the? <number:whole> <valued> (numbers|values|items|ones|figures)? (of|in|from|among|out of)? (these|these numbers|the numbers|the list|the following|this list)? :? <list:several> ENDSIGN?',
      '#213 LIST? the? <utmost> <number:whole> (numbers|values|items|ones|figures)? (of|in|from|among|out of) (these|these numbers|the numbers|the list|the following|this list)? :? <list:several> ENDSIGN?',
      ([count, at, { items }]) => ranked(items, { at, count: whole(count) }),
    ),
    // Of the earlier result.
    rule(
      'request -0.1 = (only|keep|keep only|just|only keep|and only)? (the ones|those|the numbers|ones|numbers|the values)? <valued-test> ENDSIGN?',
      ([test], { it, table }) =>
        it === undefined || table !== undefined
          ? undefined
          : done({ text: placeholder(it) }, parts('numbers', { where: [test] }), 'list'),
    ),
    rule(
      'request = (and|what is|whats|what was|show me|give me|take|only)? the? <ordinal> one ENDSIGN?',
      ([place], { it, table }) =>
        it === undefined || table !== undefined
          ? undefined
          : done({ text: placeholder(it) }, parts('items', { at: place }), 'list'),
    ),
    rule(
      'request -0.1 = (the other way round|the other way around|in the other order|in the opposite order|in reverse order|the reverse|in reverse|backwards|reversed|from the end)',
      (_, { it, table }) =>
        it === undefined || table !== undefined ? undefined : asks('text', { op: 'reverse', text: placeholder(it) }),
    ),
    // One of the result before.
    rule(
      'request -0.1 = LIST? (the|only the|just the)? <ordinal> (one|item|entry|element)?',
      ([place], { it, after, previous }) =>
        it === undefined || (after ?? previous?.task) === 'time'
          ? undefined
          : done({ text: placeholder(it) }, parts('items', { at: place }), 'list'),
    ),
    // Change in place.
    rule(
      'request = <change> (only|just)? <parts> <place> ENDSIGN?',
      '#312 make <parts> <place> <change> ENDSIGN?',
      ([does, all, source]) => changed(source, all, does),
    ),
    rule('request = REMOVE <parts> (off|away)? <place> ENDSIGN?', ([all, source]) => changed(source, all, 'remove')),
    rule('request = REMOVE (the|its)? first and (the|its)? last <part> <place> ENDSIGN?', ([of, { text }]) => ({
      steps: [1, -1].map((at, step) => ({
        task: 'text',
        input: { op: 'parts', text: step === 0 ? text : '{{+1}}', selection: { of, at }, does: 'remove' },
      })),
    })),
    rule('request = LIST? the? (middle|central|centre|center) <one-part> <place> ENDSIGN?', ([of, source]) => {
      const all = MIDDLES[of]?.(source.text) ?? itemsOf(source) ?? [];
      return all.length % 2 === 1 ? answering(all[(all.length - 1) / 2] as string) : undefined;
    }),
    // "a, b and c".
    rule(
      'request = (put|add|insert|write|use) the? word? <exact> before the? last (item|one|word|name|element|entry)? <place> ENDSIGN?',
      'JOIN WHAT? WITHSIGN <separator> and (an|a|the)? <exact> (before the last|at the end|before the last one|before the last item)? <place> ENDSIGN?',
      (values) => {
        const [word, source] = values.slice(-2) as unknown as [string, Source];
        const all = /[,;\n]/.test(source.text) ? itemsOf(source) : undefined;
        return all && answering(`${all.slice(0, -1).join(', ')} ${word.trim()} ${all.at(-1)}`);
      },
    ),
    rule(
      'request = replace (only|just)? <matches> (with|by) <literal> <place> ENDSIGN?',
      'replace (only|just)? <matches> (with|by) (a|an)? <signed> <place> ENDSIGN?',
      ([all, text, source]) => (all.selection.at === 1 ? undefined : done(source, all, 'replace', { with: text })),
    ),
    rule(
      'request = replace (all|every|each)? <literal> (with|by) <literal> EXCEPT (the|for the)? <ordinal> (one|occurrence|time)? <place> ENDSIGN?',
      '#2314 replace (all|every|everything|each)? EXCEPT the? <ordinal> <sign-said> (with|by) <sign-said> <place> ENDSIGN?',
      '#1324 replace (all|every|each) <sign-said> EXCEPT the? <ordinal> (one)? (with|by) <sign-said> <place> ENDSIGN?',
      ([find, text, at, source]) =>
        done(source, parts('matches', { find, at, except: 'others' }), 'replace', { with: text }),
    ),
    rule(
      'request = REPLACE <parts> (with|by) <literal> <place> ENDSIGN?',
      '#132 REPLACE <parts> <place> (with|by) <literal> ENDSIGN?',
      ([all, text, source]) => done(source, all, 'replace', { with: text }),
    ),
    // Around texts and lines.
    rule(
      'request = (wrap|put|enclose|surround|place) <source> (in|into|with|inside|within|by) <enclosure>',
      '#21 (wrap|put|enclose|surround|place) (this|it|that|the text)? (in|into|inside|within) <enclosure> <place>',
      '#21 (put|add|place) <enclosure> (around|round|on both sides of) <place>',
      ([source, [before, after]]) => asks('text', { op: 'say', text: `${before}${source.text}${after}` }),
    ),
    rule('sign-said = (a|an|the)? <signed>', '-0.1 = <literal>'),
    // Questions.
    rule(
      'request = (does|do) (the word|the text|the sentence)? <source> (contain|include|have|mention) (the|a|an)? (letter|word|text)? <literal> INIT? ENDSIGN?',
      '#21 (does|do) WHAT (contain|include|have|mention) (the|a|an)? (letter|word|text)? <literal> INIT? :? <source>',
      ([source, find]) => done(source, parts('matches', { find }), 'any'),
    ),
    rule(
      'request -0.2 = is (the|a|an)? (letter|word|text)? <literal> (in|part of|contained in|inside) (the word|the text|the sentence)? <source> ENDSIGN?',
      ([find, source]) => (source.text.length > 1 ? done(source, parts('matches', { find }), 'any') : undefined),
    ),
    rule('request = (does|do) (the word|the text|the sentence)? <source> <test> ENDSIGN?', ([source, test]) =>
      /^(?:begins|ends|opens)$/.test(test.test) ? done(source, parts('lines', { where: [test] }), 'any') : undefined,
    ),
    // Made of a text.
    rule('request = (repeat|say|write|print) (the word|the text)? <literal> <number:whole> times', ([text, n]) =>
      asks('text', { op: 'repeat', text, count: whole(n), separator: ' ' }),
    ),
    rule(
      'request = (concatenate|concat|combine|glue|join|glue together) <exact> (and|with|,|+) <exact> together? (with|by|using) (a|an)? <separator> (between them|in between|between)?',
      ([a, b, sign]) => asks('text', { op: 'say', text: a + sign + b }),
    ),
    rule(
      'request = (concatenate|concat|combine|glue|glue together) <literal> (and|with|,|+) <literal> together?',
      ([a, b]) => asks('text', { op: 'say', text: a + b }),
    ),
  ],
};
