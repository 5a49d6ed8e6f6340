import type { AuditActor } from '../../core/entities/audit.ts';
import type { Db } from '../db.ts';

const OF_KEY = `
  select k.name, m.account_id, m.name as member from keys k
  left join members m on m.namespace_id = k.namespace_id and m.account_id = k.account_id where k.id = $1`;
const OF_ACCOUNT = `
  select address from accounts where id = $1
  union all select local_part || '@' || namespace from mailboxes where id = $1`;

/** Who acts by a key: the member whose key it is, or in whose session it was made, else the key itself. */
export async function keyActor(id: string, db: Db): Promise<AuditActor> {
  const [row] = await db.read(OF_KEY, [id]);
  const account_id = row?.account_id as string | null | undefined;
  if (account_id == null) return { kind: 'key', id, name: (row?.name as string | undefined) ?? null };
  return { kind: 'member', id: account_id, name: row?.member as string | null };
}

/** An account that acts without a key, in the logs of the namespaces that it belongs to. */
export async function accountActor(id: string, db: Db): Promise<AuditActor> {
  const [row] = await db.read(OF_ACCOUNT, [id]);
  return { kind: 'member', id, name: (row?.address as string | undefined) ?? null };
}
