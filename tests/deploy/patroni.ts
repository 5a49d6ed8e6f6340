import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lacks } from '../harness/install.ts';
import type { Network, Networks } from '../harness/networks.ts';
import { freePort, query } from '../harness/postgres.ts';
import { newFolder, removeFolder } from '../harness/service.ts';
import { until } from '../harness/until.ts';
import { instead } from './instead.ts';

const DEPLOY = join(import.meta.dirname, '../../deploy/patroni');
const START_MS = 120_000;
const ANSWER_MS = 5_000;
/** Neither PostgreSQL nor Patroni runs as root. */
const UNPRIVILEGED = { uid: 65_534, gid: 65_534 };

/** Why Patroni cannot run here; false when it can. */
export const lacksPatroni = (): string | false =>
  (process.getuid?.() !== 0 && 'needs root, to run servers as another user') ||
  lacks('patroni', 'patroni', 'python3-etcd', 'postgresql') ||
  lacks('etcd', 'etcd-server') ||
  lacks('haproxy');

type Frozen = 'all' | 'patroni' | 'network';

/** A machine with PostgreSQL and its Patroni. */
export interface Member {
  readonly name: string;
  /** Its own `postgres://` URL, which haproxy has no part in. */
  url(database: string): string;
  start(): void;
  /** Ends all of its processes at once, as a machine that loses its power. */
  kill(): Promise<void>;
  /**
   * Until `thaw`: stops all of its processes where they are, or Patroni alone, which then seems cut off; or cuts its
   * network, where it has one of its own.
   */
  freeze(what: Frozen): void;
  thaw(): void;
  log(): string;
}

/** The servers of deploy/patroni on loopback, with one etcd, two members, and haproxy in front of them. */
export interface Patroni extends AsyncDisposable {
  /** What stands for /backup. */
  readonly backup: string;
  /** The port of haproxy. */
  readonly port: number;
  readonly members: readonly Member[];
  newDatabase(): Promise<string>;
  /** The name of the one that haproxy leads to, of which there is none for a while. */
  primary(): Promise<string | undefined>;
  /** Resolves with the one that is the primary while another follows it synchronously. */
  settled(): Promise<Member>;
}

/** What runs apart from the test's process ends with it. */
const left = new Set<number>();
process.on('exit', () => signal([...left].flatMap(processesOf), 'SIGKILL'));

interface Running {
  readonly child: ChildProcess;
  log(): string;
}

function start(command: string, args: readonly string[], folder: string, network?: Network): Running {
  const [program = command, ...rest] = [...(network?.enter(UNPRIVILEGED) ?? []), command, ...args];
  const child = spawn(program, rest, {
    ...(network === undefined && UNPRIVILEGED),
    cwd: folder,
    detached: true,
    env: { PATH: `${process.env.PATH}:/usr/sbin`, HOME: folder },
  });
  if (child.pid !== undefined) left.add(child.pid);
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-20_000);
    });
  return { child, log: () => log };
}

/** The processes that were started by it, and by those; a server's own sessions of processes too. */
function processesOf(pid: number): number[] {
  const lines = spawnSync('ps', ['-e', '-o', 'pid=,ppid='], { encoding: 'utf8' }).stdout.trim().split('\n');
  const pairs = lines.map((line) => line.trim().split(/\s+/).map(Number) as [number, number]);
  const found = [pid];
  for (const parent of found) found.push(...pairs.filter(([, ppid]) => ppid === parent).map(([child]) => child));
  return found;
}
function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It has ended.
    }
  }
}

interface Place {
  readonly name: string;
  readonly folder: string;
  readonly network: Network | undefined;
  readonly host: string;
  readonly rest: number;
  readonly postgres: number;
}

/** What all members use. */
interface Shared {
  readonly etcd: string;
  /** Where they and haproxy connect from. */
  readonly range: string;
  readonly backup: string;
}

function makeMember(place: Place, { etcd, range, backup }: Shared): Member {
  const { name, folder, network, host, rest, postgres } = place;
  const data = join(folder, 'data');
  const file = join(folder, 'patroni.yml');
  let config = readFileSync(join(DEPLOY, 'patroni.yml'), 'utf8');
  config = instead(config, 'name: db1', `name: ${name}`);
  config = instead(config, '10.0.0.21:8008', `${host}:${rest}`);
  config = instead(config, '10.0.0.21:2379, 10.0.0.22:2379, 10.0.0.23:2379', etcd);
  config = instead(config, '10.0.0.21:5432', `${host}:${postgres}`);
  config = instead(config, '/var/lib/postgresql/mailroom', data);
  config = instead(config, '/var/lib/postgresql/.pgpass-patroni', join(folder, 'pgpass'));
  config = instead(config, '/var/run/postgresql', folder);
  config = instead(config, '10.0.0.0/24', range);
  config = instead(config, '/backup/', `${backup}/`);
  // Processes end here, which loses nothing that was written; waiting for the disk takes most of the time.
  config = instead(config, 'max_wal_size: 4GB', 'max_wal_size: 4GB\n        fsync: "off"');
  writeFileSync(file, config);
  let running: Running | undefined;
  let earlier = '';
  const postmaster = (): number => Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
  const all = (): number[] => {
    const pids = running?.child.pid === undefined ? [] : processesOf(running.child.pid);
    try {
      return [...new Set([...pids, ...processesOf(postmaster())])];
    } catch {
      return pids;
    }
  };
  return {
    name,
    url: (database) => urlOf(`${host}:${postgres}`, database),
    start() {
      earlier += running?.log() ?? '';
      running = start('patroni', [file], folder, network);
    },
    async kill() {
      const pids = all();
      signal(pids, 'SIGKILL');
      await until(
        START_MS,
        async () => pids.filter((pid) => isAlive(pid)),
        (alive) => alive.length === 0,
      );
    },
    freeze(what) {
      if (what === 'network') network?.cut();
      else signal(what === 'all' ? all() : [running?.child.pid ?? 0].filter(Boolean), 'SIGSTOP');
    },
    thaw() {
      network?.mend();
      signal(all(), 'SIGCONT');
    },
    log: () => earlier + (running?.log() ?? ''),
  };
}

const PASSWORD = /superuser: \{ username: postgres, password: (\S+) \}/;
function urlOf(place: string, database: string): string {
  const [, password] = PASSWORD.exec(readFileSync(join(DEPLOY, 'patroni.yml'), 'utf8')) ?? [];
  return `postgres://postgres:${password}@${place}/${database}`;
}

/** Whether it runs; a process that ended and whose parent did not look yet does not. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout !== '' && !stdout.startsWith('Z');
}

interface Cluster {
  readonly members: readonly { readonly name: string; readonly role: string; readonly state: string }[];
}

/** With `networks` each member has a network of its own. */
export async function startPatroni(networks?: Networks): Promise<Patroni> {
  const folder = newFolder();
  chmodSync(folder, 0o755);
  const folderOf = (name: string): string => {
    const made = join(folder, name);
    mkdirSync(made);
    spawnSync('chown', [`${UNPRIVILEGED.uid}:${UNPRIVILEGED.gid}`, made]);
    return made;
  };
  const [client, peer, front] = [await freePort(), await freePort(), await freePort()];
  const etcdPlace = `${networks?.address ?? '127.0.0.1'}:${client}`;
  const [etcdUrl, peerUrl] = [`http://${etcdPlace}`, `http://127.0.0.1:${peer}`];
  const etcdFolder = folderOf('etcd');
  const etcd = start(
    'etcd',
    [
      ...['--data-dir', join(etcdFolder, 'data'), '--listen-client-urls', etcdUrl, '--advertise-client-urls', etcdUrl],
      ...[
        '--listen-peer-urls',
        peerUrl,
        '--initial-advertise-peer-urls',
        peerUrl,
        '--initial-cluster',
        `default=${peerUrl}`,
      ],
    ],
    etcdFolder,
  );
  const backup = folderOf('backup');
  const wal = join(backup, 'wal');
  mkdirSync(wal);
  spawnSync('chown', [`${UNPRIVILEGED.uid}:${UNPRIVILEGED.gid}`, wal]);
  const places: Place[] = [];
  for (const name of ['member1', 'member2']) {
    const own = { rest: await freePort(), postgres: await freePort() };
    const network = networks?.add();
    places.push({ name, folder: folderOf(name), network, host: network?.address ?? '127.0.0.1', ...own });
  }
  const shared = { etcd: etcdPlace, range: networks?.range ?? '127.0.0.0/8', backup };
  const members = places.map((place) => makeMember(place, shared));

  let haproxy = readFileSync(join(DEPLOY, 'haproxy.cfg'), 'utf8');
  haproxy = instead(haproxy, 'bind 127.0.0.1:5432', `bind 127.0.0.1:${front}`);
  for (const [at, { host, postgres, rest }] of places.entries())
    haproxy = instead(haproxy, `10.0.0.2${at + 1}:5432 check port 8008`, `${host}:${postgres} check port ${rest}`);
  haproxy = instead(haproxy, /^ *server db3 .*\n/gm, '');
  const proxyFolder = folderOf('haproxy');
  writeFileSync(join(proxyFolder, 'haproxy.cfg'), haproxy);
  const proxy = start('haproxy', ['-db', '-f', join(proxyFolder, 'haproxy.cfg')], proxyFolder);

  const url = (database: string): string => urlOf(`127.0.0.1:${front}`, database);
  const cluster = async ({ host, rest }: Place): Promise<Cluster | undefined> => {
    const answer = await fetch(`http://${host}:${rest}/cluster`, { signal: AbortSignal.timeout(ANSWER_MS) }).catch(
      () => undefined,
    );
    return answer?.ok === true ? ((await answer.json()) as Cluster) : undefined;
  };
  const primary: Patroni['primary'] = async () => {
    for (const place of places) {
      const path = `http://${place.host}:${place.rest}/primary`;
      const answer = await fetch(path, { signal: AbortSignal.timeout(ANSWER_MS) }).catch(() => undefined);
      if (answer?.status === 200) return place.name;
    }
    return undefined;
  };
  const logs = (): string => [...members, etcd, proxy].map(({ log }) => log().slice(-4000)).join('\n---\n');
  const settled: Patroni['settled'] = async () => {
    const look = async () => {
      for (const place of places) {
        const seen = (await cluster(place))?.members ?? [];
        if (!seen.some(({ role }) => role === 'sync_standby')) continue;
        const leader = seen.find(({ role, state }) => role === 'leader' && state === 'running');
        const works = await query(url('postgres'), 'select 1').then(
          () => true,
          () => false,
        );
        if (leader !== undefined && works) return leader.name;
      }
      return undefined;
    };
    const { seen } = await until(START_MS, look, (name) => name !== undefined).catch((error: unknown) => {
      throw new Error(`No standby follows:\n${logs()}`, { cause: error });
    });
    return members.find(({ name }) => name === seen) as Member;
  };
  const dispose = async (): Promise<void> => {
    for (const member of members) await member.kill();
    for (const { child } of [proxy, etcd]) if (child.pid !== undefined) signal(processesOf(child.pid), 'SIGKILL');
    removeFolder(folder);
  };
  try {
    members[0]?.start();
    // The first one makes the data, which the other copies.
    await until(
      START_MS,
      () =>
        query(url('postgres'), 'select 1').then(
          () => true,
          () => false,
        ),
      (works) => works,
    );
    members[1]?.start();
    await settled();
  } catch (error) {
    await dispose();
    throw new Error(`Patroni did not start:\n${logs()}`, { cause: error });
  }
  let databases = 0;
  return {
    members,
    backup,
    port: front,
    async newDatabase() {
      const name = `mailroom${++databases}`;
      await query(url('postgres'), `create database ${name} encoding 'UTF8' template template0`);
      return url(name);
    },
    primary,
    settled,
    [Symbol.asyncDispose]: dispose,
  };
}
