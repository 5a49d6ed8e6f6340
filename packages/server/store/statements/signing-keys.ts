import type { SigningKeys, StoredSigningKey } from '../../core/ports/signing-keys.ts';
import { type Db, type Row, step } from '../db.ts';
import { cellsOf, columnsOf, insertIfSql, parametersOf, rowOf } from '../schema/table.ts';
import { signingKeys } from '../schema/tables.ts';

const COLUMNS = columnsOf(signingKeys);
const READ = `select ${COLUMNS} from signing_keys where id = $1 and published_until > $2`;
/** An issuer that is being deleted gets no key that its purge would miss. */
const LIVES = `not exists (
  select 1 from namespaces where id = ${parametersOf(signingKeys).subject} and deleted_at is not null)`;
const PUT = `${insertIfSql(signingKeys, LIVES)}
  on conflict (id) do nothing`;
const PUBLISHED = `
  select public_jwk from signing_keys where subject = $1 and published_until > $2
  order by published_until desc, id limit 200`;
const ENDED = 'private_jwk is not null and signs_until <= $1';
const OVER = `select 1 as over from signing_keys where ${ENDED} or published_until <= $1 limit 1`;
const BLANK = `update signing_keys set private_jwk = null where ${ENDED} returning id`;
const DROP = 'delete from signing_keys where published_until <= $1 returning id';

export function makeSigningKeys(db: Db): SigningKeys {
  const keyFrom = (row: Row, now: number): StoredSigningKey => {
    const key = rowOf(signingKeys, row);
    return key.signs_until > now ? key : { ...key, private_jwk: null };
  };
  const get = async (id: string, now: number): Promise<StoredSigningKey | undefined> => {
    const [row] = await db.read(READ, [id, now]);
    return row && keyFrom(row, now);
  };
  return {
    get,
    async getOrPut(fresh, now) {
      await db.write([step(PUT, ...cellsOf(signingKeys, fresh))], 'beside');
      return get(fresh.id, now);
    },
    async published(subject, now) {
      return (await db.read(PUBLISHED, [subject, now])).map((row) => row.public_jwk as string);
    },
    async sweep(now) {
      // A write that changes nothing would still cause the files to be searched for what it deleted.
      if ((await db.read(OVER, [now])).length === 0) return 0;
      const changed = await db.write([step(BLANK, now), step(DROP, now)], 'erase');
      return changed.reduce((count, rows) => count + rows.length, 0);
    },
  };
}
