import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Html } from '../../../http/html.ts';
import { html } from '../../../http/html.ts';

export const STYLE = readFileSync(join(import.meta.dirname, 'style.css'), 'utf8');

/** A name for a text as it is, short and good for a URL. */
export const versionOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 16);
export const STYLE_VERSION = versionOf(STYLE);

/** Nothing runs, nothing comes from elsewhere, nothing is sent anywhere, nobody frames it. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'strict-origin-when-cross-origin',
};

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='5' fill='%23ffd43b'/%3E%3Ctext x='16' y='22' text-anchor='middle' font-family='Arial' font-weight='bold' font-size='19' fill='%23251d05'%3E@%3C/text%3E%3C/svg%3E";

export interface Page {
  readonly title: string;
  readonly description: string;
  /** From the page to the root: links are relative, so that the service may stand anywhere. */
  readonly root: '' | '../';
  readonly here?: 'docs' | 'problems';
  /** Beside the text on a desk, folded above it on a phone. */
  readonly contents?: Html;
  readonly main: Html;
}

export function page({ title, description, root, here, contents, main }: Page): string {
  const link = (name: 'docs' | 'problems', label: string): Html =>
    html`<li><a href="${root}${name}"${here === name && html` aria-current="page"`}>${label}</a></li>`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="description" content="${description}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="${root}docs/style.css?v=${STYLE_VERSION}">
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header class="top">
<a class="brand" href="${root || './'}"><span class="stamp" aria-hidden="true">@</span>Mailroom</a>
<nav aria-label="Site"><ul>${link('docs', 'Docs')}${link('problems', 'Problems')}<li><a href="${root}api/v1/openapi.json">OpenAPI</a></li></ul></nav>
</header>
<div class="${contents === undefined ? 'single' : 'columns'}">
${
  contents !== undefined &&
  html`<nav class="beside" aria-label="Contents">${contents}</nav>
<details class="folded"><summary>Contents</summary><nav aria-label="Contents">${contents}</nav></details>`
}
<main id="main" tabindex="-1">
${main}
</main>
</div>
<footer><span>Mailroom</span><span>Served from here, like everything on this page.</span></footer>
</body>
</html>
`.text;
}
