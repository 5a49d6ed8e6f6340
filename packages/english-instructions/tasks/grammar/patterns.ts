import type { Domain } from '../../language/grammar.ts';
import { rule } from './rules.ts';
import { asks, type Free, type Request } from './setting.ts';

interface Source {
  readonly text: string;
}

/** A regular expression as written, with or without slashes; undefined for plain words. The sandbox says what is wrong with it. */
function patternOf(text: string): { readonly source: string; readonly flags: string } | undefined {
  const [, inside, flags = ''] = /^\/(.+)\/([a-z]{0,6})$/.exec(text) ?? [];
  const source = inside ?? text.replace(/^(["'`])(.*)\1$/, '$2');
  // Plain words are searched for as they are.
  if (inside === undefined && !/[\\[\](){}^$*+?|.]/.test(source)) return undefined;
  // Words behind it say more than which text is looked for.
  if (inside === undefined && source === text && /[$*+?}] /.test(source)) return undefined;
  return { source, flags };
}

/** The code of a pattern; `whole`: that matches all of the text. Undefined for one that may not be part of a script. */
export function patternCode(text: string, more: string, whole = false): string | undefined {
  const found = patternOf(text);
  // A reference is no part of a script.
  if (found === undefined || found.source.includes('{{')) return undefined;
  const flags = [...new Set(found.flags + more)].join('');
  return `new RegExp(${JSON.stringify(whole ? `^(?:${found.source})$` : found.source)}, '${flags}')`;
}

/** A step that applies the pattern in the sandbox, because a pattern of others may take forever. */
function matching(pattern: Free, text: string, use: (regex: string) => string, flag = ''): Request | undefined {
  const regex = patternCode(pattern.text.trim(), flag);
  return regex === undefined ? undefined : asks('run', { code: use(regex), input: text });
}
const tested = (pattern: Free, { text }: Source): Request | undefined =>
  matching(pattern, text, (regex) => `${regex}.test(input) ? 'yes' : 'no'`);
const listed = (pattern: Free, { text }: Source): Request | undefined =>
  matching(pattern, text, (regex) => `input.match(${regex}) ?? []`, 'g');

/** What no plain text contains: an escape, a class of characters, a repetition, an anchor. */
export const LIKE_REGEX = /\\[a-z]|\][*+?{]|\.[*+]|\w\+|^\^|\$$/i;

/** Regular expressions: whether a text matches, what matches, and replacing it. */
export const PATTERNS: Domain = {
  lexicon: {
    REGEX: 'regex|regexp|regular expression|the regex|the regexp|the regular expression|pattern|the pattern',
    MATCHING:
      'everything that matches|all that matches|all matches of|all matches for|matches of|matches for|what matches|everything matching|all that match|the matches of|all text matching',
  },
  tests: { slashed: ({ text }: Free) => /^\/.+\/[a-z]*$/.test(text) },
  rules: [
    rule(
      'request = (does|do|check if|check whether) (the string|the text|the word)? <source> (match|matches) REGEX? …',
      '#21 (test|check|try) REGEX? … (against|on|with) <source>',
      ([source, pattern]) => tested(pattern, source),
    ),
    rule('request -0.2 = (test|check|try) REGEX? … (against|on) …', ([pattern, { text }]) =>
      pattern.text.startsWith('/') ? tested(pattern, { text }) : undefined,
    ),
    rule(
      'request = (find|list|extract|get|show|show me|give me|print|return) MATCHING REGEX? … (in|from) :? <source>',
      '#21 (find|extract|get|list|show) (all|the|all the)? (matches|numbers|words|text|everything)? in <source> (with|using|by|matching|that matches) the? REGEX …',
      ([pattern, source]) => listed(pattern, source),
    ),
    rule(
      'request -0.3 = (find|list|extract|get|show|show me|give me|print|return) MATCHING REGEX? … (in|from) :? …',
      ([pattern, text]) => (text.lined === true || /^["“:]/.test(text.text) ? undefined : listed(pattern, text)),
    ),
    rule('request -0.4 = (extract|find|find all|match|get|list) REGEX? … (in|from) :? <source>', ([pattern, source]) =>
      LIKE_REGEX.test(pattern.text) && !/\s/.test(pattern.text) ? listed(pattern, source) : undefined,
    ),
    rule(
      'request = (replace|substitute) (all|every|everything|all the|each)? (digits|letters|matches|text|characters|everything)? (using|matching|by|with|that matches) the? REGEX … (with|by) … in :? <source>',
      '-0.3 = (replace|substitute) …:slashed (with|by) … in :? <source>',
      '(regex replace|replace the regex|replace the pattern|replace regex|replace everything matching|replace what matches|replace all matches of) … (with|by) … in :? <source>',
      ([pattern, by, source]) =>
        matching(
          pattern,
          source.text,
          (regex) => `input.replace(${regex}, ${JSON.stringify(by.text.replace(/^(["'`])(.*)\1$/, '$2'))})`,
          'g',
        ),
    ),
  ],
};
