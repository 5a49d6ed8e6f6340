import type { Clause, Planned } from '../clause.ts';
import type { Table } from '../table/table.ts';

/** What the meaning of words depends on besides the words. */
export type Setting = Pick<Clause, 'it' | 'after' | 'previous' | 'tasks' | 'now' | 'time_zone'> & {
  /** The language named at a fenced text. */
  readonly language?: string | undefined;
  /** The table that the instruction is about, for the names of its columns. */
  readonly table?: Table | undefined;
  /** Whether the table was made of items with amounts, so that its text is not what was written. */
  readonly fromItems?: boolean;
  /** Whether line breaks in it were replaced by commas. */
  readonly lined?: boolean;
};

/** Free text in an instruction. */
export interface Free {
  readonly text: string;
  /** The tokens from and to which it goes. */
  readonly from: number;
  readonly to: number;
  /** Whether line breaks in it were replaced by commas. */
  readonly lined?: boolean;
}

/** A day or a moment in words that `time` reads, and a length after it, or before it with a minus sign. */
export interface Moment {
  readonly text: string;
  readonly length?: string;
  readonly timed?: boolean;
  /** Whether it is a phrase that asks for a date by itself, as "the third Thursday of November". */
  readonly asks?: boolean;
}

/** What a whole instruction asks for: steps in their order. */
export interface Request {
  readonly steps: readonly Planned[];
  /** An instruction that means only this, where it differs from another reading. */
  readonly says?: string;
  /** What is missing, as a question; `again`: the whole instruction with `{}` in place of the answer. */
  readonly ask?: string;
  readonly again?: string;
  /** Whole instructions that the sender may choose from. */
  readonly suggestions?: readonly string[];
}

/** A request of one step. */
export const asks = (task: string, input: Planned['input'], says?: string): Request => ({
  steps: [{ task, input }],
  ...(says !== undefined && { says }),
});

/** A request whose answer is this text. */
export const answering = (text: string): Request => asks('text', { op: 'say', text });

/** A request of a task in which something is missing. */
export const question = (task: string, ask: string, again: string): Request => ({
  steps: [{ task, input: {} }],
  ask,
  again,
});
