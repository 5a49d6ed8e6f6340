/** The parts of a JSON Schema (2020-12) that the service's document uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly additionalProperties?: boolean | Schema;
  /** Answered only to requests with this preference. */
  readonly 'x-preference'?: string;
}

/** The type that a `$ref` names. */
export const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

/** The schemas of JSON answers, each by itself; the clients send no preferences. */
export const answersIn = (
  contents: readonly Readonly<Record<string, { readonly schema?: Schema }>>[],
  schemas: Readonly<Record<string, Schema>>,
): readonly Schema[] =>
  contents
    .flatMap((one) => one['application/json']?.schema ?? [])
    .flatMap((one) => one.anyOf ?? one)
    .filter(({ $ref = '' }) => schemas[nameOf($ref)]?.['x-preference'] === undefined);

const SIMPLE: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** A schema as a TypeScript type. */
export function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map((value) => JSON.stringify(value)));
  const either = schema.anyOf ?? schema.oneOf;
  if (either !== undefined) return union(either.map(typeOf));
  if (schema.allOf !== undefined) return schema.allOf.map((one) => `(${typeOf(one)})`).join(' & ');
  if (typeof schema.type === 'object') return union(schema.type.map((type) => typeOf({ ...schema, type })));
  if (schema.type === 'array') return `readonly (${schema.items === undefined ? 'unknown' : typeOf(schema.items)})[]`;
  if (schema.type === 'object') return objectType(schema);
  return SIMPLE[schema.type ?? ''] ?? 'unknown';
}

const union = (types: readonly string[]): string =>
  types.includes('unknown') ? 'unknown' : [...new Set(types)].join(' | ') || 'never';

function objectType({ properties, required = [], additionalProperties }: Schema): string {
  if (properties === undefined) {
    const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown';
    return `{ readonly [name: string]: ${value} }`;
  }
  const members = Object.entries(properties).map(([name, schema]) => {
    const key = /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name);
    const optional = !required.includes(name);
    const type = typeOf(schema);
    return `${comment(schema.description)}readonly ${key}${optional ? '?' : ''}: ${type}${optional && type !== 'unknown' ? ' | undefined' : ''};`;
  });
  return `{\n${members.join('\n')}\n}`;
}

/** A description as a comment on lines of its own. */
export const comment = (text: string | undefined): string => {
  if (text === undefined || text === '') return '';
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  return lines.length === 1
    ? `/** ${lines[0]} */\n`
    : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
};
