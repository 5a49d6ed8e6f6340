import { isOutside } from '@mailroom/behavior/values/address';
import type { Millis } from '@mailroom/behavior/values/clock';
import type { Message } from '../entities/message.ts';
import type { Arrivals } from '../notify/arrivals.ts';
import type { EventFeed } from '../notify/event-feed.ts';
import type { Store } from '../ports/store.ts';
import type { Submission, Wait } from '../runs/submission.ts';
import type { Written } from './outside-mail.ts';

interface Parts {
  readonly store: Pick<Store, 'mailboxes'>;
  readonly feed: () => Pick<EventFeed, 'now'>;
  readonly arrivals: () => Pick<Arrivals, 'first'>;
  /** Whether an address outside is reached at once, beside mail. */
  readonly isPeer: (address: string) => Promise<boolean>;
}

/** Waits for answers of addresses of other servers that are reached at once. */
export class PeerAnswers {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Sends by `send`, and waits for an answer where the address answers in the same exchange. */
  async exchange(submission: Submission, wait: Wait, send: () => Promise<Written>): Promise<Written> {
    const begun = performance.now();
    const mailbox =
      submission.from_mailbox_id === null
        ? undefined
        : await this.#parts.store.mailboxes.byId(submission.from_mailbox_id);
    const after = mailbox && (await this.#parts.feed().now(mailbox.namespace_id));
    const sent = await send();
    if ('hash' in sent) return sent;
    const { to } = sent;
    if (mailbox === undefined || after === undefined || to === null || !isOutside(to)) return sent;
    if (!(await within(wait.ms, this.#parts.isPeer(to)))) return sent;
    const answer = await this.#parts.arrivals().first(mailbox, {
      after,
      matches: ({ in_reply_to }) => in_reply_to === sent.id,
      ms: Math.max(0, wait.ms - (performance.now() - begun)),
      signal: wait.signal,
    });
    return answer === undefined ? sent : withAnswer(sent, answer);
  }
}

/** The message with what answered it, which is a message of its own. */
const withAnswer = (sent: Message, { id, body, data, attachments }: Message): Message => ({
  ...sent,
  reply: { body, data },
  reply_id: id,
  ...(attachments !== undefined && { reply_attachments: attachments }),
});

/** What it resolves to in this time; false later. */
async function within(ms: Millis, answer: Promise<boolean>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(resolve, ms, false);
  return Promise.race([answer, promise]).finally(() => clearTimeout(timer));
}
