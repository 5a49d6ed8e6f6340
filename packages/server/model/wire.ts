import { randomUUID } from 'node:crypto';
import type { Call, Tool, Turn } from '@mailroom/behavior/model';
import type { Json } from '@mailroom/behavior/values/json';
import type { JSONValue, ModelMessage, ToolSet } from 'ai';

type JsonObject = { readonly [name: string]: Json };

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Servers refuse a whole conversation over an invalid name, and a model may have invented one. */
const sendable = (name: string): string => name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || '_';

/** A conversation in the SDK's types. */
export function toMessages(turns: readonly Turn[]): ModelMessage[] {
  return turns.flatMap((turn): ModelMessage[] => {
    if (turn.role === 'user') return [{ role: 'user', content: turn.text }];
    if (turn.role === 'tool') {
      const content = turn.results.map(({ id, name, output, failed = false }) => ({
        type: 'tool-result' as const,
        toolCallId: id,
        toolName: sendable(name),
        output:
          typeof output === 'string'
            ? { type: failed ? ('error-text' as const) : ('text' as const), value: output }
            : { type: failed ? ('error-json' as const) : ('json' as const), value: output as JSONValue },
      }));
      return [{ role: 'tool', content }];
    }
    // Some servers refuse an empty turn, so it is left out.
    if (turn.text === '' && turn.calls.length === 0) return [];
    const text = turn.text === '' ? [] : [{ type: 'text' as const, text: turn.text }];
    const calls = turn.calls.map(({ id, name, input }) => ({
      type: 'tool-call' as const,
      toolCallId: id,
      toolName: sendable(name),
      // Templates of open models parse the arguments as an object and fail on anything else.
      input: isObject(input) ? input : {},
    }));
    return [{ role: 'assistant', content: [...text, ...calls] }];
  });
}

/** Tools without an implementation, so that the SDK returns their calls. `schema` is the SDK's `jsonSchema`. */
export const toTools = (tools: readonly Tool[], schema: typeof import('ai').jsonSchema): ToolSet =>
  Object.fromEntries(
    tools.map(({ name, description, input }) => [
      name,
      { description, inputSchema: schema<JsonObject>(input as Parameters<typeof schema>[0]) },
    ]),
  );

/** A call as the SDK parsed it. */
export interface ReadCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  readonly invalid?: boolean | undefined;
}

/** The calls of a step, each with a unique id and the reason why it is invalid, if it is. */
export function toCalls(read: readonly ReadCall[], tools: readonly Tool[]): Call[] {
  const ids = new Set<string>();
  return read.map(({ toolCallId, toolName: name, input, invalid = false }) => {
    const id = toolCallId === '' || ids.has(toolCallId) ? `call_${randomUUID()}` : toolCallId;
    ids.add(id);
    const call = { id, name, input: (input ?? null) as Json };
    if (!tools.some((tool) => tool.name === name))
      return { ...call, invalid: `There is no tool "${name.slice(0, 64)}".` };
    if (invalid || !isObject(input)) return { ...call, invalid: 'The arguments are not a JSON object.' };
    return call;
  });
}
