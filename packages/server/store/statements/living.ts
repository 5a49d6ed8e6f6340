import { step, type WriteStep } from '../db.ts';

/** The condition that the namespace of this id (a parameter, or a column) is not deleted. */
export const namespaceLives = (id: string): string =>
  `exists (select 1 from namespaces ln where ln.id = ${id} and ln.deleted_at is null)`;

export const mailboxLives = (id: string): string =>
  `exists (select 1 from mailboxes lb where lb.id = ${id} and lb.deleted_at is null)`;

/** The condition that an account exists: an external one until it is removed, a mailbox until it is deleted. */
export const accountLives = (id: string): string =>
  `(exists (select 1 from accounts la where la.id = ${id}) or ${mailboxLives(id)})`;

const HOLD_NAMESPACE = 'update namespaces set name = name where id = $1 and deleted_at is null';
const HOLD_MAILBOX = 'update mailboxes set updated_at = updated_at where id = $1 and deleted_at is null';
const HOLD_ACCOUNT = 'update accounts set address = address where id = $1';

/**
 * Locks the row without changing it. Until the end of the transaction no other transaction deletes or locks it, so counts
 * are exact, and the purge of a later deletion finds everything that was added. Namespaces are locked first.
 */
export const holdNamespace = (id: string): WriteStep => step(HOLD_NAMESPACE, id);
export const holdMailbox = (id: string): WriteStep => step(HOLD_MAILBOX, id);
export const holdAccount = (id: string): readonly WriteStep[] => [step(HOLD_ACCOUNT, id), holdMailbox(id)];
