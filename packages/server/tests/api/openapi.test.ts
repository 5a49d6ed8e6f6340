import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Compile } from 'typebox/schema';
import { APP, newAuth, newService } from '../../../../tests/harness/auth.ts';
import { type Answer, type Ask, connect, HELLO, unique } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { CODES } from '../../../../tests/harness/wire.ts';
import { LONG_ONLY } from '../../../../tests/soak/length.ts';

interface Media {
  schema?: object;
}
interface Declared {
  description?: string;
  content?: Record<string, Media>;
  headers?: Record<string, unknown>;
  $ref?: string;
}
interface Operation {
  operationId?: string;
  summary?: string;
  responses: Record<string, Declared>;
  parameters?: { name?: string }[];
  security?: object[];
  requestBody?: { content: Record<string, Media> };
}
interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, unknown>>;
}

const service = await serveInside();
const client = connect(service.url);
const { api, newNamespace, newMailbox, newPaused, newKey, send, tryOut } = client;
const fetched = await api<Document>('GET', '/openapi.json');
const document = fetched.body;

/** All of section 4 of the contract. */
const ENDPOINTS: [string, string[]][] = [
  ['/api/v1/namespaces', ['post']],
  ['/api/v1/namespaces/{name}', ['get', 'patch', 'delete']],
  ['/api/v1/namespaces/{name}/mailboxes', ['get', 'post']],
  ['/api/v1/namespaces/{name}/export', ['get']],
  ['/api/v1/namespaces/{name}/audit', ['get']],
  ['/api/v1/namespaces/{name}/audit/export', ['get']],
  ['/api/v1/mailboxes', ['get']],
  ['/api/v1/mailboxes/{address}', ['get', 'patch', 'delete']],
  ['/api/v1/mailboxes/{address}/messages', ['get']],
  ['/api/v1/mailboxes/{address}/clients', ['get', 'post']],
  ['/api/v1/mailboxes/{address}/clients/{id}', ['get', 'patch', 'delete']],
  ['/api/v1/mailboxes/{address}/clients/{id}/secret', ['post']],
  ['/api/v1/mailboxes/{address}/registration-tokens', ['get', 'post']],
  ['/api/v1/mailboxes/{address}/registration-tokens/{id}', ['delete']],
  ['/api/v1/mailboxes/{address}/services', ['get', 'post']],
  ['/api/v1/mailboxes/{address}/services/{id}', ['delete']],
  ['/api/v1/behaviors', ['get']],
  ['/api/v1/mail/send', ['post']],
  ['/api/v1/mail/try', ['post']],
  ['/api/v1/mail/messages', ['get']],
  ['/api/v1/mail/messages/{id}', ['get', 'patch']],
  ['/api/v1/mail/messages/{id}/cancel', ['post']],
  ['/api/v1/mail/messages/{id}/retry', ['post']],
  ['/api/v1/mail/threads/{id}', ['get']],
  ['/api/v1/mail/drafts', ['get', 'post']],
  ['/api/v1/mail/drafts/{id}', ['get', 'patch', 'delete']],
  ['/api/v1/mail/drafts/{id}/send', ['post']],
  ['/api/v1/keys', ['get', 'post']],
  ['/api/v1/keys/{id}', ['delete']],
  ['/api/v1/events', ['get']],
  ['/api/v1/me', ['get']],
  ['/api/v1/openapi.json', ['get']],
];

test('the API is described as OpenAPI 3.1', () => {
  assert.equal(fetched.status, 200);
  assert.match(document.openapi, /^3\.1\.\d+$/);
});

test('every endpoint is described', () => {
  for (const [path, methods] of ENDPOINTS) {
    for (const method of methods) {
      const operation = document.paths[path]?.[method];
      assert.ok(operation !== undefined, `${method} ${path}`);
      assert.ok(operation.operationId !== undefined && operation.summary !== undefined, `${method} ${path}`);
    }
  }
  const ids = Object.values(document.paths).flatMap((item) => Object.values(item).map((one) => one.operationId));
  assert.equal(new Set(ids).size, ids.length, 'each operationId stands once');
});

test('fields that are named like keywords of JSON Schema are described', () => {
  const rule = document.components.schemas?.NewRule as { properties: object } | undefined;
  assert.deepEqual(Object.keys(rule?.properties ?? {}), ['id', 'if', 'then']);
});

test('every code is described', () => {
  for (const code of Object.keys(CODES))
    assert.ok(fetched.text.includes(`"${code}"`) || fetched.text.includes(`\`${code}\``), code);
});

test('what is wrong in an If-Match is described where one is read', async () => {
  const { key } = await newNamespace();
  const reading = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { parameters = [], responses }]) =>
      parameters.some(({ name }) => name === 'If-Match') ? [{ path, method, responses }] : [],
    ),
  );
  assert.ok(reading.length > 2);
  for (const { path, method, responses } of reading) assert.ok('422' in responses, `${method} ${path}`);
  const answer = await api('DELETE', '/mail/drafts/drf_1', { key, headers: { 'if-match': 'unquoted' } });
  assert.equal(answer.status, 422);
});

// `npm run check` lints the same document.
test('a linter finds no error in it', LONG_ONLY, () => {
  const file = join(service.folder, 'openapi.json');
  writeFileSync(file, fetched.text);
  const cli = join(import.meta.dirname, '../../../..', 'node_modules', '@redocly', 'cli', 'bin', 'cli.js');
  const lint = spawnSync(process.execPath, [cli, 'lint', file, '--format=stylish'], {
    cwd: service.folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: service.folder, REDOCLY_TELEMETRY: 'off', NO_COLOR: '1' },
  });
  assert.equal(lint.status, 0, `${lint.stdout}\n${lint.stderr}`);
});

const resolve = (declared: Declared): Declared => {
  if (declared.$ref === undefined) return declared;
  let at: unknown = document;
  for (const part of declared.$ref.slice(2).split('/'))
    at = (at as Record<string, unknown>)[part.replaceAll('~1', '/')];
  return at as Declared;
};

/** Asserts that the document declares this answer for the operation, with its media type and shape. */
function isDeclared(path: string, method: string, answer: Answer<unknown>): void {
  const where = `${method} ${path} → ${answer.status} ${answer.text.slice(0, 300)}`;
  const operation = document.paths[path]?.[method];
  assert.ok(operation !== undefined, `${where}: no such operation`);
  const found =
    operation.responses[String(answer.status)] ??
    operation.responses[`${Math.floor(answer.status / 100)}XX`] ??
    operation.responses.default;
  assert.ok(found !== undefined, `${where}: the status is not declared`);
  const declared = resolve(found);
  const type = (answer.headers.get('content-type') ?? '').split(';')[0] ?? '';
  if (answer.text === '') {
    assert.equal(declared.content, undefined, `${where}: an empty answer`);
    return;
  }
  const media = declared.content?.[type];
  assert.ok(media !== undefined, `${where}: ${type} is not declared`);
  if (media.schema === undefined) return;
  const check = Compile({ ...media.schema, components: document.components } as object);
  // For JSON Lines the schema describes each line.
  const lines = type === 'application/x-ndjson' ? answer.text.trimEnd().split('\n') : undefined;
  for (const value of lines?.map((line) => JSON.parse(line)) ?? [answer.body]) {
    const [, errors] = check.Errors(value);
    assert.ok(check.Check(value), `${where}: ${JSON.stringify(errors).slice(0, 500)}`);
  }
}

test('every route answers as it is declared to', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home);
  const { address: paused } = await newPaused(home);
  const spare = await newMailbox(home);
  const spareKey = await newKey(home, { scopes: ['mail:send'] });
  const weak = (await newKey(home, { scopes: ['auth:assert'] })).secret;
  const doomed = await newNamespace();
  const { key } = home;
  const message = (await send(key, { to: address, body: 'Hi', sync: true })).body;
  const held = (await send(key, { to: paused, body: 'Hi' })).body;
  const tried = (await tryOut({ to: address, body: 'Hi' })).body;
  const auth = await newAuth(client, home);
  const signIn = auth.address;
  const app = await newService(client, home, auth);
  const allowance = { issuer: home.name, client_id: app.id };
  const ask = async (path: string, body: object) =>
    (await api<{ id: string }>('POST', `/mailboxes/${path}`, { key: home.key, body })).body;
  const token = await ask(`${signIn}/registration-tokens`, {});
  const allowed = await ask(`${address}/services`, allowance);
  const later = { to: address, body: 'Hi', send_at: new Date(Date.now() + 3_600_000).toISOString() };
  const newDraft = async () =>
    (await api<{ id: string }>('POST', '/mail/drafts', { key, body: { to: address, body: 'Hi' } })).body.id;
  const [draft, sentDraft, spareDraft] = [await newDraft(), await newDraft(), await newDraft()];
  const asks: [string, string, string, Ask, number?][] = [
    ['/api/v1/namespaces', 'post', '', { body: { name: unique() } }, 201],
    ['/api/v1/namespaces/{name}', 'get', home.name, {}, 200],
    ['/api/v1/namespaces/{name}', 'patch', home.name, { key, body: { display_name: 'x' } }, 200],
    ['/api/v1/namespaces/{name}', 'delete', doomed.name, { key: doomed.key }, 204],
    ['/api/v1/namespaces/{name}/export', 'get', home.name, { key }, 200],
    ['/api/v1/namespaces/{name}/audit', 'get', home.name, { key }, 200],
    ['/api/v1/namespaces/{name}/audit/export', 'get', home.name, { key }, 200],
    ['/api/v1/namespaces/{name}/mailboxes', 'get', home.name, { key }, 200],
    [
      '/api/v1/namespaces/{name}/mailboxes',
      'post',
      home.name,
      { key, body: { local_part: 'new', behavior: HELLO } },
      201,
    ],
    ['/api/v1/mailboxes', 'get', '', {}, 200],
    ['/api/v1/mailboxes/{address}', 'get', address, { key }, 200],
    ['/api/v1/mailboxes/{address}', 'patch', address, { key, body: { description: 'x' } }, 200],
    ['/api/v1/mailboxes/{address}', 'delete', spare.address, { key }, 204],
    ['/api/v1/mailboxes/{address}/messages', 'get', address, { key }, 200],
    ['/api/v1/mailboxes/{address}/clients', 'get', signIn, { key }, 200],
    ['/api/v1/mailboxes/{address}/clients', 'post', signIn, { key, body: APP }, 201],
    ['/api/v1/mailboxes/{address}/clients/{id}', 'get', `${signIn} ${app.id}`, { key }, 200],
    ['/api/v1/mailboxes/{address}/clients/{id}', 'patch', `${signIn} ${app.id}`, { key, body: { name: 'x' } }, 200],
    ['/api/v1/mailboxes/{address}/clients/{id}/secret', 'post', `${signIn} ${app.id}`, { key }, 200],
    ['/api/v1/mailboxes/{address}/registration-tokens', 'get', signIn, { key }, 200],
    ['/api/v1/mailboxes/{address}/registration-tokens', 'post', signIn, { key, body: {} }, 201],
    ['/api/v1/mailboxes/{address}/registration-tokens/{id}', 'delete', `${signIn} ${token.id}`, { key }, 204],
    ['/api/v1/mailboxes/{address}/services', 'get', address, { key }, 200],
    ['/api/v1/mailboxes/{address}/services', 'post', address, { key, body: allowance }, 201],
    ['/api/v1/mailboxes/{address}/services/{id}', 'delete', `${address} ${allowed.id}`, { key }, 204],
    ['/api/v1/mailboxes/{address}/clients/{id}', 'delete', `${signIn} ${app.id}`, { key }, 204],
    ['/api/v1/behaviors', 'get', '', {}, 200],
    ['/api/v1/mail/send', 'post', '', { key, body: { to: address, body: 'Hi', sync: true } }, 200],
    ['/api/v1/mail/send', 'post', '', { key, body: { to: address, body: 'Hi' } }, 202],
    ['/api/v1/mail/send', 'post', '', { key, body: later }, 202],
    ['/api/v1/mail/drafts', 'post', '', { key, body: later }, 201],
    ['/api/v1/mail/drafts', 'get', '', { key }, 200],
    ['/api/v1/mail/drafts/{id}', 'get', draft, { key }, 200],
    ['/api/v1/mail/drafts/{id}', 'patch', draft, { key, body: { subject: 'x' } }, 200],
    ['/api/v1/mail/drafts/{id}/send', 'post', sentDraft, { key }, 202],
    ['/api/v1/mail/drafts/{id}', 'patch', sentDraft, { key, body: { subject: 'x' } }, 409],
    ['/api/v1/mail/drafts/{id}', 'delete', spareDraft, { key, headers: { 'if-match': '"9"' } }, 412],
    ['/api/v1/mail/drafts/{id}', 'delete', spareDraft, { key }, 204],
    ['/api/v1/mail/try', 'post', '', { body: { to: address, body: 'Hi' } }, 200],
    ['/api/v1/mail/try', 'post', '', { body: { to: paused, body: 'Hi' } }, 202],
    ['/api/v1/mail/messages', 'get', '', { key }, 200],
    ['/api/v1/mail/messages/{id}', 'get', message.id, { key }, 200],
    ['/api/v1/mail/messages/{id}', 'get', tried.id, { key: tried.thread_token }, 200],
    ['/api/v1/mail/messages/{id}', 'patch', message.id, { key, body: { labels: { add: ['x'] } } }, 200],
    ['/api/v1/mail/messages/{id}/cancel', 'post', held.id, { key }, 200],
    ['/api/v1/mail/messages/{id}/retry', 'post', message.id, { key }],
    ['/api/v1/mail/threads/{id}', 'get', message.thread_id, { key }, 200],
    ['/api/v1/keys', 'get', '', { key }, 200],
    ['/api/v1/keys', 'post', '', { key, body: { scopes: ['mail:send'] } }, 201],
    ['/api/v1/keys/{id}', 'delete', spareKey.id, { key }, 204],
    ['/api/v1/events', 'get', '', { key }, 200],
    ['/api/v1/me', 'get', '', { key }, 200],
    ['/api/v1/openapi.json', 'get', '', {}, 200],
  ];
  for (const [path, method, id, ask, status] of asks) {
    const names = id.split(' ');
    const real = `/${path.replace(/\{\w+\}/g, () => names.shift() ?? '')}`;
    const verb = method.toUpperCase();
    const wrongId = `/${path.replace(/\{\w+\}/g, 'msg_00000000000000000000')}`;
    const unwell: Ask[] = [
      { ...ask, key: `mr_live_${'0'.repeat(46)}` },
      { ...ask, headers: { accept: 'image/png' } },
      ...(ask.key === undefined
        ? []
        : [
            { ...ask, key: undefined },
            { ...ask, key: weak },
          ]),
      ...(ask.body === undefined
        ? []
        : [
            { ...ask, body: { ...(ask.body as object), extra: 1 } },
            { ...ask, body: undefined, raw: '{' },
            { ...ask, headers: { 'content-type': 'text/plain' } },
            { ...ask, body: undefined, raw: `{"x":"${'x'.repeat(2_200_000)}"}` },
          ]),
    ];
    for (const one of unwell) isDeclared(path, method, await api(verb, real, one));
    if (id !== '') isDeclared(path, method, await api(verb, wrongId, ask));
    const answer = await api(verb, real, ask);
    if (status !== undefined) assert.equal(answer.status, status, `${verb} ${real}: ${answer.text.slice(0, 300)}`);
    isDeclared(path, method, answer);
  }
  const asked = new Set(asks.map(([path, method]) => `${method} ${path}`));
  for (const [path, methods] of ENDPOINTS)
    for (const method of methods) assert.ok(asked.has(`${method} ${path}`), path);
});

test('what is described as needing a key needs one, and what is described as public needs none', async () => {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const open =
        operation.security === undefined ||
        operation.security.length === 0 ||
        operation.security.some((one) => Object.keys(one).length === 0);
      const answer = await api(method.toUpperCase(), `/${path.replaceAll(/\{\w+\}/g, 'x')}`, {
        body: method === 'get' || method === 'delete' ? undefined : {},
      });
      assert.equal(answer.status === 401, !open, `${method} ${path}: ${answer.status}`);
    }
  }
});
