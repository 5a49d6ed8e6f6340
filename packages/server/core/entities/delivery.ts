import type { Millis } from '@mailroom/behavior/values/clock';

/**
 * `mail`: mail of the service. `webhook`: an event for a webhook. `push`: an event for a push configuration (A2A). `agent`:
 * a message for the program behind an address. `email`: the answer to a message that came by e-mail.
 */
export type DeliveryName = 'mail' | 'webhook' | 'push' | 'agent' | 'email';

/**
 * `deferred`: an attempt failed and another follows, or the server that took it still tries. `failed`: no further attempt
 * follows. `complained`: it arrived, and its recipient reported it as unwanted.
 */
export type DeliveryStatus = 'queued' | 'sent' | 'deferred' | 'failed' | 'complained';

/** A delivery that is to be made; of two with the same id the first one stays. */
export interface NewDelivery {
  readonly id: string;
  readonly kind: DeliveryName;
  /** The namespace whose owner sees it, and with which it is deleted. */
  readonly namespace_id: string | null;
  readonly message_id: string | null;
  /** The event that is delivered: of two deliveries of one event to one target the first one stays. */
  readonly event_id?: string | null;
  /** The recipient: an address, or the id of a webhook or a push configuration. */
  readonly target: string;
  /**
   * The server to which it goes; a limited number of deliveries to one are in progress at a time. In `OWNER/ID` all
   * destinations of that owner have a limit together too.
   */
  readonly destination: string;
  /** What is delivered, as the kind's transport reads it. */
  readonly payload: string;
  readonly due_at: Millis;
  readonly created_at: Millis;
  /** No attempt begins after this time. */
  readonly expires_at: Millis;
  /** Its first attempt begins here, under a lease until then. */
  readonly leased_until?: Millis | undefined;
  /** It leaves with the response to its recipient's server, and no attempt is made. */
  readonly handed?: true;
}

/** A message, an event or a mail of the service on its way to one target. */
export interface Delivery extends Omit<NewDelivery, 'due_at' | 'event_id' | 'leased_until' | 'handed'> {
  readonly event_id: string | null;
  readonly status: DeliveryStatus;
  /** Why the last attempt failed. */
  readonly error: string | null;
  /** When the next attempt is due, or the current one's lease ends; null when no attempt follows. */
  readonly due_at: Millis | null;
  /** The number of attempts that have begun. */
  readonly attempt: number;
  readonly updated_at: Millis;
}

/** Whether it left with a response. */
export const isHanded = ({ status, attempt }: Delivery): boolean => status === 'sent' && attempt === 0;

/** A delivery that a node makes under a lease. */
export interface DeliveryClaim extends Delivery {
  /** Grows with each claim, so that the holder of an older claim can no longer write. */
  readonly fence: number;
  /** Those claimed with it, for one destination whose requests carry several. */
  readonly others?: readonly DeliveryClaim[];
}

/** A delivery by its claim, which another may have taken over meanwhile. */
export type ClaimedDelivery = Pick<DeliveryClaim, 'id' | 'fence'>;

/** A target to which nothing of a kind is delivered any more. */
export interface Suppression {
  /** The namespace for whose deliveries it holds, so that no other one is kept from writing there; null: the service's. */
  readonly namespace_id: string | null;
  readonly kind: DeliveryName;
  readonly target: string;
  readonly reason: string;
  readonly created_at: Millis;
}
