import { withoutTrailing } from '@mailroom/behavior/values/trailing';
import type { Step } from '../plan/index.ts';
import { placeholder } from '../tasks/clause.ts';
import { placed } from '../tasks/grammar/index.ts';
import { isAskedFigure, isFigure } from '../tasks/words/named-figures.ts';
import { plain } from './courtesy.ts';
import { isClear, NOTHING_PASTED } from './paraphrases.ts';
import type { PartReader } from './part-reader.ts';
import { stepsOf } from './readings.ts';

const SURE = 0.9;
const VALUES: ReadonlySet<string> = new Set(['calculate', 'convert', 'time']);

/**
 * The steps for words to be kept that name a figure: its calculation, and the words as they are with the value behind them.
 * Undefined where a figure is asked that cannot be worked out, which may be words like any others.
 */
export function withFigure(reader: PartReader, step: Step): readonly Step[] | undefined {
  const { text } = step.input;
  if ((step.task !== 'remind' && step.task !== 'remember') || typeof text !== 'string') return [step];
  const best = isFigure(text) ? reader.best({ text: plain(text), ...NOTHING_PASTED }) : undefined;
  if (!isClear(best) || best.reading.sure < SURE || !VALUES.has(best.task.name) || !('input' in best.reading))
    return step.task === 'remind' && isAskedFigure(text) ? undefined : [step];
  const steps = stepsOf(best);
  const all = steps.length > 0 ? steps : [{ task: best.task.name, input: best.reading.input }];
  const value = placeholder(reader.steps.length + all.length);
  return [
    ...placed(all, reader.steps.length),
    { ...step, input: { ...step.input, text: `${withoutTrailing(text, '.?!, ')}: ${value}` } },
  ];
}
