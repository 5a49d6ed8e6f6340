import assert from 'node:assert/strict';
import { test } from 'node:test';
import { home, openHouse, T } from './house.ts';

test('a namespace is claimed for its schedules at once, also when its totals were read before the claim', async () => {
  const read = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  let slow = false;
  await using house = await openHouse({
    wrap: (store) => ({
      ...store,
      namespaces: {
        ...store.namespaces,
        claim: async (id, now) => {
          const claimed = await store.namespaces.claim(id, now);
          setImmediate(answer.resolve);
          return claimed;
        },
      },
      storage: {
        ...store.storage,
        totals: async (subjects) => {
          const totals = await store.storage.totals(subjects);
          if (!slow) return totals;
          read.resolve();
          await answer.promise;
          return totals;
        },
      },
    }),
  });
  const { namespace } = await home(house);
  await house.storage.flush();
  slow = true;
  const before = house.storage.isClaimed(namespace.id);
  await read.promise;
  await Promise.all([before, house.storage.claim(namespace.id, T)]);
  assert.equal(await house.storage.isClaimed(namespace.id), true);
});
