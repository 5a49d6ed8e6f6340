import type { Message } from '../../../core/entities/message.ts';
import type { Json } from '../../../core/values/json.ts';
import type { Planned } from '../planner/index.ts';

/** What a reply that asks back keeps for the answer. */
export interface Question {
  readonly kind: 'question';
  /** The message that the question is about. */
  readonly about: string;
  /** The instruction's number in it: so many steps are clear before it; -1: it is about the message as a whole. */
  readonly instruction: number;
  readonly text: string;
  /** The step that "it" meant in it; null: none. */
  readonly refers: number | null;
  readonly suggestions: readonly string[];
  /** What the sender has said before: number and text, in the order they were asked. */
  readonly answers: readonly (readonly [number, string])[];
  /** What a yes deletes, by name: it is asked whether that is meant. */
  readonly loses?: readonly string[];
  readonly [name: string]: Json;
}

type Unclear = Extract<Planned, { kind: 'unclear' }>;

export const questionOf = (unclear: Unclear, about: string, answers: Question['answers']): Question => ({
  kind: 'question',
  about,
  instruction: unclear.at,
  text: unclear.text.slice(0, 500),
  refers: unclear.steps.length > 0 ? unclear.steps.length : null,
  suggestions: unclear.suggestions,
  answers,
});

/** The question as it is asked. */
export function questionText({ question, suggestions, steps }: Unclear, guest: boolean): string {
  const lines = [question];
  if (steps.length > 0) lines.push('The rest is clear. Nothing has been done yet.');
  if (suggestions.length > 0) {
    lines.push('I can do things like these:', suggestions.map((one, at) => `${at + 1}. \`${one}\``).join('\n'));
    lines.push('Answer with a number, or say it in other words.');
  }
  if (guest && suggestions.length === 0) lines.push('Answer here, and it goes on.');
  return lines.join('\n\n');
}

/** The question that the thread's last message ended with, if it did. */
export function openQuestion(thread: readonly Message[]): Question | undefined {
  const last = thread.at(-1);
  if (last?.status !== 'input_required' || last.reply_data === null) return undefined;
  const data = JSON.parse(last.reply_data) as { readonly question?: Partial<Question> };
  return data.question?.kind === 'question' ? (data.question as Question) : undefined;
}

const ORDINALS = ['first', 'second', 'third'];

/** What an answer chooses of the suggestions; undefined when it says something of its own. */
export function chosen(answer: string, suggestions: readonly string[]): string | undefined {
  const text = answer.trim().toLowerCase();
  const number = /^(?:(?:number|no\.?|option|#)\s*)?([1-9])[.)]?$/.exec(text)?.[1];
  if (number !== undefined) return suggestions[Number(number) - 1];
  const ordinal = /^(?:the )?(first|second|third)(?: one)?[.!]?$/.exec(text)?.[1];
  return ordinal === undefined ? undefined : suggestions[ORDINALS.indexOf(ordinal)];
}

const LOSSES_SHOWN = 30;

/** What is asked before something is deleted for good. */
export function lossText(loses: readonly string[]): string {
  const more = loses.length > LOSSES_SHOWN ? `\n- and ${loses.length - LOSSES_SHOWN} more` : '';
  const list = loses.slice(0, LOSSES_SHOWN).map((one) => `- ${one}`);
  return `This deletes for good:\n\n${list.join('\n')}${more}\n\nNothing has been done yet. Answer “yes” to do it, or “no”.`;
}

/** Whether it is a yes and nothing else. */
export const isYes = (answer: string): boolean =>
  /^(?:y|yes|yeah|yep|sure|ok|okay|do it|go ahead|confirm|confirmed)(?:,? (?:please|do it|go ahead|delete (?:it|them)|forget (?:it|them)|cancel (?:it|them)))?[.!]?$/i.test(
    answer.trim(),
  );

/** Whether they do not want it any more. */
export const isCalledOff = (answer: string): boolean =>
  /^(?:never ?mind|cancel(?: (?:it|that))?|forget it|stop|no|nope|no,? thanks?|nothing)[.!]?$/i.test(answer.trim());
