import { setTimeout as sleep } from 'node:timers/promises';
import { DAY } from '@mailroom/behavior/values/clock';

/** Waits for the next day of UTC where this one is over sooner than in `ms`: what is counted by the day begins anew then. */
export async function untilDayHas(ms: number): Promise<void> {
  const remaining = DAY - (Date.now() % DAY);
  if (remaining < ms) await sleep(remaining + 1);
}
