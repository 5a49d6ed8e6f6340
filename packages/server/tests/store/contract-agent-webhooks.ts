import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { newId } from '@mailroom/behavior/values/ids';
import type { Mailbox } from '../../core/entities/mailbox.ts';
import type { Store } from '../../core/ports/store.ts';
import { settlementOf, T, type World, waitingOf, world } from './made.ts';

const DAY = 86_400_000;

/** Webhooks of mailboxes, and the deliveries of messages to them. */
export function agentWebhooksContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: webhooks of agents`, () => {
    let store: Store;
    let alice: World;
    let bob: World;
    beforeEach(async () => {
      store = await open();
      alice = await world(store);
      bob = await world(store);
    });
    afterEach(() => store[Symbol.asyncDispose]());

    const send = async (answered = true) => {
      const message = waitingOf(alice, bob);
      const acceptance = { message, max_waiting: 100, from_mailbox_id: null };
      await store.messages.accept(answered ? { ...acceptance, answer_by: T + DAY } : acceptance);
      return message.id;
    };
    const mailbox = async (): Promise<Mailbox> => (await store.mailboxes.byId(bob.mailbox.id)) ?? assert.fail();
    const AGENT = { kinds: ['agent'], busy: [], busy_owners: [], only: [] } as const;
    const due = async (now = T + 1) => (await store.deliveries.due(AGENT, now, 100)).due;
    const dueIds = async (now?: number) => (await due(now)).map(({ id }) => id).sort();
    const enable = (secret = 'whsec_a', now = T) => store.agentWebhooks.enable(bob.mailbox.id, secret, now);
    const disable = (stays_online = false) =>
      store.agentWebhooks.disable(bob.mailbox.id, 'It is gone.', { now: T + 5, stays_online });

    test('while it is on, a message that waits for an answer is accepted with its delivery', async () => {
      await send();
      assert.deepEqual(await due(), []);
      assert.equal(await enable(), true);
      const id = await send();
      await send(false);
      const delivery = await store.deliveries.byId(id);
      assert.deepEqual(
        [delivery?.kind, delivery?.target, delivery?.destination, delivery?.message_id, delivery?.namespace_id],
        ['agent', bob.mailbox.id, `${bob.namespace.id}/${bob.mailbox.id}`, id, bob.namespace.id],
      );
      assert.equal(delivery?.expires_at, T + DAY);
      await disable();
      await send();
      assert.equal((await due()).length, 2, 'that which waited when it was switched on, and the one since');
    });

    test('switching it on queues what waits, whose later attempts are due at once', async () => {
      const waiting = [await send(), await send()].sort();
      const settled = await send();
      assert.equal(await store.answers.answer(settled, null, settlementOf()), true);
      await enable();
      assert.deepEqual(await dueIds(), waiting);
      const [claim] = await store.deliveries.claim([waiting[0] as string], T + 1, 1000);
      assert.ok(claim !== undefined);
      await store.deliveries.deferred(claim, 'It failed.', T + DAY, T + 2);
      assert.equal((await due()).length, 1);
      assert.equal(await enable('whsec_b', T), false, 'the secret stays');
      assert.deepEqual(await dueIds(), waiting);
      assert.equal((await store.agentWebhooks.find(bob.mailbox.id))?.secret, 'whsec_a');
    });

    test('a message that is suspended for an answer gets its delivery then', async () => {
      await enable();
      const id = await send(false);
      const [claim] = await store.handlings.claim(1, T, 1000);
      assert.equal(claim?.id, id);
      assert.deepEqual(await due(), []);
      const suspension = { for: 'answer', deadline: T + DAY } as const;
      assert.equal(await store.messages.suspend({ id, fence: 99 }, suspension, T), false);
      assert.deepEqual(await due(), []);
      assert.equal(await store.messages.suspend({ id, fence: claim?.fence ?? 0 }, suspension, T), true);
      assert.deepEqual(await dueIds(), [id]);
    });

    test('a paused mailbox accepts without one', async () => {
      await enable();
      await store.mailboxes.change(bob.mailbox.id, { status: 'paused' }, T);
      await send();
      assert.deepEqual(await due(), []);
    });

    test('it is switched off once, with an event, and its mailbox is offline unless it stays online', async () => {
      assert.equal(await disable(), false);
      await enable();
      await store.agentWebhooks.failed(bob.mailbox.id, 'It failed.', T + 1);
      await store.agentWebhooks.failed(bob.mailbox.id, 'It failed again.', T + 2);
      const failing = await store.agentWebhooks.find(bob.mailbox.id);
      assert.deepEqual([failing?.failing_since, failing?.error, failing?.off_at], [T + 1, 'It failed again.', null]);
      await store.agentWebhooks.worked(bob.mailbox.id);
      assert.equal((await store.agentWebhooks.find(bob.mailbox.id))?.failing_since, null);
      assert.deepEqual([await disable(), await disable()], [true, false]);
      const off = await store.agentWebhooks.find(bob.mailbox.id);
      assert.deepEqual([off?.off_at, off?.error], [T + 5, 'It is gone.']);
      assert.deepEqual([(await mailbox()).webhook, (await mailbox()).online_until], ['off', T + 5]);
      await store.agentWebhooks.worked(bob.mailbox.id);
      assert.equal((await store.agentWebhooks.find(bob.mailbox.id))?.error, 'It is gone.');
      const { items } = await store.events.page({ namespace_id: bob.namespace.id }, null, 50);
      assert.equal(items.filter(({ type }) => type === 'mailbox.webhook_disabled').length, 1);
      await enable();
      assert.deepEqual([(await mailbox()).webhook, (await mailbox()).online_until], ['on', null]);
      await disable(true);
      assert.deepEqual([(await mailbox()).webhook, (await mailbox()).online_until], ['off', null]);
    });

    test('its secret is replaced, and goes with the setting and with the mailbox', async () => {
      const of = bob.mailbox.id;
      assert.equal(await store.agentWebhooks.rotate(of, 'whsec_b', T + DAY), false);
      await enable();
      assert.equal(await store.agentWebhooks.rotate(of, 'whsec_b', T + DAY), true);
      const { secret, old_secret, old_until } = (await store.agentWebhooks.find(of)) ?? {};
      assert.deepEqual([secret, old_secret, old_until], ['whsec_b', 'whsec_a', T + DAY]);
      await store.mailboxes.change(of, { webhook: null }, T);
      assert.equal(await store.agentWebhooks.find(of), undefined);
      assert.equal((await mailbox()).webhook, null);
      await store.mailboxes.delete(of, T);
      assert.equal(await enable('whsec_c'), false);
      assert.equal(await store.agentWebhooks.find(of), undefined);
    });

    test('a push takes its message under a claim unless another claim holds it', async () => {
      const id = await send();
      const take = (claim: string, now = T) => store.answers.take({ message_id: id, claim }, now, now + 1000);
      assert.deepEqual([await take('clm_a'), await take('clm_b')], [true, false]);
      assert.deepEqual((await store.answers.claim(bob.mailbox.id, ['clm_c'], T, T + 1000)).claims, []);
      assert.deepEqual([await take('clm_a'), await take('clm_b')], [true, false], 'again under its own claim');
      assert.equal(await take('clm_d', T + 1000), true);
      assert.equal(await store.answers.answer(id, null, settlementOf()), true);
      assert.equal(await take('clm_e', T + 5000), false);
      assert.equal(await store.answers.take({ message_id: newId('msg', T), claim: 'clm_f' }, T, T + 1), false);
    });
  });
}
