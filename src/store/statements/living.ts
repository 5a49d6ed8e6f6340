import type { WriteStep } from '../db.ts';
import { step } from '../db.ts';

/** That the namespace of this id (a parameter's place, or a column) is not deleted. */
export const namespaceLives = (id: string): string =>
  `exists (select 1 from namespaces ln where ln.id = ${id} and ln.deleted_at is null)`;

export const mailboxLives = (id: string): string =>
  `exists (select 1 from mailboxes lb where lb.id = ${id} and lb.deleted_at is null)`;

/** An account outside is there until it is removed; a mailbox is one while it lives. */
export const accountLives = (id: string): string =>
  `(exists (select 1 from accounts la where la.id = ${id}) or ${mailboxLives(id)})`;

const HOLD_NAMESPACE = 'update namespaces set name = name where id = $1 and deleted_at is null';
const HOLD_MAILBOX = 'update mailboxes set updated_at = updated_at where id = $1 and deleted_at is null';
const HOLD_ACCOUNT = 'update accounts set address = address where id = $1';

/**
 * These change nothing. To the end of the transaction nobody deletes the row, and whoever holds it too waits: what is
 * counted meanwhile is exact, and the purge of what is deleted afterwards finds what was added. Namespaces come first.
 */
export const holdNamespace = (id: string): WriteStep => step(HOLD_NAMESPACE, id);
export const holdMailbox = (id: string): WriteStep => step(HOLD_MAILBOX, id);
export const holdAccount = (id: string): readonly WriteStep[] => [step(HOLD_ACCOUNT, id), holdMailbox(id)];
