import type { Incoming } from '@mailroom/behavior';
import type { ThreadMessage } from '@mailroom/behavior/message';
import type { Millis } from '@mailroom/behavior/values/clock';
import { threadOf } from '@mailroom/behavior/values/ids';
import { isObject, type Json, type JsonObject } from '@mailroom/behavior/values/json';
import type { Step } from '@mailroom/english-instructions/plan/index';
import type { Fence } from '@mailroom/english-instructions/planner/lines';
import type { PlannedBefore } from '@mailroom/english-instructions/tasks/clause';
import type { Task } from '@mailroom/english-instructions/tasks/task';
import type { Settings } from '../owner/settings.ts';
import { chosen, isCalledOff, isYes, openQuestion, type Question } from './question.ts';
import { fileChosen, filesNamed } from './which-file.ts';

/** The parts of the thread that the meaning of a message depends on. */
export interface Earlier {
  /** The output of the thread's last step, which is `{{0}}`. */
  readonly output?: JsonObject | undefined;
  /** That step, for "and the average?" about what it worked on. */
  readonly step?: Step | undefined;
  /** The result of the last message before the one with that step. */
  readonly result?: Json;
  /** What the thread planned last, where nothing else happened since. */
  readonly planned?: PlannedBefore | undefined;
  /** The instructions that a question was about. */
  readonly body?: string;
  readonly about?: string;
  readonly answers?: Question['answers'];
  /** The text of an attached file, which is read as if it were pasted below the instructions. */
  readonly pasted?: Fence | undefined;
  /** The id of the attached file that its sender chose. */
  readonly file?: string | undefined;
}

/** The thread before a message. */
export interface Before extends Earlier {
  readonly thread?: readonly ThreadMessage[];
  /** The id of the question that this message answers. */
  readonly question?: string | undefined;
  /** The names of what its sender agreed to delete. */
  readonly agreed?: readonly string[] | undefined;
}
export const NOTHING_BEFORE: Before = {};

/** The fields of a message that decide how it relates to its thread. */
export type Follower = Pick<Incoming, 'id' | 'thread_id' | 'in_reply_to' | 'hops' | 'subject' | 'body' | 'retry_of'>;

/**
 * A mail of a new thread that has no text says in its subject what is to be done, as short mails of people do. So does
 * what sends it again.
 */
export const withInstruction = <
  Any extends Pick<Incoming, 'id' | 'thread_id' | 'in_reply_to' | 'retry_of' | 'channel' | 'subject' | 'body'>,
>(
  message: Any,
): Any => {
  const { id, thread_id, in_reply_to, retry_of, channel, subject, body } = message;
  const begins = threadOf(id) === thread_id || (retry_of !== null && in_reply_to === null);
  return channel === 'smtp' && body.trim() === '' && begins ? { ...message, body: subject ?? '' } : message;
};

/** The sender withdrew what was asked about; `left`: what was done before stays. */
export type CalledOff = 'called off' | 'left';
const CANCELS = /^cancel(?: (?:it|that))?[.!]?$/i;
/** Instructions about something that is there already. */
const CHANGES =
  /\b(?:it|that|instead|the (?:reminder|alarm|timer|schedule|time))\b|^(?:make|change|move|set|push|shift|reschedule|postpone|put|switch|no|actually)\b/i;

type Done = Step & { readonly output: Json };

/** What a step planned. */
function plannedBy({ task, input, output }: Done, settings: Settings): readonly PlannedBefore[] {
  const {
    op,
    at: time,
    rule,
    time_zone = settings.time_zone ?? 'UTC',
  } = (isObject(input) ? input : {}) as { readonly [name: string]: string | undefined };
  if (!isObject(output) || (task !== 'remind' && !(task === 'schedule' && /^(?:add|change)$/.test(op ?? ''))))
    return [];
  const [schedule] = Array.isArray(output.schedules) ? output.schedules : [output];
  if (!isObject(schedule) || typeof schedule.id !== 'string' || typeof schedule.next_at !== 'string') return [];
  const { id, next_at } = schedule;
  const kept = typeof schedule.rule === 'string' ? schedule.rule : rule;
  return [{ id, time_zone, ...(time === undefined && kept !== undefined ? { rule: kept } : { at: next_at }) }];
}

/** What the last message planned, if its last step did. */
function plannedLast(steps: readonly Done[], settings: Settings): PlannedBefore | undefined {
  const also = steps.map((step) => plannedBy(step, settings));
  const last = also.pop()?.[0];
  return last && (also.flat().length > 0 ? { ...last, also: also.flat() } : last);
}

/** How the thread affects a message. `all`: the tasks, because a task may have asked the open question. */
export function beforeOf(
  message: Follower,
  messages: readonly ThreadMessage[],
  settings: Settings,
  now: Millis,
  all: readonly Task[],
): Before | CalledOff {
  const thread = asItStood(messages, message);
  const talk = thread.filter(isTalk);
  const question = isScheduled(message) ? undefined : openQuestion(talk);
  const earlier = lastStep(thread);
  const planned = isScheduled(message)
    ? undefined
    : plannedLast(
        stepsDone(
          talk.filter((one) => !isScheduled(one)),
          1,
        )[0] ?? [],
        settings,
      );
  const history = { ...earlier, ...(planned && { planned }) };
  if (question === undefined) return history;
  if (isCalledOff(message.body)) {
    // After a change that was not understood "cancel it" means what was planned.
    if (planned !== undefined && CANCELS.test(message.body.trim()) && CHANGES.test(question.text)) return history;
    return earlier.step === undefined ? 'called off' : 'left';
  }
  const about = thread.find(({ id }) => id === question.about);
  if (about !== undefined && question.files !== undefined) return { ...history, ...withFile(message, question, about) };
  if (about === undefined || question.instruction < 0) return history;
  if (question.loses !== undefined) {
    if (!isYes(message.body)) return history;
    const { answers, loses: agreed } = question;
    const asked = { body: about.body, about: about.id, ...(answers.length > 0 && { answers }) };
    return { ...history, question: talk.at(-1)?.id, ...asked, agreed };
  }
  const answer = chosen(message.body, question.suggestions) ?? message.body;
  return {
    ...history,
    file: question.file,
    question: talk.at(-1)?.id,
    body: about.body,
    about: about.id,
    answers: [...question.answers, [question.instruction, completed(question, answer, settings, now, all)]],
  };
}

/** What an answer to the question which file is meant adds: the file, and the instructions that it was asked about. */
function withFile(
  { body }: Pick<Follower, 'body'>,
  { files = [], answers }: Question,
  about: ThreadMessage,
): Pick<Earlier, 'body' | 'about' | 'answers' | 'file'> {
  const list = (about.attachments ?? []).filter(({ id }) => files.includes(id));
  const file = fileChosen(body, list);
  const earlier = { body: about.body, about: about.id, ...(answers.length > 0 && { answers }) };
  if (file === 'none') return earlier;
  if (file !== undefined) return { ...earlier, file: file.id };
  // The answer is a whole instruction that names one of them.
  const [named, ...more] = filesNamed(body, list).named;
  return named === undefined || more.length > 0 ? {} : { file: named.id };
}

/** The thread before the message; for a retry, before the original, so that it means the same. */
export function asItStood(
  thread: readonly ThreadMessage[],
  { retry_of }: Pick<Incoming, 'retry_of'>,
): readonly ThreadMessage[] {
  let first = retry_of;
  for (let of = first; of !== null; of = thread.find(({ id }) => id === of)?.retry_of ?? null) first = of;
  return first === null ? thread : thread.filter(({ id }) => id < first);
}

/**
 * Whether a schedule sent the message, so that it answers no question. It has the schedule's name as its subject, and
 * unlike an answer of a program that was caused by a message it replies to nothing.
 */
const isScheduled = ({
  id,
  thread_id,
  in_reply_to,
  hops,
  subject,
}: Pick<ThreadMessage, 'id' | 'thread_id' | 'in_reply_to' | 'hops' | 'subject'>): boolean =>
  hops > 0 && threadOf(id) !== thread_id && subject !== null && in_reply_to === null;

/** Messages of a schedule do not separate a question from its answer, unless they ask something themselves. */
const isTalk = (message: ThreadMessage): boolean => !isScheduled(message) || message.status === 'input_required';

/** The instruction with the missing part filled in by the answer; otherwise the answer is the instruction. */
function completed(question: Question, answer: string, settings: Settings, now: Millis, all: readonly Task[]): string {
  const clause = {
    text: question.text,
    data: undefined,
    language: undefined,
    it: question.refers ?? undefined,
    now,
    time_zone: settings.time_zone ?? 'UTC',
  };
  const readings = all.map((task) => task.read(clause)).filter((one) => one !== undefined);
  const asked = readings.sort((a, b) => b.sure - a.sure)[0];
  return asked !== undefined && 'ask' in asked ? asked.answered(answer.trim()) : answer;
}

/** The steps of the last messages that were done, the last one first, up to `max`. */
function stepsDone(thread: readonly ThreadMessage[], max: number): readonly (readonly Done[])[] {
  const found: (readonly Done[])[] = [];
  for (const { status, reply } of thread.toReversed()) {
    if (found.length === max) break;
    if (status !== 'completed' || reply?.data == null) continue;
    const { kind, steps } = JSON.parse(reply.data) as { readonly kind?: string; readonly steps?: readonly Done[] };
    if (kind === 'receipt' && steps !== undefined && isObject(steps.at(-1)?.output)) found.push(steps);
  }
  return found;
}

/** The last step of the thread, and the result of the message before it. */
function lastStep(thread: readonly ThreadMessage[]): Pick<Earlier, 'output' | 'step' | 'result'> {
  const [last, other] = stepsDone(thread, 2).map((steps) => steps.at(-1) as Done);
  if (last === undefined) return {};
  const { task, input, output } = last;
  const result = isObject(other?.output) ? other.output.result : undefined;
  return { output: output as JsonObject, step: { task, input }, ...(result !== undefined && { result }) };
}
