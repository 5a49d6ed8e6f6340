import type { Incoming, Outcome } from '@mailroom/behavior';
import type { Millis } from '@mailroom/behavior/values/clock';
import { sha256 } from '@mailroom/behavior/values/hash';
import { isObject, type Json } from '@mailroom/behavior/values/json';
import { checkSteps, type Plan, type Step } from '@mailroom/english-instructions/plan/index';
import { planText } from '@mailroom/english-instructions/plan/plan-text';
import { planOf } from '@mailroom/english-instructions/planner/index';
import type { Party } from '@mailroom/steps/rights';
import { type AvailableTasks, insideOf, proceduresOf } from '../owner/available-tasks.ts';
import { outsideOf, outsideTool, unavailableOf, withAgents } from '../owner/outside.ts';
import type { Settings } from '../owner/settings.ts';
import { sumInEnglish } from './foreign-sums.ts';
import { helpText, isHelp } from './help.ts';
import { questionInLanguage } from './other-language.ts';
import { questionOf, questionText } from './question.ts';
import type { Earlier } from './thread.ts';

/** A message with everything that its meaning depends on. */
export interface Reading {
  readonly message: Pick<Incoming, 'id' | 'body' | 'data'>;
  readonly settings: Settings;
  readonly party: Party;
  readonly before: Earlier;
  readonly now: Millis;
}

const DRY = /^\s*(?:plan|dry[ -]run|what would you do(?: with| about)?)\s*:\s*/i;

/** Whether only the plan is wanted. */
export const isDry = ({ data, body }: Reading['message'], before: Earlier): boolean =>
  (isObject(data) && data.dry_run === true) || DRY.test(before.body ?? body);

/** The instructions without the request for a dry run. */
export const withoutDry = (body: string): string => body.replace(DRY, '');

/** The error in the structured data, which is checked strictly so that a dry run is never executed by mistake. */
export function dataError(data: Json): string | undefined {
  if (!isObject(data)) return undefined;
  if (data.dry_run !== undefined && typeof data.dry_run !== 'boolean') {
    return '/data/dry_run: This must be true or false. Nothing was done.';
  }
  const meant = Object.keys(data).find((name) => /^(?:dry[-_ ]?run|steps?)$/i.test(name) && !KNOWN.has(name));
  return meant && `/data/${meant}: This is written "dry_run" or "steps". Nothing was done.`;
}
const KNOWN: ReadonlySet<string> = new Set(['dry_run', 'steps']);

/** Reads messages without a model, into a plan that can run or a reply. */
export class Reader {
  readonly #known: AvailableTasks;
  readonly #max_steps: number;

  constructor(known: AvailableTasks, max_steps: number) {
    this.#known = known;
    this.#max_steps = max_steps;
  }

  read(reading: Reading): Plan | Outcome {
    const { message, settings, before: history } = reading;
    const error = dataError(message.data);
    if (error !== undefined) return { kind: 'reject', detail: error };
    const planned = this.#plan(reading);
    if ('kind' in planned) return planned;
    const { planner, steps } = planned;
    if (isDry(message, history)) {
      const plan = { dry_run: true, instruction_sha256: sha256(message.body), planner, plan: steps };
      return {
        kind: 'reply',
        body: planText(planned, this.#known.of(settings, reading.party).tasks, settings.time_zone ?? 'UTC'),
        data: plan as unknown as Json,
      };
    }
    if (needsApproval(planned, settings))
      return { kind: 'wait', for: 'approval', plan: askedOf(planned, settings, message) };
    return planned;
  }

  /** The steps of instructions that run later, as of `ExecutionParts.stepsLater`. */
  stepsLater(
    instructions: string,
    { settings, party, now }: Pick<Reading, 'settings' | 'party' | 'now'>,
  ): readonly Step[] | undefined {
    const { all } = this.#known.of(settings, party);
    const time_zone = settings.time_zone ?? 'UTC';
    const planned = planOf(instructions, { tasks: all, now, time_zone, max_steps: this.#max_steps, before: true });
    return planned.kind === 'plan' ? [...planned.steps, ...(planned.later ?? [])] : undefined;
  }

  #plan({ message, settings, party, before: history, now }: Reading): Plan | Outcome {
    const { all, tasks } = this.#known.of(settings, party);
    const { data } = message;
    if (isObject(data) && data.steps !== undefined) {
      const given = withAgents(data.steps, settings);
      const isTask = (name: string): boolean => all.some((task) => task.name === name);
      const down = unavailableOf(
        Array.isArray(given) ? given.map((step) => isObject(step) && step.task) : [],
        settings,
      );
      if (down !== undefined) return { kind: 'fail', detail: `${down} Nothing was done.` };
      const error = checkSteps(given, tasks, { max: this.#max_steps, pointer: '/data/steps', known: isTask });
      if (error !== undefined) return { kind: 'reject', detail: `${error.pointer}: ${error.message}` };
      const steps = (given as unknown as readonly Partial<Step>[]).map(({ task, input = {} }) => ({
        task,
        input,
      }));
      return { planner: 'steps', steps: steps as readonly Step[] };
    }
    if (isHelp(message.body)) return { kind: 'reply', body: helpText([...tasks.values()], party) };
    const instructions = withoutDry(history.body ?? message.body);
    const situation = {
      tasks: all,
      usable: [...tasks.values()],
      now,
      time_zone: settings.time_zone ?? 'UTC',
      max_steps: this.#max_steps,
      before: history.output !== undefined,
      ...(history.step &&
        history.output && {
          previous: {
            ...history.step,
            result: history.output.result ?? null,
            ...(history.result !== undefined && { earlier: history.result }),
          },
        }),
      planned: history.planned,
      pasted: history.pasted,
      ...(history.answers !== undefined && { answers: history.answers }),
    };
    const read = planOf(instructions, situation);
    const sum = read.kind === 'unclear' ? sumInEnglish(instructions) : undefined;
    const translated = sum === undefined ? read : planOf(sum, situation);
    const planned = translated.kind === 'plan' ? translated : read;
    if (planned.kind === 'too_much') return { kind: 'reject', detail: planned.detail };
    // What its sender may not have done is refused before anything is asked about it.
    const meant = [...planned.steps, ...(planned.kind === 'plan' ? (planned.later ?? []) : [])].map(({ task }) => task);
    const asks = planned.kind === 'unclear' && planned.task !== undefined ? [planned.task] : [];
    const forbidden = [...meant, ...asks].find((task) => !tasks.has(task) && all.some(({ name }) => name === task));
    if (planned.kind === 'unclear') {
      if (forbidden !== undefined) return { kind: 'reject', detail: forbiddenText(forbidden, party) };
      const question = questionOf(planned, history.about ?? message.id, history.answers ?? [], history.file);
      return {
        kind: 'input_required',
        body: questionInLanguage(planned.text) ?? questionText(planned, party === 'guests'),
        data: { question, plan: planned.steps as unknown as Json },
      };
    }
    const down = unavailableOf(
      planned.steps.map(({ task }) => task),
      settings,
    );
    if (down !== undefined) return { kind: 'fail', detail: `${down} Nothing was done.` };
    if (forbidden !== undefined) return { kind: 'reject', detail: forbiddenText(forbidden, party) };
    return { planner: 'builtin', steps: planned.steps };
  }
}

/** The plan as the owner approves it, including the procedures it calls, and the tools of others, so that a changed one makes a different plan. */
export function askedOf({ planner, steps }: Plan, settings: Settings, { body }: Pick<Incoming, 'body'>): Json {
  const procedures = proceduresOf(steps, settings);
  const outside = outsideOf(steps, settings);
  const approval = {
    planner,
    steps,
    ...(procedures && { procedures }),
    ...(outside && { outside }),
    instruction_sha256: sha256(body),
  };
  return approval as unknown as Json;
}

function forbiddenText(task: string, party: Party): string {
  if (party === 'guests') {
    return `"${task}" is not for people without a key here. Write with an API key of this mailbox's namespace, or by mail from the address of one of its owners. Nothing was done.`;
  }
  return `The owner of this mailbox has not allowed you to use "${task}". Nothing was done.`;
}

/** Whether the plan has a task that needs the owner's approval. */
export function needsApproval({ steps }: Plan, settings: Settings): boolean {
  const { approval = [], remotes = [] } = settings;
  if (approval.length === 0 && remotes.length === 0) return false;
  return steps.some(
    ({ task }) =>
      outsideTool(task, settings)?.approval === true ||
      insideOf(task, settings).some((name) => approval.includes(name)),
  );
}
