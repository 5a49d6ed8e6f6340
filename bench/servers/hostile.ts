// The service as `npm start` runs it, with one more behavior: `hostile` keeps every sandbox thread busy with hostile
// programs, from a message that says "start" to one that says "stop".
import { writeFileSync } from 'node:fs';
import { Sandbox, SandboxError } from '@mailroom/english-instructions/tasks/sandbox/index';
import { readConfig } from '@mailroom/server/config';
import { makeLog } from '@mailroom/server/log';
import { startService } from '@mailroom/server/service/index';
import { Type } from 'typebox';

const [workers = '1'] = process.argv.slice(2);
const LIMITS = { ms: 500, memory_bytes: 32 << 20, output_bytes: 65_536, log_bytes: 4_096 };
/** An endless loop, memory, garbage, output, and two programs whose thread has to be ended. */
const PROGRAMS = [
  'for (;;);',
  'const a = []; for (;;) a.push("x".repeat(1000) + a.length)',
  'for (;;) new Array(1e5).fill({})',
  'for (;;) console.log("x".repeat(1000))',
  'new Array(4294967295).join("abc")',
  'const m = new Map(); for (let i = 0; ; i++) m.set(i, [i])',
  '"a".repeat(4e6).indexOf("a".repeat(2e6) + "b")',
  '/^(a+)+$/.test("a".repeat(40) + "b")',
];

const sandbox = new Sandbox({ workers: Number(workers), max_queue: 100 });
await sandbox.warm();
const never = new AbortController().signal;
let running = false;
let ended = 0;

async function keepBusy(from: number): Promise<void> {
  for (let index = from; running; index += 1) {
    try {
      await sandbox.run({ code: PROGRAMS[index % PROGRAMS.length] as string }, LIMITS, never);
    } catch (error) {
      if (!(error instanceof SandboxError)) throw error;
    }
    ended += 1;
  }
}

const config = readConfig(process.env);
const { log, flush } = await makeLog(config.LOG_LEVEL);
const stop = Promise.withResolvers<void>();
process.once('SIGTERM', () => stop.resolve());
let busy: Promise<void>[] = [];
const service = await startService({
  config,
  log,
  behaviors: [
    {
      name: 'hostile',
      title: 'Hostile',
      description: 'Runs programs that mean harm.',
      settings: Type.Object({}),
      example: { body: 'start', reply: '0' },
      async handle(message) {
        running = message.body.includes('start');
        if (running) {
          ended = 0;
          busy = Array.from({ length: Number(workers) }, (_, index) => keepBusy(index * 3));
        } else await Promise.all(busy.splice(0));
        return { kind: 'reply', body: `${ended} programs` };
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
running = false;
await service[Symbol.asyncDispose]();
await sandbox.close();
flush();
