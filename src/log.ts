import type { DestinationStream, Logger } from 'pino';
import pino from 'pino';

/** How much is gathered before it is written, in UTF-16 code units, and how long at most, in ms. */
const GATHER_MOST = 16_000;
const GATHER_MS = 100;

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
    const terminal = pretty({ destination: 2, sync: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' });
    return { log: pino(options, terminal), flush: () => {} };
  }
  const gathered = gather();
  return { log: pino(options, gathered), flush: gathered.flush };
}

/**
 * Gathers lines: a write each would cost more than the request it tells of. pino's own destination measures all it has
 * gathered anew at each line, which was a quarter of what a request left for the garbage collector.
 */
function gather(): DestinationStream & { readonly flush: () => void } {
  let text = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (text === '') return;
    const lines = text;
    text = '';
    process.stderr.write(lines);
  };
  return {
    flush,
    write(line: string): void {
      text += line;
      if (text.length >= GATHER_MOST) flush();
      else timer ??= setTimeout(flush, GATHER_MS).unref();
    },
  };
}
