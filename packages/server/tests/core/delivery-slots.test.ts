import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DeliverySlots, ownedDestination } from '../../core/outgoing/delivery-slots.ts';
import type { DeliveryKind } from '../../core/ports/delivery.ts';

const KIND: DeliveryKind = {
  name: 'agent',
  max: 256,
  attempt_ms: 20_000,
  keeps: false,
  logged: (target) => target,
  deliver: async () => ({ kind: 'sent' }),
};
const deliveryTo = (destination: string) => ({ kind: 'agent' as const, destination });

/** Slots to which these destinations answered, and how many a destination takes until it gets no more. */
function opened(answered: readonly string[] = []) {
  const slots = new DeliverySlots([KIND]);
  for (const destination of answered) slots.note(deliveryTo(destination), 'sent', 10);
  const fill = (destination: string): number => {
    let count = 0;
    while (slots.take(deliveryTo(destination))) count += 1;
    return count;
  };
  return { slots, fill };
}
const numbered = (count: number, name: (i: number) => string): string[] =>
  Array.from({ length: count }, (_, i) => name(i));
const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);

test('a destination that answers gets four, and one until it answers and after an attempt that failed', () => {
  const { slots, fill } = opened(['ns_1/a', 'example.com']);
  for (const one of ['ns_1/a', 'example.com']) assert.equal(fill(one), 4);
  for (const one of ['ns_1/b', 'new.example']) assert.equal(fill(one), 1);
  slots.note(deliveryTo('ns_1/b'), 'sent', 10);
  assert.equal(fill('ns_1/b'), 3);
  for (const outcome of ['failed', 'later', 'dropped'] as const) slots.note(deliveryTo('ns_1/b'), outcome, 10);
  slots.release(deliveryTo('ns_1/b'));
  assert.equal(fill('ns_1/b'), 0, 'what was not attempted says nothing about it');
});

test('of an owner, however many destinations hang, another one gets a slot, and another owner as many as it can use', () => {
  const good = ['ns_1/good', 'ns_2/good', 'ns_2/other'];
  const slow = numbered(100, (i) => `ns_1/${i}`);
  for (const answered of [good, [...good, ...slow]]) {
    const { fill } = opened(answered);
    assert.ok(sum(slow.slice(0, 20).map(fill)) <= 80);
    assert.equal(fill('ns_1/good'), 4);
    assert.ok(sum(slow.map(fill)) <= 96 - 20, 'half of the shared ones');
    for (const one of good.slice(1)) assert.equal(fill(one), 4);
  }
});

test('hundreds of destinations of many owners that hang leave slots for the next', () => {
  const slow = numbered(20, (owner) => `ns_${owner}`).flatMap((owner) =>
    numbered(10, (i) => ownedDestination(owner, `m_${i}`)),
  );
  for (const answered of [[], slow]) {
    const { fill } = opened(answered);
    for (const one of slow) fill(one);
    assert.ok(fill('ns_new/m') >= 1);
  }
});

test('domains whose servers hang or take their time leave slots for those that answer, however many there are', () => {
  const { slots, fill } = opened(['good.example', 'other.example']);
  const slow = numbered(400, (i) => `${i}.evil.example`);
  for (const destination of slow.slice(0, 200)) slots.note(deliveryTo(destination), 'sent', 60_000);
  assert.equal(sum(slow.map(fill)), 192);
  assert.equal(fill('new.example'), 0);
  assert.deepEqual(slots.query().only, [{ kind: 'agent', domains: ['good.example', 'other.example'] }]);
  assert.ok(fill('good.example') >= 1);
  // What answered late once is not trusted with more.
  slots.note(deliveryTo('other.example'), 'sent', 60_000);
  assert.equal(fill('other.example'), 0);
});

test('failing destinations have one each and a quarter together', () => {
  const { slots, fill } = opened();
  const slow = numbered(100, (i) => `ns_${i}/m`);
  for (const destination of slow) slots.note(deliveryTo(destination), 'failed', 10);
  const counts = slow.map(fill);
  assert.equal(sum(counts), 64);
  assert.ok(counts.every((count) => count <= 1));
  assert.equal(slots.query().busy.length, 100);
  assert.equal(slots.query().partial, true);
  slots.note(deliveryTo('ns_good/m'), 'sent', 10);
  assert.equal(fill('ns_good/m'), 4);
});

test('a query leaves out the destinations and owners that are full', () => {
  const { fill, slots } = opened(['example.com']);
  assert.deepEqual(slots.query(), { kinds: ['agent'], busy: [], busy_owners: [], only: [], partial: false });
  fill('example.com');
  assert.deepEqual(slots.query().busy, [deliveryTo('example.com')]);
  assert.equal(slots.query().partial, true);
  for (const one of numbered(200, (i) => `ns_1/${i}`)) fill(one);
  const { busy_owners, partial } = slots.query();
  assert.deepEqual(busy_owners, [{ kind: 'agent', prefix: 'ns_1/' }]);
  assert.equal(partial, true);
});
