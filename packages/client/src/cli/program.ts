import { parseArgs } from 'node:util';
import { MailroomError } from '../error.ts';
import { Mailroom } from '../mailroom.ts';
import { Accounts } from './accounts.ts';
import { type Command, type Context, type Option, textOf, UsageError, type Values } from './command.ts';
import { COMMANDS } from './commands/index.ts';
import { errorJson, errorLines, exitCodeOf } from './exit.ts';
import { COMMON, commandHelp, groupHelp, programHelp } from './help.ts';
import { type Output, Terminal } from './terminal.ts';

const DEFAULT_URL = 'http://localhost:8080';
const VERSION: Option = { type: 'boolean', help: 'show the version' };

/** What the program is run in: of a process, its own. */
export interface ProgramIo {
  readonly stdin: AsyncIterable<Buffer> & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: NodeJS.ProcessEnv;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

interface Parsed {
  readonly values: Values;
  readonly positionals: readonly string[];
}

/** How many arguments in front of the command are options of every command. */
function leading(args: readonly string[]): number {
  let count = 0;
  for (;;) {
    const [name = '', value] = args[count]?.split('=') ?? [];
    const option = name.startsWith('--') ? COMMON[name.slice(2)] : undefined;
    if (option === undefined || name === '--help') return count;
    count += option.type === 'string' && value === undefined ? 2 : 1;
  }
}

/** The command that the arguments name first, and its own. */
function find(all: readonly string[]): { readonly command: Command; readonly args: readonly string[] } | undefined {
  const options = all.slice(0, leading(all));
  const args = all.slice(options.length);
  const [first = '', second = ''] = args;
  const two = COMMANDS.find(({ name }) => name === `${first} ${second}`);
  if (two !== undefined) return { command: two, args: [...options, ...args.slice(2)] };
  const one = COMMANDS.find(({ name }) => name === first);
  return one === undefined ? undefined : { command: one, args: [...options, ...args.slice(1)] };
}

/** The characters of a word in order, the same for two that differ by a swap. */
const sorted = (word: string): string =>
  word
    .split('')
    .sort((a, b) => (a < b ? -1 : 1))
    .join('');

/** Why there is no such command, with the nearest ones. */
function unknown(args: readonly string[]): UsageError {
  const [first = ''] = args;
  const near = COMMANDS.filter(
    ({ name }) => name.startsWith(`${first} `) || sorted(name) === sorted(first) || name.startsWith(first.slice(0, 3)),
  );
  const hint =
    near.length === 0
      ? 'mailroom --help lists them.'
      : `Did you mean ${near.map(({ name }) => `"${name}"`).join(', ')}?`;
  return new UsageError(`There is no command "${first}". ${hint}`);
}

async function run(argv: readonly string[], terminal: Terminal, io: ProgramIo): Promise<number> {
  const { env, signal } = io;
  const words = argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv;
  const found = find(words);
  if (found === undefined) {
    const rest = words.slice(leading(words));
    const [first, second] = rest;
    const group = COMMANDS.filter(({ name }) => name.startsWith(`${first} `));
    if (group.length > 0 && (second === undefined || second === '--help' || second === '-h')) {
      terminal.line(groupHelp(group).trimEnd());
      return second === undefined ? 2 : 0;
    }
    if (first !== undefined && !first.startsWith('-')) throw unknown(rest);
    const values: Values = parse(undefined, words).values;
    if (values.version === true) terminal.line(await version());
    else terminal.line(programHelp(COMMANDS).trimEnd());
    return first === undefined ? 2 : 0;
  }
  const { command } = found;
  const end = command.program === true ? found.args.indexOf('--') : -1;
  const own = end === -1 ? found.args : found.args.slice(0, end);
  const { values, positionals } = parse(command, own);
  if (values.help === true) {
    terminal.line(commandHelp(command, COMMANDS).trimEnd());
    return 0;
  }
  const [min, max] = command.count;
  if (positionals.length < min || positionals.length > max)
    throw new UsageError(`Usage: mailroom ${command.name} ${command.args ?? ''}`.trimEnd());
  const accounts = new Accounts(env);
  const context: Context = {
    values,
    positionals,
    rest: end === -1 ? [] : found.args.slice(end + 1),
    terminal,
    accounts,
    signal,
    env,
    json: values.json === true,
    guest: () => accountOf(context, 'guest'),
    client(guest) {
      const { url, key } = accountOf(context, guest ?? 'needed');
      return new Mailroom({ url, key, agent: 'mailroom-cli' });
    },
    get typed() {
      return io.stdin.isTTY === true;
    },
    input: () => readInput(io.stdin),
  };
  return (await command.run(context)) ?? 0;
}

/** The text of a stream. UsageError for bytes that are not UTF-8, which would be sent as other characters. */
async function readInput(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new UsageError('The input is not text in UTF-8. Convert it, or send it as a file: --attach FILE.');
  }
}

/** The options of a command; without one, those of the program alone. */
function parse(command: Command | undefined, args: readonly string[]): Parsed {
  try {
    const options: Readonly<Record<string, Option>> = {
      ...COMMON,
      ...(command === undefined ? { version: VERSION } : command.options),
    };
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true }) as Parsed;
  } catch (error) {
    const { message } = error as Error;
    const [text = ''] = message.split(/\.(?:\s|$)/);
    const [, option] = /^Option '(?:-\w, )?(--[\w-]+).*' argument is ambiguous/.exec(message) ?? [];
    if (option !== undefined) {
      const value = args[args.indexOf(option) + 1] ?? '';
      throw new UsageError(`${option} is followed by a value. One that begins with - is written ${option}=${value}`);
    }
    const dashes = command?.args?.includes('TEXT') === true ? ' A text that begins with - follows after --.' : '';
    const whose = command === undefined ? '' : ` ${command.name}`;
    throw new UsageError(`${text}. mailroom${whose} --help lists the options.${dashes}`);
  }
}

/** Whose key is used: the environment's, that of `--as`, or of the current account. */
function accountOf(context: Context, need: 'needed' | 'guest') {
  const { env, accounts } = context;
  const as = textOf(context, 'as');
  const given = textOf(context, 'url') ?? (as === undefined ? env.MAILROOM_URL : undefined);
  const fromEnv = as === undefined && env.MAILROOM_KEY !== undefined && env.MAILROOM_KEY !== '';
  const kept = fromEnv ? undefined : accounts.find(as);
  const url = (given ?? kept?.url ?? DEFAULT_URL).replace(/\/$/, '');
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw new MailroomError(`"${url}" is not the URL of a service. Give one such as https://mail.example.com.`, {
      code: 'configuration',
    });
  // A key is never sent to another service than its own.
  const key = fromEnv ? env.MAILROOM_KEY : kept !== undefined && kept.url === url ? kept.key : undefined;
  if (key === undefined && need === 'needed')
    throw new MailroomError(
      `There is no key for ${url}. Log in with mailroom login ${url}, or make a namespace: mailroom new NAME --url ${url}`,
      { code: 'configuration' },
    );
  return { url, key: key ?? '' };
}

async function version(): Promise<string> {
  const { readFile } = await import('node:fs/promises');
  const manifest = new URL('../../package.json', import.meta.url);
  return JSON.parse(await readFile(manifest, 'utf8')).version;
}

/** Runs the program with these arguments, and resolves with its exit code once its output is written. */
export async function runProgram(argv: readonly string[], io: ProgramIo): Promise<number> {
  const { stdout, stderr, env, signal } = io;
  const terminal = new Terminal(stdout, stderr, env);
  try {
    return await run(argv, terminal, io);
  } catch (error) {
    terminal.done();
    if (signal.aborted) return 130;
    const own = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
    const { options = {} } = find(own)?.command ?? {};
    for (const line of own.includes('--json') ? [errorJson(error)] : errorLines(error, Object.keys(options)))
      terminal.note(line);
    return exitCodeOf(error);
  }
}
