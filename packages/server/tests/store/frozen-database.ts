// The databases that released versions left, `tests/store/fixtures/VERSION/`: how they are filled, kept, and opened.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync, gzipSync } from 'node:zlib';
import { DAY } from '@mailroom/behavior/values/clock';
import { newId } from '@mailroom/behavior/values/ids';
import pg from 'pg';
import { type Client, connect } from '../../../../tests/harness/client.ts';
import { query } from '../../../../tests/harness/postgres.ts';
import type { Service } from '../../../../tests/harness/service.ts';
import { openStore } from '../../store/open.ts';
import { SCHEMA } from '../../store/postgres/migrate.ts';
import { schemaOf } from '../../store/schema-version.ts';
import { messageOf, T, world } from './made.ts';
import { accountOf, allowanceOf, clientOf, settleIn } from './signed-in.ts';

export const FIXTURES = join(import.meta.dirname, './fixtures');
/** Settings under which a service fills a database, and a later one reads it. */
export const SETTINGS = { BASE_URL: 'https://mail.example.org', WEBHOOK_NETWORKS: '127.0.0.1' };
export const KINDS = ['sqlite', 'postgres'] as const;
export type Kind = (typeof KINDS)[number];

/** What a released version answered, which later ones answer too. */
export interface Left {
  /** The fingerprint of its schema. */
  readonly schema: string;
  /** Of an owner. */
  readonly key: string;
  readonly revoked: string;
  readonly hello: string;
  readonly do: string;
  readonly answers: readonly { readonly path: string; readonly body: unknown }[];
}

/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:8089/hook';
const VOLATILE = new Set(['request_id', 'instance', 'last_used_at']);

/** A request's answer without what changes with time. */
export async function read(client: Client, key: string, path: string): Promise<unknown> {
  const { status, text, body } = await client.api('GET', path, { key });
  assert.equal(status, 200, `${path}: ${text}`);
  return body === undefined
    ? text
    : JSON.parse(text, (name, value) => (VOLATILE.has(name) || value === undefined ? undefined : value));
}

/** Fills an empty service with what a release must keep, stops it, and adds to its database what takes no request. */
export async function fill(service: Service): Promise<Omit<Left, 'schema'>> {
  const client = connect(service.url);
  const { api, newMailbox, newNamespace, newKey, send } = client;
  const home = await newNamespace({ display_name: 'Ada 👩‍🚀' });
  const ask = async <T extends { readonly id: string }>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<T> => {
    const answer = await api<T>(method, path, { key: home.key, body, headers });
    assert.ok(answer.status >= 200 && answer.status < 300, `${path}: ${answer.text}`);
    return answer.body;
  };
  const hello = await newMailbox(home, { local_part: 'hello', description: 'ہیلو' });
  const tasks = await newMailbox(home, { local_part: 'do', behavior: { name: 'do' } });
  const manual = await newMailbox(home, {
    local_part: 'manual',
    behavior: { name: 'agent', settings: { by_hand: true } },
  });
  // The settings of a behavior that it had before are kept.
  const changed = await newMailbox(home, { local_part: 'changed' });
  await client.change(home.key, changed.address, {
    behavior: { name: 'proofread' },
  });
  const pushed = await newMailbox(home, {
    local_part: 'pushed',
    behavior: { name: 'agent', settings: { webhook_url: NOWHERE } },
  });

  const file = { filename: 'a.txt', content_type: 'text/plain', content: Buffer.from('Ünïcödé').toString('base64') };
  const first = await ask<{ id: string; thread_id: string; attachments: { id: string }[] }>(
    'POST',
    '/mail/send',
    { to: hello.address, subject: 'Grüße', body: 'Who are you? 漢字', data: { n: 1 }, attachments: [file], sync: true },
    { 'idempotency-key': 'first' },
  );
  await ask('PATCH', `/mail/messages/${first.id}`, { labels: { add: ['kept'] } });
  for (const body of ['Remember that the door is 4711', 'Remind me every day at 9:00 to water the flowers'])
    assert.equal((await send(home.key, { to: tasks.address, body, sync: true })).body.status, 'completed', body);
  const taken = await ask<{ id: string; thread_id: string }>('POST', '/mail/send', {
    to: manual.address,
    body: 'Free?',
  });
  await ask('POST', `/mail/threads/${taken.thread_id}/take-over`, { mailbox: manual.address });
  const draft = await ask('POST', '/mail/drafts', { to: hello.address, body: 'Not yet', attachments: [file] });
  await ask('POST', '/webhooks', { url: NOWHERE });
  await ask('POST', '/mail/send', { to: pushed.address, body: 'Pushed' });
  await newKey(home, { name: 'bound', scopes: ['messages:read'], mailbox: hello.address });
  const gone = await newKey(home, { scopes: ['owner'] });
  await ask('DELETE', `/keys/${gone.id}`);
  await api('GET', '//readyz');

  const paths = [
    `/mail/messages/${first.id}`,
    `/mail/threads/${first.thread_id}`,
    `/mail/attachments/${first.attachments[0]?.id}`,
    `/mail/drafts/${draft.id}`,
    `/mailboxes/${hello.address}`,
    `/mailboxes/${hello.address}/messages`,
    `/namespaces/${home.name}`,
    '/keys',
    '/me',
  ];
  const answers = [];
  for (const path of paths) answers.push({ path, body: await read(client, home.key, path) });
  await service.stop();
  await fillRest(service.databaseUrl);
  return { key: home.key, revoked: gone.secret, hello: hello.address, do: tasks.address, answers };
}

/** Adds what takes mail from outside, a browser or another service, and a deletion that is not complete. */
async function fillRest(url: string): Promise<void> {
  await using store = await openStore(url, { clock: () => T });
  const [ada, gone] = [await world(store), await world(store)];
  const account = await store.accounts.getOrPut(accountOf('mara'));
  await settleIn(store, account.id, ada);
  const shop = clientOf(ada.mailbox);
  assert.equal(await store.clients.create(shop), 'created');
  assert.equal(await store.allowances.allow(allowanceOf(gone.mailbox, ada.namespace, shop.id)), 'allowed');
  const message = messageOf(ada, ada);
  const email = {
    rfc_id: '<first@example.com>',
    references: [],
    authentication: { spf: 'pass', dkim: 'none', dmarc: 'pass', arc: 'none', verified: true, verified_by: 'dmarc' },
    domain: null,
    not_answered: null,
    owed: true,
    stranger_bytes: 0,
    label: null,
  } as const;
  await store.messages.accept({ message, max_waiting: 1000, from_mailbox_id: null, email });
  const of = { task_id: message.id, key_id: ada.key.id, id: 'one', namespace_id: ada.namespace.id };
  const config = { ...of, sealed: 'sealed', known_state: '', created_at: T, expires_at: T + DAY };
  assert.equal(await store.pushConfigs.set(config, 3), 'stored');
  const times = { checked_at: null, check_at: null, failing_since: null, verified_at: null, created_at: T };
  const signing = { token: 'abc', keys: [{ selector: 's', algorithm: 'ed25519-sha256' as const, private_key: 'PEM' }] };
  const domain = { id: newId('dom', T), namespace_id: ada.namespace.id, domain: 'example.net', records: [] };
  const unverified = { ...domain, ...signing, ...times, status: 'pending', error: null, misses: 0 } as const;
  assert.equal(await store.domains.create(unverified, 1), 'created');
  const suppressed = { namespace_id: ada.namespace.id, kind: 'email', target: 'gone@example.com' } as const;
  await store.suppressions.add({ ...suppressed, reason: 'bounced', created_at: T });
  await store.namespaces.delete((await world(store)).namespace.id, T);
}

/** Writes the database of a stopped service below `folder`, with what a reader needs to know. */
export async function keep(folder: string, kind: Kind, url: string, left: Omit<Left, 'schema'>): Promise<void> {
  const schema = (kind === 'postgres' ? SCHEMA : schemaOf('sqlite')).versions.at(-1)?.fingerprint;
  writeFileSync(join(folder, `${kind}.json`), `${JSON.stringify({ schema, ...left }, null, 1)}\n`);
  if (kind === 'postgres') return writeFileSync(join(folder, 'postgres.sql'), await dumpOf(url));
  const copy = join(mkdtempSync(join(tmpdir(), 'mailroom-freeze-')), 'copy.db');
  try {
    using db = new DatabaseSync(url.slice('sqlite:'.length));
    db.prepare('vacuum into ?').run(copy);
    writeFileSync(join(folder, 'sqlite.db.gz'), gzipSync(readFileSync(copy), { level: 9 }));
  } finally {
    rmSync(dirname(copy), { recursive: true });
  }
}

/** SQL that makes the database again: the tables of this version, a line for each row, and the numbers that follow. */
async function dumpOf(url: string): Promise<string> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    // Cells as the text that the server writes, which it also reads.
    const rowsOf = (text: string) =>
      client.query<Record<string, string | null>>({ text, types: { getTypeParser: () => (cell: string) => cell } });
    const lines = [SCHEMA.create];
    const tables = await rowsOf("select tablename as name from pg_tables where schemaname = 'public' order by 1");
    for (const { name } of tables.rows) {
      for (const row of (await rowsOf(`select * from ${name}`)).rows) {
        const cells = Object.values(row).map((cell) => (cell === null ? 'null' : client.escapeLiteral(cell)));
        lines.push(`insert into ${name} values (${cells.join(', ')});`);
      }
      const identity = `select attname as name from pg_attribute where attrelid = '${name}'::regclass and attidentity <> ''`;
      for (const column of (await rowsOf(identity)).rows)
        lines.push(
          `select setval(pg_get_serial_sequence('${name}', '${column.name}'), max(${column.name})) from ${name};`,
        );
    }
    return `${lines.join('\n')}\n`;
  } finally {
    await client.end();
  }
}

/** Makes the database of a fixture again: at `url`, an empty database, or in a SQLite file, whose `url` it names. */
export async function restore(folder: string, kind: Kind, url: string): Promise<void> {
  if (kind === 'sqlite') {
    const bytes = gunzipSync(readFileSync(join(folder, 'sqlite.db.gz')));
    writeFileSync(url.slice('sqlite:'.length), bytes, { mode: 0o600 });
  } else await query(url, readFileSync(join(folder, 'postgres.sql'), 'utf8'));
}

/** Tables that may be empty: the version is no data, and counters may be lost. */
const OTHERS = ['schema_version', 'sqlite_sequence', 'counters'];

/** Runs a query that both databases read. */
export async function rowsIn(kind: Kind, url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  if (kind === 'postgres') return query(url, sql);
  using db = new DatabaseSync(url.slice('sqlite:'.length), { readOnly: true });
  return db.prepare(sql).all();
}

/** The tables of a database, and those that have no row. */
export async function tablesIn(kind: Kind, url: string): Promise<{ readonly all: string[]; readonly empty: string[] }> {
  const sql = {
    sqlite: "select name from sqlite_schema where type = 'table'",
    postgres: "select tablename as name from pg_tables where schemaname = 'public'",
  }[kind];
  const all = (await rowsIn(kind, url, sql)).map(({ name }) => String(name)).filter((name) => !OTHERS.includes(name));
  const empty = await rowsIn(
    kind,
    url,
    all.map((name) => `select '${name}' as name where not exists (select 1 from ${name})`).join(' union all '),
  );
  return { all, empty: empty.map(({ name }) => String(name)) };
}

/** The columns and indexes of all tables (views are for nodes of earlier versions), without the order of columns, which a migration cannot choose. */
export async function shapeOf(kind: Kind, url: string): Promise<string[]> {
  const sql = {
    sqlite: `select t.name || '.' || c.name || ' ' || c.type || ' ' || c."notnull" || ' ' || c.pk as it
      from sqlite_schema t, pragma_table_info(t.name) c where t.type = 'table'
      union all select sql from sqlite_schema where type = 'index' and sql is not null`,
    postgres: `select table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable as it
      from information_schema.columns where table_schema = 'public'
        and table_name in (select tablename from pg_tables where schemaname = 'public')
      union all select indexdef from pg_indexes where schemaname = 'public'`,
  }[kind];
  return (await rowsIn(kind, url, sql)).map(({ it }) => String(it)).sort();
}
