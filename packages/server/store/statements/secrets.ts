import type { Secrets } from '../../core/ports/secrets.ts';
import { type Db, step } from '../db.ts';
import { insertSql } from '../schema/table.ts';
import { secrets } from '../schema/tables.ts';

const READ = 'select value from secrets where name = $1';
const BEGINNING = 'select name, value from secrets where substr(name, 1, $2) = $1 order by name';
const REMOVE = 'delete from secrets where name = $1';
const PUT = `${insertSql(secrets)} on conflict (name) do nothing`;

export function makeSecrets(db: Db): Secrets {
  return {
    async getOrPut(name, fresh) {
      const [known] = await db.read(READ, [name]);
      if (known !== undefined) return known.value as string;
      const made = typeof fresh === 'string' ? fresh : await fresh();
      const [, rows] = await db.write([step(PUT, name, made), step(READ, name)]);
      return rows?.[0]?.value as string;
    },
    async beginning(prefix) {
      const rows = await db.read(BEGINNING, [prefix, prefix.length]);
      return new Map(rows.map(({ name, value }) => [name as string, value as string]));
    },
    async remove(names) {
      if (names.length > 0) await db.write(names.map((name) => step(REMOVE, name)));
    },
  };
}
