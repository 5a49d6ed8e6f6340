import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visitorOf } from '../../../../tests/harness/console.ts';
import { formData } from '../../../../tests/harness/form.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { moody } from '../../../../tests/harness/moody.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { until } from '../../../../tests/harness/until.ts';

const gate = Promise.withResolvers<void>();
const { client, url } = await startInside({
  behaviors: [
    {
      ...moody,
      async handle() {
        await gate.promise;
        return { kind: 'reply', body: 'From the behavior.' };
      },
    },
  ],
});
const { api, newNamespace, newMailbox, send, read } = client;

test('an answer by hand is refused while a behavior is at work, and after a take-over it is the only one', async () => {
  const [home, other] = [await newNamespace(), await newNamespace()];
  const { address } = await newMailbox(home, { behavior: { name: 'moody' } });
  const { id, thread_id } = (await send(other.key, { to: address, body: 'When do you open?' })).body;
  await until(
    30_000,
    async () => (await read(home.key, id)).body.status,
    (status) => status === 'working',
  );
  const person = visitorOf(url.replace('localhost', '127.0.0.1'));
  assert.equal((await person.signIn(home.key)).status, 303);
  const refused = await api('POST', `/mail/messages/${id}/answer`, { key: home.key, body: { body: 'At nine.' } });
  assert.match(isProblem(refused, 'not_waiting').detail, /its behavior answers it/);
  const form = new URLSearchParams({ csrf: await person.token(), do: 'completed', body: 'At nine.', seen: '' });
  assert.equal((await person.post(`/console/answers/${id}`, form)).status, 409);
  const page = await person.get(`/console/messages/${id}`);
  assert.equal(formData(page.html).get('body'), 'At nine.', 'what they typed is kept');
  assert.equal((await api('POST', `/mail/threads/${thread_id}/take-over`, { key: home.key })).status, 200);
  gate.resolve();
  assert.equal((await person.post(`/console/answers/${id}`, form)).status, 303);
  const { body } = await read(other.key, id, '?wait=60');
  assert.deepEqual([body.reply?.body, body.replies_count], ['At nine.', 1]);
});
