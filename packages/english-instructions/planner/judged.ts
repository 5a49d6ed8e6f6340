import { withoutTrailing } from '@mailroom/behavior/values/trailing';
import type { Step } from '../plan/index.ts';
import { ZONE_NOTE, zoneOf } from '../tasks/words/zones.ts';
import { namesIn, singular } from './context.ts';
import type { Pasted } from './line-parts.ts';
import { type Best, isCorrected, type Part } from './paraphrases.ts';
import { DETERMINERS, FINITE, isStatement, PRONOUNS, wordsOf } from './statements.ts';

/** The time zone that a step remembers as the sender's. */
export const zoneIn = ({ input: { name, text } }: Step): string | undefined =>
  name === ZONE_NOTE && typeof text === 'string' ? zoneOf(text) : undefined;

/** A message to send may contain a correction or an apology as part of its text. */
export const isTakenBack = (part: Part, best: Best | undefined): boolean =>
  best?.task.name !== 'send' && isCorrected(part);

/** Whether it says how many there are of something, which an interjection is none of. */
export const isCounted = ({ reading }: Best): boolean =>
  'input' in reading && (reading.input.op === 'count' || reading.input.does === 'count');

/** Whether its sender alone is concerned by what is read, and none of the corrected words is in a text. */
export function isRespelled(
  { task, reading }: Best,
  words: readonly string[],
  { text: said, data = '' }: Part,
): boolean {
  if ((task.effects !== 'none' && task.name !== 'remind') || 'ask' in reading) return false;
  const { text } = reading.input;
  if (data !== '' && words.length === 0) return true;
  if (typeof text !== 'string' || text.startsWith('{{') || said.includes(text) || data.includes(text)) return true;
  // An answer that is made of the words of the text.
  if (words.length === 0 && reading.input.op === 'say')
    return (text.match(/\p{L}{2,}/gu) ?? []).every((word) => said.toLowerCase().includes(word.toLowerCase()));
  return words.length > 0 && !words.some((word) => text.toLowerCase().includes(word));
}

/** An instruction with the sender's answer, which replaces it or adds what was missing. */
export const answered = (part: Part, text: string): Pasted => {
  const colon = /^([^:\n]{1,200}):\s+(\S[\s\S]*)$/.exec(text);
  if (part.data !== undefined || colon === null) return { ...part, text, fenced: true };
  return { ...part, text: colon[1] as string, data: colon[2], fenced: false };
};

/** Tasks whose result is one value. */
const SINGLE: ReadonlySet<string> = new Set(['calculate', 'convert', 'time']);
const LENGTHS: ReadonlySet<unknown> = new Set(['between', 'month_days']);
const isSingle = (step: Step | undefined): boolean =>
  step !== undefined && (SINGLE.has(step.task) || step.input.op === 'count' || step.input.does === 'count');
/** Whether its result can be added to others, which days and times cannot. */
const isFigure = ({ task, input }: Step): boolean => task !== 'time' || LENGTHS.has(input.what);
const THEM = /\b(?:them|these|those|both|the two|all of (?:it|this)|total|sum|average|mean|product)\b/i;
/** The question where a calculation leaves open which results it is of. */
export const WHICH_RESULTS =
  'Which of the results do you mean, and what shall I do with them? Say “step 1 + step 2”, for example.';
/** A calculation with the last result alone: "sum({{2}})", "({{2}}) + ({{2}})". */
const OF_LAST = /^(?:(sum|prod|mean|median|max|min)\(\{\{\d+\}\}\)|\((\{\{\d+\}\})\) ([+*]) \(\2\))$/;

/**
 * "Add them" behind several results of one value each: a calculation with all of these, not with the last alone.
 * Undefined where it cannot be told what is done with which of them.
 */
export function ofSeveral(step: Step, said: string, steps: readonly Step[]): Step | undefined {
  const expression = typeof step.input.expression === 'string' ? step.input.expression : '';
  if (step.task !== 'calculate' || !THEM.test(said)) return step;
  const [end = 0, ...others] = new Set([...expression.matchAll(/\{\{(\d+)\}\}/g)].map(([, place]) => Number(place)));
  if (end < 2 || others.length > 0 || !isSingle(steps[end - 1]) || !isSingle(steps[end - 2])) return step;
  const results = steps.slice(steps.slice(0, end).findLastIndex((before) => !isSingle(before)) + 1, end);
  // In "add the two" the number says how many they are.
  const [, by] = (/\bthe two\b/i.test(said) && /^\(\{\{\d+\}\}\) ([+*]) 2$/.exec(expression)) || [];
  const [, name, , twice] = OF_LAST.exec(expression) ?? [];
  const sign = by ?? twice ?? { sum: '+', prod: '*' }[name ?? ''];
  if ((sign ?? name) === undefined || !results.every(isFigure)) return undefined;
  const places = results.map((_, at) => `({{${end - results.length + at + 1}}})`);
  const all = sign === undefined ? `${name}(${places.join(', ')})` : places.join(` ${sign} `);
  return { ...step, input: { ...step.input, expression: all } };
}

const MAX_LINES = 200;
/** How a line begins that takes back what stands above it. */
const TAKES_BACK =
  /^(?:(?:oh|oops|ah|hm+|no|wait|sorry|actually)[,.! -]+)*(?:no,? (?:sorry|wait)|(?:wait|sorry),? no|(?:scrap|forget|ignore|disregard|cancel|strike) (?:that|it|this|the (?:above|last))|actually,? (?:no|scrap|forget|ignore|make)|never ?mind)\b/i;

/** What is done with each item of a list. */
const OF_ITEMS: ReadonlySet<unknown> = new Set(['sort', 'reverse', 'unique', 'number', 'join']);
const EACH_ITEM: ReadonlySet<unknown> = new Set(['items', 'lines']);
const MAX_ITEM = 3;
const MIN_LINE = 5;
const ORDERS =
  /^(?:please|not|but|skip|only|except|without|leave|keep|put|ignore|drop|count|add|use|take|remove|start|begin)$/;
/** Whether it says something, as no item of a list does. */
const isSaid = (text: string): boolean =>
  wordsOf(text).some((word) => DETERMINERS.has(word) || PRONOUNS.has(word) || FINITE.has(word) || ORDERS.test(word));
const isShort = (item: string): boolean => wordsOf(item).length <= MAX_ITEM && !/[.?!]\s/.test(item);

/** The sentence behind or between short items of a list, which is none of them: "Ana, Bo, Cy. Keep Ana at the front". */
function sentenceAmong({ task, input: { op, text, selection } }: Step): string | undefined {
  const part = typeof selection === 'object' && selection !== null && 'of' in selection ? selection.of : undefined;
  if (task !== 'text' || typeof text !== 'string' || !(OF_ITEMS.has(op) || EACH_ITEM.has(part))) return undefined;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length > MAX_LINES) return undefined;
  const isList = (line: string): boolean => line.split(/[,;]/).every(isShort);
  const [, list = '', behind] =
    (lines.length === 1 && /^((?:[^.?!]|[.?!](?!\s))+)[.?!]\s+(\S[\s\S]*)$/.exec(text)) || [];
  if (behind !== undefined)
    return /[,;]/.test(list) && isList(list) && wordsOf(behind).length > 1 && isSaid(behind) ? behind : undefined;
  const [odd, more] = lines.filter((line) => !isList(line));
  if (odd === undefined || more !== undefined || lines.length < 2) return undefined;
  const items = namesIn(lines.filter((line) => line !== odd).join('\n'));
  const isLong = wordsOf(odd).length >= MIN_LINE;
  return isSaid(odd) && (isLong || wordsOf(odd).some((word) => items.has(singular(word)))) ? odd : undefined;
}

/**
 * What was taken as a text and is none of it: the statement at the beginning of a message, as in "Capitals come first. Sort
 * these: …", a line that takes back what stands above it, or a sentence among the items of a list.
 */
export function takenStatement(body: string, steps: readonly Step[]): string | undefined {
  const isText = ({ task }: Step): boolean => /^(?:text|encode)$/.test(task);
  const [, ...lines] = body.split('\n', MAX_LINES);
  const back = lines.find((line) => TAKES_BACK.test(line));
  const isHeld = ({ input: { text } }: Step): boolean => typeof text === 'string' && text.includes(back ?? '');
  if (back !== undefined && steps.some((step) => isText(step) && isHeld(step))) return back;
  const sentence = steps.map(sentenceAmong).find((one) => one !== undefined);
  if (sentence !== undefined) return sentence;
  const [first = '', more] = body.split(/(?<=[.!])\s+/);
  if (more === undefined || steps.length < 2 || /["“]/.test(first) || !isStatement(first)) return undefined;
  const isTaken = (step: Step): boolean =>
    isText(step) && typeof step.input.text === 'string' && first.includes(step.input.text);
  return steps.some(isTaken) ? first : undefined;
}

/** Whether a text stands behind one of the instruction itself: "sort 3, 9, 4" above "The biggest is first". */
export const hasJoined = (steps: readonly Step[], data: string): boolean =>
  steps.some(({ input }) =>
    Object.values(input).some((one) => typeof one === 'string' && one.endsWith(`: ${withoutTrailing(data, '.!?')}`)),
  );
