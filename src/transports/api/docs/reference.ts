import type { Html } from '../../../http/html.ts';
import { html, prose } from '../../../http/html.ts';
import type { Frame } from '../../../http/page.ts';
import { makeCodeBlocks } from './code.ts';
import type { ApiDocument } from './document.ts';
import { codesOfAll, endpointsOf } from './document.ts';
import { endpointSection } from './endpoint.ts';
import type { Amounts } from './guide.ts';
import { guide } from './guide.ts';
import { docsPage } from './page.ts';
import type { Scene } from './samples.ts';

const idOf = (tag: string): string => tag.toLowerCase();

/** The page that explains the API: the guide, then every endpoint of the OpenAPI document by its tag. */
export function referencePage(document: ApiDocument, scene: Scene, amounts: Amounts, frame: Frame): string {
  const endpoints = endpointsOf(document);
  const common = codesOfAll(document);
  const base = document.servers[0]?.url ?? '';
  const blocks = makeCodeBlocks(frame);
  const parts = guide({ document, scene, amounts, common, blocks });
  const groups = document.tags
    .map((tag) => ({ ...tag, endpoints: endpoints.filter(({ tags }) => tags.includes(tag.name)) }))
    .filter((group) => group.endpoints.length > 0);

  const contents = html`<p class="small-title">Guide</p><ul>${parts.map(({ id, title }) => entry(id, title))}</ul>
${groups.map(
  ({ name, endpoints: those }) =>
    html`<p class="small-title"><a href="#${idOf(name)}">${name}</a></p><ul>${those.map(({ operationId, summary }) => entry(operationId, summary))}</ul>`,
)}`;

  const main = html`<div class="head">
<h1>${document.info.title}</h1>
<p class="lead">${prose(document.info.description)}</p>
<dl class="facts"><div><dt>Base URL</dt><dd><code>${base}/api/v1</code></dd></div><div><dt>Version</dt><dd>${document.info.version}</dd></div><div><dt>For programs</dt><dd><a href="api/v1/openapi.json">OpenAPI 3.1</a></dd></div><div><dt>When a call fails</dt><dd><a href="problems">Every problem code</a></dd></div></dl>
</div>
${parts.map(({ id, title, text }) => html`<section class="guide" aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${text}</section>\n`)}
${groups.map(
  ({ name, description, endpoints: those }) => html`<section class="group" aria-labelledby="${idOf(name)}">
<h2 id="${idOf(name)}">${name}</h2><p class="lead">${prose(description)}</p>
${those.map((endpoint) => endpointSection(endpoint, { document, scene, common, blocks }))}</section>
`,
)}`;

  return docsPage(
    {
      title: 'Docs',
      description:
        'How to send to a mailbox and read its answer, how to make one, and every endpoint with an example to paste.',
      root: '',
      contents,
      main,
    },
    frame,
  );
}

const entry = (id: string, title: string): Html => html`<li><a href="#${id}">${title}</a></li>`;
