import type { Domain } from '../../language/grammar.ts';
import { placeholder } from '../clause.ts';
import type { Part } from '../text/parts.ts';
import { named } from './name-forms.ts';
import { rulesOf } from './rules.ts';
import { distinct, done, parts, type Source, type Test, VALUED, whole } from './selecting.ts';
import { answering, asks, question, type Request, type Setting } from './setting.ts';
import { isItem, removed, SEVERAL } from './text-asks.ts';
import { each } from './text-words.ts';

const lined = (of: Part, source: Source): Request | undefined => done(source, parts(of), 'list', { with: '\n' });
const mixed = ({ text }: Source, part: Part, separator: string): Request => ({
  steps: [
    {
      task: 'text',
      input: { op: 'parts', text, selection: { of: part, where: [{ test: 'length', min: 1 }] }, does: 'list' },
    },
    { task: 'random', input: { kind: 'shuffle', items: '{{+1}}' } },
    { task: 'text', input: { op: 'join', text: '{{+2}}', separator } },
  ],
});
/** The first letters of each name of several, in capitals: "AL, BK". */
const initials = (names: readonly string[], dot = ''): string =>
  names
    .map((name) => (name.match(/(?<![\p{L}'’])\p{L}/gu) ?? []).map((one) => `${one.toUpperCase()}${dot}`).join(''))
    .join(', ');
const acronym = ({ text }: Source): Request => {
  const names = text.includes('{{') ? [] : text.trim().split(/[,;\n]\s*(?:and )?/);
  return names.length > 1 && names.every((name) => /\S \S/.test(name)) ? answering(initials(names)) : ofAll(text);
};
const ofAll = (text: string): Request => ({
  steps: [
    { task: 'text', input: { op: 'case', to: 'upper', text } },
    { task: 'text', input: { op: 'parts', text: '{{+1}}', selection: { of: 'words' }, does: 'initial', with: '' } },
  ],
});

/** Two texts in each other's places, by way of a third that occurs nowhere. */
const exchanged = ({ text }: Source, one: string, other: string): Request | undefined => {
  if (text.includes('{{') || one === other || one.includes(other) || other.includes(one)) return undefined;
  if (!text.includes(one) || !text.includes(other)) return undefined;
  const swapped = text
    .split(one)
    .map((part) => part.replaceAll(other, one))
    .join(other);
  return asks('text', { op: 'say', text: swapped });
};

/** A text with each number in it times a factor. */
const scaled = ({ text }: Source, by: number): Request | undefined =>
  text.includes('{{') || !/\d/.test(text) || !/\p{L}/u.test(text) || /\d[,/:]\d|\d-\d/.test(text)
    ? undefined
    : answering(text.replace(/\d+(?:\.\d+)?/g, (n) => String(Number((Number(n) * by).toPrecision(12)))));

/** Several whole numbers. */
const FIGURES = /^\s*\d+(?:[,;\s]\s*\d+)+\s*$/;
/** Names of files, each as it is made of its name and its extension. */
function ofFiles(text: string, made: (name: string, ending: string) => string): Request | undefined {
  const words = text.match(/[^\s,;]+/g)?.filter((one) => one !== 'and') ?? [];
  const isFile = (one: string): boolean => one.lastIndexOf('.') > 0 && /\.[\p{L}\p{N}]{1,5}$/u.test(one);
  return words.length === 0 || !words.every(isFile)
    ? undefined
    : answering(
        text.replace(/[^\s,;]+/g, (one) =>
          one === 'and' ? one : made(one.slice(0, one.lastIndexOf('.')), one.slice(one.lastIndexOf('.'))),
        ),
      );
}

const repeated = (count: number, { it }: Setting): Request | undefined =>
  it === undefined ? undefined : asks('text', { op: 'repeat', text: placeholder(it), count, separator: ' ' });
const inOrder = ({ text }: Source, place: number): Request => ({
  steps: [
    { task: 'text', input: { op: 'sort', text, by: 'natural' } },
    { task: 'text', input: { op: 'parts', text: '{{+1}}', selection: { of: 'lines', at: place }, does: 'list' } },
  ],
});
/** What occurs more than once. */
const TWICE: Test = { test: 'times', min: 2 };
const among = (of: Part, one: Source, { text }: Source, not: boolean): Request | undefined =>
  SEVERAL.test(one.text) && SEVERAL.test(text)
    ? distinct(of, one, { test: 'among', text, ...(not && { not }) })
    : undefined;
const rule = rulesOf<
  Record<'scale' | 'oftenest' | 'repeats' | 'name-part', number> & { 'one-part': Part; piece: string; files: Source }
>();
/** Parts that make a text again when only they are kept. */
const LETTERED: readonly Part[] = ['letters', 'digits', 'vowels', 'consonants', 'capitals'];

/** Whether a text contains a word, and only as a whole word in this case. */
function isWholeWord(word: string, text: string): boolean {
  const all = text.split(word).length - 1;
  const whole = text.match(/[\p{L}\p{M}\p{N}'’-]+/gu)?.filter((one) => one.toLowerCase() === word.toLowerCase()) ?? [];
  return all > 0 && whole.length === all && whole.every((one) => one === word);
}

/** What is done with a text as a whole: its case, its lines, its letters, and questions about it. */
export const TEXT_REQUESTS: Domain = {
  lexicon: {
    case: {
      'block capitals|big letters|uppercase letters|upper case letters|capital letters only|capitals only|upcase|up-case|upper case|uppercase|upper-case|all caps|caps|capitals|capital letters|all capitals|block letters':
        'upper',
      'lowercase letters|lower case letters|little letters|small letters only|downcase|down-case|un-shout|unshout|uncapitalize|uncapitalise|lower case|lowercase|lower-case|small letters':
        'lower',
      'title capitals|title capitalization|headline capitals|book title capitals|title case|titlecase|title-case|headline case|a title|a headline|title style|proper case|a proper title':
        'title',
      'sentence case|sentence-case': 'sentence',
      'camel case|camelcase|camel-case': 'camel',
      'pascal case|pascalcase|pascal-case|upper camel case': 'pascal',
      'snake case|snakecase|snake_case|snake-case': 'snake',
      'kebab case|kebabcase|kebab-case|dash case|dash-case': 'kebab',
      'constant case|screaming snake case|constant-case|constant_case': 'constant',
      'a hashtag|one hashtag|hashtag form': 'hashtag',
    },
    RENDER:
      'i need|i want|get|have|use|make|turn|convert|change|put|write|transform|rewrite|format|render|set|give me|show|print',
    separated: {
      'comma separated|comma-separated|comma delimited': ', ',
      'semicolon separated|semicolon-separated': '; ',
      'space separated|space-separated': ' ',
      'pipe separated|pipe-separated': ' | ',
      'tab separated|tab-separated': '\t',
    },
    LINEOWN:
      'on its own line|on a new line|on a separate line|on its own row|on separate lines|in its own line|on a line of its own|per line|a separate line|its own line|a line of its own|a new line|into its own line|onto its own line',
    APPEAR:
      'appear|appears|occur|occurs|used|mentioned|found|there|come up|show up|turn up|turns up|pop up|crop up|crops up|comes up|shows up|feature|written|present',
    LISTS: each('both|both the|the|these|the two|these two|the two|both of these|', 'lists').concat('|both'),
    oftenest: { 'most often|the most|most|most frequently|the most often': -1, 'least often|the least|least': 1 },
    'name-part': {
      'last name|last names|surname|surnames|family name|family names': -1,
      'first name|first names|given name|given names|forename|forenames': 1,
    },
    RECURS: each(
      'repeat|repeats|are repeated|is repeated|are duplicated|is duplicated|is double|are double|has a duplicate|have duplicates|is a duplicate|are duplicates',
      '',
    ).concat(
      '|',
      each(
        'appear|appears|occur|occurs|come|comes|come up|comes up|is|are|is there|are there|is listed|are listed|show up|shows up|is mentioned|are mentioned|is in there|are in there|is used|are used|is written|are written',
        'twice|more than once|several times|multiple times|two times',
      ),
    ),
    EACHONE: each(
      'of|for',
      'each|each of them|each of these|each name|each person|every name|everyone|all of them|each one',
    ),
    EXTENSION: each('|file|filename|file name', 'extension|extensions|ending|endings|suffix|suffixes').concat(
      '|file type|file types',
    ),
    ZEROS: 'zeros|zeroes|leading zeros|leading zeroes|zeros in front|0s',
    FILES:
      'file|files|filename|filenames|file name|file names|name|names|file names only|one|of them|of these|of the files|of the file names',
    scale: { double: 2, triple: 3, halve: 0.5, quadruple: 4 },
    SURNAMEFIRST: 'surname first|last name first|surnames first|last names first|family name first',
    WITHCOMMA: each(
      'and then|then|followed by|with|and',
      'a comma|a comma after it|a comma in between|a comma between',
    ),
    DOTTED: each('with', each('|the', 'full stops|dots|periods|points|a dot|a full stop|a period'))
      .split('|')
      .flatMap((one) => [
        one,
        ...[
          'between the letters',
          'between them',
          'in between',
          'after each letter',
          'after each',
          'after the letters',
        ].map((place) => `${one} ${place}`),
      ])
      .join('|'),
    ACRONYM: 'acronym|the acronym|an acronym|initialism|the initials|initials|abbreviation|the abbreviation|abbreviate',
  },
  rules: [
    // Letters of words.
    rule(
      'request = LIST? (make|create|build|write)? ACRONYM <place>',
      '(make|give|write) ACRONYM EACHONE <lot>',
      ([source]) => acronym(source),
    ),
    rule('request = LIST? ACRONYM EACHONE? WHAT? ,? DOTTED <place>', 'LIST? ACRONYM <place> ,? DOTTED', ([{ text }]) =>
      text.includes('{{') ? undefined : answering(initials(text.trim().split(/[,;\n]\s*(?:and )?/), '.')),
    ),
    rule('request = (shuffle|scramble|mix up|jumble|randomize) the? (letters|characters) <place>', ([source]) =>
      mixed(source, 'characters', ''),
    ),
    rule('request = LIST? the? first and the? (last|final) <part>? <place>', ([part = 'items', { text }]) =>
      part === 'items' && !SEVERAL.test(text)
        ? undefined
        : {
            steps: [1, -1].map((at) => ({
              task: 'text',
              input: { op: 'parts', text, selection: { of: part, at }, does: 'list' },
            })),
          },
    ),
    rule(
      'request -0.1 = <scale> (each|every|all|all the|the) (number|numbers|amount|amounts|quantity|quantities|figure|figures) <place>',
      ([by, source]) => scaled(source, by),
    ),
    rule(
      'request = (put|write|show|list|give me)? WHAT? (the other way round|the other way around)? ,? SURNAMEFIRST ,? WITHCOMMA <place>',
      ([source]) => named(source, 'surname, first name'),
    ),
    rule(
      'request -0.1 = (put|write|show|give me)? WHAT? (the other way round|the other way around)? ,? SURNAMEFIRST <place>',
      ([source]) => named(source, 'surname first name'),
    ),
    // Order and lines.
    rule('request = (swap|switch|exchange) the? first (and|with) the? last <one-part> <place>', ([of, source]) =>
      done(source, parts(of), 'swap'),
    ),
    // Of people, who have two names.
    rule('request 0.1 = (swap|switch|exchange) the? first (and|with) the? last (name|names) <place>', ([source]) =>
      source.text.split(source.text.includes('\n') ? '\n' : /[,;]/).every((line) => /^\s*\S+ \S+\s*$/.test(line))
        ? done(
            source,
            { selection: { of: 'words', within: source.text.includes('\n') ? 'lines' : 'items' }, plain: false },
            'swap',
          )
        : question(
            'text',
            'Is it the names of a person that I shall swap, or the first and last of several?',
            `{}: ${source.text}`,
          ),
    ),
    rule('request = LIST? (the|just the|only the|their)? <name-part> only? <place>', ([at, { text }]) =>
      text.split(/[,;\n]/).every((line) => /^\s*\p{Lu}\S* (?:\p{Lu}\S* )*\p{Lu}\S*\s*$/u.test(line))
        ? done({ text }, { selection: { of: 'words', within: 'items', at }, plain: false }, 'list')
        : undefined,
    ),
    rule(
      'request -0.2 = (swap|switch|exchange|interchange) (every|all|each|the words|the word|the names|the letters|the signs|the texts)? <piece> (and|with) <piece> (in|within) (this|the text|this text|this sentence|the sentence|this line)? :? <source>',
      ([one, other, source]) => exchanged(source, one, other),
    ),
    rule('request = (swap|switch|exchange) the? (two|first two|2)? <part> <place>', ([of, source]) =>
      done(source, parts(of, { at: 1, count: 2 }), 'swap'),
    ),
    rule(
      'request = RENDER? (each|every|one) <part> LINEOWN <place>',
      'RENDER (each|every) <part> <place> LINEOWN',
      ([of, source]) => lined(of, source),
    ),
    rule(
      'request = (which|what) (word|name|item|one|of these|of them)? (comes|is|would be|would come|goes) <ordinal> (alphabetically|in alphabetical order|in the alphabet|in the dictionary|by alphabet) <place>',
      ([at, source]) => inOrder(source, at),
    ),
    rule(
      'request 0.05 = (keep|keep only|only keep|leave only|keep just|just keep) the? <part> <place>',
      ([of, source]) => (LETTERED.includes(of) ? done(source, parts(of), 'list', { with: '' }) : undefined),
    ),
    rule(
      'request = (which|what) <part> (appears|occurs|is used|comes up|appear|occur|is repeated) <oftenest> <place>',
      ([of, at, source]) => done(source, parts(of, { by: 'times', at }), 'list'),
    ),
    rule('request = the? <part> only <place>', ([of, source]) =>
      LETTERED.includes(of) ? done(source, parts(of), 'list', { with: '' }) : undefined,
    ),
    rule('request = repeat IT <repeats>', ([n], s) => repeated(n, s)),
    // Around a text.
    rule(
      'request = (add|put|append|insert) <signName> (at the end|to the end|at the end of|to the end of|behind|after) <place>',
      ([sign, { text }]) => asks('text', { op: 'say', text: `${text}${sign.trim()}` }),
    ),
    // Whole words take their blank along.
    rule(
      'request = REMOVE (all|every|each|the word|all the|the words|every word|all occurrences of|any)? <literal> <place>',
      ([find, { text }]) =>
        isItem({ text }, find)
          ? removed({ text }, find, true)
          : /^\p{L}{2,}$/u.test(find) && isWholeWord(find, text)
            ? done({ text }, parts('words', { where: [{ test: 'equals', text: find }] }), 'remove')
            : undefined,
    ),
    rule('request 0.1 = (which|what) <part> RECURS <place> ENDSIGN?', (values) =>
      distinct((values.length > 1 ? values[0] : 'items') as Part, values.at(-1) as Source, TWICE),
    ),
    rule('request = LIST? the? (duplicates|repeated items|repetitions) <place> ENDSIGN?', ([source]) =>
      distinct('items', source, TWICE),
    ),
    // Two lists.
    rule(
      'request = LIST? the? (common|shared|same|mutual) <part> (in|of|between|from) LISTS? :? <source> (and|with|,) <source> ENDSIGN?',
      'what (do|does) LISTS (have in common|share|both have|have both) :? <source> (and|with|,) <source> ENDSIGN?',
      (values) => {
        const [one, other] = values.slice(-2) as unknown as readonly [Source, Source];
        return among(values.length > 2 ? ((values[0] as Part | undefined) ?? 'items') : 'items', one, other, false);
      },
    ),
    rule(
      'request = LIST? <part> (that are|which are|are)? (in|of|from) <source> (but not|that are not|which are not|and not|not) (in|from) <source> ENDSIGN?',
      ([of, one, other]) => among(of, one, other, true),
    ),
    rule(
      'files = (of|from|in|for|on|off)? (each|every|all) FILES? :? <source>',
      '<lot>',
      '(of|from|in|for)? (the)? FILES :? <source>',
      (all) => all.at(-1) as Source,
    ),
    rule('request = LIST? (the|their)? EXTENSION <files> ENDSIGN?', ([{ text }]) =>
      ofFiles(text, (_, ending) => ending),
    ),
    rule(
      'request = REMOVE (the|all|all the|their)? EXTENSION <files>',
      'LIST? (the|these)? FILES? without (the|their|any|an)? EXTENSION <files>',
      ([{ text }]) => ofFiles(text, (name) => name),
    ),
    rule(
      'request = (change|replace|set|switch) (the|all|all the|their)? EXTENSION (to|into|with|by) <literal> <files>',
      ([ending, { text }]) => ofFiles(text, (name) => `${name}.${ending.replace(/^\./, '')}`),
    ),
    rule('request = REMOVE (the|all|all the|any)? (accents|diacritics|accent marks) <wording>', ([{ text }]) =>
      text.includes('{{') ? undefined : answering(text.normalize('NFD').replace(/\p{Mn}/gu, '')),
    ),
    rule('request = PERROW :? <listing>', ([{ text }]) =>
      SEVERAL.test(text) ? asks('text', { op: 'split', text }) : undefined,
    ),
    rule(
      'request = PAD WHAT? (with|using) ZEROS UPTOWIDTH <number:whole> FIGURES? long? :? <listing>',
      '#21 PAD WHAT? <listing> (with|using) ZEROS UPTOWIDTH <number:whole> FIGURES? long?',
      ([n, { text }]) =>
        FIGURES.test(text) ? answering(text.replace(/\d+/g, (one) => one.padStart(whole(n), '0'))) : undefined,
    ),
    // Questions.
    rule(
      'request = (how long is|what length is|what is the length of|the length of) IT',
      (_, { it, previous, after }) =>
        it !== undefined && ['text', 'encode', 'random'].includes(after ?? previous?.task ?? '')
          ? asks('text', { op: 'count', what: 'characters', text: placeholder(it) })
          : undefined,
    ),
    rule(
      'request = (does|do) KIND? <source> (contain|include|have) (any|a|an|some)? <parts> INIT? ENDSIGN?',
      ([source, all]) =>
        VALUED.includes(all.selection.of as string) || all.selection.of === 'numbers'
          ? done(source, all, 'any')
          : undefined,
    ),
  ],
};
