import type { CallResult, Turn } from '../../model/turn.ts';

/** What a model may take for a message. */
export interface ModelLimits {
  /** How often it is asked. */
  readonly steps: number;
  /** Both ways, of all turns together. */
  readonly tokens: number;
  /** Of the whole run. */
  readonly ms: number;
}

/** Where a model's run is, as JSON, so that another process can go on with it. */
export interface ModelState {
  /** Begins with the thread before; ends with what is under way: a model's turn whose calls are being made. */
  readonly turns: readonly Turn[];
  /** Of that turn's calls, in their order, as far as they were made. */
  readonly results: readonly CallResult[];
  readonly tainted: boolean;
  readonly asked: number;
  readonly tokens: number;
  readonly ms: number;
  /** Calls in a row that could not be made. */
  readonly wrong: number;
  /** Of that turn's calls: those that the owner is asked about, and those that were approved, by their place in it. */
  readonly waiting: readonly number[];
  readonly granted: readonly number[];
}

/** Before the model was asked for the first time. */
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
