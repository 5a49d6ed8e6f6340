import type { Json } from '@mailroom/behavior/values/json';
import { withoutTrailing } from '@mailroom/behavior/values/trailing';
import type { Domain } from '../../language/grammar.ts';
import type { Token } from '../../language/lexer.ts';
import { placeholder } from '../clause.ts';
import type { Part } from '../text/parts.ts';
import { spokenText } from './listed.ts';
import { rulesOf } from './rules.ts';
import { NUMERIC, not, type Parts, parts, SINGLE, type Source, type Test, where, whole } from './selecting.ts';
import type { Setting } from './setting.ts';
import { each, GIVING } from './text-words.ts';

const REFERRING_WORDS =
  'this that them these those there here its their everything all each every text texts result results answer output list title sentence word words string file document message following above below one ones two both again'.split(
    ' ',
  );
/** Words that name a text which stands elsewhere. */
const REFERRING = new RegExp(`^(?:${REFERRING_WORDS.join('|')})$`, 'i');

const QUOTED = /^(?:"[^"\n]*"|“[^”\n]*”|‘[^’\n]*’|«[^»\n]*»|`[^`\n]*`|'(?:[^'\n]|\b'\b)*')$/;

/** Whether it is the colon of "https://". */
const isScheme = (tokens: readonly Token[], at: number): boolean =>
  tokens[at]?.text === ':' && tokens[at + 1]?.text === '/' && tokens[at + 1]?.spaced === false;

/** Letters with digits or signs among them, such as "hello123": several tokens without a blank between them. */
function joinedAt(tokens: readonly Token[], start: number): { readonly text: string; readonly to: number } | undefined {
  let to = start;
  let text = '';
  for (; to < tokens.length; to++) {
    const { kind, spaced, text: part } = tokens[to] as Token;
    if (
      (to > start && spaced) ||
      !(
        kind === 'word' ||
        kind === 'number' ||
        (kind === 'sign' && (/[_.@#$%&*,;|/!-]/.test(part) || isScheme(tokens, to)))
      )
    )
      break;
    text += part;
  }
  const own = withoutTrailing(text, '.,;');
  const figures = /^\d+(?:([/.-])\d+)(?:\1\d+)*$/.test(own) && /^(?:in|of|from)$/.test(tokens[start - 1]?.lower ?? '');
  return to > start + 1 && (figures || /\p{L}/u.test(own)) && own === text && tokens[to]?.spaced !== false
    ? { text, to }
    : undefined;
}

/** Parts that are chosen in each of the larger parts by itself. */
const inner = ({ selection }: Parts, within: Part): Parts | undefined =>
  ['words', 'lines', 'sentences', 'items'].includes(within) && selection.within === undefined
    ? { selection: { ...selection, within: within as 'words' }, plain: false }
    : undefined;

type Bound = 'over' | 'under' | 'min' | 'max';
const LENGTHS: Readonly<Record<Bound, (n: number) => { readonly min?: number; readonly max?: number }>> = {
  over: (n) => ({ min: n + 1 }),
  under: (n) => ({ max: n - 1 }),
  min: (min) => ({ min }),
  max: (max) => ({ max }),
};

const rule = rulesOf<{ bound: Bound; 'one-part': Part; lettered: Part }>();

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
      'html tags|html tag|html|html markup|html code|xml tags|tags of html': 'tags',
      'number|numbers|figures|numeric values': 'numbers',
      'line|lines|row|rows': 'lines',
      'sentence|sentences': 'sentences',
      'item|items|entry|entries|element|elements|name|names|value|values|ones|of these|of them|of those': 'items',
    },
    'one-part': {
      word: 'words',
      letter: 'letters',
      'character|char': 'characters',
      vowel: 'vowels',
      consonant: 'consonants',
      'capital letter|uppercase letter': 'capitals',
      digit: 'digits',
      number: 'numbers',
      'line|row': 'lines',
      sentence: 'sentences',
      'item|entry|element|name|value|of these|of them|of those|one': 'items',
    },
    /** Parts of each word, where several are meant without a number: "the first letters". */
    lettered: { letters: 'letters', 'characters|chars': 'characters' },
    PLACE: 'in|of|from|for|within|inside|on|out of',
    KIND: 'text|the text|this text|the following text|word|the word|sentence|the sentence|this sentence|phrase|the phrase|string|the string|list|the list|this list|the following|following|this line|these|the following list|these words|these items|these lines|these numbers|the following sentence|the following words|the following lines|the name',
    LIST: GIVING.concat(
      "|which of these|which of the|which of those|which of the following|grep|what are|what is|what's|whats|which is|which are|which|filter|filter out only|only|just|what",
    ),
    COUNT: each(
      "|tell me|say|give me|get|get me|find|find out|show me|i need|i want|i need to know|i have to know|we need to know|i want to know|what is|what's|calculate|work out|determine|count|count up|check",
      'how many|total number of|the number of|number of|the total number of|the count of',
    ).concat('|count|count up|count all|how many of the|tally|tally up'),
    ALL: 'all|all of|all the|all of the|every|each|each of the|any|the|the following|only|only the|just the|just|of the|every one of the|any of the',
    REMOVE:
      'strike out|strike|cross out|weed out|throw out|throw away|eliminate|purge|scrub|clear out|discard|clean out|wipe|wipe out|scrap|kick out|do away with|remove|delete|drop|strip|take out|get rid of|cut|erase|strip out|omit|trim|chop|chop off|cut off|trim off|take off|strip off|take away|trim away|leave out',
    INIT: 'in it|in there|inside|inside it|anywhere|somewhere in it',
    change: {
      'uppercase|upper case|upper-case|upcase|capitalise all of|make uppercase': 'upper',
      'lowercase|lower case|lower-case|downcase|decapitalize|decapitalise': 'lower',
      'capitalize|capitalise': 'capital',
      'reverse|flip': 'reverse',
      'double|duplicate': 'double',
    },
    rank: {
      'longest|largest': ['length', -1],
      shortest: ['length', 1],
      'most common|most frequent|commonest|most used|most repeated': ['times', -1],
      'least common|least frequent|rarest': ['times', 1],
    },
    valued: { 'largest|biggest|highest|greatest|maximum|max': -1, 'smallest|lowest|least|minimum|min': 1 },
    utmost: { 'top|highest|largest|biggest': -1, 'bottom|lowest|smallest': 1 },
    BEGIN:
      'opening with|open with|opens with|start with|starts with|starting with|begin with|begins with|beginning with|starts in|start in|started with|starting in',
    END: 'end with|ends with|ending with|end in|ends in|ending in|ending on',
    HOLD: 'contain|contains|containing|include|includes|including|mention|mentions|mentioning',
    THAT: 'that|which|who|where they|if they|whose names|whose name|whose title|whose titles',
    EXCEPT:
      'but|but for|except|except for|excluding|but not|other than|apart from|besides|ignoring|leaving out|not counting|without counting|without|minus',
    bound: {
      'more than|over|longer than|above|greater than|bigger than|larger than|higher than|exceeding': 'over',
      'less than|fewer than|under|shorter than|below|smaller than|lower than': 'under',
      'at least|no less than|a minimum of|not less than': 'min',
      'at most|no more than|up to|a maximum of|not more than': 'max',
    },
    parity: { even: 'even', odd: 'odd' },
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
    opening: {
      'capital|capitals|capital letter|capital letters|uppercase letter|uppercase|upper case letter|uppercase letters':
        'capital',
      'vowel|vowels': 'vowel',
      'consonant|consonants': 'consonant',
      'digit|digits|number|numbers': 'digit',
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
  recognize: (tokens, add, { table, fromItems }: Setting) => {
    for (const [index, { kind, text, spaced }] of tokens.entries()) {
      const joined = spaced ? joinedAt(tokens, index) : undefined;
      // What stands behind "file" is its name.
      const ofFile = /^(?:files?|documents?|attachment|folder)$/.test(tokens[index - 1]?.lower ?? '');
      if (joined !== undefined) {
        add('literal', index, joined.to, joined.text);
        if (!ofFile) add('source', index, joined.to, { text: joined.text }, -0.3);
      }
      if (kind === 'quoted' && text.length > 1) {
        add('literal', index, index + 1, text.slice(1, -1));
        add('exact', index, index + 1, text.slice(1, -1));
        add('source', index, index + 1, { text: text.slice(1, -1) });
      } else if (kind === 'word' || kind === 'number' || (kind === 'sign' && text !== ':' && text !== '…')) {
        add('literal', index, index + 1, text, kind === 'word' && text.length > 1 ? -0.2 : -0.1);
        if (text.length === 1) add('exact', index, index + 1, text, -0.1);
        if (kind === 'number' && text.length > 3) add('source', index, index + 1, { text }, -0.3);
        // "This" is a text only behind a colon.
        if (kind === 'word' && text.length > 2 && !ofFile && (!REFERRING.test(text) || tokens[index - 1]?.text === ':'))
          add('source', index, index + 1, { text }, -0.3);
      } else if (kind === 'data' && fromItems !== true) {
        const own = text.length < 10_000 && QUOTED.test(text) ? text.slice(1, -1) : text;
        add('source', index, index + 1, { text: own }, table === undefined ? 0 : -0.5);
        add('data', index, index + 1, own);
      } else if (kind === 'json' && text.startsWith('[')) {
        const items = JSON.parse(text) as readonly Json[];
        if (items.every((one) => typeof one !== 'object'))
          add('source', index, index + 1, { text: items.join(', ') }, -0.05);
      } else if (kind === 'address') add('source', index, index + 1, { text }, -0.3);
      else if (kind === 'url') add('link', index, index + 1, { text });
      else if (kind === 'reference') add('source', index, index + 1, { text: text.replaceAll(' ', '') });
    }
  },
  tests: {},
  rules: [
    rule('source = (it|that|this|them|these|those|the text|the result|the list|it again|them again)', (_, { it }) =>
      it === undefined ? undefined : { text: placeholder(it) },
    ),
    rule(
      'source = (the alphabet|the english alphabet|alphabet)',
      (): Source => ({ text: 'abcdefghijklmnopqrstuvwxyz' }),
    ),
    rule('source -0.2 = <list:several>', ([{ items }]) =>
      items.every(
        ({ ops, unit, plain, spelled }) => ops === 0 && unit === undefined && plain !== undefined && spelled !== true,
      )
        ? { text: items.map(({ expr }) => expr).join(', ') }
        : undefined,
    ),
    rule('place = PLACE? KIND? :? <source>'),
    // A text without quotation marks, up to the end.
    rule('place -0.6 = PLACE KIND? …', ([{ text }]) => {
      const own = spokenText(text);
      return own === undefined ? undefined : ({ text: own } satisfies Source);
    }),
    // Conditions.
    rule(
      'test = THAT? BEGIN (the|a|an)? (letter|letters|word)? <literal>',
      ([text]): Test => ({ test: 'begins', text }),
    ),
    // A kind of letter rather than a word.
    rule('test 0.3 = THAT? BEGIN (a|an|the)? <opening>', ([opens]): Test => ({ test: 'opens', text: opens })),
    rule('test = THAT? END (the|a|an)? (letter|letters|word)? <literal>', ([text]): Test => ({ test: 'ends', text })),
    rule(
      'test -0.1 = THAT? HOLD (the|a|an)? (letter|letters|word)? <literal>',
      'THAT? (with|has|have|having) (a|an)? <named>',
      ([text]): Test => ({ test: 'contains', text }),
    ),
    // A word for a sign rather than that word.
    rule('test 0.2 = THAT? HOLD (the|a|an|any)? <signed>', ([text]): Test | undefined =>
      text === '' ? undefined : { test: 'contains', text },
    ),
    rule('named = (the|a|an)? (letter|letters|word) <literal>', 'the? <exact>'),
    rule(
      'test = THAT? (are|is|have|has|with|of)? exactly? <number:whole> LONG',
      ([n]): Test => ({ test: 'length', min: whole(n), max: whole(n) }),
    ),
    rule(
      'test = THAT? (are|is|have|has|with|of)? <bound> <number:whole> LONG',
      ([bound, n]): Test => ({ test: 'length', ...LENGTHS[bound](whole(n)) }),
    ),
    rule(
      'valued-test = THAT? (are|is|of)? <bound> <number:plain>',
      ([bound, n]): Test => ({ test: 'value', [bound]: whole(n) }),
    ),
    rule(
      'valued-test = THAT? (are|is)? between <number:plain> and <number:plain>',
      ([a, b]): Test => ({ test: 'value', min: Math.min(whole(a), whole(b)), max: Math.max(whole(a), whole(b)) }),
    ),
    rule(
      'test = THAT? (appear|appears|occur|occurs|appearing|occurring) (only once|once|exactly once)',
      (): Test => ({ test: 'times', min: 1, max: 1 }),
    ),
    rule("not-test = THAT? (do not|does not|don't|doesn't|not) <test>", ([test]) => not(test)),
    rule(
      'not-test -0.1 = (without|lacking) (a|an|any)? <named>',
      ([text]): Test => ({ test: 'contains', text, not: true }),
    ),
    // "Words without a" have no such letter, and "words except the" are others than that.
    rule('not-test 0.1 = (without|lacking) (a|an|any)? <exact>', ([text]): Test | undefined =>
      /^\p{L}$/u.test(text) ? { test: 'contains', text, not: true } : undefined,
    ),
    rule('not-test -0.3 = EXCEPT <named>', ([text]): Test => ({ test: 'equals', text, not: true })),
    rule('late-test = <not-test>', '<blank-test>'),
    rule(
      'blank-test = EXCEPT (the|any)? (spaces|blanks|whitespace)',
      (): Test => ({ test: 'equals', text: '', not: true }),
    ),
    rule('number-test = EXCEPT (the|any|all)? (numbers|digits|figures)', (): Test => ({ test: 'number', not: true })),
    rule('valued-test = THAT? (are|is)? <parity>', ([test]): Test => ({ test })),
    rule('parts = ALL? <parity> <part>', ([test, of]) =>
      NUMERIC.includes(of) ? parts(of, { where: [{ test }] }) : undefined,
    ),
    // Which parts.
    rule('parts = ALL? <part>', ([of]): Parts => ({ selection: { of }, plain: true })),
    // In "words minus 1" the figure is no word.
    rule('parts = <parts> <test>', '<parts> <not-test>', ([all, test]) =>
      // What lines have "but not" is no line.
      (test.test === 'equals' &&
        all.selection.of === 'lines' &&
        (all.selection.where ?? []).some((one) => one.test !== 'equals')) ||
      (/^\d+$/.test(test.text ?? '') && test.test === 'equals' && !NUMERIC.includes(all.selection.of)) ||
      // No sign has a word in it, and no word a blank.
      (/^(?:contains|equals)$/.test(test.test) &&
        ((SINGLE.includes(all.selection.of) && /^..+/.test(test.text ?? '')) ||
          (/^\s+$/.test(test.text ?? '') && [...SINGLE, 'words', 'numbers'].includes(all.selection.of))))
        ? undefined
        : where(all, test),
    ),
    rule('parts = <parts> (and|but|,) <test>', '<parts> (and|but|,) <not-test>', ([all, test]) =>
      all.plain ? undefined : where(all, test),
    ),
    rule('parts = <parts> <number-test>', ([all, test]) =>
      ['words', 'items'].includes(all.selection.of as string) ? where(all, test) : undefined,
    ),
    rule('parts = <parts> <valued-test>', ([all, test]) =>
      ['numbers', 'items'].includes(all.selection.of as string) ? where(all, test) : undefined,
    ),
    rule('parts = (the|only the|just the|only)? <ordinal> <one-part>', ([at, of]) => parts(of, { at })),
    rule('parts -0.1 = (the|only the|just the|only)? <ordinal> <lettered>', ([at, of]) =>
      inner(parts(of, { at }), 'words'),
    ),
    rule('parts = (the|only the|just the|only)? (second to last|second last|penultimate|next to last) <part>', ([of]) =>
      parts(of, { at: -2 }),
    ),
    rule('parts = (the|only the|just the|only)? <ordinal> (and|to|through) the? <ordinal> <part>', ([from, to, of]) =>
      from > 0 && to === from + 1 ? parts(of, { at: from, count: 2 }) : undefined,
    ),
    rule('parts = (the|only the|just the|only)? <ordinal> <number:whole> <part>', ([at, n, of]) =>
      Math.abs(at) === 1 ? parts(of, { at, count: whole(n) }) : undefined,
    ),
    rule('parts = (the|only the)? <ordinal>? <rank> <part>', ([n = 1, [by, at], of]) =>
      of === 'numbers' || (by === 'length' && SINGLE.includes(of)) ? undefined : parts(of, { by, at: n * at }),
    ),
    rule('parts = (the|only the)? <number:whole> <rank> <part>', ([n, [by, at], of]) =>
      of === 'numbers' || by !== 'length' || SINGLE.includes(of)
        ? undefined
        : parts(of, { by, at, ...(whole(n) > 1 && { count: whole(n) }) }),
    ),
    rule('parts = (the|only the)? <ordinal>? <valued> digit', ([n = 1, at]) =>
      parts('digits', { by: 'value', at: n * at }),
    ),
    rule('parts = (the|only the)? <ordinal>? <valued> number', ([n = 1, at]) =>
      parts('numbers', { by: 'value', at: n * at }),
    ),
    rule('parts = the? <part> <number:whole> (to|-|through|until|up to) <number:whole>', ([of, from, to]) =>
      whole(from) > 0 && whole(to) > whole(from)
        ? parts(of, { at: whole(from), count: whole(to) - whole(from) + 1 })
        : undefined,
    ),
    rule('parts = (every|each) <ordinal> <part>', ([every, of]) => (every > 1 ? parts(of, { every }) : undefined)),
    rule('parts = every other <part>', ([of]) => parts(of, { every: 2 })),
    rule('parts = (everything|all|the whole text|all of it|the rest|anything) EXCEPT <parts>', ([{ selection }]) =>
      selection.except === undefined ? { selection: { ...selection, except: 'rest' }, plain: false } : undefined,
    ),
    rule('parts = ALL? <part> EXCEPT (the|only the)? <ordinal> one?', ([of, at]) =>
      parts(of, { at, except: 'others' }),
    ),
    rule('parts = the? <ordinal> <part> (in|of|from|on|for) (each|every|each of the) <part>', ([at, of, part]) =>
      inner(parts(of, { at }), part),
    ),
    rule(
      'parts = <parts> (in|of|from|on|for) (each|every|each of the) <part>',
      '<parts> (per|by) <one-part>',
      ([all, part]) => inner(all, part),
    ),
    rule('parts -0.1 = ALL? <part> (with|that have) (the word|the text)? <literal>', ([of, text]) =>
      of === 'lines' ? parts(of, { where: [{ test: 'contains', text }] }) : undefined,
    ),
    // Occurrences of a literal text.
    rule(
      'matches -0.1 = (the|only the|only)? <ordinal> <literal>',
      '0 = (the|only the|only)? <ordinal> <signed>',
      ([at, find]) => parts('matches', { find, at }),
    ),
  ],
};
