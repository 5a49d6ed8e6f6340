import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { unique } from '../../../../tests/harness/client.ts';
import { gated, gatesOf, type Noted } from '../../../../tests/harness/gated.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { Outbox } from '../../../../tests/harness/outbox.ts';
import { Person } from '../../../../tests/harness/person.ts';
import { newFolder, removeFolder } from '../../../../tests/harness/service.ts';
import { slowness } from '../../../../tests/harness/soon.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';
import { amount } from '../../../../tests/soak/length.ts';

const SOON_MS = 4_000;
const SENDS = amount(80, 200);

async function start(runMax: number) {
  const folder = newFolder();
  after(() => removeFolder(folder));
  const env = { RUN_MAX: String(runMax), STOP_SECONDS: '1' };
  const inside = await startInside({ env, behaviors: [gated(folder, 'node')] });
  return { ...inside, gates: gatesOf(folder) };
}

/** The largest number of runs at one time. */
function peakOf(noted: readonly Noted[]): number {
  let [now, peak] = [0, 0];
  for (const { step } of noted) {
    now += step === 'began' ? 1 : -1;
    peak = Math.max(peak, now);
  }
  return peak;
}

test('with RUN_MAX=2 twenty slow sync sends never run more than two at once, and all end', async () => {
  const { client, gates } = await start(2);
  const home = await client.newNamespace();
  const { address: to } = await client.newMailbox(home, { behavior: { name: 'gated' } });
  const send = () => client.send(home.key, { to, body: unique(), sync: true, data: { ms: 150 } });
  const answers = await Promise.all(Array.from({ length: 20 }, send));
  for (const { status, body, text } of answers) assert.deepEqual([status, body.status], [200, 'completed'], text);
  assert.equal(peakOf(gates.noted()), 2);
});

test(`with RUN_MAX=4 and ${SENDS} slow sync sends to one mailbox, other messages, schedules and sign-in mail are soon done`, async () => {
  const { url, outbox, stop, client, gates } = await start(4);
  const home = await client.newNamespace();
  const { address: slow } = await client.newMailbox(home, { behavior: { name: 'gated' } });
  const { address: other } = await client.newMailbox(home);
  const { address: planner } = await client.newMailbox(home, { behavior: { name: 'do' } });
  // The first message to `do` starts its threads, which takes longer than those that follow.
  await client.send(home.key, { to: planner, body: 'calculate 6*7', sync: true });
  const dueAt = new Date(Date.now() + 4_000 * (await slowness())).toISOString();
  const steps = [{ task: 'remind', input: { text: 'rise', at: dueAt } }];
  const planned = await client.send(home.key, { to: planner, body: 'x', sync: true, data: { steps } });
  assert.equal(planned.body.status, 'completed', planned.text);

  const sent = Array.from({ length: SENDS }, () =>
    client.send(home.key, { to: slow, body: unique('slow'), sync: true }),
  );
  const settled = Promise.allSettled(sent);
  const inSlow = async () => (await client.all<Envelope>(`/mailboxes/${slow}/messages?limit=200`, home.key)).length;
  await until(20_000, inSlow, (found) => found >= 0.95 * SENDS);

  const queued = await client.send(home.key, { to: other, body: 'Hello' });
  const answered = async () => (await client.read(home.key, queued.body.id)).body.status;
  await until(SOON_MS, answered, (status) => status === 'completed');

  const email = `${unique('p')}@example.com`;
  const person = new Person(url);
  await person.send(await person.get('/account/sign-in'), ['do', 'code'], { address: email });
  const began = performance.now();
  await new Outbox(outbox).code(email);
  assert.ok(performance.now() - began < SOON_MS * (await slowness()));

  await pause(Math.max(0, Date.parse(dueAt) - Date.now()));
  const reminded = async () =>
    (await client.all<Envelope>(`/mailboxes/${planner}/messages?limit=200`, home.key)).some(
      ({ reply }) => reply?.body === 'Reminder: rise',
    );
  await until(SOON_MS, reminded, Boolean);

  assert.ok(peakOf(gates.noted()) <= 4);
  await stop();
  await settled;
});
