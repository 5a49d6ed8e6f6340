import type { Behavior } from '@mailroom/behavior';
import type { Namespace } from '../../../core/entities/namespace.ts';
import type { SearchCaller } from '../../../core/ports/search.ts';
import type { Store } from '../../../core/ports/store.ts';
import { writeCursor } from '../../../core/values/page.ts';
import { html } from '../../../http/html.ts';
import { catalogPath } from '../discovery/ai-catalog.ts';
import type { Page } from '../layout.ts';
import { counted, entry } from '../pieces.ts';
import { type DirectoryQuery, findListed } from './directory.ts';

/** A namespace's page: its listed mailboxes, then those of others. */
export async function namespacePage(
  namespace: Namespace,
  wanted: DirectoryQuery,
  parts: {
    readonly store: Pick<Store, 'mailboxes'>;
    readonly baseUrl: () => string;
    readonly behaviors: readonly Behavior[];
    readonly mailDomain: string;
  },
  caller: SearchCaller,
): Promise<Page> {
  const { name, display_name } = namespace;
  const [addresses, all] = await Promise.all([
    findListed({ ...wanted }, parts, caller, name),
    findListed({}, parts, caller),
  ]);
  const elsewhere = all.items.filter((one) => one.namespace !== name).slice(0, 6);
  const url = `${parts.baseUrl()}/${name}`;
  const title = display_name ?? name;
  const line = `Addresses that end in @${name}.${parts.mailDomain}. Write to one and it writes back.`;
  return {
    title: display_name === null ? `${name} · Mailroom` : `${display_name} · ${name}`,
    description: line,
    root: '',
    markdown: `${name}.md`,
    catalog: catalogPath(name),
    card: { url, image: `${url}/card.png`, alt: `${title}. ${line}` },
    main: html`<div class="section"><h1 dir="auto">${title}</h1><p class="lead">@${name}<wbr>.${parts.mailDomain}</p></div>
<section class="section" id="addresses"><div class="section-head"><h2>${addresses.next === null && wanted.cursor === undefined ? counted(addresses.items.length, 'address').replace('addresss', 'addresses') : 'Addresses'}</h2></div>
${
  addresses.items.length === 0
    ? html`<p class="lead">No address is listed here. To write to one, you need to know it.</p>`
    : html`<ul class="entries">${addresses.items.map((one) => entry(one, '', parts.mailDomain))}</ul>`
}
${addresses.next !== null && html`<p class="row list-more"><a class="button" href="${name}?cursor=${writeCursor(addresses.next)}#addresses">More addresses</a></p>`}
</section>
${
  elsewhere.length > 0 &&
  html`<section class="section"><div class="section-head"><h2>Elsewhere</h2><a class="meta" href="./#addresses">All addresses</a></div><ul class="entries">${elsewhere.map((one) => entry(one, '', parts.mailDomain))}</ul></section>`
}`,
  };
}
