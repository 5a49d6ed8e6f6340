import { Type } from 'typebox';

const METADATA = 'metadata.';

/** A query without other parameters than these and `metadata.KEY`. */
export const listQuery = <T extends Parameters<typeof Type.Object>[0]>(properties: T) =>
  Type.Object(properties, {
    additionalProperties: false,
    patternProperties: { '^metadata\\.[a-z0-9_-]{1,40}$': Type.String({ maxLength: 500 }) },
  });

/** The pairs of `metadata.KEY=VALUE`. */
export const pairsIn = (query: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query)
      .filter(([name]) => name.startsWith(METADATA))
      .map(([name, value]) => [name.slice(METADATA.length), String(value)]),
  );
