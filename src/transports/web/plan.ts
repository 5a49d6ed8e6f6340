import { indentedJson } from '../../core/indented-json.ts';
import type { Html } from '../../http/html.ts';
import { html } from '../../http/html.ts';
import type { KnownTask } from './tasks.ts';
import { effectTag } from './tasks.ts';

interface PlannedStep {
  readonly task: string;
  readonly input: unknown;
}

/** The steps of a plan as a message keeps it; undefined for one of another shape. */
export function stepsOf(plan: unknown): readonly PlannedStep[] | undefined {
  const { steps } = (plan ?? {}) as { readonly steps?: unknown };
  if (!Array.isArray(steps)) return undefined;
  const named = (steps as readonly Partial<PlannedStep>[]).every((step) => typeof step?.task === 'string');
  return named ? (steps as readonly PlannedStep[]) : undefined;
}

/** Characters that show as nothing, or turn what is beside them around: in a plan they are told. */
const UNSEEN = /\p{Cf}|[\u2028\u2029]/gu;
const told = (char: string): string =>
  char
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/** JSON for people who are to know exactly what is in it. */
export const exactJson = (value: unknown): string => indentedJson(value).replace(UNSEEN, told);

/** A longer text is folded away whole: nothing of it is cut. */
const LONG = 1_500;

/** JSON as a block; a long one behind its size. */
export function jsonBlock(value: unknown, label: string): Html {
  const text = exactJson(value);
  const block = html`<pre class="exact" dir="ltr"><code>${text}</code></pre>`;
  if (text.length <= LONG) return block;
  const size = text.length.toLocaleString('en-US');
  return html`<details class="all"><summary>${label}: show all ${size} characters</summary>${block}</details>`;
}

/** What is to be done, step by step and exactly; with what each does to the world, where that is known. */
export function planList(plan: unknown, tasks: ReadonlyMap<string, KnownTask> | undefined): Html {
  const steps = stepsOf(plan);
  if (steps === undefined) return jsonBlock(plan, 'Plan');
  return html`<ol class="did plan">${steps.map(({ task, input }, at) => {
    const known = tasks?.get(task);
    const given = Object.keys((input ?? {}) as object).length > 0;
    return html`<li><div class="step-head"><b>${task}</b>${known !== undefined && effectTag(known.effects)}${known?.procedure !== undefined && usedBy(known.procedure)}</div>${
      given ? jsonBlock(input, `Input of step ${at + 1}`) : html`<p class="meta">Without input.</p>`
    }</li>`;
  })}</ol>`;
}

const usedBy = ({ steps, script }: NonNullable<KnownTask['procedure']>): Html =>
  html`<span class="meta">Your procedure: ${script === undefined ? (steps ?? []).map(({ task }) => task).join(', ') : 'a script'}</span>`;
