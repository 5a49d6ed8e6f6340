import type { Html } from '../../../http/html.ts';
import { html } from '../../../http/html.ts';
import type { Frame } from '../../../http/page.ts';
import { searchForm } from './search-page.ts';

/** A page of the reference. */
export interface DocsPage {
  readonly title: string;
  readonly description: string;
  /** From the page to the root. */
  readonly root: '' | '../' | '../../';
  /** The pages above it, from the root. */
  readonly crumbs?: readonly (readonly [path: string, title: string])[];
  /** Beside the text on a desk, folded above it on a phone. */
  readonly contents?: Html;
  /** What `contents` is of, when it is not of this page. */
  readonly label?: string;
  readonly main: Html;
  /** The same as Markdown, from the root. */
  readonly markdown?: string;
  /** What was searched for, on the page of results. */
  readonly query?: string;
}

/** A whole page of the reference, in the frame that all pages have, with the search. */
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

/** Twice, one of them hidden: a list that is open beside the text cannot be the one that a phone folds. */
const beside = (label: string, list: Html): Html => html`<nav class="beside" aria-label="${label}">${list}</nav>
<details class="folded"><summary>${label}</summary><nav aria-label="${label}">${list}</nav></details>`;
