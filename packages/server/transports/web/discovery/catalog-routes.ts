import { sha256 } from '@mailroom/behavior/values/hash';
import { Type } from 'typebox';
import type { Store } from '../../../core/ports/store.ts';
import { readCursor } from '../../../core/values/page.ts';
import { pageRoute } from '../../../http/page-route.ts';
import { isKnown } from '../../../http/range.ts';
import type { Answer, Call, Route } from '../../../http/route.ts';
import { findNamespace, NAMESPACE_PLACE, type PlaceParts } from '../place.ts';
import { aiCatalog, CATALOG_TYPE, catalogPath } from './ai-catalog.ts';
import { listedIn, onceAMinute, pageStarts } from './page-starts.ts';

/** Addresses of one page of a catalog, and pages after the first; the addresses beyond them are in `GET /api/v1/mailboxes`. */
const PAGES = { size: 200, max: 1_000 };

interface CatalogParts extends PlaceParts {
  readonly store: Pick<Store, 'mailboxes'>;
  readonly baseUrl: () => string;
}

const Query = Type.Object({ cursor: Type.Optional(Type.String({ maxLength: 100 })) });

/** The AI catalogs: of the service, and of each namespace. They list what anyone may see, as it is at that moment. */
export function catalogRoutes(parts: CatalogParts): readonly Route[] {
  const { store, baseUrl, mailDomain } = parts;
  const allStarts = onceAMinute(() => pageStarts(store, PAGES));
  const startsOf = (namespace?: string) =>
    namespace === undefined ? allStarts() : pageStarts(store, { ...PAGES, namespace });

  async function answer({ query, headers }: Pick<Call, 'query' | 'headers'>, namespace?: string): Promise<Answer> {
    const { cursor } = query as { cursor?: string };
    const after = cursor === undefined ? null : readCursor(cursor);
    const { items, next } = await store.mailboxes.page(listedIn(namespace), after, PAGES.size);
    const pages = next === null || after !== null ? [] : await startsOf(namespace);
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
    pageRoute('GET', `/${catalogPath(undefined)}`, { query: Query, handle: (call) => answer(call) }),
    pageRoute('GET', `/${catalogPath('{name}')}`, {
      ...NAMESPACE_PLACE,
      query: Query,
      async handle(call) {
        const { found: namespace } = await findNamespace(call.params.name, parts);
        return answer(call, namespace.name);
      },
    }),
  ];
}
