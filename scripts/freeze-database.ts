/**
 * `node scripts/freeze-database.ts VERSION`, before a release that changed the schema: fills a service of this version on
 * each database, and keeps what it left in tests/store/fixtures/VERSION/, which every later version must open
 * (packages/server/tests/store/frozen-database.test.ts). It replaces what is there. Never freeze a version again that was released.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { FIXTURES, fill, KINDS, keep, SETTINGS, tablesIn } from '../packages/server/tests/store/frozen-database.ts';
import { startPostgres } from '../tests/harness/postgres.ts';
import { newFolder, removeFolder, startService } from '../tests/harness/service.ts';

const [version = ''] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error('Name the version: node scripts/freeze-database.ts 1.2.3');
const fixture = join(FIXTURES, version);
mkdirSync(fixture, { recursive: true });
await using postgres = await startPostgres();
for (const kind of KINDS) {
  const folder = newFolder();
  try {
    const url = kind === 'sqlite' ? `sqlite:${join(folder, 'm.db')}` : await postgres.newDatabase();
    const service = await startService({ folder, env: { ...SETTINGS, DATABASE_URL: url } });
    const left = await fill(service);
    const { empty } = await tablesIn(kind, url);
    if (empty.length > 0) throw new Error(`${kind}: no row in ${empty.join(', ')}`);
    await keep(fixture, kind, url, left);
  } finally {
    removeFolder(folder);
  }
}
process.stdout.write(`Frozen: ${fixture}\n`);
