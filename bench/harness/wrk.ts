import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Job, Measured } from './job.ts';

export const INSTALL = 'wrk is not installed, so our own generator measured. Debian has it: apt-get install wrk';

let version: string | undefined;

/** Whether wrk is on the PATH. */
export const hasWrk = (): boolean => {
  // wrk prints its version and exits with 1.
  version ??= spawnSync('wrk', ['-v'], { encoding: 'utf8' }).stdout ?? '';
  return version.startsWith('wrk ');
};

/** The figures of `done` in `wrk -h`: latencies in microseconds, and what the process itself used of the processor. */
interface Printed {
  readonly requests: number;
  readonly us: number;
  readonly bytes: number;
  readonly errors: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  readonly ticks: number;
}

const DONE = `
function done(summary, latency)
  local e = summary.errors
  local ticks = 0
  local stat = io.open('/proc/self/stat')
  if stat then
    local user, system = stat:read('*a'):match('%) %S+ %S+ %S+ %S+ %S+ %S+ %S+ %S+ %S+ %S+ %S+ (%d+) (%d+)')
    ticks = user + system
  end
  print(string.format(
    'figures {"requests":%d,"us":%d,"bytes":%d,"errors":%d,"p50":%d,"p99":%d,"max":%d,"ticks":%d}',
    summary.requests, summary.duration, summary.bytes, e.connect + e.read + e.write + e.status + e.timeout,
    latency:percentile(50), latency:percentile(99), latency.max, ticks))
end
`;

/** A Lua string; the texts sent here hold no control characters that Lua would read differently. */
const lua = (text: string): string => JSON.stringify(text);

/** A request with another number each time in place of `serial`; those of the warm-up are lower. */
const numbered = (serial: string, first: number): string => `
local request_text, number
function init() request_text, number = wrk.format(), ${first} end
function request()
  number = number + 1
  return (request_text:gsub(${lua(serial)}, string.format('%0${serial.length}d', number)))
end
`;

/** More than the requests of one measurement. */
const APART = 1e8;
let measured = 0;

const script = ({ headers, bodies, serial }: Job): string =>
  [
    'wrk.method = "POST"',
    `wrk.body = ${lua(bodies[0] ?? '')}`,
    ...Object.entries({ 'content-type': 'application/json', ...headers }).map(
      ([name, value]) => `wrk.headers[${lua(name)}] = ${lua(value)}`,
    ),
    serial === undefined ? '' : numbered(serial, ++measured * APART),
    DONE,
  ].join('\n');

/**
 * Measures a timed job of one body by `wrk -t1 --latency`, whole seconds. wrk checks the status of an answer only, so the
 * caller checks texts before.
 */
export async function measureByWrk(job: Job & { readonly timed: object }): Promise<Omit<Measured, 'sent' | 'cpu_s'>> {
  const folder = mkdtempSync(join(tmpdir(), 'mailroom-wrk-'));
  try {
    const file = join(folder, 'job.lua');
    writeFileSync(file, script(job), { mode: 0o600 });
    const seconds = Math.max(1, Math.round(job.timed.measure_ms / 1000));
    const url = `http://127.0.0.1:${job.port}${job.path}`;
    const args = ['-t1', `-c${job.connections}`, `-d${seconds}s`, '--latency', '-s', file, url];
    const { stdout: text } = await promisify(execFile)('wrk', args);
    const printed = /^figures (.+)$/m.exec(text)?.[1];
    if (printed === undefined) throw new Error(`wrk printed no figures:\n${text}`);
    const { requests, us, bytes, errors, p50, p99, max, ticks } = JSON.parse(printed) as Printed;
    const took = us / 1e6;
    return {
      requests,
      seconds: took,
      rate: requests / took,
      p50: p50 / 1000,
      p99: p99 / 1000,
      max: max / 1000,
      statuses: { [job.status]: requests - errors, ...(errors > 0 && { other: errors }) },
      unexpected: errors,
      sample: errors > 0 ? 'wrk keeps no answer; the log of the server may say more' : '',
      answer_bytes: Math.round(bytes / requests),
      cores: ticks / 100 / took,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
