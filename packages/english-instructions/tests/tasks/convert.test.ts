import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEffort } from '../../../../tests/harness/effort.ts';
import { convert } from '../../tasks/convert/index.ts';
import { TaskError } from '../../tasks/task.ts';
import { CONVERT } from './examples/convert.ts';
import { FOREIGN } from './examples/foreign.ts';
import { clause, context, examplesOf } from './harness.ts';

examplesOf(convert, CONVERT);

test('convert leaves what is for other tasks', () => {
  for (const says of FOREIGN) assert.equal(convert.read(clause(says)), undefined, says);
});

const run = async (from: string, to: string): Promise<unknown> =>
  ((await convert.run({ from, to }, context())) as { readonly result: unknown }).result;

test('convert refuses with a sentence that says why', async () => {
  for (const [from, to, why] of [
    ['5 kg', 'miles', /mass.*length/],
    ['-300 °C', 'K', /absolute zero/],
    ['4000', 'roman', /3,999/],
    ['100 USD', 'EUR', /rate/],
    ['nosuchcolor', 'rgb', /no color/],
    ['5 km', 'parsnips', /parsnips/],
    ['5', 'kg', /of what/],
    ['0 mpg', 'L/100km', /above zero/],
    ['9'.repeat(2_000), 'hex', /1,000/],
    ['12.5', 'hex', /whole number/],
    ['12', 'binary'.repeat(10), /cannot convert/],
    ['{{1}}', 'km', /no amount/],
    ['#ff88', '', /cannot convert/],
    ['rgb(', 'hex', /no/],
    ['2:30 29 feb 2027 Berlin', 'Tokyo', /no time/],
    ['IIII', 'decimal', /whole number/],
    ['constructor', 'kg', /no amount/],
    ['5 constructor', '__proto__', /cannot convert/],
  ] as const) {
    await assert.rejects(
      async () => run(from, to),
      (error) => error instanceof TaskError && why.test(error.message),
      `${from} to ${to}`,
    );
  }
});

test('convert knows the names people write', async () => {
  for (const [from, to, result] of [
    ['1 ft', 'inches', '12 in'],
    ['1 Mb', 'kB', '125 kB'],
    ['1 MB', 'kB', '1000 kB'],
    ['1 MiB', 'bytes', '1048576 B'],
    ['100 meters per second', 'km/h', '360 km/h'],
    ['10 square feet', 'm²', '0.9290304 m²'],
    ['1 1/2 cups', 'tbsp', '24 tbsp'],
    ['-40 fahrenheit', 'celsius', '-40 °C'],
    ['212 degrees F', 'degrees Celsius', '100 °C'],
    ['0 K', 'C', '-273.15 °C'],
    ['two hours', 'seconds', '7200 s'],
    ['half a mile', 'm', '804.672 m'],
    ['8 oz', 'ml', '236.5882365 mL'],
    ['-255', 'binary', '-0b11111111'],
    ['0b101', 'hex', '0x5'],
    ['mcmxciv', 'number', 1994],
    ['255', 'base 7', '513'],
  ] as const) {
    assert.equal(await run(from, to), result, `${from} to ${to}`);
  }
});

test('convert reads hostile clauses quickly', async () => {
  for (const says of [
    'convert '.repeat(2_000),
    'a in '.repeat(60),
    `how many ${'in '.repeat(90)}`,
    '5 to '.repeat(59),
    `if it is ${'in '.repeat(80)}`,
    '1/'.repeat(150),
  ]) {
    await assertEffort(50, says.slice(0, 30), () => convert.read(clause(says)));
  }
});
