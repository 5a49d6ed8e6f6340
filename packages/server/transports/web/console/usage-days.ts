import { DAY, type Millis, rfc3339 } from '@mailroom/behavior/values/clock';
import type { UsageDay } from '../../../core/entities/model-usage.ts';
import type { UsageBucket } from './charts.ts';

/** The UTC day of a time. */
export const dateOf = (time: Millis): string => rfc3339(time).slice(0, 10);

/** A bucket for each of the last days, oldest first, with those that have no run. */
export function bucketsOf(items: readonly UsageDay[], days: number, now: Millis): readonly UsageBucket[] {
  const byDate = new Map(items.map((item) => [item.date, item]));
  const today = Math.floor(now / DAY);
  return Array.from({ length: days }, (_, at) => {
    const from = (today - days + 1 + at) * DAY;
    const { runs = 0, input_tokens: input = 0, output_tokens: output = 0 } = byDate.get(dateOf(from)) ?? {};
    return { from, runs, input, output };
  });
}
