import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../../../tests/harness/client.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import type { Store } from '../../core/ports/store.ts';
import type { Claims } from '../../core/sign-in/claims.ts';
import { noticeRoutes } from '../../transports/api/notices.ts';
import { sessionRoutes } from '../../transports/api/sessions.ts';

const { url } = await sharedService();
const { api, newNamespace } = connect(url);
const never = async (): Promise<never> => {
  throw new Error('It was called.');
};
const routes = [
  ...sessionRoutes({
    registry: { namespace: never },
    sessions: { list: never, end: never, endAll: never },
    claims: {} as Claims,
  }),
  ...noticeRoutes({ store: {} as Store, clock: Date.now }),
];

test('what a session alone may do is not there for an owner key, whichever way it asks', async () => {
  const { key } = await newNamespace();
  assert.ok(routes.length >= 8);
  for (const { method, path, id, access } of routes) {
    assert.equal(access, 'session', id);
    const at = path.replace('/api/v1', '').replace('{id}', 'a'.repeat(64));
    for (const how of [method, 'GET', 'POST', 'DELETE'] as const) {
      const body = how === 'POST' ? { account_id: 'acc_00000000000000000000' } : undefined;
      isProblem(await api(how, at, { key, ...(body && { body }) }), 'not_found');
    }
  }
});

test('what a session alone may do is not described, nor a tool', async () => {
  const { text } = await api('GET', '/openapi.json');
  for (const { id, path } of routes) {
    assert.ok(!text.includes(`"${id}"`), id);
    assert.ok(!text.includes(`"${path}"`), path);
  }
});
