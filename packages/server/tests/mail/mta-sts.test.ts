import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { after, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { newCertificate } from '../../../../tests/harness/certificate.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { dialogue, request } from '../../../../tests/harness/raw.ts';
import { newFolder, removeFolder } from '../../../../tests/harness/service.ts';
import { startSmtp } from '../../../../tests/harness/smtp.ts';
import type { DnsResolver } from '../../mail/writing/dns.ts';
import { stsMemory, stsPolicy, stsStored } from '../../mail/writing/mta-sts.ts';
import { mxDelivery } from '../../mail/writing/mx.ts';

const folder = newFolder();
after(() => removeFolder(folder));
const files = newCertificate(folder, ['mx1.outside.example']);
const certificate = { cert: readFileSync(files.cert), key: readFileSync(files.key) };
const POLICY = { id: '1', version: 'STSv1', mode: 'enforce', maxAge: 3_600, mx: ['mx1.outside.example'] } as const;

/** A domain whose policy cannot be looked up, since someone in between blocks it. */
const resolve: DnsResolver = async (name, type) => {
  if (name === 'outside.example' && type === 'MX') return [{ exchange: 'mx1.outside.example', priority: 10 }];
  if (name === 'mx1.outside.example' && type === 'A') return ['127.0.0.1'];
  throw Object.assign(new Error(name), { code: name.startsWith('_mta-sts') ? 'ESERVFAIL' : 'ENODATA' });
};
const mail = {
  id: 'dlv_0d8m3xk2q5v7w9y1a3c0',
  return_path: '',
  to: 'ada@outside.example',
  message: Buffer.from('Subject: Hi\r\n\r\nHello\r\n'),
  subject: 'Hi',
  text: 'Hello',
};

test('a policy that was fetched is enforced after a restart, until it expires: without TLS nothing is sent', async () => {
  const inside = await startInside();
  const policies = () => stsStored(inside.store.states, inside.now);
  const expires = new Date(inside.now() + 3_600_000).toISOString();
  await policies().set('outside.example', { ...POLICY, mx: [...POLICY.mx], expires });
  await inside.restart();
  await using plain = await startSmtp();
  await using secured = await startSmtp({ ...certificate, disabledCommands: [] });
  const deliver = (port: number, ca?: Buffer) =>
    mxDelivery({
      ...{ resolve, name: 'mail.test', trusts: () => true, port, policies: policies() },
      ...(ca === undefined ? {} : { ca }),
    })(mail, new AbortController().signal);
  for (const port of [plain.port, secured.port]) {
    const result = await deliver(port);
    assert.ok(result.kind === 'failed' && !result.permanent, 'it is tried again');
  }
  assert.deepEqual([plain.arrived, secured.arrived], [[], []]);
  assert.deepEqual(await deliver(secured.port, certificate.cert), { kind: 'sent' });
  inside.pass(3_600_000);
  assert.equal(await policies().get('outside.example'), undefined);
  assert.deepEqual(await deliver(plain.port), { kind: 'sent' });
});

test('a policy of thousands of servers, which takes time by its square to read, is not read', async (t) => {
  const names = newCertificate(folder, ['mta-sts.evil.example']);
  const [cert, key] = [readFileSync(names.cert, 'utf8'), readFileSync(names.key)];
  let servers = 3;
  const web = createServer({ cert, key }, (_request, response) => {
    const mx = Array.from({ length: servers }, (_, at) => `mx: ${at}.evil.example\r\n`).join('');
    response
      .writeHead(200, { 'content-type': 'text/plain' })
      .end(`version: STSv1\r\nmode: testing\r\n${mx}max_age: 60\r\n`);
  });
  const bound = await new Promise<boolean>((done) => {
    web.once('error', () => done(false)).listen(443, '127.0.0.77', () => done(true));
  });
  if (!bound) return t.skip('port 443 of 127.0.0.77 is for root, or taken');
  setDefaultCACertificates([...getCACertificates('default'), cert]);
  const found: DnsResolver = async (name, type) => {
    if (name === '_mta-sts.evil.example' && type === 'TXT') return [[`v=STSv1; id=${servers};`]];
    if (name === 'mta-sts.evil.example' && type === 'A') return ['127.0.0.77'];
    throw Object.assign(new Error(name), { code: 'ENODATA' });
  };
  const cache = stsMemory();
  const read = () => stsPolicy('evil.example', found, () => true, cache);
  try {
    const small = await read();
    assert.deepEqual([small.mode, small.mx?.length], ['testing', 3], String(small.error));
    servers = 2_500;
    const large = await read();
    assert.deepEqual([large.mode, large.mx?.length], ['testing', 3], 'the one that was fetched before');
    assert.match(String(large.error), /larger than 8192 bytes/);
  } finally {
    web.closeAllConnections();
    web.close();
  }
});

test('the policy of this service is at its own names alone, as text', async () => {
  const inside = await startInside({
    env: { MAIL_DOMAIN: 'mail.test', MTA_STS: 'testing', BASE_URL: 'https://mail.test' },
  });
  const ask = async (Host: string, at = inside): Promise<string> =>
    await dialogue(
      Number(new URL(at.client.url).port),
      request('GET', '/.well-known/mta-sts.txt', { Host, Connection: 'close' }),
    );
  for (const host of ['mta-sts.mail.test', 'MTA-STS.mail.test:443', 'mta-sts.agents.mail.test']) {
    const said = await ask(host);
    assert.match(said, /^HTTP\/1\.1 200 /, host);
    assert.match(said, /\r\ncontent-type: text\/plain; charset=utf-8\r\n/i);
    assert.ok(said.endsWith('\r\n\r\nversion: STSv1\r\nmode: testing\r\nmx: mail.test\r\nmax_age: 604800\r\n'), said);
  }
  for (const host of ['mail.test', 'mta-sts.example.com', 'mta-sts.mail.test.example.com', 'mta-stsxmail.test'])
    assert.match(await ask(host), /^HTTP\/1\.1 404 /, host);
  const off = await startInside({ env: { MAIL_DOMAIN: 'mail.test' } });
  assert.match(await ask('mta-sts.mail.test', off), /^HTTP\/1\.1 404 /);
});
