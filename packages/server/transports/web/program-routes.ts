import type { Behavior } from '@mailroom/behavior';
import type { Clock } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import type { Caller } from '../../core/access/caller.ts';
import type { Mailbox, MailboxSummary } from '../../core/entities/mailbox.ts';
import type { Namespace } from '../../core/entities/namespace.ts';
import type { Store } from '../../core/ports/store.ts';
import type { Limiters, Sizes } from '../../http/limits.ts';
import { pageRoute } from '../../http/page-route.ts';
import type { Answer, Route } from '../../http/route.ts';
import { authMd } from './discovery/auth-md.ts';
import { sitemapRoute } from './discovery/sitemap.ts';
import { examplesOf } from './examples.ts';
import * as text from './for-programs.ts';
import { issuerName } from './looks.ts';
import { tasksMarkdown } from './task-texts.ts';
import type { TakesMail } from './words.ts';

/** The maximum number of mailboxes in one text. */
const MAX_LISTED = 200;
/** The maximum number of issuers that `auth.md` names. */
const MAX_ISSUERS = 20;

/** The routes for programs and search engines. */
/** What the texts about one page name. */
export interface TextParts {
  readonly behaviors: readonly Behavior[];
  readonly baseUrl: () => string;
  readonly mailDomain: string;
  readonly takesMail: TakesMail;
  readonly limiters: Pick<Limiters, 'tries' | 'sends' | 'namespaces'>;
  readonly sizes: Pick<Sizes, 'guestBody' | 'body'>;
}

/** The same with the listed mailboxes. */
export interface SiteParts extends TextParts {
  readonly store: Pick<Store, 'mailboxes'>;
}

/** What `security.txt` and `mta-sts.txt` state. */
interface SecurityParts {
  /** The contact for security problems, as a URI. */
  readonly securityContact: string | undefined;
  /** The policy of MTA-STS; undefined while there is none. */
  readonly stsPolicy: string | undefined;
  readonly clock: Clock;
}

/** The texts for programs: Markdown of the site's pages, `llms.txt`, `robots.txt`, the sitemap, `security.txt`, `mta-sts.txt`. */
export const programRoutes = (
  parts: SiteParts & SecurityParts,
  documents: readonly text.DocumentLink[],
): readonly Route[] => [
  textRoute('/index.md', 'text/markdown', () => homeText(parts)),
  textRoute('/new.md', 'text/markdown', () => newText(parts)),
  textRoute('/llms.txt', 'text/plain', async () => text.llmsTxt(await listed(parts), placeOf(parts), documents)),
  textRoute('/auth.md', 'text/markdown', () => accessText(parts)),
  textRoute('/robots.txt', 'text/plain', () => text.robotsTxt(parts.baseUrl())),
  sitemapRoute(parts, [{ path: '' }, { path: 'new' }, ...documents.map(({ path }) => ({ path }))]),
  textRoute('/.well-known/security.txt', 'text/plain', () =>
    text.securityTxt(parts.baseUrl(), parts.securityContact ?? `${parts.baseUrl()}/report`, parts.clock()),
  ),
  stsRoute(parts),
];

/** A listed address that takes guests, with a message for it. */
export const guestExample = async (parts: SiteParts): Promise<ReturnType<typeof text.exampleAmong>> =>
  text.exampleAmong(await listed(parts), placeOf(parts));

/** How agents get access, with the listed addresses that take guests and sign agents in. */
async function accessText(parts: SiteParts): Promise<string> {
  const { store } = parts;
  const [all, signIn] = await Promise.all([
    listed(parts),
    store.mailboxes.page({ listed: true, seen_by: null, behavior: issuerName() }, null, MAX_ISSUERS),
  ]);
  const place = placeOf(parts);
  return authMd({
    ...place,
    example: text.exampleAmong(all, place),
    issuers: [...new Set(signIn.items.map(({ namespace }) => namespace))],
  });
}

/** The home page as Markdown. */
export const homeMarkdown = async (parts: SiteParts): Promise<Answer> => markdown(await homeText(parts));

export async function mailboxMarkdown(mailbox: Mailbox, caller: Caller, parts: TextParts): Promise<Answer> {
  const behavior = parts.behaviors.find(({ name }) => name === mailbox.behavior);
  const example = examplesOf(mailbox, behavior)[0] ?? 'Hello';
  const abilities = tasksMarkdown(mailbox, behavior, caller, parts.baseUrl());
  return markdown(text.mailboxMarkdown(mailbox, example, placeOf(parts), abilities));
}

export async function namespaceMarkdown(namespace: Namespace, parts: SiteParts): Promise<Answer> {
  return markdown(text.namespaceMarkdown(namespace, await listed(parts, namespace.name), placeOf(parts)));
}

export const newMarkdown = (parts: TextParts): Answer => markdown(newText(parts));

const newText = (parts: TextParts): string => text.newMarkdown(parts.behaviors, placeOf(parts));

const homeText = async (parts: SiteParts): Promise<string> => text.homeMarkdown(await listed(parts), placeOf(parts));

const textAnswer = (type: string, body: string): Answer => ({
  status: 200,
  body,
  headers: { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-cache', vary: 'accept' },
});
const markdown = (body: string): Answer => textAnswer('text/markdown', body);

const textRoute = (path: string, type: string, make: () => string | Promise<string>): Route =>
  pageRoute('GET', path, { handle: async () => textAnswer(type, await make()) });

/** The policy of MTA-STS for the mail domain and the domains of namespaces (RFC 8461, section 3.3), by its own host names. */
const stsRoute = ({ stsPolicy, mailDomain }: Pick<SiteParts & SecurityParts, 'stsPolicy' | 'mailDomain'>): Route =>
  pageRoute('GET', '/.well-known/mta-sts.txt', {
    handle({ headers }) {
      const name = String(headers.host).toLowerCase().replace(/:\d+$/, '');
      const ours = name === `mta-sts.${mailDomain}` || (name.startsWith('mta-sts.') && name.endsWith(`.${mailDomain}`));
      if (stsPolicy === undefined || !ours)
        throw new AppError(
          'not_found',
          `A policy of MTA-STS is at https://mta-sts.${mailDomain}/.well-known/mta-sts.txt alone, if there is one.`,
        );
      return { status: 200, body: stsPolicy, headers: { 'content-type': 'text/plain; charset=utf-8' } };
    },
  });

/**
 * Listed mailboxes, of one namespace or of all; those whose behavior this build has come first, since the first serves
 * as the example.
 */
async function listed(
  { store, behaviors }: Pick<SiteParts, 'store' | 'behaviors'>,
  namespace?: string,
): Promise<readonly MailboxSummary[]> {
  const of = { listed: true, seen_by: null, ...(namespace === undefined ? {} : { namespace }) };
  const { items } = await store.mailboxes.page(of, null, MAX_LISTED);
  const answers = (mailbox: MailboxSummary): number =>
    behaviors.some(({ name }) => name === mailbox.behavior) ? 0 : 1;
  return items.toSorted((a, b) => answers(a) - answers(b));
}

/** The URLs and limits of the service, for texts that must be complete on their own. */
function placeOf({ baseUrl, mailDomain, takesMail, limiters, sizes }: Omit<TextParts, 'behaviors'>): text.SiteUrls {
  const policy = (kind: 'bucket' | 'day') => limiters.tries.find((one) => one.policy.kind === kind)?.policy.quota ?? 0;
  return {
    baseUrl: baseUrl(),
    mailDomain,
    takesMail,
    triesPerMinute: policy('bucket'),
    triesPerDay: policy('day'),
    sendsPerMinute: limiters.sends.policy.quota,
    namespacesPerHour: limiters.namespaces.policy.quota,
    guestBody: sizes.guestBody,
    body: sizes.body,
  };
}
