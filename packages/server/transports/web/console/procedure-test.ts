import type { Behavior } from '@mailroom/behavior';
import { fenced } from '@mailroom/behavior/values/backticks';
import type { Mailbox } from '../../../core/entities/mailbox.ts';
import type { Preview } from '../../../core/runs/preview.ts';
import { asReceipt } from '../../../core/values/receipt.ts';
import { type Html, html } from '../../../http/html.ts';
import { note } from '../pieces.ts';
import { exactJson, planWithJson } from '../plan.ts';
import { EFFECT_WORDS, knownTasks, type ProcedureSettings, type TaskSettings } from '../tasks.ts';
import { answerTurn } from '../turns.ts';
import { givenOf, type TypedProcedure } from './procedure-typed.ts';

interface Test {
  readonly typed: TypedProcedure;
  readonly procedure: ProcedureSettings;
  /** The mailbox's settings including this procedure. */
  readonly settings: TaskSettings;
  readonly mailbox: Mailbox;
  readonly behavior: Behavior | undefined;
  readonly preview: Preview;
  readonly gone: AbortSignal;
}

/**
 * Tests a procedure without storing anything. One with effects is not run: its plan is shown with the input filled in.
 * AppError `validation_error` as in the registry.
 */
export async function testProcedure(test: Test): Promise<Html> {
  const { typed, procedure, settings, mailbox, behavior, preview, gone } = test;
  const { time_zone, procedures } = settings;
  // The test runs as the owner, whom the rights of others do not limit.
  const wanted = {
    namespace: mailbox.namespace,
    mailbox: {
      local_part: mailbox.local_part,
      behavior: { name: mailbox.behavior, settings: { procedures, ...(time_zone === undefined ? {} : { time_zone }) } },
    },
  };
  const previewed = preview.mailbox(wanted);
  const input = givenOf(typed);
  const missing = procedure.parameters?.required?.filter((name) => !Object.hasOwn(input, name)) ?? [];
  if (missing.length > 0) {
    return note('wait', 'clock', 'Not run.', `Fill in its input first: ${missing.join(', ')}.`);
  }
  const tasks = new Map(knownTasks(behavior, previewed.settings).map((task) => [task.name, task]));
  const effects = tasks.get(procedure.name)?.effects ?? 'writes';
  if (effects !== 'none') {
    const steps = (procedure.steps ?? []).map((step) => ({ task: step.task, input: filled(step.input ?? {}, input) }));
    return html`${note('plain', 'clock', 'Dry run.', `It has effects (${EFFECT_WORDS[effects].toLowerCase()}), so nothing was run. These steps would be:`)}${planWithJson({ steps }, tasks)}`;
  }
  const { message } = await preview.run({ ...wanted, body: instruction(procedure.name, input) }, gone);
  return html`<div class="talk">${await answerTurn(message, previewed)}</div>${within(message.reply?.data ?? null)}`;
}

/** A call of the procedure with its input as data, so that it does not depend on the parsing of English. */
function instruction(name: string, input: object): string {
  if (Object.keys(input).length === 0) return name;
  const json = JSON.stringify(input);
  return `${name}\n${fenced(json, 'json')}`;
}

/** The result of each inner step. */
function within(data: string | null): Html | false {
  if (asReceipt(data) === undefined) return false;
  const { steps } = JSON.parse(data as string) as { readonly steps: readonly { readonly output?: unknown }[] };
  const { steps: inner } = (steps[0]?.output ?? {}) as {
    readonly steps?: readonly { task: string; result: unknown }[];
  };
  if (!Array.isArray(inner) || inner.length < 2) return false;
  return html`<h3 class="small-title">Step by step</h3><ol class="did">${inner.map(
    ({ task, result }) =>
      html`<li><div class="step-head"><b>${task}</b></div><pre class="exact" dir="auto"><code>${typeof result === 'string' ? result : exactJson(result)}</code></pre></li>`,
  )}</ol>`;
}

/**
 * A text that is exactly one reference becomes the value; a reference within a text becomes its text. References to
 * step results stay.
 */
function filled(value: unknown, input: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(value)) return value.map((one) => filled(one, input));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, filled(one, input)]));
  }
  if (typeof value !== 'string') return value;
  const whole = /^\{\{input\.(\w+)\}\}$/.exec(value)?.[1];
  if (whole !== undefined && Object.hasOwn(input, whole)) return input[whole];
  return value.replace(/\{\{input\.(\w+)\}\}/g, (reference, name: string) => {
    if (!Object.hasOwn(input, name)) return reference;
    const given = input[name];
    return typeof given === 'string' ? given : JSON.stringify(given);
  });
}
