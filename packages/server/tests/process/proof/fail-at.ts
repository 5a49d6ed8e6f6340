import type { Acceptance } from '../../../core/ports/messages.ts';
import type { Store } from '../../../core/ports/store.ts';
import { replaced } from './wrap.ts';

/** Every write from the submission of a message to its settlement, and those of its cancellation and removal. */
export const WRITES = [
  'accept-settled',
  'accept-leased',
  'accept-waiting',
  'accept-held',
  'claim',
  'renew',
  'later',
  'settle',
  'cancel',
  'remember',
  'resume',
  'delete',
  'purge',
] as const;
export type Write = (typeof WRITES)[number];

/**
 * The store of a process that kills itself at a write: with `FAIL_AT=<write>:<n>` right after the n-th became durable,
 * before any caller is answered; with `FAIL_AT=before:<write>:<n>` right before it.
 */
export function failingAt(where: string | undefined, store: Store): Store {
  if (where === undefined) return store;
  const [, before, fatal, n] = /^(before:)?([a-z-]+):([1-9]\d*)$/.exec(where) ?? [];
  if (!WRITES.includes(fatal as Write)) throw new Error(`FAIL_AT=${where} is no place`);
  let left = Number(n);
  const count = (): void => {
    if (--left === 0) process.kill(process.pid, 'SIGKILL');
  };
  const failAt = async <T>(
    write: Write,
    make: () => Promise<T>,
    wrote: (result: T) => boolean = () => true,
  ): Promise<T> => {
    if (write !== fatal) return make();
    if (before !== undefined) count();
    const result = await make();
    if (before === undefined && wrote(result)) count();
    return result;
  };
  const kindOf = async ({ message, leased_until }: Acceptance): Promise<Write> => {
    if (message.status !== 'submitted') return 'accept-settled';
    const mailbox = await store.mailboxes.byId(message.mailbox_id);
    if (mailbox?.status !== 'online') return 'accept-held';
    return leased_until === undefined ? 'accept-waiting' : 'accept-leased';
  };
  const { mailboxes, messages, handlings, jobs } = store;
  return replaced(store, {
    remember: (...args) => failAt('remember', () => store.remember(...args)),
    mailboxes: replaced(mailboxes, {
      change: (id, fields, now) => {
        const change = () => mailboxes.change(id, fields, now);
        return fields.status === 'online' ? failAt('resume', change, (changed) => changed !== undefined) : change();
      },
      delete: (...args) => failAt('delete', () => mailboxes.delete(...args), Boolean),
    }),
    messages: replaced(messages, {
      accept: async (acceptance) =>
        failAt(
          await kindOf(acceptance),
          () => messages.accept(acceptance),
          ({ kind }) => kind === 'accepted',
        ),
      settle: (...args) => failAt('settle', () => messages.settle(...args), Boolean),
      cancel: (...args) => failAt('cancel', () => messages.cancel(...args), Boolean),
    }),
    handlings: replaced(handlings, {
      claim: (...args) =>
        failAt(
          'claim',
          () => handlings.claim(...args),
          (claims) => claims.length > 0,
        ),
      renew: (...args) =>
        failAt(
          'renew',
          () => handlings.renew(...args),
          (held) => held.length > 0,
        ),
      later: (...args) => failAt('later', () => handlings.later(...args), Boolean),
    }),
    jobs: replaced(jobs, {
      purge: (...args) =>
        failAt(
          'purge',
          () => jobs.purge(...args),
          (batch) => batch !== 'lost',
        ),
    }),
  });
}
