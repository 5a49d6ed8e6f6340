import type { Millis } from '@mailroom/behavior/values/clock';
import { MINUTE } from '@mailroom/behavior/values/clock';
import { sha256 } from '@mailroom/behavior/values/hash';
import { yieldToEventLoop } from '@mailroom/behavior/values/yield-to-event-loop';
import { Type } from 'typebox';
import type { Store } from '../../../core/ports/store.ts';
import { readCursor } from '../../../core/values/page.ts';
import { isKnown } from '../../../http/range.ts';
import type { Answer, Call, Route } from '../../../http/route.ts';
import { route } from '../../../http/route.ts';
import type { PlaceParts } from '../place.ts';
import { findNamespace, NAMESPACE_PLACE } from '../place.ts';
import { hidden } from '../routes.ts';
import { aiCatalog, CATALOG_TYPE, catalogPath } from './ai-catalog.ts';

/** Addresses of one page of a catalog. */
const PAGE = 200;
/** Pages of a catalog; the addresses beyond them are in `GET /api/v1/mailboxes`. */
const MAX_PAGES = 250;

interface CatalogParts extends PlaceParts {
  readonly store: Pick<Store, 'mailboxes'>;
  readonly baseUrl: () => string;
}

const Query = Type.Object({ cursor: Type.Optional(Type.String({ maxLength: 100 })) });

/** The AI catalogs: of the service, and of each namespace. They list what anyone may see, as it is at that moment. */
export function catalogRoutes(parts: CatalogParts): readonly Route[] {
  const { store, baseUrl, mailDomain } = parts;
  let found: { readonly pages: Promise<readonly string[]>; readonly until: Millis } | undefined;

  /** Where the further pages begin. For the whole service that reads up to 50,000 rows, so at most once a minute. */
  function furtherPages(namespace: string | undefined, first: string): Promise<readonly string[]> {
    if (namespace !== undefined) return pageStarts(store, namespace, first);
    if (found !== undefined && performance.now() < found.until) return found.pages;
    const pages = pageStarts(store, undefined, first);
    const cached = { pages, until: performance.now() + MINUTE };
    // After a failure the next request tries again.
    pages.catch(() => {
      if (found === cached) found = undefined;
    });
    found = cached;
    return pages;
  }

  async function answer({ query, headers }: Pick<Call, 'query' | 'headers'>, namespace?: string): Promise<Answer> {
    const { cursor } = query as { cursor?: string };
    const after = cursor === undefined ? null : readCursor(cursor);
    const { items, next } = await store.mailboxes.page(queryOf(namespace), after, PAGE);
    const pages = next === null || after !== null ? [] : await furtherPages(namespace, next);
    const body = JSON.stringify(
      aiCatalog({ mailboxes: items, first: after === null, pages }, { baseUrl: baseUrl(), mailDomain, namespace }),
    );
    const etag = `"${sha256(body).slice(0, 32)}"`;
    const shared = {
      etag,
      // Each use asks whether it changed, so that a deleted address is gone at once.
      'cache-control': 'public, no-cache',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'ETag, Link',
      link: `<${baseUrl()}/${catalogPath(namespace)}>; rel="canonical"`,
    };
    if (isKnown(headers['if-none-match'], etag)) return { status: 304, headers: shared };
    return { status: 200, headers: { ...shared, 'content-type': CATALOG_TYPE }, body };
  }

  return [
    route({ ...hidden('GET', `/${catalogPath(undefined)}`), query: Query, handle: (call) => answer(call) }),
    route({
      ...hidden('GET', `/${catalogPath('{name}')}`),
      ...NAMESPACE_PLACE,
      query: Query,
      async handle(call) {
        const { found: namespace } = await findNamespace(call.params.name, parts);
        return answer(call, namespace.name);
      },
    }),
  ];
}

const queryOf = (namespace: string | undefined) => ({
  listed: true,
  seen_by: null,
  ...(namespace !== undefined && { namespace }),
});

/** The ids after which pages begin, of which `first` is the first. */
async function pageStarts(
  store: Pick<Store, 'mailboxes'>,
  namespace: string | undefined,
  first: string,
): Promise<readonly string[]> {
  const starts = [first];
  while (starts.length < MAX_PAGES) {
    const { next } = await store.mailboxes.page(queryOf(namespace), starts.at(-1) ?? null, PAGE);
    if (next === null) break;
    starts.push(next);
    // A store that answers synchronously would block other requests during the whole loop.
    await yieldToEventLoop();
  }
  return starts;
}
