import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openModelServer } from '../../../../tests/harness/model-server.ts';
import { openRemote } from '../../../../tests/harness/remotes.ts';
import { inTrace } from '../../core/ports/tracing.ts';
import { Model } from '../../model/model.ts';
import { OutsideHttp } from '../../net/outside/index.ts';
import { PeerHttp } from '../../net/peer-http.ts';

const TRACE = '00-a3ce929d0e0e4736b3ce929d0e0e4736-00f067aa0ba902b7-01';
const guard = { resolve: async () => [], trusts: () => true, user_agent: 'x' };
const { signal } = new AbortController();

/** Sends once in a trace and once in none, to a server that refuses. The traces that it got. */
async function tracesOf(request: (url: string) => Promise<unknown>): Promise<(string | undefined)[]> {
  const got: (string | undefined)[] = [];
  const { url } = await openRemote(({ headers }, response) => {
    got.push(headers.traceparent as string | undefined);
    response.writeHead(404).end();
  });
  await inTrace(TRACE, () => request(url)).catch(() => {});
  assert.ok(got.length > 0 && got.every((trace) => trace === TRACE), String(got));
  got.length = 0;
  await request(url).catch(() => {});
  return got;
}

test('a request to another server belongs to the trace of what causes it, and to none without one', async () => {
  await using peers = new PeerHttp(guard);
  await using outside = new OutsideHttp(guard);
  const limits = { ms: 20_000, bytes: 100_000, signal };
  const requests = [
    (url: string) => peers.request(new URL(url), { method: 'GET', headers: {}, bytes: 1_000, signal }),
    (url: string) => outside.list({ kind: 'mcp', url: `${url}/mcp` }, limits),
    (url: string) => outside.list({ kind: 'a2a', url }, limits),
  ];
  for (const request of requests) assert.ok((await tracesOf(request)).every((trace) => trace === undefined));
});

test('a request to a model belongs to the trace of what causes it', async () => {
  await using server = await openModelServer();
  const model = new Model({ base_url: server.url, name: 'tiny', step_ms: 60_000 });
  const step = () =>
    model.step({ system: 'Be short.', messages: [{ role: 'user', text: 'Hi' }], tools: [], signal, max_tokens: 9 });
  await inTrace(TRACE, step);
  await step();
  assert.deepEqual(
    server.requests.map(({ headers }) => headers.traceparent),
    [TRACE, undefined],
  );
});
