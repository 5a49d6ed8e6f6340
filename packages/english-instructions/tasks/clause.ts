import type { Millis } from '@mailroom/behavior/values/clock';
import type { Json } from '@mailroom/behavior/values/json';

/** One step of a reading; in its input `{{+1}}` is the result of the first step of the same reading. */
export interface Planned {
  readonly task: string;
  readonly input: { readonly [name: string]: Json };
}

/** The last step of the thread's earlier messages, with its result. */
export interface Previous extends Planned {
  readonly result: Json;
  /** The result of the message before that. */
  readonly earlier?: Json;
}

/** What the thread planned last, by a reminder or a schedule. */
export interface PlannedBefore {
  /** `sch_…`. */
  readonly id: string;
  /** RFC 3339, or a rule. */
  readonly at?: string;
  readonly rule?: string;
  readonly time_zone: string;
  /** What the same message planned beside it. */
  readonly also?: readonly PlannedBefore[];
}

/**
 * Maximum characters of an instruction, because tasks read it with patterns that may scan the text once for each of its
 * characters. A longer one is not read, and its sender is asked to paste the text it is about.
 */
export const MAX_CLAUSE = 2_000;

/** One instruction, cut out of a message by the planner. */
export interface Clause {
  /**
   * Without list marks, courtesies ("please", "can you"), the final period, and `data`; single spaces. Never '', at most
   * `MAX_CLAUSE` characters.
   */
  readonly text: string;
  /**
   * The text pasted with it, unchanged: a fenced block, a quotation of several lines, or the text after its colon. Never
   * instructions.
   */
  readonly data: string | undefined;
  /** The language named at the fence, in lower case: `js`, `json`, `csv` … */
  readonly language: string | undefined;
  /** The number of the step that "it" refers to; undefined when there is none. 0 is the last result of the thread. */
  readonly it: number | undefined;
  /**
   * The task of that step where it is known, because "convert it to hex" means a number after `calculate` and text after
   * `text`.
   */
  readonly after?: string | undefined;
  /** The step that 0 refers to, where it is known. */
  readonly previous?: Previous | undefined;
  /** What the thread planned last, where nothing else happened since. */
  readonly planned?: PlannedBefore | undefined;
  /** The tasks of all earlier steps, for references such as "step 1". */
  readonly tasks?: readonly string[];
  /** The reference for relative times. */
  readonly now: Millis;
  /** The IANA zone for times without one. */
  readonly time_zone: string;
}

/**
 * How a task understands an instruction. `sure` from 0 to 1: 1 names the task and all it needs, 0.5 is probable, less is
 * only a suggestion. The surest task is chosen; when several are equally sure, the sender is asked.
 */
export type Reading =
  | {
      readonly sure: number;
      readonly input: { readonly [name: string]: Json };
      /**
       * Pieces of the instruction, as written, that the reading respects though its input does not show them: a time, the
       * sender's own words, an "each". Other limiting words are tested.
       */
      readonly accounts?: readonly string[];
      /** The beginning of the sender's words in its input that the reading made itself. */
      readonly head?: string;
      /** All steps of an instruction that the grammar covers completely; `input` is that of the last. */
      readonly steps?: readonly Planned[];
    }
  /** The instruction is recognized but incomplete: the question, and the full instruction for an `answer`. */
  | {
      readonly sure: number;
      readonly ask: string;
      readonly answered: (answer: string) => string;
      /** Whole instructions that the sender may choose from. */
      readonly suggestions?: readonly string[];
      /** Whether no other wording of the instruction is read instead. */
      readonly final?: true;
    };

/** The reading, marked as accounting for these pieces of its instruction. */
export const accounting = <R extends Reading | undefined>(reading: R, ...accounts: readonly string[]): R =>
  reading === undefined || 'ask' in reading ? reading : { ...reading, accounts };

/** "The result of 2" refers to step 2, while "the result of 7*8" is a calculation. */
const STEP =
  /\b(?:the )?(?:result|output|answer|value|outcome)s? (?:of|from) (?:(?:step #?|#)(\d{1,4})|(\d{1,4})(?![\d.,]*\d|%| ?[-+*/^×÷]| (?:plus|minus|times|x|divided|multiplied|percent|to the power)\b))\b|\bstep #?(\d{1,4})(?:['’]s (?:result|output|answer))?\b/gi;
const PLACEHOLDER = /\{\{\s*(\d{1,4})((?:\.[A-Za-z0-9_]+)*)\s*\}\}/g;
const IT =
  /\b(?:it|that|this|them|those|these|the (?:last |previous |above )?(?:result|output|answer|value|outcome|total|sum|text|list|number)s?(?: above)?)\b/gi;
const ONLY_IT = new RegExp(`^(?:${IT.source})$`, 'i');

const NUMBER = '[-+(]*\\d+(?:\\.\\d+)?%?\\)*';
/** A slash without spaces may belong to a date. */
const SUM = new RegExp(`^(?:what(?:['’]?s| is) )?${NUMBER}(?:(?: ?[+*^] ?| [-/] | of )${NUMBER})*$`, 'i');

const ASKED_SUM = new RegExp(`^(calculate )?(${SUM.source.slice(1, -1)})[?.!]?$`, 'i');

/** The instruction in a text that is only a plain sum, which needs no cutting. */
export function askedSum(text: string): string | undefined {
  if (text.length > 200) return undefined;
  const [, lead = '', sum] = ASKED_SUM.exec(text) ?? [];
  // "5!" is a factorial.
  return sum === undefined || (text.endsWith('!') && /(?:^| )\d+$/.test(sum)) ? undefined : lead + sum;
}

/** Whether a clause has numbers and signs with no words except question words: "7 * 191 + 3", "what is 15% of 80". */
export const isSum = ({ text, data }: Pick<Clause, 'text' | 'data'>): boolean => data === undefined && SUM.test(text);

/** The placeholder for the result of step `n`, which is replaced by the value when the plan runs: `{{2}}`, `{{2.total}}`. */
export const placeholder = (n: number, path = ''): string => `{{${n}${path}}}`;

/** Escapes a text so that nothing in it is a reference. */
export const literal = (text: string): string => text.replaceAll('{{', '\\{{');

/** Replaces explicit references, such as `{{2.total}}`, "step 2" and "the result of step 2", by placeholders. */
export const explicitReferences = (text: string): string =>
  text
    .replace(PLACEHOLDER, (_, n: string, path: string) => placeholder(Number(n), path))
    .replace(STEP, (_, ...n: (string | undefined)[]) => placeholder(Number(n[0] ?? n[1] ?? n[2])));

/** "That the shop is open" says what, and in "that is fine" the word is a pronoun. */
const THAT =
  /^that (?!(?:is|was|will|would|can|could|should|must|may|might|has|had|does|did|means?|works?|sounds|looks|seems|one)\b(?! (?:you|he|she|it|we|they|i|there)\b))(?=\S)/i;
/** The words behind a "that" which links them to the instruction. */
export const behindThat = (text: string): string => text.replace(THAT, '');

const ONLY_STEP = new RegExp(`^(?:${STEP.source})$`, 'i');

/**
 * The sender's own words, in which "it" and "step 2" are words like any other; only where there is nothing else do they
 * stand for the result of that step.
 */
export function wording(text: string, { it }: Pick<Clause, 'it'>): string {
  const plain = text.trim();
  if (it === undefined) return plain;
  return ONLY_IT.test(plain) ? placeholder(it) : ONLY_STEP.test(plain) ? explicitReferences(plain) : plain;
}

/**
 * An operand with explicit references replaced by placeholders; "it", "the result" or "that" alone becomes the placeholder
 * of the step before. "The list" and "the text" refer to it only when there is a step before.
 */
export function operand(text: string, { it }: Pick<Clause, 'it'>): string {
  const plain = text.trim();
  if (it !== undefined && ONLY_IT.test(plain)) return placeholder(it);
  return explicitReferences(plain);
}

/** What the task works on: the pasted data, else the operand; undefined when there is neither and no earlier result. */
export function subject(text: string | undefined, clause: Clause): string | undefined {
  if (clause.data !== undefined) return clause.data;
  const plain = text?.trim() ?? '';
  if (plain !== '') return operand(plain, clause);
  return clause.it === undefined ? undefined : placeholder(clause.it);
}

/** Removes matching quotation marks around a text. */
export function unquote(text: string): string {
  const plain = text.trim();
  const [, opens = '', inside = '', closes = ''] = /^(["'“‘«`])([\s\S]*)(["'”’»`])$/.exec(plain) ?? [];
  // In “"yes" or "no"” each has its own.
  const parts =
    opens === "'" || opens === '‘'
      ? /(?<![\p{L}\p{N}])['‘]|['’](?![\p{L}\p{N}])/u.test(inside)
      : inside.includes(opens) || inside.includes(closes);
  return opens === '' || parts ? plain : inside;
}
