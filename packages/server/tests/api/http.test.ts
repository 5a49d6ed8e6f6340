import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { isOneOf, isProblem } from '../../../../tests/harness/problem.ts';
import { dialogue, request } from '../../../../tests/harness/raw.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';
import { openRawHttp } from './raw-http.ts';

const { service, api, send, all, raw, home, to, key, auth, good } = await openRawHttp();

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

test('a name with U+0000, which no database keeps, names nothing at any path, for owners and strangers', async () => {
  const { paths } = (await api<{ paths: Record<string, Record<string, unknown>> }>('GET', '/openapi.json')).body;
  for (const [path, methods] of Object.entries(paths).filter(([path]) => path.includes('{')))
    for (const method of Object.keys(methods))
      for (const headers of [{}, { authorization: `Bearer ${key}` }]) {
        const named = path.replace(/\{\w+\}/g, 'a%00b');
        const body = method === 'get' ? null : '{}';
        const sent = {
          method: method.toUpperCase(),
          headers: { 'content-type': 'application/json', ...headers },
          body,
        };
        const { status } = await fetch(service.url + named, sent);
        assert.ok(status >= 400 && status < 500, `${method} ${named}: ${status}`);
      }
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

test('a browser that came by https is told to come so again, and one that came without is not', async () => {
  await using secure = await serveInside({ env: { BASE_URL: 'https://mail.example.com' } });
  for (const path of ['/', '/livez', '/api/v1/nothing', '/oidc/agents/.well-known/openid-configuration']) {
    const answer = await fetch(secure.url + path, { redirect: 'manual' });
    assert.equal(answer.headers.get('strict-transport-security'), 'max-age=31536000', path);
    const plain = await fetch(service.url + path, { redirect: 'manual' });
    assert.equal(plain.headers.get('strict-transport-security'), null, path);
  }
});
