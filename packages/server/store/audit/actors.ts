import type { AuditActor } from '../../core/entities/audit.ts';
import type { Db } from '../db.ts';

const OF_KEY = 'select name, account_id from keys where id = $1';
const MEMBER = 'select 1 from members where namespace_id = $1 and account_id = $2';

/** Who acts by a key: the member whose key it is, or in whose session it was made, else the key itself. */
export async function keyActor(id: string, db: Db): Promise<AuditActor> {
  const [row] = await db.read(OF_KEY, [id]);
  const account_id = row?.account_id as string | null | undefined;
  if (account_id == null) return { kind: 'key', id, name: (row?.name as string | undefined) ?? null };
  return { kind: 'member', id: account_id, name: null };
}

/** An account that acts without a key, in the log of a namespace. */
export async function accountActor(id: string, namespace_id: string, db: Db): Promise<AuditActor> {
  const [member] = await db.read(MEMBER, [namespace_id, id]);
  return { kind: member === undefined ? 'account' : 'member', id, name: null };
}
