import { type Millis, SECOND } from '@mailroom/behavior/values/clock';
import type { DeliveryClaim, NewDelivery } from '../entities/delivery.ts';
import type { DeliveryEnd, DeliveryResult, StreamStep } from '../ports/delivery.ts';

/** Where a stream of deliveries to one destination comes from, and where it is written how they end. */
export interface DeliverySource {
  /** Up to `max` that follow those read so far; none at the end for now. */
  read(max: number): Promise<readonly NewDelivery[]>;
  /** Durable when it resolves. False where the stream is to end, because its place was moved meanwhile. */
  write(step: StreamStep): Promise<boolean>;
  /** The stream has ended, so what follows is to be looked for again. */
  ended(): void;
}

/** A delivery, and how its attempt ended. */
export interface Attempt {
  readonly claim: DeliveryClaim;
  readonly result: DeliveryResult;
}

interface Parts {
  readonly source: DeliverySource;
  /** Maximum number of deliveries in a request. */
  readonly batch: number;
  readonly signal: AbortSignal;
  /** Makes one request. */
  readonly request: (claims: readonly DeliveryClaim[]) => Promise<readonly Attempt[]>;
  /** How these ended, in their order; undefined for what was dropped. */
  readonly ends: (attempts: readonly Attempt[]) => readonly (DeliveryEnd | undefined)[];
  /** These alone are held under leases from now on. */
  readonly hold: (claims: readonly DeliveryClaim[]) => void;
  readonly leaseEnd: () => Millis;
  readonly isStopped: () => boolean;
}

/** After this time the slot is free for what waits for a retry, and the settings of the destination are read again. */
const STREAM_MS: Millis = SECOND;

/** A delivery that was written, or is, as one whose first attempt begins. */
export const firstClaim = (delivery: NewDelivery, leased_until: Millis): DeliveryClaim => ({
  ...{ ...delivery, event_id: delivery.event_id ?? null, status: 'queued', error: null },
  ...{ due_at: leased_until, attempt: 1, fence: 1, updated_at: delivery.created_at },
});

/**
 * Makes deliveries in requests that follow one another, each written once, with its end. Only the first of a request is
 * written before, under a lease: it keeps other nodes from the destination, and after a crash it is attempted again, with
 * what followed it. The end of one request is written during the next.
 */
export async function stream(first: DeliveryClaim, parts: Parts): Promise<void> {
  const { source, batch, signal, request, ends, hold, leaseEnd, isStopped } = parts;
  const until = performance.now() + STREAM_MS;
  let lead: DeliveryClaim | undefined = first;
  let waiting = await source.read(batch);
  let writing = Promise.resolve(true);
  while (lead !== undefined) {
    const held: DeliveryClaim = lead;
    const others = waiting.slice(0, batch - 1).map((one) => firstClaim(one, leaseEnd()));
    const [attempts, isHeld] = await Promise.all([request([held, ...others]), writing]);
    const later = attempts.findIndex(({ result }) => result.kind === 'later');
    const ended = later < 0 ? attempts : attempts.slice(0, later);
    const isFailed = ended.some(({ result }) => result.kind === 'failed');
    // The lead is given back, or another node's now, and what followed it comes after it again.
    if (ended.length === 0 || (isFailed && signal.aborted)) return;
    waiting = waiting.slice(ended.length - 1);
    const goesOn = isHeld && !isFailed && !isStopped() && !signal.aborted && performance.now() < until;
    if (goesOn && waiting.length < batch) waiting = [...waiting, ...(await source.read(batch - waiting.length))];
    const [following, ...rest] = goesOn ? waiting : [];
    const leased_until = leaseEnd();
    const next = following && firstClaim(following, leased_until);
    hold([held, ...(next === undefined ? [] : [next])]);
    writing = source.write({
      ends: ends(ended).map((end, at) => ({ claim: (ended[at] as Attempt).claim, end })),
      next: following && { ...following, leased_until },
      hasMore: waiting.length > 0,
    });
    // Its rejection is that of the stream, and is seen when the next request has ended.
    writing.catch(() => {});
    if (next !== undefined) waiting = rest;
    lead = next;
  }
  await writing;
}
