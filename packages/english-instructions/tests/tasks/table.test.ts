import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Check } from 'typebox/value';
import { assertSoon } from '../../../../tests/harness/soon.ts';
import { table } from '../../tasks/table/index.ts';
import { TaskError } from '../../tasks/task.ts';
import { TABLE } from './examples/table.ts';
import { FOREIGN } from './foreign.ts';
import { clause, context, examplesOf } from './harness.ts';

examplesOf(table, TABLE);

const run = (input: object): unknown => {
  assert.ok(Check(table.input, input), JSON.stringify(input).slice(0, 200));
  return table.run(input as never, context());
};

test('table: what is for others is left to them', () => {
  for (const says of FOREIGN) assert.equal(table.read(clause(says)), undefined, says);
  for (const says of [
    'sum: 1\n2\n3',
    'sort: b, a',
    'how many lines: a,b\n1,2',
    'sum of these numbers: 3, 4',
    'sort by length: aaa, b',
  ])
    assert.equal(table.read(clause(says)), undefined, says);
});

test('table: the line below the header of a Markdown table, and its outer bars, are no cells', () => {
  const bars = '| Item | Net |\n|:--|---:|\n| Desk | 120.50 |\n| Lamp | 30 |';
  const plain = 'Item | Net\n--- | ---\nDesk | 120.50\nLamp | 30';
  for (const table of [bars, plain]) {
    assert.deepEqual(
      run({ op: 'sum', table, column: 'net' }),
      run({ op: 'sum', table: 'Item,Net\nDesk,120.50\nLamp,30', column: 'net' }),
    );
  }
  const sorted = run({ op: 'rows', table: plain, order: [{ column: 'net' }] });
  assert.match(JSON.stringify(sorted), /Lamp\|30\\nDesk\|120\.50/);
  // Without a header's line it is a table of its own kind, and nothing in it is left out.
  assert.throws(() => run({ op: 'sum', table: 'a|b\n1|2\n-|-', column: 'b' }), /no plain number/);
});

test('table: a step says exactly what keeps it from its result', () => {
  for (const [input, why] of [
    [{ op: 'sum', table: 'a,b\n1,2', column: 'c' }, /no column “c”. The columns are: “a”, “b”/],
    [{ op: 'sum', table: 'a,b\n1,2' }, /needs the name of a column/],
    [{ op: 'average', table: 'a,b', column: 'a' }, /no number in “a”/],
    [{ op: 'sum', table: 'a\n"1', column: 'a' }, /quotation in row 2 is not closed/],
    [{ op: 'sum', table: '', column: 'a' }, /There is no table/],
    [{ op: 'sum', table: '{"a":1}', column: 'a' }, /no list of objects/],
    [{ op: 'sum', table: '[1,2]', column: 'a' }, /no list of objects/],
    [{ op: 'sum', table: '[{"a":{"b":1}}]', column: 'a' }, /“\{"b":1\}” \(row 1\)/],
    [{ op: 'rows', table: 'a\n1', where: [{ column: 'a', is: 'more', values: ['x'] }] }, /“x” is no plain number/],
    [{ op: 'rows', table: 'a\n1', where: [{ column: 'a', is: 'equal' }] }, /needs a value/],
    [{ op: 'columns', table: `a\n${'x'.repeat(300_000)}` }, /longer than 256 KB/],
  ] as const)
    assert.throws(
      () => run(input),
      (error: Error) => error instanceof TaskError && why.test(error.message),
      JSON.stringify(input).slice(0, 80),
    );
});

test('table: names of a prototype are columns as any other', () => {
  assert.deepEqual(run({ op: 'sum', table: [{ constructor: 2 }, { constructor: 3 }], column: 'constructor' }), {
    result: 5,
    rows: 2,
    of: 2,
  });
  assert.throws(() => run({ op: 'sum', table: [{ a: 1 }], column: '__proto__' }), /no column/);
});

test('table: a question suggests what its answer may be', () => {
  const reading = table.read(clause('total of cost', { data: 'item,price\na,1' }));
  assert.ok(reading !== undefined && 'ask' in reading);
  assert.deepEqual(reading.suggestions, ['total of "price"']);
});

test('table: the largest tables are read soon', async () => {
  const wide = `${Array.from({ length: 20_000 }, (_, at) => `c${at}`).join(',')}\n${'1,'.repeat(19_999)}1`;
  const long = `a,b\n${'1,2\n'.repeat(60_000)}`;
  for (const data of [wide, long]) {
    const began = performance.now();
    for (let time = 0; time < 3; time++) table.read(clause('sum the column b', { data }));
    await assertSoon(performance.now() - began, 600, 'reading a table');
  }
});
