import type { Accepted, Messages, Store } from '../../../src/core/ports/store.ts';
import { query } from '../../harness/postgres.ts';
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
        const [job] = await query(url, `select fence from jobs where id = '${claim.id}'`);
        return store.messages.settle({ ...claim, fence: Number(job?.fence ?? claim.fence) }, settlement, effects);
      },
    }),
  /** Forgets idempotency keys. */
  'no-dedupe': (store) =>
    replaced(
      withMessages(store, { accept: (acceptance) => store.messages.accept({ ...acceptance, idempotency: undefined }) }),
      { idempotency: async () => undefined },
    ),
} satisfies Record<string, Defect>;

export type DefectName = keyof typeof DEFECTS;

/** The store with the defect of this name, or unchanged. */
export function withDefect(name: string | undefined, store: Store, url: string): Store {
  if (name === undefined) return store;
  const defect = (DEFECTS as Record<string, Defect>)[name];
  if (defect === undefined) throw new Error(`There is no defect ${name}`);
  return defect(store, url);
}
