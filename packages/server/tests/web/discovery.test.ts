// Other programs: sh, curl.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { connect, unique } from '../../../../tests/harness/client.ts';
import { serve } from '../../../../tests/harness/service.ts';

const service = await serve();
const base = `http://localhost:${service.port}`;
const { api, newNamespace, newMailbox } = connect(service.url);

/** The text at a path, asked of the service under any name of a host. */
async function get(path: string, host = `localhost:${service.port}`, method = 'GET') {
  const asked = request({ host: '127.0.0.1', port: service.port, path, method, headers: { host } });
  asked.end();
  const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    asked.once('response', resolve).once('error', reject);
  });
  return { status: response.statusCode, headers: response.headers, text: await text(response) };
}

interface Skill {
  readonly name: string;
  readonly description: string;
  readonly type: string;
  readonly url: string;
  readonly digest: string;
}

const SKILLS = '/.well-known/skills';
const json = async (path: string) => JSON.parse((await get(path)).text);
const skillFiles = async (): Promise<string[]> =>
  (await json(`${SKILLS}/index.json`)).skills.flatMap(
    ({ name, files }: { readonly name: string; readonly files: readonly string[] }) =>
      files.map((file) => `${SKILLS}/${name}/${file}`),
  );

test('each skill of the index is a SKILL.md by the rules of agentskills.io', async () => {
  const { skills } = await json(`${SKILLS}/index.json`);
  assert.equal(skills.length, 2);
  for (const { name, description, files } of skills) {
    assert.match(name, /^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/);
    assert.ok(description.length > 0 && description.length <= 1_024);
    assert.deepEqual(files, ['SKILL.md']);
    const { status, headers, text: md } = await get(`${SKILLS}/${name}/SKILL.md`);
    assert.equal(status, 200);
    assert.match(headers['content-type'] ?? '', /^text\/markdown/);
    const [, front = '', body = ''] = /^---\n([\s\S]*?)\n---\n\n([\s\S]+)$/.exec(md) ?? [];
    assert.deepEqual(front.split('\n'), [`name: ${name}`, `description: ${JSON.stringify(description)}`]);
    assert.ok(body.split('\n').length < 500 && body.includes(base));
  }
  assert.equal((await get(`${SKILLS}/other/SKILL.md`)).status, 404);
});

test('the index of Agent Skills Discovery 0.2.0 has each skill with the SHA-256 of what its URL serves', async () => {
  const path = '/.well-known/agent-skills/index.json';
  const { $schema, skills } = await json(path);
  assert.equal($schema, 'https://schemas.agentskills.io/discovery/0.2.0/schema.json');
  const earlier = (await json(`${SKILLS}/index.json`)).skills;
  assert.deepEqual(
    skills.map(({ name, description }: Skill) => ({ name, description, files: ['SKILL.md'] })),
    earlier,
  );
  for (const { type, url, digest } of skills as readonly Skill[]) {
    assert.equal(type, 'skill-md');
    const { status, text: md } = await get(new URL(url, `${base}${path}`).pathname);
    assert.deepEqual([status, digest], [200, `sha256:${createHash('sha256').update(md).digest('hex')}`]);
  }
  assert.equal((await get('/.well-known/agent-skills/other/SKILL.md')).status, 404);
});

test('what is asked for under a forged Host names the service by its own URL alone', async () => {
  const paths = [
    ...(await skillFiles()),
    ...[`${SKILLS}/index.json`, '/.well-known/agent-skills/index.json'],
    ...['/.well-known/api-catalog', '/.well-known/mcp/server-card.json', '/.well-known/ai-catalog.json'],
    ...['/openapi.json', '/llms-full.txt', '/llms.txt', '/ard/agents'],
  ];
  for (const path of paths) {
    const { text: body, headers, status } = await get(path, 'evil.example');
    assert.ok(status === 200 || status === 400 || status === 421, `${path}: ${status}`);
    assert.ok(!(body + JSON.stringify(headers)).includes('evil.example'), path);
  }
});

test('the commands of the skill work as they are pasted', async () => {
  const { text: md } = await get(`${SKILLS}/mailroom/SKILL.md`);
  const commands = [...md.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, command = '']) => command);
  assert.equal(commands.length, 3);
  for (const command of commands) {
    const env = { PATH: process.env.PATH, MAILROOM_KEY: service.ownerKey };
    const { stdout } = spawnSync('sh', ['-c', command], { encoding: 'utf8', env });
    const answer = JSON.parse(stdout);
    if (command.includes('/ard/')) assert.ok(answer.results.length > 0, stdout);
    else assert.equal(answer.status, 'completed', stdout);
  }
});

test('the API catalog is a linkset whose links are all there', async () => {
  const { headers, text: body } = await get('/.well-known/api-catalog');
  assert.match(
    headers['content-type'] ?? '',
    /^application\/linkset\+json; profile="https:\/\/www\.rfc-editor\.org\/info\/rfc9727"/,
  );
  const { linkset } = JSON.parse(body) as { linkset: ({ anchor: string } & Record<string, { href: string }[]>)[] };
  for (const { anchor, ...relations } of linkset) {
    assert.ok(anchor.startsWith(`${base}/`));
    for (const { href } of Object.values(relations as Record<string, { href: string }[]>).flat())
      assert.equal((await get(href.slice(base.length))).status, 200, href);
  }
  const head = await get('/.well-known/api-catalog', undefined, 'HEAD');
  assert.equal(head.headers.link, `<${base}/.well-known/api-catalog>; rel="api-catalog"`);
});

test('the server card of the service leads to its MCP server', async () => {
  const { headers, text: body } = await get('/.well-known/mcp/server-card.json');
  assert.equal(headers['content-type'], 'application/mcp-server-card+json');
  const { name, description, version, remotes } = JSON.parse(body);
  assert.match(name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  assert.ok(name.length <= 200 && description.length <= 100 && version !== '');
  const initialize = {
    ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  };
  const answer = await fetch(remotes[0].url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${service.ownerKey}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(initialize),
  });
  assert.match(await answer.text(), /"protocolVersion":"2025-11-25"/);
});

test('the description of the API and all docs are each one document', async () => {
  assert.deepEqual(await json('/openapi.json'), await json('/api/v1/openapi.json'));
  const { headers, text: full } = await get('/llms-full.txt');
  assert.match(headers['content-type'] ?? '', /^text\/plain/);
  assert.ok(full.length > 100_000);
  for (const title of ['# Operations', '# MCP', '# A2A', '# Problems']) assert.ok(full.includes(title), title);
});

interface Entry {
  readonly identifier: string;
  readonly type: string;
  readonly url: string;
  readonly score: number;
}

test('the registry finds listed addresses by what they do, and never others', async () => {
  const home = await newNamespace();
  const word = unique('zebra');
  const listed = await newMailbox(home, { description: `Knows ${word} and lions.` });
  await newMailbox(home, { description: `Hides ${word}.`, visibility: 'unlisted' });
  await newMailbox(home, { description: `Locks ${word}.`, access: 'key' });
  const search = async (body: unknown) =>
    fetch(`${base}/ard/search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const found = await (await search({ query: { text: `find me a ${word} for my lions` }, pageSize: 50 })).json();
  const { results } = found as { results: Entry[] };
  const [first] = results;
  assert.ok(results.length >= 3 && first?.url.includes(listed.address), JSON.stringify(results));
  assert.equal(first?.score, 100);
  assert.equal(results.filter(({ score }) => score === 100).length, 3);
  const filter = { type: ['application/mcp-server-card+json'] };
  const cards = await (await search({ query: { text: word, filter } })).json();
  assert.deepEqual(
    (cards as { results: Entry[] }).results.map(({ type, url }) => [type, new URL(url).pathname]),
    [['application/mcp-server-card+json', `/mcp/${listed.address}/server-card`]],
  );
  const nothing = await search({ query: { text: unique('nothing') } });
  assert.deepEqual(await nothing.json(), { results: [] });
  const refused = await search({ query: { text: word, filter: { 'trustManifest.identity': 'x' } } });
  assert.equal(refused.status, 400);
  assert.equal(((await refused.json()) as { errorCode: string }).errorCode, 'INVALID_ARGUMENT');
});

test('the list of the registry has every listed address once, page by page', async () => {
  const home = await newNamespace();
  for (let made = 0; made < 3; made++) await newMailbox(home);
  const seen: string[] = [];
  for (let token: string | undefined; ; ) {
    const page = await json(`/ard/agents?pageSize=6${token === undefined ? '' : `&pageToken=${token}`}`);
    assert.ok(page.items.length <= 6);
    seen.push(...page.items.map(({ identifier }: Entry) => identifier));
    if (page.pageToken === undefined) break;
    token = page.pageToken;
  }
  assert.equal(new Set(seen).size, seen.length);
  assert.equal(seen.filter((one) => one.includes(`:${home.name}.`)).length, 9);
  const pages = await json(`/ard/agents?filter=${encodeURIComponent("type = 'text/html'")}&pageSize=100`);
  assert.ok(pages.items.every(({ type }: Entry) => type === 'text/html'));
  assert.equal((await get('/ard/agents?filter=displayName')).status, 400);
});

test('the catalog names the registry, and the paths of the registry are reserved names', async () => {
  const { entries } = await json('/.well-known/ai-catalog.json');
  const registry = entries.filter(({ type }: Entry) => type === 'application/ai-registry+json');
  assert.deepEqual([registry.length, registry[0].url], [1, `${base}/ard`]);
  for (const name of ['ard', 'search', 'python', 'skills'])
    assert.equal((await api('POST', '/namespaces', { body: { name } })).status, 422);
});
