import { type Html, html, prose } from '../../../http/html.ts';
import { JSON_LINES } from '../../../http/route.ts';
import type { CodeBlocks } from './code.ts';
import { curlOf } from './curl.ts';
import {
  type ApiDocument,
  codesOf,
  type Endpoint,
  nameOf,
  type Parameter,
  type Response,
  resolve,
  type Schema,
} from './document.ts';
import { answerTable, parameterTable, requestTable } from './fields.ts';
import type { Scene } from './samples.ts';

export interface Setting {
  readonly document: ApiDocument;
  readonly scene: Scene;
  /** The codes listed once for all endpoints. */
  readonly common: ReadonlySet<string>;
  readonly blocks: CodeBlocks;
  /** The relative path from the page to the root. */
  readonly root: string;
}

/** Who may call, in a few words, with the scope in backticks. */
export function callersOf(endpoint: Endpoint): string {
  const scope = endpoint['x-scope'];
  if (scope !== undefined) return `Key with \`${scope}\``;
  if (endpoint.security.some((way) => 'thread_token' in way)) return 'Key or thread token';
  return endpoint.security.some((way) => Object.keys(way).length === 0) ? 'Public' : 'Any key';
}

const TONES: Readonly<Record<string, string>> = { POST: ' answered', PATCH: ' working', DELETE: ' failed' };
const method = (name: string): Html => html`<span class="tag${TONES[name]}">${name}</span>`;

/** A path that may wrap before its slashes, with its parameters marked. */
const path = (text: string): Html =>
  html`${text.split(/(?=\/)|(\{\w+\})/).map((piece) => piece && [piece.startsWith('/') && html`<wbr>`, piece.startsWith('{') ? html`<var>${piece}</var>` : piece])}`;

function parameters(endpoint: Endpoint): Html {
  const tables = (
    [
      ['path', 'Path'],
      ['query', 'Query'],
      ['header', 'Header'],
    ] as const
  ).map(([place, title]): Html | undefined => {
    const those: readonly Parameter[] = endpoint.parameters.filter((parameter) => parameter.in === place);
    return those.length === 0 ? undefined : parameterTable(title, those);
  });
  return tables.some((table) => table !== undefined) ? html`<h3>Parameters</h3>${tables}` : html``;
}

function body(endpoint: Endpoint, document: ApiDocument): Html {
  const content = endpoint.requestBody?.content['application/json'];
  if (content === undefined) return html``;
  return html`<h3>Body</h3>${requestTable(resolve(content.schema, document), document)}`;
}

/** Whether the status is a success or a redirect. */
export const isGood = (status: string): boolean => Number(status) < 400;

function answers(endpoint: Endpoint, document: ApiDocument, { json }: CodeBlocks): Html {
  const good = Object.entries(endpoint.responses).filter(([status]) => isGood(status));
  const shapes = new Map<string, { readonly schema: Schema; readonly example?: unknown }>();
  for (const [, response] of good) {
    for (const [type, content] of Object.entries(response.content ?? {})) {
      const name = nameOf(content.schema);
      if (type === 'application/json' && name !== undefined) shapes.set(name, content);
    }
  }
  const [sample] = [...shapes.values()].filter(({ example }) => example !== undefined);
  return html`${sample !== undefined && html`<h3>Example answer</h3>${json(sample.example)}`}<h3>Answers</h3>
<dl class="answers">${good.map(
    ([status, response]) =>
      html`<div><dt><span class="tag">${status}</span></dt><dd>${prose(response.description)}${kindOf(response)}${headersOf(response)}</dd></div>`,
  )}</dl>
${[...shapes].map(
  ([name, { schema }]) => html`<details class="shape"><summary>${name}<span>fields</span></summary>
${answerTable(resolve(schema, document), document)}${itemTable(schema, document)}</details>`,
)}${good.map(([, { content }]) => content?.[JSON_LINES] && lines(content[JSON_LINES].schema, document))}`;
}

/** The fields of each kind of line in an answer of JSON Lines. */
function lines(schema: Schema, document: ApiDocument): Html {
  const kinds = (resolve(schema, document).anyOf ?? []).map((kind) => {
    const parts = (kind.allOf ?? [kind]).map((part) => resolve(part, document));
    const properties = Object.assign({}, ...parts.map((part) => part.properties)) as Record<string, Schema>;
    return { type: String(properties.type?.const), text: kind.description ?? '', fields: { properties } };
  });
  return html`${kinds.map(
    ({ type, text, fields }) =>
      html`<details class="shape"><summary>${type}<span>line: its fields</span></summary>
<p>${prose(text)}</p>${answerTable(fields, document)}</details>`,
  )}`;
}

function kindOf({ content }: Response): Html | undefined {
  const [type] = Object.keys(content ?? {});
  return type === undefined || type === 'application/json' ? undefined : html` <code>${type}</code>`;
}

/** The headers of this answer that not every answer has. */
function headersOf({ headers }: Response): Html | undefined {
  const names = Object.keys(headers ?? {}).filter((name) => name !== 'X-Request-Id');
  if (names.length === 0) return undefined;
  return html` <span class="headers">${names.map((name, at) => [at > 0 && ' ', html`<code>${name}</code>`])}</span>`;
}

/** The fields of a list's items. */
function itemTable(schema: Schema, document: ApiDocument): Html | undefined {
  const items = resolve(schema, document).properties?.items?.items;
  const name = items && nameOf(items);
  if (items === undefined || name === undefined) return undefined;
  return html`<p>Each item is a ${name}:</p>${answerTable(resolve(items, document), document)}`;
}

function problems(endpoint: Endpoint, { common, root }: Setting): Html {
  const own = codesOf(endpoint).filter(({ code }) => !common.has(code));
  return html`<h3>Problems</h3>
<ul class="chips">${own.map(({ code, status }) => html`<li><a class="chip" href="${root}problems/${code}"><span>${status}</span> ${code}</a></li>`)}<li class="meta"><a href="${root}docs/api#problems-of-every-endpoint">and those that every endpoint has</a></li></ul>`;
}

/** An operation: its description, a request that works when pasted, an answer, and every field and problem. */
export function endpointSection(endpoint: Endpoint, setting: Setting): Html {
  const { document, scene, blocks } = setting;
  const { lines, note } = curlOf(endpoint, document.servers[0]?.url ?? '', scene);
  return html`<section class="endpoint" aria-labelledby="${endpoint.operationId}">
<h2 id="${endpoint.operationId}"><a href="#${endpoint.operationId}">${endpoint.summary}</a></h2>
<p class="call">${method(endpoint.method)} <code>${path(endpoint.path)}</code> <span class="meta">${prose(callersOf(endpoint))}</span></p>
${endpoint.description !== undefined && html`<p>${prose(endpoint.description)}</p>`}
${blocks.code(lines)}${note !== undefined && html`<p class="hint">${note}</p>`}
${parameters(endpoint)}${body(endpoint, document)}${answers(endpoint, document, blocks)}${problems(endpoint, setting)}
</section>
`;
}
