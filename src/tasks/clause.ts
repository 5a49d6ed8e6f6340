import type { Millis } from '../core/values/clock.ts';
import type { Json } from '../core/values/json.ts';

/**
 * The most characters of an instruction. Tasks read it with expressions that may look at a text once for each of its
 * characters; a longer one is not read, and its sender is asked to paste what it is about.
 */
export const MAX_CLAUSE = 2_000;

/** One instruction, as the planner cut it out of a message: one thing to do. */
export interface Clause {
  /** Without list marks, politeness ("please", "can you"), the final period, and `data`; single spaces. Never '', at most `MAX_CLAUSE` characters. */
  readonly text: string;
  /** What was pasted with it, as it was: a fenced block, a quotation of several lines, or what stood after its colon. Never instructions. */
  readonly data: string | undefined;
  /** What the fence said it is, in lower case: `js`, `json`, `csv` … */
  readonly language: string | undefined;
  /** The number of the step that "it" means; undefined when there is nothing before. 0 is the last answer of the thread. */
  readonly it: number | undefined;
  /** The task of that step, where it is known: "convert it to hex" means a number after `calculate`, text after `text`. */
  readonly after?: string | undefined;
  /** The tasks of all steps before, for what names one: "step 1". */
  readonly tasks?: readonly string[];
  /** For what is relative to now. */
  readonly now: Millis;
  /** IANA name, for what names no zone. */
  readonly time_zone: string;
}

/**
 * What a task takes an instruction to be. `sure` from 0 to 1: 1 names the task and all it needs, 0.5 could well be
 * meant, below that it is a suggestion only. Of several tasks the surest is taken, and of equals none: people are asked.
 */
export type Reading =
  | {
      readonly sure: number;
      readonly input: { readonly [name: string]: Json };
      /**
       * Pieces of the instruction, as they stand there, of which the reading leaves nothing out, though its input does not show
       * it: when it is to be, somebody's own words, an "each". What else limits it is put to the test.
       */
      readonly accounts?: readonly string[];
    }
  /** It is meant, and something lacks: the question, and the whole instruction once `answer` was given to it. */
  | { readonly sure: number; readonly ask: string; readonly answered: (answer: string) => string };

/** The reading, which accounts for these pieces of its instruction. */
export const accounting = <R extends Reading | undefined>(reading: R, ...accounts: readonly string[]): R =>
  reading === undefined || 'ask' in reading ? reading : { ...reading, accounts };

/** "The result of 2" is that of step 2; "the result of 7*8" is a sum's. */
const STEP =
  /\b(?:the )?(?:result|output|answer|value|outcome)s? (?:of|from) (?:(?:step #?|#)(\d{1,4})|(\d{1,4})(?![\d.,]*\d|%| ?[-+*/^×÷]| (?:plus|minus|times|x|divided|multiplied|percent|to the power)\b))\b|\bstep #?(\d{1,4})(?:['’]s (?:result|output|answer))?\b/gi;
const PLACEHOLDER = /\{\{\s*(\d{1,4})((?:\.[A-Za-z0-9_]+)*)\s*\}\}/g;
const IT =
  /\b(?:it|that|this|them|those|these|the (?:last |previous |above )?(?:result|output|answer|value|outcome|total|sum|text|list|number)s?(?: above)?)\b/gi;
const ONLY_IT = new RegExp(`^(?:${IT.source})$`, 'i');

const NUMBER = '[-+(]*\\d+(?:\\.\\d+)?%?\\)*';
/** A stroke without spaces may be a date's. */
const SUM = new RegExp(`^(?:what(?:['’]?s| is) )?${NUMBER}(?:(?: ?[+*^] ?| [-/] | of )${NUMBER})*$`, 'i');

/** The same with the word that asks for it, and nothing before or behind it. */
const ASKED_SUM = new RegExp(`^(calculate )?(${SUM.source.slice(1, -1)})[?.!]?$`, 'i');

/** The instruction that a text is when it is a plain sum and nothing else: there is nothing to cut in it. */
export function askedSum(text: string): string | undefined {
  if (text.length > 200) return undefined;
  const [, lead = '', sum] = ASKED_SUM.exec(text) ?? [];
  // "5!" is a factorial.
  return sum === undefined || (text.endsWith('!') && /(?:^| )\d+$/.test(sum)) ? undefined : lead + sum;
}

/** Numbers and signs without a word, but for those that ask: "7 * 191 + 3", "what is 15% of 80". */
export const isSum = ({ text, data }: Pick<Clause, 'text' | 'data'>): boolean => data === undefined && SUM.test(text);

/** The placeholder for what step `n` came to, which the run replaces by the value: `{{2}}`, `{{2.total}}`. */
export const placeholder = (n: number, path = ''): string => `{{${n}${path}}}`;

/** Text in which nothing is taken for a reference. */
export const literal = (text: string): string => text.replaceAll('{{', '\\{{');

/** References that are meant as such wherever they stand: `{{2.total}}`, "step 2", "the result of step 2". */
export const explicitReferences = (text: string): string =>
  text
    .replace(PLACEHOLDER, (_, n: string, path: string) => placeholder(Number(n), path))
    .replace(STEP, (_, ...n: (string | undefined)[]) => placeholder(Number(n[0] ?? n[1] ?? n[2])));

/**
 * An operand: explicit references in it become placeholders, and one that is nothing but "it", "the result", "that" … the
 * placeholder of the step before. "the list" and "the text" are "it" only when there is a step before.
 */
export function operand(text: string, { it }: Pick<Clause, 'it'>): string {
  const plain = text.trim();
  if (it !== undefined && ONLY_IT.test(plain)) return placeholder(it);
  return explicitReferences(plain);
}

/** For expressions: every single "it" or "the result" in the text becomes the placeholder too. */
export function withReferences(text: string, { it }: Pick<Clause, 'it'>): string {
  const explicit = explicitReferences(text);
  return it === undefined ? explicit : explicit.replace(IT, placeholder(it));
}

/** What the task works on: the pasted data, else the operand; undefined when there is neither and nothing before. */
export function subject(text: string | undefined, clause: Clause): string | undefined {
  if (clause.data !== undefined) return clause.data;
  const own = text?.trim() ?? '';
  if (own !== '') return operand(own, clause);
  return clause.it === undefined ? undefined : placeholder(clause.it);
}

/** Text in matching quotation marks without them; else as it is. */
export const unquote = (text: string): string =>
  /^(["'“‘«`])([\s\S]*)(["'”’»`])$/.exec(text.trim())?.[2] ?? text.trim();
