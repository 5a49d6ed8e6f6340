import type { Message } from '../../../core/entities/message.ts';
import type { Incoming } from '../../../core/ports/behavior.ts';
import type { Millis } from '../../../core/values/clock.ts';
import { threadOf } from '../../../core/values/ids.ts';
import type { Json, JsonObject } from '../../../core/values/json.ts';
import { isObject } from '../../../core/values/json.ts';
import type { Task } from '../../../tasks/task.ts';
import type { Settings } from '../owner/settings.ts';
import type { Question } from './question.ts';
import { chosen, isCalledOff, isYes, openQuestion } from './question.ts';

/** What counts of the thread before for what a message means. */
export interface Earlier {
  /** The output of its last step, which is `{{0}}`. */
  readonly output?: JsonObject | undefined;
  /** The instructions that a question was about, with what was answered. */
  readonly body?: string;
  readonly about?: string;
  readonly answers?: Question['answers'];
}

/** What stood in the thread before, with its messages. */
export interface Before extends Earlier {
  readonly thread?: readonly Message[];
  /** The message that asked what this one answers. */
  readonly question?: string | undefined;
  /** What its sender agreed to have deleted, by name. */
  readonly agreed?: readonly string[] | undefined;
}
export const NOTHING_BEFORE: Before = {};

/** What of a message counts for what its thread says of it. */
export type Follower = Pick<Incoming, 'id' | 'thread_id' | 'hops' | 'body' | 'retry_of'>;

/** What the thread before says of a message; `all` are the tasks, as a question may have been one's. */
export function beforeOf(
  message: Follower,
  messages: readonly Message[],
  settings: Settings,
  now: Millis,
  all: readonly Task[],
): Before | 'called off' {
  const thread = asItStood(messages, message);
  const talk = thread.filter(isTalk);
  const question = isScheduled(message) ? undefined : openQuestion(talk);
  const output = lastOutput(thread);
  if (question === undefined) return { output };
  if (isCalledOff(message.body)) return 'called off';
  const about = thread.find(({ id }) => id === question.about);
  if (about === undefined || question.instruction < 0) return { output };
  if (question.loses !== undefined) {
    if (!isYes(message.body)) return { output };
    const { answers, loses: agreed } = question;
    const earlier = { body: about.body, about: about.id, ...(answers.length > 0 && { answers }) };
    return { output, question: talk.at(-1)?.id, ...earlier, agreed };
  }
  const answer = chosen(message.body, question.suggestions) ?? message.body;
  return {
    output,
    question: talk.at(-1)?.id,
    body: about.body,
    about: about.id,
    answers: [...question.answers, [question.instruction, completed(question, answer, settings, now, all)]],
  };
}

/** The thread before the message; of one that is sent again, before it was sent first: it means the same again. */
export function asItStood(thread: readonly Message[], { retry_of }: Pick<Incoming, 'retry_of'>): readonly Message[] {
  let first = retry_of;
  for (let of = first; of !== null; of = thread.find(({ id }) => id === of)?.retry_of ?? null) first = of;
  return first === null ? thread : thread.filter(({ id }) => id < first);
}

/** A schedule's: nobody wrote it just now, so that it answers nothing. */
const isScheduled = ({ id, thread_id, hops }: Pick<Message, 'id' | 'thread_id' | 'hops'>): boolean =>
  hops > 0 && threadOf(id) !== thread_id;

/** What comes between a question and its answer, but what asks something itself, does not part them. */
const isTalk = (message: Message): boolean => !isScheduled(message) || message.status === 'input_required';

/** The instruction with what was missing in it, when that was asked; else the answer is the instruction. */
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

/** The output of the last step of the last message that came to one. */
function lastOutput(thread: readonly Message[]): JsonObject | undefined {
  for (const { status, reply_data } of thread.toReversed()) {
    if (status !== 'completed' || reply_data === null) continue;
    const { kind, steps } = JSON.parse(reply_data) as {
      readonly kind?: string;
      readonly steps?: readonly { output: Json }[];
    };
    const output = kind === 'receipt' ? steps?.at(-1)?.output : undefined;
    if (isObject(output)) return output;
  }
  return undefined;
}
