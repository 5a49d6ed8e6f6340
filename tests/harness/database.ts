import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after } from 'node:test';
import type { Postgres } from './postgres.ts';
import { query, startPostgres } from './postgres.ts';

type Row = Record<string, unknown>;

/** A kind of database: tests run on each kind. */
export interface Database {
  readonly name: 'SQLite' | 'PostgreSQL';
  /** The `DATABASE_URL` of a new, empty database; SQLite's is a file in the folder and is removed with it. */
  fresh(folder: string): Promise<string>;
  /** Queries the database directly, next to a running service. */
  ask(url: string, sql: string): Promise<readonly Row[]>;
  /** Describes errors in the data that a stopped or killed service left. */
  errors(url: string): Promise<string[]>;
}

/**
 * States that no row may be in at any moment, because each change is one transaction: a description, and the SQL that
 * finds such rows. Rows of a deleted mailbox are being removed and not checked.
 */
const NEVER: Readonly<Record<string, string>> = {
  'waits and has no job': `
    select m.id from messages m join mailboxes b on b.id = m.mailbox_id
    where m.status = 'submitted' and b.deleted_at is null and not exists (select 1 from jobs j where j.id = m.id)`,
  'has a job and does not wait': `
    select j.id from jobs j left join messages m on m.id = j.id
    where j.kind = 'handle' and coalesce(m.status, '') <> 'submitted'`,
  'is settled without a time, or has a time and is not settled': `
    select id from messages where (status = 'submitted') <> (settled_at is null)`,
  'is completed without a reply, or has a reply and is not answered': `
    select id from messages where substr(id, 24) = '0' and coalesce(data, '') <> '{"sealed":true}'
      and (status in ('completed', 'input_required')) <> (reply_body is not null)`,
  'is answered and its reply is not filed with who asked': `
    select m.id from messages m join mailboxes f on f.id = m.from_mailbox_id
    where m.reply_body is not null and f.deleted_at is null
      and not exists (select 1 from messages r where r.id = substr(m.id, 1, 23) || '1' and r.mailbox_id = f.id)`,
};

async function inWrongState(ask: (sql: string) => readonly Row[] | Promise<readonly Row[]>): Promise<string[]> {
  const found: string[] = [];
  for (const [words, sql] of Object.entries(NEVER)) for (const row of await ask(sql)) found.push(`${row.id} ${words}`);
  return found;
}

const pathOf = (url: string): string => url.slice('sqlite:'.length);

function askFile(path: string, sql: string): Row[] {
  const db = new DatabaseSync(path, { timeout: 5_000 });
  try {
    return db.prepare(sql).all();
  } finally {
    db.close();
  }
}

export const sqlite: Database = {
  name: 'SQLite',
  fresh: async (folder) => `sqlite:${join(folder, 'm.db')}`,
  ask: async (url, sql) => askFile(pathOf(url), sql),
  // Opens a copy, because opening a file after a crash recovers it, and the service itself has to do that.
  async errors(url) {
    const folder = mkdtempSync(join(tmpdir(), 'mailroom-copy-'));
    try {
      const copy = join(folder, 'm.db');
      for (const end of ['', '-wal']) if (existsSync(pathOf(url) + end)) cpSync(pathOf(url) + end, copy + end);
      const rows = askFile(copy, 'pragma integrity_check');
      const sound = rows.length === 1 && rows[0]?.integrity_check === 'ok';
      if (!sound) return [`integrity_check: ${JSON.stringify(rows)}`];
      return await inWrongState((sql) => askFile(copy, sql));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** New databases on that server. */
export const postgresOn = (server: Postgres): Database => ({
  name: 'PostgreSQL',
  fresh: () => server.newDatabase(),
  ask: query,
  errors: (url) => inWrongState((sql) => query(url, sql)),
});

/** Each kind of database for a test file; the server is stopped after the file's last test. */
export async function everyDatabase(): Promise<readonly Database[]> {
  const server = await startPostgres();
  after(() => server[Symbol.asyncDispose]());
  return [sqlite, postgresOn(server)];
}
