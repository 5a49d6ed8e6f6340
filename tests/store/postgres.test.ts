import { after } from 'node:test';
import { openPostgres } from '../../src/store/postgres/store.ts';
import type { Postgres, Release } from '../harness/postgres.ts';
import { query, startPostgres } from '../harness/postgres.ts';
import { storeContract } from './contract.ts';
import { T } from './made.ts';

const releases: readonly Release[] = process.env.TEST_DATABASE_URL ? ['newest'] : ['newest', 'oldest'];
const servers: Postgres[] = [];
after(async () => {
  for (const server of servers) await server[Symbol.asyncDispose]();
});

for (const release of releases) {
  const server = await startPostgres(release);
  servers.push(server);
  const database = await server.newDatabase();
  let schemas = 0;
  /** A schema of its own in the one database: quicker made than a database. */
  const newSchema = async (): Promise<string> => {
    const name = `s${++schemas}`;
    await query(database, `create schema ${name}`);
    const url = new URL(database);
    url.searchParams.set('options', `-c search_path=${name}`);
    return url.href;
  };
  const name = `PostgreSQL ${server.major}`;
  storeContract(name, async () => openPostgres(await newSchema(), { clock: () => T + 100 }));
}
