// The service with the behavior `tck`, for the A2A TCK.
import { writeFileSync } from 'node:fs';
import { readConfig } from '@mailroom/server/config';
import { makeLog } from '@mailroom/server/log';
import { startService } from '@mailroom/server/service/index';
import { tck } from './tck-behavior.ts';

const config = readConfig(process.env);
const { log, access, flush } = await makeLog(config.LOG_LEVEL);
const stop = Promise.withResolvers<void>();
process.once('SIGTERM', () => stop.resolve());
const service = await startService({
  config,
  log,
  access,
  behaviors: [tck],
  onFailure: (error) => stop.reject(error),
  keepOwnerKey: async (secret) => {
    if (config.OWNER_KEY_FILE !== undefined) writeFileSync(config.OWNER_KEY_FILE, secret, { flag: 'wx', mode: 0o600 });
  },
});
process.stdout.write(`${service.url}\n`);
await stop.promise;
await service[Symbol.asyncDispose]();
flush();
