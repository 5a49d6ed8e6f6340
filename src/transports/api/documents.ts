import { createHash } from 'node:crypto';
import Negotiator from 'negotiator';
import { Type } from 'typebox';
import type { Code } from '../../core/error.ts';
import { AppError } from '../../core/error.ts';
import { Constant } from '../../http/constant.ts';
import type { Parts } from '../../http/parts.ts';
import type { Answer, Call, Declared, Route } from '../../http/route.ts';
import { route } from '../../http/route.ts';
import type { ApiDocument } from './docs/document.ts';
import type { Amounts } from './docs/guide.ts';
import { CODES, isCode, problemAsJson, problemList, problemPage } from './docs/problem-pages.ts';
import { referencePage } from './docs/reference.ts';
import type { About } from './openapi.ts';
import { openapiDocument } from './openapi.ts';

const HTML = { type: 'text/html', schema: Type.String(), headers: ['ETag'] } as const;
const unchanged: Declared = { description: 'Nothing changed since the version in `If-None-Match`.', type: 'text/html' };
const CodeParam = Type.Object({
  code: Type.String({ description: 'A code, as it stands in a problem.', examples: ['validation_error'] }),
});

/** The documents that describe `routes`: for programs and for people. */
export function documentRoutes(routes: readonly Route[], parts: Parts, version: string): readonly Route[] {
  const written = onceFor((about: About) => {
    const openapi = openapiDocument([...routes, ...described], about);
    const document = openapi as unknown as ApiDocument;
    return {
      openapi: new Constant(JSON.stringify(openapi)),
      document,
      reference: tagged(referencePage(document, about, amountsOf(parts), parts.frame)),
    };
  });

  /** Examples write to a proofreader of this service; by custom the house's own is the first. */
  async function documents() {
    const { items } = await parts.store.mailboxes.page({ listed: true, seen_by: null, behavior: 'proofread' }, null, 1);
    const namespace = items[0]?.local_part === 'proofread' ? items[0].namespace : 'agents';
    return written({ baseUrl: parts.baseUrl(), version, mailDomain: parts.mailDomain, namespace });
  }

  let list: Tagged | undefined;
  const problems = (): Tagged => (list ??= tagged(problemList(parts.frame)));
  const pages = new WeakMap<ApiDocument, Map<string, Tagged>>();
  function problem(code: Code, document: ApiDocument): Tagged {
    const made = pages.get(document) ?? new Map<string, Tagged>();
    pages.set(document, made);
    const page = made.get(code) ?? tagged(problemPage(code, document, parts.frame));
    made.set(code, page);
    return page;
  }

  /** The page, or 304 when the caller has it as it is. */
  const asPage = (call: Asked, page: Tagged): Answer =>
    ifChanged(call, page, {
      status: 200,
      headers: { ...parts.frame.headers, 'cache-control': 'no-cache', vary: 'accept' },
    });

  const described: readonly Route[] = [
    route({
      method: 'GET',
      path: '/api/v1/openapi.json',
      id: 'getOpenapi',
      tag: 'Documents',
      summary: 'This API as OpenAPI 3.1',
      description: 'Written from the routes and schemas that serve and validate, so it is never behind them.',
      who: 'public',
      answers: { 200: { description: 'The document.', schema: Type.Record(Type.String(), Type.Unknown()) } },
      problems: [],
      handle: async () => ({ status: 200, body: (await documents()).openapi }),
    }),
    route({
      method: 'GET',
      path: '/docs',
      id: 'getDocs',
      tag: 'Documents',
      summary: 'This page',
      who: 'public',
      answers: { 200: { description: 'The reference, for people.', ...HTML }, 304: unchanged },
      problems: [],
      handle: async (call) => asPage(call, (await documents()).reference),
    }),
    route({
      method: 'GET',
      path: '/problems',
      id: 'listProblems',
      tag: 'Documents',
      summary: 'Every problem code',
      description: 'HTML; JSON with `Accept: application/json`.',
      who: 'public',
      answers: { 200: { description: 'The codes, each with a link.', ...HTML }, 304: unchanged },
      problems: [],
      handle: (call) =>
        wantsJson(call) ? asJson({ items: CODES.map(problemAsJson), next_cursor: null }) : asPage(call, problems()),
    }),
    route({
      method: 'GET',
      path: '/problems/{code}',
      id: 'getProblem',
      tag: 'Documents',
      summary: 'What a problem code means, and how to mend it',
      description: 'HTML; JSON with `Accept: application/json`.',
      who: 'public',
      params: CodeParam,
      answers: { 200: { description: 'The code, explained.', ...HTML }, 304: unchanged },
      problems: [],
      async handle(call) {
        const { code } = call.params;
        if (!isCode(code)) throw new AppError('not_found', 'There is no such problem code. GET /problems lists them.');
        return wantsJson(call)
          ? asJson(problemAsJson(code))
          : asPage(call, problem(code, (await documents()).document));
      },
    }),
  ];
  return [...described, ...unlisted];
}

/** What belongs to the pages but not to the API. */
const unlisted: readonly Route[] = [
  redirect('/docs/', 'getDocsSlash', 308, () => '/docs'),
  redirect('/problems/', 'getProblemsSlash', 308, () => '/problems'),
  redirect('/problems/{code}/', 'getProblemSlash', 308, ({ code = '' }) => `/problems/${encodeURIComponent(code)}`),
];

function hidden(path: string, id: string) {
  return { method: 'GET', path, id, tag: 'Documents', summary: id, who: 'public', problems: [] } as const;
}

function redirect(
  path: string,
  id: string,
  status: 308,
  to: (params: Readonly<Record<string, string>>) => string,
): Route {
  return route({
    ...hidden(path, id),
    answers: { [status]: { description: 'Elsewhere.', type: 'text/html' } },
    handle: ({ params }) => ({ status, headers: { location: to(params) } }),
  });
}

type Asked = Pick<Call, 'headers'>;

const asJson = (body: unknown): Answer => ({ status: 200, body, headers: { vary: 'accept' } });

/** A page that does not change, with what stands for its content. */
interface Tagged {
  readonly body: Constant;
  readonly etag: string;
}

function tagged(page: string): Tagged {
  const version = createHash('sha256').update(page).digest('base64url').slice(0, 16);
  // Weak: the same page compressed is the same page (RFC 9110, section 8.8.1).
  return { body: new Constant(page), etag: `W/"${version}"` };
}

function ifChanged({ headers }: Asked, { body, etag }: Tagged, answer: Answer): Answer {
  const known = String(headers['if-none-match'] ?? '')
    .split(',')
    .map((one) => one.trim());
  if (!known.includes(etag) && !known.includes('*')) return { ...answer, body, headers: { ...answer.headers, etag } };
  const { 'content-type': _, ...kept } = answer.headers ?? {};
  return { status: 304, headers: { ...kept, etag } };
}

function wantsJson({ headers }: Asked): boolean {
  const accept = headers.accept;
  if (accept === undefined) return false;
  return /json$/.test(
    new Negotiator({ headers: { accept } }).mediaType(['text/html', 'application/json', 'application/problem+json']) ??
      '',
  );
}

function amountsOf({ limiters, sizes, mailboxes_most, sync_ms }: Parts): Amounts {
  const { sends, tries, namespaces, challenges } = limiters;
  return {
    policies: [
      { what: 'Sends', who: 'per key', policy: sends.policy },
      ...tries.map(({ policy }) => ({ what: 'Try-outs', who: 'per IP address', policy })),
      { what: 'New namespaces', who: 'per IP address', policy: namespaces.policy },
      { what: 'Challenges', who: 'per IP address', policy: challenges.policy },
    ],
    sizes,
    mailboxes: mailboxes_most,
    sync_s: sync_ms / 1000,
  };
}

/** Keeps what `make` made of the last argument: it changes when the service is moved, if ever. */
function onceFor<T, R>(make: (of: T) => R): (of: T) => R {
  let last: { readonly key: string; readonly made: R } | undefined;
  return (of) => {
    const key = JSON.stringify(of);
    if (last?.key !== key) last = { key, made: make(of) };
    return last.made;
  };
}
