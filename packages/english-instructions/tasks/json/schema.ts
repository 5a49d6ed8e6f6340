import { closed } from '@mailroom/behavior/values/closed';
import { type Static, Type } from 'typebox';

export const Input = closed({
  op: Type.Enum(['parse', 'format', 'minify', 'validate', 'query', 'keys', 'length', 'to_csv', 'from_csv'], {
    description: 'format indents; query takes a JMESPath `expression`; to_csv and from_csv convert lists of objects.',
  }),
  json: Type.Unknown({
    description: 'JSON as text of up to 256 KB, or its value; for from_csv the CSV with a header row.',
  }),
  'expression?': Type.String({ maxLength: 2_000, description: 'query: JMESPath, as in items[?price > `10`].name' }),
  'indent?': Type.Integer({ minimum: 1, maximum: 8, description: 'format: spaces a level. Default 2.' }),
});
export type Input = Static<typeof Input>;

export const Output = closed({
  result: Type.Unknown({
    description:
      'parse, query: the value; format, minify, to_csv: text; validate: whether it is valid; keys: the names; length: how many; from_csv: a list of objects.',
  }),
  'error?': Type.String({ description: 'validate: what is wrong.' }),
  'line?': Type.Integer(),
  'column?': Type.Integer(),
  'rows?': Type.Integer({ description: 'to_csv, from_csv: without the header.' }),
});
export type Output = Static<typeof Output>;
