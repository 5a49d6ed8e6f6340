import type { Domain } from '../../language/grammar.ts';
import { rule } from '../../language/grammar.ts';
import type { Case } from '../text/case.ts';
import type { Part } from '../text/parts.ts';
import { spokenText } from './listed.ts';
import type { Num } from './number.ts';
import { done, type Parts, parts, type Source, VALUED, whole } from './selecting.ts';
import { asks, type Free, type Request } from './setting.ts';

const cased = (to: Case, text: string): Request => asks('text', { op: 'case', to, text });
/** Each part of a text on a line of its own. */
const lined = (of: Part, source: Source): Request | undefined => done(source, parts(of), 'list', { with: '\n' });
/** The parts of a text in an order by chance. */
const mixed = ({ text }: Source, of: Part, separator: string): Request => ({
  steps: [
    {
      task: 'text',
      input: { op: 'parts', text, selection: { of, where: [{ test: 'length', min: 1 }] }, does: 'list' },
    },
    { task: 'random', input: { kind: 'shuffle', items: '{{+1}}' } },
    { task: 'text', input: { op: 'join', text: '{{+2}}', separator } },
  ],
});
/** The first letters of words, in capitals. */
const acronym = ({ text }: Source): Request => ({
  steps: [
    { task: 'text', input: { op: 'case', to: 'upper', text } },
    { task: 'text', input: { op: 'parts', text: '{{+1}}', selection: { of: 'words' }, does: 'initial', with: '' } },
  ],
});

/** What is done with a text as a whole: its case, its lines, its letters, and questions about it. */
export const TEXT_REQUESTS: Domain = {
  lexicon: {
    case: {
      'upper case|uppercase|upper-case|all caps|caps|capital letters|all capitals|block letters': 'upper',
      'lower case|lowercase|lower-case|small letters': 'lower',
      'title case|titlecase|title-case|headline case|a title|a headline|title style|a proper title': 'title',
      'sentence case|sentence-case': 'sentence',
      'camel case|camelcase|camel-case': 'camel',
      'pascal case|pascalcase|pascal-case|upper camel case': 'pascal',
      'snake case|snakecase|snake_case|snake-case': 'snake',
      'kebab case|kebabcase|kebab-case|dash case|dash-case': 'kebab',
      'constant case|screaming snake case|constant-case': 'constant',
    },
    MAKE: 'make|turn|convert|change|put|write|transform|rewrite|format|render|set|give me|show|print',
    LINEOWN:
      'on its own line|on a new line|on a separate line|on its own row|on separate lines|in its own line|on a line of its own|per line',
    APPEAR: 'appear|appears|occur|occurs|used|mentioned|found|there|come up|show up|written|present',
    ACRONYM: 'acronym|the acronym|an acronym|initialism|the initials|initials|abbreviation|the abbreviation',
  },
  rules: [
    // Cases.
    rule('request', 'MAKE? <case> (of|for|version of)? <place>', ([to, { text }]: [Case, Source]) => cased(to, text)),
    rule(
      'request',
      'MAKE? the? <case> (of|for|version of) …',
      ([to, { text }]: [Case, Free]) => {
        const own = spokenText(text);
        return own === undefined ? undefined : cased(to, own);
      },
      -0.3,
    ),
    rule('request', 'MAKE <place> (to|into|in|as|all)? <case>', ([{ text }, to]: [Source, Case]) => cased(to, text)),
    rule(
      'request',
      'MAKE (this|it|the text|the following|that|these)? (to|into|in|as|all)? <case> <place>',
      ([to, { text }]: [Case, Source]) => cased(to, text),
    ),
    rule(
      'request',
      'MAKE … (to|into|in|as) <case>',
      ([{ text }, to]: [Free, Case]) => {
        const own = spokenText(text);
        return own === undefined ? undefined : cased(to, own);
      },
      -0.3,
    ),
    // Letters of words.
    rule(
      'request',
      'LIST? the? first (letter|letters|character|characters) (of|from|in) (each|every|all|all the|each of the|the) (word|words) <place>',
      ([source]: [Source]) => done(source, parts('words'), 'initial'),
    ),
    rule(
      'request',
      'LIST? the? last (letter|letters|character|characters) (of|from|in) (each|every|all|all the|each of the|the) (word|words) <place>',
      ([source]: [Source]) => done(source, parts('words'), 'final'),
    ),
    rule('request', 'LIST? (make|create|build)? ACRONYM <place>', ([source]: [Source]) => acronym(source)),
    rule(
      'request',
      '(shuffle|scramble|mix up|jumble|randomize) the? (letters|characters) <place>',
      ([source]: [Source]) => mixed(source, 'characters', ''),
    ),
    rule(
      'request',
      '(shuffle|scramble|mix up|jumble|randomize) (the words|words) (in|of|from) :? <source>',
      ([source]: [Source]) => mixed(source, 'words', ' '),
    ),
    // Order and lines.
    rule(
      'request',
      '(swap|switch|exchange) the? first (and|with) the? last <part> <place>',
      ([of, source]: [Part, Source]) => done(source, parts(of), 'swap'),
    ),
    rule('request', '(swap|switch|exchange) the? (two|first two|2)? <part> <place>', ([of, source]: [Part, Source]) =>
      done(source, parts(of, { at: 1, count: 2 }), 'swap'),
    ),
    rule('request', 'MAKE? (each|every|one) <part> LINEOWN <place>', ([of, source]: [Part, Source]) =>
      lined(of, source),
    ),
    rule('request', 'MAKE (each|every) <part> <place> LINEOWN', ([of, source]: [Part, Source]) => lined(of, source)),
    // Questions.
    rule(
      'request',
      'how (many times|often) (does|do|is|are|did) (the word|the letter|the phrase|the name|the character)? <literal> APPEAR <place> ENDSIGN?',
      ([find, { text }]: [string, Source]) => asks('text', { op: 'count', text, find }),
    ),
    rule(
      'request',
      '(does|do) KIND? <source> (contain|include|have) (any|a|an|some)? <parts> INIT? ENDSIGN?',
      ([source, all]: [Source, Parts]) =>
        VALUED.includes(all.selection.of as string) || all.selection.of === 'numbers'
          ? done(source, all, 'any')
          : undefined,
    ),
    rule('request', '(are|is) there (any|a|an|some)? <parts> <place> ENDSIGN?', ([all, source]: [Parts, Source]) =>
      VALUED.includes(all.selection.of as string) || all.selection.of === 'numbers'
        ? done(source, all, 'any')
        : undefined,
    ),
    rule(
      'request',
      '(repeat|say|write|print) KIND? <place> <number:whole> times',
      ([{ text }, n]: [Source, Num]) => asks('text', { op: 'repeat', text, count: whole(n), separator: ' ' }),
      -0.05,
    ),
  ],
};
