import { reminderOf } from '@mailroom/behavior/schedule';
import { rfc3339 } from '@mailroom/behavior/values/clock';
import { closed } from '@mailroom/behavior/values/closed';
import { type Static, Type } from 'typebox';
import { type ScheduleView, type TaskContext, TaskError } from '../task.ts';
import { parseWhen, todayIn } from '../words/dates.ts';
import { spoken } from './planned.ts';
import { describeRule, nextTime } from './rules.ts';

/** A schedule as the task returns it. */
export const One = closed({
  id: Type.String(),
  name: Type.String(),
  instructions: Type.String(),
  when: Type.String({ description: 'In words.' }),
  next_at: Type.String({ description: 'RFC 3339.' }),
});

/** A schedule with its times in words. */
export const view = (schedule: ScheduleView): Static<typeof One> => ({
  id: schedule.id,
  name: schedule.name,
  instructions: schedule.instructions,
  when:
    schedule.rule === null
      ? spoken(schedule.next_at, schedule.time_zone)
      : `${describeRule(schedule.rule)} (${schedule.time_zone})`,
  next_at: rfc3339(schedule.next_at),
});

/** The schedules of the mailbox, or the reminders among them. */
export const kept = async ({ agenda }: TaskContext, only: string | undefined): Promise<readonly ScheduleView[]> =>
  (await agenda.list()).filter((one) => only === undefined || reminderOf(one.instructions) !== undefined);
/** Those that come on a day in words. Throws TaskError for another text. */
export function onDay(
  all: readonly ScheduleView[],
  words: string,
  { clock, time_zone }: TaskContext,
): readonly ScheduleView[] {
  const when = parseWhen(words, clock(), time_zone);
  if (when === undefined) throw new TaskError(`“${words.slice(0, 60)}” is no day I can read.`);
  const start = todayIn(when.at, time_zone).toZonedDateTime(time_zone);
  const [from, to] = [start.epochMilliseconds, start.add({ days: 1 }).epochMilliseconds];
  return all.filter(({ next_at, rule, time_zone: zone }) => {
    const at = rule === null || next_at >= from ? next_at : nextTime(rule, zone, from - 1);
    return at !== undefined && at >= from && at < to;
  });
}

/** The name of a schedule, or the start of its instructions, in quotation marks. */
export const shortly = ({ name, instructions }: Pick<ScheduleView, 'name' | 'instructions'>): string => {
  const text = name || instructions;
  return `“${text.length > 60 ? `${text.slice(0, 60)}…` : text}”`;
};

/** The schedules whose name or instructions contain all words. */
function meant(query: string, list: readonly ScheduleView[]): readonly ScheduleView[] {
  const plain = query
    .toLowerCase()
    .replace(/["'“”‘’?!.,]/g, ' ')
    .trim();
  const texts = list.map((one) => [one, `${one.name} ${one.instructions}`.toLowerCase()] as const);
  const whole = texts.filter(([, text]) => text.includes(plain)).map(([one]) => one);
  if (whole.length > 0) return whole;
  const words = plain.split(/\s+/).filter((word) => !/^(?:the|a|an|my|to|of|about|for|at|on|in|every|and)$/.test(word));
  return words.length === 0
    ? []
    : texts.filter(([, text]) => words.every((word) => text.includes(word))).map(([one]) => one);
}

/** The schedules to cancel. Throws TaskError where none fits, or several do. */
export async function chosenOf(
  { id, query, all, only }: { id?: string; query?: string; all?: boolean; only?: string },
  context: TaskContext,
): Promise<readonly ScheduleView[]> {
  const what = only === undefined ? 'schedule' : 'reminder';
  const list = await kept(context, only);
  let chosen = list;
  if (id !== undefined) chosen = list.filter((one) => one.id === id);
  else if (query !== undefined) chosen = meant(query, list);
  else if (all !== true) throw new TaskError(`Which ${what} shall I cancel? Say what it is about, or its id.`);
  if (chosen.length === 0 && all !== true) {
    const have = list.length === 0 ? 'nothing is planned' : `there are ${list.slice(0, 5).map(shortly).join(', ')}`;
    throw new TaskError(`There is no ${what} ${id ?? `about “${query}”`} to cancel: ${have}.`);
  }
  if (chosen.length > 1 && all !== true) {
    throw new TaskError(
      `Several fit “${query}”: ${chosen
        .slice(0, 5)
        .map((one) => `${shortly(one)} (${one.id})`)
        .join(', ')}. Which one?`,
    );
  }
  return chosen;
}
