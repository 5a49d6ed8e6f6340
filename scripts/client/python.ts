import { classOf, groupOf, methodOf, type OpenApi, type Operation, type Parameter } from './source.ts';
import { answersIn, nameOf, type Schema } from './types.ts';

/** The Python client's types, its operations, and the same for asyncio, as three modules. */
export interface PythonSource {
  readonly types: string;
  readonly operations: string;
  readonly asyncOperations: string;
}

const MADE = '# Made by scripts/generate-client.ts from the OpenAPI document; run `npm run client` to make it again.';
const KEYWORDS: ReadonlySet<string> = new Set('from if for as import in is not or and class def pass with'.split(' '));
const SIMPLE: Readonly<Record<string, string>> = {
  string: 'str',
  number: 'float',
  integer: 'int',
  boolean: 'bool',
  null: 'None',
};

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (one) => `_${one.toLowerCase()}`);
const capital = (name: string): string =>
  name.replaceAll(/(?:^|_)([a-z])/g, (_, first: string) => first.toUpperCase()).replaceAll(/\W/g, '');
const attribute = (name: string): string => (KEYWORDS.has(name) ? `${name}_` : name);
const isIdentifier = (name: string): boolean => /^[a-z]\w*$/i.test(name);
const docstring = (text: string | undefined, indent: string): string =>
  text === undefined || text === ''
    ? ''
    : `${indent}"""${text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").replace(/"$/, '" ').replaceAll('\n', `\n${indent}`)}"""\n`;

/** Writes the classes of one direction: records that are read, or dicts that are sent. */
class Types {
  readonly written: string[] = [];
  readonly #names = new Set<string>();
  readonly #schemas: OpenApi['components']['schemas'];
  readonly #sent: boolean;

  constructor(schemas: OpenApi['components']['schemas'], sent: boolean) {
    this.#schemas = schemas;
    this.#sent = sent;
  }

  /** The annotation of a schema; classes that it needs are written, named after where they are. */
  of(schema: Schema, place: string): string {
    if (schema.$ref !== undefined) return this.#named(nameOf(schema.$ref));
    if (schema.const !== undefined) return literal([schema.const]);
    if (schema.enum !== undefined) return literal(schema.enum);
    const either = schema.anyOf ?? schema.oneOf;
    if (either !== undefined)
      return union(either.map((one, at) => this.of(one, at === 0 ? place : `${place}${at + 1}`)));
    if (schema.allOf !== undefined) return this.#object(place, merged(schema, this.#schemas));
    if (typeof schema.type === 'object') return union(schema.type.map((type) => this.of({ ...schema, type }, place)));
    if (schema.type === 'array')
      return `${this.#sent ? 'Sequence' : 'List'}[${schema.items === undefined ? 'Any' : this.of(schema.items, `${place}Item`)}]`;
    if (schema.type === 'object')
      return schema.properties === undefined ? 'Dict[str, Any]' : this.#object(place, schema);
    return SIMPLE[schema.type ?? ''] ?? 'Any';
  }

  #named(name: string): string {
    const schema = this.#schemas[name];
    if (schema === undefined) throw new Error(`The document has no schema ${name}.`);
    const whole = schema.allOf === undefined ? schema : merged(schema, this.#schemas);
    return whole.properties === undefined ? this.of(schema, name) : this.#object(name, whole);
  }

  #object(name: string, schema: Schema): string {
    if (this.#names.has(name)) return name;
    this.#names.add(name);
    const fields = Object.entries(schema.properties ?? {}).map(([key, value]) => ({
      key,
      type: this.of(value, `${name}${capital(key)}`),
      required: schema.required?.includes(key) === true,
      text: value.description,
    }));
    this.written.push(this.#sent ? dictClass(name, fields, schema) : recordClass(name, fields, schema));
    return name;
  }
}

interface Field {
  readonly key: string;
  readonly type: string;
  readonly required: boolean;
  readonly text: string | undefined;
}

function recordClass(name: string, fields: readonly Field[], { description }: Schema): string {
  const lines = fields
    .filter(({ key }) => isIdentifier(key))
    .map(({ key, type, required, text }) => {
      const shown = required || /^Optional|^Any$/.test(type) ? type : `Optional[${type}]`;
      return `    ${attribute(key)}: ${shown}\n${docstring(text, '    ')}`;
    });
  const body = `${docstring(description, '    ')}${lines.join('')}` || '    pass\n';
  return `class ${name}(Record):\n${body}`;
}

/** Keys may be words of Python, so that these are calls and not classes. */
function dictClass(name: string, fields: readonly Field[], { description }: Schema): string {
  const keys = (required: boolean): string =>
    fields
      .filter((one) => one.required === required)
      .map(({ key, type }) => `    ${JSON.stringify(key)}: ${JSON.stringify(type)},\n`)
      .join('');
  const text = `${docstring(description, '    ')}` || '    pass\n';
  return `_${name}Required = TypedDict("_${name}Required", {\n${keys(true)}})
_${name}Optional = TypedDict("_${name}Optional", {\n${keys(false)}}, total=False)


class ${name}(_${name}Required, _${name}Optional):
${text}`;
}

const literal = (values: readonly unknown[]): string =>
  `Literal[${values.map((value) => (typeof value === 'boolean' ? (value ? 'True' : 'False') : value === null ? 'None' : JSON.stringify(value))).join(', ')}]`;

function union(types: readonly string[]): string {
  const kinds = [...new Set(types)].filter((type) => type !== 'None');
  if (kinds.includes('Any')) return 'Any';
  const [first = 'None'] = kinds;
  const all = kinds.length > 1 ? `Union[${kinds.join(', ')}]` : first;
  return types.includes('None') && kinds.length > 0 ? `Optional[${all}]` : all;
}

/** The parts of an `allOf` as one object. */
function merged(schema: Schema, schemas: OpenApi['components']['schemas']): Schema {
  const parts = (schema.allOf ?? []).map((one) => (one.$ref === undefined ? one : (schemas[nameOf(one.$ref)] ?? one)));
  return {
    ...(schema.description !== undefined && { description: schema.description }),
    type: 'object',
    properties: Object.assign({}, ...parts.map(({ properties }) => properties ?? {})),
    required: parts.flatMap(({ required = [] }) => required),
  };
}

interface Call {
  readonly name: string;
  readonly args: string;
  readonly passed: string;
  readonly returns: string;
  readonly text: string;
  readonly kind: 'json' | 'raw' | 'list' | 'lines';
  readonly body: string;
}

/** The call of an operation; undefined for pages of HTML, but not for the HTML of a mail. */
function callOf(
  method: string,
  path: string,
  operation: Operation,
  read: Types,
  sent: Types,
  schemas: OpenApi['components']['schemas'],
): Call | undefined {
  const good = Object.entries(operation.responses)
    .filter(([status]) => /^2/.test(status))
    .map(([, { content = {} }]) => content);
  const types = new Set(good.flatMap((one) => Object.keys(one)));
  if (types.has('text/html') && operation.operationId !== 'getMessageHtml') return undefined;
  const named = (place: Parameter['in']): readonly Parameter[] =>
    operation.parameters.filter((one) => one.in === place);
  const query = named('query').filter(({ name }) => isIdentifier(name));
  const content = operation.requestBody?.content;
  const body = content?.['application/json']?.schema;
  const [bytes] = Object.keys(content ?? {}).filter(
    (type) => type !== 'application/json' && !type.startsWith('multipart/'),
  );
  const places = named('path').map(({ name }) => snake(name));
  const bodyType = body === undefined ? '' : sent.of(body, `${capital(operation.operationId)}Body`);
  const optional = operation.requestBody?.required === false;
  const args = [
    ...places.map((name) => `${name}: str`),
    ...(body === undefined ? [] : [optional ? `body: Optional[${bodyType}] = None` : `body: ${bodyType}`]),
    ...(bytes === undefined ? [] : ['content: Union[str, bytes]']),
    ...(query.length === 0 ? [] : ['*']),
    ...query.map(({ name, schema, required }) => {
      const type = sent.of(schema, `${capital(operation.operationId)}${capital(name)}`);
      return `${attribute(name)}: ${required ? type : `Optional[${type}] = None`}`;
    }),
    '**options: Unpack[Options]',
  ].join(', ');
  const passed = [
    ...places,
    ...(body === undefined ? [] : ['body']),
    ...(bytes === undefined ? [] : ['content']),
    ...query.map(({ name }) => `${attribute(name)}=${attribute(name)}`),
  ];
  const pathSource =
    places.length === 0 ? `"${path}"` : `path("${path.replaceAll(/\{[^}]+\}/g, '{}')}", ${places.join(', ')})`;
  const query_text = `{${query.map(({ name }) => `"${name}": ${attribute(name)}`).join(', ')}}`;
  const idempotent = operation.parameters.some(({ name }) => name === 'Idempotency-Key');
  const parts = [
    ...(query.length === 0 ? [] : [`query=${query_text}`]),
    ...(body === undefined ? [] : [optional ? 'body=body or {}' : 'body=body']),
    ...(bytes === undefined ? [] : [`data=("${bytes}", content)`]),
    ...(idempotent ? ['idempotent=True'] : []),
    'options=options',
  ].join(', ');
  const base = {
    name: snake(methodOf(operation)),
    args,
    passed: passed.join(', '),
    text: docstring([operation.summary, operation.description].filter(Boolean).join('.\n'), '        '),
  };
  if (types.has('application/x-ndjson')) {
    const [line] = good.flatMap((one) => one['application/x-ndjson']?.schema ?? []);
    const returns = line === undefined ? 'Any' : read.of(line, `${capital(operation.operationId)}Line`);
    return { ...base, returns, kind: 'lines', body: `self._http.lines("${returns}", ${pathSource}, options)` };
  }
  const answers = answersIn(good, schemas);
  const item = method === 'GET' ? itemOf(answers, schemas) : undefined;
  if (item !== undefined) {
    const returns = read.of(item, `${capital(operation.operationId)}Item`);
    return {
      ...base,
      returns,
      kind: 'list',
      body: `self._http.list("List[${returns}]", ${pathSource}, ${query_text}, options)`,
    };
  }
  const nothing = Object.keys(operation.responses).includes('204');
  if (answers.length === 0 && !nothing)
    return { ...base, returns: 'Response', kind: 'raw', body: `self._http.raw("${method}", ${pathSource}, ${parts})` };
  const returns =
    answers.length === 0
      ? 'None'
      : union(answers.map((one) => read.of(one, `${capital(operation.operationId)}Result`)));
  return {
    ...base,
    returns,
    kind: 'json',
    body: `self._http.json(${JSON.stringify(returns)}, "${method}", ${pathSource}, ${parts})`,
  };
}

function itemOf([answer]: readonly Schema[], schemas: OpenApi['components']['schemas']): Schema | undefined {
  const page = answer?.$ref === undefined ? answer : schemas[nameOf(answer.$ref)];
  return page?.properties?.next_cursor === undefined ? undefined : page.properties.items?.items;
}

const SYNC_RETURNS: Readonly<Record<Call['kind'], (type: string) => string>> = {
  json: (type) => type,
  raw: (type) => type,
  list: (type) => `Pages[${type}]`,
  lines: (type) => `Iterator[${type}]`,
};

const syncMethod = ({ name, args, returns, text, kind, body }: Call): string =>
  `    def ${name}(self, ${args}) -> ${SYNC_RETURNS[kind](returns)}:\n${text}        return ${kind === 'json' && returns !== 'None' ? `cast(Any, ${body})` : body}\n`;

function asyncMethod({ name, args, passed, returns, text, kind }: Call): string {
  const rest = `${passed === '' ? '' : `${passed}, `}**options`;
  if (kind === 'list')
    return `    def ${name}(self, ${args}) -> AsyncPages[${returns}]:\n${text}        return AsyncPages(self._runner, self._sync.${name}(${rest}))\n`;
  if (kind === 'lines')
    return `    def ${name}(self, ${args}) -> AsyncIterator[${returns}]:\n${text}        return self._runner.iterate(self._sync.${name}, ${rest})\n`;
  return `    async def ${name}(self, ${args}) -> ${returns}:\n${text}        return await self._runner.run(self._sync.${name}, ${rest})\n`;
}

/** The modules of the Python client. */
export function pythonSource({ paths, components }: OpenApi): PythonSource {
  const read = new Types(components.schemas, false);
  const sent = new Types(components.schemas, true);
  const groups = new Map<string, Call[]>();
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const call = callOf(method.toUpperCase(), path, operation, read, sent, components.schemas);
      const [tag = ''] = operation.tags;
      if (call !== undefined) groups.set(tag, [...(groups.get(tag) ?? []), call]);
    }
  }
  const typing =
    'from typing import TYPE_CHECKING, Any, AsyncIterator, Dict, Iterator, List, Literal, Optional, Sequence, TypedDict, Union, cast';
  const head = `${MADE}\n# ruff: noqa\nfrom __future__ import annotations\n\n${typing}\n\n`;
  const unpack = 'if TYPE_CHECKING:\n    from typing_extensions import Unpack\n\n';
  const classes = (prefix: string, of: (call: Call) => string, init: string): string =>
    [...groups]
      .map(
        ([tag, calls]) =>
          `class ${prefix}${classOf(tag)}:\n    def __init__(self, ${init}\n\n${calls.map(of).join('\n')}`,
      )
      .join('\n\n');
  const members = (prefix: string, made: (group: string) => string): string =>
    [...groups.keys()]
      .map((tag) => `        self.${snake(groupOf(tag))} = ${prefix}${classOf(tag)}(${made(snake(groupOf(tag)))})\n`)
      .join('');
  return {
    types: `${head}from ._record import Record\n\n\n${[...read.written, ...sent.written].join('\n\n')}`,
    operations: `${head}from ._http import Http, Options, Response, path\nfrom ._pages import Pages\nfrom ._types import *\n\n${unpack}
${classes('', syncMethod, 'http: Http) -> None:\n        self._http = http')}

class Api:
    """Every endpoint, grouped by noun."""

    def __init__(self, http: Http) -> None:
${members('', () => 'http')}`,
    asyncOperations: `${head}from ._api import *\nfrom ._api import Api\nfrom ._http import Options, Response\nfrom ._types import *\n\n${unpack}if TYPE_CHECKING:\n    from ._aio import Runner\n\nfrom ._async_pages import AsyncPages\n\n
${classes('Async', asyncMethod, 'sync: Any, runner: Runner) -> None:\n        self._sync, self._runner = sync, runner')}

class AsyncApi:
    """Every endpoint for asyncio, grouped by noun."""

    def __init__(self, sync: Api, runner: Runner) -> None:
${members('Async', (group) => `sync.${group}, runner`)}`,
  };
}
