import { type Html, html, prose } from '../../../http/html.ts';
import type { CodeBlocks } from './code.ts';
import { curlOf } from './curl.ts';
import {
  type ApiDocument,
  type Content,
  codesOf,
  type Endpoint,
  endpointsOf,
  nameOf,
  type Parameter,
  resolve,
  type Schema,
} from './document.ts';
import { callersOf, endpointSection, isGood } from './endpoint.ts';
import { parameterRows, type Row, rowsOf } from './fields.ts';
import { fence } from './quick-start.ts';
import type { Scene } from './samples.ts';

/** The endpoints with a tag of the OpenAPI document. */
export interface Noun {
  readonly name: string;
  readonly description: string;
  readonly endpoints: readonly Endpoint[];
}

/** Every noun that has endpoints, in the document's order. */
export function nounsOf(document: ApiDocument): readonly Noun[] {
  const endpoints = endpointsOf(document);
  return document.tags
    .map((tag) => ({ ...tag, endpoints: endpoints.filter(({ tags }) => tags.includes(tag.name)) }))
    .filter((noun) => noun.endpoints.length > 0);
}

interface Setting {
  readonly document: ApiDocument;
  readonly scene: Scene;
  readonly common: ReadonlySet<string>;
}

/** The main part of a noun's page. */
export const nounMain = (
  noun: Noun,
  blocks: CodeBlocks,
  root: string,
  setting: Setting,
): Html => html`<div class="head">
<h1>${noun.name}</h1>
<p class="lead">${prose(noun.description)}</p>
<p>Keys, waiting for answers, limits and errors are the same everywhere: <a href="${root}docs/api">how the API works</a>. <code>$MAILROOM_KEY</code> in the examples is a key of yours: the <a href="${root}docs#quick-start">quick start</a> makes one.</p>
</div>
${noun.endpoints.map((endpoint) => endpointSection(endpoint, { ...setting, blocks, root }))}`;

/** The same page as Markdown with links from the root. */
export function nounText(noun: Noun, setting: Setting): string {
  const { document } = setting;
  const objects = new Map<string, Schema>();
  const parts = noun.endpoints.map((endpoint) => endpointText(endpoint, objects, setting));
  const shapes = [...objects].map(
    ([name, schema]) =>
      `### ${name}\n\n${rowsOf(resolve(schema, document), document).map(fieldLine(false)).join('\n')}`,
  );
  return `# ${noun.name}

${noun.description}

Keys, waiting for answers, limits and errors are the same everywhere: [how the API works](/docs/api). \`$MAILROOM_KEY\` in the examples is a key of yours: the [quick start](/docs#quick-start) makes one.

${parts.join('\n\n')}${shapes.length === 0 ? '' : `\n\n## Objects\n\n${shapes.join('\n\n')}`}
`;
}

const fieldLine =
  (showRequired: boolean) =>
  ({ name, type, required, text, limits }: Row): string =>
    `- \`${name}\` (${type}${showRequired && required ? ', required' : ''})${[text, ...limits].filter((one) => one !== '').length > 0 ? ': ' : ''}${[text, ...limits].filter((one) => one !== '').join(' ')}`;

const JSON_TYPE = 'application/json';
const PLACES = { path: 'In the path', query: 'In the query', header: 'Headers' } as const;

function endpointText(endpoint: Endpoint, objects: Map<string, Schema>, { document, scene, common }: Setting): string {
  const { lines, note } = curlOf(endpoint, document.servers[0]?.url ?? '', scene);
  const body = endpoint.requestBody?.content[JSON_TYPE];
  const endpointCodes = codesOf(endpoint).filter(({ code }) => !common.has(code));
  const good = Object.entries(endpoint.responses).filter(([status]) => isGood(status));
  const contents = good.flatMap(([, response]) => response.content?.[JSON_TYPE] ?? []);
  for (const { schema } of contents) addObjects(schema, objects, document);
  const example = contents.find((content: Content) => content.example !== undefined)?.example;
  const parameters = (Object.keys(PLACES) as (keyof typeof PLACES)[]).flatMap((place) => {
    const those = endpoint.parameters.filter((parameter: Parameter) => parameter.in === place);
    return those.length === 0 ? [] : [`${PLACES[place]}:\n\n${parameterRows(those).map(fieldLine(true)).join('\n')}`];
  });
  return [
    `## ${endpoint.summary}`,
    `\`${endpoint.method} ${endpoint.path}\` (\`${endpoint.operationId}\`). ${callersOf(endpoint)}.`,
    endpoint.description,
    fence(lines),
    note,
    ...parameters,
    body && `Body:\n\n${rowsOf(resolve(body.schema, document), document).map(fieldLine(true)).join('\n')}`,
    `Answers:\n\n${good.map(([status, response]) => `- ${status}: ${response.description}${namesOf(response.content)}`).join('\n')}`,
    example !== undefined && `Example answer:\n\n${fence(JSON.stringify(example, null, 2).split('\n'), 'json')}`,
    `Problems: ${endpointCodes.map(({ code, status }) => `${status} [\`${code}\`](/problems/${code}), `).join('')}and [those of every endpoint](/docs/api#problems-of-every-endpoint).`,
  ]
    .filter((part) => part !== undefined && part !== false)
    .join('\n\n');
}

function namesOf(content: Readonly<Record<string, Content>> | undefined): string {
  const name = content?.[JSON_TYPE] && nameOf(content[JSON_TYPE].schema);
  return name === undefined ? '' : ` See ${name}.`;
}

/** Adds a schema and, for a list, the schema of its items. */
function addObjects(schema: Schema, objects: Map<string, Schema>, document: ApiDocument): void {
  const name = nameOf(schema);
  if (name === undefined || objects.has(name)) return;
  objects.set(name, schema);
  const items = resolve(schema, document).properties?.items?.items;
  if (items !== undefined) addObjects(items, objects, document);
}
