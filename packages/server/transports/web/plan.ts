import type { Behavior } from '@mailroom/behavior';
import { indentedJson } from '@mailroom/behavior/values/indented-json';
import type { Json } from '@mailroom/behavior/values/json';
import type { Mailbox } from '../../core/entities/mailbox.ts';
import { type Html, html } from '../../http/html.ts';
import { effectTag, knownTasks, type TaskDescription } from './tasks.ts';

interface PlannedStep {
  readonly task: string;
  readonly input: unknown;
}

/** The steps of a stored plan; undefined for one of another shape. */
export function stepsOf(plan: unknown): readonly PlannedStep[] | undefined {
  const { steps } = (plan ?? {}) as { readonly steps?: unknown };
  if (!Array.isArray(steps)) return undefined;
  const named = (steps as readonly Partial<PlannedStep>[]).every((step) => typeof step?.task === 'string');
  return named ? (steps as readonly PlannedStep[]) : undefined;
}

/** What a plan says about a tool of others that one of its steps calls. */
interface PlannedOutside {
  readonly server: string;
  readonly kind: string;
  readonly url: string;
  readonly effects: TaskDescription['effects'];
}

/** The tools of others that a plan calls, by task. */
export function outsideIn(plan: unknown): ReadonlyMap<string, PlannedOutside> {
  const { outside } = (plan ?? {}) as { readonly outside?: Readonly<Record<string, PlannedOutside>> };
  return new Map(typeof outside === 'object' && outside !== null ? Object.entries(outside) : []);
}

const outsideWords = ({ server, kind, url }: PlannedOutside): string =>
  `${kind === 'a2a' ? 'The agent' : 'The server'} ${server}, at ${url}`;

/** Invisible characters and those that change the text direction; a plan shows their escapes. */
const UNSEEN = /\p{Cf}|[\u2028\u2029]/gu;
const escaped = (char: string): string =>
  char
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/** JSON with invisible characters escaped, so that the reader sees exactly what it contains. */
export const exactJson = (value: unknown): string => indentedJson(value).replace(UNSEEN, escaped);

/** A longer text is folded, not shortened. */
const LONG = 1_500;

/** JSON as a block; a long one is folded under its size. */
function jsonBlock(value: unknown, label: string): Html {
  const text = exactJson(value);
  const block = html`<pre class="exact" dir="ltr"><code>${text}</code></pre>`;
  if (text.length <= LONG) return block;
  const size = text.length.toLocaleString('en-US');
  return html`<details class="all"><summary>${label}: show all ${size} characters</summary>${block}</details>`;
}

/** The complete plan in words, step by step, with the effects of each step where they are known. */
export function planList(plan: unknown, tasks: ReadonlyMap<string, TaskDescription> | undefined): Html {
  const steps = stepsOf(plan);
  if (steps === undefined) return jsonBlock(plan, 'Plan');
  const others = outsideIn(plan);
  return html`<ol class="did plan">${steps.map(({ task, input }) => {
    const builtin = tasks?.get(task);
    const outside = others.get(task);
    const words = builtin?.says?.((input ?? {}) as Json);
    return html`<li><div class="step-head"><b dir="auto">${visible(words?.does ?? task)}${words?.text !== undefined && ':'}</b>${builtin !== undefined && effectTag(builtin.effects)}${builtin?.procedure !== undefined && usedBy(builtin.procedure)}${outside !== undefined && html`${effectTag(outside.effects)}<span class="meta">${visible(outsideWords(outside))}</span>`}</div>${
      words === undefined ? givenList(input) : words.text !== undefined && textBlock(words.text)
    }</li>`;
  })}</ol>`;
}

/** A step of a plan as a person reads it, with nothing of it left out. */
export interface StepInWords {
  readonly does: string;
  /** The complete text or input of the step. */
  readonly text: string | undefined;
  readonly effects: TaskDescription['effects'] | undefined;
}

/** The complete plan in words as text; undefined for one that has no steps. */
export function planWords(
  planText: string,
  { behavior, settings }: Pick<Mailbox, 'behavior' | 'settings'>,
  behaviors: readonly Behavior[],
): readonly StepInWords[] | undefined {
  const all = knownTasks(
    behaviors.find(({ name }) => name === behavior),
    settings,
  );
  const tasks = new Map(all.map((task) => [task.name, task]));
  const plan: unknown = JSON.parse(planText);
  return stepsOf(plan)?.map(({ task, input }) => {
    const builtin = tasks.get(task);
    const outside = outsideIn(plan).get(task);
    const words = builtin?.says?.((input ?? {}) as Json);
    const given = Object.keys((input ?? {}) as object).length === 0 ? undefined : exactJson(input);
    const text = words === undefined ? given : words.text;
    return {
      does: visible(words?.does ?? (outside === undefined ? task : `${task} (${outsideWords(outside)})`)),
      text: text === undefined ? undefined : visible(text),
      effects: builtin?.effects ?? outside?.effects,
    };
  });
}

/** The plan in words, and folded below it as JSON. */
export const planWithJson = (plan: unknown, tasks: ReadonlyMap<string, TaskDescription> | undefined): Html =>
  html`${planList(plan, tasks)}<details class="all"><summary>The plan as JSON</summary>${jsonBlock(plan, 'Plan')}</details>`;

const visible = (text: string): string => text.replace(UNSEEN, escaped);

/** A text that a step sends, stores or runs; a long one is folded under its size. */
function textBlock(text: string): Html {
  const block = html`<blockquote class="step-text" dir="auto">${visible(text)}</blockquote>`;
  if (text.length <= LONG) return block;
  return html`<details class="all"><summary>Show all ${text.length.toLocaleString('en-US')} characters</summary>${block}</details>`;
}

/** The input of a step, by name. */
function givenList(input: unknown): Html {
  const given = Object.entries((input ?? {}) as object) as readonly (readonly [string, unknown])[];
  if (given.length === 0) return html`<p class="meta">No input.</p>`;
  return html`<dl class="step-given">${given.map(
    ([name, value]) =>
      html`<div><dt>${visible(name)}</dt><dd>${textBlock(typeof value === 'string' ? value : indentedJson(value))}</dd></div>`,
  )}</dl>`;
}

const usedBy = ({ steps, script }: NonNullable<TaskDescription['procedure']>): Html =>
  html`<span class="meta">Your procedure: ${script === undefined ? (steps ?? []).map(({ task }) => task).join(', ') : 'a script'}</span>`;
