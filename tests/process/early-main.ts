// The service with a defect put in: it says that a message was accepted before it is committed. Only for showing that
// the crash test sees it; started by crash.test.ts in the place of src/main.ts.
import { writeFileSync } from 'node:fs';
import { readConfig } from '../../src/config.ts';
import type { Accepted, Messages } from '../../src/core/store.ts';
import { makeLog } from '../../src/log.ts';
import { startService } from '../../src/service.ts';
import { openStore } from '../../src/store/open.ts';

/** How long the promise is broken: as long as a slow disk takes to sync. */
const LATE_MS = 30;

/** `target` with some of its properties replaced; its methods stay bound to it, for its private fields. */
const replaced = <T extends object>(target: T, by: Partial<T>): T =>
  new Proxy(target, {
    get(from, name) {
      const value: unknown = name in by ? by[name as keyof T] : Reflect.get(from, name, from);
      return typeof value === 'function' ? value.bind(from) : value;
    },
  });

const config = readConfig(process.env);
const { log, flush } = await makeLog(config.LOG_LEVEL);
const stop = Promise.withResolvers<void>();
process.once('SIGTERM', () => stop.resolve());
const service = await startService({
  config,
  log,
  onFailure: (error) => stop.reject(error),
  keepOwnerKey: async (secret) => {
    if (config.OWNER_KEY_FILE !== undefined) writeFileSync(config.OWNER_KEY_FILE, secret, { flag: 'wx', mode: 0o600 });
  },
  openStore: async (...args) => {
    const store = await openStore(...args);
    const messages: Messages = replaced(store.messages, {
      accept: async (acceptance): Promise<Accepted> => {
        // What may be a repetition needs the store's word.
        if (acceptance.once !== undefined) return store.messages.accept(acceptance);
        setTimeout(() => void store.messages.accept(acceptance), LATE_MS);
        return { kind: 'accepted', held: false };
      },
    });
    return replaced(store, { messages });
  },
});
process.stdout.write(`${service.url}\n`);
await stop.promise;
await service[Symbol.asyncDispose]();
flush();
