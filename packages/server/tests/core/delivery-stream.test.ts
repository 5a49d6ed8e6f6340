import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NewDelivery } from '../../core/entities/delivery.ts';
import { type DeliverySource, firstClaim, stream } from '../../core/outgoing/delivery-stream.ts';
import type { DeliveryEnd, DeliveryResult, StreamStep } from '../../core/ports/delivery.ts';
import { deliveryOf } from '../store/contract-deliveries.ts';
import { T } from './house.ts';

const BATCH = 3;
const SENT: DeliveryResult = { kind: 'sent' };
const LATER: DeliveryResult = { kind: 'later', at: T };
const REFUSED: DeliveryResult = { kind: 'failed', permanent: false, reason: 'It answered 503.' };
const ENDS: Record<string, DeliveryEnd> = {
  sent: { status: 'sent', error: null, due_at: null },
  failed: { status: 'deferred', error: 'It answered 503.', due_at: T + 5 },
};

/** Streams `count` deliveries, of which a request has the results that `answer` gives for its ids. */
async function streamed(
  count: number,
  answer: (ids: readonly string[], nth: number) => readonly DeliveryResult[],
  { abort, moved = () => true }: { readonly abort?: AbortSignal; readonly moved?: (nth: number) => boolean } = {},
) {
  const all = Array.from({ length: count }, (_, nth) => deliveryOf({ id: `d${nth}`, event_id: `e${nth}` }));
  const rest: NewDelivery[] = all.slice(1);
  const requests: (readonly string[])[] = [];
  const steps: StreamStep[] = [];
  const held: (readonly string[])[] = [];
  const source: DeliverySource = {
    read: async (max) => rest.splice(0, max),
    async write(step) {
      await new Promise((resolve) => setImmediate(resolve));
      return moved(steps.push(step));
    },
    ended: () => {},
  };
  await stream(firstClaim(all[0] ?? assert.fail(), T + 100), {
    ...{ source, batch: BATCH, signal: abort ?? new AbortController().signal, leaseEnd: () => T + 100 },
    async request(claims) {
      const ids = claims.map(({ id }) => id);
      const results = answer(ids, requests.push(ids));
      return claims.map((claim, at) => ({ claim, result: results[at] ?? assert.fail() }));
    },
    ends: (attempts) => attempts.map(({ result }) => ENDS[result.kind]),
    hold: (claims) => void held.push(claims.map(({ id }) => id)),
    isStopped: () => false,
  });
  const written = steps.map(({ ends, next, hasMore }) => [
    ends.map(({ claim, end }) => `${claim.id} ${end?.status ?? 'dropped'}`).join(', '),
    next?.id,
    hasMore,
  ]);
  return { requests, written, held, steps };
}
const each = (ids: readonly string[], result: DeliveryResult) => ids.map(() => result);

test('requests follow one another in order, each written once with the first of the next, which has a lease', async () => {
  const { requests, written, held, steps } = await streamed(7, (ids) => each(ids, SENT));
  assert.deepEqual(requests, [['d0', 'd1', 'd2'], ['d3', 'd4', 'd5'], ['d6']]);
  assert.deepEqual(written, [
    ['d0 sent, d1 sent, d2 sent', 'd3', true],
    ['d3 sent, d4 sent, d5 sent', 'd6', true],
    ['d6 sent', undefined, false],
  ]);
  assert.deepEqual(held, [['d0', 'd3'], ['d3', 'd6'], ['d6']]);
  assert.equal(steps[0]?.next?.leased_until, T + 100);
});

test('what a request had no room for begins the next one, and what was dropped has no end', async () => {
  const { requests, written } = await streamed(5, (ids, nth) =>
    nth === 1 ? [{ kind: 'dropped' }, SENT, LATER] : each(ids, SENT),
  );
  assert.deepEqual(requests, [
    ['d0', 'd1', 'd2'],
    ['d2', 'd3', 'd4'],
  ]);
  assert.deepEqual(written[0], ['d0 dropped, d1 sent', 'd2', true]);
});

test('after a request that fails, what follows is left in its place', async () => {
  const { requests, written } = await streamed(9, (ids, nth) => each(ids, nth === 2 ? REFUSED : SENT));
  assert.equal(requests.length, 2);
  assert.deepEqual(written[1], ['d3 deferred, d4 deferred, d5 deferred', undefined, false]);
});

test('it ends where its place was moved, once the request under way is written', async () => {
  const { written } = await streamed(20, (ids) => each(ids, SENT), { moved: (nth) => nth !== 1 });
  assert.deepEqual(
    written.map(([, next]) => next),
    ['d3', undefined],
  );
});

test('of a request that was aborted and did not arrive nothing is written, so that it is made again', async () => {
  const { written } = await streamed(9, (ids) => each(ids, REFUSED), { abort: AbortSignal.abort() });
  assert.deepEqual(written, []);
});
