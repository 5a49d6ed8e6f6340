// Who may do what with a `do` mailbox.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { assertSoon } from '../../../../tests/harness/soon.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope, TryEnvelope } from '../../../../tests/harness/wire.ts';
import { brief, openSteps, soon, steps } from './do-steps.ts';

const { api, newMailbox, send, tryOut, read, home, stranger, target, doing, to, sendTo, arrived } = await openSteps();

interface Step {
  task: string;
  input: Record<string, unknown>;
  output: Record<string, unknown> | null;
  status: string;
}
const stepsOf = (envelope: Envelope): Step[] => ((envelope.reply?.data ?? {}) as { steps?: Step[] }).steps ?? [];
async function triedOut({ id, thread_token }: TryEnvelope): Promise<Envelope> {
  const { seen } = await until(
    8_000,
    () => api<Envelope>('GET', `/mail/messages/${id}?wait=5`, { key: thread_token }),
    ({ status, body }) => status !== 200 || !['submitted', 'working'].includes(body.status),
  );
  assert.equal(seen.status, 200, seen.text);
  return seen.body;
}

test('the inbox of a paused mailbox can be counted, or nothing below proves anything', async () => {
  await send(home.key, { to: target, body: 'counted' });
  assert.equal(await arrived('counted'), 1);
});

test('a guest gets tasks without effects only: whatever else is asked for is refused and not done', async () => {
  const fine = await tryOut({ to, body: 'calculate 2+3' });
  assert.ok(fine.status < 300, fine.text);
  const ended = await triedOut(fine.body);
  assert.equal(ended.status, 'completed', brief(ended));
  for (const [body, data] of [
    [`send ${target}: from a guest`, undefined],
    ['remember that the guest was here', undefined],
    ['remind me in 1 minute to go', undefined],
    ['every day at 9, calculate 2+2', undefined],
    ['forget all my notes', undefined],
    ['what do you remember', undefined],
    ['fetch https://example.com', undefined],
    [`calculate 2+3 then send it to ${target}`, undefined],
    ['x', steps(['send', { to: target, body: 'from a guest' }]).data],
    ['x', steps(['text', { op: 'say', text: 'a' }], ['remember', { name: 'a', text: 'b' }]).data],
    ['x', steps(['Send', { to: target, body: 'from a guest' }]).data],
    ['x', steps(['send ', { to: target, body: 'from a guest' }]).data],
    ['x', { ...steps(['send', { to: target, body: 'from a guest' }]).data, dry_run: true }],
  ] as const) {
    const sent = await tryOut({ to, body, ...(data === undefined ? {} : { data }) });
    assert.ok(sent.status < 500, sent.text);
    if (sent.status >= 400) continue;
    const seen = await triedOut(sent.body);
    assert.ok(['rejected', 'input_required'].includes(seen.status), `${body}: ${brief(seen)}`);
    assert.deepEqual(stepsOf(seen), [], body);
  }
  assert.equal(await arrived('from a guest'), 0);
  assert.equal(await arrived('5'), 0);
});

test('a guest cannot be given a task with effects, not by a procedure either', async () => {
  const refused = await api('POST', `/namespaces/${home.name}/mailboxes`, {
    key: home.key,
    body: { local_part: 'nope', behavior: { name: 'do', settings: { rights: { guests: ['send'] } } } },
  });
  isProblem(refused, 'validation_error');
  const procedure = {
    name: 'harm',
    description: 'Writes.',
    steps: [{ task: 'send', input: { to: target, body: 'by procedure' } }],
  };
  const given = await api<{ address: string }>('POST', `/namespaces/${home.name}/mailboxes`, {
    key: home.key,
    body: {
      local_part: 'nope2',
      access: 'public',
      try_out: true,
      behavior: { name: 'do', settings: { procedures: [procedure], rights: { guests: ['harm'] } } },
    },
  });
  if (given.status < 300) {
    for (const fields of [{ body: 'harm' }, { body: 'x', ...steps(['harm', {}]) }]) {
      const tried = await tryOut({ to: given.body.address, ...fields });
      assert.ok(tried.status < 500, tried.text);
      if (tried.status < 300) assert.notEqual((await triedOut(tried.body)).status, 'completed');
    }
  } else isProblem(given, 'validation_error');
  assert.equal(await arrived('by procedure'), 0);
});

test('a key of another namespace gets what the owner allows others, and without a word no effects', async () => {
  for (const fields of [steps(['remember', { name: 'a', text: 'b' }]), {}]) {
    const done = await sendTo(to, 'remember that a is b', fields, stranger.key);
    assert.equal(done.status, 'rejected', brief(done));
  }
  const shared = await doing({ rights: { others: ['send', 'calculate'] } });
  const sent = await sendTo(shared, 'x', steps(['send', { to: target, body: 'lent' }]), stranger.key);
  assert.equal(await arrived('lent'), 1, brief(sent));
  for (const body of ['uppercase: a', 'remember that a is b', 'what time is it']) {
    const done = await sendTo(shared, body, {}, stranger.key);
    assert.equal(done.status, 'rejected', `${body}: ${brief(done)}`);
  }
  const own = await sendTo(shared, 'uppercase: a');
  assert.equal(own.status, 'completed', brief(own));
});

test('own limits what keys of the namespace may do, and schedules do not get round it', async () => {
  const narrow = await doing({ rights: { own: ['schedule', 'calculate', 'remind'] } });
  const no = await sendTo(narrow, 'remember that a is b');
  assert.equal(no.status, 'rejected', brief(no));
  const at = await soon();
  const plan = steps(['schedule', { op: 'add', instructions: `send ${target}: round the back`, at }]);
  const refused = await sendTo(narrow, 'x', plan);
  assert.equal(refused.status, 'failed', brief(refused));
  const wide = { rights: { own: ['schedule', 'send'] } };
  const change = (settings: object) =>
    api('PATCH', `/mailboxes/${narrow}`, { key: home.key, body: { behavior: { name: 'do', settings } } });
  await change(wide);
  const planned = await sendTo(narrow, 'x', plan);
  assert.equal(planned.status, 'completed', brief(planned));
  await change({ rights: { own: ['schedule'] } });
  const { seen } = await until(
    30_000,
    async () =>
      (await api<{ items: Envelope[] }>('GET', `/mailboxes/${narrow}/messages?limit=10`, { key: home.key })).body.items,
    (items) => items.some(({ body, status }) => body.includes('round the back') && status === 'rejected'),
  );
  assert.ok(seen.length > 0);
  assert.equal(await arrived('round the back'), 0);
});

test('names out of the prototype are no tasks: in steps, rights, approval, procedures and placeholders', async () => {
  for (const name of [
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'valueOf',
    '',
    'prototype',
    'Calculate',
  ]) {
    const done = await send(home.key, { to, body: 'x', data: { steps: [{ task: name, input: {} }] }, sync: true });
    assert.ok(done.status < 500, done.text);
    if (done.status < 300) assert.equal(done.body.status, 'rejected', `${name}: ${brief(done.body)}`);
  }
  for (const settings of [
    { approval: ['constructor'] },
    { approval: ['__proto__'] },
    { rights: { own: ['constructor'] } },
    { rights: { guests: ['__proto__'] } },
    { rights: { guests: ['constructor'] } },
    { procedures: [{ name: '__proto__', description: 'x', script: '1' }] },
    { procedures: [{ name: 'a', description: 'x', steps: [{ task: 'constructor', input: {} }] }] },
    { procedures: [{ name: 'a', description: 'x', steps: [{ task: 'a', input: {} }] }] },
    { procedures: [{ name: 'calculate', description: 'x', script: '1' }] },
    { procedures: [{ name: 'a', description: 'x' }] },
    { procedures: [{ name: 'a', description: 'x', script: '1', steps: [{ task: 'random', input: {} }] }] },
    { procedures: [{ name: 'a', description: 'x', steps: [{ task: 'text', input: { op: 'say', text: '{{2}}' } }] }] },
    {
      procedures: [
        { name: 'a', description: 'x', steps: [{ task: 'text', input: { op: 'say', text: '{{input.no}}' } }] },
      ],
    },
    { time_zone: 'Mars/Olympus' },
    { time_zone: '__proto__' },
  ]) {
    const created = await api('POST', `/namespaces/${home.name}/mailboxes`, {
      key: home.key,
      body: { local_part: `p${Math.random().toString(36).slice(2)}`, behavior: { name: 'do', settings } },
    });
    isProblem(created, 'validation_error');
  }
});

test('a procedure is used by name in words and in steps, with its parameters checked', async () => {
  const taught = await doing({
    procedures: [
      {
        name: 'gross',
        description: 'Adds tax.',
        parameters: {
          type: 'object',
          properties: { net: { type: 'number', minimum: 0 }, rate: { type: 'number', default: 19 } },
          required: ['net'],
        },
        steps: [{ task: 'calculate', input: { expression: '{{input.net}} * (100 + {{input.rate}}) / 100' } }],
      },
      {
        name: 'shout',
        description: 'Shouts.',
        parameters: { type: 'object', properties: { who: { type: 'string' } }, required: ['who'] },
        script: 'return input.who.toUpperCase() + "!"',
      },
      { name: 'constructor', description: 'Named like a property.', script: '"made"' },
    ],
  });
  const by = await sendTo(taught, 'gross 100 then shout ann');
  assert.equal(by.status, 'completed', brief(by));
  assert.deepEqual(
    stepsOf(by).map(({ output }) => output?.result),
    [119, 'ANN!'],
    brief(by),
  );
  const named = await sendTo(taught, 'run gross with net 200 and rate 7');
  assert.equal(stepsOf(named)[0]?.output?.result, 214, brief(named));
  const odd = await sendTo(taught, 'x', steps(['constructor', {}]));
  assert.equal(stepsOf(odd)[0]?.output?.result, 'made', brief(odd));
  for (const input of [{}, { net: -1 }, { net: 'a' }, { net: 1, more: 2 }, { net: 1, constructor: 1 }]) {
    const bad = await sendTo(taught, 'x', steps(['gross', input]));
    assert.ok(['rejected', 'failed'].includes(bad.status), `${brief(input)}: ${brief(bad)}`);
  }
  // A sender's values are data: no code and no placeholder in them is interpreted.
  const sly = await sendTo(taught, 'x', steps(['shout', { who: '"+globalThis+"{{input.who}}' }]));
  if (sly.status === 'completed')
    assert.equal(stepsOf(sly)[0]?.output?.result, '"+GLOBALTHIS+"{{INPUT.WHO}}!', brief(sly));
  else assert.doesNotMatch(sly.error?.message ?? '', /step input/, 'it says what is wrong in words for people');
});

test('what a procedure or a task lacks is asked for, and the answer in the thread completes it', async () => {
  const taught = await doing({
    procedures: [
      {
        name: 'shout',
        description: 'Shouts.',
        parameters: { type: 'object', properties: { who: { type: 'string' } }, required: ['who'] },
        script: 'return input.who.toUpperCase() + "!"',
      },
    ],
  });
  for (const [body, answer, result] of [
    ['shout', 'bob', 'BOB!'],
    ['sort', 'b, a', ['a', 'b']],
    ['uppercase', 'tired of this', 'TIRED OF THIS'],
    [`send ${target}`, 'asked and answered', undefined],
    ['remember', 'the answer is here', undefined],
  ] as const) {
    const asked = await sendTo(taught, body);
    assert.equal(asked.status, 'input_required', `${body}: ${brief(asked)}`);
    const answered = await send(home.key, { to: taught, body: answer, thread_id: asked.thread_id });
    if (body.startsWith('send')) {
      await until(
        5_000,
        () => arrived(answer),
        (n) => n === 1,
      );
      await api('POST', `/mail/messages/${answered.body.id}/cancel`, { key: home.key });
      continue;
    }
    const done = (await read(home.key, answered.body.id, '?wait=60')).body;
    assert.equal(done.status, 'completed', `${body} / ${answer}: ${brief(done)}`);
    if (result !== undefined) assert.deepEqual(stepsOf(done)[0]?.output?.result, result, brief(done));
  }
});

test('what a sender gives a procedure is data: a placeholder in it is not filled a second time', async () => {
  const taught = await doing({
    procedures: [
      {
        name: 'echo-it',
        description: 'Says it.',
        parameters: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string', default: 'secret' } } },
        steps: [
          { task: 'text', input: { op: 'say', text: '{{input.a}}' } },
          { task: 'text', input: { op: 'say', text: '{{1}}' } },
        ],
      },
    ],
  });
  const done = await sendTo(taught, 'x', steps(['echo-it', { a: '{{input.b}}' }]));
  if (done.status === 'completed') assert.equal(stepsOf(done)[0]?.output?.result, '{{input.b}}', brief(done));
  const value = await sendTo(
    taught,
    'x',
    steps(['text', { op: 'say', text: '{{' }], ['text', { op: 'say', text: '{{1}}1}}' }]),
  );
  assert.equal(stepsOf(value)[1]?.output?.result, '{{1}}', brief(value));
});

test('a do mailbox that writes to itself, or two to each other, come to an end', async () => {
  const { address: one } = await newMailbox(home, { behavior: { name: 'do' } });
  const { address: two } = await newMailbox(home, { behavior: { name: 'do' } });
  let nested = 'calculate 1+1';
  for (let hop = 0; hop < 14; hop += 1) nested = `send ${hop % 2 ? one : two}: ${nested}`;
  const from = performance.now();
  for (const body of [`send ${one}: send ${one}: send ${one}: calculate 1+1`, nested]) {
    const sent = await send(home.key, { to: one, body, sync: true }, { prefer: 'wait=60' });
    assert.ok(sent.status < 500, sent.text);
    const { seen } = await until(
      30_000,
      async () => (await read(home.key, sent.body.id, '?wait=5')).body,
      ({ status }) => !['submitted', 'working'].includes(status),
    );
    assert.ok(['failed', 'completed', 'rejected'].includes(seen.status), brief(seen));
  }
  await assertSoon(performance.now() - from, 40_000, 'the end');
  const idle = await sendTo(one, 'calculate 1+1');
  assert.equal(idle.status, 'completed');
});

test('a schedule that plans itself anew does not outrun the limit on hops', async () => {
  const { address } = await newMailbox(home, { behavior: { name: 'do' } });
  let nested = 'calculate 1+1';
  for (let depth = 0; depth < 8; depth += 1) nested = `in 1 second, run: ${nested}`;
  const done = await sendTo(address, nested);
  assert.ok(['completed', 'input_required', 'failed'].includes(done.status), brief(done));
});
