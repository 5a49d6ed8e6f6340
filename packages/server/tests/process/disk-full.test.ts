import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Answer, connect, unique } from '../../../../tests/harness/client.ts';
import { sqlite } from '../../../../tests/harness/database.ts';
import { gatesOf } from '../../../../tests/harness/gated.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import {
  folderEnv,
  newFolder,
  PROOF_MAIN,
  removeFolder,
  run,
  startService,
} from '../../../../tests/harness/service.ts';
import { type SmallDisk, smallDisk } from '../../../../tests/harness/small-disk.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';
import { amount } from '../../../../tests/soak/length.ts';

const disk = smallDisk(16);
const skip = typeof disk === 'string' && disk;
/** The requirement says "within a few seconds". */
const SOON_MS = 5_000;

test('on a full disk nothing is promised and nothing is lost, and it goes on by itself when there is room', {
  skip,
}, async (t) => {
  if (typeof disk === 'string') return;
  const gateFolder = newFolder();
  after(() => removeFolder(gateFolder));
  const gates = gatesOf(gateFolder);
  // A short wait, because an accepted sync send waits for a settlement that cannot be written.
  const env = { GATES: gateFolder, LEASE_SECONDS: '1', SYNC_SECONDS: '1', LOG_LEVEL: 'silent' };
  const start = () => startService({ folder: disk.folder, env, main: PROOF_MAIN });
  const url = folderEnv(disk.folder).DATABASE_URL as string;
  // Reserves space that can be freed after the messages have used up the rest.
  disk.fill(6);
  await using service = await start();
  const { api, newNamespace, newMailbox, newPaused, send, read, tryOut, change, all } = connect(service.url);
  const home = await newNamespace();
  const { address: hello } = await newMailbox(home);
  const { address: from } = await newMailbox(home);
  const { address: slow } = await newMailbox(home, { behavior: { name: 'gated' } });
  const { address: paused } = await newPaused(home);

  const promised: Envelope[] = [];
  /** Whether the message was accepted; any answer other than success or a proper refusal fails the test. */
  const taken = (answer: Answer<Envelope>): boolean => {
    if (answer.status === 503) isProblem(answer, 'unavailable');
    else assert.ok([200, 202].includes(answer.status), `${answer.status} ${answer.text.slice(0, 300)}`);
    if (answer.status === 503) return false;
    promised.push(answer.body);
    return true;
  };
  const rejected: { readonly fields: { to: string; body: string; sync: boolean }; readonly key: string }[] = [];
  const sends: Readonly<Record<string, (size: number) => Promise<Answer<Envelope>>>> = {
    sync: (size) => send(home.key, { to: hello, body: unique('x'.repeat(size)), sync: true }),
    async: (size) => send(home.key, { to: hello, body: unique('x'.repeat(size)) }),
    'as a mailbox': (size) => send(home.key, { to: hello, body: unique('x'.repeat(size)), sync: true, from }),
    held: (size) => send(home.key, { to: paused, body: unique('x'.repeat(size)) }),
    'sync and slow': (size) =>
      send(home.key, { to: slow, body: unique('x'.repeat(Math.min(size, 50))), sync: true, data: { ms: 150 } }),
    'by a guest': (size) => tryOut({ to: hello, body: unique('x'.repeat(Math.min(size, 5_000))) }),
    once: async (size) => {
      const fields = { to: hello, body: unique('x'.repeat(size)), sync: true };
      const key = unique('once-');
      const answer = await send(home.key, fields, { 'idempotency-key': key });
      if (answer.status === 503) rejected.push({ fields, key });
      return answer;
    },
  };
  const kinds = Object.values(sends);
  /** Sends until nothing more fits: a large message that failed may leave space for a smaller one. */
  const useUp = async (): Promise<void> => {
    for (let refused = 0; refused < 5; ) {
      const answers = await Promise.all(kinds.map((one) => one(refused === 0 ? 2_000 : 10)));
      refused = answers.map(taken).includes(true) ? 0 : refused + 1;
    }
    await until(
      SOON_MS,
      () => api('GET', '//readyz'),
      ({ status }) => status === 503,
    );
  };
  const held = await send(home.key, { to: slow, body: 'while it fills' });
  await gates.began('while it fills');
  promised.push(held.body);

  await t.test('full of messages, or of anything else, it refuses with 503 and Retry-After', async () => {
    let sizes = 0;
    while (taken(await (kinds[sizes % kinds.length] as (size: number) => Promise<Answer<Envelope>>)(200_000))) sizes++;
    assert.ok(sizes > 20, `it was full after ${sizes}`);
    disk.fill();
    await useUp();
    for (const [kind, one] of Object.entries(sends)) {
      for (const answer of await Promise.all(Array.from({ length: amount(6, 20) }, () => one(10)))) {
        assert.equal(answer.status, 503, `${kind}: ${answer.text.slice(0, 300)}`);
        isProblem(answer, 'unavailable');
      }
    }
    const cancel = await api('POST', `/mail/messages/${held.body.id}/cancel`, { key: home.key });
    isProblem(cancel, 'unavailable');
    isProblem(await api('POST', '/namespaces', { body: { name: unique() } }), 'unavailable');
  });

  await t.test('while it is full, everything can be read', async () => {
    assert.equal((await api('GET', '//livez')).status, 200);
    isProblem(await api('GET', '//readyz'), 'unavailable');
    const metrics = await api('GET', '//metrics');
    assert.equal(metrics.status, 200);
    assert.match(metrics.text, /^mailroom_queue_depth \d/m);
    for (const { id, thread_id } of promised) {
      assert.equal((await read(home.key, id)).status, 200);
      assert.equal((await api('GET', `/mail/threads/${thread_id}`, { key: home.key })).status, 200);
    }
    assert.ok((await all(`/mailboxes/${hello}/messages`, home.key)).length > 0);
    assert.equal((await api('GET', `/mailboxes/${paused}`)).status, 200);
  });

  await t.test('what was being handled when it filled up is not lost with its settlement', async () => {
    gates.open('while it fills');
    await gates.sees((noted) => noted.body === 'while it fills' && noted.step === 'ended');
    assert.notEqual((await read(home.key, held.body.id)).body.status, 'completed');
  });

  await t.test('within seconds after there is room, it takes and settles messages, without a restart', async () => {
    disk.clear();
    for (const one of Object.values(sends)) {
      await until(
        SOON_MS,
        async () => taken(await one(10)),
        (was) => was,
      );
    }
    assert.equal((await api('GET', '//readyz')).status, 200);
    await change(home.key, paused, { status: 'online' });
    for (const { fields, key } of rejected) {
      const again = await send(home.key, fields, { 'idempotency-key': key });
      assert.equal(again.status, 200, again.text);
      promised.push(again.body);
    }
    for (const { id } of promised) {
      const { status, body, text } = await read(home.key, id, '?wait=20');
      assert.deepEqual([status, body?.status], [200, 'completed'], text.slice(0, 300));
    }
  });

  await t.test('a stop on a full disk ends cleanly, and the next start has every message', async () => {
    disk.fill();
    await useUp();
    assert.deepEqual(await service.stop(), { code: 0, signal: null }, service.logs());
    assert.deepEqual(await sqlite.errors(url), []);
    disk.clear();
    await using second = await start();
    const there = connect(second.url);
    const sent = await there.all<Envelope>('/mail/messages?limit=200', home.key);
    const ids = new Set(sent.map(({ id }) => id));
    for (const { id, sender } of promised) assert.ok(ids.has(id) || sender.kind === 'guest', id);
    assert.equal(new Set(sent.map(({ body }) => body)).size, sent.length, 'none is there twice');
    for (const { id } of promised) {
      assert.equal((await there.read(home.key, id, '?wait=20')).body.status, 'completed');
    }
  });
  assert.deepEqual(await sqlite.errors(url), []);
});

test('a first start on a full disk ends with 1 and one line that names the place and says that it is full', {
  skip,
}, async () => {
  // A disk of its own: the messages of the test before fill the other one.
  using disk = smallDisk(16) as SmallDisk;
  disk.fill();
  const folder = join(disk.folder, 'new');
  const env = { ...folderEnv(folder), LOG_LEVEL: 'silent' };
  const full = run('npm', ['start', '--silent'], { env });
  assert.deepEqual(await full.exited, { code: 1, signal: null }, full.stdout());
  const lines = `${full.stdout()}${full.stderr()}`.split('\n').filter((line) => line.trim() !== '');
  assert.equal(lines.length, 1, lines.join('\n'));
  assert.match(lines[0] ?? '', /full|no space/i);
  assert.ok(lines[0]?.includes(folder), `it names ${folder}: ${lines[0]}`);
  disk.clear();
  const room = await startInside({ env: folderEnv(folder) });
  assert.equal((await room.client.api('GET', '//readyz')).status, 200, 'with room it starts');
  await room.stop();
});
