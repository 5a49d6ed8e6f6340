// A thread for threads.test.ts that counts words, and crashes, hangs or sleeps when the text says so.
import { workerData } from 'node:worker_threads';
import type { Task } from '@mailroom/proofread/worker';
import { serve } from '@mailroom/workers/serve';
import { NO_WORDS, type Reading } from '../reading.ts';

const deaths = new Int32Array(workerData as SharedArrayBuffer);

serve(({ text }: Task): Reading => {
  if (text === 'die once' && Atomics.add(deaths, 0, 1) === 0) process.exit(1);
  if (text === 'hang' || (text.startsWith('hang if long') && text.length > 300)) for (;;);
  if (text === 'sleep') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  return { ...NO_WORDS, language: 'en', words: text.match(/\w+/g)?.length ?? 0 };
});
