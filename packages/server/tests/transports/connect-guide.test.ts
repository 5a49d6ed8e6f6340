// Other programs: curl, Python, swaks.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { unique } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { lacks } from '../../../../tests/harness/install.ts';
import { leftFor } from '../../../../tests/harness/mail.ts';
import { callTool, textIn } from '../../../../tests/harness/mcp.ts';
import type { ConnectWay } from '../../transports/web/connect-section.ts';
import { samples } from '../../transports/web/samples.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const inside = await startInside({ env: { SMTP_LISTEN: '127.0.0.1:0' } });
const { key } = await inside.client.newNamespace();
const port = String(inside.smtp?.port);
const env = { PATH: process.env.PATH ?? '', MAILROOM_KEY: key };
const HELLO = 'hello@agents.mailroom.localhost';
const ANSWER = /Hello/;

const folder = mkdtempSync(join(tmpdir(), 'mailroom-connect-'));
after(() => rmSync(folder, { recursive: true, force: true }));
mkdirSync(join(folder, 'node_modules/@a2a-js'), { recursive: true });
mkdirSync(join(folder, 'node_modules/@mailroom'));
symlinkSync(join(ROOT, 'packages', 'client'), join(folder, 'node_modules/@mailroom/client'));
symlinkSync(join(ROOT, 'node_modules/@a2a-js/sdk'), join(folder, 'node_modules/@a2a-js/sdk'));
// Stands for Claude Code: prints what it is called with.
mkdirSync(join(folder, 'bin'));
writeFileSync(join(folder, 'bin/claude'), `#!/bin/sh\nprintf '%s\\n' "$@"\n`);
chmodSync(join(folder, 'bin/claude'), 0o755);

const guide = await (await fetch(`${inside.client.url}/docs/connect.md`)).text();
/** On this machine `localhost` may first be another address than the service's. */
const here = (code: string): string => code.replaceAll('http://localhost:', 'http://127.0.0.1:');
/** The snippets of one section, in one language. */
function snippets(section: string, language: string): readonly string[] {
  const [, text = ''] = new RegExp(`^## ${section}$(.*?)(?=^## |$(?![\\s\\S]))`, 'ms').exec(guide) ?? [];
  const found = [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, code = '']) => code,
  );
  assert.notEqual(found.length, 0, `${section} has no ${language}`);
  return found.map(here);
}

async function run(program: string, args: readonly string[], more: object = {}): Promise<string> {
  return (await promisify(execFile)(program, args, { env: { ...env, ...more }, cwd: folder })).stdout;
}
const file = (name: string, code: string): string => {
  writeFileSync(join(folder, name), code);
  return join(folder, name);
};

/** What an assistant's settings say of an MCP server. */
interface Settings {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Connects as an assistant does with these settings, and asks. */
async function asks({ url, headers = {} }: Settings, tool = 'ask', args: object = { message: 'Who are you?' }) {
  // Assistants put the variable in by themselves.
  const filled = Object.entries(headers).map(([name, value]) => [name, value.replace(/\$\{[\w:-]+\}/, key)]);
  const client = new Client({ name: 'assistant', version: '1' });
  const requestInit = { headers: Object.fromEntries(filled) };
  await client.connect(new StreamableHTTPClientTransport(new URL(here(url)), { requestInit }));
  try {
    return textIn(await callTool(client, tool, args));
  } finally {
    await client.close();
  }
}

/** The settings that a command line gives Claude Code, of which only the flags that its help names are used. */
async function addedBy(command: string): Promise<Settings> {
  const [mcp, add, , transport, , url = '', ...rest] = (
    await run('sh', ['-c', command], { PATH: `${join(folder, 'bin')}:${env.PATH}` })
  )
    .trim()
    .split('\n');
  assert.deepEqual([mcp, add, transport], ['mcp', 'add', 'http']);
  if (rest.length === 0) return { url };
  assert.equal(rest[0], '--header');
  const [name = '', value = ''] = (rest[1] ?? '').split(': ');
  return { url, headers: { [name]: value } };
}

test('the commands for Claude Code connect an address and a namespace', async () => {
  const [one = '', all = ''] = snippets('Claude Code', 'sh');
  assert.match(await asks(await addedBy(one)), ANSWER);
  assert.match(await asks(await addedBy(all), 'send', { to: HELLO, body: 'Who are you?' }), ANSWER);
});

test('the URLs for Claude and ChatGPT are servers that need no key', async () => {
  for (const section of ['Claude', 'ChatGPT']) {
    const [url = ''] = snippets(section, 'text');
    assert.match(await asks({ url: url.trim() }), ANSWER);
  }
});

test('the settings of Claude Desktop, Cursor and VS Code are JSON that connects', async () => {
  const [desktop = ''] = snippets('Claude', 'json');
  const program = JSON.parse(desktop).mcpServers.hello;
  assert.equal(program.command, 'npx');
  assert.match(await asks({ url: program.args[1], headers: { Authorization: `Bearer ${key}` } }), ANSWER);
  const [cursor = ''] = snippets('Cursor', 'json');
  assert.match(await asks(JSON.parse(cursor).mcpServers.hello), ANSWER);
  const [code = ''] = snippets('VS Code', 'json');
  const { inputs, servers } = JSON.parse(code);
  assert.equal(servers.hello.type, 'http');
  assert.ok(servers.hello.headers.Authorization.includes(`\${input:${inputs[0].id}}`));
  assert.match(await asks(servers.hello), ANSWER);
});

test('the programs of the guide work as they are printed: curl, Python, TypeScript, A2A', async () => {
  for (const command of snippets('curl', 'sh')) assert.match(await run('sh', ['-c', command]), ANSWER);
  const [python = ''] = snippets('Python', 'python');
  // As if its wheel was installed, which another test does.
  const PYTHONPATH = join(ROOT, 'clients/python');
  assert.match(await run('python3', ['-c', python], { PYTHONPATH, PYTHONDONTWRITEBYTECODE: '1' }), ANSWER);
  const [typescript = ''] = snippets('TypeScript', 'ts');
  assert.match(await run(process.execPath, [file('send.ts', typescript)]), ANSWER);
  const [a2a = ''] = snippets('A2A', 'js');
  assert.match(await run(process.execPath, [file('a2a.mjs', a2a)]), ANSWER);
});

/** The answer that left for this address. */
async function answered(from: string): Promise<string> {
  const [mail] = await leftFor(inside.outbox, from);
  return mail?.text ?? '';
}

test('a mail by swaks is answered', { skip: lacks('swaks') }, async () => {
  const [command = ''] = snippets('Mail', 'sh');
  const from = `${unique()}@example.org`;
  const said = await run('sh', ['-c', command.replace('2525', port).replace('you@example.org', from)]);
  assert.match(said, /250 2\.0\.0 Received as msg_/);
  assert.match(await answered(from), ANSWER);
});

test('a mail by Python is answered', async () => {
  const [program = ''] = snippets('Mail', 'python');
  const from = `${unique()}@example.org`;
  await run('python3', ['-c', program.replace('2525', port).replace('you@example.org', from)]);
  assert.match(await answered(from), ANSWER);
});

/** What the page of an address prints, for a guest and for a key. */
const printed = (way: ConnectWay, withKey: boolean): string =>
  samples({ baseUrl: inside.client.url, address: HELLO, body: 'Who are you?', key: withKey })[way].code;

for (const withKey of [true, false]) {
  const whose = withKey ? 'with a key' : 'without a key';

  test(`what the page prints for assistants connects ${whose}`, async () => {
    assert.match(await asks(await addedBy(printed('claude', withKey))), ANSWER);
    assert.match(await asks(JSON.parse(printed('cursor', withKey)).mcpServers.hello), ANSWER);
    assert.match(await asks(JSON.parse(printed('vscode', withKey)).servers.hello), ANSWER);
    assert.match(await asks({ url: printed('connector', withKey) }), ANSWER);
  });

  test(`the program for A2A that the page prints works ${whose}`, async () => {
    assert.match(await run(process.execPath, [file('page.mjs', printed('a2a', withKey))]), ANSWER);
  });
}

test('the page of an address says only what holds for it: no card that no one sees, no key where none can be typed', async () => {
  const home = await inside.client.newNamespace();
  const pageOf = async (more: Readonly<Record<string, unknown>>): Promise<string> => {
    const { address } = await inside.client.newMailbox(home, more);
    return (await fetch(`${inside.client.url}/${address}?lang=connector`, { headers: { accept: 'text/html' } })).text();
  };
  const open = await pageOf({});
  assert.ok(open.includes('agent-card.json'));
  assert.doesNotMatch(open, /sign you in/);
  const unlisted = await pageOf({ visibility: 'unlisted' });
  assert.ok(!unlisted.includes('agent-card.json'));
  const closed = await pageOf({ try_out: false });
  assert.match(closed, /sign you in/);
  assert.doesNotMatch(closed, /in <code>MAILROOM_KEY/);
});
