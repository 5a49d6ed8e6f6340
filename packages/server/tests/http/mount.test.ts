import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { MINUTE } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { pino } from 'pino';
import { USUAL } from '../../../../tests/harness/connections.ts';
import { Directory } from '../../core/access/directory.ts';
import { LocalLimiter } from '../../core/values/limits.ts';
import { systemClock } from '../../core/values/steady-clock.ts';
import { Authenticator } from '../../http/authenticate.ts';
import { Challenges } from '../../http/challenges.ts';
import { Rejections } from '../../http/connections/rejections.ts';
import type { Handed } from '../../http/mount.ts';
import { makeServer } from '../../http/server.ts';
import { openStore } from '../../store/open.ts';
import { newFile } from '../core/house.ts';

const lines: string[] = [];
const handed: { readonly of: Handed; readonly method: string | undefined; readonly text: string }[] = [];

async function program(request: IncomingMessage, response: ServerResponse, of: Handed): Promise<void> {
  if (of.below.startsWith('/throws')) throw new Error('secret detail');
  if (of.below === '/refuses') throw new AppError('unavailable', 'Not now.');
  if (of.below === '/half') {
    response.write('begun');
    throw new Error('secret detail');
  }
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  handed.push({ of, method: request.method, text: Buffer.concat(parts).toString() });
  response.setHeader('content-type', 'text/plain').end(request.method === 'HEAD' ? undefined : 'done');
}

const clock = systemClock;
const store = await openStore(`sqlite:${newFile()}`, { clock, onFailure: () => undefined });
const max = new LocalLimiter(
  { name: 'mounted', what: 'requests', kind: 'bucket', quota: 3, burst: 3, window_ms: MINUTE },
  clock,
);
const app = await makeServer(
  [],
  {
    authenticator: new Authenticator({ directory: new Directory(store, clock), store, clock }, 'x'.repeat(43)),
    log: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }),
    access: (...line) => void lines.push(line.join(' ')),
    rate_limits: true,
    challenges: new Challenges({ states: store.states, clock, secret: 'x'.repeat(43), cost: 1, max: 1 }),
    max_json: 1_024,
    connections: USUAL,
    rejections: new Rejections(600, clock),
    max_values: 10_000,
    request_ms: 30_000,
    https: false,
    trust_proxy: [],
    stopping: new AbortController().signal,
    over: new AbortController().signal,
  },
  [
    {
      path: '/mounted/{name}/*',
      names: '[a-z]+',
      find: async (name) => {
        if (name === 'nobody') throw new AppError('not_found', 'There is no such program.');
        return program;
      },
    },
    { path: '/alone/{name}', names: '[a-z]+', limits: [max], find: async () => program },
  ],
);
await app.listen({ host: '127.0.0.1', port: 0 });
const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
after(async () => {
  await app.close();
  await store[Symbol.asyncDispose]();
});

async function ask(method: string, path: string, init: RequestInit = {}) {
  const answer = await fetch(url + path, { ...init, method });
  const text = await answer.text();
  const body = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
  return { status: answer.status, headers: answer.headers, text, body };
}

test('a mounted program is handed every method, the path below it with the query, and the body as it came', async () => {
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    const body = method === 'GET' || method === 'HEAD' ? null : 'x'.repeat(5_000);
    const answer = await ask(method, '/mounted/one/a/b%2Fc?d=e&d=f', { body, headers: { 'x-request-id': 'mine-1' } });
    assert.equal(answer.status, 200, method);
    assert.equal(answer.text, method === 'HEAD' ? '' : 'done');
    assert.equal(answer.headers.get('x-request-id'), 'mine-1');
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    const last = handed.at(-1);
    assert.equal(last?.method, method);
    assert.equal(last?.text, body ?? '', 'limits of bodies are the program’s own');
    assert.deepEqual(last?.of, { name: 'one', below: '/a/b%2Fc?d=e&d=f', ip: '127.0.0.1', request_id: 'mine-1' });
  }
});

test('a path that is not mounted, a name that is no name and one that nobody answers to are problems', async () => {
  const countBefore = handed.length;
  for (const path of [
    '/mounted/one',
    '/mounted/One/a',
    '/mounted/a.b/c',
    '/mounted//a',
    '/mounted/nobody/a',
    '/alone/one/a',
  ]) {
    const { status, headers, body } = await ask('GET', path);
    assert.equal(status, 404, path);
    assert.match(headers.get('content-type') ?? '', /^application\/problem\+json/, path);
    assert.equal(body.status, 404, path);
  }
  assert.equal(handed.length, countBefore);
});

test('what breaks before it answered is a problem that tells nothing of it; after, the connection ends', async () => {
  const broke = await ask('GET', '/mounted/one/throws?token=hidden');
  assert.equal(broke.status, 500);
  assert.ok(!broke.text.includes('secret detail'));
  assert.match(broke.headers.get('content-type') ?? '', /^application\/problem\+json/);
  assert.ok(
    lines.some((line) => line.includes('secret detail')),
    'the log tells whoever runs it',
  );
  assert.equal((await ask('GET', '/mounted/one/refuses')).body.detail, 'Not now.');
  await assert.rejects(ask('GET', '/mounted/one/half'));
});

test('requests are counted per network, and one too many is told when to come again', async () => {
  for (let turn = 0; turn < 3; turn++) {
    const { status, headers } = await ask('GET', '/alone/one');
    assert.equal(status, 200);
    assert.ok(headers.get('ratelimit') !== null, JSON.stringify([...headers]));
  }
  const countBefore = handed.length;
  const { status, headers, body } = await ask('POST', '/alone/two', { body: 'x' });
  assert.equal(status, 429);
  assert.equal(body.status, 429);
  assert.ok(Number(headers.get('retry-after')) > 0);
  assert.equal(handed.length, countBefore);
});

test('the log has a line for each request, and never the query', async () => {
  await ask('GET', '/mounted/one/logged?code=very-hidden', { headers: { 'x-request-id': 'logged-1' } });
  const line = lines.find((one) => one.includes('logged-1')) ?? '';
  assert.match(line, /\/mounted\/one\/logged 200/);
  assert.ok(!lines.join('\n').includes('hidden'));
});
