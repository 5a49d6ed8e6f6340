import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { chance } from '../../../../tests/harness/chance.ts';
import { newFolder, removeFolder, storeEnv } from '../../../../tests/harness/service.ts';
import { amount } from '../../../../tests/soak/length.ts';
import type { AuditEntry } from '../../core/entities/audit.ts';
import type { Key } from '../../core/entities/key.ts';
import type { Store } from '../../core/ports/store.ts';
import { unsaid } from '../../store/audit/shown.ts';
import { openStore } from '../../store/open.ts';
import { assertChain } from '../store/contract-audit.ts';
import { type World, world } from '../store/made.ts';

// Long form of: failpoint.test.ts, ../api/audit-routes.test.ts.

/** Milliseconds after which the process is killed, at most. */
const MAX_MS = 300;
const KILLS = amount(3, 50);
const ALL = Number.MAX_SAFE_INTEGER;

async function keysOf(store: Store, namespace_id: string): Promise<Key[]> {
  const keys: Key[] = [];
  for (let after: string | null = null; ; ) {
    const page: Awaited<ReturnType<Store['keys']['page']>> = await store.keys.page(
      { namespace_id, revoked: true },
      after,
      200,
    );
    keys.push(...page.items);
    if (page.next === null) return keys;
    after = page.next;
  }
}

/** Compares what is stored with what the log says was done; returns how much that is. */
async function assertLogged(store: Store, { namespace, mailbox }: World): Promise<number> {
  const log = await store.audit.chain(namespace.id, 0, ALL, ALL);
  assertChain(log);
  assert.deepEqual(await store.audit.head(namespace.id), { number: log.length, hash: log.at(-1)?.hash });
  const idsOf = (action: string): string[] =>
    log.filter((entry) => entry.action === action).map(({ target }) => target.id);
  const keys = await keysOf(store, namespace.id);
  assert.deepEqual(idsOf('key.created').toSorted(), keys.map(({ id }) => id).toSorted());
  const revoked = keys.filter(({ revoked_at }) => revoked_at !== null);
  assert.deepEqual(idsOf('key.revoked').toSorted(), revoked.map(({ id }) => id).toSorted());
  const last: AuditEntry | undefined = log.findLast(({ action }) => action === 'mailbox.updated');
  const stored = await store.mailboxes.byId(mailbox.id);
  assert.equal(unsaid(stored?.description ?? null), last?.after?.description ?? unsaid(mailbox.description));
  return log.length;
}

test(`killed with SIGKILL at ${KILLS} points, the chain is whole, and no change is without its entry`, async () => {
  const folder = newFolder();
  after(() => removeFolder(folder));
  const { DATABASE_URL: url = `sqlite:${join(folder, 'm.db')}` } = await storeEnv({}, join(folder, 'outbox'));
  const random = chance(20_261_129);
  let place: World;
  {
    await using store = await openStore(url);
    place = await world(store);
  }
  const worker = join(import.meta.dirname, 'audit-worker.ts');
  let length = 0;
  for (let kill = 1; kill <= KILLS; kill++) {
    const child = spawn(process.execPath, [worker, url, place.namespace.name, place.mailbox.id], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    await pause(random() * MAX_MS);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await using store = await openStore(url);
    length = await assertLogged(store, place);
  }
  assert.ok(length > KILLS, `Only ${length} changes were written.`);
});
