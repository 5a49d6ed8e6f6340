import type { Message, Status } from '../entities/message.ts';
import type { Head, SearchCaller, Store } from '../ports/store.ts';
import type { Page } from '../values/page.ts';

export interface InboxQuery {
  /** Only of this mailbox. */
  readonly mailbox_id?: string;
  readonly status?: Status;
  /** Only what waits for its mailbox to be resumed. */
  readonly held?: boolean;
  /** A part of the subject, body or reply, in any case (ASCII). */
  readonly query?: string;
}

/** Mailboxes that one page looks into at most, those with the newest messages. */
const MAX_MAILBOXES = 40;
/** Rows that one page looks at in all, if each mailbox gives a few: as a page of one mailbox. */
const SCAN = 20_000;

/** Of texts in one page: as much as a page of one mailbox has. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

/** What all mailboxes of a namespace received, as one list. */
export class Inbox {
  readonly #store: Store;

  constructor({ store }: { readonly store: Store }) {
    this.#store = store;
  }

  /**
   * Newest first. `before` is the id the page before ended with. It looks at a bounded number of messages: with a rare
   * `status` or `query` a page may hold less than `size`, or nothing, and still have a `next`.
   */
  async page(
    namespaceId: string,
    of: InboxQuery,
    before: string | null,
    size: number,
    caller: SearchCaller = { id: namespaceId },
  ): Promise<Page<Message>> {
    const heads = (await this.#store.messages.heads(namespaceId, before))
      .filter(({ mailbox_id }) => of.mailbox_id === undefined || mailbox_id === of.mailbox_id)
      .filter(({ online }) => of.held !== true || !online)
      .sort((a, b) => (a.id < b.id ? 1 : -1));
    const status = of.held === true ? 'submitted' : of.status;
    const narrow = {
      ...(status === undefined ? {} : { status }),
      ...(of.query === undefined ? {} : { query: of.query }),
    };
    // Down to here all is known: what a mailbox has below is not looked at.
    let floor = '';
    let known: readonly Message[] = [];
    const scan = Math.max(500, Math.floor(SCAN / Math.min(heads.length || 1, MAX_MAILBOXES)));
    for (const [at, head] of heads.entries()) {
      if (head.id < floor) break;
      if (at === MAX_MAILBOXES) {
        floor = max(floor, above(head));
        break;
      }
      // The page ends above it, whatever is there.
      const last = known[size];
      if (last !== undefined && head.id < last.id) break;
      const page = await this.#store.messages.page(
        { mailbox_id: head.mailbox_id, ...narrow, scan },
        before,
        size,
        caller,
      );
      if (page.next !== null) floor = max(floor, page.next);
      known = newestFirst([...known, ...page.items]).filter(({ id }) => id >= floor);
      const lastOfPage = lastFitting(known);
      if (lastOfPage !== undefined) {
        floor = max(floor, lastOfPage.id);
        known = known.filter(({ id }) => id >= floor);
      }
    }
    known = known.filter(({ id }) => id >= floor);
    const items = known.slice(0, size);
    if (known.length > size) return { items, next: items.at(-1)?.id ?? null };
    return { items, next: floor === '' ? null : floor };
  }
}

/** The message after which a page holds `MAX_CHARACTERS`; undefined when all of them have less. */
function lastFitting(messages: readonly Message[]): Message | undefined {
  let left = MAX_CHARACTERS;
  return messages.find(({ body, data, reply_body, reply_data }) => {
    for (const text of [body, data, reply_body, reply_data]) left -= text?.length ?? 0;
    return left <= 0;
  });
}

const max = (a: string, b: string): string => (a > b ? a : b);

const newestFirst = (messages: Message[]): Message[] => messages.sort((a, b) => (a.id < b.id ? 1 : -1));

/** Two pages of one order as one: what of either lies below the place where the other one ends is left for the next page. */
export function merged(pages: readonly Page<Message>[], size: number): Page<Message> {
  const floor = pages.reduce((maxItems, { next }) => (next === null ? maxItems : max(maxItems, next)), '');
  const byId = new Map(pages.flatMap(({ items }) => items).map((message) => [message.id, message]));
  const known = newestFirst([...byId.values()].filter(({ id }) => id >= floor));
  if (known.length > size) return { items: known.slice(0, size), next: known[size - 1]?.id ?? null };
  return { items: known, next: floor === '' ? null : floor };
}

/** Sorts right above the message, and below the filed reply that has its id but for the last character. */
const above = ({ id }: Head): string => id.slice(0, -1) + (id.endsWith('0') ? '1' : '2');
