import type { Domain, Recognizer } from '../../language/grammar.ts';
import { rulesOf } from './rules.ts';
import { distinct, type Source } from './selecting.ts';
import { asks, type Request } from './setting.ts';

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

const among = ([one, other]: Two, not = false): Request =>
  distinct('items', one, { test: 'among', text: other.text, ...(not && { not }) });
/** What one name has of all amounts. */
function totalOf(all: readonly Entry[], name: string): Request | undefined {
  const own = all.filter((one) => one.name.toLowerCase() === name.replace(/['’]s$/, '').toLowerCase());
  return own.length === 0
    ? undefined
    : asks('calculate', { expression: `sum(${own.map((one) => one.amount).join(', ')})` });
}

const rule = rulesOf<{ 'two-lists': Two; entries: readonly Entry[] }>();

/** Lines below an instruction that are two lists, or names with amounts. */
export const LABELLED: Domain = {
  lexicon: {
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
      'request = #42 (how much|how many) <topic>? (did|does|has|have|is|was) <literal> <literal>? INALL? <entries> ENDSIGN?',
      ([all, name]) => totalOf(all, name),
    ),
  ],
};
