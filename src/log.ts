import type { Logger } from 'pino';
import pino from 'pino';

/** Logs to standard error: JSON lines for programs, plain ones on a terminal. Never a body or a key. */
export async function makeLog(level: string): Promise<{ readonly log: Logger; readonly flush: () => void }> {
  const redact = ['headers.authorization', '*.authorization', 'secret', '*.secret'];
  const options = {
    level,
    redact,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  if (process.stderr.isTTY) {
    const { default: pretty } = await import('pino-pretty');
    return {
      log: pino(options, pretty({ destination: 2, sync: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' })),
      flush: () => {},
    };
  }
  // Lines are gathered: a line a write would cost more than the request it tells of.
  const destination = pino.destination({ dest: 2, sync: false, minLength: 16_000, periodicFlush: 250 });
  const flush = (): void => {
    try {
      destination.flushSync();
    } catch {
      // Not open yet: there is nothing to flush.
    }
  };
  return { log: pino(options, destination), flush };
}
