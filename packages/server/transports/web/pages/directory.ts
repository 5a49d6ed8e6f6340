import type { Behavior } from '@mailroom/behavior';
import { isLocalPart } from '@mailroom/behavior/values/address';
import type { MailboxSummary } from '../../../core/entities/mailbox.ts';
import { MAX_QUERY, type SearchCaller } from '../../../core/ports/search.ts';
import type { Store } from '../../../core/ports/store.ts';
import { type Page as Listed, readCursor, writeCursor } from '../../../core/values/page.ts';
import { type Html, html } from '../../../http/html.ts';
import { entry } from '../pieces.ts';
import { verbOf } from '../words.ts';

/** The filter of a list of addresses. */
export interface DirectoryQuery {
  readonly query?: string;
  readonly behavior?: string;
  readonly cursor?: string;
}

const ENTRIES = 20;

/** Reads the filter from a page's query. */
export function wantedOf(query: Readonly<Record<string, unknown>>): DirectoryQuery {
  const wanted: { query?: string; behavior?: string; cursor?: string } = {};
  for (const name of ['query', 'behavior', 'cursor'] as const) {
    const value = query[name];
    if (typeof value === 'string' && value.trim() !== '') wanted[name] = value.trim().slice(0, MAX_QUERY);
  }
  return wanted;
}

/** Listed mailboxes that answer here, of one namespace or of all. An invalid cursor starts from the beginning. */
export async function findListed(
  { query, behavior, cursor }: DirectoryQuery,
  { store, behaviors }: { readonly store: Pick<Store, 'mailboxes'>; readonly behaviors: readonly Behavior[] },
  caller: SearchCaller,
  namespace?: string,
): Promise<Listed<MailboxSummary>> {
  const filter = {
    listed: true,
    seen_by: null,
    ...(query === undefined ? {} : { query }),
    ...(behavior === undefined ? {} : { behavior }),
    ...(namespace === undefined ? {} : { namespace }),
  };
  const { items, next } = await store.mailboxes.page(
    filter,
    cursor === undefined ? null : placeOf(cursor),
    ENTRIES,
    caller,
  );
  return { items: items.filter((one) => answersHere(one, behaviors)), next };
}

/** Whether the behavior of a mailbox is loaded: without it each message to it ends with an error. */
export const answersHere = ({ behavior }: MailboxSummary, behaviors: readonly Behavior[]): boolean =>
  behaviors.some(({ name }) => name === behavior);

function placeOf(cursor: string): string | null {
  try {
    return readCursor(cursor);
  } catch {
    return null;
  }
}

/** Search, filters and list of the shared addresses. `page`: the relative path of the page they are on. */
export function directory(
  listed: Listed<MailboxSummary>,
  wanted: DirectoryQuery,
  page: string,
  { behaviors, mailDomain }: { readonly behaviors: readonly Behavior[]; readonly mailDomain: string },
): Html {
  const link = (change: DirectoryQuery): string => {
    const { cursor: _, ...rest } = { ...wanted, ...change };
    const search = new URLSearchParams(
      Object.entries(rest).filter(([, value]) => value !== undefined) as [string, string][],
    );
    return `${page}${search.size > 0 ? `?${search}` : ''}#addresses`;
  };
  const { behavior: _, ...anyBehavior } = wanted;
  const all = new URLSearchParams(anyBehavior.query === undefined ? {} : { query: anyBehavior.query });
  return html`<section class="section" id="addresses">
<div class="section-head"><h2>Shared addresses</h2>
<form class="search" role="search" action="${page}#addresses">
${wanted.behavior !== undefined && html`<input type="hidden" name="behavior" value="${wanted.behavior}">`}
<label class="sr" for="query">Search addresses</label>
<input class="input" type="search" id="query" name="query" placeholder="Search addresses" value="${wanted.query}" maxlength="200" dir="auto" data-search>
<button class="sr">Search</button>
</form></div>
<div class="chips"><a class="chip" href="${page}${all.size > 0 ? `?${all}` : ''}#addresses"${wanted.behavior === undefined && html` aria-current="true"`}>All</a>${behaviors.map((one) => chip(one, wanted, link))}</div>
${listed.items.length === 0 ? nothing(wanted, page) : html`<ul class="entries">${listed.items.map((one) => entry(one, '', mailDomain))}</ul>`}
${listed.next !== null && html`<p class="row list-more"><a class="button" href="${more(page, wanted, listed.next)}">More addresses</a></p>`}
</section>`;
}

const chip = ({ name }: Behavior, wanted: DirectoryQuery, link: (change: DirectoryQuery) => string): Html =>
  html`<a class="chip" href="${link({ behavior: name })}"${wanted.behavior === name && html` aria-current="true"`}>${verbOf(name)}</a>`;

function more(page: string, { query, behavior }: DirectoryQuery, next: string): string {
  const search = new URLSearchParams({
    ...(query === undefined ? {} : { query }),
    ...(behavior === undefined ? {} : { behavior }),
    cursor: writeCursor(next),
  });
  return `${page}?${search}#addresses`;
}

function nothing({ query }: DirectoryQuery, page: string): Html {
  if (query === undefined) {
    return html`<div class="empty"><h3>No addresses yet</h3><p class="meta">Make the first one.</p><div class="row"><a class="button" href="new">Make your own</a></div></div>`;
  }
  const wanted = query.toLowerCase();
  return html`<div class="empty"><h3>No address matches “${query}”</h3><p class="meta">Search covers addresses and descriptions.</p>
<div class="row"><a class="button" href="${page}#addresses">Clear search</a><a class="button quiet" href="new${isLocalPart(wanted) && `?local=${wanted}`}">Make ${isLocalPart(wanted) ? `${wanted}@…` : 'your own'}</a></div></div>`;
}
