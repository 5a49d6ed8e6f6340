import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { startHttps } from '../../../tests/harness/https.ts';
import { newFolder, removeFolder, serve } from '../../../tests/harness/service.ts';
import { tlsFinding } from '../src/doctor/certificate.ts';
import type { Finding } from '../src/doctor/finding.ts';
import { mailroomCommand } from './command.ts';
import { scriptedServer } from './scripted-server.ts';

const folder = newFolder();
after(() => removeFolder(folder));
const service = await serve();
const localUrl = `http://localhost:${service.port}`;

async function doctor(url: string, key = '') {
  const env = { XDG_CONFIG_HOME: folder, MAILROOM_URL: url, MAILROOM_KEY: key };
  const { status, stdout, stderr } = await mailroomCommand(['doctor', '--json'], env);
  assert.match(stdout, /^\[/, stderr);
  const findings = JSON.parse(stdout) as Finding[];
  return { status, found: (check: string) => findings.find((one) => one.check === check) };
}

/** The service as a proxy shows it that changes answers to some paths. */
async function behind(path: string, status: number, headers: Record<string, string> = {}): Promise<string> {
  const server = createServer((incoming, answer) => {
    const changed = incoming.url?.startsWith(path) === true;
    if (changed && status !== 200) return void answer.writeHead(status).end();
    const target = { host: '127.0.0.1', port: service.port, path: incoming.url, method: incoming.method };
    const forwarded = request({ ...target, headers: incoming.headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, { ...response.headers, ...(changed && headers) });
      response.pipe(answer);
    });
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a service that works is found so, by a guest and with a key', async () => {
  const guest = await doctor(localUrl);
  assert.deepEqual([guest.status, guest.found('key')?.status, guest.found('mcp')?.status], [0, 'skip', 'ok']);
  const { status, found } = await doctor(localUrl, service.ownerKey);
  assert.deepEqual([status, found('key')?.found, found('mcp')?.status], [0, 'of agents', 'ok']);
  assert.match(found('a2a')?.found ?? '', /answered a message/);
});

test('for a person there is a line each, and what to do below', async () => {
  const env = { XDG_CONFIG_HOME: folder, MAILROOM_URL: localUrl };
  const { stdout } = await mailroomCommand(['doctor'], env);
  assert.match(stdout, /^ok {4}service +answers at http/);
  assert.match(stdout, /^skip {2}key +no key\n +Set MAILROOM_KEY/m);
  assert.match(stdout, /Nothing is wrong\.\n$/);
});

test('a service that is not there, or is another program, fails with what to do', async () => {
  const absent = await doctor('http://127.0.0.1:9');
  assert.equal(absent.status, 1);
  assert.match(absent.found('service')?.advice ?? '', /npm start/);
  const { url } = await scriptedServer((_, response) => void response.end('Hello'));
  const other = await doctor(url);
  assert.deepEqual([other.status, other.found('service')?.status], [1, 'fail']);
  assert.match(other.found('service')?.found ?? '', /another program/);
});

test('a key that is refused fails, and guests are looked at still', async () => {
  const { status, found } = await doctor(localUrl, `mr_live_${'x'.repeat(46)}`);
  assert.deepEqual([status, found('key')?.status, found('mcp')?.status], [1, 'fail', 'ok']);
  assert.match(found('key')?.advice ?? '', /owner-key/);
});

test('a proxy that hands on no MCP, or no A2A, is found out', async () => {
  const noMcp = await doctor(await behind('/mcp', 404));
  assert.deepEqual([noMcp.status, noMcp.found('mcp')?.status], [1, 'fail']);
  assert.match(noMcp.found('mcp')?.advice ?? '', /proxy/);
  const noA2a = await doctor(await behind('/a2a', 404));
  assert.deepEqual([noA2a.status, noA2a.found('a2a')?.status], [1, 'fail']);
});

test('a service whose clock is wrong is found out, and one whose database takes no writes', async () => {
  const late = new Date(Date.now() - 60_000).toUTCString();
  const { found } = await doctor(await behind('/livez', 200, { date: late }));
  assert.equal(found('clock')?.status, 'fail');
  assert.match(found('clock')?.advice ?? '', /NTP/);
  const full = await doctor(await behind('/readyz', 503));
  assert.match(full.found('service')?.found ?? '', /cannot write/);
});

test('a certificate is looked at as it is served: trusted, ended, or none', async () => {
  await using server = await startHttps(['localhost'], (_, response) => void response.end());
  const url = new URL(`https://localhost:${server.port}`);
  assert.match((await tlsFinding('tls', url, Date.now())).found, /^the certificate for localhost (ends|is valid)/);
  const ended = await tlsFinding('tls', url, Date.now() + 3 * 86_400_000);
  assert.equal(ended.status, 'fail');
  assert.match(`${ended.found} ${ended.advice}`, /expired .*Renew/);
  assert.match(
    (await tlsFinding('tls', new URL(`https://localhost:${server.port + 1}`), Date.now())).found,
    /no TLS at/,
  );
});
