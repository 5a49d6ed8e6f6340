// Other programs: bash, curl, npm, Node 20.
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { lacksOldNode, OLD_NODE } from '../../packages/client/tests/old-node.ts';
import { newFolder, removeFolder } from '../harness/service.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Blocks of the README that are not run, and why. */
const NOT_RUN = [
  { begins: '# Claude Code', why: 'Claude Code is no program that this machine may install' },
  { begins: 'npm ci && npm test', why: 'this test is one of those that it runs' },
];
/** Blocks that run until they are ended, each in a terminal of its own, and what they print once they are ready. */
const STARTING = [
  { begins: 'npm ci && npm start', ready: /curl -s http:\/\/localhost:8080/ },
  { begins: 'post namespaces/ada/mailboxes \'{"local_part": "auth"', ready: /http:\/\/localhost:\d+/ },
];
/** What the other blocks print, in order. */
const PRINTED = [
  /She has two cats, and they are hungry/,
  /./,
  /I am Ada, an engineer\./,
  /"local_part":"echo"/,
  /You wrote: Hello/,
  /"protocolVersion"/,
];
const MAX_MS = 300_000;

const folder = newFolder();
const terminals: ChildProcess[] = [];
after(async () => {
  for (const terminal of terminals) await ended(terminal);
  removeFolder(folder);
});

/** Ends a terminal with what runs in it. */
async function ended(terminal: ChildProcess): Promise<void> {
  if (terminal.exitCode !== null || terminal.signalCode !== null) return;
  const over = once(terminal, 'exit');
  process.kill(-(terminal.pid as number), 'SIGTERM');
  await over;
}

/** A terminal in the folder, as someone has it who has Node 20. */
class Terminal {
  readonly #shell: ChildProcess;
  #printed = '';
  #wake = (): void => {};

  constructor(cwd: string) {
    const path = (process.env.PATH ?? '').split(delimiter).filter((one) => !one.includes('node_modules'));
    const env = { PATH: [dirname(OLD_NODE), ...path].join(delimiter), HOME: folder, LANG: 'C.UTF-8' };
    const { npm_config_cache = join(process.env.HOME ?? '', '.npm') } = process.env;
    this.#shell = spawn('bash', [], {
      cwd,
      env: { ...env, npm_config_cache, npm_config_prefer_offline: 'true', npm_config_update_notifier: 'false' },
      detached: true,
      stdio: 'pipe',
    });
    terminals.push(this.#shell);
    const read = (chunk: Buffer): void => {
      this.#printed += String(chunk);
      this.#wake();
    };
    this.#shell.stdout?.on('data', read);
    this.#shell.stderr?.on('data', read);
    this.#shell.once('exit', () => read(Buffer.from('\nthe shell ended')));
  }

  /** Types the lines; returns what is printed up to `ready`. */
  async type(lines: string, ready: RegExp): Promise<string> {
    this.#printed = '';
    this.#shell.stdin?.write(`${lines}\n`);
    const late = setTimeout(() => this.#wake(), MAX_MS);
    const until = performance.now() + MAX_MS;
    while (!ready.test(this.#printed)) {
      assert.ok(performance.now() < until && !this.#printed.endsWith('the shell ended'), `${lines}\n${this.#printed}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    clearTimeout(late);
    return this.#printed;
  }

  /** Types the lines and returns what they print, to their end. */
  async run(lines: string): Promise<string> {
    const end = /^the block ended with (\d+)$/m;
    const printed = await this.type(`${lines}\necho; echo "the block ended with $?"`, end);
    return printed.replace(end, '');
  }

  /** Sets what another terminal exported or defined. */
  async like(other: Terminal): Promise<void> {
    await this.run(await other.run('declare -p MAILROOM_URL MAILROOM_KEY; declare -f post'));
  }
}

async function isBusy(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  const busy = await Promise.race([
    once(server, 'listening').then(() => false),
    once(server, 'error').then(() => true),
  ]);
  server.close();
  return busy;
}
const busy = (await isBusy(8080)) || (await isBusy(2525));

test('every block of the README runs as it is printed, in order, with Node 20', {
  skip: lacksOldNode || (busy && 'a port that the README names is in use'),
}, async () => {
  const clone = join(folder, 'mailroom');
  mkdirSync(clone);
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' });
  for (const file of files.trim().split('\n'))
    cpSync(join(ROOT, file), join(clone, file), { force: true, errorOnExist: false });
  const readme = readFileSync(join(clone, 'README.md'), 'utf8');
  const blocks = [...readme.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, kind, text = '']) => ({ kind, text }));
  assert.deepEqual([...new Set(blocks.map(({ kind }) => kind))], ['sh']);
  const person = new Terminal(clone);
  const expected = PRINTED.values();
  let skipped = 0;
  for (const { text } of blocks) {
    if (NOT_RUN.some(({ begins }) => text.startsWith(begins))) {
      skipped++;
      continue;
    }
    const starting = STARTING.find(({ begins }) => text.startsWith(begins));
    if (starting === undefined) {
      const { value } = expected.next();
      assert.match(await person.run(text), value as RegExp, text);
      continue;
    }
    const terminal = new Terminal(clone);
    if (starting !== STARTING[0]) await terminal.like(person);
    await terminal.type(text, starting.ready);
  }
  assert.equal(skipped, NOT_RUN.length);
  assert.equal(expected.next().done, true);
});
