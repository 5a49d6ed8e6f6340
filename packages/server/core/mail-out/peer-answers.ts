import { type Millis, rfc3339 } from '@mailroom/behavior/values/clock';
import type { EmailDeliveryView } from '../entities/email.ts';
import type { Message } from '../entities/message.ts';
import type { Arrivals } from '../notify/arrivals.ts';
import type { EventFeed } from '../notify/event-feed.ts';
import type { PeerRoute } from '../ports/peer-route.ts';
import type { Store } from '../ports/store.ts';
import type { Submission, Wait } from '../runs/submission.ts';
import type { Written } from './outside-mail.ts';

interface Parts {
  readonly store: Pick<Store, 'mailboxes' | 'messages'>;
  readonly feed: () => Pick<EventFeed, 'now'>;
  readonly arrivals: () => Pick<Arrivals, 'first'>;
  /** How an address outside is reached at once; undefined where mail alone reaches it. */
  readonly routeTo: (address: string) => Promise<PeerRoute | undefined>;
}

/** What is sent at once at a time, beyond which it waits for a slot as other mail does. */
const MAX_AT_ONCE = 256;
const MAX_TO_DOMAIN = 128;
/** How much of a thread is searched for an answer. */
const THREAD_PAGE = 50;

/** Waits for answers of addresses of other servers that are reached at once. */
export class PeerAnswers {
  readonly #parts: Parts;
  /** Attempts in progress by domain. */
  readonly #sending = new Map<string, number>();
  #total = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Sends by `send`, and waits for an answer where the address answers in the same exchange. */
  async exchange(submission: Submission, wait: Wait, send: (route?: PeerRoute) => Promise<Written>): Promise<Written> {
    const begun = performance.now();
    const rest = (): Millis => Math.max(0, wait.ms - (performance.now() - begun));
    const { to: recipient, from_mailbox_id } = submission;
    const to = `${recipient.local}@${recipient.namespace}`;
    using route = await within(rest(), wait.signal, this.#parts.routeTo(to));
    if (route === undefined || from_mailbox_id === null) return send();
    const isAtOnce = this.#takesSlot(recipient.namespace, route);
    const sent = await send(isAtOnce ? route : undefined);
    if ('hash' in sent) return sent;
    const answer = isAtOnce ? await within(rest(), wait.signal, route.answer) : undefined;
    if (answer !== undefined) return withAnswer(sent, answer);
    const later =
      rest() > 0 ? await this.#later(sent, from_mailbox_id, { ms: rest(), signal: wait.signal }) : undefined;
    return later === undefined ? sent : withAnswer(sent, later);
  }

  /** An answer that comes by a request or a mail of its own. */
  async #later({ id, thread_id }: Message, mailboxId: string, wait: Wait): Promise<Message | undefined> {
    const { store, feed, arrivals } = this.#parts;
    const mailbox = await store.mailboxes.byId(mailboxId);
    if (mailbox === undefined) return undefined;
    const after = await feed().now(mailbox.namespace_id);
    const isAnswer = ({ in_reply_to }: Message): boolean => in_reply_to === id;
    const { items } = await store.messages.thread(thread_id, null, THREAD_PAGE);
    return items.find(isAnswer) ?? arrivals().first(mailbox, { after, matches: isAnswer, ...wait });
  }

  /** Takes a slot of a domain until the attempt has ended; false where many are in progress. */
  #takesSlot(domain: string, { answer }: PeerRoute): boolean {
    const count = this.#sending.get(domain) ?? 0;
    if (this.#total >= MAX_AT_ONCE || count >= MAX_TO_DOMAIN) return false;
    this.#sending.set(domain, count + 1);
    this.#total += 1;
    void answer.then(() => {
      this.#total -= 1;
      const left = (this.#sending.get(domain) ?? 1) - 1;
      if (left > 0) this.#sending.set(domain, left);
      else this.#sending.delete(domain);
    });
    return true;
  }
}

/** The message, which has left, with what answered it, which is a message of its own. */
const withAnswer = (sent: Message, { id, body, data, attachments, created_at }: Message): Message => ({
  ...sent,
  email: { ...sent.email, deliveries: (sent.email?.deliveries ?? []).map((each) => leftAt(each, created_at)) },
  reply: { body, data },
  reply_id: id,
  ...(attachments !== undefined && { reply_attachments: attachments }),
});

const leftAt = (delivery: EmailDeliveryView, at: Millis): EmailDeliveryView => ({
  ...delivery,
  ...{ status: 'sent', attempts: Math.max(1, delivery.attempts), updated_at: rfc3339(at), next_attempt_at: null },
});

/** What it resolves to in this time, and before `signal` aborts; undefined later. */
async function within<T>(ms: Millis, signal: AbortSignal, answer: Promise<T>): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const end = (): void => resolve(undefined);
  const timer = setTimeout(end, ms);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  return Promise.race([answer, promise]).finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  });
}
