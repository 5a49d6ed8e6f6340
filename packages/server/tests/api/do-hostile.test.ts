import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { assertSoon } from '../../../../tests/harness/soon.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';
import { amount, everyNth, ofEachKind } from '../../../../tests/soak/length.ts';

// Inputs that break services which run untrusted code: each gets a clear answer within seconds and has no effect.
const service = await serveInside({ env: { DO_STEP_SECONDS: '2' } });
const { api, newNamespace, newMailbox, newPaused, send, read } = connect(service.url);
const home = await newNamespace();
const { address: to } = await newMailbox(home, { behavior: { name: 'do' } });
const { address: target } = await newPaused(home);

const SECONDS = 20_000;

interface Step {
  task: string;
  input: Record<string, unknown>;
  output: { result: unknown } | null;
  status: string;
  error: string | null;
}
const brief = (envelope: unknown): string => JSON.stringify(envelope).slice(0, 1000);
const stepsOf = (envelope: Envelope): Step[] => ((envelope.reply?.data ?? {}) as { steps?: Step[] }).steps ?? [];

/** The settled message or the problem; never a 5xx, and never late. */
async function ask(fields: Record<string, unknown>): Promise<{ status: number; text: string; envelope?: Envelope }> {
  const from = performance.now();
  const { status, text, body } = await send(home.key, { to, body: 'x', sync: true, ...fields }, { prefer: 'wait=25' });
  assert.ok(status < 500, `${status} ${text.slice(0, 500)}`);
  if (status >= 400) return { status, text };
  const { seen } = await until(
    SECONDS,
    async () => (await read(home.key, body.id, '?wait=5')).body,
    (envelope) => !['submitted', 'working'].includes(envelope.status),
  );
  const ms = performance.now() - from;
  await assertSoon(ms, SECONDS, brief(fields));
  const { error } = seen;
  assert.ok(
    error?.code !== 'internal' && !/unexpected|broke\b/i.test(error?.message ?? ''),
    `a fault of ours: ${brief(error)} of ${brief(fields)}`,
  );
  return { status, text, envelope: seen };
}
const run = (...steps: [string, Record<string, unknown>][]) => ({
  data: { steps: steps.map(([task, input]) => ({ task, input })) },
});
async function refused(fields: Record<string, unknown>, why?: RegExp): Promise<void> {
  const { status, text, envelope } = await ask(fields);
  if (status >= 400) return;
  assert.ok(envelope !== undefined);
  assert.ok(
    ['rejected', 'failed', 'input_required'].includes(envelope.status),
    `${brief(fields).slice(0, 200)} → ${brief(envelope)}`,
  );
  const said = `${envelope.error?.message ?? ''} ${envelope.reply?.body ?? ''}`;
  assert.ok(said.trim().length > 15, text.slice(0, 500));
  if (why !== undefined) assert.match(said, why, brief(fields).slice(0, 200));
}
const resultOf = async (code: string): Promise<{ envelope: Envelope; result: unknown }> => {
  const { envelope, text } = await ask(run(['run', { code }]));
  assert.ok(envelope !== undefined, text);
  return { envelope, result: stepsOf(envelope)[0]?.output?.result };
};
async function nothingDone(): Promise<void> {
  const { envelope } = await ask(run(['recall', {}], ['schedule', { op: 'list' }]));
  assert.ok(envelope !== undefined);
  assert.equal(envelope.status, 'completed', brief(envelope));
  assert.doesNotMatch(JSON.stringify(stepsOf(envelope).map(({ output }) => output)), /sch_|evil/, brief(envelope));
  const page = await api<{ items: unknown[] }>('GET', `/mailboxes/${target}/messages`, { key: home.key });
  assert.deepEqual(page.body.items, []);
}

/** As long as a body may be. */
const LONGEST = 256 * 1_024;
const LENGTH = amount(LONGEST / 16, LONGEST);

test(`instructions of ${LENGTH / 1_024} KiB, of every kind, are answered within seconds and nothing of them is done`, async () => {
  const fill = (unit: string, size = LENGTH): string =>
    unit.repeat(Math.floor(Math.min(size, LENGTH) / Buffer.byteLength(unit)));
  for (const body of [
    'a'.repeat(LONGEST),
    'calculate 2+3 then '.repeat(LONGEST / 19),
    fill('calculate 2+3\n'),
    fill('remember that evil is evil\n'),
    fill('- remember that evil is evil\n'),
    fill(`send ${target}: evil\n`),
    fill('> '),
    fill('`'),
    fill('```\n'),
    fill('```js\n1\n```\n'),
    fill('('),
    fill('remind me in 1 hour: evil '),
    fill('every '),
    fill(' '),
    fill('\n'),
    fill(':'),
    fill('{{1}}'),
    fill('{{'),
    fill('"'),
    fill('“'),
    fill('then '),
    fill(', and '),
    fill('1. '),
    fill('1.\n'),
    fill('-\n'),
    fill('> \n'),
    fill('a\n\n'),
    fill('1) \n'),
    fill('a@'),
    fill('a.'),
    fill('https://'),
    fill('\u0301'),
    fill('🦄'),
    fill('١'),
    fill('the '),
    fill('of '),
    fill('it '),
    `remind me to ${fill('a ', 200_000)} tomorrow at 9`,
    `every ${fill('weekday and ', 200_000)} at 9 say: evil`,
    `calculate ${fill('1+', 250_000)}1`,
    `calculate ${fill('(', 100_000)}1${fill(')', 100_000)}`,
    `calculate ${fill('9', 200_000)}^${fill('9', 50_000)}`,
    `convert ${fill('9', 200_000)} km to miles`,
    `remember that evil is ${fill('a', 200_000)}`,
    `send ${target} ${fill('subject "', 200_000)}`,
    `fetch ${fill('https://a.b/', 200_000)}`,
  ]) {
    await refusedOrHarmless(body);
  }
  await nothingDone();
});

/** Any result is accepted as long as it has no effect. */
async function refusedOrHarmless(body: string): Promise<void> {
  const { envelope } = await ask({ body });
  if (envelope?.status !== 'completed') return;
  for (const { task } of stepsOf(envelope)) {
    assert.ok(
      !['send', 'remember', 'remind', 'schedule', 'forget'].includes(task),
      `${body.slice(0, 80)} → ${brief(envelope)}`,
    );
  }
}

test('too many steps, none, wrong forms, forward, own and cyclic references are refused before anything is done', async () => {
  const step = { task: 'remember', input: { name: 'evil', text: 'evil' } };
  const say = (text: unknown) => ({ task: 'text', input: { op: 'say', text } });
  for (const steps of [
    Array.from({ length: 10_000 }, () => ({ task: 'random', input: {} })),
    Array.from({ length: 51 }, () => step),
    [],
    {},
    'remember',
    42,
    null,
    true,
    [[]],
    [null],
    ['calculate'],
    [step, {}],
    [step, { task: 'remember' }],
    [step, { task: 5 }],
    [step, { task: ['remember'] }],
    [step, { task: 'nonsense', input: {} }],
    [step, { task: 'text', input: [] }],
    [step, { task: 'text', input: 'say' }],
    [step, { task: 'text', input: null }],
    [step, { ...step, more: 1 }],
    [step, { task: 'calculate', input: { expression: 5 } }],
    [step, { task: 'calculate', input: { expression: '1', more: 1 } }],
    [step, say('{{3}}'), say('b')],
    [step, say('{{2}}')],
    [say('{{2}}'), say('{{1}}'), step],
    [step, say('{{9999}}')],
    [step, say(['a', ['{{7}}']])],
    [step, { task: 'run', input: { code: '1', input: { deep: { er: ['{{3}}'] } } } }],
    [step, { task: 'run', input: { code: '1', input: { '{{5}}': '{{5}}' } } }],
  ]) {
    await refused({ data: { steps } });
  }
  await nothingDone();
});

test('references to what is not there, and into prototypes, fail and say which', async () => {
  for (const text of [
    '{{__proto__}}',
    '{{1.constructor}}',
    '{{1.__proto__}}',
    '{{1.constructor.constructor}}',
    '{{1.result.length.constructor}}',
    '{{1.toString}}',
    '{{1.no.such.thing}}',
    '{{0}}',
    '{{00000000001}}',
    '{{-1}}',
    '{{1e3}}',
    '{{99999999999999999999}}',
    '{{1.99999999999999999999}}',
    '{{1.__defineGetter__}}',
    '{{1..result}}',
    '{{.}}',
    '{{}}',
    '{{{{1}}}}',
    '{{1',
  ]) {
    const { envelope } = await ask(
      run(['text', { op: 'split', text: 'a,b', separator: ',' }], ['text', { op: 'say', text: `<${text}>` }]),
    );
    if (envelope === undefined || envelope.status !== 'completed') continue;
    const { result } = stepsOf(envelope)[1]?.output ?? {};
    assert.doesNotMatch(String(result), /function|native|\[object/, `${text} → ${String(result)}`);
    if (!/\{\{0*1\}\}/.test(text)) {
      assert.equal(result, `<${text}>`, 'what is no reference stays as it is');
    }
  }
});

test('a schedule every second, a reminder in 1970 or 9999 and times that are none are refused with the reason', async () => {
  for (const body of [
    'every second, say: evil',
    'every 5 seconds, say: evil',
    'remind me every second to evil',
    'remind me on 1970-01-01 at 00:00 to evil',
    'remind me on 9999-12-31 at 23:59 to evil',
    'remind me in 100 years to evil',
    'remind me in -5 minutes to evil',
    'remind me yesterday to evil',
    'remind me on February 30 at 9 to evil',
    'remind me at 25:61 to evil',
    'every February 30 at 9, say: evil',
    'remind me in 99999999999999999999 days to evil',
    'every 0 minutes, say: evil',
  ]) {
    await refused({ body });
  }
  for (const [task, fixed] of [
    ['remind', { text: 'evil' }],
    ['schedule', { op: 'add', instructions: 'say: evil' }],
  ] as const) {
    const times = [
      {},
      { at: '1970-01-01T00:00:00Z' },
      { at: '9999-12-31T23:59:59Z' },
      { at: '+275760-09-13T00:00:00Z' },
      { at: '-000001-01-01T00:00:00Z' },
      { at: 'never' },
      { at: '' },
      { at: 'tomorrow', rule: '* * * * *' },
      { at: '2027-02-30T00:00:00Z' },
      { rule: '* * * * * *' },
      { rule: '*/0 * * * *' },
      { rule: '60 24 32 13 8' },
      { rule: '0 0 30 2 *' },
      { rule: '0 0 31 4,6,9,11 *' },
      { rule: '' },
      { rule: '@reboot' },
      { rule: '0 9 * * MON#6' },
      { rule: '1-'.repeat(5000) },
      { rule: `${'0,'.repeat(20_000)}0 * * * *` },
      { rule: '0 9 * * *', time_zone: 'Mars/Olympus' },
      { at: '2027-02-03T00:00:00', time_zone: '__proto__' },
      { at: '2027-02-03T00:00:00', time_zone: '' },
    ];
    for (const when of everyNth(times, 2, task.length)) await refused(run([task, { ...fixed, ...when }]));
  }
  await nothingDone();
});

test('scripts of every end get a clear answer in a message, and leave the service quick', async () => {
  // The first script starts the threads, which may take longer than a step may on a busy machine.
  await until(
    30_000,
    () => resultOf('1+1'),
    ({ envelope }) => envelope.status === 'completed',
  );
  const ends = [
    ['({ "\\u0000": "\\ud800x" })', 'completed'],
    ['JSON.parse(\'{"__proto__": {"polluted": true}}\')', 'completed'],
    ['let o = []; for (let i = 0; i < 5000; i++) o = [o]; return o', 'failed'],
    ['throw null', 'failed'],
    ['process.exit(0)', 'failed'],
    ['while (true) {}', 'failed'],
    ['"x".repeat(70000)', 'failed'],
  ] as const;
  // A script without an end is one of process/attacks/endless-scripts.test.ts.
  for (const [code, status] of ofEachKind(ends, ([, status]) => status, 3)) {
    const { envelope } = await resultOf(code);
    assert.equal(envelope.status, status, brief(envelope));
    if (status === 'failed') assert.match(envelope.error?.message ?? '', /^Step 1 \(run\): ./, brief(envelope));
    const from = performance.now();
    assert.equal((await resultOf('1+1')).result, 2);
    await assertSoon(performance.now() - from, 3_000, 'the next script');
  }
});

test('a script finds nothing that another left', async () => {
  assert.equal((await resultOf('1+1')).result, 2);
  assert.equal((await resultOf('globalThis.left = (globalThis.left ?? 0) + 1')).result, 1);
  assert.equal((await resultOf('globalThis.left ?? "nothing is left"')).result, 'nothing is left');
});

test('a result repeated by its references ends at the limits, not at the memory of the service', async () => {
  const big = 'x'.repeat(60_000);
  const doubling = Array.from({ length: 50 }, (_, at): [string, Record<string, unknown>] =>
    at === 0 ? ['text', { op: 'say', text: 'bomb' }] : ['text', { op: 'say', text: `{{${at}}}{{${at}}}` }],
  );
  const repeated = Array.from({ length: 50 }, (): [string, Record<string, unknown>] => [
    'text',
    { op: 'say', text: big },
  ]);
  // The size of inputs counts too, although these results are small.
  const wide = (times: number, count: number): [string, Record<string, unknown>][] => [
    ['text', { op: 'say', text: big }],
    ...Array.from({ length: count }, (): [string, Record<string, unknown>] => [
      'text',
      { op: 'count', what: 'words', text: '{{1}}'.repeat(times) },
    ]),
  ];
  for (const steps of [
    doubling,
    repeated.map(([task, input], at): [string, Record<string, unknown>] => [
      task,
      at === 0 ? input : { op: 'say', text: `{{1}}` },
    ]),
    wide(4, 49),
    wide(100, 10),
    wide(10_000, 1),
    wide(9_000, 3),
    [
      ['text', { op: 'say', text: big }],
      ['run', { code: 'return 1', input: Array.from({ length: 8_000 }, () => '{{1}}') }],
    ] as [string, Record<string, unknown>][],
  ]) {
    const before = process.memoryUsage().rss;
    const { envelope } = await ask(run(...steps));
    assert.ok(before > 0);
    if (envelope === undefined) continue;
    const size = JSON.stringify(envelope).length;
    assert.ok(size < 4_000_000, `the message grew to ${size} bytes`);
    assert.notEqual(envelope.status, 'submitted');
  }
  const { envelope } = await ask(run(...doubling));
  assert.equal(envelope?.status, 'failed', brief(envelope));
  assert.match(envelope?.error?.message ?? '', /bytes/);
});

test('unicode of every kind goes through as it is', async () => {
  for (const text of [
    '🦄👩‍👩‍👧‍👦 e\u0301 ﷽ \u202e rtl',
    'İıßẞ ǆ ﬁ',
    '\ufeff bom',
    'a\u2028b\u2029c',
    '\u0007 bell',
    '$& $1 $$ $` \\',
    '#{1} <%= 1 %> {1}',
    '<script>alert(1)</script>',
    "'; drop table messages; --",
  ]) {
    const { envelope } = await ask(run(['text', { op: 'say', text }], ['text', { op: 'say', text: '[{{1}}]' }]));
    assert.equal(stepsOf(envelope as Envelope)[1]?.output?.result, `[${text}]`, brief(envelope));
  }
});

test('lone surrogates and NUL in what is written are answered', async () => {
  for (const raw of [
    `{"to":"${to}","body":"uppercase: \\ud800","sync":true}`,
    `{"to":"${to}","body":"remember that a\\u0000b is \\u0000","sync":true}`,
    `{"to":"${to}","body":"x","sync":true,"data":{"steps":[{"task":"text","input":{"op":"say","text":"\\udfff\\ud800"}}]}}`,
    `{"to":"${to}","body":"x","sync":true,"data":{"steps":[{"task":"remember","input":{"name":"a\\u0000","text":"\\u0000"}}]}}`,
    `{"to":"${to}","body":"x","sync":true,"data":{"__proto__":{"steps":[{"task":"random","input":{}}]}}}`,
    `{"to":"${to}","body":"x","sync":true,"data":{"steps":[{"__proto__":{"task":"random"},"input":{}}]}}`,
    `{"to":"${to}","body":"x","sync":true,"data":{"steps":[{"task":"random","input":{"__proto__":{}}}]}}`,
    `{"to":"${to}","body":"x","sync":true,"data":{"steps":[{"task":"calculate","input":{"expression":"1e999"}}]}}`,
    `{"to":"${to}","body":"x","sync":true,"data":{"steps":[{"task":"text","input":{"op":"first","text":"a","count":1e999}}]}}`,
    `{"to":"${to}","body":"x","sync":true,"data":{"steps":${'['.repeat(5000)}${']'.repeat(5000)}}}`,
    `{"to":"${to}","body":"x","sync":true,"data":{"steps":[{"task":"run","input":{"code":"input","input":${'['.repeat(500)}${']'.repeat(500)}}}]}}`,
  ]) {
    const answer = await api<Envelope>('POST', '/mail/send', { key: home.key, raw });
    assert.ok(answer.status < 500, `${raw.slice(0, 120)} → ${answer.text.slice(0, 300)}`);
    if (answer.status < 300) {
      assert.doesNotMatch(JSON.stringify(answer.body.error ?? ''), /internal|our fault/i, raw.slice(0, 160));
      assert.ok(!['submitted', 'working'].includes(answer.body.status), raw.slice(0, 160));
    }
  }
});

test('a text that is no message to a mailbox is not sent: to nobody, to itself by a wrong name, to a list', async () => {
  for (const address of [
    '',
    '@',
    'a',
    'nobody@nowhere.example',
    `${target},${target}`,
    `${target}\n`,
    'x'.repeat(400),
  ]) {
    const { envelope, status } = await ask(run(['send', { to: address, body: 'evil' }]));
    if (address.trim() === target) continue;
    assert.ok(status >= 400 || envelope?.status !== 'completed', `${address} → ${brief(envelope)}`);
  }
  await refused(run(['send', { to: target, body: '' }]));
  await refused(run(['send', { to: target, body: '   ' }]));
});

test('in a message canceled while a script runs, the script ends within a second and nothing after it is done', async () => {
  const sent = await send(home.key, {
    to,
    body: 'x',
    ...run(['run', { code: 'while (true) {}' }], ['remember', { name: 'evil', text: 'evil' }]),
  });
  await until(
    5_000,
    async () => (await read(home.key, sent.body.id)).body,
    ({ progress }) => progress.length > 0,
  );
  const from = performance.now();
  const canceled = await api<Envelope>('POST', `/mail/messages/${sent.body.id}/cancel`, { key: home.key });
  assert.ok(canceled.status < 300, canceled.text);
  assert.equal((await resultOf('1+1')).result, 2);
  await assertSoon(performance.now() - from, 1_500, 'the end and the next script');
  assert.equal((await read(home.key, sent.body.id)).body.status, 'canceled');
  const { envelope } = await ask(run(['recall', {}]));
  assert.doesNotMatch(brief(envelope), /evil/);
});

test('fifty calculations that take long hold up no other, tell which step they are at, and end when canceled', async () => {
  const expression = Array.from({ length: 30 }, () => '1.5^1234.5').join('+');
  const heavy = run(
    ...Array.from({ length: 50 }, (): [string, Record<string, unknown>] => ['calculate', { expression }]),
  );
  const all = await Promise.all(Array.from({ length: 8 }, () => send(home.key, { to, body: 'x', ...heavy })));
  for (const { status, text } of all) assert.equal(status, 202, text);
  const states = () => Promise.all(all.map(async ({ body }) => (await read(home.key, body.id)).body));
  await until(5_000, states, (seen) =>
    seen.some(({ progress }) => /^Step \d+ of 50: calculate$/.test(progress.at(-1)?.text ?? '')),
  );
  assert.equal((await ask({ body: 'calculate 2+3' })).envelope?.status, 'completed');
  // The sum came last, and is done before them.
  assert.ok((await states()).some(({ status }) => status === 'working' || status === 'submitted'));
  for (const { body } of all) await api('POST', `/mail/messages/${body.id}/cancel`, { key: home.key });
  assert.equal((await ask({ body: 'calculate 3+3' })).envelope?.status, 'completed');
  const ends = (await states()).map(({ status }) => status);
  assert.ok(
    ends.every((status) => status === 'canceled' || status === 'completed') && ends.includes('canceled'),
    `${ends}`,
  );
});

test('the service still answers, and wrote no fault of its own to its log', async () => {
  const { envelope } = await ask({ body: 'calculate 2+3' });
  assert.equal(envelope?.status, 'completed');
  assert.doesNotMatch(service.logs(), /a behavior broke|background work failed|TypeError|RangeError|out of memory/i);
});
