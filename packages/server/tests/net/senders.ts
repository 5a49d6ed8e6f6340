// A thread of clients that each send as much at once as their connection takes, so that its reader has it all waiting.
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { parentPort, workerData } from 'node:worker_threads';

const { port, secure, senders, bytes } = workerData as Record<'port' | 'senders' | 'bytes', number> & {
  readonly secure: boolean;
};
const chunk = Buffer.alloc(bytes, 'x');
let ready = 0;
for (let nth = 0; nth < senders; nth++) {
  const to = { port, host: '127.0.0.1', rejectUnauthorized: false };
  const onReady = (): void => {
    socket.write(chunk);
    if (++ready === senders) parentPort?.postMessage('sent');
  };
  const socket: Socket = secure ? connectTls(to, onReady) : connect(to, onReady);
  socket.on('error', () => {});
}
