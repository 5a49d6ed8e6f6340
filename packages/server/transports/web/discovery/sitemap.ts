import { MINUTE, type Millis, rfc3339 } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { Type } from 'typebox';
import type { MailboxSummary } from '../../../core/entities/mailbox.ts';
import type { Store } from '../../../core/ports/store.ts';
import { Constant } from '../../../http/constant.ts';
import { pageRoute } from '../../../http/page-route.ts';
import type { Answer, Route } from '../../../http/route.ts';
import { pathOf } from '../pieces.ts';
import { listedIn, onceAMinute, pageStarts } from './page-starts.ts';

/** Mailboxes of one file: few enough to be written at once beside other requests. */
const FILE_SIZE = 1_000;
/** The maximum number of files that an index names (sitemaps.org, 0.9). */
const MAX_FILES = 50_000;
/** Files that are kept for a minute. */
const MAX_KEPT = 50;

const SCHEMA = 'http://www.sitemaps.org/schemas/sitemap/0.9';

/** What a search engine may index: a path without a leading slash, and when the page last changed, if known. */
interface SitemapPage {
  readonly path: string;
  readonly changed_at?: Millis;
}

interface SitemapParts {
  readonly store: Pick<Store, 'mailboxes'>;
  readonly baseUrl: () => string;
  readonly mailDomain: string;
}

const xml = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

const document = (root: 'urlset' | 'sitemapindex', entries: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${SCHEMA}">\n${entries.join('')}</${root}>\n`;

/** A file of a sitemap: the absolute URLs of the pages, up to 50,000 of them (sitemaps.org, 0.9). */
const sitemapXml = (baseUrl: string, pages: readonly SitemapPage[]): string =>
  document(
    'urlset',
    pages.map(({ path, changed_at }) => {
      const changed = changed_at === undefined ? '' : `<lastmod>${rfc3339(changed_at)}</lastmod>`;
      return `<url><loc>${xml(new URL(`${baseUrl}/${path}`).href)}</loc>${changed}</url>\n`;
    }),
  );

const indexXml = (baseUrl: string, files: number): string =>
  document(
    'sitemapindex',
    Array.from(
      { length: files },
      (_, at) => `<sitemap><loc>${xml(baseUrl)}/sitemap.xml?page=${at + 1}</loc></sitemap>\n`,
    ),
  );

const Query = Type.Object({ page: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,4}$' })) });

/**
 * `/sitemap.xml`: `first`, then each listed namespace and mailbox. With more than a file holds it is an index, and
 * `?page=N` is a file.
 */
export function sitemapRoute(parts: SitemapParts, first: readonly SitemapPage[]): Route {
  const starts = onceAMinute(() => pageStarts(parts.store, { size: FILE_SIZE, max: MAX_FILES - 1 }));
  const files = new Map<number, () => Promise<Constant>>();

  async function write(number: number): Promise<Constant> {
    const start = number === 1 ? null : (await starts())[number - 2];
    if (start === undefined)
      throw new AppError('not_found', 'The sitemap has no such page. /sitemap.xml names its pages.');
    const { items } = await parts.store.mailboxes.page(listedIn(), start, FILE_SIZE);
    const pages = [...(number === 1 ? first : []), ...pagesOf(items, parts.mailDomain)];
    return new Constant(sitemapXml(parts.baseUrl(), pages));
  }

  function file(number: number): Promise<Constant> {
    let kept = files.get(number);
    if (kept === undefined) {
      if (files.size >= MAX_KEPT) files.clear();
      kept = onceAMinute(() => write(number));
      files.set(number, kept);
    }
    return kept();
  }

  return pageRoute('GET', '/sitemap.xml', {
    query: Query,
    async handle({ query }): Promise<Answer> {
      const { page } = query as { page?: string };
      const further = page === undefined ? (await starts()).length : 0;
      const body = further === 0 ? await file(Number(page ?? 1)) : indexXml(parts.baseUrl(), further + 1);
      return {
        status: 200,
        body,
        headers: {
          'content-type': 'application/xml; charset=utf-8',
          'cache-control': `public, max-age=${MINUTE / 1_000}`,
        },
      };
    },
  });
}

/** The mailboxes' pages, each namespace before its first one here. */
function pagesOf(mailboxes: readonly MailboxSummary[], mailDomain: string): readonly SitemapPage[] {
  const namespaces = new Set<string>();
  return mailboxes.flatMap((mailbox) => {
    const isNew = !namespaces.has(mailbox.namespace);
    namespaces.add(mailbox.namespace);
    const page = { path: pathOf(mailbox, mailDomain), changed_at: mailbox.updated_at };
    return isNew ? [{ path: mailbox.namespace }, page] : [page];
  });
}
