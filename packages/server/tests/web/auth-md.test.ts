import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { connect, unique } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { MAIL_DOMAIN } from '../../../../tests/harness/wire.ts';

const run = promisify(execFile);
const service = await serveInside();
const { api, newNamespace, newMailbox } = connect(service.url);

const response = await fetch(`${service.url}/auth.md`);
const text = await response.text();
/** Runs a command of the text as it is pasted, with a key in the environment. */
async function paste<T>(command: string | undefined, key = ''): Promise<T> {
  assert.ok(command);
  const env = { PATH: process.env.PATH, MAILROOM_KEY: key };
  return JSON.parse((await run('sh', ['-c', command as string], { env })).stdout) as T;
}
const name = unique('n');
const commands = [...text.replaceAll('your-name', name).matchAll(/```sh\n(curl[\s\S]*?)\n```/g)].map(
  ([, code]) => code,
);
const [guest, register, narrower, exchange] = commands;

test('auth.md is Markdown, and every link in it leads somewhere', async () => {
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'text/markdown; charset=utf-8');
  assert.match(text, /^# auth\.md\n/);
  assert.doesNotMatch(text, /undefined|\[object/);
  const urls = new Set([...text.matchAll(/\]\((http[^)]+)\)/g)].map(([, url]) => url as string));
  assert.ok(urls.size >= 4);
  for (const url of [...urls, `${service.url}/.well-known/ai-catalog.json`, `${service.url}/console`])
    assert.equal((await fetch(url)).status, 200, url);
  for (const [, anchor = ''] of text.matchAll(/\]\(#([^)]+)\)/g))
    assert.ok(
      text.split('\n').some((line) => line.startsWith('## ') && slug(line.slice(3)) === anchor),
      anchor,
    );
});

const slug = (heading = ''): string =>
  heading
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');

test('an agent without anything writes as a guest, registers and makes a narrower key with the commands as they are', async () => {
  assert.equal((await paste<{ status: string }>(guest)).status, 'completed');
  const { key } = await paste<{ key: { secret: string } }>(register);
  const created = await paste<{ id: string; secret: string; scopes: string[] }>(narrower, key.secret);
  assert.deepEqual(created.scopes.toSorted(), ['mail:send', 'messages:read']);
  // The answers that the table names.
  const to = `hello@agents.${MAIL_DOMAIN}`;
  const send = (with_key?: string) =>
    api<{ code: string }>('POST', '/mail/send', { key: with_key, body: { to, body: 'Hi', sync: true } });
  assert.equal((await send(created.secret)).status, 200);
  assert.equal((await send()).body.code, 'missing_key');
  assert.equal((await api<{ code: string }>('GET', '/keys', { key: created.secret })).body.code, 'insufficient_scope');
  const wide = { name: 'more', scopes: ['owner'] };
  assert.equal((await api('POST', '/keys', { key: created.secret, body: wide })).status, 403);
  assert.equal((await api('DELETE', `/keys/${created.id}`, { key: key.secret })).status, 204);
  assert.equal((await send(created.secret)).body.code, 'invalid_key');
});

test('an agent with an address exchanges its key for a token of an issuer that the text names', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home, { local_part: 'hello' });
  const command = exchange?.replace(`hello@${name}.${MAIL_DOMAIN}`, address);
  const token = await paste<{ access_token: string; issued_token_type: string }>(command, home.key);
  assert.equal(token.issued_token_type, 'urn:ietf:params:oauth:token-type:jwt');
  const claims = JSON.parse(Buffer.from(token.access_token.split('.')[1] ?? '', 'base64url').toString());
  assert.equal(claims.aud, 'https://api.example');
  assert.equal(claims.email, address);
});

test('an issuer whose address is not listed is not named', async () => {
  const hidden = await newNamespace();
  await newMailbox(hidden, { behavior: { name: 'auth', settings: {} }, visibility: 'unlisted' });
  const open = await newNamespace();
  await newMailbox(open, { behavior: { name: 'auth', settings: {} } });
  const now = await (await fetch(`${service.url}/auth.md`)).text();
  assert.ok(now.includes(`/oidc/${open.name}`));
  assert.ok(!now.includes(`/oidc/${hidden.name}`));
});

test('the agent_auth that the text shows is that of the metadata of an issuer', async () => {
  const [, shown = ''] = /```json\n([\s\S]*?)\n```/.exec(text) ?? [];
  const metadata = await fetch(`${service.url}/.well-known/oauth-authorization-server/oidc/agents`);
  const { agent_auth } = (await metadata.json()) as { agent_auth: unknown };
  assert.deepEqual(JSON.parse(shown), { agent_auth });
});
