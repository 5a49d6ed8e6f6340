import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Namespace } from '@mailroom/server/core/entities/namespace';
import { startInside } from '../../../../tests/harness/inside.ts';
import { mailboxOf } from '../store/made.ts';

const COUNT = 1_200;
const PAGE = 100;
const inside = await startInside();
after(() => inside.stop());
const { client, store } = inside;
const { name } = await client.newNamespace();
const namespace = (await store.namespaces.byName(name)) as Namespace;
const description = (n: number): string => (n === COUNT - 1 ? 'Keeps ledgers of zebras.' : `Keeps ledger ${n}.`);
await Promise.all(
  Array.from({ length: COUNT }, (_, n) =>
    store.mailboxes.create(mailboxOf(namespace, `clerk${n}`, { description: description(n) })),
  ),
);

interface Found {
  readonly results: readonly { readonly url: string; readonly score: number }[];
  readonly pageToken?: string;
}

async function search(text: string, pageToken?: string, pageSize = PAGE): Promise<Found> {
  const query = { text, filter: { type: 'text/html' } };
  const body = { query, pageSize, ...(pageToken !== undefined && { pageToken }) };
  const { status, body: found, text: answer } = await client.api<Found>('POST', '//ard/search', { body });
  assert.equal(status, 200, answer);
  return found;
}

test('what the last of many addresses says alone is found, and what says more is first', async () => {
  assert.deepEqual(
    (await search('zebras')).results.map(({ url, score }) => [new URL(url).pathname, score]),
    [[`/clerk${COUNT - 1}@${name}.mailroom.localhost`, 100]],
  );
  const [first, second] = (await search('a ledger of zebras')).results;
  assert.match(first?.url ?? '', new RegExp(`/clerk${COUNT - 1}@`));
  assert.deepEqual([first?.score, second?.score], [100, 50]);
});

test('the pages of a search have each of more than 1,000 addresses once', async () => {
  const urls: string[] = [];
  for (let token: string | undefined; ; ) {
    const { results, pageToken }: Found = await search('ledger', token);
    assert.equal(results.length, PAGE);
    urls.push(...results.map(({ url }) => url));
    if (pageToken === undefined) break;
    token = pageToken;
  }
  assert.deepEqual([urls.length, new Set(urls).size], [COUNT, COUNT]);
});

test('pages of a size that no address fills have each entry of all types once', async () => {
  const urls: string[] = [];
  for (let token = '0'; ; ) {
    const body = { query: { text: 'zebras' }, pageSize: 2, pageToken: token };
    const { results, pageToken } = (await client.api<Found>('POST', '//ard/search', { body })).body;
    urls.push(...results.map(({ url }) => url));
    if (pageToken === undefined) break;
    token = pageToken;
  }
  assert.deepEqual([urls.length, new Set(urls).size], [3, 3]);
});

/** The names before the `@` of all these URLs, those of this namespace. */
const localParts = (urls: readonly string[]): readonly string[] =>
  urls.flatMap((url) => new RegExp(`/(clerk\\d+)@${name}\\.`).exec(url)?.[1] ?? []);
const everyone = Array.from({ length: COUNT }, (_, n) => `clerk${n}`).toSorted();

const NESTED = 'application/ai-catalog+json';
for (const path of ['.well-known/ai-catalog.json', `${name}/ai-catalog.json`])
  test(`/${path} is read in pages that its first one names, each address once`, async () => {
    const read = async (url: string) => {
      const { text } = await client.api('GET', `//${url}`);
      return (JSON.parse(text) as { entries: { type: string; url: string }[] }).entries;
    };
    const first = await read(path);
    const further = first.filter(({ type }) => type === NESTED).map(({ url }) => url);
    const pages = await Promise.all(further.map((url) => read(url.slice(inside.url.length + 1))));
    assert.ok(pages.flat().every(({ type }) => type !== NESTED));
    const cards = [first, ...pages].flat().filter(({ url }) => url.includes('/a2a/'));
    assert.deepEqual(localParts(cards.map(({ url }) => url)).toSorted(), everyone);
  });

test('the sitemap of many addresses is an index, and its files name each address and namespace and the docs', async () => {
  const locations = async (path: string) => {
    const { text, status } = await client.api('GET', `//${path}`);
    assert.equal(status, 200, text);
    return [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => url as string);
  };
  const files = await locations('sitemap.xml');
  assert.deepEqual(
    files,
    [1, 2].map((page) => `${inside.url}/sitemap.xml?page=${page}`),
  );
  const urls = (await Promise.all(files.map((url) => locations(url.slice(inside.url.length + 1))))).flat();
  assert.deepEqual(localParts(urls).toSorted(), everyone);
  for (const path of ['docs', name]) assert.ok(urls.includes(`${inside.url}/${path}`), path);
  assert.equal((await client.api('GET', '//sitemap.xml?page=3')).status, 404);
  assert.equal((await client.api('GET', '//sitemap.xml?page=0')).status, 422);
});
