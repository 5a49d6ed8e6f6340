import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { safeName } from '../src/cli/commands/files.ts';
import { Terminal } from '../src/cli/terminal.ts';
import { widthOf } from '../src/cli/width.ts';

/** A terminal of `columns`, or a pipe without, and what was written to it. */
function made(columns: number | undefined, env: NodeJS.ProcessEnv = {}) {
  const written: string[] = [];
  const write = (text: string): void => void written.push(text);
  const output = columns === undefined ? { write } : { write, isTTY: true, columns };
  return { terminal: new Terminal(output, output, env), lines: () => written.join('').split('\n').slice(0, -1) };
}

const HEAD = ['ID', 'FROM', 'TEXT'];
const ROWS = [
  [
    'msg_1m83rc3kx3fcywz8m7j0',
    'ada@example.mailroom.localhost',
    '日本語のメッセージ 👩‍💻 é 🇩🇪 and more text than fits in a row',
  ],
  ['msg_2', 'b', 'short\nin two lines\x1b[31m'],
];

test('a table fits the terminal with wide characters, and its ids stay whole', () => {
  for (const columns of [40, 60, 79, 80, 200]) {
    const { terminal, lines } = made(columns, { NO_COLOR: '1' });
    terminal.table(HEAD, ROWS);
    for (const line of lines()) assert.ok(widthOf(line) <= columns, `${widthOf(line)} of ${columns}: ${line}`);
    assert.ok(lines()[1]?.startsWith('msg_1m83rc3kx3fcywz8m7j0  '));
  }
});

test('in a narrow terminal the text of a row stands below it', () => {
  const head = ['ID', 'WHEN', 'FROM', 'TO', 'STATUS', 'TEXT'];
  const texts = ['Could you move our meeting to Thursday?', ''];
  const rows = texts.map((text) => [
    'msg_1m83rc3kx3fcywz8m7j0',
    '20:39',
    'a key',
    'echo@ada.localhost',
    'working',
    text,
  ]);
  const { terminal, lines } = made(60, { NO_COLOR: '1' });
  terminal.table(head, rows);
  assert.deepEqual(
    lines().map((line) => line.slice(0, 32)),
    [
      'ID                        WHEN  ',
      'msg_1m83rc3kx3fcywz8m7j0  20:39 ',
      '  Could you move our meeting to ',
      'msg_1m83rc3kx3fcywz8m7j0  20:39 ',
    ],
  );
});

test('in a terminal too narrow for columns every cell is still there', () => {
  const head = ['ID', 'WHEN', 'FROM', 'TO', 'STATUS', 'TEXT'];
  const rows = [
    ['msg_1m83rc3kx3fcywz8m7j0', '20:39', 'a key', 'echo@ada.localhost', 'working', 'Could you move our meeting?'],
    ['msg_1m83rc3kx3fcywz8m7j1', '20:40', 'a guest', '', 'failed', ''],
  ];
  const { terminal, lines } = made(40, { NO_COLOR: '1' });
  terminal.table(head, rows);
  assert.deepEqual(lines(), [
    'msg_1m83rc3kx3fcywz8m7j0',
    '  20:39 · a key · echo@ada.localhost',
    '  working',
    '  Could you move our meeting?',
    'msg_1m83rc3kx3fcywz8m7j1',
    '  20:40 · a guest · failed',
  ]);
});

test('the width of text counts wide characters twice, and marks and joined emoji once', () => {
  const widths = { abc: 3, 日本: 4, '👩‍💻': 2, 'e\u0301': 1, '🇩🇪': 2, '': 0, ｱ: 1, 한글: 4 };
  for (const [text, width] of Object.entries(widths)) assert.equal(widthOf(text), width, text);
});

test('for programs a table is whole, without head and color, its columns separated by tabs', () => {
  const { terminal, lines } = made(undefined);
  terminal.table(HEAD, ROWS);
  assert.equal(lines().length, 2);
  assert.deepEqual(lines()[1]?.split('\t'), ['msg_2', 'b', 'short in two lines\u{fffd}[31m']);
});

test('colors are only on a terminal, and not where NO_COLOR is set', () => {
  assert.equal(made(80).terminal.style('red', 'x'), '\x1b[31mx\x1b[0m');
  assert.equal(made(80, { NO_COLOR: '1' }).terminal.style('red', 'x'), 'x');
  assert.equal(made(undefined).terminal.style('red', 'x'), 'x');
});

test("a stranger's text cannot steer the terminal, and reaches programs unchanged", () => {
  const hostile = 'a\x1b]0;title\x07\x9b2J\u202eb\tc\r\nd';
  const person = made(80);
  person.terminal.text(hostile);
  assert.doesNotMatch(person.lines().join('\n'), /[^\P{Cc}\n\t]|\u202e/u);
  assert.match(person.lines()[0] ?? '', /\tc$/);
  const program = made(undefined);
  program.terminal.text(hostile);
  assert.equal(program.lines().join('\n'), hostile);
});

test('JSON holds every text, and no character in it steers a terminal, whoever reads it', () => {
  const steering = fc.constantFrom(
    '\x1b[2J',
    '\x07',
    '\x7f',
    '\x85',
    '\x9b2J',
    '\u2028',
    '\u2029',
    '\u061c',
    '\u200f',
    '\u202e',
    '\u2066',
  );
  const text = fc.string({ unit: fc.oneof(steering, fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })) });
  fc.assert(
    fc.property(
      fc.dictionary(text, fc.oneof(text, fc.array(text))),
      fc.constantFrom(80, undefined),
      (value, columns) => {
        const { terminal, lines } = made(columns);
        terminal.json(value);
        const json = lines().join('\n');
        assert.deepEqual(JSON.parse(json), JSON.parse(JSON.stringify(value)));
        assert.doesNotMatch(json, /[^\P{Cc}\n]|[\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u);
      },
    ),
  );
});

test("lines and notes keep this program's own styles, and nothing else that steers a terminal", () => {
  const { terminal, lines } = made(80);
  terminal.line(`${terminal.style('red', 'failed')}: \x1b[8m\x9b2J\x1b]0;title\x07\u202e`);
  terminal.note('mailroom: \x1b[2J\x9bH\u2066');
  assert.deepEqual(lines(), [
    '\x1b[31mfailed\x1b[0m: \ufffd[8m\ufffd2J\ufffd]0;title\ufffd\ufffd',
    'mailroom: \ufffd[2J\ufffdH\ufffd',
  ]);
});

test('a file is saved in its folder, whatever its sender named it', () => {
  for (const name of [
    '../../etc/passwd',
    '..\\..\\x',
    '/etc/passwd',
    '.bashrc',
    '..',
    '',
    'a/..',
    '\x1b[2J\n',
    'x'.repeat(5000),
  ]) {
    const safe = safeName(name);
    assert.ok(
      !['/', '\\', '\n', '\x1b'].some((sign) => safe.includes(sign)) && /^[^.]/.test(safe),
      JSON.stringify(name),
    );
    assert.ok(safe.length <= 200);
  }
});

test('a terminal that says that it is 0 columns wide shows a table all the same', () => {
  const { terminal, lines } = made(0, { NO_COLOR: '1' });
  terminal.table(['ID', 'TEXT'], [['msg_1', 'Hello']]);
  assert.deepEqual(lines(), ['ID     TEXT', 'msg_1  Hello']);
});
