import { addressOf } from '@mailroom/behavior/mailbox';
import { fullAddress } from '@mailroom/behavior/values/address';
import { SECOND } from '@mailroom/behavior/values/clock';
import { AppError, invalid } from '@mailroom/behavior/values/error';
import { isId } from '@mailroom/behavior/values/ids';
import type { Caller } from '../../core/access/caller.ts';
import type { Registry } from '../../core/access/registry.ts';
import { eventText } from '../../core/entities/event.ts';
import { boundTo, hasScope, type Key, reaches } from '../../core/entities/key.ts';
import type { Mailbox } from '../../core/entities/mailbox.ts';
import type { InboxUpdates, MessageEvent } from '../../core/notify/inbox-updates.ts';
import type { EventQuery } from '../../core/ports/events.ts';
import type { LocalRoutes } from '../../http/local-routes.ts';
import type { InboxNotice, InboxSubscription, ListPage, Resources } from './offer.ts';
import type { Envelope, JsonObject } from './tool.ts';

/** The messages of a key or of an address; behind it may stand `?after=` and the id of an event. */
const INBOX = 'mailroom://inbox';
const INBOX_URI = /^mailroom:\/\/inbox(?:\/(?<address>[^/?#]+))?(?:\?after=(?<after>[^&#]*))?$/;
/** Messages of an inbox that is read without a place to go on from. */
const NEWEST = 20;
/** How often a subscription makes sure that its key still works. */
const KEY_MS = 0.7 * SECOND;

const TEMPLATE = {
  uriTemplate: `${INBOX}{/address}{?after}`,
  name: 'inbox',
  title: 'Inbox',
  description:
    'The newest messages, of all your addresses or of one, as JSON with the `cursor` of now. With `after` and a cursor: what arrived or changed since. Subscribe to be told; each notification has the cursor to go on from as `mailroom/cursor` in `_meta`.',
  mimeType: 'application/json',
};

export interface InboxParts {
  readonly inboxUpdates: InboxUpdates;
  readonly registry: Pick<Registry, 'mailbox'>;
  readonly mailDomain: string;
}

/** Who reads inboxes. */
export interface InboxReader {
  readonly caller: Caller & { readonly kind: 'key' };
  /** The one whose server this is; without it, the server is that of the key's namespace. */
  readonly mailbox?: Mailbox | undefined;
  /** Whether the caller still may, for streams that continue. */
  works(): Promise<boolean>;
}

/** The inboxes that one caller may read. */
export class Inboxes {
  readonly #parts: InboxParts;
  readonly #key: Key;
  readonly #caller: Caller;
  readonly #mailbox: Mailbox | undefined;
  readonly #works: () => Promise<boolean>;

  constructor(parts: InboxParts, { caller, works, mailbox }: InboxReader) {
    this.#parts = parts;
    this.#caller = caller;
    this.#key = caller.key;
    this.#mailbox = mailbox;
    this.#works = works;
  }

  /** The inbox of this server, as it is listed. */
  get listed(): JsonObject {
    const { title, mimeType } = TEMPLATE;
    const address = this.#addressOf(this.#mailbox);
    const uri = address === undefined ? INBOX : `${INBOX}/${address}`;
    return {
      uri,
      name: uri,
      title,
      mimeType,
      description: `New and changed messages${address ? ` of ${address}` : ''}.`,
    };
  }

  /** An inbox to subscribe to; undefined for what is none, or none of the caller's. AppError `validation_error`. */
  async subscription(uri: string): Promise<InboxSubscription | undefined> {
    const found = await this.#find(uri);
    if (found === undefined) return undefined;
    return { uri, follow: (tell, signal) => this.#follow(found.query, found.after, tell, signal) };
  }

  /** An inbox as JSON; undefined for what is none, or none of the caller's. AppError `validation_error`, `unavailable`. */
  async read(uri: string, newest: (address: string | undefined) => Promise<readonly Envelope[]>) {
    const found = await this.#find(uri);
    if (found === undefined) return undefined;
    const { query, after, address } = found;
    const { inboxUpdates, mailDomain } = this.#parts;
    let value: JsonObject;
    if (after === null) {
      // The cursor is taken first, so that nothing is missed between the two.
      const cursor = await inboxUpdates.now(query);
      value = { messages: await newest(address), cursor, more: false };
    } else {
      const { events, next, more } = await inboxUpdates.page(query, after);
      value = { messages: latest(events, mailDomain), cursor: next, more };
    }
    return [{ uri, mimeType: TEMPLATE.mimeType, text: JSON.stringify(value) }];
  }

  async #follow(query: EventQuery, after: string | null, tell: (notice: InboxNotice) => void, signal: AbortSignal) {
    const { inboxUpdates } = this.#parts;
    const over = new AbortController();
    let told: Promise<void> = Promise.resolve();
    const check = async (): Promise<boolean> => {
      if (over.signal.aborted || signal.aborted) return false;
      if (await this.#works()) return true;
      over.abort();
      return false;
    };
    const timer = setInterval(() => void check().catch(() => over.abort()), KEY_MS);
    const hear = (event: MessageEvent): void => {
      // Checked before each, so that a revoked key is told nothing more.
      told = told
        .then(check)
        .then((works) => (works ? tell(noticeOf(event)) : undefined))
        .catch(() => over.abort());
    };
    try {
      await inboxUpdates.follow(query, after, { hear, signal: AbortSignal.any([signal, over.signal]) });
      await told;
    } finally {
      clearInterval(timer);
    }
  }

  async #find(uri: string) {
    const groups = INBOX_URI.exec(uri)?.groups;
    if (groups === undefined) return undefined;
    const { after = null } = groups;
    if (after !== null && !isId('evt', after))
      throw invalid('/uri', `“${after}” is not the id of an event (evt_…). Use a cursor as received, or leave it out.`);
    const { namespace_id } = this.#key;
    const address = groups.address === undefined ? undefined : decodeURIComponent(groups.address);
    const mailbox = address === undefined ? this.#mailbox : await this.#own(address);
    if (address !== undefined && mailbox === undefined) return undefined;
    const only = mailbox === undefined ? boundTo(this.#key) : [mailbox.id];
    return {
      query: { namespace_id, mailbox_ids: only ?? undefined },
      after,
      address: this.#addressOf(mailbox),
    };
  }

  #addressOf(mailbox: Mailbox | undefined): string | undefined {
    return mailbox && fullAddress(addressOf(mailbox), this.#parts.mailDomain);
  }

  /** A mailbox whose messages the key may read. */
  async #own(address: string): Promise<Mailbox | undefined> {
    const mailbox = await this.#parts.registry.mailbox(this.#caller, address).catch((error: unknown) => {
      if (error instanceof AppError && error.code !== 'unavailable') return undefined;
      throw error;
    });
    if (mailbox?.namespace_id !== this.#key.namespace_id || !reaches(this.#key, mailbox.id)) return undefined;
    return this.#mailbox === undefined || this.#mailbox.id === mailbox.id ? mailbox : undefined;
  }
}

/** The inboxes of a caller; undefined for one that lists no messages, or none of this mailbox. */
export function inboxesOf(parts: InboxParts, reader: InboxReader): Inboxes | undefined {
  const { caller, mailbox } = reader;
  const { key } = caller;
  const isOwn = mailbox === undefined || mailbox.namespace_id === key.namespace_id;
  const isWithin = mailbox === undefined || reaches(key, mailbox.id);
  return isOwn && isWithin && hasScope(key, 'messages:read') ? new Inboxes(parts, reader) : undefined;
}

/** These resources and, before them, the inboxes. */
export function withInboxes(resources: Resources, inboxes: Inboxes, newest: Newest): Resources {
  return {
    templates: [TEMPLATE, ...resources.templates],
    async list(cursor, signal): Promise<ListPage> {
      const page = await resources.list(cursor, signal);
      return cursor === undefined ? { ...page, items: [inboxes.listed, ...page.items] } : page;
    },
    async read(uri, signal) {
      return uri.startsWith(INBOX)
        ? inboxes.read(uri, (address) => newest(address, signal))
        : resources.read(uri, signal);
    },
  };
}
/** The newest messages of an address, or of all. Throws AppError. */
type Newest = (address: string | undefined, signal: AbortSignal) => Promise<readonly Envelope[]>;

/** The newest messages by the routes of the API, as this caller. */
export const newestBy =
  (routes: LocalRoutes, of: Omit<Parameters<LocalRoutes['json']>[1], 'params' | 'query' | 'signal'>): Newest =>
  async (address, signal) => {
    const limit = String(NEWEST);
    const { items } = await (address === undefined
      ? routes.json<{ items: readonly Envelope[] }>('listSentMessages', {
          ...of,
          signal,
          query: { limit, direction: 'all' },
        })
      : routes.json<{ items: readonly Envelope[] }>('listMailboxMessages', {
          ...of,
          signal,
          params: { address },
          query: { limit },
        }));
    return items;
  };

const noticeOf = ({ id, type, message }: MessageEvent): InboxNotice => ({
  'mailroom/cursor': id,
  'mailroom/event': type,
  'mailroom/message': message.id,
  'mailroom/thread': message.thread_id,
});

/** Each message once, as it is now, in the order in which they changed last. */
function latest(events: readonly MessageEvent[], mailDomain: string): readonly JsonObject[] {
  const byId = new Map<string, MessageEvent>();
  for (const event of events) {
    byId.delete(event.message.id);
    byId.set(event.message.id, event);
  }
  return [...byId.values()].map(
    (event) => (JSON.parse(eventText(event, mailDomain).text) as { data: JsonObject }).data,
  );
}
