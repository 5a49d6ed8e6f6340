import type { Sessions } from '../../../core/access/sessions.ts';
import { isBound, reaches } from '../../../core/entities/key.ts';
import type { Mailbox, MailboxSummary } from '../../../core/entities/mailbox.ts';
import type { Store } from '../../../core/ports/store.ts';
import type { Inbox } from '../../../core/reports/inbox.ts';
import type { WaitingCalls } from '../../../core/reports/waiting-calls.ts';
import type { LocalRoutes } from '../../../http/local-routes.ts';
import type { Answer } from '../../../http/route.ts';
import type { SessionCookie } from '../../../http/session-cookie.ts';
import { FRAMING_CSP } from '../headers.ts';
import { pageAnswer } from '../layout.ts';
import type { ConsolePage, Side } from './shell.ts';
import { consolePage } from './shell.ts';
import type { ConsoleAccess, Signed } from './sign-in-form.ts';
import { PRIVATE } from './sign-in-form.ts';

interface ContextParts extends ConsoleAccess {
  readonly store: Pick<Store, 'mailboxes' | 'places'>;
  readonly inbox: Inbox;
  readonly waitingCalls: Pick<WaitingCalls, 'seen'>;
}

/** What the console's pages share: who is signed in, and the side column. */
export class Context implements ConsoleAccess {
  readonly sessions: Sessions;
  readonly cookie: SessionCookie;
  readonly routes: LocalRoutes;
  readonly inbox: Inbox;
  readonly #store: ContextParts['store'];
  readonly #calls: ContextParts['waitingCalls'];

  constructor({ routes, sessions, cookie, store, inbox, waitingCalls }: ContextParts) {
    this.#calls = waitingCalls;
    this.routes = routes;
    this.sessions = sessions;
    this.cookie = cookie;
    this.inbox = inbox;
    this.#store = store;
  }

  /** The existing mailbox with this local part, if the role is for it. */
  async mailbox({ session: { namespace, key } }: Signed, local: string | undefined): Promise<Mailbox | undefined> {
    if (local === undefined) return undefined;
    const found = await this.#store.mailboxes.byAddress(local, namespace.name);
    const isTheirs = found?.namespace_id === namespace.id && found.deleted_at === null && reaches(key, found.id);
    return isTheirs ? found : undefined;
  }

  /** The existing mailboxes with these ids. */
  async byId(ids: Iterable<string>): Promise<ReadonlyMap<string, MailboxSummary>> {
    const found = await this.#store.mailboxes.byIds([...new Set(ids)]);
    return new Map(found.map((mailbox) => [mailbox.id, mailbox]));
  }

  /** Notes that a console of the namespace is open. */
  isOpen({ session: { namespace } }: Signed): void {
    this.#calls.seen(namespace.id);
  }

  async side({ api, session: { namespace, key } }: Signed): Promise<Side> {
    this.#calls.seen(namespace.id);
    const [overview, others, places] = await Promise.all([
      api.json('getOverview', { params: { name: namespace.name } }),
      api.json('listOtherNames'),
      // They are counted for the namespace as a whole.
      isBound(key) ? { drafts: 0, sent: 0, trash: 0 } : this.#store.places.counts(namespace.id),
    ]);
    return { ...overview, others, places };
  }

  /** A page of the console, with its side column. */
  async answer(status: number, of: ConsolePage, signed: Signed, side?: Side): Promise<Answer> {
    const headers = of.frames === true ? { ...PRIVATE, 'content-security-policy': FRAMING_CSP } : PRIVATE;
    return pageAnswer(status, consolePage(of, side ?? (await this.side(signed)), signed), headers);
  }
}
