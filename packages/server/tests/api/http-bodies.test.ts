import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOneOf, isProblem } from '../../../../tests/harness/problem.ts';
import { request, wire } from '../../../../tests/harness/raw.ts';
import { openRawHttp } from './raw-http.ts';

const { service, api, send, all, raw, to, key, json, good } = await openRawHttp();

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

test('a body where none is wanted does no harm', async () => {
  const answer = await raw(request('GET', '/api/v1/behaviors', { 'Content-Type': 'application/json' }, '{"a":1}'));
  assert.ok(answer.status === 200 || answer.status === 400, `${answer.status}`);
});
