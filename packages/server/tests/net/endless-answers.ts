import { type AddressInfo, createServer } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

/** A server on a thread of its own whose answers begin with `text` and never end; it tells its port. */
const { text, more } = workerData as { readonly text: string; readonly more: string };
const server = createServer((socket) => {
  const send = (): void => {
    while (!socket.destroyed && socket.write(more));
  };
  socket.on('error', () => {}).on('drain', send);
  socket.once('data', () => {
    socket.write(text);
    send();
  });
});
server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port));
