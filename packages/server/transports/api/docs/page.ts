import { type Html, html } from '../../../http/html.ts';
import type { Frame } from '../../../http/page.ts';
import { searchForm } from './search-page.ts';

/** A page of the reference. */
export interface DocsPage {
  readonly title: string;
  readonly description: string;
  /** The relative path from the page to the root. */
  readonly root: '' | '../' | '../../';
  /** The pages above it, starting at the root. */
  readonly crumbs?: readonly (readonly [path: string, title: string])[];
  /** Beside the text on wide screens, folded above it on narrow ones. */
  readonly contents?: Html;
  /** The title of `contents` when they are not of this page. */
  readonly label?: string;
  readonly main: Html;
  /** The path of the page as Markdown, from the root. */
  readonly markdown?: string;
  /** The query, on the page of search results. */
  readonly query?: string;
}

/** A whole page of the reference in the common frame, with the search form. */
export const docsPage = (of: DocsPage, frame: Frame): string => {
  const { title, description, root, crumbs = [], contents, label = 'Contents', main, markdown, query } = of;
  return frame.page({
    title: `${title} · Mailroom`,
    description,
    root,
    styles: ['docs.css'],
    scripts: ['docs.js'],
    ...(markdown === undefined ? {} : { markdown: root + markdown }),
    ...(query === undefined ? {} : { private: true }),
    ...(contents === undefined ? {} : { beside: beside(label, contents) }),
    main: html`<div class="docs">
<div class="docs-top">${
      crumbs.length > 0 &&
      html`<nav class="crumbs" aria-label="Where this page is">${crumbs.map(([path, name]) => html`<a href="${root}${path}">${name}</a> `)}</nav>`
    }${searchForm(root, query)}</div>
${main}
</div>`,
  });
};

/** Rendered twice with one copy hidden, because an open list beside the text cannot also be the folded one. */
const beside = (label: string, list: Html): Html => html`<nav class="beside" aria-label="${label}">${list}</nav>
<details class="folded"><summary>${label}</summary><nav aria-label="${label}">${list}</nav></details>`;
