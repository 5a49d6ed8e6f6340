import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Fault } from '../core/error.ts';
import { AppError } from '../core/error.ts';
import { escapeName } from './json.ts';

interface SchemaError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: object;
  readonly message: string;
}

const FAULTS_MOST = 20;

/**
 * A compiled check of a schema: throws AppError `validation_error`, with each wrong place, unless the value fits. `prefix` is put before each pointer: where in the request the value stands.
 */
export function compileCheck(schema: TSchema, prefix = ''): (value: unknown) => void {
  const validator = Compile(schema);
  return (value) => {
    if (validator.Check(value)) return;
    const faults = collect(validator.Errors(value) as unknown as SchemaError[], prefix);
    throw new AppError('validation_error', summary(faults), { faults });
  };
}

const summary = (faults: readonly Fault[]): string => {
  const [first] = faults;
  if (first === undefined) return 'The request does not have the form that is wanted here.';
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more, see errors)` : '';
  return first.pointer === '' ? first.message + more : `${first.pointer}: ${first.message}${more}`;
};

function collect(errors: readonly SchemaError[], prefix: string): Fault[] {
  const faults = new Map<string, Fault>();
  for (const error of errors) {
    for (const fault of faultsOf(error, prefix)) {
      // One sentence a place is enough; a union reports each of its branches.
      if (!faults.has(fault.pointer)) faults.set(fault.pointer, fault);
    }
  }
  return [...faults.values()].slice(0, FAULTS_MOST);
}

function faultsOf({ keyword, instancePath, params, message }: SchemaError, prefix: string): Fault[] {
  const at = prefix + instancePath;
  const p = params as Record<string, unknown>;
  const under = (names: readonly string[], text: string): Fault[] =>
    names.map((name) => ({ pointer: `${at}/${escapeName(name)}`, message: text }));
  switch (keyword) {
    case 'required':
      return under((p.requiredProperties ?? []) as string[], 'This is needed.');
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return under(
        (p.additionalProperties ?? p.unevaluatedProperties ?? []) as string[],
        'There is no such field. Remove it, or check its spelling.',
      );
    // What a false schema or a union as a whole adds is said better by the others.
    case 'boolean':
      return [];
    case 'type':
      return [{ pointer: at, message: `This must be ${typeNames(p.type as string)}.` }];
    case 'enum':
      return [{ pointer: at, message: `This must be one of ${((p.allowedValues ?? []) as unknown[]).join(', ')}.` }];
    case 'const':
      return [{ pointer: at, message: `This must be ${JSON.stringify(p.allowedValue)}.` }];
    case 'minLength':
      return [
        {
          pointer: at,
          message: p.limit === 1 ? 'This must not be empty.' : `This must have at least ${p.limit} characters.`,
        },
      ];
    case 'maxLength':
      return [{ pointer: at, message: `This may have at most ${p.limit} characters.` }];
    case 'format':
      return [{ pointer: at, message: `This must be a ${p.format}, such as 2026-11-20T08:00:00.000Z.` }];
    case 'pattern':
      return [{ pointer: at, message: 'This does not have the form that is wanted here.' }];
    case 'minProperties':
      return [{ pointer: at, message: 'Give at least one field.' }];
    default:
      return [{ pointer: at, message: `This ${message}.` }];
  }
}

const typeNames = (type: string | readonly string[] | undefined): string => {
  const names = (typeof type === 'string' ? [type] : (type ?? [])).map((name) =>
    name === 'null' ? 'null' : `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`,
  );
  return names.join(' or ') || 'of another type';
};
