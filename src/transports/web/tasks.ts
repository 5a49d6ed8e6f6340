import type { Behavior, TaskView } from '../../core/behavior.ts';
import type { Mailbox } from '../../core/mailbox.ts';
import type { Html } from '../../http/html.ts';
import { html, prose } from '../../http/html.ts';

export type Effects = TaskView['effects'];

/** Whoever writes, as the rights of a mailbox that runs tasks go. */
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

/** What of the settings of a behavior that runs tasks the pages look at. */
export interface TaskSettings {
  readonly time_zone?: string;
  readonly planner?: string;
  readonly rights?: Readonly<Partial<Record<Party, readonly string[]>>>;
  readonly approval?: readonly string[];
  readonly procedures?: readonly ProcedureSettings[];
}

/** A task that a mailbox has: one of its behavior's, or one that its owner taught it. */
export interface KnownTask extends Pick<TaskView, 'name' | 'description' | 'effects' | 'examples'> {
  /** Of one of its behavior's. */
  readonly input_schema?: TaskView['input_schema'];
  readonly procedure?: ProcedureSettings;
}

const RANKS: readonly Effects[] = ['none', 'reads', 'writes'];

/** All that a mailbox with these settings can do; nothing for a behavior without tasks. */
export function knownTasks(behavior: Pick<Behavior, 'tasks'> | undefined, settings: unknown): readonly KnownTask[] {
  const own = behavior?.tasks ?? [];
  if (own.length === 0) return [];
  const rankOf = new Map(own.map(({ name, effects }) => [name, RANKS.indexOf(effects)]));
  const { procedures = [] } = (settings ?? {}) as TaskSettings;
  const taught = procedures.map((procedure): KnownTask => {
    const { name, description, steps = [], script } = procedure;
    const used = script === undefined ? steps.map(({ task }) => task) : ['run'];
    const rank = Math.max(0, ...used.map((task) => rankOf.get(task) ?? 0));
    return { name, description, effects: RANKS[rank] as Effects, examples: [], procedure };
  });
  return [...own, ...taught];
}

/** Whether a party may use a task where the owner has said nothing of it. */
export const mayByDefault = ({ effects }: Pick<KnownTask, 'effects'>, party: Party): boolean =>
  party === 'own' || effects === 'none';

/** Whether a party may use a task with these rights; guests never get one with effects. */
export function may(task: Pick<KnownTask, 'name' | 'effects'>, party: Party, { rights = {} }: TaskSettings): boolean {
  if (party === 'guests' && task.effects !== 'none') return false;
  return rights[party]?.includes(task.name) ?? mayByDefault(task, party);
}

/** What a task does to the world, in a word or two. */
export const EFFECT_WORDS: Readonly<Record<Effects, string>> = {
  none: 'No effects',
  reads: 'Looks outside',
  writes: 'Changes things',
};

/** The same as a tag. */
export const effectTag = (effects: Effects): Html =>
  html`<span class="tag effect ${effects}">${EFFECT_WORDS[effects]}</span>`;

/** The tasks of a mailbox on its page: what each does, who may have it done, and messages that fill the try-out. */
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
  const group = (title: string, tasks: readonly KnownTask[], open: boolean): Html | false =>
    tasks.length > 0 &&
    html`<h3 class="small-title">${title}</h3><ul class="tasks">${tasks.map((task) => entry(task, open && mailbox.try_out, ask.includes(task.name)))}</ul>`;
  return html`<section class="section" id="tasks">
<div class="section-head"><h2>What it can do</h2><span class="meta">Several in one message work too.</span></div>
${group('For everyone', forAll, true)}${group('With a key', forKeys, false)}${group('With a key of its owner', forOwn, false)}
</section>`;
}

function entry({ name, description, effects, examples, procedure }: KnownTask, open: boolean, asks: boolean): Html {
  const [first = '', ...rest] = description.split(/(?<=[.!?])\s+/);
  return html`<li><details><summary><b>${name}</b><span class="about-task" dir="auto">${prose(first)}</span>${effectTag(effects)}</summary>
<div class="task-more">${rest.length > 0 && html`<p dir="auto">${prose(rest.join(' '))}</p>`}${procedure !== undefined && html`<p>Taught by its owner.</p>`}${
    asks && html`<p>Runs once the owner has approved the plan.</p>`
  }${
    examples.length > 0 &&
    html`<div class="chips">${examples
      .slice(0, EXAMPLES_MOST)
      .map((example) =>
        open
          ? html`<button class="chip" form="talk" name="example" value="${example}" data-fill dir="auto">${example}</button>`
          : html`<code class="chip still" dir="auto">${example}</code>`,
      )}</div>`
  }</div></details></li>`;
}

const EXAMPLES_MOST = 4;
