import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Server, startServer } from './child.ts';
import type { Submission } from './compare.ts';
import type { Options } from './report.ts';
import { HELLO, QUESTION } from './service.ts';

const script = (name: string): string => fileURLToPath(new URL(`../servers/${name}.ts`, import.meta.url));

export const startRaw = ({ folder }: Pick<Options, 'folder'>): Promise<Server> =>
  startServer(script('raw'), { env: {}, log: join(folder, 'raw.log') });

/** The same request bytes as for our service, with a key that the server ignores. */
export const rawSubmission: Submission = {
  path: '/api/v1/mail/send',
  headers: { authorization: `Bearer mr_live_${'0'.repeat(46)}` },
  bodies: [JSON.stringify({ to: HELLO, body: QUESTION, sync: true })],
  status: '200',
  expect: '"status":"completed"',
};

/** What an agent on the SDK publishes, see `servers/a2a.ts`. */
type Echo = 'lifecycle' | 'task' | 'message';

/** Express expects `NODE_ENV=production` for full speed. */
export const startA2a = ({ folder }: Pick<Options, 'folder'>, echo: Echo): Promise<Server> =>
  startServer(script('a2a'), {
    args: [echo],
    env: { NODE_ENV: 'production' },
    log: join(folder, `a2a-${echo}.log`),
  });

export const a2aSubmission = (echo: Echo): Submission => ({
  path: '/',
  headers: { 'a2a-version': '1.0' },
  bodies: [
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'SendMessage',
      params: { message: { messageId: 'bench-1', role: 'ROLE_USER', parts: [{ text: QUESTION }] } },
    }),
  ],
  status: '200',
  expect: echo === 'message' ? '"result":{"message":{' : 'TASK_STATE_COMPLETED',
});
