import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolder } from '../settings/email.ts';

interface Listening {
  readonly host: string;
  readonly port: number;
}

const fileOf = (databaseUrl: string): string => join(dataFolder(databaseUrl), 'smtp-address');

/**
 * Keeps beside the database where the service receives mail, for `npm run mail`, whose environment may be another.
 * Undefined: it receives none. A folder that cannot be written leaves the command to its environment.
 */
export function keepSmtpAddress(databaseUrl: string, listening: Listening | undefined): void {
  try {
    if (listening === undefined) rmSync(fileOf(databaseUrl), { force: true });
    else writeFileSync(fileOf(databaseUrl), JSON.stringify({ host: listening.host, port: listening.port }));
  } catch {
    // The command says where it looked.
  }
}

/** Where the service that started last with this database receives mail; undefined where none is known to. */
export function keptSmtpAddress(databaseUrl: string): Listening | undefined {
  try {
    return JSON.parse(readFileSync(fileOf(databaseUrl), 'utf8')) as Listening;
  } catch {
    return undefined;
  }
}
