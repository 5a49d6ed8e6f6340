import { withoutTrailing } from '@mailroom/behavior/values/trailing';
import type { Domain, Recognizer } from '../../language/grammar.ts';
import type { Token } from '../../language/lexer.ts';
import { rule } from './rules.ts';
import { asks, type Request } from './setting.ts';
import { TEXT_WORDS } from './text-words.ts';

/** A regular expression as written, with or without slashes; undefined for plain words. The sandbox says what is wrong with it. */
function patternOf(text: string): { readonly source: string; readonly flags: string } | undefined {
  const [, inside, flags = ''] = /^\/(.+)\/([a-z]{0,6})$/.exec(text) ?? [];
  const source = inside ?? text.replace(/^(["'`])(.*)\1$/, '$2');
  return inside === undefined && !/[\\[\](){}^$*+?|.]/.test(source) ? undefined : { source, flags };
}

/** The code of a pattern; `whole`: that matches all of the text. Undefined for one that may not be part of a script. */
function patternCode(text: string, more: string, whole = false): string | undefined {
  const found = patternOf(text);
  // A reference is no part of a script.
  if (found === undefined || found.source.includes('{{')) return undefined;
  const flags = [...new Set(found.flags + more)].join('');
  return `new RegExp(${JSON.stringify(whole ? `^(?:${found.source})$` : found.source)}, '${flags}')`;
}

/** What no plain text contains: an escape, a class of characters, a repetition, an anchor. */
const LIKE_REGEX = /\\[a-z]|\][*+?{]|\.[*+]|\w\+|^\^|\$$/i;
/** Words around a pattern and its text that say nothing but what is to be done with them. */
const KNOWN = new Set(
  `a an the this that these those it its is are does do did will would can could please check test verify validate make sure see
tell me us show give get find list extract pull out return print run apply use using try if whether which what who how many often
times of in on over against with by from for to under and or according text string strings word words code codes value values
line lines item items entry entries name names input whole full entire complete regex regexp regular expression expressions
pattern patterns match matches matched matching fit fits fitting pass passes satisfy satisfies comply complies conform conforms
accept accepts accepted valid ok okay right correct hit hits occurrence occurrences everything all any every each them here
below above following have has had there number count i we you just only mean ones one follows that's so now then against
tested true yes no case ignoring ignore regardless insensitive case-insensitive
case-insensitively fully substring not don't doesn't isn't aren't somewhere completely single be been being replace replaced replaces substitute swap change everywhere`.split(
    /\s+/,
  ),
);
const REPLACES = /\b(?:replace|substitute|swap|change)\b/;
const COUNTS = /\b(?:how (?:many|often)|count|number of)\b/;
/** Some of several, each of which is tried by itself. */
const CHOOSES =
  /\b(?:which|what)\b.*\b(?:match|fit|pass|valid|accepted|matched)(?:e?s)?\b|\b(?:lines|items|words|ones|entries|codes|names|values) (?:matching|(?:that|which) (?:match|fit|pass|are))\b/;
const EACH = /\b(?:how many|count|number of) (?:of|lines|items|codes|entries|values|names|words|ones)\b/;
const TESTS = /\b(?:whether|if|does|do|is|are|verify|validate|test|check|sure|would|will|can)\b/;
const LISTS =
  /^(?:and |to )?(?:find|list|extract|pull|give|get|show|return|print|run|apply|use|everything|all|matches|hits)\b(?!.*\b(?:whether|if)\b)/;
const MATCHES_ONE =
  /\b(?:match|fit|pass|valid|accepted|matched|test|ok|okay|compl(?:y|ie)|conform|satisf(?:y|ie)|in line with|against)(?:e?s)?\b/;
const NOT = /\b(?:not|don['’]?t|doesn['’]?t|isn['’]?t|aren['’]?t)\b/;
const IGNORES = /\b(?:ignor(?:e|ing)|regardless of|whatever|case[- ]insensitive(?:ly)?)\b/;
const WHOLE = /\b(?:whole|full|entire|complete|fully|completely)\b/;
/** What is only said of the pattern before the request: "we check codes with ^A in our shop, so does …". */
const TOLD = /^(?:(?:we|i|our|my|the|for|in|because|since) )[^,]*, (?:so |and |then )*(?=\S)/;

interface Chunk {
  readonly text: string;
  readonly quoted: boolean;
}

/** What stands between blanks, where a quotation is one, without the signs that end a sentence. */
function chunksOf(tokens: readonly Token[]): readonly Chunk[] {
  const found: { text: string; quoted: boolean }[] = [];
  for (const { kind, text, spaced } of tokens) {
    const last = found.at(-1);
    if (kind === 'quoted' && spaced) found.push({ text: text.slice(1, -1), quoted: true });
    else if (kind === 'json' && /[":,]/.test(text)) found.push({ text, quoted: true });
    else if (spaced || last === undefined) found.push({ text, quoted: false });
    else if (last.quoted) {
      if (!/^[?.,;:!]$/.test(text)) return [];
    } else last.text += text;
  }
  return found;
}
/** Without the signs at its end, of which one behind a backslash belongs to a pattern. */
function bare(text: string): string {
  const kept = withoutTrailing(text, ',;:!.');
  return kept.endsWith('\\') ? text.slice(0, kept.length + 1) : kept;
}
const isPattern = ({ text, quoted }: Chunk): boolean =>
  !quoted && (LIKE_REGEX.test(text) || /^\/.+\/[a-z]*$|^\[[^\]\s]{2,80}\]$/.test(text));

/** What no sum has. */
const STRONG = /\\[a-z]|^\^|\$$|\[[^[\]]+\]|\.[*+]|^\/.+\/[a-z]*$/i;
const NAMED = /\b(?:regexp?|pattern|regular expression|match(?:e[sd]|ing)?)\b/i;
/** "regex: …" and "text: …" on lines of their own. */
const LABELLED =
  /^(?:the )?(?:regexp?|pattern|regular expression): (\S[^\n]*)\n(?:the )?(?:text|string|input|sample): (\S[\s\S]*)$/i;

function requestOf(said: readonly Token[], given: string | undefined): Request | undefined {
  const [, labelled, labelledText] = (given !== undefined && LABELLED.exec(given)) || [];
  const chunks = chunksOf(said);
  const patterns = chunks.filter(isPattern);
  const [only, ...others] =
    patterns.length === 0 && labelled !== undefined ? [{ text: labelled, quoted: false }] : patterns;
  if (only === undefined || others.length > 0) return undefined;
  const rest = chunks.filter((one) => one !== only);
  const marked = rest.map(({ text, quoted }) => (quoted ? '‹›' : text)).join(' ');
  const told = TOLD.exec(marked.toLowerCase());
  const words = (told === null ? marked : marked.slice(told[0].length)).replace(PARTLY, '');
  const [, by] =
    /\b(?:with|by|for|to|into) (?:an? )?(?:single )?(\S+)/.exec(REPLACES.test(words.toLowerCase()) ? words : '') ?? [];
  const quoted = rest.filter((one) => one.quoted).map(({ text }) => text);
  const replacement = by === undefined ? undefined : by === '‹›' ? quoted.shift() : (signOf(by) ?? by);
  const unknown = words
    .split(' ')
    .map(bare)
    .filter((word) => word !== '' && word !== '‹›' && word !== by && !KNOWN.has(word.toLowerCase()));
  const data = labelled !== undefined ? labelledText : given;
  const texts = [
    ...(data === undefined ? [] : [data]),
    ...quoted,
    ...(unknown.length === 0 ? [] : [unknown.join(', ')]),
  ];
  const [text, more] = texts;
  if (text === undefined || more !== undefined) return undefined;
  // Several words without a sign between them may be one text or several.
  const listed = unknown.slice(0, -1).every((word) => words.includes(`${word},`) || words.includes(`${word} and `));
  if (!listed || (!STRONG.test(only.text) && !NAMED.test(words))) return undefined;
  if (!unknown.every((word) => isApart(words.split(' '), word))) return undefined;
  return asked(words.toLowerCase(), bare(only.text), text, replacement);
}

/** "And no mere part of it", behind a text that is to match as a whole. */
const PARTLY =
  /,? (?:and |but )?(?:never|not|no) (?:just |only )?(?:a |the |any )?(?:mere )?(?:part|substring|piece)s? of (?:it|them)/i;
const BEFORE_TEXT =
  /^(?:does|do|is|are|whether|if|that|would|will|can|the|word|text|string|code|value|name|of|in|on|to|for|from|against|with|and|or|.*[,:])$/i;
const BEHIND_TEXT =
  /^(?:match|fit|pass|satisf(?:y|ies)|compl(?:y|ies)|conforms?|matched|matching|accepted|valid|against|with|in|for|is|and|or|be|by|a|does)(?:e?s)?,?$/i;
/** Whether a word is no part of a longer text, which other words of it would belong to. */
function isApart(words: readonly string[], word: string): boolean {
  const at = words.findIndex((one) => bare(one) === word);
  const [before, own = '', behind] = [words[at - 1], words[at], words[at + 1]];
  return (
    (before === undefined || BEFORE_TEXT.test(before)) &&
    (behind === undefined || /[,?.!]$/.test(own) || BEHIND_TEXT.test(behind))
  );
}

/** What the words ask about a pattern and a text. */
function asked(words: string, pattern: string, text: string, replacement: string | undefined): Request | undefined {
  const flags = IGNORES.test(words) ? 'i' : '';
  const negative = NOT.test(words);
  const source = (flag: string): string | undefined => patternCode(pattern, flags + flag, WHOLE.test(words));
  const ask = (use: (regex: string) => string, flag = 'g'): Request | undefined => {
    const regex = source(flag);
    return regex === undefined ? undefined : asks('run', { code: use(regex), input: text });
  };
  if (REPLACES.test(words))
    return replacement === undefined || negative
      ? undefined
      : ask((regex) => `input.replace(${regex}, ${JSON.stringify(replacement)})`);
  const each = EACH.test(words);
  if (COUNTS.test(words) && !negative && !each) return ask((regex) => `(input.match(${regex}) ?? []).length`);
  const ofWords = /\bwords\b/.test(words) && !/[,\n]/.test(text);
  if ((each || CHOOSES.test(words)) && (ofWords || /[,\n]/.test(text))) {
    const list = text.includes('\n') ? String.raw`/\n/` : String.raw`/\s*,\s*(?:and\s+)?|\s+and\s+/`;
    const separator = ofWords ? String.raw`/\s+/` : list;
    return ask(
      (regex) =>
        `input.split(${separator}).filter((one) => ${negative ? '!' : ''}${regex}.test(one.trim()))${each ? '.length' : ''}`,
      '',
    );
  }
  if (each) return undefined;
  if (negative) return undefined;
  if (LISTS.test(words)) return ask((regex) => `input.match(${regex}) ?? []`);
  return MATCHES_ONE.test(words) || (TESTS.test(words) && NAMED.test(words))
    ? ask((regex) => `${regex}.test(input) ? 'yes' : 'no'`, '')
    : undefined;
}

/** The sign that a word names: "underscore". */
function signOf(word: string): string | undefined {
  const [, sign] = Object.entries(TEXT_WORDS.signed as object).find(([names]) => names.split('|').includes(word)) ?? [];
  return sign as string | undefined;
}

const MIGHT = /[\\^$*+[/]/;
/** A request about a regular expression, in any order of its words, all of which are known. */
const recognize: Recognizer = (tokens, add) => {
  const last = tokens.at(-1);
  const data = last?.kind === 'data' ? last.text : undefined;
  if (!(tokens.some(({ text }) => MIGHT.test(text)) || (data !== undefined && LABELLED.test(data)))) return;
  const said = data === undefined ? tokens : tokens.slice(0, -1);
  const whole = data === undefined || data.startsWith('{{') ? undefined : requestOf(said, data);
  if (whole !== undefined) add('request', 0, tokens.length, whole, -0.5);
  const alone = data === undefined || data.startsWith('{{') ? requestOf(said, undefined) : undefined;
  if (alone !== undefined) add('request', 0, said.length, alone, -0.5);
};

/** Regular expressions: whether a text matches, what matches, and replacing it. */
export const PATTERNS: Domain = {
  recognize,
  rules: [
    // A pattern with blanks ends at the words behind it.
    rule(
      'request = (regex replace|replace the regex|replace the pattern|replace regex) … (with|by) … in :? <source>',
      ([{ text: pattern }, { text: by }, { text }]) => {
        const regex = patternCode(pattern.trim(), 'g');
        const code = `input.replace(${regex}, ${JSON.stringify(by.replace(/^(["'`])(.*)\1$/, '$2'))})`;
        return regex === undefined ? undefined : asks('run', { code, input: text });
      },
    ),
  ],
};
