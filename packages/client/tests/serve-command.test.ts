// Other programs: npx, sh, tr.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { unique } from '../../../tests/harness/client.ts';
import { newFolder, removeFolder, sharedService } from '../../../tests/harness/service.ts';
import { Mailroom } from '../dist/index.js';
import { MAIN, mailroomCommand } from './command.ts';
import { NODE } from './old-node.ts';

const { url } = await sharedService();
const folder = newFolder();
const name = unique();
const children: ChildProcess[] = [];
let mailroom: Mailroom;
let env: Record<string, string>;

before(async () => {
  const { key } = await new Mailroom({ url, key: '' }).namespaces.create({ name });
  const secret = key.secret ?? '';
  mailroom = new Mailroom({ url, key: secret });
  const { PATH = '' } = process.env;
  env = { PATH: `${dirname(NODE)}:${PATH}`, HOME: folder, MAILROOM_URL: url, MAILROOM_KEY: secret };
});
after(() => {
  for (const { pid, exitCode, signalCode } of children) {
    // The group, since npx starts the program as a process of its own.
    if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL');
  }
  removeFolder(folder);
});

const newAgent = async (local_part: string): Promise<string> =>
  (await mailroom.mailboxes.create(name, { local_part, behavior: { name: 'agent' } })).address;

/** A program that runs until the test ends it, with what it printed. */
function running(program: string, args: readonly string[]) {
  const child = spawn(program, args, { env, cwd: folder, detached: true });
  children.push(child);
  const output = { text: '' };
  child.stdout.on('data', (text) => (output.text += text));
  child.stderr.on('data', (text) => (output.text += text));
  return { child, output };
}

const serve = (address: string, command: readonly string[], options: readonly string[] = []) =>
  running(NODE, [MAIN, 'serve', address, ...options, '--', ...command]);

test('npx makes an agent of any program, on a machine with Node alone', async () => {
  const address = await newAgent('echo');
  const { child } = running('npx', ['--yes', `${url}/client.tgz`, 'serve', address, '--', 'tr', 'a-z', 'A-Z']);
  const { body } = await mailroom.ask(address, 'Grüße, who is this?', { timeoutMs: 60_000 });
  assert.equal(body.replaceAll('ü', '').replaceAll('ß', ''), 'GRE, WHO IS THIS?');
  assert.ok(child.pid !== undefined);
  process.kill(-child.pid, 'SIGTERM');
  await once(child, 'close');
});

test('serve says that it answers once the address is online, so that a send right after it has its reply', async () => {
  const address = await newAgent('ready');
  const { child, output } = serve(address, ['cat']);
  while (!output.text.includes('Answering')) await once(child.stderr, 'data');
  assert.equal((await mailroom.mailboxes.get(address)).status, 'online');
  const { status } = await mailroom.messages.send({ to: address, body: 'At once', sync: true });
  assert.equal(status, 'completed', output.text);
  child.kill('SIGTERM');
  await once(child, 'exit');
});

test('variables describe the message to the program, and the key is none of them', async () => {
  const address = await newAgent('env');
  const { child, output } = serve(address, [
    'sh',
    '-c',
    'cat; env | grep ^MAILROOM_ | grep -vE "ATTACHMENTS|OUT" | sort',
  ]);
  const sent = mailroom.send(address, { body: 'Hi\n', subject: 'S\nT', data: { a: 1 } });
  const { id, thread_id, reply } = await sent.settled({ timeoutMs: 30_000 });
  assert.deepEqual(reply?.body.split('\n'), [
    ...['Hi', 'MAILROOM_DATA={"a":1}', 'MAILROOM_FROM=', `MAILROOM_MESSAGE_ID=${id}`, 'MAILROOM_SENDER=key'],
    ...['MAILROOM_SUBJECT=S T', `MAILROOM_THREAD_ID=${thread_id}`, `MAILROOM_TO=${address}`, `MAILROOM_URL=${url}`],
  ]);
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  assert.equal(code, 0, output.text);
  assert.match(output.text, new RegExp(`${id}: completed`));
});

test('what a program sends while it answers is caused by the message it answers', async () => {
  const address = await newAgent('asks');
  const home = newFolder();
  const login = spawn(NODE, [MAIN, 'login', url], { env: { ...env, MAILROOM_KEY: '', HOME: home } });
  login.stdin.end(`${env.MAILROOM_KEY}\n`);
  assert.deepEqual(await once(login, 'exit'), [0, null]);
  // The program has no key in its environment, so the command uses the account that was kept.
  const asks = `HOME=${home} ${NODE} ${MAIN} send ${address} again --wait 0 --json 2>&1 || true`;
  const { child } = serve(address, ['sh', '-c', asks]);
  // Six messages that caused one another came before.
  const sink = await newAgent('sink');
  let cause = await mailroom.send(sink, 'First');
  for (let hops = 1; hops < 6; hops++) cause = await mailroom.causedBy(cause.id).send(sink, 'Next');
  const replies: string[] = [];
  for (let { id } = await mailroom.causedBy(cause.id).send(address, 'Begin'); ; ) {
    const { reply } = await mailroom.waitFor(id, { timeoutMs: 60_000 });
    replies.push(reply?.body ?? '');
    if (!(reply?.body ?? '').startsWith('{')) break;
    const sent = JSON.parse(reply?.body ?? '') as { id?: string };
    if (sent.id === undefined) break;
    id = sent.id;
  }
  assert.equal(replies.length, 2, replies.join('\n'));
  assert.match(replies.at(-1) ?? '', /loop_detected|caused one another/);
  child.kill('SIGTERM');
  await once(child, 'exit');
  removeFolder(home);
});

test('a program that fails or prints nothing is reported, and its message waits', async () => {
  for (const [local_part, command, says] of [
    ['fails', ['sh', '-c', 'echo half; exit 3'], /sh failed: it ended with exit code 3/],
    ['silent', ['true'], /true printed nothing and left no file/],
  ] as const) {
    const address = await newAgent(local_part);
    const { child, output } = serve(address, command);
    const { id } = await mailroom.send(address, 'Hi');
    while (!says.test(output.text)) await pause(20);
    assert.equal((await mailroom.messages.get(id)).reply, null);
    child.kill('SIGKILL');
  }
});

test('a program that is not there or cannot be run ends serve before it takes a message', async () => {
  const address = await newAgent('missing');
  const { id } = await mailroom.send(address, 'Hi');
  for (const program of ['no-such-program', '/no/such/program', './no-such-program', folder]) {
    const { status, stderr } = await mailroomCommand(['serve', address, '--', program], env);
    assert.equal(status, 2, stderr);
    assert.match(stderr, new RegExp(`mailroom: (?:There is no program )?"${program}"`));
  }
  assert.deepEqual((await mailroom.messages.get(id)).status, 'submitted');
});

test('files of a message are in a folder for the program, and what it leaves in another is attached', async () => {
  const address = await newAgent('files');
  const program = [
    'cd "$MAILROOM_ATTACHMENTS"; ls; echo "$MAILROOM_OUT" >&2',
    'for file in *; do tr a-z A-Z < "$file" > "$MAILROOM_OUT/$file"; done',
    'mkdir "$MAILROOM_OUT/folder"; ln -s /etc/passwd "$MAILROOM_OUT/link"',
  ].join('; ');
  const { child, output } = serve(address, ['sh', '-c', program]);
  const files = [
    { filename: 'b.txt', content: 'pear' },
    { filename: '../a.txt', content: 'fig' },
    { filename: 'b.txt', content: 'apple' },
  ];
  const { body, attachments } = await mailroom.ask(address, { body: 'Hi', files }, { timeoutMs: 60_000 });
  assert.deepEqual(body.split('\n'), ['a.txt', 'b (2).txt', 'b.txt']);
  const contents = attachments.map(async ({ id }) => (await mailroom.messages.getAttachment(id)).text());
  assert.deepEqual(
    attachments.map(({ filename }) => filename),
    ['a.txt', 'b (2).txt', 'b.txt'],
  );
  assert.deepEqual(await Promise.all(contents), ['FIG', 'APPLE', 'PEAR']);
  const [, out = ''] = /^(\/\S+\/out)$/m.exec(output.text) ?? [];
  assert.notEqual(out, '');
  // It is removed before the answer is given.
  assert.equal(existsSync(dirname(out)), false);
  child.kill('SIGTERM');
  await once(child, 'exit');
});

test('a program that leaves a file and prints nothing answers with the file', async () => {
  const address = await newAgent('onlyfile');
  const { child } = serve(address, ['sh', '-c', 'cat > "$MAILROOM_OUT/note.txt"']);
  const { body, attachments } = await mailroom.ask(address, 'Keep this', { timeoutMs: 60_000 });
  const [{ size, content_type } = {}] = attachments;
  assert.deepEqual([body, size, content_type], ['Attached: note.txt', 9, 'text/plain']);
  child.kill('SIGTERM');
  await once(child, 'exit');
});

test('the bytes of a program that are no text are replaced, and the rest is the answer', async () => {
  const address = await newAgent('bytes');
  const { child } = serve(address, ['printf', 'a\\0b\\377c\\n\\n']);
  const { body } = await mailroom.ask(address, 'Hi', { timeoutMs: 20_000 });
  assert.equal(body, 'a\u{fffd}b\u{fffd}c\n');
  child.kill('SIGTERM');
  await once(child, 'exit');
});

test('Ctrl-C lets the program finish its message, and takes no other', async () => {
  const address = await newAgent('slow');
  const { child, output } = serve(address, ['sh', '-c', 'sleep 1; cat']);
  const { id } = await mailroom.send(address, 'Finish this');
  while ((await mailroom.messages.get(id)).status !== 'working') await pause(20);
  child.kill('SIGINT');
  const [code] = await once(child, 'exit');
  assert.equal(code, 0, output.text);
  assert.equal((await mailroom.messages.get(id)).reply?.body, 'Finish this');
});

test('a message is answered by hand: with a text, a question, or a refusal, and again after it was settled', async () => {
  const address = await newAgent('hand');
  const answer = async (...args: readonly string[]): Promise<string> => {
    const { status, stdout, stderr } = await mailroomCommand(['answer', ...args], env);
    assert.equal(status, 0, stderr);
    return stdout + stderr;
  };
  const ids = await Promise.all(['one', 'two', 'three'].map(async (body) => (await mailroom.send(address, body)).id));
  const [one = '', two = '', three = ''] = ids;
  assert.equal(await answer(one, 'Tomorrow.'), 'Answered: completed.\n');
  assert.match(await answer(one, 'Or today.'), /Added a reply/);
  assert.equal(await answer(two, 'Which day?', '--status', 'input_required'), 'Answered: input_required.\n');
  assert.equal(await answer(three, '-s', 'rejected', '--error', 'Not here.'), 'Answered: rejected.\n');
  assert.equal((await mailroom.messages.get(three)).error?.message, 'Not here.');
  const { stderr, status } = await mailroomCommand(['serve', address], env);
  assert.equal(status, 2);
  assert.match(stderr, /Give a program after --/);
});

test('an address that no program answers yet comes with the command that changes it', async () => {
  const { address } = await mailroom.mailboxes.create(name, { local_part: 'tasks', behavior: { name: 'do' } });
  for (const [given, step] of [
    ['nothere', 'mailroom address add nothere --behavior agent'],
    ['tasks', `mailroom address edit ${address} --behavior agent`],
  ] as const) {
    const { child, output } = serve(given, ['cat']);
    const [code] = await once(child, 'close');
    assert.ok(output.text.includes(step), output.text);
    assert.notEqual(code, 0);
  }
  // An address in a namespace of others is not one to make.
  const { child, output } = serve(`nothere@${unique()}.mailroom.localhost`, ['cat']);
  await once(child, 'close');
  assert.match(output.text, /no mailbox/);
  assert.ok(!output.text.includes('address add'), output.text);
});
