import assert from 'node:assert/strict';

/** Units that attackers repeat: a character of every class, and words that parsers look for. */
const UNITS: readonly string[] = [
  ...[
    ' ',
    '\t',
    '\n',
    '\u00a0',
    '.',
    ',',
    ';',
    ':',
    '!',
    '?',
    '"',
    "'",
    '“',
    '‘',
    '`',
    '(',
    ')',
    '[',
    '{',
    '}',
    '<',
    '>',
  ],
  ...[
    'a',
    'A',
    '0',
    '-',
    '_',
    '/',
    '\\',
    '@',
    '#',
    '%',
    '&',
    '*',
    '+',
    '=',
    '|',
    '~',
    '^',
    '…',
    '–',
    'é',
    '😀',
    '\u0301',
  ],
  ...[
    'A. ',
    'a. ',
    'a ',
    'A ',
    'Aa ',
    '1 ',
    '1, ',
    '1,',
    'a, ',
    ', ',
    '. ',
    '; ',
    '! ',
    '!a',
    'a.',
    'a@',
    '@a.b ',
    '{{',
    '{{1}} ',
  ],
  ...[
    'and ',
    'a and ',
    'then ',
    'a then ',
    'to ',
    'a to ',
    'in ',
    'of ',
    'with ',
    'by ',
    'for ',
    'at ',
    'or ',
    'the ',
    'is ',
    'you ',
  ],
  ...[
    'please ',
    'thanks ',
    'what is ',
    'how many ',
    'remind me to ',
    'every day ',
    'one hundred ',
    'it ',
    '-> ',
    '"a" ',
    'a=b, ',
  ],
  ...[
    'https://a',
    'www.a.',
    '&a;',
    '1/',
    '1:',
    '1-',
    '(1',
    '+1',
    '5 km to ',
    '2026-01-01 ',
    'step 1 ',
    'subject ',
    'a\n',
    '- a\n',
  ],
  ...['```', '```\n', '~~~ ', '> ', 'a: ', '{"a":', '["', '"a",', 'a;', 'a\t', '**a', '_a', '[a](', '![', '<a '],
];

export interface Shapes {
  readonly prefixes?: readonly string[];
  readonly suffixes?: readonly string[];
  /** In characters. */
  readonly length: number;
}

/** CPU time below which a text is not examined further, in ms. */
const FLOOR_MS = 20;
/** Reading a quarter of a text takes a quarter of the time when it is linear, and a sixteenth when it is quadratic. */
const PART = 4;
/** How far the whole may exceed `PART` readings of the part, since tables, buffers and heaps grow in steps; quadratic is 4. */
const SLACK = 3;
const ROUNDS = 3;

/** CPU time of this thread alone, in ms, independent of other processes. */
async function cpu(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

async function least(work: () => unknown): Promise<number> {
  let found = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) found = Math.min(found, await cpu(work));
  return found;
}

/** As many readings of the part as take as long as the whole, because a system counts CPU time in steps of up to 10 ms. */
const parts = (read: (text: string) => unknown, text: string) => async (): Promise<void> => {
  for (let n = 0; n < PART; n++) await read(text);
};

/** Whether reading takes more than linear time in each of several rounds. */
async function isSteep(read: (text: string) => unknown, shape: (length: number) => string, length: number) {
  for (let round = 0; round < ROUNDS; round++) {
    const whole = await least(() => read(shape(length)));
    if (whole < FLOOR_MS || whole < SLACK * (await least(parts(read, shape(length / PART))))) return false;
  }
  return true;
}

/**
 * AssertionError when reading a text takes more than linear time. Each shape is read once as a whole; only a shape that
 * takes more than 20 ms of CPU is compared with a quarter of it, and fails when it is steep three times.
 */
export async function assertLinear(
  what: string,
  read: (text: string) => unknown,
  { prefixes = [''], suffixes = ['', ' x'], length }: Shapes,
): Promise<void> {
  for (const prefix of prefixes) {
    for (const suffix of suffixes) {
      for (const unit of UNITS) {
        const shape = (size: number): string =>
          prefix + unit.repeat(Math.max(1, Math.floor((size - prefix.length - suffix.length) / unit.length))) + suffix;
        const whole = await cpu(() => read(shape(length)));
        if (whole < FLOOR_MS || whole < SLACK * (await cpu(parts(read, shape(length / PART))))) continue;
        const shown = `${what} of ${JSON.stringify(`${prefix}${unit}…${suffix}`)}`;
        assert.ok(!(await isSteep(read, shape, length)), `${shown} takes more than linear time`);
      }
    }
  }
}
