import { closed } from '@mailroom/behavior/values/closed';
import { words } from '@mailroom/behavior/values/words';
import { type Static, Type } from 'typebox';

const COMPARISONS = words('equal not_equal more less at_least at_most contains starts_with ends_with empty not_empty');
export type Comparison = (typeof COMPARISONS)[number];

const column = Type.String({ minLength: 1, maxLength: 500, description: 'The name of a column.' });

export const Condition = closed({
  column,
  is: Type.Enum([...COMPARISONS]),
  'values?': Type.Array(Type.String({ maxLength: 2_000 }), {
    maxItems: 20,
    description: 'What the cell is compared with; one of several for `equal`. None for `empty` and `not_empty`.',
  }),
});
export type Condition = Static<typeof Condition>;

const Order = closed({
  column,
  'descending?': Type.Boolean(),
  'as?': Type.Enum(['text', 'number'], { description: 'By default number when all its cells are.' }),
});
export type Order = Static<typeof Order>;

const CALCULATIONS = ['sum', 'average', 'median', 'highest', 'lowest'] as const;
export type Calculation = (typeof CALCULATIONS)[number];

export const Input = closed({
  op: Type.Enum([...CALCULATIONS, 'count', 'columns', 'rows', 'values'], {
    description:
      'count: how many rows; columns: their names; rows: those of `where`, ordered by `order`; values: the cells of a column in these rows.',
  }),
  table: Type.Unknown({ description: 'CSV with a header row as text of up to 256 KB, or a JSON list of objects.' }),
  'column?': column,
  'where?': Type.Array(Condition, { maxItems: 10, description: 'Only rows for which all of these hold.' }),
  'drop?': Type.Boolean({ description: 'rows: those for which `where` does not hold.' }),
  'order?': Type.Array(Order, { minItems: 1, maxItems: 5, description: 'rows: sorted by these.' }),
  'limit?': Type.Integer({
    minimum: 1,
    maximum: 100_000,
    description: 'rows: only so many, and those that equal the last one.',
  }),
  'at?': Type.Integer({
    minimum: -100_000,
    maximum: 100_000,
    description: 'rows, values: only the row at this place, from 1, or from the end with −1.',
  }),
  'columns?': Type.Array(column, { minItems: 1, maxItems: 100, description: 'rows: only these columns.' }),
  'unique?': Type.Boolean({ description: 'values: each value once.' }),
  'by?': Type.String({
    minLength: 1,
    maxLength: 500,
    description: 'A column: one result for each of its values. Not for rows.',
  }),
  'skip?': Type.Enum(['empty', 'no_numbers'], {
    description: 'Leaves out rows whose cell is empty, or is no plain number.',
  }),
});
export type Input = Static<typeof Input>;

export const Output = closed({
  result: Type.Unknown({
    description:
      'The number, as text where a JSON number would not be exact; count: how many; columns: the names; values: a list; rows: a list of objects, or CSV when the table was CSV; with `by` a list of {value, result}.',
  }),
  rows: Type.Integer({ description: 'The rows it is about, without the header.' }),
  of: Type.Integer({ description: 'All rows of the table, without the header.' }),
  'left_out?': Type.Integer({ description: 'Rows that `skip` left out.' }),
  'rounded?': Type.Boolean({ description: 'Whether the quotient has more digits.' }),
});
export type Output = Static<typeof Output>;
