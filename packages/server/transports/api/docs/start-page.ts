import { type Html, html, prose } from '../../../http/html.ts';
import { nounPath } from './basics.ts';
import type { ApiDocument } from './document.ts';
import type { Document } from './guides.ts';
import type { Noun } from './nouns.ts';

/** Anchors of sections that moved to other pages; links to them still lead to the right place. */
const MOVED: readonly string[] = ['answers', 'authentication', 'idempotency', 'limits', 'errors', 'paging'];

/** The first page: guides, the quick start, and every operation by noun. */
export const startMain = (
  document: ApiDocument,
  guides: readonly Document[],
  nouns: readonly Noun[],
  quickStart: Html,
): Html => html`<div class="head">
<h1>Docs</h1>
<p class="lead">Write to an address, create your own, and see every call with an example to paste.</p>
<dl class="properties"><div><dt>Base URL</dt><dd><code>${document.servers[0]?.url}/api/v1</code></dd></div><div><dt>Version</dt><dd>${document.info.version}</dd></div><div><dt>For programs</dt><dd><a href="api/v1/openapi.json">OpenAPI 3.1</a>, <a href="docs.md">Markdown</a></dd></div><div><dt>When a call fails</dt><dd><a href="problems">Every problem code</a></dd></div></dl>
</div>
<section class="group" aria-labelledby="guides"><h2 id="guides">Guides</h2>
<ul class="list guides">${guides.map(({ path, title, line }) => html`<li><a href="${path}"><span class="what"><strong>${title}</strong> <span class="meta">${line}</span></span></a></li>`)}</ul></section>
<section class="group quick" id="start">${quickStart}</section>
<section class="group" aria-labelledby="reference"><h2 id="reference">Reference</h2>
<p>One page per noun. <a href="docs/api">How the API works</a> covers what they share: ${MOVED.map((id, at) => html`${at > 0 && ', '}<a id="${id}" href="docs/api#${id}">${id}</a>`)}.</p>
${nouns.map(
  ({
    name,
    description,
    endpoints,
  }) => html`<section class="noun"><h3${anchor(name)}><a href="${nounPath(name).slice(1)}">${name}</a></h3>
<p>${prose(description)}</p>
<ul class="calls">${endpoints.map(({ operationId, summary, method, path }) => html`<li id="${operationId}"><a href="${nounPath(name).slice(1)}#${operationId}">${summary}</a> <code>${method} ${path}</code></li>`)}</ul></section>`,
)}</section>`;

/** The id of a noun's heading; none where it is that of a section that moved. */
const anchor = (name: string): Html | false => {
  const id = name.toLowerCase();
  return !MOVED.includes(id) && html` id="${id}"`;
};

/** The same page as Markdown with links from the root. */
export const startText = (
  document: ApiDocument,
  guides: readonly Document[],
  nouns: readonly Noun[],
  quickStart: string,
): string => `# Mailroom docs

> ${document.info.description}

- Base URL: \`${document.servers[0]?.url}/api/v1\`
- [OpenAPI 3.1](${document.servers[0]?.url}/api/v1/openapi.json)
- [Every problem code](/problems)

## Guides

${guides.map(({ path, title, line }) => `- [${title}](/${path}): ${line}`).join('\n')}

${quickStart}

## Reference

${nouns
  .map(
    ({ name, description, endpoints }) =>
      `- [${name}](${nounPath(name)}): ${description} ${endpoints.map(({ summary }) => summary).join('; ')}.`,
  )
  .join('\n')}
`;
