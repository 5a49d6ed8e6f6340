import { spawn } from 'node:child_process';
import { createWriteStream, readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { mebibytes, whole } from './harness/numbers.ts';
import type { Benchmark, Options, Report } from './harness/report.ts';
import { ownerKey, type Service, startService } from './harness/service.ts';

const MAILS = 10_000;
/** One mail in so many has a file. */
const WITH_FILE = 20;
const FILE_BYTES = 60_000;
const WITHIN_S = 120;
/** What a node or the command may take more than before. */
const FLAT = 300 * 2 ** 20;
const CLI = fileURLToPath(new URL('../packages/client/dist/cli/main.js', import.meta.url));
const WORDS = 'the answer to your question of last week is that we meet on Friday at noon in the small room '.repeat(
  20,
);

function mail(at: number): string {
  const date = new Date(Date.UTC(2018, 0, 1) + at * 3_600_000);
  const head = `From sender${at % 50}@example.com ${date.toUTCString().replace(/^(\w+), (\d+) (\w+) (\d+) ([\d:]+) GMT$/, '$1 $3 $2 $5 $4')}
From: Sender ${at % 50} <sender${at % 50}@example.com>
To: Ada <ada@example.com>
Subject: Mail ${at}
Date: ${date.toUTCString()}
Message-ID: <${at}@archive.example>
${at % 5 === 0 ? '' : `In-Reply-To: <${at - 1}@archive.example>\n`}MIME-Version: 1.0\n`;
  const text = `Dear Ada ${at},\n\n${WORDS.match(/.{1,70} /g)?.join('\n')}\n\n>From here on nothing is new.\n`;
  if (at % WITH_FILE !== 0) return `${head}Content-Type: text/plain; charset=utf-8\n\n${text}\n`;
  const file = Buffer.alloc(FILE_BYTES, `${at} `).toString('base64').replace(/.{76}/g, '$&\n');
  return `${head}Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\n${text}\n--b\nContent-Type: application/pdf; name=a.pdf\nContent-Disposition: attachment; filename=a.pdf\nContent-Transfer-Encoding: base64\n\n${file}\n--b--\n\n`;
}

function* mails(): Generator<string> {
  for (let at = 0; at < MAILS; at++) yield mail(at);
}

interface Ran {
  readonly s: number;
  /** The most memory of the command, and of the service beside it. */
  readonly rss: number;
  readonly service_rss: number;
  readonly result: { readonly imported?: number; readonly exists?: number };
}

async function command(service: Service, args: readonly string[]): Promise<Ran> {
  const from = performance.now();
  const env = {
    PATH: process.env.PATH,
    HOME: service.folder,
    MAILROOM_URL: `http://127.0.0.1:${service.port}`,
    MAILROOM_KEY: ownerKey(service.folder),
  };
  const child = spawn(process.execPath, [CLI, ...args, '--json'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let [rss, service_rss, text] = [0, 0, ''];
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk;
  });
  const timer = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      rss = Math.max(rss, Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024);
    } catch {}
    service_rss = Math.max(service_rss, service.rss());
  }, 200);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearInterval(timer);
  if (code !== 0) throw new Error(`mailroom ${args.join(' ')} ended with ${code}: ${text}`);
  return { s: (performance.now() - from) / 1000, rss, service_rss, result: JSON.parse(text) };
}

async function run(options: Options): Promise<Report> {
  const archive = join(options.folder, 'archive.mbox');
  const exported = join(options.folder, 'exported.mbox');
  await pipeline(mails(), createWriteStream(archive));
  await using service = await startService(options, 'archive');
  await service.call('/namespaces/agents/mailboxes', { local_part: 'archive', behavior: { name: 'agent' } });
  const address = 'archive@agents.mailroom.localhost';
  const idle = service.rss();
  const rows: string[][] = [[`${whole(MAILS)} mails`, 'seconds', 'mails/s', 'command', 'service']];
  const ran: Ran[] = [];
  const steps = [
    ['import', ['import', address, archive]],
    ['the same again', ['import', address, archive]],
    ['export', ['export', address, exported]],
  ] as const;
  for (const [name, args] of steps) {
    options.say(name);
    const one = await command(service, args);
    ran.push(one);
    rows.push([name, one.s.toFixed(1), whole(MAILS / one.s), mebibytes(one.rss), mebibytes(one.service_rss)]);
  }
  const [first, again] = ran;
  const most = Math.max(...ran.map(({ service_rss }) => service_rss)) - idle;
  return {
    table: rows,
    wanted: [
      { met: (first?.s ?? Number.POSITIVE_INFINITY) < WITHIN_S, text: `imported within ${WITHIN_S} s` },
      { met: first?.result.imported === MAILS, text: 'each mail is imported' },
      { met: again?.result.exists === MAILS, text: 'and none twice' },
      { met: Math.max(...ran.map(({ rss }) => rss)) < FLAT, text: `the command takes less than ${mebibytes(FLAT)}` },
      { met: most < FLAT, text: `the service takes ${mebibytes(most)} more than before: less than ${mebibytes(FLAT)}` },
    ],
    notes: [
      `The file has ${mebibytes((await stat(archive)).size)}, what was exported ${mebibytes((await stat(exported)).size)}.`,
    ],
  };
}

export const archive: Benchmark = { name: 'archive', about: 'a mailbox that is imported and exported', run };
