import type { TSchema } from 'typebox';
import { Check, Compile, Errors, type Validator } from 'typebox/schema';

/** Validators of this build's own schemas, compiled on first use; owners' schemas are never compiled into code. */
const validators = new WeakMap<TSchema, Validator | null>();

/** Marks a schema of this build as safe to compile, which makes validation about fifty times as fast. */
export const trust = (schema: TSchema): void => {
  if (!validators.has(schema)) validators.set(schema, null);
};

export function fits(schema: TSchema, value: unknown): boolean {
  const compiled = validators.get(schema);
  if (compiled === undefined) return Check(schema, value);
  const validator = compiled ?? Compile(schema);
  if (compiled === null) validators.set(schema, validator);
  return validator.Check(value);
}

interface SchemaError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly message: string;
  readonly params?: { readonly additionalProperties?: readonly string[]; readonly allowedValues?: readonly unknown[] };
}

/** The first validation error as a sentence with its place. */
export function errorOf(schema: TSchema, value: unknown): string {
  const [, found] = Errors(schema, value);
  const errors = found as readonly SchemaError[];
  const extra = errors.find(({ keyword }) => keyword === 'additionalProperties')?.params?.additionalProperties?.[0];
  if (extra !== undefined) return `"${extra.slice(0, 40)}" is nothing that it takes.`;
  const first = errors.find(({ keyword }) => keyword !== 'boolean');
  if (first === undefined) return 'It does not have the form that this task takes.';
  const where = first.instancePath === '' ? 'It' : first.instancePath.slice(1);
  const allowed = first.params?.allowedValues;
  if (allowed !== undefined) return `${where} must be one of ${allowed.slice(0, 30).join(', ')}.`;
  return `${where} ${first.message}.`;
}
