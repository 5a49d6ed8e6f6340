import { DAY, HOUR, MINUTE, type Millis } from '@mailroom/behavior/values/clock';

/** The numbers below `end` in a field of a cron expression; undefined for other notations. */
function valuesOf(field: string, end: number): readonly number[] | undefined {
  const values = new Set<number>();
  for (const part of field.split(',')) {
    const [, from, to, every] = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/.exec(part) ?? [];
    const any = part.startsWith('*');
    if (!any && from === undefined) return undefined;
    const step = Number(every ?? 1);
    const first = any ? 0 : Number(from);
    const last = any || (to === undefined && every !== undefined) ? end - 1 : Number(to ?? from);
    if (step < 1 || first > last || last >= end) return undefined;
    for (let value = first; value <= last; value += step) values.add(value);
  }
  return [...values].sort((a, b) => a - b);
}

/**
 * The minimum time between two times of a rule (five fields, as `checkRule` returns it), by its minutes and hours alone. 0
 * when it is unknown.
 */
export function shortestGap(rule: string): Millis {
  const [minute = '', hour = ''] = rule.trim().split(/\s+/);
  const minutes = valuesOf(minute, 60);
  const hours = valuesOf(hour, 24);
  if (minutes === undefined || hours === undefined) return 0;
  let gap = DAY;
  for (let at = 1; at < minutes.length; at++) {
    gap = Math.min(gap, ((minutes[at] as number) - (minutes[at - 1] as number)) * MINUTE);
  }
  const wrap = ((minutes[0] as number) - (minutes.at(-1) as number)) * MINUTE;
  for (const [at, one] of hours.entries()) {
    const next = hours[at + 1] ?? (hours[0] as number) + 24;
    gap = Math.min(gap, (next - one) * HOUR + wrap);
  }
  return gap;
}
