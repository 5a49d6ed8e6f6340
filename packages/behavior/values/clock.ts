/** Milliseconds since the epoch, or a duration in milliseconds. */
export type Millis = number;

/** Injected everywhere, so that tests control the time. */
export type Clock = () => Millis;

export const SECOND = 1_000;
export const MINUTE = 60_000;
export const HOUR = 3_600_000;
export const DAY = 86_400_000;

let lastAt = Number.NaN;
let lastText = '';

/** RFC 3339 UTC with milliseconds, as all times on the wire. The last result is cached, because an exchange repeats it. */
export function rfc3339(time: Millis): string {
  if (time !== lastAt) {
    lastText = new Date(time).toISOString();
    lastAt = time;
  }
  return lastText;
}

const RFC3339 = /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i;

/** Milliseconds of an RFC 3339 date-time, or undefined when it is not one (RFC 3339, section 5.6). */
export function parseRfc3339(text: string): Millis | undefined {
  const [, day] = RFC3339.exec(text) ?? [];
  if (day === undefined) return undefined;
  // Date.parse reads February 30 as March 2.
  const midnight = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight) || rfc3339(midnight).slice(0, 10) !== day) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}
