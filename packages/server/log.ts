import pino, { type DestinationStream, type Logger } from 'pino';
import type { AccessLog } from './http/server.ts';

/** How many bytes are collected before they are written, and for how many ms at most. */
const COLLECTED = { minLength: 4096, periodicFlush: 100 };

export interface Log {
  readonly log: Logger;
  readonly access: AccessLog | undefined;
  /** Writes the collected lines. */
  readonly flush: () => void;
}

/**
 * Logs to standard error: JSON lines for programs, plain lines on a terminal. Never logs a body or a key. Of the requests
 * that were answered without an error it logs the share `sample`.
 */
export async function makeLog(level: string, output?: DestinationStream, sample = 1): Promise<Log> {
  const collected = pino.destination({ dest: 2, sync: true, ...COLLECTED });
  // A log that cannot be written, as on a full disk, ends no service.
  collected.on('error', () => {});
  const people = output === undefined && process.stderr.isTTY;
  const stream = people ? await terminal() : (output ?? collected);
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const log = pino({ ...options, redact: ['headers.authorization', '*.authorization', 'secret', '*.secret'] }, stream);
  // Its fields are known to hold no secret, and looking for some takes half the time of a line.
  const requests = pino(options, stream);
  const access: AccessLog = people
    ? (request_id, method, path, status, ms) => requests.info({ request_id, ms }, `${method} ${path} ${status}`)
    : (request_id, method, path, status, ms, key_id) =>
        requests.info({ request_id, method, path, status, ms: Math.round(ms * 100) / 100, ...(key_id && { key_id }) });
  return {
    log,
    access: log.isLevelEnabled('info') ? sampled(access, sample) : undefined,
    flush: () => collected.flushSync(),
  };
}

const sampled = (access: AccessLog, share: number): AccessLog =>
  share === 1
    ? access
    : (request_id, method, path, status, ...rest) => {
        if (status >= 500 || Math.random() < share) access(request_id, method, path, status, ...rest);
      };

async function terminal(): Promise<DestinationStream> {
  const { default: pretty } = await import('pino-pretty');
  return pretty({ destination: 2, sync: true, translateTime: 'SYS:HH:MM:ss' });
}
