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
export const compactSchema = (schema: TSchema): TSchema => compact(schema, LEFT_OUT) as TSchema;

/** What is said of arguments is read by models; their limits are checked by the API, which says each one that is passed. */
const LIMITS: ReadonlySet<string> = new Set([...LEFT_OUT].filter((keyword) => keyword !== 'description'));

/** A schema of arguments without their limits; of what may stand alone or in a list, the list. */
export const compactArguments = (schema: TSchema): TSchema => compact(schema, LIMITS) as TSchema;

function compact(schema: Json, leftOut: ReadonlySet<string>): Json {
  if (Array.isArray(schema)) return schema.map((one) => compact(one, leftOut));
  if (typeof schema !== 'object' || schema === null) return schema;
  const smaller: Record<string, Json> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (leftOut.has(keyword)) continue;
    smaller[keyword] =
      keyword === 'properties'
        ? Object.fromEntries(Object.entries(value as object).map(([name, one]) => [name, compact(one, leftOut)]))
        : NAMES.has(keyword)
          ? value
          : compact(value, leftOut);
  }
  return withNull(leftOut === LIMITS ? asList(smaller) : smaller);
}

/** Keywords whose values are values, not schemas. */
const NAMES: ReadonlySet<string> = new Set(['enum', 'const', 'required', 'type']);

/** The end of the description of what may stand alone or in a list. */
const ALONE = /,? or one alone.*$/;

/** `{anyOf: [T, {type: array, items: T}]}` as `{type: array, items: T}`. */
function asList({ anyOf, description, ...more }: Record<string, Json>): Record<string, Json> {
  const described = description === undefined ? {} : { description };
  if (anyOf === undefined) return { ...more, ...described };
  const [one, list, other] = anyOf as readonly Record<string, Json>[];
  const isEither = other === undefined && JSON.stringify(list?.items) === JSON.stringify(one);
  if (!isEither) return { anyOf, ...more, ...described };
  return { ...list, ...more, ...(typeof description === 'string' && { description: description.replace(ALONE, '.') }) };
}

/** `{anyOf: [{type: T}, {type: null}]}` as `{type: [T, null]}`. */
function withNull({ anyOf, ...more }: Record<string, Json>): Json {
  if (anyOf === undefined) return more;
  const [one, none, other] = anyOf as readonly Record<string, Json>[];
  const plain = other === undefined && none?.type === 'null' && typeof one?.type === 'string' && !('enum' in one);
  return plain ? { ...one, type: [one.type, 'null'], ...more } : { anyOf, ...more };
}
