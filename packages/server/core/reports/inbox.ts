import type { Status } from '@mailroom/behavior/message';
import type { Message } from '../entities/message.ts';
import type { StandingFilter } from '../entities/standing.ts';
import type { Head, MessageTexts } from '../ports/messages.ts';
import type { SearchCaller } from '../ports/search.ts';
import type { Store } from '../ports/store.ts';
import type { Page } from '../values/page.ts';

export interface InboxQuery {
  /** Only of this mailbox. */
  readonly mailbox_id?: string;
  /** One message a conversation, as `MessageQuery` has it. */
  readonly conversations?: true;
  readonly status?: Status;
  /** Only messages that wait for their mailbox to be resumed. */
  readonly held?: boolean;
  /** Only with files of its own; those of its reply are of another message. */
  readonly has_attachment?: true;
  /** Only with this label in the mailbox that received it, `unread` too. */
  readonly label?: string;
  /** Without conversations that are done, or put off, in the mailbox that received it. */
  readonly in_inbox?: true;
  /** Without conversations of which that mailbox has noted another state or assignee. */
  readonly standing?: StandingFilter;
  /** Words, each of which is a part of the subject, body, reply or an address as it is stored, ignoring ASCII case. */
  readonly query?: string;
  /** With `query`: what its words mean as parts of an address, if that is another text. */
  readonly query_address?: string;
  /** How the messages are read; `whole` by default. */
  readonly texts?: MessageTexts;
}

/** Maximum number of mailboxes read for one page, those with the newest messages. */
const MAX_MAILBOXES = 40;
/** Rows examined for one page over all mailboxes, as many as for a page of one mailbox. */
const SCAN = 20_000;
/** As many where those that are done are left out: it is the page that is opened most, and each row costs a look-up. */
const SCAN_WITHOUT = 2_000;

/** Characters of text in one page, as many as in a page of one mailbox. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

/** The messages of all mailboxes of a namespace, as one list. */
export class Inbox {
  readonly #store: Store;

  constructor({ store }: { readonly store: Store }) {
    this.#store = store;
  }

  /**
   * Newest first. `cursor` is the last id of the previous page. Examines a bounded number of messages: with a rare
   * `status` or `query` a page may hold fewer than `size`, or none, and still have a `next`.
   */
  async page(
    namespaceId: string,
    filter: InboxQuery,
    cursor: string | null,
    size: number,
    caller: SearchCaller = { id: namespaceId },
  ): Promise<Page<Message>> {
    const heads = (await this.#store.messages.heads(namespaceId, cursor))
      .filter(({ mailbox_id }) => filter.mailbox_id === undefined || mailbox_id === filter.mailbox_id)
      .filter(({ online }) => filter.held !== true || !online)
      .sort((a, b) => (a.id < b.id ? 1 : -1));
    const status = filter.held === true ? 'submitted' : filter.status;
    const narrow = {
      ...(filter.conversations === undefined ? {} : { conversations: filter.conversations }),
      ...(status === undefined ? {} : { status }),
      ...(filter.has_attachment === undefined ? {} : { has_attachment: filter.has_attachment }),
      ...(filter.label === undefined ? {} : { label: filter.label }),
      ...(filter.in_inbox === undefined ? {} : { in_inbox: filter.in_inbox }),
      ...(filter.standing === undefined ? {} : { standing: filter.standing }),
      ...(filter.query === undefined ? {} : { query: filter.query }),
      ...(filter.query_address === undefined ? {} : { query_address: filter.query_address }),
      ...(filter.texts === undefined ? {} : { texts: filter.texts }),
    };
    // All ids above this one are read; below it a mailbox may have more.
    let floor = '';
    let messages: readonly Message[] = [];
    const [examined, least] = filter.in_inbox === undefined ? [SCAN, 500] : [SCAN_WITHOUT, 100];
    const scan = Math.max(least, Math.floor(examined / Math.min(heads.length || 1, MAX_MAILBOXES)));
    for (const [at, head] of heads.entries()) {
      if (head.id < floor) break;
      if (at === MAX_MAILBOXES) {
        floor = max(floor, above(head));
        break;
      }
      // The page ends above it, even if more was read.
      const last = messages[size];
      if (last !== undefined && head.id < last.id) break;
      const page = await this.#store.messages.page(
        { mailbox_id: head.mailbox_id, ...narrow, scan },
        cursor,
        size,
        caller,
      );
      if (page.next !== null) floor = max(floor, page.next);
      messages = newestFirst([...messages, ...page.items]).filter(({ id }) => id >= floor);
      const lastOfPage = lastFitting(messages);
      if (lastOfPage !== undefined) {
        floor = max(floor, lastOfPage.id);
        messages = messages.filter(({ id }) => id >= floor);
      }
    }
    messages = messages.filter(({ id }) => id >= floor);
    const items = messages.slice(0, size);
    if (messages.length > size) return { items, next: items.at(-1)?.id ?? null };
    return { items, next: floor === '' ? null : floor };
  }
}

/** The message after which a page holds `MAX_CHARACTERS`; undefined when all together have less. */
function lastFitting(messages: readonly Message[]): Message | undefined {
  let room = MAX_CHARACTERS;
  return messages.find(({ body, data, reply }) => {
    for (const text of [body, data, reply?.body, reply?.data]) room -= text?.length ?? 0;
    return room <= 0;
  });
}

const max = (a: string, b: string): string => (a > b ? a : b);

const newestFirst = (messages: Message[]): Message[] => messages.sort((a, b) => (a.id < b.id ? 1 : -1));

/** Merges two pages of the same order; what lies beyond the end of one of them is left for the next page. */
export function merged(pages: readonly Page<Message>[], size: number): Page<Message> {
  const floor = pages.reduce((maxItems, { next }) => (next === null ? maxItems : max(maxItems, next)), '');
  const byId = new Map(pages.flatMap(({ items }) => items).map((message) => [message.id, message]));
  const known = newestFirst([...byId.values()].filter(({ id }) => id >= floor));
  if (known.length > size) return { items: known.slice(0, size), next: known[size - 1]?.id ?? null };
  return { items: known, next: floor === '' ? null : floor };
}

/** An id that sorts right above the message, and below the filed reply, whose id differs in the last character only. */
const above = ({ id }: Head): string => id.slice(0, -1) + (id.endsWith('0') ? '1' : '2');
