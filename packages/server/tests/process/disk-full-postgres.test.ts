import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, rmSync, statfsSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Answer, type Client, type Home, unique } from '../../../../tests/harness/client.ts';
import { startNodes } from '../../../../tests/harness/nodes.ts';
import { type Postgres, query, startPostgres } from '../../../../tests/harness/postgres.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { type SmallDisk, smallDisk } from '../../../../tests/harness/small-disk.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';

// Long form of: disk-full.test.ts.

const MIB = 1 << 20;
const DISK_MIB = 64;
/** What is left for messages before the disk is filled up. */
const ROOM_MIB = 2;
/** Segments of the log are kept, as for a standby that is away, so that new ones are needed. */
const LOG_SETTINGS = ['wal_keep_size=1GB', 'min_wal_size=32MB', 'max_wal_size=32MB'];
const BACK_MS = 60_000;
const BODY_BYTES = 50_000;
/** So many refusals in a row, and no room is left. */
const REFUSALS = 5;

const disks = { tables: smallDisk(DISK_MIB), log: smallDisk(DISK_MIB) };
let server: Postgres;
before(async () => {
  server = await startPostgres('newest', LOG_SETTINGS);
});
after(() => server?.[Symbol.asyncDispose]());
const missing = Object.values(disks).find((disk) => typeof disk === 'string');
const skip = missing ?? (process.env.TEST_DATABASE_URL ? 'the server of TEST_DATABASE_URL is not ours to stop' : false);

interface Parts {
  readonly client: Client;
  readonly home: Home;
  readonly to: string;
}

/**
 * Sends until the database is full: what was accepted, and what was refused with the key that repeats it. `next` is
 * called after each.
 */
async function fill({ client, home, to }: Parts, disk: SmallDisk, next: () => Promise<unknown> = async () => {}) {
  const accepted: Envelope[] = [];
  const refused: { readonly body: string; readonly key: string }[] = [];
  /** Does not compress, as the rows of long texts otherwise do. */
  const newBody = (bytes: number): string => randomBytes(bytes / 2).toString('hex') + unique();
  const send = async (body: string, key = unique('once-')): Promise<boolean> => {
    const fields = { to, body, sync: true };
    const answer: Answer<Envelope> = await client.send(home.key, fields, { 'idempotency-key': key });
    if (answer.status < 300) accepted.push(answer.body);
    else {
      isProblem(answer, 'unavailable');
      assert.ok(Number(answer.headers.get('retry-after')) > 0, answer.text);
      refused.push({ body, key });
    }
    return answer.status < 300;
  };
  const useUp = async (): Promise<void> => {
    for (let failed = 0; failed < REFUSALS; await next()) failed = (await send(newBody(BODY_BYTES))) ? 0 : failed + 1;
  };
  const { bavail, bsize } = statfsSync(disk.folder);
  disk.fill(Math.floor((bavail * bsize) / MIB) - ROOM_MIB);
  assert.ok(await send(newBody(BODY_BYTES)), 'there is room for some');
  await useUp();
  disk.fill();
  await useUp();
  return { accepted, refused, send };
}

/** Everything that was accepted is there, and what was refused happens once. */
async function nothingLost(
  { client, home, to }: Parts,
  { accepted, refused }: Awaited<ReturnType<typeof fill>>,
): Promise<void> {
  for (const envelope of accepted) assert.deepEqual((await client.read(home.key, envelope.id)).body, envelope);
  for (const { body, key } of refused) {
    const again = await client.send(home.key, { to, body, sync: true }, { 'idempotency-key': key });
    assert.equal(again.status, 200, again.text);
  }
  const sent = await client.all<Envelope>('/mail/messages?limit=200', home.key);
  assert.equal(sent.length, accepted.length + refused.length);
  assert.equal(new Set(sent.map(({ body }) => body)).size, sent.length, 'none is there twice');
}

/** The service on a database of this server, with a mailbox. */
async function newHome(newDatabase: () => Promise<string>) {
  const nodes = await startNodes({ postgres: { newDatabase }, count: 1, env: { LOG_LEVEL: 'silent' } });
  const { client } = nodes.named('a');
  const home = await client.newNamespace();
  const { address: to } = await client.newMailbox(home);
  return { nodes, client, home, to };
}

/** A folder on the disk that PostgreSQL may write to: its own user does, not that of the tests. */
function ownFolder(disk: SmallDisk, data: string): void {
  const { uid, gid } = statSync(data);
  chownSync(disk.folder, uid, gid);
}
const settingOf = async (url: string, name: string): Promise<string> =>
  String((await query(url, `show ${name}`))[0]?.[name]);

test('PostgreSQL: when the disk of the tables is full, writes are refused, all is read, and it goes on by itself', {
  skip,
}, async () => {
  const disk = disks.tables as SmallDisk;
  const database = await server.newDatabase();
  const admin = new URL(database);
  admin.pathname = '/postgres';
  ownFolder(disk, await settingOf(database, 'data_directory'));
  await query(admin.href, `create tablespace small location '${disk.folder}'`);
  await query(admin.href, `alter database ${new URL(database).pathname.slice(1)} set tablespace small`);
  const all = await newHome(async () => database);
  await using _ = all.nodes;
  const full = await fill(all, disk);
  for (const { id } of full.accepted) assert.equal((await all.client.read(all.home.key, id)).status, 200);
  disk.clear();
  await until(BACK_MS, () => full.send(unique()), Boolean);
  await nothingLost(all, full);
});

test('PostgreSQL: when the disk of its log is full, it ends; with room and a start it goes on, and nothing acknowledged is lost', {
  skip,
}, async () => {
  const disk = disks.log as SmallDisk;
  const all = await newHome(() => server.newDatabase());
  await using _ = all.nodes;
  const log = join(await settingOf(all.nodes.database, 'data_directory'), 'pg_wal');
  await server.stop('fast');
  ownFolder(disk, log);
  const place = join(disk.folder, 'pg_wal');
  // With their owner, which `cpSync` does not keep.
  execFileSync('cp', ['-Rp', log, place]);
  rmSync(log, { recursive: true });
  symlinkSync(place, log);
  await server.start();
  await until(
    BACK_MS,
    async () => (await all.client.api('GET', '//readyz')).status,
    (status) => status === 200,
  );
  const { database } = all.nodes;
  const full = await fill(all, disk, () => query(database, 'select pg_switch_wal()').catch(() => {}));
  isProblem(await all.client.api('GET', '//readyz'), 'unavailable');
  disk.clear();
  await server.stop('immediate');
  await server.start();
  await until(BACK_MS, () => full.send(unique()), Boolean);
  await nothingLost(all, full);
});
