import type { Millis } from '@mailroom/behavior/values/clock';
import { bytesInWords } from '../entities/storage-size.ts';

/** Storage limits, in bytes. */
export interface StorageLimits {
  /** Of a claimed namespace. */
  readonly namespace: number;
  /** Of a namespace that no person has claimed. */
  readonly unclaimed: number;
  /** Of all unclaimed namespaces created from one network together. */
  readonly network: number;
  /** Of the guests of one network, per UTC day. */
  readonly guests: number;
  /** Of the mails of one network, and of one proven domain, per UTC day. */
  readonly mails: number;
}

/** Who pays for what is stored: its author, or the one who had it written. */
export type Payer =
  | {
      readonly kind: 'namespace';
      readonly id: string;
      /** What a stranger sent by mail, and the answers to it: half of what the namespace may store. */
      readonly stranger?: boolean;
    }
  /** As `networkOf` gives it. */
  | { readonly kind: 'guests'; readonly network: string }
  | {
      readonly kind: 'mails';
      /** A network, or a domain that is proven to have sent a mail. */
      readonly source: string;
      /** The namespace that its mails to this one count for alone, and what that may store, in bytes. */
      readonly to?: { readonly id: string; readonly max_bytes: number };
    };

/** What is known about a subject. */
export interface Entry {
  readonly subject: string;
  readonly expires_at: Millis | null;
  /** The total in the database, with what was flushed since. */
  stored: number;
  /** Bytes added here since the last flush; negative when more was given back. */
  added: number;
  /** The name, for a namespace. */
  name: string | null;
  claimed: boolean;
  /** When its owner was told last by this node that it is nearly full. */
  warned_at: Millis;
  /** The network that an unclaimed namespace counts for as well. */
  network: Entry | undefined;
  /** The namespace that what strangers sent counts for as well. */
  whole: Entry | undefined;
}

interface Stored {
  readonly entry: Entry;
  readonly payer: Payer;
  readonly bytes: number;
}

/** The part of a namespace's room that strangers may fill, so that its owner can write at any time. */
const STRANGERS_SHARE = 1 / 2;
/** The part of this that one network or domain may fill in a day, so that it stops no mail of others. */
const SOURCE_SHARE = 1 / 2;

/** Why these bytes are refused; undefined when there is room for them. `owners`: the URL where a namespace is claimed. */
export function refusalOf({ entry, payer, bytes }: Stored, limits: StorageLimits, owners: string): string | undefined {
  const { stored, added, name, claimed, network, whole } = entry;
  const { guests, mails, namespace } = limits;
  const total = stored + added + bytes;
  if (payer.kind === 'mails') {
    const max = payer.to === undefined ? mails : Math.floor(payer.to.max_bytes * STRANGERS_SHARE * SOURCE_SHARE);
    if (total <= max) return undefined;
    const where = payer.to === undefined ? '' : ' to this namespace';
    return `${payer.source} has sent mails of ${bytesInWords(max)}${where} today, the maximum. Try again after 00:00 UTC.`;
  }
  if (payer.kind === 'guests') {
    if (total <= guests) return undefined;
    return `Guests of your network have stored ${bytesInWords(guests)} today, the maximum. Try again after 00:00 UTC, or send with a key.`;
  }
  if (whole !== undefined) {
    const share = STRANGERS_SHARE * maxOf(whole.claimed, limits);
    const ofNetwork = network === undefined ? 0 : network.stored + network.added + bytes;
    if (ofNetwork > STRANGERS_SHARE * limits.network) return networkText(limits, owners);
    if (total > share)
      return `Mails of others have filled ${bytesInWords(share)} of the namespace ${whole.name ?? ''}, half of its room. Delete some of them.`;
    return refusalOf({ entry: whole, payer, bytes }, limits, owners);
  }
  const max = maxOf(claimed, limits);
  if (total > max) {
    const first = `The namespace ${name ?? ''} has stored ${bytesInWords(max)}, the maximum.`;
    const claim = `, or claim the namespace: a person who becomes its owner at ${owners} gets ${bytesInWords(namespace)}`;
    return `${first} Delete messages, drafts or mailboxes that are not needed${claimed || namespace <= max ? '' : claim}. Or ask the operator of the service to keep settled messages for fewer days (RETENTION_DAYS), or to allow more (${claimed || namespace <= max ? 'LIMIT_STORAGE' : 'LIMIT_STORAGE_UNCLAIMED'}).`;
  }
  if (network !== undefined && network.stored + network.added + bytes > limits.network)
    return networkText(limits, owners);
  return undefined;
}

/** Why the unclaimed namespaces of a network get no more. */
export const networkText = (limits: StorageLimits, owners: string): string =>
  `The unclaimed namespaces created from your network have together stored ${bytesInWords(limits.network)}, the maximum. Claim this one: become its owner at ${owners}. Or delete mailboxes you do not need.`;

/** What a namespace may store. */
export function maxOf(claimed: boolean, limits: StorageLimits): number {
  const { namespace, unclaimed } = limits;
  return claimed ? namespace : Math.min(unclaimed, namespace);
}
