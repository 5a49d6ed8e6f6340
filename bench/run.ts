/**
 * `npm run bench` runs all benchmarks or the named ones. It starts what it measures on loopback, in a temporary folder,
 * and stops it afterwards.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { a2a } from './a2a.ts';
import { agent } from './agent.ts';
import { archive } from './archive.ts';
import { audit } from './audit.ts';
import { auth } from './auth.ts';
import { cells } from './cells.ts';
import { doing } from './do.ts';
import { drain20k } from './drain.ts';
import { flood } from './flood.ts';
import { machine } from './harness/machine.ts';
import { type Benchmark, show } from './harness/report.ts';
import { hello } from './hello.ts';
import { latency } from './latency.ts';
import { list } from './list.ts';
import { listen } from './listen.ts';
import { mail } from './mail.ts';
import { mcp } from './mcp.ts';
import { million } from './million.ts';
import { notices } from './notices.ts';
import { peers } from './peers.ts';
import { postgres } from './postgres.ts';
import { proofread } from './proofread.ts';
import { retention } from './retention.ts';
import { neighbors, sandbox } from './sandbox.ts';
import { search } from './search.ts';
import { send } from './send.ts';
import { start } from './start.ts';
import { webhooks } from './webhooks.ts';

const benchmarks: readonly Benchmark[] = [
  hello,
  send,
  search,
  postgres,
  drain20k,
  audit,
  list,
  listen,
  million,
  notices,
  cells,
  retention,
  proofread,
  doing,
  a2a,
  peers,
  agent,
  auth,
  webhooks,
  mail,
  archive,
  mcp,
  sandbox,
  neighbors,
  start,
  latency,
  flood,
];
const listed = benchmarks.map(({ name, about }) => `  ${name.padEnd(10)} ${about}`).join('\n');
const usage = `npm run bench -- [NAME…] [OPTION…]

${listed}

  --list           prints the names only
  --rounds N       how often each is measured
  --only TEXT      the floods whose names contain it; of webhooks: batches
  --log-level L    the service's LOG_LEVEL (default info); its log goes to a file
  --folder F       the folder of the stores, on a disk that syncs (default ${tmpdir()})
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', short: 'h', default: false },
    list: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    only: { type: 'string' },
    'log-level': { type: 'string', default: 'info' },
    folder: { type: 'string', default: tmpdir() },
  },
});
const unknown = positionals.filter((name) => !benchmarks.some((benchmark) => benchmark.name === name));
const rounds = values.rounds === undefined ? undefined : Number(values.rounds);

if (values.help) console.log(usage);
else if (values.list) console.log(listed);
else if (unknown.length > 0 || (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0))) {
  console.error(unknown.length > 0 ? `No benchmark is called ${unknown.join(', ')}.\n` : '--rounds wants a number.\n');
  console.error(usage);
  process.exitCode = 1;
} else {
  for (const benchmark of benchmarks) {
    if (positionals.length > 0 && !positionals.includes(benchmark.name)) continue;
    await runOne(benchmark);
  }
}

async function runOne(benchmark: Benchmark): Promise<void> {
  const folder = mkdtempSync(join(values.folder, 'mailroom-bench-'));
  // An interrupted run stops its services too.
  const clean = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', clean);
  try {
    const about = machine(folder);
    const report = await benchmark.run({
      folder,
      log_level: values['log-level'],
      say: (text) => process.stderr.write(`${benchmark.name}: ${text}\n`),
      ...(rounds === undefined ? {} : { rounds }),
      ...(values.only === undefined ? {} : { only: values.only }),
    });
    console.log(show(benchmark, about, report));
  } finally {
    clean();
    process.off('exit', clean);
  }
}
