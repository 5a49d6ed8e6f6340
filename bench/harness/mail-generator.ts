/** Sends mail over several connections, in transactions whose commands are pipelined (RFC 2920), and times each of them. */
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MailJob, MailMeasured } from './mail-load.ts';
import { median } from './numbers.ts';

const PATIENCE_MS = 60_000;

interface Connection extends Disposable {
  /** Resolves with as many replies as were asked for. */
  replies(count: number): Promise<readonly string[]>;
  write(text: string): void;
}

function open(port: number, localAddress: string): Connection {
  const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true });
  socket.setEncoding('latin1');
  let text = '';
  let job: { count: number; resolve: (replies: readonly string[]) => void; reject: (error: Error) => void } | undefined;
  let failure: Error | undefined;
  const look = (): void => {
    if (job === undefined) return;
    // The last line of a reply has a space after the code.
    const found = text.match(/^\d{3} .*\r\n/gm) ?? [];
    if (found.length >= job.count) {
      text = '';
      const { resolve } = job;
      job = undefined;
      resolve(found);
    } else if (failure !== undefined) job.reject(failure);
  };
  socket.on('data', (chunk: string) => {
    text += chunk;
    look();
  });
  const ended = (error: Error): void => {
    failure ??= error;
    look();
  };
  socket.on('error', ended);
  socket.on('close', () => ended(new Error(`the server closed a connection: ${text}`)));
  socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('a reply is missing')));
  return {
    replies: (count) =>
      new Promise((resolve, reject) => {
        job = { count, resolve, reject };
        look();
      }),
    write: (chunk) => void socket.write(chunk),
    [Symbol.dispose]: () => socket.destroy(),
  };
}

const expect = (replies: readonly string[], codes: readonly string[]): void => {
  for (const [at, code] of codes.entries())
    if (replies[at]?.startsWith(code) !== true) throw new Error(`instead of ${code}: ${replies.join('')}`);
};

async function run(job: MailJob): Promise<MailMeasured> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const from = start + job.warm_ms;
  const until = from + job.measure_ms;
  const run_id = randomBytes(6).toString('hex');
  const times: number[] = [];
  let begun = 0;
  let sent = 0;
  /** The next mail, at its time; undefined when the time is over. */
  const next = async (): Promise<number | undefined> => {
    const number = begun++;
    const at = job.rate === undefined ? 0 : start + (number * 1000) / job.rate;
    if (at > until || performance.now() > until) return undefined;
    const wait = at - performance.now();
    if (wait > 1) await sleep(wait);
    return number;
  };
  const client = async (): Promise<void> => {
    let number = await next();
    while (number !== undefined) {
      using connection = open(job.port, job.client);
      expect(await connection.replies(1), ['220']);
      connection.write('EHLO client.example\r\n');
      expect(await connection.replies(1), ['250']);
      for (let left = job.mails_per_connection; left > 0 && number !== undefined; left--) {
        const mail = job.mails[number % job.mails.length] as MailJob['mails'][number];
        const began = performance.now();
        connection.write(`MAIL FROM:<${mail.from}>\r\nRCPT TO:<${mail.to}>\r\nDATA\r\n`);
        expect(await connection.replies(3), ['250', '250', '354']);
        connection.write(`Message-ID: <${run_id}.${number}@client.example>\r\n${mail.text}\r\n.\r\n`);
        expect(await connection.replies(1), ['250']);
        const now = performance.now();
        sent += 1;
        if (now >= from && now <= until) times.push(now - began);
        number = await next();
      }
      connection.write('QUIT\r\n');
    }
  };
  await Promise.all(Array.from({ length: job.connections }, client));
  const { user, system } = process.cpuUsage(cpu);
  const sorted = times.toSorted((a, b) => a - b);
  return {
    sent,
    rate: (times.length * 1000) / job.measure_ms,
    p50: median(times),
    p99: sorted[Math.ceil(0.99 * sorted.length) - 1] ?? Number.NaN,
    cpu_s: (user + system) / 1e6,
  };
}

process.on('message', (job: MailJob) => {
  run(job).then(
    (measured) => process.send?.({ measured }),
    (error: Error) => process.send?.({ error: error.message }),
  );
});
process.on('disconnect', () => process.exit());
