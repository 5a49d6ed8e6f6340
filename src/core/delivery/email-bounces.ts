import { channel } from 'node:diagnostics_channel';
import type { EventBus } from '../notify/event-bus.ts';
import type { Delivery } from '../ports/delivery.ts';
import type { Store } from '../ports/store.ts';
import type { Clock } from '../values/clock.ts';

/** What a notice says about a mail that could not be delivered (RFC 3464, section 2.3). */
export interface Bounce {
  /** RFC 3463, such as `5.1.1`; null when the notice has none. */
  readonly status: string | null;
  readonly action: 'failed' | 'delayed' | 'delivered' | 'relayed' | 'expanded';
  /** What the other server said, on one line. */
  readonly diagnostic: string | null;
}

const suppressed = channel('mailroom:mail:suppressed');

interface Parts {
  readonly store: Pick<Store, 'deliveries' | 'suppressions'>;
  readonly bus: Pick<EventBus, 'publishEvents'>;
  readonly clock: Clock;
}

/**
 * Records that a mail which had left could not be delivered, and sends no more from its namespace to its address when
 * that address will take none. Notices of a delay change nothing.
 */
export async function noteBounce(deliveryId: string, bounces: readonly Bounce[], parts: Parts): Promise<void> {
  const failed = bounces.find(({ action, status }) => action === 'failed' && !status?.startsWith('4.'));
  if (failed === undefined) return;
  const { store, bus, clock } = parts;
  const reason = `bounced ${failed.status ?? ''}`.trim();
  const said = failed.diagnostic === null ? reason : `${reason}: ${failed.diagnostic}`;
  const delivery = await store.deliveries.byId(deliveryId);
  if (delivery?.kind !== 'email' || !(await store.deliveries.bounced(deliveryId, said, clock()))) return;
  if (delivery.namespace_id !== null) bus.publishEvents(delivery.namespace_id);
  if (failed.status === null || takesNone(failed.status)) await suppress(delivery, reason, parts);
}

/** Records that its recipient reported a mail as unwanted (RFC 5965), and sends no more from its namespace to them. */
export async function noteComplaint(deliveryId: string, type: string, parts: Parts): Promise<void> {
  const { store, bus, clock } = parts;
  const reason = `complained (${type})`;
  const delivery = await store.deliveries.byId(deliveryId);
  if (delivery?.kind !== 'email' || !(await store.deliveries.complained(deliveryId, reason, clock()))) return;
  if (delivery.namespace_id !== null) bus.publishEvents(delivery.namespace_id);
  await suppress(delivery, reason, parts);
}

/**
 * Whether a status (RFC 3463, section 3.2) says that the address takes no mail. Of other failures, such as a full
 * mailbox, the next mail may arrive.
 */
export const takesNone = (status: string): boolean => /^5\.1\.|^5\.2\.1$/.test(status);

/** Sends nothing more from this delivery's namespace to its address, until its owner lifts that. */
export const suppress = (
  { namespace_id, target }: Pick<Delivery, 'namespace_id' | 'target'>,
  reason: string,
  { store, clock }: { readonly store: Pick<Store, 'suppressions'>; readonly clock: Clock },
): Promise<void> => {
  suppressed.publish({ cause: reason.startsWith('complained') ? 'complaint' : 'bounce' });
  return store.suppressions.add({ namespace_id, kind: 'email', target, reason, created_at: clock() });
};
