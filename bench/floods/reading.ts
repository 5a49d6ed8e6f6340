import { setTimeout as sleep } from 'node:timers/promises';
import { type Attacker, BY_HAND, type Flood, type Home } from '../harness/flood-client.ts';
import { QUESTION } from '../harness/service.ts';

/** Almost all of it is found at every position of `aaa…`. */
const ALMOST = encodeURIComponent(`${'a'.repeat(100)}b${'a'.repeat(99)}`);

/** Fills the mailbox of each network with messages of this text. */
async function filled(attacker: Attacker, count: number, body: string): Promise<(network: string) => Home> {
  const home = await attacker.homes(BY_HAND);
  for (const network of attacker.networks) {
    const { key, address: to } = home(network);
    const sends = Array.from({ length: count }, () =>
      attacker.api(network, '/mail/send', { key, body: { to, body, subject: 'aaaa '.repeat(100) } }),
    );
    await Promise.all(sends);
  }
  return home;
}

const search: Flood = {
  name: 'searches for what is almost there',
  async begin(attacker) {
    const home = await filled(attacker, 60, 'a'.repeat(250_000));
    return () =>
      attacker.loop(16, (network, at) => {
        const { key, address } = home(network);
        const ways = [
          `/mailboxes/${address}/messages?query=${ALMOST}`,
          `/mail/messages?query=${ALMOST}`,
          `/mailboxes?query=${ALMOST}`,
          `/mailboxes/${address}/messages?query=${'a%20'.repeat(60)}zz`,
        ];
        return attacker.api(network, ways[at % ways.length] as string, { key });
      });
  },
};

const lists: Flood = {
  name: 'lists and exports',
  async begin(attacker) {
    const home = await filled(attacker, 90, 'b'.repeat(100_000));
    return () =>
      attacker.loop(8, (network, at) => {
        const { key, address, name } = home(network);
        const ways = [
          `/mailboxes/${address}/messages?limit=200`,
          '/mail/messages?limit=200',
          `/namespaces/${name}/export`,
          '/events?limit=200',
        ];
        return attacker.api(network, ways[at % ways.length] as string, { key });
      });
  },
};

const streams: Flood = {
  name: 'streams and waits that are left open',
  async begin(attacker) {
    const home = await filled(attacker, 2, QUESTION);
    const ids = new Map<string, string>();
    for (const network of attacker.networks) {
      const { key } = home(network);
      ids.set(network, (await attacker.api(network, '/mail/messages', { key })).json().items[0].id);
    }
    const stream = { accept: 'text/event-stream' };
    return () =>
      attacker.loop(100, async (network, at) => {
        const { key, address } = home(network);
        const socket = await attacker.dial(network);
        if (socket === undefined) return sleep(100);
        const ways: readonly (readonly [string, object])[] = [
          ['GET /api/v1/events', stream],
          [`GET /api/v1/mail/messages/${ids.get(network)}`, stream],
          [`GET /api/v1/mail/messages/${ids.get(network)}?wait=60`, {}],
          [`POST /api/v1/mailboxes/${address}/claim`, {}],
        ];
        const [line, headers] = ways[at % ways.length] as (typeof ways)[number];
        const lines = Object.entries({ host: 'localhost', authorization: `Bearer ${key}`, ...headers });
        const body = line.startsWith('POST') ? '{"wait":60}' : '';
        socket.write(
          `${line} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}` +
            `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        );
        socket.once('data', (got) => attacker.count(String(got).slice(9, 12)));
        // A message that streams tell of, now and then.
        if (at % 50 === 0) await attacker.api(network, '/mail/send', { key, body: { to: address, body: QUESTION } });
        await sleep(at % 10 === 0 ? 300 : 2_000);
        if (at % 3 === 0) socket.destroy();
      });
  },
};

const connections: Flood = {
  name: 'connections: idle, slow, pipelined, malformed',
  begin: async (attacker) => () =>
    attacker.loop(100, async (network, at) => {
      const socket = await attacker.dial(network);
      if (socket === undefined) {
        attacker.count('refused');
        return sleep(20);
      }
      socket.once('data', (got) => attacker.count(String(got).slice(9, 12)));
      const ways = [
        '',
        'GET / HTTP/1.1\r\nHost: localhost\r\nX: ',
        'GET /docs/api/messages HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(100),
        'GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(2_000),
        `POST /api/v1/mail/try HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\na\r\n'.repeat(5_000)}`,
        `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n\r\n`,
        '\x16\x03\x01\x02\x00\x01garbage\r\n\r\n',
      ];
      socket.write(ways[at % ways.length] as string);
      await sleep(1_000);
      socket.destroy();
    }),
};

export const READING: readonly Flood[] = [search, lists, streams, connections];
