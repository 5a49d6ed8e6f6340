import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, connect, type Home } from '../../../../tests/harness/client.ts';
import { newFolder, removeFolder, type Service, startService } from '../../../../tests/harness/service.ts';
import { slowness } from '../../../../tests/harness/soon.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';
import { LONG_ONLY } from '../../../../tests/soak/length.ts';

// A process is killed while it runs the steps of a message; the next one continues with the first unfinished step.
const env = { LEASE_SECONDS: '2' };
const folders: string[] = [];
const running: Service[] = [];
after(async () => {
  await Promise.all(running.map((service) => service.kill()));
  for (const folder of folders) removeFolder(folder);
});
function place(): string {
  const folder = newFolder();
  folders.push(folder);
  return folder;
}
async function start(folder: string, more: Record<string, string> = {}): Promise<Service> {
  const service = await startService({ folder, env: { ...env, ...more } });
  running.push(service);
  return service;
}

interface Step {
  task: string;
  status: string;
  started_at: string;
  output: { result: unknown } | null;
}
const stepsOf = (envelope: Envelope): Step[] => ((envelope.reply?.data ?? {}) as { steps?: Step[] }).steps ?? [];
const brief = (value: unknown): string => JSON.stringify(value).slice(0, 1500);
/** When each step began. */
const times = (envelope: Envelope): string =>
  stepsOf(envelope)
    .map(({ started_at }) => started_at)
    .join(' ');
const step = (task: string, input: unknown) => ({ task, input });
/** A step that computes for this long. */
const works = (ms: number) =>
  step('run', { code: `const t = Date.now(); while (Date.now() - t < ${ms}); Math.random()` });
const slow = works(600);

describe('a process with plans, an approval and a reminder, that is killed twice,', () => {
  const REMINDED_MS = 1_500;
  let client: Client;
  let home: Home;
  let to = '';
  let target = '';
  let paused = '';
  let plans: Envelope[] = [];
  let waitingApproval: { readonly id: string; readonly before: unknown; readonly after: unknown };
  const inbox = async (address: string): Promise<Envelope[]> =>
    (await client.api<{ items: Envelope[] }>('GET', `/mailboxes/${address}/messages?limit=100`, { key: home.key })).body
      .items;

  before(async () => {
    const folder = place();
    let service = await start(folder);
    client = connect(service.url);
    const again = async (): Promise<void> => {
      await service.kill();
      await pause(Math.max(0, Date.parse(at) + 100 - Date.now()));
      service = await start(folder);
      client = connect(service.url);
    };
    home = await client.newNamespace();
    to = (await client.newMailbox(home, { behavior: { name: 'do' } })).address;
    target = (await client.newMailbox(home)).address;
    paused = (await client.newPaused(home)).address;
    const careful = await client.newMailbox(home, { behavior: { name: 'do', settings: { approval: ['send'] } } });
    // The first message starts the threads.
    await client.send(home.key, { to, body: 'calculate 6*7', sync: true });
    // The time must still be in the future when the message is planned, also on a busy machine.
    const at = new Date(Date.now() + REMINDED_MS * (await slowness())).toISOString();
    const reminder = { steps: [step('remind', { text: 'rise', at })] };
    const planned = await client.send(home.key, { to, body: 'x', sync: true, data: reminder });
    assert.equal(planned.body.status, 'completed', planned.text);
    const waits = async (id: string): Promise<unknown> => {
      const look = async () => (await client.read(home.key, id)).body as Envelope & { approval?: unknown };
      return (await until(20_000, look, ({ waiting_for }) => waiting_for === 'approval')).seen.approval;
    };
    const after = [step('remember', { name: 'a', text: 'b' }), step('send', { to: paused, body: 'after all' })];
    const { body: held } = await client.send(home.key, {
      to: careful.address,
      body: 'x',
      data: { steps: [slow, ...after] },
    });
    const approval = await waits(held.id);
    const sent = Array.from({ length: 3 }, (_, at) =>
      client.send(home.key, {
        to,
        body: `plan ${at}`,
        data: {
          steps: [
            step('send', { to: target, body: `first ${at}` }),
            works(250),
            step('remember', { name: `note ${at}`, text: '{{2}}' }),
            works(250),
            step('send', { to: target, body: `last ${at}` }),
            works(250),
          ],
        },
      }),
    );
    plans = (await Promise.all(sent)).map(({ status, body, text }) => {
      assert.ok(status < 300, text);
      return body;
    });
    await pause(500);
    await again();
    waitingApproval = { id: held.id, before: approval, after: await waits(held.id) };
    const approved = await client.api('POST', `/mail/messages/${held.id}/approve`, { key: home.key });
    assert.equal(approved.status, 200, approved.text);
    await pause(400);
    await again();
  });

  test('goes on at the first unfinished step, and nothing is sent twice', async () => {
    for (const { id } of plans) {
      const { seen } = await until(
        45_000,
        async () => (await client.read(home.key, id, '?wait=5')).body,
        ({ settled_at }) => settled_at !== null,
      );
      assert.equal(seen.status, 'completed', brief(seen));
      assert.deepEqual(
        stepsOf(seen).map(({ status }) => status),
        Array.from({ length: 6 }, () => 'completed'),
        brief(seen),
      );
      const kept = await client.send(home.key, { to, body: 'x', data: { steps: [step('recall', {})] }, sync: true });
      assert.match(
        kept.text,
        new RegExp(String(stepsOf(seen)[1]?.output?.result).replace('.', '\\.')),
        'the note is of the step as the receipt has it',
      );
    }
    assert.deepEqual(
      (await inbox(target)).map(({ body }) => body).sort(),
      ['first', 'last'].flatMap((word) => [0, 1, 2].map((at) => `${word} ${at}`)),
    );
  });

  test('keeps what waits for approval, and does what was approved, once', async () => {
    assert.deepEqual(waitingApproval.after, waitingApproval.before);
    await until(
      20_000,
      () => inbox(paused),
      ({ length }) => length === 1,
    );
  });

  test('sends a reminder that was due while it was dead, and what it did, once', async () => {
    const countReminders = async (): Promise<number> =>
      (await inbox(to)).filter(({ reply }) => reply?.body === 'Reminder: rise').length;
    await until(10_000, countReminders, (n) => n === 1);
    await pause(1_500);
    assert.equal(await countReminders(), 1);
    assert.equal((await inbox(paused)).length, 1);
  });
});

test('steps without effects that were finished before the end are not done again either', LONG_ONLY, async () => {
  const folder = place();
  const roomy = { DO_STEPS: '200' };
  let service = await start(folder, roomy);
  let client = connect(service.url);
  const home = await client.newNamespace();
  const { address: to } = await client.newMailbox(home, { behavior: { name: 'do' } });
  const expression = Array.from({ length: 12 }, () => 'acos(0.3)').join('+');
  const steps = Array.from({ length: 200 }, () => ({ task: 'calculate', input: { expression } }));
  const sent = await client.send(home.key, { to, body: 'x', data: { steps } });
  assert.equal(sent.status, 202, sent.text);
  await until(
    15_000,
    async () => (await client.read(home.key, sent.body.id)).body,
    ({ progress }) => Number(/^Step (\d+) of 200: calculate$/.exec(progress.at(-1)?.text ?? '')?.[1]) > 20,
  );
  const killed = Date.now();
  await service.kill();
  service = await start(folder, roomy);
  client = connect(service.url);
  const { seen } = await until(
    60_000,
    async () => (await client.read(home.key, sent.body.id, '?wait=5')).body,
    ({ settled_at }) => settled_at !== null,
  );
  assert.equal(seen.status, 'completed', brief(seen));
  const done = stepsOf(seen);
  assert.equal(done.length, 200);
  const before = (one: Step | undefined): boolean => Date.parse(one?.started_at ?? '') < killed;
  assert.ok(before(done[0]) && !before(done.at(-1)), `killed ${new Date(killed).toISOString()}`);
  await service.stop();
});

test(
  'a step that was finished before the end is not done again: its receipt is the one of then',
  LONG_ONLY,
  async () => {
    const folder = place();
    let service = await start(folder);
    let client = connect(service.url);
    const home = await client.newNamespace();
    const { address: to } = await client.newMailbox(home, { behavior: { name: 'do' } });
    const sent = await client.send(home.key, { to, body: 'x', data: { steps: [slow, slow, slow, slow] } });
    await until(
      15_000,
      async () => (await client.read(home.key, sent.body.id)).body,
      ({ progress }) => JSON.stringify(progress).includes('3 of 4'),
    );
    const killed = Date.now();
    await service.kill();
    service = await start(folder);
    client = connect(service.url);
    const { seen } = await until(
      30_000,
      async () => (await client.read(home.key, sent.body.id, '?wait=5')).body,
      ({ settled_at }) => settled_at !== null,
    );
    assert.equal(seen.status, 'completed', brief(seen));
    const [one, two, , four] = stepsOf(seen) as [Step, Step, Step, Step];
    assert.ok(
      Date.parse(one.started_at) < killed && Date.parse(two.started_at) < killed,
      `killed ${new Date(killed).toISOString()}: ${times(seen)}`,
    );
    assert.ok(Date.parse(four.started_at) > killed, `killed ${new Date(killed).toISOString()}: ${times(seen)}`);
    await service.stop();
  },
);
