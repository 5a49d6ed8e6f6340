import type { Column } from '../tasks/table/columns.ts';
import type { Kind, Style } from '../tasks/table/values.ts';
import { currencyOf } from '../tasks/words/currency.ts';
import { LIMITS } from '../tasks/words/limits.ts';
import { unitOf } from '../tasks/words/units.ts';
import { names } from './adjuncts.ts';
import { conditionsIn, endIn, type Takes } from './measure-conditions.ts';
import {
  ASKS_TRUTH,
  ENDS,
  EXCLUDED,
  FIGURES,
  HINTS,
  HOW_MUCH,
  isPart,
  type Measure,
  NUMBER,
  numberOf,
  OTHERWISE,
  PARTS,
  type Question,
  SAYING,
} from './measure-words.ts';

/** What a text names, as its words between others. */
const mentions = (text: string, name: string): boolean => {
  const at = name === '' ? -1 : text.indexOf(name);
  return at >= 0 && !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '') && !/[\p{L}\p{N}]/u.test(text[at + name.length] ?? '');
};

/** "Per person", which is no unit. */
const EACH =
  /\b(?:per|for each|for every|of each|by) (?:person|name|item|category|player|customer|member|kid|child|friend|product|group|team|town|city|one)\b/;
/** Words for a place in an order. */
const PLACED = /\b(?:first|last|before|after|top|bottom|ahead|behind|end|start|beginning)\b/;
/** Where one stands, in a sentence of its own. */
const BE =
  '(?:(?:(?:should|must|has to|have to|needs? to|ought to) (?:be|come|go|stand|appear)|comes?|goes|go|is|are) )?';
/** By what is sorted, which is not the names. */
const BY =
  /\bby (?:the |their )?(?!names?\b|items?\b|letters?\b|alphabet|words?\b|lines?\b|surnames?\b|first\b|last\b)\p{L}{3,15}(?=[ ,]|$)/u;
const MAX_TEXT = 300;

/** Which end an order begins with, and whether it is said: "highest first", "descending". */
function orderOf(order: string, takes: Takes, kind: Kind): { readonly sign: 1 | -1; readonly isSaid: boolean } {
  const down =
    takes(
      /\b(?:descending|in descending order|high(?:est)? to low(?:est)?|larg(?:e|est) to small(?:est)?|big(?:gest)? to small(?:est)?|newest to oldest|most to least|z to a|decreasing)\b/,
    ) ?? /descending/.exec(order);
  const up =
    takes(
      /\b(?:ascending|in ascending order|low(?:est)? to high(?:est)?|small(?:est)? to (?:larg|bigg)est|small to (?:large|big)|cheap(?:est)? to (?:most expensive|dear(?:est)?|expensive)|oldest to newest|least to most|increasing|earliest to latest)\b/,
    ) ?? /ascending|chronolog/.exec(order);
  let ends = false;
  let sign: 1 | -1 = down !== null && up === null ? -1 : 1;
  for (const [words, kinds, end] of ENDS)
    if (
      kinds.includes(kind) &&
      takes(new RegExp(`\\b(?:with |by )?(?:the )?(?:${words})(?: ones?)? ${BE}(?:first|at the top|on top)\\b`)) !==
        null
    )
      [sign, ends] = [end, true];
    else if (
      kinds.includes(kind) &&
      takes(new RegExp(`\\b(?:with |by )?(?:the )?(?:${words})(?: ones?)? ${BE}(?:last|at the (?:bottom|end))\\b`)) !==
        null
    )
      [sign, ends] = [end === 1 ? -1 : 1, true];
  for (const [words, kinds, end] of ENDS)
    if (
      kinds.includes(kind) &&
      takes(new RegExp(`\\b(?:starting|beginning) with (?:the )?(?:${words})(?: ones?)?\\b`)) !== null
    )
      [sign, ends] = [end, true];
  return { sign, isSaid: /in|chrono/.test(order) || down !== null || up !== null || ends };
}

/** Whether a text names a unit that is not the one of the values. */
const isOfOther = (text: string, { kind, unit }: Pick<Column, 'kind' | 'unit'>): boolean =>
  Array.from(text.matchAll(/\bin (?:the )?(\p{L}+)/gu)).some(([, word = '']) => {
    const [measure, money] = [unitOf(word), currencyOf(word)];
    const isOwn = kind === 'money' ? money === unit : kind === 'measure' ? measure?.symbol === unit : unit === '';
    return (measure !== undefined || money !== undefined) && !isOwn;
  });

/** A text without what its columns are called. */
const withoutNames = (text: string, header: readonly string[]): string =>
  header.reduce((rest, name) => {
    const singular = name.toLowerCase().replace(/s$/, '');
    const words = singular.replace(/[^\p{L}\p{N} ]/gu, '.');
    return mentions(rest, singular) ? rest.replace(new RegExp(`\\b${words}(?:e?s)?\\b`, 'u'), ' ') : rest;
  }, text);

interface Rows {
  readonly names: readonly string[];
  readonly header: readonly string[];
  readonly data: string;
}

/** Whether what is left of a sentence names the rows and says nothing else. */
function isAllSaid(words: string, said: string, rows: Rows): boolean {
  // What the values are called, and in which unit they are.
  let leftover = withoutNames(words, rows.header);
  // "How many hours did Eva work" is about one who is in no line.
  if (
    OF_KIND.test(leftover) &&
    !Object.keys(PARTS).some((part) => isPart(part, rows.names)) &&
    rows.names.some((name) => name !== '')
  )
    return false;
  if (OTHERS.test(leftover) || strangers(said).some((word) => mentions(leftover, word))) return false;
  // Which of the days are meant is for the dates to say.
  if (
    TIMED.test(leftover) &&
    rows.names.some((name) => /\d{4}-\d\d|\d[/.]\d|\d (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i.test(name))
  )
    return false;
  const isTable = rows.header.length > 1;
  leftover = (isTable ? leftover.replace(/\bcosts?\b/g, 'costing') : leftover)
    .replace(SAYING, ' ')
    .replace(/['’]s\b/g, ' ')
    .replace(/[^\p{L}\p{N}'’ -]/gu, ' ')
    .replace(/(?<!\p{L})-|-(?!\p{L})/gu, ' ');
  if (/\d/.test(leftover) || leftover.split(/\s+/).some((word) => word !== '' && LIMITS.has(word))) return false;
  if (isTable && /\p{L}/u.test(leftover)) return false;
  return names(
    leftover.replace(/\b(?:dates?|times?|results?|steps|marks|quotes?|points?)\b/g, ' '),
    sharedOut(rows.names),
  );
}

/** What a sentence asks of rows with these names and values; undefined where a word of it is left. `data`: the rows. */
export function questionOf(
  said: string,
  rows: Rows,
  column: Pick<Column, 'kind' | 'unit'>,
  now: number,
): Question | undefined {
  if (said.length > MAX_TEXT || /["“”{}]/.test(said)) return undefined;
  const styles: Style[] = [];
  let leftover = said.replace(/[’]/g, "'");
  for (const [words, style] of HINTS) {
    if (!words.test(leftover)) continue;
    styles.push(style);
    leftover = leftover.replace(words, ' ');
  }
  leftover = ` ${leftover.toLowerCase().replace(/[?!]+|[.](?=\s|$)/g, ' ')} `.replace(/\s+/g, ' ');
  if (ASKS_TRUTH.test(leftover.trim())) return undefined;
  const takes = (words: RegExp): RegExpExecArray | null => {
    const found = words.exec(leftover);
    if (found !== null)
      leftover = `${leftover.slice(0, found.index)} ${leftover.slice(found.index + found[0].length)}`.replace(
        /\s+/g,
        ' ',
      );
    return found;
  };
  const without: string[] = [];
  const [but, out = ''] = EXCLUDED.exec(leftover) ?? [];
  if (but !== undefined) {
    const found = rows.names.filter((name) => name !== '' && name.toLowerCase() === out.trim());
    if (found.length === 0) return undefined;
    without.push(...found);
    leftover = leftover.replace(but, ' ');
  }
  const measures: Measure[] = [];
  const places = new Map<Measure, number>();
  const add = (measure: Measure, words: string): void => {
    measures.push(measure);
    places.set(measure, said.toLowerCase().indexOf(words.trim()));
  };
  // "How much is left of 500", "out of a budget of 500".
  const from =
    /\b(?:left|remains?|remaining)(?: over)?(?: (?:of|from|out of|in))(?: (?:my|our|the|a|an))*(?: \p{L}+)?(?: of)? (\S*\d\S*)\b(?: (?:budget|limit))?|\b(?:of|from|out of|with) (?:my|our|the|a) (?:budget of )?(\S*\d\S*)(?: (?:budget|limit))?,? (?:how much|what) (?:is|do (?:i|we) have|have (?:i|we)(?: got)?|will be) (?:still )?(?:left|remaining)\b/u;
  const rest = takes(from);
  if (rest !== null) measures.push({ does: 'left', from: (rest[1] ?? rest[2]) as string });
  const conditions = conditionsIn(takes, () => leftover, column, now);
  if (conditions === undefined) return undefined;
  const [, side, some] =
    (['date', 'clock'].includes(column.kind)
      ? null
      : takes(
          new RegExp(
            `\\b(?:the )?(first|last) ${NUMBER}\\b(?: (?:of (?:these|those|them)|lines|rows|values|ones|days|weeks|months))?`,
          ),
        )) ?? [];
  const slice = some === undefined ? undefined : numberOf(some) * (side === 'last' ? -1 : 1);
  const wasHowMuch = HOW_MUCH.exec(leftover.trim());
  const counts =
    /\bhow many\b|\bcount(?! (?:it|these|them|this|those|everything|all|the \p{L}+|my \p{L}+) (?:up|together))\b|\b(?:the )?number of\b/u.test(
      leftover,
    );
  for (const [words, does] of FIGURES) {
    const found = takes(words);
    if (found === null || (does === 'sum' && measures.some((one) => one.does === 'left'))) continue;
    if (does === 'sum' && measures.some((one) => one.does === 'share')) continue;
    add({ does } as Measure, found[0]);
    if (/^(?:range|running)$/.test(does)) break;
  }
  const order = takes(
    /\b(?:sort(?:ed)?|order(?:ed)?|rank(?:ed)?|arrange[d]?|(?:put|list|show|give|bring)\b.{0,30}? in(?:to)? (?:the )?(?:right |correct )?(?:\p{L}+ )?order(?: of)?|chronological(?:ly)?|in (?:chronological|ascending|descending|numerical) order)\b/u,
  );
  if (order !== null) {
    const { sign, isSaid } = orderOf(order[0], takes, column.kind);
    const by = takes(BY);
    if (measures.length > 0 || /\b(?:name|alphabet)/.test(leftover)) return undefined;
    // Names are sorted by their letters where nothing else is said.
    if (by === null && !isSaid && rows.names.some((name) => name !== '')) return undefined;
    measures.push({ does: 'sort', sign });
  } else if (!measures.some(({ does }) => does === 'range' || does === 'running' || does === 'left')) {
    const compares = /^(?:which|what|who)\b/.test(leftover.trim());
    // The top of times may be the longest or the shortest.
    if (
      ['lap', 'time', 'date', 'clock'].includes(column.kind) &&
      takes(new RegExp(`\\b(?:top|bottom|best|worst)(?: ${NUMBER})?\\b`)) !== null
    )
      measures.push({ does: 'which end' });
    for (;;) {
      const end = endIn(takes, column.kind, compares);
      if (end === undefined) break;
      add(end.measure, end.words);
      if (measures.length > 2) return undefined;
    }
  }
  if (measures.some(({ does }) => does === 'sort' || does === 'end')) takes(BY);
  if (rest !== null) takes(/\bafter (?:all |paying )?(?:of )?(?:these|those|this|that|them|it|everything)\b/);
  // "The average of the two highest" is one figure of two of them.
  if (measures.length > 1) {
    const apart = Array.from({ length: measures.length - 1 }, () => takes(/ and\b| &|,| plus\b/));
    if (apart.includes(null)) return undefined;
    measures.sort((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0));
  }
  const isUnique = new Set(rows.names).size === rows.names.length;
  // Where each line is another month, the mean per month is that of the lines.
  const [, part = ''] =
    isUnique && measures.length === 1 && measures[0]?.does === 'mean'
      ? (/\b(?:per|an?|each) (\p{L}+)(?= |$)/u.exec(leftover) ?? [])
      : [];
  if (part !== '' && isPart(part, rows.names)) takes(new RegExp(`\\b(?:per|an?|each) ${part}\\b`));
  const each = takes(EACH);
  const chosen = [...new Set(rows.names)].filter((name) => name !== '' && mentions(leftover, name.toLowerCase()));
  const more = takes(
    /\b(?:how much|how many) (?:more|less|fewer|longer|higher|cheaper|heavier|bigger|shorter|lower)\b(?=.*\bthan\b)|\b(?:the )?(?:difference|gap) between\b/,
  );
  if (more !== null) {
    if (measures.length > 0 || chosen.length !== 2) return undefined;
    takes(/\bthan\b/);
    measures.push({ does: 'more' });
  }
  if (measures.length === 0 && wasHowMuch !== null && conditions.length === 0) {
    const [, of] = wasHowMuch;
    const told = /\b(?:did|do|have|has|does|in total)\b/.test(leftover);
    if (of !== undefined && !(told && !/\bthere\b/.test(leftover))) return undefined;
    takes(HOW_MUCH);
    measures.push({ does: 'sum' });
  }
  if (
    measures.length === 0 &&
    wasHowMuch === null &&
    conditions.length === 0 &&
    /^(?:what|how much) (?:do|did|have|does) (?:i|we|they|he|she|it)\b/.test(leftover.trim())
  )
    measures.push({ does: 'sum' });
  // "In total" says nothing of how many there are.
  if (conditions.length > 0 && /\bhow many\b/.test(leftover) && measures.every(({ does }) => does === 'sum'))
    measures.length = 0;
  if (conditions.length > 0 && measures.length === 0) measures.push({ does: counts ? 'count' : 'list' });
  else if (counts && !measures.some(({ does }) => does === 'sum' || does === 'count' || does === 'more'))
    return undefined;
  takes(/\b(?:how many|count|the number of|number of)\b/);
  for (const name of chosen) leftover = leftover.replace(name.toLowerCase(), ' ');
  if (chosen.length > 1) takes(/ (?:and|&|,|or)(?= )/);
  if (
    slice !== undefined &&
    !measures.every(({ does }) => ['sum', 'mean', 'median', 'range', 'running'].includes(does))
  )
    return undefined;
  if (
    /\b(?:long|short)est (?:\p{L}+ )?(?:names?|words?|lines?|labels?|titles?|entry)\b|\b(?:which|what) (?:names?|words?|lines?|labels?|titles?|entry)\b.*\b(?:long|short)est\b/iu.test(
      said,
    )
  )
    return undefined;
  if (isOfOther(leftover, column)) return undefined;
  // "The anchor should be first", "the dear ones before the cheap ones".
  if (measures.some(({ does }) => does === 'sort') && (chosen.length > 0 || PLACED.test(leftover))) return undefined;
  if (measures.length === 0 || OTHERWISE.test(leftover.replace(/\bout of\b/g, ' '))) return undefined;
  // Numbers are found in lines, and are no lines.
  if (
    measures.some(({ does }) => does === 'list') &&
    /\bnumbers\b/.test(said) &&
    rows.names.some((name) => name !== '')
  )
    return undefined;
  if (measures.some(({ does }) => does === 'share') && chosen.length !== 1) return undefined;
  if (
    each !== null &&
    (isUnique ||
      slice !== undefined ||
      conditions.length > 0 ||
      measures.length > 1 ||
      !/^(?:sum|mean)$/.test(measures[0]?.does ?? ''))
  )
    return undefined;
  return isAllSaid(leftover, said, rows)
    ? {
        measures,
        conditions,
        ...(each !== null && { isEach: true as const }),
        ...(slice !== undefined && { slice }),
        only: chosen,
        without,
        styles,
      }
    : undefined;
}

const TIMED =
  /\b(?:today|yesterday|last|this|week|month|year|january|february|march|april|may|june|july|august|september|october|november|december)\b/;
/** What is spent on things of a kind, which some of the names may be. */
const OF_KIND = /\bon (?!average\b|(?:the|my|this|these|that|those|it|them|all|everything)\b)\p{L}+/u;
/** One who did something, and is none of us. */
const OTHERS =
  /\b(?:did|does|do|has|have) (?!i\b|we\b|you\b|they\b|he\b|she\b|it\b|the\b|this\b|these\b|that\b|those\b|all\b|my\b|our\b|everyone\b|everybody\b|people\b|left\b|more\b|a\b|an\b|to\b)\p{L}+ (?!up\b|to\b|in\b)\p{L}+/u;
/** Names in a sentence, in lower case. */
const strangers = (said: string): readonly string[] =>
  Array.from(said.matchAll(/(?<=[^.?!:]\s)\p{Lu}\p{Ll}+/gu), ([word]) => word.toLowerCase());

/** The names without the words that all of them have, as in "lap 1" and "lap 2". */
function sharedOut(all: readonly string[]): string {
  const lines = all.map((name) => name.toLowerCase().split(/\s+/));
  const [first = []] = lines;
  const shared = new Set(first.filter((word) => lines.length > 1 && lines.every((line) => line.includes(word))));
  return lines.map((line) => line.filter((word) => !shared.has(word)).join(' ')).join('\n');
}
