import { type Database, everyDatabase, sqlite } from '../harness/database.ts';
import { LONG } from './length.ts';

/** Each kind of database in the long form, and this one in short. */
export async function everyDatabaseOr(name: Database['name']): Promise<readonly Database[]> {
  if (!LONG && name === sqlite.name) return [sqlite];
  return (await everyDatabase()).filter((database) => LONG || database.name === name);
}
