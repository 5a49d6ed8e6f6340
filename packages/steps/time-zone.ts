import type { FieldError } from '@mailroom/behavior/values/error';
import { Type } from 'typebox';

/** A setting of each behavior that runs tasks. */
export const TimeZone = Type.String({
  maxLength: 60,
  pattern: '^[A-Za-z0-9_+/-]+$',
  default: 'UTC',
  description: 'For what names no time zone: an IANA name such as Europe/Berlin.',
});

/** Whether it is the name of a time zone (IANA). */
function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Errors in a time zone setting beyond its type. */
export const zoneErrors = (time_zone: string | undefined): readonly FieldError[] =>
  time_zone === undefined || isZone(time_zone)
    ? []
    : [{ pointer: '/time_zone', message: `There is no time zone "${time_zone}". One looks like Europe/Berlin.` }];
