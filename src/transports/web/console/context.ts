import type { Sessions } from '../../../core/access/sessions.ts';
import type { StorageMeter } from '../../../core/delivery/storage-meter.ts';
import type { Mailbox, MailboxSummary } from '../../../core/entities/mailbox.ts';
import type { Store } from '../../../core/ports/store.ts';
import type { Inbox } from '../../../core/reports/inbox.ts';
import type { Statistic, Statistics } from '../../../core/reports/statistics.ts';
import type { Claims } from '../../../core/sign-in/claims.ts';
import type { LocalRoutes } from '../../../http/local-routes.ts';
import type { Answer } from '../../../http/route.ts';
import type { SessionCookie } from '../../../http/session-cookie.ts';
import { pageAnswer } from '../layout.ts';
import { Api } from './api.ts';
import { countAsking } from './inbox-list.ts';
import type { ConsolePage, Side } from './shell.ts';
import { consolePage } from './shell.ts';
import type { ConsoleAccess, Signed, SignedCall } from './sign-in-form.ts';
import { PRIVATE } from './sign-in-form.ts';

/** Addresses that a list shows beside or on a page; all of them are on pages of their own. */
const MAX_SHOWN = 50;
/** Addresses whose unread conversations and labels the side column has. */
const MAX_COUNTED = 100;

interface ContextParts extends ConsoleAccess {
  /** The routes of the API, and those for sessions. */
  readonly routes: LocalRoutes;
  readonly store: Pick<Store, 'mailboxes' | 'messages' | 'labels'>;
  readonly inbox: Inbox;
  readonly statistics: Statistics;
  readonly claims: Claims;
  readonly storage: Pick<StorageMeter, 'use'>;
}

/** What the console's pages share: who is signed in, and the side column. */
export class Context implements ConsoleAccess {
  readonly sessions: Sessions;
  readonly cookie: SessionCookie;
  readonly statistics: Statistics;
  readonly inbox: Inbox;
  readonly #store: ContextParts['store'];
  readonly #claims: Claims;
  readonly #storage: ContextParts['storage'];
  readonly #routes: LocalRoutes;

  constructor({ routes, sessions, cookie, store, inbox, statistics, claims, storage }: ContextParts) {
    this.#routes = routes;
    this.sessions = sessions;
    this.cookie = cookie;
    this.statistics = statistics;
    this.inbox = inbox;
    this.#store = store;
    this.#claims = claims;
    this.#storage = storage;
  }

  /** The API, called as who is signed in. */
  api(call: SignedCall, signed: Signed): Api {
    return new Api(this.#routes, call, signed);
  }

  /** The existing mailbox with this local part. */
  async mailbox({ session: { namespace } }: Signed, local: string | undefined): Promise<Mailbox | undefined> {
    if (local === undefined) return undefined;
    const found = await this.#store.mailboxes.byAddress(local, namespace.name);
    return found?.namespace_id === namespace.id && found.deleted_at === null ? found : undefined;
  }

  /** The existing mailboxes with these ids. */
  async byId(ids: Iterable<string>): Promise<ReadonlyMap<string, MailboxSummary>> {
    const found = await this.#store.mailboxes.byIds([...new Set(ids)]);
    return new Map(found.map((mailbox) => [mailbox.id, mailbox]));
  }

  /** The busiest mailboxes first, then those without messages in the order they were made; at most one list. */
  async busiest(ids: readonly string[], statistic: Statistic): Promise<readonly MailboxSummary[]> {
    const busy = statistic.mailboxes.map(({ mailbox_id }) => mailbox_id);
    const shown = [...new Set([...busy, ...ids])].slice(0, MAX_SHOWN);
    const byId = await this.byId(shown);
    return shown.map((id) => byId.get(id)).filter((mailbox) => mailbox !== undefined);
  }

  async side({ session: { namespace, key } }: Signed): Promise<Side> {
    const { mailboxes, messages, labels } = this.#store;
    const [ids, day, asking, others, storage] = await Promise.all([
      mailboxes.ids(namespace.id),
      this.statistics.of(namespace.id, '24h'),
      countAsking({ inbox: this.inbox, store: this.#store }, namespace.id),
      this.#claims.othersOf(key),
      this.#storage.use(namespace.id),
    ]);
    const shown = await this.busiest(ids, day);
    const counted = [...new Set([...shown.map(({ id }) => id), ...ids])].slice(0, MAX_COUNTED);
    const [unread, names] = await Promise.all([messages.unread(counted), labels.names(counted)]);
    return { mailboxes: shown, ids, day, asking, unread, labels: names, others, storage };
  }

  /** A page of the console, with its side column. */
  async answer(status: number, of: ConsolePage, signed: Signed, side?: Side): Promise<Answer> {
    return pageAnswer(status, consolePage(of, side ?? (await this.side(signed)), signed), PRIVATE);
  }
}
