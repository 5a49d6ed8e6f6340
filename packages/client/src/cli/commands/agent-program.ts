import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { AgentReply, HandlerContext } from '../../handler.ts';
import type { Message } from '../../types.generated.ts';
import { type Context, UsageError } from '../command.ts';
import { oneLine } from '../terminal.ts';
import { MessageFolder } from './message-folder.ts';

/** The service's maximum of a reply, in characters. */
const MAX_OUTPUT = 1024 * 1024;
/** How long a program has to end once it is asked to. */
const KILL_MS = 5_000;

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** UsageError for a program that cannot be started, which would fail each message. Windows finds programs its own way. */
export function checkProgram(program: string, { PATH = '' }: NodeJS.ProcessEnv): void {
  if (process.platform === 'win32') return;
  const places = program.includes('/') ? [program] : PATH.split(delimiter).map((folder) => join(folder, program));
  const found = places.filter((place) => statSync(place, { throwIfNoEntry: false })?.isFile() === true);
  if (found.length === 0) throw new UsageError(`There is no program "${program}". Check its spelling.`);
  if (!found.some(isExecutable))
    throw new UsageError(`"${program}" is not executable. Make it so: chmod +x ${program}`);
}

/** What describes a message to a program; the key is none of it, because the program reads texts of others. */
function environmentOf(message: Message, folder: MessageFolder, context: Context): NodeJS.ProcessEnv {
  const { MAILROOM_KEY: _, ...env } = context.env;
  return {
    ...env,
    MAILROOM_URL: context.guest().url,
    MAILROOM_MESSAGE_ID: message.id,
    MAILROOM_THREAD_ID: message.thread_id,
    MAILROOM_TO: message.to ?? '',
    MAILROOM_FROM: message.from ?? '',
    MAILROOM_SENDER: message.sender.kind,
    MAILROOM_SUBJECT: oneLine(message.subject ?? ''),
    MAILROOM_DATA: message.data === null ? '' : JSON.stringify(message.data),
    MAILROOM_ATTACHMENTS: folder.attachments,
    MAILROOM_OUT: folder.out,
  };
}

/** What a program is given where that is not the message alone. */
export interface ProgramInput {
  readonly input: string;
  readonly env: NodeJS.ProcessEnv;
}

/** The answer of a program: its output as it is printed, and the files that it leaves in `MAILROOM_OUT`. */
export async function* answerOf(
  command: readonly string[],
  message: Message,
  { mailroom, signal }: Pick<HandlerContext, 'mailroom' | 'signal'>,
  context: Context,
  { input, env }: ProgramInput = { input: message.body, env: {} },
): AsyncGenerator<string, Pick<AgentReply, 'files'>> {
  const folder = await MessageFolder.of(message, mailroom, signal);
  try {
    let printed = false;
    for await (const text of outputOf(command, input, { ...environmentOf(message, folder, context), ...env }, signal)) {
      if (text === '') continue;
      printed = true;
      yield text;
    }
    const files = await folder.left();
    if (!printed && files.length === 0)
      throw new Error(`${command[0]} printed nothing and left no file in MAILROOM_OUT, which is no answer.`);
    if (!printed) yield `Attached: ${files.map(({ filename }) => filename).join(', ')}`;
    return { files };
  } finally {
    await folder.remove();
  }
}

/** What a program prints when it is given the message on standard input, as it prints it. Throws when it fails. */
async function* outputOf(
  [program = '', ...args]: readonly string[],
  body: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<string | undefined>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, by) => resolve(code === 0 ? undefined : `it ended with ${by ?? `exit code ${code}`}`));
  });
  let kill: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => {
    child.kill('SIGTERM');
    kill ??= setTimeout(() => child.kill('SIGKILL'), KILL_MS);
  };
  signal.addEventListener('abort', stop);
  // A program may end without reading its input.
  child.stdin.on('error', () => {});
  child.stdin.end(body);
  try {
    let length = 0;
    // The last line break is held back, since it ends the output and is no part of the text.
    let held = '';
    for await (const chunk of child.stdout.setEncoding('utf8') as AsyncIterable<string>) {
      length += chunk.length;
      if (length > MAX_OUTPUT) throw new Error(`${program} printed more than ${MAX_OUTPUT} characters.`);
      // The service takes no U+0000.
      const text = held + chunk.replaceAll('\0', '\u{fffd}');
      held = text.endsWith('\n') ? '\n' : '';
      yield held === '' ? text : text.slice(0, -1);
    }
    const failed = await ended;
    if (failed !== undefined) throw new Error(`${program} failed: ${failed}.`);
  } finally {
    signal.removeEventListener('abort', stop);
    if (child.exitCode === null && child.signalCode === null) stop();
    void ended.then(() => clearTimeout(kill));
  }
}
