import Negotiator from 'negotiator';
import { Type } from 'typebox';
import type { ProblemPage } from '../../http/answer.ts';
import type { Parts } from '../../http/parts.ts';
import type { Answer, Call, Route } from '../../http/route.ts';
import { route } from '../../http/route.ts';
import { assetAnswer } from './assets.ts';
import { PAGE_HEADERS } from './headers.ts';
import { page, pageAnswer } from './layout.ts';
import { wantedOf } from './pages/directory.ts';
import { homePage } from './pages/home.ts';
import { isLanguage, mailboxPage } from './pages/mailbox.ts';
import { namespacePage } from './pages/namespace.ts';
import { problemPage } from './pages/problem.ts';
import { findPlace } from './place.ts';
import { homeMarkdown, mailboxMarkdown, namespaceMarkdown, programRoutes, wantsMarkdown } from './program-routes.ts';
import { tryMailbox } from './try.ts';

const PlaceParam = Type.Object({ place: Type.String() });

/** Of a route that no API document lists. */
const hidden = (path: string, method: 'GET' | 'POST' = 'GET') =>
  ({
    method,
    path,
    id: `${method} ${path}`,
    tag: 'Pages',
    summary: path,
    who: 'public',
    answers: {},
    problems: [],
  }) as const;

/** Every page, for people with a browser; what programs read of them is beside. */
export function webRoutes(parts: Parts): readonly Route[] {
  const { place } = { place: (name: string, call: Pick<Call, 'caller'>) => findPlace(name, call.caller, parts) };
  return [
    route({
      ...hidden('/'),
      handle: async (call) =>
        wantsMarkdown(call) ? homeMarkdown(parts) : pageAnswer(200, await homePage(wantedOf(call.query), parts)),
    }),
    route({
      ...hidden('/static/{file}'),
      params: Type.Object({ file: Type.String() }),
      handle: ({ params, headers }) => assetAnswer(params.file, headers),
    }),
    ...programRoutes(parts),
    route({
      ...hidden('/{place}'),
      params: PlaceParam,
      async handle(call) {
        const found = await place(call.params.place, call);
        if (found.kind === 'elsewhere') return elsewhere(found.path);
        const markdown = found.markdown || wantsMarkdown(call);
        if (found.kind === 'namespace') {
          return markdown
            ? namespaceMarkdown(found.namespace, parts)
            : pageAnswer(200, await namespacePage(found.namespace, wantedOf(call.query), parts));
        }
        if (markdown) return mailboxMarkdown(found.mailbox, parts);
        const { lang } = call.query as { lang?: unknown };
        return pageAnswer(200, await mailboxPage(found.mailbox, isLanguage(lang) ? lang : 'curl', {}, parts));
      },
    }),
    route({
      ...hidden('/{place}/'),
      params: PlaceParam,
      handle: ({ params }) => ({
        status: 308,
        headers: { location: `../${encodeURIComponent(params.place).replace('%40', '@')}` },
      }),
    }),
    route({
      ...hidden('/{place}', 'POST'),
      form: true,
      params: PlaceParam,
      async handle(call) {
        const found = await place(call.params.place, call);
        if (found.kind === 'mailbox' && !found.markdown) return tryMailbox(found.mailbox, call, parts);
        if (found.kind === 'elsewhere') return elsewhere(found.path);
        return { status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } };
      },
    }),
  ];
}

const elsewhere = (path: string): Answer => ({ status: 308, headers: { location: `./${path}` } });

/** Problems as pages, for whoever would rather have HTML than JSON; the API's are always JSON. */
export const webProblem: ProblemPage = (error, { id, url, headers }) => {
  if (url.startsWith('/api/') || headers.accept === undefined) return undefined;
  const accepted = new Negotiator({ headers: { accept: headers.accept } });
  if (accepted.mediaType(['application/problem+json', 'application/json', 'text/html']) !== 'text/html')
    return undefined;
  return { body: page(problemPage(error, url, id)), headers: PAGE_HEADERS };
};
