import type { Key } from '../../../core/entities/key.ts';
import type { Mailbox, MailboxSummary } from '../../../core/entities/mailbox.ts';
import { Inbox } from '../../../core/reports/inbox.ts';
import type { Statistic } from '../../../core/reports/statistics.ts';
import { Statistics } from '../../../core/reports/statistics.ts';
import type { Parts } from '../../../http/parts.ts';
import type { Answer } from '../../../http/route.ts';
import { pageAnswer } from '../layout.ts';
import { countAsking } from './filter.ts';
import type { ConsolePage, Side } from './shell.ts';
import { consolePage } from './shell.ts';
import type { Signed } from './sign-in-form.ts';
import { PRIVATE } from './sign-in-form.ts';

/** Addresses that a list shows beside or on a page; all of them are on pages of their own. */
const MAX_SHOWN = 50;

/** What the console's pages share, beside the parts that every transport has. */
export class Context {
  readonly parts: Parts;
  readonly statistics: Statistics;
  readonly inbox: Inbox;

  constructor(parts: Parts) {
    this.parts = parts;
    this.statistics = new Statistics(parts);
    this.inbox = new Inbox(parts);
  }

  /** The existing mailbox with this local part. */
  async mailbox({ session: { namespace } }: Signed, local: string | undefined): Promise<Mailbox | undefined> {
    if (local === undefined) return undefined;
    const found = await this.parts.store.mailboxes.byAddress(local, namespace.name);
    return found?.namespace_id === namespace.id && found.deleted_at === null ? found : undefined;
  }

  /** The existing mailboxes with these ids. */
  async byId(ids: Iterable<string>): Promise<ReadonlyMap<string, MailboxSummary>> {
    const found = await this.parts.store.mailboxes.byIds([...new Set(ids)]);
    return new Map(found.map((mailbox) => [mailbox.id, mailbox]));
  }

  /** The busiest mailboxes first, then those without messages in the order they were made; at most one list. */
  async busiest(ids: readonly string[], statistic: Statistic): Promise<readonly MailboxSummary[]> {
    const busy = statistic.mailboxes.map(({ mailbox_id }) => mailbox_id);
    const shown = [...new Set([...busy, ...ids])].slice(0, MAX_SHOWN);
    const byId = await this.byId(shown);
    return shown.map((id) => byId.get(id)).filter((mailbox) => mailbox !== undefined);
  }

  async side({ session: { namespace } }: Signed): Promise<Side> {
    const [ids, day, asking] = await Promise.all([
      this.parts.store.mailboxes.ids(namespace.id),
      this.statistics.of(namespace.id, '24h'),
      countAsking({ inbox: this.inbox, store: this.parts.store }, namespace.id),
    ]);
    return { mailboxes: await this.busiest(ids, day), ids, day, asking };
  }

  /** All keys that are not revoked, in the order they were made. */
  keys(namespace_id: string): Promise<readonly Key[]> {
    return this.parts.claims.keysOf(namespace_id);
  }

  /** A page of the console, with its side column. */
  async answer(status: number, of: ConsolePage, signed: Signed, side?: Side): Promise<Answer> {
    return pageAnswer(status, consolePage(of, side ?? (await this.side(signed)), signed), PRIVATE);
  }
}
