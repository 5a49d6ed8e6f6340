import { searchCaller } from '../../../core/access/caller.ts';
import type { Mailbox } from '../../../core/entities/mailbox.ts';
import { wantsMarkdown } from '../../../http/media.ts';
import { pageRoute } from '../../../http/page-route.ts';
import type { Answer, Call, Route } from '../../../http/route.ts';
import { isConnectWay } from '../connect-section.ts';
import { pageAnswer } from '../layout.ts';
import { ADDRESS, findMailbox, findNamespace, moved, PLACE, type PlaceParts } from '../place.ts';
import { homeMarkdown, mailboxMarkdown, namespaceMarkdown, type SiteParts } from '../program-routes.ts';
import { type ConversationParts, linkedConversation } from '../try.ts';
import { wantedOf } from './directory.ts';
import { type HomeParts, homePage } from './home.ts';
import { mailboxPage, presenceOf } from './mailbox.ts';
import { namespacePage } from './namespace.ts';

type PageParts = PlaceParts & HomeParts & ConversationParts & SiteParts;

/** The home page, and the pages of namespaces and mailboxes, as HTML or Markdown. */
export const pageRoutes = (parts: PageParts): readonly Route[] => [
  pageRoute('GET', '/', {
    async handle(call) {
      if (wantsMarkdown(call)) return homeMarkdown(parts);
      return pageAnswer(200, await homePage(wantedOf(call.query), parts, searchCaller(call.caller, call.gone())));
    },
  }),
  pageRoute('GET', '/{name}', {
    ...PLACE,
    handle: (call) => (call.params.name.includes('@') ? showMailbox(call, parts) : showNamespace(call, parts)),
  }),
  pageRoute('GET', '/{name}/presence', {
    ...PLACE,
    names: ADDRESS,
    async handle({ params, caller }) {
      const { found } = await findMailbox(params.name, caller, parts);
      return { status: 200, body: presenceOf(found), headers: { 'cache-control': 'no-store' } };
    },
  }),
  pageRoute('GET', '/{name}/', {
    ...PLACE,
    async handle({ params: { name }, caller }) {
      const place = name.includes('@') ? await findMailbox(name, caller, parts) : await findNamespace(name, parts);
      return moved(`../${place.path}`);
    },
  }),
];

type PlaceCall = Pick<Call<{ name: string }>, 'params' | 'caller' | 'headers' | 'query' | 'gone'>;

async function showMailbox(call: PlaceCall, parts: PageParts): Promise<Answer> {
  const { found, elsewhere, markdown } = await findMailbox(call.params.name, call.caller, parts);
  if (elsewhere !== undefined) return moved(`./${elsewhere}`);
  if (markdown || wantsMarkdown(call))
    return withHeaders(await mailboxMarkdown(found, call.caller, parts), robots(found));
  const { lang, conversation } = call.query as { lang?: unknown; conversation?: unknown };
  if (typeof conversation === 'string') return showConversation(conversation, found, parts);
  return pageAnswer(200, await mailboxPage(found, isConnectWay(lang) ? lang : 'curl', {}, parts), robots(found));
}

async function showNamespace(call: PlaceCall, parts: PageParts): Promise<Answer> {
  const { found, elsewhere, markdown } = await findNamespace(call.params.name, parts);
  if (elsewhere !== undefined) return moved(`./${elsewhere}`);
  if (markdown || wantsMarkdown(call)) return namespaceMarkdown(found, parts);
  const caller = searchCaller(call.caller, call.gone());
  return pageAnswer(200, await namespacePage(found, wantedOf(call.query), parts, caller));
}

/** The page with the conversation whose link was opened. */
async function showConversation(token: string, mailbox: Mailbox, parts: PageParts): Promise<Answer> {
  const linked = await linkedConversation(token, mailbox, parts);
  const state = linked ?? { problem: { kind: 'error', message: NO_CONVERSATION } as const };
  const page = await mailboxPage(mailbox, 'curl', state, parts);
  const headers = { 'cache-control': 'no-store', 'x-robots-tag': 'noindex' };
  return pageAnswer(linked === undefined ? 404 : 200, page, headers);
}

const NO_CONVERSATION =
  'This link leads to no conversation here. Check that you copied all of it, or write to begin a new one.';

/** Search engines do not index unlisted mailboxes. */
const robots = ({ visibility }: Mailbox): Record<string, string> =>
  visibility === 'listed' ? {} : { 'x-robots-tag': 'noindex' };

const withHeaders = (answer: Answer, headers: Readonly<Record<string, string>>): Answer => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
});
