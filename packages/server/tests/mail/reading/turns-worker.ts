// A thread whose tasks do what they say, read in turns as mails are.
import { setTimeout as pause } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import { yieldToEventLoop } from '@mailroom/behavior/values/yield-to-event-loop';
import { serveBatches } from '@mailroom/workers/serve';
import { Turns } from '../../../mail/reading/turns.ts';

export type Deed =
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'hang' | 'die' | 'answer' }
  /** Works in pieces, and waits for nothing between them. */
  | { readonly kind: 'work' };

const turns = new Turns(workerData as number);
const spin = (ms: number): void => {
  const from = process.threadCpuUsage().user;
  while (process.threadCpuUsage().user - from < ms * 1000);
};

serveBatches<Deed, string | undefined, string | undefined>(
  (deed, { id }) =>
    turns.run(id, async (wait) => {
      if (deed.kind === 'hang') spin(60_000);
      if (deed.kind === 'die') process.exit(3);
      if (deed.kind === 'wait') await wait(pause(deed.ms));
      for (;;) {
        if (deed.kind !== 'work') return deed.kind;
        spin(20);
        await yieldToEventLoop();
      }
    }),
  (said) => said,
);
