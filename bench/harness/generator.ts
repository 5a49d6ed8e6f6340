/**
 * The load generator, a process of its own: it keeps N keep-alive connections busy with one request in flight on each,
 * and checks and times every answer. It prepares requests in advance and reads answers only as far as needed, because
 * it shares two cores with the server. It takes 12 µs of CPU a request, nearly all in the kernel, where autocannon
 * takes 16: against raw `node:http` on one core autocannon measures 1.03 times its rate, against a service that keeps
 * both cores busy 0.87.
 */
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { Job, Measured } from './job.ts';

const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH = /\r\ncontent-length: *(\d+)/i;
const MAX_BYTES = 4 * 1024 * 1024;
const PATIENCE_MS = 60_000;

function bytesOf(job: Job, text: string): Buffer {
  const body = Buffer.from(text);
  const headers = { 'content-type': 'application/json', ...job.headers, 'content-length': body.byteLength };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `POST ${job.path} HTTP/1.1\r\nhost: 127.0.0.1:${job.port}\r\n${lines.join('')}\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}

/** Numbers never come twice in one run of the generator. */
let numbers = 0;

/** A copy of the request with the next number in place of `serial`. */
function numbered(request: Buffer, serial: string): Buffer {
  const at = request.indexOf(serial);
  if (at < 0) return request;
  const copy = Buffer.from(request);
  copy.write(String(++numbers).padStart(serial.length, '0'), at, 'latin1');
  return copy;
}

type Counted = Omit<Measured, 'sent' | 'cpu_s' | 'cores'>;

/** Counts the answers and computes the figures. */
class Tally {
  readonly #statuses: Record<string, number> = {};
  #latencies = new Float64Array(1 << 16);
  #count = 0;
  #bytes = 0;
  #unexpected = 0;
  #sample = '';
  readonly #from = performance.now();

  add(ms: number, status: string, answer: Buffer, expected: boolean): void {
    this.#statuses[status] = (this.#statuses[status] ?? 0) + 1;
    if (!expected) {
      if (this.#unexpected === 0) this.#sample = answer.toString('utf8', 0, 2000);
      this.#unexpected += 1;
    }
    this.#bytes += answer.byteLength;
    if (this.#count === this.#latencies.length) {
      const grown = new Float64Array(this.#count * 2);
      grown.set(this.#latencies);
      this.#latencies = grown;
    }
    this.#latencies[this.#count++] = ms;
  }

  result(): Counted {
    const seconds = (performance.now() - this.#from) / 1000;
    const sorted = this.#latencies.subarray(0, this.#count).sort();
    const percentile = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
    return {
      requests: this.#count,
      seconds,
      rate: this.#count / seconds,
      p50: percentile(0.5),
      p99: percentile(0.99),
      max: percentile(1),
      statuses: this.#statuses,
      unexpected: this.#unexpected,
      sample: this.#sample,
      answer_bytes: Math.round(this.#bytes / this.#count),
    };
  }
}

function run(job: Job): Promise<Measured> {
  const requests = job.bodies.map((text) => bytesOf(job, text));
  const expect = Buffer.from(job.expect);
  const cpu = process.cpuUsage();
  const start = performance.now();
  const from = start + (job.timed?.warm_ms ?? 0);
  const until = job.timed ? from + job.timed.measure_ms : Number.POSITIVE_INFINITY;
  let tally = job.timed ? undefined : new Tally();
  let result: Counted | undefined;
  let next = 0;
  let count = 0;
  let busy = job.connections;

  return new Promise((resolve, reject) => {
    const watch = setTimeout(
      () => fail(new Error(`${busy} answers are missing`)),
      (job.timed ? job.timed.warm_ms + job.timed.measure_ms : 0) + PATIENCE_MS,
    );
    const fail = (error: Error): void => {
      clearTimeout(watch);
      for (const socket of sockets) socket.destroy();
      reject(error);
    };

    /** The next request of a connection; undefined when there are no more. */
    const take = (now: number): Buffer | undefined => {
      if (job.timed) {
        if (now >= until) {
          result ??= tally?.result();
          return undefined;
        }
        if (now >= from) tally ??= new Tally();
        if (next === requests.length) next = 0;
      }
      const request = requests[next++];
      return request === undefined || job.serial === undefined ? request : numbered(request, job.serial);
    };

    const sockets = Array.from({ length: job.connections }, () => {
      let sent = 0;
      let tallied = tally;
      let partial: Buffer | undefined;

      const send = (): void => {
        sent = performance.now();
        const request = take(sent);
        tallied = tally;
        if (request) {
          count += 1;
          socket.write(request);
        } else if (--busy === 0) {
          clearTimeout(watch);
          for (const each of sockets) each.destroy();
          result ??= tally?.result();
          const { user, system } = process.cpuUsage(cpu);
          const cpu_s = (user + system) / 1e6;
          const cores = (cpu_s * 1000) / (performance.now() - start);
          if (result) resolve({ ...result, sent: count, cpu_s, cores });
          else reject(new Error('nothing was measured'));
        }
      };

      const socket = connect({
        port: job.port,
        host: '127.0.0.1',
        noDelay: true,
        onread: {
          buffer: Buffer.allocUnsafe(64 * 1024),
          callback(size, read): boolean {
            const chunk = Buffer.from(read.buffer, read.byteOffset, size);
            const answer: Buffer = partial ? Buffer.concat([partial, chunk]) : chunk;
            const headEnd = answer.indexOf(HEAD_END);
            const length = headEnd < 0 ? undefined : LENGTH.exec(answer.toString('latin1', 0, headEnd))?.[1];
            if (headEnd >= 0 && length === undefined) {
              fail(new Error(`an answer without content-length: ${answer.toString('utf8', 0, 500)}`));
              return false;
            }
            const whole = length === undefined ? MAX_BYTES : headEnd + HEAD_END.byteLength + Number(length);
            if (answer.byteLength > whole) {
              fail(new Error(`more bytes than one answer has: ${answer.toString('utf8', 0, 500)}`));
              return false;
            }
            if (answer.byteLength < whole) {
              partial = Buffer.from(answer);
              return true;
            }
            partial = undefined;
            // Requests sent during the warm-up, or answered after the end, are not counted.
            if (tallied && !result) {
              const status = answer.toString('latin1', 9, 12);
              const expected = status === job.status && answer.indexOf(expect, headEnd) >= 0;
              tallied.add(performance.now() - sent, status, answer, expected);
            }
            send();
            return true;
          },
        },
      });
      socket.on('connect', send);
      socket.on('error', fail);
      socket.on('end', () => fail(new Error('the server closed a connection')));
      return socket;
    });
  });
}

process.on('message', (job: Job) => {
  run(job).then(
    (measured) => process.send?.({ measured }),
    (error: Error) => process.send?.({ error: error.message }),
  );
});
process.on('disconnect', () => process.exit());
