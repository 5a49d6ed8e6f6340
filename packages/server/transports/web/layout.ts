import { type Html, html } from '../../http/html.ts';
import type { Frame, Page } from '../../http/page.ts';
import type { Answer } from '../../http/route.ts';
import { assetPath } from './assets.ts';
import { timeMark } from './console/times.ts';
import { CATALOG_RELATION, CATALOG_TYPE } from './discovery/ai-catalog.ts';
import { PAGE_HEADERS } from './headers.ts';
import { issuerName } from './looks.ts';
import { copyButton, icon, note, stamp } from './pieces.ts';

export type { Page };

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='5' fill='%23f9d43b'/%3E%3Ctext x='16' y='22' text-anchor='middle' font-family='Arial' font-weight='bold' font-size='19' fill='%23251d05'%3E@%3C/text%3E%3C/svg%3E";

/** The logo: a yellow stamp with the name beside it. */
const brand = (root: string, name = 'Mailroom'): Html =>
  html`<a class="brand" href="${root || './'}"><span class="stamp s30 h-post" aria-hidden="true">@</span>${name}</a>`;

/** A whole page. Public pages pass `description` and `card`, which link previews show. */
export function page(content: Page): string {
  const { root, card, description } = content;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${content.title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#faf9f7">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#100f0d">
${description && html`<meta name="description" content="${description}">`}
${content.private && html`<meta name="robots" content="noindex">`}
${
  card &&
  html`<meta property="og:type" content="website">
<meta property="og:site_name" content="Mailroom">
<meta property="og:title" content="${content.title}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${card.url}">
<meta property="og:image" content="${card.image}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="${card.alt}">
<meta name="twitter:card" content="summary_large_image">
<meta name="twitter:title" content="${content.title}">
<meta name="twitter:description" content="${description}">
<meta name="twitter:image" content="${card.image}">
<link rel="canonical" href="${card.url}">`
}
${content.markdown && html`<link rel="alternate" type="text/markdown" href="${content.markdown}">`}
${content.catalog && html`<link rel="${CATALOG_RELATION}" type="${CATALOG_TYPE}" href="${content.catalog}">`}
<link rel="icon" href="${ICON}">
<link rel="preload" href="${root}${assetPath('geist-latin-wght-normal.woff2')}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${root}${assetPath('style.css')}">
${content.styles?.map((name) => html`<link rel="stylesheet" href="${root}${assetPath(name)}">`)}
<script type="module" src="${root}${assetPath('page.js')}"></script>
${content.scripts?.map((name) => html`<script type="module" src="${root}${assetPath(name)}"></script>`)}
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
${content.frame === 'bare' ? content.main : framed(content)}
</body>
</html>
`.text;
}

const framed = ({ root, main, beside }: Page): Html => html`<header class="wrap top">
${brand(root)}
<nav aria-label="Site">
<a class="wide" href="${root || './'}#addresses">Addresses</a>
<a class="wide" href="${root}docs">Docs</a>
<a href="${root}console">Console</a>
<a class="button" href="${root}new">Make your own</a>
</nav>
</header>
${
  beside === undefined
    ? html`<main id="main" class="wrap" tabindex="-1">
${main}
</main>`
    : html`<div class="wrap columns">
${beside}
<main id="main" tabindex="-1">
${main}
</main>
</div>`
}
<footer class="wrap bottom"><div>
<span>Mailroom</span>
<ul>
<li><a href="${root}console">Console</a></li>
<li><a href="${root}docs">Docs</a></li>
<li><a href="${root}api/v1/openapi.json">API</a></li>
<li><a href="${root || './'}#run">Run it yourself</a></li>
<li><a href="${root}status">Status</a></li>
<li><a href="${root}report">Report abuse</a></li>
</ul>
</div></footer>`;

/** The page as an answer, with the headers of every page. */
export const pageAnswer = (status: number, of: Page, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status,
  body: page(of),
  headers: { ...PAGE_HEADERS, ...headers },
});

/** The page layout and components for the pages of other transports. */
export const frame: Frame = {
  page,
  headers: PAGE_HEADERS,
  copyButton,
  icon,
  note,
  issuerStamp: () => stamp(issuerName()),
  brand,
  time: timeMark,
};
