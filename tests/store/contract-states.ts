import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { State, Store } from '../../src/core/store.ts';
import { T } from './made.ts';

/** What is remembered until a time. */
export function statesContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: states`, () => {
    let store: Store;
    before(async () => {
      store = await open();
    });
    after(() => store[Symbol.asyncDispose]());
    const state = (id: string, more: Partial<State> = {}): State => ({
      kind: 'session',
      id,
      subject: null,
      value: '{}',
      expires_at: T + 100,
      ...more,
    });

    test('of many who put one at once, one does', async () => {
      const done = await Promise.all(
        Array.from({ length: 10 }, (_, i) => store.states.put(state('one', { value: `${i}` }), T)),
      );
      assert.equal(done.filter(Boolean).length, 1);
      assert.equal((await store.states.get('session', 'one', T))?.value, String(done.indexOf(true)));
    });

    test('what has expired is not there, and its place is free', async () => {
      await store.states.put(state('old', { expires_at: T + 5 }), T);
      assert.equal((await store.states.get('session', 'old', T + 4))?.id, 'old');
      assert.equal(await store.states.get('session', 'old', T + 5), undefined);
      assert.equal(await store.states.prolong('session', 'old', T + 50, T + 5), false);
      assert.equal(await store.states.put(state('old', { value: 'new' }), T + 5), true);
      assert.equal((await store.states.get('session', 'old', T + 5))?.value, 'new');
    });

    test('a kind is a world of its own', async () => {
      assert.equal(await store.states.put(state('same', { kind: 'a' }), T), true);
      assert.equal(await store.states.put(state('same', { kind: 'b' }), T), true);
      assert.equal(await store.states.remove('a', 'same'), true);
      assert.equal(await store.states.remove('a', 'same'), false);
      assert.equal((await store.states.get('b', 'same', T))?.kind, 'b');
    });

    test('one is prolonged, and all of a subject are removed', async () => {
      await store.states.put(state('s1', { subject: 'ns_1' }), T);
      await store.states.put(state('s2', { subject: 'ns_1' }), T);
      await store.states.put(state('s3', { subject: 'ns_2' }), T);
      assert.equal(await store.states.prolong('session', 's1', T + 500, T), true);
      assert.equal((await store.states.get('session', 's1', T + 499))?.subject, 'ns_1');
      assert.equal(await store.states.removeOf('session', 'ns_1'), 2);
      assert.equal(await store.states.get('session', 's1', T), undefined);
      assert.equal((await store.states.get('session', 's3', T))?.subject, 'ns_2');
    });

    test('those of a subject are listed, without what has expired', async () => {
      await store.states.put(state('l1', { subject: 'ns_9', value: 'one' }), T);
      await store.states.put(state('l2', { subject: 'ns_9', expires_at: T + 5 }), T);
      await store.states.put(state('l3', { subject: 'ns_9', kind: 'other' }), T);
      assert.deepEqual(await store.states.of('session', 'ns_9', T + 5), [
        state('l1', { subject: 'ns_9', value: 'one' }),
      ]);
      assert.equal((await store.states.of('session', 'ns_9', T)).length, 2);
      assert.deepEqual(await store.states.of('session', 'nobody', T), []);
    });

    test('of a subject those stay that expire last', async () => {
      const ids = ['t1', 't2', 't3', 't4'];
      for (const [nth, id] of ids.entries())
        await store.states.put(state(id, { subject: 'ns_t', expires_at: T + 10 + nth }), T);
      await store.states.put(state('t5', { subject: 'ns_u' }), T);
      await store.states.trim('session', 'ns_t', 2);
      assert.deepEqual(
        (await store.states.of('session', 'ns_t', T)).map(({ id }) => id),
        ['t4', 't3'],
      );
      assert.equal((await store.states.of('session', 'ns_u', T)).length, 1);
    });

    test('a sweep removes what expired and nothing else', async () => {
      await store.states.put(state('gone', { kind: 'sweep', expires_at: T + 10 }), T);
      await store.states.put(state('kept', { kind: 'sweep', expires_at: T + 9_000 }), T);
      assert.ok((await store.states.sweep(T + 10)) >= 1);
      assert.equal((await store.states.get('sweep', 'kept', T))?.id, 'kept');
      assert.equal(await store.states.get('sweep', 'gone', T), undefined);
    });
  });
}
