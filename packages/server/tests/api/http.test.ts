import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { connect } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { isOneOf, isProblem } from '../../../../tests/harness/problem.ts';
import { dialogue, request, wire } from '../../../../tests/harness/raw.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';

const service = await sharedService();
const { api, newNamespace, newMailbox, send, all } = connect(service.url);
const raw = (...chunks: (string | Uint8Array)[]) => wire(service.port, { chunks });
const home = await newNamespace();
const { address: to } = await newMailbox(home);
const { key } = home;
const auth = { Authorization: `Bearer ${key}` };
const json = { ...auth, 'Content-Type': 'application/json' };
const good = JSON.stringify({ to, body: 'Hi', sync: true });

const PUBLIC = ['/api/v1/mailboxes', '/api/v1/behaviors', '/api/v1/openapi.json', `/api/v1/namespaces/${home.name}`];

test('HEAD answers as GET does, without the body', async () => {
  for (const path of [...PUBLIC, '/livez', '/docs', '/api/v1/nothing', `/api/v1/mailboxes/${to}`]) {
    const headers = { 'accept-encoding': 'identity' };
    const get = await api('GET', `/${path}`, { headers });
    const head = await api('HEAD', `/${path}`, { headers });
    assert.equal(head.status, get.status, path);
    assert.equal(head.text, '', path);
    assert.equal(head.headers.get('content-type'), get.headers.get('content-type'), path);
    const length = head.headers.get('content-length');
    if (length !== null && get.status === 200) assert.equal(length, get.headers.get('content-length'), path);
  }
  assert.equal((await api('HEAD', '/me', { key })).status, 200);
  assert.equal((await api('HEAD', '/me')).status, 401);
});

test('HEAD leaves the connection usable', async () => {
  const answers = await dialogue(
    service.port,
    request('HEAD', '/api/v1/behaviors') + request('GET', '/livez', { Connection: 'close' }),
  );
  assert.match(answers, /^HTTP\/1\.1 200 [^{}]*\r\n\r\nHTTP\/1\.1 200 /);
});

test('OPTIONS answers 204 with what is allowed', async () => {
  for (const [path, methods] of [
    ['/mail/send', ['POST']],
    [`/mailboxes/${to}`, ['GET', 'PATCH', 'DELETE']],
    ['/keys', ['GET', 'POST']],
  ] as const) {
    const answer = await api('OPTIONS', path, {
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': methods[0],
        'access-control-request-headers': 'authorization,content-type,idempotency-key,prefer,x-request-id',
      },
    });
    assert.equal(answer.status, 204, answer.text);
    assert.equal(answer.text, '');
    assert.equal(answer.headers.get('access-control-allow-origin'), '*');
    assert.equal(answer.headers.get('access-control-allow-credentials'), null);
    const allowed = (answer.headers.get('access-control-allow-methods') ?? '').toUpperCase();
    for (const method of methods) assert.ok(allowed.includes(method), `${method} in ${allowed}`);
    const headers = (answer.headers.get('access-control-allow-headers') ?? '').toLowerCase();
    for (const name of ['authorization', 'content-type', 'idempotency-key', 'prefer']) {
      assert.ok(headers.includes(name), `${name} in ${headers}`);
    }
  }
  assert.equal((await api('OPTIONS', '/mail/send')).status, 204);
});

test('pages of any origin may read the API, without credentials', async () => {
  const exposed = [
    'Location',
    'Retry-After',
    'RateLimit',
    'RateLimit-Policy',
    'Idempotency-Replayed',
    'Preference-Applied',
    'X-Request-Id',
  ];
  for (const answer of [
    await api('GET', '/behaviors', { headers: { origin: 'https://app.example' } }),
    await api('GET', '/nothing', { headers: { origin: 'https://app.example' } }),
    await api('GET', '/me', { headers: { origin: 'https://app.example' } }),
    await send(key, { to, body: 'Hi' }, { origin: 'https://app.example' }),
    await send(key, { to, body: '' }, { origin: 'https://app.example' }),
  ]) {
    assert.equal(answer.headers.get('access-control-allow-origin'), '*', `${answer.status}`);
    assert.equal(answer.headers.get('access-control-allow-credentials'), null);
    const names = (answer.headers.get('access-control-expose-headers') ?? '').toLowerCase().split(/\s*,\s*/);
    for (const name of exposed) assert.ok(names.includes(name.toLowerCase()), `${name} is exposed (${answer.status})`);
  }
});

test('a write from no page gets no fields for pages of other origins, a read that may be cached does', async () => {
  const written = await send(key, { to, body: 'Hi' });
  assert.equal(written.headers.get('access-control-allow-origin'), null);
  assert.equal(written.headers.get('access-control-expose-headers'), null);
  assert.equal((await api('GET', '/behaviors')).headers.get('access-control-allow-origin'), '*');
});

test('a trailing slash is 404 in the API and a redirect on pages', async () => {
  for (const path of ['/mailboxes/', '/behaviors/', '/mail/messages/', `/mailboxes/${to}/`, '/openapi.json/']) {
    isProblem(await api('GET', path, { key }), 'not_found');
  }
  for (const path of ['/mail/messages/', '/webhooks/', '/mailboxes//messages', '/namespaces//mailboxes'])
    isProblem(await api('GET', path), 'not_found');
  isProblem(await api('POST', '/mail/send/', { key, body: { to, body: 'Hi' } }), 'not_found');
  const page = await api('GET', '//docs/');
  assert.ok([301, 302, 307, 308].includes(page.status), `${page.status}`);
  assert.match(page.headers.get('location') ?? '', /^(\/docs|\.\.\/docs|\.\.\/?docs)$/);
  const code = await api('GET', '//problems/validation_error/');
  assert.ok([301, 302, 307, 308].includes(code.status), `${code.status}`);
  for (const path of ['/new', '/console', '/console/enter', '/report', '/status']) {
    const { status, headers } = await api('GET', `/${path}/`);
    assert.equal(status, 308, path);
    assert.equal(new URL(headers.get('location') ?? '', `http://host${path}/`).pathname, path);
  }
});

test('a page of another origin can read why its path cannot be decoded', async () => {
  const answer = await raw(request('GET', '/api/v1/mailboxes/%zz', { origin: 'https://page.example' }));
  assert.equal(answer.headers.get('access-control-allow-origin'), '*');
});

test('a double slash or a dotted path is nothing', async () => {
  for (const path of ['//api//v1/behaviors', '//api/v1//behaviors', '///api/v1/behaviors']) {
    assert.equal((await api('GET', path)).status, 404, path);
  }
  isOneOf(await raw(request('GET', '/api/v1/../../etc/passwd')), 'not_found', 'malformed_request');
  isOneOf(await raw(request('GET', '/api/v1/mailboxes/%zz')), 'mailbox_not_found', 'not_found', 'malformed_request');
  isOneOf(await raw(request('GET', '/api/v1/mailboxes/%ff')), 'mailbox_not_found', 'not_found', 'malformed_request');
  isOneOf(await raw(request('GET', '/api/v1/mailboxes/a%00b')), 'mailbox_not_found', 'not_found', 'malformed_request');
});

/** The raw bytes, since `fetch` would decompress them. */
const bytes = (path: string, accept: string): Promise<{ encoding: string | undefined; vary: string; body: Buffer }> =>
  new Promise((resolve, reject) => {
    httpRequest(service.url + path, { headers: { 'accept-encoding': accept }, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          encoding: response.headers['content-encoding'],
          vary: response.headers.vary ?? '',
          body: Buffer.concat(chunks),
        }),
      );
    })
      .on('error', reject)
      .end();
  });

test('answers are compressed with br or gzip, as the caller takes them', async () => {
  const plain = await bytes('/api/v1/openapi.json', 'identity');
  assert.equal(plain.encoding, undefined);
  const text = plain.body.toString();
  const br = await bytes('/api/v1/openapi.json', 'br');
  assert.equal(br.encoding, 'br');
  assert.equal(brotliDecompressSync(br.body).toString(), text);
  assert.match(br.vary, /accept-encoding/i);
  const gzip = await bytes('/api/v1/openapi.json', 'gzip');
  assert.equal(gzip.encoding, 'gzip');
  assert.equal(gunzipSync(gzip.body).toString(), text);
  assert.ok(gzip.body.length < plain.body.length / 2);
  assert.ok(['br', 'gzip'].includes((await bytes('/api/v1/openapi.json', 'gzip, deflate, br, zstd')).encoding ?? ''));
  assert.equal((await bytes('/api/v1/openapi.json', 'br;q=0, gzip;q=0')).encoding, undefined);
  assert.equal((await bytes('/api/v1/openapi.json', 'compress')).encoding, undefined);
});

test('a compressed request is not taken', async () => {
  for (const encoding of ['gzip', 'br', 'deflate', 'x-unknown']) {
    const answer = await api('POST', '/mail/send', {
      key,
      raw: gzipSync(good) as Uint8Array<ArrayBuffer>,
      headers: { 'content-encoding': encoding },
    });
    isProblem(answer, 'unsupported_media_type');
  }
});

test('a body that is no JSON by its name is not taken', async () => {
  const types = ['text/plain', 'application/x-www-form-urlencoded', 'application/xml'];
  for (const type of [...types, 'json', 'application/jsonp', 'text/json']) {
    isProblem(
      await api('POST', '/mail/send', { key, raw: good, headers: { 'content-type': type } }),
      'unsupported_media_type',
    );
  }
  isProblem(await raw(request('POST', '/api/v1/mail/send', auth, good)), 'unsupported_media_type');
});

test('JSON is JSON in any case and with a charset', async () => {
  for (const type of [
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
  ]) {
    const answer = await api('POST', '/mail/send', { key, raw: good, headers: { 'content-type': type } });
    assert.equal(answer.status, 200, `${type}: ${answer.text}`);
  }
});

test('a method that a path does not have is answered with those it has', async () => {
  for (const [method, path, allowed] of [
    ['GET', '/mail/send', ['POST']],
    ['PUT', '/mail/send', ['POST']],
    ['DELETE', '/behaviors', ['GET', 'HEAD']],
    ['POST', `/mailboxes/${to}`, ['GET', 'HEAD', 'PATCH', 'DELETE']],
    ['PUT', `/namespaces/${home.name}`, ['GET', 'HEAD', 'PATCH', 'DELETE']],
    ['PATCH', '/keys', ['GET', 'HEAD', 'POST']],
    ['POST', '/me', ['GET', 'HEAD']],
    ['POST', '/openapi.json', ['GET', 'HEAD']],
  ] as const) {
    const answer = await api(method, path, { key });
    isProblem(answer, 'method_not_allowed');
    const allow = (answer.headers.get('allow') ?? '').split(/\s*,\s*/);
    for (const one of allowed) assert.ok(allow.includes(one), `${method} ${path}: ${one} in ${allow.join()}`);
    assert.ok(!allow.includes(method), `${method} ${path}: ${allow.join()}`);
  }
  const page = await api('POST', '//docs');
  assert.equal(page.status, 405);
});

test('methods that nobody knows are refused too', async () => {
  for (const method of ['PURGE', 'PROPFIND', 'TRACE', 'LINK']) {
    const answer = await raw(request(method, '/api/v1/mail/send'));
    isOneOf(answer, 'method_not_allowed', 'malformed_request');
  }
  isOneOf(await raw(request('BREW', '/api/v1/mail/send')), 'method_not_allowed', 'malformed_request');
});

test('what the caller takes is looked at', async () => {
  for (const accept of [
    'application/json',
    '*/*',
    'application/*',
    'text/html, application/json;q=0.1',
    'application/problem+json, application/json',
  ]) {
    assert.equal((await api('GET', '/behaviors', { headers: { accept } })).status, 200, accept);
  }
  for (const accept of ['image/png', 'text/html', 'application/xml', 'application/json;q=0']) {
    isProblem(await api('GET', '/behaviors', { headers: { accept } }), 'not_acceptable');
  }
  isProblem(await send(key, { to, body: 'Never kept' }, { accept: 'image/png' }), 'not_acceptable');
  assert.ok(!(await all<Envelope>('/mail/messages', key)).some((item) => item.body === 'Never kept'));
  assert.equal((await raw(request('GET', '/api/v1/behaviors'))).status, 200, 'without Accept everything is taken');
});

test('a document over 2 MiB is refused, however it comes', async () => {
  const large = JSON.stringify({ to, body: 'Hi', data: 'x'.repeat(2 * 1024 * 1024) });
  isProblem(await api('POST', '/mail/send', { key, raw: large }), 'body_too_large');
  isProblem(
    await raw(request('POST', '/api/v1/mail/send', { ...json, 'Content-Length': '3000000' })),
    'body_too_large',
  );
  // More digits than HTTP parsers count: invalid or too large.
  isOneOf(
    await raw(request('POST', '/api/v1/mail/send', { ...json, 'Content-Length': '99999999999999999999' })),
    'body_too_large',
    'malformed_request',
  );
  const chunk = 'x'.repeat(65_536);
  const chunks = Array.from({ length: 40 }, () => `10000\r\n${chunk}\r\n`);
  isProblem(
    await raw(
      request('POST', '/api/v1/mail/send', { ...json, 'Transfer-Encoding': 'chunked' }),
      ...chunks,
      '0\r\n\r\n',
    ),
    'body_too_large',
  );
});

test('who sends too much is told so, and not cut off', async () => {
  const large = `{"body":"${'x'.repeat(3_000_000)}"}`;
  const seen = await Promise.all(
    Array.from({ length: 40 }, () =>
      api('POST', '/mail/send', { key, raw: large }).then(
        (answer) => String(answer.status),
        (error: Error) => String((error.cause as { code?: string } | undefined)?.code ?? error),
      ),
    ),
  );
  assert.deepEqual(
    seen,
    Array.from({ length: 40 }, () => '413'),
  );
});

test('a body may come in chunks, and byte by byte', async () => {
  const head = request('POST', '/api/v1/mail/send', { ...json, 'Transfer-Encoding': 'chunked' });
  const half = Math.floor(good.length / 2);
  const parts = [good.slice(0, half), good.slice(half)].map((part) => `${part.length.toString(16)}\r\n${part}\r\n`);
  const chunked = await raw(head, ...parts, '0\r\n\r\n');
  assert.equal(chunked.status, 200, chunked.text);
  const slow = await raw(...request('POST', '/api/v1/mail/send', json, good).split(''));
  assert.equal(slow.status, 200, slow.text);
});

test('Expect: 100-continue is met, anything else is not', async () => {
  const met = await raw(request('POST', '/api/v1/mail/send', { ...json, Expect: '100-continue' }, good));
  assert.equal(met.status, 200, met.text);
  const not = await raw(request('POST', '/api/v1/mail/send', { ...json, Expect: '200-ok' }, good));
  isProblem(not, 'expectation_failed');
});

test('headers that are too large are refused', async () => {
  isProblem(await raw(request('GET', '/api/v1/behaviors', { 'X-Large': 'x'.repeat(70_000) })), 'headers_too_large');
  const many: Record<string, string> = {};
  for (let i = 0; i < 3_000; i++) many[`X-${i}`] = 'xxxxxxxxxxxxxxxxxxxx';
  isProblem(await raw(request('GET', '/api/v1/behaviors', many)), 'headers_too_large');
  isOneOf(await raw(request('GET', `/api/v1/${'x'.repeat(100_000)}`)), 'headers_too_large', 'malformed_request');
});

test('what is not HTTP is a problem', async () => {
  for (const text of [
    'GARBAGE\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'GET /livez HTTP/9.9\r\nHost: x\r\n\r\n',
    'GET /livez HTTP/1.1\r\nHost : x\r\n\r\n',
    'GET /livez HTTP/1.1\r\nHost: x\r\nBad\x00Name: x\r\n\r\n',
    request('POST', '/api/v1/mail/send', { ...json, 'Content-Length': 'ten' }, good),
    request('POST', '/api/v1/mail/send', { ...json, 'Content-Length': '-1' }, good),
    request('POST', '/api/v1/mail/send', { ...json, 'Content-Length': '5', 'Transfer-Encoding': 'chunked' }, good),
    `${request('POST', '/api/v1/mail/send', { ...json, 'Transfer-Encoding': 'chunked' })}zz\r\nhello\r\n`,
    `POST /api/v1/mail/send HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
    'GET /livez HTTP/1.1\r\n\r\n',
  ]) {
    const answer = await raw(text);
    const type = answer.headers.get('content-type');
    assert.deepEqual([answer.status, type?.split(';')[0]], [400, 'application/problem+json'], JSON.stringify(text));
    isProblem(answer, 'malformed_request');
  }
});

test('half a body costs only its sender', async () => {
  const countBefore = (await all('/mail/messages', key)).length;
  const head = request('POST', '/api/v1/mail/send', { ...json, 'Content-Length': String(good.length) });
  await Promise.all(
    Array.from({ length: 50 }, () =>
      wire(service.port, { chunks: [head, good.slice(0, 20)], end: true, patience_ms: 500 }),
    ),
  );
  assert.equal((await all('/mail/messages', key)).length, countBefore);
  assert.equal((await send(key, { to, body: 'Hi', sync: true })).status, 200);
});

test('who leaves before the answer costs nobody else', async () => {
  await Promise.all(
    Array.from({ length: 50 }, () =>
      wire(service.port, { chunks: [request('POST', '/api/v1/mail/send', json, good)], patience_ms: 1 }),
    ),
  );
  assert.equal((await send(key, { to, body: 'Hi', sync: true })).status, 200);
});

test('a request id of safe characters is kept', async () => {
  for (const id of ['a', 'req-1.2_3', 'x'.repeat(128), '0d8m3xk2q5v7w9y1a3c0']) {
    const answer = await api('GET', '/behaviors', { headers: { 'x-request-id': id } });
    assert.equal(answer.headers.get('x-request-id'), id);
    const problem = isProblem(await api('GET', '/nothing', { headers: { 'x-request-id': id } }), 'not_found');
    assert.equal(problem.request_id, id);
  }
});

test('any other request id is replaced', async () => {
  const seen = new Set<string>();
  for (const id of ['x'.repeat(129), 'a b', 'a"b', '<b>', 'a\\b', 'ä', '{}', '']) {
    const answer = await api('GET', '/behaviors', { headers: { 'x-request-id': id } });
    const made = answer.headers.get('x-request-id') ?? '';
    assert.notEqual(made, id);
    assert.match(made, /^[\w.:-]{1,128}$/, `for ${id}`);
    seen.add(made);
  }
  assert.equal(seen.size, 8, 'each its own');
  const none = await api('GET', '/behaviors');
  assert.match(none.headers.get('x-request-id') ?? '', /^[\w.:-]{1,128}$/);
});

test('several requests on one connection are answered in turn', async () => {
  const paths = ['/livez', '/api/v1/nothing', '/api/v1/behaviors', '/api/v1/me', '/livez'];
  const answers = await dialogue(
    service.port,
    paths
      .map((path, i) =>
        request('GET', path, { 'X-Request-Id': `turn-${i}`, Connection: i === 4 ? 'close' : 'keep-alive' }),
      )
      .join(''),
  );
  assert.deepEqual(
    answers.match(/HTTP\/1\.1 \d+/g),
    ['200', '404', '200', '401', '200'].map((status) => `HTTP/1.1 ${status}`),
  );
  assert.deepEqual(
    answers.match(/^x-request-id: .*$/gim)?.map((line) => line.slice(14).trim()),
    paths.map((_, i) => `turn-${i}`),
  );
});

test('a body where none is wanted does no harm', async () => {
  const answer = await raw(request('GET', '/api/v1/behaviors', { 'Content-Type': 'application/json' }, '{"a":1}'));
  assert.ok(answer.status === 200 || answer.status === 400, `${answer.status}`);
});

test('a browser that came by https is told to come so again, and one that came without is not', async () => {
  await using secure = await serveInside({ env: { BASE_URL: 'https://mail.example.com' } });
  for (const path of ['/', '/livez', '/api/v1/nothing', '/oidc/agents/.well-known/openid-configuration']) {
    const answer = await fetch(secure.url + path, { redirect: 'manual' });
    assert.equal(answer.headers.get('strict-transport-security'), 'max-age=31536000', path);
    const plain = await fetch(service.url + path, { redirect: 'manual' });
    assert.equal(plain.headers.get('strict-transport-security'), null, path);
  }
});
