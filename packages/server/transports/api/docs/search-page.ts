import { type Html, html, prose } from '../../../http/html.ts';
import { cut, type Entry, type Kind, search, termsOf } from './search.ts';

/** A form that works without scripts; a script only makes it faster. */
export const searchForm = (
  root: string,
  query = '',
): Html => html`<form class="search docs-search" role="search" action="${root}docs/search">
<label class="sr" for="query">Search the docs</label>
<input class="input" type="search" id="query" name="query" placeholder="Search: status, 422, sign in…" value="${query}" maxlength="100" autocomplete="off" data-search>
<button class="button">Search</button>
</form>`;

const prosePart = (line: string): Html => {
  const short = cut(line);
  // A cut within code leaves a single backtick, which is closed here.
  return prose(short.split('`').length % 2 === 0 ? `${short}\`` : short);
};

const result = ({ title, beside, line, path, kind }: Entry, root: string): Html =>
  html`<li><a href="${root}${path}">${kind === 'Fields' || kind === 'Codes' ? html`<code>${title}</code>` : title}</a>${beside && html` <span class="meta">${beside}</span>`}${line && html`<p>${prosePart(line)}</p>`}</li>`;

const group = (kind: Kind, entries: readonly Entry[], root: string): Html =>
  html`<section><h2>${kind}</h2><ul class="found">${entries.map((one) => result(one, root))}</ul></section>`;

/** The results of a query by kind, or advice when there are none. */
export function results(entries: readonly Entry[], query: string, root: string): Html {
  if (termsOf(query).length === 0)
    return html`<p>Type a word: an operation, a field, a code, or what you want to do.</p>`;
  const found = search(entries, query);
  if (found.size === 0)
    return html`<p><b>Nothing found for “${query}”.</b> Try a single word, such as a field’s name or a status. Every operation is on <a href="${root}docs">the first page</a>.</p>`;
  const count = [...found.values()].reduce((sum, { length }) => sum + length, 0);
  return html`<p class="meta" data-count>${count} ${count === 1 ? 'result' : 'results'} for “${query}”</p>${[...found].map(([kind, those]) => group(kind, those, root))}`;
}
