import { channel } from 'node:diagnostics_channel';
import {
  estimateTokens,
  type LanguageModel,
  ModelError,
  type ModelStep,
  type StepRequest,
} from '@mailroom/behavior/model';
import type * as ai from 'ai';
import { traceHeader } from '../core/ports/tracing.ts';
import { inTurns, TooMany } from '../core/values/in-turns.ts';
import { asModelError } from './error.ts';
import { type ReadCall, toCalls, toMessages, toTools } from './wire.ts';

export interface ModelOptions {
  /** The part before `/chat/completions`: `http://localhost:11434/v1`. */
  readonly base_url: string;
  /** The model's name on the server. */
  readonly name: string;
  /** Sent as `Authorization: Bearer`. */
  readonly api_key?: string | undefined;
  /** Maximum time of a step in ms, including its retry. */
  readonly step_ms: number;
}

/** Published at the end of each step, for metrics. */
export const MODEL_STEPPED = 'mailroom:model:stepped';
export interface ModelStepped {
  readonly name: string;
  readonly outcome: 'answered' | ModelError['reason'] | 'canceled';
  readonly ms: number;
  /** Undefined when there was no answer. */
  readonly tokens: ModelStep['tokens'] | undefined;
}
const stepped = channel(MODEL_STEPPED);

/** Maximum bytes of an answer on the wire, at about 200 per token, so that an endless response cannot fill the memory. */
const MAX_ANSWER = 16 * 1024 * 1024;
/** Maximum events of a streamed answer, of which each has a token or more. */
const MAX_EVENTS = 100_000;

/** Waits for the rest of a stream until the signal aborts; rejects with the signal's reason. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

interface Sdk {
  readonly streamText: typeof import('ai').streamText;
  readonly jsonSchema: typeof import('ai').jsonSchema;
  readonly model: ai.LanguageModel;
}

/** A language model behind any server with OpenAI's chat completions: Ollama, vLLM, a provider. */
export class Model implements LanguageModel {
  /** The model's name on the server. */
  readonly name: string;
  // Private, so that neither a log nor a dump of the object shows the key.
  readonly #options: ModelOptions;
  #sdk: Promise<Sdk> | undefined;

  constructor(options: ModelOptions) {
    this.name = options.name;
    this.#options = options;
  }

  async step(request: StepRequest): Promise<ModelStep> {
    request.signal.throwIfAborted();
    const from = performance.now();
    const publish = (outcome: ModelStepped['outcome'], tokens?: ModelStep['tokens']): void => {
      if (!stepped.hasSubscribers) return;
      stepped.publish({ name: this.name, outcome, ms: performance.now() - from, tokens } satisfies ModelStepped);
    };
    try {
      const step = await this.#inTime(request);
      publish('answered', step.tokens);
      return step;
    } catch (error) {
      publish(error instanceof ModelError ? error.reason : 'canceled');
      throw error;
    }
  }

  async #inTime(request: StepRequest): Promise<ModelStep> {
    const { signal } = request;
    const deadline = AbortSignal.timeout(this.#options.step_ms);
    // Also ends the request when this side stops for any other reason.
    const done = new AbortController();
    const either = AbortSignal.any([signal, deadline, done.signal]);
    try {
      return await unlessAborted(this.#ask(request, either), either);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (deadline.aborted) {
        throw new ModelError('down', `The model took longer than ${this.#options.step_ms / 1000} s.`);
      }
      throw asModelError(error);
    } finally {
      done.abort();
    }
  }

  async #ask({ system, messages, tools, onText, max_tokens }: StepRequest, signal: AbortSignal): Promise<ModelStep> {
    this.#sdk ??= load(this.#options);
    const { streamText, jsonSchema, model } = await this.#sdk;
    const { stream } = streamText({
      model,
      instructions: system,
      messages: toMessages(messages),
      ...(tools.length > 0 && { tools: toTools(tools, jsonSchema) }),
      maxOutputTokens: max_tokens,
      maxRetries: 1,
      abortSignal: signal,
      telemetry: { isEnabled: false },
      // The SDK's default prints the error, which holds the prompt.
      onError: () => {},
    });
    const parts: string[] = [];
    const calls: ReadCall[] = [];
    let thought = 0;
    for await (const part of stream) {
      switch (part.type) {
        case 'text-delta':
          parts.push(part.text);
          onText?.(part.text);
          break;
        case 'reasoning-delta':
          thought += part.text.length;
          break;
        case 'tool-call':
          calls.push(part);
          break;
        case 'error':
          throw part.error;
        case 'abort':
          throw signal.reason;
        case 'finish': {
          const text = parts.join('');
          const toolCalls = toCalls(calls, tools);
          const inputTokens = countOf(part.totalUsage.inputTokens);
          const outputTokens = countOf(part.totalUsage.outputTokens);
          const tokens = {
            input: inputTokens ?? estimateTokens(system, messages, tools),
            output: outputTokens ?? estimateTokens(text, toolCalls, thought),
          };
          return { text, calls: toolCalls, tokens, finish: finishOf(part.finishReason, toolCalls.length > 0) };
        }
      }
    }
    throw new ModelError('down', "The model's answer broke off.");
  }
}

/** A count of a server; undefined for what is none, such as one below 0, which would add to a budget. */
const countOf = (count: number | undefined): number | undefined =>
  count !== undefined && Number.isSafeInteger(count) && count >= 0 ? count : undefined;

/** Some servers finish with "stop" even with calls. */
const finishOf = (reason: string, called: boolean): ModelStep['finish'] => {
  if (reason === 'length') return 'length';
  if (called) return 'calls';
  return reason === 'stop' ? 'stop' : 'other';
};

/** Loaded on first use, because the SDK takes a quarter of a second and 30 MB. */
async function load({ base_url, name, api_key }: ModelOptions): Promise<Sdk> {
  const [{ streamText, jsonSchema }, { createOpenAICompatible }] = await Promise.all([
    import('ai'),
    import('@ai-sdk/openai-compatible'),
  ]);
  // The SDK's warnings would bypass this service's log.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const provider = createOpenAICompatible({
    name: 'model',
    baseURL: base_url,
    ...(api_key !== undefined && { apiKey: api_key }),
    includeUsage: true,
    fetch: bounded,
  });
  return { streamText, jsonSchema, model: provider.chatModel(name) };
}

/** `fetch` that follows no redirects, as prompts are private, and reads at most `MAX_ANSWER`. */
const bounded: typeof fetch = async (input, init) => {
  const headers = new Headers(init?.headers);
  for (const [name, value] of Object.entries(traceHeader())) headers.set(name, value);
  const response = await fetch(input, { ...init, headers, redirect: 'manual' });
  if (response.body === null) return response;
  const { status, statusText, headers: received } = response;
  return new Response(ReadableStream.from(endingOf(response.body)), { status, statusText, headers: received });
};

async function* endingOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const endless = new ModelError('garbled', "The model's answer never ended.");
  let read = 0;
  const measured = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      read += chunk.byteLength;
      if (read > MAX_ANSWER) throw endless;
      yield chunk;
    }
  };
  try {
    yield* inTurns(measured(), { max_events: MAX_EVENTS });
  } catch (error) {
    throw error instanceof TooMany ? endless : error;
  }
}
