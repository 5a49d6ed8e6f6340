import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DeliverySlots, DestinationHistory, ownedDestination } from '../../src/core/delivery/delivery-slots.ts';
import type { DeliveryKind } from '../../src/core/ports/delivery.ts';

const KIND: DeliveryKind = {
  name: 'agent',
  max: 256,
  max_per_destination: 32,
  max_failing: 64,
  attempt_ms: 20_000,
  keeps: false,
  logged: (target) => target,
  deliver: async () => ({ kind: 'sent' }),
};
const of = (destination: string) => ({ kind: 'agent' as const, destination });

/** Slots, and how many a destination takes until it gets no more. */
function opened(history = new DestinationHistory()) {
  const slots = new DeliverySlots(new Map([['agent', KIND]]), history);
  const fill = (destination: string): number => {
    let count = 0;
    while (slots.take(of(destination))) count += 1;
    return count;
  };
  return { slots, fill };
}

/** A history in which all of these answered. */
function answered(destinations: readonly string[]): DestinationHistory {
  const history = new DestinationHistory();
  for (const destination of destinations) history.note(of(destination), 'sent', 10);
  return history;
}
const numbered = (count: number, name: (i: number) => string): string[] =>
  Array.from({ length: count }, (_, i) => name(i));
const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);

test('a destination that answers gets its maximum when it is alone, and one that did not yet gets two', () => {
  assert.equal(opened().fill('ns_1/a'), 2);
  assert.equal(opened(answered(['ns_1/a'])).fill('ns_1/a'), 32);
  assert.equal(opened(answered(['example.com'])).fill('example.com'), 32);
});

test('of an owner, however many destinations hang, another one gets a slot, and another owner some', () => {
  const slow = numbered(20, (i) => `ns_1/${i}`);
  for (const history of [answered([]), answered(slow)]) {
    for (const good of ['ns_1/good', 'ns_2/good']) history.note(of(good), 'sent', 10);
    const { fill } = opened(history);
    const held = sum(slow.map(fill));
    assert.ok(held >= 20 && held <= 96, `${held}`);
    assert.ok(fill('ns_1/good') >= 1);
    assert.ok(fill('ns_2/good') >= 8);
  }
});

test('hundreds of destinations of many owners that hang leave slots for the next', () => {
  const slow = numbered(20, (owner) => `ns_${owner}`).flatMap((owner) =>
    numbered(10, (i) => ownedDestination(owner, `m_${i}`)),
  );
  for (const history of [answered([]), answered(slow)]) {
    const { fill } = opened(history);
    for (const one of slow) fill(one);
    assert.ok(fill('ns_new/m') >= 1);
  }
});

test('domains whose servers hang or take their time leave slots for those that answer, however many there are', () => {
  const history = answered(['good.example']);
  const slow = numbered(400, (i) => `${i}.evil.example`);
  for (const destination of slow.slice(0, 200)) history.note(of(destination), 'sent', 60_000);
  const { fill } = opened(history);
  assert.equal(sum(slow.map(fill)), 192);
  assert.equal(fill('new.example'), 0);
  assert.ok(fill('good.example') >= 1);
  // What answered late once is not trusted with more.
  history.note(of('good.example'), 'sent', 60_000);
  assert.equal(fill('good.example'), 0);
});

test('failing destinations have one each and a quarter together, until one of them answers', () => {
  const history = new DestinationHistory();
  const slow = numbered(100, (i) => `ns_${i}/m`);
  for (const destination of slow) history.note(of(destination), 'failed', 10);
  history.note(of('ns_good/m'), 'sent', 10);
  const { fill, slots } = opened(history);
  const counts = slow.map(fill);
  assert.equal(sum(counts), 64);
  assert.ok(counts.every((count) => count <= 1));
  assert.ok(slots.query([]).except.length >= 100);
  assert.equal(slots.query([]).partial, true);
  assert.ok(fill('ns_good/m') >= 8);
  // What was not attempted says nothing about it.
  for (const outcome of ['later', 'dropped'] as const) history.note(of('ns_0/m'), outcome, 10);
  assert.equal(opened(history).fill('ns_0/m'), 1);
  history.note(of('ns_0/m'), 'sent', 10);
  assert.equal(opened(history).fill('ns_0/m'), 32);
});

test('a query leaves out what is known to wait and the owners that are full', () => {
  const { fill, slots } = opened(answered(['example.com']));
  assert.deepEqual(slots.query([]), { kinds: ['agent'], except: [], except_owners: [], partial: false });
  fill('example.com');
  for (const one of numbered(200, (i) => `ns_1/${i}`)) fill(one);
  const { except, except_owners, partial } = slots.query([of('example.com')]);
  assert.deepEqual(except, [of('example.com')]);
  assert.deepEqual(except_owners, [{ kind: 'agent', prefix: 'ns_1/' }]);
  assert.equal(partial, true);
});
