import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AppError } from '@mailroom/behavior/values/error';
import fc from 'fast-check';
import { assertEffort } from '../../../../tests/harness/effort.ts';
import { amount } from '../../../../tests/soak/length.ts';
import { readJson } from '../../http/json.ts';

const read = (text: string) => readJson(Buffer.from(text));

/** Fails unless the text is refused with `code`; returns the first pointer, if any. */
function refused(text: string | Buffer, code: string): string | undefined {
  try {
    readJson(typeof text === 'string' ? Buffer.from(text) : text);
  } catch (error) {
    assert.equal((error as AppError).code, code, `${String(text).slice(0, 100)}: ${String(error)}`);
    return (error as AppError).errors[0]?.pointer;
  }
  return assert.fail(`accepted: ${String(text).slice(0, 100)}`);
}

/** Any JSON value with storable strings, including characters that are easy to misread. */
const strings = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('"', '\\', ':', ',', '{', '}', '[', ']', '\n', 'u', '0', ' ', '😀', 'é', '/', '~'),
  }),
  fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', '', '0', '1'),
);
const fine = (text: string): boolean => text.isWellFormed() && !text.includes('\0');
const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    strings.filter(fine),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 5 }),
    fc
      .array(fc.tuple(strings.filter(fine), tie('value')), { maxLength: 5 })
      .map((entries) => Object.fromEntries(entries)),
  ),
})).value;

/** Compares JSON text, because `__proto__` may be an own property. */
const same = (a: unknown, b: unknown): void => assert.equal(JSON.stringify(a), JSON.stringify(b));

/** The JSON text with every character of its strings as an escape. */
const escaped = (text: string): string =>
  text.replace(/"(?:[^"\\]|\\.)*"/gs, (token) => {
    const plain = JSON.parse(token) as string;
    let out = '"';
    for (let i = 0; i < plain.length; i++) out += `\\u${plain.charCodeAt(i).toString(16).padStart(4, '0')}`;
    return `${out}"`;
  });

describe('what is JSON and may be stored', () => {
  test('is read as it was written, whatever stands in its strings and names', () => {
    fc.assert(
      fc.property(values, fc.constantFrom(undefined, 1, '\t', '\n \r'), (value, space) => {
        const text = JSON.stringify(value, null, space);
        same(read(text), value);
      }),
      { numRuns: amount(300, 3_000) },
    );
  });

  test('is read too with every character of its strings escaped', () => {
    fc.assert(
      fc.property(values, (value) => {
        same(read(escaped(JSON.stringify(value))), value);
      }),
      { numRuns: amount(200, 1_000) },
    );
  });

  test('a name with escapes stays what it is after names with backslashes', () => {
    const pairs = [
      ['\\', 'é'],
      ['\\', '"'],
      ['\\u', '~A'],
      ['a\\u', 'a\né'],
    ] as const;
    for (const [at, [before, name]] of pairs.entries()) {
      // V8 mistakes a name only when the same one followed whenever an object began like this one.
      const first = `begins ${at}`;
      const earlier = { [first]: 1, [before]: 1 };
      same(read(JSON.stringify(earlier)), earlier);
      const value = { [first]: 1, [name]: { '1': ['\\":', { [name]: '\n:"' }] } };
      same(read(escaped(JSON.stringify(value)).replace(escaped(`"${first}"`), `"${first}"`)), value);
    }
  });

  test('colons, quotes and backslashes in strings are not taken for names', () => {
    const texts = [
      '{"a":"b:c","d":":"}',
      String.raw`{"a\":":1,"\\":2,"\\\"":3}`,
      String.raw`{"a":"\\","b":"\\\\","c":"\\\":"}`,
      String.raw`["\"","\\\"",":","\\"]`,
      String.raw`{"\\\\\\":"\"\"\"\"","::":"\\\\\":"}`,
      '"\\u003a\\u0022:"',
      ' \t\r\n{ "a" : 1 , "b" : [ ] } \n',
    ];
    for (const text of texts) assert.deepEqual(read(text), JSON.parse(text), text);
  });

  test('names that objects have anyway are names like others', () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length']) {
      const value = read(`{"${name}":{"a":1}}`) as object;
      assert.deepEqual(Object.keys(value), [name]);
      assert.deepEqual(Object.getOwnPropertyDescriptor(value, name)?.value, { a: 1 });
    }
    const value = read('{"__proto__":{"polluted":true},"a":1}') as { polluted?: boolean };
    assert.equal(value.polluted, undefined);
    assert.equal(({} as { polluted?: boolean }).polluted, undefined);
  });

  test('surrogates in pairs, control characters in escapes and every plane are kept', () => {
    const text = '"\\ud83d\\ude00 \\u0001\\u001f\\u007f\\ufffe\\uffff \u{10ffff}\u2028"';
    assert.equal(read(text), '😀 \u0001\u001f\u007f\ufffe\uffff \u{10ffff}\u2028');
  });

  test('numbers are as JavaScript reads them, as long as they are numbers', () => {
    assert.deepEqual(
      read('[0,-0,1e308,1E-400,0.1,123456789012345678901234567890,-1.5e+3]'),
      [0, -0, 1e308, 0, 0.1, 1.2345678901234568e29, -1500],
    );
  });

  test('65 levels are read: data of 64 and the document around it', () => {
    const deep = `${'['.repeat(65)}${']'.repeat(65)}`;
    assert.deepEqual(read(deep), JSON.parse(deep));
    const data = `{"data":${'{"a":'.repeat(63)}{}${'}'.repeat(63)}}`;
    assert.deepEqual(read(data), JSON.parse(data));
  });
});

describe('a name that stands twice', () => {
  test('is refused at any depth, with its pointer', () => {
    const cases = {
      '{"a":1,"a":2}': '/a',
      '{"a":1,"a":1}': '/a',
      '{"a":1,"\\u0061":2}': '/a',
      '{"\\u0061":1,"a":2}': '/a',
      '{"a":{"b":[1,{"c":1},{"c":1,"d":[{}],"c":2}]}}': '/a/b/2/c',
      '[[],[0,{"x":1,"x":1}]]': '/1/1/x',
      '{"":1,"":2}': '/',
      '{"__proto__":1,"__proto__":2}': '/__proto__',
      '{"a/b~c":1,"a/b~c":2}': '/a~1b~0c',
      '{"\\"":1,"\\u0022":2}': '/"',
      '{"\\\\":":","b":1,"\\\\":2}': '/\\',
      '{"a":"{\\"b\\":1,\\"b\\":2}","c":1,"c":2}': '/c',
      '{"a":1,"b":{"a":1},"a":2}': '/a',
      '{"1":1,"0":1,"1":2}': '/1',
      '{"😀":1,"\\ud83d\\ude00":1}': '/😀',
    };
    for (const [text, pointer] of Object.entries(cases)) assert.equal(refused(text, 'validation_error'), pointer, text);
  });

  test('is refused wherever it is put into any document', () => {
    const hasName = (value: unknown): boolean =>
      typeof value === 'object' &&
      value !== null &&
      (Array.isArray(value) ? value.some(hasName) : Object.keys(value).length > 0);
    const objects = values.filter(hasName);
    fc.assert(
      fc.property(objects, fc.nat(), fc.boolean(), (value, nth, inEscapes) => {
        const text = JSON.stringify(value);
        // The number of names: strings followed by a colon.
        const names = [...text.matchAll(/"(?:[^"\\]|\\.)*"(?=:)|"(?:[^"\\]|\\.)*"/gs)].filter(
          ({ 0: token, index }) => text[index + token.length] === ':',
        );
        const found = names[nth % names.length];
        assert.ok(found !== undefined);
        const name = JSON.parse(found[0]) as string;
        const written = inEscapes
          ? `"${name
              .split('')
              .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
              .join('')}"`
          : found[0];
        const twice = `${text.slice(0, found.index)}${written}:null,${text.slice(found.index)}`;
        refused(twice, 'validation_error');
      }),
      { numRuns: amount(300, 2_000) },
    );
  });

  test('is refused in a document of any size, long strings included', () => {
    for (const size of [100_000, amount(2_000_000, 20_000_000)]) {
      assert.equal(refused(`{"x":"${'a'.repeat(size)}","b":1,"b":2}`, 'validation_error'), '/b');
      assert.equal(refused(`{"x":"${'\\n'.repeat(size / 2)}","b":1,"b":2}`, 'validation_error'), '/b');
    }
  });

  test('in two objects is fine', () => {
    for (const text of ['[{"a":1},{"a":1}]', '{"a":{"a":{"a":1}}}', '{"a":1,"A":2," a":3}']) {
      assert.deepEqual(read(text), JSON.parse(text));
    }
  });
});

describe('what may not be stored', () => {
  test('half a surrogate pair and U+0000 are refused in strings and in names, with their pointer', () => {
    const cases = {
      '{"a":"\\ud800"}': '/a',
      '{"a":"\\udc00x"}': '/a',
      '{"a":"\\ude00\\ud83d"}': '/a',
      '{"a":["x","\\ud83d"]}': '/a/1',
      '{"a":"\\u0000"}': '/a',
      '{"a":{"b":"x\\u0000y"}}': '/a/b',
      '"\\u0000"': '',
    };
    for (const [text, pointer] of Object.entries(cases)) assert.equal(refused(text, 'validation_error'), pointer, text);
    refused('{"\\ud800":1}', 'validation_error');
    refused('{"a":{"x\\u0000":1}}', 'validation_error');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('\\ud800', '\\udfff', '\\u0000'), (text, bad) => {
        refused(`{"a":["${JSON.stringify(text).slice(1, -1)} ${bad} "]}`, 'validation_error');
        refused(`[{"${JSON.stringify(text).slice(1, -1)} ${bad} ":1}]`, 'validation_error');
      }),
    );
  });

  test('numbers beyond a double are refused, with their pointer', () => {
    assert.equal(refused('{"n":1e309}', 'validation_error'), '/n');
    assert.equal(refused('[0,-1e999]', 'validation_error'), '/1');
    assert.equal(refused(`{"a":{"b":1${'0'.repeat(400)}}}`, 'validation_error'), '/a/b');
  });

  test('more than 65 levels are refused, and however many more crash nothing', () => {
    for (const levels of [66, 1000, amount(100_000, 1_000_000)]) {
      refused('['.repeat(levels) + ']'.repeat(levels), 'validation_error');
      refused(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`, 'validation_error');
      refused('['.repeat(levels), 'malformed_json');
    }
  });
});

describe('what is no JSON', () => {
  test('is malformed_json', () => {
    const texts = [
      '',
      ' ',
      '{',
      '}',
      '{"a":1,}',
      '[1,]',
      '{a:1}',
      "{'a':1}",
      '{"a" 1}',
      '{"a":1}{"b":2}',
      '{"a":01}',
      '{"a":+1}',
      '{"a":.5}',
      '{"a":0x10}',
      '{"a":NaN}',
      '{"a":Infinity}',
      '{"a":undefined}',
      '"\n"',
      '"\\x41"',
      '"\\u12"',
      '"a',
      'nul',
      '// no\n{}',
      '\ufeff\ufeff{}',
      '{"a":"\0"}',
      '\0',
    ];
    for (const text of texts) refused(text, 'malformed_json');
  });

  test('bytes that are no UTF-8 are malformed_json', () => {
    const bytes: number[][] = [
      [0xff],
      [0xc3],
      [0xc0, 0x80],
      [0xed, 0xa0, 0x80],
      [0xf4, 0x90, 0x80, 0x80],
      [0xe2, 0x28, 0xa1],
      [0x80],
    ];
    for (const bad of bytes) {
      refused(Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bad), Buffer.from('"}')]), 'malformed_json');
    }
    refused(Buffer.from('{"a":1}', 'utf16le'), 'malformed_json');
  });

  test('nothing breaks the reader: any bytes are read or refused', () => {
    const check = (bytes: Uint8Array): void => {
      try {
        readJson(Buffer.from(bytes));
      } catch (error) {
        assert.ok(['malformed_json', 'validation_error'].includes((error as AppError).code), String(error));
      }
    };
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), check), { numRuns: amount(300, 3_000) });
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      '"',
      '\\',
      'a',
      '1',
      ' ',
      '\\u0061',
      '"a"',
      '"a":',
      'null',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 20 }), (parts) => check(Buffer.from(parts.join('')))),
      { numRuns: amount(1_000, 10_000) },
    );
  });
});

test('half a MiB, in the long form two, of any shape are read or refused in well under a second', async () => {
  const size = amount(512 * 1_024, 2 * 1_024 * 1_024);
  const filled = (piece: string): string => piece.repeat(Math.floor(size / piece.length));
  const texts = [
    `[${filled('0,')}0]`,
    `[${filled('{},')}0]`,
    `[${filled('"",')}0]`,
    `"${filled('\\\\')}"`,
    `"${filled('\\"')}"`,
    `"${filled('\\u0061')}"`,
    `{"${filled('a/~')}":[1,1]}`,
    `{"a":[${filled('{"b":1},')}0],"a":1}`,
    `{${Array.from({ length: amount(37_500, 150_000) }, (_, i) => `"k${i}":1`).join(',')}}`,
    filled(' '),
    `{"${'k'.repeat(30_000)}":{"${'l'.repeat(30_000)}":[${'0,'.repeat(amount(225_000, 900_000))}0]}}`,
  ];
  for (const text of texts) {
    await assertEffort(300, text.slice(0, 30), () => {
      try {
        read(text);
      } catch (error) {
        assert.ok(['malformed_json', 'validation_error'].includes((error as AppError).code), String(error));
      }
    });
  }
});

test('a byte order mark before JSON is passed over, and nothing but it is no JSON', () => {
  assert.deepEqual(read('\ufeff{"a":1}'), { a: 1 });
  assert.throws(() => read('\ufeff'), /empty/);
});
