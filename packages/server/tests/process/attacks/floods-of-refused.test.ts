import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertHeld, attack } from '../../../../../tests/harness/attack.ts';
import { connect } from '../../../../../tests/harness/client.ts';
import { amount } from '../../../../../tests/soak/length.ts';

const ROUNDS = amount(11, 15);
/** A slow machine sends less in a minute than is limited. */
const MOST_ROUNDS = 60;
const FIELDS = JSON.stringify(Object.fromEntries(Array.from({ length: 140_000 }, (_, i) => [`field${i}`, i])));

test('documents of 2 MB that are refused hold nobody up, and cost who sends them', async () => {
  const statuses = new Set<number>();
  const report = await attack({ env: { LIMIT_REJECTED_PER_MINUTE: '60' } }, async ({ url, ownerKey }) => {
    const { api } = connect(url);
    const post = async (path: string, raw: string, key?: string) => {
      // A request that is refused before it is read may have its connection closed.
      const answer = await api('POST', path, { raw, ...(key !== undefined && { key }) }).catch(() => undefined);
      if (answer !== undefined) statuses.add(answer.status);
    };
    for (let i = 0; i < ROUNDS || (!statuses.has(429) && i < MOST_ROUNDS); i++) {
      await Promise.all([
        post('/namespaces', FIELDS),
        post('/mail/try', `[${'0,'.repeat(1_000_000)}0]`),
        post('/mail/send', FIELDS, ownerKey),
        post('/mail/send', `{"x":${FIELDS}`, ownerKey),
        post('/namespaces', FIELDS, 'mr_live_wrong'),
        post('/mail/send', '{}'),
      ]);
    }
  });
  assertHeld(report);
  assert.ok(statuses.has(429), 'in the end it is limited');
  assert.ok(
    [...statuses].every((status) => [401, 413, 422, 429].includes(status)),
    [...statuses].join(' '),
  );
});
