import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { unique } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { mailText, sendMail } from '../../../../tests/harness/mail.ts';

// Pictures of mails, read from a server that is slow, large, redirecting and lying.
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const JPEG = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(100, 1)]);
const GIF = Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(100, 2)]);
const WEBP = Buffer.concat([Buffer.from('RIFF\x10\0\0\0WEBP'), Buffer.alloc(100, 3)]);
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>';
const LARGE = Buffer.concat([PNG, Buffer.alloc(3 * 1024 * 1024)]);
const BOMB = gzipSync(Buffer.concat([PNG, Buffer.alloc(64 * 1024 * 1024)]));

type Handler = (request: IncomingMessage, response: ServerResponse) => void;
const gives =
  (bytes: Buffer | string, type: string, status = 200, more: Record<string, string> = {}): Handler =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': type, ...more }).end(bytes);
  };
const leads =
  (location: string): Handler =>
  (_request, response) => {
    response.writeHead(302, { location }).end();
  };
const PATHS: Readonly<Record<string, Handler>> = {
  '/a.png': gives(PNG, 'image/png'),
  '/a.jpg': gives(JPEG, 'image/jpeg'),
  '/a.gif': gives(GIF, 'image/gif'),
  '/a.webp': gives(WEBP, 'image/webp'),
  '/unnamed': gives(PNG, 'application/octet-stream'),
  '/a.svg': gives(SVG, 'image/svg+xml'),
  '/svg-as.png': gives(SVG, 'image/png'),
  '/page-as.png': gives('<html><script>alert(1)</script></html>', 'image/png'),
  '/mixed.png': gives(Buffer.concat([Buffer.from('<svg>'), PNG]), 'image/png'),
  '/missing.png': gives(PNG, 'image/png', 404),
  '/large.png': gives(LARGE, 'image/png'),
  '/bomb.png': gives(BOMB, 'image/png', 200, { 'content-encoding': 'gzip' }),
  '/moved.png': leads('/a.png'),
  '/round.png': leads('/round.png'),
  '/inwards.png': (_request, response) => leads(`http://127.0.0.1:${port()}/secret.png`)(_request, response),
  '/file.png': leads('file:///etc/passwd'),
  '/secret.png': gives(PNG, 'image/png'),
  '/never.png': () => {},
  '/drip.png': (_request, response) => {
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': '100000' });
    const drips = setInterval(() => response.write(PNG.subarray(0, 10)), 500);
    response.on('close', () => clearInterval(drips));
  },
  '/cut.png': (_request, response) => {
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': '100000' });
    response.write(PNG, () => response.destroy());
  },
};
const requests: { readonly url: string; readonly headers: IncomingMessage['headers'] }[] = [];
const server = createServer((request, response) => {
  const { url = '', headers } = request;
  requests.push({ url, headers });
  const handler = PATHS[new URL(url, 'http://x').pathname] ?? gives('', 'text/plain', 404);
  handler(request, response);
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const port = (): number => (server.address() as AddressInfo).port;
after(() => {
  server.closeAllConnections();
  server.close();
});

const inside = await startInside({
  env: { SMTP_LISTEN: '127.0.0.1:0' },
  resolve: async (hostname) => [{ address: '127.0.0.1', family: 4, trusted: hostname === 'pictures.test' }],
});
const home = await inside.client.newNamespace();
const { address } = await inside.client.newMailbox(home);
const urlOf = (path: string, host = 'pictures.test'): string => `http://${host}:${port()}${path}`;
const image = (url: string): string => `<img src="${url}" alt="[${url.replace(/^.*\//, '')}]" width="40">`;

async function received(html: string): Promise<string> {
  const text = mailText(
    { From: 'ada@example.com', To: address, 'Message-ID': `<${unique()}@example.com>`, 'Content-Type': 'text/html' },
    html,
  );
  const reply = await sendMail(inside.smtp?.port ?? 0, { from: 'ada@example.com', to: [address], text });
  return /\b(msg_[0-9a-z]{20})\b/.exec(reply)?.[1] ?? assert.fail(reply);
}
async function shown(id: string, query = '?images=1') {
  const answer = await fetch(`${inside.url}/api/v1/mail/messages/${id}/html${query}`, {
    headers: { authorization: `Bearer ${home.key}`, cookie: 'secret=1' },
  });
  assert.equal(answer.status, 200);
  const html = await answer.text();
  const types = [...html.matchAll(/<img[^>]*? src="data:(image\/[a-z]+);base64,/g)].map(([, type]) => type);
  return { html, types, policy: answer.headers.get('content-security-policy') ?? '' };
}
/** The paths that were asked for since. */
function askedFor(): string[] {
  return requests.splice(0).map(({ url }) => url);
}

test('pictures of the web are in the document where they are asked for, and no server is asked before', async () => {
  const id = await received(
    ['/a.png', '/a.jpg', '/a.gif', '/a.webp', '/unnamed', '/moved.png'].map((path) => image(urlOf(path))).join(''),
  );
  for (const query of ['', '?images=0']) {
    const { html, types } = await shown(id, query);
    assert.deepEqual(types, []);
    assert.doesNotMatch(html, /<img|pictures\.test/);
    assert.match(html, /\[a\.png\]/);
  }
  assert.deepEqual(askedFor(), []);
  const { html, types, policy } = await shown(id);
  assert.deepEqual(types, ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/png', 'image/png']);
  assert.ok(html.includes(PNG.toString('base64')));
  assert.doesNotMatch(html, /pictures\.test/);
  assert.match(policy, /default-src 'none'; img-src data:;/);
  for (const { headers } of requests)
    for (const name of ['cookie', 'referer', 'authorization', 'origin']) assert.equal(headers[name], undefined, name);
  askedFor();
});

test('no SVG, no page, nothing too large, broken or missing is shown, whatever its server says it is', async () => {
  const paths = ['/a.svg', '/svg-as.png', '/page-as.png', '/mixed.png', '/missing.png', '/large.png', '/bomb.png'];
  const id = await received([...paths, '/cut.png', '/round.png', '/a.png'].map((path) => image(urlOf(path))).join(''));
  const { html, types } = await shown(id);
  assert.deepEqual(types, ['image/png']);
  assert.doesNotMatch(html, /<svg|<script|alert\(|pictures\.test/i);
  askedFor();
});

test('no picture is read from an address that is not public, nor where a redirect leads to one', async () => {
  const urls = [
    urlOf('/secret.png', '127.0.0.1'),
    urlOf('/secret.png', 'inside.test'),
    urlOf('/secret.png', 'localhost'),
  ];
  const id = await received(
    [
      ...urls,
      urlOf('/inwards.png'),
      urlOf('/file.png'),
      urlOf('/secret.png', '[::ffff:127.0.0.1]'),
      urlOf('/secret.png', '2130706433'),
    ]
      .map(image)
      .join(''),
  );
  const { types } = await shown(id);
  assert.deepEqual(types, []);
  assert.deepEqual(askedFor().sort(), ['/file.png', '/inwards.png']);
});

test('at most 20 pictures are read, and those of a pixel never', async () => {
  const pixels = [
    `<img src="${urlOf('/a.png?pixel=1')}" width="1" height="1">`,
    `<img src="${urlOf('/a.png?pixel=2')}" style="display:none">`,
  ];
  const id = await received(
    [...pixels, ...Array.from({ length: 30 }, (_, nr) => image(urlOf(`/a.png?nr=${nr}`)))].join(''),
  );
  const { types } = await shown(id);
  assert.equal(types.length, 20);
  const paths = askedFor();
  assert.equal(paths.length, 20);
  assert.ok(paths.every((path) => !path.includes('pixel')));
});

test('a server that never ends holds up a document for seconds, and the other pictures are in it', async () => {
  const id = await received(['/never.png', '/drip.png', '/a.png'].map((path) => image(urlOf(path))).join(''));
  const began = performance.now();
  const { types } = await shown(id);
  assert.ok(performance.now() - began < 15_000, String(performance.now() - began));
  assert.deepEqual(types, ['image/png']);
  askedFor();
});

test('a reader that goes away ends the reading of its pictures', async () => {
  const id = await received(image(urlOf('/drip.png')));
  const leaving = new AbortController();
  const reading = fetch(`${inside.url}/api/v1/mail/messages/${id}/html?images=1`, {
    headers: { authorization: `Bearer ${home.key}` },
    signal: leaving.signal,
  }).catch(() => undefined);
  const [, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  const closed = once(response, 'close');
  leaving.abort();
  await reading;
  const began = performance.now();
  await closed;
  assert.ok(performance.now() - began < 5_000, String(performance.now() - began));
});

test('a reader that has ended its side gets the document', async () => {
  const id = await received(image(urlOf('/a.png')));
  const socket = connect({ port: Number(new URL(inside.url).port), host: '127.0.0.1', allowHalfOpen: true });
  socket.end(
    `GET /api/v1/mail/messages/${id}/html?images=1 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${home.key}\r\nConnection: close\r\n\r\n`,
  );
  let answer = '';
  for await (const part of socket.setEncoding('utf8')) answer += part;
  assert.match(answer, /^HTTP\/1\.1 200 /);
  assert.match(answer, /\[a\.png\]|data:image\/png/);
});
