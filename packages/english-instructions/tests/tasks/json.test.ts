import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Check } from 'typebox/value';
import { assertEffort } from '../../../../tests/harness/effort.ts';
import { assertSoon } from '../../../../tests/harness/soon.ts';
import { makeJsonTask } from '../../tasks/json/index.ts';
import { TaskError } from '../../tasks/task.ts';
import { EXAMPLES } from './examples/json.ts';
import { FOREIGN } from './foreign.ts';
import { clause, context, examplesOf } from './harness.ts';

const json = makeJsonTask();
after(() => json.close?.());

examplesOf(json, EXAMPLES);

type Given = { readonly [name: string]: unknown };
interface Out {
  readonly result: unknown;
  readonly error?: string;
  readonly line?: number;
  readonly column?: number;
}

const run = async (input: Given, within = context()): Promise<Out> => {
  assert.ok(Check(json.input, input), JSON.stringify(input).slice(0, 200));
  const output = (await json.run(input, within)) as Out;
  assert.ok(Check(json.output, output), 'it fits the schema of outputs');
  assert.notEqual(json.show(output, input), '');
  return output;
};
const query = (expression: string, value: unknown = { a: [1, 2] }): Promise<Out> =>
  run({ op: 'query', expression, json: value });

test('json: what is for others is left to them', () => {
  for (const says of FOREIGN) assert.equal(json.read(clause(says)), undefined, says);
});

test('json: a fault is told with line, column and reason', async () => {
  const errors: readonly (readonly [string, number, number, RegExp])[] = [
    ['{"a":1,}', 1, 8, /comma too many/],
    ['[1,]', 1, 4, /value is missing before “\]”/],
    ['[1 2]', 1, 4, /comma or “\]” is missing before “2”/],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3, /comma or “}” is missing/],
    ["{'a':1}", 1, 2, /straight double quotes/],
    ['{a:1}', 1, 2, /name in double quotes is expected, not “a”/],
    ['{"a" 1}', 1, 6, /colon is missing after the name, before “1”/],
    ['{"a":1', 1, 7, /“}” is missing: the “{” of line 1/],
    ['{"a":', 1, 6, /ends too early/],
    ['[1}', 1, 3, /does not close/],
    ['[1] x', 1, 5, /more after the end.*“x”/],
    ['[01]', 1, 2, /not a valid JSON number/],
    ['[True]', 1, 2, /expected, not “True”/],
    ['["a\nb"]', 1, 4, /not closed on its line/],
    ['["a\tb"]', 1, 4, /U\+0009/],
    ['["\\x"]', 1, 3, /means nothing/],
    ['["abc]', 1, 2, /string that begins here is not closed/],
    ['// hi\n{}', 1, 1, /no comments/],
    ['', 1, 1, /nothing/],
    ['[1,,2]', 1, 4, /before the comma/],
    ['NaN', 1, 1, /“NaN”/],
    ['[-]', 1, 2, /expected, not “-”/],
    ['["\\u12g4"]', 1, 3, /means nothing/],
  ];
  for (const [text, line, column, message] of errors) {
    const output = await run({ op: 'validate', json: text });
    assert.deepEqual(
      [output.result, output.line, output.column],
      [false, line, column],
      JSON.stringify([text, output]),
    );
    assert.match(output.error ?? '', message, text);
    await assert.rejects(run({ op: 'format', json: text }), {
      name: 'TaskError',
      message: /^This is not valid JSON: line /,
    });
  }
});

test('json: a query that blows up is contained, and the next one unharmed', async () => {
  const doubling = `${'[@,@] | '.repeat(40)}@`;
  const bombs = [
    doubling,
    `to_string(${'[@,@] | '.repeat(27)}@)`,
    `${'[@,@] | '.repeat(40)}[]`.replaceAll('[@,@] | ', '[@,@][] | '),
    "pad_left('a', `1000000000`)",
    `${'join(`""`, [@,@]) | '.repeat(60)}@`,
    `${'[['.repeat(900)}`,
    '@.'.repeat(900),
  ];
  for (const expression of bombs) {
    const start = performance.now();
    await assert.rejects(
      query(expression, expression.startsWith('join') ? '"aaaaaaaa"' : undefined),
      TaskError,
      expression,
    );
    await assertSoon(performance.now() - start, 15_000, expression);
    assert.deepEqual((await query('a[0]')).result, 1);
  }
  assert.ok(!Check(json.input, { op: 'query', json: '1', expression: 'a'.repeat(3_000) }));
});

test('json: a canceled query is ended', async () => {
  const canceled = new AbortController();
  const running = json.run(
    { op: 'query', expression: `${'[@,@][] | '.repeat(40)}@`, json: '[1]' },
    context({ signal: canceled.signal }),
  );
  setTimeout(() => canceled.abort(new Error('enough')), 50);
  await assert.rejects(Promise.resolve(running), { message: 'enough' });
  assert.deepEqual((await query('a[1]')).result, 2);
});

test('json: what is wrong with an expression is told, and names of prototypes mean nothing', async () => {
  await assert.rejects(query('a['), { name: 'TaskError', message: /cannot be evaluated/ });
  await assert.rejects(query('constructor(@)'), TaskError);
  await assert.rejects(query('nothing(@)'), TaskError);
  await assert.rejects(run({ op: 'query', json: '{}' }), { message: /needs an expression/ });
  for (const name of ['constructor', '__proto__', 'toString', 'a.__proto__', 'a.length']) {
    assert.equal((await query(name)).result, null, name);
  }
  assert.deepEqual((await query('{"__proto__": a}')).result, JSON.parse('{"__proto__":[1,2]}'));
  assert.equal((await query('{b: a}.__proto__')).result, null);
  await query('merge({b: a}.__proto__ || `{}`, {polluted: `1`})');
  await query("from_items([['__proto__', a]])");
  assert.equal((await query('polluted')).result, null);
});

test('json: results and tables that would be too large are refused', async () => {
  await assert.rejects(query('[@,@,@,@]', JSON.stringify('a'.repeat(30_000))), { message: /more than 64 KB/ });
  const sparse = Array.from({ length: 5_000 }, (_, index) => ({ [`n${index}`]: 1 }));
  await assert.rejects(run({ op: 'to_csv', json: sparse }), { message: /at most 64 KB/ });
  const header = `${'h'.repeat(100_000)}\n${'1\n'.repeat(70_000)}`;
  await assert.rejects(run({ op: 'from_csv', json: header }), { message: /at most 64 KB/ });
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  for (const op of ['parse', 'format', 'validate', 'keys', 'to_csv']) {
    await assert.rejects(run({ op, json: deep }), { message: /more than 200 levels/ });
  }
  const nested = `${'['.repeat(190)}${'[],'.repeat(2_000)}[]${']'.repeat(190)}`;
  await assert.rejects(run({ op: 'format', json: nested, indent: 8 }), { message: /at most 64 KB/ });
});

test('json: CSV of any kind takes little time', async () => {
  const kinds = ['"', '"a', 'a"', '","', '"\n', ',', ';\t|', '\n', '"";', 'a,b\n', '\r\n', '"a""', "'"];
  for (const kind of kinds) {
    const text = kind.repeat(Math.floor(262_144 / kind.length));
    await assertEffort(300, JSON.stringify(kind), () =>
      run({ op: 'from_csv', json: text }).catch((error: unknown) =>
        assert.ok(error instanceof TaskError, String(error)),
      ),
    );
  }
});

test('json: CSV keeps what looks like no number, and any name of a column', async () => {
  const csv = '__proto__,constructor,,a,a\n1,x,"l1\nl2",007,1e5\n"say ""hi""",-0.5,true,12345678901234567890\n';
  assert.deepEqual((await run({ op: 'from_csv', json: csv })).result, [
    JSON.parse('{"__proto__":1,"constructor":"x","column_3":"l1\\nl2","a":"007","a_2":"1e5"}'),
    JSON.parse('{"__proto__":"say \\"hi\\"","constructor":-0.5,"column_3":true,"a":"12345678901234567890"}'),
  ]);
  await assert.rejects(run({ op: 'from_csv', json: 'a,b\n"1,2\n' }), { name: 'TaskError', message: /not closed/ });
  const back = await run({ op: 'to_csv', json: '[{"__proto__":1,"a":"x\\"y"},{"a":null,"b":[1]}]' });
  assert.equal(back.result, '__proto__,a,b\n1,"x""y",\n,,[1]');
  assert.equal((await run({ op: 'to_csv', json: [[1, 2], ['a']] })).result, '1,2\na');
  assert.equal((await run({ op: 'to_csv', json: { items: [{ a: 1 }] } })).result, 'a\n1');
});

test('json: reading takes little time, also of hostile instructions', async () => {
  for (const says of [
    `get ${'a.'.repeat(990)}`,
    `get ${'a[0]'.repeat(490)}`,
    `query ${'a in it '.repeat(240)}`,
    `convert ${'this to '.repeat(240)}csv`,
    `format ${'json with '.repeat(190)}`,
    `is ${'this valid '.repeat(170)}`,
    `keys ${'of '.repeat(650)}`,
    `prettify ${'[{'.repeat(7_000)}`,
  ]) {
    await assertEffort(30, says.slice(0, 30), () => {
      json.read(clause(says));
      json.read(clause(says, { data: '{"a": '.repeat(40_000) }));
    });
  }
});
