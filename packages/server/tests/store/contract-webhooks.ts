import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { FIRST_EVENT, newId } from '@mailroom/behavior/values/ids';
import type { DeliveryClaim, NewDelivery } from '../../core/entities/delivery.ts';
import type { Webhook } from '../../core/entities/webhook.ts';
import { firstClaim } from '../../core/outgoing/delivery-stream.ts';
import type { Store } from '../../core/ports/store.ts';
import { deliveryOf } from './contract-deliveries.ts';
import { accept, idempotencyOf, messageOf, purgeAll, subjectOf, T, type World, world } from './made.ts';

export const webhookOf = ({ namespace }: World, fields: Partial<Webhook> = {}): Webhook => ({
  id: newId('whk', T),
  namespace_id: namespace.id,
  mailbox_id: null,
  mailbox: null,
  url: 'https://example.com/hook',
  types: ['message.*', 'mailbox.deleted'],
  batch: 1,
  status: 'enabled',
  disabled_reason: null,
  disabled_at: null,
  failing_since: null,
  error: null,
  secret: 'whsec_AAAA',
  previous_secrets: [],
  cursor: FIRST_EVENT,
  replayed_at: null,
  created_at: T,
  updated_at: T,
  ...fields,
});

const ALL = { kinds: ['webhook'], busy: [], busy_owners: [], only: [] } as const;
const idsOf = (items: readonly { readonly id: string }[]): string[] => items.map(({ id }) => id);

/** Tests of the URLs to which events are sent. */
export function webhooksContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: webhooks`, () => {
    let store: Store;
    let one: World;
    beforeEach(async () => {
      store = await open();
      one = await world(store);
    });
    afterEach(() => store[Symbol.asyncDispose]());

    const make = async (fields: Partial<Webhook> = {}, of = one): Promise<Webhook> => {
      const cursor = (await store.events.last(of.namespace.id)) ?? FIRST_EVENT;
      const webhook = webhookOf(of, { cursor, ...fields });
      assert.deepEqual(await store.webhooks.create(webhook, 100), { kind: 'created' });
      return webhook;
    };
    const again = async ({ id }: Webhook): Promise<Webhook> => (await store.webhooks.byId(id)) ?? assert.fail();
    const written = async (count: number, of = one): Promise<string[]> => {
      const messages = Array.from({ length: count }, (_, at) => messageOf(of, of, { created_at: T + at }));
      for (const message of messages) await accept(store, message);
      return idsOf(messages);
    };
    const entriesOf = ({ namespace_id, cursor }: Webhook, max = 100) => store.events.entries(namespace_id, cursor, max);
    /** The deliveries of the events after the webhook's cursor, and the last of these. */
    const next = async (webhook: Webhook, max = 100, at = T) => {
      const entries = await entriesOf(webhook, max);
      const deliveries = entries.map(
        ({ id, message_id }): NewDelivery =>
          deliveryOf({
            id: newId('dlv', at),
            kind: 'webhook',
            target: webhook.id,
            destination: webhook.id,
            event_id: id,
            message_id,
            created_at: at,
          }),
      );
      return { deliveries, last: entries.at(-1)?.id ?? assert.fail('there are no events') };
    };
    const advance = async (webhook: Webhook, max = 100, at = T): Promise<readonly NewDelivery[]> => {
      const { deliveries, last } = await next(webhook, max, at);
      await store.webhooks.advance(webhook, last, deliveries);
      return deliveries;
    };
    const claim = async (now = T): Promise<readonly DeliveryClaim[]> =>
      store.deliveries.claim(idsOf((await store.deliveries.due(ALL, now, 100)).due), now, 1000);
    const statuses = async ({ id }: Webhook) =>
      (await store.webhooks.deliveries(id, undefined, null, 200)).items.map(({ status }) => status);

    test('one is kept whole, listed in the order of creation, and of its mailbox alone where asked', async () => {
      const other = await world(store);
      const whole = await make({
        mailbox_id: one.mailbox.id,
        mailbox: `hello@${one.namespace.name}`,
        previous_secrets: [{ secret: 'whsec_BBBB', until: T + 5 }],
        failing_since: T - 5,
        error: 'It answered 500.',
      });
      assert.deepEqual(await again(whole), whole);
      const second = await make({ id: newId('whk', T + 1) });
      await make({}, other);
      const of = { namespace_id: one.namespace.id };
      const page = await store.webhooks.page(of, null, 1);
      assert.deepEqual([page.items, page.next], [[whole], whole.id]);
      assert.deepEqual((await store.webhooks.page(of, page.next, 5)).items, [second]);
      assert.deepEqual((await store.webhooks.page({ ...of, mailbox_ids: [one.mailbox.id] }, null, 5)).items, [whole]);
      assert.equal(await store.webhooks.byId(newId('whk', T)), undefined);
    });

    test('of many made at once no more than the limit exist, and a repeated request makes no second', async () => {
      const made = await Promise.all(Array.from({ length: 8 }, () => store.webhooks.create(webhookOf(one), 3)));
      assert.deepEqual(made.filter(({ kind }) => kind === 'created').length, 3);
      assert.ok(made.every(({ kind }) => kind === 'created' || kind === 'full'));
      const other = await world(store);
      const idempotency = idempotencyOf(other.key.id, 'k');
      const [first, second] = [webhookOf(other), webhookOf(other)];
      assert.deepEqual(await store.webhooks.create(first, 3, idempotency), { kind: 'created' });
      assert.deepEqual(await store.webhooks.create(second, 3, idempotency), {
        kind: 'replayed',
        id: first.id,
        hash: 'same',
      });
      assert.equal(await store.webhooks.byId(second.id), undefined);
    });

    test('none is made in a deleted namespace or mailbox, and those there are not found', async () => {
      const bound = await make({ mailbox_id: one.mailbox.id, mailbox: `hello@${one.namespace.name}` });
      const whole = await make();
      await store.mailboxes.delete(one.mailbox.id, T);
      assert.equal(await store.webhooks.byId(bound.id), undefined);
      assert.deepEqual(await store.webhooks.create({ ...bound, id: newId('whk', T) }, 100), { kind: 'gone' });
      assert.deepEqual(idsOf(await store.webhooks.behind(null, '', 10)), [whole.id]);
      await store.namespaces.delete(one.namespace.id, T);
      assert.equal(await store.webhooks.byId(whole.id), undefined);
      assert.deepEqual(await store.webhooks.behind(null, '', 10), []);
      assert.deepEqual(await store.webhooks.create(webhookOf(one), 100), { kind: 'gone' });
    });

    test('two changes at once both hold', async () => {
      const webhook = await make();
      await Promise.all([
        store.webhooks.change(webhook.id, { url: 'https://other.example/' }, T + 1),
        store.webhooks.change(webhook.id, { types: ['*'] }, T + 1),
        store.webhooks.change(webhook.id, { batch: 7 }, T + 1),
      ]);
      const changed = { ...webhook, url: 'https://other.example/', types: ['*'], batch: 7, updated_at: T + 1 };
      assert.deepEqual(await again(webhook), changed);
      assert.equal(await store.webhooks.change(newId('whk', T), { url: 'https://a.example/' }, T), undefined);
    });

    test('of two new secrets at once one replaces the old one', async () => {
      const webhook = await make();
      const previous_secrets = [{ secret: webhook.secret, until: T + 9 }];
      const rotated = await Promise.all(
        ['whsec_CCCC', 'whsec_DDDD'].map((secret) =>
          store.webhooks.rotate(webhook.id, webhook.secret, { secret, previous_secrets }, T + 1),
        ),
      );
      const [won, ...more] = rotated.filter((one) => one !== undefined);
      assert.ok(won !== undefined && more.length === 0);
      assert.deepEqual(await again(webhook), { ...webhook, secret: won.secret, previous_secrets, updated_at: T + 1 });
    });

    test('the cursor moves with the deliveries of the events up to it, and what is new is found', async () => {
      const webhook = await make();
      const other = await make({}, await world(store));
      await written(3);
      assert.deepEqual(idsOf(await store.webhooks.behind(null, '', 10)), [webhook.id]);
      assert.deepEqual(await store.webhooks.behind([other.namespace_id], '', 10), []);
      assert.deepEqual(await store.webhooks.behind([], '', 10), []);
      assert.deepEqual(await store.webhooks.behind(null, webhook.id, 10), []);
      assert.deepEqual(idsOf(await store.webhooks.behind([webhook.namespace_id], '', 10)), [webhook.id]);
      const [first] = await advance(webhook, 1);
      const two = await again(webhook);
      assert.notEqual(two.cursor, webhook.cursor);
      const rest = await advance(two);
      assert.equal(rest.length, 2);
      assert.deepEqual(await store.webhooks.behind(null, '', 10), []);
      const { items } = await store.webhooks.deliveries(webhook.id, undefined, null, 10);
      assert.deepEqual(idsOf(items), idsOf([first as NewDelivery, ...rest]).toReversed());
      assert.deepEqual(items[2], { ...(await store.deliveries.byId((first as NewDelivery).id)) });
      assert.deepEqual(
        new Set(await store.webhooks.namespaces(10)),
        new Set([webhook.namespace_id, other.namespace_id]),
      );
    });

    test('nodes that move the cursor at once add each event once', async () => {
      const webhook = await make();
      await written(60);
      await Promise.all(Array.from({ length: 4 }, () => advance(webhook)));
      assert.deepEqual(await statuses(webhook), Array(60).fill('queued'));
      assert.deepEqual(await store.webhooks.behind(null, '', 10), []);
    });

    test('of nodes that claim several at once each has others, and only its own end as sent', async () => {
      const webhook = await make();
      await written(9);
      const [first] = await advance(webhook);
      const of = { id: first?.id ?? '', target: webhook.id };
      const some = await Promise.all(Array.from({ length: 3 }, () => store.deliveries.claimNext(of, T, 1000, 3)));
      const rest = await store.deliveries.claimNext(of, T, 1000, 100);
      const claims = [...some.flat(), ...rest];
      assert.equal(new Set(idsOf(claims)).size, 9);
      for (const each of some) assert.deepEqual(idsOf(each), idsOf(each).toSorted());
      assert.deepEqual(await store.deliveries.claimNext(of, T, 1000, 100), []);
      const [lost, ...held] = claims as [DeliveryClaim, ...DeliveryClaim[]];
      await store.deliveries.sentAll([{ ...lost, fence: 7 }, ...held], T + 1);
      assert.deepEqual((await statuses(webhook)).toSorted(), ['queued', ...Array(8).fill('sent')]);
      assert.deepEqual(idsOf(await store.deliveries.claimNext(of, T + 1000, 1000, 100)), [lost.id]);
    });

    test('an event is filled with what it is about, unless that was deleted', async () => {
      const webhook = await make();
      const [id = ''] = await written(1);
      const [entry] = await entriesOf(webhook);
      assert.ok(entry !== undefined && entry.message_id === id && entry.mailbox_id === one.mailbox.id);
      const [filled] = await store.events.filled([entry, { ...entry, message_id: newId('msg', T) }], one.namespace.id);
      assert.ok(filled !== undefined);
      assert.deepEqual([filled.id, filled.type, subjectOf(filled)], [entry.id, 'message.completed', id]);
      assert.deepEqual(await store.events.filled([{ ...entry, message_id: newId('msg', T) }], one.namespace.id), []);
    });

    test('the place in the log before a time is found', async () => {
      const webhook = await make();
      assert.equal(await store.events.lastBefore(one.namespace.id, T), null);
      const messages = [0, 10, 20].map((at) => messageOf(one, one, { created_at: T + at, settled_at: T + at }));
      for (const message of messages) await accept(store, message);
      const entries = await entriesOf(webhook);
      assert.equal(await store.events.lastBefore(one.namespace.id, T), null);
      assert.equal(await store.events.lastBefore(newId('ns', T), T + 99), null);
      assert.equal(await store.events.lastBefore(one.namespace.id, T + 11), entries[1]?.id);
      assert.equal(await store.events.lastBefore(one.namespace.id, T + 99), entries[2]?.id);
    });

    test('what a stream delivered is written once, with its end, and the next delivery under its lease', async () => {
      const webhook = await make();
      await written(3);
      const { deliveries, last } = await next(webhook);
      assert.ok(deliveries.length >= 3);
      const [first, second, ...others] = deliveries.map((one) => ({ ...one, leased_until: T + 50 }));
      const from = first?.event_id ?? '';
      assert.equal(await store.webhooks.hasDeliveries(webhook.id, webhook.cursor, last), false);
      await store.webhooks.advance(webhook, from, [first ?? assert.fail()]);
      assert.equal(await store.webhooks.hasDeliveries(webhook.id, webhook.cursor, from), true);
      assert.equal(await store.webhooks.hasDeliveries(webhook.id, from, last), false);
      const [lead, ...rest] = [first, ...others].map((one) => firstClaim(one ?? assert.fail(), T + 50));
      const error = 'It answered 500.';
      const ends = [
        { claim: lead ?? assert.fail(), end: { status: 'sent', error: null, due_at: null } as const },
        ...rest.map((one) => ({ claim: one, end: { status: 'deferred', error, due_at: T + 90 } as const })),
      ];
      const place = { id: webhook.id, from, to: last };
      assert.equal(await store.webhooks.streamed(place, { ends, next: second }, T + 9), true);
      assert.equal((await again(webhook)).cursor, last);
      const { items } = await store.webhooks.deliveries(webhook.id, undefined, null, 50);
      const shown = new Map(
        items.map((row) => [row.id, [row.status, row.attempt, row.error, row.due_at, row.updated_at]]),
      );
      assert.deepEqual(shown.get(lead?.id ?? ''), ['sent', 1, null, null, T + 9]);
      assert.deepEqual(shown.get(second?.id ?? ''), ['queued', 1, null, T + 50, T]);
      for (const { id } of rest) assert.deepEqual(shown.get(id), ['deferred', 1, error, T + 90, T + 9]);
      assert.deepEqual(await claim(T + 49), [], 'it is held under its lease');
      assert.deepEqual(idsOf(await claim(T + 50)), [second?.id]);
      // What has a row stays as it is, and a cursor that is elsewhere is not moved.
      const late = [...rest].map((one) => ({
        claim: one,
        end: { status: 'sent', error: null, due_at: null } as const,
      }));
      assert.equal(await store.webhooks.streamed(place, { ends: late, next: undefined }, T + 99), false);
      assert.deepEqual((await statuses(webhook)).toSorted(), items.map(({ status }) => status).toSorted());
    });

    test('after a replay what ended before is delivered again, once, and what waits stays', async () => {
      const webhook = await make();
      await written(3);
      const [arrived] = await advance(webhook);
      const claims = await claim();
      const [first] = claims.filter(({ id }) => id === arrived?.id);
      const [second] = claims.filter(({ id }) => id !== arrived?.id);
      await store.deliveries.sent(first ?? assert.fail(), T + 1);
      await store.deliveries.deferred(second ?? assert.fail(), 'no', T + 500, T + 1);
      assert.equal(await store.webhooks.replay(webhook.id, webhook.cursor, T + 2), true);
      const back = await again(webhook);
      assert.deepEqual([back.cursor, back.replayed_at], [webhook.cursor, T + 2]);
      const added = await advance(back, 100, T + 3);
      assert.equal(added.length, 3);
      assert.deepEqual((await statuses(webhook)).toSorted(), ['deferred', 'queued', 'queued']);
      const again2 = (await store.deliveries.byId(first?.id ?? '')) ?? assert.fail();
      assert.deepEqual([again2.status, again2.attempt, again2.due_at], ['queued', 0, T + 3]);
      // Another node that was late adds nothing to what arrived meanwhile.
      const late = (await claim(T + 3)).filter(({ id }) => id === first?.id);
      await store.deliveries.sent(late[0] ?? assert.fail(), T + 4);
      await store.webhooks.advance(back, added.at(-1)?.event_id ?? '', added);
      assert.equal((await store.deliveries.byId(first?.id ?? ''))?.status, 'sent');
      assert.equal(await store.webhooks.replay(newId('whk', T), FIRST_EVENT, T), false);
    });

    test('switched off, it gives up what waits, with one event, and is on again from a cursor', async () => {
      const webhook = await make();
      await written(3);
      const [, , held] = await advance(webhook);
      const claims = await claim();
      for (const one of claims) if (one.id !== held?.id) await store.deliveries.release(one, T);
      await store.webhooks.failing(webhook.id, T + 1, 'It answered 500.');
      await store.webhooks.failing(webhook.id, T + 2, 'It answered 501.');
      const failing = await again(webhook);
      assert.deepEqual([failing.failing_since, failing.error], [T + 1, 'It answered 501.']);
      const off = await Promise.all(
        Array.from({ length: 4 }, () =>
          store.webhooks.disable(webhook.id, { reason: 'gone', error: 'It answered 410.' }, T + 9),
        ),
      );
      assert.deepEqual(off.filter(Boolean), [true]);
      const disabled = await again(webhook);
      assert.deepEqual(
        [disabled.status, disabled.disabled_reason, disabled.disabled_at, disabled.error],
        ['disabled', 'gone', T + 9, 'It answered 410.'],
      );
      const { items } = await store.events.page({ namespace_id: one.namespace.id }, null, 50);
      const events = items.filter(({ type }) => type === 'webhook.disabled');
      assert.deepEqual(
        events.map((event) => [subjectOf(event), event.mailbox_id, event.at]),
        [[webhook.id, '', T + 9]],
      );
      assert.deepEqual((await statuses(webhook)).toSorted(), ['failed', 'failed', 'queued'], 'one is being attempted');
      assert.deepEqual(await store.webhooks.behind(null, '', 10), []);
      await store.webhooks.failing(webhook.id, null, null);
      assert.equal((await again(webhook)).error, 'It answered 410.', 'a late success changes nothing');
      assert.equal(await store.webhooks.replay(webhook.id, FIRST_EVENT, T), false);
      const on = (await store.webhooks.enable(webhook.id, items.at(-1)?.id ?? '', T + 10)) ?? assert.fail();
      assert.deepEqual(
        [on.status, on.disabled_reason, on.disabled_at, on.failing_since, on.error, on.cursor],
        ['enabled', null, null, null, null, items.at(-1)?.id],
      );
      assert.deepEqual(await store.webhooks.behind(null, '', 10), []);
    });

    test('by its owner it is switched off without an event, and one attempt that arrives ends a failure', async () => {
      const webhook = await make();
      await store.webhooks.failing(webhook.id, T + 1, 'It answered 500.');
      await store.webhooks.failing(webhook.id, null, null);
      const { failing_since, error } = await again(webhook);
      assert.deepEqual([failing_since, error], [null, null]);
      assert.equal(await store.webhooks.disable(webhook.id, { reason: 'owner', error: null }, T + 2), true);
      const { items } = await store.events.page({ namespace_id: one.namespace.id }, webhook.cursor, 50);
      assert.deepEqual(items, []);
    });

    test('deliveries are listed by their status, counted while they wait, and made again one by one', async () => {
      const webhook = await make();
      await written(4);
      await advance(webhook);
      const claims = await claim();
      const [a, b, c, d] = claims.toSorted((x, y) => (x.id < y.id ? -1 : 1));
      assert.ok(a && b && c && d);
      await store.deliveries.sent(a, T + 1);
      await store.deliveries.failed(b, 'no', T + 1);
      await store.deliveries.deferred(c, 'not now', T + 100, T + 1);
      const of = async (status: 'sent' | 'failed' | 'deferred' | 'queued') =>
        idsOf((await store.webhooks.deliveries(webhook.id, status, null, 10)).items);
      assert.deepEqual(await of('sent'), [a.id]);
      assert.deepEqual(await of('failed'), [b.id]);
      assert.deepEqual(await of('deferred'), [c.id]);
      assert.deepEqual(await of('queued'), [d.id]);
      const page = await store.webhooks.deliveries(webhook.id, undefined, null, 3);
      assert.deepEqual([idsOf(page.items), page.next], [[d.id, c.id, b.id], b.id]);
      assert.deepEqual(idsOf((await store.webhooks.deliveries(webhook.id, undefined, page.next, 3)).items), [a.id]);
      assert.deepEqual(await store.webhooks.backlog(webhook.id, 10), { queued: 1, deferred: 1 });
      for (const { id } of [a, b, c]) {
        const made = (await store.webhooks.redeliver(webhook.id, id, T + 5, T + 500)) ?? assert.fail();
        assert.deepEqual([made.status, made.attempt, made.due_at, made.expires_at], ['queued', 0, T + 5, T + 500]);
      }
      const busy = (await store.webhooks.redeliver(webhook.id, d.id, T + 5, T + 500)) ?? assert.fail();
      assert.deepEqual([busy.attempt, busy.due_at], [1, T + 1000], 'it is being attempted');
      assert.deepEqual(await store.webhooks.backlog(webhook.id, 3), { queued: 3, deferred: 0 });
      const other = await make();
      assert.equal(await store.webhooks.redeliver(other.id, a.id, T, T), undefined);
      assert.equal(await store.webhooks.delivery(other.id, a.id), undefined);
      assert.equal((await store.webhooks.delivery(webhook.id, a.id))?.id, a.id);
    });

    test('of what ended no more than the newest stay, and what waits stays', async () => {
      const webhook = await make();
      await written(5);
      await advance(webhook);
      for (const one of await claim()) await store.deliveries.sent(one, T + 1);
      const oldest = (await store.webhooks.deliveries(webhook.id, undefined, null, 10)).items.at(-1);
      await store.webhooks.redeliver(webhook.id, oldest?.id ?? '', T, T + 9);
      assert.equal(await store.webhooks.prune(webhook.id, 2), 2);
      assert.deepEqual(await statuses(webhook), ['sent', 'sent', 'queued']);
      assert.equal(await store.webhooks.prune(webhook.id, 200), 0);
      await store.webhooks.record(
        deliveryOf({ id: newId('dlv', T + 2), kind: 'webhook', target: webhook.id, event_id: newId('evt', T) }),
        {
          status: 'failed',
          error: 'It answered 500.',
        },
      );
      const { items } = await store.webhooks.deliveries(webhook.id, 'failed', null, 9);
      assert.deepEqual(
        items.map(({ attempt, error, due_at }) => [attempt, error, due_at]),
        [[1, 'It answered 500.', null]],
      );
    });

    test('one goes with its deliveries, alone, with its mailbox and with its namespace', async () => {
      const other = await world(store);
      const [alone, bound, whole] = [
        await make(),
        await make({ mailbox_id: one.mailbox.id, mailbox: `hello@${one.namespace.name}` }),
        await make({}, other),
      ];
      await written(2);
      await written(2, other);
      const made = new Map<Webhook, readonly NewDelivery[]>();
      for (const webhook of [alone, bound, whole]) made.set(webhook, await advance(webhook));
      const left = async (webhook: Webhook) => {
        const found = await Promise.all((made.get(webhook) ?? []).map(({ id }) => store.deliveries.byId(id)));
        return found.filter((delivery) => delivery !== undefined).length;
      };
      assert.equal(await store.webhooks.remove(alone.id), true);
      assert.equal(await store.webhooks.remove(alone.id), false);
      assert.deepEqual([await left(alone), await left(bound), await left(whole)], [0, 2, 2]);
      await store.mailboxes.delete(one.mailbox.id, T);
      await purgeAll(store, T);
      assert.deepEqual([await left(bound), await left(whole)], [0, 2]);
      await store.namespaces.delete(other.namespace.id, T);
      await purgeAll(store, T);
      assert.equal(await left(whole), 0);
    });
  });
}
