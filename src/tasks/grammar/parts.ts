import type { Json } from '../../core/values/json.ts';
import type { Domain } from '../../language/grammar.ts';
import { rule } from '../../language/grammar.ts';
import { placeholder } from '../clause.ts';
import type { Action, Part, Selection } from '../text/parts.ts';
import type { List, Num } from './number.ts';
import { asks, type Request, type Setting } from './setting.ts';

type Order = NonNullable<Selection['by']>;
type Test = NonNullable<Selection['where']>[number];
/** Parts in words: "the last two words that start with a". `plain`: all of them, which other readers know. */
interface Parts {
  readonly selection: Selection;
  readonly plain: boolean;
}
/** The text that is worked on. */
interface Source {
  readonly text: string;
}

const parts = (of: Part, more: Partial<Selection> = {}): Parts => ({ selection: { of, ...more }, plain: false });
const where = ({ selection }: Parts, ...tests: readonly Test[]): Parts | undefined =>
  selection.at !== undefined || selection.every !== undefined || selection.except !== undefined
    ? undefined
    : { selection: { ...selection, where: [...(selection.where ?? []), ...tests] }, plain: false };
const not = (test: Test): Test => ({ ...test, not: test.not !== true });
const whole = ({ plain }: Num): number => plain as number;

/** Work on parts that no other reader does as well. */
function done(
  source: Source,
  { selection, plain }: Parts,
  does: Action,
  more: Readonly<Record<string, string>> = {},
): Request | undefined {
  const { of, count = 1, where: tests } = selection;
  const plainly = plain ? !VALUED.includes(of as string) : count > 1 && tests === undefined;
  if (LISTED.includes(does) && plainly) return undefined;
  return asks('text', { op: 'parts', text: source.text, selection: selection as Json, does, ...more });
}

/** Parts of a text: which, under which conditions, in which order, and what is done with them. */
export const PARTS: Domain = {
  lexicon: {
    part: {
      'word|words|terms': 'words',
      'letter|letters': 'letters',
      'character|characters|char|chars': 'characters',
      'vowel|vowels': 'vowels',
      'consonant|consonants': 'consonants',
      'capital letter|capital letters|capitals|uppercase letter|uppercase letters|upper case letters': 'capitals',
      'digit|digits': 'digits',
      'punctuation|punctuation marks|punctuation mark': 'punctuation',
      'number|numbers|figures|numeric values': 'numbers',
      'line|lines|row|rows': 'lines',
      'sentence|sentences': 'sentences',
      'item|items|entry|entries|element|elements|name|names|value|values': 'items',
    },
    PLACE: 'in|of|from|for|within|inside|on|out of',
    KIND: 'text|the text|this text|the following text|word|the word|sentence|the sentence|this sentence|phrase|the phrase|string|the string|list|the list|this list|the following|following|this line|these|the following list|these words|these items|these lines|these numbers|the following sentence|the following words|the following lines|the name',
    LIST: "extract|find|list|show|show me|give me|get|pull out|what are|what is|what's|which is|which are|which|keep|keep only|return|print|filter|filter out only|select|tell me|pick|pick out|find me|get me|i want|i need|only|just|fetch|output|display|leave only|what",
    COUNT:
      'how many|count|count how many|count up|number of|the number of|what is the number of|tell me how many|count all|find out how many|how many of the',
    ALL: 'all|all of|all the|all of the|every|each|each of the|any|the|the following|only|only the|just the|just|of the|every one of the|any of the',
    REMOVE: 'remove|delete|drop|strip|take out|get rid of|cut|erase|strip out|omit',
    change: {
      'uppercase|upper case|capitalise all of|make uppercase': 'upper',
      'lowercase|lower case': 'lower',
      'capitalize|capitalise': 'capital',
      'reverse|flip': 'reverse',
    },
    rank: {
      'longest|largest': ['length', -1],
      shortest: ['length', 1],
      'most common|most frequent|commonest|most used|most repeated': ['times', -1],
      'least common|least frequent|rarest': ['times', 1],
    },
    valued: {
      'largest|biggest|highest|greatest|maximum|max': -1,
      'smallest|lowest|least|minimum|min': 1,
    },
    BEGIN:
      'start with|starts with|starting with|begin with|begins with|beginning with|starts in|start in|started with|starting in',
    END: 'end with|ends with|ending with|end in|ends in|ending in|ending on',
    HOLD: 'contain|contains|containing|include|includes|including',
    THAT: 'that|which|who|where they|if they|whose names',
    EXCEPT:
      'except|except for|excluding|but not|other than|apart from|besides|ignoring|leaving out|not counting|without counting|minus',
    OVER: 'more than|over|longer than|above|greater than|bigger than|larger than|higher than|exceeding',
    UNDER: 'less than|fewer than|under|shorter than|below|smaller than|lower than',
    LEAST: 'at least|no less than|a minimum of|not less than',
    MOST: 'at most|no more than|up to|a maximum of|not more than',
    LONG: 'letters|characters|chars|letters long|characters long|chars long|letters in them|letters each|long',
    enclosure: {
      'parentheses|parenthesis|round brackets|parens': ['(', ')'],
      'brackets|square brackets': ['[', ']'],
      'braces|curly brackets|curly braces': ['{', '}'],
      'quotes|quotation marks|double quotes': ['"', '"'],
      'single quotes|apostrophes': ["'", "'"],
      'angle brackets': ['<', '>'],
      'asterisks|stars': ['*', '*'],
      backticks: ['`', '`'],
    },
    signName: {
      'a comma': ',',
      'a period|a full stop|a dot': '.',
      'a semicolon': ';',
      'a colon': ':',
      'a dash|dash|a hyphen|hyphen|dashes': '- ',
      'a bullet|bullet|bullets|a bullet point|bullet points': '- ',
      'an asterisk|a star': '* ',
      'a hash|a hash sign': '# ',
      'a greater than sign|a greater-than sign': '> ',
    },
    ENDSIGN: '?|.',
  },
  /** A literal: what stands in quotation marks, or one word, letter or sign. */
  recognize: (tokens, add) => {
    for (const [at, { kind, text }] of tokens.entries()) {
      if (kind === 'quoted' && text.length > 1) {
        add('literal', at, at + 1, text.slice(1, -1));
        add('exact', at, at + 1, text.slice(1, -1));
        add('source', at, at + 1, { text: text.slice(1, -1) });
      } else if (kind === 'word' || kind === 'number' || (kind === 'sign' && text !== ':' && text !== '…')) {
        add('literal', at, at + 1, text, kind === 'word' && text.length > 1 ? -0.2 : -0.1);
        if (text.length === 1) add('exact', at, at + 1, text, -0.1);
        if (kind === 'word' && text.length > 2) add('source', at, at + 1, { text }, -0.3);
      } else if (kind === 'data') add('source', at, at + 1, { text });
      else if (kind === 'json' && text.startsWith('[')) {
        const items = JSON.parse(text) as readonly Json[];
        if (items.every((one) => typeof one !== 'object')) add('source', at, at + 1, { text: items.join(', ') }, -0.05);
      } else if (kind === 'reference') add('source', at, at + 1, { text: text.replaceAll(' ', '') });
    }
  },
  tests: {},
  rules: [
    rule('source', '(it|that|this|them|these|the text|the result|the list)', (_: [], { it }: Setting) =>
      it === undefined ? undefined : { text: placeholder(it) },
    ),
    rule('place', 'PLACE? KIND? :? <source>', ([source]: [Source]) => source),
    // Conditions.
    rule(
      'test',
      'THAT? BEGIN (the|a|an)? (letter|letters|word)? <literal>',
      ([text]: [string]): Test => ({ test: 'begins', text }),
    ),
    rule(
      'test',
      'THAT? END (the|a|an)? (letter|letters|word)? <literal>',
      ([text]: [string]): Test => ({ test: 'ends', text }),
    ),
    rule(
      'test',
      'THAT? HOLD (the|a|an)? (letter|letters|word)? <literal>',
      ([text]: [string]): Test => ({ test: 'contains', text }),
      -0.1,
    ),
    rule('named', '(the|a|an)? (letter|letters|word) <literal>', ([text]: [string]) => text),
    rule('named', 'the? <exact>', ([text]: [string]) => text),
    rule(
      'test',
      'THAT? (with|has|have|having) (a|an)? <named>',
      ([text]: [string]): Test => ({ test: 'contains', text }),
      -0.1,
    ),
    rule(
      'test',
      'THAT? (are|is|have|has|with|of)? exactly? <number:whole> LONG',
      ([n]: [Num]): Test => ({ test: 'length', min: whole(n), max: whole(n) }),
    ),
    rule(
      'test',
      'THAT? (are|is|have|has|with|of)? OVER <number:whole> LONG',
      ([n]: [Num]): Test => ({ test: 'length', min: whole(n) + 1 }),
    ),
    rule(
      'test',
      'THAT? (are|is|have|has|with|of)? UNDER <number:whole> LONG',
      ([n]: [Num]): Test => ({ test: 'length', max: whole(n) - 1 }),
    ),
    rule(
      'test',
      'THAT? (are|is|have|has|with|of)? LEAST <number:whole> LONG',
      ([n]: [Num]): Test => ({ test: 'length', min: whole(n) }),
    ),
    rule(
      'test',
      'THAT? (are|is|have|has|with|of)? MOST <number:whole> LONG',
      ([n]: [Num]): Test => ({ test: 'length', max: whole(n) }),
    ),
    rule('test', '(with|of) <number:whole> or more LONG', ([n]: [Num]): Test => ({ test: 'length', min: whole(n) })),
    rule(
      'valued-test',
      'THAT? (are|is)? OVER <number:plain>',
      ([n]: [Num]): Test => ({ test: 'value', over: whole(n) }),
    ),
    rule(
      'valued-test',
      'THAT? (are|is)? UNDER <number:plain>',
      ([n]: [Num]): Test => ({ test: 'value', under: whole(n) }),
    ),
    rule(
      'valued-test',
      'THAT? (are|is|of)? LEAST <number:plain>',
      ([n]: [Num]): Test => ({ test: 'value', min: whole(n) }),
    ),
    rule(
      'valued-test',
      'THAT? (are|is|of)? MOST <number:plain>',
      ([n]: [Num]): Test => ({ test: 'value', max: whole(n) }),
    ),
    rule(
      'valued-test',
      'THAT? (are|is)? between <number:plain> and <number:plain>',
      ([a, b]: [Num, Num]): Test => ({
        test: 'value',
        min: Math.min(whole(a), whole(b)),
        max: Math.max(whole(a), whole(b)),
      }),
    ),
    rule(
      'test',
      'THAT? (appear|appears|occur|occurs|appearing|occurring|repeat|repeated) (more than once|several times|twice or more|repeatedly)',
      (): Test => ({ test: 'times', min: 2 }),
    ),
    rule(
      'test',
      'THAT? (appear|appears|occur|occurs|appearing|occurring) (only once|once|exactly once)',
      (): Test => ({ test: 'times', min: 1, max: 1 }),
    ),
    rule('not-test', "THAT? (do not|does not|don't|doesn't|not) <test>", ([test]: [Test]) => not(test)),
    rule(
      'not-test',
      '(without|lacking) (a|an|any)? <named>',
      ([text]: [string]): Test => ({ test: 'contains', text, not: true }),
      -0.1,
    ),
    rule('not-test', 'EXCEPT <named>', ([text]: [string]): Test => ({ test: 'equals', text, not: true })),
    rule('late-test', '<not-test>', ([test]: [Test]) => test),
    rule('late-test', '<blank-test>', ([test]: [Test]) => test),
    rule(
      'blank-test',
      '(EXCEPT|without|without counting) (the|any)? (spaces|blanks|whitespace)',
      (): Test => ({ test: 'equals', text: '', not: true }),
    ),
    rule('parts', '<parts> <blank-test>', ([all, test]: [Parts, Test]) =>
      all.selection.of === 'characters' ? where(all, test) : undefined,
    ),
    rule(
      'number-test',
      '(EXCEPT|without) (the|any|all)? (numbers|digits|figures)',
      (): Test => ({ test: 'number', not: true }),
    ),
    // Which parts.
    rule('parts', 'ALL? <part>', ([of]: [Part]): Parts => ({ selection: { of }, plain: true })),
    rule('parts', '<parts> <test>', ([all, test]: [Parts, Test]) => where(all, test)),
    rule('parts', '<parts> <not-test>', ([all, test]: [Parts, Test]) => where(all, test)),
    rule('parts', '<parts> (and|but|,) <test>', ([all, test]: [Parts, Test]) =>
      all.plain ? undefined : where(all, test),
    ),
    rule('parts', '<parts> (and|but|,) <not-test>', ([all, test]: [Parts, Test]) =>
      all.plain ? undefined : where(all, test),
    ),
    rule('parts', '<parts> <number-test>', ([all, test]: [Parts, Test]) =>
      ['words', 'items'].includes(all.selection.of as string) ? where(all, test) : undefined,
    ),
    rule('parts', '<parts> <valued-test>', ([all, test]: [Parts, Test]) =>
      ['numbers', 'items'].includes(all.selection.of as string) ? where(all, test) : undefined,
    ),
    rule('parts', '(the|only the|just the|only)? <ordinal> <part>', ([at, of]: [number, Part]) => parts(of, { at })),
    rule('parts', '(the|only the|just the|only)? (last|final) <part>', ([of]: [Part]) => parts(of, { at: -1 })),
    rule('parts', '(the|only the|just the|only)? first <part>', ([of]: [Part]) => parts(of, { at: 1 })),
    rule(
      'parts',
      '(the|only the|just the|only)? (second to last|second last|penultimate|next to last) <part>',
      ([of]: [Part]) => parts(of, { at: -2 }),
    ),
    rule('parts', '(the|only the|just the|only)? first <number:whole> <part>', ([n, of]: [Num, Part]) =>
      parts(of, { at: 1, count: whole(n) }),
    ),
    rule('parts', '(the|only the|just the|only)? last <number:whole> <part>', ([n, of]: [Num, Part]) =>
      parts(of, { at: -1, count: whole(n) }),
    ),
    rule('parts', '(the|only the)? <rank> <part>', ([[by, at], of]: [[Order, number], Part]) =>
      of === 'numbers' ? undefined : parts(of, { by, at }),
    ),
    rule('parts', 'the? <ordinal> <rank> <part>', ([n, [by, at], of]: [number, [Order, number], Part]) =>
      of === 'numbers' ? undefined : parts(of, { by, at: n * at }),
    ),
    rule('parts', '(the|only the)? <valued> number', ([at]: [number]) => parts('numbers', { by: 'value', at })),
    rule('parts', 'the? <ordinal> <valued> number', ([n, at]: [number, number]) =>
      parts('numbers', { by: 'value', at: n * at }),
    ),
    rule('parts', '(every|each) <ordinal> <part>', ([every, of]: [number, Part]) =>
      every > 1 ? parts(of, { every }) : undefined,
    ),
    rule('parts', 'every other <part>', ([of]: [Part]) => parts(of, { every: 2 })),
    rule(
      'parts',
      '(everything|all|the whole text|all of it|the rest|anything) EXCEPT <parts>',
      ([{ selection }]: [Parts]) =>
        selection.except === undefined ? { selection: { ...selection, except: 'rest' }, plain: false } : undefined,
    ),
    rule('parts', 'ALL? <part> EXCEPT (the|only the)? <ordinal> one?', ([of, at]: [Part, number]) =>
      parts(of, { at, except: 'others' }),
    ),
    rule('parts', 'ALL? <part> EXCEPT the? (last|final) one?', ([of]: [Part]) =>
      parts(of, { at: -1, except: 'others' }),
    ),
    rule('parts', 'ALL? <part> EXCEPT the? first one?', ([of]: [Part]) => parts(of, { at: 1, except: 'others' })),
    // Occurrences of a literal text.
    rule(
      'matches',
      '(the|only the|only)? <ordinal> <literal>',
      ([at, find]: [number, string]) => parts('matches', { find, at }),
      -0.1,
    ),
    rule(
      'matches',
      '(the|only the|only)? (last|final) <literal>',
      ([find]: [string]) => parts('matches', { find, at: -1 }),
      -0.1,
    ),
    rule(
      'matches',
      '(every|each) <ordinal> <literal>',
      ([every, find]: [number, string]) => (every > 1 ? parts('matches', { find, every }) : undefined),
      -0.1,
    ),
    rule('matches', 'every other <literal>', ([find]: [string]) => parts('matches', { find, every: 2 }), -0.1),
    // Count.
    rule(
      'request',
      'COUNT <parts> (are there|there are|is there|are|is|do you see|do we have|appear|occur)? <place> ENDSIGN?',
      ([all, source]: [Parts, Source]) => done(source, all, countable(all)),
    ),
    rule(
      'request',
      'COUNT <part> (are there|there are|is there|are|is)? <place> <test> ENDSIGN?',
      ([of, source, test]: [Part, Source, Test]) => done(source, parts(of, { where: [test] }), 'count'),
    ),
    rule(
      'request',
      'COUNT (different|unique|distinct) <part> (are there|there are|is there|are|is)? <place> ENDSIGN?',
      ([of, { text }]: [Part, Source]): Request => ({
        steps: [
          { task: 'text', input: { op: 'parts', text, selection: { of }, does: 'list' } },
          { task: 'text', input: { op: 'unique', text: '{{+1}}', ignore_case: true } },
          { task: 'text', input: { op: 'count', text: '{{+2}}', what: 'items' } },
        ],
      }),
    ),
    rule(
      'request',
      'COUNT <parts> (are there|there are|is there) <late-test> <place> ENDSIGN?',
      ([all, test, source]: [Parts, Test, Source]) => {
        const some = where(all, test);
        return some && done(source, some, 'count');
      },
    ),
    rule(
      'request',
      '(how many|count the) <part> (does|do) <place> (have|contain|include) ENDSIGN?',
      ([of, source]: [Part, Source]) => (VALUED.includes(of) ? done(source, parts(of), 'count') : undefined),
    ),
    // List.
    rule('request', 'LIST? <parts> <place> ENDSIGN?', ([all, source]: [Parts, Source]) => done(source, all, 'list')),
    rule(
      'request',
      'LIST <part> <place> (start|starts|begin|begins) with <literal> ENDSIGN?',
      ([of, source, text]: [Part, Source, string]) =>
        done(source, parts(of, { where: [{ test: 'begins', text }] }), 'list'),
    ),
    rule('request', 'LIST <part> <place> <valued-test> ENDSIGN?', ([of, source, test]: [Part, Source, Test]) =>
      of === 'numbers' || of === 'items' ? done(source, parts(of, { where: [test] }), 'list') : undefined,
    ),
    rule(
      'request',
      '(filter|reduce|narrow|narrow down) <place> (to|for|by) (those|the ones|the numbers|numbers|items|values|only those)? <valued-test> ENDSIGN?',
      ([source, test]: [Source, Test]) => done(source, parts('numbers', { where: [test] }), 'list'),
    ),
    rule(
      'request',
      '(sum|sum up|add|add up|total|the sum of|the total of|what is the sum of|calculate the sum of) <parts> <place> ENDSIGN?',
      ([all, source]: [Parts, Source]) =>
        NUMERIC.includes(all.selection.of as string) ? done(source, all, 'sum') : undefined,
    ),
    rule(
      'request',
      "(average|the average of|what is the average of|what's the average of|calculate the average of|the mean of) <parts> <place> ENDSIGN?",
      ([all, source]: [Parts, Source]) =>
        NUMERIC.includes(all.selection.of as string) ? done(source, all, 'average') : undefined,
    ),
    rule(
      'request',
      'LIST? the? <ordinal> <valued> (number|value|one|item|figure)? (of|in|from|among) (these|the numbers|the list|the following|this list)? :? <list:several> ENDSIGN?',
      ([n, at, { items }]: [number, number, List]) =>
        n > 0 && items.every(({ ops, unit }) => ops === 0 && unit === undefined)
          ? done(
              { text: items.map(({ expr }) => expr).join(', ') },
              parts('numbers', { by: 'value', at: n * at }),
              'list',
            )
          : undefined,
    ),
    // Of the earlier result.
    rule(
      'request',
      '(only|keep|keep only|just|only keep|and only)? (the ones|those|the numbers|ones|numbers|the values)? <valued-test> ENDSIGN?',
      ([test]: [Test], { it, table }: Setting) =>
        it === undefined || table !== undefined
          ? undefined
          : done({ text: placeholder(it) }, parts('numbers', { where: [test] }), 'list'),
      -0.1,
    ),
    rule(
      'request',
      '(and|what is|what was|show me|give me|take|only)? the? <ordinal> one ENDSIGN?',
      ([at]: [number], { it, table }: Setting) =>
        it === undefined || table !== undefined
          ? undefined
          : done({ text: placeholder(it) }, parts('items', { at }), 'list'),
    ),
    // Change in place.
    rule('request', '<change> (only|just)? <parts> <place> ENDSIGN?', ([does, all, source]: [Action, Parts, Source]) =>
      all.plain && !VALUED.includes(all.selection.of as string)
        ? undefined
        : done(source, all, does === 'capital' && all.selection.of === 'letters' ? 'upper' : does),
    ),
    rule('request', 'reverse (each|every) <part> <place> ENDSIGN?', ([of, source]: [Part, Source]) =>
      ['words', 'lines', 'items'].includes(of) ? done(source, parts(of), 'reverse') : undefined,
    ),
    rule('request', 'make <parts> <place> <change> ENDSIGN?', ([all, source, does]: [Parts, Source, Action]) =>
      all.plain && !VALUED.includes(all.selection.of as string) ? undefined : done(source, all, does),
    ),
    rule('request', 'REMOVE <parts> <place> ENDSIGN?', ([all, source]: [Parts, Source]) =>
      all.plain && !VALUED.includes(all.selection.of as string) ? undefined : done(source, all, 'remove'),
    ),
    rule(
      'request',
      'replace (only|just)? <matches> (with|by) <literal> <place> ENDSIGN?',
      ([all, text, source]: [Parts, string, Source]) =>
        all.selection.at === 1 ? undefined : done(source, all, 'replace', { with: text }),
    ),
    rule(
      'request',
      'replace (all|every|each)? <literal> (with|by) <literal> EXCEPT (the|for the)? <ordinal> (one|occurrence|time)? <place> ENDSIGN?',
      ([find, text, at, source]: [string, string, number, Source]) =>
        done(source, parts('matches', { find, at, except: 'others' }), 'replace', { with: text }),
    ),
    rule(
      'request',
      'replace (all|every|each)? <literal> (with|by) <literal> EXCEPT (the|for the)? (last|final) (one|occurrence|time)? <place> ENDSIGN?',
      ([find, text, source]: [string, string, Source]) =>
        done(source, parts('matches', { find, at: -1, except: 'others' }), 'replace', { with: text }),
    ),
    rule(
      'request',
      'replace <parts> (with|by) <literal> <place> ENDSIGN?',
      ([all, text, source]: [Parts, string, Source]) => done(source, all, 'replace', { with: text }),
    ),
    rule(
      'request',
      'replace <literal> (with|by) <literal> PLACE :? <source> ENDSIGN?',
      ([find, text, source]: [string, string, Source]) =>
        SIGN.test(find) || SIGN.test(text)
          ? asks('text', { op: 'replace', text: source.text, find, with: text })
          : undefined,
      -0.05,
    ),
    // Around texts and lines.
    rule(
      'request',
      '(wrap|put|enclose|surround|place) <source> (in|into|with|inside|within|by) <enclosure>',
      ([source, [before, after]]: [Source, [string, string]]) =>
        asks('text', { op: 'say', text: `${before}${source.text}${after}` }),
    ),
    rule(
      'request',
      '(wrap|put|enclose|surround) (each|every) <part> <place> (in|into|with|inside) <enclosure>',
      ([of, source, [before, after]]: [Part, Source, [string, string]]) =>
        done(source, parts(of), 'surround', { before, after }),
    ),
    rule(
      'request',
      '(prefix|start|begin|precede) (each|every|all|the|all the) <part> with <sign> <place>',
      ([of, before, source]: [Part, string, Source]) => done(source, parts(of), 'surround', { before }),
    ),
    rule(
      'request',
      '(add|put|prepend|insert) <sign> (to the beginning of|to the start of|before|in front of|at the start of|at the beginning of) (each|every|all|the|all the) <part> <place>',
      ([before, of, source]: [string, Part, Source]) => done(source, parts(of), 'surround', { before }),
    ),
    rule(
      'request',
      '(add|put|append|insert) <sign> (to the end of|after|at the end of|behind) (each|every|all|the|all the) <part> <place>',
      ([after, of, source]: [string, Part, Source]) => done(source, parts(of), 'surround', { after: after.trimEnd() }),
    ),
    rule(
      'request',
      '(end|suffix) (each|every|all|the|all the) <part> with <sign> <place>',
      ([of, after, source]: [Part, string, Source]) => done(source, parts(of), 'surround', { after: after.trimEnd() }),
    ),
    rule('sign', '<signName>', ([text]: [string]) => text),
    rule('sign', '<literal>', ([text]: [string]) => text),
    // Questions.
    rule(
      'request',
      '(does|do) (the word|the text|the sentence)? <source> (contain|include|have) (the|a|an)? (letter|word|text)? <literal> ENDSIGN?',
      ([source, find]: [Source, string]) => done(source, parts('matches', { find }), 'any'),
    ),
    rule(
      'request',
      'is (the|a|an)? (letter|word|text)? <literal> (in|part of|contained in|inside) (the word|the text|the sentence)? <source> ENDSIGN?',
      ([find, source]: [string, Source]) =>
        source.text.length > 1 ? done(source, parts('matches', { find }), 'any') : undefined,
      -0.2,
    ),
    rule(
      'request',
      '(does|do) (the word|the text|the sentence)? <source> (start|begin) with (the|a|an)? (letter|word|text)? <literal> ENDSIGN?',
      ([source, text]: [Source, string]) => done(source, parts('lines', { where: [{ test: 'begins', text }] }), 'any'),
    ),
    rule(
      'request',
      '(does|do) (the word|the text|the sentence)? <source> end (with|in) (the|a|an)? (letter|word|text)? <literal> ENDSIGN?',
      ([source, text]: [Source, string]) => done(source, parts('lines', { where: [{ test: 'ends', text }] }), 'any'),
    ),
    // Made of a text.
    rule(
      'request',
      '(repeat|say|write|print) (the word|the text)? <literal> <number:whole> times',
      ([text, n]: [string, Num]) => asks('text', { op: 'repeat', text, count: whole(n), separator: ' ' }),
    ),
    rule(
      'request',
      '(concatenate|concat|combine|glue|glue together) <literal> (and|with|,|+) <literal> together?',
      ([a, b]: [string, string]) => asks('text', { op: 'say', text: a + b }),
    ),
  ],
};

const LISTED: readonly string[] = ['list', 'count'];
/** The parts that only this reader knows. */
const VALUED: readonly string[] = ['vowels', 'consonants', 'capitals', 'digits', 'punctuation'];
const NUMERIC: readonly string[] = ['numbers', 'items'];
const SIGN = /^\P{L}$/u;
const countable = ({ selection }: Parts): Action => (selection.at === undefined ? 'count' : 'list');
