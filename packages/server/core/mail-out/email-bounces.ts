import { channel } from 'node:diagnostics_channel';
import { lowerCase } from '@mailroom/behavior/values/address';
import type { Clock } from '@mailroom/behavior/values/clock';
import type { Delivery } from '../entities/delivery.ts';
import type { EventBus } from '../notify/event-bus.ts';
import type { Store } from '../ports/store.ts';

/** What a notice says about a mail that could not be delivered (RFC 3464, section 2.3). */
export interface Bounce {
  /** '' when the notice does not name it. */
  readonly recipient: string;
  /** To whom the mail was sent; null when the notice does not say it. */
  readonly original_recipient: string | null;
  /** RFC 3463, such as `5.1.1`; null when the notice has none. */
  readonly status: string | null;
  readonly action: 'failed' | 'delayed' | 'delivered' | 'relayed' | 'expanded';
  /** What the other server said, on one line. */
  readonly diagnostic: string | null;
  /** The address takes no mail at all. */
  readonly dead_address: boolean;
}

const suppressed = channel('mailroom:mail:suppressed');

interface Parts {
  readonly store: Pick<Store, 'deliveries' | 'suppressions'>;
  readonly bus: Pick<EventBus, 'publishEvents'>;
  readonly clock: Clock;
}

/** Compared without case, which servers may change. */
const isSame = (one: string | null, other: string): boolean => one?.toLowerCase() === other.toLowerCase();
const localOf = (address: string): string => address.slice(0, address.lastIndexOf('@')).toLowerCase();

/** Whether a notice names another address to which that of the delivery was forwarded: it is the other one that fails. */
const isForwarded = ({ recipient, original_recipient }: Bounce, target: string): boolean =>
  isSame(original_recipient, target) && recipient !== '' && localOf(recipient) !== localOf(target);

/**
 * Records that a mail which had left could not be delivered, and sends no more from its namespace to its address when
 * that takes no mail at all; or that a server which took it still tries.
 */
export async function noteBounce(deliveryId: string, bounces: readonly Bounce[], parts: Parts): Promise<void> {
  const { store, bus, clock } = parts;
  const delivery = bounces.length === 0 ? undefined : await store.deliveries.byId(deliveryId);
  if (delivery?.kind !== 'email') return;
  const { target, namespace_id } = delivery;
  const named = bounces.filter((one) => isSame(one.recipient, target) || isSame(one.original_recipient, target));
  const about = named.length > 0 ? named : bounces;
  const failed = about.find(({ action }) => action === 'failed');
  const bounce = failed ?? about.find(({ action }) => action === 'delayed');
  if (bounce === undefined) return;
  const { status, diagnostic } = bounce;
  const reason = `${failed === undefined ? 'delayed' : 'bounced'} ${status ?? ''}`.trim();
  const words = diagnostic === null ? reason : `${reason}: ${diagnostic}`;
  const write = failed === undefined ? store.deliveries.delayed : store.deliveries.bounced;
  if (!(await write(deliveryId, words, clock()))) return;
  if (namespace_id !== null) bus.publishEvents(namespace_id);
  if (failed?.dead_address === true && !isForwarded(failed, target)) await suppress(delivery, reason, parts);
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

/** Sends nothing more from this delivery's namespace to its address, until its owner lifts that. */
export const suppress = (
  { namespace_id, target }: Pick<Delivery, 'namespace_id' | 'target'>,
  reason: string,
  { store, clock }: { readonly store: Pick<Store, 'suppressions'>; readonly clock: Clock },
): Promise<void> => {
  suppressed.publish({ cause: reason.startsWith('complained') ? 'complaint' : 'bounce' });
  return store.suppressions.add({ namespace_id, kind: 'email', target, reason, created_at: clock() });
};

/** The addresses of the mail domain itself that take reports of abuse. */
const REPORTS: ReadonlySet<string> = new Set(['abuse@', 'fbl@']);

/** Whether an address takes reports of abuse and nothing else. */
export const takesReports = (address: string, mailDomain: string): boolean =>
  REPORTS.has(lowerCase(address).replace(`@${mailDomain}`, '@'));
