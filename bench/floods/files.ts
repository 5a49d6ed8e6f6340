import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { BY_HAND, type Flood, withFile } from '../harness/flood-client.ts';
import { HELLO } from '../harness/service.ts';

const MIB = 1024 * 1024;
const LARGE = randomBytes(10 * MIB);

const small: Flood = {
  name: 'many small files',
  async begin(attacker) {
    const home = await attacker.homes();
    const content = randomBytes(600).toString('base64');
    return () =>
      attacker.loop(16, (network, at) => {
        const { key } = home(network);
        const to = HELLO;
        if (at % 2 === 0) {
          const { body, headers } = withFile({ to, body: 'x' }, randomBytes(1_000));
          return attacker.api(network, '/mail/send', { key, body, headers });
        }
        const attachments = Array.from({ length: 20 }, (_, file) => ({
          filename: `${attacker.unique()}-${file}.txt`,
          content_type: 'text/plain',
          content,
        }));
        return attacker.api(network, '/mail/send', { key, body: { to, body: 'x', attachments } });
      });
  },
};

const large: Flood = {
  name: 'files of 10 MiB',
  async begin(attacker) {
    const home = await attacker.homes();
    return () =>
      attacker.loop(4, (network) => {
        const file = Buffer.from(LARGE);
        file.writeUInt32BE(Math.floor(Math.random() * 2 ** 32));
        const { body, headers } = withFile({ to: HELLO, body: 'x' }, file);
        return attacker.api(network, '/mail/send', { key: home(network).key, body, headers });
      });
  },
};

const slow: Flood = {
  name: 'half files, and files of a byte a second',
  async begin(attacker) {
    const home = await attacker.homes();
    return () =>
      attacker.loop(60, async (network, at) => {
        const socket = await attacker.dial(network);
        if (socket === undefined) return;
        const { body, headers } = withFile({ to: HELLO, body: 'x' }, LARGE.subarray(0, 2 * MIB));
        socket.once('data', (got) => attacker.count(String(got).slice(9, 12)));
        socket.write(
          `POST /api/v1/mail/send HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${home(network).key}\r\n` +
            `Content-Type: ${headers['content-type']}\r\nContent-Length: ${body.length}\r\n\r\n`,
        );
        socket.write(body.subarray(0, at % 2 === 0 ? MIB : 400));
        attacker.count('opened');
        for (let sent = 0; !attacker.over && !socket.destroyed; sent++) {
          socket.write(body.subarray(sent, sent + 1));
          await sleep(1_000);
        }
      });
  },
};

const downloads: Flood = {
  name: 'downloads, whole, in parts and unread',
  async begin(attacker) {
    const home = await attacker.homes(BY_HAND);
    const ids = new Map<string, string>();
    for (const network of attacker.networks) {
      const { key, address: to } = home(network);
      const { body, headers } = withFile({ to, body: 'x' }, LARGE.subarray(0, 9 * MIB));
      const sent = await attacker.api(network, '/mail/send', { key, body, headers });
      if (sent.status !== 202) throw new Error(`no file: ${sent.status} ${sent.text}`);
      ids.set(network, sent.json().attachments[0].id);
    }
    return () =>
      attacker.loop(8, async (network, at) => {
        const { key } = home(network);
        const path = `/mail/attachments/${ids.get(network)}`;
        if (at % 3 === 0) return attacker.api(network, path, { key });
        const range = { range: `bytes=${(at * 997) % MIB}-` };
        if (at % 3 === 1) return attacker.api(network, path, { key, headers: range });
        const socket = await attacker.dial(network);
        socket?.pause();
        socket?.write(
          `GET /api/v1${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`.repeat(5),
        );
        attacker.count('opened');
        return sleep(200);
      });
  },
};

export const FILES: readonly Flood[] = [small, large, slow, downloads];
