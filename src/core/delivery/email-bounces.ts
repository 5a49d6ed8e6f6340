import type { Store } from '../ports/store.ts';
import type { Clock } from '../values/clock.ts';

/** What a notice says about a mail that could not be delivered (RFC 3464, section 2.3). */
export interface Bounce {
  /** RFC 3463, such as `5.1.1`; null when the notice has none. */
  readonly status: string | null;
  readonly action: 'failed' | 'delayed' | 'delivered' | 'relayed' | 'expanded';
}

/**
 * Records that an answer which had left could not be delivered, and sends no more to its address when that address will
 * take none. Notices of a delay change nothing.
 */
export async function noteBounce(
  deliveryId: string,
  bounces: readonly Bounce[],
  { store, clock }: { readonly store: Pick<Store, 'deliveries' | 'suppressions'>; readonly clock: Clock },
): Promise<void> {
  const failed = bounces.find(({ action, status }) => action === 'failed' && !status?.startsWith('4.'));
  if (failed === undefined) return;
  const reason = `bounced ${failed.status ?? ''}`.trim();
  const delivery = await store.deliveries.byId(deliveryId);
  if (delivery?.kind !== 'email' || !(await store.deliveries.bounced(deliveryId, reason, clock()))) return;
  // Of other failures, such as a full mailbox, the next mail may arrive (RFC 3463, section 3.2).
  if (failed.status === null || /^5\.1\.|^5\.2\.1/.test(failed.status))
    await store.suppressions.add({ kind: 'email', target: delivery.target, reason, created_at: clock() });
}
