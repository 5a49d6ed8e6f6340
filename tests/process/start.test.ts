import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { ConfigError, readConfig } from '../../src/config.ts';
import { connect } from '../harness/client.ts';
import { gatesOf } from '../harness/gated.ts';
import { isProblem } from '../harness/problem.ts';
import { folderEnv, newFolder, PROOF_MAIN, removeFolder, run, runMain, startService } from '../harness/service.ts';
import { assertSoon } from '../harness/soon.ts';
import type { Envelope } from '../harness/wire.ts';
import { MAIL_DOMAIN, SECRET } from '../harness/wire.ts';
import { LONG } from '../soak/length.ts';

const KEY = /mr_live_[0-9A-Za-z]{46}/g;
const SETTINGS = [
  'HOST',
  'PORT',
  'BASE_URL',
  'MAIL_DOMAIN',
  'DATABASE_URL',
  'HOUSE_NAMESPACE',
  'OWNER_KEY_FILE',
  'TRUST_PROXY',
  'RATE_LIMITS',
  'LOG_LEVEL',
];

let folder = '';
beforeEach(() => {
  folder = newFolder();
});
afterEach(() => removeFolder(folder));

/** The command printed on lines of its own, from `curl` on. */
function curlLine(output: string): string {
  const lines = output.split('\n');
  const at = lines.findIndex((line) => line.startsWith('curl'));
  assert.ok(at >= 0, `a line that starts with curl in:\n${output}`);
  let to = at;
  while (lines[to]?.endsWith('\\')) to++;
  return lines.slice(at, to + 1).join('\n');
}

/** The same command to an address that answers without the dictionaries of `proofread`. */
const toHello = (command: string): string => command.replace('proofread@', 'hello@');

const sh = (command: string): Promise<{ code: number | null; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    const child = spawn('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (bytes: Buffer) => {
      stdout += bytes.toString();
    });
    child.stderr.on('data', (bytes: Buffer) => {
      stderr += bytes.toString();
    });
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });

/** Runs it as a person would, without the bundles of `npm test`. */
const UNPACKED = { NODE_OPTIONS: '' };

const START_MS = 2_000;
const LISTENING = /http:\/\/localhost:(\d+)/;

test('the first start prints the URL, the owner key once, and a curl command that proofreads when pasted', async () => {
  const first = runMain([], folderEnv(folder));
  await first.says(LISTENING);
  await first.says(/^curl .*$/m);
  const keys = new Set(first.stdout().match(KEY) ?? []);
  assert.equal(keys.size, 1, first.stdout());
  const [key = ''] = keys;
  assert.match(key, SECRET);
  const pasted = await sh(curlLine(first.stdout()));
  assert.equal(pasted.code, 0, pasted.stderr);
  const answer = JSON.parse(pasted.stdout) as Envelope;
  assert.equal(answer.status, 'completed', pasted.stdout);
  assert.equal(answer.to, `proofread@agents.${MAIL_DOMAIN}`);
  const reply = answer.reply ?? assert.fail('no reply');
  const { corrected_text, edits } = reply.data as { corrected_text: string; edits: unknown[] };
  assert.notEqual(corrected_text, answer.body);
  assert.ok(edits.length > 0);
  first.child.kill('SIGTERM');
  assert.deepEqual(await first.exited, { code: 0, signal: null });
  assert.ok(!first.stderr().match(KEY), 'the key is not in the log');
});

test('the second start prints no key, keeps everything, and its curl command works too', async () => {
  const first = await startService({ folder });
  const there = connect(first.url);
  const home = await there.newNamespace();
  const mailbox = await there.newMailbox(home);
  const sent = await there.send(home.key, { to: mailbox.address, body: 'Hi', sync: true });
  const keyed = await there.send(
    home.key,
    { to: mailbox.address, body: 'Once', sync: true },
    { 'idempotency-key': 'x' },
  );
  const tried = await there.tryOut({ to: mailbox.address, body: 'Hi' });
  assert.deepEqual(await first.stop(), { code: 0, signal: null });

  const second = await startService({ folder });
  assert.equal(second.stdout().match(KEY), null, second.stdout());
  const { api, read, send } = connect(second.url);
  assert.equal((await api('GET', '/me', { key: first.ownerKey })).status, 200);
  assert.deepEqual((await api('GET', `/mailboxes/${mailbox.address}`, { key: home.key })).body, mailbox);
  assert.deepEqual((await read(home.key, sent.body.id)).body, sent.body);
  assert.equal((await read(tried.body.thread_token, tried.body.id)).status, 200, 'thread tokens outlive the process');
  const again = await send(home.key, { to: mailbox.address, body: 'Once', sync: true }, { 'idempotency-key': 'x' });
  assert.deepEqual(again.body, keyed.body, 'idempotency keys outlive the process');
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  const house = await api<{ mailboxes: unknown[] }>('GET', '/namespaces/agents');
  assert.equal(house.body.mailboxes.length, 4, 'the house is not made twice');
  if (/^curl/m.test(second.stdout())) {
    const pasted = await sh(toHello(curlLine(second.stdout())));
    assert.equal((JSON.parse(pasted.stdout) as Envelope).status, 'completed', pasted.stdout);
  }
  await second.stop();
});

test('OWNER_KEY_FILE takes the key instead, for its owner alone to read', async () => {
  const file = join(folder, 'keys', '..', 'owner.key');
  const first = runMain([], { ...folderEnv(folder), OWNER_KEY_FILE: file });
  await first.says(LISTENING);
  const key = readFileSync(file, 'utf8').trim();
  assert.match(key, SECRET);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(first.stdout().match(KEY), null, 'it is not printed');
  const pasted = await sh(toHello(curlLine(first.stdout())));
  assert.equal((JSON.parse(pasted.stdout) as Envelope).status, 'completed', pasted.stdout);
  first.child.kill('SIGTERM');
  assert.equal((await first.exited).code, 0);
  const second = runMain([], { ...folderEnv(folder), OWNER_KEY_FILE: file });
  await second.says(LISTENING);
  assert.equal(readFileSync(file, 'utf8').trim(), key, 'a second start leaves it as it is');
  second.child.kill('SIGTERM');
  await second.exited;
});

test('an owner key that cannot be written stops the start, and nothing is lost by it', async () => {
  const failed = runMain([], { ...folderEnv(folder), OWNER_KEY_FILE: join(folder, 'nowhere', 'owner.key') });
  assert.equal((await failed.exited).code, 1);
  assert.match(failed.stderr(), /OWNER_KEY_FILE/);
  const again = await startService({ folder });
  assert.match(again.ownerKey, SECRET);
  assert.equal((await connect(again.url).api('GET', '/me', { key: again.ownerKey })).status, 200);
  await again.stop();
});

test('it makes its data folder', async () => {
  const running = runMain([], { ...folderEnv(folder), DATABASE_URL: `sqlite:${join(folder, 'a', 'b', 'm.db')}` });
  await running.says(LISTENING);
  assert.ok(statSync(join(folder, 'a', 'b', 'm.db')).size > 0);
  running.child.kill('SIGTERM');
  assert.equal((await running.exited).code, 0);
});

test('it listens within two seconds', { skip: !LONG }, async () => {
  let least = Infinity;
  // The minimum of several starts, because other load on the machine slows some of them.
  for (let i = 0; i < 3 && least > START_MS; i++) {
    const began = performance.now();
    await using service = await startService({ env: UNPACKED, ...(i === 0 ? {} : { folder }) });
    least = Math.min(least, performance.now() - began);
    assert.ok(service.port > 0);
  }
  await assertSoon(least, START_MS, 'the start');
});

test('--help lists every setting with its default and meaning', async () => {
  for (const help of [runMain(['--help']), run('npm', ['start', '--silent', '--', '--help'])]) {
    assert.deepEqual(await help.exited, { code: 0, signal: null }, help.stderr());
    const text = help.stdout();
    for (const name of SETTINGS) assert.match(text, new RegExp(`^\\s*${name}\\b.*\\w+ \\w+`, 'm'), name);
    assert.ok((text.match(/^\s*LIMIT_\w+/gm) ?? []).length >= 8, 'one for each limit');
    for (const byDefault of [
      '127.0.0.1',
      '8080',
      'mailroom.localhost',
      'sqlite:./data/mailroom.db',
      'agents',
      'on',
      'info',
    ]) {
      assert.ok(text.includes(byDefault), byDefault);
    }
  }
});

for (const [name, value] of [
  ['PORT', 'abc'],
  ['PORT', '70000'],
  ['PORT', '-1'],
  ['DATABASE_URL', 'mysql://localhost/x'],
  ['DATABASE_URL', 'nonsense'],
  ['BASE_URL', 'nonsense'],
  ['MAIL_DOMAIN', 'a b'],
  ['HOUSE_NAMESPACE', 'www'],
  ['HOUSE_NAMESPACE', 'A!'],
  ['TRUST_PROXY', '300.1.1.1'],
  ['RATE_LIMITS', 'maybe'],
  ['LOG_LEVEL', 'loud'],
  ['LIMIT_WAITING', '0'],
  ['LIMIT_JSON', 'big'],
] as const) {
  test(`${name}=${value} is an error of one line that names it`, () => {
    assert.throws(
      () => readConfig({ ...folderEnv(folder), [name]: value }),
      (error) => error instanceof ConfigError && error.message.includes(name) && !error.message.includes('\n'),
    );
  });
}

test('a setting that is wrong ends the start with one line that names it', async () => {
  const running = runMain([], { ...folderEnv(folder), LIMIT_JSON: 'big' });
  const ended = await Promise.race([running.exited, running.says(LISTENING).then(() => undefined)]).catch(
    () => running.exited,
  );
  if (ended === undefined) running.child.kill('SIGKILL');
  assert.deepEqual(ended, { code: 1, signal: null }, `it started: ${running.stdout()}`);
  const lines = `${running.stdout()}${running.stderr()}`.split('\n').filter((line) => line.trim() !== '');
  assert.equal(lines.length, 1, lines.join('\n'));
  assert.ok(lines[0]?.includes('LIMIT_JSON'), lines.join());
});

test('a port that is in use ends the start with one line', async () => {
  await using first = await startService();
  const second = runMain([], { ...folderEnv(folder), PORT: String(first.port), LOG_LEVEL: 'silent' });
  assert.equal((await second.exited).code, 1);
  const lines = second
    .stderr()
    .split('\n')
    .filter((line) => line !== '');
  assert.equal(lines.length, 1, second.stderr());
  assert.match(lines[0] ?? '', /PORT|\d{4,5}/);
  assert.equal((await connect(first.url).api('GET', '//livez')).status, 200);
});

test('a second process on one SQLite file is refused, and the first goes on', async () => {
  const first = await startService({ folder });
  const second = runMain([], { ...folderEnv(folder), LOG_LEVEL: 'silent' });
  assert.equal((await second.exited).code, 1, second.stdout());
  const lines = second
    .stderr()
    .split('\n')
    .filter((line) => line !== '');
  assert.equal(lines.length, 1, second.stderr());
  assert.match(lines[0] ?? '', /m\.db|DATABASE_URL/);
  const { newNamespace } = connect(first.url);
  await newNamespace();
  await first.kill();
  const third = await startService({ folder });
  assert.equal(
    (await connect(third.url).api('GET', '//readyz')).status,
    200,
    'a process that was killed leaves no lock',
  );
  await third.stop();
});

test('npm run owner-key makes a working key, while the service runs and while it does not', async () => {
  const command = async (name: string, by: 'node' | 'npm' = 'node') => {
    const args = by === 'npm' ? ['run', '--silent', 'owner-key', '--'] : ['src/commands/owner-key.ts'];
    const made = run(by, [...args, ...(name === '' ? [] : [name])], { env: folderEnv(folder) });
    const exit = await made.exited;
    return { code: exit.code, keys: made.stdout().match(KEY) ?? [], text: made.stdout() + made.stderr() };
  };
  const first = await startService({ folder });
  const one = await command('agents', 'npm');
  assert.equal(one.code, 0, one.text);
  assert.equal(one.keys.length, 1, one.text);
  const { api, newNamespace } = connect(first.url);
  const me = await api<{ scopes: string[] }>('GET', '/me', { key: one.keys[0] });
  assert.deepEqual(me.body.scopes, ['owner'], me.text);
  assert.equal((await api('GET', '/me', { key: first.ownerKey })).status, 200, 'the old key still works');
  const home = await newNamespace();
  const two = await command(home.name);
  assert.ok((await api('GET', '/me', { key: two.keys[0] })).text.includes(home.name), two.text);
  await first.stop();
  const three = await command('agents');
  const unknown = await command('never-was');
  assert.equal(unknown.code, 1);
  assert.deepEqual(unknown.keys, []);
  assert.match(unknown.text, /never-was/);
  assert.notEqual((await command('')).code, 0);
  const second = await startService({ folder });
  assert.equal((await connect(second.url).api('GET', '/me', { key: three.keys[0] })).status, 200, three.text);
  await second.stop();
});

test('SIGTERM ends it cleanly with running exchanges answered', async () => {
  const env = { GATES: folder, STOP_SECONDS: '1' };
  const first = await startService({ folder, env, main: PROOF_MAIN });
  const { api, newNamespace, newMailbox, newPaused, send, read } = connect(first.url);
  const home = await newNamespace();
  const { address: slow } = await newMailbox(home, { behavior: { name: 'gated' } });
  const { address: quick } = await newMailbox(home);
  const held = await send(home.key, { to: (await newPaused(home)).address, body: 'Held' });
  const reading = read(home.key, held.body.id, '?wait=60');
  const working = send(home.key, { to: slow, body: 'Longer than the stop waits', sync: true }, { prefer: 'wait=120' });
  await gatesOf(folder).began('Longer than the stop waits');
  const sending = Array.from({ length: 200 }, () => send(home.key, { to: quick, body: 'Hi', sync: true }));
  await Promise.race(sending);
  const began = performance.now();
  const stopped = first.stop();
  const answers = await Promise.allSettled(sending);
  // Requests that had not arrived yet may find the port closed; accepted ones are answered.
  const cut = answers.filter((one) => one.status === 'rejected');
  for (const one of answers) {
    if (one.status === 'fulfilled') assert.ok([200, 202, 503].includes(one.value.status), one.value.text);
  }
  const waited = await reading;
  assert.equal(waited.status, 200, waited.text);
  assert.equal(waited.body.status, 'submitted');
  const long = await working;
  assert.ok(long.status === 200 || long.status === 202, long.text.slice(0, 300));
  assert.deepEqual(await stopped, { code: 0, signal: null }, first.logs());
  await assertSoon(performance.now() - began, 15_000, 'the end');
  await assert.rejects(api('GET', '//livez'), 'it is gone');

  gatesOf(folder).open('Longer than the stop waits');
  const second = await startService({ folder, env, main: PROOF_MAIN });
  const there = connect(second.url);
  const settled = await there.read(home.key, long.body.id, '?wait=60');
  assert.equal(settled.body.status, 'completed', JSON.stringify(settled.body.error));
  assert.equal((await there.read(home.key, held.body.id)).body.status, 'submitted');
  const done = answers.filter((one) => one.status === 'fulfilled').map((one) => one.value);
  for (const answer of done.filter((one) => one.status === 200)) {
    assert.deepEqual((await there.read(home.key, answer.body.id)).body, answer.body);
  }
  assert.ok(cut.length <= 200);
  await second.stop();
});

test('an idle connection does not keep it from ending', async () => {
  const service = await startService();
  const { api } = connect(service.url);
  await Promise.all(Array.from({ length: 20 }, () => api('GET', '//livez')));
  const began = performance.now();
  assert.deepEqual(await service.stop(), { code: 0, signal: null });
  await assertSoon(performance.now() - began, 5_000, 'the end');
});

test('SIGINT ends it as SIGTERM does, with its logs on standard error: standard output is for people', async () => {
  const running = runMain([], { ...folderEnv(folder), LOG_LEVEL: 'info' });
  await running.says(LISTENING);
  running.child.kill('SIGINT');
  assert.deepEqual(await running.exited, { code: 0, signal: null });
  for (const line of running
    .stderr()
    .split('\n')
    .filter((one) => one !== ''))
    JSON.parse(line);
  assert.ok(running.stderr() !== '');
  assert.ok(!running.stdout().includes('"level"'));
});

test('the mail domain can change, for it is not stored', async () => {
  const first = await startService({ folder });
  const there = connect(first.url);
  const home = await there.newNamespace();
  const mailbox = await there.newMailbox(home, { local_part: 'ada' });
  const sent = await there.send(home.key, { to: mailbox.address, body: 'Hi', sync: true });
  await first.stop();
  const second = await startService({ folder, env: { MAIL_DOMAIN: 'mail.example.org' } });
  const { api, read, send } = connect(second.url);
  const address = `ada@${home.name}.mail.example.org`;
  assert.equal((await api<{ address: string }>('GET', `/mailboxes/${address}`)).body.address, address);
  assert.equal((await read(home.key, sent.body.id)).body.to, address);
  assert.equal((await send(home.key, { to: address, body: 'Hi', sync: true })).status, 200);
  isProblem(await api('GET', `/mailboxes/${mailbox.address}`), 'mailbox_not_found');
  await second.stop();
});

test('the house namespace may have another name, and BASE_URL is how it is known outside', async () => {
  const env = { HOUSE_NAMESPACE: 'robots-inc', BASE_URL: 'https://mail.example.org/' };
  await using service = await startService({ env });
  const { api, tryOut } = connect(service.url);
  assert.equal((await api('GET', '/namespaces/robots-inc')).status, 200);
  isProblem(await api('GET', '/namespaces/agents'), 'namespace_not_found');
  assert.equal((await tryOut({ to: `hello@robots-inc.${MAIL_DOMAIN}`, body: 'Hi' })).status, 200);
  const { body } = await api<{ servers: { url: string }[] }>('GET', '/openapi.json');
  assert.match(body.servers[0]?.url ?? '', /^https:\/\/mail\.example\.org\b/);
});
