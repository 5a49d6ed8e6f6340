/**
 * Message and reply pairs that the store makes durable in a second, with 64 concurrent callers: `node bench/store.ts`,
 * or `node bench/store.ts postgres`. Each pair is one settled acceptance. The disk matters as much as the code, so
 * compare only runs of one machine.
 */

import { subscribe } from 'node:diagnostics_channel';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '@mailroom/behavior/values/ids';
import type { Key } from '@mailroom/server/core/entities/key';
import type { Mailbox } from '@mailroom/server/core/entities/mailbox';
import { type Message, newMessage } from '@mailroom/server/core/entities/message';
import type { Acceptance } from '@mailroom/server/core/ports/messages';
import type { Store } from '@mailroom/server/core/ports/store';
import { openStore } from '@mailroom/server/store/open';
import { query } from '../tests/harness/postgres.ts';
import { startSyncedPostgres } from './harness/postgres.ts';

const CALLERS = Number(process.env.BENCH_CALLERS ?? 64);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
const BODY =
  'Please look at this text, it has about a hundred and sixty characters, as a short letter would have. '.repeat(2);
const REPLY = 'Hello! I answer at once, with a reply in Markdown that is about as long as the letter was. '.repeat(2);

const folder = mkdtempSync(join(process.env.BENCH_DIR ?? tmpdir(), 'mailroom-bench-'));
const server = process.argv[2] === 'postgres' ? await startSyncedPostgres() : undefined;
const url = (await server?.newDatabase()) ?? `sqlite:${join(folder, 'bench.db')}`;
await using store = await openStore(url);

/** Bytes of write-ahead log that PostgreSQL has written, and of `messages` with its indexes. */
async function written(): Promise<{ wal: number; table: number }> {
  if (server === undefined) return { wal: Number.NaN, table: Number.NaN };
  const sql = `select pg_current_wal_insert_lsn() - '0/0' as wal, pg_total_relation_size('messages') as "table"`;
  const [row] = await query(url, sql);
  return { wal: Number(row?.wal), table: Number(row?.table) };
}
const now = Date.now();
const namespace = { id: newId('ns', now), name: 'bench', display_name: null, created_at: now, deleted_at: null };
const key: Key = {
  id: newId('key', now),
  namespace_id: namespace.id,
  namespace: 'bench',
  name: null,
  prefix: 'mr_live_xxxxxxxx',
  sha256: '0'.repeat(64),
  scopes: ['owner'],
  mailbox_id: null,
  mailbox: null,
  created_at: now,
  last_used_at: null,
  expires_at: null,
  revoked_at: null,
  also: [],
  account_id: null,
};
const mailbox: Mailbox = {
  id: newId('mbx', now),
  namespace_id: namespace.id,
  namespace: 'bench',
  local_part: 'hello',
  display_name: null,
  description: '',
  behavior: 'hello',
  settings: {},
  senders: { allow: [], block: [] },
  status: 'online',
  domains: [],
  online_until: null,
  webhook: null,
  visibility: 'listed',
  access: 'public',
  try_out: true,
  wake: 'to',
  created_at: now,
  updated_at: now,
  deleted_at: null,
};
await store.namespaces.create({ namespace, key, mailboxes: [mailbox] });

function message(): Message {
  const startedAt = Date.now();
  const id = newId('msg', startedAt);
  return newMessage({
    id,
    mailbox_id: mailbox.id,
    to: 'hello@bench',
    sender_kind: 'key',
    sender_id: key.id,
    sender_namespace_id: namespace.id,
    key_id: key.id,
    body: BODY,
    status: 'completed',
    reply: { body: REPLY, data: '{"@type":"Person","name":"Ada"}' },
    created_at: startedAt,
    settled_at: startedAt,
  });
}
const settled = (): Acceptance => ({ message: message(), max_waiting: 50_000, from_mailbox_id: null });
const idempotency = (): Acceptance => {
  const made = settled();
  return {
    ...made,
    idempotency: { scope: key.id, key: made.message.id, hash: '0'.repeat(64), expires_at: now + 86_400_000 },
  };
};
const unsettled = (): Message => ({ ...message(), status: 'submitted', reply: null, replies_count: 0 });

let batches = 0;
subscribe('mailroom:store:commit', () => {
  batches++;
});

type Caller = (store: Store) => Promise<unknown>;
async function measure(name: string, call: Caller): Promise<void> {
  const until = performance.now() + SECONDS * 1000;
  let pairs = 0;
  batches = 0;
  const bytesBefore = await written();
  const startedAt = performance.now();
  const whole = process.cpuUsage();
  const here = process.threadCpuUsage();
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      while (performance.now() < until) {
        await call(store);
        pairs++;
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const all = process.cpuUsage(whole);
  const mine = process.threadCpuUsage(here);
  const main = (mine.user + mine.system) / pairs;
  const after = await written();
  const rest = (all.user + all.system) / pairs - main;
  console.log(
    `${name.padEnd(34)} ${Math.round(pairs / seconds)
      .toLocaleString('en')
      .padStart(
        8,
      )} pairs/s  ${(pairs / batches).toFixed(0).padStart(3)} a batch  CPU µs a pair: ${main.toFixed(1)} here, ${rest.toFixed(1)} in other threads`,
  );
  if (server !== undefined) {
    const bytes = (of: 'wal' | 'table'): string => ((after[of] - bytesBefore[of]) / pairs).toFixed(0);
    console.log(`${''.padEnd(34)} bytes a pair: ${bytes('wal')} of log, ${bytes('table')} of table and indexes`);
  }
}

try {
  await measure('(warming up)', (s) => s.messages.accept(settled()));
  await measure('settled', (s) => s.messages.accept(settled()));
  await measure('settled, with Idempotency-Key', (s) => s.messages.accept(idempotency()));
  await measure('accepted, then settled (2 writes)', async (s) => {
    const m = unsettled();
    await s.messages.accept({ message: m, max_waiting: 50_000, from_mailbox_id: null, leased_until: now + 1e9 });
    const settlement = { error_code: null, error_message: null, reply: { body: REPLY, data: null }, settled_at: now };
    await s.messages.settle({ id: m.id, fence: 1 }, { status: 'completed', ...settlement });
  });
} finally {
  await store[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
}
