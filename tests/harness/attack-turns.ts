// Preloaded into a service that is attacked: notes the CPU time of each long turn of its main thread. From outside, a
// busy machine that lets the observer wait would look like a long turn.
import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const LOOK_MS = 20;
const LONG_MS = 50;
const file = process.env.ATTACK_TURNS;
if (isMainThread && file !== undefined) {
  let before = process.threadCpuUsage();
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    const ms = (user + system) / 1_000;
    if (ms > LONG_MS) appendFileSync(file, `${Date.now()} ${ms}\n`);
  }, LOOK_MS).unref();
}
