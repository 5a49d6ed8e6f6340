import type { Clock } from '@mailroom/behavior/values/clock';
import type { Sessions } from '../../../core/access/sessions.ts';
import { isBound, type Key, reaches } from '../../../core/entities/key.ts';
import type { Mailbox, MailboxSummary } from '../../../core/entities/mailbox.ts';
import type { PlaceCounts } from '../../../core/ports/places.ts';
import type { Store } from '../../../core/ports/store.ts';
import type { ConsolePresence } from '../../../core/reports/console-presence.ts';
import type { Inbox } from '../../../core/reports/inbox.ts';
import type { WaitingCalls } from '../../../core/reports/waiting-calls.ts';
import type { Html } from '../../../http/html.ts';
import type { LocalRoutes } from '../../../http/local-routes.ts';
import type { Answer } from '../../../http/route.ts';
import type { SessionCookie } from '../../../http/session-cookie.ts';
import { FRAMING_CSP } from '../headers.ts';
import { pageAnswer } from '../layout.ts';
import type { SettingsTab } from './settings-tabs.ts';
import { type ConsolePage, consolePage, countText, type Root, type Side } from './shell.ts';
import { type ConsoleAccess, PRIVATE, type Signed } from './sign-in-form.ts';

interface ContextParts extends ConsoleAccess {
  readonly store: Pick<Store, 'accounts' | 'mailboxes' | 'places'>;
  readonly inbox: Inbox;
  readonly clock: Clock;
  readonly consolePresence: Pick<ConsolePresence, 'open' | 'look' | 'watch'>;
  readonly waitingCalls: Pick<WaitingCalls, 'plan'>;
  readonly onError: (error: unknown) => void;
}

/** Places are counted for a namespace as a whole. */
const NO_PLACES: PlaceCounts = { drafts: 0, sent: 0, trash: 0, later: 0, assigned: {} };

/** What a page of settings has besides. */
interface SettingsPage {
  /** Where there are errors, the title says so. */
  readonly errors?: readonly unknown[] | undefined;
  readonly root?: Root;
  readonly styles?: readonly string[];
  readonly side?: Side;
}

/** What the console's pages share: who is signed in, and the side column. */
export class Context implements ConsoleAccess {
  readonly sessions: Sessions;
  readonly cookie: SessionCookie;
  readonly routes: LocalRoutes;
  readonly inbox: Inbox;
  readonly #store: ContextParts['store'];
  readonly #parts: ContextParts;

  constructor(parts: ContextParts) {
    const { routes, sessions, cookie, store, inbox } = parts;
    this.#parts = parts;
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

  /** Notes that a console is open, and with `looks` that it is in view. */
  isOpen({ session: { key } }: Signed, looks: boolean): void {
    const { consolePresence } = this.#parts;
    this.#note(key, looks ? consolePresence.watch(key) : consolePresence.open(key).then(() => false));
  }

  /** Who looks at what waits may end that others were called, who are called for what comes after. */
  #note(key: Key, looked: Promise<boolean>): void {
    const { waitingCalls, onError } = this.#parts;
    looked.then((isNew) => isNew && waitingCalls.plan(key.namespace_id)).catch(onError);
  }

  /** How many drafts the side column says there are. */
  async draftsText({ session: { namespace, key } }: Signed): Promise<string> {
    return isBound(key) ? '' : countText((await this.#store.places.counts(namespace.id)).drafts);
  }

  async side({ api, session: { namespace, key } }: Signed): Promise<Side> {
    const [overview, others, places, person] = await Promise.all([
      api.json('getOverview', { params: { name: namespace.name } }),
      api.json('listOtherNames'),
      isBound(key) ? NO_PLACES : this.#store.places.counts(namespace.id),
      key.account_id === null
        ? undefined
        : this.#store.accounts.member(namespace.id, key.account_id, this.#parts.clock()),
    ]);
    return { ...overview, others, places, me: key.account_id, person };
  }

  /** A page of the console, with its side column. */
  async answer(status: number, of: ConsolePage, signed: Signed, side?: Side): Promise<Answer> {
    const { key } = signed.session;
    // The inbox, a conversation, and what waits for approval.
    if (of.wide === true || of.tab === 'approve') this.#note(key, this.#parts.consolePresence.look(key));
    else this.isOpen(signed, false);
    const headers = of.frames === true ? { ...PRIVATE, 'content-security-policy': FRAMING_CSP } : PRIVATE;
    return pageAnswer(status, consolePage(of, side ?? (await this.side(signed)), signed), headers);
  }

  /** A page of the settings of the namespace. */
  settings(
    status: number,
    settings: SettingsTab,
    title: string,
    main: Html,
    signed: Signed,
    { errors = [], root = '../', styles = [], side }: SettingsPage = {},
  ): Promise<Answer> {
    const whole = `${errors.length > 0 ? 'Error: ' : ''}${title}`;
    const of = { title: whole, root, tab: 'settings', settings, styles: ['forms.css', ...styles], main } as const;
    return this.answer(status, of, signed, side);
  }
}
