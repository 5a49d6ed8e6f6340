import { type Clock, DAY, type Millis } from '@mailroom/behavior/values/clock';
import type { Store } from '../ports/store.ts';
import { BatchJob } from '../values/batch-job.ts';

interface Parts {
  readonly store: Store;
  readonly clock: Clock;
}

/** Larger batches of a job that is behind cost less a row, and let writes wait for some milliseconds. */
const BEHIND = 5;
const sizeOf = (usual: number, behind: boolean): number => (behind ? BEHIND * usual : usual);
/** Messages examined in one batch, which takes a few milliseconds of the writer. */
const MESSAGES = 100;
const MESSAGES_REST_MS = 50;
/** Events removed in one batch. */
const EVENTS = 500;
const EVENTS_REST_MS = 20;
/** Deliveries removed in one batch; each may hold an event with its message. */
const DELIVERIES = 100;
const DELIVERIES_REST_MS = 50;
const BLOBS_REST_MS = 20;

/**
 * Removes settled messages `keep_ms` after they settled, oldest first. Each pass continues after the last id of the pass
 * before; once a day it starts from the beginning, for messages that settled late.
 */
export function retainMessages({ store, clock }: Parts, keep_ms: Millis): BatchJob {
  let place: { after: string; begun: Millis } | undefined;
  return new BatchJob(async (behind) => {
    const now = clock();
    if (place === undefined || now - place.begun >= DAY) place = { after: '', begun: now };
    const { next } = await store.messages.retire(now - keep_ms, place.after, sizeOf(MESSAGES, behind));
    if (next !== null) place.after = next;
    return next !== null;
  }, MESSAGES_REST_MS);
}

/** Removes bytes of attachments that no message or draft names any more, and uploads that were given up. */
export const sweepBlobs = ({ store, clock }: Parts): BatchJob =>
  new BatchJob(() => store.blobs.sweep(clock()), BLOBS_REST_MS);

/** Removes events `keep_ms` after they happened, oldest first. */
export const retainEvents = ({ store, clock }: Parts, keep_ms: Millis): BatchJob =>
  new BatchJob(async (behind) => {
    const max = sizeOf(EVENTS, behind);
    return (await store.events.trim(clock() - keep_ms, max)) >= max / 2;
  }, EVENTS_REST_MS);

/** Removes entries of audit logs `keep_ms` after they were written, oldest first; a batch is of one namespace. */
export const retainAudit = ({ store, clock }: Parts, keep_ms: Millis): BatchJob =>
  new BatchJob(
    async (behind) => (await store.audit.retire(clock() - keep_ms, sizeOf(EVENTS, behind))) > 0,
    EVENTS_REST_MS,
  );

/** Removes keys `keep_ms` after they were revoked or expired; until then their owners see that they were. */
export const retainKeys = ({ store, clock }: Parts, keep_ms: Millis): BatchJob =>
  new BatchJob(async () => (await store.keys.sweep(clock() - keep_ms, EVENTS)) >= EVENTS, EVENTS_REST_MS);

/** Removes deliveries `keep_ms` after they arrived or were given up, oldest first. Those that wait are never removed. */
export const retainDeliveries = ({ store, clock }: Parts, keep_ms: Millis): BatchJob =>
  new BatchJob(async (behind) => {
    const max = sizeOf(DELIVERIES, behind);
    return (await store.deliveries.retire(clock() - keep_ms, max)) >= max;
  }, DELIVERIES_REST_MS);

/** For how long the usage of the language model is kept. */
export const USAGE_DAYS = 90;
/** Longer than a review may wait, whose recipients are then given back. */
const RECIPIENT_DAYS = 31;
const USAGES = 500;
const USAGES_REST_MS = 20;

/**
 * Removes the usage of mailboxes after 90 days, and that of single senders after the day, which a late run may still end;
 * and the recipients of a day once no review of it may wait.
 */
export const retainUsage = ({ store, clock }: Parts): BatchJob =>
  new BatchJob(async () => {
    const today = Math.floor(clock() / DAY);
    const usages = await store.modelUsage.trim(today - USAGE_DAYS, today - 1, USAGES);
    const days = await store.recipientDays.trim(today - RECIPIENT_DAYS, USAGES);
    return Math.max(usages, days) >= USAGES;
  }, USAGES_REST_MS);
