import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { connect } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import {
  folderEnv,
  newFolder,
  removeFolder,
  run,
  runMain,
  sharedService,
  startService,
} from '../../../../tests/harness/service.ts';
import { assertSoon } from '../../../../tests/harness/soon.ts';
import { type Envelope, MAIL_DOMAIN, SECRET } from '../../../../tests/harness/wire.ts';
import { LONG_ONLY } from '../../../../tests/soak/length.ts';
import { ConfigError, readConfig } from '../../config.ts';

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

function place(): string {
  const folder = newFolder();
  after(() => removeFolder(folder));
  return folder;
}

/** The command printed on lines of its own, from `curl` on. */
function curlLine(output: string): string {
  const lines = output.split('\n');
  const start = lines.findIndex((line) => line.startsWith('curl'));
  assert.ok(start >= 0, `a line that starts with curl in:\n${output}`);
  let to = start;
  while (lines[to]?.endsWith('\\')) to++;
  return lines.slice(start, to + 1).join('\n');
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

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');

// One service for what a first start does, and one on the same data for what the second does.
const folder = place();
const file = join(folder, 'a', 'b', 'm.db');
const env = { ...folderEnv(folder), DATABASE_URL: `sqlite:${file}`, LOG_LEVEL: 'info' };
const first = runMain([], env);
after(() => void first.child.kill('SIGKILL'));
const [, port] = await first.says(LISTENING);
await first.says(/^curl .*$/m);
const [ownerKey = ''] = first.stdout().match(KEY) ?? [];
const there = connect(`http://127.0.0.1:${port}`);
const home = await there.newNamespace();
const mailbox = await there.newMailbox(home);

test('the first start makes its data folder, and prints the URL, the owner key once, and a curl command', async () => {
  assert.ok(statSync(file).size > 0);
  assert.match(ownerKey, SECRET);
  assert.equal(new Set(first.stdout().match(KEY)).size, 1, first.stdout());
  const pasted = await sh(toHello(curlLine(first.stdout())));
  assert.equal(pasted.code, 0, pasted.stderr);
  assert.equal((JSON.parse(pasted.stdout) as Envelope).status, 'completed', pasted.stdout);
});

test('the first screen names the pages to begin with', () => {
  for (const path of ['new', 'console', 'docs'])
    assert.match(first.stdout(), new RegExp(`^  .*  http://localhost:${port}/${path}$`, 'm'));
});

test('behaviors that are slow at first are prepared once it listens, and PREPARE_BEHAVIORS=off leaves that to the first message', async () => {
  const its = place();
  const behavior = join(its, 'slow');
  mkdirSync(behavior);
  writeFileSync(
    join(behavior, 'index.js'),
    `export default () => ({ name: 'slow', title: 'Slow', description: 'Is prepared.', settings: { type: 'object' }, handle: () => ({ kind: 'reply', body: 'Done' }), prepare: () => console.log('prepared') });`,
  );
  for (const PREPARE_BEHAVIORS of ['on', 'off']) {
    const slow = runMain([], { ...folderEnv(its), BEHAVIORS: behavior, LOG_LEVEL: 'silent', PREPARE_BEHAVIORS });
    await slow.says(PREPARE_BEHAVIORS === 'on' ? /listening on(?:.|\n)*prepared/ : LISTENING);
    slow.child.kill('SIGTERM');
    await slow.exited;
    assert.equal(slow.stdout().includes('prepared'), PREPARE_BEHAVIORS === 'on', slow.stderr());
  }
});

test('npm run mail finds where the running service receives mail, and says where it looked for one', async () => {
  const its = place();
  const service = await startService({ folder: its, env: { SMTP_LISTEN: '127.0.0.1:0' } });
  const mail = async (env: Record<string, string>) => {
    // The harness turns SMTP_LISTEN off for all that it runs.
    const node = ['-u', 'SMTP_LISTEN', ...Object.entries(env).map((pair) => pair.join('=')), process.execPath];
    const args = [...node, 'packages/server/commands/mail.ts', `hello@agents.${MAIL_DOMAIN}`, 'Who are you?'];
    const sent = run('env', args);
    return { ...(await sent.exited), text: sent.stdout() + sent.stderr() };
  };
  const { DATABASE_URL = '' } = folderEnv(its);
  const sent = await mail({ DATABASE_URL });
  assert.equal(sent.code, 0, sent.text);
  await service.stop();
  const elsewhere = await mail({ DATABASE_URL, SMTP_LISTEN: '127.0.0.1:1' });
  assert.equal(elsewhere.code, 1);
  assert.match(elsewhere.text, /No service receives mail at 127\.0\.0\.1:1\b.*SMTP_LISTEN/);
});

test('the text of the printed command has something to proofread', async () => {
  const [, json = ''] = /-d '(\{.*\})'/.exec(curlLine(first.stdout())) ?? [];
  const { url } = await sharedService();
  const answer = await connect(url).tryOut({ ...JSON.parse(json), sync: undefined }, { prefer: 'wait=60' });
  assert.equal(answer.body.status, 'completed', answer.text);
  assert.equal(answer.body.to, `proofread@agents.${MAIL_DOMAIN}`);
  const { corrected_text, edits } = (answer.body.reply ?? assert.fail(answer.text)).data as {
    corrected_text: string;
    edits: unknown[];
  };
  assert.notEqual(corrected_text, answer.body.body);
  assert.ok(edits.length > 0);
});

test('a second process on one SQLite file is refused, and the first goes on', async () => {
  const second = runMain([], { ...env, LOG_LEVEL: 'silent' });
  assert.equal((await second.exited).code, 1, second.stdout());
  const lines = linesOf(second.stderr());
  assert.equal(lines.length, 1, second.stderr());
  assert.match(lines[0] ?? '', /m\.db|DATABASE_URL/);
  assert.equal((await there.send(home.key, { to: mailbox.address, body: 'Hi', sync: true })).status, 200);
});

/** `owner-key NAME` on the same data. */
async function newOwnerKey(name: string, by: 'node' | 'npm' = 'node') {
  const args = by === 'npm' ? ['run', '--silent', 'owner-key', '--'] : ['packages/server/commands/owner-key.ts'];
  const made = run(by, [...args, ...(name === '' ? [] : [name])], { env });
  const { code } = await made.exited;
  return { code, keys: made.stdout().match(KEY) ?? [], text: made.stdout() + made.stderr() };
}

test('npm run owner-key makes a working key while the service runs, and beside the one before', async () => {
  const one = await newOwnerKey(home.name, 'npm');
  assert.equal(one.code, 0, one.text);
  assert.equal(one.keys.length, 1, one.text);
  const me = await there.api<{ scopes: string[] }>('GET', '/me', { key: one.keys[0] });
  assert.deepEqual(me.body.scopes, ['owner'], me.text);
  assert.ok(me.text.includes(home.name), me.text);
  assert.equal((await there.api('GET', '/me', { key: home.key })).status, 200, 'the old key still works');
  const unknown = await newOwnerKey('never-was');
  assert.equal(unknown.code, 1);
  assert.deepEqual(unknown.keys, []);
  assert.match(unknown.text, /never-was/);
  assert.notEqual((await newOwnerKey('')).code, 0);
});

test('SIGINT ends it with its logs on standard error, and the next start prints no key and keeps everything', async () => {
  const sent = await there.send(home.key, { to: mailbox.address, body: 'Hi', sync: true });
  const twice = { to: mailbox.address, body: 'Once', sync: true };
  const keyed = await there.send(home.key, twice, { 'idempotency-key': 'x' });
  const tried = await there.tryOut({ to: mailbox.address, body: 'Hi' });
  first.child.kill('SIGINT');
  assert.deepEqual(await first.exited, { code: 0, signal: null });
  assert.ok(linesOf(first.stderr()).length > 0);
  for (const line of linesOf(first.stderr())) JSON.parse(line);
  assert.ok(!first.stderr().match(KEY), 'the key is not in the log');
  assert.ok(!first.stdout().includes('"level"'), 'standard output is for people');
  const meanwhile = await newOwnerKey('agents');

  const second = runMain([], env);
  const [, other] = await second.says(LISTENING);
  await second.says(/^curl .*$/m);
  assert.equal(second.stdout().match(KEY), null, second.stdout());
  const { api, read, send } = connect(`http://127.0.0.1:${other}`);
  assert.equal((await api('GET', '/me', { key: ownerKey })).status, 200);
  assert.equal((await api('GET', '/me', { key: meanwhile.keys[0] })).status, 200, meanwhile.text);
  assert.deepEqual((await api('GET', `/mailboxes/${mailbox.address}`, { key: home.key })).body, mailbox);
  assert.deepEqual((await read(home.key, sent.body.id)).body, sent.body);
  assert.equal((await read(tried.body.thread_token, tried.body.id)).status, 200, 'thread tokens outlive the process');
  const again = await send(home.key, twice, { 'idempotency-key': 'x' });
  assert.deepEqual(again.body, keyed.body, 'idempotency keys outlive the process');
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  const house = await api<{ mailboxes: unknown[] }>('GET', '/namespaces/agents');
  assert.equal(house.body.mailboxes.length, 4, 'the house is not made twice');
  const pasted = await sh(toHello(curlLine(second.stdout())));
  assert.equal((JSON.parse(pasted.stdout) as Envelope).status, 'completed', pasted.stdout);

  await Promise.all(Array.from({ length: 20 }, () => api('GET', '//livez')));
  const began = performance.now();
  second.child.kill('SIGTERM');
  assert.deepEqual(await second.exited, { code: 0, signal: null });
  await assertSoon(performance.now() - began, 5_000, 'the end, with idle connections,');
});

test('OWNER_KEY_FILE takes the key, for its owner alone to read; a file that cannot be written stops the start', async () => {
  const its = place();
  const failed = runMain([], { ...folderEnv(its), OWNER_KEY_FILE: join(its, 'nowhere', 'owner.key') });
  assert.equal((await failed.exited).code, 1);
  assert.match(failed.stderr(), /OWNER_KEY_FILE/);

  // Nothing was lost by it: the next start makes a key that works.
  const OWNER_KEY_FILE = join(its, 'keys', '..', 'owner.key');
  const service = await startService({ folder: its, env: { OWNER_KEY_FILE } });
  const key = readFileSync(OWNER_KEY_FILE, 'utf8').trim();
  assert.match(key, SECRET);
  assert.equal(statSync(OWNER_KEY_FILE).mode & 0o777, 0o600);
  assert.equal(service.stdout().match(KEY), null, 'it is not printed');
  const pasted = await sh(toHello(curlLine(service.stdout())));
  assert.equal((JSON.parse(pasted.stdout) as Envelope).status, 'completed', pasted.stdout);
  assert.equal((await connect(service.url).api('GET', '/me', { key })).status, 200);
  await service.stop();

  // A start on the same data that ends because its port is in use.
  const { port: used } = await sharedService();
  const second = runMain([], { ...folderEnv(its), PORT: String(used), OWNER_KEY_FILE, LOG_LEVEL: 'silent' });
  assert.equal((await second.exited).code, 1);
  const lines = linesOf(second.stderr());
  assert.equal(lines.length, 1, second.stderr());
  assert.match(lines[0] ?? '', new RegExp(`PORT ${used} is in use`));
  assert.equal(readFileSync(OWNER_KEY_FILE, 'utf8').trim(), key, 'a second start leaves the key as it is');
  // An address of documentation (RFC 5737), which no machine has, and one that lacks its interface.
  for (const [env, said] of [
    [{ HOST: '203.0.113.1' }, /^mailroom: HOST must be .*203\.0\.113\.1.*\n$/],
    [{ SMTP_LISTEN: '[fe80::1]:2525' }, /^mailroom: SMTP_LISTEN cannot be listened on.*\n$/],
  ] as const) {
    const elsewhere = runMain([], { ...folderEnv(its), OWNER_KEY_FILE, LOG_LEVEL: 'silent', ...env });
    assert.equal((await elsewhere.exited).code, 1);
    assert.match(elsewhere.stderr(), said);
  }
});

test('it listens within two seconds', LONG_ONLY, async () => {
  const its = place();
  let least = Infinity;
  // The minimum of several starts, because other load on the machine slows some of them.
  for (let i = 0; i < 3 && least > START_MS; i++) {
    const began = performance.now();
    await using service = await startService({ env: UNPACKED, ...(i === 0 ? {} : { folder: its }) });
    least = Math.min(least, performance.now() - began);
    assert.ok(service.port > 0);
  }
  await assertSoon(least, START_MS, 'the start');
});

test('--help lists every setting with its default and meaning', async () => {
  const help = run('npm', ['start', '--silent', '--', '--help']);
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
  ])
    assert.ok(text.includes(byDefault), byDefault);
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
      () => readConfig({ ...folderEnv('.'), [name]: value }),
      (error) => error instanceof ConfigError && error.message.includes(name) && !error.message.includes('\n'),
    );
  });
}

test('a setting that is wrong ends the start with one line that names it', async () => {
  const running = runMain([], { ...folderEnv(place()), LIMIT_JSON: 'big' });
  const ended = await Promise.race([running.exited, running.says(LISTENING).then(() => undefined)]).catch(
    () => running.exited,
  );
  if (ended === undefined) running.child.kill('SIGKILL');
  assert.deepEqual(ended, { code: 1, signal: null }, `it started: ${running.stdout()}`);
  const lines = linesOf(running.stdout() + running.stderr());
  assert.equal(lines.length, 1, lines.join('\n'));
  assert.ok(lines[0]?.includes('LIMIT_JSON'), lines.join());
});

test('the mail domain can change, for it is not stored', async () => {
  const DATABASE_URL = `sqlite:${join(place(), 'm.db')}`;
  const service = await startInside({ env: { DATABASE_URL } });
  const its = await service.client.newNamespace();
  const { address: old } = await service.client.newMailbox(its, { local_part: 'ada' });
  const sent = await service.client.send(its.key, { to: old, body: 'Hi', sync: true });
  await service.stop();
  const { client } = await startInside({ env: { DATABASE_URL, MAIL_DOMAIN: 'mail.example.org' } });
  const address = `ada@${its.name}.mail.example.org`;
  assert.equal((await client.api<{ address: string }>('GET', `/mailboxes/${address}`)).body.address, address);
  assert.equal((await client.read(its.key, sent.body.id)).body.to, address);
  assert.equal((await client.send(its.key, { to: address, body: 'Hi', sync: true })).status, 200);
  isProblem(await client.api('GET', `/mailboxes/${old}`), 'mailbox_not_found');
});

test('the house namespace may have another name, and BASE_URL is how it is known outside', async () => {
  const env = { HOUSE_NAMESPACE: 'robots-inc', BASE_URL: 'https://mail.example.org/' };
  const { client } = await startInside({ env });
  assert.equal((await client.api('GET', '/namespaces/robots-inc')).status, 200);
  isProblem(await client.api('GET', '/namespaces/agents'), 'namespace_not_found');
  assert.equal((await client.tryOut({ to: `hello@robots-inc.${MAIL_DOMAIN}`, body: 'Hi' })).status, 200);
  const { body } = await client.api<{ servers: { url: string }[] }>('GET', '/openapi.json');
  assert.match(body.servers[0]?.url ?? '', /^https:\/\/mail\.example\.org\b/);
});
