// Other programs: caddy, postfix.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { settings } from '@mailroom/server/config';
import { parse } from 'yaml';
import { newFolder, removeFolder, runMain } from '../harness/service.ts';

const DEPLOY = join(import.meta.dirname, '../../deploy');
const folder = newFolder();
after(() => removeFolder(folder));
chmodSync(folder, 0o755);

interface Service {
  readonly image: string;
  readonly build?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly depends_on?: readonly string[] | Readonly<Record<string, unknown>>;
  readonly network_mode?: string;
  readonly ports?: readonly string[];
  readonly restart?: string;
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, null>>;
}

const compose: Compose = parse(readFileSync(join(DEPLOY, 'compose.yml'), 'utf8'));
const GIVEN = { MAIL_HOST: 'mail.example.net', MAIL_DOMAIN: 'agents.example.net', POSTGRES_PASSWORD: 'aB3' };

/** Values as Compose fills them in: `${NAME}` and `${NAME:?why it is needed}`. */
const filled = (environment: Readonly<Record<string, string>> = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      String(value).replace(
        /\$\{(\w+)(?::\?[^}]*)?\}/g,
        (_, key: string) => GIVEN[key as keyof typeof GIVEN] ?? assert.fail(key),
      ),
    ]),
  );

test('each service of the file has an image, a place for what it keeps, and those that it waits for', () => {
  assert.deepEqual(Object.keys(compose.services).sort(), ['caddy', 'mailroom', 'postfix', 'postgres']);
  for (const [name, { image, build, volumes = [], depends_on = [], restart }] of Object.entries(compose.services)) {
    assert.ok(build !== undefined || /^[a-z]+:\d+$/.test(image), `${name} is pinned to a major version`);
    if (build !== undefined) assert.ok(existsSync(join(DEPLOY, build, 'Dockerfile')), name);
    assert.equal(restart, 'unless-stopped', name);
    for (const volume of volumes) {
      const [source = ''] = volume.split(':');
      assert.ok(source.startsWith('./') ? existsSync(join(DEPLOY, source)) : source in compose.volumes, volume);
    }
    for (const other of Array.isArray(depends_on) ? depends_on : Object.keys(depends_on))
      assert.ok(other in compose.services, `${name} waits for ${other}`);
  }
});

test('the service has settings that there are, with values that it takes', async () => {
  const env = filled(compose.services.mailroom?.environment);
  for (const name of Object.keys(env)) assert.ok(name in settings, name);
  for (const [name, value] of Object.entries(env))
    assert.ok('value' in settings[name as keyof typeof settings].parse(value), `${name}=${value}`);
  // It begins with them, and ends as the database is not there.
  const run = runMain([], { ...env, DATABASE_URL: 'postgres://a:b@127.0.0.1:1/m', DATABASE_SECONDS: '0' });
  assert.deepEqual(await run.exited, { code: 1, signal: null });
  assert.match(run.stderr(), /DATABASE_URL cannot be opened/);
});

const has = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

test("Caddy takes its file, with the service's name and node", { skip: !has('caddy') && 'needs caddy' }, () => {
  const env = { PATH: process.env.PATH, HOME: folder, ...filled(compose.services.caddy?.environment) };
  const adapted = spawnSync('caddy', ['adapt', '--config', join(DEPLOY, 'Caddyfile')], { encoding: 'utf8', env });
  assert.equal(adapted.status, 0, adapted.stderr);
  assert.match(adapted.stdout, /"host":\["mail\.example\.net"\]/);
  assert.deepEqual(adapted.stdout.match(/"dial":"[^"]+"/g), ['"dial":"mailroom:8080"']);
});

test('Postfix is configured as its container does it', { skip: !has('postconf') && 'needs postfix' }, () => {
  const postfixFolder = join(folder, 'postfix');
  mkdirSync(postfixFolder);
  const certificates = join(folder, 'certificates');
  mkdirSync(certificates);
  const start = (): string => {
    const env = { PATH: process.env.PATH, ...filled(compose.services.postfix?.environment), CHECK_ONLY: '1' };
    const places = { CONFIG: postfixFolder, CERTIFICATES: certificates };
    const ran = spawnSync('sh', [join(DEPLOY, 'postfix/start')], { encoding: 'utf8', env: { ...env, ...places } });
    assert.equal(ran.status, 0, ran.stderr);
    return spawnSync('postconf', ['-c', postfixFolder, '-n'], { encoding: 'utf8' }).stdout;
  };
  const without = start();
  assert.match(without, /^relay_domains = agents\.example\.net \.agents\.example\.net$/m);
  assert.match(without, /^relay_transport = mailroom:inet:127\.0\.0\.1:2424$/m);
  assert.match(without, /^smtpd_tls_security_level = none$/m);
  assert.doesNotMatch(without, /example\.com/);
  writeFileSync(join(certificates, `${GIVEN.MAIL_HOST}.crt`), '');
  const withOne = start();
  assert.match(withOne, /^smtpd_tls_cert_file = .*mail\.example\.net\.crt$/m);
  assert.match(withOne, /^smtpd_tls_security_level = may$/m);
  // By this it reaches the service, and the service it.
  assert.equal(compose.services.postfix?.network_mode, 'service:mailroom');
  assert.equal(filled(compose.services.mailroom?.environment).SMTP_LISTEN, '127.0.0.1:2424');
});
