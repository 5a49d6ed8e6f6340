import { type Html, html } from '../../../http/html.ts';
import { stamp } from '../pieces.ts';

interface Empty {
  /** The stamp of a behavior; an unused one by default. */
  readonly behavior?: string | undefined;
  readonly fact: Html | string;
  readonly rest: Html | string;
  /** The next step; a link or a form. */
  readonly next?: Html | false | undefined;
}

const blank = html`<span class="stamp s40 h-post" aria-hidden="true">@</span>`;

/** Stands where there is nothing: what is the case, why, and one next step. */
export const emptyState = ({ behavior, fact, rest, next }: Empty): Html =>
  html`<div class="empty" data-empty><span class="postmark">${behavior === undefined ? blank : stamp(behavior, 64)}</span><h2>${fact}</h2><p>${rest}</p>${next && html`<div class="row">${next}</div>`}</div>`;
