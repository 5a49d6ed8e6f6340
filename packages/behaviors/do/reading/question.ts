import type { ThreadMessage } from '@mailroom/behavior/message';
import type { Json } from '@mailroom/behavior/values/json';
import type { Planned } from '@mailroom/english-instructions/planner/plan';
import { MAX_CLAUSE } from '@mailroom/english-instructions/tasks/clause';

/** The data of a question, kept for the answer to it. */
export interface Question {
  readonly kind: 'question';
  /** The message that the question is about. */
  readonly about: string;
  /** The instruction's number, which is the number of clear steps before it; -1 for the message as a whole. */
  readonly instruction: number;
  readonly text: string;
  /** The step that "it" refers to; null: none. */
  readonly refers: number | null;
  readonly suggestions: readonly string[];
  /** The sender's earlier answers, in the order asked: the instruction's number and the answer. */
  readonly answers: readonly (readonly [number, string])[];
  /** The names of what is deleted if the sender confirms. */
  readonly loses?: readonly string[];
  /** The ids of the files of which one is to be named; `instruction` is -1 then. */
  readonly files?: readonly string[];
  /** The id of the file that was named before. */
  readonly file?: string;
  readonly [name: string]: Json;
}

type Unclear = Extract<Planned, { kind: 'unclear' }>;

/** The question which of these files a message is about. */
export const fileQuestion = (
  files: readonly { readonly id: string }[],
  about: string,
  answers: Question['answers'],
): Question => ({
  kind: 'question',
  about,
  instruction: -1,
  text: '',
  refers: null,
  suggestions: [],
  answers,
  files: files.map(({ id }) => id),
});

export const questionOf = (
  unclear: Unclear,
  about: string,
  answers: Question['answers'],
  file: string | undefined,
): Question => ({
  kind: 'question',
  about,
  instruction: unclear.at,
  text: unclear.text.slice(0, MAX_CLAUSE),
  refers: unclear.steps.length > 0 ? unclear.steps.length : null,
  suggestions: unclear.suggestions,
  answers,
  ...(file !== undefined && { file }),
});

export function questionText({ question, suggestions, steps }: Unclear, guest: boolean): string {
  const lines = [question];
  if (steps.length > 0) lines.push('The rest is clear. Nothing has been done yet.');
  if (suggestions.length > 0) {
    lines.push('I can do things like these:', suggestions.map((one, at) => `${at + 1}. \`${one}\``).join('\n'));
    lines.push('Answer with a number, or say it in other words.');
  }
  if (guest && suggestions.length === 0) lines.push('Answer here to continue.');
  return lines.join('\n\n');
}

/** The question that is still open at the end of the thread, if there is one. */
export function openQuestion(thread: readonly ThreadMessage[]): Question | undefined {
  const last = thread.at(-1);
  if (last?.status !== 'input_required' || last.reply?.data == null) return undefined;
  const data = JSON.parse(last.reply.data) as { readonly question?: Partial<Question> };
  return data.question?.kind === 'question' ? (data.question as Question) : undefined;
}

const ORDINALS = ['first', 'second', 'third'];

/** The suggestion that an answer chooses; undefined when it is something else. */
export function chosen(answer: string, suggestions: readonly string[]): string | undefined {
  const text = answer.trim().toLowerCase();
  const number = /^(?:(?:number|no\.?|option|#)\s*)?([1-9])[.)]?$/.exec(text)?.[1];
  if (number !== undefined) return suggestions[Number(number) - 1];
  const ordinal = /^(?:the )?(first|second|third)(?: one)?[.!]?$/.exec(text)?.[1];
  if (ordinal !== undefined) return suggestions[ORDINALS.indexOf(ordinal)];
  if (suggestions.length === 1 && isYes(answer)) return suggestions[0];
  // A suggestion names in quotation marks what it differs by.
  const name = text.replace(/^(?:the )?(?:column )?["“]?/, '').replace(/["”]?(?: column)?[.!]?$/, '');
  const found = suggestions.filter((one) => one.toLowerCase().includes(`"${name}"`));
  return found.length === 1 ? found[0] : undefined;
}

const LOSSES_SHOWN = 30;

/** The question asked before something is deleted permanently. */
export function lossText(loses: readonly string[]): string {
  const more = loses.length > LOSSES_SHOWN ? `\n- and ${loses.length - LOSSES_SHOWN} more` : '';
  const list = loses.slice(0, LOSSES_SHOWN).map((one) => `- ${one}`);
  return `This deletes permanently:\n\n${list.join('\n')}${more}\n\nNothing has been done yet. Answer “yes” to do it, or “no”.`;
}

/** Whether an answer is only a yes. */
export const isYes = (answer: string): boolean =>
  /^(?:y|yes|yeah|yep|sure|ok|okay|do it|go ahead|confirm|confirmed)(?:,? (?:please|do it|go ahead|delete (?:it|them)|forget (?:it|them)|cancel (?:it|them)))?[.!]?$/i.test(
    answer.trim(),
  );

/** Whether the sender withdraws the request. */
export const isCalledOff = (answer: string): boolean =>
  /^(?:never ?mind|cancel(?: (?:it|that))?|forget it|stop|no|nope|no,? thanks?|nothing)[.!]?$/i.test(answer.trim());
