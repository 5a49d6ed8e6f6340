import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Json } from '@mailroom/behavior/values/json';
import type { Planned } from '../../tasks/clause.ts';
import { understand } from '../../tasks/grammar/index.ts';
import { makeJsonTask } from '../../tasks/json/index.ts';
import { runTable } from '../../tasks/table/run.ts';
import type { Input as TableInput } from '../../tasks/table/schema.ts';
import { runText } from '../../tasks/text/run.ts';
import type { Input } from '../../tasks/text/schema.ts';
import { CHANCE } from './corpus/chance.ts';
import { DOCUMENTS } from './corpus/documents.ts';
import { FOLLOW_UPS } from './corpus/follow-ups.ts';
import { PARTS } from './corpus/parts.ts';
import { QUANTITIES } from './corpus/quantities.ts';
import { STEPS } from './corpus/steps.ts';
import { TABLES } from './corpus/tables.ts';
import { TIMES } from './corpus/times.ts';
import { clause, context } from './harness.ts';

const said = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

/** What the steps of a reading do, separated by `|`. */
const read = (says: string): string => {
  const { reading } = understand(clause(says)) ?? {};
  if (reading === undefined) return 'not read';
  if ('ask' in reading) return `asks: ${reading.suggestions?.join(' or ')}`;
  return (reading.steps ?? [])
    .map(({ input }) => said(input.expression) || `${said(input.from)} → ${said(input.to)}`)
    .join('|');
};

for (const [means, all] of Object.entries(QUANTITIES))
  for (const says of all) test(`${JSON.stringify(says)} is read as ${means}`, () => assert.equal(read(says), means));

/** The inputs of the steps of a reading about time. */
const timed = (says: string): string => {
  const { reading } = understand(clause(says)) ?? {};
  if (reading === undefined || 'ask' in reading) return 'not read';
  const step = ({ task, input }: Planned): string => {
    const { what = task, ...more } = input;
    return [said(what), ...Object.entries(more).map(([name, value]) => `${name}=${said(value)}`)].join(' ');
  };
  return (reading.steps ?? []).map(step).join('|');
};

for (const [means, all] of Object.entries(TIMES))
  for (const says of all) test(`${JSON.stringify(says)} is read as ${means}`, () => assert.equal(timed(says), means));

const shown = (value: Json): string =>
  typeof value === 'object' && !Array.isArray(value) ? JSON.stringify(value) : String(value);
/** The input of the one step of a reading by chance. */
const drawn = (says: string): string => {
  const { task, reading } = understand(clause(says)) ?? {};
  if (task !== 'random' || reading === undefined || 'ask' in reading) return 'not read';
  const { kind, ...more } = reading.input;
  return [said(kind), ...Object.entries(more).map(([name, value]) => `${name}=${shown(value)}`)].join(' ');
};

for (const [means, all] of Object.entries(CHANCE))
  for (const says of all) test(`${JSON.stringify(says)} is read as ${means}`, () => assert.equal(drawn(says), means));

for (const says of [
  'random thoughts on work',
  'pick a, b or c and send it to x@example.com',
  'pick one of red, green, blue but not green',
  'shuffle a, b, c except the first',
  'a password with digits and without digits',
])
  test(`${JSON.stringify(says)} is nothing that chance covers`, () => assert.equal(drawn(says), 'not read'));

for (const [result, all] of Object.entries(PARTS))
  for (const says of all)
    test(`${JSON.stringify(says)} results in ${result}`, () => {
      const { reading } = understand(clause(says)) ?? {};
      assert.ok(reading !== undefined && 'steps' in reading, 'It is not read.');
      const [step, ...more] = reading.steps ?? [];
      assert.deepEqual(more, []);
      assert.equal(JSON.stringify(runText(step?.input as Input, 65_536).result), result);
    });

for (const says of [
  'count the lines without comments: # one',
  'lines without errors: error a',
  'reverse hello without the vowels',
  'replace a with o except at the end in banana',
])
  test(`${JSON.stringify(says)} limits what the grammar does not know`, () =>
    assert.equal(understand(clause(says)), undefined));

for (const [says, table, wanted] of TABLES)
  test(`${JSON.stringify(says)} about a table results in ${wanted}`, () => {
    const { reading } = understand({ ...clause('x'), text: says, data: table }) ?? {};
    const [step] = reading !== undefined && 'steps' in reading ? (reading.steps ?? []) : [];
    const result = step === undefined ? 'not read' : JSON.stringify(runTable(step.input as TableInput, 65_536).result);
    assert.equal(result, wanted);
  });

const json = makeJsonTask();
after(() => json.close?.());
for (const [says, wanted] of DOCUMENTS)
  test(`${JSON.stringify(says)} results in ${wanted}`, async () => {
    const { reading } = understand({ ...clause('x'), text: says }) ?? {};
    const [step] = reading !== undefined && 'steps' in reading ? (reading.steps ?? []) : [];
    const found = step === undefined ? 'not read' : await json.run(step.input as never, context());
    assert.equal(found === 'not read' ? found : JSON.stringify((found as { readonly result: Json }).result), wanted);
  });

/** A step in words, without the table that it is about. */
const stepSaid = ({ task, input }: Planned): string => {
  const { op, table: _table, expression, ...more } = input;
  const shown = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));
  const named = Object.entries(more).map(([name, value]) => `${name}=${shown(value)}`);
  return [task, said(op) || said(expression), ...named].join(' ');
};

for (const [says, previous, means] of FOLLOW_UPS)
  test(`${JSON.stringify(says)} after a step of ${previous.task} means ${means}`, () => {
    const { reading } = understand({ ...clause(says), it: 0, previous }) ?? {};
    const steps = reading !== undefined && 'steps' in reading ? (reading.steps ?? []) : [];
    assert.equal(steps.map(stepSaid).join('|') || 'not read', means);
  });

for (const [says, ...steps] of STEPS)
  test(`${JSON.stringify(says)} is read as ${JSON.stringify(steps)}`, () => {
    const { reading } = understand(clause(says)) ?? {};
    assert.ok(reading !== undefined && 'steps' in reading, 'It is not read.');
    assert.deepEqual(
      reading.steps?.map(({ input }) => input),
      steps,
    );
  });

for (const says of ['x = 5', '2x + 3y = 7', 'solve 2x + 3', 'is 2x equal to 4', 'does hello match the mood'])
  test(`${JSON.stringify(says)} is no equation or pattern`, () => assert.equal(understand(clause(says)), undefined));

const TIES: Readonly<Record<string, readonly [string, string]>> = {
  'the cube root of 8 plus 19': ['cbrt(8) + 19', 'cbrt(8 + 19)'],
  '3200 after 30% tax': ['3200 + 30%', '3200 - 30%'],
  'total of 4 and 6 times 2': ['sum(4, 6) * 2', 'sum(4, 6 * 2)'],
};
for (const [says, two] of Object.entries(TIES))
  test(`${JSON.stringify(says)} is asked back with both readings`, () => {
    const { reading } = understand(clause(says)) ?? {};
    assert.ok(reading !== undefined && 'ask' in reading);
    assert.deepEqual(new Set(reading.suggestions), new Set(two.map((one) => `calculate ${one}`)));
  });

for (const says of [
  '3 km plus 2 kg',
  '15% off 68 unless it is Monday',
  'is 5 km more than 3 kg',
  'the sum of 4 and Tuesday',
])
  test(`${JSON.stringify(says)} is not covered`, () => assert.equal(read(says), 'not read'));
