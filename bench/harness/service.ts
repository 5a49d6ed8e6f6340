import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Server, startServer } from './child.ts';
import type { Submission } from './compare.ts';
import type { Options } from './report.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** What `npm start` runs. */
const MAIN = join(ROOT, 'packages/server/main.js');
/** The length of a typical short mail. */
export const QUESTION =
  'Hello! Could you tell me who you are, what you can do for me, and how I reach the people behind you? Thank you.';
export const HELLO = 'hello@agents.mailroom.localhost';

export interface Service extends Server {
  readonly folder: string;
  /** A send that the load generator repeats. */
  submission(to: string, bodies: readonly string[], sync: boolean): Submission;
  /** An API call that must succeed. */
  call(path: string, body?: object, method?: string): Promise<unknown>;
}

export const ownerKey = (folder: string): string => readFileSync(join(folder, 'key'), 'utf8').trim();

/** Where a service takes mail, by what its log says: `received by`, or `taken from mail programs`. */
export async function mailPort({ folder }: Pick<Service, 'folder'>, what = 'received by'): Promise<number> {
  for (let tries = 0; tries < 500; tries++) {
    const log = readFileSync(join(folder, 'log'), 'utf8');
    const line = log.split('\n').find((one) => one.includes(`"mail is ${what}`));
    if (line !== undefined) return (JSON.parse(line) as { readonly port: number }).port;
    await sleep(20);
  }
  throw new Error('it does not say where it receives mail');
}

/** The service as `npm start` runs it, on a durable store in a folder of its own, without rate limits. */
export async function startService(
  options: Pick<Options, 'folder' | 'log_level'>,
  name: string,
  settings: Readonly<Record<string, string>> = {},
  main = MAIN,
): Promise<Service> {
  const folder = join(options.folder, name);
  await mkdir(folder, { recursive: true });
  const server = await startServer(main, {
    env: {
      PORT: '0',
      RATE_LIMITS: 'off',
      // Its port is that of a service that may run beside the benchmark.
      SMTP_LISTEN: 'off',
      // Benchmarks measure what the first message costs, and the memory before it.
      PREPARE_BEHAVIORS: 'off',
      // A benchmark of many rounds stores more than a namespace may.
      LIMIT_STORAGE: String(2 ** 50),
      LOG_LEVEL: options.log_level,
      DATABASE_URL: `sqlite:${join(folder, 'mailroom.db')}`,
      OWNER_KEY_FILE: join(folder, 'key'),
      ...settings,
    },
    log: join(folder, 'log'),
  });
  const authorization = `Bearer ${ownerKey(folder)}`;
  return {
    ...server,
    folder,
    submission: (to, bodies, sync) => ({
      path: '/api/v1/mail/send',
      headers: { authorization },
      bodies: bodies.map((body) => JSON.stringify({ to, body, sync })),
      ...(sync ? { status: '200', expect: '"status":"completed"' } : { status: '202', expect: '"status":"submitted"' }),
    }),
    async call(path, body, method = 'POST') {
      const response = await fetch(`http://127.0.0.1:${server.port}/api/v1${path}`, {
        headers: { authorization, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { method, body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
      return JSON.parse(text);
    },
  };
}
