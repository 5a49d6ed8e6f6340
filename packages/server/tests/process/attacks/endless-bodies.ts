import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as dial } from 'node:net';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { assertHeld } from '../../../../../tests/harness/attack.ts';
import { connect } from '../../../../../tests/harness/client.ts';
import { amount } from '../../../../../tests/soak/length.ts';
import { attack } from './shared.ts';

const MIB = 1024 * 1024;
const NETWORKS = 5;
const OF_EACH = amount(30, 50);
/** Memory of the process itself plus the bodies that the limit admits. */
const MAX_MIB = 390;

/** Sends a body of 2 MiB except its end. */
async function halfSent(port: number, key: string, localAddress: string): Promise<() => void> {
  const socket = dial({ port, host: '127.0.0.1', localAddress });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(
    `POST /api/v1/mail/send HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${2 * MIB}\r\n\r\n`,
  );
  socket.write(BODY);
  return () => socket.destroy();
}

const BODY = Buffer.alloc(2 * MIB - 100, ' ');

test('bodies that never end, of several networks, hold little memory and keep nobody waiting', async () => {
  const report = await attack(async ({ port, url }) => {
    const { newNamespace } = connect(url);
    // A key may send a burst of 100.
    const homes = await Promise.all([1, 2, 3].map(() => newNamespace()));
    const all: (() => void)[] = [];
    for (let network = 0; network < NETWORKS; network++) {
      const address = `127.0.0.${20 + network}`;
      const key = homes[network % homes.length]?.key ?? '';
      all.push(...(await Promise.all(Array.from({ length: OF_EACH }, () => halfSent(port, key, address)))));
    }
    await pause(2_000);
    for (const end of all) end();
  });
  assertHeld(report);
  assert.ok(report.peak_mib < MAX_MIB, `It took ${report.peak_mib} MiB.`);
});
