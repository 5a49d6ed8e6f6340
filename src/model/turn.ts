import type { Json } from '../core/values/json.ts';

/** A tool that a model asked to be called. */
export interface Call {
  /** Pairs it with its result. Never the same twice in a step. */
  readonly id: string;
  /** As the model wrote it: not always the name of a tool there is. */
  readonly name: string;
  /** A JSON object, not checked against the tool's schema; where `invalid` is set, perhaps only what the model wrote. */
  readonly input: Json;
  /** Why it cannot be called, in a sentence the model can be told: no such tool, or arguments that are no JSON object. */
  readonly invalid?: string;
}

/** What came of a call. */
export interface CallResult {
  readonly id: string;
  readonly name: string;
  /** A string is sent as it is, all else as JSON. */
  readonly output: Json;
  readonly failed?: boolean;
}

/**
 * A part of a conversation. Plain JSON, so that a conversation can be kept and carried on by another process. Each call
 * of an assistant's turn needs its result in the tool's turn behind it.
 */
export type Turn =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly Call[] }
  | { readonly role: 'tool'; readonly results: readonly CallResult[] };

/** A tool as a model is told of it. */
export interface Tool {
  /** Of `[a-zA-Z0-9_-]`, up to 64. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly input: Json;
}

/** What a model answered in one turn. */
export interface ModelStep {
  readonly text: string;
  readonly calls: readonly Call[];
  /** As the server counted; where it did not, the characters on the wire divided by four. */
  readonly tokens: { readonly input: number; readonly output: number };
  /** `calls`: it wants results. `length`: cut at `max_tokens`, or at the model's own limit. `other`: a filter, say. */
  readonly finish: 'stop' | 'calls' | 'length' | 'other';
}
