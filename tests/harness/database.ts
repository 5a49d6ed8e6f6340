import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after } from 'node:test';
import { type Postgres, query, sharedPostgres } from './postgres.ts';

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
  'waits and has no handling': `
    select m.id from messages m join mailboxes b on b.id = m.to_mailbox_id
    where m.status = 'submitted' and b.deleted_at is null
      and not exists (select 1 from handlings h where h.message_id = m.id)`,
  'has a handling and does not wait': `
    select h.message_id as id from handlings h left join messages m on m.id = h.message_id
    where coalesce(m.status, '') <> 'submitted'`,
  'is settled without a time, or has a time and is not settled': `
    select id from messages where (status = 'submitted') <> (settled_at is null)`,
  'is completed without a reply, or has a reply and is not answered': `
    select id from messages where kind = 'message' and coalesce(data, '') <> '{"sealed":true}'
      and to_mailbox_id is not null and filed is null and (status in ('completed', 'input_required')) <> (reply_id is not null)`,
  'is answered and its reply is missing': `
    select m.id from messages m where m.reply_id is not null
      and not exists (select 1 from messages r where r.id = m.reply_id and r.kind = 'reply' and r.in_reply_to = m.id)`,
  'is answered and its reply does not reach the mailbox that asked': `
    select m.id from messages m join mailboxes f on f.id = m.from_mailbox_id join messages r on r.id = m.reply_id
    where f.deleted_at is null and coalesce(r.to_mailbox_id, '') <> f.id`,
  'is a reply to no message': `
    select r.id from messages r join mailboxes b on b.id = r.from_mailbox_id and b.deleted_at is null
    where r.kind = 'reply' and not exists (select 1 from messages m where m.id = r.in_reply_to)`,
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
  const server = await sharedPostgres();
  after(() => server[Symbol.asyncDispose]());
  return [sqlite, postgresOn(server)];
}
