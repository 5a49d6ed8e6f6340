import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lacks } from '../harness/install.ts';
import { freePort, query } from '../harness/postgres.ts';
import { newFolder, removeFolder } from '../harness/service.ts';
import { until } from '../harness/until.ts';
import { instead } from './instead.ts';

const DEPLOY = join(import.meta.dirname, '../../deploy/patroni');
const START_MS = 120_000;
/** Neither PostgreSQL nor Patroni runs as root. */
const UNPRIVILEGED = { uid: 65_534, gid: 65_534 };

/** Why Patroni cannot run here; false when it can. */
export const lacksPatroni = (): string | false =>
  (process.getuid?.() !== 0 && 'needs root, to run servers as another user') ||
  lacks('patroni', 'patroni', 'python3-etcd', 'postgresql') ||
  lacks('etcd', 'etcd-server') ||
  lacks('haproxy');

/** A machine with PostgreSQL and its Patroni. */
export interface Member {
  readonly name: string;
  /** Where its data is. */
  readonly folder: string;
  start(): void;
  /** Ends all of its processes at once, as a machine that loses its power, or PostgreSQL's alone. */
  kill(what?: 'all' | 'postgres'): Promise<void>;
  /** Stops all of its processes where they are, until `thaw`. */
  freeze(): void;
  thaw(): void;
  log(): string;
}

/** The servers of deploy/patroni on loopback, with one etcd, two members, and haproxy in front of them. */
export interface Patroni extends AsyncDisposable {
  readonly members: readonly Member[];
  newDatabase(): Promise<string>;
  /** Resolves with the one that is the primary while another follows it synchronously. */
  settled(): Promise<Member>;
  other(member: Member): Member;
}

interface Running {
  readonly child: ChildProcess;
  log(): string;
}

function start(command: string, args: readonly string[], folder: string): Running {
  const child = spawn(command, args, {
    ...UNPRIVILEGED,
    cwd: folder,
    detached: true,
    env: { PATH: `${process.env.PATH}:/usr/sbin`, HOME: folder },
  });
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
  readonly host: string;
  readonly rest: number;
  readonly postgres: number;
}

function makeMember(name: string, folder: string, { host, rest, postgres }: Place, etcd: string): Member {
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
  config = instead(config, '10.0.0.0/24', '127.0.0.0/8');
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
    folder,
    start() {
      earlier += running?.log() ?? '';
      running = start('patroni', [file], folder);
    },
    async kill(what = 'all') {
      // Without the first one the others end by themselves.
      const pids = what === 'all' ? all() : processesOf(postmaster());
      signal(what === 'all' ? pids : pids.slice(0, 1), 'SIGKILL');
      await until(
        START_MS,
        async () => pids.filter((pid) => isAlive(pid)),
        (alive) => alive.length === 0,
      );
    },
    freeze: () => signal(all(), 'SIGSTOP'),
    thaw: () => signal(all(), 'SIGCONT'),
    log: () => earlier + (running?.log() ?? ''),
  };
}

/** Whether it runs; a process that ended and whose parent did not look yet does not. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout !== '' && !stdout.startsWith('Z');
}

interface Cluster {
  readonly members: readonly { readonly name: string; readonly role: string; readonly state: string }[];
}

export async function startPatroni(): Promise<Patroni> {
  const folder = newFolder();
  chmodSync(folder, 0o755);
  const folderOf = (name: string): string => {
    const made = join(folder, name);
    mkdirSync(made);
    spawnSync('chown', [`${UNPRIVILEGED.uid}:${UNPRIVILEGED.gid}`, made]);
    return made;
  };
  const [client, peer, front] = [await freePort(), await freePort(), await freePort()];
  const [etcdUrl, peerUrl] = [`http://127.0.0.1:${client}`, `http://127.0.0.1:${peer}`];
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
  const places: Place[] = [];
  for (let count = 0; count < 2; count++)
    places.push({ host: '127.0.0.1', rest: await freePort(), postgres: await freePort() });
  const members = places.map((place, at) => {
    const name = `db${at + 1}`;
    return makeMember(name, folderOf(name), place, `127.0.0.1:${client}`);
  });

  let haproxy = readFileSync(join(DEPLOY, 'haproxy.cfg'), 'utf8');
  haproxy = instead(haproxy, 'bind 127.0.0.1:5432', `bind 127.0.0.1:${front}`);
  for (const [at, { host, postgres, rest }] of places.entries())
    haproxy = instead(haproxy, `10.0.0.2${at + 1}:5432 check port 8008`, `${host}:${postgres} check port ${rest}`);
  haproxy = instead(haproxy, /^ *server db3 .*\n/gm, '');
  const proxyFolder = folderOf('haproxy');
  writeFileSync(join(proxyFolder, 'haproxy.cfg'), haproxy);
  const proxy = start('haproxy', ['-db', '-f', join(proxyFolder, 'haproxy.cfg')], proxyFolder);

  const password = /superuser: \{ username: postgres, password: (\S+) \}/.exec(
    readFileSync(join(DEPLOY, 'patroni.yml'), 'utf8'),
  )?.[1];
  const url = (database: string): string => `postgres://postgres:${password}@127.0.0.1:${front}/${database}`;
  const cluster = async ({ host, rest }: Place): Promise<Cluster | undefined> => {
    const answer = await fetch(`http://${host}:${rest}/cluster`, { signal: AbortSignal.timeout(5_000) }).catch(
      () => undefined,
    );
    return answer?.ok === true ? ((await answer.json()) as Cluster) : undefined;
  };
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
    const { seen } = await until(START_MS, look, (name) => name !== undefined);
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
    const logs = [...members, etcd, proxy].map(({ log }) => log().slice(-4000)).join('\n---\n');
    await dispose();
    throw new Error(`Patroni did not start:\n${logs}`, { cause: error });
  }
  let databases = 0;
  return {
    members,
    async newDatabase() {
      const name = `mailroom${++databases}`;
      await query(url('postgres'), `create database ${name} encoding 'UTF8' template template0`);
      return url(name);
    },
    settled,
    other: (member) => members.find((candidate) => candidate !== member) as Member,
    [Symbol.asyncDispose]: dispose,
  };
}
