import type { CallResult, Turn } from '@mailroom/behavior/model';

/** Limits of a model's work on one message. */
export interface ModelLimits {
  /** Maximum calls of the model. */
  readonly steps: number;
  /** Maximum input and output tokens of all calls together. */
  readonly tokens: number;
  /** Maximum time of the whole run. */
  readonly ms: number;
}

/** The state of a model's run as JSON, so that another process can continue it. */
export interface ModelState {
  /** The earlier thread, the turns so far, and last the model's turn whose calls are being made. */
  readonly turns: readonly Turn[];
  /** Results of that turn's calls, in order. */
  readonly results: readonly CallResult[];
  readonly tainted: boolean;
  readonly asked: number;
  readonly tokens: number;
  readonly ms: number;
  /** Calls in a row that could not be made. */
  readonly wrong: number;
  /** The positions in that turn of the calls that wait for the owner; beside it, those that are approved. */
  readonly waiting: readonly number[];
  readonly granted: readonly number[];
}

/** The state before the model's first turn. */
export const firstState = (turns: readonly Turn[], tainted: boolean): ModelState => ({
  turns,
  results: [],
  tainted,
  asked: 0,
  tokens: 0,
  ms: 0,
  wrong: 0,
  waiting: [],
  granted: [],
});
