import { fullAddress, hostedAddress, withoutMailDomain } from '@mailroom/behavior/values/address';
import type { Millis } from '@mailroom/behavior/values/clock';
import { AppError, invalid } from '@mailroom/behavior/values/error';
import { type Caller, mayOn, searchCaller, searchedBy } from '../access/caller.ts';
import type { Directory } from '../access/directory.ts';
import type { Message } from '../entities/message.ts';
import { type Standing, type StandingFilter, UNTOUCHED } from '../entities/standing.ts';
import type { IndexSearch, SearchedBy } from '../ports/search.ts';
import type { Store } from '../ports/store.ts';
import type { Conversation } from '../ports/threads.ts';
import type { Page } from '../values/page.ts';
import { type Clause, type Condition, type Phrase, readSearch, type SearchTerms } from '../values/search-query.ts';
import { wordsOf } from '../values/search-words.ts';
import { type Highlight, highlightsOf, type Span, spansIn } from './highlights.ts';

export interface Hit {
  readonly message: Message;
  readonly highlights: readonly Highlight[];
}

/** Where a text, of this field or of any, says what is searched. */
export type Spans = (text: string, field?: Highlight['field']) => readonly Span[];

interface SearchAsked {
  readonly query: string;
  readonly sort: IndexSearch['sort'];
  /** Searches what is in the trash, and nothing else. */
  readonly trash?: true | undefined;
  readonly gone: AbortSignal;
}

/** Which conversations are listed; all that the caller may read by default. */
export interface ThreadFilter {
  /** A mailbox that the caller may read. */
  readonly mailbox?: string | undefined;
  readonly label?: string | undefined;
  /** An address, or a part of one in whole words. */
  readonly participant?: string | undefined;
  readonly query?: string | undefined;
  /** Where they stand, in any mailbox of the caller. */
  readonly standing?: StandingFilter;
}

/** How long a search waits for the index to have what was written just before. */
const CATCH_UP_MS = 500;
/** Hits that are read at once to find different conversations. */
const HITS = 50;
/** Pages of hits that are read for one page of conversations. */
const MAX_PAGES = 10;

interface Parts {
  readonly store: Store;
  readonly directory: Directory;
  readonly mailDomain: string;
}

/** Finds messages and conversations in all that a caller may read. */
export class Finding {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** A page of hits. AppError `validation_error` for a query that cannot be read, `unavailable` while there is no index. */
  async search(
    caller: Caller,
    { query, sort, trash, gone }: SearchAsked,
    place: string | null,
    size: number,
  ): Promise<Page<Hit> & { readonly until: Millis }> {
    const terms = readSearch(query, this.#parts.mailDomain);
    const of = { of: searchedBy(caller), ...(await this.#named(terms, caller)), sort, ...(trash && { trash }) };
    const until = await this.#caughtUp();
    const page = await this.#parts.store.messages.search(of, place, size, searchCaller(caller, gone));
    return {
      ...page,
      until,
      items: page.items.map((message) => ({ message, highlights: highlightsOf(message, terms) })),
    };
  }

  /** Where a text says the words of a query; undefined for a query that cannot be read. */
  spans(query: string): Spans | undefined {
    try {
      const terms = readSearch(query, this.#parts.mailDomain);
      return (text, field) => spansIn(text, terms, field);
    } catch (error) {
      if (error instanceof AppError) return undefined;
      throw error;
    }
  }

  /** A page of conversations by newest activity; with a filter of words or labels, by the newest message that fits. */
  async threads(
    caller: Caller,
    { mailbox, label, participant, query, standing }: ThreadFilter,
    place: string | null,
    size: number,
    gone: AbortSignal,
  ): Promise<Page<Conversation>> {
    const { store } = this.#parts;
    const searched: SearchedBy =
      mailbox === undefined
        ? searchedBy(caller)
        : { mailbox_ids: [await this.#mailboxId(mailbox, caller, '/mailbox')] };
    if (label === undefined && participant === undefined && query === undefined) {
      if (standing === undefined || mayBeUntouched(standing))
        return store.threads.conversations(searched, place, size, standing);
      const page = await store.conversations.page(searched, standing, place, size);
      return { items: await this.#inOrder(searched, page.items), next: page.next };
    }
    const terms: SearchTerms =
      query === undefined ? { words: [], conditions: [] } : readSearch(query, this.#parts.mailDomain);
    const { words, conditions } = await this.#named(terms, caller);
    const search: IndexSearch = {
      of: searched,
      words: participant === undefined ? words : [...words, this.#participant(participant)],
      conditions:
        label === undefined ? conditions : [...conditions, { not: false, any: [{ kind: 'label', value: label }] }],
      sort: 'newest',
    };
    const page = await this.#threadsOf(search, place, size, searchCaller(caller, gone));
    return standing === undefined ? page : { ...page, items: await this.#standingSo(page.items, standing) };
  }

  /** A conversation stands where its newest hit is. */
  async #threadsOf(search: IndexSearch, place: string | null, size: number, by: ReturnType<typeof searchCaller>) {
    const { messages, threads } = this.#parts.store;
    const found: string[] = [];
    let next = place;
    await this.#caughtUp();
    for (let pages = 0; pages < MAX_PAGES; pages++) {
      const page = await messages.search(search, next, HITS, by);
      for (const { id, thread_id } of page.items) {
        if (found.includes(thread_id)) continue;
        const first =
          place === null || (await messages.search({ ...search, thread_id }, null, 1, by)).items[0]?.id === id;
        if (first) found.push(thread_id);
        if (found.length === size) return { items: await this.#inOrder(search.of, found), next: id };
      }
      next = page.next;
      if (next === null) break;
    }
    return { items: await this.#inOrder(search.of, found, threads), next };
  }

  /** Those of which a mailbox that is in them has the state and the assignee. */
  async #standingSo(found: readonly Conversation[], filter: StandingFilter): Promise<readonly Conversation[]> {
    const { conversations } = this.#parts.store;
    const boxes = [...new Set(found.flatMap(({ mailbox_ids }) => mailbox_ids))];
    const rows = await conversations.find(
      found.map(({ thread_id }) => thread_id),
      boxes,
    );
    return found.filter(({ thread_id }) => {
      const those = rows.filter((row) => row.thread_id === thread_id);
      return those.length === 0 ? standsSo(UNTOUCHED, filter) : those.some((row) => standsSo(row, filter));
    });
  }

  async #inOrder(of: SearchedBy, ids: readonly string[], threads = this.#parts.store.threads): Promise<Conversation[]> {
    const known = new Map((await threads.conversationsOf(of, ids)).map((one) => [one.thread_id, one]));
    return ids.map((id) => known.get(id)).filter((one) => one !== undefined);
  }

  /** Until when everything that was written is found. AppError `unavailable` without an index. */
  async #caughtUp(): Promise<Millis> {
    const status = await this.#parts.store.indexed(CATCH_UP_MS);
    if (status !== undefined) return status.until;
    throw new AppError('unavailable', 'This service keeps no index of messages (SEARCH_INDEX).');
  }

  /** Of an address all of it, of a name some words. */
  #participant(participant: string): Clause<Phrase> {
    const text = withoutMailDomain(participant, this.#parts.mailDomain) ?? participant;
    const words = wordsOf(text).map((word) => word.text);
    if (words.length === 0) throw invalid('/participant', 'participant must be an address or a name.');
    const whole = participant.includes('@') && { begins: true as const, ends: true as const };
    const fields = ['from', 'to', 'cc'] as const;
    return { not: false, any: fields.map((field) => ({ kind: 'words', field, words, prefix: false, ...whole })) };
  }

  /** The search with ids for the mailboxes that it names. */
  async #named({ words, conditions }: SearchTerms, caller: Caller): Promise<SearchTerms> {
    const named = async (one: Condition): Promise<Condition> =>
      one.kind === 'mailbox' ? { ...one, value: await this.#mailboxId(one.value, caller, '/query') } : one;
    return {
      words,
      conditions: await Promise.all(
        conditions.map(async ({ not, any }) => ({ not, any: await Promise.all(any.map(named)) })),
      ),
    };
  }

  async #mailboxId(address: string, caller: Caller, pointer: string): Promise<string> {
    const { directory, mailDomain } = this.#parts;
    const hosted = hostedAddress(address, mailDomain);
    const mailbox =
      hosted === undefined || hosted === 'outside'
        ? undefined
        : await directory.mailbox(hosted.local, hosted.namespace);
    if (mailbox !== undefined && mailbox.deleted_at === null && mayOn(caller, 'messages:read', mailbox))
      return mailbox.id;
    throw invalid(pointer, `This key reads no mailbox with the address ${address.slice(0, 100)}.`);
  }
}

/** Whether threads of which nothing is noted stand so. */
export const mayBeUntouched = ({ state = 'open', assignee = null }: StandingFilter): boolean =>
  state === 'open' && assignee === null;

const standsSo = (standing: Standing, { state, assignee, members }: StandingFilter): boolean => {
  const caretaker = standing.assignee !== null && members.includes(standing.assignee) ? standing.assignee : null;
  return (state ?? standing.state) === standing.state && (assignee === undefined || assignee === caretaker);
};

const MAX_SNIPPET = 200;

/** A conversation as callers receive it, with whole addresses. */
export function conversationView(one: Conversation, mailboxes: readonly string[], mailDomain: string) {
  const whole = (address: string): string => fullAddress(address, mailDomain);
  const participants = new Set<string>();
  for (const { from, to } of one.members)
    for (const address of [from, ...to]) if (address !== null && address !== '') participants.add(whole(address));
  const { id, from, at, text } = one.last;
  const plain = text.replace(/\s+/g, ' ').trim();
  return {
    id: one.thread_id,
    subject: one.subject,
    participants: [...participants],
    mailboxes,
    messages_count: one.messages_count,
    unread_count: one.unread_count,
    labels: one.labels,
    last: {
      id,
      from: from === null ? null : whole(from),
      snippet: plain.length > MAX_SNIPPET ? `${plain.slice(0, MAX_SNIPPET).toWellFormed()}…` : plain,
      created_at: new Date(at).toISOString(),
    },
  };
}
