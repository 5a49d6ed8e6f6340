import type { DestinationStream, Logger } from 'pino';
import pino from 'pino';
import { rfc3339 } from './core/values/clock.ts';
import type { AccessLog } from './http/server.ts';

/** How much is collected before it is written, in UTF-16 code units, and how long at most, in ms. */
const MAX_GATHER = 16_000;
const GATHER_MS = 100;

export interface Log {
  readonly log: Logger;
  readonly access: AccessLog | undefined;
  /** Writes the collected lines. */
  readonly flush: () => void;
}

/** Where the log is written. */
type Output = Pick<NodeJS.WriteStream, 'write' | 'isTTY'>;

/** Logs to standard error: JSON lines for programs, plain lines on a terminal. Never logs a body or a key. */
export async function makeLog(level: string, output: Output = process.stderr): Promise<Log> {
  const redact = ['headers.authorization', '*.authorization', 'secret', '*.secret'];
  const options = {
    level,
    redact,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  if (output.isTTY) {
    const { default: pretty } = await import('pino-pretty');
    const terminal = pretty({ destination: 2, sync: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' });
    const log = pino(options, terminal);
    const access: AccessLog = (request_id, method, path, status, ms) =>
      log.info({ request_id, ms }, `${method} ${path} ${status}`);
    return { log, access: log.isLevelEnabled('info') ? access : undefined, flush: () => {} };
  }
  const gathered = gather(output);
  const log = pino(options, gathered);
  return { log, access: log.isLevelEnabled('info') ? accessLines(gathered) : undefined, flush: gathered.flush };
}

/** Writes pino's line in a third of its time, for the one line that every request logs. */
const accessLines =
  ({ write }: DestinationStream): AccessLog =>
  (request_id, method, path, status, ms, key_id) =>
    write(
      `{"level":"info","time":"${rfc3339(Date.now())}","request_id":"${request_id}","method":"${method}",` +
        `"path":${JSON.stringify(path)},"status":${status},"ms":${Math.round(ms * 100) / 100}${key_id && `,"key_id":"${key_id}"`}}\n`,
    );

/**
 * Collects lines, because one write per line would cost more than the request it logs. pino's own destination measures
 * all collected text again at each line, which caused a quarter of a request's garbage.
 */
function gather(output: Output): DestinationStream & { readonly flush: () => void } {
  let text = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (text === '') return;
    const lines = text;
    text = '';
    output.write(lines);
  };
  return {
    flush,
    write(line: string): void {
      text += line;
      if (text.length >= MAX_GATHER) flush();
      else timer ??= setTimeout(flush, GATHER_MS).unref();
    },
  };
}
