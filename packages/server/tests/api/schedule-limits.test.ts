import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';

const service = await serveInside({ env: { LIMIT_SCHEDULES: '5', RATE_LIMITS: 'off' } });
const { newNamespace, newMailbox, newKey, send } = connect(service.url);

const OFTEN = /there are at least 5 minutes[\s\S]*claimed the namespace at http:\S+\/console\/members,/;

test('a namespace that nobody claimed plans nothing more often than every 5 minutes, however it is said', async () => {
  const home = await newNamespace();
  const box = await newMailbox(home, { behavior: { name: 'do' } });
  const ask = (fields: object) => send(home.key, { to: box.address, sync: true, body: 'do this', ...fields });
  const step = (rule: string) => ({
    data: { steps: [{ task: 'schedule', input: { op: 'add', instructions: 'say: hi', rule } }] },
  });
  const wanted = [
    { body: 'every minute say: hello' },
    { body: 'remind me every 2 minutes to drink' },
    step('* * * * *'),
    step('0,4 * * * *'),
    step('58,0 * * * *'),
  ];
  for (const fields of wanted) {
    const { body, text } = await ask(fields);
    assert.match(text, OFTEN, JSON.stringify(fields));
    assert.equal(body.status, 'failed', text);
  }
  const { body: listed } = await ask({ body: 'list my schedules' });
  assert.doesNotMatch(listed.reply?.body ?? '', /hello|drink/);
  assert.equal((await ask({ body: 'every 5 minutes say: hello' })).body.status, 'completed');
});

test('who runs the service plans each minute', async () => {
  const { body } = await send(service.ownerKey, {
    to: 'do@agents.mailroom.localhost',
    sync: true,
    body: 'every minute say: hello',
  });
  assert.equal(body.status, 'completed', JSON.stringify(body));
});

test('a namespace has so many schedules and no more, of all its keys together, however many are made at once', async () => {
  const home = await newNamespace();
  const box = await newMailbox(home, {
    behavior: { name: 'do', settings: { rights: { others: ['schedule', 'text'] } } },
  });
  const keys = await Promise.all([1, 2, 3].map(() => newKey(home, { scopes: ['mail:send', 'messages:read'] })));
  const plan = (key: string, count: number) =>
    send(key, {
      to: box.address,
      sync: true,
      body: 'do this',
      data: {
        steps: Array.from({ length: count }, (_, at) => ({
          task: 'schedule',
          input: { op: 'add', instructions: `say: ${at}`, rule: '0 9 * * *' },
        })),
      },
    });
  const made = await Promise.all(keys.flatMap(({ secret }) => [plan(secret, 2), plan(secret, 2)]));
  const completed = made.filter(({ body }) => body.status === 'completed').length;
  assert.ok(completed <= 2, `${completed} messages planned 2 each of 5`);
  for (const { body } of made) {
    if (body.status !== 'completed') assert.match(JSON.stringify(body), /has 5 schedules, the maximum/);
  }
  // A stranger's schedules count for the stranger's namespace.
  const stranger = await newNamespace();
  assert.equal((await plan(stranger.key, 5)).body.status, 'completed');
  assert.equal((await plan(stranger.key, 1)).body.status, 'failed');
  // A plan that failed halfway keeps the schedules it made before.
  const planned = await Promise.all(
    keys.map(async ({ secret }) => {
      const { body } = await send(secret, { to: box.address, sync: true, body: 'list my schedules' });
      const { steps } = (body.reply?.data ?? {}) as { steps: [{ output: { schedules: unknown[] } }] };
      return steps[0].output.schedules.length;
    }),
  );
  const all = planned.reduce((sum, one) => sum + one, 0);
  assert.ok(all >= 2 && all <= 5, `${all} schedules of 5`);
});
