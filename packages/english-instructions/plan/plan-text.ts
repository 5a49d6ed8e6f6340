import type { Json } from '@mailroom/behavior/values/json';
import { stepWords } from '../tasks/task.ts';
import type { Plan, Step, Tasks } from './index.ts';
import { asText } from './references.ts';

/** Longest value shown in a sentence, in characters. */
const SHORT = 200;

const inShort = (text: string): string => (text.length > SHORT ? `${text.slice(0, SHORT - 1)}…` : text);
const inLine = (text: string): string => inShort(text.replace(/\s+/g, ' '));

/** One line about a step: its task's own words, or the task's name and input where the task has none. */
function stepLine({ task: name, input }: Step, tasks: Tasks, time_zone: string): string {
  const task = tasks.get(name);
  const words = task && stepWords(task, input as Json, time_zone);
  if (words !== undefined)
    return words.text === undefined ? words.does : `${words.does}: ${quoted(inLine(words.text))}`;
  const given = Object.entries(input).map(([key, value]) => `${key}: ${inLine(asText(value))}`);
  return given.length === 0 ? `**${name}**` : `**${name}** ${quoted(given.join(', '))}`;
}

/** Formats text as inline code, so that nothing in it is read as Markdown. */
const quoted = (text: string): string => `\`${text.replaceAll('`', "'")}\``;

/** The plan as a Markdown list; times are in the mailbox's zone where a step names none. */
export const planText = ({ steps }: Pick<Plan, 'steps'>, tasks: Tasks, time_zone: string): string =>
  steps.map((step, at) => `${at + 1}. ${stepLine(step, tasks, time_zone)}`).join('\n');
