// Other programs: npm, Node 20.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { HELLO, unique } from '../../../tests/harness/client.ts';
import { newFolder, removeFolder, sharedService } from '../../../tests/harness/service.ts';
import { finished, lacksOldNode, OLD_NODE } from './old-node.ts';

const { url, port } = await sharedService();
const folder = newFolder();
const packed = join(folder, 'node_modules/@mailroom/client');
after(() => removeFolder(folder));

before(async () => {
  const args = ['install', '--no-audit', '--no-fund', '--prefer-offline', '--prefix', folder, `${url}/client.tgz`];
  const { status, stderr } = await finished('npm', args, { npm_config_cache: join(folder, 'cache') }, { cwd: folder });
  assert.equal(status, 0, stderr);
});

test('npm installs the client from the service, with types, a license and nothing else', async () => {
  const manifest = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8'));
  const own = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8'));
  assert.equal(manifest.version, own.version);
  assert.ok(readFileSync(join(packed, manifest.types), 'utf8').length > 0);
  assert.match(readFileSync(join(packed, 'LICENSE'), 'utf8'), /MIT/);
  const installed = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'));
  assert.deepEqual(installed, ['@mailroom']);
  assert.equal(existsSync(join(packed, 'node_modules')), false);
});

test('the installed package works by its name', async () => {
  const program = `
    import { Mailroom } from '@mailroom/client';
    const { key } = await new Mailroom().namespaces.create({ name: '${unique()}' });
    const mailroom = new Mailroom({ key: key.secret });
    const behavior = ${JSON.stringify(HELLO)};
    const { address } = await mailroom.mailboxes.create(key.namespace, { local_part: 'a', behavior });
    console.log((await mailroom.send(address, 'Who are you?').reply()).body);
  `;
  const args = ['--input-type=module', '-e', program];
  const { status, stdout, stderr } = await finished(process.execPath, args, { MAILROOM_URL: url }, { cwd: folder });
  assert.equal(status, 0, stderr);
  assert.equal(stdout, `${HELLO.settings.introduction}\n`);
});

test('npx runs the command line from the service, on a machine with Node 20 alone', {
  skip: lacksOldNode,
}, async () => {
  const namespace = unique();
  const env = {
    PATH: `${dirname(OLD_NODE)}:${process.env.PATH}`,
    npm_config_cache: join(folder, 'cache'),
    XDG_CONFIG_HOME: folder,
    MAILROOM_URL: url,
  };
  const out = async (program: string, args: readonly string[]): Promise<string> => {
    const { status, stdout, stderr } = await finished(program, args, env, { cwd: folder });
    assert.equal(status, 0, stderr);
    return stdout;
  };
  const npx = (...args: readonly string[]) => out('npx', ['--yes', `${url}/client.tgz`, ...args]);
  // What npx runs, without what npm itself costs.
  const mailroom = (...args: readonly string[]) => out(join(folder, 'node_modules/.bin/mailroom'), args);
  await mailroom('new', namespace);
  const settings = JSON.stringify(HELLO.settings);
  const address = (await mailroom('address', 'add', 'a', '--settings', settings)).trim();
  assert.equal(await npx('send', address, 'Who are you?'), `${HELLO.settings.introduction}\n`);
});

test('the package is the same for each request, and a copy that is current is not sent again', async () => {
  const [one, other] = await Promise.all([fetch(`${url}/client.tgz`), fetch(`${url}/client.tgz`)]);
  assert.equal(one.headers.get('content-type'), 'application/gzip');
  const bytes = Buffer.from(await one.arrayBuffer());
  assert.ok(bytes.equals(Buffer.from(await other.arrayBuffer())));
  const again = await fetch(`${url}/client.tgz`, { headers: { 'if-none-match': one.headers.get('etag') ?? '' } });
  assert.equal(again.status, 304);
  assert.equal((await fetch(`${url}/client.tgz`, { method: 'HEAD' })).headers.get('content-length'), `${bytes.length}`);
});

test('llms.txt and the docs name the package', async () => {
  const command = `npm install http://localhost:${port}/client.tgz`;
  for (const path of ['llms.txt', 'docs/client.md']) {
    assert.ok((await (await fetch(`${url}/${path}`)).text()).includes(command), path);
  }
});
