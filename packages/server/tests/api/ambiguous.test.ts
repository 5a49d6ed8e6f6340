import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { dialogue, request, wire } from '../../../../tests/harness/raw.ts';
import { sharedService } from '../../../../tests/harness/service.ts';

const service = await sharedService();
const head = (...lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`;
const get = (...lines: string[]) => head('GET /livez HTTP/1.1', ...lines);

test('what a proxy and we could read differently is refused, and nothing behind it is read', async () => {
  for (const text of [
    get('Host: a.example', 'Host: b.example'),
    get('Host: a.example', 'hOST: a.example'),
    get('Host:'),
    get('Host: a.example b.example'),
    get('Host: user@a.example'),
    get('Host: a.example/path'),
    get('Host: a.example:port'),
    get('Host: a.example,b.example'.replace(',', ', ')),
    get('Host: [::1'),
    get('Host: a.example\r\n folded: yes'),
    get('Host: a.example\0'),
    get('Host: a.example', 'Authorization: Bearer one', 'authorization: Bearer two'),
    get('Host: a.example', 'Content-Length: 0', 'Content-Length: 0'),
    get('Host: a.example', 'Content-Length: 0', 'Transfer-Encoding: chunked'),
    get('Host: a.example', 'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'),
    get('Host: a.example', 'Transfer-Encoding: identity, chunked, identity'),
    get('Host: a.example', 'X-Long: one', ' two'),
    get('Host: a.example', 'Transfer-Encoding: gzip'),
    get('Host: a.example', 'Transfer-Encoding: gzip, chunked'),
    head('GET /livez HTTP/1.0', 'Transfer-Encoding: chunked'),
    head('GET http://b.example/livez HTTP/1.1', 'Host: a.example'),
    head('GET //b.example@a.example HTTP/1.1'),
    head('GET livez HTTP/1.1', 'Host: a.example'),
    head('GET * HTTP/1.1', 'Host: a.example'),
  ]) {
    const answer = await wire(service.port, { chunks: [text] });
    assert.equal(answer.status, 400, JSON.stringify(text));
    isProblem(answer, 'malformed_request');
    assert.equal(answer.headers.get('connection'), 'close', JSON.stringify(text));
    const all = await dialogue(service.port, text + request('GET', '/readyz'));
    assert.equal(all.match(/HTTP\/1\.1 \d/g)?.length, 1, JSON.stringify(all));
  }
});

/** A path of each route and of each mount, and some that are neither. */
async function everyPath(): Promise<readonly string[]> {
  const response = await fetch(`${service.url}/api/v1/openapi.json`);
  const { paths } = (await response.json()) as { paths: Record<string, object> };
  const a2a = '/a2a/hello@agents.mailroom.localhost';
  return [
    ...Object.keys(paths).map((path) => path.replace(/\{\w+\}/g, 'x')),
    ...['/oidc/agents/token', '/oidc/agents/auth', '/oidc/agents/reg', '/oidc/agents/sign-in/x', '/oidc/none/token'],
    ...['/.well-known/openid-configuration/oidc/agents', '/.well-known/oauth-authorization-server/oidc/agents'],
    ...[a2a, `${a2a}/v1/message:send`, `${a2a}/v1/tasks/x`, '/mcp', '/mcp/agents', '/livez', '/metrics', '/login'],
    ...['/', '/console', '/console/x', '/agents', '/hello@agents.mailroom.localhost', '/assets/x', '/nothing', '/%zz'],
  ];
}

test('a request whose length can be read in two ways is refused at every path, with a body and without', async () => {
  const paths = await everyPath();
  assert.ok(paths.length > 80, String(paths.length));
  const both = ['Content-Length: 0', 'Transfer-Encoding: chunked'];
  const heads = [both, both.toReversed(), ['Transfer-Encoding: gzip'], ['Transfer-Encoding: gzip, chunked']];
  const bodies = ['', '0\r\n\r\n', '2\r\n{}\r\n0\r\n\r\n'];
  for (const path of paths)
    await Promise.all(
      heads.map(async (lines, at) => {
        const method = ['POST', 'GET', 'DELETE'][(path.length + at) % 3];
        const first = [
          `${at < 2 ? 'POST' : method} ${path} HTTP/1.1`,
          'Host: localhost',
          'Content-Type: application/json',
        ];
        const body = bodies[(path.length + at) % bodies.length] as string;
        const all = await dialogue(service.port, head(...first, ...lines) + body + request('GET', '/readyz'));
        const name = `${first[0]} ${lines.join(', ')} ${JSON.stringify(body)}: ${all.slice(0, 300)}`;
        assert.match(all, /^HTTP\/1\.1 400 /, name);
        assert.match(all, /^connection: close\r$/im, name);
        assert.equal(all.match(/HTTP\/1\.1 \d/g)?.length, 1, name);
      }),
    );
});

test('a target in absolute form that names the host is that path', async () => {
  for (const target of ['http://a.example/livez', 'HTTP://A.example/livez?x=1']) {
    const answer = await wire(service.port, { chunks: [head(`GET ${target} HTTP/1.1`, 'Host: a.example')] });
    assert.equal(answer.status, 200, target);
  }
  assert.equal((await wire(service.port, { chunks: [request('GET', '/livez')] })).status, 200);
});
