import Negotiator from 'negotiator';
import { Type } from 'typebox';
import { searchCaller } from '../../core/access/caller.ts';
import type { Mailbox } from '../../core/entities/mailbox.ts';
import type { ProblemPage } from '../../http/answer.ts';
import { wantsMarkdown } from '../../http/media.ts';
import type { Parts } from '../../http/parts.ts';
import type { Answer, Call, Route } from '../../http/route.ts';
import { route } from '../../http/route.ts';
import { assetAnswer } from './assets.ts';
import { cardRoutes } from './cards.ts';
import { consoleRoutes } from './console/index.ts';
import type { DocumentLink } from './for-programs.ts';
import { PAGE_HEADERS } from './headers.ts';
import { page, pageAnswer } from './layout.ts';
import { newRoutes } from './new/index.ts';
import { wantedOf } from './pages/directory.ts';
import { homePage } from './pages/home.ts';
import { isLanguage, mailboxPage } from './pages/mailbox.ts';
import { namespacePage } from './pages/namespace.ts';
import { problemPage } from './pages/problem.ts';
import { ADDRESS, findMailbox, findNamespace, PLACE } from './place.ts';
import { homeMarkdown, mailboxMarkdown, namespaceMarkdown, programRoutes } from './program-routes.ts';
import { reportRoutes } from './report/index.ts';
import { hidden } from './routes.ts';
import { statusRoutes } from './status.ts';
import { tryMailbox } from './try.ts';

/** The routes of all pages, and of their forms for programs. `documents`: the pages of the docs. */
export const webRoutes = (parts: Parts, documents: readonly DocumentLink[]): readonly Route[] => [
  route({
    ...hidden('GET', '/static/{file}'),
    params: Type.Object({ file: Type.String() }),
    handle: ({ params, headers }) => assetAnswer(params.file, headers),
  }),
  ...[...consoleRoutes(parts), ...pageRoutes(parts, documents)].map((one) => counted(one, parts)),
];

/** Counts page views and console requests against the limit; signing in to the console has a limit of its own. */
const counted = (one: Route, { limiters }: Parts): Route =>
  one.limits === undefined && (one.method === 'GET' || one.path.startsWith('/console/'))
    ? { ...one, limits: [limiters.pages] }
    : one;

const pageRoutes = (parts: Parts, documents: readonly DocumentLink[]): readonly Route[] => [
  route({
    ...hidden('GET', '/'),
    async handle(call) {
      if (wantsMarkdown(call)) return homeMarkdown(parts);
      return pageAnswer(200, await homePage(wantedOf(call.query), parts, searchCaller(call.caller, call.gone())));
    },
  }),
  ...programRoutes(parts, documents),
  ...cardRoutes(parts),
  ...newRoutes(parts),
  ...reportRoutes(parts),
  ...statusRoutes(parts),
  route({
    ...hidden('GET', '/{name}'),
    ...PLACE,
    handle: (call) => (call.params.name.includes('@') ? showMailbox(call, parts) : showNamespace(call, parts)),
  }),
  route({
    ...hidden('GET', '/{name}/'),
    ...PLACE,
    async handle({ params: { name }, caller }) {
      const place = name.includes('@') ? await findMailbox(name, caller, parts) : await findNamespace(name, parts);
      return moved(`../${place.path}`);
    },
  }),
  route({
    ...hidden('POST', '/{name}'),
    ...PLACE,
    names: ADDRESS,
    form: true,
    async handle(call) {
      const { found, elsewhere } = await findMailbox(call.params.name, call.caller, parts);
      return elsewhere === undefined ? tryMailbox(found, call, parts) : moved(`./${elsewhere}`);
    },
  }),
];

type PlaceCall = Pick<Call<{ name: string }>, 'params' | 'caller' | 'headers' | 'query' | 'gone'>;

async function showMailbox(call: PlaceCall, parts: Parts): Promise<Answer> {
  const { found, elsewhere, markdown } = await findMailbox(call.params.name, call.caller, parts);
  if (elsewhere !== undefined) return moved(`./${elsewhere}`);
  if (markdown || wantsMarkdown(call))
    return withHeaders(await mailboxMarkdown(found, call.caller, parts), robots(found));
  const { lang } = call.query as { lang?: unknown };
  return pageAnswer(200, await mailboxPage(found, isLanguage(lang) ? lang : 'curl', {}, parts), robots(found));
}

async function showNamespace(call: PlaceCall, parts: Parts): Promise<Answer> {
  const { found, elsewhere, markdown } = await findNamespace(call.params.name, parts);
  if (elsewhere !== undefined) return moved(`./${elsewhere}`);
  if (markdown || wantsMarkdown(call)) return namespaceMarkdown(found, parts);
  const caller = searchCaller(call.caller, call.gone());
  return pageAnswer(200, await namespacePage(found, wantedOf(call.query), parts, caller));
}

/** Search engines do not index unlisted mailboxes. */
const robots = ({ visibility }: Mailbox): Record<string, string> =>
  visibility === 'listed' ? {} : { 'x-robots-tag': 'noindex' };

const withHeaders = (answer: Answer, headers: Readonly<Record<string, string>>): Answer => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
});

const moved = (location: string): Answer => ({ status: 308, headers: { location } });

/** Problems as pages, for clients that prefer HTML to JSON; the API always answers with JSON. */
export const webProblem: ProblemPage = (error, { id, url, headers }) => {
  if (url.startsWith('/api/') || headers.accept === undefined) return undefined;
  const accepted = new Negotiator({ headers: { accept: headers.accept } });
  if (accepted.mediaType(['application/problem+json', 'application/json', 'text/html']) !== 'text/html')
    return undefined;
  return { body: page(problemPage(error, url, id)), headers: PAGE_HEADERS };
};
