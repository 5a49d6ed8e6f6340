import type { Domain, Recognizer } from '../../language/grammar.ts';
import { rulesOf } from './rules.ts';
import { distinct, type Source } from './selecting.ts';
import { asks, type Request } from './setting.ts';
import { each } from './text-words.ts';

type Two = readonly [Source, Source];
/** What stands behind a name and ends with an amount: "Noor mon 6.5". */
interface Entry {
  readonly name: string;
  readonly amount: string;
}

const MAX_LINES = 500;
const ENTRY = /^(\p{L}[\p{L}'’-]{0,40})\b.{0,200}?[ :\t][$€£]?(\d{1,12}(?:\.\d{1,6})?) ?[$€£]?$/u;

/** Two lists on a line each, with or without names before them, and lines of names with amounts. */
const recognize: Recognizer = (tokens, add) => {
  for (const [index, { kind, text }] of tokens.entries()) {
    const lines = kind === 'data' ? text.trim().split(/\n+/) : [];
    if (lines.length < 2 || lines.length > MAX_LINES) continue;
    const lists = lines.map((line) => ({ text: line.replace(/^[\p{L}\d ]{1,30}:\s*/u, '').trim() }));
    if (lists.length === 2 && lists.every((one) => one.text !== '') && lists.some((one) => /[,;]/.test(one.text)))
      add('two-lists', index, index + 1, lists);
    const named = lines.map((line) => NAMED_LINE.exec(line.trim()));
    if (named.length < 10 && named.every((one) => one !== null))
      add(
        'named-lists',
        index,
        index + 1,
        named.map(([, name = '', text = '']) => ({ name, text })),
      );
    const entries = lines.map((line) => ENTRY.exec(line.trim()));
    if (entries.every((one) => one !== null))
      add(
        'entries',
        index,
        index + 1,
        entries.map(([, name = '', amount = '']) => ({ name, amount }) satisfies Entry),
      );
  }
};

/** Two lists, each with the name before it. */
type Named = readonly { readonly name: string; readonly text: string }[];
const NAMED_LINE = /^([\p{L}\d][\p{L}\d ]{0,29}):\s*(\S.*)$/u;
const wordsOf = (text: string): readonly string[] =>
  (text.toLowerCase().match(/[\p{L}\d]+/gu) ?? []).map((word) => word.replace(/(?<=.{3})s$/, ''));
/** The list that words name, where they name one of the two. */
function listOf(words: string, lists: Named): Source | undefined {
  const said = wordsOf(
    words.replace(/\b(?:the|my|our|list|lists|ones?|people|who|are|is|was|were|already|yet)\b/gi, ' '),
  );
  const [place, more] = said.map((word) => ['first', 'second'].indexOf(word));
  if (place !== undefined && place >= 0 && more === undefined && lists.length === 2) return lists[place];
  const found = lists.filter(({ name }) => {
    const own = wordsOf(name);
    return said.length > 0 && (said.every((word) => own.includes(word)) || own.every((word) => said.includes(word)));
  });
  return found.length === 1 ? found[0] : undefined;
}
/** What is in one list and not in the other, by their names. */
const apart = (one: string, other: string, lists: Named): Request | undefined => {
  const [left, right] = [listOf(one, lists), listOf(other, lists)];
  return left === undefined || right === undefined || left === right ? undefined : among([left, right], true);
};
const among = ([one, other]: Two, not = false): Request =>
  distinct('items', one, { test: 'among', text: other.text, ...(not && { not }) });
/** What one name has of all amounts. */
function totalOf(all: readonly Entry[], name: string): Request | undefined {
  const own = all.filter((one) => one.name.toLowerCase() === name.replace(/['’]s$/, '').toLowerCase());
  return own.length === 0
    ? undefined
    : asks('calculate', { expression: `sum(${own.map((one) => one.amount).join(', ')})` });
}

const rule = rulesOf<{ 'named-lists': Named; 'two-lists': Two; entries: readonly Entry[] }>();

/** Lines below an instruction that are two lists, or names with amounts. */
export const LABELLED: Domain = {
  lexicon: {
    WHOIS: each(
      'who|which|what|which of them|who all|show me|show|list|tell me|find|give me',
      each(
        '|people|names|items|ones|entries|things|everyone|everybody|those|the names|the items|the people|who',
        '|is|are|was|were|that are|who is|who are|which are|that is',
      ),
    ),
    BUTNOT: each(
      'but not|but missing|but missing from|and not|but is not|but are not|but is missing|but are missing|but absent|is missing|are missing|is not|are not|not|missing|that are not|that are missing|who are not|but is not yet|but not yet|are absent|is absent',
      'on|in|from|among',
    ),
    SHARING: 'in|on|common to|shared by|in common between',
    ABSENT: 'missing from|missing in|missing on|not in|not on|absent from|left out of',
  },
  recognize,
  rules: [
    rule(
      'request = LIST? the? <part>? (is|are|appear|appears|occur|occurs|do|that are|which are)? SHARING LISTS <two-lists> ENDSIGN?',
      (values) => among(values.at(-1) as Two),
    ),
    rule(
      'request = LIST? the? <part>? (is|are|that are|which are)? ABSENT the? <ordinal> (list|one)? <two-lists> ENDSIGN?',
      (values) => {
        const [place, [one, other]] = values.slice(-2) as unknown as [number, Two];
        return place === 2 || place === -1
          ? among([one, other], true)
          : place === 1
            ? among([other, one], true)
            : undefined;
      },
    ),
    rule(
      'request = WHOIS (on|in|among|from|of)? … BUTNOT … <named-lists> ENDSIGN?',
      '-0.05 = #234 (which|what) <literal> (are|is|were|was|do we have|do i have)? (on|in|among|from|of) … BUTNOT … <named-lists> ENDSIGN?',
      ([{ text: one }, { text: other }, lists]) => apart(one, other, lists),
    ),
    rule(
      'request = WHOIS ABSENT … <named-lists> ENDSIGN?',
      '-0.05 = #23 (which|what) <literal> (are|is|were|was) ABSENT … <named-lists> ENDSIGN?',
      ([{ text }, lists]) => {
        const named = listOf(text, lists);
        const [rest, more] = lists.filter((one) => one !== named);
        return named === undefined || rest === undefined || more !== undefined ? undefined : among([rest, named], true);
      },
    ),
    rule(
      'request = #42 (how much|how many) <topic>? (did|does|has|have|is|was) <literal> <literal>? INALL? <entries> ENDSIGN?',
      ([all, name]) => totalOf(all, name),
    ),
  ],
};
