import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '@mailroom/behavior/values/error';
import { visitorOf } from '../../../../tests/harness/console.ts';
import { formData } from '../../../../tests/harness/form.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';
import type { Store } from '../../core/ports/store.ts';
import { HELD_SEND } from '../../core/values/states.ts';

/** Writes of the next send that is held that reach the database, before one fails as where the process ends. */
let writes = Number.POSITIVE_INFINITY;
async function passing<T>(write: () => Promise<T>): Promise<T> {
  if (writes-- <= 0) throw new AppError('unavailable', 'The database is away.');
  return write();
}
const failing = (store: Store): Store => ({
  ...store,
  jobs: {
    ...store.jobs,
    add: (job) => (job.kind === 'held' ? passing(() => store.jobs.add(job)) : store.jobs.add(job)),
  },
  states: {
    ...store.states,
    put: (state, now) =>
      state.kind === HELD_SEND ? passing(() => store.states.put(state, now)) : store.states.put(state, now),
  },
});

const inside = await startInside({ env: { UNDO_SECONDS: '60' }, wrap: failing });
const { client } = inside;
const home = await client.newNamespace();
const AGENT = { behavior: { name: 'agent' } };
const visitor = visitorOf(inside.url.replace('localhost', '127.0.0.1'));
assert.equal((await visitor.signIn(home.key)).status, 303);

async function forwarded(id: string, to: string, body: string): Promise<number> {
  const { html } = await visitor.get(`/console/messages/${id}?mode=forward`);
  const fields = formData(html.slice(html.indexOf('data-foot')), { button: ['do', 'forward'] });
  fields.set('to', to);
  fields.set('body', body);
  return (await visitor.post(`/console/forward/${id}`, fields)).status;
}

for (const reached of [0, 1])
  test(`a forward that was held after ${reached} of 2 writes leaves once when it is sent again, and not before its time`, async () => {
    const [box, target] = [await client.newMailbox(home, AGENT), await client.newMailbox(home, AGENT)];
    const { body: message } = await client.send(home.key, { to: box.address, body: 'Which day?' });
    const arrived = async () =>
      (await client.all<Envelope>(`/mailboxes/${target.address}/messages`, home.key)).filter(({ body }) =>
        body.startsWith('See below.'),
      );
    writes = reached;
    assert.equal(await forwarded(message.id, target.address, 'See below.'), 503);
    writes = Number.POSITIVE_INFINITY;
    inside.pass(35_000);
    const again = inside.now();
    assert.equal(await forwarded(message.id, target.address, 'See below.'), 303);
    // When that of the first time would be due, and then when it is.
    inside.pass(30_000);
    await visitor.get(`/console/messages/${message.id}`);
    inside.pass(30_000);
    await until(
      20_000,
      async () => (await arrived()).length,
      (count) => count > 0,
    );
    const [left] = await arrived();
    assert.ok(Date.parse(left?.created_at ?? '') >= again + 60_000, 'it can be taken back for as long as was said');
    inside.pass(120_000);
    await visitor.get(`/console/messages/${message.id}`);
    assert.equal((await arrived()).length, 1);
  });
