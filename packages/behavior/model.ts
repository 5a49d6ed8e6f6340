import type { Json } from './values/json.ts';

/** A tool call that a model requested. */
export interface Call {
  /** Pairs it with its result; unique within a step. */
  readonly id: string;
  /** As the model wrote it; such a tool may not exist. */
  readonly name: string;
  /** A JSON object, not validated against the tool's schema; where `invalid` is set, perhaps only the model's text. */
  readonly input: Json;
  /** Why it cannot be called, in a sentence for the model: no such tool, or arguments that are not a JSON object. */
  readonly invalid?: string;
}

/** The result of a call. */
export interface CallResult {
  readonly id: string;
  readonly name: string;
  /** A string is sent as it is, everything else as JSON. */
  readonly output: Json;
  readonly failed?: boolean;
}

/**
 * A part of a conversation. Plain JSON, so that a conversation can be stored and continued by another process. Each call
 * of an assistant's turn needs its result in the following tool's turn.
 */
export type Turn =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly Call[] }
  | { readonly role: 'tool'; readonly results: readonly CallResult[] };

/** A tool as it is described to a model. */
export interface Tool {
  /** Of `[a-zA-Z0-9_-]`, up to 64. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly input: Json;
}

/** A model's answer in one turn. */
export interface ModelStep {
  readonly text: string;
  readonly calls: readonly Call[];
  /** As counted by the server, or else the characters on the wire divided by four. */
  readonly tokens: { readonly input: number; readonly output: number };
  /**
   * `calls`: it waits for results. `length`: cut at `max_tokens`, or at the model's own limit. `other`: for example a
   * filter.
   */
  readonly finish: 'stop' | 'calls' | 'length' | 'other';
}

/** A request for one turn of a model. */
export interface StepRequest {
  readonly system: string;
  /** Ends with a user's or a tool's turn. */
  readonly messages: readonly Turn[];
  readonly tools: readonly Tool[];
  readonly signal: AbortSignal;
  /** Called with each piece of the text as it arrives; must not throw. */
  readonly onText?: (delta: string) => void;
  /** Maximum tokens of the answer. */
  readonly max_tokens: number;
}

/** A language model, as the operator set it. */
export interface LanguageModel {
  /** Its name on its server. */
  readonly name: string;
  /**
   * One turn of a conversation; the caller decides about each call that the model requests. A status that may be
   * temporary is retried once. Rejects with a `ModelError`, or with the signal's reason.
   */
  step(request: StepRequest): Promise<ModelStep>;
}

/**
 * A model that did not answer. `down`: unreachable, too slow, disconnected, overloaded, or not open to this key; a later
 * attempt or another setting may help. `refused`: the request was refused and always will be. `garbled`: the response is
 * not a valid answer. Neither the message nor a cause holds anything of the key, the prompts or the answer.
 */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly reason: 'down' | 'refused' | 'garbled';
  constructor(reason: ModelError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * The mailbox may use no more tokens today, so that the model was not asked. The message says so in words for the sender; a
 * behavior that does not catch it has the message rejected with `budget_exceeded`.
 */
export class BudgetError extends Error {
  override readonly name = 'BudgetError';
}

/** An estimate, accurate enough for a budget where the server does not count. */
const CHARACTERS_A_TOKEN = 4;
/** The tokens of a text of that many characters, or of values as JSON text. */
export const estimateTokens = (...parts: readonly unknown[]): number =>
  Math.ceil(
    parts.reduce<number>((sum, part) => sum + (typeof part === 'number' ? part : JSON.stringify(part).length), 0) /
      CHARACTERS_A_TOKEN,
  );
