// Other programs: libfaketime.
import assert from 'node:assert/strict';
import { existsSync, globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from '../../../../tests/harness/client.ts';
import { lacks } from '../../../../tests/harness/install.ts';
import { sharedPostgres } from '../../../../tests/harness/postgres.ts';
import { newFolder, removeFolder, startService } from '../../../../tests/harness/service.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';

const BURST = 5;
const HOURS = 2;
/** Longer than a clock that was set is doubted. */
const FOLLOWED_MS = 7_000;

const skip = lacks('faketime', 'faketime', 'libfaketime');
const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');

/** Sets the clock of processes that run with `env`, without touching what counts time. */
function settable(folder: string) {
  const file = join(folder, 'time');
  const set = (hours: number): void => writeFileSync(file, hours === 0 ? '+0' : `${hours > 0 ? '+' : ''}${hours}h`);
  set(0);
  return {
    set,
    env: {
      LD_PRELOAD: library ?? '',
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
    },
  };
}

for (const database of ['SQLite', 'PostgreSQL'] as const)
  test(`${database}: a clock that is set by two hours, forward and back, locks no caller out, loses no session, and runs nothing twice`, {
    skip: skip || (library === undefined || !existsSync(library) ? 'needs libfaketime' : false),
  }, async (t) => {
    const folder = newFolder();
    after(() => removeFolder(folder));
    const time = settable(folder);
    const postgres = database === 'PostgreSQL' ? await sharedPostgres() : undefined;
    if (postgres !== undefined) after(() => postgres[Symbol.asyncDispose]());
    await using service = await startService({
      folder,
      env: {
        ...time.env,
        RATE_LIMITS: 'on',
        LIMIT_SENDS_PER_MINUTE: '60',
        LIMIT_SENDS_BURST: String(BURST),
        ...(postgres !== undefined && { DATABASE_URL: await postgres.newDatabase() }),
      },
    });
    const client = connect(service.url);
    const home = await client.newNamespace();
    const { address } = await client.newMailbox(home, { behavior: { name: 'hello' } });
    const agent = await client.newMailbox(home, { behavior: { name: 'agent', settings: { by_hand: true } } });
    const send = async (to = address) => client.send(home.key, { to, body: 'Who are you?', sync: to === address });

    /** Spends the bucket; the refusal says when the next send is allowed, and that is so. */
    const retryIsTrue = async (): Promise<void> => {
      let refused = await send();
      for (let sent = 0; refused.status !== 429 && sent < 100; sent++) refused = await send();
      assert.equal(refused.status, 429);
      const seconds = Number(refused.headers.get('retry-after'));
      assert.ok(seconds >= 1 && seconds <= 3, `Retry-After: ${seconds}`);
      await pause(seconds * 1000);
      assert.equal((await send()).status, 200);
    };

    // A claim that is held while the clock moves.
    const question = (await send(agent.address)).body;
    const claimed = await client.api<{ items: { claim: string; message: Envelope }[] }>(
      'POST',
      `/mailboxes/${agent.address}/claim`,
      { key: home.key, body: { lease_seconds: 3600, wait: 5 } },
    );
    const claim = claimed.body.items[0]?.claim;
    assert.equal(claimed.body.items[0]?.message.id, question.id);

    for (const hours of [HOURS, 0, -HOURS, 0]) {
      time.set(hours);
      await retryIsTrue();
      await pause(FOLLOWED_MS);
      await retryIsTrue();
      assert.equal((await client.api('GET', '/me', { key: home.key })).status, 200);
      t.diagnostic(`${database}: at ${hours} hours`);
    }
    // Shows that the time was set at all; the time of PostgreSQL's server was not.
    assert.equal(/the clock was set/.test(service.logs()), database === 'SQLite');
    const answered = await client.api<Envelope>('POST', `/mail/messages/${question.id}/answer`, {
      key: home.key,
      body: { claim, body: 'by hand' },
    });
    assert.equal(answered.status, 200, answered.text);
    assert.equal(answered.body.reply?.body, 'by hand');
  });
