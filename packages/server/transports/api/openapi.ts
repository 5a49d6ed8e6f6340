import { type Code, problems } from '@mailroom/behavior/values/error';
import type { TSchema } from 'typebox';
import { Problem } from '../../http/problems.ts';
import { type Declared, EVENT_STREAM, mediaTypeOf, type Route } from '../../http/route.ts';
import { type Components, inScene, makeComponents, type Node } from './docs/components.ts';
import { PARAMETER_TEXTS } from './docs/field-texts.ts';
import type { Scene } from './docs/samples.ts';

/** What the document needs besides the routes: the service's URL and the addresses in its examples. */
export interface About extends Scene {
  readonly baseUrl: string;
  readonly version: string;
}

const HEADERS: Readonly<Record<string, string>> = {
  Location: 'The path of the created object.',
  Link: 'The next page, `rel="next"`; beyond a limit, where to get a challenge (RFC 8288).',
  'Idempotency-Replayed': '`true` when an earlier request with this Idempotency-Key did the work.',
  'Preference-Applied': 'What was granted of `Prefer` (RFC 7240).',
  'Retry-After': 'Seconds to wait before trying again.',
  RateLimit: 'What remains: `"policy";r=remaining;t=seconds`.',
  'RateLimit-Policy': 'What is allowed: `"policy";q=quota;w=window in seconds`.',
  'X-Request-Id': 'The id of this request: yours if you sent one, else a new one.',
  ETag: 'Identifies this version; send it as `If-None-Match` to get 304 while nothing has changed, or as `If-Match` to change this version only.',
  'WWW-Authenticate': 'Always `Bearer`.',
  Allow: 'The methods this path takes.',
  'Content-Disposition': 'A name for the file (RFC 6266).',
  'Accept-Ranges': '`bytes`: parts of it can be asked for (RFC 9110).',
  'Content-Range': 'Which bytes these are, and how many there are (RFC 9110).',
};

/** The nouns of the API with their descriptions. */
export const TAGS: Readonly<Record<string, string>> = {
  Messages: 'Write to mailboxes and read the results.',
  Answers: 'Answer the messages to an address with a program of your own, or by hand.',
  Reviews: 'See what waits to leave a mailbox, and decide.',
  Drafts: 'Messages that you write now and send later, or at a time.',
  Mailboxes: 'Addresses that answer: create, find and pause them.',
  Namespaces: 'The part after the `@` in your addresses. Start by creating one.',
  Domains: 'Domains of yours at which your addresses receive mail, too.',
  'Sign-in': 'Services that people and agents sign in to with an address, without a password.',
  Behaviors: 'How a mailbox can answer.',
  Events: 'Events as they happen.',
  Webhooks: 'Events that are posted to a URL of yours.',
  Keys: 'Who may do what. A key belongs to one namespace.',
  Documents: 'What describes this API, for programs and for people.',
  Operations: 'For the operator of the service.',
};

/** Problems that any route may answer with, depending on what it takes. */
function sharedProblems(route: Route): readonly Code[] {
  const codes: Code[] = [
    'malformed_request',
    'invalid_key',
    'not_found',
    'method_not_allowed',
    'unsupported_media_type',
  ];
  codes.push('request_timeout', 'body_too_large', 'expectation_failed', 'headers_too_large', 'internal', 'unavailable');
  if (mediaTypeOf(route) !== undefined) codes.push('not_acceptable');
  if (route.access !== 'public') codes.push('missing_key');
  if (route.access !== 'public' && route.access !== 'key') codes.push('insufficient_scope');
  if (route.signed === true) codes.push('invalid_signature');
  if (route.body !== undefined) codes.push('malformed_json');
  if (
    route.body !== undefined ||
    route.query !== undefined ||
    route.idempotency === true ||
    route.headers?.['If-Match'] !== undefined
  )
    codes.push('validation_error');
  if (route.limits !== undefined) codes.push('rate_limited');
  return codes;
}

/** The OpenAPI 3.1 document, made from the routes and schemas that serve and validate. */
export function openapiDocument(routes: readonly Route[], about: About): Node {
  const components = makeComponents(about);
  const paths: { [path: string]: Node } = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route, components, about) };
  }
  components.refer(Problem);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Mailroom API',
      version: about.version,
      description:
        'E-mail addresses that answer. Write to a mailbox, and it writes back; with `sync: true` in the same exchange.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    externalDocs: { url: `${about.baseUrl}/docs`, description: 'The same for people, with examples to paste.' },
    servers: [{ url: about.baseUrl, description: 'This service.' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    security: [],
    paths,
    components: {
      schemas: components.schemas,
      headers: Object.fromEntries(
        Object.entries(HEADERS).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
      ),
      securitySchemes: {
        api_key: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key, `mr_live_…`. Creating a namespace gives you one.',
        },
        thread_token: { type: 'http', scheme: 'bearer', description: "A try-out's `thread_token`, `mt_…`." },
      },
    },
  };
}

function operation(route: Route, components: Components, about: About): Node {
  const answers: Node = {};
  for (const [status, declared] of Object.entries(route.answers))
    answers[status] = success(declared, route, components);
  for (const [status, codes] of byStatus([...sharedProblems(route), ...route.problems]))
    answers[status] = failure(status, codes, route);
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    security: security(route),
    ...(route.access === 'public' || route.access === 'key' || route.access === 'key_or_thread'
      ? {}
      : { 'x-scope': route.access }),
    parameters: parameters(route, components, about),
    ...(route.takes !== undefined && {
      requestBody: {
        required: true,
        content: { [route.takes.type]: { schema: { contentMediaType: route.takes.type } } },
      },
    }),
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: route.body_optional !== true,
            content: {
              'application/json': components.content(route.body),
              ...(route.upload !== undefined && { 'multipart/form-data': withFiles(route.body, components) }),
            },
          },
        }),
    responses: answers,
  };
}

/** A form with the JSON in a part `message`, and files. */
const withFiles = (body: TSchema, { refer }: Components): Node => ({
  schema: {
    type: 'object',
    properties: {
      message: refer(body),
      file: {
        type: 'array',
        items: { type: 'string', contentMediaType: 'application/octet-stream' },
        description: 'Files with a filename; the name of the part does not matter.',
      },
    },
    required: ['message'],
  },
  encoding: { message: { contentType: 'application/json' } },
});

const security = ({ access: who }: Route): readonly Node[] => {
  if (who === 'public') return [{}, { api_key: [] }];
  return who === 'key_or_thread' ? [{ api_key: [] }, { thread_token: [] }] : [{ api_key: [] }];
};

function parameters(route: Route, { refer }: Components, about: About): readonly Node[] {
  const list: Node[] = [];
  for (const place of ['params', 'query'] as const) {
    const object = route[place];
    if (object === undefined) continue;
    for (const [name, schema] of Object.entries(object.properties) as [string, TSchema][]) {
      const {
        description = parameterText(route, name),
        examples,
        ...plain
      } = refer(schema) as Node & { examples?: unknown[] };
      const required = place === 'params' || (object.required ?? []).includes(name);
      const example = examples?.[0] === undefined ? {} : { example: inScene(examples[0], about) };
      list.push({
        name,
        in: place === 'params' ? 'path' : 'query',
        required,
        description,
        schema: asNumber(plain),
        ...example,
      });
    }
  }
  const header = (name: string, description: string, maxLength = 255): void => {
    list.push({ name, in: 'header', required: false, description, schema: { type: 'string', maxLength } });
  };
  if (route.idempotency === true)
    header('Idempotency-Key', route.access === 'public' ? IDEMPOTENCY_HEADER_PUBLIC : IDEMPOTENCY_HEADER);
  if (route.challenge === true)
    header('Altcha', 'Beyond the limit: the payload of a solved challenge, see `POST /api/v1/challenges`.', 4_096);
  if (route.signed === true)
    for (const [name, description] of Object.entries(SIGNATURE_HEADERS)) header(name, description, 4_096);
  for (const [name, description] of Object.entries(route.headers ?? {})) header(name, description);
  return list;
}

/** Of a request that is signed by an agent. */
const SIGNATURE_HEADERS = {
  'Signature-Agent':
    'Web Bot Auth: the https origin that publishes the key, as `sig1="https://agent.example"`. Once verified it is `sender.agent` of the message.',
  'Signature-Input':
    'Of a signed request (RFC 9421): covers `@authority` and `signature-agent`, with `created`, `expires`, `keyid`, `tag="web-bot-auth"` and best a `nonce`.',
  Signature: 'Of a signed request: an Ed25519 signature, used once.',
};
const IDEMPOTENCY_HEADER = 'Makes it safe to repeat the request: 1 to 255 characters, kept 24 hours.';
const IDEMPOTENCY_HEADER_PUBLIC = `${IDEMPOTENCY_HEADER} Without an API key, anyone who repeats it gets the same answer, secrets included: send a random UUID, which works from any network. Other keys work only from the network that used them first, and easily guessed ones (shorter than 12 characters, or only words) for 10 minutes.`;

const parameterText = ({ path }: Route, name: string): string | undefined =>
  PARAMETER_TEXTS[`${path} ${name}`] ?? PARAMETER_TEXTS[name];

/** Query values are text validated by a pattern; the document describes them to clients as numbers. */
const asNumber = (schema: Node): Node =>
  typeof schema.pattern === 'string' && schema.pattern.startsWith('^[0-9]{1,')
    ? { type: 'integer', minimum: 0 }
    : schema;

function success(declared: Declared, route: Route, { content }: Components): Node {
  const names = [
    'X-Request-Id',
    ...(declared.headers ?? []),
    ...(route.limits === undefined ? [] : ['RateLimit', 'RateLimit-Policy']),
  ];
  const body = declared.schema && {
    [declared.type ?? 'application/json']: content(declared.schema),
    ...(declared.streams === true ? { [EVENT_STREAM]: { schema: { type: 'string' } } } : {}),
    ...Object.fromEntries(Object.entries(declared.also ?? {}).map(([type, schema]) => [type, content(schema)])),
  };
  return {
    description: declared.description,
    headers: headerRefs(names),
    ...(body === undefined ? {} : { content: body }),
  };
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

/** Statuses of requests that are refused before they are counted. */
const UNCOUNTED: ReadonlySet<number> = new Set([401, 405, 406, 408, 417, 431]);

function failure(status: number, codes: readonly Code[], { limits, challenge, problem_headers }: Route): Node {
  const names = ['X-Request-Id', ...(problem_headers?.[status] ?? [])];
  if (status === 401) names.push('WWW-Authenticate');
  if (status === 405) names.push('Allow');
  if (status === 429) names.push('Retry-After');
  if (status === 429 && challenge === true) names.push('Link');
  if (codes.includes('rate_limited') || (limits !== undefined && !UNCOUNTED.has(status)))
    names.push('RateLimit', 'RateLimit-Policy');
  if (status === 503) names.push('Retry-After');
  return {
    description: codes.map((code) => `\`${code}\`: ${problems[code].title}.`).join(' '),
    headers: headerRefs(names),
    'x-codes': codes,
    content: {
      'application/problem+json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Problem' },
            { type: 'object', properties: { code: { type: 'string', enum: [...codes] } } },
          ],
        },
      },
    },
  };
}
