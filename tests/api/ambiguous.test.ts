import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isProblem } from '../harness/problem.ts';
import { dialogue, request, wire } from '../harness/raw.ts';
import { sharedService } from '../harness/service.ts';

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
    assert.equal(all.match(/^HTTP\/1\.1 \d/gm)?.length, 1, JSON.stringify(all));
  }
});

test('a target in absolute form that names the host is that path', async () => {
  for (const target of ['http://a.example/livez', 'HTTP://A.example/livez?x=1']) {
    const answer = await wire(service.port, { chunks: [head(`GET ${target} HTTP/1.1`, 'Host: a.example')] });
    assert.equal(answer.status, 200, target);
  }
  assert.equal((await wire(service.port, { chunks: [request('GET', '/livez')] })).status, 200);
});
