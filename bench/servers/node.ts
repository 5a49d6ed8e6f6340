// The service as `npm start` runs it, with one more behavior: `wait` answers after 20 ms without work.
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '@mailroom/server/config';
import { makeLog } from '@mailroom/server/log';
import { startService } from '@mailroom/server/service/index';
import { Type } from 'typebox';

const WAIT_MS = 20;

const config = readConfig(process.env);
const { log, flush } = await makeLog(config.LOG_LEVEL);
const stop = Promise.withResolvers<void>();
process.once('SIGTERM', () => stop.resolve());
const service = await startService({
  config,
  log,
  behaviors: [
    {
      name: 'wait',
      title: 'Wait',
      description: 'Answers after a while.',
      settings: Type.Object({}),
      example: { body: 'Hello', reply: 'Here I am.' },
      async handle(_message, { signal }) {
        await sleep(WAIT_MS, undefined, { signal });
        return { kind: 'reply', body: 'Here I am.' };
      },
    },
  ],
  onFailure: (error) => stop.reject(error),
  keepOwnerKey: async (secret) => {
    if (config.OWNER_KEY_FILE !== undefined) writeFileSync(config.OWNER_KEY_FILE, secret, { mode: 0o600 });
  },
});
process.stdout.write(`${service.url}\n`);
await stop.promise;
await service[Symbol.asyncDispose]();
flush();
