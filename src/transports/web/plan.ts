import { indentedJson } from '../../core/values/indented-json.ts';
import type { Json } from '../../core/values/json.ts';
import type { Html } from '../../http/html.ts';
import { html } from '../../http/html.ts';
import type { TaskDescription } from './tasks.ts';
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

/** What is to be done in words, step by step and whole; with what each does to the world, where that is known. */
export function planList(plan: unknown, tasks: ReadonlyMap<string, TaskDescription> | undefined): Html {
  const steps = stepsOf(plan);
  if (steps === undefined) return jsonBlock(plan, 'Plan');
  return html`<ol class="did plan">${steps.map(({ task, input }) => {
    const known = tasks?.get(task);
    const words = known?.says?.((input ?? {}) as Json);
    return html`<li><div class="step-head"><b dir="auto">${visible(words?.does ?? task)}${words?.text !== undefined && ':'}</b>${known !== undefined && effectTag(known.effects)}${known?.procedure !== undefined && usedBy(known.procedure)}</div>${
      words === undefined ? givenList(input) : words.text !== undefined && textBlock(words.text)
    }</li>`;
  })}</ol>`;
}

/** The same, and the plan as JSON, folded. */
export const planWithJson = (plan: unknown, tasks: ReadonlyMap<string, TaskDescription> | undefined): Html =>
  html`${planList(plan, tasks)}<details class="all"><summary>The plan as JSON</summary>${jsonBlock(plan, 'Plan')}</details>`;

const visible = (text: string): string => text.replace(UNSEEN, told);

/** A text as it is sent, kept or run; a long one behind its size. */
function textBlock(text: string): Html {
  const block = html`<blockquote class="step-text" dir="auto">${visible(text)}</blockquote>`;
  if (text.length <= LONG) return block;
  return html`<details class="all"><summary>Show all ${text.length.toLocaleString('en-US')} characters</summary>${block}</details>`;
}

/** What a step is given, each by its name. */
function givenList(input: unknown): Html {
  const given = Object.entries((input ?? {}) as object) as readonly (readonly [string, unknown])[];
  if (given.length === 0) return html`<p class="meta">Without input.</p>`;
  return html`<dl class="step-given">${given.map(
    ([name, value]) =>
      html`<div><dt>${visible(name)}</dt><dd>${textBlock(typeof value === 'string' ? value : indentedJson(value))}</dd></div>`,
  )}</dl>`;
}

const usedBy = ({ steps, script }: NonNullable<TaskDescription['procedure']>): Html =>
  html`<span class="meta">Your procedure: ${script === undefined ? (steps ?? []).map(({ task }) => task).join(', ') : 'a script'}</span>`;
