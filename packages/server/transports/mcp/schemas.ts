import { type TObject, type TSchema, Type } from 'typebox';
import type { JsonObject } from './tool.ts';

/** What clients are told of a tool that reads. */
export const READS = { readOnlyHint: true, openWorldHint: false } as const;
export const Limit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 100, description: 'How many at most; 20 by default.' }),
);
export const Cursor = Type.Optional(Type.String({ maxLength: 400, description: '`next_cursor` of the page before.' }));

/** The properties of a schema of an object, without some. */
export function propertiesOf(schema: TSchema | undefined, without: readonly string[] = []): Record<string, TSchema> {
  const { properties = {} } = (schema ?? {}) as Partial<TObject>;
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !without.includes(name)));
}

/** The schema with the properties that it requires, as it stands in the API. */
export const like = (
  schema: TSchema | undefined,
  properties: Record<string, TSchema>,
  required: readonly string[],
): TSchema =>
  ({
    type: 'object',
    properties,
    required: [...((schema as { readonly required?: string[] } | undefined)?.required ?? []), ...required].filter(
      (name, at, all) => name in properties && all.indexOf(name) === at,
    ),
    additionalProperties: false,
  }) as unknown as TSchema;

/** Arguments as the texts of a query. */
export const queryOf = (args: JsonObject): Record<string, string> =>
  Object.fromEntries(Object.entries(args).map(([name, value]) => [name, String(value)]));
