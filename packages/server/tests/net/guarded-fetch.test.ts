import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createPlain, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { assertSoon } from '../../../../tests/harness/soon.ts';
import { lookUp, nameResolver, type Resolver } from '../../net/guarded-connect.ts';
import { FetchFailed, FetchRefused, type GuardedFetchOptions, makeGuardedFetch } from '../../net/guarded-fetch.ts';
import { isPublicAddress } from '../../net/public-address.ts';
import { LOOPBACK, PRIVATE, PUBLIC } from './private-spellings.ts';

// Own process: it looks at the memory and the pending look-ups of this one.

const signal = new AbortController().signal;
/** Every name that ends in .test is a server of this test. */
const trusting: Resolver = async (hostname) =>
  hostname.endsWith('.test') ? [{ address: '127.0.0.1', family: 4, trusted: true }] : [];

const fetching = (options: Partial<GuardedFetchOptions> = {}) => {
  const guarded = makeGuardedFetch({
    resolve: trusting,
    ms: 5_000,
    bytes: 10_000,
    redirects: 5,
    user_agent: 'Mailroom (+https://mail.example)',
    ...options,
  });
  return (url: string, more: { accept?: string; signal?: AbortSignal } = {}) =>
    guarded(url, { accept: '*/*', signal, ...more });
};

async function serve(handle: RequestListener) {
  let connections = 0;
  const server = createServer(handle);
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '::', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    at: (path: string, host = 'site.test') => `http://${host}:${port}${path}`,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const hello: RequestListener = (_request, response) => void response.end('hello');

test('no spelling of a private address is connected to', async () => {
  assert.ok(LOOPBACK.length + PRIVATE.length >= 60);
  await using server = await serve(hello);
  const get = fetching();
  for (const host of [...LOOPBACK, ...PRIVATE]) {
    for (const url of [`http://${host}:${server.port}/`, `https://${host}:${server.port}/`]) {
      await assert.rejects(get(url), FetchRefused, url);
    }
  }
  assert.equal(server.connections(), 0);
  // Shows that the check can fail: the same server answers where it is trusted.
  assert.equal((await get(server.at('/'))).text, 'hello');
  assert.equal(server.connections(), 1);
});

test('nor with tricks around the address', async () => {
  await using server = await serve(hello);
  const get = fetching();
  const { port } = server;
  for (const url of [
    `http:/\\127.0.0.1:${port}/`,
    `http:127.0.0.1:${port}/`,
    `http:////127.0.0.1:${port}/`,
    `HTTP://127.0.0.1:${port}/`,
    `\thttp://127.0.0.1:${port}/\n`,
    `http://12\n7.0.0.1:${port}/`,
    `http://site.test@127.0.0.1:${port}/`,
    `http://site.test:80@127.0.0.1:${port}/`,
    `http://user:secret@site.test:${port}/`,
    `http://@127.0.0.1:${port}/`,
    `http://127.0.0.1:${port}\\@site.test/`,
    `http://127.0.0.1:${port}#@site.test/`,
    `http://127.0.0.1:${port}?@site.test/`,
    `file:///etc/passwd`,
    `ftp://site.test/`,
    `gopher://site.test:${port}/`,
    `ws://site.test:${port}/`,
    `data:text/plain,hello`,
    `blob:http://site.test/1`,
    `javascript:1`,
    `//site.test:${port}/`,
    `site.test`,
    '',
    `http://`,
    `http://site.test:99999/`,
    `http://site.test:25/`,
    `http://site.test:22/`,
    `http://site.test:6667/`,
    `http://site.test/${'a'.repeat(5_000)}`,
  ]) {
    await assert.rejects(get(url), FetchRefused, url);
  }
  assert.equal(server.connections(), 0);
});

test('names that mean private addresses are refused by the default resolver too, and say nothing of them', async () => {
  await using server = await serve(hello);
  const get = makeGuardedFetch({ ms: 3_000, bytes: 100, redirects: 0, user_agent: 'test' });
  for (const host of ['localhost', 'LOCALHOST', 'localhost.', 'loc%61lhost', 'ｌｏｃａｌｈｏｓｔ']) {
    const url = `http://${host}:${server.port}/`;
    await assert.rejects(get(url, { accept: '*/*', signal }), (error: Error) => {
      // Not every system knows the name with its final dot.
      assert.ok(error instanceof FetchRefused || (host.endsWith('.') && error instanceof FetchFailed), String(error));
      assert.doesNotMatch(error.message, /127\.|::1/);
      return true;
    });
  }
  assert.equal(server.connections(), 0);
});

test('a name is private when one of its addresses is, in whatever notation the resolver has it', async () => {
  await using server = await serve(hello);
  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', 'fe80::1%lo', '10.0.0.1', '0.0.0.0', '', 'nonsense']) {
    const get = fetching({
      resolve: async () => [
        { address: '8.8.8.8', family: 4 },
        { address, family: 4 },
      ],
    });
    await assert.rejects(get(server.at('/', 'mixed.example')), FetchRefused, address);
  }
  assert.equal(server.connections(), 0);
});

test('a literal is never trusted, whatever a resolver would say', async () => {
  await using server = await serve(hello);
  const get = fetching({ resolve: async () => [{ address: '127.0.0.1', family: 4, trusted: true }] });
  await assert.rejects(get(server.at('/', '127.0.0.1')), FetchRefused);
  await assert.rejects(get(server.at('/', '[::1]')), FetchRefused);
  assert.equal(server.connections(), 0);
});

test('a name that is bound to another address a moment later gains nothing: it is looked up once a hop', async () => {
  await using server = await serve(hello);
  let count = 0;
  const get = fetching({
    ms: 1_000,
    resolve: async () =>
      ++count === 1 ? [{ address: '192.0.0.8', family: 4, trusted: true }] : [{ address: '127.0.0.1', family: 4 }],
  });
  // The first address is connected to, and does not answer here; the second is never used.
  await assert.rejects(get(server.at('/', 'rebind.example')), FetchFailed);
  assert.equal(count, 1);
  assert.equal(server.connections(), 0);
  let turn = 0;
  const hop = fetching({
    resolve: async () =>
      ++turn === 1 ? [{ address: '127.0.0.1', family: 4, trusted: true }] : [{ address: '127.0.0.1', family: 4 }],
  });
  await using redirecting = await serve((_, response) => void response.writeHead(302, { location: '/again' }).end());
  await assert.rejects(hop(redirecting.at('/', 'rebind.example')), FetchRefused);
  assert.equal(redirecting.connections(), 1);
});

test('addresses of the internet are public, and these are not', () => {
  for (const address of PUBLIC) assert.ok(isPublicAddress(address), address);
  for (const address of ['', 'x', '127.1', '1.2.3', '1.2.3.4.5', '0x1.1.1.1', '::g', '8.8.8.8/8']) {
    assert.equal(isPublicAddress(address), false, address);
  }
});

test('redirects are followed one by one, each checked, up to five', async () => {
  const paths: string[] = [];
  await using inside = await serve(hello);
  await using server = await serve((request, response) => {
    const url = request.url ?? '';
    paths.push(url);
    const n = Number(/\/hop\/(\d+)/.exec(url)?.[1] ?? 0);
    const location =
      url === '/inside'
        ? `http://127.0.0.1:${inside.port}/`
        : url === '/short'
          ? `http://2130706433:${inside.port}/`
          : url === '/file'
            ? 'file:///etc/passwd'
            : url === '/user'
              ? `http://a:b@site.test:${inside.port}/`
              : url === '/loop'
                ? '/loop'
                : url === '/bad'
                  ? 'http://['
                  : url === '/port'
                    ? 'http://site.test:25/'
                    : n > 0
                      ? `/hop/${n - 1}#part`
                      : undefined;
    if (location === undefined) response.end(`at ${url}`);
    else response.writeHead(302 + (paths.length % 2) * 5, { location }).end('a body that is not read');
  });
  const get = fetching();
  const found = await get(server.at('/hop/5'));
  assert.equal(found.text, 'at /hop/0');
  assert.equal(found.url, server.at('/hop/0'));
  await assert.rejects(get(server.at('/hop/6')), /redirects more than 5 times/);
  await assert.rejects(get(server.at('/loop')), FetchFailed);
  for (const path of ['/inside', '/short', '/file', '/user', '/port']) {
    await assert.rejects(get(server.at(path)), (error: Error) => {
      assert.ok(error instanceof FetchRefused, `${path}: ${error}`);
      assert.doesNotMatch(error.message, /127\.0|passwd/);
      return true;
    });
  }
  await assert.rejects(get(server.at('/bad')), FetchFailed);
  assert.equal(inside.connections(), 0);
});

test('an endless body is cut and its connection ended', async () => {
  let ended = false;
  await using server = await serve((request, response) => {
    request.socket.once('close', () => {
      ended = true;
    });
    const more = (): void => {
      while (!response.destroyed && response.write('x'.repeat(1_000)));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  });
  const found = await fetching()(server.at('/'));
  assert.equal(found.cut, true);
  assert.equal(found.text.length, 10_000);
  await sleep(100);
  assert.ok(ended);
});

test('a body that drips, headers that never come and a name without an answer end at the deadline', async () => {
  await using server = await serve((request, response) => {
    if (request.url === '/silent') return;
    const drip = setInterval(() => response.write('.'), 20);
    response.once('close', () => clearInterval(drip));
  });
  const get = fetching({ ms: 300 });
  const never = fetching({ ms: 300, resolve: () => new Promise(() => {}) });
  for (const fetched of [
    () => get(server.at('/')),
    () => get(server.at('/silent')),
    () => never('http://name.test/'),
  ]) {
    const from = performance.now();
    await assert.rejects(fetched(), /did not answer within 1 s/);
    await assertSoon(performance.now() - from, 1_500, 'giving up');
  }
});

test('a bomb is not inflated beyond what may be read', async () => {
  const zeros = Buffer.alloc(100 << 20);
  const bombs: Record<string, Buffer> = {
    '/gzip': gzipSync(zeros),
    '/br': brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  };
  await using server = await serve((request, response) => {
    response.setHeader('content-encoding', (request.url ?? '').slice(1));
    response.end(bombs[request.url ?? '']);
  });
  for (const path of Object.keys(bombs)) {
    const memoryBefore = process.memoryUsage.rss();
    const found = await fetching()(server.at(path));
    assert.equal(found.cut, true);
    assert.equal(found.text.length, 10_000);
    assert.ok(process.memoryUsage.rss() - memoryBefore < 60 << 20);
  }
});

test('codings, charsets, NUL and cut characters are read as text', async () => {
  const answers: Record<string, (response: ServerResponse, request: IncomingMessage) => void> = {
    '/gzip': (r) => void r.setHeader('content-encoding', 'gzip').end(gzipSync('zipped')),
    '/half': (r) => void r.setHeader('content-encoding', 'gzip').end(gzipSync('a '.repeat(3)).subarray(0, -8)),
    '/latin': (r) =>
      void r.setHeader('content-type', 'text/plain; charset="ISO-8859-1"').end(Buffer.from('é', 'latin1')),
    '/meta': (r) =>
      void r.setHeader('content-type', 'text/html').end(Buffer.from('<meta charset=windows-1252>\x80', 'latin1')),
    '/bom': (r) => void r.end(Buffer.from('\ufeffutf16', 'utf16le')),
    '/odd': (r) => void r.setHeader('content-type', 'nonsense; charset=klingon').end('text\0with nul'),
    '/wide': (r) => void r.end('€'.repeat(4_000)),
    '/status': (r) => void r.writeHead(404, { 'content-type': 'Text/HTML; x=y' }).end('none'),
    '/empty': (r) => void r.writeHead(204).end(),
  };
  await using server = await serve((request, response) => answers[request.url ?? '']?.(response, request));
  const get = fetching();
  assert.equal((await get(server.at('/gzip'))).text, 'zipped');
  assert.equal((await get(server.at('/half'))).text, 'a a a ');
  assert.equal((await get(server.at('/latin'))).text, 'é');
  assert.equal((await get(server.at('/meta'))).text.at(-1), '€');
  assert.equal((await get(server.at('/bom'))).text, 'utf16');
  const odd = await get(server.at('/odd'));
  assert.deepEqual([odd.text, odd.media_type], ['text\ufffdwith nul', '']);
  assert.equal((await get(server.at('/wide'))).text, '€'.repeat(3_333));
  const status = await get(server.at('/status'));
  assert.deepEqual([status.status, status.media_type], [404, 'text/html']);
  assert.equal((await get(server.at('/empty'))).text, '');
});

test('it asks as itself, with nothing of anybody else', async () => {
  let incoming: IncomingMessage | undefined;
  await using server = await serve((request, response) => {
    incoming = request;
    response.setHeader('set-cookie', 'a=b').end('ok');
  });
  const get = fetching();
  await get(server.at('/a?b=c#d'), { accept: 'text/html' });
  await get(server.at('/a?b=c#d'), { accept: 'text/html' });
  assert.equal(incoming?.method, 'GET');
  assert.equal(incoming.url, '/a?b=c');
  assert.deepEqual(Object.keys(incoming.headers).sort(), [
    'accept',
    'accept-encoding',
    'connection',
    'host',
    'user-agent',
  ]);
  assert.equal(incoming.headers['user-agent'], 'Mailroom (+https://mail.example)');
  assert.equal(incoming.headers.host, `site.test:${server.port}`);
});

test('what is no web server is a failure with a sentence, and no address in it', async () => {
  const answer =
    (what: string): ((socket: Socket) => void) =>
    (socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(what));
    };
  const answers = [
    'SSH-2.0-OpenSSH\r\n',
    '',
    `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(20_000)}\r\n`,
    'HTTP/1.1 200 OK\r\ncontent-encoding: zstd\r\ncontent-length: 1\r\n\r\nx',
  ];
  for (const text of answers) {
    const server = createPlain(answer(text));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    for (const scheme of ['http', 'https']) {
      await assert.rejects(fetching()(`${scheme}://site.test:${port}/`), (error: Error) => {
        assert.ok(error instanceof FetchFailed, String(error));
        assert.match(error.message, /site\.test.*\.$/);
        assert.doesNotMatch(error.message, /127\.0\.0\.1/);
        return true;
      });
    }
    server.close();
  }
  await assert.rejects(fetching()('http://site.test:1024/'), /refuses the connection: nothing listens there/);
  await assert.rejects(fetching()('http://nowhere.example/'), /could not be found/);
});

test('an abort ends it with its own reason', async () => {
  await using server = await serve(() => undefined);
  const cancel = new AbortController();
  setTimeout(() => cancel.abort(new Error('enough')), 50);
  await assert.rejects(fetching()(server.at('/'), { signal: cancel.signal }), /enough/);
  await assert.rejects(fetching()(server.at('/'), { signal: AbortSignal.abort(new Error('before')) }), /before/);
});

test('a name whose servers do not answer takes no thread that other names need', async () => {
  const threads = () => process.getActiveResourcesInfo().filter((one) => one === 'GetAddrInfoReqWrap').length;
  const found = ['a', 'b', 'c'].map(async (name) => lookUp(`${name}.invalid`).catch(() => []));
  assert.equal(threads(), 0);
  await Promise.all(found);
});

test('names that were asked of a silent server do not keep others waiting', async () => {
  const silent = createSocket('udp4');
  const late: (() => void)[] = [];
  silent.on('message', (asked, { port, address }) => {
    // A response that no such name exists (RFC 1035, section 4.1.1).
    const answer = Buffer.concat([asked.subarray(0, 2), Buffer.from([0x81, 0x83]), asked.subarray(4)]);
    late.push(() => silent.send(answer, port, address));
  });
  silent.bind(0, '127.0.0.1');
  await once(silent, 'listening');
  let waiting = 0;
  const resolve = nameResolver([`127.0.0.1:${silent.address().port}`]);
  const all = Array.from({ length: 40 }, async (_, at) => {
    waiting += 1;
    assert.deepEqual(await resolve(`n${at}.example`), []);
    waiting -= 1;
  });
  while (late.length < 80) await once(silent, 'message');
  assert.deepEqual(await nameResolver(['127.0.0.1:1'])('closed.example'), []);
  assert.equal(waiting, 40);
  for (const answer of late) answer();
  await Promise.all(all);
  silent.close();
});
