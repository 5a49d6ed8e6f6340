import type { TSchema } from 'typebox';
import { problems } from '../../core/error.ts';
import type { Code } from '../../core/error.ts';
import { Problem } from '../../http/problems.ts';
import type { Declared, Route } from '../../http/route.ts';

type Node = { [name: string]: unknown };

const HEADERS: Readonly<Record<string, string>> = {
  Location: 'Where the thing made is found.',
  Link: 'The next page, `rel="next"` (RFC 8288).',
  'Idempotency-Replayed': '`true` when an earlier request with this Idempotency-Key did the work.',
  'Preference-Applied': 'The wait that was granted (RFC 7240).',
  'Retry-After': 'Seconds until it makes sense to try again.',
  RateLimit: 'What is left: `"policy";r=remaining;t=seconds`.',
  'RateLimit-Policy': 'What is allowed: `"policy";q=quota;w=window in seconds`.',
  'X-Request-Id': 'The id of this exchange: yours, if you sent one, else ours.',
  'WWW-Authenticate': 'Bearer',
  Allow: 'The methods this path takes.',
};

const TAGS: Readonly<Record<string, string>> = {
  Messages: 'Write to mailboxes, read what came of it.',
  Mailboxes: 'Addresses that answer.',
  Namespaces: 'The right-hand part of an address; where one begins.',
  Behaviors: 'How a mailbox answers.',
  Keys: 'Who may do what.',
  Operations: 'For whoever runs the service.',
};

/** Problems that any route may answer with, by what it takes. */
function sharedProblems(route: Route): readonly Code[] {
  const codes: Code[] = ['malformed_request', 'invalid_key', 'not_found', 'method_not_allowed', 'not_acceptable', 'unsupported_media_type'];
  codes.push('request_timeout', 'body_too_large', 'expectation_failed', 'headers_too_large', 'internal', 'unavailable');
  if (route.who !== 'public') codes.push('missing_key', 'insufficient_scope');
  if (route.body !== undefined) codes.push('malformed_json');
  if (route.body !== undefined || route.query !== undefined || route.once === true) codes.push('validation_error');
  if (route.limits !== undefined) codes.push('rate_limited');
  return codes;
}

/** The OpenAPI 3.1 document, from the routes and schemas that serve and validate. */
export function openapiDocument(routes: readonly Route[], baseUrl: string, version: string): Node {
  const schemas: Node = {};
  const paths: { [path: string]: Node } = {};
  for (const route of routes) {
    const path = (paths[route.path] ??= {});
    path[route.method.toLowerCase()] = operation(route, schemas);
  }
  reference(Problem, schemas);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Mailroom API',
      version,
      description: 'E-mail addresses that answer. Write to a mailbox; with `sync: true` the reply comes in the same exchange.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    security: [],
    paths,
    components: {
      schemas,
      headers: Object.fromEntries(Object.entries(HEADERS).map(([name, description]) => [name, { description, schema: { type: 'string' } }])),
      securitySchemes: {
        api_key: { type: 'http', scheme: 'bearer', description: 'An API key, `mr_live_…`. Creating a namespace gives you one.' },
        thread_token: { type: 'http', scheme: 'bearer', description: "A try-out's `thread_token`, `mt_…`." },
      },
    },
  };
}

function operation(route: Route, schemas: Node): Node {
  const answers: Node = {};
  for (const [status, declared] of Object.entries(route.answers)) answers[status] = success(declared, route, schemas);
  for (const [status, codes] of byStatus([...sharedProblems(route), ...route.problems])) answers[status] = failure(status, codes);
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    security: security(route),
    ...(route.who === 'public' || route.who === 'key' || route.who === 'key_or_thread' ? {} : { 'x-scope': route.who }),
    parameters: parameters(route, schemas),
    ...(route.body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: reference(route.body, schemas) } } } }),
    responses: answers,
  };
}

const security = ({ who }: Route): readonly Node[] => {
  if (who === 'public') return [{}, { api_key: [] }];
  return who === 'key_or_thread' ? [{ api_key: [] }, { thread_token: [] }] : [{ api_key: [] }];
};

function parameters(route: Route, schemas: Node): readonly Node[] {
  const list: Node[] = [];
  for (const place of ['params', 'query'] as const) {
    const object = route[place];
    if (object === undefined) continue;
    for (const [name, schema] of Object.entries(object.properties) as [string, TSchema][]) {
      const { description, ...plain } = reference(schema, schemas) as Node & { description?: string };
      const required = place === 'params' || (object.required ?? []).includes(name);
      list.push({ name, in: place === 'params' ? 'path' : 'query', required, ...(description === undefined ? {} : { description }), schema: plain });
    }
  }
  const header = (name: string, description: string): void => {
    list.push({ name, in: 'header', required: false, description, schema: { type: 'string', maxLength: 255 } });
  };
  if (route.once === true) header('Idempotency-Key', 'Makes it safe to repeat the request: 1 to 255 characters, kept 24 hours.');
  for (const [name, description] of Object.entries(route.headers ?? {})) header(name, description);
  return list;
}

function success(declared: Declared, route: Route, schemas: Node): Node {
  const names = ['X-Request-Id', ...(declared.headers ?? []), ...(route.limits === undefined ? [] : ['RateLimit', 'RateLimit-Policy'])];
  const content = declared.schema && { [declared.type ?? 'application/json']: { schema: reference(declared.schema, schemas) } };
  return { description: declared.description, headers: headerRefs(names), ...(content === undefined ? {} : { content }) };
}

const headerRefs = (names: readonly string[]): Node =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

function byStatus(codes: readonly Code[]): Map<number, Code[]> {
  const map = new Map<number, Code[]>();
  for (const code of new Set(codes)) {
    const { status } = problems[code];
    map.set(status, [...(map.get(status) ?? []), code]);
  }
  return map;
}

function failure(status: number, codes: readonly Code[]): Node {
  const names = ['X-Request-Id'];
  if (status === 401) names.push('WWW-Authenticate');
  if (status === 405) names.push('Allow');
  if (status === 429) names.push('Retry-After', 'RateLimit', 'RateLimit-Policy');
  if (status === 503) names.push('Retry-After');
  return {
    description: codes.map((code) => `\`${code}\`: ${problems[code].title}.`).join(' '),
    headers: headerRefs(names),
    content: {
      'application/problem+json': {
        schema: { allOf: [{ $ref: '#/components/schemas/Problem' }, { type: 'object', properties: { code: { enum: [...codes] } } }] },
      },
    },
  };
}

/** A schema as it stands in the document: those with a name are written once, under components. */
function reference(schema: TSchema, schemas: Node): Node {
  const { $id } = schema as { $id?: string };
  if ($id === undefined) return inline(schema, schemas) as Node;
  if (!(String($id) in schemas)) {
    // Named before it is filled in, so that a schema may hold itself.
    schemas[$id] = {};
    const { $id: _, ...rest } = inline({ ...schema }, schemas, true) as Node;
    schemas[$id] = rest;
  }
  return { $ref: `#/components/schemas/${$id}` };
}

function inline(value: unknown, schemas: Node, top = false): unknown {
  if (Array.isArray(value)) return value.map((item) => inline(item, schemas));
  if (typeof value !== 'object' || value === null) return value;
  if (!top && typeof (value as Node)['$id'] === 'string') return reference(value as TSchema, schemas);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inline(inner, schemas)]));
}
