import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Checkpoints, MAX_LOG_PAGES } from '../../store/sqlite/checkpoints.ts';
import { connect } from '../../store/sqlite/connection.ts';

const PAGE = 4096;

const folder = mkdtempSync(join(tmpdir(), 'mailroom-checkpoints-'));
after(() => rmSync(folder, { recursive: true }));

test('the log stays small while commits follow one another, and a reader does not stop them', () => {
  const path = join(folder, 'long.db');
  using db = connect(path);
  using reader = connect(path);
  db.exec('create table texts (id integer primary key, text)');
  const checkpoints = new Checkpoints(db);
  const insert = db.prepare('insert into texts (text) values (?)');
  let largest = 0;
  for (let commit = 0; commit < 1_000; commit++) {
    if (commit === 400) reader.exec('begin; select count(*) from texts');
    if (commit === 500) reader.exec('rollback');
    insert.run('x'.repeat(4 * PAGE));
    checkpoints.committed(4 * PAGE);
    largest = Math.max(largest, statSync(`${path}-wal`).size);
  }
  assert.ok(largest < 2_000 * PAGE, `the log had ${largest / PAGE} pages`);
  assert.ok(largest < MAX_LOG_PAGES * PAGE);
  assert.ok(statSync(path).size > 3_000 * PAGE, 'the database file holds what was written');
});

test('after long texts the log is moved sooner, so that the next commit waits for few of them', () => {
  const path = join(folder, 'texts.db');
  using db = connect(path);
  db.exec('create table texts (id integer primary key, text)');
  const checkpoints = new Checkpoints(db);
  const insert = db.prepare('insert into texts (text) values (?)');
  const bytes = 512 * 1024;
  for (let commit = 0; commit < 30; commit++) {
    insert.run('x'.repeat(bytes));
    checkpoints.committed(bytes);
  }
  const { size } = statSync(`${path}-wal`);
  assert.ok(size < 6 * bytes, `the log has ${size} bytes`);
});

test('a checkpoint that fails changes nothing for the writer', () => {
  const db = connect(join(folder, 'closed.db'));
  const checkpoints = new Checkpoints(db);
  db.close();
  assert.doesNotThrow(() => {
    for (let commit = 0; commit < 200; commit++) checkpoints.committed(PAGE);
  });
});
