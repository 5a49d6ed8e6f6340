import { MINUTE, type Millis, rfc3339 } from '@mailroom/behavior/values/clock';
import { type Html, html } from '../../../http/html.ts';

/** A time, or as the API writes it (RFC 3339). */
export type Time = Millis | string;

export const millisOf = (at: Time): Millis => (typeof at === 'string' ? Date.parse(at) : at);

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export const clockTime = (at: Millis): string => rfc3339(at).slice(11, 16);

/** “20 Nov”, with the year when it is not the current one. */
export function dayOf(at: Time, now: Millis): string {
  const date = new Date(at);
  const year = date.getUTCFullYear();
  const day = `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`;
  return year === new Date(now).getUTCFullYear() ? day : `${day} ${year}`;
}

/** The shortest clear form: “now”, “14:31”, “20 Nov”. In UTC; the script shows it in the reader's own zone. */
export function timeMark(time: Time, now: Millis, kind: 'short' | 'full' = 'short'): Html {
  const instant = millisOf(time);
  const today = rfc3339(instant).slice(0, 10) === rfc3339(now).slice(0, 10);
  const clock = clockTime(instant);
  const short = now - instant < MINUTE && kind === 'short' ? 'now' : today ? clock : dayOf(instant, now);
  const text = kind === 'full' && !today ? `${dayOf(instant, now)}, ${clock}` : short;
  return html`<time datetime="${rfc3339(instant)}" data-when="${kind}" title="${`${dayOf(instant, 0)}, ${clock} UTC`}">${text}</time>`;
}

/** A time with its zone: “21 Nov 2026, 08:00 UTC”; the script shows it in the reader's own zone. */
export function zonedMark(time: Time): Html {
  const at = millisOf(time);
  return html`<time datetime="${rfc3339(at)}" data-when="zoned">${`${dayOf(at, 0)}, ${clockTime(at)} UTC`}</time>`;
}

/** How long something has been running: “3 s”, “8 min”; the script keeps counting. */
export function elapsed(since: Millis, now: Millis): Html {
  const s = Math.max(0, Math.floor((now - since) / 1000));
  return html`<span data-counts="${s}">${s < 120 ? `${s} s` : `${Math.floor(s / 60)} min`}</span>`;
}
