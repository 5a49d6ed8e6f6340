import type { Plan, Step } from './index.ts';
import { asText } from './references.ts';

/** Of one value shown in a sentence. */
const SHORT = 200;

const inShort = (text: string): string => (text.length > SHORT ? `${text.slice(0, SHORT - 1)}…` : text);

/** A step in a line: the task and what it is given. */
function stepLine({ task, input }: Step): string {
  const given = Object.entries(input).map(([name, value]) => `${name}: ${inShort(asText(value).replace(/\s+/g, ' '))}`);
  return given.length === 0 ? `**${task}**` : `**${task}** \`${given.join(', ').replaceAll('`', "'")}\``;
}

/** The plan alone, as a list. */
export const planText = ({ steps }: Plan): string => steps.map((step, at) => `${at + 1}. ${stepLine(step)}`).join('\n');
