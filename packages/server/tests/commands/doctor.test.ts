import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { certificateFinding, type Finding } from '@mailroom/client/doctor';
import { openStore } from '@mailroom/server/store/open';
import { newCertificate } from '../../../../tests/harness/certificate.ts';
import { connect } from '../../../../tests/harness/client.ts';
import { startDns } from '../../../../tests/harness/dns.ts';
import { freePort, query, startPostgres } from '../../../../tests/harness/postgres.ts';
import { newFolder, removeFolder, run, serve } from '../../../../tests/harness/service.ts';
import { startSmtp } from '../../../../tests/harness/smtp.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const DAY_MS = 86_400_000;
const folder = newFolder();
after(() => removeFolder(folder));

const smtpPort = await freePort();
const SMTP_LISTEN = `127.0.0.1:${smtpPort}`;
const service = await serve({ env: { SMTP_LISTEN, WEBHOOK_NETWORKS: '127.0.0.1' } });
/** The settings of the service that runs. */
const SETTINGS = { PORT: String(service.port), DATABASE_URL: service.databaseUrl, SMTP_LISTEN };

/** `npm run doctor -- --json` with these settings. */
async function doctor(env: Readonly<Record<string, string>>, args: readonly string[] = []) {
  const ran = run(process.execPath, ['packages/server/commands/doctor.ts', '--json', '--wait', '30', ...args], {
    cwd: ROOT,
    env: { NODE_OPTIONS: process.env.NODE_OPTIONS ?? '', ...env },
  });
  const { code } = await ran.exited;
  const text = ran.stdout();
  assert.match(text, /^\[/, ran.stderr());
  const findings = JSON.parse(text) as Finding[];
  const findingsOf = (check: string): readonly Finding[] => findings.filter((one) => one.check === check);
  /** The one that failed, which tells what to do. */
  const failed = (check: string): Finding => {
    const found = findingsOf(check).find(({ status }) => status === 'fail');
    assert.ok(found !== undefined && found.advice !== '', text);
    assert.equal(code, 1);
    return found;
  };
  return { code, findings, of: findingsOf, failed, text };
}

/** What the house has of its own: keys, webhooks and messages; and all its keys, also revoked ones. */
async function contents() {
  const { api } = connect(service.url);
  const pages = await Promise.all(
    ['/keys', '/webhooks', '/mail/messages?direction=all', '/namespaces/agents/mailboxes'].map(
      async (path) =>
        (await api('GET', path, { key: service.ownerKey })).body as { readonly items: { readonly id: string }[] },
    ),
  );
  await using store = await openStore(service.databaseUrl, { alongside: true });
  const house = await store.namespaces.byName('agents');
  const keys = await store.keys.page({ namespace_id: house?.id ?? '', revoked: true }, null, 100);
  return [...pages, keys].map(({ items }) => items.map(({ id }) => id));
}

test('finds nothing wrong with a service that works, and leaves nothing behind', async () => {
  const contentsBefore = await contents();
  // The service is its own relay: a mail that leaves comes back.
  // As who follows the README has it in the environment: a key of another namespace.
  const { key: MAILROOM_KEY } = await connect(service.url).newNamespace();
  const env = { ...SETTINGS, SMTP_URL: `smtp://${SMTP_LISTEN}`, MAILROOM_KEY };
  const { code, findings, text, of } = await doctor(env);
  assert.deepEqual(
    // A read of the database may be slow on a busy machine.
    findings.filter(({ status, check }) => status === 'fail' || (status === 'warn' && check !== 'database')),
    [],
  );
  assert.equal(code, 0, text);
  for (const check of ['ports', 'disk', 'database', 'relay', 'service', 'clock', 'key', 'mcp', 'a2a', 'mail in'])
    assert.ok(
      of(check).some(({ status }) => status === 'ok'),
      `${check} in ${text}`,
    );
  for (const check of ['mail out', 'webhooks']) assert.equal(of(check)[0]?.status, 'ok', text);
  assert.deepEqual(await contents(), contentsBefore);
});

test('a port that another program took is named, with what to do', async () => {
  const other = createServer((_, response) => response.end('Welcome to nginx!')).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const PORT = String((other.address() as AddressInfo).port);
  const { failed, of } = await doctor({ ...SETTINGS, PORT });
  assert.match(failed('ports').found, new RegExp(`^PORT ${PORT} at .*another program`));
  assert.match(failed('ports').advice, /set PORT to another/);
  assert.equal(of('mail in')[0]?.status, 'skip');
  other.close();
  other.closeAllConnections();
});

test('a service that does not run, and mail that another program takes, are told how to start', async () => {
  const PORT = String(await freePort());
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const listen = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const { failed, of } = await doctor({ ...SETTINGS, PORT, SMTP_LISTEN: listen });
  assert.match(failed('ports').advice, /npm start/);
  assert.match(failed('service').advice, /npm start/);
  assert.match(of('ports').find(({ found }) => found.startsWith('SMTP_LISTEN'))?.advice ?? '', /set SMTP_LISTEN/);
  silent.close();
  silent.closeAllConnections();
});

test('a disk with less than what must be free is told so', async () => {
  const { failed } = await doctor({ ...SETTINGS }, ['--min-free', '999999999']);
  assert.match(failed('disk').found, /MiB free/);
  assert.match(failed('disk').advice, /RETENTION_DAYS/);
});

test('a wrong password for the relay is told apart from a relay that is not there', async () => {
  await using relay = await startSmtp({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: (_auth, _session, done) => done(Object.assign(new Error('No'), { responseCode: 535 })),
  });
  const refused = await doctor({ ...SETTINGS, SMTP_URL: `smtp://ada:s3cret-word@127.0.0.1:${relay.port}` });
  assert.match(refused.failed('relay').advice, /password in SMTP_URL/);
  assert.ok(!refused.text.includes('s3cret-word'));
  assert.equal(relay.arrived.length, 0);
  const absent = await doctor({ ...SETTINGS, SMTP_URL: `smtp://127.0.0.1:${await freePort()}` });
  assert.match(absent.failed('relay').advice, /cannot be reached/);
});

test('a relay that keeps a mail is found out by the mail that does not come back', async () => {
  await using relay = await startSmtp();
  const { of, failed } = await doctor({ ...SETTINGS, SMTP_URL: relay.url }, ['--wait', '1']);
  assert.equal(of('relay')[0]?.status, 'ok');
  assert.match(failed('mail out').found, /did not arrive/);
  assert.equal(relay.arrived.length, 1);
});

test('a wrong password for the database, and a database that is not there, get their advice', async () => {
  const rules = join(folder, 'pg_hba.conf');
  writeFileSync(rules, 'host all postgres all trust\nhost all all all scram-sha-256\n', { mode: 0o644 });
  chmodSync(folder, 0o755);
  await using postgres = await startPostgres('newest', [`hba_file=${rules}`]);
  const url = new URL(await postgres.newDatabase());
  await query(url.href, "create role ada login password 'right'");
  const wrong = new URL(url);
  [wrong.username, wrong.password] = ['ada', 'wr0ng'];
  const refused = await doctor({ ...SETTINGS, DATABASE_URL: wrong.href });
  assert.match(refused.failed('database').advice, /password in DATABASE_URL is wrong/);
  assert.ok(!refused.text.includes('wr0ng'));
  const absent = new URL(url);
  absent.pathname = '/no_such_database';
  const missing = await doctor({ ...SETTINGS, DATABASE_URL: absent.href });
  assert.match(missing.failed('database').advice, /createdb/);
  const empty = await doctor({ ...SETTINGS, DATABASE_URL: url.href });
  assert.equal(empty.of('database')[0]?.status, 'warn');
  assert.match(empty.of('database')[0]?.found ?? '', /^PostgreSQL \d+/);
  const gone = await doctor({ ...SETTINGS, DATABASE_URL: `postgres://a:b@127.0.0.1:${await freePort()}/m` });
  assert.match(gone.failed('database').advice, /start PostgreSQL/);
});

test('a database that no service made is none of ours to make', async () => {
  const path = join(folder, 'absent.db');
  const { of } = await doctor({ ...SETTINGS, DATABASE_URL: `sqlite:${path}` });
  assert.equal(of('database')[0]?.status, 'warn');
  assert.equal(spawnSync('ls', [path]).status, 2);
});

test('records that DNS does not have fail, each with what to publish', async () => {
  await using dns = await startDns({});
  const { failed, of } = await doctor({ ...SETTINGS, MAIL_DOMAIN: 'mail.test', DNS_SERVERS: dns.address });
  assert.match(failed('dns').advice, /Expected: /);
  assert.ok(of('dns').length > 3);
});

test('a certificate says how long it holds, and what to do about one that ended, ends soon or has another name', () => {
  const { cert } = newCertificate(folder, ['mail.test']);
  const certificate = new X509Certificate(readFileSync(cert));
  const expiry = (days: number, host = 'mail.test') =>
    certificateFinding('tls', certificate, { host, now: Date.now() + days * DAY_MS });
  assert.deepEqual([expiry(0).status, expiry(3).status, expiry(0, 'other.test').status], ['warn', 'fail', 'fail']);
  assert.match(expiry(3).found, /expired/);
  assert.match(expiry(3).advice, /certbot renew/);
  assert.match(expiry(0, 'other.test').advice, /other\.test/);
  assert.match(expiry(-3).advice, /clock/);
});
