import { AppError, type FieldError } from '@mailroom/behavior/values/error';
import type { TSchema } from 'typebox';
// Not `typebox/compile`, which also loads what changes values, in 140 modules.
import { Compile } from 'typebox/schema';
import { Settings } from 'typebox/system';
import { escapeName } from './json.ts';

interface SchemaError {
  readonly keyword: string;
  readonly instancePath: string;
  /** Where the schema has what does not hold, as `#/properties/to`. */
  readonly schemaPath: string;
  readonly params: object;
  readonly message: string;
}

const MAX_ERRORS = 20;
// The default stops at 8 errors, and a union reports one for each of its branches.
Settings.Set({ maxErrors: 100 });

/**
 * A check that throws AppError `validation_error` with each wrong place. `prefix`, the place of the value in the
 * request, is put before each pointer. The schema is compiled with the first value, because hundreds of them took a
 * fifth of the time of a start.
 */
export function compileCheck(schema: TSchema, prefix = ''): (value: unknown) => void {
  let validator: ReturnType<typeof Compile> | undefined;
  return (value) => {
    validator ??= Compile(schema);
    if (validator.Check(value)) return;
    const [, found] = validator.Errors(value);
    const errors = collect(found as unknown as SchemaError[], prefix, schema);
    throw new AppError('validation_error', summary(errors), { errors });
  };
}

/** Validates a behavior's settings; a schema is compiled on first use. */
export function settingsChecker(): (schema: TSchema, settings: unknown) => void {
  const checks = new Map<TSchema, (settings: unknown) => void>();
  return (schema, settings) => {
    const check = checks.get(schema) ?? compileCheck(schema, '/behavior/settings');
    checks.set(schema, check);
    check(settings);
  };
}

const summary = (errors: readonly FieldError[]): string => {
  const [first] = errors;
  if (first === undefined) return 'The request does not have the required form.';
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more, see errors)` : '';
  return first.pointer === '' ? first.message + more : `${first.pointer}: ${first.message}${more}`;
};

function collect(errors: readonly SchemaError[], prefix: string, schema: TSchema): FieldError[] {
  const problems = new Map<string, FieldError>();
  /** The allowed types per place, because a union reports each of its branches. */
  const types = new Map<string, string[]>();
  for (const error of errors) {
    const pointer = prefix + error.instancePath;
    if (error.keyword === 'type' && (types.has(pointer) || !problems.has(pointer))) {
      const wanted = [...(types.get(pointer) ?? []), (error.params as { readonly type: string }).type];
      types.set(pointer, wanted);
      problems.set(pointer, { pointer, message: `This must be ${typeNames(wanted)}.` });
    }
    for (const problem of errorsOf(error, prefix, schema)) {
      // One sentence per place.
      if (!problems.has(problem.pointer)) problems.set(problem.pointer, problem);
    }
  }
  const all = [...problems.values()];
  // What is wrong within a value says more than that another branch of a union wants another type.
  const isOfOtherBranch = ({ pointer }: FieldError): boolean =>
    types.has(pointer) && all.some((other) => other.pointer.startsWith(`${pointer}/`));
  return all.filter((one) => !isOfOtherBranch(one)).slice(0, MAX_ERRORS);
}

function errorsOf(
  { keyword, instancePath, schemaPath, params, message }: SchemaError,
  prefix: string,
  schema: TSchema,
): FieldError[] {
  const pointer = prefix + instancePath;
  const p = params as Record<string, unknown>;
  const under = (names: readonly string[], text: string): FieldError[] =>
    names.map((name) => ({ pointer: `${pointer}/${escapeName(name)}`, message: text }));
  switch (keyword) {
    case 'required':
      return under((p.requiredProperties ?? []) as string[], 'This is needed.');
    // Of a schema with `if`, whose `then` requires fields alone.
    case 'if':
      return under(
        (schema as { readonly then?: { readonly required?: string[] } }).then?.required ?? [],
        'This is needed.',
      );
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return under((p.additionalProperties ?? p.unevaluatedProperties ?? []) as string[], UNKNOWN);
    // Each unknown field is first reported as a wrong boolean, and their list may come after the last reported error.
    case 'boolean':
      return [{ pointer, message: UNKNOWN }];
    case 'type':
      return [];
    case 'enum':
      return [{ pointer, message: `This must be one of ${((p.allowedValues ?? []) as unknown[]).join(', ')}.` }];
    case 'const':
      return [{ pointer, message: `This must be ${JSON.stringify(p.allowedValue)}.` }];
    case 'minLength':
      return [
        {
          pointer,
          message: p.limit === 1 ? 'This must not be empty.' : `This must have at least ${String(p.limit)} characters.`,
        },
      ];
    case 'maxLength':
      return [{ pointer, message: `This may have at most ${String(p.limit)} characters.` }];
    case 'format':
      if (p.format === 'url')
        return [{ pointer, message: `A complete URL is needed here${suchAs(schema, schemaPath)}.` }];
      return [{ pointer, message: `This must be a ${String(p.format)}, such as 2026-11-20T08:00:00.000Z.` }];
    case 'pattern':
      return [{ pointer, message: `This does not have the form that is wanted here${suchAs(schema, schemaPath)}.` }];
    case 'minProperties':
      return [{ pointer, message: 'Give at least one field.' }];
    default:
      return [{ pointer, message: `This ${message}.` }];
  }
}

/** The first example of the schema at this path, for a sentence. */
function suchAs(schema: TSchema, path: string): string {
  let at: unknown = schema;
  for (const name of path.split('/').slice(1)) at = (at as Record<string, unknown> | undefined)?.[name];
  const [example] = (at as { readonly examples?: readonly unknown[] } | undefined)?.examples ?? [];
  return typeof example === 'string' ? `, such as ${example}` : '';
}

const UNKNOWN = 'There is no such field. Remove it, or check its spelling.';

const typeNames = (types: readonly (string | readonly string[])[]): string =>
  types
    .flat()
    .map((name) => (name === 'null' ? 'null' : `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`))
    .join(' or ');
