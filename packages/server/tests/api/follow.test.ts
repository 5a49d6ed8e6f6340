import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../../../tests/harness/client.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import { openStream } from '../../../../tests/harness/stream.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';

const service = await sharedService();
const { newNamespace, newMailbox, send, api } = connect(service.url);
const home = await newNamespace();
const { address: to } = await newMailbox(home, { behavior: { name: 'do' } });
const slow = { task: 'run', input: { code: 'const t = Date.now(); while (Date.now() - t < 400); 7' } };

/** The events of a message's stream until it ends. */
async function follow(id: string, key: string): Promise<readonly { event: string; data: Envelope }[]> {
  const stream = await openStream(`${service.url}/api/v1/mail/messages/${id}`, { authorization: `Bearer ${key}` });
  await stream.ended;
  return stream.events.map(({ event, data }) => ({ event, data: JSON.parse(data) as Envelope }));
}

test('a message is followed as it changes: each step as it runs, and its end', async () => {
  const { body } = await send(home.key, { to, body: 'x', data: { steps: [slow, slow, slow] } });
  const events = await follow(body.id, home.key);
  const steps = events.flatMap(({ data }) => (data.progress as { text: string }[]).map(({ text }) => text));
  assert.ok(new Set(steps).size >= 2, JSON.stringify(steps));
  assert.ok(
    steps.every((text) => /^Step [123] of 3: run$/.test(text)),
    JSON.stringify(steps),
  );
  const last = events.at(-1)?.data;
  assert.deepEqual([last?.status, last?.progress], ['completed', []]);
  assert.equal(events.filter(({ data }) => data.status === 'completed').length, 1);
});

test('one that is settled is told once, and one that nobody may see is not there', async () => {
  const { body } = await send(home.key, { to, body: 'calculate 6*7', sync: true });
  const events = await follow(body.id, home.key);
  assert.deepEqual(
    events.map(({ event, data }) => [event, data.status]),
    [['message', 'completed']],
  );
  const stranger = await newNamespace();
  const answer = await api('GET', `/mail/messages/${body.id}`, {
    key: stranger.key,
    headers: { accept: 'text/event-stream' },
  });
  assert.equal(answer.status, 404);
});
