import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, unique } from '../../../../tests/harness/client.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import { MAIL_DOMAIN } from '../../../../tests/harness/wire.ts';

const service = await sharedService();
const { newNamespace, newMailbox, change, api } = connect(service.url);

interface Entry {
  readonly identifier: string;
  readonly type: string;
  readonly url: string;
  readonly displayName?: string;
  readonly description?: string;
  readonly representativeQueries?: readonly string[];
  readonly data?: unknown;
}
interface Catalog {
  readonly specVersion: string;
  readonly host: { readonly displayName: string };
  readonly entries: readonly Entry[];
}
interface ServerCard {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly remotes: readonly [{ readonly type: string; readonly url: string }];
}

const WELL_KNOWN = '/.well-known/ai-catalog.json';
const NESTED = 'application/ai-catalog+json';
const get = (path: string, headers: Record<string, string> = {}) => fetch(service.url + path, { headers });
const catalogAt = async (path: string): Promise<Catalog> => {
  const response = await get(path);
  assert.equal(response.status, 200, path);
  return (await response.json()) as Catalog;
};
/** The path of a URL that the service states, whose host may be another name of this machine. */
const pathOf = (url: string): string => new URL(url).pathname + new URL(url).search;

/** Every entry of a catalog and of the catalogs nested in it, which nest no further. */
async function all(path: string): Promise<Entry[]> {
  const { entries } = await catalogAt(path);
  const further = entries.filter(({ type }) => type === NESTED);
  const pages = await Promise.all(further.map(async ({ url }) => (await catalogAt(pathOf(url))).entries));
  assert.ok(pages.flat().every(({ type }) => type !== NESTED));
  return [...entries.filter(({ type }) => type !== NESTED), ...pages.flat()];
}

test('a listed address is in the catalog with its agent card, its MCP server card and its page, and each of them is there', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home, {
    local_part: 'ada',
    display_name: 'Ada',
    description: 'Knows "engines".',
  });
  const { specVersion, host } = await catalogAt(WELL_KNOWN);
  assert.equal(specVersion, '1.0');
  assert.equal(host.displayName, 'Mailroom');
  const entries = (await all(WELL_KNOWN)).filter(({ url }) => url.includes(address));
  const publisher = `${home.name}.${MAIL_DOMAIN}`;
  assert.deepEqual(
    entries.map(({ identifier, type }) => [identifier, type]),
    [
      [`urn:air:${publisher}:a2a:ada`, 'application/a2a-agent-card+json'],
      [`urn:air:${publisher}:mcp:ada`, 'application/mcp-server-card+json'],
      [`urn:air:${publisher}:page:ada`, 'text/html'],
    ],
  );
  const [a2a, mcp, page] = entries as [Entry, Entry, Entry];
  assert.ok(entries.every((one) => one.data === undefined));
  assert.equal(((await (await get(pathOf(a2a.url))).json()) as { name: string }).name, 'Ada');
  const card = (await (await get(pathOf(mcp.url), { accept: mcp.type })).json()) as ServerCard;
  assert.match(card.name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  assert.equal(card.title, 'Ada');
  assert.equal(card.description, 'Knows "engines".');
  assert.equal(card.remotes[0].type, 'streamable-http');
  const initialized = await fetch(service.url + pathOf(card.remotes[0].url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    }),
  });
  assert.equal(initialized.status, 200);
  assert.match(await initialized.text(), /"protocolVersion":"2025-11-25"/);
  assert.deepEqual(
    entries.map(({ displayName }) => displayName),
    ['Ada', 'Ada', 'Ada'],
  );
  assert.equal(page.description, 'Knows "engines".');
  assert.match(await (await get(pathOf(page.url))).text(), /Knows &quot;engines&quot;/);
});

test('no identifier is there twice, and every entry has exactly what the format requires', async () => {
  const entries = await all(WELL_KNOWN);
  assert.ok(entries.length > 0);
  assert.equal(new Set(entries.map(({ identifier }) => identifier)).size, entries.length);
  for (const { identifier, type, url, displayName } of entries) {
    assert.ok((displayName ?? '') !== '', identifier);
    assert.match(identifier, /^urn:air:[a-z0-9.-]+:(?:a2a|mcp|page|registry):[a-z0-9._-]+$/);
    assert.ok(type.includes('/') && URL.canParse(url), identifier);
  }
});

test('each address of the house is in the catalog with two to five queries that it answers', async () => {
  const { entries } = await catalogAt('/agents/ai-catalog.json');
  assert.ok(entries.length > 0);
  for (const { identifier, representativeQueries: queries = [] } of entries)
    assert.ok(queries.length >= 2 && queries.length <= 5, `${identifier}: ${queries.join(', ')}`);
});

test('what is unlisted, for keys only or deleted is in no catalog from that moment on, and is named by no page of it', async () => {
  const home = await newNamespace();
  const catalogPath = `/${home.name}/ai-catalog.json`;
  const open = await newMailbox(home);
  const hidden = await newMailbox(home, { visibility: 'unlisted' });
  const closed = await newMailbox(home, { access: 'key' });
  const named = async (): Promise<string> => JSON.stringify([await all(WELL_KNOWN), await all(catalogPath)]);
  const first = await named();
  assert.ok(first.includes(open.address));
  assert.ok(!first.includes(hidden.address) && !first.includes(closed.address));
  const etag = (await get(catalogPath)).headers.get('etag') ?? '';
  await change(home.key, open.address, { visibility: 'unlisted' });
  assert.ok(!(await named()).includes(open.address));
  assert.equal((await get(catalogPath, { 'if-none-match': etag })).status, 200);
  await change(home.key, open.address, { visibility: 'listed', access: 'key' });
  assert.ok(!(await named()).includes(open.address));
  await change(home.key, open.address, { access: 'public' });
  assert.ok((await named()).includes(open.address));
  await api('DELETE', `/mailboxes/${open.address}`, { key: home.key });
  assert.ok(!(await named()).includes(open.address));
  for (const { address } of [open, hidden, closed]) {
    const { status } = await get(`/mcp/${address}/server-card`);
    assert.ok(status === 404 || status === 410, `${status} ${address}`);
  }
});

test('a catalog is cached by its ETag, answers HEAD, and may be read by pages of other sites', async () => {
  const response = await get(WELL_KNOWN);
  assert.equal(response.headers.get('content-type'), NESTED);
  assert.equal(response.headers.get('cache-control'), 'public, no-cache');
  assert.equal(response.headers.get('access-control-allow-origin'), '*');
  const plain = await get(WELL_KNOWN, { 'accept-encoding': 'identity' });
  assert.equal(plain.headers.get('content-type'), NESTED);
  const head = await fetch(service.url + WELL_KNOWN, { method: 'HEAD' });
  assert.equal(head.status, 200);
  assert.equal(head.headers.get('content-type'), NESTED);
  assert.equal(await head.text(), '');
  const home = await newNamespace();
  await newMailbox(home);
  const own = `/${home.name}/ai-catalog.json`;
  const etag = (await get(own)).headers.get('etag') ?? '';
  assert.match(etag, /^"[0-9a-f]+"$/);
  const again = await get(own, { 'if-none-match': `"x", W/${etag}` });
  assert.equal(again.status, 304);
  assert.equal(again.headers.get('etag'), etag);
});

test('a cursor from elsewhere and a namespace that does not exist get an error that says so', async () => {
  const bad = await get(`${WELL_KNOWN}?cursor=nonsense`);
  assert.equal(bad.status, 422);
  assert.equal(((await bad.json()) as { code: string }).code, 'validation_error');
  assert.equal((await get(`/${unique('none')}/ai-catalog.json`)).status, 404);
  assert.equal((await fetch(service.url + WELL_KNOWN, { method: 'POST' })).status, 405);
});

test('pages name the catalog that lists them, and llms.txt names all ways in', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home);
  const hidden = await newMailbox(home, { visibility: 'unlisted' });
  const linked = async (path: string): Promise<string | undefined> =>
    /<link rel="ai-catalog" type="application\/ai-catalog\+json" href="([^"]+)">/.exec(
      await (await get(path, { accept: 'text/html' })).text(),
    )?.[1];
  assert.equal(await linked('/'), '.well-known/ai-catalog.json');
  assert.equal(await linked(`/${home.name}`), `${home.name}/ai-catalog.json`);
  assert.equal(await linked(`/${address}`), `${home.name}/ai-catalog.json`);
  assert.equal(await linked(`/${hidden.address}`), undefined);
  const text = await (await get('/llms.txt')).text();
  for (const way of [
    WELL_KNOWN,
    '/auth.md',
    '/a2a/<address>',
    '/mcp/<address>',
    '/mail/send',
    '[E-mail]',
    '/<address>',
  ])
    assert.ok(text.includes(way), way);
  for (const [, url] of text.matchAll(/^- \[[^\]]+\]\((\S+?)\)/gm)) {
    const { status } = await get(pathOf(url as string), { accept: '*/*' });
    // An address of another file may be deleted since the text was read.
    const deleted = status === 410 && String(url).includes('@') && !String(url).includes(home.name);
    if (!String(url).endsWith('/events')) assert.ok(status === 200 || deleted, `${url} is ${status}`);
  }
});
