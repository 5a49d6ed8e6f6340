import type { Behavior, StepWords, TaskView } from '@mailroom/behavior';
import type { Json } from '@mailroom/behavior/values/json';
import type { Mailbox } from '../../core/entities/mailbox.ts';
import { type Html, html, prose } from '../../http/html.ts';

export type Effects = TaskView['effects'];

/** The groups of senders that the rights of a mailbox distinguish. */
export const PARTIES = ['own', 'others', 'guests'] as const;
export type Party = (typeof PARTIES)[number];

/** A procedure as its owner wrote it. */
export interface ProcedureSettings {
  readonly name: string;
  readonly description: string;
  readonly parameters?: {
    readonly type: 'object';
    readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    readonly required?: readonly string[];
  };
  readonly steps?: readonly { readonly task: string; readonly input?: Readonly<Record<string, unknown>> }[];
  readonly script?: string;
}

/** A server or agent of others, as the owner listed it. */
export interface OutsideSettings {
  readonly name: string;
  readonly kind: 'mcp' | 'a2a';
  readonly url: string;
  readonly token?: string;
  readonly tools?: readonly string[];
  readonly senders?: string;
  readonly approval?: string;
  readonly accepted?: string;
}

/** The settings of a behavior that runs tasks, as far as the pages use them. */
export interface TaskSettings {
  readonly time_zone?: string;
  readonly planner?: string;
  readonly rights?: Readonly<Partial<Record<Party, readonly string[]>>>;
  readonly approval?: readonly string[];
  readonly procedures?: readonly ProcedureSettings[];
  readonly outside?: readonly OutsideSettings[];
}

/** A task of a mailbox: of its behavior, or a procedure of its owner. */
export interface TaskDescription extends Pick<TaskView, 'name' | 'description' | 'effects' | 'examples'> {
  /** Only for a task of the behavior. */
  readonly input_schema?: TaskView['input_schema'];
  readonly procedure?: ProcedureSettings;
  /** Describes what the task would do with an input; the mailbox's zone applies where the input names none. */
  readonly says?: (input: Json) => StepWords | undefined;
}

const RANKS: readonly Effects[] = ['none', 'reads', 'writes'];

/** All tasks of a mailbox with these settings; none for a behavior without tasks. */
export function knownTasks(
  behavior: Pick<Behavior, 'tasks'> | undefined,
  settings: unknown,
): readonly TaskDescription[] {
  const tasks = behavior?.tasks ?? [];
  if (tasks.length === 0) return [];
  const rankOf = new Map(tasks.map(({ name, effects }) => [name, RANKS.indexOf(effects)]));
  const { procedures = [], time_zone = 'UTC' } = (settings ?? {}) as TaskSettings;
  const taught = procedures.map((procedure): TaskDescription => {
    const { name, description, steps = [], script } = procedure;
    const used = script === undefined ? steps.map(({ task }) => task) : ['run'];
    const rank = Math.max(0, ...used.map((task) => rankOf.get(task) ?? 0));
    return { name, description, effects: RANKS[rank] as Effects, examples: [], procedure };
  });
  const described = tasks.map(
    ({ says, ...task }): TaskDescription => ({ ...task, ...(says && { says: (input) => says(input, time_zone) }) }),
  );
  return [...described, ...taught];
}

/** Whether a party may use a task unless the owner set otherwise. */
export const mayByDefault = ({ effects }: Pick<TaskDescription, 'effects'>, party: Party): boolean =>
  party === 'own' || effects === 'none';

/** Whether a party may use a task with these rights; guests never get one with effects. */
export function may(
  task: Pick<TaskDescription, 'name' | 'effects'>,
  party: Party,
  { rights = {} }: TaskSettings,
): boolean {
  if (party === 'guests' && task.effects !== 'none') return false;
  return rights[party]?.includes(task.name) ?? mayByDefault(task, party);
}

/** A message that calls a procedure: a single value needs no name, several are an object. */
export function callOf({ name, parameters }: ProcedureSettings): string {
  const spoken = name.replaceAll('-', ' ');
  const inputs = procedureInputs(parameters);
  if (inputs.length === 0) return spoken;
  const only = inputs.length === 1 ? inputs[0]?.sample : undefined;
  if (typeof only === 'string' || typeof only === 'number') return `${spoken}: ${only}`;
  return `${spoken}: ${JSON.stringify(Object.fromEntries(inputs.map((input) => [input.name, input.sample])))}`;
}

export interface ProcedureInput {
  readonly name: string;
  readonly type: string;
  readonly text: string;
  /** A valid example value. */
  readonly sample: unknown;
  readonly required: boolean;
}

const SAMPLES: Readonly<Record<string, unknown>> = { number: 100, integer: 3, boolean: true, array: ['one', 'two'] };
const KINDS: Readonly<Record<string, string>> = { string: 'text', boolean: 'yes or no', array: 'list of texts' };

/** The inputs of a procedure in words. */
export function procedureInputs(parameters: ProcedureSettings['parameters']): readonly ProcedureInput[] {
  return Object.entries(parameters?.properties ?? {}).map(([name, schema]) => {
    const { type, description, enum: options } = schema as { type?: unknown; description?: unknown; enum?: unknown };
    const values: readonly unknown[] = Array.isArray(options) ? options : [];
    const kind = typeof type === 'string' ? type : 'any JSON';
    return {
      name,
      type: values.length > 0 ? `one of ${values.join(', ')}` : (KINDS[kind] ?? kind),
      text: typeof description === 'string' ? description : '',
      sample: values[0] ?? SAMPLES[kind] ?? 'some text',
      required: parameters?.required?.includes(name) === true,
    };
  });
}

/** A task's effects in a few words. */
export const EFFECT_WORDS: Readonly<Record<Effects, string>> = {
  none: 'No effects',
  reads: 'Reads outside data',
  writes: 'Makes changes',
};

/** The effects as a tag. */
export const effectTag = (effects: Effects): Html =>
  html`<span class="tag effect ${effects}">${EFFECT_WORDS[effects]}</span>`;

/** The tasks of a mailbox on its page: what each does, who may use it, and example messages that fill the try-out. */
export function tasksSection(
  mailbox: Pick<Mailbox, 'settings' | 'try_out' | 'local_part'>,
  behavior: Behavior | undefined,
): Html | false {
  const settings = mailbox.settings as TaskSettings;
  const all = knownTasks(behavior, settings);
  if (all.length === 0) return false;
  const forAll = all.filter((task) => may(task, 'guests', settings));
  const forKeys = all.filter((task) => !forAll.includes(task) && may(task, 'others', settings));
  const forOwn = all.filter((task) => !forAll.includes(task) && !forKeys.includes(task) && may(task, 'own', settings));
  const ask = settings.approval ?? [];
  const group = (title: string, tasks: readonly TaskDescription[], open: boolean): Html | false =>
    tasks.length > 0 &&
    html`<h3 class="small-title">${title}</h3><ul class="tasks">${tasks.map((task) => entry(task, open && mailbox.try_out, ask.includes(task.name)))}</ul>`;
  return html`<section class="section" id="tasks">
<div class="section-head"><h2>What it can do</h2><span class="meta">You can combine several in one message.</span></div>
${group('For everyone', forAll, true)}${group('With a key', forKeys, false)}${group('With a key of the owner', forOwn, false)}
<p class="hint">Each answer comes with a signed receipt of what was done. <a href="docs/do#receipts">See what it contains and how to verify it</a>.</p>
</section>`;
}

function entry(
  { name, description, effects, examples, procedure }: TaskDescription,
  open: boolean,
  asks: boolean,
): Html {
  const [first = '', ...rest] = description.split(/(?<=[.!?])\s+/);
  const inputs = procedure === undefined ? examples : [callOf(procedure)];
  return html`<li><details><summary><b>${name}</b><span class="about-task" dir="auto">${prose(first)}</span>${effectTag(effects)}</summary>
<div class="task-more">${rest.length > 0 && html`<p dir="auto">${prose(rest.join(' '))}</p>`}${procedure !== undefined && taught(procedure)}${
    asks && html`<p>Runs once the owner has approved the plan.</p>`
  }${
    inputs.length > 0 &&
    html`<div class="chips">${inputs
      .slice(0, MAX_EXAMPLES)
      .map((example) =>
        open
          ? html`<button class="chip" form="talk" name="example" value="${example}" data-fill dir="auto">${example}</button>`
          : html`<code class="chip still" dir="auto">${example}</code>`,
      )}</div>`
  }</div></details></li>`;
}

/** The inputs of a procedure, and how to call it. */
function taught(procedure: ProcedureSettings): Html {
  const inputs = procedureInputs(procedure.parameters);
  return html`<p>Taught by its owner.</p>${
    inputs.length > 0 &&
    html`<ul class="inputs">${inputs.map(
      ({ name, type, text, required }) =>
        html`<li><code>${name}</code> ${required ? type : `${type}, optional`}${text && html`. <span dir="auto">${text}</span>`}</li>`,
    )}</ul>`
  }`;
}

const MAX_EXAMPLES = 4;
