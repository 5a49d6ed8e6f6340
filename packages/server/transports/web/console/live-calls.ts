import { reminderOf } from '@mailroom/behavior/schedule';
import { type Clock, DAY, type Millis, SECOND } from '@mailroom/behavior/values/clock';
import { boundTo, type Key } from '../../../core/entities/key.ts';
import type { Message } from '../../../core/entities/message.ts';
import type { Store } from '../../../core/ports/store.ts';
import { type CallItem, type CallItems, conversationOf, mayAct } from '../../../core/reports/call-items.ts';
import { excerptOf } from '../excerpt.ts';
import { liveEvent } from './live-events.ts';
import type { Senders } from './senders.ts';
import { Shared } from './shared.ts';
import { WAITING_WORDS } from './shell.ts';

interface Parts {
  readonly store: Pick<Store, 'notices' | 'messages'>;
  readonly callItems: Pick<CallItems, 'of'>;
  readonly clock: Clock;
}

/** How long what waits is shared between the streams of a namespace, in milliseconds. */
const LIFE_MS = SECOND;
const WORDS: Readonly<Record<CallItem['kind'], string>> = {
  ...WAITING_WORDS,
  assigned: 'Assigned to you',
  mentioned: 'You are named in a note',
};
/** Characters of a line. */
const MAX_LINE = 120;

/** Since when a tab is hidden, by the clock of this service, as it says when it subscribes; undefined for one in view. */
export function hiddenSince(hidden: unknown, now: Millis): Millis | undefined {
  const hiddenAt = typeof hidden === 'string' && hidden !== '' ? Number(hidden) : Number.NaN;
  return Number.isNaN(hiddenAt) ? undefined : Math.min(Math.max(hiddenAt, now - DAY), now);
}

/** Calls who is signed in by an event `call` for each conversation that begins to wait for them while the tab is hidden. */
export class LiveCalls {
  readonly #parts: Parts;
  readonly #items = new Shared<readonly CallItem[]>(LIFE_MS);

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** What to call of a stream when something changed. `begun`: what is older than this is in it. */
  of(key: Key, senders: Senders, since: Millis | undefined) {
    const called = new Set<string>();
    return async (): Promise<{ readonly text: string; readonly begun: number }> => {
      if (since === undefined) return { text: '', begun: Number.POSITIVE_INFINITY };
      const { value, begun } = await this.#items.get(key.namespace_id, () =>
        this.#parts.callItems.of(key.namespace_id, this.#parts.clock() - DAY),
      );
      const reach = { account_id: key.account_id, scopes: key.scopes, mailbox_ids: boundTo(key) };
      const items = value.filter((item) => {
        const conversation = conversationOf(item);
        if (item.since <= since || called.has(conversation) || !mayAct(reach, item)) return false;
        called.add(conversation);
        return true;
      });
      if (items.length === 0 || !(await this.#wants(key))) return { text: '', begun };
      const messages = await this.#parts.store.messages.byIds(
        [...new Set(items.map(({ message_id }) => message_id))],
        'beginning',
      );
      const byId = new Map(messages.map((message) => [message.id, message]));
      const events = await Promise.all(
        items.map(async ({ kind, message_id }) => {
          const message = byId.get(message_id);
          return message === undefined ? '' : eventOf(key, message, kind, senders);
        }),
      );
      return { text: events.join(''), begun };
    };
  }

  /** A key that is no member's has no choice but that of the browser. */
  async #wants({ namespace_id, account_id }: Key): Promise<boolean> {
    if (account_id === null) return true;
    const choices = await this.#parts.store.notices.of(namespace_id, this.#parts.clock());
    return choices.find((choice) => choice.account_id === account_id)?.browser ?? false;
  }
}

async function eventOf(key: Key, message: Message, kind: CallItem['kind'], senders: Senders): Promise<string> {
  const line = message.subject ?? excerptOf(reminderOf(message.body) ?? message.body);
  const data = {
    message: message.id,
    thread: message.thread_id,
    title: `${WORDS[kind]}: ${await senders.of(message)}`,
    line: line.slice(0, MAX_LINE).toWellFormed(),
  };
  return liveEvent(key, 'call', data);
}
