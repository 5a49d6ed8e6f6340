import { reminderOf } from '@mailroom/behavior/schedule';
import { DAY, MINUTE, type Millis, parseRfc3339 } from '@mailroom/behavior/values/clock';
import type { Json } from '@mailroom/behavior/values/json';
import { literal } from '../clause.ts';
import type { TaskContext, TaskError } from '../task.ts';
import { refused } from './rule-parts.ts';
import { anchored } from './rule-span.ts';
import { describeRule, nextTime, readRule } from './rules.ts';
import { once } from './when.ts';

const FARTHEST: Millis = 5 * 366 * DAY;
/** Tolerance for a time that has passed since it was read. */
const GRACE = MINUTE;
const late = (said: string): TaskError => refused(`${said} is in the past: say a time that is still to come.`);

/** A planned message, for the agenda and in words. */
export interface Plan {
  readonly rule: string | null;
  readonly time_zone: string;
  readonly next_at: Millis;
  /** "on Friday, November 20, 2026, at 09:00 (UTC)", "every day at 09:00 (UTC)". */
  readonly said: string;
}

/** The time of an input's `at` or `rule` in words, or as written where that is already words. */
export function saidWhen(
  {
    at: time,
    rule,
    time_zone: plannedZone,
  }: { readonly at?: string; readonly rule?: string; readonly time_zone?: string },
  time_zone: string,
): string {
  const zone = plannedZone ?? time_zone;
  const exact = time === undefined ? undefined : parseRfc3339(time);
  try {
    if (exact !== undefined) return spoken(exact, zone);
    if (rule !== undefined) {
      const read = readRule(rule, zone);
      if (read !== undefined) return `${describeRule(read.rule)} (${read.time_zone})`;
    }
  } catch {
    // A zone or a rule that will be refused is shown as written.
  }
  return `${time ?? rule ?? 'at a time that is not said'} (${zone})`;
}

/** The structured steps of a reminder, which only say its text; undefined for other instructions. */
export function reminderData(instructions: string): Json | undefined {
  const text = reminderOf(instructions);
  return text === undefined ? undefined : { steps: [{ task: 'text', input: { op: 'say', text: literal(text) } }] };
}

/** A time for people, in the zone. */
export const spoken = (at: Millis, time_zone: string): string => {
  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: time_zone }).format(at);
  const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: time_zone }).format(at);
  return `${day}, at ${time} (${time_zone})`;
};

/** The same, with what it is in the zone of the one who is told. */
function spokenTo(at: Millis, time_zone: string, own: string): string {
  const [said, here] = [spoken(at, time_zone), spoken(at, own)];
  const [day, clock] = here.split(', at ') as [string, string];
  if (time_zone === own || said.replace(/ \(.*/, '') === here.replace(/ \(.*/, '')) return said;
  return `${said}, which is ${said.startsWith(`${day},`) ? '' : `${day}, at `}${clock}`;
}

/**
 * The next time of an input's `at` or `rule`, which may be in words. Throws TaskError for a past time or one more than five
 * years ahead, a rule that never comes or too often, and other text.
 */
export function planned(
  input: { readonly at?: string; readonly rule?: string; readonly time_zone?: string },
  context: Pick<TaskContext, 'clock' | 'time_zone'>,
): Plan {
  const now = context.clock();
  const time_zone = input.time_zone ?? context.time_zone;
  if ((input.at === undefined) === (input.rule === undefined))
    throw refused('Say when: either once (“at”) or by a rule (“rule”).');
  let plan: Plan;
  if (input.rule !== undefined) {
    const read = readRule(input.rule, time_zone, now);
    if (read === undefined)
      throw refused(`“${input.rule.slice(0, 120)}” is no rule: say, as an example, “every weekday at 9”.`);
    const next_at = nextTime(read.rule, read.time_zone, now);
    if (next_at === undefined) throw refused(`“${input.rule}” never comes: there is no such day.`);
    plan = {
      rule: anchored(read.rule, read.time_zone, next_at),
      time_zone: read.time_zone,
      next_at,
      said: `${describeRule(read.rule)} (${read.time_zone})`,
    };
  } else {
    const words = input.at as string;
    const exact = parseRfc3339(words);
    const found = exact === undefined ? once(words, { now, time_zone }) : undefined;
    const due = exact ?? parseRfc3339(found?.timing.at ?? '');
    if (found?.refused === true)
      throw refused(`In “${words.slice(0, 120)}” the weekday is not that of the date: say which of the two you mean.`);
    if (due === undefined)
      throw refused(`I do not know when “${words.slice(0, 120)}” is: say, as an example, “tomorrow at 9”.`);
    const zone = found?.timing.time_zone ?? time_zone;
    if (due < now - GRACE) throw late(spoken(due, zone));
    plan = {
      rule: null,
      time_zone: zone,
      next_at: Math.max(due, now),
      said: `on ${spokenTo(due, zone, context.time_zone)}`,
    };
  }
  if (plan.next_at > now + FARTHEST)
    throw refused(`${spoken(plan.next_at, plan.time_zone)} is more than five years ahead: plan what is nearer.`);
  return plan;
}
