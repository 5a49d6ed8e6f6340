import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startInside } from '../../../../tests/harness/inside.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';

// A plan that can never work is refused when it is made, and what was planned is what later messages mean by "it".
const { client, now } = await startInside();
const home = await client.newNamespace();

interface Planned {
  id: string;
  name: string;
  next_at: string;
}
const brief = (value: unknown): string => JSON.stringify(value).slice(0, 1200);
const doing = async (settings = {}, fields = {}): Promise<string> =>
  (await client.newMailbox(home, { behavior: { name: 'do', settings }, ...fields })).address;

async function sendTo(to: string, body: string, fields: Record<string, unknown> = {}): Promise<Envelope> {
  const sent = await client.send(home.key, { to, body, sync: true, ...fields }, { prefer: 'wait=20' });
  assert.ok(sent.status < 300, sent.text);
  return sent.body;
}
async function list(to: string): Promise<Planned[]> {
  const done = await sendTo(to, 'x', { data: { steps: [{ task: 'schedule', input: { op: 'list' } }] } });
  const { steps } = (done.reply?.data ?? { steps: [] }) as { steps: { output: { schedules: Planned[] } }[] };
  return steps[0]?.output.schedules ?? [];
}
const textOf = (message: Envelope): string => `${message.reply?.body ?? ''} ${message.error?.message ?? ''}`;

describe('a plan that can never work is refused when it is made', () => {
  test('because of the address it writes to, however deep it is planned', async () => {
    const to = await doing();
    const domain = to.slice(to.indexOf('.') + 1);
    for (const [body, why] of [
      ['every monday 9am send team@example.com: hello', /addresses that end in/],
      ['tomorrow at 9, tell team@example.com that it is late', /addresses that end in/],
      [`every monday at 9 send nobody@house.${domain}: hello`, /no mailbox|deleted/],
      ['calculate 2+2, then every monday at 9 send team@example.com: hello', /addresses that end in/],
      ['every monday at 9: every day at 10 send team@example.com: hello', /addresses that end in/],
    ] as const) {
      const sent = await sendTo(to, body);
      assert.ok(['failed', 'rejected'].includes(sent.status), brief(sent));
      assert.match(textOf(sent), why, body);
    }
    const instructions = 'send team@example.com: hello';
    const input = { op: 'add', instructions, rule: 'every monday at 9' };
    const steps = await sendTo(to, 'x', { data: { steps: [{ task: 'schedule', input }] } });
    assert.match(textOf(steps), /addresses that end in/);
    assert.deepEqual(await list(to), []);
    assert.equal((await sendTo(to, `every monday 9am send ${to}: calculate 2+2`)).status, 'completed');
  });

  test('because of the page it reads, however its address is written', async () => {
    const to = await doing();
    const urls = [
      'http://localhost:8080/',
      'http://2130706433/',
      'http://[::ffff:10.0.0.1]/',
      'https://169.254.169.254/x',
    ];
    for (const url of urls)
      for (const body of [`every monday at 9 fetch ${url}`, `tomorrow at 9: every day at 10 fetch ${url}`]) {
        const sent = await sendTo(to, body);
        assert.ok(['failed', 'rejected'].includes(sent.status), brief(sent));
        assert.match(textOf(sent), /not a public address/, body);
      }
    const input = { op: 'add', instructions: 'fetch http://10.0.0.1/', rule: 'every monday at 9' };
    assert.match(
      textOf(await sendTo(to, 'x', { data: { steps: [{ task: 'schedule', input }] } })),
      /not a public address/,
    );
    assert.deepEqual(await list(to), []);
  });

  test('before its owner is asked for approval, and before its sender is asked to confirm', async () => {
    const to = await doing({ approval: ['send', 'schedule', 'calculate'] });
    const outside = 'send team@example.com: hello';
    for (const body of [outside, `every monday at 9 ${outside}`, `every monday at 9: every day at 10 ${outside}`]) {
      const sent = await sendTo(to, body);
      assert.equal(sent.status, 'failed', brief(sent));
      assert.match(textOf(sent), /addresses that end in/);
    }
    const steps = [{ task: 'send', input: { to: 'team@example.com', body: 'hello' } }];
    assert.equal((await sendTo(to, 'x', { data: { steps } })).status, 'failed');
    const free = await doing();
    await sendTo(free, 'remind me tomorrow at 9 to call Ann');
    const sent = await sendTo(free, `1. cancel the reminder about Ann\n2. ${outside}`);
    assert.match(textOf(sent), /addresses that end in/);
    assert.equal((await list(free)).length, 1);
  });

  test('and nothing of it is done', async () => {
    const to = await doing();
    const sent = await sendTo(to, 'remind me tomorrow at 9 to call Ann\n\n1. send team@example.com: hello');
    assert.notEqual(sent.status, 'completed', brief(sent));
    assert.deepEqual(await list(to), []);
  });

  test('because its sender may not use a task, however deep it is planned', async () => {
    const to = await doing({ rights: { own: ['schedule', 'calculate'] } });
    for (const body of [
      `every monday at 9 send ${to}: hello`,
      'every monday at 9 remember that it is Monday',
      `every monday at 9: every day at 10 send ${to}: hello`,
    ]) {
      const sent = await sendTo(to, body);
      assert.equal(sent.status, 'rejected', brief(sent));
      assert.match(textOf(sent), /has not allowed you to use/);
    }
    assert.deepEqual(await list(to), []);
    assert.equal((await sendTo(to, 'every monday at 9 calculate 2+2')).status, 'completed');
  });
});

test('a guest is refused before anything is asked about what it may not have done', async () => {
  const to = await doing({}, { access: 'public', try_out: true });
  for (const body of [
    'remind me to call Ann',
    'remember my shoe size',
    'send ann@example.com',
    'calculate 2+2, then remind me to call Ann',
    'schedule calculate 2+2',
  ]) {
    const { body: tried } = await client.tryOut({ to, body }, { prefer: 'wait=20' });
    assert.equal(tried.status, 'rejected', brief(tried));
    assert.match(tried.error?.message ?? '', /not for people without a key/, body);
  }
});

test('signs of emphasis around a text belong to it, also before the next instruction', async () => {
  const to = await doing();
  for (const [body, text] of [
    ['Remember that the motto is "quoted" & **bold**, then calculate 2 * 21', '"quoted" & **bold**'],
    ['Remember that the motto is <b> and `code`; then calculate 2 * 21', '<b> and `code`'],
    ['Remember that the motto is _safety_. Then calculate 2 * 21', '_safety_'],
    ['Remember that the motto is **no shoes**, then calculate 2 * 21', '**no shoes**'],
    ['Remember that the motto is ~~old~~; then calculate 2 * 21', '~~old~~'],
    ['Remember that the motto is **42, then calculate 2 * 21', '**42'],
  ] as const) {
    const sent = await sendTo(to, body);
    assert.equal(sent.status, 'completed', `${body}: ${brief(sent)}`);
    const { steps } = (sent.reply as { data: { steps: { input: { text: string }; output: { result: unknown } }[] } })
      .data;
    const [kept, calculated] = steps;
    assert.deepEqual([kept?.input.text, calculated?.output.result], [text, 42]);
  }
});

describe('after a reminder', () => {
  const DAY = 86_400_000;
  const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  const tomorrow = dayOf(now() + DAY);

  async function reminded(body = 'remind me tomorrow at 9 to call Ann') {
    const to = await doing();
    const { thread_id } = await sendTo(to, body);
    const say = (text: string): Promise<Envelope> => sendTo(to, text, { thread_id });
    return { to, say };
  }

  for (const [said, time] of [
    ['make it 10', '10:00'],
    ['Make it 10:30 please.', '10:30'],
    ['no, 3pm', '15:00'],
    ['move it to 17:45', '17:45'],
    ['change the reminder to noon', '12:00'],
    ['make it an hour later', '10:00'],
    ['at 8 instead', '08:00'],
  ] as const) {
    test(`${JSON.stringify(said)} means it`, async () => {
      const { to, say } = await reminded();
      const changed = await say(said);
      assert.equal(changed.status, 'completed', brief(changed));
      const [one, ...more] = await list(to);
      assert.deepEqual([one?.name, one?.next_at.slice(0, 16), more], ['call Ann', `${tomorrow}T${time}`, []]);
      const again = await say('make it 11');
      assert.equal(again.status, 'completed', brief(again));
      assert.equal((await list(to))[0]?.next_at.slice(11, 16), time > '11:59' ? '23:00' : '11:00');
    });
  }

  for (const correction of ['actually 15', 'make it 20', 'no, 7'])
    test(`${JSON.stringify(correction)} behind one in some minutes is asked about, and changes nothing`, async () => {
      const { to, say } = await reminded('remind me in 10 minutes to turn off the iron');
      const listBefore = await list(to);
      const asked = await say(correction);
      assert.equal(asked.status, 'input_required', brief(asked));
      assert.match(textOf(asked), /time of the day, or how many minutes/);
      assert.deepEqual(await list(to), listBefore);
      const answered = await say('make it in 15 minutes');
      assert.equal(answered.status, 'completed', brief(answered));
      const due = Date.parse((await list(to))[0]?.next_at ?? '') - now();
      assert.ok(due > 13 * 60_000 && due <= 16 * 60_000, String(due));
    });

  for (const correction of [
    'a week before and a day before',
    'two days before and an hour after',
    '3 hours before or a day before',
  ])
    test(`several lengths, ${JSON.stringify(correction)}, are asked about, and none is set`, async () => {
      const to = await doing();
      const asked = await sendTo(to, `remind me ${correction} 20 December to buy a gift, at 10:00`);
      assert.equal(asked.status, 'input_required', brief(asked));
      assert.deepEqual(await list(to), []);
    });

  test('one that repeats keeps its days', async () => {
    const { to, say } = await reminded('remind me every weekday at 9 to stretch');
    assert.match(textOf(await say('make it 10')), /10:00/);
    assert.equal((await list(to))[0]?.next_at.slice(11, 16), '10:00');
    assert.match(textOf(await say('make it every Tuesday')), /Tuesday.*10:00/i);
  });

  test('"cancel it" means it', async () => {
    const { to, say } = await reminded();
    const asked = await say('cancel it');
    assert.equal(asked.status, 'input_required', brief(asked));
    assert.match(textOf(asked), /call Ann/);
    assert.match(textOf(await say('yes')), /Canceled: “call Ann”/);
    assert.deepEqual(await list(to), []);
  });

  test('"cancel it" after a change that was not understood means it, and says nothing else is done', async () => {
    const { to, say } = await reminded();
    assert.equal((await say('make it half past banana o 99')).status, 'input_required');
    const asked = await say('cancel it');
    assert.match(textOf(asked), /deletes permanently[\s\S]*call Ann/);
    assert.equal((await list(to)).length, 1);
    assert.match(textOf(await say('yes')), /Canceled/);
    assert.deepEqual(await list(to), []);
  });

  test('what is called off is not what was done before', async () => {
    const { to, say } = await reminded();
    assert.equal((await say('remind me to call Bob')).status, 'input_required');
    assert.match(textOf(await say('never mind')), /stays as it is/);
    assert.equal((await list(to)).length, 1);
  });
});
