import { query } from '../../../../../tests/harness/postgres.ts';
import type { NewDelivery } from '../../../core/entities/delivery.ts';
import type { Answers } from '../../../core/ports/answers.ts';
import type { Accepted, Messages } from '../../../core/ports/messages.ts';
import type { Store } from '../../../core/ports/store.ts';
import type { Webhooks } from '../../../core/ports/webhooks.ts';
import { replaced } from './wrap.ts';

/** How long the promise stays broken: long enough that the answer reaches its caller, also on a busy machine. */
const LATE_MS = 250;

/** A store that breaks a promise of the port; `url` is its database. */
type Defect = (store: Store, url: string) => Store;

const withMessages = (store: Store, messages: Partial<Messages>): Store =>
  replaced(store, { messages: replaced(store.messages, messages) });

/** Typical bugs, which show that the tests detect them. */
const DEFECTS = {
  /** Reports a message as accepted before it is committed. */
  early: (store) =>
    withMessages(store, {
      accept: async (acceptance): Promise<Accepted> => {
        // A possible repetition needs the store's answer.
        if (acceptance.idempotency !== undefined) return store.messages.accept(acceptance);
        setTimeout(() => void store.messages.accept(acceptance), LATE_MS);
        return { kind: 'accepted', held: false };
      },
    }),
  /** Settles a message although another node has claimed it meanwhile. */
  'no-fence': (store, url) =>
    withMessages(store, {
      settle: async (claim, settlement, effects) => {
        const [row] = await query(url, `select fence from handlings where message_id = '${claim.id}'`);
        return store.messages.settle({ ...claim, fence: Number(row?.fence ?? claim.fence) }, settlement, effects);
      },
    }),
  /** Forgets idempotency keys. */
  'no-dedupe': (store) =>
    replaced(
      withMessages(store, { accept: (acceptance) => store.messages.accept({ ...acceptance, idempotency: undefined }) }),
      { idempotency: async () => undefined },
    ),
  /** Hands a message to the next program although the lease of the one before continues. */
  'no-lease': (store) =>
    replaced(
      withMessages(store, {
        accept: (acceptance) => {
          const { claimed, message } = acceptance;
          const ended = claimed && { ...claimed, until: message.created_at };
          return store.messages.accept({ ...acceptance, claimed: ended });
        },
      }),
      {
        answers: replaced(store.answers, {
          claim: (mailbox, claims, now) => store.answers.claim(mailbox, claims, now, now),
        }),
      },
    ),
  /** Tells a program that its answer settled the message, and forgets every fifth. */
  'no-answer': (store) => {
    let answers = 0;
    const answer: Answers['answer'] = (...args) =>
      ++answers % 5 === 0 ? Promise.resolve(true) : store.answers.answer(...args);
    return replaced(store, { answers: replaced(store.answers, { answer }) });
  },
  /** Moves a webhook's place in the log, and keeps every fifth delivery in memory for a while. */
  'late-deliveries': (store) => {
    let added = 0;
    const advance: Webhooks['advance'] = (webhook, next, deliveries) => {
      const [soon, late] = [[], []] as [NewDelivery[], NewDelivery[]];
      for (const delivery of deliveries) (++added % 5 === 0 ? late : soon).push(delivery);
      setTimeout(() => void store.webhooks.advance(webhook, next, late), 60_000).unref();
      return store.webhooks.advance(webhook, next, soon);
    };
    return replaced(store, { webhooks: replaced(store.webhooks, { advance }) });
  },
} satisfies Record<string, Defect>;

export type DefectName = keyof typeof DEFECTS;

/** The store with the defect of this name, or unchanged. */
export function withDefect(name: string | undefined, store: Store, url: string): Store {
  if (name === undefined) return store;
  const defect = (DEFECTS as Record<string, Defect>)[name];
  if (defect === undefined) throw new Error(`There is no defect ${name}`);
  return defect(store, url);
}
