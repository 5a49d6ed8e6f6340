import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { parseArgs } from 'node:util';
import { unique } from '../../../tests/harness/client.ts';
import { newFolder, removeFolder, sharedService } from '../../../tests/harness/service.ts';
import { COMMANDS } from '../src/cli/commands/index.ts';
import { COMMON } from '../src/cli/help.ts';
import { MAIN, mailroomCommand } from './command.ts';
import { type Finished, finished, NODE } from './old-node.ts';

const { url } = await sharedService();
const folder = newFolder();
const name = unique();
const address = `hello@${name}.mailroom.localhost`;
const proof = `proof@${name}.mailroom.localhost`;
const ACCOUNTS = join(folder, 'mailroom', 'accounts.json');
after(() => removeFolder(folder));

/** Runs a command, with accounts of its own. */
const mailroom = (args: readonly string[], input = '', env: Readonly<Record<string, string>> = {}): Promise<Finished> =>
  mailroomCommand(args, { XDG_CONFIG_HOME: folder, ...env }, input);

async function out(args: readonly string[], input = ''): Promise<string> {
  const { status, stdout, stderr } = await mailroom(args, input);
  assert.equal(status, 0, `${args.join(' ')}: ${stderr}`);
  return stdout;
}

const json = async <T>(args: readonly string[], input = ''): Promise<T> =>
  JSON.parse(await out([...args, '--json'], input));

before(async () => {
  assert.match(await out(['new', name, '--url', url]), new RegExp(`Made ${name}\\.`));
  const settings = '{"name": "Ada", "introduction": "I write programs."}';
  assert.equal(await out(['address', 'add', 'hello', '--settings', settings]), `${address}\n`);
  assert.equal(await out(['address', 'add', 'proof', '-b', 'proofread']), `${proof}\n`);
});

test('the key is kept in a file that only its owner reads, and is printed nowhere', async () => {
  assert.equal(statSync(ACCOUNTS).mode & 0o777, 0o600);
  const { key } = (Object.values(JSON.parse(readFileSync(ACCOUNTS, 'utf8')).accounts) as { key: string }[])[0] ?? {
    key: '',
  };
  assert.match(key, /^mr_live_/);
  for (const args of [['accounts'], ['accounts', '--json'], ['keys', '--json']])
    assert.ok(!(await out(args)).includes(key), args.join(' '));
});

test('logging in reads the key from standard input, tries it, and keeps none that does not work', async () => {
  const secret = (await out(['keys', 'new', '--scope', 'mail:send', '--name', 'other'])).trim();
  const elsewhere = { XDG_CONFIG_HOME: join(folder, 'elsewhere') };
  const other = secret.endsWith('x') ? 'y' : 'x';
  const wrong = await mailroom(['login', url], `${secret.slice(0, -1)}${other}\n`, elsewhere);
  assert.equal(wrong.status, 3);
  assert.match((await mailroom(['accounts'], '', elsewhere)).stderr, /No account/);
  assert.equal((await mailroom(['login', url], `${secret}\n`, elsewhere)).status, 0);
  assert.equal((await mailroom(['send', address, 'Hi'], '', elsewhere)).stdout, 'I write programs.\n');
  const refused = await mailroom(['address', 'add', 'x'], '', elsewhere);
  assert.deepEqual([refused.status, refused.stdout], [3, '']);
  assert.match(refused.stderr, /mailroom keys/);
  const typed = await mailroom(['login', secret], '', elsewhere);
  assert.equal(typed.status, 2);
  assert.ok(!typed.stderr.includes(secret));
});

test('sending prints the reply alone: from an argument, from standard input, as JSON', async () => {
  assert.equal(await out(['send', address, 'Who are you?']), 'I write programs.\n');
  assert.match(await out(['send', proof, '-', '--wait', '300'], 'She have two cat.'), /^She has two cats\./);
  assert.match(await out(['send', proof, '--wait', '300'], 'She have two cat.'), /^She has two cats\./);
  const message = await json<{ subject: string; data: unknown; reply: { body: string } }>([
    ...['send', address, 'Hi', '--subject', 'S', '--data', '{"a": [1]}'],
  ]);
  assert.deepEqual([message.subject, message.data, message.reply.body], ['S', { a: [1] }, 'I write programs.']);
});

test('files are attached, and those of the reply are saved without replacing others', async () => {
  writeFileSync(join(folder, 'draft.txt'), 'She have two cat.');
  const args = ['send', proof, 'Correct it, please.', '--wait', '300', '--attach'];
  const inFolder = [MAIN, ...args, 'draft.txt', '--save', 'saved'];
  const { status, stderr } = await finished(NODE, inFolder, { XDG_CONFIG_HOME: folder }, { cwd: folder });
  assert.equal(status, 0, stderr);
  await out([...args, join(folder, 'draft.txt'), '--save', join(folder, 'saved')]);
  const [newest] = await json<{ attachments: { content_type: string }[] }[]>(['inbox', proof, '--limit', '1']);
  assert.equal(newest?.attachments[0]?.content_type, 'text/plain');
  assert.deepEqual(readdirSync(join(folder, 'saved')).sort(), ['draft (2).txt', 'draft.txt']);
  assert.equal(readFileSync(join(folder, 'saved/draft (2).txt'), 'utf8'), 'She has two cats.');
  const missing = await mailroom(['send', proof, 'x', '-a', 'missing.txt']);
  assert.equal(missing.status, 2);
  assert.match(missing.stderr, /missing\.txt cannot be attached: there is no such file/);
});

test('each kind of failure has the exit code that the help documents, and says how to fix it', async () => {
  await out(['address', 'add', 'paused']);
  const paused = address.replace('hello', 'paused');
  await out(['address', 'edit', paused, '--pause']);
  const cases: readonly (readonly [number, RegExp, readonly string[]])[] = [
    [2, /--help/, ['send', address, 'Hi', '--nothing']],
    [2, /Did you mean "send"/, ['sned', address, 'Hi']],
    [2, /The text is empty/, ['send', address, '']],
    [2, /whole number/, ['send', address, 'Hi', '--wait', 'soon']],
    [2, /--wait=-1/, ['send', address, 'Hi', '--wait', '-1']],
    [2, /Unknown option '--nothing'/, ['--nothing']],
    [2, /--yes/, ['address', 'rm', address]],
    // What the service refuses is called as it was written here.
    [1, /^mailroom: --status: This must be one of submitted/, ['inbox', '--status', 'nonsense']],
    [1, /^mailroom: --expires: This must be/, ['keys', 'new', '-s', 'mail:send', '--expires', 'tomorrow']],
    [1, /^mailroom: --scope: This must be one of/, ['keys', 'new', '-s', 'nonsense']],
    [2, /no event type "nonsense\.x"\. Use one of .*message\.received/, ['tail', '--type', 'nonsense.x']],
    [2, /no event type "nope\.\*"/, ['webhooks', 'listen', 'http://localhost:9', '-t', 'message.*', '-t', 'nope.*']],
    [3, /"nonsense" is not the URL of a service/, ['inbox', '--url', 'nonsense']],
    [6, /does not speak TLS/, ['send', address, 'Hi', '--url', url.replace('http:', 'https:')]],
    [3, /no key|login/, ['inbox', '--url', 'http://localhost:9']],
    [4, /no mailbox/, ['send', `none@${name}.mailroom.localhost`, 'Hi']],
    [5, /mailroom read msg_/, ['send', paused, 'Hi', '--wait', '1']],
    [6, /URL/, ['send', address, 'Hi', '--url', 'http://localhost:9']],
  ];
  const help = await out(['--help']);
  assert.match(await out(['address', '--help']), /^ {2}address add +Make an address/m);
  assert.match(await out(['webhooks', '--help']), /^ {2}webhooks rotate /m);
  assert.deepEqual(JSON.parse(await out(['--json', '--url', url, 'inbox', address, '-n', '1', '-l', 'none'])), []);
  for (const [status, says, args] of cases) {
    const result = await mailroom(args);
    assert.equal(result.status, status, `${args.join(' ')}: ${result.stderr}`);
    assert.match(result.stderr, says);
    assert.equal(result.stdout, '');
    assert.match(help, new RegExp(`^  ${status} `, 'm'));
  }
  assert.match(await out(['send', paused, 'Later', '--wait', '0']), /^msg_\w+\n$/);
});

test('a key is never sent to another service than the one it was made at', async () => {
  const { status, stderr } = await mailroom(['keys', '--url', 'http://127.0.0.1:9']);
  assert.equal(status, 3);
  assert.match(stderr, /There is no key for http:\/\/127\.0\.0\.1:9/);
});

test('messages are listed, found, read, and their conversation shown', async () => {
  const { id, thread_id } = await json<{ id: string; thread_id: string }>([
    'send',
    address,
    '## **The zebra** question',
  ]);
  await out(['send', address, 'And again', '--thread', thread_id]);
  type Rows = readonly { readonly id: string; readonly labels?: readonly string[] }[];
  assert.equal((await json<Rows>(['inbox', address, '-n', '1'])).length, 1);
  const found = await json<Rows>(['search', 'zebra', 'question']);
  assert.deepEqual(
    found.map((one) => one.id),
    [id],
  );
  assert.match(await out(['inbox', '--unread']), new RegExp(`^${id}\\t.*\\tcompleted \\*\\tThe zebra question$`, 'm'));
  assert.match(await out(['read', id]), /The zebra\*\* question[\s\S]*I write programs\./);
  assert.ok(!(await json<Rows>(['inbox', '--unread'])).some((one) => one.id === id));
  const thread = await json<readonly { body: string }[]>(['thread', id]);
  assert.deepEqual(
    thread.map(({ body }) => body),
    ['## **The zebra** question', 'I write programs.', 'And again', 'I write programs.'],
  );
});

test('a message is read with the replies after the first, too', async () => {
  await out(['address', 'add', 'hand', '--behavior', 'agent', '--settings', '{"by_hand": true}']);
  const id = (await out(['send', 'hand', 'A question', '--wait', '0'])).trim();
  for (const text of ['The first answer.', 'A second thought.', 'And a third.']) await out(['answer', id, text]);
  const read = await out(['read', id]);
  assert.match(read, /A question[\s\S]*The first answer\.[\s\S]*A second thought\.[\s\S]*And a third\./);
  assert.equal(read.match(/The first answer/g)?.length, 1);
  assert.match(read, /2 further replies/);
  assert.equal((await json<{ replies_count: number }>(['read', id])).replies_count, 3);
});

test('a message is deleted once it is confirmed', async () => {
  const { id } = await json<{ id: string }>(['send', address, 'To be deleted']);
  assert.equal((await mailroom(['rm', id])).status, 2);
  assert.deepEqual(await json(['rm', id, '--yes']), { deleted: id });
  assert.equal((await mailroom(['read', id])).status, 4);
});

test('without a key a listed address is asked as a guest', async () => {
  const elsewhere = { XDG_CONFIG_HOME: join(folder, 'none'), MAILROOM_URL: url };
  const { status, stdout } = await mailroom(['send', address, 'Hi'], '', elsewhere);
  assert.deepEqual([status, stdout], [0, 'I write programs.\n']);
});

test('keys are made with their secret alone on standard output, and revoked', async () => {
  const secret = await out(['keys', 'new', '--scope', 'messages:read', '--mailbox', address]);
  assert.match(secret, /^mr_live_\w+\n$/);
  const env = { MAILROOM_URL: url, MAILROOM_KEY: secret.trim() };
  assert.equal((await mailroom(['inbox', address], '', env)).status, 0);
  const keys = await json<readonly { id: string; mailbox: string | null }[]>(['keys']);
  const { id = '' } = keys.find(({ mailbox }) => mailbox === address) ?? {};
  await out(['keys', 'rm', id, '--yes']);
  assert.equal((await mailroom(['inbox', address], '', env)).status, 3);
});

test('events are printed as they happen, as JSON Lines too', async () => {
  const all = await fetch(`${url}/api/v1/events?limit=1`, {
    headers: { authorization: `Bearer ${(await out(['keys', 'new', '--scope', 'messages:read'])).trim()}` },
  });
  const [first] = ((await all.json()) as { items: { id: string }[] }).items;
  const args = [MAIN, 'tail', '--after', first?.id ?? '', '--json'];
  const env = { PATH: process.env.PATH, XDG_CONFIG_HOME: folder };
  const tail = spawn(NODE, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(tail, 'exit');
  const events: string[] = [];
  for await (const line of createInterface(tail.stdout)) {
    events.push(JSON.parse(line).type);
    if (events.length === 2) break;
  }
  // It runs until it is ended, since another event may come.
  tail.kill('SIGINT');
  assert.deepEqual(await ended, [0, null]);
  assert.equal(events.length, 2);
});

test('who makes a namespace while a key is in the environment is told that it goes first', async () => {
  const env = {
    MAILROOM_URL: url,
    MAILROOM_KEY: `mr_live_${'x'.repeat(46)}`,
    XDG_CONFIG_HOME: join(folder, 'with-key'),
  };
  const localPart = unique();
  const { status, stdout, stderr } = await mailroom(['new', localPart], '', env);
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^Made /);
  assert.match(stderr, new RegExp(`MAILROOM_KEY is set and goes first.*--as ${localPart}`));
  const { stdout: made } = await mailroom(['address', 'add', 'hello', '-b', 'proofread', '--as', localPart], '', env);
  assert.equal(made, `hello@${localPart}.mailroom.localhost\n`);
});

test('waiting for events at a service that cannot be reached ends with an error', async () => {
  const env = { MAILROOM_URL: 'http://localhost:9', MAILROOM_KEY: `mr_live_${'x'.repeat(46)}` };
  const { status, stderr } = await mailroom(['tail'], '', env);
  assert.equal(status, 6);
  assert.match(stderr, /cannot be reached/);
});

test('every command has help with examples that it can read', async () => {
  for (const command of COMMANDS) {
    const help = await out([...command.name.split(' '), '--help']);
    assert.ok(command.examples.length > 0);
    for (const [call, what] of command.examples) {
      assert.ok(help.includes(`mailroom ${call}`) && help.includes(what));
      const words = (call.split(/ (?:[|<>;]|--(?= )|2>)/)[0] ?? '').match(/'[^']*'|"[^"]*"|\S+/g) ?? [];
      const args = words.map((word) => word.replace(/^(['"])(.*)\1$/, '$2'));
      assert.equal(args.slice(0, command.name.split(' ').length).join(' '), command.name);
      const { positionals } = parseArgs({
        args: args.slice(command.name.split(' ').length),
        options: { ...COMMON, ...command.options },
        allowPositionals: true,
      });
      const [min, max] = command.count;
      assert.ok(positionals.length >= min - (call.includes('< ') ? 1 : 0) && positionals.length <= max, call);
    }
  }
});

test('a name alone is an address of the namespace in use, and errors are JSON for programs', async () => {
  const { address } = JSON.parse(await out(['address', 'add', 'short', '--json']));
  const changed = JSON.parse(await out(['address', 'edit', 'short', '--description', 'Short', '--json']));
  assert.deepEqual([changed.address, changed.description], [address, 'Short']);
  assert.deepEqual(JSON.parse(await out(['inbox', 'SHORT', '--json'])), []);
  assert.deepEqual(JSON.parse(await out(['address', 'rm', 'short', '--yes', '--json'])), { deleted: address });
  for (const [args, code, exit] of [
    [['address', 'edit', 'short', '--pause'], 'mailbox_not_found', 4],
    [['read', 'msg_none'], 'message_not_found', 4],
    [['read'], 'usage', 2],
  ] as const) {
    const { status, stdout, stderr } = await mailroom([...args, '--json']);
    const { error } = JSON.parse(stderr);
    assert.deepEqual([status, stdout, error.code, error.exit_code], [exit, '', code, exit], stderr);
    assert.ok(error.message.length > 10);
  }
});

test('a name alone is sent to and from, opened, and what a key is bound to', async () => {
  assert.equal(await out(['send', 'hello', 'Who are you?', '--from', 'proof']), 'I write programs.\n');
  assert.equal(await out(['open', 'hello', '--print']), `${url}/${address}\n`);
  const made = await json<{ id: string; mailbox: string }>(['keys', 'new', '-s', 'mail:answer', '-m', 'hello']);
  assert.equal(made.mailbox, address);
  assert.deepEqual(await json(['keys', 'rm', made.id, '--yes']), { revoked: made.id });
  const missing = await mailroom(['send', 'nothere', 'Hi']);
  assert.equal(missing.status, 4);
  assert.match(missing.stderr, /mailroom address list/);
});

test('a text that begins with - follows after --, and input that is no text is refused', async () => {
  assert.equal(await out(['send', address, '--', '-- What is this?']), 'I write programs.\n');
  const { status, stderr } = await mailroom(['send', address, '-- What is this?']);
  assert.equal(status, 2);
  assert.match(stderr, /follows after --/);
  const script = `printf 'gr\\374n' | "$@"`;
  const latin = await finished(
    'sh',
    ['-c', script, 'sh', NODE, MAIN, 'send', address, '-'],
    { XDG_CONFIG_HOME: folder },
    { cwd: folder },
  );
  assert.equal(latin.status, 2);
  assert.match(latin.stderr, /not text in UTF-8.*--attach/);
});

test('an address without its program says what comes next, and why no answer comes', async () => {
  const added = await mailroom(['address', 'add', 'agent', '--behavior', 'agent']);
  assert.equal(added.stdout, `agent@${name}.mailroom.localhost\n`);
  assert.match(added.stderr, /mailroom serve agent -- COMMAND/);
  const sent = await mailroom(['send', 'agent', 'Hi', '--wait', '1']);
  assert.equal(sent.status, 5);
  assert.match(sent.stderr, /program of agent@\S+ is not connected; it still comes: mailroom read msg_/);
});

test('the shells complete commands and options', async () => {
  writeFileSync(join(folder, 'completion.bash'), await out(['completion', 'bash']));
  const complete = async (...words: readonly string[]): Promise<string> => {
    const script = `. ./completion.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _mailroom; echo "\${COMPREPLY[*]}"`;
    return (await finished('bash', ['-c', script, 'bash', ...words], {}, { cwd: folder })).stdout.trim();
  };
  assert.equal(await complete('mailroom', 'sea'), 'search');
  assert.equal(await complete('mailroom', 'address', 'r'), 'rm');
  assert.equal(await complete('mailroom', 'send', 'a@b', '--at'), '--attach');
  assert.equal(await complete('mailroom', 'keys', 'new', '--mail'), '--mailbox');
  assert.equal(await complete('mailroom', 'completion', 'z'), 'zsh');
  assert.equal(await complete('mailroom', 'address', 'add', 'echo', '--visibility', ''), 'listed unlisted');
  // The completion that loads the file calls it too, or the first one would find nothing.
  assert.match(await out(['completion', 'zsh']), /^_bash_complete -o default -F _mailroom$/m);
  const fish = await out(['completion', 'fish']);
  assert.match(fish, /-n '__mailroom_is keys new' -l scope/);
  assert.match(fish, /-n '__mailroom_is new' -l display-name/);
  assert.match(fish, /-l access -x -a 'public key'/);
});
