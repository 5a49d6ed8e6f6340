/** The parts of an OpenAPI 3.1 document that the pages read. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface Content {
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, Content>>;
  readonly 'x-codes'?: readonly string[];
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly 'x-scope'?: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, Response>>;
}

export interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly headers: Readonly<Record<string, { readonly description: string }>>;
  };
}

/** An operation with its path and method. */
export interface Endpoint extends Operation {
  readonly method: string;
  readonly path: string;
}

/** Every operation, in the document's order. */
export const endpointsOf = (document: ApiDocument): readonly Endpoint[] =>
  Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );

export const nameOf = (schema: Schema): string | undefined => schema.$ref?.split('/').at(-1);

/** The schema that a reference points to, with the description beside the reference. */
export function resolve(schema: Schema, document: ApiDocument): Schema {
  const name = nameOf(schema);
  if (name === undefined) return schema;
  const { $ref: _, ...beside } = schema;
  return { ...document.components.schemas[name], ...beside };
}

/** The codes an operation may answer with and the status of each. */
export const codesOf = (operation: Operation): readonly { readonly code: string; readonly status: string }[] =>
  Object.entries(operation.responses).flatMap(([status, response]) =>
    (response['x-codes'] ?? []).map((code) => ({ code, status })),
  );

/** The codes that every operation may answer with, listed once for all. */
export function codesOfAll(document: ApiDocument): ReadonlySet<string> {
  const sets = endpointsOf(document).map((endpoint) => new Set(codesOf(endpoint).map(({ code }) => code)));
  const [first, ...others] = sets;
  return others.reduce((common, set) => common.intersection(set), first ?? new Set<string>());
}
