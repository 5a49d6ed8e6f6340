import type { Html } from '../../../http/html.ts';
import { html } from '../../../http/html.ts';
import type { Frame } from '../../../http/page.ts';

/** A page of the reference. */
export interface DocsPage {
  readonly title: string;
  readonly description: string;
  /** From the page to the root. */
  readonly root: '' | '../';
  /** Beside the text on a desk, folded above it on a phone. */
  readonly contents?: Html;
  /** What `contents` is of, when it is not of this page. */
  readonly label?: string;
  readonly main: Html;
}

/** A whole page of the reference, in the frame that all pages have. */
export const docsPage = (
  { title, description, root, contents, label = 'Contents', main }: DocsPage,
  frame: Frame,
): string =>
  frame.page({
    title: `${title} · Mailroom`,
    description,
    root,
    styles: ['docs.css'],
    ...(contents === undefined ? {} : { beside: beside(label, contents) }),
    main: html`<div class="docs">
${main}
</div>`,
  });

/** Twice, one of them hidden: a list that is open beside the text cannot be the one that a phone folds. */
const beside = (label: string, list: Html): Html => html`<nav class="beside" aria-label="${label}">${list}</nav>
<details class="folded"><summary>${label}</summary><nav aria-label="${label}">${list}</nav></details>`;
