import { type AuditActor, type AuditEntry, type AuditTarget, chained, isPerson } from '../../core/entities/audit.ts';
import { type Db, params } from '../db.ts';

type Named = AuditActor | AuditTarget;

/** The addresses of people whose accounts and invitations are there, by their ids. */
async function addressesOf(named: readonly Named[], db: Db): Promise<ReadonlyMap<string | null, string>> {
  const ids = [...new Set(named.filter(isPerson).flatMap(({ id }) => id ?? []))];
  if (ids.length === 0) return new Map();
  const { values, p } = params();
  const among = ids.map(p).join(', ');
  const rows = await db.read(
    `select id, address from accounts where id in (${among}) union all
     select id, address from invitations where id in (${among}) union all
     select id, local_part || '@' || namespace from mailboxes where id in (${among}) and deleted_at is null`,
    values,
  );
  return new Map(rows.map(({ id, address }) => [id as string, address as string]));
}

/** An actor and a target with the addresses of those that are people. */
export async function withAddresses(
  actor: AuditActor,
  target: AuditTarget,
  db: Db,
): Promise<{ readonly actor: AuditActor; readonly target: AuditTarget }> {
  const addresses = await addressesOf([actor, target], db);
  const named = <T extends Named>(one: T): T => ({ ...one, name: addresses.get(one.id) ?? one.name });
  return { actor: named(actor), target: named(target) };
}

/** The entries with the addresses of people whose accounts are there, in place of the hashes that the chain has. */
export async function namePeople(entries: readonly AuditEntry[], db: Db): Promise<readonly AuditEntry[]> {
  const addresses = await addressesOf(
    entries.flatMap(({ actor, target }) => [actor, target]),
    db,
  );
  const named = <T extends Named>(one: T): T => {
    const person = { ...one, name: addresses.get(one.id) ?? one.name };
    return chained(person).name === one.name ? person : one;
  };
  return addresses.size === 0
    ? entries
    : entries.map((entry) => ({ ...entry, actor: named(entry.actor), target: named(entry.target) }));
}
