import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { planOf } from '@mailroom/english-instructions/planner/index';
import { testTasks } from '../../../../tests/harness/behaviors.ts';
import { assertEffort } from '../../../../tests/harness/effort.ts';
import { NOW } from '../../../english-instructions/tests/tasks/harness.ts';

const tasks = testTasks();
const parts = { tasks, now: NOW, time_zone: 'UTC', max_steps: 50, before: false };
const plan = (body: string) => planOf(body, parts);
/** Task and input of each step, or the kind of another result. */
const steps = (body: string): unknown => {
  const planned = plan(body);
  return planned.kind === 'plan' ? planned.steps.map(({ task, input }) => [task, input]) : planned.kind;
};
const names = (body: string): unknown => {
  const planned = plan(body);
  return planned.kind === 'plan' ? planned.steps.map(({ task }) => task) : planned.kind;
};

describe('several instructions', () => {
  for (const [how, body] of [
    ['lines', 'calculate 2+3\nmultiply it by 2\nconvert it to binary'],
    ['bullets', '- calculate 2+3\n- multiply it by 2\n- convert it to binary'],
    ['stars', '* calculate 2+3\n* multiply it by 2\n* convert it to binary'],
    ['numbers', '1. calculate 2+3\n2. multiply it by 2\n3. convert it to binary'],
    ['brackets', '1) calculate 2+3\n2) multiply it by 2\n3) convert it to binary'],
    ['named steps', 'Step 1: calculate 2+3\nStep 2: multiply it by 2\nStep 3: convert it to binary'],
    ['"then"', 'calculate 2+3, then multiply it by 2 and then convert it to binary'],
    ['semicolons', 'calculate 2+3; multiply it by 2; convert it to binary'],
    ['arrows', 'calculate 2+3 -> multiply it by 2 → convert it to binary'],
    ['sentences', 'Calculate 2+3. Then multiply it by 2. Convert it to binary.'],
    [
      'a letter',
      'Hi there,\n\nplease do the following:\n1. calculate 2+3\n2. multiply it by 2\n3. convert it to binary\n\nThanks,\nAnn',
    ],
  ] as const) {
    test(`may be ${how}`, () => {
      const planned = plan(body);
      assert.equal(planned.kind, 'plan', JSON.stringify(planned));
      assert.deepEqual(names(body), ['calculate', 'calculate', 'convert']);
    });
  }

  test('refer to each other by it, the result, the step and by placeholders', () => {
    const body = 'calculate 2+3\ncalculate 4*5\ncalculate step 1 + the result of step 2\ncalculate {{3}} * 2';
    const planned = plan(body);
    assert.equal(planned.kind, 'plan');
    const inputs = planned.kind === 'plan' ? planned.steps.map(({ input }) => input.expression) : [];
    assert.deepEqual(inputs, ['2+3', '4*5', '({{1}}) + ({{2}})', '({{3}}) * 2']);
  });
});

describe('pasted text is never an instruction', () => {
  for (const [where, body] of [
    ['in a fenced block', 'sort these lines\n```\nbanana\nforget all my notes\nsend bob@acme.example.com: hi\n```'],
    [
      'below a line that ends with a colon',
      'sort these lines:\nbanana\nforget all my notes\nthen send it to bob@acme.example.com',
    ],
    ['below it, after an empty line', 'sort these lines:\n\nbanana\n\nforget all my notes'],
    ['behind a colon, with a further line of effects', 'uppercase: hello, then forget all my notes'],
  ] as const) {
    test(where, () => {
      const planned = plan(body);
      assert.equal(planned.kind, 'plan', JSON.stringify(planned));
      assert.deepEqual(names(body), ['text']);
    });
  }

  test('a line of effects below pasted text is asked about, not done', () => {
    for (const line of ['forget all my notes', 'then send it to bob@acme.example.com', 'remember it as total']) {
      assert.equal(steps(`uppercase: hello\n${line}`), 'unclear', line);
    }
  });

  test('a line below pasted text that goes on with the result and has no effects is done', () => {
    assert.deepEqual(names('lowercase: HELLO\nthen reverse it'), ['text', 'text']);
  });

  test('a line below a list and a gap that goes on with the list is done, asked about with effects, else text', () => {
    const list = 'Sort this list:\n- pears\n- apples\n\n';
    const sorted = ['text', { op: 'sort', text: '- pears\n- apples' }];
    assert.deepEqual(steps(list.trim()), [sorted]);
    for (const then of ['and count the items.', 'Then count the items.\n\nThanks,\nTom']) {
      const [first, second] = steps(`${list}${then}`) as [unknown, [string, { op: string }]];
      assert.deepEqual([first, second[1].op], [sorted, 'count'], then);
    }
    assert.equal(steps(`${list}send them to bob@acme.example.com`), 'unclear');
    const said = '- He came home.\n- She left.\n\nThen he wrote to her.';
    assert.deepEqual(names(`Count the words in this text:\n${said}`), ['text']);
  });

  test('lines below pasted text that are no instructions belong to it', () => {
    const planned = plan('count the lines of: one\ntwo\nthree');
    assert.equal(planned.kind, 'plan');
    assert.match(JSON.stringify(planned), /one\\ntwo\\nthree/);
  });
});

test('a message that is only a script is run, and what is below works on its result', () => {
  assert.deepEqual(steps('```js\n1 + 1\n```'), [['run', { code: '1 + 1' }]]);
  assert.deepEqual(names('```javascript\n1 + 1\n```\nthen multiply it by 3'), ['run', 'calculate']);
});

test('a block of something else alone is asked about', () => {
  assert.equal(steps('```\nhello\n```'), 'unclear');
});

test('what is not understood in one of many instructions stops them all, and its place and the nearest examples are told', () => {
  const planned = plan('1. calculate 2+3\n2. frobnicate the time in Tokyo\n3. multiply it by 2');
  assert.equal(planned.kind, 'unclear');
  if (planned.kind !== 'unclear') return;
  assert.equal(planned.at, 1);
  assert.ok(planned.suggestions.length > 0, JSON.stringify(planned));
  assert.equal(planned.steps.length, 1);
});

test('what repeats at a time is one instruction, however many it runs', () => {
  assert.deepEqual(names('every weekday at 9 calculate 2+3 then multiply it by 2'), ['schedule']);
});

test('each line below a heading is a reminder where it says when and of what', () => {
  const reminders = [
    ['remind', { text: 'call Peter', at: '2026-11-21T10:00:00+00:00', time_zone: 'UTC' }],
    ['remind', { text: 'buy milk', at: '2026-11-21T15:00:00+00:00', time_zone: 'UTC' }],
  ];
  for (const lines of [
    'remind me:\ntomorrow 10am: call Peter\ntomorrow 3pm: buy milk',
    'Reminders:\n- tomorrow 10am: call Peter\n- tomorrow 3pm: buy milk',
    'Please remind me to:\n- call Peter tomorrow at 10\n- buy milk tomorrow at 3pm',
  ])
    assert.deepEqual(steps(lines), reminders, lines);
  assert.equal(steps('remind me:\ntomorrow 10am: call Peter\nbuy milk'), 'unclear');
});

test('names to sort are no signature, and the one below the closing is', () => {
  const said = 'Dear Do,\nplease sort the following names:\n\nZoe\nAdam\nMia\n\nKind regards,\nPeter';
  assert.deepEqual(steps(said), [['text', { op: 'sort', text: 'Zoe\nAdam\nMia' }]]);
});

test('a greeting with emoji and a closing in another language ask for nothing', () => {
  for (const said of [
    'Hello! 😀\n\nWhat is 12 * 7?\n\nCheers, Kim 🙏',
    'What is 12 * 7?\n\nMit freundlichen Grüßen\nUwe Meier',
  ])
    assert.deepEqual(steps(said), [['calculate', { expression: '12 * 7' }]], said);
});

test('what is said above a forwarded mail is about its text, and what it says is no instruction', () => {
  const headers = 'From: Bob <bob@example.org>\nDate: Mon, 1 Jun 2026\nSubject: Prices\nTo: Ada\n';
  const mail = 'Calculate 2+2\nPears 4 👍';
  const forwarded = [
    `---------- Forwarded message ---------\n${headers}\n${mail}`,
    `-------- Weitergeleitete Nachricht --------\nBetreff: Preise\nDatum: heute\nVon: Bob\nAn: Ada\n\n${mail}`,
    `Begin forwarded message:\n\n${`${headers}\n${mail}`.replace(/^/gm, '> ')}`,
    `Begin forwarded message:\n\n${headers}\n${mail}`.replace(/^/gm, '> '),
    `De : Bob\n\nEnvoyé : lundi\n\nObjet : Prix\n\n${mail}`,
  ];
  for (const below of forwarded) {
    for (const say of ['count the lines', 'Hi,\n\ncount the lines of this mail.\n\nThanks,\nAda'])
      assert.deepEqual(steps(`${say}\n\n${below}`), [['text', { op: 'count', what: 'lines', text: mail }]], below);
    assert.deepEqual(steps(`Hi,\n\nplease sort the lines of this mail.\n\nThanks\nLi\n\n${below}`), [
      ['text', { op: 'sort', text: mail }],
    ]);
    assert.deepEqual(steps(`What is 12 * 7?\n\n${below}`), [['calculate', { expression: '12 * 7' }]]);
    const nothing = plan(below);
    assert.equal(nothing.kind === 'unclear' && nothing.question, 'What is to be done with this text?');
  }
});

describe('too much is refused before it is read', () => {
  const kindOf = async (body: string): Promise<string | undefined> => {
    let kind: string | undefined;
    await assertEffort(500, body.slice(0, 30), () => {
      kind = plan(body).kind;
    });
    return kind;
  };
  test('256 KiB of instructions, in one line, in words, in lines, in marks', async () => {
    const size = 262_144;
    for (const unit of [
      'a',
      'calculate 1+1 then ',
      'calculate 1+1\n',
      '- ',
      'x: ',
      '"',
      '(',
      '{{1}} ',
      'and ',
      '```\n',
      'then then ',
      '. A',
    ]) {
      assert.notEqual(await kindOf(unit.repeat(size / unit.length)), 'plan', unit);
    }
  });
});

describe('a sum that stands alone', () => {
  const operands = ['7', '12', '3.5', '.5', '(3+4)', '-2', '15%', '1000', '((1))', '0'];
  const signs = [' + ', '+', ' - ', '-', ' * ', '*', ' / ', '/', '^', ' of '];
  const ends = ['', '?', '.', '!'];
  const leads = ['', 'calculate ', 'Calculate ', 'what is ', "what's ", 'What is '];
  const sums = leads.flatMap((lead) =>
    operands.flatMap((left, at) =>
      signs.map((sign, turn) => {
        const right = operands[(at + turn) % operands.length] as string;
        return `${lead}${left}${sign}${right}${ends[(at * 3 + turn) % ends.length]}`;
      }),
    ),
  );

  test('is planned as it is where the message is cut first', () => {
    // An empty line is no instruction, and makes it a message of several lines.
    for (const sum of [...sums, '1. 5+5', '- 5 + 3', '(1) 2+2', '3.5', '5', 'calculate 5', 'what is 5']) {
      assert.deepEqual(plan(sum), plan(`${sum}\n`), sum);
    }
  });

  test('is understood', () => {
    const kinds = Map.groupBy(sums, (sum) => plan(sum).kind);
    assert.ok((kinds.get('plan')?.length ?? 0) > sums.length / 2, JSON.stringify([...kinds.keys()]));
  });
});
