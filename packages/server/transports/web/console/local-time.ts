import { DAY, type Millis } from '@mailroom/behavior/values/clock';

/** As a browser sends `datetime-local` (WHATWG HTML, section 2.3.5.5). */
const LOCAL = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,3})?)?$/;

/** The time in UTC that a clock in the zone shows at an instant; undefined when there is no such zone. */
function shownAt(instant: Millis, zone: string): Millis | undefined {
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
    const of = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
    return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  } catch {
    return undefined;
  }
}

export const isZone = (zone: string): boolean => shownAt(0, zone) !== undefined;

/**
 * The instant of a date and time in a zone; undefined when it is no date. Of a time that the clock shows twice it is the
 * first; one that it skips is as much later as the clock jumps.
 */
export function instantOf(local: string, zone: string): Millis | undefined {
  const [, ...digits] = LOCAL.exec(local) ?? [];
  if (digits.length === 0) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = digits.map((one) => Number(one ?? 0));
  const wanted = Date.UTC(year, month - 1, day, hour, minute, second);
  // Refuses 30 February, which Date takes for 1 or 2 March.
  if (new Date(wanted).toISOString().slice(0, 16) !== local.slice(0, 16)) return undefined;
  const offset = (at: Millis): number => (shownAt(at, zone) ?? Number.NaN) - at;
  // Offsets change at most once within these two days.
  const earlier = wanted - offset(wanted - DAY);
  const later = wanted - offset(wanted + DAY);
  if (Number.isNaN(earlier)) return undefined;
  const found = [earlier, later].sort((a, b) => a - b).find((at) => at + offset(at) === wanted);
  return found ?? earlier;
}

/** The date and time that a clock in the zone shows, as a browser fills a `datetime-local` field. */
export const localOf = (at: Millis, zone: string): string =>
  new Date(shownAt(at, zone) ?? at).toISOString().slice(0, 16);
