import { Type } from 'typebox';
import type { MailboxSummary } from '../../../core/entities/mailbox.ts';
import type { Store } from '../../../core/ports/store.ts';
import { type Page, readCursor, writeCursor } from '../../../core/values/page.ts';
import type { Limiters } from '../../../http/limits.ts';
import { pageRoute } from '../../../http/page-route.ts';
import type { Answer, Route } from '../../../http/route.ts';
import { type CatalogEntry, ENTRY_TYPES, entriesOf, REGISTRY_PATH } from './ai-catalog.ts';

interface RegistryParts {
  readonly store: Pick<Store, 'mailboxes'>;
  readonly baseUrl: () => string;
  readonly mailDomain: string;
  readonly limiters: Pick<Limiters, 'pages'>;
}

const LISTED = { listed: true, seen_by: null } as const;
/** Words of a text that are searched for among all addresses, and pages that are read for each. */
const [SEARCH_WORDS, WORD_PAGES, SEARCH_PAGE] = [8, 10, 500];
/** Addresses that have a word, of which the best are chosen. */
const MAX_FOUND = 2_000;
/** Characters of a word that are searched for at least; what follows may be an ending. */
const [STEM, ENDING] = [4, 4];
const MAX_RESULTS = 100;
const MAX_TEXT = 1_000;
/** Words that say nothing of what is looked for. */
const COMMON = new Set(
  'a an and the of to for in on with me my i you your it is that this find need want can'.split(' '),
);

const Size = Type.Integer({ minimum: 1, maximum: MAX_RESULTS });
const SearchBody = Type.Object({
  query: Type.Object({
    text: Type.String({ minLength: 1, maxLength: MAX_TEXT }),
    filter: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())]))),
  }),
  federation: Type.Optional(Type.Enum(['auto', 'referrals', 'none'])),
  pageSize: Type.Optional(Size),
  pageToken: Type.Optional(Type.String({ maxLength: 20 })),
});
const ListQuery = Type.Object({
  filter: Type.Optional(Type.String({ maxLength: 200 })),
  pageSize: Type.Optional(Type.String({ pattern: '^[0-9]{1,4}$' })),
  pageToken: Type.Optional(Type.String({ maxLength: 100 })),
  orderBy: Type.Optional(Type.String({ maxLength: 50 })),
});

const SHARED = { 'access-control-allow-origin': '*', 'cache-control': 'no-cache' };
const refused = (message: string): Answer => ({
  status: 400,
  body: { errorCode: 'INVALID_ARGUMENT', message },
  headers: SHARED,
});

/** The registry of Agentic Resource Discovery 0.5: `search` by words, `agents` as a list. It has what anyone may see. */
export function registryRoutes(parts: RegistryParts): readonly Route[] {
  const { store, limiters } = parts;
  const limits = [limiters.pages];
  const place = () => ({ baseUrl: parts.baseUrl(), mailDomain: parts.mailDomain });

  return [
    pageRoute('POST', `/${REGISTRY_PATH}/search`, {
      limits,
      body: SearchBody,
      async handle({ body: { query, pageSize = 10, pageToken = '0' } }) {
        const { type, ...others } = query.filter ?? {};
        const [unknown] = Object.keys(others);
        if (unknown !== undefined) return refused(`The filter "${unknown}" is not known here. There is "type".`);
        if (!/^\d{1,6}$/.test(pageToken)) return refused('This pageToken is not from this list.');
        const types: readonly string[] = type === undefined ? ENTRY_TYPES : [type].flat();
        const source = `${place().baseUrl}/${REGISTRY_PATH}`;
        const found = ranked(await searched(store, query.text), query.text);
        // Each address has an entry of each type, in their order.
        const kinds = ENTRY_TYPES.filter((kind) => types.includes(kind)).length;
        const [from, end] = [Number(pageToken), Number(pageToken) + pageSize];
        const begin = kinds === 0 ? found.length : Math.floor(from / kinds);
        const entries = found.slice(begin, Math.ceil(end / Math.max(1, kinds))).flatMap(({ mailbox, score }) =>
          entriesOf(mailbox, place())
            .filter((entry) => types.includes(entry.type))
            .map((entry) => ({ ...entry, score, source })),
        );
        const results = entries.slice(from - begin * kinds, end - begin * kinds);
        const more = end < found.length * kinds ? { pageToken: String(end) } : {};
        return { status: 200, body: { results, ...more }, headers: SHARED };
      },
    }),
    pageRoute('GET', `/${REGISTRY_PATH}/agents`, {
      limits,
      query: ListQuery,
      async handle({ query: { filter, pageSize: wanted = '20', pageToken, orderBy } }) {
        const pageSize = Math.min(MAX_RESULTS, Math.max(1, Number(wanted)));
        if (orderBy !== undefined) return refused('The order is that in which addresses were made: leave out orderBy.');
        const type = filter === undefined ? undefined : /^type = '([^']{1,100})'$/.exec(filter.trim())?.[1];
        if (filter !== undefined && type === undefined)
          return refused("The filter is not understood. There is type = 'MEDIA-TYPE', such as type = 'text/html'.");
        const kinds = type === undefined ? ENTRY_TYPES : ENTRY_TYPES.filter((one) => one === type);
        if (kinds.length === 0) return { status: 200, body: { items: [] }, headers: SHARED };
        const after = pageToken === undefined ? null : readCursor(pageToken);
        const { items, next } = await store.mailboxes.page(
          LISTED,
          after,
          Math.max(1, Math.floor(pageSize / kinds.length)),
        );
        const entries: readonly CatalogEntry[] = items.flatMap((mailbox) =>
          entriesOf(mailbox, place()).filter((entry) => kinds.some((kind) => kind === entry.type)),
        );
        const more = next === null ? {} : { pageToken: writeCursor(next) };
        return { status: 200, body: { items: entries.slice(0, pageSize), ...more }, headers: SHARED };
      },
    }),
  ];
}

/** The addresses that may have a word of the text, as they are at this moment: of very many, the first of the longest word. */
async function searched(store: RegistryParts['store'], text: string): Promise<readonly MailboxSummary[]> {
  const longestFirst = [...new Set(wordsOf(text))].toSorted((one, other) => other.length - one.length);
  const words = longestFirst.slice(0, SEARCH_WORDS);
  const found = new Map<string, MailboxSummary>();
  for (const word of words) {
    const query = word.slice(0, Math.max(STEM, word.length - ENDING));
    let after: string | null = null;
    for (let pages = 0; pages < WORD_PAGES && found.size < MAX_FOUND; pages++) {
      const { items, next }: Page<MailboxSummary> = await store.mailboxes.page(
        { ...LISTED, query },
        after,
        SEARCH_PAGE,
      );
      for (const mailbox of items) found.set(mailbox.id, mailbox);
      if (next === null) break;
      after = next;
    }
  }
  return [...found.values()];
}

const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]{2,40}/gu) ?? []).filter((word) => !COMMON.has(word));

/** Those that have a word of the text, or its beginning, the best first; `score` is the share of its words, to 100. */
function ranked(all: readonly MailboxSummary[], text: string) {
  const wanted = [...new Set(wordsOf(text))].slice(0, 50);
  return all
    .map((mailbox) => {
      const { local_part, namespace, display_name, description, behavior } = mailbox;
      const has = wordsOf([local_part, namespace, display_name ?? '', description, behavior].join(' '));
      const hits = wanted.filter((word) => has.some((one) => one.startsWith(word) || word.startsWith(one))).length;
      return { mailbox, score: wanted.length === 0 ? 0 : Math.round((100 * hits) / wanted.length) };
    })
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score);
}
