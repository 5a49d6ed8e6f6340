import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, connect, type Home } from './client.ts';
import { type Gates, gatesOf } from './gated.ts';
import { type Postgres, query } from './postgres.ts';
import { type Exit, newFolder, PROOF_MAIN, type Running, removeFolder, runMain } from './service.ts';

/** A node of the service, whose process changes with a restart. */
export interface Node {
  /** `a`, `b`, …: the name that the behavior `gated` replies with. */
  readonly name: string;
  /** Of the current process, or of the last one. */
  readonly client: Client;
  /** Whether it was started and has not ended. */
  readonly up: boolean;
  /** Standard output of its current process. */
  stdout(): string;
  /** Standard error of all its processes. */
  logs(): string;
  /** Starts it, and resolves when it listens, on another port than before. */
  start(): Promise<void>;
  /** Sends SIGTERM, and waits for the end. */
  stop(): Promise<Exit>;
  /** Sends SIGKILL, and waits for the end. */
  kill(): Promise<Exit>;
  /** Sends SIGSTOP: it holds its connections and does nothing, as on a machine that hangs. */
  freeze(): void;
  /** Sends SIGCONT. */
  thaw(): void;
}

/** Equal nodes on one database. */
export interface Nodes extends AsyncDisposable {
  readonly all: readonly Node[];
  /** The node with this name. */
  named(name: string): Node;
  /** All nodes except those with these names. */
  but(...names: readonly string[]): readonly Node[];
  readonly house: Home;
  readonly gates: Gates;
  /** Its `postgres://` URL. */
  readonly database: string;
  /** Queries the database directly. */
  sql(text: string): Promise<Record<string, unknown>[]>;
}

export interface NodesOptions {
  readonly postgres: Pick<Postgres, 'newDatabase'>;
  /** Default three. */
  readonly count?: number;
  /** Settings for all nodes, or for each by its number. */
  readonly env?: Readonly<Record<string, string>> | ((index: number) => Readonly<Record<string, string>>);
  /**
   * Starts all nodes at the same moment on an empty database; without it the first one creates the house before the
   * others start.
   */
  readonly together?: boolean;
  /** A program to run instead of the one with the behavior `gated`. */
  readonly main?: string;
}

/**
 * Starts this many nodes on a new database, without rate limits unless `env` says otherwise. All are killed on
 * disposal.
 */
export async function startNodes({
  postgres,
  count = 3,
  env = {},
  together = false,
  main = PROOF_MAIN,
}: NodesOptions): Promise<Nodes> {
  const folder = newFolder();
  const database = await postgres.newDatabase();
  const keyFile = join(folder, 'owner.key');
  const all = Array.from({ length: count }, (_, index) => {
    const name = String.fromCharCode('a'.charCodeAt(0) + index);
    return makeNode(name, main, {
      PORT: '0',
      DATABASE_URL: database,
      OWNER_KEY_FILE: keyFile,
      RATE_LIMITS: 'off',
      UNDO_SECONDS: '0',
      LOG_LEVEL: 'warn',
      GATES: folder,
      NODE_NAME: name,
      ...(typeof env === 'function' ? env(index) : env),
    });
  });
  const dispose = async (): Promise<void> => {
    await Promise.all(all.map((node) => node.kill()));
    removeFolder(folder);
  };
  try {
    if (!together) await all[0]?.start();
    await Promise.all(all.filter((node) => !node.up).map((node) => node.start()));
  } catch (error) {
    await dispose();
    throw error;
  }
  return {
    all,
    named: (name) => {
      const found = all.find((node) => node.name === name);
      if (found === undefined) throw new Error(`There is no node ${name}`);
      return found;
    },
    but: (...names) => all.filter((node) => !names.includes(node.name)),
    house: { id: '', name: 'agents', key: readFileSync(keyFile, 'utf8').trim(), keyId: '' },
    gates: gatesOf(folder),
    database,
    sql: (text) => query(database, text),
    [Symbol.asyncDispose]: dispose,
  };
}

/** What a node logged, without that it waited for a database that was slow to answer, as on a busy machine. */
export const afterWaiting = (logs: string): string => logs.replaceAll(/^.*the database does not answer yet.*\n/gm, '');

function makeNode(name: string, main: string, env: Readonly<Record<string, string>>): Node {
  let running: Running | undefined;
  let client: Client | undefined;
  let earlier = '';
  let up = false;
  const end = async (signal: NodeJS.Signals): Promise<Exit> => {
    if (running === undefined) return { code: null, signal: null };
    running.child.kill(signal);
    // A frozen process handles a signal to end only when it continues.
    running.child.kill('SIGCONT');
    return running.exited;
  };
  return {
    name,
    get client() {
      if (client === undefined) throw new Error(`Node ${name} was never started`);
      return client;
    },
    get up() {
      return up;
    },
    stdout: () => running?.stdout() ?? '',
    logs: () => afterWaiting(earlier + (running?.stderr() ?? '')),
    async start() {
      if (up) throw new Error(`Node ${name} runs`);
      earlier += running?.stderr() ?? '';
      const mine = runMain([], env, main);
      running = mine;
      up = true;
      void mine.exited.then(() => {
        if (running === mine) up = false;
      });
      const [, port] = await mine.says(/http:\/\/localhost:(\d+)/);
      client = connect(`http://127.0.0.1:${port}`);
    },
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    freeze: () => void running?.child.kill('SIGSTOP'),
    thaw: () => void running?.child.kill('SIGCONT'),
  };
}
