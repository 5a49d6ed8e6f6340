import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import test from 'node:test';
import { cellsOf, columnsOf, createSql, insertSql, positionsOf } from '../../store/schema/table.ts';
import { idempotency, TABLES } from '../../store/schema/tables.ts';
import { schemaOf } from '../../store/schema-version.ts';
import { allRows, statements } from '../../store/sqlite/connection.ts';

test('a new database has exactly the declared columns of every table, in their order', () => {
  using db = new DatabaseSync(':memory:');
  db.exec(schemaOf('sqlite').create);
  for (const { name, names, key } of TABLES) {
    const columns = db.prepare('select name, pk from pragma_table_info(?) order by cid').all(name);
    assert.deepEqual(
      columns.map((column) => column.name),
      names,
      name,
    );
    const keyed = columns.filter(({ pk }) => Number(pk) > 0).sort((a, b) => Number(a.pk) - Number(b.pk));
    assert.deepEqual(
      keyed.map((column) => column.name),
      key,
      name,
    );
  }
});

test('a row is written and read by the declaration alone', () => {
  using db = new DatabaseSync(':memory:');
  db.exec(createSql(idempotency, 'sqlite'));
  const row = { scope: 'a', key: 'b', hash: 'c', ref: 'd', expires_at: 5 };
  allRows(statements(db)(insertSql(idempotency)), cellsOf(idempotency, row));
  const read = db.prepare(`select ${columnsOf(idempotency, 'i')} from idempotency i`).get();
  assert.deepEqual({ ...read }, row);
  assert.equal(positionsOf(idempotency).expires_at, 4);
});
