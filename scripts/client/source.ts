import { answersIn, comment, nameOf, type Schema, typeOf } from './types.ts';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Operations whose name says more than the verb left of it after its noun was taken away. */
const METHOD_NAMES: Readonly<Record<string, string>> = {
  getMessageHtml: 'getHtml',
  getRawMessage: 'getRaw',
  listSentMessages: 'listSent',
  listMailboxMessages: 'listOf',
  listNamespaceMailboxes: 'listOf',
  getThread: 'thread',
  getMe: 'me',
  claimMessages: 'claim',
  waitForMessage: 'waitFor',
  importMailbox: 'importMail',
  answerMessage: 'answer',
  answerMessages: 'answerMany',
  reportProgress: 'progress',
  releaseMessage: 'release',
};

const MADE = '// Made by scripts/generate-client.ts from the OpenAPI document; run `npm run client` to make it again.';

/** The client's types, and its operations, as two TypeScript modules. */
export function clientSource({ paths, components }: OpenApi): { readonly types: string; readonly operations: string } {
  const groups = new Map<string, string[]>();
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const written = operationSource(method.toUpperCase(), path, operation, components.schemas);
      if (written === undefined) continue;
      const [tag = ''] = operation.tags;
      groups.set(tag, [...(groups.get(tag) ?? []), written]);
    }
  }
  const types = Object.entries(components.schemas).map(
    ([name, schema]) => `${comment(schema.description)}export type ${name} = ${typeOf(schema)};`,
  );
  const classes = [...groups].map(
    ([tag, methods]) => `class ${classOf(tag)} {
  readonly #http: Http;
  constructor(http: Http) { this.#http = http; }
  ${methods.join('\n\n')}
}`,
  );
  const names = [...groups.keys()];
  const operations = classes.join('\n\n');
  const used = Object.keys(components.schemas).filter((name) => new RegExp(`\\b${name}\\b`).test(operations));
  return {
    types: `${MADE}\n${types.join('\n\n')}\n`,
    operations: `${MADE}
import { type Bytes, type Http, type List, path, type RequestOptions, type UploadOptions } from './http.ts';
import type { ${used.sort((a, b) => a.localeCompare(b)).join(', ')} } from './types.generated.ts';

${operations}

/** Every endpoint, grouped by noun. */
export class Api {
  ${names.map((tag) => `readonly ${groupOf(tag)}: ${classOf(tag)};`).join('\n')}
  constructor(http: Http) {
    ${names.map((tag) => `this.${groupOf(tag)} = new ${classOf(tag)}(http);`).join('\n')}
  }
}
`,
  };
}

export const classOf = (tag: string): string => tag.replaceAll(/-(.)/g, (_, first: string) => first.toUpperCase());
/** Nouns whose own name is a method of the client. */
const GROUP_NAMES: Readonly<Record<string, string>> = { Events: 'eventLog' };

export const groupOf = (tag: string): string =>
  GROUP_NAMES[tag] ?? `${classOf(tag).charAt(0).toLowerCase()}${classOf(tag).slice(1)}`;

/** `createMailbox` of the tag `Mailboxes` is `create`. */
export function methodOf({ operationId, tags: [tag = ''] }: Operation): string {
  const own = METHOD_NAMES[operationId];
  if (own !== undefined) return own;
  const singular = tag.replace(/(x|s)es$/, '$1').replace(/s$/, '');
  const verb = [tag, singular].map((noun) => new RegExp(`^([a-z]+)${noun}$`).exec(operationId)?.[1]);
  return verb.find((one) => one !== undefined) ?? operationId;
}

/** The call of an operation; undefined for pages of HTML, but not for the HTML of a mail. */
function operationSource(
  method: string,
  path: string,
  operation: Operation,
  schemas: OpenApi['components']['schemas'],
): string | undefined {
  const good = Object.entries(operation.responses)
    .filter(([status]) => /^2/.test(status))
    .map(([, { content = {} }]) => content);
  const types = new Set(good.flatMap((content) => Object.keys(content)));
  if (types.has('text/html') && operation.operationId !== 'getMessageHtml') return undefined;

  const inPath = operation.parameters.filter((one) => one.in === 'path');
  const inQuery = operation.parameters.filter((one) => one.in === 'query');
  const content = operation.requestBody?.content;
  const body = content?.['application/json']?.schema;
  const [bytes] = Object.keys(content ?? {}).filter(
    (type) => type !== 'application/json' && !type.startsWith('multipart/'),
  );
  const optionType = content?.['multipart/form-data'] === undefined ? 'RequestOptions' : 'UploadOptions';
  const query = queryType(inQuery);
  const queryRequired = inQuery.some(({ required }) => required);
  const args = [
    ...inPath.map(({ name }) => `${name}: string`),
    ...(body === undefined ? [] : [`body: ${typeOf(body)}${operation.requestBody?.required === false ? ' = {}' : ''}`]),
    ...(bytes === undefined ? [] : ['content: Bytes']),
    ...(query === undefined ? [] : [queryRequired ? `query: ${query}` : `query: ${query} = {}`]),
    `options: ${optionType} = {}`,
  ].join(', ');
  const place = path.replace('/api/v1/', '');
  const pathSource = inPath.length === 0 ? `'${place}'` : `path\`${place.replaceAll('{', '${')}\``;
  const idempotent = operation.parameters.some(({ name }) => name === 'Idempotency-Key');
  const parts = [
    ...(body === undefined ? [] : ['body']),
    ...(bytes === undefined ? [] : [`bytes: { type: '${bytes}', content }`]),
    ...(query === undefined ? [] : ['query']),
    ...(idempotent ? ['idempotent: true'] : []),
  ];
  const sent = `{ ${parts.join(', ')} }`;
  const text = comment([operation.summary, operation.description].filter(Boolean).join('.\n'));
  const signature = `${text}${methodOf(operation)}(${args})`;

  if (types.has('application/x-ndjson')) {
    const line = good.map((one) => one['application/x-ndjson']?.schema).find((one) => one !== undefined);
    const type = line === undefined ? 'unknown' : typeOf(line);
    return `${signature}: AsyncGenerator<${type}, void> { return this.#http.lines(${pathSource}, options); }`;
  }
  const answers = answersIn(good, schemas);
  const item = method === 'GET' ? itemOf(answers, schemas) : undefined;
  if (item !== undefined) {
    const asked = query === undefined ? '{}' : 'query';
    return `${signature}: List<${item}> { return this.#http.list(${pathSource}, ${asked}, options); }`;
  }
  const call = (how: string): string => `this.#http.${how}('${method}', ${pathSource}, ${sent}, options)`;
  if (answers.length > 0) {
    const type = [...new Set(answers.map(typeOf))].join(' | ');
    return `${signature}: Promise<${type}> { return ${call('json')}; }`;
  }
  const nothing = Object.keys(operation.responses).some((status) => status === '204');
  return nothing
    ? `${signature}: Promise<void> { return ${call('json')}; }`
    : `${signature}: Promise<Response> { return ${call('raw')}; }`;
}

/** The type of a list's items, where the answer is one. */
function itemOf([answer]: readonly Schema[], schemas: OpenApi['components']['schemas']): string | undefined {
  const page = answer?.$ref === undefined ? answer : schemas[nameOf(answer.$ref)];
  const items = page?.properties?.items?.items;
  return page?.properties?.next_cursor === undefined || items === undefined ? undefined : typeOf(items);
}

function queryType(parameters: readonly Parameter[]): string | undefined {
  if (parameters.length === 0) return undefined;
  const properties = Object.fromEntries(
    parameters.map(({ name, schema, description }) => [
      name,
      { ...schema, ...(description !== undefined && { description }) },
    ]),
  );
  const required = parameters.filter((one) => one.required).map(({ name }) => name);
  return typeOf({ type: 'object', properties, required });
}
