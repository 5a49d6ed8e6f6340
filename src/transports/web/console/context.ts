import { Inbox } from '../../../core/inbox.ts';
import type { Mailbox } from '../../../core/mailbox.ts';
import { Statistics } from '../../../core/statistics.ts';
import type { Parts } from '../../../http/parts.ts';
import type { Answer } from '../../../http/route.ts';
import { pageAnswer } from '../layout.ts';
import type { Signed } from './door.ts';
import { PRIVATE } from './door.ts';
import type { ConsolePage, Side } from './shell.ts';
import { consolePage } from './shell.ts';

const MAILBOXES_PAGE = 200;

/** What the console's pages read beside the parts that every transport has. */
export class Context {
  readonly parts: Parts;
  readonly statistics: Statistics;
  readonly inbox: Inbox;

  constructor(parts: Parts) {
    this.parts = parts;
    this.statistics = new Statistics(parts);
    this.inbox = new Inbox(parts);
  }

  /** All mailboxes of a namespace, in the order they were made. */
  async mailboxes(namespaceId: string): Promise<readonly Mailbox[]> {
    const all: Mailbox[] = [];
    const of = { namespace_id: namespaceId, listed: false, seen_by: namespaceId };
    let after: string | null = null;
    do {
      const page: Awaited<ReturnType<Parts['store']['mailboxes']['page']>> = await this.parts.store.mailboxes.page(
        of,
        after,
        MAILBOXES_PAGE,
      );
      all.push(...page.items);
      after = page.next;
    } while (after !== null);
    return all;
  }

  async side({ session: { namespace } }: Signed): Promise<Side> {
    const [mailboxes, day] = await Promise.all([this.mailboxes(namespace.id), this.statistics.of(namespace.id, '24h')]);
    return { mailboxes, day };
  }

  /** A page with what stands beside it. */
  async answer(status: number, of: ConsolePage, signed: Signed, side?: Side): Promise<Answer> {
    return pageAnswer(status, consolePage(of, side ?? (await this.side(signed)), signed), PRIVATE);
  }
}
