import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { startService } from '../harness/service.ts';

test('a request that never arrives whole does not keep the service from stopping', async () => {
  await using service = await startService({ env: { STOP_SECONDS: '1' } });
  const socket = connect({ port: service.port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write('POST /api/v1/namespaces HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n');
  socket.write('Content-Type: application/json\r\n\r\n{');
  assert.equal((await fetch(`${service.url}/livez`)).status, 200);
  const { code, signal } = await service.stop();
  socket.destroy();
  assert.deepEqual({ code, signal }, { code: 0, signal: null });
});
