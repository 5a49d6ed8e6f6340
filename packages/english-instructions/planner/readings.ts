import { askedSum, type Clause, isSum, MAX_CLAUSE, type Planned } from '../tasks/clause.ts';
import { understand } from '../tasks/grammar/index.ts';
import { isCanceling } from '../tasks/plans/changed.ts';
import type { Task } from '../tasks/task.ts';
import { measuredOf } from './measured.ts';
import type { Best } from './paraphrases.ts';
import type { Judge } from './pieces.ts';
import { type PlanningParts, zoned } from './plan.ts';

const SURE_ENOUGH = 0.5;
/** The step number that stands for "it" while references are only looked for. */
const SOME = 9_999;

const isNamed = (text: string, name: string): boolean =>
  text.length > name.length && text[name.length] === ' ' && text.slice(0, name.length).toLowerCase() === name;

/** The reading with the highest certainty; undefined when there is none or the text is too long. */
export function bestOf(clause: Clause, tasks: readonly Task[]): (Best & { readonly rival?: Task }) | undefined {
  if (clause.text.length > MAX_CLAUSE) return undefined;
  const takenBack = clause.planned !== undefined && isCanceling(clause.text);
  const covered = takenBack ? undefined : coveredBy(clause, tasks);
  if (covered !== undefined) return covered;
  const named = tasks.find(({ name }) => isNamed(clause.text, name));
  const namedReading = named?.read(clause);
  // A text that begins with a task's name means that task, and no other task is tried.
  if (named !== undefined && namedReading?.sure === 1) return { task: named, reading: namedReading };
  let best: Best | undefined;
  let rival: Task | undefined;
  const sum = isSum(clause);
  for (const task of tasks) {
    if (sum && task.sums !== true) continue;
    const reading = task === named ? namedReading : task.read(clause);
    if (reading === undefined || reading.sure < SURE_ENOUGH) continue;
    if (best === undefined || reading.sure > best.reading.sure) {
      best = { task, reading };
      rival = undefined;
    } else if (reading.sure === best.reading.sure) rival = task;
  }
  return best && (rival === undefined ? best : { ...best, rival });
}

/** The reading of the grammar, where it covers the whole instruction and all tasks that it needs are there. */
function coveredBy(clause: Clause, tasks: readonly Task[]): Best | undefined {
  // A sum in signs is read without it, and as it is written.
  if (isSum(clause) || (clause.data === undefined && askedSum(clause.text) !== undefined)) return undefined;
  const measured = measuredOf(clause);
  const known = measured === undefined || measured.isTable ? understand(clause) : undefined;
  const { task: name, reading } =
    (known !== undefined && (measured === undefined || 'input' in known.reading) ? known : measured) ?? {};
  const task = tasks.find((one) => one.name === name);
  if (task === undefined || reading === undefined) return undefined;
  const steps = 'steps' in reading ? (reading.steps ?? []) : [];
  return steps.every((step) => tasks.some((one) => one.name === step.task)) ? { task, reading } : undefined;
}

/** The steps of a reading in which the grammar accounts for every part; none for another. */
export const stepsOf = (best: Best | undefined): readonly Planned[] =>
  best !== undefined && 'steps' in best.reading ? (best.reading.steps ?? []) : [];
export const isCovered = (best: Best | undefined): boolean => stepsOf(best).length > 0;

/** Whether a question stands, whatever other wordings are read as. */
export const isFinal = (best: Best | undefined): boolean =>
  best !== undefined && 'ask' in best.reading && best.reading.final === true;

export type Known = ReturnType<typeof bestOf>;

/** Reads a line on its own and after an earlier result; each line once, because several rules ask about it. */
export function judgeOf(parts: PlanningParts): Judge {
  const judgments = new Map<string, ReturnType<Judge>>();
  const judge: Judge = (text, pasted = false) => {
    const data = pasted === true ? 'a\nb' : pasted === false ? undefined : pasted;
    const found = bestOf({ text, data, language: undefined, it: SOME, ...zoned(parts) }, parts.tasks);
    if (found === undefined) return undefined;
    const { task, reading } = found;
    const refers = 'input' in reading && JSON.stringify(reading.input).includes(`{{${SOME}`);
    const asks = 'ask' in reading;
    const words = task.words !== undefined && (asks || reading.input[task.words.input] !== undefined);
    return { sure: reading.sure, effects: task.effects !== 'none', refers, asks, words };
  };
  return (text, pasted = false) => {
    const key = `${pasted}\0${text}`;
    if (!judgments.has(key)) judgments.set(key, judge(text, pasted));
    return judgments.get(key);
  };
}
