import { createHash } from 'node:crypto';
import type { Millis } from '@mailroom/behavior/values/clock';
import { AppError, type Code } from '@mailroom/behavior/values/error';
import { yieldToEventLoop } from '@mailroom/behavior/values/yield-to-event-loop';
import Negotiator from 'negotiator';
import { Type } from 'typebox';
import type { Store } from '../../core/ports/store.ts';
import { Constant } from '../../http/constant.ts';
import type { Limiters, Sizes } from '../../http/limits.ts';
import { wantsMarkdown } from '../../http/media.ts';
import type { Frame } from '../../http/page.ts';
import { pageRoute } from '../../http/page-route.ts';
import { Problem } from '../../http/problems.ts';
import { type Answer, type Call, type Declared, operation, type Route } from '../../http/route.ts';
import type { Amounts } from './docs/basics.ts';
import { type ApiDocument, codesOfAll } from './docs/document.ts';
import { absolute } from './docs/guides.ts';
import { type Library, makeLibrary, siteDocuments } from './docs/library.ts';
import { problemListText, problemText } from './docs/problem-markdown.ts';
import { CODES, isCode, problemAsJson, problemList, problemPage } from './docs/problem-pages.ts';
import type { ExampleNames } from './docs/samples.ts';
import { type About, openapiDocument } from './openapi.ts';

/** Characters of a search. */
const MAX_QUERY = 100;

const HTML = {
  type: 'text/html',
  schema: Type.String(),
  also: { 'text/markdown': Type.String() },
  headers: ['ETag'],
} as const;
const ProblemCode = Type.Object(
  {
    code: Type.String(),
    status: Type.Integer(),
    title: Type.String(),
    type: Type.String(),
    means: Type.String({ description: 'What went wrong.' }),
    mend: Type.Array(Type.String(), { description: 'How to fix it.' }),
    docs: Type.String({ description: 'The path of its page.' }),
    example: Problem,
  },
  { $id: 'ProblemCode', description: 'A problem code, explained.' },
);
const ProblemCodes = Type.Object(
  { items: Type.Array(ProblemCode), next_cursor: Type.Null() },
  { $id: 'ProblemCodePage' },
);
const unchanged: Declared = { description: 'Nothing changed since the version in `If-None-Match`.', type: 'text/html' };
const CodeParam = Type.Object({
  code: Type.String({ description: 'A code, as in a problem document.', examples: ['validation_error'] }),
});

export interface DocumentParts {
  readonly version: string;
  readonly store: Pick<Store, 'mailboxes'>;
  readonly baseUrl: () => string;
  readonly mailDomain: string;
  /** The name of the namespace of the service itself. */
  readonly house: string;
  readonly names: ExampleNames;
  readonly frame: Frame;
  readonly limiters: Pick<Limiters, 'pages' | 'sends' | 'tries' | 'namespaces' | 'challenges'>;
  readonly sizes: Sizes;
  /** Mailboxes a namespace may have. */
  readonly max_mailboxes: number;
  readonly sync_ms: Millis;
}

/** The documents that describe `routes`, for programs and for people. */
export function documentRoutes(routes: readonly Route[], parts: DocumentParts): readonly Route[] {
  // Made by the first request in several turns of the event loop, since each part takes long.
  const written = memoizeLast(async (about: About) => {
    const openapi = openapiDocument([...routes, ...described], about);
    await yieldToEventLoop();
    const document = openapi as unknown as ApiDocument;
    const { baseUrl, mailDomain } = about;
    const subject = { document, scene: about, amounts: amountsOf(parts), common: codesOfAll(document) };
    let library: Promise<Library> | undefined;
    const text = new Constant(JSON.stringify(openapi));
    await yieldToEventLoop();
    return {
      openapi: text,
      document,
      library: () => (library ??= makeLibrary(subject, { baseUrl, mailDomain, house: parts.house }, parts.frame)),
      pages: new Map<string, Tagged>(),
    };
  });

  /** Examples write to a proofreader of this service, by default the one in the service's own namespace. */
  async function documents() {
    const { names } = parts;
    const { items } = await parts.store.mailboxes.page(
      { listed: true, seen_by: null, behavior: names.proofreader },
      null,
      1,
    );
    const namespace = items[0]?.local_part === names.proofreader ? items[0].namespace : 'agents';
    const { version, mailDomain } = parts;
    return written({ baseUrl: parts.baseUrl(), version, mailDomain, namespace, names });
  }

  /**
   * Renders a page on first request and keeps it; the site's paths bound the number of pages. AppError `not_found` when
   * `make` returns nothing.
   */
  function kept(pages: Map<string, Tagged>, path: string, make: () => string | undefined): Tagged {
    const known = pages.get(path);
    if (known !== undefined) return known;
    const text = make();
    if (text === undefined) throw new AppError('not_found', 'There is no such page of the docs. GET /docs lists them.');
    const page = tagged(text);
    pages.set(path, page);
    return page;
  }

  /**
   * A page of the docs by its path; as Markdown for a path that ends in `.md`, or when the caller prefers it. AppError
   * `not_found`.
   */
  async function docs(call: DocumentRequest, path: string): Promise<Answer> {
    const { library, pages } = await documents();
    const markdown = path.endsWith('.md');
    const plain = markdown ? path.slice(0, -3) : path;
    const made = await library();
    await yieldToEventLoop();
    const asText = markdown || wantsMarkdown(call);
    const page = kept(pages, `${plain}${asText ? '.md' : ''}`, () => (asText ? made.text(plain) : made.html(plain)));
    return asPage(call, page, asText);
  }

  async function problems(call: DocumentRequest, code: Code | undefined, markdown: boolean): Promise<Answer> {
    const { document, pages } = await documents();
    const asText = markdown || wantsMarkdown(call);
    const path = `problems/${code ?? ''}`;
    if (asText) {
      const text = (): string => absolute(code === undefined ? problemListText() : problemText(code), parts.baseUrl());
      return asPage(call, kept(pages, `${path}.md`, text), true);
    }
    const page = (): string =>
      code === undefined ? problemList(parts.frame) : problemPage(code, document, parts.frame);
    return asPage(call, kept(pages, path, page));
  }

  /** The page, or 304 when the caller's copy is current. */
  const asPage = (call: DocumentRequest, page: Tagged, markdown = false): Answer =>
    ifChanged(call, page, {
      status: 200,
      headers: {
        ...parts.frame.headers,
        ...(markdown ? { 'content-type': 'text/markdown; charset=utf-8' } : {}),
        'cache-control': 'no-cache',
        vary: 'accept',
      },
    });

  const described: readonly Route[] = [
    operation('GET', '/api/v1/openapi.json', 'getOpenapi', {
      tag: 'Documents',
      summary: 'This API as OpenAPI 3.1',
      description: 'Generated from the routes and schemas that serve and validate, so it is always current.',
      access: 'public',
      answers: { 200: { description: 'The document.', schema: Type.Record(Type.String(), Type.Unknown()) } },
      problems: [],
      handle: async () => ({ status: 200, body: (await documents()).openapi }),
    }),
    operation('GET', '/docs', 'getDocs', {
      tag: 'Documents',
      summary: 'The docs for people',
      description:
        'Guides, quick start, search and a page per noun. Markdown with `Accept: text/markdown` or at `/docs.md`.',
      access: 'public',
      answers: { 200: { description: 'The reference, for people.', ...HTML }, 304: unchanged },
      problems: [],
      handle: (call) => docs(call, 'docs'),
    }),
    operation('GET', '/problems', 'listProblems', {
      tag: 'Documents',
      summary: 'Every problem code',
      description: 'HTML; JSON with `Accept: application/json`, Markdown with `Accept: text/markdown`.',
      access: 'public',
      answers: {
        200: {
          description: 'The codes, each with a link.',
          ...HTML,
          also: { ...HTML.also, 'application/json': ProblemCodes },
        },
        304: unchanged,
      },
      problems: [],
      handle: (call) =>
        wantsJson(call)
          ? asJson({ items: CODES.map(problemAsJson), next_cursor: null })
          : problems(call, undefined, false),
    }),
    operation('GET', '/problems/{code}', 'getProblem', {
      tag: 'Documents',
      summary: 'What a problem code means, and how to fix it',
      description: 'HTML; JSON with `Accept: application/json`, Markdown with `Accept: text/markdown`.',
      access: 'public',
      params: CodeParam,
      answers: {
        200: { description: 'The code, explained.', ...HTML, also: { ...HTML.also, 'application/json': ProblemCode } },
        304: unchanged,
      },
      problems: [],
      async handle(call) {
        const markdown = call.params.code.endsWith('.md');
        const code = markdown ? call.params.code.slice(0, -3) : call.params.code;
        if (!isCode(code)) throw new AppError('not_found', 'There is no such problem code. GET /problems lists them.');
        return wantsJson(call) && !markdown ? asJson(problemAsJson(code)) : problems(call, code, markdown);
      },
    }),
  ];
  /** All guides and the reference as one text, for a language model that reads everything at once. */
  async function fullText(): Promise<Tagged> {
    const { library, pages } = await documents();
    const { text } = await library();
    const texts = siteDocuments.map(({ path }) => text(path)).filter((one) => one !== undefined);
    return kept(pages, 'llms-full.txt', () => texts.join('\n\n---\n\n'));
  }
  const NameParam = Type.Object({ name: Type.String() });
  /** Pages that belong to those above. */
  const further: readonly Route[] = [
    pageRoute('GET', '/openapi.json', {
      handle: async () => ({ status: 200, body: (await documents()).openapi }),
    }),
    pageRoute('GET', '/llms-full.txt', {
      handle: async (call) =>
        ifChanged(call, await fullText(), {
          status: 200,
          headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-cache' },
        }),
    }),
    pageRoute('GET', '/docs.md', { handle: (call) => docs(call, 'docs.md') }),
    pageRoute('GET', '/problems.md', { handle: (call) => problems(call, undefined, true) }),
    pageRoute('GET', '/docs/{name}', {
      params: NameParam,
      handle: (call) => docs(call, `docs/${call.params.name}`),
    }),
    pageRoute('GET', '/docs/api/{name}', {
      params: NameParam,
      handle: (call) => docs(call, `docs/api/${call.params.name}`),
    }),
    pageRoute('GET', '/docs/search', {
      limits: [parts.limiters.pages],
      async handle(call) {
        const { query } = call.query as { query?: unknown };
        const made = await (await documents()).library();
        const wanted = typeof query === 'string' ? query.trim().slice(0, MAX_QUERY) : '';
        return { status: 200, body: made.found(wanted), headers: parts.frame.headers };
      },
    }),
  ];
  return [...described, ...further, ...unlisted];
}

/** Routes that belong to the pages but not to the API. */
const unlisted: readonly Route[] = [
  redirect('/docs/', () => '/docs'),
  redirect('/docs/api/', () => '/docs/api'),
  redirect('/docs/{name}/', ({ name = '' }) => `/docs/${encodeURIComponent(name)}`),
  redirect('/docs/api/{name}/', ({ name = '' }) => `/docs/api/${encodeURIComponent(name)}`),
  redirect('/problems/', () => '/problems'),
  redirect('/problems/{code}/', ({ code = '' }) => `/problems/${encodeURIComponent(code)}`),
];

function redirect(path: string, to: (params: Readonly<Record<string, string>>) => string): Route {
  return pageRoute('GET', path, {
    handle: ({ params }) => ({ status: 308, headers: { location: to(params) } }),
  });
}

type DocumentRequest = Pick<Call, 'headers'>;

const asJson = (body: unknown): Answer => ({ status: 200, body, headers: { vary: 'accept' } });

/** A page that does not change, with its entity tag. */
interface Tagged {
  readonly body: Constant;
  readonly etag: string;
}

function tagged(page: string): Tagged {
  const version = createHash('sha256').update(page).digest('base64url').slice(0, 16);
  // Weak, because a compressed form of the page has the same tag (RFC 9110, section 8.8.1).
  return { body: new Constant(page), etag: `W/"${version}"` };
}

function ifChanged({ headers }: DocumentRequest, { body, etag }: Tagged, answer: Answer): Answer {
  const tags = String(headers['if-none-match'] ?? '')
    .split(',')
    .map((one) => one.trim());
  if (!tags.includes(etag) && !tags.includes('*')) return { ...answer, body, headers: { ...answer.headers, etag } };
  const { 'content-type': _, ...kept } = answer.headers ?? {};
  return { status: 304, headers: { ...kept, etag } };
}

function wantsJson({ headers }: DocumentRequest): boolean {
  const accept = headers.accept;
  if (accept === undefined) return false;
  return /json$/.test(
    new Negotiator({ headers: { accept } }).mediaType(['text/html', 'application/json', 'application/problem+json']) ??
      '',
  );
}

function amountsOf({ limiters, sizes, max_mailboxes, sync_ms }: DocumentParts): Amounts {
  const { sends, tries, namespaces, challenges } = limiters;
  return {
    policies: [
      { what: 'Sends', who: 'per key', policy: sends.policy },
      ...tries.map(({ policy }) => ({ what: 'Try-outs', who: 'per IP address', policy })),
      { what: 'New namespaces', who: 'per IP address', policy: namespaces.policy },
      { what: 'Challenges', who: 'per IP address', policy: challenges.policy },
    ],
    sizes,
    mailboxes: max_mailboxes,
    sync_s: sync_ms / 1000,
  };
}

/** Keeps the result of `make` for the last argument, which changes only when the service moves. */
function memoizeLast<T, R>(make: (of: T) => R): (of: T) => R {
  let last: { readonly key: string; readonly made: R } | undefined;
  return (of) => {
    const key = JSON.stringify(of);
    if (last?.key !== key) last = { key, made: make(of) };
    return last.made;
  };
}
