import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertHeld, attack } from '../../../../../tests/harness/attack.ts';
import { connect } from '../../../../../tests/harness/client.ts';
import { newFolder, removeFolder, startService } from '../../../../../tests/harness/service.ts';
import type { Envelope } from '../../../../../tests/harness/wire.ts';
import { amount, LONG_ONLY } from '../../../../../tests/soak/length.ts';

const NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --import=${new URL('./stuck-reading.ts', import.meta.url)}`;
const env = { NODE_OPTIONS };
/** Each takes its thread for three seconds of processor time. */
const STUCK_MESSAGES = amount(1, 2);
const TOO_LONG = /took too long and was stopped/;
const STUCK = 'get stuck';

test('messages that take for ever to read fail, and those of others are done meanwhile', async () => {
  const report = await attack({ env }, async ({ url }) => {
    const { api, tryOut, newNamespace, newMailbox, send } = connect(url.replace('localhost', '127.0.0.1'));
    const home = await newNamespace();
    const { address: to } = await newMailbox(home, { behavior: { name: 'do' }, access: 'public', try_out: true });
    assert.equal((await send(home.key, { to, body: 'calculate 6*7', sync: true })).body.status, 'completed');
    let failed = 0;
    const stuck = Array.from({ length: STUCK_MESSAGES }, async () => {
      const tried = await tryOut({ to, body: STUCK }, { prefer: 'wait=1' });
      for (;;) {
        const { body } = await api<Envelope>('GET', `/mail/messages/${tried.body.id}?wait=10`, {
          key: tried.body.thread_token,
        });
        if (body.status === 'submitted' || body.status === 'working') continue;
        failed += 1;
        return body;
      }
    });
    for (let at = 0; at < 10; at++) {
      const sent = await send(home.key, { to, body: `calculate ${at}+1`, sync: true }, { prefer: 'wait=30' });
      assert.equal(sent.body.status, 'completed', sent.text);
    }
    assert.ok(failed < STUCK_MESSAGES, `${failed} had failed before`);
    for (const { status, error } of await Promise.all(stuck)) {
      assert.equal(status, 'failed');
      assert.match(error?.message ?? '', TOO_LONG);
    }
  });
  assertHeld(report);
});

test(
  'one that waits when the service is killed fails after the next start, and holds up nobody there',
  LONG_ONLY,
  async () => {
    const folder = newFolder();
    try {
      const first = await startService({ env, folder });
      const before = connect(first.url.replace('localhost', '127.0.0.1'));
      const home = await before.newNamespace();
      const { address: to } = await before.newMailbox(home, { behavior: { name: 'do' } });
      const { body: stuck } = await before.send(home.key, { to, body: STUCK });
      await first.kill();
      await using second = await startService({ env, folder });
      const { api, send } = connect(second.url.replace('localhost', '127.0.0.1'));
      const other = await send(home.key, { to, body: 'calculate 6*7', sync: true }, { prefer: 'wait=30' });
      assert.equal(other.body.status, 'completed', other.text);
      const { body } = await api<Envelope>('GET', `/mail/messages/${stuck.id}?wait=60`, { key: home.key });
      assert.equal(body.status, 'failed');
      assert.match(body.error?.message ?? '', TOO_LONG);
    } finally {
      removeFolder(folder);
    }
  },
);
