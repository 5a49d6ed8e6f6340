import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { State } from '../../core/ports/states.ts';
import type { Store } from '../../core/ports/store.ts';
import { T } from './made.ts';

/** Tests of values that are stored until a time. */
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

    test('a time with a fraction of a millisecond, as tokens of others have, is kept until it is over', async () => {
      const fraction = { expires_at: T + 4.256 };
      assert.equal(await store.states.put(state('put', fraction), T), true);
      await store.states.set(state('set', fraction));
      for (const id of ['put', 'set']) {
        assert.equal((await store.states.get('session', id, T + 4))?.expires_at, T + 5);
        assert.equal(await store.states.get('session', id, T + 5), undefined);
      }
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

    const MANY = 100;
    const many = <R>(act: (at: number) => Promise<R>): Promise<R[]> =>
      Promise.all(Array.from({ length: MANY }, (_, at) => act(at)));

    test('one is written whether or not it is there, whole', async () => {
      await store.states.set(state('set', { value: 'a' }));
      const other = state('set', { value: 'b', subject: 'sub', expires_at: T + 7 });
      await store.states.set(other);
      assert.deepEqual(await store.states.get('session', 'set', T), other);
      assert.deepEqual(await store.states.of('session', 'sub', T), [other]);
      assert.equal(await store.states.get('session', 'set', T + 7), undefined);
    });

    test(`of ${MANY} who write one at once all succeed, and one's value is left`, async () => {
      await many((at) => store.states.set(state('written', { value: `${at}` })));
      assert.match((await store.states.get('session', 'written', T))?.value ?? '', /^\d+$/);
    });

    test(`of ${MANY} who give one another value at once, one does; each of the others is told`, async () => {
      for (const id of ['swap 1', 'swap 2', 'swap 3']) {
        await store.states.put(state(id, { value: 'from', subject: 'sub' }), T);
        const done = await many((at) => store.states.swap('session', id, 'from', `to ${at}`, T));
        assert.equal(done.filter(Boolean).length, 1);
        const left = state(id, { value: `to ${done.indexOf(true)}`, subject: 'sub' });
        assert.deepEqual(await store.states.get('session', id, T), left);
      }
    });

    test('a value that is not exactly the one that is named is left, as is what has expired or is another kind', async () => {
      await store.states.put(state('exact', { value: 'Value' }), T);
      for (const from of ['value', 'Value ', '', '%', 'Val', 'Valu\u0065\u0301']) {
        assert.equal(await store.states.swap('session', 'exact', from, 'x', T), false, from);
      }
      assert.equal(await store.states.swap('session', 'exact', 'Value', 'x', T + 100), false, 'expired');
      assert.equal(await store.states.swap('other', 'exact', 'Value', 'x', T), false);
      assert.equal(await store.states.swap('session', 'unknown', 'Value', 'x', T), false);
      assert.equal((await store.states.get('session', 'exact', T))?.value, 'Value');
      assert.equal(await store.states.swap('session', 'exact', 'Value', 'x', T + 99), true);
    });

    test(`of ${MANY} who take one at once, one gets it, as it was`, async () => {
      for (const id of ['take 1', 'take 2', 'take 3']) {
        const put = state(id, { value: 'secret', subject: 'sub' });
        await store.states.put(put, T);
        const got = (await many(() => store.states.take('session', id, T))).filter((one) => one !== undefined);
        assert.deepEqual(got, [put]);
        assert.equal(await store.states.get('session', id, T), undefined);
      }
    });

    test('what has expired is taken by nobody', async () => {
      await store.states.put(state('late'), T);
      assert.equal(await store.states.take('session', 'late', T + 100), undefined);
      assert.equal(await store.states.take('other', 'late', T), undefined);
      assert.equal((await store.states.take('session', 'late', T + 99))?.id, 'late');
    });

    test(`of ${MANY} who put one at once, in the place of what has expired, one does`, async () => {
      await store.states.put(state('anew', { expires_at: T + 1 }), T);
      const done = await many((at) => store.states.put(state('anew', { value: `${at}` }), T + 1));
      assert.equal(done.filter(Boolean).length, 1);
      assert.equal((await store.states.get('session', 'anew', T + 1))?.value, String(done.indexOf(true)));
    });

    test('a sweep while places are taken anew removes none of what was put', async () => {
      const ids = Array.from({ length: MANY }, (_, at) => `swept ${at}`);
      await Promise.all(ids.map((id) => store.states.put(state(id, { expires_at: T + 1 }), T)));
      const put = ids.map((id) => store.states.put(state(id), T + 1));
      const sweeps = Array.from({ length: 5 }, () => store.states.sweep(T + 1));
      assert.ok((await Promise.all(put)).every(Boolean));
      await Promise.all(sweeps);
      for (const id of ids) assert.ok(await store.states.get('session', id, T + 2), id);
    });
  });
}
