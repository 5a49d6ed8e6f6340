// Other programs: Python, pip.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { HELLO, unique } from '../../../tests/harness/client.ts';
import { newFolder, removeFolder, sharedService } from '../../../tests/harness/service.ts';
import { finished } from './old-node.ts';

const { url } = await sharedService();
const ROOT = join(import.meta.dirname, '../../..');
const SOURCE = join(ROOT, 'clients/python/mailroom_client');
const folder = newFolder();
after(() => removeFolder(folder));
const lacksPython = spawnSync('python3', ['--version']).status !== 0 && 'python3 is not on the PATH';
const lacksVenv =
  lacksPython || (spawnSync('python3', ['-c', 'import venv, ensurepip']).status !== 0 && 'python3 has no venv');

test('every file is Python 3.9, in its grammar', { skip: lacksPython }, async () => {
  const program =
    'import ast, sys\nfor name in sys.argv[1:]: ast.parse(open(name, encoding="utf-8").read(), name, feature_version=(3, 9))';
  const files = readdirSync(SOURCE).filter((name) => name.endsWith('.py'));
  const { status, stderr } = await finished('python3', ['-c', program, ...files.map((name) => join(SOURCE, name))], {});
  assert.equal(status, 0, stderr);
  assert.ok(files.length > 10);
});

test('pip installs the wheel from the service without a download, and the package works by its name', {
  skip: lacksVenv,
}, async () => {
  const python = join(folder, 'venv/bin/python');
  assert.equal((await finished('python3', ['-m', 'venv', join(folder, 'venv')], {})).status, 0);
  const install = ['-m', 'pip', 'install', '--no-deps', '--no-index', '--no-cache-dir', '--disable-pip-version-check'];
  // pip reads name and version from the URL that it is given, so it is given the one that /client.whl leads to.
  const { headers } = await fetch(`${url}/client.whl`, { redirect: 'manual' });
  const wheel = new URL(headers.get('location') ?? '', `${url}/client.whl`).href;
  const installed = await finished(python, [...install, wheel], { NO_PROXY: '*' });
  assert.equal(installed.status, 0, installed.stderr);
  const program = `
from mailroom_client import Mailroom
key = Mailroom(key="").namespaces.create({"name": "${unique()}"}).key
mailroom = Mailroom(key=key.secret)
behavior = {"name": "hello", "settings": {"introduction": "${HELLO.settings.introduction}"}}
address = mailroom.mailboxes.create(key.namespace, {"local_part": "a", "behavior": behavior}).address
print(mailroom.send(address, "Who are you?").reply().body)
`;
  const { status, stdout, stderr } = await finished(python, ['-c', program], { MAILROOM_URL: url }, { cwd: folder });
  assert.equal(status, 0, stderr);
  assert.equal(stdout, `${HELLO.settings.introduction}\n`);
});

test('the wheel is found by its version alone, and another says which one there is', async () => {
  const { status, headers } = await fetch(`${url}/client.whl`, { redirect: 'manual' });
  const location = new URL(headers.get('location') ?? '', `${url}/client.whl`).pathname;
  assert.equal(status, 302);
  assert.match(location, /^\/python\/mailroom_client-\d+\.\d+\.\d+-py3-none-any\.whl$/);
  const wheel = await fetch(`${url}${location}`);
  assert.deepEqual([wheel.status, wheel.headers.get('content-type')], [200, 'application/zip']);
  for (const name of ['mailroom_client-99.0.0-py3-none-any.whl', 'other.whl', '..%2fclient.tgz']) {
    const answer = await fetch(`${url}/python/${name}`, { headers: { accept: 'application/json' } });
    assert.equal(answer.status, 404, name);
    assert.match(await answer.text(), /mailroom_client-\d|There is no|not found/i, name);
  }
});
