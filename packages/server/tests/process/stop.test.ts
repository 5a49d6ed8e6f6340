import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as dial } from 'node:net';
import { after, test } from 'node:test';
import { MINUTE } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { connect } from '../../../../tests/harness/client.ts';
import { everyDatabase, sqlite } from '../../../../tests/harness/database.ts';
import { gatesOf } from '../../../../tests/harness/gated.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { newFolder, PROOF_MAIN, removeFolder, startService } from '../../../../tests/harness/service.ts';
import { assertSoon } from '../../../../tests/harness/soon.ts';
import { LONG } from '../../../../tests/soak/length.ts';
import type { Keys } from '../../core/ports/keys.ts';
import { replaced } from './proof/wrap.ts';
import { stop } from './stop.ts';

for (const database of LONG ? await everyDatabase() : [sqlite]) {
  test(`told to stop under load, it gives a whole answer to all that was sent before, on ${database.name}`, async (t) => {
    const { ms, max_ms, statuses, accepted, unsettled, broken } = await stop(database);
    t.diagnostic(`${JSON.stringify(statuses)}, ${unsettled} of ${accepted} unsettled, ended in ${Math.round(ms)} ms`);
    assert.deepEqual(broken, []);
    assert.ok(accepted > 50, `too little was accepted: ${accepted}`);
    assert.ok(unsettled > 10, `too little was left to do: ${unsettled}`);
    await assertSoon(ms, max_ms + 5_000, 'the stop');
  });
}

test('a stop is over in STOP_SECONDS, though an exchange ends late in them and other work goes on', async () => {
  const folder = newFolder();
  after(() => removeFolder(folder));
  const gates = gatesOf(folder);
  const env = { GATES: folder, STOP_SECONDS: '3' };
  const service = await startService({ folder, env, main: PROOF_MAIN });
  const { newNamespace, newMailbox, send } = connect(service.url);
  const home = await newNamespace();
  const { address: to } = await newMailbox(home, { behavior: { name: 'gated' } });
  await send(home.key, { to, body: 'goes on' });
  const late = send(home.key, { to, body: 'ends late', sync: true, data: { ms: 2_000 } });
  await Promise.all(['goes on', 'ends late'].map((body) => gates.began(body)));
  const began = performance.now();
  const stopping = service.stop();
  assert.equal((await late).status, 200);
  assert.deepEqual(await stopping, { code: 0, signal: null });
  const ms = performance.now() - began;
  await assertSoon(ms, 4_500, 'the stop');
});

test('a stop that cannot write down when keys were used is a clean one', async () => {
  let written = false;
  const { client, pass, stop } = await startInside({
    wrap: (store) => {
      const used: Keys['used'] = async (uses) => {
        // The first use is written before the answer; later uses fail.
        if (written) throw new AppError('unavailable', 'The disk is full.');
        written = true;
        await store.keys.used(uses);
      };
      return replaced(store, { keys: replaced(store.keys, { used }) });
    },
  });
  const { key } = await client.newNamespace();
  for (let i = 0; i < 2; i++) {
    assert.equal((await client.api('GET', '/me', { key })).status, 200);
    pass(MINUTE);
  }
  await stop();
  await assert.rejects(client.api('GET', '//livez'), 'it is gone');
});

test('a request that never arrives whole does not keep the service from stopping', async () => {
  const { url, client, stop } = await startInside({ env: { STOP_SECONDS: '1' } });
  const socket = dial({ port: Number(new URL(url).port), host: '127.0.0.1' });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write('POST /api/v1/namespaces HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n');
  socket.write('Content-Type: application/json\r\n\r\n{');
  assert.equal((await client.api('GET', '//livez')).status, 200);
  await stop();
  socket.destroy();
});
