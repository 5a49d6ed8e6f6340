import type { Example } from '../harness.ts';

/** As people word it who never read the manual; written before the patterns. */
const SLOPPY: readonly Example[] = [
  { says: 'is this valid json: {"a": 1}', result: true },
  { says: 'whats wrong with this json: {"a":1,}', result: false },
  { says: 'is this json ok: {a: 1}', result: false },
  { says: 'prettify: {"a":1}', result: '{\n  "a": 1\n}' },
  { says: 'beautify this json', data: '[1]', result: '[\n  1\n]' },
  { says: 'pretty print {"a": 1}', result: '{\n  "a": 1\n}' },
  { says: 'squash this json: { "a" : [ 1, 2 ] }', result: '{"a":[1,2]}' },
  { says: 'turn this csv into json: name,age\nAnn,31', result: [{ name: 'Ann', age: 31 }] },
  { says: 'make a csv out of this', data: '[{"a":1,"b":"x, y"}]', result: 'a,b\n1,"x, y"' },
  { says: 'how many elements are in this array: [1,2,3]', result: 3 },
  { says: 'which keys does this have: {"a":1,"b":2}', result: ['a', 'b'] },
  { says: 'get .users[0].name from: {"users":[{"name":"Ann"}]}', result: 'Ann' },
  { says: 'whats the value of a.b in: {"a":{"b":7}}', result: 7 },
];

export const EXAMPLES: readonly Example[] = [
  ...SLOPPY,
  {
    says: 'query items[?price > `10`].name: {"items":[{"name":"x","price":12},{"name":"y","price":3}]}',
    input: {
      op: 'query',
      expression: 'items[?price > `10`].name',
      json: '{"items":[{"name":"x","price":12},{"name":"y","price":3}]}',
    },
    result: ['x'],
  },
  { says: 'query length(@) in {"a":1,"b":2}', result: 2 },
  { says: 'get name from it', it: { name: 'Ann' }, result: 'Ann' },
  { says: 'get .a', it: { a: [1] }, result: [1] },
  { says: 'jmespath sum([].n)', data: '[{"n":1},{"n":2}]', result: 3 },
  { says: 'run the jmespath query people[*].age on: {"people":[{"age":3}]}', result: [3] },
  { says: 'extract user.name from this json: {"user":{"name":"Bo"}}', result: 'Bo' },
  { says: 'query __proto__: {"__proto__": 5}', result: 5 },
  { says: 'format', data: '{"a":[]}', language: 'json', result: '{\n  "a": []\n}' },
  { says: 'format this JSON with 4 spaces: [1]', result: '[\n    1\n]' },
  { says: 'minify: {"a": 1}', result: '{"a":1}' },
  { says: 'minify json', data: '{ }', result: '{}' },
  { says: 'validate', data: '{"a":1', language: 'json', result: false },
  { says: 'validate json: "x"', result: true },
  { says: 'parse: {"a":[1,{"b":null}]}', result: { a: [1, { b: null }] } },
  { says: 'parse it as json', it: '[1,2]', result: [1, 2] },
  { says: 'keys of: {"x":1}', result: ['x'] },
  { says: 'length of: [1,2]', result: 2 },
  { says: 'convert json to csv: [{"a":1},{"b":2}]', result: 'a,b\n1,\n,2' },
  { says: 'csv to json', data: 'a;b\n1;007\n', result: [{ a: 1, b: '007' }] },
  { says: 'convert to json', data: 'x\ty\n1\t2', language: 'tsv', result: [{ x: 1, y: 2 }] },
  { says: 'convert it to csv', it: [{ a: 1 }], result: 'a\n1' },
  { says: 'prettify this json', asks: 'Which JSON' },
  { says: 'convert csv to json', asks: 'Which CSV' },
];
