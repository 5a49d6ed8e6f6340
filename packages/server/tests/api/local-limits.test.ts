import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, test } from 'node:test';
import { unique } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { sharedPostgres } from '../../../../tests/harness/postgres.ts';

const limited = await serveInside({ env: { RATE_LIMITS: 'on' } });
const published = await serveInside({ env: { RATE_LIMITS: 'on', BASE_URL: 'https://mail.example' } });

interface From {
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The address that it connects from. */
  readonly address?: string;
}

/** The status of a new namespace. */
function make({ url = limited.url, headers = {}, address = '127.0.0.1' }: From): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const sent = request(new URL('/api/v1/namespaces', url), {
    method: 'POST',
    localAddress: address,
    agent: false,
    headers: { 'content-type': 'application/json', ...headers },
  });
  sent.once('response', (response) => resolve(response.resume().statusCode ?? 0)).once('error', reject);
  sent.end(JSON.stringify({ name: unique() }));
  return promise;
}

async function made(from: From): Promise<number> {
  for (let count = 0; count < 40; count++) if ((await make(from)) !== 201) return count;
  return 40;
}

/** What proxies and browsers send, each enough by itself. */
const FOR_OTHERS = [
  { forwarded: 'for=127.0.0.1' },
  { 'x-forwarded-for': '127.0.0.1' },
  { 'x-forwarded-host': 'mail.example' },
  { 'x-real-ip': '203.0.113.1' },
  { 'cf-connecting-ip': '203.0.113.1' },
  { 'true-client-ip': '203.0.113.1' },
  { via: '1.1 proxy' },
  { origin: 'http://localhost:8080' },
];

const postgres = await sharedPostgres();
after(() => postgres[Symbol.asyncDispose]());
const DATABASES = [
  ['SQLite', {}],
  ['PostgreSQL', { DATABASE_URL: await postgres.newDatabase() }],
] as const;
for (const [database, env] of DATABASES)
  test(`all whom a proxy or a browser stands for share five of its address, which are not its own, on ${database}`, async () => {
    const { url } = await serveInside({ env: { RATE_LIMITS: 'on', ...env } });
    const statuses: number[] = [];
    for (const headers of [...FOR_OTHERS, ...FOR_OTHERS]) statuses.push(await make({ url, headers }));
    assert.equal(statuses.filter((status) => status === 201).length, 5);
    assert.equal(await made({ url }), 30);
    assert.equal(await made({ url, headers: { via: '1.1 proxy' } }), 0);
  });

test('callers of another address, and all of a service with a public URL, make five namespaces an hour', async () => {
  assert.equal(await made({ address: '127.0.0.2' }), 5);
  assert.equal(await made({ url: published.url }), 5);
});

test('a program on the machine of a service that only it reaches makes 30 namespaces an hour', async () => {
  assert.equal(await made({}), 30);
});

test('a limit that is set holds for all', async () => {
  const strict = await serveInside({ env: { RATE_LIMITS: 'on', LIMIT_NAMESPACES_PER_HOUR: '2' } });
  assert.equal(await made({ url: strict.url }), 2);
});
