import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { DAY } from '@mailroom/behavior/values/clock';
import type { ModelRun } from '../../core/ports/model-usage.ts';
import type { Store } from '../../core/ports/store.ts';
import { opened, purgeAll, T, type World } from './made.ts';

const TODAY = Math.floor(T / DAY);
const NO_LIMITS = { per_day: null, per_sender: null };
const UNUSED = { input: 0, output: 0 };

/** Tests of the tokens that messages take of the language model. */
export function modelUsageContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: usage of the model`, () => {
    let store: Store;
    let alice: World;
    let bob: World;
    beforeEach(async () => {
      ({ store, alice, bob } = await opened(open));
    });
    afterEach(() => store[Symbol.asyncDispose]());

    const run = (fields: Partial<ModelRun> = {}): ModelRun => ({
      mailbox_id: alice.mailbox.id,
      day: TODAY,
      sender: '',
      reserved: 100,
      ...fields,
    });
    const today = async () => (await store.modelUsage.days(alice.mailbox.id, TODAY))[0];
    const eventsOf = async ({ namespace }: World): Promise<readonly string[]> => {
      const { items } = await store.events.page({ namespace_id: namespace.id }, null, 100);
      return items.map(({ type }) => type).filter((type) => type.startsWith('mailbox.budget'));
    };

    test('of 20 runs at once exactly those reserve for which some of the day is left', async () => {
      const limits = { per_day: 301, per_sender: null };
      const results = await Promise.all(Array.from({ length: 20 }, () => store.modelUsage.reserve(run(), limits)));
      assert.deepEqual(
        ['reserved', 'day'].map((kind) => results.filter((result) => result === kind).length),
        [4, 16],
      );
      assert.deepEqual(await today(), {
        day: TODAY,
        runs: 4,
        input_tokens: 0,
        output_tokens: 0,
        reserved: 400,
        budget: 301,
      });
    });

    test('each sender has a limit of its own, in each mailbox', async () => {
      const limits = { per_day: 1_000, per_sender: 150 };
      const of = (sender: string, fields: Partial<ModelRun> = {}) =>
        store.modelUsage.reserve(run({ sender, ...fields }), limits);
      const results = await Promise.all(['ann', 'ann', 'ann', 'bea', 'bea', 'bea'].map((sender) => of(sender)));
      for (const from of [0, 3])
        assert.deepEqual(results.slice(from, from + 3).toSorted(), ['reserved', 'reserved', 'sender']);
      assert.equal(await of('ann', { mailbox_id: bob.mailbox.id }), 'reserved');
      assert.equal((await today())?.runs, 4);
    });

    test('what a run did not use is given back, and the rest counts for the day on which it began', async () => {
      const limits = { per_day: 150, per_sender: 150 };
      const first = run({ sender: 'ann' });
      assert.equal(await store.modelUsage.reserve(first, limits), 'reserved');
      await store.modelUsage.settle(first, { input: 30, output: 10 }, T + DAY);
      for (const expected of ['reserved', 'reserved', 'day'])
        assert.equal(await store.modelUsage.reserve(first, limits), expected);
      assert.deepEqual(await today(), {
        day: TODAY,
        runs: 3,
        input_tokens: 30,
        output_tokens: 10,
        reserved: 200,
        budget: 150,
      });
    });

    test('what a crash left reserved keeps to its day', async () => {
      const limits = { per_day: 100, per_sender: 100 };
      const lost = run({ sender: 'ann' });
      assert.equal(await store.modelUsage.reserve(lost, limits), 'reserved');
      assert.equal(await store.modelUsage.reserve(lost, limits), 'day');
      assert.equal(await store.modelUsage.reserve(run({ sender: 'ann', day: TODAY + 1 }), limits), 'reserved');
      const days = await store.modelUsage.days(alice.mailbox.id, TODAY);
      assert.deepEqual(
        days.map(({ day, reserved }) => [day, reserved]),
        [
          [TODAY + 1, 100],
          [TODAY, 100],
        ],
      );
    });

    test('its owner is told once a day at 80 %, and once when it is spent', async () => {
      const limits = { per_day: 100, per_sender: null };
      const use = async (input: number, day = TODAY): Promise<boolean> => {
        assert.equal(await store.modelUsage.reserve(run({ day }), limits), 'reserved');
        return store.modelUsage.settle(run({ day }), { input, output: 0 }, T);
      };
      assert.equal(await use(79), false);
      assert.deepEqual(await eventsOf(alice), []);
      assert.equal(await use(1), true);
      assert.equal(await use(1), false);
      assert.deepEqual(await eventsOf(alice), ['mailbox.budget_nearly_spent']);
      assert.equal(await use(19), true);
      const told = ['mailbox.budget_nearly_spent', 'mailbox.budget_spent'];
      assert.deepEqual(await eventsOf(alice), told);
      assert.equal(await store.modelUsage.spent(alice.mailbox.id, TODAY, T), false);
      assert.equal(await use(500, TODAY + 1), true);
      assert.deepEqual(await eventsOf(alice), [...told, ...told]);
      assert.deepEqual(await eventsOf(bob), []);
    });

    test('of nodes that reject messages at the same moment one tells the owner', async () => {
      await store.modelUsage.reserve(run(), { per_day: 100, per_sender: null });
      const told = await Promise.all(
        Array.from({ length: 8 }, () => store.modelUsage.spent(alice.mailbox.id, TODAY, T)),
      );
      assert.deepEqual(told.filter(Boolean), [true]);
      assert.deepEqual(await eventsOf(alice), ['mailbox.budget_spent']);
      await store.modelUsage.settle(run(), { input: 90, output: 0 }, T);
      assert.deepEqual(await eventsOf(alice), ['mailbox.budget_spent']);
    });

    test('a mailbox without a budget is counted too, and no event says so', async () => {
      for (let n = 0; n < 3; n++) {
        assert.equal(await store.modelUsage.reserve(run({ reserved: 1e12 }), NO_LIMITS), 'reserved');
        assert.equal(await store.modelUsage.settle(run({ reserved: 1e12 }), { input: 1e12, output: 1e12 }, T), false);
      }
      const { runs, input_tokens, budget, reserved } = (await today()) ?? {};
      assert.deepEqual([runs, input_tokens, budget, reserved], [3, 3e12, null, 0]);
      assert.deepEqual(await eventsOf(alice), []);
    });

    test('days are removed when they are old, those of senders sooner, and all with the mailbox', async () => {
      for (const day of [TODAY - 90, TODAY - 1, TODAY])
        await store.modelUsage.reserve(run({ day, sender: 'ann' }), { per_day: null, per_sender: 200 });
      assert.equal(await store.modelUsage.trim(TODAY - 89, TODAY, 1), 1);
      assert.equal(await store.modelUsage.trim(TODAY - 89, TODAY, 100), 1);
      assert.equal(await store.modelUsage.trim(TODAY - 89, TODAY, 100), 0);
      const kept = await store.modelUsage.days(alice.mailbox.id, 0);
      assert.deepEqual(
        kept.map(({ day }) => day),
        [TODAY, TODAY - 1],
      );
      // The count of the sender is gone, but that of today.
      assert.equal(
        await store.modelUsage.reserve(run({ sender: 'ann' }), { per_day: null, per_sender: 100 }),
        'sender',
      );
      await store.mailboxes.delete(alice.mailbox.id, T);
      assert.notEqual(await store.modelUsage.reserve(run(), NO_LIMITS), 'reserved');
      await purgeAll(store, T + 1);
      assert.deepEqual(await store.modelUsage.days(alice.mailbox.id, 0), []);
      assert.equal(await store.modelUsage.settle(run(), UNUSED, T), false);
    });
  });
}
