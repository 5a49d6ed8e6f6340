import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, HELLO } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';

test('a namespace has so many mailboxes and no more, however many are made at once', async () => {
  await using service = await serveInside({ env: { LIMIT_MAILBOXES: '3', RATE_LIMITS: 'off' } });
  const { api, newNamespace } = connect(service.url);
  const home = await newNamespace();
  const make = (local_part: string) =>
    api('POST', `/namespaces/${home.name}/mailboxes`, { key: home.key, body: { local_part, behavior: HELLO } });
  const all = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(make));
  assert.deepEqual(
    all.map(({ status }) => status).sort((a, b) => a - b),
    [201, 201, 201, 422, 422, 422],
  );
  const refused = await make('g');
  const { errors } = isProblem(refused, 'validation_error');
  const message = 'This namespace has 3 mailboxes, the maximum. Delete one first.';
  assert.deepEqual(errors, [{ pointer: '/local_part', message }]);
  const [gone] = all.filter(({ status }) => status === 201);
  assert.ok(gone !== undefined);
  const { address } = gone.body as { address: string };
  await api('DELETE', `/mailboxes/${address}`, { key: home.key });
  assert.equal((await make('g')).status, 201);
});
