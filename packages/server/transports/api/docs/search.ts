import { problems } from '@mailroom/behavior/values/error';
import { type ApiDocument, nameOf, resolve } from './document.ts';
import { parameterRows, rowsOf } from './fields.ts';
import { anchorOf, type Heading } from './markdown.ts';
import type { Noun } from './nouns.ts';
import { PROBLEM_TEXTS } from './problem-texts.ts';

const KINDS = ['Operations', 'Guides', 'Fields', 'Codes'] as const;
export type Kind = (typeof KINDS)[number];

/** A place that a search may find. */
export interface Entry {
  readonly kind: Kind;
  readonly title: string;
  /** Shown beside the title: a path or a page. */
  readonly beside: string;
  /** A description with code in backticks. */
  readonly line: string;
  /** From the root. */
  readonly path: string;
  /** The names that count more than other text, in lower case; the title by default. */
  readonly names: string;
  readonly words: string;
}

const MAX_QUERY = 100;
const MAX_TERMS = 8;
const MAX_FOUND = 8;
const MAX_LINE = 240;

const entry = (of: Omit<Entry, 'names' | 'words'>, more = ''): Entry => {
  const names = `${of.title} ${of.beside}`.toLowerCase();
  return { ...of, names, words: `${names} ${of.line} ${more}`.toLowerCase() };
};

/** Words of questions that carry no meaning for the search. */
const EMPTY_WORDS = new Set(
  'a an and are can do does for how i in is it me my of on the to what when where with'.split(' '),
);

/** The words of a query, cut to the maximum length, in lower case. */
export function termsOf(query: string): readonly string[] {
  const words = query
    .slice(0, MAX_QUERY)
    .toLowerCase()
    .split(/[\s`"“”?]+/)
    .filter((word) => word !== '');
  const telling = words.filter((word) => !EMPTY_WORDS.has(word));
  return (telling.length > 0 ? telling : words).slice(0, MAX_TERMS);
}

/**
 * Entries ranked by how many words of the query they hold, grouped by kind. Each entry is read once, so that the time
 * does not depend on the query.
 */
export function search(entries: readonly Entry[], query: string): ReadonlyMap<Kind, readonly Entry[]> {
  const terms = termsOf(query);
  const counted = entries.map((one) => ({ one, count: terms.filter((term) => one.words.includes(term)).length }));
  const max = counted.reduce((best, { count }) => Math.max(best, count), 0);
  if (max === 0) return new Map();
  const matching = counted.filter(({ count }) => count === max).map(({ one }) => one);
  const kinds = KINDS.map((kind) => {
    const those = matching
      .filter((one) => one.kind === kind)
      .map((one) => ({ one, score: scoreOf(one, terms) }))
      .toSorted((a, b) => b.score - a.score)
      .slice(0, MAX_FOUND);
    return { kind, best: those[0]?.score ?? 0, found: those.map(({ one }) => one) };
  });
  return new Map(
    kinds
      .filter(({ found }) => found.length > 0)
      .toSorted((a, b) => b.best - a.best)
      .map(({ kind, found }) => [kind, found]),
  );
}

/** Whole names rank before parts of names, and names before texts. */
const scoreOf = ({ title, names }: Entry, terms: readonly string[]): number =>
  terms.reduce(
    (sum, term) => {
      if (
        title
          .toLowerCase()
          .split(/[\s.]+/)
          .includes(term)
      )
        return sum + 4;
      return sum + (names.includes(term) ? 2 : 1);
    },
    title.toLowerCase() === terms.join(' ') ? 6 : 0,
  );

/** The operations of a noun and the fields they take and answer with. */
export function nounEntries(noun: Noun, path: string, document: ApiDocument): readonly Entry[] {
  const entries: Entry[] = [];
  const fieldKeys = new Set<string>();
  for (const endpoint of noun.endpoints) {
    const { operationId, summary, method, description = '' } = endpoint;
    const link = `${path}#${operationId}`;
    const call = `${method} ${endpoint.path}`;
    entries.push(
      entry({ kind: 'Operations', title: summary, beside: call, line: description, path: link }, operationId),
    );
    const add = (object: string, rows: ReturnType<typeof rowsOf>): void => {
      for (const { name, type, text, limits } of rows) {
        const line = [text, ...limits].join(' ').trim();
        // Objects that contain others repeat their fields.
        const key = `${name} ${line}`;
        if (fieldKeys.has(key)) continue;
        fieldKeys.add(key);
        entries.push(entry({ kind: 'Fields', title: name, beside: `${type}, ${object}`, line, path: link }));
      }
    };
    add(`parameter of ${noun.name.toLowerCase()}`, parameterRows(endpoint.parameters));
    const contents = [endpoint.requestBody, ...Object.values(endpoint.responses)].flatMap((one) =>
      Object.values(one?.content ?? {}),
    );
    for (const { schema } of contents) {
      const name = nameOf(schema);
      if (name !== undefined && !name.endsWith('Page') && !name.endsWith('List'))
        add(`of ${name}`, rowsOf(resolve(schema, document), document));
    }
  }
  return entries;
}

/** Each code by its name, its status and its meaning. */
export const codeEntries = (): readonly Entry[] =>
  Object.entries(problems).map(([code, { status, title }]) => {
    const { means, fixes } = PROBLEM_TEXTS[code as keyof typeof problems];
    return entry(
      { kind: 'Codes', title: code, beside: `${status} ${title}`, line: means, path: `problems/${code}` },
      fixes.join(' '),
    );
  });

/** The sections of a page in Markdown, including their code. */
export function textEntries(page: string, text: string, path: string): readonly Entry[] {
  const taken = new Set<string>();
  const sections: { heading: Heading | undefined; first?: string; lines: string[] }[] = [
    { heading: undefined, lines: [] },
  ];
  let code = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) code = !code;
    const marks = code ? undefined : /^(#{1,6}) (.+)$/.exec(line);
    if (marks && marks[1] === '#') continue;
    if (marks) {
      const title = (marks[2] ?? '').replaceAll('`', '');
      const level = marks[1]?.length ?? 2;
      sections.push({ heading: { id: anchorOf(title, taken), title, level }, lines: [] });
      continue;
    }
    const section = sections.at(-1);
    section?.lines.push(line);
    if (!code && section !== undefined && /^[\p{L}*"“`]/u.test(line) && !line.startsWith('```')) section.first ??= line;
  }
  return sections.map(({ heading, first = '', lines }) => {
    const all = lines.join('\n');
    return entry(
      {
        kind: 'Guides',
        title: heading?.title ?? page,
        beside: heading === undefined ? '' : page,
        line: withoutMarks(first),
        path: heading === undefined ? path : `${path}#${heading.id}`,
      },
      all,
    );
  });
}

/** A line of Markdown as plain text, with links and bold reduced to their words. */
const withoutMarks = (line: string): string => line.replace(/\]\([^()\s]*\)/g, '').replace(/\*\*|\[/g, '');

/** A line cut to the length that is shown. */
export const cut = (line: string): string => {
  if (line.length <= MAX_LINE) return line;
  const short = line.slice(0, MAX_LINE);
  return `${short.slice(0, Math.max(short.lastIndexOf(' '), 1))}…`;
};
