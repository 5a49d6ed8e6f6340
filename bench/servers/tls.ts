// What stands before services and speaks TLS for them. Arguments: the files of a certificate and its key, then for each
// service ADDRESS=PORT: where it is reached at port 443, and where it listens.
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { createServer } from 'node:tls';

const [cert = '', key = '', ...services] = process.argv.slice(2);
const tls = { cert: readFileSync(cert), key: readFileSync(key) };
for (const service of services) {
  const [address = '', port = ''] = service.split('=');
  const server = createServer(tls, (socket) => {
    const upstream = connect({ host: '127.0.0.1', port: Number(port), noDelay: true });
    socket.setNoDelay(true);
    socket.pipe(upstream).pipe(socket);
    socket.on('error', () => upstream.destroy());
    upstream.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(443, address, resolve));
}
process.stdout.write('https://127.0.0.1:443\n');
