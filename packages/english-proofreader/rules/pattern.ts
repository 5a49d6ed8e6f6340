import type { Proposal } from '../edits.ts';
import { baseOf, gerund, participle, past, thirdPerson } from '../forms.ts';
import type { Token } from '../tokens.ts';
import { type RuleFacts, type Sentence, words } from './rule.ts';

/**
 * Corrections of fixed words by their neighbors. A line is a row of tokens: lower-case words (`go|goes`), names (`Rome`), parts of speech
 * in capitals (`NOUN|PROPN`), or both; `!`: any other token or none; `^` and `$`: the border of the sentence or
 * punctuation. One token is corrected: `there>their`, with `_` between several words and nothing after `>` to delete it.
 * `go~` is each form of a verb, and `make~>take~` corrects each to the same form of the other. `to_*>*ing` corrects any verb
 * in its base form, and `*ed>*` any past form; the star stands for the base. `{bus,train}>the_{}` is a line for each word
 * of the list; `:a`, `:s`, `:ed`, `:past`, `:ing` and `:ly` in such braces stand for forms of it.
 */
export interface Phrases extends RuleFacts {
  /**
   * One plain statement for all lines: `$1` stands for the words, `$2` for what replaces them, `$0` for the words of the
   * line that decide.
   */
  readonly why: string;
  readonly lines: readonly string[];
}

/** The forms of a verb: base, third person, past, participle and gerund. */
const formsOf = (base: string): readonly string[] => [
  base,
  thirdPerson(base),
  past(base),
  participle(base),
  gerund(base),
];
/** The past comes after the participle, because it is meant where both are one word. */
const FORMS = [0, 1, 3, 2, 4];
const inflect = (text: string, form: number): string =>
  text
    .split('_')
    .map((word) => (word.endsWith('~') ? (formsOf(word.slice(0, -1))[form] as string) : word))
    .join('_');

const formOf = (word: string, form = ''): string => {
  if (form === 'a') return `${/^[aeio]/.test(word) ? 'an' : 'a'}_${word}`;
  if (form === 's') return thirdPerson(word);
  if (form === 'ed') return participle(word);
  if (form === 'past') return past(word);
  if (form === 'ing') return gerund(word);
  if (form === 'ly') return /[bp]le$/.test(word) ? word.replace(/e$/, 'y') : `${word}ly`;
  return word;
};

/** The lines for which a line with a list in braces stands. */
function spread(line: string): readonly string[] {
  const list = /\{([^{}:]+)(?::([a-z]+))?\}/.exec(line);
  if (list === null) return [line];
  const [all, each = '', form] = list;
  return each
    .split(',')
    .map((word) =>
      line.replace(all, formOf(word, form)).replace(/\{(?::([a-z]+))?\}/g, (_, other?: string) => formOf(word, other)),
    );
}

interface Test {
  (token: Token | undefined): boolean;
  /** It names words rather than what they are. */
  readonly named?: boolean;
}

interface Pattern {
  readonly target: readonly string[];
  readonly replacement: string;
  readonly before: readonly Test[];
  readonly after: readonly Test[];
  readonly rule: Phrases;
}

const isBorder: Test = (token) => token === undefined || /^[.,;:!?()“”"—–]$/.test(token.text);

/** A capital inside a sentence, because a capitalized word is not the one that a pattern means. */
const isName = (token: Token): boolean =>
  !token.first &&
  /^\p{Lu}/u.test(token.text) &&
  !/^i$|day$|^(?:english|german|french|spanish|italian|portuguese|polish|russian|chinese|japanese|dutch|january|february|march|april|may|june|july|august|september|october|november|december)$/.test(
    token.lower,
  );

/** The tests so far: many lines name the same words. */
const tests = new Map<string, Test>();

function testOf(source: string): Test {
  let test = tests.get(source);
  if (test === undefined) {
    test = newTest(source);
    tests.set(source, test);
  }
  return test;
}

function newTest(source: string): Test {
  const negative = source.startsWith('!');
  const names = new Set(
    source
      .slice(negative ? 1 : 0)
      .split('|')
      .flatMap((name) => (name.endsWith('~') ? formsOf(name.slice(0, -1)) : name)),
  );
  const border = names.has('$') || names.has('^');
  const test: Test = (token) => {
    const fits =
      token === undefined
        ? border
        : (names.has(token.lower) && !isName(token)) ||
          names.has(token.text) ||
          names.has(token.pos) ||
          (border && isBorder(token));
    return fits !== negative && (negative || token?.locked !== true);
  };
  return Object.assign(test, { named: /^['’a-z][a-z'’.|~-]*$/.test(source) });
}

function* read(rule: Phrases): Generator<Pattern> {
  for (const line of rule.lines.flatMap(spread)) {
    const parts = line.split(' ');
    const place = parts.findIndex((part) => part.includes('>'));
    const [targets = '', replacement = ''] = (parts[place] as string).split('>');
    const testsBefore = parts.slice(0, place).map(testOf);
    const testsAfter = parts.slice(place + 1).map(testOf);
    const pairs = targets
      .split('|')
      .flatMap((target) =>
        (target.includes('~') ? FORMS : [0]).map(
          (form) => [inflect(target, form), inflect(replacement, form)] as const,
        ),
      );
    for (const [target, right] of new Map(pairs)) {
      yield {
        target: target.split('_'),
        replacement: right.replaceAll('_', ' '),
        before: testsBefore,
        after: testsAfter,
        rule,
      };
    }
  }
}

/** The patterns that begin with a word: those of it alone, and those of several words by the second one. */
interface Indexed {
  readonly alone: readonly Pattern[];
  readonly longer: ReadonlyMap<string, readonly Pattern[]>;
}
const NONE: Indexed = { alone: [], longer: new Map() };

/** What stars stand for: a verb in its base form, with “s”, in a past form or with “ing”. */
const ANY = ['*', '*s', '*ed', '*ing'];
const isAny = (word: string): boolean => word.startsWith('*');
/** Verbs that are nouns as often: “I don't want help” takes no “to”. */
const ALSO_NOUNS = words('help work change love use support sleep play side time');
function baseFor(word: string, token: Token | undefined, alone = false): string | undefined {
  if (token === undefined || token.locked || token.text !== token.lower) return undefined;
  const { pos, lower } = token;
  if (word === '*' && alone && ALSO_NOUNS.has(lower)) return undefined;
  if (pos !== 'VERB' && !(pos === 'AUX' && /^(?:be|have|do)$/.test(lower))) return undefined;
  const base = baseOf(lower);
  // A form of a verb that is not known stands for itself: "divulging".
  if (base === lower && /(?:[^e]ed|...ing)$/.test(lower)) return undefined;
  const forms = {
    '*': [base],
    '*ed': [past(base), participle(base)],
    '*ing': [gerund(base)],
    '*s': [thirdPerson(base)],
  }[word];
  return forms?.includes(lower) && (word === '*' || lower !== base) ? base : undefined;
}

/** Finds what rules about fixed words correct, by the words that each line corrects. */
export function matcher(rules: readonly Phrases[]): (sentence: Sentence) => Generator<Proposal> {
  const all = rules.flatMap((rule) => [...read(rule)]);
  const order = new Map(all.map((pattern, place) => [pattern, place] as const));
  const index = new Map<string, Indexed>();
  for (const [word, patterns] of Map.groupBy(all, ({ target }) => target[0] as string)) {
    const alone = patterns.filter(({ target }) => target.length === 1);
    const longer = patterns.filter(({ target }) => target.length > 1);
    index.set(word, { alone, longer: Map.groupBy(longer, ({ target }) => target[1] as string) });
  }
  const earlier = (first: Pattern | undefined, second: Pattern | undefined): Pattern | undefined =>
    first === undefined || (second !== undefined && (order.get(second) as number) < (order.get(first) as number))
      ? second
      : first;
  return function* (sentence) {
    for (let start = 0; start < sentence.length; start += 1) {
      const { lower, pos } = sentence[start] as Token;
      const next = sentence[start + 1]?.lower ?? '';
      const fits = (pattern: Pattern): boolean => stands(sentence, start, pattern);
      let found: Pattern | undefined;
      for (const word of /^(?:VERB|AUX)$/.test(pos) ? [lower, ...ANY] : [lower]) {
        const { alone, longer } = index.get(word) ?? NONE;
        for (const second of [next, ...ANY]) found = earlier(found, longer.get(second)?.find(fits));
        found = earlier(found, alone.find(fits));
      }
      const one = found && proposal(sentence, start, found);
      // “French” is right as it stands.
      if (one !== undefined && (found?.target.length !== 1 || one.replacement !== sentence[start]?.text)) yield one;
    }
  };
}

/** Whether a verb is what a star stands for, and no other form of it is the same: "has not come". */
function differs({ target, replacement }: Pattern, word: string, token: Token | undefined): boolean {
  const base = baseFor(word, token, target.length === 1);
  return base !== undefined && (target.length > 1 || inserted(replacement, base) !== token?.lower);
}

const inserted = (replacement: string, base: string): string =>
  replacement.replace(/\*([a-z]*)/, (_, form: string) => (form === '' ? base : formOf(base, form)));

function stands(sentence: Sentence, start: number, pattern: Pattern): boolean {
  const { target, before: testsBefore, after: testsAfter } = pattern;
  const end = start + target.length;
  return (
    target.every(
      (word, n) => isAny(word) || (sentence[start + n]?.lower === word && sentence[start + n]?.locked === false),
    ) &&
    testsBefore.every((test, n) => test(sentence[start - testsBefore.length + n])) &&
    testsAfter.every((test, n) => test(sentence[end + n])) &&
    target.every((word, n) => !isAny(word) || differs(pattern, word, sentence[start + n]))
  );
}

function proposal(sentence: Sentence, start: number, pattern: Pattern): Proposal {
  const { target, replacement: written, rule } = pattern;
  const { id, kind, why, doubt = false } = rule;
  const first = sentence[start] as Token;
  const last = sentence[start + target.length - 1] as Token;
  const previous = sentence[start - 1];
  const place = target.findIndex(isAny);
  const base = place < 0 ? undefined : baseFor(target[place] as string, sentence[start + place]);
  const replacement = base === undefined ? written : inserted(written, base);
  const phrase = target.map((word, n) => (isAny(word) ? (sentence[start + n] as Token).lower : word)).join(' ');
  // What is deleted leaves no word that the reason could name.
  const reason = replacement === '' && why.includes('$2') ? 'No “$1” stands here.' : why;
  const explanation = reason
    .replace(/ with \$0/, deciding(sentence, start, pattern, ' with '))
    .replace(/^With \$0 /, deciding(sentence, start, pattern, 'With ') || 'Here ')
    .replaceAll('$1', phrase.replace(/ (?=n't|['’])/g, ''))
    .replaceAll('$2', replacement);
  const made = { kind, explanation, rule: id, doubt };
  // A deleted word goes with the space before it.
  if (replacement === '' && previous !== undefined) return { start: previous.end, end: last.end, replacement, ...made };
  const capital = /^\p{Lu}/u.test(first.text) && !/^I\b/.test(first.text);
  const text = capital ? replacement.charAt(0).toUpperCase() + replacement.slice(1) : replacement;
  // Of as many words only those that differ are shown: "deep breathe".
  const tokens = sentence.slice(start, start + target.length);
  const right = text.split(' ');
  const isSame = ({ text: word }: Token, n: number): boolean => word === right[n];
  if (right.length !== tokens.length || tokens.every(isSame) || tokens.some(({ spaced }, n) => n > 0 && !spaced))
    return { start: first.start, end: last.end, replacement: text, ...made };
  const from = tokens.findIndex((token, n) => !isSame(token, n));
  const to = tokens.findLastIndex((token, n) => !isSame(token, n));
  const [head, tail] = [tokens[from] as Token, tokens[to] as Token];
  return { start: head.start, end: tail.end, replacement: right.slice(from, to + 1).join(' '), ...made };
}

/** The nearest words that a line names beside what it corrects, in quotation marks; empty where it names none. */
function deciding(sentence: Sentence, start: number, pattern: Pattern, lead: string): string {
  const { target, before, after } = pattern;
  const first = start - before.length;
  const last = start + target.length;
  const leftWords = before.map((test, n) => (test.named ? sentence[first + n]?.text : undefined));
  const rightWords = after.map((test, n) => (test.named ? sentence[last + n]?.text : undefined));
  // The words that touch it decide before those that are farther off.
  const beside = [
    leftWords.slice(leftWords.lastIndexOf(undefined) + 1),
    rightWords.slice(0, [...rightWords, undefined].indexOf(undefined)),
  ];
  const named = [...beside, leftWords, rightWords]
    .map((side) => side.filter((text) => text !== undefined))
    .find((side) => side.length > 0);
  if (named === undefined) return '';
  return `${lead}“${named
    .join(' ')
    .replace(/ (?=n't|['’])/g, '')
    .replace(/^n't/, 'not')}”${lead.startsWith(' ') ? '' : ' '}`;
}
