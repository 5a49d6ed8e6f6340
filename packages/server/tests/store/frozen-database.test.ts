// A version that changes the schema before its first release freezes its database again: node scripts/freeze-database.ts.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { connect } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { sharedPostgres } from '../../../../tests/harness/postgres.ts';
import { newFolder, removeFolder } from '../../../../tests/harness/service.ts';
import { MIGRATIONS } from '../../store/migrations.ts';
import { openStore } from '../../store/open.ts';
import { TABLES } from '../../store/schema/tables.ts';
import {
  FIXTURES,
  KINDS,
  type Kind,
  type Left,
  read,
  restore,
  rowsIn,
  SETTINGS,
  shapeOf,
  tablesIn,
} from './frozen-database.ts';

const postgres = await sharedPostgres();
const folder = newFolder();
after(async () => {
  await postgres[Symbol.asyncDispose]();
  removeFolder(folder);
});

let files = 0;
const newUrl = async (kind: Kind): Promise<string> =>
  kind === 'postgres' ? postgres.newDatabase() : `sqlite:${join(folder, `${++files}.db`)}`;

/** Asserts that what was answered is still answered; answers may grow. */
function assertKept(now: unknown, then: unknown, path: string): void {
  if (Array.isArray(then)) assert.equal((now as unknown[])?.length, then.length, path);
  if (typeof then !== 'object' || then === null) assert.equal(now, then, path);
  else
    for (const [name, value] of Object.entries(then))
      assertKept((now as Record<string, unknown> | undefined)?.[name], value, `${path} ${name}`);
}

const versions = readdirSync(FIXTURES);
test('there is a database of each version of the schema but one that is not released yet', async () => {
  const schemas = new Set<number>();
  for (const version of versions) {
    const url = await newUrl('sqlite');
    await restore(join(FIXTURES, version), 'sqlite', url);
    const [row] = await rowsIn('sqlite', url, 'select max(version) as version from schema_version');
    schemas.add(Number(row?.version));
    if (row?.version === MIGRATIONS.length + 1)
      assert.deepEqual((await tablesIn('sqlite', url)).all.sort(), TABLES.map(({ name }) => name).sort());
  }
  for (let schema = 1; schema <= MIGRATIONS.length; schema++) assert.ok(schemas.has(schema), `schema ${schema}`);
  // A node of the last release runs beside one of this version.
  for (const { oldest = 1 } of MIGRATIONS) assert.ok(oldest <= Math.max(...schemas), `works from schema ${oldest} on`);
});

for (const version of versions) {
  for (const kind of KINDS) {
    test(`what ${version} left in ${kind} opens: every table has rows, and messages, files, notes and keys are as they were`, async () => {
      const fixture = join(FIXTURES, version);
      const left: Left = JSON.parse(readFileSync(join(fixture, `${kind}.json`), 'utf8'));
      const url = await newUrl(kind);
      await restore(fixture, kind, url);
      const { all, empty } = await tablesIn(kind, url);
      assert.ok(all.includes('messages'));
      assert.deepEqual(empty, []);

      await using service = await serveInside({ env: { ...SETTINGS, DATABASE_URL: url } });
      const client = connect(service.url);
      for (const { path, body } of left.answers) assertKept(await read(client, left.key, path), body, path);
      const [message] = left.answers as readonly { readonly body: { readonly id: string } }[];
      const filed = await client.all<{ id: string }>(`/mailboxes/${left.hello}/messages?has=attachment`, left.key);
      assert.deepEqual(
        filed.map(({ id }) => id),
        [message?.body.id],
      );
      assert.equal((await client.api('GET', '/me', { key: left.revoked })).status, 401);
      const asked = async (to: string, body: string): Promise<string | undefined> =>
        (await client.send(left.key, { to, body, sync: true })).body.reply?.body;
      assert.equal(await asked(left.hello, 'Who are you?'), 'I write programs.');
      assert.match((await asked(left.do, 'What do you remember?')) ?? '', /4711/);
      assert.match((await asked(left.do, 'List my reminders')) ?? '', /water the flowers/);
      await service[Symbol.asyncDispose]();

      const fresh = await newUrl(kind);
      await (await openStore(fresh))[Symbol.asyncDispose]();
      assert.deepEqual(await shapeOf(kind, url), await shapeOf(kind, fresh));
    });
  }
}
