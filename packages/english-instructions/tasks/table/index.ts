import { indentedJson } from '@mailroom/behavior/values/indented-json';
import type { Json } from '@mailroom/behavior/values/json';
import { askedOfTable, readBy } from '../grammar/index.ts';
import { task } from '../task.ts';
import { listed, plainly, verbatim } from '../text/input.ts';
import { runTable } from './run.ts';
import { type Condition, Input, Output, type Output as Result } from './schema.ts';
import { textOf } from './table.ts';

/** Works on CSV with a header row, and on lists of objects: calculates with a column, counts, chooses and sorts rows. */
export const table = task<typeof Input, typeof Output>({
  name: 'table',
  description:
    'Works on tables (CSV with a header row, or a JSON list of objects): sum, average, median, highest and lowest of a column, all of them by groups (`by`), counts rows, rows with conditions, sorted by columns.',
  input: Input,
  output: Output,
  effects: 'none',
  repeatable: true,
  examples: [
    'average age: [{"name":"Ann","age":31},{"name":"Bob","age":40}]',
    'sum the column price: item,price\npear,2.50\nplum,1.25',
    'average of the amount column: day,amount\nMonday,3\nTuesday,4',
    'rows where city is Berlin: name,city\nAnn,Berlin\nBob,Paris',
    'sort the rows by price descending: item,price\npear,2.50\nplum,1.25',
  ],
  read: (clause) => readBy('table')(clause) ?? askedOfTable(clause),
  run: (input, { limits }) => runTable(input, limits.output_bytes),
  show,
});

function show(output: Result, input: Input): string {
  const { result, rows, of: total, left_out, rounded } = output;
  const { op } = input;
  if (op === 'columns') return listed(result as string[]);
  if (op === 'values') return valuesText(result as readonly Json[], conditionText(input));
  const which = conditionText(input);
  const all = `${rows === total ? '' : `${rows} of `}${total} ${total === 1 ? 'row' : 'rows'}`;
  if (op === 'rows') {
    const shown = typeof result === 'string' ? verbatim(result) : verbatim(indentedJson(result as never));
    return rows === 0 ? `No row${which} (0 of ${total}).` : `${all}${which}.\n\n${shown}`;
  }
  if (input.by !== undefined)
    return (result as readonly { value: string; result: unknown }[])
      .map((one) => `- ${plainly(one.value === '' ? '(empty)' : one.value)}: **${String(one.result)}**`)
      .join('\n');
  if (op === 'count')
    return `**${rows}** ${rows === 1 ? 'row' : 'rows'}${which}${rows === total ? '' : ` (of ${total})`}.`;
  const left = left_out === undefined ? '' : `; ${left_out} left out`;
  return `**${String(result)}**${rounded === true ? ' (rounded)' : ''}: ${op} of “${plainly(input.column ?? '')}” in ${all}${which}${left}.`;
}

function valuesText(values: readonly Json[], which: string): string {
  const [one, more] = values;
  if (one === undefined) return `No row${which}.`;
  if (more === undefined) return `**${plainly(textOf(one) === '' ? '(empty)' : textOf(one))}**`;
  return values.map((value) => `- ${plainly(textOf(value) === '' ? '(empty)' : textOf(value))}`).join('\n');
}

function conditionText({ where = [], drop }: Input): string {
  if (where.length === 0) return '';
  return ` where ${drop === true ? 'not: ' : ''}${where.map(wordsOf).join(' and ')}`;
}

function wordsOf({ column, is, values = [] }: Condition): string {
  const named = values.map((one) => `“${plainly(one)}”`).join(' or ');
  return `“${plainly(column)}” ${SAID[is]}${named === '' ? '' : ` ${named}`}`;
}

const SAID: Readonly<Record<Condition['is'], string>> = {
  equal: 'is',
  not_equal: 'is not',
  more: 'is more than',
  less: 'is less than',
  at_least: 'is at least',
  at_most: 'is at most',
  contains: 'contains',
  starts_with: 'starts with',
  ends_with: 'ends with',
  empty: 'is empty',
  not_empty: 'is not empty',
};
