import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Browser } from './browser.ts';
import { newClient, newHome, startNode } from './house.ts';

const node = await startNode();
after(() => node[Symbol.asyncDispose]());

test('a path that is none is not there, however many slashes it has, and breaks nothing', async () => {
  const { url } = await newHome(node);
  for (const below of ['//', '///', '//x:99999', '/auth//', '/.well-known//']) {
    assert.equal((await new Browser().get(url + below)).status, 404, below);
  }
  assert.deepEqual(node.errors, []);
});

test('what a browser of nobody leaves by asking to sign out is over in minutes', async () => {
  const home = await newHome(node);
  const { id } = await newClient(node, home);
  const asked = new URLSearchParams({ client_id: id, post_logout_redirect_uri: 'https://service.example/bye' });
  const { status, headers } = await new Browser().get(`${home.url}/session/end?${asked}`);
  assert.equal(status, 200);
  const ends = headers.getSetCookie().map((line) => /expires=([^;]+)/.exec(line)?.[1]);
  assert.ok(ends.length > 0);
  for (const end of ends) assert.ok(Date.parse(String(end)) <= Date.now() + 11 * 60_000, String(end));
});
