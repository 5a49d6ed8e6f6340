import type { Step } from '../plan/index.ts';

/** What is only said of a text: whether it is something, or how much there is of it. */
const MEASURES: ReadonlySet<unknown> = new Set(['palindrome', 'anagram', 'count', 'any', 'sum', 'average']);
const ON_TEXTS: ReadonlySet<string> = new Set(['text', 'encode']);
/** What is done with a number as with a text. */
const WITH_FIGURES: ReadonlySet<unknown> = new Set(['say', 'pad', 'repeat', 'number', 'join']);

/** What is done with a list alone, and a figure of one. */
const OF_LIST: ReadonlySet<unknown> = new Set(['sort', 'unique']);
const NUMBERS = /^(?:sum|mean|median|max|min|prod)\(([^()]+)\)$/;

/** In "is level a palindrome and how long is it" the word is meant, not the “yes”, and so it is behind a count. */
function ofSubject(step: Step, steps: readonly Step[]): Step {
  const { text, op } = step.input;
  const at =
    ON_TEXTS.has(step.task) && typeof text === 'string' && !WITH_FIGURES.has(op)
      ? /^\{\{(\d{1,4})\}\}$/.exec(text)?.[1]
      : undefined;
  const asked = at === undefined ? undefined : steps[Number(at) - 1];
  const { expression } = asked?.task === 'calculate' && OF_LIST.has(op) ? asked.input : {};
  const numbers = typeof expression === 'string' ? NUMBERS.exec(expression)?.[1] : undefined;
  if (numbers !== undefined) return { ...step, input: { ...step.input, text: numbers } };
  const measured = asked?.task === 'text' && MEASURES.has(asked.input.does ?? asked.input.op);
  const subject = measured ? asked.input.text : undefined;
  return subject === undefined ? step : { ...step, input: { ...step.input, text: subject } };
}

/** A subject is that of the steps before, where those were measured themselves. */
export function ofSubjects(steps: readonly Step[]): readonly Step[] {
  const found: Step[] = [];
  for (const step of steps) found.push(ofSubject(step, found));
  return found;
}
