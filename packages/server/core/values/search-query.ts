import { withoutMailDomain } from '@mailroom/behavior/values/address';
import { type Millis, parseRfc3339 } from '@mailroom/behavior/values/clock';
import { type AppError, invalid } from '@mailroom/behavior/values/error';
import { queryWords } from './search-words.ts';

/** Fields in which words are looked for by themselves. */
const WORD_FIELDS = ['from', 'to', 'cc', 'subject', 'filename'] as const;
type WordField = (typeof WORD_FIELDS)[number];

/**
 * Words in a row, anywhere or in one field; `prefix`: the last is only the beginning of a word, with `single` of a pair of
 * characters; `begins` and `ends`: a text of the field begins, and ends, with them.
 */
export interface Phrase {
  readonly kind: 'words';
  readonly field?: WordField | undefined;
  readonly words: readonly string[];
  readonly prefix: boolean;
  readonly single?: true | undefined;
  readonly begins?: true | undefined;
  readonly ends?: true | undefined;
}

/** What is not of the text. */
export type Condition =
  | { readonly kind: 'label' | 'mailbox'; readonly value: string }
  | { readonly kind: 'has_attachment' | 'unread' | 'answered' | 'failed' }
  | { readonly kind: 'before' | 'after'; readonly at: Millis }
  | { readonly kind: 'larger'; readonly bytes: number };

/** Of its alternatives, which are all of one sort, one holds; with `not`, none. */
export interface Clause<T> {
  readonly not: boolean;
  readonly any: readonly T[];
}

/** A query: all its clauses hold. */
export interface SearchTerms {
  readonly words: readonly Clause<Phrase>[];
  readonly conditions: readonly Clause<Condition>[];
}

/** Maximum characters and terms of a query. */
export const MAX_SEARCH = 1_000;
const MAX_TERMS = 50;

export const OPERATORS = [...WORD_FIELDS, 'label', 'mailbox', 'has', 'is', 'before', 'after', 'larger'] as const;
type Operator = (typeof OPERATORS)[number];
const LISTED = OPERATORS.map((name) => `${name}:`).join(' ');

const TERM = /\s*(-?)(?:([a-z]+):(?=["“]|[^\s/]|\/(?!\/)))?(?:["“]([^"“”]*)(["”])?|(\S+))/uy;
const UNITS: Readonly<Record<string, number>> = { '': 1, k: 1024, m: 1024 * 1024 };

/**
 * Reads a query: words (each; `word*` for beginnings), `"a phrase"`, `-word`, `OR` between alternatives, and operators. A
 * lower-case word with a colon, and no blank or `//` behind it, is an operator. AppError `validation_error` with the
 * pointer `/query`.
 */
export function readSearch(query: string, mailDomain = ''): SearchTerms {
  if (query.length > MAX_SEARCH) throw refused(`A search can have up to ${MAX_SEARCH} characters. Shorten it.`);
  const terms = termsOf(query.trim(), mailDomain);
  const clauses: Clause<Phrase | Condition>[] = [];
  let or = false;
  for (const term of terms) {
    if (term === 'OR') {
      if (clauses.length === 0 || or) throw refused('OR stands between two terms.');
      or = true;
      continue;
    }
    const last = clauses.at(-1);
    if (or && last !== undefined) {
      if (term.not || last.not) throw refused('A term with - in front of it cannot be an alternative of OR.');
      clauses[clauses.length - 1] = { not: false, any: [...last.any, ...term.any] };
    } else clauses.push(term);
    or = false;
  }
  if (or) throw refused('OR stands between two terms.');
  if (clauses.length === 0) throw refused('There is nothing to search for: a search needs a word or an operator.');
  const words = clauses.filter(isOfWords);
  const conditions = clauses.filter(isOfConditions);
  if (words.length + conditions.length < clauses.length)
    throw refused(
      'The alternatives of OR are either all words, or all of label:, mailbox:, has:, is:, before:, after: and larger:.',
    );
  return { words, conditions };
}

/** The terms of a query that are operators, as they are written, each with the query without it. */
export function operatorsIn(query: string): readonly { readonly text: string; readonly rest: string }[] {
  return rawTerms(query).flatMap(([whole, , operator], nth, terms) => {
    if (operator === undefined || !OPERATORS.includes(operator as Operator)) return [];
    const others = terms.filter((_, other) => other !== nth).map(([term]) => term);
    return [{ text: whole.trim(), rest: others.join('').trim() }];
  });
}

/** The terms as they are written. */
function rawTerms(query: string): readonly RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  TERM.lastIndex = 0;
  for (let place = 0; place < query.length; place = TERM.lastIndex) {
    const term = TERM.exec(query);
    if (term === null) break;
    found.push(term);
  }
  return found;
}

const isOfWords = (clause: Clause<Phrase | Condition>): clause is Clause<Phrase> =>
  clause.any.every(({ kind }) => kind === 'words');
const isOfConditions = (clause: Clause<Phrase | Condition>): clause is Clause<Condition> =>
  clause.any.every(({ kind }) => kind !== 'words');

function termsOf(query: string, mailDomain: string): ('OR' | Clause<Phrase | Condition>)[] {
  const terms: ('OR' | Clause<Phrase | Condition>)[] = [];
  for (const [whole, sign, operator, quoted, end, bare = ''] of rawTerms(query)) {
    if (terms.length >= MAX_TERMS) throw refused(`A search can have up to ${MAX_TERMS} terms. Leave some out.`);
    if (quoted !== undefined && end === undefined)
      throw refused(`The quotation mark before ${show(quoted)} is not closed.`);
    if (whole.trim() === 'OR') {
      terms.push('OR');
      continue;
    }
    const value = quoted ?? bare;
    const any =
      operator === undefined
        ? phrases(value, quoted !== undefined, mailDomain)
        : operated(operator, value, quoted !== undefined, mailDomain);
    // A term of signs alone says nothing, as in a text.
    if (any.length > 0) terms.push({ not: sign === '-', any });
  }
  return terms;
}

/** The words of a value; those of an address also as it is stored, without the mail domain. */
function phrases(value: string, quoted: boolean, mailDomain: string, field?: WordField): Phrase[] {
  const short = withoutMailDomain(value, mailDomain);
  const texts = short === undefined ? [value] : field === undefined ? [value, short] : [short];
  return texts.flatMap((text) => {
    const words = queryWords(text);
    if (words.length === 0) return [];
    const single = words.at(-1)?.single;
    const prefix = (!quoted && value.endsWith('*')) || single === true;
    const begins = field !== undefined && field !== 'subject' && /^[^\s@]+@/.test(text);
    const phrase = { kind: 'words', words: words.map((word) => word.text), prefix } as const;
    return [
      {
        ...phrase,
        ...(single && { single }),
        ...(field && { field }),
        ...(begins && { begins: true as const }),
      },
    ];
  });
}

function operated(
  operator: string,
  value: string,
  quoted: boolean,
  mailDomain: string,
): readonly (Phrase | Condition)[] {
  if (!OPERATORS.includes(operator as Operator)) throw unknown(operator);
  const name = operator as Operator;
  switch (name) {
    case 'label':
    case 'mailbox':
      return [{ kind: name, value }];
    case 'has':
      if (value !== 'attachment') throw refused(`has: takes attachment, not ${show(value)}.`);
      return [{ kind: 'has_attachment' }];
    case 'is':
      if (value !== 'unread' && value !== 'answered' && value !== 'failed')
        throw refused(`is: takes unread, answered or failed, not ${show(value)}.`);
      return [{ kind: value }];
    case 'before':
    case 'after': {
      const at = parseRfc3339(/^\d{4}-\d\d-\d\d$/.test(value) ? `${value}T00:00:00Z` : value);
      if (at === undefined)
        throw refused(`${name}: takes a day such as 2026-11-20, or a time (RFC 3339), not ${show(value)}.`);
      return [{ kind: name, at }];
    }
    case 'larger': {
      const [, number, unit = ''] = /^(\d{1,12})([km]?)b?$/i.exec(value) ?? [];
      if (number === undefined)
        throw refused(`larger: takes a number of bytes such as 5000, 200k or 5M, not ${show(value)}.`);
      return [{ kind: 'larger', bytes: Number(number) * (UNITS[unit.toLowerCase()] ?? 1) }];
    }
    default: {
      const words = phrases(value, quoted, mailDomain, name);
      if (words.length === 0) throw refused(`${name}: needs a word, not ${show(value)}.`);
      return words;
    }
  }
}

const show = (value: string): string => `“${value.length > 40 ? `${value.slice(0, 40)}…` : value}”`;
const refused = (message: string): AppError => invalid('/query', message);

function unknown(name: string): AppError {
  const near = OPERATORS.find((one) => isNear(one, name));
  const hint = near === undefined ? '' : ` Did you mean ${near}:?`;
  return refused(
    `“${name.slice(0, 40)}:” is no operator.${hint} There are ${LISTED}. To search for the text itself, put it into quotation marks.`,
  );
}

/** Whether they differ by one character more, less or another, or by two that are exchanged. */
function isNear(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  let [start, end] = [0, 0];
  while (start < one.length && one[start] === other[start]) start++;
  while (end < Math.min(one.length, other.length) - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  const [middle, changed] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  return (
    (middle.length <= 1 && changed.length <= 1) ||
    (middle.length === 2 && changed.length === 2 && middle[0] === changed[1] && middle[1] === changed[0])
  );
}
