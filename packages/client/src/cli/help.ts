import type { Command, Option } from './command.ts';
import { EXIT_CODES } from './exit.ts';
import { filled } from './width.ts';

/** The options of every command. */
export const COMMON: Readonly<Record<string, Option>> = {
  json: { type: 'boolean', help: 'print JSON, for programs' },
  as: { type: 'string', value: 'ACCOUNT', help: 'use this account, by its namespace' },
  url: { type: 'string', value: 'URL', help: 'the service; else MAILROOM_URL or the account' },
  help: { type: 'boolean', short: 'h', help: 'show this' },
};

const columns = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${filled(left, width)}  ${right}`).join('\n');
};

const optionRows = (options: Readonly<Record<string, Option>>): (readonly [string, string])[] =>
  Object.entries(options).map(([name, { short, value, help, multiple }]) => [
    `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`,
    `${help}${multiple === true ? ' (may be repeated)' : ''}`,
  ]);

const summaries = (commands: readonly Command[]): string =>
  columns(commands.map(({ name, summary }) => [name, summary]));

/** The help of one command, which names those of `commands` that begin with its name. */
export function commandHelp(
  { name, args, summary, options = {}, examples }: Command,
  commands: readonly Command[] = [],
): string {
  const usage = `mailroom ${name}${args === undefined ? '' : ` ${args}`}`;
  const below = commands.filter((one) => one.name.startsWith(`${name} `));
  return `${summary}

Usage: ${usage} [options]

Options:
${columns(optionRows({ ...options, ...COMMON }))}

Examples:
${examples.map(([call, what]) => `  # ${what}\n  mailroom ${call}`).join('\n')}
${below.length === 0 ? '' : `\nCommands:\n${summaries(below)}\n`}`;
}

/** The help of commands that begin with the same word. */
export const groupHelp = (
  commands: readonly Command[],
): string => `Usage: mailroom ${commands[0]?.name.split(' ')[0]} COMMAND [arguments] [options]

Commands:
${summaries(commands)}

mailroom COMMAND --help describes one, with examples.
`;

/** The help of the program. */
export function programHelp(commands: readonly Command[]): string {
  return `Write to addresses that answer, and answer at your own.

Usage: mailroom COMMAND [arguments] [options]

Commands:
${summaries(commands)}

mailroom COMMAND --help describes one, with examples.

Environment:
${columns([
  ['MAILROOM_URL', 'the service, such as https://mail.example.com'],
  ['MAILROOM_KEY', 'the API key; else that of the account that was logged in to'],
  ['XDG_CONFIG_HOME', 'where accounts are kept; ~/.config without it'],
  ['NO_COLOR', 'no colors'],
])}

Exit codes:
${columns(Object.entries(EXIT_CODES))}
`;
}
