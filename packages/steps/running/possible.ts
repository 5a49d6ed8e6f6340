import type { Millis } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import type { Step } from '@mailroom/english-instructions/plan/index';
import { MAX_CLAUSE } from '@mailroom/english-instructions/tasks/clause';
import { TaskError } from '@mailroom/english-instructions/tasks/task';
import type { ExecutionParts } from './execution-parts.ts';

/** How deep plans within plans are read where only one task reads them. */
const MAX_DEEP = 5;

/**
 * Checks without doing anything that the sender may use the tasks of these steps, that the mailboxes they write to take
 * messages from here, and that the pages they read are public, also in what they plan for later. Inputs with references to results are checked when they run. Throws
 * TaskError when a step can never work.
 */
async function assertPossible(steps: readonly Step[], parts: ExecutionParts, deep = MAX_DEEP): Promise<void> {
  for (const { task, input } of steps) {
    if (!parts.tasks.has(task)) throw new TaskError(`You may not use "${task}" here, so this could never be done.`);
    const { to, cc = [], op, instructions, url } = input;
    if (task === 'send')
      for (const address of [to, cc].flat()) if (isLiteral(address)) await assertRecipient(address.trim(), parts);
    if (task === 'fetch' && isLiteral(url)) await assertFetched(url, parts);
    if (task === 'schedule' && op === 'add' && isLiteral(instructions))
      await assertPossibleLater(instructions, parts, deep);
  }
}

/** The same for instructions that run later. */
export async function assertPossibleLater(instructions: string, parts: ExecutionParts, deep = MAX_DEEP): Promise<void> {
  if (deep === 0) return;
  const steps = await parts.stepsLater?.(instructions);
  // These contain what is planned within them.
  if (steps !== undefined) await assertPossible(steps, parts, 0);
  else await assertPossible(readAlone(instructions, parts), parts, deep - 1);
}

/** Why steps can never work; undefined when nothing is known against them. */
export async function impossibleIn(steps: readonly Step[], parts: ExecutionParts): Promise<string | undefined> {
  try {
    await assertPossible(steps, parts);
    return undefined;
  } catch (error) {
    if (error instanceof TaskError) return error.message;
    throw error;
  }
}

/** The message that instructions send, the plan they make or the page they read, where no planner reads them. */
function readAlone(instructions: string, { tasks, context, time_zone }: ExecutionParts): readonly Step[] {
  const now: Millis = context.clock();
  const text = instructions.trim();
  const colon = /^([^:\n]{1,300}):\s+(\S[\s\S]*)$/.exec(text);
  const clauses = [
    { text: colon?.[1] ?? text, data: colon?.[2] },
    { text, data: undefined },
  ];
  for (const name of ['send', 'schedule', 'fetch'])
    for (const clause of clauses) {
      if (clause.text.length > MAX_CLAUSE) continue;
      const reading = tasks.get(name)?.read({ ...clause, language: undefined, it: undefined, now, time_zone });
      if (reading !== undefined && !('ask' in reading)) return [{ task: name, input: reading.input }];
    }
  return [];
}

const isLiteral = (value: unknown): value is string => typeof value === 'string' && !value.includes('{{');

async function assertRecipient(to: string, { context }: ExecutionParts): Promise<void> {
  try {
    await context.services.checkRecipient(to);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // What passes with time is no reason never to begin.
    if (error.code !== 'rate_limited') throw new TaskError(`This could not be sent: ${error.message}`);
  }
}

async function assertFetched(url: string, { get }: ExecutionParts): Promise<void> {
  await get.check?.(url).catch((error: unknown) => {
    throw new TaskError(`This could never be fetched: ${error instanceof Error ? error.message : url}`);
  });
}
