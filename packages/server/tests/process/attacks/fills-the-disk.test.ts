import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertHeld, attack } from '../../../../../tests/harness/attack.ts';
import { connect } from '../../../../../tests/harness/client.ts';

const KiB = 1024;
const MiB = 1024 * KiB;
/** The share of one network: that of its guests, and that of the namespaces it makes. */
const NETWORK = MiB;
const GUESTS = 256 * KiB;
const env = {
  LIMIT_STORAGE_UNCLAIMED: String(512 * KiB),
  LIMIT_STORAGE_NETWORK: String(NETWORK),
  LIMIT_GUEST_STORAGE: String(GUESTS),
  LIMIT_TRIES_PER_MINUTE: '1000',
  LIMIT_TRIES_PER_DAY: '1000',
};
const BODY = 'x'.repeat(64 * KiB);
const KEYS = 6;
const ROUNDS = 2;

test('one address with all the keys that it can make stores no more than its share', async () => {
  const sizes: number[] = [];
  const report = await attack({ env }, async (service) => {
    const { api, newNamespace, newPaused, newKey, send, tryOut, all } = connect(service.url);
    const homes = await Promise.all([1, 2, 3].map(() => newNamespace()));
    let refused = 0;
    for (const home of homes) {
      const box = await newPaused(home);
      const keys = await Promise.all(
        Array.from({ length: KEYS }, () => newKey(home, { scopes: ['mail:send', 'messages:read'] })),
      );
      for (let round = 0; round < ROUNDS; round++) {
        for (const { secret } of keys) {
          const { status, text } = await send(secret, { to: box.address, body: BODY });
          assert.ok([202, 507].includes(status), text.slice(0, 300));
          if (status === 507) refused++;
        }
      }
      const sent = await all<{ body: string }>('/mail/messages?limit=5', home.key);
      sizes.push(sent.reduce((sum, { body }) => sum + body.length, 0));
      // Messages of one byte do not get around the limit.
      for (let i = 0; i < 20; i++) await send(home.key, { to: box.address, body: 'x' });
      assert.equal((await api('GET', '/me', { key: home.key })).status, 200);
    }
    assert.ok(refused > 0);
    let taken = 0;
    for (let round = 0; round < 10; round++) {
      const tries = await Promise.all(
        Array.from({ length: 8 }, () => tryOut({ to: 'hello@agents.mailroom.localhost', body: 'x'.repeat(8192) })),
      );
      taken += tries.filter(({ status }) => status !== 507).length;
    }
    assert.ok(taken * 8192 <= GUESTS, `Guests stored ${taken} bodies of 8 KiB.`);
    assert.ok(taken > 0);
  });
  const stored = sizes.reduce((sum, one) => sum + one, 0);
  assert.ok(stored > MiB / 2 && stored <= NETWORK, `${stored} bytes of ${NETWORK}`);
  assertHeld(report);
});
