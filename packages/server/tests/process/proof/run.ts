import { writeFileSync } from 'node:fs';
import { gated } from '../../../../../tests/harness/gated.ts';
import { readConfig } from '../../../config.ts';
import { makeLog } from '../../../log.ts';
import { startService } from '../../../service/index.ts';
import { openStore } from '../../../store/open.ts';
import { fatal, stumbling } from './behaviors.ts';
import { withDefect } from './defects.ts';
import { failingAt } from './fail-at.ts';

const { GATES = '.', NODE_NAME = 'node', DEFECT, FAIL_AT } = process.env;
const config = readConfig(process.env);
const { log, access, flush } = await makeLog(config.LOG_LEVEL);
const stop = Promise.withResolvers<void>();
process.once('SIGTERM', () => stop.resolve());
const service = await startService({
  config,
  log,
  access,
  behaviors: [gated(GATES, NODE_NAME), stumbling(GATES), fatal(GATES)],
  onFailure: (error) => stop.reject(error),
  keepOwnerKey: async (secret) => {
    if (config.OWNER_KEY_FILE !== undefined) writeFileSync(config.OWNER_KEY_FILE, secret, { flag: 'wx', mode: 0o600 });
  },
  openStore: async (url, options) => failingAt(FAIL_AT, withDefect(DEFECT, await openStore(url, options), url)),
});
process.stdout.write(`${service.url}\n`);
await stop.promise;
await service[Symbol.asyncDispose]();
flush();
