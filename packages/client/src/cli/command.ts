import type { Mailroom } from '../mailroom.ts';
import type { Account, Accounts } from './accounts.ts';
import type { Terminal } from './terminal.ts';

/** An option of a command, as `node:util` parseArgs takes it, with its help. */
export interface Option {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  readonly multiple?: true;
  /** What its value is, in the help; without it the option takes none. */
  readonly value?: string;
  readonly help: string;
}

/** The values of options, by name. */
export type Values = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** What a command is handed. */
export interface Context {
  readonly values: Values;
  readonly positionals: readonly string[];
  /** The program that follows `--`. */
  readonly rest: readonly string[];
  readonly terminal: Terminal;
  readonly accounts: Accounts;
  /** Where it writes to, with the key in use, or an empty one. */
  guest(): Pick<Account, 'url' | 'key'>;
  /** A client with the key in use, or without one where `guest` allows it. */
  client(guest?: 'guest'): Mailroom;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  readonly env: NodeJS.ProcessEnv;
  readonly json: boolean;
  /** Whether standard input is what a person types. */
  readonly typed: boolean;
  /** The text of standard input. */
  input(): Promise<string>;
}

/** A command of the program. */
export interface Command {
  /** One word, or two such as `address add`. */
  readonly name: string;
  readonly summary: string;
  /** Its positional arguments, as the help shows them. */
  readonly args?: string;
  /** The fewest and the greatest number of positional arguments. */
  readonly count: readonly [number, number];
  readonly options?: Readonly<Record<string, Option>>;
  /** Whether a program with arguments of its own follows `--`. */
  readonly program?: true;
  /** Arguments of calls, each with what it does. */
  readonly examples: readonly (readonly [string, string])[];
  /** Resolves with an exit code where it is not 0. */
  run(context: Context): Promise<number | undefined>;
}

/** A call that cannot work as it was written. */
export class UsageError extends Error {}

/** The value of an option that takes one. */
export const textOf = ({ values }: Pick<Context, 'values'>, name: string): string | undefined => {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
};

/** The values of an option that may be repeated. */
export const textsOf = ({ values }: Pick<Context, 'values'>, name: string): readonly string[] => {
  const value = values[name];
  return Array.isArray(value) ? value : [];
};

/** The value of an option as a whole number of at least `min`. */
export function numberOf(context: Pick<Context, 'values'>, name: string, min = 0): number | undefined {
  const value = textOf(context, name);
  if (value === undefined) return undefined;
  if (!/^\d{1,9}$/.test(value) || Number(value) < min)
    throw new UsageError(`--${name} is a whole number of at least ${min}, not "${value}".`);
  return Number(value);
}

/** The value of an option as a JSON object; `@FILE` reads a file. */
export function objectOf(
  context: Pick<Context, 'values'>,
  name: string,
  read: (file: string) => string,
): { [name: string]: unknown } | undefined {
  const given = textOf(context, name);
  if (given === undefined) return undefined;
  const text = given.startsWith('@') ? read(given.slice(1)) : given;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as { [name: string]: unknown };
  } catch {}
  throw new UsageError(`--${name} is a JSON object such as '{"name": "Ada"}', or @FILE with one.`);
}
