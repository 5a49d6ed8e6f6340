import { MINUTE } from '@mailroom/behavior/values/clock';
import type { Clause, PlannedBefore, Reading } from '../clause.ts';
import { local } from '../words/dates.ts';
import { lengthOf } from '../words/durations.ts';
import { type Timed, timing } from './when.ts';

const PLANNED = '(?:it|that|this|the (?:reminder|alarm|timer|schedule|time))';
const CANCEL = new RegExp(
  `^(?:please |no,? |actually,? |ok,? )*(?:(?:cancel|delete|remove|stop|drop|unschedule|forget(?: about)?|undo|scrap)(?: ${PLANNED})?(?: again| please)?|never ?mind(?: (?:that|it))?|nvm)$`,
  'i',
);
/** Whether a text takes back what was planned. */
export const isCanceling = (text: string): boolean => CANCEL.test(text);
const DELAY =
  /^(?:(?:no|actually|sorry|please),? )*(?:push|postpone|delay|snooze|(?:move|shift) (?:it |that |this )?back)\b(?: (?:it|that|this|the (?:reminder|alarm|timer)))?(?: back)?(?: (?:by|for))? (.{1,40})$/i;
const CHANGE = new RegExp(
  `^(?:(?:no|actually|sorry|oh|ok|okay|and|but|please|rather),? )*(?:make|change|move|set|push|shift|reschedule|postpone|put|switch)(?: ${PLANNED})?(?: back| forward)?(?: to| for| until| at)? (.+)$`,
  'i',
);
const INSTEAD =
  /^(?:(?:no|actually|sorry|rather),? (?:at )?(.+)|(?:at )?(.+?) instead|(.{1,40} (?:later|earlier|sooner)))$/i;
const CLOCK =
  /^(?:at |to |by )?(?:(\d{1,2})(?:[:.]([0-5]\d))?(?: o['’]?clock)?(?: ?([ap])\.?m\.?)?|(noon|midday|midnight))$/i;
const SHIFT = /^(?:by )?(.{1,40}) (later|earlier|sooner)$/i;
const TIMELY =
  /\d|\b(?:noon|midnight|morning|afternoon|evening|night|tonight|today|tomorrow|week|month|hour|minute|day|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|daily|weekly|monthly|hourly|every|later|earlier)\b/i;

/** The hour and minute of a clock time, in the half of the day of the planned one where it names none. */
function clockOf(text: string, plannedHour: number): readonly [hour: number, minute: number] | undefined {
  const [all, h, m = '0', half, word] = CLOCK.exec(text) ?? [];
  if (all === undefined) return undefined;
  if (word !== undefined) return [/^midnight$/i.test(word) ? 0 : 12, 0];
  const hour = Number(h);
  if (hour > 23 || (half !== undefined && (hour < 1 || hour > 12))) return undefined;
  if (half !== undefined) return [(hour % 12) + (/p/i.test(half) ? 12 : 0), Number(m)];
  return [plannedHour >= 12 && hour > 0 && hour < 12 && !/^0/.test(h as string) ? hour + 12 : hour, Number(m)];
}

/** A number alone, which may count hours of the clock or, of what was set in minutes, minutes. */
const BARE = /^\d{1,2}$/;
const SOON_MINUTES = 90;
const isUnclear = (words: string, { at, time_zone }: PlannedBefore, { now }: Clause): boolean => {
  if (at === undefined || !BARE.test(words)) return false;
  const start = Temporal.Instant.from(at).toZonedDateTimeISO(time_zone);
  return start.minute % 15 !== 0 || start.epochMilliseconds - now < SOON_MINUTES * MINUTE;
};

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** The new time of a planned message. */
function timeOf(
  words: string,
  { at: plannedAt, rule, time_zone }: PlannedBefore,
  clause: Clause,
): Timed['timing'] | undefined {
  const moment = { now: clause.now, time_zone };
  if (rule !== undefined) {
    const [, minute = '', hour = '', days = ''] = /^(\d{1,2}) (\d{1,2}) (.+)$/s.exec(rule) ?? [];
    const clock = hour === '' ? undefined : clockOf(words, Number(hour));
    if (clock !== undefined) return { rule: `${clock[1]} ${clock[0]} ${days}`, time_zone };
    const found = timing(words, moment);
    if (found?.timing.rule === undefined || found.refused === true) return undefined;
    const same =
      found.exact || hour === '' ? found : timing(`${words} at ${hour}:${twoDigits(Number(minute))}`, moment);
    return same?.timing;
  }
  const start = Temporal.Instant.from(plannedAt as string).toZonedDateTimeISO(time_zone);
  const clock = clockOf(words, start.hour);
  if (clock !== undefined) {
    const moved = start.with({ hour: clock[0], minute: clock[1], second: 0 });
    return { at: local(moved.epochMilliseconds, time_zone), time_zone };
  }
  const [, by = '', side = ''] = SHIFT.exec(words) ?? [];
  const length = by === '' ? undefined : lengthOf(by);
  if (length !== undefined && length.business === 0) {
    const moved = /later/i.test(side) ? start.add(length.duration) : start.subtract(length.duration);
    return { at: local(moved.epochMilliseconds, time_zone), time_zone };
  }
  const found = timing(words, moment);
  if (found === undefined || found.refused === true) return undefined;
  if (found.exact || found.timing.rule !== undefined) return found.timing;
  return timing(`${words} at ${start.hour}:${twoDigits(start.minute)}`, moment)?.timing;
}

/** What is done about each of several at once, which are one step each. */
function ofEach(inputs: readonly { readonly [name: string]: string }[], text: string): Reading {
  const steps = inputs.map((input) => ({ task: 'schedule', input }));
  const [input = {}] = inputs;
  return { sure: 1, input, accounts: [text], ...(steps.length > 1 && { steps }) };
}

/**
 * Reads "make it 10", "move it to Friday" and "cancel it" after reminders or schedules as about what was planned last;
 * undefined for other texts.
 */
export function aboutPlanned(clause: Clause): Reading | undefined {
  const { text, data, planned } = clause;
  if (planned === undefined || data !== undefined || text.length > 200) return undefined;
  const all = [...(planned.also ?? []), planned];
  if (CANCEL.test(text))
    return ofEach(
      all.map(({ id }) => ({ op: 'cancel', id })),
      text,
    );
  const instead = INSTEAD.exec(text);
  const [, delay = ''] = DELAY.exec(text) ?? [];
  const words = (
    delay !== '' && lengthOf(delay) !== undefined
      ? `${delay} later`
      : (CHANGE.exec(text)?.[1] ?? instead?.[1] ?? instead?.[2] ?? instead?.[3])
  )
    ?.replace(/(?: instead|,? please)+$/i, '')
    .trim();
  if (words === undefined || !TIMELY.test(words)) return undefined;
  if (lengthOf(words.replace(/^by /i, '')) !== undefined)
    return {
      sure: 0.95,
      ask: `Is it to be ${words} later, or earlier? It stays as it is until then.`,
      answered: (answer) => `make it ${words.replace(/^by /i, '')} ${answer}`,
    };
  if (all.some((one) => isUnclear(words, one, clause)))
    return {
      sure: 0.95,
      ask: `Is “${words}” a time of the day, or how many minutes from now? Say “make it in ${words} minutes”, or the time as in “make it ${words}:00”. It stays as it is until then.`,
      answered: (answer) => `make it ${answer}`,
    };
  const times = all.map((one) => timeOf(words, one, clause));
  const found = times.flatMap((time, at) =>
    time === undefined ? [] : [{ op: 'change', id: (all[at] as PlannedBefore).id, ...time }],
  );
  const several = found.length === all.length && new Set(found.map(({ at, rule }) => at ?? rule)).size < all.length;
  if (found.length === all.length && !several) return ofEach(found, text);
  if (CHANGE.exec(text) === null) return undefined;
  return {
    sure: 0.95,
    ask: several
      ? `Several things were planned. Which one shall be ${words}? They stay as they are until then.`
      : `I cannot read “${words}” as a time. When shall it be? It stays as it is until then.`,
    answered: (answer) => `make it ${answer}`,
  };
}
