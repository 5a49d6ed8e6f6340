import { join } from 'node:path';
import { newCertificate } from '../tests/harness/certificate.ts';
import { longestTurn, peakMib, resetPeak, settled, TURNS } from '../tests/harness/process-figures.ts';
import { FLOODS } from './floods/index.ts';
import { control } from './floods/sending.ts';
import { startServer } from './harness/child.ts';
import type { AttackAnswer, AttackQuestion } from './harness/flood-attacker.ts';
import type { AttackTarget, Flood } from './harness/flood-client.ts';
import type { Watched, WatchQuestion } from './harness/flood-watch.ts';
import { median, ms, ratio } from './harness/numbers.ts';
import type { Benchmark, Options, Report } from './harness/report.ts';
import { routesInSources } from './harness/routes.ts';
import { mailPort, ownerKey, startService } from './harness/service.ts';
import { startHelper } from './harness/talk.ts';

const ROUNDS = 3;
/** Each round of each kind, of which the first has no flood; with three rounds a flood takes less than 20 s. */
const QUIET_MS = 2_500;
const FLOOD_MS = 3_000;
/** A flood before the rounds, whose figures do not count: code that runs for the first time is loaded and compiled by it. */
const FIRST_MS = 1_500;
/** What still arrives of a flood that ended is in no round. */
const SETTLE_MS = 500;
/** Each is a process, which floods from as many networks. */
const ATTACKERS = 2;
const NETWORKS = 2;
const DOMAINS = 50;
/** A key that no mail is signed with. */
const WRONG_KEY = 'MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDA';
const MAX_RATIO = 3;
const MAX_LIVEZ_MS = 200;

const watcher = new URL('./harness/flood-watch.ts', import.meta.url);
const attacker = new URL('./harness/flood-attacker.ts', import.meta.url);
const startWatch = () => startHelper<WatchQuestion, Watched & { error?: string }>(watcher);
const startAttacker = () => startHelper<AttackQuestion, AttackAnswer>(attacker);

interface Seen {
  readonly quiet: readonly number[];
  readonly flooded: readonly number[];
  /** The longest wait for /livez. */
  readonly quiet_livez: number;
  readonly livez: number;
  /** CPU ms; 0 where no turn took 50 ms. */
  readonly turn_ms: number;
  readonly peak_mib: number;
  readonly statuses: ReadonlyMap<string, number>;
  /** What the bystander was answered wrongly. */
  readonly refused: readonly string[];
  /** The routes that were called. */
  readonly routes: readonly string[];
}

const sorted = (values: readonly number[]): readonly number[] => values.toSorted((a, b) => a - b);
const p99 = (values: readonly number[]): number => sorted(values)[Math.ceil(values.length * 0.99) - 1] ?? Number.NaN;
const times = ({ quiet, flooded }: Seen): number => p99(flooded) / p99(quiet);

async function asked<A extends { readonly error?: string }>(answer: Promise<A>): Promise<A> {
  const { error } = await answer;
  if (error !== undefined) throw new Error(error);
  return answer;
}

async function floodOne(flood: Flood, options: Options, endpoints: readonly number[], dns: number): Promise<Seen> {
  const rounds = options.rounds ?? ROUNDS;
  const name = flood.name.replace(/\W+/g, '-');
  const turns = join(options.folder, `${name}.turns`);
  const certificate = newCertificate(options.folder, ['localhost']);
  await using service = await startService(options, name, {
    RATE_LIMITS: 'on',
    PREPARE_BEHAVIORS: 'on',
    LIMIT_STORAGE: '',
    SMTP_LISTEN: '127.0.0.1:0',
    SUBMISSION_LISTEN: 'smtps://127.0.0.1:0',
    SMTP_TLS_CERT: certificate.cert,
    SMTP_TLS_KEY: certificate.key,
    DNS_SERVERS: `127.0.0.1:${dns}`,
    ATTACK_TURNS: turns,
    NODE_OPTIONS: `--import=${TURNS}`,
    ...flood.settings,
  });
  const target: AttackTarget = {
    port: service.port,
    smtp: await mailPort(service, 'received by'),
    submission: await mailPort(service, 'taken from mail programs'),
    owner_key: ownerKey(service.folder),
    endpoints,
  };
  await settled(service.pid);
  await using watch = startWatch();
  await using first = startAttacker();
  await using second = startAttacker();
  const attackers = [first, second];
  const look = (watch_ms: number) => asked(watch.ask({ port: service.port, watch_ms }));
  // Code that is not compiled yet, and the look-up of the bystander's keys, are in no round.
  await look(1_000);
  const seen = { quiet: [] as number[], flooded: [] as number[], refused: [] as string[] };
  const statuses = new Map<string, number>();
  const [quietLivez, livez, turn_ms]: [number[], number[], number[]] = [[], [], []];
  resetPeak(service.pid);
  const prepare = async (name: string, round: number): Promise<void> => {
    for (const [at, one] of attackers.entries()) {
      const networks = Array.from({ length: NETWORKS }, (_, n) => `127.0.${round}.${1 + at * NETWORKS + n}`);
      const all = round === 1 && at === 0 ? ['127.0.0.1', ...networks.slice(1)] : networks;
      // One after the other, since both may prepare much.
      await asked(one.ask({ prepare: name, target, networks: all }));
    }
  };
  const lookBeside = async (flood_ms: number) => {
    const flooding = attackers.map((one) => asked(one.ask({ flood_ms })));
    return { ...(await look(flood_ms)), answers: await Promise.all(flooding) };
  };
  await prepare(flood.name, rounds + 1);
  await lookBeside(FIRST_MS);
  await look(SETTLE_MS);
  for (let round = 1; round <= rounds; round++) {
    options.say(`${flood.name}: round ${round} of ${rounds}`);
    await prepare(control.name, round);
    const quiet = await lookBeside(QUIET_MS);
    seen.quiet.push(...quiet.bystander);
    quietLivez.push(...quiet.livez);
    await prepare(flood.name, round);
    const began = Date.now();
    const flooded = await lookBeside(FLOOD_MS);
    turn_ms.push(longestTurn(turns, began));
    await look(SETTLE_MS);
    seen.flooded.push(...flooded.bystander);
    livez.push(...flooded.livez);
    seen.refused.push(...flooded.refused);
    for (const { statuses: got = {} } of flooded.answers)
      for (const [status, count] of Object.entries(got)) statuses.set(status, (statuses.get(status) ?? 0) + count);
  }
  const metrics = await (await fetch(`http://127.0.0.1:${service.port}/metrics`)).text();
  return {
    ...seen,
    quiet_livez: Math.max(...quietLivez),
    livez: Math.max(...livez),
    turn_ms: Math.max(...turn_ms),
    peak_mib: peakMib(service.pid),
    statuses,
    routes: [...metrics.matchAll(/method="(\w+)",route="([^"]+)"/g)].map(([, method, route]) => `${method} ${route}`),
  };
}

/** The routes whose paths are literals of the source, and those of the OpenAPI document: all that a service has. */
async function allRoutes(options: Options): Promise<readonly string[]> {
  await using service = await startService(options, 'routes');
  const document = await fetch(`http://127.0.0.1:${service.port}/api/v1/openapi.json`);
  const { paths } = (await document.json()) as { paths: Record<string, object> };
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  return [...new Set([...described, ...routesInSources()])].filter((one) =>
    /^(?:GET|POST|PATCH|DELETE|PUT) /.test(one),
  );
}

const statusCounts = (statuses: Seen['statuses']): string =>
  [...statuses]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 6)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ');

const row = ({ name, seen }: { readonly name: string; readonly seen: Seen }): readonly string[] => [
  name,
  ms(median(seen.quiet)),
  ms(median(seen.flooded)),
  ms(p99(seen.quiet)),
  ms(p99(seen.flooded)),
  ratio(times(seen)),
  ms(seen.quiet_livez),
  ms(seen.livez),
  seen.turn_ms === 0 ? '< 50 ms' : `${seen.turn_ms} ms`,
  `${seen.peak_mib} MiB`,
  statusCounts(seen.statuses),
];

async function run(options: Options): Promise<Report> {
  await using hooks = await startServer(join(import.meta.dirname, './servers/endpoints.ts'), {
    args: ['4', '2'],
    env: {},
    log: join(options.folder, 'endpoints.log'),
  });
  await using dns = await startServer(join(import.meta.dirname, './servers/dns.ts'), {
    args: [String(DOMAINS), WRONG_KEY],
    env: {},
    log: join(options.folder, 'dns.log'),
  });
  const listening = (await (await fetch(`http://127.0.0.1:${hooks.port}`)).json()) as { port: number }[];
  // Nothing listens at the last one.
  const endpoints = [...listening.map(({ port }) => port), 9];
  const only = options.only?.toLowerCase();
  const chosen = FLOODS.filter(({ name }, at) => at === 0 || only === undefined || name.toLowerCase().includes(only));
  const results: { readonly name: string; readonly seen: Seen }[] = [];
  const broken: string[] = [];
  for (const flood of chosen) {
    try {
      const seen = await floodOne(flood, options, endpoints, dns.port);
      results.push({ name: flood.name, seen });
      options.say(row({ name: flood.name, seen }).join(' | '));
    } catch (error) {
      broken.push(`${flood.name}: ${String(error)}`);
      options.say(String((error as Error).stack));
    }
  }
  const called = new Set(results.flatMap(({ seen }) => seen.routes));
  const missing = only === undefined ? (await allRoutes(options)).filter((one) => !called.has(one)) : [];
  const floods = results.slice(1);
  const failing = (wrong: (seen: Seen) => boolean): string =>
    floods
      .filter(({ seen }) => wrong(seen))
      .map(({ name }) => name)
      .join('; ') || 'none';
  const wanted = (wrong: (seen: Seen) => boolean, text: string) => ({
    met: !floods.some(({ seen }) => wrong(seen)),
    text: `${text}; not so: ${failing(wrong)}`,
  });
  return {
    table: [
      ['flood', 'p50', 'flooded', 'p99', 'flooded', 'ratio', 'livez', 'flooded', 'turn', 'peak', 'the attackers got'],
      ...results.map((one) => row(one)),
    ],
    wanted: [
      { met: broken.length === 0, text: `every flood runs; not: ${broken.join('; ') || 'none'}` },
      wanted((seen) => times(seen) > MAX_RATIO, `p99 of a bystander is at most ${MAX_RATIO} times as long`),
      wanted((seen) => seen.livez > MAX_LIVEZ_MS, `/livez is answered within ${MAX_LIVEZ_MS} ms`),
      wanted((seen) => seen.refused.length > 0, 'the bystander and /livez are always answered'),
      ...(only === undefined
        ? [{ met: missing.length === 0, text: `every route is flooded; not: ${missing.join(', ') || 'none'}` }]
        : []),
    ],
    notes: [
      `After ${FIRST_MS} ms of the flood whose figures do not count, since they are those of code that runs for the first time: rounds in turn, ${QUIET_MS} ms not flooded and ${FLOOD_MS} ms flooded, by ${ATTACKERS * NETWORKS} networks that are new in each round, of processes of priority 19.`,
      'These take processor time while nothing is flooded too, so that what they need themselves is no part of the ratio; the ratio of the control is noise.',
      ...floods.flatMap(({ name, seen }) => seen.refused.slice(0, 2).map((text) => `${name}: ${text}`)),
    ],
  };
}

export const flood: Benchmark = {
  name: 'flood',
  about: 'a bystander while each endpoint and transport is flooded, with the limits on',
  run,
};
