import type { TSchema } from 'typebox';

type Json = unknown;

/** Keywords that say nothing about the form of a value, or limit what this service writes within limits anyway. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'title',
  'description',
  'examples',
  'default',
  'minLength',
  'maxLength',
  'pattern',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'uniqueItems',
]);

/**
 * A schema of what is returned, which the same values match, with its types, names, choices and what is required: each
 * byte of a list of tools is paid for by clients, with each conversation.
 */
export const compactSchema = (schema: TSchema): TSchema => compact(schema) as TSchema;

function compact(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map((one) => compact(one));
  if (typeof schema !== 'object' || schema === null) return schema;
  const smaller: Record<string, Json> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (LEFT_OUT.has(keyword)) continue;
    smaller[keyword] =
      keyword === 'properties'
        ? Object.fromEntries(Object.entries(value as object).map(([name, one]) => [name, compact(one)]))
        : NAMES.has(keyword)
          ? value
          : compact(value);
  }
  return withNull(smaller);
}

/** Keywords whose values are values, not schemas. */
const NAMES: ReadonlySet<string> = new Set(['enum', 'const', 'required', 'type']);

/** `{anyOf: [{type: T}, {type: null}]}` as `{type: [T, null]}`. */
function withNull({ anyOf, ...more }: Record<string, Json>): Json {
  if (anyOf === undefined) return more;
  const [one, none, other] = anyOf as readonly Record<string, Json>[];
  const plain = other === undefined && none?.type === 'null' && typeof one?.type === 'string' && !('enum' in one);
  return plain ? { ...one, type: [one.type, 'null'], ...more } : { anyOf, ...more };
}
