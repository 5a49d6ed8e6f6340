import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';

const service = await serveInside({ env: { RATE_LIMITS: 'on', LIMIT_CHANGES_PER_MINUTE: '6' } });
const { api, newNamespace, newMailbox, newKey, send } = connect(service.url);

test('all keys of a namespace together change so much a minute; others, and what reads and sends, go on', async () => {
  const [home, other] = [await newNamespace(), await newNamespace()];
  const { address } = await newMailbox(home);
  const second = await newKey(home, { scopes: ['owner'] });
  const change = (key: string, display_name: string) =>
    api('PATCH', `/mailboxes/${address}`, { key, body: { display_name } });
  const answers = [];
  for (let i = 0; i < 8; i++) answers.push(await change(i % 2 === 0 ? home.key : second.secret, `Name ${i}`));
  const refused = answers.filter(({ status }) => status === 429);
  // On slow machines the limit refills a little meanwhile.
  assert.ok(refused.length >= 2 && answers[0]?.status === 200, JSON.stringify(answers.map(({ status }) => status)));
  isProblem(refused[0] as (typeof answers)[0], 'rate_limited');
  assert.ok(Number(refused[0]?.headers.get('retry-after')) > 0);
  assert.match(answers[0]?.headers.get('ratelimit-policy') ?? '', /"changes";q=6;w=60/);
  await newMailbox(other);
  assert.equal((await api('GET', `/mailboxes/${address}`, { key: home.key })).status, 200);
  assert.equal((await send(home.key, { to: address, body: 'Hi', sync: true })).status, 200);
});
